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
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
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

/// Builds a launch in front of `kernel` that stores the rows of `memory`, the
/// last dimension but one, with each `block` of their elements in `order`. If
/// `tile` is not 0, the last row is repeated up to a multiple of `tile` rows.
/// Returns what it stores.
static Value buildStoredRows(RewriterBase &b, gpu::LaunchOp kernel,
                             Value memory, int64_t block, int64_t tile,
                             const ElementOrder &order) {
  constexpr int64_t kMostElements = 1024, kThreads = 128;
  Location loc = kernel.getLoc();
  auto type = cast<MemRefType>(memory.getType());
  int64_t rank = type.getRank(), size = type.getDimSize(rank - 1);
  int64_t width = block;
  while (width < kMostElements && size % (2 * width) == 0)
    width *= 2;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(kernel);
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, memory);
  OpFoldResult rows = sizes[rank - 2];
  AffineExpr symbol = getAffineSymbolExpr(0, b.getContext());
  if (tile != 0)
    sizes[rank - 2] = affine::makeComposedFoldedAffineApply(
        b, loc, symbol.ceilDiv(tile) * tile, {rows});
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic, count;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  Value stored = memref::AllocOp::create(
      b, loc, MemRefType::get(shape, type.getElementType()), dynamic,
      b.getI64IntegerAttr(/*alignment=*/64));
  // A workgroup has a part of a row. Rows are numbered across the dimensions in
  // front of theirs.
  OpFoldResult all = b.getIndexAttr(1);
  for (OpFoldResult outer : ArrayRef(sizes).drop_back()) {
    count.push_back(getValueOrCreateConstantIndexOp(b, loc, outer));
    all = affine::makeComposedFoldedAffineApply(
        b, loc, symbol * getAffineSymbolExpr(1, b.getContext()), {all, outer});
  }
  auto build = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = build(1), parts = build(size / width), threads = build(kThreads);
  auto launch = gpu::LaunchOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, all), parts, one, threads,
      one, one);
  b.setInsertionPointAfter(kernel);
  memref::DeallocOp::create(b, loc, stored);
  b.setInsertionPointToStart(&launch.getBody().front());
  Value number = launch.getBlockIds().x;
  SmallVector<Value> from{number};
  if (rank > 2)
    from = affine::AffineDelinearizeIndexOp::create(b, loc, number, count)
               .getResults();
  from.push_back(affine::makeComposedAffineApply(
      b, loc, symbol * width, {OpFoldResult(launch.getBlockIds().y)}));
  SmallVector<Value> to(from);
  if (tile != 0)
    from[rank - 2] = getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineMin(
            b, loc,
            AffineMap::get(0, 2,
                           {symbol, getAffineSymbolExpr(1, b.getContext()) - 1},
                           b.getContext()),
            {from[rank - 2], rows}));
  Value padding =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  AffineMap map =
      AffineMap::getMinorIdentityMap(rank, /*results=*/1, b.getContext());
  SmallVector<bool> inBounds{true};
  auto row = VectorType::get({width}, type.getElementType());
  Value elements = vector::TransferReadOp::create(
      b, loc, row, memory, from, padding, map, ArrayRef<bool>(inBounds));
  elements = vector::ShapeCastOp::create(
      b, loc, VectorType::get({width / block, block}, type.getElementType()),
      elements);
  elements = reorder(b, loc, elements, /*dim=*/1, order);
  elements = vector::ShapeCastOp::create(b, loc, row, elements);
  vector::TransferWriteOp::create(b, loc, elements, stored, to, map, inBounds);
  gpu::TerminatorOp::create(b, loc);
  launch->setAttr(VectorExtDialect::getBuffersAttrName(),
                  b.getI64IntegerAttr(1));
  return stored;
}

/// Returns `read`, a tile of rows, as a read of rows that a launch in front
/// stores in `order`. If `mayRepeat`, rows behind the end are equal to the last
/// one, and need no mask. Returns null, and changes nothing, if the tile does
/// not have whole blocks of the innermost dimension, or if its rows are no rows
/// of memory.
static Value readStoredRows(RewriterBase &b, vector::TransferReadOp read,
                            bool mayRepeat, const ElementOrder &order,
                            StoredRows &stored) {
  auto kernel = read->getParentOfType<gpu::LaunchOp>();
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  VectorType tile = read.getVectorType();
  if (!kernel || !type || tile.getRank() != 2 || type.getRank() < 2)
    return {};
  int64_t rank = type.getRank(), block = tile.getDimSize(1);
  if (type.isDynamicDim(rank - 1) || type.getDimSize(rank - 1) % block != 0 ||
      !read.getPermutationMap().isMinorIdentity() ||
      getKnownDivisor(read.getIndices().back()) % block != 0 ||
      kernel->isAncestor(read.getBase().getParentRegion()->getParentOp()))
    return {};
  int64_t repeated = mayRepeat ? tile.getDimSize(0) : 0;
  auto *same = llvm::find_if(stored, [&](StoredInOrder &known) {
    return known.memory == read.getBase() && known.kernel == kernel &&
           known.repeated == repeated && known.order.sizes == order.sizes &&
           known.order.order == order.order;
  });
  if (same == stored.end()) {
    Value rows =
        buildStoredRows(b, kernel, read.getBase(), block, repeated, order);
    stored.push_back({kernel, read.getBase(), rows, repeated, order});
    same = std::prev(stored.end());
  }
  bool needsMask = read.getMask() && !mayRepeat;
  SmallVector<bool> inBounds =
      mayRepeat ? SmallVector<bool>{true, true} : read.getInBoundsValues();
  auto own = vector::TransferReadOp::create(
      b, read.getLoc(), tile, same->rows, read.getIndices(),
      read.getPermutationMap(), read.getPadding(),
      needsMask ? read.getMask() : Value(), b.getBoolArrayAttr(inBounds));
  return own;
}

/// Returns the order of `rows` rows of an instruction in which lanes that load
/// at the same time read other banks. A swizzle of 128 bytes moves runs of 16
/// bytes by the number of the row. Eight lanes have four runs side by side of
/// two rows each, and these are four rows apart.
static ElementOrder getSpreadRows(int64_t rows) {
  return ElementOrder{{rows / 8, 4, 2}, {0, 2, 1}};
}

/// Returns the dimension of the rows of the left operand of `contract`, if
/// these may have another order: threads load the operand, whose reduction
/// dimension is `reduction`, from shared memory, and the product continues no
/// sum.
static std::optional<unsigned> getSpreadDim(vector::ContractionOp contract,
                                            unsigned reduction) {
  auto launch = contract->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  VectorType left = contract.getLhsType();
  unsigned rows = 1 - reduction;
  if (!mark || !mark->loaded || left.getRank() != 2 ||
      left.getDimSize(rows) % 8 != 0 ||
      !matchPattern(contract.getAcc(), m_AnyZeroFloat()))
    return std::nullopt;
  return rows;
}

/// Puts the rows of the left operand of `contract`, along `dim`, into the order
/// of `getSpreadRows`, and those of its result back into their own.
static void spreadRows(RewriterBase &rewriter, vector::ContractionOp contract,
                       unsigned dim) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = contract.getLoc();
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  unsigned ofResult = *maps[2].getResultPosition(maps[0].getResult(dim));
  ElementOrder order = getSpreadRows(contract.getLhsType().getDimSize(dim));
  Value left = reorder(rewriter, loc, contract.getLhs(), dim, order);
  rewriter.modifyOpInPlace(contract,
                           [&] { contract.getLhsMutable().set(left); });
  rewriter.setInsertionPointAfter(contract);
  std::swap(order.sizes[1], order.sizes[2]);
  Value back = reorder(rewriter, loc, contract.getResult(), ofResult, order);
  Operation *first = back.getDefiningOp();
  while (first->getOperand(0) != contract.getResult())
    first = first->getOperand(0).getDefiningOp();
  rewriter.replaceAllUsesExcept(contract.getResult(), back, first);
}

LogicalResult mlir::vector_ext::readInRuns(RewriterBase &rewriter,
                                           vector::ContractionOp contract,
                                           unsigned k, const Layout &left,
                                           int64_t apart, StoredRows *stored,
                                           bool mayRepeat) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  unsigned dim =
      *maps[0].getResultPosition(getAffineDimExpr(k, contract.getContext()));
  std::optional<ElementOrder> found = getOrderOfRuns(left, dim, apart);
  std::optional<Layout> runs = found ? found->apply(left, dim) : std::nullopt;
  std::optional<unsigned> spread = getSpreadDim(contract, dim);
  if (runs && spread)
    runs = getSpreadRows(left.getShape()[*spread]).apply(*runs, *spread);
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
    auto read = operand->get().getDefiningOp<vector::TransferReadOp>();
    Value value;
    if (stored && operand == &contract.getRhsMutable() && read && dim == 1)
      value = readStoredRows(rewriter, read, mayRepeat, order, *stored);
    if (!value)
      value = reorder(rewriter, contract.getLoc(), operand->get(), dim, order);
    rewriter.modifyOpInPlace(contract, [&] { operand->set(value); });
  }
  if (spread)
    spreadRows(rewriter, contract, *spread);
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

/// Reads the two innermost dimensions of the memory of `read` as one, if the
/// tile has all elements of the last one. Returns the new read, or null. The
/// view of the memory is built before `kernel`.
static vector::TransferReadOp
collapseRow(RewriterBase &b, vector::TransferReadOp read, Operation *kernel) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  AffineMap map = read.getPermutationMap();
  if (!type || !type.getLayout().isIdentity() || type.getRank() < 3 ||
      read.getMask() || read.hasOutOfBoundsDim() ||
      !map.isProjectedPermutation() ||
      kernel->isAncestor(read.getBase().getParentRegion()->getParentOp()))
    return nullptr;
  unsigned last = type.getRank() - 1;
  int64_t row = type.getDimSize(last);
  VectorType tile = read.getVectorType();
  SmallVector<AffineExpr> exprs(map.getResults());
  SmallVector<int64_t> shape(tile.getShape());
  AffineExpr outer = b.getAffineDimExpr(last - 1),
             inner = b.getAffineDimExpr(last);
  if (!isConstantIntValue(read.getIndices()[last], 0))
    return nullptr;
  if (map.isFunctionOfDim(last)) {
    if (exprs.pop_back_val() != inner || shape.pop_back_val() != row)
      return nullptr;
    // Several rows of a tile are adjacent.
    if (!map.isFunctionOfDim(last - 1)) {
      exprs.push_back(outer);
      shape.push_back(row);
    } else if (exprs.back() == outer) {
      shape.back() *= row;
    } else {
      return nullptr;
    }
  } else if (row != 1) {
    return nullptr;
  }
  Location loc = read.getLoc();
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < last; ++dim)
    groups.push_back({dim});
  groups.back().push_back(last);
  b.setInsertionPoint(kernel);
  Value flat = memref::CollapseShapeOp::create(b, loc, read.getBase(), groups);
  b.setInsertionPoint(read);
  SmallVector<Value> indices(read.getIndices().drop_back());
  indices.back() = affine::AffineApplyOp::create(
      b, loc,
      AffineMap::get(0, 1, getAffineSymbolExpr(0, b.getContext()) * row),
      indices.back());
  auto whole = vector::TransferReadOp::create(
      b, loc, VectorType::get(shape, tile.getElementType()), flat, indices,
      read.getPadding(), AffineMap::get(last, 0, exprs, b.getContext()),
      ArrayRef<bool>(SmallVector<bool>(shape.size(), true)));
  whole->setDiscardableAttrs(read->getDiscardableAttrDictionary());
  b.replaceOp(read, b.createOrFold<vector::ShapeCastOp>(loc, tile, whole));
  return whole;
}

void mlir::vector_ext::collapseRows(RewriterBase &rewriter, scf::ForOp loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *kernel = loop->getParentOfType<gpu::LaunchOp>();
  if (!kernel)
    return;
  for (auto read :
       llvm::to_vector(loop.getBody()->getOps<vector::TransferReadOp>()))
    while (read)
      read = collapseRow(rewriter, read, kernel);
}

/// The bits of a line of memory.
static constexpr int64_t kLineBits = 128 * 8;

/// Returns the dimension of the memory of `read` along which its tile moves in
/// each iteration of `loop`: by one, if the tile has one element along it, or
/// by as many elements as the tile has. Returns none if these are a line, so
/// that reading more of them at once is no gain.
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
    std::optional<unsigned> place =
        map.getResultPosition(getAffineDimExpr(dim, read.getContext()));
    int64_t size = place ? read.getVectorType().getDimSize(*place) : 1;
    if (!growth || (*growth != 0 && (moved || *growth != size)))
      return std::nullopt;
    if (*growth == 0)
      continue;
    if (size * type.getElementTypeBitWidth() >= kLineBits)
      return std::nullopt;
    moved = dim;
  }
  return moved;
}

/// Reads the tiles of `count` iterations at once, along dimension `moved`.
/// `read` is the read of the first one. The result has the number of the
/// iteration as its first dimension. `anchor` returns a tile that is read, or
/// gives it a layout.
static Value readTogether(RewriterBase &b, vector::TransferReadOp read,
                          unsigned moved, int64_t count,
                          function_ref<Value(Value)> anchor) {
  Location loc = read.getLoc();
  auto type = cast<MemRefType>(read.getBase().getType());
  VectorType tile = read.getVectorType();
  AffineMap map = read.getPermutationMap();
  SmallVector<AffineExpr> exprs(map.getResults());
  SmallVector<int64_t> shape(tile.getShape()), split(tile.getShape());
  std::optional<unsigned> longer =
      map.getResultPosition(getAffineDimExpr(moved, b.getContext()));
  // Read in the order of memory.
  unsigned place = longer.value_or(llvm::count_if(exprs, [&](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition() < moved;
  }));
  split.insert(split.begin() + place, count);
  if (longer) {
    shape[place] *= count;
  } else {
    exprs.insert(exprs.begin() + place,
                 getAffineDimExpr(moved, b.getContext()));
    shape = split;
  }
  Value all = vector::TransferReadOp::create(
      b, loc, VectorType::get(shape, tile.getElementType()), read.getBase(),
      read.getIndices(), read.getPadding(),
      AffineMap::get(type.getRank(), 0, exprs, b.getContext()),
      ArrayRef<bool>(SmallVector<bool>(shape.size(), true)));
  all = anchor(all);
  if (longer)
    all = vector::ShapeCastOp::create(
        b, loc, VectorType::get(split, tile.getElementType()), all);
  SmallVector<int64_t> permutation{place};
  for (int64_t dim = 0; dim < static_cast<int64_t>(split.size()); ++dim)
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

/// A read in a loop, and the dimension of its memory along which it moves.
using MovedRead = std::pair<vector::TransferReadOp, unsigned>;

/// Returns the reads of `loop`, of step `step`, that may be done for several
/// iterations at once.
static SmallVector<MovedRead> getMovedReads(scf::ForOp loop, int64_t step) {
  SmallVector<MovedRead> reads;
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (std::optional<unsigned> moved = getMovedDim(read, loop, step))
      reads.emplace_back(read, *moved);
  return reads;
}

/// Unrolls `loop` by `count`, and does `reads` of these iterations at once.
static void mergeReads(RewriterBase &rewriter, scf::ForOp loop, int64_t step,
                       int64_t count, ArrayRef<MovedRead> reads,
                       function_ref<Value(Value)> anchor) {
  // Clones of a read have the same number.
  StringRef name = "number";
  for (auto [number, read] : llvm::enumerate(reads))
    read.first->setAttr(name, rewriter.getI64IntegerAttr(number));
  unroll(rewriter, loop, step, count);
  SmallVector<SmallVector<vector::TransferReadOp>> clones(reads.size());
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (auto number = read->getAttrOfType<IntegerAttr>(name)) {
      clones[number.getInt()].push_back(read);
      read->removeAttr(name);
    }
  for (auto [same, first] : llvm::zip_equal(clones, reads)) {
    rewriter.setInsertionPoint(same.front());
    Value all =
        readTogether(rewriter, same.front(), first.second, count, anchor);
    for (auto [number, read] : llvm::enumerate(same)) {
      rewriter.setInsertionPoint(read);
      rewriter.replaceOpWithNewOp<vector::ExtractOp>(
          read, all, ArrayRef<int64_t>{static_cast<int64_t>(number)});
    }
  }
}

bool mlir::vector_ext::mergeIterations(RewriterBase &rewriter, scf::ForOp loop,
                                       int64_t count) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || !loop->getParentOfType<gpu::LaunchOp>() || mayWrite(loop) ||
      !hasMultipleOf(loop, *step, count))
    return false;
  SmallVector<MovedRead> reads = getMovedReads(loop, *step);
  if (reads.empty())
    return false;
  mergeReads(rewriter, loop, *step, count, reads,
             [](Value tile) { return tile; });
  return true;
}

/// Returns how many of the reads of `moved` that follow each other become one
/// of 16 bytes of each row; 1 if they do not become longer.
static int64_t countShortReads(const MovedRead &moved) {
  constexpr int64_t kLoadedBits = 128;
  auto [read, dim] = moved;
  AffineMap map = read.getPermutationMap();
  VectorType tile = read.getVectorType();
  std::optional<unsigned> place =
      map.getResultPosition(getAffineDimExpr(dim, read.getContext()));
  if (dim + 1 != map.getNumDims() || tile.getElementTypeBitWidth() % 8 != 0 ||
      (place && *place + 1 != map.getNumResults()))
    return 1;
  int64_t bits =
      tile.getElementTypeBitWidth() * (place ? tile.getDimSize(*place) : 1);
  return std::max<int64_t>(llvm::bit_floor<uint64_t>(kLoadedBits / bits), 1);
}

bool mlir::vector_ext::mergeShortReads(RewriterBase &rewriter, scf::ForOp loop,
                                       const Workgroup &workgroup) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step)
    return false;
  SmallVector<MovedRead> reads = getMovedReads(loop, *step);
  llvm::erase_if(reads, [](const MovedRead &moved) {
    return countShortReads(moved) == 1;
  });
  if (reads.empty())
    return false;
  int64_t count = countShortReads(reads.front());
  for (const MovedRead &moved : reads)
    count = std::min(count, countShortReads(moved));
  if (!hasMultipleOf(loop, *step, count))
    return false;
  // A thread has all that is read of a row.
  mergeReads(rewriter, loop, *step, count, reads, [&](Value tile) -> Value {
    auto type = cast<VectorType>(tile.getType());
    constexpr int64_t kLoadedBytes = 16;
    Layout rows = getBlockedLayout(
        type.getShape(), kLoadedBytes / type.getShape().back(), workgroup);
    return ToLayoutOp::create(rewriter, tile.getLoc(), tile,
                              LayoutAttr::get(rewriter.getContext(), rows));
  });
  return true;
}
