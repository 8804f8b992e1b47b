# Build rules of linalg-ext.
#
# Everything links Debian's (or the user's) shared libMLIR and libLLVM: linking
# the static component libraries as well would duplicate the TypeIDs.

# linalg_ext_add_library(name SOURCES... [DEPENDS tablegen targets] [LINK libs]
#                        [WITHOUT_MLIR])
function(linalg_ext_add_library name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_WITHOUT_MLIR)
    # The precompiled header has inline functions that need MLIR.
    set_target_properties(${name} PROPERTIES LINALG_EXT_WITHOUT_MLIR ON)
  else()
    list(APPEND ARG_LINK MLIR)
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK} LLVM)
  set_property(GLOBAL APPEND PROPERTY LINALG_EXT_LIBRARIES ${name})
  # Headers generated for any library may be included by any other: one target
  # stands for all of them.
  add_dependencies(${name} linalg-ext-headers)
endfunction()

# linalg_ext_tablegen(<td> <output> <tblgen options>...)
macro(linalg_ext_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN} EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS})
endmacro()

if(NOT TARGET linalg-ext-headers)
  add_custom_target(linalg-ext-headers)
endif()

# linalg_ext_public_tablegen_target(<name>): closes a group of tablegen rules.
macro(linalg_ext_public_tablegen_target name)
  add_public_tablegen_target(${name})
  add_dependencies(linalg-ext-headers ${name})
endmacro()

# linalg_ext_add_doc(<td> <output>.md <tblgen options>...)
# A part of the target linalg-ext-doc; the output is relative to the build
# directory of the caller.
function(linalg_ext_add_doc td output)
  get_filename_component(dir "${CMAKE_CURRENT_BINARY_DIR}/${output}" DIRECTORY)
  file(MAKE_DIRECTORY "${dir}")
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(MLIR ${output} ${ARGN} EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS})
  string(MAKE_C_IDENTIFIER "linalg-ext-doc-${output}" name)
  add_custom_target(${name} DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  add_dependencies(linalg-ext-doc ${name})
endfunction()

# linalg_ext_precompile_headers(): every target of the project that compiles C++
# uses one precompiled header of the upstream headers that most files include.
# It halves the time of a build. Files still include what they use: configure
# with -DLINALG_EXT_PRECOMPILED_HEADERS=OFF to check that.
function(linalg_ext_precompile_headers)
  add_library(LinalgExtPrecompiledHeaders OBJECT
    "${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.cpp")
  target_precompile_headers(LinalgExtPrecompiledHeaders PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h>")
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Without times, two builds make the same file: what ccache needs.
    target_compile_options(LinalgExtPrecompiledHeaders PRIVATE
      "SHELL:-Xclang -fno-pch-timestamp")
    # And with this file in place of the content, in which there are paths,
    # ccache finds what another build tree compiled.
    file(SHA256 "${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h" hash)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      "${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h")
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/LinalgExtPrecompiledHeaders.dir/cmake_pch.hxx.pch.sum"
      "${hash} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} "
      "${LLVM_PACKAGE_VERSION} ${MLIR_DIR} "
      "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}\n")
  endif()
  linalg_ext_reuse_precompiled_headers("${PROJECT_SOURCE_DIR}")
endfunction()

# Of all targets of a directory and below.
function(linalg_ext_reuse_precompiled_headers dir)
  get_property(targets DIRECTORY "${dir}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    get_target_property(without_mlir ${target} LINALG_EXT_WITHOUT_MLIR)
    if(NOT without_mlir AND type MATCHES "LIBRARY|EXECUTABLE" AND sources MATCHES "\\.cpp"
       AND NOT target STREQUAL "LinalgExtPrecompiledHeaders")
      target_precompile_headers(${target} REUSE_FROM LinalgExtPrecompiledHeaders)
      if(type STREQUAL "EXECUTABLE")
        # -fPIE is not what the header was compiled with. -fPIC, which LLVM's
        # flags have, does for executables too.
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      endif()
    endif()
  endforeach()
  get_property(subdirs DIRECTORY "${dir}" PROPERTY SUBDIRECTORIES)
  foreach(subdir IN LISTS subdirs)
    linalg_ext_reuse_precompiled_headers("${subdir}")
  endforeach()
endfunction()

# linalg_ext_install(TARGETS...): `cmake --install` copies the libraries that have
# been added so far with their headers, the targets, the package for Python, and a
# package for find_package(LinalgExt). The components are those of linalg_ext_package.
function(linalg_ext_install)
  set(package_dir lib/cmake/LinalgExt)
  get_property(libraries GLOBAL PROPERTY LINALG_EXT_LIBRARIES)
  foreach(library IN LISTS libraries)
    target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:include>)
  endforeach()
  install(TARGETS ${libraries} EXPORT LinalgExtTargets
          ARCHIVE DESTINATION lib COMPONENT dev)
  install(TARGETS ${ARGN} LIBRARY DESTINATION lib COMPONENT tools
          RUNTIME DESTINATION bin COMPONENT tools)
  foreach(tree "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    install(DIRECTORY "${tree}/mlir-ext/include/mlir-ext" DESTINATION include
            COMPONENT dev
            FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
            PATTERN CMakeFiles EXCLUDE)
  endforeach()
  install(EXPORT LinalgExtTargets NAMESPACE LinalgExt::
          DESTINATION ${package_dir} COMPONENT dev)
  include(CMakePackageConfigHelpers)
  configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/LinalgExtConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/LinalgExtConfig.cmake"
    INSTALL_DESTINATION ${package_dir})
  # Interfaces may change in every minor release (docs/Stability.md).
  write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/LinalgExtConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/LinalgExtConfig.cmake"
                "${PROJECT_BINARY_DIR}/LinalgExtConfigVersion.cmake"
          DESTINATION ${package_dir} COMPONENT dev)
  # Where Python of Debian looks, below /usr.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/linalg_ext"
          DESTINATION lib/python3/dist-packages COMPONENT python
          FILES_MATCHING PATTERN "*.py" PATTERN py.typed
          PATTERN __pycache__ EXCLUDE)
  # Compiled by users, one of them with the mpicc of their MPI library.
  install(FILES "${PROJECT_SOURCE_DIR}/mlir-ext/lib/Sharding/LinalgExtCollectives.h"
                "${PROJECT_SOURCE_DIR}/mlir-ext/lib/Sharding/LinalgExtMPI.c"
                "${PROJECT_SOURCE_DIR}/mlir-ext/lib/Sharding/LinalgExtNCCL.c"
          DESTINATION share/linalg-ext COMPONENT tools)
  # The site is there if linalg-ext-doc has been built, with mkdocs.
  linalg_ext_get_deb_name(doc doc)
  install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
          DESTINATION share/doc/${doc} COMPONENT doc)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/site/" DESTINATION share/doc/${doc}/html
          COMPONENT doc OPTIONAL)
  # Programs to begin with.
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION share/linalg-ext
          COMPONENT tools USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
  foreach(component tools dev python doc)
    linalg_ext_get_deb_name(${component} name)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE.TXT" RENAME copyright
            DESTINATION share/doc/${name} COMPONENT ${component})
  endforeach()
endfunction()

# The Debian package of a component.
function(linalg_ext_get_deb_name component variable)
  set(name_tools linalg-ext-tools)
  set(name_dev liblinalg-ext-dev)
  set(name_python python3-linalg-ext)
  set(name_doc linalg-ext-doc)
  set(${variable} ${name_${component}} PARENT_SCOPE)
endfunction()

# linalg_ext_package(): `cpack` makes a .deb of each component of linalg_ext_install:
# the tools and the plugin, what other projects build against, the package for Python, the
# documentation.
# A macro: CPack reads variables of the directory.
macro(linalg_ext_package)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME linalg-ext)
  set(CPACK_PACKAGE_VENDOR "")
  set(CPACK_PACKAGE_CONTACT "The linalg-ext project <linalg-ext@localhost>")
  set(CPACK_PACKAGE_VERSION ${LINALG_EXT_VERSION})
  # A version with "~" is older than the same one without what is behind it.
  string(REPLACE "-" "~" CPACK_DEBIAN_PACKAGE_VERSION ${LINALG_EXT_VERSION})
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_COMPONENTS_ALL tools dev python doc)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(same "(= ${CPACK_DEBIAN_PACKAGE_VERSION})")
  foreach(component tools dev python doc)
    string(TOUPPER ${component} upper)
    linalg_ext_get_deb_name(${component} CPACK_DEBIAN_${upper}_PACKAGE_NAME)
  endforeach()
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
  # The libraries that the programs are linked with, in the versions of this system.
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
  # A linker for the CPU, the runtime of threads=openmp, a linker for AMD GPUs.
  set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "gcc | clang-22, libomp-22-dev, lld-22")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "mlir-22-tools")
  set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "compiler for dependent reductions in MLIR
linalg-ext-compile compiles attention and the like, written as linalg on tensors,
for CPUs and GPUs. There are also linalg-ext-opt, a language server, a reducer, and
a plugin for mlir-opt.")
  set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "linalg-ext-tools ${same}, libmlir-22-dev, llvm-22-dev, mlir-22-tools")
  set(CPACK_COMPONENT_DEV_DESCRIPTION
    "headers and libraries of linalg-ext
What a project needs whose ops fuse by the interfaces of linalg-ext: headers, .td
files, static libraries, and find_package(LinalgExt).")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.8)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "linalg-ext-tools ${same}, python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "calls compiled programs of linalg from Python
Compiles programs with linalg-ext-compile, and calls them with arrays of numpy, or
of torch on a GPU.")
  set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
  set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
  set(CPACK_COMPONENT_DOC_DESCRIPTION
    "documentation of linalg-ext
The site of all pages, with the reference of dialects, passes and interfaces.")
  include(CPack)
endmacro()
