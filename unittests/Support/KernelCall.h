//===- KernelCall.h - Functions that kernels call ---------------*- C++ -*-===//
//
// Private to Execute.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_KERNELCALL_H
#define LINALG_EXT_UNITTESTS_SUPPORT_KERNELCALL_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace linalg_ext_test {

/// What the compiled code calls: allocations, which KernelCall.cpp watches,
/// copies, and conversions of formats of 16 bits.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner interner);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_KERNELCALL_H
