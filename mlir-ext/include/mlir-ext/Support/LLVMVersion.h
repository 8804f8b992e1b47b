//===- LLVMVersion.h - Differences between versions of LLVM -----*- C++ -*-===//
//
// This project is built and tested with LLVM 22.1. LLVM 23.1 is prepared: most
// sources compile with its headers (docs/Stability.md lists the others). What
// the two versions spell differently is here, and nowhere else.
//
// Models of TilingInterface need no line here. LLVM 23 overloads four methods
// of the interface, so a model that defines one of them also has a `using` of
// the base's, which both versions accept (StructuredTiling.h).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_LLVMVERSION_H
#define MLIR_EXT_SUPPORT_LLVMVERSION_H

#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR < 22 || LLVM_VERSION_MAJOR > 23
#error "expected LLVM 22.1 or 23.1"
#endif

//===----------------------------------------------------------------------===//
// The dialect of x86's vector instructions: `x86vector`, then `x86`
//===----------------------------------------------------------------------===//

/// The header of the dialect, for `#include`.
#if LLVM_VERSION_MAJOR < 23
#define MLIR_EXT_X86_DIALECT_HEADER "mlir/Dialect/X86Vector/X86VectorDialect.h"
namespace mlir::x86vector {
class DotBF16Op;
class X86VectorDialect;
} // namespace mlir::x86vector
#else
#define MLIR_EXT_X86_DIALECT_HEADER "mlir/Dialect/X86/X86Dialect.h"
namespace mlir::x86 {
class X86Dialect;
namespace avx512 {
class DotBF16Op;
} // namespace avx512
} // namespace mlir::x86
#endif

namespace mlir::linalg_ext {

#if LLVM_VERSION_MAJOR < 23
using X86Dialect = x86vector::X86VectorDialect;
using X86DotBF16Op = x86vector::DotBF16Op;
#else
using X86Dialect = x86::X86Dialect;
using X86DotBF16Op = x86::avx512::DotBF16Op;
#endif

/// Sets whether `convert-vector-to-llvm` lowers the dialect. `Options` is
/// ConvertVectorToLLVMPassOptions.
template <typename Options>
void setLowersX86Dialect(Options &options, bool lowers) {
#if LLVM_VERSION_MAJOR < 23
  options.x86Vector = lowers;
#else
  options.x86 = lowers;
#endif
}

//===----------------------------------------------------------------------===//
// ValueBoundsConstraintSet
//===----------------------------------------------------------------------===//

/// The last argument of functions that compute an upper bound: the bound is one
/// that the value may have.
#if LLVM_VERSION_MAJOR < 23
inline constexpr bool kClosedUpperBound = true;
#else
inline constexpr ValueBoundsOptions kClosedUpperBound = {/*closedUB=*/true};
#endif

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

/// Returns the values of `successor`, a RegionSuccessor of `op`, that take what
/// a branch to it passes on.
template <typename Op, typename Successor>
ValueRange getSuccessorInputs(Op op, const Successor &successor) {
#if LLVM_VERSION_MAJOR < 23
  return successor.getSuccessorInputs();
#else
  return op.getSuccessorInputs(successor);
#endif
}

/// What follows the parameters of `SideEffects::Resource::getName`.
#if LLVM_VERSION_MAJOR < 23
#define MLIR_EXT_RESOURCE_NAME_CONST
#else
#define MLIR_EXT_RESOURCE_NAME_CONST const
#endif

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LLVMVERSION_H
