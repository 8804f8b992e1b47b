//===- StepDivisions.cpp - Quotients that loops carry ---------------------===//
//
// If a page has an unknown number of rows, the page of a position is a
// quotient. A GPU has no instruction for that: it takes 30 to 100 instructions,
// and a branch on the size of the numbers. From one iteration to the next, a
// position grows by the step of the loop. So its quotient and remainder grow by
// those of the step. If the sum of the remainders is not less than the divisor,
// the divisor is subtracted from it, and the quotient grows by one more. This
// step lets the loop carry both numbers.
//
// Copies run ahead, so a loop divides positions of several iterations. The
// quotient of an earlier position is one that a previous iteration has
// computed.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most earlier iterations whose quotients are carried.
static constexpr int64_t kMostLag = 2;

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {
/// A value that grows by `perStep` times the step of a loop in each iteration.
/// The rest, `rest`, does not change in the loop.
struct Position {
  IndexPolynomial rest;
  int64_t perStep = 0;

  Position operator+(const Position &other) const {
    return {rest + other.rest, perStep + other.perStep};
  }
  Position operator-(const Position &other) const {
    return {rest - other.rest, perStep - other.perStep};
  }
};

/// Describes values as positions in a loop, or outside of all loops if there is
/// no loop.
class Positions {
public:
  Positions(IndexAnalysis &analysis, scf::ForOp loop)
      : analysis(analysis), loop(loop) {}

  /// Returns `value`, or the number that all of its elements are, as a
  /// position. Returns std::nullopt if it is not one.
  std::optional<Position> get(Value value, unsigned depth = 16);

  /// Returns whether `value` is the same in each iteration.
  bool isInvariant(Value value, unsigned depth = 16);

private:
  std::optional<Position> get(AffineExpr expr, affine::AffineApplyOp op,
                              unsigned depth);

  IndexAnalysis &analysis;
  scf::ForOp loop;
};
} // namespace

bool Positions::isInvariant(Value value, unsigned depth) {
  if (!loop || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth != 0 && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isInvariant(operand, depth - 1);
         });
}

std::optional<Position>
Positions::get(AffineExpr expr, affine::AffineApplyOp op, unsigned depth) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Position{constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(op.getMapOperands()[dim.getPosition()], depth);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(op.getMapOperands()[op.getAffineMap().getNumDims() +
                                   symbol.getPosition()],
               depth);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() != AffineExprKind::Add &&
      expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  std::optional<Position> lhs = get(binary.getLHS(), op, depth);
  std::optional<Position> rhs =
      lhs ? get(binary.getRHS(), op, depth) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  if (lhs->perStep != 0 || rhs->perStep != 0)
    return std::nullopt;
  return Position{lhs->rest * rhs->rest};
}

std::optional<Position> Positions::get(Value value, unsigned depth) {
  if (depth == 0)
    return std::nullopt;
  if (loop && value == loop.getInductionVar())
    return Position{0, 1};
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Position{constant.getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op))
    return isa<VectorType>(broadcast.getSourceType())
               ? std::nullopt
               : get(broadcast.getSource(), depth - 1);
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op)) {
    std::optional<Position> lhs = get(op->getOperand(0), depth - 1);
    std::optional<Position> rhs =
        lhs ? get(op->getOperand(1), depth - 1) : std::nullopt;
    if (!rhs)
      return std::nullopt;
    return isa<arith::AddIOp>(op) ? *lhs + *rhs : *lhs - *rhs;
  }
  if (!value.getType().isIndex())
    return std::nullopt;
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    if (std::optional<Position> position =
            get(apply.getAffineMap().getResult(0), apply, depth - 1))
      return position;
  if (!isInvariant(value))
    return std::nullopt;
  return Position{analysis.get(value)};
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

namespace {
/// A quotient in a loop: `position` divided by `divisor`.
struct Division {
  arith::FloorDivSIOp op;
  Value divisor;
  Position position;
};

/// Quotients by one divisor of positions that differ by a number of iterations.
struct Group {
  /// Each quotient, and how many iterations it is behind the first one.
  SmallVector<std::pair<Division, int64_t>> members;
  /// A quotient before the loop that equals the last one of the list in the
  /// first iteration. Null if there is none.
  Value start;
};
} // namespace

/// Returns the scalar that all elements of `value` are. Null if it is not
/// known.
static Value getScalar(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  return isa<VectorType>(value.getType()) ? Value() : value;
}

/// Returns a quotient outside of the loop that equals `last` in the first
/// iteration.
static Value findStart(Division last, scf::ForOp loop,
                       ArrayRef<arith::FloorDivSIOp> all,
                       IndexAnalysis &analysis, DominanceInfo &dominance) {
  Positions outside(analysis, {});
  std::optional<Position> first = outside.get(loop.getLowerBound());
  if (!first)
    return {};
  IndexPolynomial wanted = first->rest + last.position.rest;
  for (arith::FloorDivSIOp op : all) {
    if (op.getType() != last.op.getType() ||
        getScalar(op.getRhs()) != last.divisor ||
        !dominance.properlyDominates(op.getOperation(), loop))
      continue;
    std::optional<Position> position = outside.get(op.getLhs());
    if (position && position->rest == wanted)
      return op.getResult();
  }
  return {};
}

/// Groups the quotients of `loop`.
static SmallVector<Group>
findGroups(scf::ForOp loop, ArrayRef<arith::FloorDivSIOp> all,
           IndexAnalysis &analysis, DominanceInfo &dominance,
           llvm::function_ref<bool(Value)> isPositive) {
  SmallVector<Division> divisions;
  Positions positions(analysis, loop);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!loop.getInductionVar().getType().isIndex() || !step || *step <= 0)
    return {};
  for (auto op : loop.getBody()->getOps<arith::FloorDivSIOp>()) {
    Value divisor = getScalar(op.getRhs());
    if (!divisor || !divisor.getType().isIndex() ||
        !loop.isDefinedOutsideOfLoop(divisor) || getConstantIntValue(divisor) ||
        !isPositive(divisor))
      continue;
    std::optional<Position> position = positions.get(op.getLhs());
    if (position && position->perStep == 1)
      divisions.push_back({op, divisor, *position});
  }
  SmallVector<Group> groups;
  while (!divisions.empty()) {
    // How many iterations each quotient is ahead of the first one of the list.
    SmallVector<std::pair<Division, int64_t>> ahead;
    SmallVector<Division> others;
    for (Division division : divisions) {
      std::optional<int64_t> distance =
          (division.position.rest - divisions.front().position.rest)
              .getConstant();
      if (division.divisor == divisions.front().divisor &&
          division.op.getType() == divisions.front().op.getType() && distance &&
          *distance % *step == 0)
        ahead.emplace_back(division, *distance / *step);
      else
        others.push_back(division);
    }
    int64_t most = 0;
    for (const auto &[division, number] : ahead)
      most = std::max(most, number);
    Group group;
    for (const auto &[division, number] : ahead) {
      if (most - number <= kMostLag)
        group.members.emplace_back(division, most - number);
      else
        others.push_back(division);
    }
    auto last = llvm::max_element(group.members, llvm::less_second());
    group.start = findStart(last->first, loop, all, analysis, dominance);
    groups.push_back(std::move(group));
    divisions = std::move(others);
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// What a loop carries
//===----------------------------------------------------------------------===//

namespace {
/// A quotient and its remainder.
struct Parts {
  Value quotient, remainder;
};
} // namespace

static void carry(RewriterBase &rewriter, const Group &group) {
  auto [last, lag] = *llvm::max_element(group.members, llvm::less_second());
  auto loop = cast<scf::ForOp>(last.op->getParentOp());
  ImplicitLocOpBuilder b(last.op.getLoc(), rewriter);
  Type type = last.op.getType();
  rewriter.setInsertionPoint(loop);
  auto toType = [&](ImplicitLocOpBuilder &b, Value scalar) -> Value {
    return isa<VectorType>(type)
               ? vector::BroadcastOp::create(b, type, scalar).getResult()
               : scalar;
  };
  b.setInsertionPoint(loop);
  // Get the scalar again, because the loop whose result it was may have been
  // replaced.
  Value scalar = getScalar(last.op.getRhs());
  Value divisor = toType(b, scalar);
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  Value position = cloneForIteration(rewriter, loop, last.op.getLhs(), first);
  Value quotient = group.start;
  if (!quotient)
    quotient = arith::FloorDivSIOp::create(b, position, divisor);
  Parts parts{quotient,
              arith::SubIOp::create(
                  b, position, arith::MulIOp::create(b, quotient, divisor))};
  // Divide the step, which is not negative, by the divisor, which is positive.
  Value quotients = arith::DivUIOp::create(b, loop.getStep(), scalar);
  Value remainders = arith::SubIOp::create(
      b, loop.getStep(), arith::MulIOp::create(b, quotients, scalar));
  quotients = toType(b, quotients);
  remainders = toType(b, remainders);
  Value more = arith::AddIOp::create(
      b, quotients,
      toType(b, arith::ConstantIndexOp::create(b, 1).getResult()));
  auto advance = [&](ImplicitLocOpBuilder &b, const Parts &parts) -> Parts {
    Value sum = arith::AddIOp::create(b, parts.remainder, remainders);
    Value isMore =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, sum, divisor);
    return {arith::AddIOp::create(
                b, parts.quotient,
                arith::SelectOp::create(b, isMore, more, quotients)),
            arith::SelectOp::create(
                b, isMore, arith::SubIOp::create(b, sum, divisor), sum)};
  };
  // The quotients of later iterations, up to the first one of the group.
  SmallVector<Value> inits{parts.quotient};
  for (int64_t i = 0; i < lag; ++i) {
    parts = advance(b, parts);
    inits.insert(inits.begin(), parts.quotient);
  }
  inits.push_back(parts.remainder);
  unsigned numBefore = loop.getRegionIterArgs().size();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> args) {
        ImplicitLocOpBuilder inside(loc, builder);
        Parts next = advance(inside, {args.front(), args.back()});
        SmallVector<Value> yields{next.quotient};
        llvm::append_range(yields, args.drop_back(2));
        yields.push_back(next.remainder);
        return yields;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  ValueRange carried =
      cast<scf::ForOp>(**replaced).getRegionIterArgs().drop_front(numBefore);
  for (auto [division, behind] : group.members)
    rewriter.replaceOp(division.op, carried[behind]);
}

LogicalResult mlir::linalg_ext::stepDivisions(RewriterBase &rewriter,
                                              gpu::LaunchOp launch) {
  SmallVector<arith::FloorDivSIOp> all;
  launch.walk([&](arith::FloorDivSIOp op) {
    if (op.getType().isIndex() || getElementTypeOrSelf(op.getType()).isIndex())
      all.push_back(op);
  });
  bool hasLoop = llvm::any_of(
      all, [](Operation *op) { return isa<scf::ForOp>(op->getParentOp()); });
  if (!hasLoop)
    return success();
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(
          launch->getParentWithTrait<OpTrait::IsIsolatedFromAbove>())))
    return failure();
  auto isPositive = [&](Value value) {
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    return state && !state->getValue().isUninitialized() &&
           state->getValue().getValue().smin().isStrictlyPositive();
  };
  IndexAnalysis analysis;
  DominanceInfo dominance(launch);
  SmallVector<Group> groups;
  launch.walk([&](scf::ForOp loop) {
    llvm::append_range(groups,
                       findGroups(loop, all, analysis, dominance, isPositive));
  });
  for (const Group &group : groups)
    carry(rewriter, group);
  return success();
}
