//===- CheckOps.cpp - Checks before and after a pipeline ------------------===//
//
// These checks run before and after a pipeline.
//
//   - On the way to LLVM, a vector of several dimensions becomes one vector for
//     each row, and a one-dimensional vector becomes several registers. Compile
//     time and code size grow with the number of elements, and an input program
//     may have vector types of any size. So vectors of too many elements are an
//     error.
//   - A partial conversion leaves ops that it cannot convert, and hides them
//     behind unrealized casts, without an error. The next consumer would report
//     only the cast. So the first op of another dialect is an error, and a cast
//     only if there is no other op.
//   - Upstream's verifier does not compare the sizes of an op if one of them is
//     dynamic. So sizes that are known to differ are an error.
//   - With indices of 32 bits, offsets in a pool that turns out to be larger
//     would wrap around and read other pages. So the size of a pool must be
//     known then.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Plan/CheckDims.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Support/EqualSizes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTCHECKOPSPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// The number of elements of the largest vector that pipelines accept.
static constexpr int64_t kMaxElements = 65536;

/// Returns whether `type` is a vector of more than kMaxElements.
static bool isTooLarge(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t elements = 1;
  return vector && llvm::any_of(vector.getShape(), [&](int64_t size) {
           return llvm::MulOverflow(elements, size, elements) ||
                  elements > kMaxElements;
         });
}

static LogicalResult checkVectors(Operation *scope) {
  auto check = [&](Location loc, Type type) -> LogicalResult {
    if (!isTooLarge(type))
      return success();
    return emitError(loc) << "expected vectors of at most " << kMaxElements
                          << " elements, got " << type;
  };
  WalkResult walked = scope->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(check(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// Returns the types of `op` for an error, such as " of 'f8E4M3FN' to 'f32'".
static std::string describeTypes(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (op->getNumOperands() > 0) {
    os << " of ";
    llvm::interleaveComma(op->getOperandTypes(), os,
                          [&](Type type) { os << "'" << type << "'"; });
  }
  if (op->getNumResults() > 0) {
    os << " to ";
    llvm::interleaveComma(op->getResultTypes(), os,
                          [&](Type type) { os << "'" << type << "'"; });
  }
  return text;
}

/// Returns a location for `op`. An op in the payload of a named op has none.
/// Then the location is that of an op nearby, which computes with its values,
/// or of an op around it.
static Location getKnownLoc(Operation *op) {
  SetVector<Operation *> near;
  near.insert(op);
  // 64 ops are enough to reach a value that was cast and then stored.
  for (size_t i = 0; i < near.size() && near.size() < 64; ++i) {
    if (!isa<UnknownLoc>(near[i]->getLoc()))
      return near[i]->getLoc();
    for (Value operand : near[i]->getOperands())
      if (Operation *def = operand.getDefiningOp())
        near.insert(def);
    near.insert(near[i]->user_begin(), near[i]->user_end());
  }
  while (isa<UnknownLoc>(op->getLoc()) && op->getParentOp())
    op = op->getParentOp();
  return op->getLoc();
}

static LogicalResult checkDialects(Operation *scope,
                                   ArrayRef<std::string> dialects) {
  // Report a cast only if there is no other op that explains it.
  Operation *first = nullptr;
  scope->walk([&](Operation *op) {
    if (isa<ModuleOp>(op) ||
        llvm::is_contained(dialects, op->getName().getDialectNamespace()))
      return WalkResult::advance();
    if (!first || isa<UnrealizedConversionCastOp>(first))
      first = op;
    return isa<UnrealizedConversionCastOp>(first) ? WalkResult::advance()
                                                  : WalkResult::interrupt();
  });
  if (!first)
    return success();
  return emitError(getKnownLoc(first))
         << "'" << first->getName() << "'" << describeTypes(first)
         << " is left behind the last pass; expected ops of "
         << llvm::join(dialects, ", ") << " only";
}

/// Returns the size of `type` in bytes. Returns none if it is unknown or
/// overflows.
static std::optional<int64_t> getNumBytes(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  int64_t bytes = element.isIntOrFloat()
                      ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                      : 8;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

/// Checks that indices of `bits` bits reach the end of each pool.
static LogicalResult checkPools(Operation *scope, int64_t bits) {
  WalkResult walked = scope->walk([&](Operation *op) {
    ShapedType type;
    if (auto gather = dyn_cast<PagedGatherOp>(op))
      type = cast<ShapedType>(gather.getPool().getType());
    else if (auto store = dyn_cast<StoreRowsOp>(op))
      type = cast<ShapedType>(store.getPool().getType());
    else
      return WalkResult::advance();
    std::optional<int64_t> bytes = getNumBytes(type);
    if (bytes && *bytes < int64_t(1) << (bits - 1))
      return WalkResult::advance();
    op->emitError("expected a pool of less than ")
        << (int64_t(1) << (bits - 1)) << " bytes with indices of " << bits
        << " bits, got " << type << "; make its size static, or choose "
        << "index-bitwidth=64";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {
struct LinalgExtCheckOpsPass
    : public linalg_ext::impl::LinalgExtCheckOpsPassBase<
          LinalgExtCheckOpsPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    Operation *scope = getOperation();
    if (!dialects.empty()) {
      if (failed(checkDialects(scope, *dialects)))
        signalPassFailure();
      return;
    }
    if (failed(checkDims(scope)) || failed(checkEqualSizes(scope)) ||
        failed(checkVectors(scope)) ||
        (indexBitwidth < 64 && failed(checkPools(scope, indexBitwidth))))
      signalPassFailure();
  }
};
} // namespace
