//===- RootOperands.cpp - What the operands of a root are computed from ---===//
//
// See RootOperands.h. Each question is a walk from values to the ops that
// compute them.
//
//===----------------------------------------------------------------------===//

#include "RootOperands.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Selection/KeyChunks.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/TileOperands.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"

#include <deque>

using namespace mlir;
using namespace mlir::linalg_ext;

int64_t
mlir::linalg_ext::getDistance(Value value,
                              function_ref<bool(Operation *)> isSought) {
  std::deque<std::pair<Operation *, int64_t>> worklist;
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto push = [&](Value value, int64_t distance) {
    Operation *op = value.getDefiningOp();
    if (op && isa<ShapedType>(value.getType()) && seen.insert(op).second)
      worklist.emplace_back(op, distance);
  };
  push(value, 0);
  while (!worklist.empty()) {
    auto [op, distance] = worklist.front();
    worklist.pop_front();
    if (isSought(op))
      return distance;
    for (Value operand : op->getOperands())
      push(operand, distance + 1);
  }
  return -1;
}

/// Calls `visit` once for each of `values` and of the shaped values from which
/// they are computed, the nearest first. `visit` returns the values to visit
/// next.
static void walkBackward(ArrayRef<Value> values,
                         function_ref<SmallVector<Value>(Value)> visit) {
  std::deque<Value> worklist(values.begin(), values.end());
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.front();
    worklist.pop_front();
    if (isa<ShapedType>(value.getType()) && seen.insert(value).second)
      llvm::append_range(worklist, visit(value));
  }
}

/// Returns the contraction that computes `value`, or null.
static linalg::LinalgOp getDefiningContraction(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && linalg::isaContractionOpInterface(op) ? op : nullptr;
}

/// Returns the operands of the op that computes `value`. Returns none for
/// arguments.
static SmallVector<Value> getOperandsOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? SmallVector<Value>(op->getOperands()) : SmallVector<Value>();
}

/// Returns the operands of `root` other than the online one.
static SmallVector<Value> getOtherOperands(Operation *root,
                                           const RootDims &dims) {
  SmallVector<Value> others;
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(root).getDpsInputOperands())
    if (operand != dims.online)
      others.push_back(operand->get());
  return others;
}

/// Returns the contractions from which `value` is computed, the nearest first.
/// Behind a contraction, only those count to whose results it adds.
static SmallVector<linalg::LinalgOp> getContractions(Value value) {
  SmallVector<linalg::LinalgOp> contractions;
  walkBackward(value, [&](Value value) {
    linalg::LinalgOp contraction = getDefiningContraction(value);
    if (!contraction)
      return getOperandsOf(value);
    contractions.push_back(contraction);
    return SmallVector<Value>(contraction.getDpsInits());
  });
  return contractions;
}

linalg::LinalgOp mlir::linalg_ext::getContraction(Value value) {
  SmallVector<linalg::LinalgOp> contractions = getContractions(value);
  return contractions.empty() ? nullptr : contractions.front();
}

std::optional<int64_t> mlir::linalg_ext::getDepth(Value value) {
  SmallVector<linalg::LinalgOp> contractions = getContractions(value);
  auto getShape = [](linalg::LinalgOp contraction) {
    return cast<ShapedType>(contraction->getResult(0).getType()).getShape();
  };
  int64_t depth = 0;
  for (linalg::LinalgOp contraction : contractions) {
    if (getShape(contraction) != getShape(contractions.front()))
      continue;
    int64_t size = 1;
    SmallVector<unsigned> dims;
    contraction.getReductionDims(dims);
    for (unsigned dim : dims) {
      int64_t range = contraction.getStaticLoopRanges()[dim];
      if (ShapedType::isDynamic(range))
        return std::nullopt;
      size *= range;
    }
    depth += size;
  }
  return depth;
}

/// Returns whether `op` gathers: no loop dimension indexes an input, or its
/// payload reads a tensor at indices that it computes.
static bool isGather(Operation *op) {
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!maps || !dps)
    return false;
  for (OpOperand *input : dps.getDpsInputOperands()) {
    auto type = dyn_cast<ShapedType>(input->get().getType());
    bool isOneElement =
        !type || (type.hasStaticShape() && type.getNumElements() == 1);
    if (!isOneElement && maps.getMatchingIndexingMap(input).isConstant())
      return true;
  }
  return op->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool mlir::linalg_ext::readsGathered(Operation *root, const RootDims &dims) {
  return llvm::any_of(getOtherOperands(root, dims), [&](Value operand) {
    return getDistance(operand, isGather) >= 0;
  });
}

SmallVector<Operation *> mlir::linalg_ext::findReducedWindows(Operation *root) {
  auto readsWindows = [](linalg::LinalgOp op) {
    return op.getNumReductionLoops() > 0 &&
           llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
             return llvm::any_of(op.getMatchingIndexingMap(input).getResults(),
                                 llvm::IsaPred<AffineBinaryOpExpr>);
           });
  };
  SmallVector<Operation *> found;
  walkBackward(SmallVector<Value>(root->getOperands()), [&](Value value) {
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (!op || !readsWindows(op))
      return getOperandsOf(value);
    found.push_back(op);
    return SmallVector<Value>();
  });
  return found;
}

/// Returns the gather of pages that `value` is or is converted from element by
/// element, or null.
static PagedGatherOp getGatherOfPages(Value value) {
  while (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() == 0 ||
        op.getNumDpsInits() != 1 || maps.front() != maps.back() ||
        !maps.front().isPermutation())
      return {};
    value = op.getDpsInputs().front();
  }
  auto gather = value.getDefiningOp<PagedGatherOp>();
  return gather && gather.getPool() && gather.getPoolPageDim()
             ? gather
             : PagedGatherOp();
}

std::optional<HeadsOfPages>
mlir::linalg_ext::getHeadsOfPages(Operation *root, const RootDims &dims) {
  auto maps = cast<IndexingMapOpInterface>(root);
  for (OpOperand *operand :
       cast<DestinationStyleOpInterface>(root).getDpsInputOperands()) {
    PagedGatherOp gather = operand == dims.online
                               ? PagedGatherOp()
                               : getGatherOfPages(operand->get());
    auto pool =
        gather ? cast<ShapedType>(gather.getPool().getType()) : ShapedType();
    if (!pool || !pool.getElementType().isIntOrFloat())
      continue;
    AffineMap map = maps.getMatchingIndexingMap(operand);
    int64_t bits = pool.getElementTypeBitWidth();
    for (int64_t dim = pool.getRank() - 1; dim >= 0; --dim) {
      int64_t ofResult = gather.getPoolDims()[dim];
      if (ofResult == PagedGatherOp::kPageDim)
        break;
      auto expr = dyn_cast<AffineDimExpr>(map.getResult(ofResult));
      if (expr && llvm::is_contained(dims.batches, expr.getPosition()) &&
          pool.getDimSize(dim) != 1)
        return HeadsOfPages{expr.getPosition(), (bits + 7) / 8};
      // If the number of rows is unknown, one row is assumed.
      if (!pool.isDynamicDim(dim))
        bits *= pool.getDimSize(dim);
      else if (dim != gather.getPoolRowDim())
        break;
    }
  }
  return std::nullopt;
}

/// Returns whether elementwise ops compute one of `values` from a tensor of a
/// type for which `isSought` is true.
static bool readsTensors(ArrayRef<Value> values,
                         function_ref<bool(ShapedType)> isSought) {
  bool found = false;
  walkBackward(values, [&](Value value) {
    auto type = cast<ShapedType>(value.getType());
    if (type.getRank() < 2)
      return SmallVector<Value>();
    found |= isSought(type);
    // Unpacked integers are merged by a reshape.
    if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
      return SmallVector<Value>{collapse.getSrc()};
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    return op && op.getNumReductionLoops() == 0
               ? SmallVector<Value>(op.getDpsInputs())
               : SmallVector<Value>();
  });
  return found;
}

bool mlir::linalg_ext::readsBytes(Operation *root, const RootDims &dims) {
  return readsTensors(getOtherOperands(root, dims), [](ShapedType type) {
    return type.getElementType().isIntOrFloat() &&
           type.getElementTypeBitWidth() == 8;
  });
}

bool mlir::linalg_ext::readsPackedIntegers(Operation *root,
                                           const RootDims &dims) {
  return llvm::any_of(getOtherOperands(root, dims), [](Value operand) {
    auto whole = dyn_cast<ShapedType>(operand.getType());
    if (!whole || whole.getRank() == 0)
      return false;
    int64_t row = whole.getShape().back();
    return readsTensors({operand}, [&](ShapedType type) {
      int64_t bytes = type.getShape().back();
      return type.getElementType().isInteger(8) && !ShapedType::isDynamic(row) &&
             !ShapedType::isDynamic(bytes) && bytes > 1 && bytes < row &&
             row % bytes == 0;
    });
  });
}

KeyReads mlir::linalg_ext::getKeyReads(Operation *root, int64_t parts,
                                       int64_t unit, const GPUTarget &target) {
  if (target.asyncCopies == 0)
    return KeyReads::Tiles;
  if (parts < 2 || parts != kProductThreads / target.lanes) {
    FailureOr<RootDims> dims = getRootDims(root, /*chained=*/nullptr);
    if (failed(dims) || readsGathered(root, *dims))
      return KeyReads::Tiles;
    // Tiles have two buffers.
    int64_t bytes =
        2 * unit * dims->getElementBytes(root) *
        (getDepth(dims->online->get()).value_or(512) + dims->countColumns());
    ScoreMasks masks = getScoreMasks(*dims);
    return masks.hasEnd || masks.positions > 0 ||
                   3 * (bytes + target.reservedSharedBytes) >
                       target.processorSharedBytes
               ? KeyReads::Tiles
               : KeyReads::EvenTiles;
  }
  return KeyReads::Bytes;
}

/// Returns whether `op` is a function of the math dialect that takes several
/// instructions. Exponentials do not count, since they belong to the online
/// reduction.
static bool isFunction(Operation *op) {
  return isa_and_present<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::FmaOp, math::CopySignOp, math::ExpOp,
              math::Exp2Op>(op);
}

/// Returns whether `op` does nothing else with `operand`, of f16, than to add
/// it to a product, or add its product with a constant.
static bool isAdded(linalg::LinalgOp op, OpOperand &operand) {
  auto isProduct = [&](Value value) {
    if (auto multiple = value.getDefiningOp<arith::MulFOp>();
        multiple && matchPattern(multiple.getRhs(), m_Constant()))
      value = multiple.getLhs();
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock() &&
           getDefiningContraction(op.getMatchingOpOperand(argument)->get());
  };
  return getElementTypeOrSelf(operand.get().getType()).isF16() &&
         llvm::all_of(
             op.getMatchingBlockArgument(&operand).getUsers(),
             [&](Operation *wide) {
               return isa<arith::ExtFOp>(wide) &&
                      llvm::all_of(wide->getUses(), [&](OpOperand &use) {
                        auto sum = dyn_cast<arith::AddFOp>(use.getOwner());
                        return sum && isProduct(sum->getOperand(
                                          1 - use.getOperandNumber()));
                      });
             });
}

/// The alignment in bits of rows that are copied by boxes.
static constexpr int64_t kRowAlignment = 128;

namespace {
/// What a comparison compares: the indices of so many loops, the largest
/// constant that is compared, added or subtracted, and half of the number by
/// which an index is divided, 0 if none is.
struct Compared {
  size_t loops = 0;
  int64_t constant = 0;
  int64_t chunk = 0;
};
} // namespace

/// Returns half of the number by which `op` divides an integer, if that is a
/// constant, or 0. A row in a chunk of c positions sees c / 2 of them on
/// average.
static int64_t getHalfOfDivisor(Operation *op) {
  APInt value;
  if (!isa<arith::DivSIOp, arith::FloorDivSIOp, arith::DivUIOp, arith::RemSIOp,
           arith::RemUIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&value)) ||
      !value.isSignedIntN(32))
    return 0;
  return value.getSExtValue() / 2;
}

/// The most ops in front of a comparison that are looked through.
static constexpr size_t kMostProducers = 4;

/// Returns the elementwise op that computes `tensor`, also if it is reshaped.
static linalg::LinalgOp getElementwiseProducer(Value tensor) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  return op && op.getNumReductionLoops() == 0 ? op : linalg::LinalgOp();
}

/// Returns half of the number by which elementwise ops in front of `tensor`
/// divide a position, or 0.
static int64_t getChunkOf(Value tensor) {
  SetVector<Operation *> producers;
  if (linalg::LinalgOp op = getElementwiseProducer(tensor))
    producers.insert(op);
  int64_t chunk = 0;
  bool hasPosition = false;
  for (size_t i = 0; i < std::min(producers.size(), kMostProducers); ++i) {
    auto op = cast<linalg::LinalgOp>(producers[i]);
    op->walk([&](Operation *nested) {
      chunk = std::max(chunk, getHalfOfDivisor(nested));
      hasPosition |= isa<linalg::IndexOp>(nested);
    });
    for (Value input : op.getDpsInputs())
      if (linalg::LinalgOp other = getElementwiseProducer(input))
        producers.insert(other);
  }
  return hasPosition ? chunk : 0;
}

/// Returns half of the length of the chunks of which `compare`, in the payload
/// of `op`, compares the numbers, if other ops compute these, or 0.
static int64_t getChunkOfOperands(arith::CmpIOp compare, Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return 0;
  int64_t chunk = std::numeric_limits<int64_t>::max();
  for (Value operand : compare->getOperands()) {
    auto arg = dyn_cast<BlockArgument>(operand);
    if (!arg || arg.getOwner() != linalgOp.getBlock() ||
        arg.getArgNumber() >= linalgOp.getNumDpsInputs())
      return 0;
    chunk = std::min(chunk,
                     getChunkOf(linalgOp.getDpsInputs()[arg.getArgNumber()]));
  }
  return chunk;
}

/// Returns `def` and what it is computed from in the payload of `op`.
static SetVector<Operation *> getSliceInPayload(Operation *def, Operation *op) {
  BackwardSliceOptions options;
  options.filter = [&](Operation *other) {
    return op->isProperAncestor(other);
  };
  options.inclusive = true;
  SetVector<Operation *> slice;
  if (failed(getBackwardSlice(def, &slice, options)))
    return {};
  return slice;
}

/// Returns the dimensions of the loops whose indices are in `slice`.
static llvm::SmallDenseSet<uint64_t>
getLoops(const SetVector<Operation *> &slice) {
  llvm::SmallDenseSet<uint64_t> loops;
  for (Operation *def : slice)
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      loops.insert(index.getDim());
  return loops;
}

/// Returns what `compare`, in the payload of `op`, compares.
static Compared getCompared(arith::CmpIOp compare, Operation *op) {
  SetVector<Operation *> slice = getSliceInPayload(compare, op);
  Compared compared;
  for (Operation *def : slice) {
    // The difference of two positions has no chunks, but a period.
    if (int64_t chunk = getHalfOfDivisor(def);
        chunk > 0 && getLoops(getSliceInPayload(def, op)).size() == 1)
      compared.chunk = chunk;
    if (!isa<arith::CmpIOp, arith::AddIOp, arith::SubIOp>(def))
      continue;
    for (Value operand : def->getOperands())
      if (APInt value; matchPattern(operand, m_ConstantInt(&value)) &&
                       value.isSignedIntN(32))
        compared.constant =
            std::max(compared.constant, std::abs(value.getSExtValue()));
  }
  compared.loops = getLoops(slice).size();
  if (int64_t chunk = getChunkOfOperands(compare, op)) {
    compared.loops = 2;
    compared.chunk = chunk;
  }
  return compared;
}

/// Returns whether `value`, an integer of a payload, is a sum of multiples of
/// indices.
static bool isSumOfIndices(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<linalg::IndexOp>(op) || matchPattern(value, m_Constant()))
    return true;
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return isSumOfIndices(op->getOperand(0));
  if (isa<arith::MulIOp>(op) &&
      !matchPattern(op->getOperand(0), m_Constant()) &&
      !matchPattern(op->getOperand(1), m_Constant()))
    return false;
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
         llvm::all_of(op->getOperands(), isSumOfIndices);
}

/// Returns whether `op`, which makes floats of positions, makes factors of
/// products from sums of multiples of indices.
static bool isBiasOfProducts(Operation *op) {
  return isa<arith::SIToFPOp>(op) && isSumOfIndices(op->getOperand(0)) &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<arith::MulFOp>);
}

ScoreMasks mlir::linalg_ext::getScoreMasks(const RootDims &dims) {
  ScoreMasks masks;
  bool hasOr = false, isOfProducts = true;
  // Count the operands in memory, and those of them that are added.
  int64_t inMemory = 0, added = 0;
  llvm::SmallPtrSet<Operation *, 16> seen;
  walkBackward(dims.online->get(), [&](Value value) {
    if (getDefiningContraction(value))
      return SmallVector<Value>();
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto type = cast<ShapedType>(value.getType());
      if (type.getRank() >= 2 && type.getElementType().isIntOrFloat()) {
        int64_t bits = getStoredBits(type), row = type.getShape().back();
        bool isAligned =
            (bits == 16 || bits == 32 || type.getElementType().isInteger(1)) &&
            (ShapedType::isDynamic(row) || row * bits % kRowAlignment == 0);
        masks.isCopied =
            isAligned && (masks.elementBytes == 0 || masks.isCopied);
        masks.elementBytes =
            std::max<int64_t>(masks.elementBytes, llvm::divideCeil(bits, 8));
        ++inMemory;
      }
      return SmallVector<Value>();
    }
    if (!seen.insert(op).second)
      return SmallVector<Value>();
    llvm::SmallDenseSet<uint64_t> indices;
    int64_t comparisons = 0, window = 0;
    op->walk([&](linalg::IndexOp index) { indices.insert(index.getDim()); });
    // A comparison of keys alone, with the end of a sequence, is no bound of a
    // window. A window may have bounds on both sides.
    op->walk([&](arith::CmpIOp compare) {
      Compared compared = getCompared(compare, op);
      comparisons += compared.loops > 1;
      masks.hasEnd |= compared.loops == 1;
      if (compared.loops > 1) {
        window += compared.chunk > 0 ? compared.chunk : compared.constant;
        masks.hasChunks |= compared.chunk > 0;
      }
    });
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      op->walk([&](Operation *nested) {
        masks.hasFunction |= nested != op && isFunction(nested);
      });
      for (OpOperand *operand : linalgOp.getDpsInputOperands())
        if (!operand->get().getDefiningOp() && isAdded(linalgOp, *operand))
          ++added;
    }
    if (indices.size() > 1 || comparisons > 0) {
      masks.positions += std::max<int64_t>(comparisons, 1);
      op->walk([&](Operation *nested) {
        if (isa<arith::SIToFPOp, arith::UIToFPOp>(nested)) {
          masks.isBiasedByPosition = true;
          isOfProducts &= isBiasOfProducts(nested);
        }
        hasOr |= isa<arith::OrIOp>(nested);
      });
      masks.window = std::max(masks.window, window);
    }
    return getOperandsOf(value);
  });
  masks.isAdded = inMemory == 1 && added == 1;
  masks.isBiasOfProducts = masks.isBiasedByPosition && isOfProducts;
  // A key between two bounds must meet both conditions.
  if (masks.positions < 2 || hasOr)
    masks.window = 0;
  return masks;
}

/// Returns whether `scores` multiplies two operands of f8 formats, both
/// contiguous along the summed dimension.
static bool multipliesF8(linalg::LinalgOp scores) {
  SmallVector<unsigned> sums;
  scores.getReductionDims(sums);
  return sums.size() == 1 &&
         llvm::all_of(scores.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = scores.getMatchingIndexingMap(operand);
           return isTileTypeOf8Bits(getTileElementType(operand->get())) &&
                  explainNoTiles(operand->get(), /*mayHave8Bits=*/true)
                      .empty() &&
                  map.getResults().back() ==
                      getAffineDimExpr(sums.front(), map.getContext());
         });
}

/// Returns the op that converts `value`, or the value that it is a view of,
/// element by element from a tensor of 8 bits. Returns null if there is none.
static Operation *getConversionFromBytes(Value value) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto isOfBytes = [](Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    return type && type.getRank() >= 2 &&
           type.getElementType().isIntOrFloat() &&
           type.getElementTypeBitWidth() == 8;
  };
  Operation *conversion = value.getDefiningOp();
  // Each of these ops has as many elements as the one that it reads.
  while (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
    if (op.getNumReductionLoops() != 0 || op->getNumResults() != 1 ||
        isGather(op))
      return nullptr;
    Value next;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!op.getMatchingIndexingMap(input).isPermutation())
        continue;
      if (isOfBytes(input->get()) &&
          !isa_and_present<PagedGatherOp>(input->get().getDefiningOp()))
        return conversion;
      if (!next && input->get().getDefiningOp<linalg::LinalgOp>())
        next = input->get();
    }
    if (!next)
      return nullptr;
    value = next;
  }
  return nullptr;
}

/// Returns whether `root` multiplies weights and values of one f8 format, and
/// the values are contiguous along the summed dimension.
static bool multipliesWeightsOfF8(Operation *root, const RootDims &dims) {
  auto product = dyn_cast<linalg::LinalgOp>(root);
  if (!product || !linalg::isaContractionOpInterface(product))
    return false;
  AffineExpr keys = getAffineDimExpr(dims.keys, root->getContext());
  Type type = getElementTypeOrSelf(dims.online->get().getType());
  return isTileTypeOf8Bits(type) &&
         llvm::all_of(product.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = product.getMatchingIndexingMap(operand);
           return getElementTypeOrSelf(operand->get().getType()) == type &&
                  map.getResults().back() == keys;
         });
}

/// Returns the op that only moves the elements of `value`, such as a
/// transposition, or null.
static Operation *getMove(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op->getNumRegions() == 1 &&
                 op.getBlock()->without_terminator().empty() &&
                 op.getNumDpsInputs() == 1
             ? op.getOperation()
             : nullptr;
}

/// The most elements of a computed row and of its results together that threads
/// can hold. With 256 elements each, they take 64 and 128 registers.
static constexpr int64_t kMostHeldElements = 512;

/// Returns the ops that compute rows for the contractions that `root` reduces
/// online, if the rows have too many elements to be held.
static SmallVector<Operation *> findWideRows(Operation *root,
                                             const RootDims &dims) {
  std::optional<unsigned> keys =
      cast<IndexingMapOpInterface>(root)
          .getMatchingIndexingMap(dims.online)
          .getResultPosition(getAffineDimExpr(dims.keys, root->getContext()));
  int64_t rank = cast<ShapedType>(dims.online->get().getType()).getRank();
  SmallVector<Operation *> ops;
  int64_t held = dims.countColumns();
  for (linalg::LinalgOp scores : getContractions(dims.online->get())) {
    AffineMap written =
        scores.getMatchingIndexingMap(scores.getDpsInitOperand(0));
    if (!keys || written.getNumResults() != rank)
      continue;
    for (OpOperand *operand : scores.getDpsInputOperands()) {
      auto rows = operand->get().getDefiningOp<linalg::LinalgOp>();
      if (!rows || getMove(operand->get()) ||
          scores.getMatchingIndexingMap(operand).isFunctionOfDim(
              written.getDimPosition(*keys)))
        continue;
      ops.push_back(rows);
      // Vectors have a power of two of elements.
      SmallVector<unsigned> sums;
      scores.getReductionDims(sums);
      int64_t elements = 1;
      for (unsigned dim : sums)
        elements *= llvm::PowerOf2Ceil(
            std::max<int64_t>(scores.getStaticLoopRanges()[dim], 1));
      held += elements;
    }
  }
  return held > kMostHeldElements ? ops : SmallVector<Operation *>();
}

RootTiles mlir::linalg_ext::getRootTiles(Operation *root, const RootDims &dims,
                                         bool hasF8Products) {
  RootTiles tiles;
  linalg::LinalgOp scores = getContraction(dims.online->get());
  if (!scores) {
    tiles.reason = "no contraction computes the scores";
    return tiles;
  }
  SmallVector<Value> operands(scores.getDpsInputs());
  size_t numOfScores = operands.size();
  llvm::append_range(operands, getOtherOperands(root, dims));
  tiles.rows = findWideRows(root, dims);
  tiles.hasF8Scores = hasF8Products && multipliesF8(scores);
  bool hasF8Values = hasF8Products && multipliesWeightsOfF8(root, dims);
  bool &isGathered = tiles.isGathered;
  std::string &reason = tiles.reason;
  // Keys may be the values as well.
  auto store = [&](Operation *op) {
    if (!llvm::is_contained(tiles.stored, op))
      tiles.stored.push_back(op);
  };
  for (auto [number, operand] : llvm::enumerate(operands)) {
    // Visit the gathers from which the operand is computed without a reduction
    // in between.
    walkBackward(operand, [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (op && isGather(op)) {
        isGathered = true;
        if (reason.empty())
          reason = explainNoParts(op);
        return SmallVector<Value>();
      }
      auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
      return linalgOp && linalgOp.getNumReductionLoops() > 0
                 ? SmallVector<Value>()
                 : getOperandsOf(value);
    });
    if (!reason.empty() || (tiles.hasF8Scores && number < numOfScores))
      continue;
    if (hasF8Values && number >= numOfScores) {
      if (Operation *move = getMove(operand))
        store(move);
      reason = explainNoTiles(operand, /*mayHave8Bits=*/true);
      continue;
    }
    Operation *conversion = getConversionFromBytes(operand);
    if (conversion && explainNoStoredTiles(operand).empty())
      store(conversion);
    else
      reason = explainNoTiles(operand);
  }
  return tiles;
}
