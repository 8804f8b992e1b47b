//===- StageTiles.cpp - Tiles that instructions read from shared memory ---===//
//
// An asynchronous instruction reads its operands from shared memory. If an
// operand is a tile of a buffer in global memory, the hardware can copy it
// there as a whole, without threads and registers.
//
//   1. Choose an arrangement for each operand of an asynchronous contraction,
//      which both the copy and the instruction support. Otherwise refuse.
//   2. Group reads that may be waited for together.
//   3. Build descriptions of the buffers on the host, and tiles and barriers at
//      the start of the kernel.
//   4. Replace each group: one thread starts the copies, all threads wait.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// A tile that is copied to shared memory.
struct StagedRead {
  vector::TransferReadOp read;
  SharedLayout layout;
  layout::TmaCopy copy;
};

using StagedReads = llvm::MapVector<Operation *, StagedRead>;
using Group = SmallVector<StagedRead *, 2>;

/// How an instruction reads an operand: `mnSize` x k elements of dimensions
/// `mnDim` and `kDim`.
struct OperandUse {
  unsigned mnDim, kDim;
  int64_t mnSize, kSize;

  bool isReadFrom(const SharedLayout &shared, std::string &reason) const {
    std::optional<layout::WgmmaOperand> operand =
        getWgmmaOperand(shared, mnDim, kDim, mnSize, &reason);
    return operand && operand->kSize == kSize;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Arrangements
//===----------------------------------------------------------------------===//

/// Fails if no copy of whole boxes can read what `read` reads.
static LogicalResult checkRead(vector::TransferReadOp read,
                               gpu::LaunchOp launch, Refusal &refusal) {
  auto refuse = [&](const Twine &text) {
    return refusal.set(RefusalKind::Other, read, text);
  };
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  if (!type || type.getMemorySpace())
    return refuse("the tile is not read from a buffer in global memory");
  if (launch.getBody().isAncestor(read.getBase().getParentRegion()))
    return refuse("the kernel computes the buffer that is read");
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return refuse("the buffer that is read has no static shape, or strides");
  if (type.getRank() > 5)
    return refuse("the buffer that is read has " + Twine(type.getRank()) +
                  " dimensions, expected at most 5");
  int64_t rowBits = type.getShape().back() * type.getElementTypeBitWidth();
  if (rowBits % 128 != 0)
    return refuse("the rows of the buffer have " + Twine(rowBits / 8) +
                  " bytes, expected a multiple of 16");
  if (read.getMask() || read.hasOutOfBoundsDim())
    return refuse("a mask says which elements are read");
  AffineMap map = read.getPermutationMap();
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return refuse("the tile repeats elements of the buffer");
  auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
  if (read->getParentOp() != launch && (!loop || loop->getParentOp() != launch))
    return refuse("the tile is read in a branch, or in a loop in a loop");
  return success();
}

/// Returns the arrangement with the widest swizzle in which `use` can read the
/// tile of `read`.
static FailureOr<StagedRead> chooseLayout(vector::TransferReadOp read,
                                          const OperandUse &use,
                                          Refusal &refusal) {
  AffineMap map = read.getPermutationMap();
  VectorType type = read.getVectorType();
  auto order = llvm::to_vector(llvm::seq<unsigned>(type.getRank()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return map.getDimPosition(a) < map.getDimPosition(b);
  });
  std::string reason = "the rows of the buffer are not contiguous in it";
  bool isContiguous = map.getDimPosition(order.back()) + 1 == map.getNumDims();
  int64_t bits = type.getElementTypeBitWidth();
  for (int64_t bytes : {128, 64, 32}) {
    if (!isContiguous || type.getDimSize(order.back()) * bits % (8 * bytes))
      continue;
    std::optional<SharedLayout> shared = SharedLayout::getSwizzledPanels(
        type.getShape(), order, bits, bytes, &reason);
    if (!shared || !use.isReadFrom(*shared, reason))
      continue;
    if (std::optional<layout::TmaCopy> copy = getTmaCopy(*shared, &reason))
      return StagedRead{read, *shared, *copy};
  }
  return refusal.set(RefusalKind::Other, read,
                     "the instruction cannot read the tile as it is copied: " +
                         Twine(reason));
}

/// Adds the operands of `contract` to `reads`, if its instruction is
/// asynchronous.
static LogicalResult addOperands(vector::ContractionOp contract,
                                 gpu::LaunchOp launch, StagedReads &reads,
                                 Refusal &refusal) {
  const MmaIntrinsic *intrinsic = getAsyncIntrinsic(contract);
  if (!intrinsic)
    return success();
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return failure();
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  auto getPosition = [&](AffineMap map, unsigned dim) -> unsigned {
    return *map.getResultPosition(getAffineDimExpr(dim, contract.getContext()));
  };
  for (bool isLhs : {true, false}) {
    Value operand = isLhs ? contract.getLhs() : contract.getRhs();
    AffineMap map = maps[isLhs ? 0 : 1];
    OperandUse use{getPosition(map, isLhs ? dims->m : dims->n),
                   getPosition(map, dims->k),
                   isLhs ? intrinsic->m : intrinsic->n, intrinsic->k};
    auto read = operand.getDefiningOp<vector::TransferReadOp>();
    if (!read)
      return refusal.set(RefusalKind::Other, contract,
                         "an operand is not read from memory");
    if (auto *known = reads.find(read); known != reads.end()) {
      std::string reason;
      if (!use.isReadFrom(known->second.layout, reason))
        return refusal.set(RefusalKind::Other, contract, reason);
      continue;
    }
    if (!llvm::all_of(read->getUsers(), [](Operation *user) {
          return getAsyncIntrinsic(user) != nullptr;
        }))
      return refusal.set(RefusalKind::Other, read,
                         "the tile is also used in registers");
    if (failed(checkRead(read, launch, refusal)))
      return failure();
    FailureOr<StagedRead> staged = chooseLayout(read, use, refusal);
    if (failed(staged))
      return failure();
    reads.insert({read, *staged});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Groups reads that can all be done where the last one of them is: nothing in
/// between uses them, or writes.
static SmallVector<Group> getGroups(gpu::LaunchOp launch, StagedReads &reads) {
  SmallVector<Group> groups;
  launch.walk([&](Block *block) {
    bool isOpen = false;
    for (Operation &op : *block) {
      if (auto *it = reads.find(&op); it != reads.end()) {
        if (!isOpen)
          groups.emplace_back();
        groups.back().push_back(&it->second);
        isOpen = true;
        continue;
      }
      isOpen &= !getAsyncIntrinsic(&op) && op.getNumRegions() == 0 &&
                (isMemoryEffectFree(&op) ||
                 hasSingleEffect<MemoryEffects::Read>(&op));
    }
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

/// The size of a box along each dimension of the memory.
static SmallVector<int64_t> getBox(StagedRead &staged) {
  AffineMap map = staged.read.getPermutationMap();
  SmallVector<int64_t> box(map.getNumDims(), 1);
  for (auto [i, size] : llvm::enumerate(staged.copy.boxShape))
    box[map.getDimPosition(i)] = size;
  return box;
}

/// The last bit of the number of the iteration of the loop around `op`.
static Value getParity(RewriterBase &b, Operation *op) {
  Location loc = op->getLoc();
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return arith::ConstantIntOp::create(b, loc, 0, 1);
  Value done = b.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(),
                                             loop.getLowerBound());
  Value number = b.createOrFold<arith::DivUIOp>(loc, done, loop.getStep());
  Value bit = b.createOrFold<arith::RemUIOp>(
      loc, number, arith::ConstantIndexOp::create(b, loc, 2));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit,
                               arith::ConstantIndexOp::create(b, loc, 0));
}

/// The copies of the boxes of a tile, from `source` to `tile`.
static void addCopies(RewriterBase &b, StagedRead &staged, Value source,
                      Value tile, SmallVector<TileCopy> &copies) {
  AffineMap map = staged.read.getPermutationMap();
  Location loc = staged.read.getLoc();
  for (const layout::TmaBox &box : staged.copy.boxes) {
    SmallVector<Value> coordinates(staged.read.getIndices());
    for (auto [i, at] : llvm::enumerate(box.coordinate)) {
      Value &coordinate = coordinates[map.getDimPosition(i)];
      if (at != 0)
        coordinate = b.createOrFold<arith::AddIOp>(
            loc, coordinate, arith::ConstantIndexOp::create(b, loc, at));
    }
    copies.push_back({source, coordinates, tile,
                      box.byteOffset / staged.layout.getElementBytes()});
  }
}

/// Builds the memory of a tile.
static Value buildTile(RewriterBase &b, StagedRead &staged) {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get(
      {staged.layout.getSizeInBytes() / staged.layout.getElementBytes()},
      staged.read.getVectorType().getElementType(), MemRefLayoutAttrInterface(),
      space);
  return memref::AllocOp::create(
      b, staged.read.getLoc(), type,
      b.getI64IntegerAttr(staged.layout.getAlignment()));
}

/// Replaces the reads of `group`. `sources` and `tiles` are those of the reads.
static void replaceGroup(RewriterBase &b, const Group &group,
                         const TileCopies &target, ArrayRef<Value> sources,
                         ArrayRef<Value> tiles, Value isFirst, Value barrier) {
  vector::TransferReadOp last = group.back()->read;
  Location loc = last.getLoc();
  b.setInsertionPoint(last);
  // Nobody still reads what was here before.
  gpu::BarrierOp::create(b, loc);
  Value parity = getParity(b, last);
  auto branch = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    SmallVector<TileCopy> copies;
    int64_t numBytes = 0;
    for (auto [staged, source, tile] : llvm::zip_equal(group, sources, tiles)) {
      addCopies(b, *staged, source, tile, copies);
      numBytes += staged->copy.numBytes;
    }
    target.start(b, loc, barrier, numBytes, copies);
  }
  target.wait(b, loc, barrier, parity);
  for (auto [staged, tile] : llvm::zip_equal(group, tiles))
    b.replaceOp(
        staged->read,
        SharedTileOp::create(b, loc, staged->read.getVectorType(), tile,
                             SharedAttr::get(b.getContext(), staged->layout)));
}

FailureOr<int64_t> mlir::vector_ext::stageTiles(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                Refusal &refusal) {
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  StagedReads reads;
  WalkResult walk = launch.walk([&](vector::ContractionOp contract) {
    return WalkResult(addOperands(contract, launch, reads, refusal));
  });
  if (walk.wasInterrupted())
    return failure();
  if (reads.empty())
    return 0;
  if (!target.start)
    return refusal.set(RefusalKind::Other, launch,
                       "the target has registered no copies of tiles");

  SmallVector<Group> groups = getGroups(launch, reads);
  Location loc = launch.getLoc();
  llvm::DenseMap<StagedRead *, Value> sources, tiles;
  rewriter.setInsertionPoint(launch);
  for (auto &[op, staged] : reads)
    sources[&staged] =
        target.describe(rewriter, op->getLoc(), staged.read.getBase(),
                        getBox(staged), staged.copy.mode);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
  Value isFirst =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, thread,
                            arith::ConstantIndexOp::create(rewriter, loc, 0));
  for (auto &[op, staged] : reads)
    tiles[&staged] = buildTile(rewriter, staged);
  SmallVector<Value> barriers;
  for (size_t i = 0; i < groups.size(); ++i)
    barriers.push_back(target.createBarrier(rewriter, loc, isFirst));
  // A barrier of all threads is in front of the first copy.
  for (auto [i, group] : llvm::enumerate(groups)) {
    SmallVector<Value> groupSources, groupTiles;
    for (StagedRead *staged : group) {
      groupSources.push_back(sources.lookup(staged));
      groupTiles.push_back(tiles.lookup(staged));
    }
    replaceGroup(rewriter, group, target, groupSources, groupTiles, isFirst,
                 barriers[i]);
  }
  return static_cast<int64_t>(reads.size());
}
