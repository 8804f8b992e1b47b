//===- Vector.cpp - Vectors in registers ----------------------------------===//
//
// Ops of vector that move elements, and those that combine them. Those that
// touch memory are in VectorMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Combine.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Combining kinds
//===----------------------------------------------------------------------===//

uint64_t simt::combine(vector::CombiningKind kind, uint64_t a, uint64_t b,
                       const ScalarFormat &format) {
  using K = vector::CombiningKind;
  if (format.isFloat()) {
    double x = decode(a, format.kind), y = decode(b, format.kind);
    bool isDouble = format.kind == ScalarFormat::F64;
    float fx = static_cast<float>(x), fy = static_cast<float>(y);
    switch (kind) {
    case K::ADD:
      return encode(isDouble ? x + y : static_cast<double>(fx + fy),
                    format.kind);
    case K::MUL:
      return encode(isDouble ? x * y : static_cast<double>(fx * fy),
                    format.kind);
    case K::MAXIMUMF:
      return encode(maximum(x, y), format.kind);
    case K::MINIMUMF:
      return encode(minimum(x, y), format.kind);
    case K::MAXNUMF:
      return std::isnan(x)   ? b
             : std::isnan(y) ? a
                             : encode(maximum(x, y), format.kind);
    default:
      return std::isnan(x)   ? b
             : std::isnan(y) ? a
                             : encode(minimum(x, y), format.kind);
    }
  }
  int64_t x = signExtend(a, format.bits), y = signExtend(b, format.bits);
  switch (kind) {
  case K::ADD:
    return (a + b) & format.mask();
  case K::MUL:
    return (a * b) & format.mask();
  case K::MAXSI:
    return x > y ? a : b;
  case K::MINSI:
    return x < y ? a : b;
  case K::MAXUI:
    return std::max(a, b);
  case K::MINUI:
    return std::min(a, b);
  case K::AND:
    return a & b;
  case K::OR:
    return a | b;
  default:
    return a ^ b;
  }
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

namespace {
/// Where an element of a result comes from.
struct Origin {
  unsigned operand;
  int64_t element;
};
} // namespace

/// Moves elements as `origins` say; an element of -1 gives what is unspecified.
static LogicalResult permute(Operation *op, Machine &machine,
                             ArrayRef<Origin> origins) {
  SmallVector<const Register *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&machine.get(operand));
  SmallVector<const uint64_t *> words(operands.size());
  std::optional<ScalarFormat> format = getFormat(op->getResult(0));
  uint64_t poison = format ? format->mask() : ~0ull;
  return machine.compute(
      op->getResult(0), op->getOperands(), static_cast<int64_t>(origins.size()),
      [&](int thread, uint64_t *result) {
        for (auto [operand, start] : llvm::zip_equal(operands, words))
          start = operand->at(thread);
        for (const Origin &origin : origins)
          *result++ = origin.element < 0
                          ? poison
                          : words[origin.operand][origin.element];
        return success();
      });
}

static SmallVector<int64_t> getStrides(VectorType type) {
  return computeStrides(type.getShape());
}

/// Calls `body` with every index of `shape`, the last dimension fastest.
static void forEachIndex(ArrayRef<int64_t> shape,
                         llvm::function_ref<void(ArrayRef<int64_t>)> body) {
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t count = computeProduct(shape);
  for (int64_t i = 0; i < count; ++i)
    body(delinearize(i, strides));
}

static LogicalResult keepOrder(Operation *op, Machine &machine) {
  machine.set(op->getResult(0), machine.getRef(op->getOperand(0)));
  return success();
}

template <typename OpT>
static LogicalResult runKeepOrder(OpT op, Machine &machine) {
  return keepOrder(op, machine);
}

/// The first element of the subvector that the position names; the position is
/// checked. A static position of -1 is poison.
template <typename OpT>
static FailureOr<int64_t> getPosition(OpT op, Machine &machine, VectorType type,
                                      int thread) {
  int64_t linear = 0;
  for (auto [dim, position] : llvm::enumerate(op.getMixedPosition())) {
    std::optional<int64_t> constant = getConstantIntValue(position);
    int64_t index = constant
                        ? *constant
                        : machine.get(cast<Value>(position)).signedAt(thread);
    if (index < 0 || index >= type.getDimSize(dim))
      return machine.error(op, thread)
             << "out of bounds: expected position " << dim
             << " to be at least 0 and less than " << type.getDimSize(dim)
             << ", got " << index;
    linear += index * getStrides(type)[dim];
  }
  return linear;
}

static LogicalResult runExtract(vector::ExtractOp op, Machine &machine) {
  const Register &source = machine.get(op.getSource());
  int64_t width = getWidth(op.getType());
  // Constants are the same for all threads.
  FailureOr<int64_t> fixed = failure();
  if (op.getDynamicPosition().empty()) {
    fixed = getPosition(op, machine, op.getSourceVectorType(),
                        machine.active().front());
    if (failed(fixed))
      return failure();
  }
  return machine.compute(
      op, op->getOperands(), width,
      [&](int thread, uint64_t *result) -> LogicalResult {
        FailureOr<int64_t> first = fixed;
        if (failed(first))
          first = getPosition(op, machine, op.getSourceVectorType(), thread);
        if (failed(first))
          return failure();
        std::copy_n(source.at(thread) + *first, width, result);
        return success();
      });
}

static LogicalResult runInsert(vector::InsertOp op, Machine &machine) {
  const Register &value = machine.get(op.getValueToStore());
  const Register &dest = machine.get(op.getDest());
  FailureOr<int64_t> fixed = failure();
  if (op.getDynamicPosition().empty()) {
    fixed = getPosition(op, machine, op.getDestVectorType(),
                        machine.active().front());
    if (failed(fixed))
      return failure();
  }
  return machine.compute(
      op, op->getOperands(), dest.width,
      [&](int thread, uint64_t *result) -> LogicalResult {
        FailureOr<int64_t> first = fixed;
        if (failed(first))
          first = getPosition(op, machine, op.getDestVectorType(), thread);
        if (failed(first))
          return failure();
        std::copy_n(dest.at(thread), dest.width, result);
        std::copy_n(value.at(thread), value.width, result + *first);
        return success();
      });
}

static LogicalResult runExtractStridedSlice(vector::ExtractStridedSliceOp op,
                                            Machine &machine) {
  VectorType source = op.getSourceVectorType();
  SmallVector<int64_t> strides = getStrides(source);
  SmallVector<int64_t> offsets =
      extractFromIntegerArrayAttr<int64_t>(op.getOffsets());
  SmallVector<int64_t> steps =
      extractFromIntegerArrayAttr<int64_t>(op.getStrides());
  SmallVector<Origin> origins;
  forEachIndex(op.getType().getShape(), [&](ArrayRef<int64_t> index) {
    int64_t from = 0;
    for (auto [dim, i] : llvm::enumerate(index)) {
      bool cut = dim < offsets.size();
      from += strides[dim] * (cut ? offsets[dim] + i * steps[dim] : i);
    }
    origins.push_back({0, from});
  });
  return permute(op, machine, origins);
}

static LogicalResult runInsertStridedSlice(vector::InsertStridedSliceOp op,
                                           Machine &machine) {
  VectorType source = op.getSourceVectorType(), dest = op.getDestVectorType();
  SmallVector<int64_t> strides = getStrides(dest);
  SmallVector<int64_t> offsets =
      extractFromIntegerArrayAttr<int64_t>(op.getOffsets());
  SmallVector<int64_t> steps =
      extractFromIntegerArrayAttr<int64_t>(op.getStrides());
  SmallVector<Origin> origins;
  for (int64_t i = 0; i < dest.getNumElements(); ++i)
    origins.push_back({1, i});
  int64_t leading = dest.getRank() - source.getRank(), next = 0;
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t to = 0;
    for (int64_t dim = 0; dim < dest.getRank(); ++dim)
      to += strides[dim] *
            (offsets[dim] +
             (dim < leading ? 0 : index[dim - leading] * steps[dim - leading]));
    origins[to] = {0, next++};
  });
  return permute(op, machine, origins);
}

static LogicalResult runShuffle(vector::ShuffleOp op, Machine &machine) {
  int64_t split =
      op.getV1VectorType().getRank() ? op.getV1VectorType().getDimSize(0) : 1;
  int64_t inner = op.getV1VectorType().getNumElements() / split;
  SmallVector<Origin> origins;
  for (int64_t index : op.getMask())
    for (int64_t i = 0; i < inner; ++i) {
      if (index < 0)
        origins.push_back({0, -1});
      else if (index < split)
        origins.push_back({0, index * inner + i});
      else
        origins.push_back({1, (index - split) * inner + i});
    }
  return permute(op, machine, origins);
}

static LogicalResult runBroadcast(vector::BroadcastOp op, Machine &machine) {
  VectorType type = op.getResultVectorType();
  auto source = dyn_cast<VectorType>(op.getSourceType());
  SmallVector<Origin> origins;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t from = 0;
    if (source && source.getRank()) {
      SmallVector<int64_t> strides = getStrides(source);
      int64_t leading = type.getRank() - source.getRank();
      for (int64_t dim = 0; dim < source.getRank(); ++dim)
        if (source.getDimSize(dim) != 1)
          from += strides[dim] * index[leading + dim];
    }
    origins.push_back({0, from});
  });
  return permute(op, machine, origins);
}

static LogicalResult runTranspose(vector::TransposeOp op, Machine &machine) {
  SmallVector<int64_t> strides = getStrides(op.getSourceVectorType());
  SmallVector<Origin> origins;
  forEachIndex(
      op.getResultVectorType().getShape(), [&](ArrayRef<int64_t> index) {
        int64_t from = 0;
        for (auto [i, dim] : llvm::zip_equal(index, op.getPermutation()))
          from += i * strides[dim];
        origins.push_back({0, from});
      });
  return permute(op, machine, origins);
}

static LogicalResult runInterleave(vector::InterleaveOp op, Machine &machine) {
  SmallVector<Origin> origins;
  for (int64_t i = 0; i < getWidth(op.getLhs().getType()); ++i) {
    origins.push_back({0, i});
    origins.push_back({1, i});
  }
  return permute(op, machine, origins);
}

static LogicalResult runDeinterleave(vector::DeinterleaveOp op,
                                     Machine &machine) {
  const Register &source = machine.get(op.getSource());
  int64_t width = source.width / 2;
  for (int64_t part : {0, 1})
    (void)machine.compute(op->getResult(part), op.getSource(), width,
                          [&](int thread, uint64_t *result) {
                            for (int64_t i = 0; i < width; ++i)
                              result[i] = source.at(thread)[2 * i + part];
                            return success();
                          });
  return success();
}

static LogicalResult runFromElements(vector::FromElementsOp op,
                                     Machine &machine) {
  SmallVector<Origin> origins;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    origins.push_back({i, 0});
  return permute(op, machine, origins);
}

static LogicalResult runToElements(vector::ToElementsOp op, Machine &machine) {
  const Register &source = machine.get(op.getSource());
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    (void)machine.compute(element, op.getSource(), 1,
                          [&, i = i](int thread, uint64_t *result) {
                            *result = source.at(thread)[i];
                            return success();
                          });
  return success();
}

/// Little endian, as in memory.
static LogicalResult runBitCast(vector::BitCastOp op, Machine &machine) {
  std::optional<ScalarFormat> from = getFormat(op.getSource());
  std::optional<ScalarFormat> to = getFormat(op.getResult());
  if (!from || !to)
    return reportType(op);
  const Register &source = machine.get(op.getSource());
  int64_t width = getWidth(op.getType());
  // Pieces that lie in one element of both.
  ScalarFormat piece;
  piece.bits = std::gcd(from->bits, to->bits);
  return machine.compute(
      op, op->getOperands(), width, [&](int thread, uint64_t *result) {
        std::fill_n(result, width, 0);
        int64_t bits = source.width * from->bits;
        for (int64_t bit = 0; bit < bits; bit += piece.bits) {
          uint64_t value =
              source.at(thread)[bit / from->bits] >> (bit % from->bits);
          result[bit / to->bits] |= (value & piece.mask()) << (bit % to->bits);
        }
        return success();
      });
}

//===----------------------------------------------------------------------===//
// Making vectors
//===----------------------------------------------------------------------===//

static LogicalResult runStep(vector::StepOp op, Machine &machine) {
  SmallVector<uint64_t> words(getWidth(op.getType()));
  std::iota(words.begin(), words.end(), 0);
  machine.set(op, machine.constant(words));
  return success();
}

static LogicalResult runConstantMask(vector::ConstantMaskOp op,
                                     Machine &machine) {
  SmallVector<uint64_t> words;
  forEachIndex(op.getType().getShape(), [&](ArrayRef<int64_t> index) {
    words.push_back(llvm::all_of(
        llvm::zip_equal(index, op.getMaskDimSizes()),
        [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); }));
  });
  if (op.getType().getRank() == 0)
    words.assign(1, op.getMaskDimSizes().front() > 0);
  machine.set(op, machine.constant(words));
  return success();
}

static LogicalResult runCreateMask(vector::CreateMaskOp op, Machine &machine) {
  SmallVector<const Register *> sizes;
  for (Value operand : op.getOperands())
    sizes.push_back(&machine.get(operand));
  ArrayRef<int64_t> shape = op.getType().getShape();
  return machine.compute(op, op->getOperands(), getWidth(op.getType()),
                         [&](int thread, uint64_t *result) {
                           if (shape.empty()) {
                             *result = sizes.front()->signedAt(thread) > 0;
                             return success();
                           }
                           forEachIndex(shape, [&](ArrayRef<int64_t> index) {
                             bool inside = true;
                             for (auto [i, size] :
                                  llvm::zip_equal(index, sizes))
                               inside &= i < size->signedAt(thread);
                             *result++ = inside;
                           });
                           return success();
                         });
}

//===----------------------------------------------------------------------===//
// Combining elements
//===----------------------------------------------------------------------===//

static LogicalResult runReduction(vector::ReductionOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getFormat(op.getVector());
  if (!format)
    return reportType(op);
  const Register &source = machine.get(op.getVector());
  const Register *acc = op.getAcc() ? &machine.get(op.getAcc()) : nullptr;
  return machine.compute(
      op, op->getOperands(), 1, [&](int thread, uint64_t *result) {
        const uint64_t *words = source.at(thread);
        uint64_t value = acc ? *acc->at(thread) : words[0];
        for (int64_t i = acc ? 0 : 1; i < source.width; ++i)
          value = combine(op.getKind(), value, words[i], *format);
        *result = value;
        return success();
      });
}

static LogicalResult runMultiReduction(vector::MultiDimReductionOp op,
                                       Machine &machine) {
  std::optional<ScalarFormat> format = getFormat(op.getSource());
  if (!format)
    return reportType(op);
  SmallVector<bool> reduced = op.getReductionMask();
  SmallVector<int64_t> kept;
  for (auto [size, cut] :
       llvm::zip_equal(op.getSourceVectorType().getShape(), reduced))
    if (!cut)
      kept.push_back(size);
  SmallVector<int64_t> strides = computeStrides(kept), target;
  forEachIndex(op.getSourceVectorType().getShape(),
               [&](ArrayRef<int64_t> index) {
                 int64_t to = 0, n = 0;
                 for (auto [i, cut] : llvm::zip_equal(index, reduced))
                   if (!cut)
                     to += i * strides[n++];
                 target.push_back(to);
               });
  const Register &source = machine.get(op.getSource());
  const Register &acc = machine.get(op.getAcc());
  return machine.compute(
      op, op->getOperands(), acc.width, [&](int thread, uint64_t *result) {
        std::copy_n(acc.at(thread), acc.width, result);
        for (auto [i, to] : llvm::enumerate(target))
          result[to] =
              combine(op.getKind(), result[to], source.at(thread)[i], *format);
        return success();
      });
}

/// A number of `from` in `to`, which is at least as wide.
static uint64_t widen(uint64_t word, const ScalarFormat &from,
                      const ScalarFormat &to) {
  if (from.isFloat())
    return encode(decode(word, from.kind), to.kind);
  return static_cast<uint64_t>(signExtend(word, from.bits)) & to.mask();
}

static LogicalResult runContraction(vector::ContractionOp op,
                                    Machine &machine) {
  std::optional<ScalarFormat> from = getFormat(op.getLhs());
  std::optional<ScalarFormat> to = getFormat(op.getAcc());
  if (!from || !to || from->isFloat() != to->isFloat())
    return reportType(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> shape;
  op.getIterationBounds(shape);
  Type types[3] = {op.getLhsType(), op.getRhsType(), op.getAccType()};
  // For each point of the iteration space, the three elements.
  SmallVector<std::array<int64_t, 3>> points;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    std::array<int64_t, 3> point = {};
    for (int n : {0, 1, 2})
      if (auto type = dyn_cast<VectorType>(types[n]))
        point[n] = linearize(evaluate(maps[n], index), getStrides(type));
    points.push_back(point);
  });
  const Register &lhs = machine.get(op.getLhs());
  const Register &rhs = machine.get(op.getRhs());
  const Register &acc = machine.get(op.getAcc());
  return machine.compute(
      op, op->getOperands(), acc.width, [&](int thread, uint64_t *result) {
        std::copy_n(acc.at(thread), acc.width, result);
        for (auto [a, b, c] : points) {
          uint64_t product = combine(vector::CombiningKind::MUL,
                                     widen(lhs.at(thread)[a], *from, *to),
                                     widen(rhs.at(thread)[b], *from, *to), *to);
          result[c] = combine(op.getKind(), result[c], product, *to);
        }
        return success();
      });
}

static LogicalResult runFMA(vector::FMAOp op, Machine &machine) {
  std::optional<ScalarFormat> format = getOperandFormat(op);
  if (!format)
    return reportType(op);
  return mapElements(machine, op, [&](const uint64_t *x) {
    return fusedMultiplyAdd(x[0], x[1], x[2], format->kind);
  });
}

void simt::populateVector(Handlers &handlers) {
  handlers.add<vector::ShapeCastOp>(runKeepOrder<vector::ShapeCastOp>);
  handlers.add<vector::ExtractOp>(runExtract);
  handlers.add<vector::InsertOp>(runInsert);
  handlers.add<vector::ExtractStridedSliceOp>(runExtractStridedSlice);
  handlers.add<vector::InsertStridedSliceOp>(runInsertStridedSlice);
  handlers.add<vector::ShuffleOp>(runShuffle);
  handlers.add<vector::BroadcastOp>(runBroadcast);
  handlers.add<vector::TransposeOp>(runTranspose);
  handlers.add<vector::InterleaveOp>(runInterleave);
  handlers.add<vector::DeinterleaveOp>(runDeinterleave);
  handlers.add<vector::FromElementsOp>(runFromElements);
  handlers.add<vector::ToElementsOp>(runToElements);
  handlers.add<vector::BitCastOp>(runBitCast);
  handlers.add<vector::StepOp>(runStep);
  handlers.add<vector::ConstantMaskOp>(runConstantMask);
  handlers.add<vector::CreateMaskOp>(runCreateMask);
  handlers.add<vector::ReductionOp>(runReduction);
  handlers.add<vector::MultiDimReductionOp>(runMultiReduction);
  handlers.add<vector::ContractionOp>(runContraction);
  handlers.add<vector::FMAOp>(runFMA);
}
