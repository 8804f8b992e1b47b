//===- ReportTraffic.cpp - Report of what is moved more than once ---------===//
//
// Runs when the loops of a program are final and still on tensors. If a
// function moves more than its arguments and results, this reports which
// tensors are the cause, and why, whatever the reason that two ops are not in
// one loop.
//
//   1. Split the ops of a function into units: a loop, or an op in no loop.
//      Each one becomes a kernel, or a loop nest. What the compiler has split
//      counts as one unit: loops in the regions of branches, and loops that
//      compute parts of sums, together with the loop that merges these.
//   2. Find the tensors between units, and those that several units read.
//   3. Compare the tiles in which units write and read them.
//   4. Report the tensors that matter.
//
//===----------------------------------------------------------------------===//

#include "ReportTraffic.h"
#include "FusionReport.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Plan/UnfusedChains.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// A function or a tensor is reported if its excess is at least 1 / kLeastPart
/// of the arguments and results of the function.
static constexpr uint64_t kLeastPart = 10;

/// The most tensors that are reported for a function.
static constexpr size_t kMostTensors = 4;

/// Returns the tensor that `value` is a view of.
static Value getBase(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

namespace {
/// A tensor as a unit uses it: the size of the tile in each dimension, or
/// kDynamic.
using Tile = SmallVector<int64_t>;

/// A loop, or an op in no loop. Loops that write parts of the same tensors are
/// one unit. So are loops that compute parts of sums, and the loops that merge
/// these.
struct Unit {
  SmallVector<Operation *, 1> ops;
  /// The tensors that the unit reads, in the form in which it reads them: views
  /// of bases.
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  /// The tensors of which this unit and others have written parts in place.
  SmallVector<Value> composed;
  bool isProduct = false;
};
} // namespace

/// Returns whether `value` contains nothing computed: it is uninitialised or
/// filled.
static bool isUnset(Value value) {
  Operation *op = getBase(value).getDefiningOp();
  return isa_and_nonnull<tensor::EmptyOp>(op) || isFill(op);
}

/// Returns whether `op` computes tensors from others.
static bool isUnit(Operation &op) {
  if (op.getNumResults() == 0 || isFill(&op) || isOpTriviallyDead(&op) ||
      llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return false;
  return isa<LoopLikeOpInterface, DestinationStyleOpInterface, tensor::ConcatOp,
             tensor::PadOp>(op);
}

/// Returns whether `op` is a matrix product, or its body contains one.
static bool hasProduct(Operation *op) {
  return op
      ->walk([](linalg::LinalgOp nested) {
        return isMatrixProduct(nested) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the init of `result`, or null if it is unknown.
static Value getStart(OpResult result);

/// Returns the value before `branch` that `value`, which the branch yields,
/// starts from.
static Value getStartOfYielded(Value value, scf::IfOp branch) {
  auto result = dyn_cast<OpResult>(value);
  return result && branch->isProperAncestor(result.getOwner())
             ? getStart(result)
             : value;
}

static Value getStart(OpResult result) {
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return dps.getTiedOpOperand(result)->get();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(result.getOwner())) {
    OpOperand *tied = loop.getTiedLoopInit(result);
    return tied ? tied->get() : Value();
  }
  auto branch = dyn_cast<scf::IfOp>(result.getOwner());
  if (!branch)
    return nullptr;
  unsigned number = result.getResultNumber();
  Value start =
      getStartOfYielded(branch.thenYield().getOperand(number), branch);
  return start == getStartOfYielded(branch.elseYield().getOperand(number),
                                    branch)
             ? start
             : Value();
}

/// Appends the units of `op` to `units`. This is the op itself, or the loops in
/// a branch whose regions both continue the same inits: versions of a loop
/// (Codegen/GPU/TileVersions.cpp).
static void addUnitOps(Operation &op, SmallVectorImpl<Operation *> &units) {
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch) {
    if (isUnit(op))
      units.push_back(&op);
    return;
  }
  if (branch->use_empty() ||
      !llvm::all_of(branch.getResults(), [](OpResult result) {
        return getStart(result) != nullptr;
      }))
    return;
  SmallVector<Operation *> loops;
  for (Region &region : branch->getRegions())
    for (Operation &inner : region.getOps())
      addUnitOps(inner, loops);
  if (llvm::all_of(loops, llvm::IsaPred<LoopLikeOpInterface>))
    llvm::append_range(units, loops);
}

/// Returns the result of `op` that `value` is, or that branches around `op`
/// yield as `value`. Returns null if there is none.
static OpResult getResultOf(Operation *op, Value value) {
  auto result = dyn_cast<OpResult>(value);
  while (result && result.getOwner() != op) {
    auto branch = dyn_cast<scf::IfOp>(result.getOwner());
    if (!branch || !branch->isAncestor(op))
      return nullptr;
    scf::YieldOp yield =
        branch.getThenRegion().isAncestor(op->getParentRegion())
            ? branch.thenYield()
            : branch.elseYield();
    result = dyn_cast<OpResult>(yield.getOperand(result.getResultNumber()));
  }
  return result;
}

/// Returns whether `op` inserts a part of a tensor where it has been written
/// already: the loop before it writes to this slice.
static bool isInPlace(tensor::InsertSliceOp op) {
  auto result = dyn_cast<OpResult>(op.getSource());
  if (!result)
    return false;
  Value init = getStart(result);
  auto slice = init ? init.getDefiningOp<tensor::ExtractSliceOp>()
                    : tensor::ExtractSliceOp();
  return slice && slice.getSource() == op.getDest() &&
         slice.isSameAs(op, [](OpFoldResult lhs, OpFoldResult rhs) {
           return isEqualConstantIntOrValue(lhs, rhs);
         });
}

/// Returns whether the results of `op` are parts of sums that a later loop
/// merges. They are in slots for its iterations
/// (Codegen/Common/FissionForall.cpp).
static bool writesParts(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  return forall && llvm::all_of(forall.getOutputs(), [](Value output) {
           auto alloc = output.getDefiningOp<bufferization::AllocTensorOp>();
           return alloc && !alloc.getCopy();
         });
}

namespace {
/// Collects the units of a block.
class UnitCollector {
public:
  /// Adds the units of `op`.
  void add(Operation &op);
  SmallVector<Unit> take();

private:
  /// Returns the unit that `op` belongs to, which may be a new one, and
  /// collects the values that it writes to in `inits`.
  size_t findUnit(Operation *op, llvm::SmallDenseSet<Value> &inits);
  /// Makes unit `number` continue the units that wrote parts that it reads.
  void mergeParts(size_t number);

  SmallVector<Unit> units;
  llvm::DenseMap<Value, size_t> writers;
  /// The units of loops that write parts, until another unit has read these. In
  /// a branch, they are one unit with that one.
  llvm::SmallDenseSet<size_t> pending;
};
} // namespace

size_t UnitCollector::findUnit(Operation *op,
                               llvm::SmallDenseSet<Value> &inits) {
  // A value that another unit has written to is continued.
  size_t number = units.size();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    inits.insert(loop.getInits().begin(), loop.getInits().end());
    for (Value init : inits)
      if (auto writer = writers.find(init); writer != writers.end())
        number = writer->second;
  } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (Value init : dps.getDpsInits())
      if (isUnset(init))
        inits.insert(init);
  }
  return number;
}

void UnitCollector::mergeParts(size_t number) {
  SmallVector<size_t> merged;
  for (Value input : units[number].inputs)
    if (auto writer = writers.find(getBase(input));
        writer != writers.end() && writer->second != number &&
        pending.erase(writer->second))
      merged.push_back(writer->second);
  for (size_t parts : merged) {
    Unit &unit = units[number];
    unit.ops.insert(unit.ops.begin(), units[parts].ops.begin(),
                    units[parts].ops.end());
    unit.isProduct |= units[parts].isProduct;
    unit.inputs.insert_range(units[parts].inputs);
    for (auto &[value, writer] : writers)
      if (writer == parts)
        writer = number;
    units[parts] = Unit();
  }
}

void UnitCollector::add(Operation &op) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (insert && isInPlace(insert))
    if (auto writer = writers.find(insert.getSource());
        writer != writers.end()) {
      units[writer->second].composed.push_back(insert.getResult());
      return;
    }
  std::optional<size_t> number;
  SmallVector<Operation *> ops;
  addUnitOps(op, ops);
  for (Operation *each : ops) {
    // 1. Find the values that it writes to. All loops of a branch are in one
    //    unit.
    llvm::SmallDenseSet<Value> inits;
    size_t found = findUnit(each, inits);
    if (!number)
      number = found;
    if (*number == units.size())
      units.emplace_back();
    Unit &unit = units[*number];
    unit.ops.push_back(each);
    unit.isProduct |= hasProduct(each);
    // 2. Find the values that it reads.
    each->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (isa<RankedTensorType>(operand.getType()) &&
            operand.getParentRegion()->isAncestor(op.getParentRegion()) &&
            !(nested == each && inits.contains(operand)) && !isUnset(operand))
          unit.inputs.insert(operand);
    });
    // 3. A loop that merges parts continues their units.
    mergeParts(*number);
    if (each == &op && writesParts(each))
      pending.insert(*number);
    for (Value result : each->getResults())
      writers[result] = *number;
  }
  if (!number)
    return;
  for (Value result : op.getResults())
    writers[result] = *number;
  // The other results have been passed on.
  units[*number].outputs.assign(op.getResults().begin(), op.getResults().end());
}

SmallVector<Unit> UnitCollector::take() {
  // A value that a unit continues is not read from another unit.
  for (auto [number, unit] : llvm::enumerate(units))
    unit.inputs.remove_if([&, number = number](Value input) {
      auto writer = writers.find(getBase(input));
      return writer != writers.end() && writer->second == number;
    });
  llvm::erase_if(units, [](const Unit &unit) { return unit.ops.empty(); });
  return std::move(units);
}

static SmallVector<Unit> getUnits(Block &block) {
  UnitCollector collector;
  for (Operation &op : block)
    collector.add(op);
  return collector.take();
}

/// Adds the tile of `value` that a use at `op` has in a unit to `tile`.
static void addTile(Operation *op, Value value, Tile &tile) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> sizes = type.getShape();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    sizes = slice.getStaticSizes();
  if (tile.empty())
    tile.assign(sizes.begin(), sizes.end());
  for (auto [size, other] : llvm::zip(tile, sizes))
    size = ShapedType::isDynamic(size) || ShapedType::isDynamic(other)
               ? ShapedType::kDynamic
               : std::max(size, other);
}

/// Returns the tile in which `unit` reads `value`. Empty if it is unknown.
static Tile getReadTile(const Unit &unit, Value value) {
  Tile tile;
  for (Operation *op : unit.ops) {
    if (!isa<LoopLikeOpInterface>(op))
      return {};
    op->walk([&](Operation *nested) {
      if (nested != op && llvm::is_contained(nested->getOperands(), value) &&
          !isa<tensor::DimOp>(nested))
        addTile(nested, value, tile);
    });
  }
  return tile;
}

/// Returns the tile in which `unit` writes `value`. Empty if it is unknown.
static Tile getWrittenTile(const Unit &unit, Value value) {
  Tile tile;
  for (Operation *op : unit.ops) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    OpResult result = getResultOf(op, value);
    if (!forall || !result)
      continue;
    for (Operation *insert :
         forall.getCombiningOps(forall.getTiedBlockArgument(result)))
      if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(insert))
        tile.assign(slice.getStaticSizes().begin(),
                    slice.getStaticSizes().end());
  }
  return tile;
}

namespace {
/// A tensor that is moved more than once.
struct Moved {
  Value base;
  /// The unit that writes it, or null for an argument.
  const Unit *writer = nullptr;
  SmallVector<std::pair<const Unit *, Value>> readers;
  uint64_t excess = 0;
};
} // namespace

/// Returns whether a product writes `moved` and another one reads it.
static bool isBetweenProducts(const Moved &moved) {
  return moved.writer && moved.writer->isProduct &&
         llvm::all_of(moved.readers, [](const auto &reader) {
           return reader.first->isProduct;
         });
}

static std::string count(size_t number, StringRef part) {
  return (Twine(number) + " " + part + (number == 1 ? "" : "s")).str();
}

/// A dimension of which a tile of one unit has the whole, and a tile of another
/// unit a part.
struct CutDim {
  unsigned dim;
  int64_t part;
};

/// Returns the first dimension of a tensor of type `type` of which one of the
/// tiles `whole` has all, and one of the tiles `parts` a part.
static std::optional<CutDim>
findCutDim(RankedTensorType type, ArrayRef<Tile> whole, ArrayRef<Tile> parts) {
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    int64_t range = type.getDimSize(dim);
    if (llvm::none_of(whole,
                      [&](const Tile &tile) { return tile[dim] == range; }))
      continue;
    for (const Tile &tile : parts)
      if (tile[dim] != range)
        return CutDim{dim, tile[dim]};
  }
  return std::nullopt;
}

/// Returns an op of the units of `moved` that is in no loop over tiles, or
/// null.
static Operation *findOpInNoLoop(const Moved &moved) {
  auto find = [](const Unit &unit) -> Operation * {
    for (Operation *op : unit.ops)
      if (!isa<LoopLikeOpInterface>(op))
        return op;
    return nullptr;
  };
  for (auto [unit, value] : moved.readers)
    if (Operation *op = find(*unit))
      return op;
  return moved.writer ? find(*moved.writer) : nullptr;
}

/// Explains what `op`, which is in no loop over tiles, costs, and what helps.
static std::string explainOpInNoLoop(Operation *op, StringRef part) {
  bool isPutTogether =
      isa<tensor::ConcatOp, tensor::PadOp, tensor::InsertSliceOp>(op);
  return llvm::formatv(
      "'{0}' is not tiled, so it is a {1} of its own; {2}", op->getName(), part,
      isPutTogether ? "use the parts instead of what it puts together, or put "
                      "them together last"
                    : "to fuse it, write what uses it as elementwise ops and "
                      "reductions of the same rows");
}

/// Returns the main op of a unit: the last structured op or online reduction in
/// its last loop.
static Operation *getMainOp(const Unit &unit) {
  Operation *main = unit.ops.back();
  main->walk([&](Operation *op) {
    if (!isFill(op) && isa<linalg::LinalgOp, OnlineReductionOpInterface>(op))
      main = op;
  });
  return main;
}

/// Returns an op of `unit` that reduces and is no matrix product, with the
/// number of elements that it reduces. Returns null if there is none.
static std::pair<Operation *, int64_t> findReduction(const Unit &unit) {
  std::pair<Operation *, int64_t> found{nullptr, ShapedType::kDynamic};
  for (Operation *loop : unit.ops)
    loop->walk([&](linalg::LinalgOp op) {
      if (found.first || op.getNumReductionLoops() == 0 || isMatrixProduct(op))
        return;
      int64_t elements = 1;
      for (auto [range, type] :
           llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
        if (linalg::isReductionIterator(type))
          elements =
              ShapedType::isDynamic(range) || ShapedType::isDynamic(elements)
                  ? ShapedType::kDynamic
                  : elements * range;
      found = {op, elements};
    });
  return found;
}

/// Returns the number of iterations of the loops of `unit` that read the same
/// elements of `value`, or kDynamic if it is unknown.
static int64_t countSameReads(const Unit &unit, Value value) {
  int64_t most = 1;
  for (Operation *op : unit.ops) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall)
      return ShapedType::kDynamic;
    // 1. Find the induction variables on which the position that is read
    //    depends.
    llvm::SmallDenseSet<Value> used;
    bool reads = false;
    forall->walk([&](Operation *nested) {
      if (nested == op || isa<tensor::DimOp>(nested) ||
          !llvm::is_contained(nested->getOperands(), value))
        return;
      reads = true;
      llvm::SetVector<Value> worklist;
      for (Value operand : nested->getOperands())
        if (operand.getType().isIndex())
          worklist.insert(operand);
      for (size_t i = 0; i < worklist.size(); ++i) {
        Value index = worklist[i];
        if (Operation *def = index.getDefiningOp())
          worklist.insert(def->operand_begin(), def->operand_end());
        else
          used.insert(index);
      }
    });
    if (!reads)
      continue;
    // 2. Count the iterations of the other loops.
    int64_t iterations = 1;
    for (auto [iv, lower, upper, step] :
         llvm::zip_equal(forall.getInductionVars(), forall.getMixedLowerBound(),
                         forall.getMixedUpperBound(), forall.getMixedStep())) {
      if (used.contains(iv))
        continue;
      std::optional<int64_t> from = getConstantIntValue(lower),
                             to = getConstantIntValue(upper),
                             by = getConstantIntValue(step);
      if (!from || !to || !by || *by < 1)
        return ShapedType::kDynamic;
      iterations *=
          std::max<int64_t>(llvm::divideCeilSigned(*to - *from, *by), 1);
    }
    most = std::max(most, iterations);
  }
  return most;
}

/// Explains why the stored value of `moved` is needed before the units that
/// read it begin, and what helps.
static std::string explainOrder(const Moved &moved, StringRef part) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *writer = getMainOp(*moved.writer);
  auto [unit, value] = moved.readers.back();
  Operation *reader = getMainOp(*unit);
  auto [reduction, elements] = findReduction(*moved.writer);
  // 1. Say what must have ended.
  if (reduction) {
    os << "'" << reduction->getName() << "' reduces ";
    if (ShapedType::isDynamic(elements))
      os << "a row";
    else
      os << count(elements, "element");
    os << " for it";
  } else {
    os << "'" << writer->getName() << "' computes it";
  }
  // 2. Say what needs it.
  int64_t same = countSameReads(*unit, value);
  os << " before '" << reader->getName() << "' reads it, which ";
  if (moved.readers.size() > 1)
    os << count(moved.readers.size(), part) << " do; leave it, or compute it "
       << "from less";
  else if (same == 1)
    os << "has other tiles; reduce along dimensions that both have whole, or "
          "leave it";
  else if (reduction && unit->isProduct) {
    if (ShapedType::isDynamic(same))
      os << "several tiles do";
    else
      os << same << " tiles do";
    os << ", each of the same rows; multiply the result of the product by what "
          "is one number for a row, or leave it";
  } else {
    if (ShapedType::isDynamic(same))
      os << "several tiles do";
    else
      os << same << " tiles do";
    os << ", and each would compute it again; leave it, or compute it from "
          "less";
  }
  return text;
}

/// Explains why the units of `moved` are not one, and what helps.
static std::string explain(const Moved &moved, StringRef part) {
  auto type = cast<RankedTensorType>(moved.base.getType());
  // 1. A product reads the result of a product.
  if (isBetweenProducts(moved))
    return "a product of it follows a product: one loop would compute the "
           "first again for each tile of the second, or hold whole rows of it; "
           "make rows shorter, as heads are, or leave it";
  // 2. A tile of one unit has a whole dimension, and a tile of another has a
  //    part of it.
  SmallVector<Tile> written, read;
  auto add = [](SmallVector<Tile> &tiles, Tile tile) {
    if (!tile.empty())
      tiles.push_back(std::move(tile));
  };
  if (moved.writer)
    add(written, getWrittenTile(*moved.writer, moved.base));
  for (auto [unit, value] : moved.readers)
    if (value.getType() == type)
      add(read, getReadTile(*unit, value));
  std::optional<CutDim> cut = findCutDim(type, read, written);
  if (!cut)
    cut = findCutDim(type, read, read);
  if (cut) {
    std::string text = "one has all";
    llvm::raw_string_ostream os(text);
    int64_t range = type.getDimSize(cut->dim);
    if (!ShapedType::isDynamic(range))
      os << " " << range;
    os << " elements of dimension " << cut->dim << " in a tile, another ";
    if (ShapedType::isDynamic(cut->part))
      os << "a part";
    else
      os << cut->part;
    os << "; "
       << (moved.writer && moved.writer->isProduct
               ? "reduce what a tile of the product has, such as the columns "
                 "of a head"
               : "sum what is reduced along the other dimension in blocks, and "
                 "then the blocks");
    return text;
  }
  if (Operation *op = findOpInNoLoop(moved))
    return explainOpInNoLoop(op, part);
  if (moved.writer)
    return explainOrder(moved, part);
  return ("each " + part +
          " has results of its own; compute one result from another, or leave "
          "it")
      .str();
}

static void reportFunction(func::FuncOp function, StringRef part,
                           FusionReport &report) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return;
  Block &block = function.getBody().front();
  auto end = dyn_cast<func::ReturnOp>(block.getTerminator());
  if (!end) // never returns
    return;
  auto returned = end.getOperands();
  SmallVector<Unit> units = getUnits(block);

  // 1. Count bytes.
  uint64_t least = 0, moved = 0;
  for (Value argument : block.getArguments())
    least += countBytes(argument);
  for (Value value : returned)
    least += countBytes(value);
  llvm::MapVector<Value, Moved> tensors;
  for (const Unit &unit : units) {
    llvm::SmallDenseSet<Value> seen;
    for (Value input : unit.inputs) {
      moved += countBytes(input);
      Value base = getBase(input);
      if (!seen.insert(base).second)
        continue;
      Moved &tensor = tensors[base];
      tensor.base = base;
      tensor.readers.emplace_back(&unit, input);
    }
    for (Value output : unit.outputs)
      moved += countBytes(output);
    for (Value output :
         llvm::concat<const Value>(unit.outputs, unit.composed)) {
      tensors[output].base = output;
      tensors[output].writer = &unit;
    }
  }
  if (least == 0 || moved < least + least / kLeastPart)
    return;

  // 2. Report the tensors that matter, the largest first.
  SmallVector<Moved *> culprits;
  for (auto &[base, tensor] : tensors) {
    bool isNeeded = isa<BlockArgument>(base) ||
                    llvm::any_of(returned, [base = base](Value value) {
                      return getBase(value) == base;
                    });
    for (auto [unit, value] : tensor.readers)
      tensor.excess += countBytes(value);
    if (tensor.writer && !isNeeded)
      tensor.excess += countBytes(base);
    if (isa<BlockArgument>(base))
      tensor.excess -= std::min(tensor.excess, countBytes(base));
    bool isBetween =
        tensor.writer ? !tensor.readers.empty() : tensor.readers.size() > 1;
    if (isBetween && tensor.excess >= least / kLeastPart &&
        !isReported(function, base.getType()))
      culprits.push_back(&tensor);
  }
  llvm::stable_sort(culprits, [](const Moved *lhs, const Moved *rhs) {
    return lhs->excess > rhs->excess;
  });
  if (culprits.size() > kMostTensors)
    culprits.truncate(kMostTensors);
  for (const Moved *tensor : culprits) {
    Operation *alone = findOpInNoLoop(*tensor);
    Operation *reader =
        alone ? alone : tensor->readers.back().first->ops.back();
    std::string text =
        (tensor->writer ? "stored: " : "read more than once: ") +
        describeSize(tensor->base.getType()) +
        (tensor->writer ? " of a " + part + ", for " : " by ").str() +
        count(tensor->readers.size(), part) + (tensor->writer ? " more" : "") +
        ": " + explain(*tensor, part);
    report.left(reader->getLoc(), text);
  }
}

LogicalResult
mlir::linalg_ext::reportTraffic(Operation *scope, bool isOnCPU,
                                const FuseRootsSpelling &spelling) {
  FailureOr<FusionReport> report = FusionReport::create(
      scope->getLoc(), spelling.report, /*requireFusion=*/false);
  if (failed(report))
    return failure();
  scope->walk([&](func::FuncOp function) {
    reportFunction(function, isOnCPU ? "loop nest" : "kernel", *report);
    clearReported(function);
  });
  return report->finish();
}
