//===- PackedContraction.cpp - Contractions of narrow elements ------------===//
//
// See PackedContraction.h. matchProduct recognises the payload,
// planPackedContraction chooses the register tile and checks the size of the
// panels, and emitPackedContraction emits the loops and the panels.
//
//===----------------------------------------------------------------------===//

#include "PackedContraction.h"
#include "LoopNest.h"

#include "mlir-ext/Support/CPUTarget.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include MLIR_EXT_X86_DIALECT_HEADER

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

int64_t PackedContraction::getSteps() const {
  switch (dot) {
  case StepDot::None:
    return 1;
  case StepDot::BF16:
  case StepDot::Words:
    return 2;
  case StepDot::MixedBytes:
  case StepDot::SignedBytes:
    return 4;
  }
  llvm_unreachable("all instructions are handled");
}

bool PackedContraction::invertsRow() const {
  return (dot == StepDot::MixedBytes && areLanesUnsigned == isRowUnsigned) ||
         (dot == StepDot::SignedBytes && isRowUnsigned);
}

bool PackedContraction::addsToRow() const {
  return dot == StepDot::MixedBytes && !areLanesUnsigned;
}

/// Returns the operand that `value` is an extension of to 32 bits. Returns null
/// if it is anything else.
static OpOperand *getExtended(linalg::LinalgOp op, Value value) {
  Operation *extend = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extend) ||
      value.getType().getIntOrFloatBitWidth() != 32 || !extend->hasOneUse())
    return nullptr;
  auto arg = dyn_cast<BlockArgument>(extend->getOperand(0));
  if (!arg || arg.getOwner() != op.getBlock() || !arg.hasOneUse())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(arg);
  return op.isDpsInput(operand) && isa<MemRefType>(operand->get().getType())
             ? operand
             : nullptr;
}

/// Returns the operands a and b of `out += ext(a) * ext(b)`, which have one
/// type.
static std::optional<std::pair<OpOperand *, OpOperand *>>
matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumDpsInputs() != 2)
    return std::nullopt;
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  Value out = op.getRegionOutputArgs().front(), left = add->getOperand(0),
        right = add->getOperand(1);
  Operation *product = (left == out ? right : left).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
      (left != out && right != out) || !product->hasOneUse())
    return std::nullopt;
  OpOperand *lhs = getExtended(op, product->getOperand(0));
  OpOperand *rhs = getExtended(op, product->getOperand(1));
  if (!lhs || !rhs || lhs == rhs ||
      getElementTypeOrSelf(lhs->get()) != getElementTypeOrSelf(rhs->get()))
    return std::nullopt;
  return std::make_pair(lhs, rhs);
}

std::optional<std::pair<OpOperand *, OpOperand *>>
mlir::linalg_ext::matchProductOfHalves(linalg::LinalgOp op) {
  auto operands = matchProduct(op);
  Type element =
      operands ? getElementTypeOrSelf(operands->first->get()) : Type();
  return element && (element.isF16() || element.isBF16()) ? operands
                                                          : std::nullopt;
}

std::optional<std::pair<OpOperand *, OpOperand *>>
mlir::linalg_ext::matchProductOfBytes(linalg::LinalgOp op) {
  auto operands = matchProduct(op);
  return operands && getElementTypeOrSelf(operands->first->get()).isInteger(8)
             ? operands
             : std::nullopt;
}

bool mlir::linalg_ext::isUnsignedFactor(linalg::LinalgOp op,
                                        OpOperand &operand) {
  return isa<arith::ExtUIOp>(
      *op.getMatchingBlockArgument(&operand).user_begin());
}

static Value callIntrinsic(OpBuilder &b, Location loc, Type type,
                           StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                       operands)
      .getResult(0);
}

Value mlir::linalg_ext::buildByteDot(OpBuilder &b, Location loc, StepDot dot,
                                     Value sums, Value first, Value second) {
  auto type = cast<VectorType>(sums.getType());
  std::string name = "llvm.aarch64.neon.sdot.v4i32.v16i8";
  if (dot == StepDot::MixedBytes)
    name = "llvm.x86.avx512.vpdpbusd." +
           std::to_string(32 * type.getNumElements());
  return callIntrinsic(b, loc, type, name, {sums, first, second});
}

/// Returns the instruction that multiplies the operands that `plan` packs, or
/// StepDot::None if `options` have none for them.
static StepDot getDot(const PackedContraction &plan,
                      const VectorizeBuffersOptions &options) {
  Type element = getElementTypeOrSelf(plan.lanes->get());
  if (element.isInteger(8)) {
    bool isWhole = plan.shape.lanes * 32 == options.vectorBits;
    if (options.byteProducts == ByteProducts::Fours && isWhole)
      return StepDot::MixedBytes;
    if (options.byteProducts == ByteProducts::Pairs && isWhole)
      return StepDot::Words;
    if (options.byteProducts == ByteProducts::SignedFours && isWhole &&
        !plan.areLanesUnsigned)
      return StepDot::SignedBytes;
    return StepDot::None;
  }
  return options.dotBF16 && plan.shape.lanes == 16 && element.isBF16()
             ? StepDot::BF16
             : StepDot::None;
}

std::optional<PackedContraction> mlir::linalg_ext::planPackedContraction(
    linalg::LinalgOp op, const RegisterTileShape &shape, int64_t rows,
    int64_t vectors, ArrayRef<int64_t> ranges,
    const VectorizeBuffersOptions &options) {
  auto ofBytes = matchProductOfBytes(op);
  auto operands = ofBytes ? ofBytes : matchProductOfHalves(op);
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
  // Rows are packed once for each block of lanes. A square tile has fewer
  // blocks of lanes.
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
  if (has(plan.row, shape.laneDim) || has(plan.lanes, *shape.rowDim))
    return std::nullopt;
  plan.lanesAlongSteps =
      getLaneAccess(op, *plan.lanes, shape.laneDim) != LaneAccess::Contiguous;
  if (plan.lanesAlongSteps &&
      (!ofBytes || getLaneAccess(op, *plan.lanes, *plan.shape.stepDim) !=
                       LaneAccess::Contiguous))
    return std::nullopt;
  auto isContiguous = [&](unsigned dim) {
    return getLaneAccess(op, *plan.row, dim) == LaneAccess::Contiguous;
  };
  plan.rowAlongSteps = isContiguous(*plan.shape.stepDim);
  if (!plan.rowAlongSteps && !isContiguous(*shape.rowDim))
    return std::nullopt;
  if (ofBytes) {
    plan.areLanesUnsigned = isUnsignedFactor(op, *plan.lanes);
    plan.isRowUnsigned = isUnsignedFactor(op, *plan.row);
  }
  plan.dot = getDot(plan, options);
  // Multiplying integers one at a time needs no panel.
  if (ofBytes && plan.dot == StepDot::None)
    return std::nullopt;
  int64_t width = std::max(shape.lanes * plan.vectors, plan.rows);
  int64_t most = CPUTarget::kPanelBytes / (4 * width) - shape.lanes;
  if (ofBytes)
    most = CPUTarget::kPanelBytesOfIntegers /
           (width * (plan.dot == StepDot::Words ? 2 : 1));
  if (ShapedType::isDynamic(plan.maxSteps) || plan.maxSteps > most)
    return std::nullopt;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && dim != shape.laneDim &&
        dim != *shape.rowDim)
      plan.outerDims.push_back(dim);
  return plan;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// How many lines ahead blocks that are transposed are prefetched.
static constexpr int64_t kLinesAhead = 2;
static constexpr int64_t kLine = CPUTarget::kLineBytes;

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
  Type narrow() const { return getElementTypeOrSelf(plan.lanes->get()); }
  Type packed() const {
    return plan.dot == StepDot::None    ? Type(b.getF32Type())
           : plan.dot == StepDot::Words ? Type(b.getI16Type())
                                        : narrow();
  }
  Type sum() const {
    return narrow().isInteger() ? Type(b.getI32Type()) : Type(b.getF32Type());
  }
  /// Returns false if the elements of the row operand that an instruction takes
  /// together are adjacent in memory already.
  bool needsRowPanel() const {
    return !(packed() == narrow() && plan.rowAlongSteps);
  }
  /// Returns the number of steps of a panel, rounded up to whole vectors. Each
  /// step behind the last whole group takes the place of a group.
  int64_t panelSteps() const {
    int64_t left = plan.getSteps() * (plan.getSteps() - 1);
    return llvm::alignTo(plan.maxSteps + (plan.getSteps() > 2 ? left : 0),
                         plan.shape.lanes);
  }
  /// Returns where the panel has the group that begins with step `ivs` of the
  /// loop, counted in steps.
  Value getPlace(bool isLast);

  Value createPanel(int64_t width);
  /// Returns the index of element `offset` of step `iv` in `panel`, which has
  /// `width` elements for each step.
  Value getIndex(Value iv, int64_t width, int64_t offset);
  Value loadPanel(Value panel, Value index, int64_t count);
  RegisterTile makeTile(const RegisterTileShape &shape, Value mask = {},
                        Value end = {}) {
    return RegisterTile(b, op, shape, ivs, mask, end);
  }
  Value makeEnd(unsigned dim, Value mask) {
    return mask ? getValueOrCreateConstantIndexOp(b, loc, sizes[dim]) : Value();
  }
  /// Extends an element of an operand to the type in which it is packed.
  Value extend(Value value, bool isUnsigned) {
    auto type = cast<VectorType>(value.getType()).clone(packed());
    if (type == value.getType())
      return value;
    if (type.getElementType().isF32())
      return arith::ExtFOp::create(b, loc, type, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(b, loc, type, value);
    return arith::ExtSIOp::create(b, loc, type, value);
  }
  /// Adds the products of `lanes` and `row` to `sums`, lane by lane.
  Value multiply(Value sums, Value lanes, Value row);
  /// Returns a vector of the lanes all of whose bytes are `value`.
  Value makeBytes(int64_t value);

  void emitOuterLoops(unsigned position);
  /// Packs `vectors` vectors of `shape` of `operand`, one after the other, for
  /// each step or group of steps. If the highest bits of the rows are inverted,
  /// returns the initial values of the sums of these lanes, one vector for each
  /// vector of lanes.
  Values packSteps(OpOperand &operand, RegisterTileShape shape, Value panel,
                   int64_t vectors, Value mask, bool isRow);
  /// Loads `steps` adjacent steps of each lane from `first` on. With `mask`,
  /// lanes behind the end repeat the last lane.
  Value loadWords(int64_t first, int64_t steps, Value mask);
  /// Converts `rows` rows along the steps, to a panel [rows][steps].
  void packAlongSteps(int64_t rows);
  void emitAccumulation(int64_t rows, int64_t vectors, Value mask,
                        ValueRange starts);
  /// Returns the sums after one group of steps. If `isLast`, only the first
  /// step of the group exists.
  Values emitStep(int64_t rows, int64_t vectors, bool isLast, ValueRange sums);
  /// Returns the factor of `row` at the current steps of the loop, broadcast to
  /// all lanes.
  Value loadRow(int64_t rows, int64_t row, bool isLast);

  const PackedContraction &plan;
  Value fill, lanePanel, rowPanel;
};
} // namespace

/// The panel is on the stack of the function, or of the thread that runs an
/// iteration.
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

Value PackedEmitter::getPlace(bool isLast) {
  Value step = ivs[stepDim()];
  int64_t steps = plan.getSteps();
  if (!isLast || steps <= 2)
    return step;
  AffineExpr size = b.getAffineSymbolExpr(0);
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc,
          b.getAffineDimExpr(0) * steps -
              size.floorDiv(steps) * (steps * (steps - 1)),
          {OpFoldResult(step), sizes[stepDim()]}));
}

Value PackedEmitter::makeBytes(int64_t value) {
  auto type = VectorType::get({plan.shape.lanes * 4}, b.getI8Type());
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, APInt(8, value, /*isSigned=*/true)));
}

Value PackedEmitter::multiply(Value sums, Value lanes, Value row) {
  auto call = [&](StringRef name, ValueRange operands) -> Value {
    return callIntrinsic(b, loc, sums.getType(), name, operands);
  };
  int64_t bits = 32 * plan.shape.lanes;
  switch (plan.dot) {
  case StepDot::None:
    return vector::FMAOp::create(b, loc, lanes, row, sums);
  case StepDot::BF16:
    return X86DotBF16Op::create(b, loc, sums.getType(), sums, lanes, row);
  case StepDot::Words:
    return arith::AddIOp::create(b, loc, sums,
                                 call(bits == 512
                                          ? "llvm.x86.avx512.pmaddw.d.512"
                                      : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                                                    : "llvm.x86.sse2.pmadd.wd",
                                      {lanes, row}));
  case StepDot::MixedBytes:
    if (plan.areLanesUnsigned)
      return buildByteDot(b, loc, plan.dot, sums, lanes, row);
    return buildByteDot(b, loc, plan.dot, sums, row, lanes);
  case StepDot::SignedBytes:
    return buildByteDot(b, loc, plan.dot, sums, lanes, row);
  }
  llvm_unreachable("all instructions are handled");
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
        Values starts = packSteps(*plan.lanes, plan.shape, lanePanel, vectors,
                                  mask, /*isRow=*/false);
        emitRowBlocks(rowDim(), plan.rows, plan.restRows, [&](int64_t rows) {
          if (needsRowPanel() && plan.rowAlongSteps)
            packAlongSteps(rows);
          else if (needsRowPanel())
            packSteps(*plan.row, {rowDim(), std::nullopt, stepDim(), rows},
                      rowPanel, 1, {}, /*isRow=*/true);
          emitAccumulation(rows, vectors, mask, starts);
        });
        return Values();
      });
}

SmallVector<Value> PackedEmitter::packSteps(OpOperand &operand,
                                            RegisterTileShape shape,
                                            Value panel, int64_t vectors,
                                            Value mask, bool isRow) {
  int64_t width = vectors * shape.lanes, group = plan.getSteps();
  bool isUnsigned = isRow ? plan.isRowUnsigned : plan.areLanesUnsigned;
  bool makesUp = !isRow && plan.invertsRow();
  auto interleave = [&](Value a, Value c) -> Value {
    return vector::InterleaveOp::create(b, loc, a, c);
  };
  bool isAlongSteps = !isRow && plan.lanesAlongSteps;
  auto store = [&](Value packed, Value place, int64_t vector, int64_t step,
                   Values &results) {
    vector::StoreOp::create(
        b, loc, packed, panel,
        ValueRange{getIndex(place, width,
                            step * width + group * vector * shape.lanes)});
    // The sum is 128 times the lanes. Signed bytes cannot represent 128, so
    // 64 is multiplied twice.
    if (makesUp)
      for (int64_t i = 0; i < (plan.addsToRow() ? 1 : 2); ++i)
        results[vector] = multiply(results[vector], packed,
                                   makeBytes(plan.addsToRow() ? -128 : 64));
  };
  auto emitSteps = [&](int64_t steps, ValueRange sums) {
    RegisterTile tile = makeTile(shape, mask, makeEnd(shape.laneDim, mask));
    Value place = getPlace(/*isLast=*/steps < group);
    Values results(sums);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Values loaded;
      for (int64_t step = 0; step < group && !isAlongSteps; ++step)
        loaded.push_back(
            step < steps
                ? extend(tile.load(operand, {0, vector, step}), isUnsigned)
                : arith::ConstantOp::create(
                      b, loc, b.getZeroAttr(loaded.front().getType()))
                      .getResult());
      Value packed = isAlongSteps ? loadWords(vector * shape.lanes, steps, mask)
                                  : loaded.front();
      if (!isAlongSteps && group == 2)
        packed = interleave(loaded[0], loaded[1]);
      else if (!isAlongSteps && group == 4)
        packed = interleave(interleave(loaded[0], loaded[2]),
                            interleave(loaded[1], loaded[3]));
      store(packed, place, vector, 0, results);
    }
    return results;
  };
  // As many groups as lanes are a block of each lane, which is transposed. A
  // line of the operand is then read at once: lines of several lanes may have
  // the same set of the cache.
  int64_t block = shape.lanes * group;
  auto emitBlock = [&](ValueRange sums) {
    RegisterTile tile = makeTile(shape, mask, makeEnd(shape.laneDim, mask));
    RegisterTileShape line = shape;
    line.lanes = 1;
    RegisterTile lines = makeTile(line);
    Values results(sums);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      // Lines of different lanes are too far apart for the hardware to see.
      for (int64_t lane = 0; lane < shape.lanes && block % kLine == 0; ++lane)
        lines.prefetch(operand, {0, vector * shape.lanes + lane, 0}, stepDim(),
                       kLinesAhead * kLine);
      tile.loadTransposed(operand, {0, vector, 0}, group);
      for (int64_t step = 0; step < block; step += group)
        store(extend(tile.load(operand, {0, vector, step}), isUnsigned),
              ivs[stepDim()], vector, step, results);
    }
    return results;
  };
  Values sums;
  if (makesUp)
    sums.assign(vectors,
                arith::ConstantOp::create(b, loc,
                                          b.getZeroAttr(VectorType::get(
                                              {shape.lanes}, b.getI32Type()))));
  OpFoldResult from = b.getIndexAttr(0);
  if (isAlongSteps) {
    OpFoldResult blocks = roundDown(sizes[stepDim()], block);
    sums = emitLoop(stepDim(), from, blocks, block, sums, emitBlock);
    from = blocks;
  }
  if (group > 1) {
    OpFoldResult groups = roundDown(sizes[stepDim()], group);
    sums = emitLoop(stepDim(), from, groups, group, sums,
                    [&](ValueRange args) { return emitSteps(group, args); });
    from = groups;
  }
  return emitLoop(stepDim(), from, sizes[stepDim()], 1, sums,
                  [&](ValueRange args) { return emitSteps(1, args); });
}

Value PackedEmitter::loadWords(int64_t first, int64_t steps, Value mask) {
  int64_t lanes = plan.shape.lanes, group = plan.getSteps();
  unsigned laneDim = plan.shape.laneDim;
  auto word = VectorType::get({1}, b.getI32Type());
  RegisterTileShape shape{stepDim(), std::nullopt, std::nullopt, steps};
  Value outer = ivs[laneDim];
  Value start =
      outer ? outer : arith::ConstantIndexOp::create(b, loc, 0).getResult();
  Values words;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    AffineExpr at = b.getAffineDimExpr(0) + (first + lane);
    OpFoldResult place = affine::makeComposedFoldedAffineApply(
        b, loc, at, {OpFoldResult(start)});
    if (mask)
      place = affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(1, 1, {at, b.getAffineSymbolExpr(0) - 1},
                         b.getContext()),
          {OpFoldResult(start), sizes[laneDim]});
    ivs[laneDim] = getValueOrCreateConstantIndexOp(b, loc, place);
    Value loaded =
        RegisterTile(b, op, shape, ivs, {}, {}).load(*plan.lanes, {0, 0, 0});
    if (!isa<VectorType>(loaded.getType()))
      loaded = vector::BroadcastOp::create(
          b, loc, VectorType::get({1}, loaded.getType()), loaded);
    loaded = extend(loaded, plan.areLanesUnsigned);
    if (steps < group) {
      Values all(group,
                 arith::ConstantOp::create(b, loc, b.getZeroAttr(packed())));
      for (int64_t step = 0; step < steps; ++step)
        all[step] = vector::ExtractOp::create(b, loc, loaded, step);
      loaded = vector::FromElementsOp::create(
          b, loc, VectorType::get({group}, packed()), all);
    }
    words.push_back(vector::ExtractOp::create(
        b, loc, vector::BitCastOp::create(b, loc, word, loaded), 0));
  }
  ivs[laneDim] = outer;
  Value all = vector::FromElementsOp::create(
      b, loc, VectorType::get({lanes}, b.getI32Type()), words);
  return vector::BitCastOp::create(
      b, loc, VectorType::get({group * lanes}, packed()), all);
}

void PackedEmitter::packAlongSteps(int64_t rows) {
  RegisterTileShape shape{stepDim(), rowDim(), std::nullopt, plan.shape.lanes};
  emitLaneBlocks(
      stepDim(), shape.lanes, 1, {}, [&](int64_t, Value mask, ValueRange) {
        RegisterTile tile = makeTile(shape, mask, makeEnd(stepDim(), mask));
        for (int64_t row = 0; row < rows; ++row)
          vector::StoreOp::create(
              b, loc,
              extend(tile.load(*plan.row, {row, 0, 0}), plan.isRowUnsigned),
              rowPanel,
              ValueRange{getIndex(ivs[stepDim()], 1, row * panelSteps())});
        return Values();
      });
}

Value PackedEmitter::loadRow(int64_t rows, int64_t row, bool isLast) {
  Value step = ivs[stepDim()];
  int64_t group = plan.getSteps();
  if (plan.dot == StepDot::None) {
    Value index = plan.rowAlongSteps ? getIndex(step, 1, row * panelSteps())
                                     : getIndex(step, rows, row);
    Value scalar = memref::LoadOp::create(b, loc, rowPanel, ValueRange{index});
    return vector::BroadcastOp::create(
        b, loc, VectorType::get({plan.shape.lanes}, b.getF32Type()), scalar);
  }
  Value elements;
  if (rowPanel && plan.rowAlongSteps) {
    // The lanes are zero where a step does not exist, so the value of the row
    // does not matter there.
    elements =
        loadPanel(rowPanel, getIndex(step, 1, row * panelSteps()), group);
  } else if (rowPanel) {
    elements = loadPanel(rowPanel,
                         getIndex(getPlace(isLast), rows, group * row), group);
  } else if (isLast) {
    RegisterTile tile = makeTile(plan.shape);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(packed()));
    Values all(group, none);
    all.front() = tile.load(*plan.row, {row, 0, 0});
    elements = vector::FromElementsOp::create(
        b, loc, VectorType::get({group}, packed()), all);
  } else {
    RegisterTile tile =
        makeTile({stepDim(), rowDim(), std::nullopt, /*lanes=*/group});
    elements = tile.load(*plan.row, {row, 0, 0});
  }
  auto word = VectorType::get({1}, b.getI32Type());
  Value bits = vector::ExtractOp::create(
      b, loc, vector::BitCastOp::create(b, loc, word, elements), 0);
  if (plan.invertsRow())
    bits = arith::XOrIOp::create(
        b, loc, bits,
        arith::ConstantOp::create(
            b, loc, b.getI32IntegerAttr(static_cast<int32_t>(0x80808080))));
  auto words = VectorType::get({plan.shape.lanes}, b.getI32Type());
  return vector::BitCastOp::create(
      b, loc, VectorType::get({group * plan.shape.lanes}, packed()),
      vector::BroadcastOp::create(b, loc, words, bits));
}

SmallVector<Value> PackedEmitter::emitStep(int64_t rows, int64_t vectors,
                                           bool isLast, ValueRange sums) {
  int64_t lanes = plan.shape.lanes, width = vectors * lanes;
  int64_t count = plan.getSteps() * lanes;
  Values loaded, results(sums);
  Value place = getPlace(isLast);
  for (int64_t vector = 0; vector < vectors; ++vector)
    loaded.push_back(
        loadPanel(lanePanel, getIndex(place, width, vector * count), count));
  for (int64_t row = 0; row < rows; ++row) {
    Value factor = loadRow(rows, row, isLast);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value &sum = results[row * vectors + vector];
      sum = multiply(sum, loaded[vector], factor);
    }
  }
  return results;
}

void PackedEmitter::emitAccumulation(int64_t rows, int64_t vectors, Value mask,
                                     ValueRange starts) {
  OpOperand &output = *op.getDpsInitOperand(0);
  RegisterTile tile =
      makeTile(plan.shape, mask, makeEnd(plan.shape.laneDim, mask));
  // The initial value of the output is added at the end, as in
  // VectorizeBuffers.cpp.
  bool isInteger = sum().isInteger();
  bool startsFromFill =
      fill && (isInteger || matchPattern(fill, m_AnyZeroFloat()));
  Value start = fill;
  if (!startsFromFill)
    start = arith::ConstantOp::create(
        b, loc,
        isInteger ? TypedAttr(b.getI32IntegerAttr(0))
                  : TypedAttr(b.getF32FloatAttr(-0.0f)));
  Values sums(rows * vectors, tile.toVector(start));
  for (auto [vector, made] : llvm::enumerate(starts)) {
    Value first =
        plan.addsToRow()
            ? arith::SubIOp::create(b, loc, sums[vector], made).getResult()
            : arith::AddIOp::create(b, loc, sums[vector], made).getResult();
    for (int64_t row = 0; row < rows; ++row)
      sums[row * vectors + vector] = first;
  }
  OpFoldResult zero = b.getIndexAttr(0), size = sizes[stepDim()], from = zero;
  if (int64_t group = plan.getSteps(); group > 1) {
    from = roundDown(size, group);
    sums = emitLoop(stepDim(), zero, from, group, sums, [&](ValueRange args) {
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
      if (!startsFromFill) {
        Value before =
            tile.toVector(fill ? fill : Value(tile.load(output, point)));
        sum = isInteger
                  ? arith::AddIOp::create(b, loc, before, sum).getResult()
                  : arith::AddFOp::create(b, loc, before, sum).getResult();
      }
      tile.store(output, point, sum);
    }
}

void mlir::linalg_ext::emitPackedContraction(OpBuilder &b, linalg::LinalgOp op,
                                             const PackedContraction &plan,
                                             Value fill) {
  PackedEmitter(b, op, plan, fill).run();
}
