//===- LayoutAnalysis.cpp - A layout for every vector ---------------------===//
//
// Propagates layouts from values that have one to all others, forward and
// backward. Then inserts a conversion wherever the layout of a value is not the
// one that its user needs.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Layout/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

#define DEBUG_TYPE "vector-ext-layout-analysis"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

/// The blocked layout whose threads have runs of `run` elements.
static Layout getBlockedLayoutOfRuns(ArrayRef<int64_t> shape, int64_t run,
                                     const Workgroup &workgroup) {
  int64_t rank = shape.size();
  SmallVector<DimDigits> dims(rank);
  SmallVector<int64_t> rest(shape);
  int64_t registers = 1;
  // Digits are put in front: the first one that is added is the fastest.
  auto add = [&](int64_t dim, Axis axis, int64_t size, int64_t stride) {
    dims[dim].insert(dims[dim].begin(), Digit{axis, size, stride});
    rest[dim] /= size;
  };
  auto addRegisters = [&](int64_t dim, int64_t size) {
    add(dim, Axis::Register, size, registers);
    registers *= size;
  };
  if (rank > 0)
    addRegisters(rank - 1, std::gcd(rest[rank - 1], run));
  auto addThreads = [&](int64_t dim, Axis axis, int64_t &taken, int64_t count) {
    int64_t size = std::gcd(rest[dim], count / taken);
    add(dim, axis, size, taken);
    taken *= size;
  };
  int64_t lanes = 1, subgroups = 1;
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    addThreads(dim, Axis::Lane, lanes, workgroup.numLanes);
  for (int64_t dim = 0; dim < rank; ++dim)
    addThreads(dim, Axis::Subgroup, subgroups, workgroup.numSubgroups);
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    addRegisters(dim, rest[dim]);
  return *Layout::get(dims, workgroup.numLanes, workgroup.numSubgroups);
}

Layout mlir::vector_ext::getBlockedLayout(ArrayRef<int64_t> shape,
                                          int64_t elementBytes,
                                          const Workgroup &workgroup) {
  int64_t widest = std::max<int64_t>(16 / elementBytes, 1);
  Layout layout = getBlockedLayoutOfRuns(shape, widest, workgroup);
  // With a run for each thread, none has to do what another one does: shorter
  // runs may be shared evenly where longer ones are not (32 x 112 of 2 bytes).
  int64_t threads = workgroup.numLanes * workgroup.numSubgroups;
  if (ShapedType::getNumElements(shape) < widest * threads)
    return layout;
  for (int64_t run = widest; run * elementBytes >= 4; run /= 2) {
    Layout shorter = getBlockedLayoutOfRuns(shape, run, workgroup);
    if (shorter.getReplication() == 1)
      return shorter;
  }
  return layout;
}

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

static int64_t getElementBits(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static bool hasVectors(Operation *op) {
  return llvm::any_of(op->getOperands(), isVector) ||
         llvm::any_of(op->getResults(), isVector);
}

LayoutAnalysis::LayoutAnalysis(Operation *scope, const Workgroup &workgroup)
    : scope(scope), workgroup(workgroup) {
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == scope)
      return;
    order[op] = ops.size();
    ops.push_back(op);
  });
}

std::optional<Layout> LayoutAnalysis::lookup(Value value) const {
  auto it = layouts.find(value);
  if (it == layouts.end())
    return std::nullopt;
  return it->second;
}

const Layout &LayoutAnalysis::getLayout(Value value) const {
  auto it = layouts.find(value);
  assert(it != layouts.end() && "expected a vector in the scope");
  return it->second;
}

void LayoutAnalysis::assign(Value value, const Layout &layout) {
  if (!isVector(value) || !layouts.try_emplace(value, layout).second)
    return;
  LDBG() << value << " gets " << layout.str();
  auto enqueue = [&](Operation *op) {
    auto it = order.find(op);
    if (it == order.end())
      return;
    forward.insert(it->second);
    backward.insert(it->second);
  };
  for (Operation *user : value.getUsers())
    enqueue(user);
  if (Operation *producer = value.getDefiningOp())
    return enqueue(producer);
  enqueue(value.getParentBlock()->getParentOp());
}

/// The values that `index`th value of the loop is.
namespace {
struct LoopValue {
  Value init, iterArg, yielded, result;
};
} // namespace

static SmallVector<LoopValue> getLoopValues(scf::ForOp loop) {
  SmallVector<LoopValue> values;
  for (auto [init, iterArg, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults()))
    if (isVector(init))
      values.push_back({init, iterArg, yielded, result});
  return values;
}

/// The yielded values of each branch, and the result.
static SmallVector<std::pair<SmallVector<Value>, Value>>
getBranchValues(scf::IfOp op) {
  SmallVector<std::pair<SmallVector<Value>, Value>> values;
  for (OpResult result : op->getResults())
    if (isVector(result))
      values.push_back({{op.thenYield().getOperand(result.getResultNumber()),
                         op.elseYield().getOperand(result.getResultNumber())},
                        result});
  return values;
}

/// The layout of the deciding value of `op` that costs least.
std::optional<Layout> LayoutAnalysis::chooseDeciding(Operation *op) {
  Value deciding = getDecidingValue(op);
  if (!deciding)
    return std::nullopt;
  if (std::optional<Layout> known = lookup(deciding))
    return known;
  SmallVector<OpOperand *> operands;
  bool isWaiting = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isVector(operand.get()))
      continue;
    if (lookup(operand.get()))
      operands.push_back(&operand);
    else
      isWaiting |= !isRematerializable(operand.get());
  }
  std::optional<Layout> best;
  std::pair<bool, int64_t> bestCost;
  for (OpOperand *candidate : operands) {
    std::optional<Layout> choice =
        getDecidingLayout(*candidate, getLayout(candidate->get()));
    if (!choice)
      continue;
    // What can be computed anew does not decide if anything else can.
    std::pair<bool, int64_t> cost{isRematerializable(candidate->get()), 0};
    for (OpOperand *other : operands) {
      std::optional<Layout> wanted = getOperandLayout(*other, *choice);
      if (!wanted || isRematerializable(other->get()))
        continue;
      const Layout &given = getLayout(other->get());
      if (*wanted != given)
        cost.second +=
            getConversionCost(classifyConversion(given, *wanted), given,
                              *wanted, getElementBits(other->get()));
    }
    if (!best || cost < bestCost) {
      best = choice;
      bestCost = cost;
    }
  }
  if (best && bestCost.first && isWaiting)
    return std::nullopt;
  return best;
}

void LayoutAnalysis::propagateForward(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (const LoopValue &value : getLoopValues(loop)) {
      for (Value source :
           {value.iterArg, value.result, value.yielded,
            isRematerializable(value.init) ? value.iterArg : value.init})
        if (std::optional<Layout> layout = lookup(source)) {
          assign(value.iterArg, *layout);
          assign(value.result, *layout);
        }
    }
    return;
  }
  if (auto yield = dyn_cast<scf::YieldOp>(op))
    return propagateForward(yield->getParentOp());
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto &[yielded, result] : getBranchValues(branch))
      for (Value value : yielded)
        if (std::optional<Layout> layout = lookup(value))
          assign(result, *layout);
    return;
  }
  std::optional<Layout> deciding = chooseDeciding(op);
  if (!deciding)
    return;
  for (OpResult result : op->getResults())
    if (isVector(result))
      if (std::optional<Layout> layout = getResultLayout(result, *deciding))
        assign(result, *layout);
}

void LayoutAnalysis::propagateBackward(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (const LoopValue &value : getLoopValues(loop))
      if (std::optional<Layout> layout = lookup(value.iterArg)) {
        assign(value.yielded, *layout);
        assign(value.init, *layout);
      }
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (auto &[yielded, result] : getBranchValues(branch))
      if (std::optional<Layout> layout = lookup(result))
        for (Value value : yielded)
          assign(value, *layout);
    return;
  }
  if (auto convert = dyn_cast<ToLayoutOp>(op)) {
    if (!convert.getSharedMemory())
      assign(convert.getInput(), convert.getLayout().getLayout());
    return;
  }
  Value deciding = getDecidingValue(op);
  if (!deciding)
    return;
  std::optional<Layout> layout = lookup(deciding);
  if (!layout)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (isVector(operand.get()))
      if (std::optional<Layout> wanted = getOperandLayout(operand, *layout))
        assign(operand.get(), *wanted);
}

/// True if the analysis knows how to relate the layouts of the values of `op`.
static bool isKnown(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, ToLayoutOp>(op))
    return true;
  if (!getDecidingValue(op))
    return false;
  if (OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1)
    return true;
  return isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp,
             vector::TransferReadOp, vector::TransferWriteOp, vector::GatherOp,
             vector::MultiDimReductionOp, vector::ReductionOp,
             vector::ContractionOp, vector::ExtractOp, vector::InsertOp,
             vector::FromElementsOp, vector::StepOp, vector::CreateMaskOp,
             vector::ConstantMaskOp, arith::ConstantOp>(op) ||
         op->getName().getStringRef() == "ub.poison";
}

/// Checks that `type`, of a value of `op`, can be distributed if it is a
/// vector.
static LogicalResult verifyType(Operation *op, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return success();
  if (vector.isScalable())
    return op->emitOpError() << "has a scalable vector, " << vector
                             << ", which cannot be distributed";
  Type element = vector.getElementType();
  if (!element.isIndex() &&
      (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 64))
    return op->emitOpError() << "has a vector of elements that are no numbers "
                                "of up to 64 bits, "
                             << vector << ", which cannot be distributed";
  return success();
}

LogicalResult LayoutAnalysis::run() {
  for (Type type : scope->getRegion(0).getArgumentTypes())
    if (isa<VectorType>(type))
      return scope->emitOpError() << "has an argument that is a vector, "
                                  << type << ", which cannot be distributed";

  // 1. What is given.
  for (Operation *op : ops) {
    if (!hasVectors(op))
      continue;
    if (!isKnown(op))
      return op->emitOpError()
             << "on vectors cannot be distributed to the threads of a "
                "workgroup";
    for (Type type : op->getResultTypes())
      if (failed(verifyType(op, type)))
        return failure();
    if (auto convert = dyn_cast<ToLayoutOp>(op)) {
      const Layout &layout = convert.getLayout().getLayout();
      if (layout.getNumLanes() != workgroup.numLanes ||
          layout.getNumSubgroups() != workgroup.numSubgroups)
        return op->emitOpError()
               << "expected a layout for " << workgroup.numSubgroups
               << " subgroups of " << workgroup.numLanes << " lanes, got "
               << layout.getNumSubgroups() << " of " << layout.getNumLanes();
      assign(convert.getResult(), layout);
      continue;
    }
    if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
      auto config = contract->getAttrOfType<ContractConfigAttr>(
          VectorExtDialect::getConfigAttrName());
      if (!config)
        continue;
      std::string reason;
      FailureOr<ContractLayouts> given =
          getContractLayouts(contract, config, workgroup, reason);
      if (failed(given))
        return contract.emitOpError() << "does not fit its config: " << reason;
      assign(contract.getResult(), given->acc);
    }
  }

  // 2 to 4. What can be computed anew waits for somebody who wants it.
  bool waits = true;
  auto lacksLayout = [&](Value value) {
    return isVector(value) && !lookup(value) &&
           !(waits && isRematerializable(value));
  };
  unsigned next = 0;
  while (true) {
    if (!forward.empty()) {
      Operation *op = ops[*forward.begin()];
      forward.erase(forward.begin());
      propagateForward(op);
      continue;
    }
    if (!backward.empty()) {
      Operation *op = ops[*backward.begin()];
      backward.erase(backward.begin());
      propagateBackward(op);
      continue;
    }
    while (next < ops.size() &&
           llvm::none_of(ops[next]->getResults(), lacksLayout))
      ++next;
    if (next == ops.size()) {
      if (!waits)
        break;
      waits = false;
      next = 0;
      continue;
    }
    Value value = getDecidingValue(ops[next]);
    if (!value || lookup(value))
      value = *llvm::find_if(ops[next]->getResults(), lacksLayout);
    auto type = cast<VectorType>(value.getType());
    // Of what a lane has next to each other, all can be one access.
    int64_t bytes = llvm::divideCeil(getElementBits(value), 8);
    if (auto read = value.getDefiningOp<vector::TransferReadOp>())
      bytes *= std::max<int64_t>(16 / getReadAlignment(read), 1);
    assign(value, getBlockedLayout(type.getShape(), bytes, workgroup));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value LayoutAnalysis::rematerialize(RewriterBase &rewriter, Operation *user,
                                    Value value, const Layout &layout) {
  Operation *op = value.getDefiningOp();
  // Operands first: they come before.
  SmallVector<Value> operands(op->getOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isVector(operand.get()))
      continue;
    Layout wanted = *getOperandLayout(operand, layout);
    if (getLayout(operand.get()) != wanted)
      operands[operand.getOperandNumber()] =
          rematerialize(rewriter, op, operand.get(), wanted);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Operation *clone = rewriter.clone(*op);
  clone->setOperands(operands);
  layouts.try_emplace(clone->getResult(0), layout);
  return clone->getResult(0);
}

Value LayoutAnalysis::convert(RewriterBase &rewriter, Value value,
                              const Layout &layout) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  auto op = ToLayoutOp::create(rewriter, value.getLoc(), value,
                               LayoutAttr::get(rewriter.getContext(), layout));
  layouts.try_emplace(op.getResult(), layout);
  return op.getResult();
}

void LayoutAnalysis::convertResult(RewriterBase &rewriter, OpResult result,
                                   const Layout &given) {
  Layout wanted = getLayout(result);
  setLayout(result, given);
  Value converted = convert(rewriter, result, wanted);
  rewriter.replaceAllUsesExcept(result, converted, converted.getDefiningOp());
}

LogicalResult LayoutAnalysis::materialize(RewriterBase &rewriter) {
  // One conversion of a value to a layout is enough.
  llvm::DenseMap<Value, SmallVector<std::pair<Layout, Value>>> converted;
  auto require = [&](OpOperand &operand, const Layout &layout) {
    Value value = operand.get();
    if (getLayout(value) == layout)
      return;
    auto &known = converted[value];
    auto *it = llvm::find_if(
        known, [&](const auto &entry) { return entry.first == layout; });
    if (it == known.end()) {
      Value result =
          isRematerializable(value)
              ? rematerialize(rewriter, operand.getOwner(), value, layout)
              : convert(rewriter, value, layout);
      known.emplace_back(layout, result);
      it = std::prev(known.end());
    }
    rewriter.modifyOpInPlace(operand.getOwner(),
                             [&] { operand.set(it->second); });
  };
  for (Operation *op : ops) {
    if (isa<ToLayoutOp>(op) || !hasVectors(op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (OpOperand &init : loop.getInitArgsMutable())
        if (isVector(init.get()))
          require(init, getLayout(loop.getTiedLoopRegionIterArg(&init)));
      continue;
    }
    if (isa<scf::YieldOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (isVector(operand.get()))
          require(operand, getLayout(op->getParentOp()->getResult(
                               operand.getOperandNumber())));
      continue;
    }
    Value deciding = getDecidingValue(op);
    if (!deciding)
      continue;
    Layout layout = getLayout(deciding);
    auto isPossible = [&](OpOperand &operand) {
      return !isVector(operand.get()) || getOperandLayout(operand, layout);
    };
    if (!llvm::all_of(op->getOpOperands(), isPossible)) {
      std::optional<Layout> other = getPossibleLayout(op, workgroup);
      if (other)
        layout = *other;
      if (!llvm::all_of(op->getOpOperands(), isPossible))
        return op->emitOpError()
               << "cannot take its operands in layouts that fit "
               << layout.str();
    }
    for (OpOperand &operand : op->getOpOperands())
      if (isVector(operand.get()))
        require(operand, *getOperandLayout(operand, layout));
    // What the users were told, where the op cannot give it.
    for (OpResult result : op->getResults())
      if (isVector(result))
        if (std::optional<Layout> given = getResultLayout(result, layout);
            given && *given != getLayout(result))
          convertResult(rewriter, result, *given);
  }
  return success();
}
