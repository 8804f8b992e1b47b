# Build rules of linalg-ext.
#
# Everything links Debian's (or the user's) shared libMLIR and libLLVM: linking
# the static component libraries as well would duplicate the TypeIDs.

# linalg_ext_add_library(name SOURCES... [DEPENDS tablegen targets] [LINK libs])
function(linalg_ext_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
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
