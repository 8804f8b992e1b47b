//===- ShareTiles.cpp - Tiles that workgroups of a cluster share ----------===//
//
// Consecutive workgroups read some tiles at the same time: those of the right
// operand, if their results are in one column. As a cluster, they copy such a
// tile together, each of them an equal part of it to all.
//
// Which tiles these are follows from the indices of their puts. With clusters
// of n, workgroup number w = n * c + r is number r of cluster c. A value
//
//   is the same      if it does not depend on r
//   counts           if it is a multiple of n, plus r
//
// Of a value that counts, the quotient by a multiple of n is the same, and the
// remainder counts.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// How a value differs among the workgroups of a cluster.
enum class InCluster { Same, Counts, Other };

/// Finds how values of a launch differ among the workgroups of a cluster.
class ClusterAnalysis {
public:
  ClusterAnalysis(gpu::LaunchOp launch, int64_t cluster)
      : launch(launch), cluster(cluster) {}

  InCluster find(Value value);
  bool isSame(Value value) { return find(value) == InCluster::Same; }

private:
  InCluster compute(Value value);
  InCluster ofArgument(BlockArgument argument);
  InCluster ofIndices(affine::AffineDelinearizeIndexOp op, unsigned number);
  InCluster ofExpr(AffineExpr expr, AffineMap map, ValueRange operands);
  bool isMultiple(OpFoldResult value);

  gpu::LaunchOp launch;
  int64_t cluster;
  llvm::DenseMap<Value, InCluster> known;
};
} // namespace

/// Returns whether `value` is known to be a multiple of the workgroups of a
/// cluster.
bool ClusterAnalysis::isMultiple(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % cluster == 0;
  auto min = cast<Value>(value).getDefiningOp<affine::AffineMinOp>();
  return min && llvm::all_of(min.getMap().getResults(), [&](AffineExpr expr) {
           return expr.isMultipleOf(cluster);
         });
}

InCluster ClusterAnalysis::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == launch) {
    if (argument == launch.getBlockIds().x)
      return InCluster::Counts;
    // The grid has one dimension.
    gpu::KernelDim3 threads = launch.getThreadIds();
    bool isOfThread =
        argument == threads.x || argument == threads.y || argument == threads.z;
    return isOfThread ? InCluster::Other : InCluster::Same;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  bool isSameLoop = loop && argument == loop.getInductionVar() &&
                    isSame(loop.getLowerBound()) && isSame(loop.getStep());
  return isSameLoop ? InCluster::Same : InCluster::Other;
}

/// Finds it for result `number` of `op`.
InCluster ClusterAnalysis::ofIndices(affine::AffineDelinearizeIndexOp op,
                                     unsigned number) {
  InCluster rest = find(op.getLinearIndex());
  SmallVector<OpFoldResult> basis = op.getMixedBasis();
  // The outermost index is all that is left, whatever its bound.
  if (op.hasOuterBound())
    basis.erase(basis.begin());
  // The sizes of the indices behind, the innermost one first.
  for (unsigned i = basis.size(); i > 0 && rest != InCluster::Other; --i) {
    OpFoldResult size = basis[i - 1];
    auto value = dyn_cast<Value>(size);
    bool isSameSize = !value || isSame(value);
    if (!isSameSize || (rest == InCluster::Counts && !isMultiple(size)))
      return InCluster::Other;
    // The remainder.
    if (i == number)
      return rest;
    // The quotient.
    rest = InCluster::Same;
  }
  return rest;
}

InCluster ClusterAnalysis::ofExpr(AffineExpr expr, AffineMap map,
                                  ValueRange operands) {
  if (isa<AffineConstantExpr>(expr))
    return InCluster::Same;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return find(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return find(operands[map.getNumDims() + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  InCluster lhs = ofExpr(binary.getLHS(), map, operands),
            rhs = ofExpr(binary.getRHS(), map, operands);
  if (lhs == InCluster::Same && rhs == InCluster::Same)
    return InCluster::Same;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (lhs != InCluster::Counts || !constant ||
      constant.getValue() % cluster != 0)
    return InCluster::Other;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return InCluster::Same;
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return InCluster::Counts;
  default:
    return InCluster::Other;
  }
}

InCluster ClusterAnalysis::compute(Value value) {
  if (!launch.getBody().isAncestor(value.getParentRegion()))
    return InCluster::Same;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto assume = dyn_cast<AssumeOp>(op))
    return find(assume.getOperand());
  if (auto indices = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    return ofIndices(indices, cast<OpResult>(value).getResultNumber());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofExpr(apply.getAffineMap().getResult(0), apply.getAffineMap(),
                  apply.getMapOperands());
  bool isSameOp =
      op->getNumRegions() == 0 && isPure(op) &&
      !isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::GlobalIdOp,
           gpu::BlockIdOp, gpu::ClusterBlockIdOp>(op) &&
      llvm::all_of(op->getOperands(),
                   [&](Value operand) { return isSame(operand); });
  return isSameOp ? InCluster::Same : InCluster::Other;
}

InCluster ClusterAnalysis::find(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  InCluster result = compute(value);
  known[value] = result;
  return result;
}

/// Returns whether the workgroups of a cluster execute `put` equally often.
static bool isExecutedAlike(RingPutOp put, gpu::LaunchOp launch,
                            ClusterAnalysis &analysis) {
  for (Operation *op = put->getParentOp(); op != launch;
       op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !analysis.isSame(loop.getLowerBound()) ||
        !analysis.isSame(loop.getUpperBound()) ||
        !analysis.isSame(loop.getStep()))
      return false;
  }
  return true;
}

/// Returns the numbers of the tiles of `create` that the workgroups of a
/// cluster can share.
static SmallVector<int64_t> findShared(RingCreateOp create,
                                       gpu::LaunchOp launch, int64_t cluster,
                                       ClusterAnalysis &analysis) {
  SmallVector<RingPutOp> puts;
  for (Operation *user : create.getRing().getUsers()) {
    if (isa<RingWriteOp>(user))
      return {};
    if (auto put = dyn_cast<RingPutOp>(user))
      puts.push_back(put);
  }
  if (puts.empty() || llvm::any_of(puts, [&](RingPutOp put) {
        return put.getNumCopiers() != 1 ||
               !isExecutedAlike(put, launch, analysis);
      }))
    return {};
  SmallVector<int64_t> shared;
  for (auto [number, layout] :
       llvm::enumerate(create.getRing().getType().getLayouts()))
    if (llvm::all_of(
            puts,
            [&, number = number](RingPutOp put) {
              return put.getNumParts(number) == 1 && !put.getCutDim(number) &&
                     llvm::all_of(
                         put.getIndicesOfParts(number).front(),
                         [&](Value index) { return analysis.isSame(index); });
            }) &&
        getTmaCopyOfParts(layout.getLayout(), cluster))
      shared.push_back(static_cast<int64_t>(number));
  return shared;
}

/// Makes `cluster` consecutive workgroups of `launch` a cluster.
static void setCluster(RewriterBase &b, gpu::LaunchOp launch, int64_t cluster) {
  Location loc = launch.getLoc();
  b.setInsertionPoint(launch);
  Value size = arith::ConstantIndexOp::create(b, loc, cluster),
        one = arith::ConstantIndexOp::create(b, loc, 1);
  Block &body = launch.getBody().front();
  unsigned first = launch.getNumConfigRegionAttributes();
  b.modifyOpInPlace(launch, [&] {
    launch.getClusterSizeXMutable().assign(size);
    launch.getClusterSizeYMutable().assign(one);
    launch.getClusterSizeZMutable().assign(one);
    // The numbers of the cluster, and its sizes.
    for (unsigned i = 0; i < 6; ++i)
      body.insertArgument(first + i, b.getIndexType(), loc);
  });
}

FailureOr<int64_t> mlir::vector_ext::shareTiles(RewriterBase &b,
                                                gpu::LaunchOp launch,
                                                int64_t cluster,
                                                Refusal &refusal) {
  if (cluster < 2 || cluster > kMostShared)
    return refusal.set(RefusalKind::Other, launch,
                       "expected clusters of 2 to " + Twine(kMostShared) +
                           " workgroups, got " + Twine(cluster));
  if (launch.hasClusterSize() ||
      !isConstantIntValue(launch.getGridSizeY(), 1) ||
      !isConstantIntValue(launch.getGridSizeZ(), 1))
    return refusal.set(RefusalKind::Other, launch,
                       "expected a launch without clusters, in a grid of one "
                       "dimension");
  std::optional<int64_t> tiles = getConstantIntValue(launch.getGridSizeX());
  if (!tiles || *tiles % cluster != 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected a known multiple of " + Twine(cluster) +
                           " workgroups, got " +
                           (tiles ? Twine(*tiles) : Twine("an unknown one")));
  ClusterAnalysis analysis(launch, cluster);
  SmallVector<std::pair<RingCreateOp, SmallVector<int64_t>>> found;
  int64_t count = 0;
  launch.walk([&](RingCreateOp create) {
    SmallVector<int64_t> shared = findShared(create, launch, cluster, analysis);
    count += static_cast<int64_t>(shared.size());
    if (!shared.empty())
      found.emplace_back(create, shared);
  });
  if (found.empty())
    return refusal.set(RefusalKind::Other, launch,
                       "expected a tile that is the same in the workgroups of "
                       "a cluster, found none");
  for (auto &[create, shared] : found)
    for (Operation *user : create.getRing().getUsers())
      if (auto put = dyn_cast<RingPutOp>(user))
        b.modifyOpInPlace(put, [&, &shared = shared] {
          put.setSharedAttr(b.getDenseI64ArrayAttr(shared));
        });
  setCluster(b, launch, cluster);
  return count;
}
