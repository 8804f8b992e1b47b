//===- ConvertedOperands.cpp - Operands that threads convert --------------===//
//
// Asynchronous instructions can read their left operand from registers, but the
// right one only from shared memory. So an operand that threads compute becomes
// the left one. The summed elements may have any order that is the same in both
// operands. Here each thread gets consecutive elements of the left operand,
// because it loads bytes in words.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

vector::ContractionOp
mlir::vector_ext::exchangeOperands(RewriterBase &rewriter,
                                   vector::ContractionOp contract) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  std::swap(maps[0], maps[1]);
  auto exchanged = vector::ContractionOp::create(
      rewriter, contract.getLoc(), contract.getRhs(), contract.getLhs(),
      contract.getAcc(), rewriter.getAffineMapArrayAttr(maps),
      contract.getIteratorTypes(), contract.getKind());
  exchanged->setDiscardableAttrs(contract->getDiscardableAttrDictionary());
  rewriter.replaceOp(contract, exchanged);
  return exchanged;
}

/// Puts the elements of `value` along `dim` into `order`.
static Value reorder(RewriterBase &rewriter, Location loc, Value value,
                     unsigned dim, const ElementOrder &order) {
  auto type = cast<VectorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  unsigned numDigits = order.sizes.size();
  // These are the digits of an element, and the permutation that gives the
  // digits of its place.
  SmallVector<int64_t> split(shape.take_front(dim)),
      permutation =
          llvm::to_vector(llvm::seq<int64_t>(0, shape.size() + numDigits - 1));
  for (auto [i, digit] : llvm::enumerate(order.order)) {
    split.push_back(order.sizes[digit]);
    permutation[dim + digit] = static_cast<int64_t>(dim + i);
  }
  llvm::append_range(split, shape.drop_front(dim + 1));
  Value digits = vector::ShapeCastOp::create(
      rewriter, loc, VectorType::get(split, type.getElementType()), value);
  Value places =
      vector::TransposeOp::create(rewriter, loc, digits, permutation);
  return vector::ShapeCastOp::create(rewriter, loc, type, places);
}

LogicalResult mlir::vector_ext::readInRuns(RewriterBase &rewriter,
                                           vector::ContractionOp contract,
                                           unsigned k, const Layout &left,
                                           int64_t apart) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  unsigned dim =
      *maps[0].getResultPosition(getAffineDimExpr(k, contract.getContext()));
  std::optional<ElementOrder> found = getOrderOfRuns(left, dim, apart);
  std::optional<Layout> runs = found ? found->apply(left, dim) : std::nullopt;
  if (!runs)
    return failure();
  const ElementOrder &order = *found;
  // Registers that the thread converts together are adjacent.
  Value converted = ToLayoutOp::create(
      rewriter, contract.getLoc(), contract.getLhs(),
      LayoutAttr::get(contract.getContext(), putRegistersFirst(*runs, dim)));
  rewriter.modifyOpInPlace(contract,
                           [&] { contract.getLhsMutable().set(converted); });
  for (OpOperand *operand :
       {&contract.getLhsMutable(), &contract.getRhsMutable()}) {
    unsigned dim = *maps[operand->getOperandNumber()].getResultPosition(
        getAffineDimExpr(k, contract.getContext()));
    Value value =
        reorder(rewriter, contract.getLoc(), operand->get(), dim, order);
    rewriter.modifyOpInPlace(contract, [&] { operand->set(value); });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Several iterations in one
//===----------------------------------------------------------------------===//

/// Returns by how much `index` grows in an iteration of `loop`, whose step is
/// `step`. Returns none if that is no constant.
static std::optional<int64_t> getGrowth(Value index, scf::ForOp loop,
                                        int64_t step) {
  if (loop.isDefinedOutsideOfLoop(index))
    return 0;
  MLIRContext *context = index.getContext();
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, context);
  SmallVector<Value> operands{index};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  AffineExpr here = map.getResult(0), next = here;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    if (operand != loop.getInductionVar()) {
      if (!loop.isDefinedOutsideOfLoop(operand))
        return std::nullopt;
      continue;
    }
    AffineExpr variable =
        position < map.getNumDims()
            ? getAffineDimExpr(position, context)
            : getAffineSymbolExpr(position - map.getNumDims(), context);
    next = next.replace(variable, variable + step);
  }
  auto growth = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(next - here, map.getNumDims(), map.getNumSymbols()));
  return growth ? std::optional(growth.getValue()) : std::nullopt;
}

/// Returns the dimension of the memory of `read` along which its tile moves by
/// one in each iteration of `loop`. The tile has one element along it. It is
/// before the last dimension along which the tile has several elements.
static std::optional<unsigned> getMovedDim(vector::TransferReadOp read,
                                           scf::ForOp loop, int64_t step) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  AffineMap map = read.getPermutationMap();
  if (!type || !type.getLayout().isIdentity() || read.getMask() ||
      !map.isProjectedPermutation() || read.hasOutOfBoundsDim() ||
      !loop.isDefinedOutsideOfLoop(read.getBase()))
    return std::nullopt;
  std::optional<unsigned> moved;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    std::optional<int64_t> growth = getGrowth(index, loop, step);
    if (!growth || (*growth != 0 && (moved || *growth != 1)))
      return std::nullopt;
    if (*growth == 1)
      moved = dim;
  }
  if (!moved ||
      map.getResultPosition(getAffineDimExpr(*moved, read.getContext())))
    return std::nullopt;
  return moved;
}

/// Returns whether `read` reads a tile of bytes that lies beside the one of the
/// next iteration of `loop` in memory, along the rows.
static bool isBesideNext(vector::TransferReadOp read, scf::ForOp loop,
                         int64_t step) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  VectorType tile = read.getVectorType();
  if (!type || type.getRank() != 2 || !type.getLayout().isIdentity() ||
      tile.getRank() != 2 || !tile.getElementType().isInteger(8) ||
      read.getMask() || !read.getPermutationMap().isIdentity() ||
      read.hasOutOfBoundsDim() || !loop.isDefinedOutsideOfLoop(read.getBase()))
    return false;
  return getGrowth(read.getIndices()[0], loop, step) == 0 &&
         getGrowth(read.getIndices()[1], loop, step) == tile.getDimSize(1);
}

/// Reads the tiles of `count` iterations, which lie side by side, at once.
/// `read` is the read of the first one. The result has the number of the
/// iteration as its first dimension.
static Value readSideBySide(RewriterBase &b, vector::TransferReadOp read,
                            int64_t count) {
  Location loc = read.getLoc();
  VectorType tile = read.getVectorType();
  int64_t rows = tile.getDimSize(0), row = tile.getDimSize(1);
  Value all = vector::TransferReadOp::create(
      b, loc, VectorType::get({rows, count * row}, tile.getElementType()),
      read.getBase(), read.getIndices(), read.getPadding(),
      read.getPermutationMap(), ArrayRef<bool>({true, true}));
  Value cut = vector::ShapeCastOp::create(
      b, loc, VectorType::get({rows, count, row}, tile.getElementType()), all);
  return vector::TransposeOp::create(b, loc, cut, ArrayRef<int64_t>{1, 0, 2});
}

/// Reads the tiles of `count` iterations at once, along dimension `moved`.
/// `read` is the read of the first one. The result has the number of the
/// iteration as its first dimension. If rows of the tiles are whole rows of
/// memory after `moved`, they are read as one row.
static Value readTogether(RewriterBase &b, vector::TransferReadOp read,
                          unsigned moved, int64_t count, Operation *kernel) {
  Location loc = read.getLoc();
  auto type = cast<MemRefType>(read.getBase().getType());
  VectorType tile = read.getVectorType();
  AffineMap map = read.getPermutationMap();
  unsigned rank = type.getRank();
  auto inBounds = [&](int64_t rank) { return SmallVector<bool>(rank, true); };
  Operation *view = read.getBase().getDefiningOp();
  bool isWhole = rank == 3 && tile.getRank() == 2 && moved == 1 &&
                 type.hasStaticShape() && map.getDimPosition(0) == 0 &&
                 map.getDimPosition(1) == 2 &&
                 type.getDimSize(2) == tile.getDimSize(1) &&
                 isConstantIntValue(read.getIndices()[2], 0) &&
                 (!view || !kernel->isAncestor(view));
  if (isWhole) {
    int64_t rows = tile.getDimSize(0), row = tile.getDimSize(1);
    Value flat;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(kernel);
      flat = memref::CollapseShapeOp::create(
          b, loc, read.getBase(),
          SmallVector<ReassociationIndices>{{0}, {1, 2}});
    }
    Value at = affine::AffineApplyOp::create(
        b, loc,
        AffineMap::get(0, 1, getAffineSymbolExpr(0, b.getContext()) * row),
        read.getIndices()[1]);
    Value all = vector::TransferReadOp::create(
        b, loc, VectorType::get({rows, count * row}, tile.getElementType()),
        flat, ValueRange{read.getIndices()[0], at}, read.getPadding(),
        AffineMap::getMultiDimIdentityMap(2, b.getContext()),
        ArrayRef<bool>(inBounds(2)));
    Value cut = vector::ShapeCastOp::create(
        b, loc, VectorType::get({rows, count, row}, tile.getElementType()),
        all);
    return vector::TransposeOp::create(b, loc, cut, ArrayRef<int64_t>{1, 0, 2});
  }
  // Read in the order of memory.
  SmallVector<AffineExpr> exprs(map.getResults());
  SmallVector<int64_t> shape(tile.getShape());
  unsigned place = llvm::count_if(exprs, [&](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition() < moved;
  });
  exprs.insert(exprs.begin() + place, getAffineDimExpr(moved, b.getContext()));
  shape.insert(shape.begin() + place, count);
  Value all = vector::TransferReadOp::create(
      b, loc, VectorType::get(shape, tile.getElementType()), read.getBase(),
      read.getIndices(), read.getPadding(),
      AffineMap::get(rank, 0, exprs, b.getContext()),
      ArrayRef<bool>(inBounds(shape.size())));
  SmallVector<int64_t> permutation{place};
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (dim != static_cast<int64_t>(place))
      permutation.push_back(dim);
  return vector::TransposeOp::create(b, loc, all, permutation);
}

/// Whether `loop` has several times `count` iterations, or a multiple of
/// `count` that is not known.
static bool hasMultipleOf(scf::ForOp loop, int64_t step, int64_t count) {
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    return trips->urem(count) == 0 && trips->ugt(count);
  return isConstantIntValue(loop.getLowerBound(), 0) &&
         getKnownDivisor(loop.getUpperBound()) % (step * count) == 0;
}

/// Lets each iteration of `loop`, of step `step`, execute `count` of them.
static void unroll(RewriterBase &b, scf::ForOp loop, int64_t step,
                   int64_t count) {
  Location loc = loop.getLoc();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<Operation *> body = llvm::map_to_vector(
      loop.getBody()->without_terminator(), [](Operation &op) { return &op; });
  SmallVector<Value> carried(yield.getOperands());
  b.setInsertionPoint(yield);
  for (int64_t number = 1; number < count; ++number) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                affine::AffineApplyOp::create(
                    b, loc, b.getAffineDimExpr(0) + number * step,
                    loop.getInductionVar())
                    .getResult());
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation *op : body)
      b.clone(*op, mapping);
    for (auto [value, yielded] : llvm::zip_equal(carried, yield.getOperands()))
      value = mapping.lookupOrDefault(yielded);
  }
  b.modifyOpInPlace(yield, [&] { yield->setOperands(carried); });
  b.setInsertionPoint(loop);
  Value longer = arith::ConstantIndexOp::create(b, loc, count * step);
  b.modifyOpInPlace(loop, [&] { loop.setStep(longer); });
}

bool mlir::vector_ext::mergeIterations(RewriterBase &rewriter, scf::ForOp loop,
                                       int64_t count) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  Operation *kernel = loop->getParentOfType<gpu::LaunchOp>();
  if (!step || !kernel || mayWrite(loop) || !hasMultipleOf(loop, *step, count))
    return false;
  // The dimension along which a tile moves; none if tiles lie side by side.
  SmallVector<std::pair<vector::TransferReadOp, std::optional<unsigned>>> reads;
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (std::optional<unsigned> moved = getMovedDim(read, loop, *step);
        moved || isBesideNext(read, loop, *step))
      reads.emplace_back(read, moved);
  if (reads.empty())
    return false;
  // Clones of a read have the same number.
  StringRef name = "number";
  for (auto [number, read] : llvm::enumerate(reads))
    read.first->setAttr(name, rewriter.getI64IntegerAttr(number));
  unroll(rewriter, loop, *step, count);
  SmallVector<SmallVector<vector::TransferReadOp>> clones(reads.size());
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (auto number = read->getAttrOfType<IntegerAttr>(name)) {
      clones[number.getInt()].push_back(read);
      read->removeAttr(name);
    }
  for (auto [same, first] : llvm::zip_equal(clones, reads)) {
    rewriter.setInsertionPoint(same.front());
    Value all = first.second ? readTogether(rewriter, same.front(),
                                            *first.second, count, kernel)
                             : readSideBySide(rewriter, same.front(), count);
    for (auto [number, read] : llvm::enumerate(same)) {
      rewriter.setInsertionPoint(read);
      rewriter.replaceOpWithNewOp<vector::ExtractOp>(
          read, all, ArrayRef<int64_t>{static_cast<int64_t>(number)});
    }
  }
  return true;
}
