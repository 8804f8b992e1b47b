//===- CallingConvention.cpp - Results and buffer arguments ---------------===//
//
// Drops results that are always a buffer argument, so that the function does
// not copy them to a new buffer. The caller owns, and must free, the remaining
// results. Also requests the C interface of public functions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTPREPARECINTERFACEPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the argument of `func` that every return yields as result `number`,
/// if there is one.
static std::optional<unsigned>
getAliasedArgument(ArrayRef<func::ReturnOp> returns, unsigned number) {
  std::optional<unsigned> result;
  for (func::ReturnOp op : returns) {
    Value value = op.getOperand(number);
    while (auto cast = value.getDefiningOp<memref::CastOp>())
      value = cast.getSource();
    auto arg = dyn_cast<BlockArgument>(value);
    if (!arg || !isa<MemRefType>(arg.getType()) ||
        !arg.getOwner()->isEntryBlock() ||
        arg.getOwner()->getParentOp() != op->getParentOp() ||
        (result && *result != arg.getArgNumber()))
      return std::nullopt;
    result = arg.getArgNumber();
  }
  return result;
}

/// Drops the aliased results of `func` and updates its `calls`.
static LogicalResult dropAliasedResults(RewriterBase &rewriter,
                                        func::FuncOp func,
                                        ArrayRef<func::CallOp> calls) {
  SmallVector<func::ReturnOp> returns;
  func.walk([&](func::ReturnOp op) { returns.push_back(op); });
  if (returns.empty())
    return success();
  llvm::BitVector dropped(func.getNumResults());
  SmallVector<std::optional<unsigned>> aliases;
  for (unsigned number = 0; number < func.getNumResults(); ++number) {
    aliases.push_back(getAliasedArgument(returns, number));
    dropped[number] = aliases.back().has_value();
  }
  if (dropped.none())
    return success();

  for (func::ReturnOp op : returns)
    rewriter.modifyOpInPlace(op, [&] { op->eraseOperands(dropped); });
  if (failed(func.eraseResults(dropped)))
    return failure();
  for (func::CallOp call : calls) {
    rewriter.setInsertionPoint(call);
    auto newCall =
        func::CallOp::create(rewriter, call.getLoc(), func, call.getOperands());
    SmallVector<Value> results;
    unsigned kept = 0;
    for (auto [result, alias] : llvm::zip_equal(call.getResults(), aliases)) {
      if (!alias) {
        results.push_back(newCall.getResult(kept++));
        continue;
      }
      Value value = call.getOperand(*alias);
      if (value.getType() != result.getType())
        value = memref::CastOp::create(rewriter, call.getLoc(),
                                       result.getType(), value);
      results.push_back(value);
    }
    rewriter.replaceOp(call, results);
  }
  return success();
}

/// Allocates the buffer `alloc` with the shape of `reshape`, a view of it, and
/// makes the original shape a view of the new buffer. Fails, with the IR
/// unchanged, if a size is not known at the allocation.
template <typename ReshapeOp>
static LogicalResult allocateAs(RewriterBase &rewriter, memref::AllocOp alloc,
                                ReshapeOp reshape) {
  auto type = cast<MemRefType>(reshape.getType());
  if (!type.getLayout().isIdentity() || type.getRank() == 0)
    return failure();
  rewriter.setInsertionPoint(alloc);
  Location loc = alloc.getLoc();
  SmallVector<OpFoldResult> given = alloc.getMixedSizes();
  SmallVector<Value> sizes;
  Value whole;
  if constexpr (std::is_same_v<ReshapeOp, memref::CollapseShapeOp>) {
    for (auto [dim, group] :
         llvm::enumerate(reshape.getReassociationIndices())) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size;
      for (int64_t part : group) {
        Value factor =
            getValueOrCreateConstantIndexOp(rewriter, loc, given[part]);
        size =
            size
                ? arith::MulIOp::create(rewriter, loc, size, factor).getResult()
                : factor;
      }
      sizes.push_back(size);
    }
    whole = memref::AllocOp::create(rewriter, loc, type, sizes,
                                    alloc.getAlignmentAttr());
    Value view =
        memref::ExpandShapeOp::create(rewriter, loc, alloc.getType(), whole,
                                      reshape.getReassociationIndices(), given);
    rewriter.replaceAllUsesWith(alloc, view);
  } else {
    DominanceInfo dominance;
    for (Value size : reshape.getOutputShape()) {
      if (!dominance.properlyDominates(size, alloc))
        return failure();
      sizes.push_back(size);
    }
    whole = memref::AllocOp::create(rewriter, loc, type, sizes,
                                    alloc.getAlignmentAttr());
    Value view =
        memref::CollapseShapeOp::create(rewriter, loc, alloc.getType(), whole,
                                        reshape.getReassociationIndices());
    rewriter.replaceAllUsesWith(alloc, view);
  }
  rewriter.replaceOp(reshape, whole);
  rewriter.eraseOp(alloc);
  return success();
}

/// If `func` returns an allocation through a reshape, allocates it in the shape
/// that is returned. The buffer of the caller can then replace the allocation.
static void allocateAsReturned(RewriterBase &rewriter, func::FuncOp func) {
  func.walk([&](func::ReturnOp op) {
    for (unsigned number = 0; number < op.getNumOperands(); ++number) {
      bool changed = true;
      while (changed) {
        changed = false;
        // Rewrite one of several reshapes at a time.
        Operation *reshape = nullptr;
        Value source = op.getOperand(number);
        while (Operation *next = source.getDefiningOp()) {
          if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(next))
            break;
          reshape = next;
          source = next->getOperand(0);
        }
        auto alloc = source.getDefiningOp<memref::AllocOp>();
        if (!reshape)
          continue;
        if (!alloc || alloc->getBlock() != op->getBlock())
          continue;
        if (auto collapse = dyn_cast<memref::CollapseShapeOp>(reshape))
          changed = succeeded(allocateAs(rewriter, alloc, collapse));
        else if (auto expand = dyn_cast<memref::ExpandShapeOp>(reshape))
          changed = succeeded(allocateAs(rewriter, alloc, expand));
      }
    }
  });
}

/// Gives every result of `func` a separate buffer. If a buffer is returned
/// twice, possibly in two shapes, it is copied.
static void separateResults(RewriterBase &rewriter, func::FuncOp func) {
  func.walk([&](func::ReturnOp op) {
    llvm::SmallPtrSet<Value, 4> seen;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      auto type = dyn_cast<MemRefType>(value.getType());
      if (!type || seen.insert(getViewedBuffer(value)).second)
        continue;
      rewriter.setInsertionPoint(op);
      Location loc = op.getLoc();
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(memref::DimOp::create(rewriter, loc, value, dim));
      Value own = memref::AllocOp::create(rewriter, loc, type, sizes);
      memref::CopyOp::create(rewriter, loc, value, own);
      rewriter.modifyOpInPlace(op, [&] { operand.set(own); });
    }
  });
}

/// C callers read all 8 bits of a bool and, on some platforms, all 32 bits of a
/// register with a smaller integer.
static void extendResult(func::FuncOp func) {
  if (func.getNumResults() != 1)
    return;
  auto type = dyn_cast<IntegerType>(func.getResultTypes().front());
  if (!type || type.getWidth() >= 32)
    return;
  func.setResultAttr(0,
                     type.getWidth() == 1
                         ? LLVM::LLVMDialect::getZExtAttrName()
                         : LLVM::LLVMDialect::getSExtAttrName(),
                     UnitAttr::get(func.getContext()));
}

namespace {
struct LinalgExtPrepareCInterfacePass
    : public linalg_ext::impl::LinalgExtPrepareCInterfacePassBase<
          LinalgExtPrepareCInterfacePass> {
  using Base::Base;

  void runOnOperation() override {
    if (dropResults != "none" && dropResults != "private" &&
        dropResults != "all") {
      emitError(getOperation().getLoc())
          << "invalid option 'drop-results': expected none, private or all, "
             "got '"
          << dropResults << "'";
      return signalPassFailure();
    }
    if (dropResults != "none" &&
        failed(dropResultsOf(getOperation(), dropResults == "private")))
      return signalPassFailure();
    if (!requestWrappers)
      return;
    StringRef name = LLVM::LLVMDialect::getEmitCWrapperAttrName();
    getOperation().walk([&](func::FuncOp func) {
      if (!func.isPublic() || func.isExternal())
        return;
      func->setAttr(name, UnitAttr::get(&getContext()));
      extendResult(func);
    });
  }

private:
  LogicalResult dropResultsOf(ModuleOp module, bool privateOnly) {
    IRRewriter rewriter(&getContext());
    for (auto func : module.getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(func, module);
      SmallVector<func::CallOp> calls;
      // The type may change only if nothing but calls refers to the function.
      bool onlyCalls = uses.has_value() && !(privateOnly && func.isPublic());
      for (SymbolTable::SymbolUse use :
           uses.value_or(SymbolTable::UseRange({}))) {
        auto call = dyn_cast<func::CallOp>(use.getUser());
        onlyCalls &= bool(call);
        if (call)
          calls.push_back(call);
      }
      if (onlyCalls && failed(dropAliasedResults(rewriter, func, calls)))
        return failure();
      separateResults(rewriter, func);
      allocateAsReturned(rewriter, func);
    }
    return success();
  }
};
} // namespace
