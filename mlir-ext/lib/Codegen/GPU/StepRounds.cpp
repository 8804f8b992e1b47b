//===- StepRounds.cpp - Rounds that loops count ---------------------------===//
//
// The tiles of a ring with three slots are numbered. Tile n is in slot n mod 3,
// in round n / 3. If an iteration of a loop takes one tile, n grows by one, so
// the loop can carry both numbers. The slot grows by one, or starts again at 0
// and the round grows by one. Otherwise each iteration would begin with a
// product of 64 bits, on which its first wait depends.
//
// If an earlier iteration has computed the slot of a tile, the loop carries it.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Returns by how much `value` grows from one iteration of `loop` to the next,
/// if that is a constant. Assumes that sums do not overflow.
static std::optional<int64_t> getGrowth(scf::ForOp loop, Value value,
                                        unsigned depth = 16) {
  if (loop.isDefinedOutsideOfLoop(value))
    return 0;
  if (value == loop.getInductionVar())
    return getConstantIntValue(loop.getStep());
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  auto get = [&](unsigned operand) {
    return getGrowth(loop, op->getOperand(operand), depth - 1);
  };
  if (isa<vector_ext::AssumeOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return get(0);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::DivUIOp>(op))
    return std::nullopt;
  std::optional<int64_t> lhs = get(0), rhs = get(1);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *lhs + *rhs;
  if (isa<arith::SubIOp>(op))
    return *lhs - *rhs;
  // The quotient of a value that grows by a multiple of the divisor.
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  if (!divisor || *divisor <= 0 || *lhs % *divisor != 0)
    return std::nullopt;
  return *lhs / *divisor;
}

//===----------------------------------------------------------------------===//
// Slots and rounds
//===----------------------------------------------------------------------===//

namespace {
/// The slot and the round of a number, for a number of slots.
struct Place {
  /// The ops that compute the slot and the round. Rounds are counted modulo a
  /// power of 2.
  SmallVector<arith::RemUIOp> slots;
  SmallVector<arith::DivUIOp> rounds;
};
} // namespace

using Places = llvm::MapVector<std::pair<Value, int64_t>, Place>;

/// Returns whether `round` is only used modulo powers of 2, so that 32 bits
/// suffice.
static bool isCountedInBits(arith::DivUIOp round) {
  return llvm::all_of(round->getUsers(), [&](Operation *user) {
    auto rest = dyn_cast<arith::RemUIOp>(user);
    std::optional<int64_t> divisor = rest && rest.getLhs() == round.getResult()
                                         ? getConstantIntValue(rest.getRhs())
                                         : std::nullopt;
    return divisor && *divisor > 0 &&
           *divisor <= std::numeric_limits<int32_t>::max() &&
           llvm::isPowerOf2_64(*divisor);
  });
}

/// Finds the places that `loop` computes, for numbers that grow by one in each
/// iteration, or for those of the previous iteration.
static Places findPlaces(scf::ForOp loop) {
  Places places;
  Block *body = loop.getBody();
  // Returns the number whose value in the next iteration is `value`. Null if
  // there is none.
  auto getNext = [&](Value value) -> Value {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == body &&
                   argument != loop.getInductionVar()
               ? loop.getTiedLoopYieldedValue(argument)->get()
               : Value();
  };
  auto counts = [&](Value value) {
    return value.getParentBlock() == body && getGrowth(loop, value) == 1;
  };
  auto add = [&](Operation *op) -> Place * {
    Value number = op->getOperand(0);
    std::optional<int64_t> slots = getConstantIntValue(op->getOperand(1));
    if (!op->getResult(0).getType().isIndex() || !slots || *slots <= 1 ||
        *slots > std::numeric_limits<int32_t>::max() / 2 ||
        llvm::isPowerOf2_64(*slots))
      return nullptr;
    if (Value next = getNext(number); next && counts(next))
      places[{next, *slots}]; // From which the loop carries it.
    else if (!counts(number))
      return nullptr;
    return &places[{number, *slots}];
  };
  for (Operation &op : *body) {
    if (auto slot = dyn_cast<arith::RemUIOp>(op)) {
      if (Place *place = add(slot))
        place->slots.push_back(slot);
    } else if (auto round = dyn_cast<arith::DivUIOp>(op)) {
      if (!isCountedInBits(round))
        continue;
      if (Place *place = add(round))
        place->rounds.push_back(round);
    }
  }
  return places;
}

static void carry(RewriterBase &rewriter, scf::ForOp loop,
                  const Places &places) {
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  rewriter.setInsertionPoint(loop);
  b.setInsertionPoint(loop);
  Type i32 = b.getI32Type();
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  SmallVector<Value> inits;
  for (const auto &[key, place] : places) {
    Value number = cloneForIteration(rewriter, loop, key.first, first);
    Value slots = arith::ConstantIndexOp::create(b, key.second);
    inits.push_back(arith::IndexCastUIOp::create(
        b, i32, b.createOrFold<arith::RemUIOp>(number, slots)));
    inits.push_back(arith::IndexCastUIOp::create(
        b, i32, b.createOrFold<arith::DivUIOp>(number, slots)));
  }
  auto getNumber = [&](Value number, int64_t slots) -> std::optional<unsigned> {
    const auto *it = places.find({number, slots});
    if (it == places.end())
      return std::nullopt;
    return std::distance(places.begin(), it);
  };
  unsigned numBefore = loop.getRegionIterArgs().size();
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> args) {
        ImplicitLocOpBuilder inside(loc, builder);
        Value one = arith::ConstantIntOp::create(inside, 1, 32),
              zero = arith::ConstantIntOp::create(inside, 0, 32);
        SmallVector<Value> yields;
        for (auto [i, entry] : llvm::enumerate(places)) {
          auto [number, slots] = entry.first;
          Value slot = args[2 * i], round = args[2 * i + 1];
          // The place of an earlier iteration is the current place of the
          // number that this one is carried from.
          auto argument = dyn_cast<BlockArgument>(number);
          if (argument && argument != loop.getInductionVar()) {
            unsigned now = *getNumber(
                loop.getTiedLoopYieldedValue(argument)->get(), slots);
            llvm::append_values(yields, args[2 * now], args[2 * now + 1]);
            continue;
          }
          Value sum = arith::AddIOp::create(inside, slot, one);
          Value isFull = arith::CmpIOp::create(
              inside, arith::CmpIPredicate::eq, sum,
              arith::ConstantIntOp::create(inside, slots, 32));
          yields.push_back(arith::SelectOp::create(inside, isFull, zero, sum));
          yields.push_back(arith::SelectOp::create(
              inside, isFull, arith::AddIOp::create(inside, round, one),
              round));
        }
        return yields;
      });
  assert(succeeded(replaced) && "a loop with one block can carry more");
  ValueRange carried =
      cast<scf::ForOp>(**replaced).getRegionIterArgs().drop_front(numBefore);
  Type index = b.getIndexType();
  for (auto [i, entry] : llvm::enumerate(places)) {
    auto replace = [&](Operation *op, Value by) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(op, index, by);
    };
    for (arith::RemUIOp slot : entry.second.slots)
      replace(slot, carried[2 * i]);
    for (arith::DivUIOp round : entry.second.rounds)
      replace(round, carried[2 * i + 1]);
  }
}

void mlir::linalg_ext::stepRounds(RewriterBase &rewriter,
                                  gpu::LaunchOp launch) {
  SmallVector<scf::ForOp> loops;
  launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    Places places = findPlaces(loop);
    if (!places.empty())
      carry(rewriter, loop, places);
  }
}
