# Build rules of linalg-ext.
#
# Everything links Debian's (or the user's) shared libMLIR and libLLVM: linking
# the static component libraries as well would duplicate the TypeIDs.

# linalg_ext_add_library(name SOURCES... [DEPENDS tablegen targets] [LINK libs])
function(linalg_ext_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
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
    if(type MATCHES "LIBRARY|EXECUTABLE" AND sources MATCHES "\\.cpp"
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
# been added so far with their headers, the targets, and a package for
# find_package(LinalgExt).
function(linalg_ext_install)
  set(package_dir lib/cmake/LinalgExt)
  get_property(libraries GLOBAL PROPERTY LINALG_EXT_LIBRARIES)
  foreach(library IN LISTS libraries)
    target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:include>)
  endforeach()
  install(TARGETS ${libraries} EXPORT LinalgExtTargets ARCHIVE DESTINATION lib)
  install(TARGETS ${ARGN} LIBRARY DESTINATION lib RUNTIME DESTINATION bin)
  foreach(tree "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    install(DIRECTORY "${tree}/mlir-ext/include/mlir-ext" DESTINATION include
            FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
            PATTERN CMakeFiles EXCLUDE)
  endforeach()
  install(EXPORT LinalgExtTargets DESTINATION ${package_dir})
  include(CMakePackageConfigHelpers)
  configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/LinalgExtConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/LinalgExtConfig.cmake"
    INSTALL_DESTINATION ${package_dir})
  install(FILES "${PROJECT_BINARY_DIR}/LinalgExtConfig.cmake"
          DESTINATION ${package_dir})
endfunction()
