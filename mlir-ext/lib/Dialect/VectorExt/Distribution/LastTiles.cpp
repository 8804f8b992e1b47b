//===- LastTiles.cpp - The last tile of rows begins earlier ---------------===//
//
// The last tile of the rows of a result has fewer rows than others, if tiles do
// not divide these. A copy of boxes fills the others with zeros, which takes
// two to four times as long as to copy a row (docs/Decisions/0113). So the last
// tile begins as many rows earlier as it lacks:
//
//     first row = min(first row, max(end - rows of a tile, start))
//
// The rows of the result, from the start to the end, may be a part of a buffer.
// The first workgroup has the start, or what is behind that.
//
// Two workgroups compute some of the rows then, and store the same. That is the
// same if all that a workgroup does follows from where its tile begins, and
// nothing that is written is read. A residual is read at the places of the
// result, and may be in the same memory, which only the launch knows. So the
// kernel compares their addresses, and the tile stays if they are equal.
//
// If tiles do not divide the columns, either, this file changes nothing: more
// than the place where a tile begins would have to change, and it is no faster
// (docs/Decisions/0128).
//
//===----------------------------------------------------------------------===//

#include "LastTiles.h"
#include "TileSource.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;

bool mlir::vector_ext::mayWriteTo(gpu::LaunchOp launch, Value memory) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(launch);
  return !effects || llvm::any_of(*effects, [&](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) &&
           effect.getResource() != RingResource::get() &&
           (!effect.getValue() ||
            linalg_ext::getViewedBuffer(effect.getValue()) ==
                linalg_ext::getViewedBuffer(memory));
  });
}

/// Returns whether `value` depends only on `places`, on values that are known
/// before `launch`, and on iterations of loops. Vectors count as such.
static bool followsFrom(Value value, ValueRange places, gpu::LaunchOp launch,
                        llvm::DenseSet<Value> &seen) {
  if (llvm::is_contained(places, value) || isa<VectorType>(value.getType()) ||
      !launch.getBody().isAncestor(value.getParentRegion()) ||
      !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() != &launch.getBody().front();
  // Ops without operands may return numbers of the workgroup.
  if (op->getNumOperands() == 0)
    return op->hasTrait<OpTrait::ConstantLike>();
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return followsFrom(operand, places, launch, seen);
         });
}

/// Returns whether all computations and accesses of `launch`, except for
/// `masks`, depend only on `places`.
static bool followsFrom(gpu::LaunchOp launch, ValueRange places,
                        const llvm::SetVector<Operation *> &masks) {
  llvm::DenseSet<Value> seen;
  WalkResult walk = launch.walk([&](Operation *op) -> WalkResult {
    bool isScalar =
        op->getNumRegions() == 0 && isPure(op) &&
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
    if (op == launch || isScalar || masks.contains(op))
      return WalkResult::advance();
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) {
                          return followsFrom(operand, places, launch, seen);
                        })
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// Builds the value of `value` in the first workgroup of `launch`, at the
/// insertion point. Returns null if it does not follow from the place of the
/// workgroup and from values known before. `built` maps values that have been
/// built.
static Value buildOfFirst(RewriterBase &b, Location loc, Value value,
                          gpu::LaunchOp launch, IRMapping &built) {
  if (!launch.getBody().isAncestor(value.getParentRegion()))
    return value;
  if (Value known = built.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isPure(op))
    return {};
  // Ops without operands may return numbers of the workgroup.
  if (op->getNumOperands() == 0)
    return op->hasTrait<OpTrait::ConstantLike>() ? value : Value();
  for (Value operand : op->getOperands()) {
    Value ofFirst = buildOfFirst(b, loc, operand, launch, built);
    if (!ofFirst)
      return {};
    built.map(operand, ofFirst);
  }
  // The parts of 0 are 0, even if the basis is unknown.
  auto parts = dyn_cast<affine::AffineDelinearizeIndexOp>(op);
  if (parts && isConstantIntValue(built.lookup(parts.getLinearIndex()), 0))
    return built.lookup(parts.getLinearIndex());
  Operation *clone = b.clone(*op, built);
  unsigned number = cast<OpResult>(value).getResultNumber();
  SmallVector<Value> folded;
  if (failed(b.tryFold(clone, folded)) || folded.empty())
    return clone->getResult(number);
  b.eraseOp(clone);
  return folded[number];
}

/// Does the same without values that have been built before.
static Value buildOfFirst(RewriterBase &b, Location loc, Value value,
                          gpu::LaunchOp launch) {
  IRMapping built;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  gpu::KernelDim3 place = launch.getBlockIds();
  for (Value id : {place.x, place.y, place.z})
    built.map(id, zero);
  return buildOfFirst(b, loc, value, launch, built);
}

namespace {
/// The mask of `op`, a transfer of rows of the tile, and the number in the mask
/// that counts these rows.
struct MaskedRows {
  VectorTransferOpInterface op;
  unsigned tileDim, inMask;

  vector::CreateMaskOp getMask() {
    return op.getMask().getDefiningOp<vector::CreateMaskOp>();
  }
};
} // namespace

/// Finds the masks of transfers along `row`. Returns false if a mask has no
/// such number.
static bool findMasks(gpu::LaunchOp launch, Value row,
                      SmallVector<MaskedRows> &masked) {
  return !launch
              .walk([&](VectorTransferOpInterface op) {
                if (!op.getMask())
                  return WalkResult::advance();
                AffineMap map = op.getPermutationMap();
                for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
                  std::optional<unsigned> tileDim = map.getResultPosition(
                      getAffineDimExpr(dim, map.getContext()));
                  if (index != row || !tileDim)
                    continue;
                  // The dimensions of the mask are in the order of the buffer.
                  MaskedRows rows{op, *tileDim, 0};
                  for (AffineExpr expr : map.getResults()) {
                    auto other = dyn_cast<AffineDimExpr>(expr);
                    rows.inMask += other && other.getPosition() < dim;
                  }
                  if (!map.isProjectedPermutation() || !rows.getMask())
                    return WalkResult::interrupt();
                  masked.push_back(rows);
                }
                return WalkResult::advance();
              })
              .wasInterrupted();
}

/// Returns whether boxes copy the rows of all asynchronous products.
static bool areRowsCopied(gpu::LaunchOp launch) {
  WalkResult products = launch.walk([](vector::ContractionOp contract) {
    return getAsyncIntrinsic(contract) &&
                   !contract.getLhs().getDefiningOp<vector::TransferReadOp>()
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !products.wasInterrupted();
}

/// Returns the only write of `launch` if nothing reads the written memory, or
/// null. Appends to `residuals` the buffers that are read at the same places:
/// the launch may let the result replace one of them.
static vector::TransferWriteOp
findOnlyWrite(gpu::LaunchOp launch, llvm::SetVector<Value> &residuals) {
  SmallVector<vector::TransferWriteOp> writes;
  launch.walk([&](vector::TransferWriteOp write) { writes.push_back(write); });
  if (writes.size() != 1 || writes.front()->getParentOp() != launch)
    return nullptr;
  vector::TransferWriteOp write = writes.front();
  VectorType type = write.getVectorType();
  AffineMap map = write.getPermutationMap();
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(launch);
  if (type.getRank() != 2 || !map.isMinorIdentity() || !effects ||
      llvm::count_if(*effects, [](const auto &effect) {
        return isa<MemoryEffects::Write>(effect.getEffect());
      }) != 1)
    return nullptr;
  WalkResult reads = launch.walk([&](vector::TransferReadOp read) {
    if (mayWriteTo(launch, read.getBase()))
      return WalkResult::interrupt();
    if (read.getVectorType().getShape() == type.getShape() &&
        llvm::equal(read.getIndices(), write.getIndices()))
      residuals.insert(linalg_ext::getViewedBuffer(read.getBase()));
    return WalkResult::advance();
  });
  if (reads.wasInterrupted())
    return nullptr;
  return write;
}

/// Builds the condition that none of `residuals` has the address of the buffer
/// of `write`. Null if there are none.
static Value buildIsElsewhere(RewriterBase &b, Location loc,
                              vector::TransferWriteOp write,
                              const llvm::SetVector<Value> &residuals) {
  auto getAddress = [&](Value buffer) -> Value {
    return memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
  };
  Value isElsewhere;
  for (Value residual : residuals) {
    Value isOther = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ne, getAddress(residual),
        getAddress(linalg_ext::getViewedBuffer(write.getBase())));
    isElsewhere = isElsewhere
                      ? arith::AndIOp::create(b, loc, isElsewhere, isOther)
                      : isOther;
  }
  return isElsewhere;
}

/// Makes the mask of `rows` count the rows between `first` and `end`.
static void countFrom(RewriterBase &b, MaskedRows rows, Value first,
                      Value end) {
  Location loc = first.getLoc();
  int64_t size = rows.op.getVectorType().getDimSize(rows.tileDim);
  b.setInsertionPointAfter(first.getDefiningOp());
  AffineExpr count = getAffineSymbolExpr(0, b.getContext()) -
                     getAffineSymbolExpr(1, b.getContext());
  Value left = affine::AffineMinOp::create(
      b, loc,
      AffineMap::get(0, 2, {count, b.getAffineConstantExpr(size)},
                     b.getContext()),
      ValueRange{end, first});
  vector::CreateMaskOp mask = rows.getMask();
  b.setInsertionPoint(mask);
  auto fresh = cast<vector::CreateMaskOp>(b.clone(*mask));
  fresh->setOperand(rows.inMask, left);
  b.modifyOpInPlace(rows.op, [&] {
    rows.op->replaceUsesOfWith(mask.getResult(), fresh.getResult());
  });
}

bool mlir::vector_ext::beginLastTileEarlier(RewriterBase &b,
                                            gpu::LaunchOp launch) {
  if (!areRowsCopied(launch))
    return false;

  // 1. Find the write.
  llvm::SetVector<Value> residuals;
  vector::TransferWriteOp write = findOnlyWrite(launch, residuals);
  if (!write)
    return false;
  VectorType type = write.getVectorType();

  // 2. Find the first row. Together with the other places, it determines
  //    everything.
  Value row = write.getIndices()[write.getPermutationMap().getDimPosition(0)];
  Operation *def = row.getDefiningOp();
  SmallVector<MaskedRows> masked;
  if (!def || def->getParentOp() != launch ||
      llvm::count(write.getIndices(), row) != 1 ||
      !findMasks(launch, row, masked))
    return false;
  llvm::SetVector<Operation *> masks;
  for (MaskedRows &rows : masked)
    masks.insert(rows.getMask());
  for (Operation *mask : masks)
    if (!llvm::all_of(mask->getUsers(), [&](Operation *user) {
          return llvm::any_of(
              masked, [&](MaskedRows &rows) { return rows.op == user; });
        }))
      return false;
  if (!followsFrom(launch, write.getIndices(), masks))
    return false;

  // 3. Find the number of all rows in each mask.
  b.setInsertionPointAfter(def);
  Location loc = row.getLoc();
  Value all;
  SmallVector<Value> ends;
  for (MaskedRows &rows : masked) {
    ends.push_back(TileSource::buildEnd(b, loc, rows.op, launch, rows.tileDim));
    if (!ends.back())
      return false;
    if (rows.op == write)
      all = ends.back();
  }
  Value first = buildOfFirst(b, loc, row, launch);
  if (!all || !first)
    return false;

  // 4. Move the first row, and count the rows that are left from there on.
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value last = b.createOrFold<arith::MaxSIOp>(
      loc,
      b.createOrFold<arith::SubIOp>(loc, all, constant(type.getDimSize(0))),
      first);
  llvm::SmallPtrSet<Operation *, 2> users;
  Value earlier = arith::MinSIOp::create(b, loc, row, last);
  users.insert(earlier.getDefiningOp());
  if (Value isElsewhere = buildIsElsewhere(b, loc, write, residuals)) {
    earlier = arith::SelectOp::create(b, loc, isElsewhere, earlier, row);
    users.insert(earlier.getDefiningOp());
  }
  b.replaceAllUsesExcept(row, earlier, users);
  for (auto [rows, end] : llvm::zip_equal(masked, ends))
    countFrom(b, rows, earlier, end);
  return true;
}
