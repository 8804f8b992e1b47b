//===- FourBitProduct.cpp - Rows times integers of 4 bits -----------------===//
//
// A word has eight integers of 4 bits. To look all of them up in a table takes
// seven shifts and eight look-ups, which have one port each. But the word
// itself, converted to a float, has its highest integer in front of the point:
//
//   w / 2^28 = h3 + l3 / 16 + h2 / 16^2 + l2 / 16^3 + ... + l0 / 16^7
//
// What is behind the point belongs to other elements of the row, and is linear
// in them. So for words that are rotated by whole bytes, with h and l the upper
// and lower integers of a byte and x and y the elements of the row for them:
//
//   sum_b x[b] h[b] + y[b] l[b] =
//     sum_b (x[b] - x[b + 1] / 256) (w rotated to byte b) / 2^28
//         + (y[b] - x[b] / 16) l[b]
//
// since a word that is rotated to b begins with 256 h[b] + 16 l[b], and goes on
// with what the word that is rotated to b - 1 begins with; the fourth one ends
// 2^-32 from where it would begin again. The same rotation has l[b + 1] in its
// lowest bits, for the table. This takes three rotations, four look-ups and
// four conversions. All elements of the row are changed by less than their
// seventh part, and all sums are as exact as before but for one more rounding.
//
//===----------------------------------------------------------------------===//

#include "FourBitProduct.h"

#include "LoopEmitter.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::linalg_ext;

static constexpr int64_t kBytes = 4, kParts = 2, kCodes = 256;

/// The lanes of a vector.
static constexpr int64_t kLanes = 16;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

Attribute mlir::linalg_ext::foldInPayload(
    linalg::LinalgOp op, Value value,
    llvm::SmallDenseMap<Value, Attribute> known,
    std::optional<std::pair<unsigned, int64_t>> part) {
  Builder b(op.getContext());
  llvm::SetVector<Value> slice = getPayloadSlice(op, value);
  for (Value of : slice) {
    Attribute constant;
    if (!isa<BlockArgument>(of) && matchPattern(of, m_Constant(&constant)))
      known[of] = constant;
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.getNumResults() != 1 || inner.getNumRegions() != 0 ||
        !slice.contains(inner.getResult(0)) ||
        known.contains(inner.getResult(0)))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      if (part && index.getDim() == part->first)
        known[index] = b.getIndexAttr(part->second);
      continue;
    }
    SmallVector<Attribute> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(known.lookup(operand));
    // Folding may change the op.
    Operation *copy = inner.clone();
    SmallVector<OpFoldResult> results;
    Attribute result;
    if (succeeded(copy->fold(operands, results)) && results.size() == 1) {
      result = dyn_cast<Attribute>(results.front());
      if (auto same = dyn_cast<Value>(results.front()))
        result = known.lookup(same);
    }
    copy->destroy();
    if (result)
      known[inner.getResult(0)] = result;
  }
  return known.lookup(value);
}

std::optional<double> mlir::linalg_ext::evaluateCode(
    linalg::LinalgOp op, Value value, BlockArgument byte, int64_t code,
    std::optional<std::pair<unsigned, int64_t>> part) {
  Builder b(op.getContext());
  auto number = dyn_cast_or_null<FloatAttr>(foldInPayload(
      op, value, {{byte, b.getIntegerAttr(byte.getType(), APInt(8, code))}},
      part));
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<SmallVector<Value>>
mlir::linalg_ext::getFactorsOfSum(linalg::LinalgOp op) {
  std::optional<CombinedReduction> reduction = getReduction(op, 0);
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner))
    return std::nullopt;
  SmallVector<Value> products{reduction->term}, factors;
  while (!products.empty()) {
    Value factor = products.pop_back_val();
    auto product = factor.getDefiningOp<arith::MulFOp>();
    if (!product || product->getBlock() != op.getBlock()) {
      factors.push_back(factor);
      continue;
    }
    if (!product->hasOneUse())
      return std::nullopt;
    llvm::append_range(products, product->getOperands());
  }
  return factors;
}

OpOperand *mlir::linalg_ext::getOperandOfFactor(linalg::LinalgOp op,
                                                Value factor) {
  if (!factor.hasOneUse())
    return nullptr;
  if (auto extend = factor.getDefiningOp<arith::ExtFOp>();
      extend && extend->getBlock() == op.getBlock())
    factor = extend.getIn();
  auto arg = dyn_cast<BlockArgument>(factor);
  return arg && arg.getOwner() == op.getBlock() && arg.hasOneUse()
             ? &op->getOpOperand(arg.getArgNumber())
             : nullptr;
}

/// Sets what `product.number` is of the integers of 4 bits in the argument
/// `byte`. Returns false if it is something else.
static bool findIntegers(linalg::LinalgOp op, BlockArgument byte,
                         FourBitProduct &product) {
  std::optional<double> numbers[kParts][kCodes];
  for (int64_t part = 0; part < kParts; ++part)
    for (int64_t code = 0; code < kCodes; ++code)
      if (!(numbers[part][code] =
                evaluateCode(op, product.number, byte, code,
                             std::pair{product.partDim, part})))
        return false;
  product.offset = *numbers[0][0];
  product.lowPart = *numbers[0][1] == product.offset ? 1 : 0;
  product.scale = *numbers[product.lowPart][1] - product.offset;
  for (int64_t part = 0; part < kParts; ++part)
    for (int64_t code = 0; code < kCodes; ++code) {
      int64_t integer = part == product.lowPart ? code % 16 : code / 16;
      if (*numbers[part][code] != product.scale * integer + product.offset)
        return false;
    }
  return product.scale != 0 && std::isfinite(product.scale) &&
         std::isfinite(product.offset);
}

/// Whether `row` has a known size, which is small enough for a copy of each of
/// its `rows` rows, and the dimensions `dims`.
static bool isSmallPanel(linalg::LinalgOp op, OpOperand &row, int64_t rows,
                         ArrayRef<unsigned> dims) {
  auto type = cast<MemRefType>(row.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&row);
  return type.hasStaticShape() && map.isProjectedPermutation() &&
         llvm::all_of(dims,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); }) &&
         type.getNumElements() * type.getElementTypeBitWidth() / 8 <=
             rows * CPUTarget::kPanelBytesOfIntegers;
}

std::optional<FourBitProduct> mlir::linalg_ext::matchFourBitProduct(
    linalg::LinalgOp op, OpOperand &bytes, unsigned laneDim, unsigned byteDim,
    ArrayRef<unsigned> unrolled, int64_t rows) {
  FourBitProduct result;
  result.byteDim = byteDim;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (unrolled.size() != 2 || !llvm::is_contained(unrolled, byteDim) ||
      !getElementTypeOrSelf(bytes.get()).isSignlessInteger(8) ||
      op.getNumDpsInits() != 1 ||
      !getElementTypeOrSelf(op.getDpsInits().front()).isF32())
    return std::nullopt;
  result.partDim = unrolled[unrolled.front() == byteDim ? 1 : 0];
  if (ranges[byteDim] != kBytes || ranges[result.partDim] != kParts ||
      ShapedType::isDynamic(ranges[laneDim]) || ranges[laneDim] % kLanes != 0)
    return std::nullopt;
  std::optional<SmallVector<Value>> factors = getFactorsOfSum(op);
  if (!factors)
    return std::nullopt;
  // Each factor of the term is the row, the number, or the same for all parts.
  BlockArgument byte = op.getMatchingBlockArgument(&bytes);
  for (Value factor : *factors) {
    llvm::SetVector<Value> slice = getPayloadSlice(op, factor);
    if (slice.contains(byte)) {
      if (result.number || !factor.hasOneUse())
        return std::nullopt;
      result.number = factor;
      continue;
    }
    bool varies = false;
    for (Value of : slice) {
      auto index = of.getDefiningOp<linalg::IndexOp>();
      auto arg = dyn_cast<BlockArgument>(of);
      for (unsigned dim : unrolled)
        varies |=
            (index && index.getDim() == dim) ||
            (arg && arg.getOwner() == op.getBlock() &&
             op.getMatchingIndexingMap(&op->getOpOperand(arg.getArgNumber()))
                 .isFunctionOfDim(dim));
    }
    if (!varies) {
      result.others.push_back(factor);
      continue;
    }
    OpOperand *row = getOperandOfFactor(op, factor);
    if (result.row || !row)
      return std::nullopt;
    result.row = row;
    result.extendsRow = !isa<BlockArgument>(factor);
  }
  if (!result.number || !result.row ||
      getLaneAccess(op, *result.row, laneDim) != LaneAccess::Contiguous ||
      !isSmallPanel(op, *result.row, rows, {byteDim, result.partDim}) ||
      !findIntegers(op, byte, result))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Builds `value` times `factor`, plus `addend` unless it is null.
static Value multiplyBy(OpBuilder &b, Location loc, Value value, double factor,
                        Value addend = {}) {
  auto type = cast<VectorType>(value.getType());
  Value splat = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          type, Attribute(b.getFloatAttr(type.getElementType(), factor))));
  return addend
             ? vector::FMAOp::create(b, loc, value, splat, addend).getResult()
             : arith::MulFOp::create(b, loc, value, splat).getResult();
}

Operation *mlir::linalg_ext::getPlaceOfCopy(Operation *op, Value buffer) {
  Value root = getViewedBuffer(buffer);
  Operation *place = op;
  if (!isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp()))
    return place;
  // What writes to the buffer, or may.
  SmallVector<Operation *> writers;
  SmallVector<Value> views{root};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(views, user->getResults());
        continue;
      }
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      SmallVector<MemoryEffects::EffectInstance> ofUse;
      if (effects)
        effects.getEffectsOnValue(use.get(), ofUse);
      if (!effects || user->getNumRegions() > 1 ||
          llvm::any_of(ofUse,
                       [](const MemoryEffects::EffectInstance &effect) {
                         return !isa<MemoryEffects::Read>(effect.getEffect());
                       }) ||
          llvm::any_of(user->getResultTypes(), llvm::IsaPred<MemRefType>))
        writers.push_back(user);
    }
  while (auto loop = dyn_cast<scf::ForOp>(place->getParentOp())) {
    if (!loop.isDefinedOutsideOfLoop(buffer) ||
        llvm::any_of(writers, [&](Operation *writer) {
          return loop->isProperAncestor(writer);
        }))
      break;
    place = loop;
  }
  return place;
}

/// Moves to byte `byte` of each word, and to its lower or upper integer.
void LoopEmitter::moveToFourBits(int64_t byte, bool isLow) {
  const FourBitProduct &product = *plan.fourBits;
  ivs[product.byteDim] = getIndex(byte);
  ivs[product.partDim] =
      getIndex(isLow ? product.lowPart : 1 - product.lowPart);
}

/// Writes what multiplies the converted words and the looked-up integers to a
/// buffer, which takes the place of the row.
void LoopEmitter::prepareRowOfFourBits() {
  const FourBitProduct &product = *plan.fourBits;
  auto type = cast<MemRefType>(product.row->get().getType());
  OpBuilder::InsertionGuard guard(b);
  Operation *place = getPlaceOfCopy(op, product.row->get());
  b.setInsertionPoint(place);
  // A function of many products would overflow the stack.
  Value buffer = memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()),
      b.getI64IntegerAttr(CPUTarget::kLineBytes));
  AffineMap map = op.getMatchingIndexingMap(product.row);
  SmallVector<unsigned> dims;
  for (AffineExpr expr : map.getResults())
    if (unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        dim != product.byteDim && dim != product.partDim)
      dims.push_back(dim);
  std::function<void(size_t)> emit = [&](size_t position) {
    if (position < dims.size()) {
      unsigned dim = dims[position];
      emitLoop(dim, b.getIndexAttr(0), sizes[dim],
               dim == plan.shape.laneDim ? plan.shape.lanes : 1, {},
               [&](ValueRange) {
                 emit(position + 1);
                 return Values();
               });
      return;
    }
    auto load = [&](int64_t byte, bool isLow) {
      moveToFourBits(byte % kBytes, isLow);
      return makeTile().load(*product.row, {});
    };
    double unit = product.scale * 0x1p-28;
    for (int64_t byte = 0; byte < kBytes; ++byte)
      for (bool isLow : {true, false}) {
        Value upper = load(byte, /*isLow=*/false);
        Value value =
            isLow ? multiplyBy(b, loc, upper, -1.0 / 16, load(byte, isLow))
                  : multiplyBy(b, loc, load(byte + 1, isLow), -unit / 256,
                               multiplyBy(b, loc, upper, unit));
        moveToFourBits(byte, isLow);
        SmallVector<Value> indices;
        for (AffineExpr expr : map.getResults())
          indices.push_back(ivs[cast<AffineDimExpr>(expr).getPosition()]);
        vector::StoreOp::create(b, loc, value, buffer, indices);
      }
  };
  emit(0);
  ivs.assign(ivs.size(), Value());
  product.row->set(buffer);
  b.setInsertionPointAfter(place);
  memref::DeallocOp::create(b, loc, buffer);
}

/// Adds the products of the row with the integers of 4 bits of whole words to
/// the accumulators `values` of `points`. `uniform` has what is the same in all
/// lanes for each iteration of the unrolled loops.
void LoopEmitter::addFourBitProducts(ArrayRef<TilePoint> points,
                                     ArrayRef<SmallVector<IRMapping>> uniform,
                                     MutableArrayRef<Value> values) {
  const FourBitProduct &product = *plan.fourBits;
  BlockArgument byteArg = op.getMatchingBlockArgument(plan.streamed),
                rowArg = op.getMatchingBlockArgument(product.row);
  auto floats = VectorType::get({plan.shape.lanes}, b.getF32Type()),
       integers = VectorType::get({plan.shape.lanes}, b.getI32Type()),
       bytes = VectorType::get({plan.shape.lanes}, b.getI8Type());
  Value one =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(floats, 1.0f));
  Value term = getReduction(op, 0)->term;
  Values sums = plan.factor ? Values(points.size()) : Values(values);
  bool isByteFirst = plan.unrolledDims.front() == product.byteDim;
  auto add = [&](size_t number, int64_t byte, bool isLow, Value row, Value bits,
                 Value converted) {
    moveToFourBits(byte, isLow);
    int64_t part = isLow ? product.lowPart : 1 - product.lowPart;
    IRMapping mapping = uniform[isByteFirst ? part * kBytes + byte
                                            : byte * kParts + part][number];
    if (plan.factor)
      mapping.map(plan.factor, one);
    if (row)
      mapping.map(rowArg, row);
    mapping.map(byteArg, bits);
    if (converted)
      mapping.map(product.number, converted);
    RegisterTile tile = makeTile();
    Value &sum = sums[number];
    sum =
        tile.toVector(sum ? tile.evaluate(points[number], sum, &mapping).front()
                          : tile.evaluateTerm(points[number], term, &mapping));
  };
  auto splat = [&](int32_t value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(integers, value));
  };
  Values words;
  for (auto [number, point] : llvm::enumerate(points)) {
    moveToFourBits(0, /*isLow=*/true);
    words.push_back(makeTile().loadWords(*plan.streamed, point));
    if (product.offset == 0)
      continue;
    // The table has the offset, so y - x / 16 is multiplied by it. The sum of
    // the other rows is x without its next 256th part.
    Value upper;
    for (int64_t byte = 0; byte < kBytes; ++byte) {
      moveToFourBits(byte, /*isLow=*/false);
      Value next = makeTile().load(*product.row, point);
      upper =
          upper ? arith::AddFOp::create(b, loc, upper, next).getResult() : next;
    }
    double unit = product.scale * 0x1p-28 * 255 / 256;
    add(number, 0, /*isLow=*/true,
        multiplyBy(b, loc, upper, product.offset * 17 / 16 / unit),
        arith::TruncIOp::create(b, loc, bytes, words.back()), one);
  }
  // The word itself comes last, so that the look-up overwrites it.
  for (int64_t turn : {1, 2, 3, 0})
    for (auto [number, word] : llvm::enumerate(words)) {
      Value rotated = word;
      if (turn > 0)
        rotated = arith::OrIOp::create(
            b, loc, arith::ShLIOp::create(b, loc, word, splat(8 * turn)),
            arith::ShRUIOp::create(b, loc, word, splat(32 - 8 * turn)));
      Value bits = arith::TruncIOp::create(b, loc, bytes, rotated);
      add(number, kBytes - 1 - turn, /*isLow=*/false, {}, bits,
          arith::UIToFPOp::create(b, loc, floats, rotated));
      add(number, (kBytes - turn) % kBytes, /*isLow=*/true, {}, bits, {});
    }
  if (plan.factor)
    multiplyByFactor(points, uniform.front(), sums, values);
  else
    llvm::copy(sums, values.begin());
}
