//===- DistributeReduction.cpp - Reductions over threads ------------------===//
//
// The source of a reduction decides, and the layout of the result is that of
// the source without the reduced dimensions. Reduces first the registers of a
// thread, then the lanes of a subgroup by shuffles, then the subgroups through
// shared memory. In the end, every thread that holds an element of the result
// has its value.
//
//===----------------------------------------------------------------------===//

#include "DeferredReductions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::Layout;

using Combine = llvm::function_ref<Value(Value, Value)>;

/// The digits of `axis` in the dimensions that are reduced.
static SmallVector<Digit> getReducedDigits(const Layout &layout,
                                           ArrayRef<bool> reduced, Axis axis) {
  SmallVector<Digit> digits;
  for (auto [dim, isReduced] : llvm::zip_equal(layout.getDims(), reduced))
    for (const Digit &digit : dim)
      if (isReduced && digit.axis == axis)
        digits.push_back(digit);
  return digits;
}

/// The chains in which a thread combines `count` registers. Where two groups
/// take turns at products, each scheduler has one subgroup that computes at a
/// time: nobody else hides how long an instruction takes. All else waits for
/// maxima. A sum of many terms has ended when the last term is there
/// (docs/Decisions/0120-queries-are-freed-early.md). Of three groups, others
/// compute, but this pays for many maxima, too (docs/Decisions/0130).
static int64_t getNumChains(const Workgroup &workgroup,
                            vector::CombiningKind kind, int64_t count) {
  constexpr int64_t kFew = 8, kMany = 32;
  bool areTwo = workgroup.numTurns == 2;
  if (count < kFew || workgroup.numTurns < 2)
    return 1;
  switch (kind) {
  case vector::CombiningKind::MAXIMUMF:
  case vector::CombiningKind::MAXNUMF:
    return count >= kMany ? 4 : areTwo ? 2 : 1;
  case vector::CombiningKind::ADD:
    return count < kMany && areTwo ? 2 : 1;
  default:
    return 1;
  }
}

/// 1. The registers of this thread, in `numChains` chains for each result. A
/// tree of two per level would need more registers.
static SmallVector<Value> reduceRegisters(ImplicitLocOpBuilder &b, Value source,
                                          const Layout &layout,
                                          ArrayRef<bool> reduced,
                                          int64_t numChains, Combine combine) {
  int64_t numResults = layout.project(reduced).getNumRegisters();
  // What each chain has, and how many registers of a result are combined.
  SmallVector<SmallVector<Value>> chains(numResults,
                                         SmallVector<Value>(numChains));
  SmallVector<int64_t> counts(numResults, 0);
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    Value element = extractRegister(b, source, reg);
    int64_t result = layout.getProjectedRegister(reg, reduced);
    Value &sum = chains[result][counts[result]++ % numChains];
    sum = sum ? combine(sum, element) : element;
  }
  SmallVector<Value> partial;
  for (SmallVector<Value> &sums : chains) {
    for (; sums.size() > 1; sums.resize(sums.size() / 2))
      for (size_t i = 0; i < sums.size() / 2; ++i)
        sums[i] = combine(sums[2 * i], sums[2 * i + 1]);
    partial.push_back(sums.front());
  }
  return partial;
}

/// 2. The lanes that differ in the reduced digits, by a butterfly.
static void reduceLanes(ImplicitLocOpBuilder &b, SmallVector<Value> &partial,
                        const Layout &layout, ArrayRef<bool> reduced,
                        Combine combine) {
  for (const Digit &digit : getReducedDigits(layout, reduced, Axis::Lane))
    for (int64_t step = 1; step < digit.size; step *= 2) {
      Value offset = arith::ConstantIntOp::create(b, step * digit.stride, 32);
      for (Value &value : partial)
        value = combine(value, shuffle(b, value, offset, ShuffleKind::Xor,
                                       layout.getNumLanes()));
    }
}

/// Whether the lanes of a subgroup, which have `result` in common, had better
/// load one of `count` partial results each, and combine them by a butterfly.
static bool isLoadedByLanes(const Layout &result, int64_t count) {
  // A thread loads four at a time.
  constexpr int64_t kFewest = 16;
  if (count < kFewest || count > result.getNumLanes() ||
      !llvm::isPowerOf2_64(count) || result.getNumRegisters() != 1)
    return false;
  return llvm::none_of(result.getDims(), [](const layout::DimDigits &dim) {
    return llvm::any_of(
        dim, [](const Digit &digit) { return digit.axis == Axis::Lane; });
  });
}

/// 3. The subgroups that differ in the reduced digits, through shared memory:
/// one row for each of them.
static void reduceSubgroups(ImplicitLocOpBuilder &b, Distributor &distributor,
                            SmallVector<Value> &partial, const Layout &layout,
                            ArrayRef<bool> reduced, Combine combine) {
  SmallVector<Digit> digits = getReducedDigits(layout, reduced, Axis::Subgroup);
  if (digits.empty())
    return;
  Layout result = layout.project(reduced);
  int64_t count = 1;
  for (const Digit &digit : digits)
    count *= digit.size;
  // Which of the partial results this subgroup has.
  Value subgroup = distributor.getThreadIndex(Axis::Subgroup);
  Value row = arith::ConstantIndexOp::create(b, 0);
  for (const Digit &digit : digits) {
    Value scaled = b.createOrFold<arith::MulIOp>(
        row, arith::ConstantIndexOp::create(b, digit.size));
    row = b.createOrFold<arith::AddIOp>(
        scaled, getDigit(b, subgroup, digit.stride, digit.size,
                         layout.getNumSubgroups()));
  }
  // A layout with the partial results as a dimension of its own, in front; so
  // that who writes, and where, is known.
  SmallVector<layout::DimDigits> dims;
  dims.emplace_back(digits.begin(), digits.end());
  dims.append(result.getDims().begin(), result.getDims().end());
  Layout partials =
      *Layout::get(dims, layout.getNumLanes(), layout.getNumSubgroups());
  Type type = partial.front().getType();
  Value buffer = distributor.allocateShared(partials.getShape(), type);
  auto vectorType = VectorType::get({result.getNumRegisters()}, type);
  TileAccess access;
  access.memref = buffer;
  access.layout = partials;
  for (unsigned dim = 0; dim < partials.getRank(); ++dim) {
    access.indices.push_back(arith::ConstantIndexOp::create(b, 0));
    access.dims.push_back(dim);
    access.bounds.push_back(Value());
  }
  createBarrier(b, b.getLoc());
  storeRegisters(b, distributor, access,
                 vector::FromElementsOp::create(b, vectorType, partial));
  createBarrier(b, b.getLoc());
  auto load = [&](Value row) {
    TileAccess read = access;
    read.layout = result;
    read.indices[0] = row;
    read.dims.erase(read.dims.begin());
    read.bounds.pop_back();
    return loadRegisters(b, distributor, read, Value());
  };
  if (isLoadedByLanes(result, count)) {
    int64_t numLanes = layout.getNumLanes();
    Value lane = distributor.getThreadIndex(Axis::Lane);
    Value value =
        extractRegister(b, load(getDigit(b, lane, 1, count, numLanes)), 0);
    for (int64_t step = 1; step < count; step *= 2) {
      Value offset = arith::ConstantIntOp::create(b, step, 32);
      value =
          combine(value, shuffle(b, value, offset, ShuffleKind::Xor, numLanes));
    }
    partial.front() = value;
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    Value others = load(arith::ConstantIndexOp::create(b, i));
    for (auto [reg, value] : llvm::enumerate(partial)) {
      Value other = extractRegister(b, others, reg);
      value = i == 0 ? other : combine(value, other);
    }
  }
}

/// All of it; `acc`, if any, is what a thread has of the initial value. What
/// the threads have in common is left out if `isDeferred`.
static FailureOr<SmallVector<Value>>
reduce(Operation *op, Distributor &distributor, Value source,
       ArrayRef<bool> reduced, vector::CombiningKind kind, Value acc,
       arith::FastMathFlagsAttr fastmath, bool isDeferred = false) {
  ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
  const Layout &layout = distributor.getLayout(source);
  for (const Digit &digit : getReducedDigits(layout, reduced, Axis::Lane))
    if (!llvm::isPowerOf2_64(digit.size))
      return op->emitOpError()
             << "is over " << digit.size << " lanes, expected a power of two";
  auto combine = [&](Value lhs, Value rhs) {
    return vector::makeArithReduction(b, b.getLoc(), kind, lhs, rhs, fastmath);
  };
  int64_t count =
      layout.getNumRegisters() / layout.project(reduced).getNumRegisters();
  SmallVector<Value> partial = reduceRegisters(
      b, distributor.getDistributed(source), layout, reduced,
      getNumChains(distributor.getWorkgroup(), kind, count), combine);
  if (!isDeferred) {
    reduceLanes(b, partial, layout, reduced, combine);
    reduceSubgroups(b, distributor, partial, layout, reduced, combine);
  }
  if (acc)
    for (auto [reg, value] : llvm::enumerate(partial))
      value = combine(
          isa<VectorType>(acc.getType()) ? extractRegister(b, acc, reg) : acc,
          value);
  return partial;
}

//===----------------------------------------------------------------------===//
// Reductions that go on in the next iteration
//===----------------------------------------------------------------------===//

/// True if `init` combined once more for each thread changes nothing.
static bool mayStartInEachThread(vector::CombiningKind kind, Value init) {
  using vector::CombiningKind;
  switch (kind) {
  case CombiningKind::ADD:
    return matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero());
  case CombiningKind::MINUI:
  case CombiningKind::MINSI:
  case CombiningKind::MINNUMF:
  case CombiningKind::MAXUI:
  case CombiningKind::MAXSI:
  case CombiningKind::MAXNUMF:
  case CombiningKind::AND:
  case CombiningKind::OR:
  case CombiningKind::MINIMUMF:
  case CombiningKind::MAXIMUMF:
    return true;
  case CombiningKind::MUL:
  case CombiningKind::XOR:
    return false;
  }
  return false;
}

/// True if `value` is `carried`, which has no other use, or that times a
/// factor, if `kind` is a sum.
static bool isLinearIn(Value value, BlockArgument carried,
                       vector::CombiningKind kind) {
  if (!carried.hasOneUse() || !value.hasOneUse())
    return false;
  if (value == carried)
    return true;
  Operation *product = value.getDefiningOp();
  return kind == vector::CombiningKind::ADD && product &&
         isa<arith::MulFOp, arith::MulIOp>(product) &&
         product->getBlock() == carried.getOwner() &&
         llvm::is_contained(product->getOperands(), carried);
}

/// The reduction that computes result `number` of `loop` from that of the
/// iteration before. Null if there is none.
static vector::MultiDimReductionOp getCarriedReduction(scf::ForOp loop,
                                                       unsigned number) {
  Value yielded = loop.getYieldedValues()[number];
  auto op = yielded.getDefiningOp<vector::MultiDimReductionOp>();
  return op && op->getBlock() == loop.getBody() && yielded.hasOneUse() &&
                 isLinearIn(op.getAcc(), loop.getRegionIterArg(number),
                            op.getKind())
             ? op
             : vector::MultiDimReductionOp();
}

/// True if each thread may have a part of `value` only, and `like` goes on with
/// it. Adds the reductions of which threads then have parts to `reductions`.
static bool mayBeInParts(Value value, vector::MultiDimReductionOp like,
                         const Distributor &distributor,
                         SmallVectorImpl<Operation *> &reductions) {
  auto recurse = [&](Value other) {
    return mayBeInParts(other, like, distributor, reductions);
  };
  auto isAlike = [&](vector::MultiDimReductionOp op) {
    return op && op.getKind() == like.getKind() &&
           op.getReductionMask() == like.getReductionMask() &&
           distributor.getLayout(op.getSource()) ==
               distributor.getLayout(like.getSource());
  };
  if (mayStartInEachThread(like.getKind(), value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (like.getKind() == vector::CombiningKind::ADD &&
      isa<arith::MulFOp, arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value factor) {
      return mayStartInEachThread(like.getKind(), factor);
    });
  if (!value.hasOneUse())
    return false;
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return recurse(branch.thenYield().getOperand(number)) &&
           recurse(branch.elseYield().getOperand(number));
  auto loop = dyn_cast<scf::ForOp>(op);
  auto reduction = loop ? getCarriedReduction(loop, number)
                        : dyn_cast<vector::MultiDimReductionOp>(op);
  if (!isAlike(reduction) ||
      !recurse(loop ? loop.getInitArgs()[number] : reduction.getAcc()))
    return false;
  reductions.push_back(reduction);
  return true;
}

void mlir::vector_ext::findDeferredReductions(Region &region,
                                              Distributor &distributor) {
  SmallVector<scf::ForOp> loops;
  region.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  // The last one of several that go on with each other is first.
  for (scf::ForOp loop : llvm::reverse(loops))
    for (unsigned i = 0; i < loop.getNumResults(); ++i) {
      vector::MultiDimReductionOp op = getCarriedReduction(loop, i);
      if (!op || distributor.isDeferred(op))
        continue;
      const Layout &layout = distributor.getLayout(op.getSource());
      SmallVector<bool> reduced = op.getReductionMask();
      SmallVector<Operation *> reductions{op};
      if ((getReducedDigits(layout, reduced, Axis::Lane).empty() &&
           getReducedDigits(layout, reduced, Axis::Subgroup).empty()) ||
          !mayBeInParts(loop.getInitArgs()[i], op, distributor, reductions))
        continue;
      for (Operation *reduction : reductions)
        distributor.setDeferred(reduction);
      distributor.setCombined(loop.getResult(i), op);
    }
}

Value mlir::vector_ext::buildDeferredReduction(
    ImplicitLocOpBuilder &b, Distributor &distributor, const Layout &layout,
    ArrayRef<bool> reduced, vector::CombiningKind kind, Value registers) {
  auto combine = [&](Value lhs, Value rhs) {
    return vector::makeArithReduction(b, b.getLoc(), kind, lhs, rhs);
  };
  auto type = dyn_cast<VectorType>(registers.getType());
  SmallVector<Value> partial;
  if (!type)
    partial.push_back(registers);
  for (int64_t reg = 0; type && reg < type.getNumElements(); ++reg)
    partial.push_back(extractRegister(b, registers, reg));
  reduceLanes(b, partial, layout, reduced, combine);
  reduceSubgroups(b, distributor, partial, layout, reduced, combine);
  if (!type)
    return partial.front();
  return vector::FromElementsOp::create(b, type, partial);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct MultiReductionModel
    : LayoutOpInterface::ExternalModel<MultiReductionModel,
                                       vector::MultiDimReductionOp> {
  Value getDecidingValue(Operation *op) const {
    return cast<vector::MultiDimReductionOp>(op).getSource();
  }

  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto reduction = cast<vector::MultiDimReductionOp>(op);
    if (&operand == &reduction.getSourceMutable())
      return deciding;
    return deciding.project(reduction.getReductionMask());
  }

  std::optional<Layout> getResultLayout(Operation *op, OpResult,
                                        const Layout &deciding) const {
    return deciding.project(
        cast<vector::MultiDimReductionOp>(op).getReductionMask());
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    if (&operand == &cast<vector::MultiDimReductionOp>(op).getSourceMutable())
      return layout;
    return std::nullopt;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto reduction = cast<vector::MultiDimReductionOp>(op);
    SmallVector<bool> reduced = reduction.getReductionMask();
    FailureOr<SmallVector<Value>> registers = reduce(
        op, distributor, reduction.getSource(), reduced, reduction.getKind(),
        distributor.getDistributed(reduction.getAcc()), {},
        distributor.isDeferred(reduction));
    if (failed(registers))
      return failure();
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Value result = registers->front();
    if (isa<VectorType>(reduction.getDest().getType()))
      result = vector::FromElementsOp::create(
          b, distributor.getDistributedType(reduction.getDest()), *registers);
    distributor.replace(op, result);
    return success();
  }
};

struct ReductionModel
    : LayoutOpInterface::ExternalModel<ReductionModel, vector::ReductionOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return deciding;
  }

  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &,
                                          const Layout &layout) const {
    return layout;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto reduction = cast<vector::ReductionOp>(op);
    FailureOr<SmallVector<Value>> registers = reduce(
        op, distributor, reduction.getVector(), {true}, reduction.getKind(),
        reduction.getAcc(), reduction.getFastmathAttr());
    if (failed(registers))
      return failure();
    distributor.replace(op, *registers);
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerReductionLayoutModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::MultiDimReductionOp::attachInterface<MultiReductionModel>(*context);
    vector::ReductionOp::attachInterface<ReductionModel>(*context);
  });
}
