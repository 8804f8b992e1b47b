//===- LayoutAnalysis.cpp - A layout for every vector ---------------------===//
//
// Propagates layouts from values that have one to all others, forward and
// backward. Then inserts a conversion wherever the layout of a value is not the
// one that its user needs.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/LayoutAnalysis.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir-ext/Support/ElementBits.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

#define DEBUG_TYPE "vector-ext-layout-analysis"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

namespace {
/// Blocks of a thread: `size` runs that are adjacent along `dim`. `lanes` lanes
/// have adjacent blocks.
struct TallBlocks {
  int64_t dim, size, lanes;
};
} // namespace

/// Returns the blocked layout whose threads have runs of `run` elements, or
/// blocks of such runs. With `hasOwnRows`, the elements of a subgroup are
/// adjacent along the first dimension. At most `rowLanes` lanes share a row,
/// unless that is 0.
static Layout
getBlockedLayoutOfRuns(ArrayRef<int64_t> shape, int64_t run,
                       const Workgroup &workgroup,
                       const std::optional<TallBlocks> &blocks = {},
                       bool hasOwnRows = false, int64_t rowLanes = 0) {
  int64_t rank = shape.size();
  SmallVector<DimDigits> dims(rank);
  SmallVector<int64_t> rest(shape);
  int64_t registers = 1;
  // Digits are added in front, so the first one that is added is the fastest.
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
  if (blocks)
    addRegisters(blocks->dim, std::gcd(rest[blocks->dim], blocks->size));
  auto addThreads = [&](int64_t dim, Axis axis, int64_t &taken, int64_t count) {
    int64_t size = std::gcd(rest[dim], count / taken);
    add(dim, axis, size, taken);
    taken *= size;
  };
  int64_t lanes = 1, subgroups = 1;
  if (blocks)
    addThreads(blocks->dim, Axis::Lane, lanes, blocks->lanes);
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    addThreads(dim, Axis::Lane, lanes,
               dim == rank - 1 && rowLanes != 0
                   ? std::min(rowLanes, workgroup.numLanes)
                   : workgroup.numLanes);
  if (hasOwnRows && rank > 0)
    addRegisters(0, rest[0] / std::gcd(rest[0], workgroup.numSubgroups));
  for (int64_t dim = 0; dim < rank; ++dim)
    addThreads(dim, Axis::Subgroup, subgroups, workgroup.numSubgroups);
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    addRegisters(dim, rest[dim]);
  return *Layout::get(dims, workgroup.numLanes, workgroup.numSubgroups);
}

static Layout getBlockedLayout(ArrayRef<int64_t> shape, int64_t elementBytes,
                               const Workgroup &workgroup, bool hasOwnRows) {
  int64_t widest = std::max<int64_t>(16 / elementBytes, 1);
  Layout layout = getBlockedLayoutOfRuns(shape, widest, workgroup,
                                         /*blocks=*/{}, hasOwnRows);
  // If there is a run for each thread, no element is held twice. Shorter runs
  // may be divided evenly where longer ones are not (32 x 112 elements of 2
  // bytes).
  int64_t threads = workgroup.numLanes * workgroup.numSubgroups;
  if (ShapedType::getNumElements(shape) < widest * threads)
    return layout;
  for (int64_t run = widest; run * elementBytes >= 4; run /= 2) {
    Layout shorter = getBlockedLayoutOfRuns(shape, run, workgroup,
                                            /*blocks=*/{}, hasOwnRows);
    if (shorter.getReplication() == 1)
      return shorter;
  }
  return layout;
}

Layout mlir::vector_ext::getBlockedLayout(ArrayRef<int64_t> shape,
                                          int64_t elementBytes,
                                          const Workgroup &workgroup) {
  return ::getBlockedLayout(shape, elementBytes, workgroup,
                            /*hasOwnRows=*/false);
}

Layout mlir::vector_ext::getLineLayout(ArrayRef<int64_t> shape,
                                       int64_t elementBytes,
                                       const Workgroup &workgroup) {
  constexpr int64_t kRunBytes = 16, kLineBytes = 128;
  return getBlockedLayoutOfRuns(
      shape, std::max<int64_t>(kRunBytes / elementBytes, 1), workgroup,
      /*blocks=*/{}, /*hasOwnRows=*/false, kLineBytes / kRunBytes);
}

Layout mlir::vector_ext::getTileLayout(const Layout &to, int64_t elementBytes,
                                       const Workgroup &workgroup,
                                       bool isGathered) {
  SmallVector<int64_t> shape = to.getShape();
  // One subgroup then reads a page of few rows, which has one entry and one
  // descriptor.
  Layout blocked = ::getBlockedLayout(shape, elementBytes, workgroup,
                                      workgroup.hasBufferLoads || isGathered);
  int64_t last = to.getRank() - 1;
  if (workgroup.hasMatrixLoads || workgroup.hasAsyncCopies || last < 1 ||
      to.getContiguity(last) > 1)
    return blocked;
  if (workgroup.hasTransposeLoads && elementBytes == 2) {
    auto order = llvm::to_vector(llvm::seq<unsigned>(to.getRank()));
    std::optional<layout::SharedLayout> rows =
        layout::SharedLayout::get(shape, order, 8 * elementBytes);
    if (rows && layout::getTransposeAccesses(to, *rows))
      return blocked;
  }
  for (int64_t dim = 0; dim < last; ++dim) {
    int64_t contiguity = to.getContiguity(dim);
    // Prefer the widest reads of memory, then the widest reads of shared
    // memory.
    for (int64_t run = std::max<int64_t>(16 / elementBytes, 1);
         run * elementBytes >= 4; run /= 2)
      for (int64_t tall = std::min<int64_t>(contiguity, 8 / elementBytes);
           tall > 1; tall /= 2) {
        // Adjacent lanes store without a gap, and padding moves the next ones
        // to other banks. All lanes together have few enough rows for one page.
        constexpr int64_t kRows = 16;
        int64_t lanes = std::min(kRows / tall, workgroup.numLanes);
        Layout block = getBlockedLayoutOfRuns(shape, run, workgroup,
                                              TallBlocks{dim, tall, lanes});
        if (shape[last] % run == 0 && shape[dim] % tall == 0 &&
            block.getReplication() == 1)
          return block;
      }
  }
  return blocked;
}

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

static bool isRematerializable(Value value, unsigned depth) {
  auto op = value.getDefiningOp<LayoutOpInterface>();
  if (!op || depth == 0 || !op.isRematerializable())
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isVector(operand) || isRematerializable(operand, depth - 1);
  });
}

bool mlir::vector_ext::isRematerializable(Value value) {
  return ::isRematerializable(value, /*depth=*/6);
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

namespace {
/// Vectors that control flow forwards to each other, so they have one layout.
struct TiedValues {
  /// The arguments of regions, and the results.
  SmallVector<Value> inputs;
  /// The operands that are forwarded to these: first those of terminators, then
  /// those of the op itself.
  SmallVector<OpOperand *> sources;
};
} // namespace

/// Returns the op whose control flow forwards the operands of `op`: `op`
/// itself, or its parent if `op` is a terminator. Returns null if there is
/// none.
static RegionBranchOpInterface getRegionBranch(Operation *op) {
  if (isa<RegionBranchTerminatorOpInterface>(op))
    op = op->getParentOp();
  // The analysis follows only the control flow of ops with LayoutOpInterface.
  return isa<LayoutOpInterface>(op) ? dyn_cast<RegionBranchOpInterface>(op)
                                    : RegionBranchOpInterface();
}

static void tie(SmallVector<TiedValues> &all, OpOperand &source, Value input) {
  auto holds = [&](const TiedValues &tied) {
    return llvm::is_contained(tied.inputs, input) ||
           llvm::is_contained(tied.sources, &source);
  };
  auto addNew = [](auto &list, auto value) {
    if (!llvm::is_contained(list, value))
      list.push_back(value);
  };
  auto *into = llvm::find_if(all, holds);
  if (into == all.end()) {
    all.push_back({{input}, {&source}});
    return;
  }
  addNew(into->inputs, input);
  addNew(into->sources, &source);
  auto *other = std::find_if(std::next(into), all.end(), holds);
  if (other == all.end())
    return;
  for (Value value : other->inputs)
    addNew(into->inputs, value);
  for (OpOperand *operand : other->sources)
    addNew(into->sources, operand);
  all.erase(other);
}

static SmallVector<TiedValues> getTiedValues(RegionBranchOpInterface op) {
  SmallVector<TiedValues> all;
  // The first branch point is the op itself.
  SmallVector<RegionBranchPoint> points = op.getAllRegionBranchPoints();
  std::rotate(points.begin(), std::next(points.begin()), points.end());
  for (RegionBranchPoint point : points) {
    Operation *owner = point.isParent()
                           ? op.getOperation()
                           : point.getTerminatorPredecessorOrNull();
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors) {
      ValueRange inputs = linalg_ext::getSuccessorInputs(op, successor);
      if (inputs.empty())
        continue;
      unsigned first =
          op.getSuccessorOperands(point, successor).getBeginOperandIndex();
      for (auto [i, input] : llvm::enumerate(inputs))
        if (isVector(input))
          tie(all, owner->getOpOperand(first + i), input);
    }
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

/// Returns the cheapest layout of the deciding values of `op`.
std::optional<Layout> LayoutAnalysis::chooseDeciding(LayoutOpInterface op) {
  Value deciding = op.getDecidingValue();
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
        op.getDecidingLayout(*candidate, getLayout(candidate->get()));
    if (!choice)
      continue;
    // A value that can be rematerialised decides only if no other value can
    // decide.
    std::pair<bool, int64_t> cost{isRematerializable(candidate->get()), 0};
    for (OpOperand *other : operands) {
      std::optional<Layout> wanted = op.getOperandLayout(*other, *choice);
      if (!wanted || isRematerializable(other->get()))
        continue;
      const Layout &given = getLayout(other->get());
      if (*wanted != given)
        cost.second +=
            getConversionCost(classifyConversion(given, *wanted), given,
                              *wanted, linalg_ext::getElementBits(
                                           other->get().getType()));
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
  if (RegionBranchOpInterface branch = getRegionBranch(op)) {
    for (const TiedValues &tied : getTiedValues(branch)) {
      SmallVector<Value> sources(tied.inputs);
      for (OpOperand *source : tied.sources)
        // An initial value of a loop does not decide if it can be
        // rematerialised.
        if (source->getOwner() != branch || !isRematerializable(source->get()))
          sources.push_back(source->get());
      for (Value source : sources)
        if (std::optional<Layout> layout = lookup(source))
          for (Value input : tied.inputs)
            assign(input, *layout);
    }
    return;
  }
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  if (!layoutOp)
    return;
  std::optional<Layout> deciding = chooseDeciding(layoutOp);
  if (!deciding)
    return;
  for (OpResult result : op->getResults())
    if (isVector(result))
      if (std::optional<Layout> layout =
              layoutOp.getResultLayout(result, *deciding))
        assign(result, *layout);
}

void LayoutAnalysis::propagateBackward(Operation *op) {
  if (RegionBranchOpInterface branch = getRegionBranch(op);
      branch && branch == op) {
    for (const TiedValues &tied : getTiedValues(branch))
      if (std::optional<Layout> layout = lookup(tied.inputs.front()))
        for (OpOperand *source : tied.sources)
          assign(source->get(), *layout);
    return;
  }
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  Value deciding = layoutOp ? layoutOp.getDecidingValue() : Value();
  if (!deciding)
    return;
  std::optional<Layout> layout = lookup(deciding);
  if (!layout)
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (isVector(operand.get()))
      if (std::optional<Layout> wanted =
              layoutOp.getOperandLayout(operand, *layout))
        assign(operand.get(), *wanted);
}

/// Returns whether the analysis can relate the layouts of the values of `op`.
static bool isKnown(Operation *op) {
  if (getRegionBranch(op))
    return true;
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  return layoutOp && layoutOp.getDecidingValue();
}

/// Checks that `type`, the type of a value of `op`, can be distributed if it is
/// a vector.
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

LogicalResult LayoutAnalysis::takeRequest(Operation *op) {
  if (!hasVectors(op))
    return success();
  if (!isKnown(op)) {
    InFlightDiagnostic error =
        op->emitOpError()
        << "on vectors cannot be distributed to the threads of a workgroup";
    if (!isa<LayoutOpInterface>(op))
      error << ": it does not implement LayoutOpInterface";
    return error;
  }
  for (Type type : op->getResultTypes())
    if (failed(verifyType(op, type)))
      return failure();
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  if (!layoutOp)
    return success();
  FailureOr<std::optional<Layout>> request =
      layoutOp.getRequestedLayout(workgroup);
  if (failed(request))
    return failure();
  if (*request)
    assign(layoutOp.getDecidingValue(), **request);
  return success();
}

bool LayoutAnalysis::waitsForUsers(Value value, unsigned depth) const {
  if (depth == 0 || value.use_empty())
    return false;
  auto type = cast<VectorType>(value.getType());
  Layout layout = getBlockedLayout(type.getShape(), 1, workgroup);
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto user = dyn_cast<LayoutOpInterface>(use.getOwner());
    Value deciding = user ? user.getDecidingValue() : Value();
    if (!deciding || !isa<OpResult>(deciding) || lookup(deciding))
      return false;
    if (user.getDecidingLayout(use, layout))
      return waitsForUsers(deciding, depth - 1);
    return user.getPreferredLayout(workgroup).has_value();
  });
}

void LayoutAnalysis::chooseRemaining(Value value) {
  if (auto op = value.getDefiningOp<LayoutOpInterface>();
      op && op.getDecidingValue() == value)
    if (std::optional<Layout> preferred = op.getPreferredLayout(workgroup))
      return assign(value, *preferred);
  int64_t bytes = llvm::divideCeil(linalg_ext::getElementBits(value.getType()), 8);
  auto type = cast<VectorType>(value.getType());
  assign(value, getBlockedLayout(type.getShape(), bytes, workgroup));
}

LogicalResult LayoutAnalysis::run() {
  for (Type type : scope->getRegion(0).getArgumentTypes())
    if (isa<VectorType>(type))
      return scope->emitOpError() << "has an argument that is a vector, "
                                  << type << ", which cannot be distributed";

  // 1. Take the layouts that are requested.
  for (Operation *op : ops)
    if (failed(takeRequest(op)))
      return failure();

  // 2 to 4. Ops that can be rematerialised wait until another op requests their
  // layout. So do positions and masks of reads.
  bool waits = true;
  auto lacksLayout = [&](Value value) {
    return isVector(value) && !lookup(value) &&
           !(waits &&
             (isRematerializable(value) || waitsForUsers(value, /*depth=*/6)));
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
    auto op = dyn_cast<LayoutOpInterface>(ops[next]);
    Value value = op ? op.getDecidingValue() : Value();
    if (!value || lookup(value))
      value = *llvm::find_if(ops[next]->getResults(), lacksLayout);
    chooseRemaining(value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

int64_t LayoutAnalysis::getCost(Value value, const Layout &layout) const {
  const Layout &given = getLayout(value);
  return given == layout
             ? 0
             : getConversionCost(classifyConversion(given, layout), given,
                                 layout,
                                 linalg_ext::getElementBits(value.getType()));
}

Value LayoutAnalysis::getRepeated(Value value, const Layout &layout) const {
  // A transposition or a reshape has a source of its own size.
  Value source = value;
  Layout wanted = layout;
  for (unsigned depth = 0; depth < 6; ++depth) {
    auto op = source.getDefiningOp<LayoutOpInterface>();
    if (!op || !op.isRematerializable() || op->getNumOperands() != 1 ||
        !isVector(op->getOperand(0)))
      break;
    std::optional<Layout> next =
        op.getOperandLayout(op->getOpOperand(0), wanted);
    if (!next)
      break;
    source = op->getOperand(0);
    wanted = *next;
    if (2 * cast<VectorType>(source.getType()).getNumElements() <=
            cast<VectorType>(value.getType()).getNumElements() &&
        getCost(source, wanted) < getCost(value, layout))
      return source;
  }
  return {};
}

Value LayoutAnalysis::rematerialize(RewriterBase &rewriter, Operation *user,
                                    Value value, const Layout &layout,
                                    Value source) {
  auto op = value.getDefiningOp<LayoutOpInterface>();
  // Clone the operands first, because they must come before the op.
  SmallVector<Value> operands(op->getOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isVector(operand.get()))
      continue;
    Layout wanted = *op.getOperandLayout(operand, layout);
    if (getLayout(operand.get()) == wanted)
      continue;
    operands[operand.getOperandNumber()] =
        operand.get() == source
            ? convert(rewriter, source, wanted)
            : rematerialize(rewriter, op, operand.get(), wanted, source);
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
  // Each value is converted to a layout only once.
  llvm::DenseMap<Value, SmallVector<std::pair<Layout, Value>>> converted;
  auto require = [&](OpOperand &operand, const Layout &layout) {
    Value value = operand.get();
    if (getLayout(value) == layout)
      return;
    auto &known = converted[value];
    auto *it = llvm::find_if(
        known, [&](const auto &entry) { return entry.first == layout; });
    if (it == known.end()) {
      bool isCheap = isRematerializable(value);
      Value source = isCheap ? Value() : getRepeated(value, layout);
      Value result = isCheap || source
                         ? rematerialize(rewriter, operand.getOwner(), value,
                                         layout, source)
                         : convert(rewriter, value, layout);
      known.emplace_back(layout, result);
      it = std::prev(known.end());
    }
    rewriter.modifyOpInPlace(operand.getOwner(),
                             [&] { operand.set(it->second); });
  };
  for (Operation *op : ops) {
    if (RegionBranchOpInterface branch = getRegionBranch(op)) {
      for (const TiedValues &tied : getTiedValues(branch))
        for (OpOperand *source : tied.sources)
          if (source->getOwner() == op)
            require(*source, getLayout(tied.inputs.front()));
      continue;
    }
    auto layoutOp = dyn_cast<LayoutOpInterface>(op);
    Value deciding = layoutOp ? layoutOp.getDecidingValue() : Value();
    if (!deciding)
      continue;
    Layout layout = getLayout(deciding);
    SmallVector<OpOperand *> operands;
    for (OpOperand &operand : op->getOpOperands())
      if (isVector(operand.get()) && !layoutOp.acceptsAnyLayout(operand))
        operands.push_back(&operand);
    auto isPossible = [&](OpOperand *operand) {
      return layoutOp.getOperandLayout(*operand, layout).has_value();
    };
    if (!llvm::all_of(operands, isPossible)) {
      std::optional<Layout> other = layoutOp.getPossibleLayout(workgroup);
      if (other)
        layout = *other;
      if (!llvm::all_of(operands, isPossible))
        return op->emitOpError()
               << "cannot take its operands in layouts that fit "
               << layout.str();
    }
    for (OpOperand *operand : operands)
      require(*operand, *layoutOp.getOperandLayout(*operand, layout));
    // These are the layouts that the users expect, if the op cannot provide
    // them.
    for (OpResult result : op->getResults())
      if (isVector(result))
        if (std::optional<Layout> given =
                layoutOp.getResultLayout(result, layout);
            given && *given != getLayout(result))
          convertResult(rewriter, result, *given);
  }
  return success();
}
