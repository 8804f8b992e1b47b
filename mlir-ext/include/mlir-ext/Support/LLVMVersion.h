//===- LLVMVersion.h - Differences between versions of LLVM -----*- C++ -*-===//
//
// This project is built and tested with LLVM 22.1. LLVM 23.1 is prepared: all
// sources pass a syntax check with its headers (docs/Stability.md). What the
// two versions spell differently is here, and nowhere else.
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

#include <utility>

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

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns the buffers in workgroup memory that are arguments of the body of
/// `op`, a gpu::GPUFuncOp or gpu::LaunchOp.
template <typename Op>
ArrayRef<BlockArgument> getWorkgroupAttributions(Op op) {
#if LLVM_VERSION_MAJOR < 23
  return op.getWorkgroupAttributions();
#else
  return op.getWorkgroupAttributionBBArgs();
#endif
}

/// Makes the number of these buffers of `func`, a gpu::GPUFuncOp, 0. Its
/// arguments stay as they are.
template <typename Func>
void clearNumWorkgroupAttributions(Func func) {
#if LLVM_VERSION_MAJOR < 23
  func->setAttr(Func::getNumWorkgroupAttributionsAttrName(),
                IntegerAttr::get(IntegerType::get(func->getContext(), 64), 0));
#else
  func.setWorkgroupAttributions(0);
#endif
}

/// Creates a barrier with this number for so many threads. `BarrierOp` is
/// NVVM::BarrierOp.
template <typename BarrierOp, typename Builder>
void createNamedBarrier(Builder &b, Value number, Value threads) {
#if LLVM_VERSION_MAJOR < 23
  using Reduction = decltype(std::declval<BarrierOp>().getReductionOpAttr());
  BarrierOp::create(b, TypeRange(), number, threads, Reduction(), Value());
#else
  BarrierOp::create(b, number, threads);
#endif
}

/// Creates the linear index of a process along `axes` of the grid `grid`, a
/// StringRef (mlir/Dialect/Shard/Transforms/Transforms.h).
#if LLVM_VERSION_MAJOR < 23
#define MLIR_EXT_CREATE_PROCESS_LINEAR_INDEX(b, grid, axes)                    \
  shard::createProcessLinearIndex(grid, axes, b)
#else
#define MLIR_EXT_CREATE_PROCESS_LINEAR_INDEX(b, grid, axes)                    \
  shard::createProcessLinearIndex(b, grid, axes)
#endif

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Adds the patterns that lower `vector.multi_reduction`. `Lowering` is
/// vector::VectorMultiReductionLowering, whose namespace has the functions.
template <typename Lowering>
void populateMultiReductionLowering(RewritePatternSet &patterns,
                                    Lowering lowering) {
#if LLVM_VERSION_MAJOR < 23
  populateVectorMultiReductionLoweringPatterns(patterns, lowering);
#else
  populateVectorMultiReductionReorderPatterns(patterns, lowering);
  populateVectorMultiReductionFlatteningPatterns(patterns, lowering);
  populateVectorMultiReductionUnrollingPatterns(patterns, lowering);
#endif
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_LLVMVERSION_H
