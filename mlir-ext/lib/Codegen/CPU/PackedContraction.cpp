//===- PackedContraction.cpp - Contractions of f16 and bf16 ---------------===//
//
// See PackedContraction.h. matchProductOfHalves recognises the payload,
// planPackedContraction chooses the register tile and checks the size of the
// panels, and emitPackedContraction emits the loops and the panels.
//
//===----------------------------------------------------------------------===//

#include "PackedContraction.h"
#include "LoopNest.h"

#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include MLIR_EXT_X86_DIALECT_HEADER

using namespace mlir;
using namespace mlir::linalg_ext;

/// Bytes of a panel at most: it is to stay in the cache that is nearest.
static constexpr int64_t maxPanelBytes = 64 * 1024;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// The operand that `value` extends to f32, if it does nothing else.
static OpOperand *getExtended(linalg::LinalgOp op, Value value) {
  auto extend = value.getDefiningOp<arith::ExtFOp>();
  if (!extend || !extend.getType().isF32() || !extend->hasOneUse())
    return nullptr;
  auto arg = dyn_cast<BlockArgument>(extend.getIn());
  if (!arg || arg.getOwner() != op.getBlock() || !arg.hasOneUse())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(arg);
  return op.isDpsInput(operand) && isa<MemRefType>(operand->get().getType())
             ? operand
             : nullptr;
}

std::optional<std::pair<OpOperand *, OpOperand *>>
mlir::linalg_ext::matchProductOfHalves(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 2)
    return std::nullopt;
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  Value out = op.getRegionOutputArgs().front();
  auto product = (add.getLhs() == out ? add.getRhs() : add.getLhs())
                     .getDefiningOp<arith::MulFOp>();
  if (!product || (add.getLhs() != out && add.getRhs() != out) ||
      !product->hasOneUse())
    return std::nullopt;
  OpOperand *lhs = getExtended(op, product.getLhs());
  OpOperand *rhs = getExtended(op, product.getRhs());
  if (!lhs || !rhs || lhs == rhs ||
      getElementTypeOrSelf(lhs->get()) != getElementTypeOrSelf(rhs->get()))
    return std::nullopt;
  Type element = getElementTypeOrSelf(lhs->get());
  if (!element.isF16() && !element.isBF16())
    return std::nullopt;
  return std::make_pair(lhs, rhs);
}

std::optional<PackedContraction> mlir::linalg_ext::planPackedContraction(
    linalg::LinalgOp op, const RegisterTileShape &shape, int64_t rows,
    int64_t vectors, ArrayRef<int64_t> ranges, bool dotBF16) {
  auto operands = matchProductOfHalves(op);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!operands || reductions.size() != 1 || !shape.rowDim ||
      reductions.front() == shape.laneDim)
    return std::nullopt;
  PackedContraction plan;
  plan.shape = shape;
  plan.shape.stepDim = reductions.front();
  plan.rows = rows;
  plan.vectors = vectors;
  // Rows are packed once for each block of lanes. With a square tile there are
  // fewer blocks of lanes.
  int64_t range = ranges[shape.laneDim];
  while (plan.rows % 4 == 0 && plan.rows >= 2 * plan.vectors &&
         (ShapedType::isDynamic(range) ||
          range >= 2 * plan.vectors * shape.lanes)) {
    plan.rows /= 2;
    plan.vectors *= 2;
  }
  if (int64_t most = ranges[*shape.rowDim]; !ShapedType::isDynamic(most))
    plan.restRows = most % plan.rows;
  plan.maxSteps = ranges[reductions.front()];
  std::tie(plan.lanes, plan.row) = *operands;
  auto has = [&](OpOperand *operand, unsigned dim) {
    return op.getMatchingIndexingMap(operand).isFunctionOfDim(dim);
  };
  if (!has(plan.lanes, shape.laneDim))
    std::swap(plan.lanes, plan.row);
  if (has(plan.row, shape.laneDim) || has(plan.lanes, *shape.rowDim) ||
      getLaneAccess(op, *plan.lanes, shape.laneDim) != LaneAccess::Contiguous)
    return std::nullopt;
  auto isContiguous = [&](unsigned dim) {
    return getLaneAccess(op, *plan.row, dim) == LaneAccess::Contiguous;
  };
  plan.rowAlongSteps = isContiguous(*plan.shape.stepDim);
  if (!plan.rowAlongSteps && !isContiguous(*shape.rowDim))
    return std::nullopt;
  int64_t widest = std::max(shape.lanes * plan.vectors, plan.rows) * 4;
  if (ShapedType::isDynamic(plan.maxSteps) ||
      plan.maxSteps > maxPanelBytes / widest - shape.lanes)
    return std::nullopt;
  plan.dotBF16 = dotBF16 && shape.lanes == 16 &&
                 getElementTypeOrSelf(plan.lanes->get()).isBF16();
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && dim != shape.laneDim &&
        dim != *shape.rowDim)
      plan.outerDims.push_back(dim);
  return plan;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
class PackedEmitter : public LoopNest {
public:
  PackedEmitter(OpBuilder &b, linalg::LinalgOp op,
                const PackedContraction &plan, Value fill)
      : LoopNest(b, op), plan(plan), fill(fill),
        lanePanel(createPanel(plan.vectors * plan.shape.lanes)),
        rowPanel(needsRowPanel() ? createPanel(plan.rows) : Value()) {}

  void run() { emitOuterLoops(0); }

private:
  unsigned stepDim() const { return *plan.shape.stepDim; }
  unsigned rowDim() const { return *plan.shape.rowDim; }
  Type half() const { return getElementTypeOrSelf(plan.lanes->get()); }
  Type packed() const { return plan.dotBF16 ? half() : Type(b.getF32Type()); }
  /// False if the pairs of the row operand are already adjacent in memory.
  bool needsRowPanel() const { return !(plan.dotBF16 && plan.rowAlongSteps); }
  /// The number of steps of a panel, rounded up to whole pairs and vectors.
  int64_t panelSteps() const {
    return llvm::alignTo(plan.maxSteps, plan.shape.lanes);
  }

  Value createPanel(int64_t width);
  /// Element `offset` of step `iv` of `panel`, which has `width` elements a
  /// step.
  Value getIndex(Value iv, int64_t width, int64_t offset);
  Value loadPanel(Value panel, Value index, int64_t count);
  RegisterTile makeTile(const RegisterTileShape &shape, Value mask = {},
                        Value end = {}) {
    return RegisterTile(b, op, shape, ivs, mask, end);
  }
  Value makeEnd(unsigned dim, Value mask) {
    return mask ? getValueOrCreateConstantIndexOp(b, loc, sizes[dim]) : Value();
  }
  Value extend(Value value) {
    auto type = cast<VectorType>(value.getType());
    return arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()), value);
  }

  void emitOuterLoops(unsigned position);
  /// Packs `vectors` vectors of `shape` of `operand` one after the other, for
  /// each step or pair of steps.
  void packSteps(OpOperand &operand, RegisterTileShape shape, Value panel,
                 int64_t vectors, Value mask);
  /// Converts `rows` rows along the steps: [rows][steps].
  void packAlongSteps(int64_t rows);
  void emitAccumulation(int64_t rows, int64_t vectors, Value mask);
  /// Returns the sums after one step or, with pairs, after two steps. If
  /// `isLast`, the second step of the pair does not exist.
  Values emitStep(int64_t rows, int64_t vectors, bool isLast, ValueRange sums);
  /// The factor of `row` at the step or pair of the loop, in all lanes.
  Value loadRow(int64_t rows, int64_t row, bool isLast);

  const PackedContraction &plan;
  Value fill, lanePanel, rowPanel;
};
} // namespace

/// On the stack of the function, or of the thread that does an iteration.
Value PackedEmitter::createPanel(int64_t width) {
  Operation *scope = op;
  do {
    scope = scope->getParentOp();
  } while (!isa<FunctionOpInterface, scf::ParallelOp, scf::ForallOp>(scope) &&
           scope->getParentOp() &&
           !scope->hasTrait<OpTrait::IsIsolatedFromAbove>());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&scope->getRegion(0).front());
  return memref::AllocaOp::create(
      b, loc, MemRefType::get({panelSteps() * width}, packed()),
      b.getI64IntegerAttr(64));
}

Value PackedEmitter::getIndex(Value iv, int64_t width, int64_t offset) {
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineDimExpr(0) * width + offset, {OpFoldResult(iv)}));
}

Value PackedEmitter::loadPanel(Value panel, Value index, int64_t count) {
  return vector::LoadOp::create(b, loc, VectorType::get({count}, packed()),
                                panel, ValueRange{index});
}

void PackedEmitter::emitOuterLoops(unsigned position) {
  if (position < plan.outerDims.size()) {
    unsigned dim = plan.outerDims[position];
    emitLoop(dim, b.getIndexAttr(0), sizes[dim], 1, {}, [&](ValueRange) {
      emitOuterLoops(position + 1);
      return Values();
    });
    return;
  }
  emitLaneBlocks(
      plan.shape.laneDim, plan.shape.lanes, plan.vectors, {},
      [&](int64_t vectors, Value mask, ValueRange) {
        packSteps(*plan.lanes, plan.shape, lanePanel, vectors, mask);
        emitRowBlocks(rowDim(), plan.rows, plan.restRows, [&](int64_t rows) {
          if (needsRowPanel() && plan.rowAlongSteps)
            packAlongSteps(rows);
          else if (needsRowPanel())
            packSteps(*plan.row, {rowDim(), std::nullopt, stepDim(), rows},
                      rowPanel, 1, {});
          emitAccumulation(rows, vectors, mask);
        });
        return Values();
      });
}

void PackedEmitter::packSteps(OpOperand &operand, RegisterTileShape shape,
                              Value panel, int64_t vectors, Value mask) {
  int64_t width = vectors * shape.lanes;
  auto store = [&](Value value, int64_t offset) {
    vector::StoreOp::create(
        b, loc, value, panel,
        ValueRange{getIndex(ivs[stepDim()], width, offset)});
  };
  auto emitSteps = [&](int64_t steps) {
    RegisterTile tile = makeTile(shape, mask, makeEnd(shape.laneDim, mask));
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value first = tile.load(operand, {0, vector, 0});
      if (!plan.dotBF16) {
        store(extend(first), vector * shape.lanes);
        continue;
      }
      Value second = steps == 2 ? tile.load(operand, {0, vector, 1})
                                : arith::ConstantOp::create(
                                      b, loc, b.getZeroAttr(first.getType()));
      store(vector::InterleaveOp::create(b, loc, first, second),
            2 * vector * shape.lanes);
    }
  };
  OpFoldResult zero = b.getIndexAttr(0), from = zero;
  if (plan.dotBF16) {
    from = roundDown(sizes[stepDim()], 2);
    emitLoop(stepDim(), zero, from, 2, {}, [&](ValueRange) {
      emitSteps(2);
      return Values();
    });
  }
  emitLoop(stepDim(), from, sizes[stepDim()], 1, {}, [&](ValueRange) {
    emitSteps(1);
    return Values();
  });
}

void PackedEmitter::packAlongSteps(int64_t rows) {
  RegisterTileShape shape{stepDim(), rowDim(), std::nullopt, plan.shape.lanes};
  emitLaneBlocks(
      stepDim(), shape.lanes, 1, {}, [&](int64_t, Value mask, ValueRange) {
        RegisterTile tile = makeTile(shape, mask, makeEnd(stepDim(), mask));
        for (int64_t row = 0; row < rows; ++row)
          vector::StoreOp::create(
              b, loc, extend(tile.load(*plan.row, {row, 0, 0})), rowPanel,
              ValueRange{getIndex(ivs[stepDim()], 1, row * panelSteps())});
        return Values();
      });
}

Value PackedEmitter::loadRow(int64_t rows, int64_t row, bool isLast) {
  Value step = ivs[stepDim()];
  if (!plan.dotBF16) {
    Value index = plan.rowAlongSteps ? getIndex(step, 1, row * panelSteps())
                                     : getIndex(step, rows, row);
    Value scalar = memref::LoadOp::create(b, loc, rowPanel, ValueRange{index});
    return vector::BroadcastOp::create(
        b, loc, VectorType::get({plan.shape.lanes}, b.getF32Type()), scalar);
  }
  Value pair;
  if (rowPanel) {
    pair = loadPanel(rowPanel, getIndex(step, rows, 2 * row), 2);
  } else if (isLast) {
    RegisterTile tile = makeTile(plan.shape);
    Value first = tile.load(*plan.row, {row, 0, 0});
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(half()));
    pair = vector::FromElementsOp::create(b, loc, VectorType::get({2}, half()),
                                          ValueRange{first, none});
  } else {
    RegisterTile tile =
        makeTile({stepDim(), rowDim(), std::nullopt, /*lanes=*/2});
    pair = tile.load(*plan.row, {row, 0, 0});
  }
  auto word = VectorType::get({1}, b.getI32Type());
  Value bits = vector::ExtractOp::create(
      b, loc, vector::BitCastOp::create(b, loc, word, pair), 0);
  auto words = VectorType::get({plan.shape.lanes}, b.getI32Type());
  return vector::BitCastOp::create(
      b, loc, VectorType::get({2 * plan.shape.lanes}, half()),
      vector::BroadcastOp::create(b, loc, words, bits));
}

SmallVector<Value> PackedEmitter::emitStep(int64_t rows, int64_t vectors,
                                           bool isLast, ValueRange sums) {
  int64_t lanes = plan.shape.lanes, width = vectors * lanes;
  int64_t count = plan.dotBF16 ? 2 * lanes : lanes;
  Values loaded, results(sums);
  for (int64_t vector = 0; vector < vectors; ++vector)
    loaded.push_back(loadPanel(
        lanePanel, getIndex(ivs[stepDim()], width, vector * count), count));
  for (int64_t row = 0; row < rows; ++row) {
    Value factor = loadRow(rows, row, isLast);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value &sum = results[row * vectors + vector];
      if (plan.dotBF16)
        sum = X86DotBF16Op::create(b, loc, sum.getType(), sum, loaded[vector],
                                   factor);
      else
        sum = vector::FMAOp::create(b, loc, loaded[vector], factor, sum);
    }
  }
  return results;
}

void PackedEmitter::emitAccumulation(int64_t rows, int64_t vectors,
                                     Value mask) {
  OpOperand &output = *op.getDpsInitOperand(0);
  RegisterTile tile =
      makeTile(plan.shape, mask, makeEnd(plan.shape.laneDim, mask));
  // What the output has is added at the end, as in VectorizeBuffers.cpp.
  Value start = fill;
  if (!fill)
    start = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(-0.0f));
  Values sums(rows * vectors, tile.toVector(start));
  OpFoldResult zero = b.getIndexAttr(0), size = sizes[stepDim()], from = zero;
  if (plan.dotBF16) {
    from = roundDown(size, 2);
    sums = emitLoop(stepDim(), zero, from, 2, sums, [&](ValueRange args) {
      return emitStep(rows, vectors, /*isLast=*/false, args);
    });
  }
  sums = emitLoop(stepDim(), from, size, 1, sums, [&](ValueRange args) {
    return emitStep(rows, vectors, /*isLast=*/true, args);
  });
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t vector = 0; vector < vectors; ++vector) {
      TilePoint point{row, vector, 0};
      Value sum = sums[row * vectors + vector];
      if (!fill)
        sum = arith::AddFOp::create(
            b, loc, tile.toVector(tile.load(output, point)), sum);
      tile.store(output, point, sum);
    }
}

void mlir::linalg_ext::emitPackedContraction(OpBuilder &b, linalg::LinalgOp op,
                                             const PackedContraction &plan,
                                             Value fill) {
  PackedEmitter(b, op, plan, fill).run();
}
