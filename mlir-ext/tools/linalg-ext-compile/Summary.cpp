//===- Summary.cpp - One-line summary of a function -----------------------===//
//
// See Summary.h.
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "mlir-ext/Runtime/LaunchPlan.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

std::string mlir::linalg_ext::formatBytes(uint64_t bytes) {
  if (bytes < 1024)
    return llvm::formatv("{0} bytes", bytes).str();
  double number = double(bytes);
  const char *unit = "";
  for (const char *larger : {"KiB", "MiB", "GiB"}) {
    if (number < 1024)
      break;
    number /= 1024;
    unit = larger;
  }
  return llvm::formatv("{0:F1} {1}", number, unit).str();
}

static void print(raw_ostream &os, const FunctionSummary &summary) {
  os << "@" << summary.function << ": " << summary.parts << " " << summary.part
     << (summary.parts == 1 ? "" : "s");
  if (summary.partsInLoops > 0)
    os << ", " << summary.partsInLoops << " of them in loops";
  if (summary.isOfOtherSizes) {
    os << " for some sizes or others\n";
    return;
  }
  os << ", ";
  if (summary.largestTemporary == 0)
    os << "no temporary";
  else
    os << "largest temporary " << formatBytes(summary.largestTemporary);
  if (summary.moved != 0)
    os << ", " << formatBytes(summary.moved) << " moved";
  if (summary.moved != 0 && summary.least != 0)
    os << llvm::formatv(", {0:F2} times the least possible",
                        double(summary.moved) / double(summary.least));
  if (summary.assumesSizes)
    os << " (unknown sizes count as " << kAssumedSize << ")";
  os << "\n";
}

void mlir::linalg_ext::printSummaries(ArrayRef<FunctionSummary> summaries,
                                      raw_ostream &os) {
  for (const FunctionSummary &summary : summaries)
    print(os, summary);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static uint64_t countBytes(Type type, bool &assumesSizes) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.getElementType().isIntOrFloat())
    return 0;
  uint64_t bytes = llvm::divideCeil(memref.getElementTypeBitWidth(), 8);
  for (int64_t size : memref.getShape()) {
    assumesSizes |= ShapedType::isDynamic(size);
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, ShapedType::isDynamic(size) ? kAssumedSize : size);
  }
  return bytes;
}

namespace {
/// Loops one after another over parts of one range, or an op in no loop.
struct LoopNest {
  Operation *last = nullptr;
  llvm::SetVector<Value> buffers;
};
} // namespace

/// Whether `op` reads buffers and writes others; what fills one does not count.
static bool computes(Operation &op) {
  // An scf.forall is a loop and a destination-style op.
  if (isa<LoopLikeOpInterface>(op) ||
      (op.getNumRegions() > 0 && !isa<DestinationStyleOpInterface>(op)))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.hasEffect<MemoryEffects::Read>() &&
         effects.hasEffect<MemoryEffects::Write>();
}

static SmallVector<LoopNest> getLoopNests(func::FuncOp function) {
  SmallVector<LoopNest> nests;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      if (!computes(op))
        continue;
      llvm::SetVector<Value> buffers;
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (isa<MemRefType>(operand.getType()) &&
              operand.getParentRegion()->isAncestor(op.getParentRegion()))
            buffers.insert(operand);
      });
      if (buffers.empty())
        continue;
      auto loop = dyn_cast<scf::ForOp>(op);
      auto before = nests.empty() ? scf::ForOp()
                                  : dyn_cast<scf::ForOp>(nests.back().last);
      bool goesOn =
          loop && before && loop.getLowerBound() == before.getUpperBound();
      if (!goesOn)
        nests.emplace_back();
      nests.back().last = &op;
      nests.back().buffers.insert(buffers.begin(), buffers.end());
    }
  return nests;
}

SmallVector<FunctionSummary, 0>
mlir::linalg_ext::summarizeLoopNests(ModuleOp module) {
  SmallVector<FunctionSummary, 0> summaries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    FunctionSummary &summary = summaries.emplace_back();
    summary.function = function.getName().str();
    summary.part = "loop nest";
    for (Type type : function.getResultTypes())
      summary.least += countBytes(type, summary.assumesSizes);

    // 1. Temporaries. A returned buffer is not a temporary.
    llvm::SmallPtrSet<Value, 4> returned;
    function.walk([&](func::ReturnOp op) {
      for (Value value : op.getOperands())
        returned.insert(getViewedBuffer(value));
    });
    llvm::SmallPtrSet<Value, 8> temporaries;
    function.walk([&](Operation *op) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      if (!effects || !effects.hasEffect<MemoryEffects::Allocate>())
        return;
      for (Value result : op->getResults())
        if (!returned.contains(result)) {
          temporaries.insert(result);
          summary.largestTemporary =
              std::max(summary.largestTemporary,
                       countBytes(result.getType(), summary.assumesSizes));
        }
    });

    // 2. Bytes moved. A temporary that only one nest uses stays in a cache.
    SmallVector<LoopNest> nests = getLoopNests(function);
    llvm::DenseMap<Value, unsigned> users;
    for (const LoopNest &nest : nests) {
      llvm::SmallPtrSet<Value, 8> bases;
      for (Value buffer : nest.buffers)
        bases.insert(getViewedBuffer(buffer));
      for (Value base : bases)
        ++users[base];
    }
    summary.parts = nests.size();
    llvm::DenseMap<Value, uint64_t> movedOf;
    for (const LoopNest &nest : nests)
      for (Value buffer : nest.buffers)
        if (Value base = getViewedBuffer(buffer);
            !temporaries.contains(base) || users[base] > 1) {
          uint64_t bytes = countBytes(buffer.getType(), summary.assumesSizes);
          summary.moved += bytes;
          movedOf[base] += bytes;
        }

    // 3. The least: no argument more than once, and none that nothing uses.
    for (BlockArgument argument : function.getArguments())
      if (uint64_t moved = movedOf.lookup(argument))
        summary.least += std::min(
            moved, countBytes(argument.getType(), summary.assumesSizes));
  }
  return summaries;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The buffer of which `map` is a tensor map; null if it is none.
static Value getMappedBuffer(Value map) {
  auto create = map.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
  auto cast = create ? create.getTensor().getDefiningOp<memref::CastOp>()
                     : memref::CastOp();
  return cast ? cast.getSource() : Value();
}

namespace {
/// The numbers from `first` to `last`.
struct Interval {
  int64_t first, last;
};
} // namespace

static std::optional<Interval> getRange(Value value, gpu::LaunchOp launch);

static std::optional<Interval> getRange(OpFoldResult value,
                                        gpu::LaunchOp launch) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Interval{*constant, *constant};
  return getRange(cast<Value>(value), launch);
}

/// The range of `expr`, whose dimensions and symbols are `operands`.
static std::optional<Interval> getRange(AffineExpr expr, unsigned numDims,
                                        ValueRange operands,
                                        gpu::LaunchOp launch) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getRange(operands[dim.getPosition()], launch);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getRange(operands[numDims + symbol.getPosition()], launch);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Interval> lhs = getRange(binary.getLHS(), numDims, operands,
                                         launch),
                          rhs = getRange(binary.getRHS(), numDims, operands,
                                         launch);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Interval{lhs->first + rhs->first, lhs->last + rhs->last};
  if (rhs->first != rhs->last)
    return std::nullopt;
  int64_t number = rhs->first;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return number < 0 ? Interval{lhs->last * number, lhs->first * number}
                      : Interval{lhs->first * number, lhs->last * number};
  case AffineExprKind::FloorDiv:
    if (number > 0)
      return Interval{llvm::divideFloorSigned(lhs->first, number),
                      llvm::divideFloorSigned(lhs->last, number)};
    return std::nullopt;
  case AffineExprKind::CeilDiv:
    if (number > 0)
      return Interval{llvm::divideCeilSigned(lhs->first, number),
                      llvm::divideCeilSigned(lhs->last, number)};
    return std::nullopt;
  case AffineExprKind::Mod:
    if (number > 0)
      return lhs->first >= 0 && lhs->last < number ? *lhs
                                                   : Interval{0, number - 1};
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// What `value`, an index in `launch`, may be, if that is known.
static std::optional<Interval> getRange(Value value, gpu::LaunchOp launch) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Interval{*constant, *constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner);
        loop && argument == loop.getInductionVar()) {
      std::optional<Interval> lower = getRange(loop.getLowerBound(), launch),
                              upper = getRange(loop.getUpperBound(), launch);
      if (lower && upper)
        return Interval{lower->first, std::max(lower->first, upper->last - 1)};
      return std::nullopt;
    }
    if (owner != launch)
      return std::nullopt;
    gpu::KernelDim3 ids = launch.getBlockIds(),
                    sizes = launch.getGridSizeOperandValues();
    for (auto [id, size] :
         {std::pair(ids.x, sizes.x), std::pair(ids.y, sizes.y),
          std::pair(ids.z, sizes.z)})
      if (value == id)
        if (std::optional<int64_t> number = getConstantIntValue(size))
          return Interval{0, *number - 1};
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return getRange(apply.getAffineMap().getResult(0),
                    apply.getAffineMap().getNumDims(), apply.getMapOperands(),
                    launch);
  if (auto parts = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    // The first one may have no bound.
    ArrayRef<int64_t> sizes = parts.getStaticBasis();
    unsigned unbounded = parts->getNumResults() - sizes.size();
    if (number < unbounded || ShapedType::isDynamic(sizes[number - unbounded]))
      return std::nullopt;
    return Interval{0, sizes[number - unbounded] - 1};
  }
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
          arith::RemUIOp>(op)) {
    AffineExpr lhs = getAffineDimExpr(0, op->getContext()),
               rhs = getAffineDimExpr(1, op->getContext());
    AffineExpr expr = isa<arith::AddIOp>(op)    ? lhs + rhs
                      : isa<arith::SubIOp>(op)  ? lhs - rhs
                      : isa<arith::MulIOp>(op)  ? lhs * rhs
                      : isa<arith::DivUIOp>(op) ? lhs.floorDiv(rhs)
                                                : lhs % rhs;
    return getRange(expr, /*numDims=*/2, op->getOperands(), launch);
  }
  if (auto thread = dyn_cast<gpu::ThreadIdOp>(op)) {
    gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
    Value size = thread.getDimension() == gpu::Dimension::x   ? sizes.x
                 : thread.getDimension() == gpu::Dimension::y ? sizes.y
                                                              : sizes.z;
    if (std::optional<int64_t> number = getConstantIntValue(size))
      return Interval{0, *number - 1};
  }
  auto getAll = [&](AffineMap map, ValueRange operands, bool isMin) {
    std::optional<Interval> all;
    for (AffineExpr expr : map.getResults()) {
      std::optional<Interval> one =
          getRange(expr, map.getNumDims(), operands, launch);
      if (!one)
        return one;
      if (!all)
        all = one;
      else if (isMin)
        all = Interval{std::min(all->first, one->first),
                       std::min(all->last, one->last)};
      else
        all = Interval{std::max(all->first, one->first),
                       std::max(all->last, one->last)};
    }
    return all;
  };
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return getAll(min.getAffineMap(), min.getOperands(), /*isMin=*/true);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return getAll(max.getAffineMap(), max.getOperands(), /*isMin=*/false);
  return std::nullopt;
}

/// The bytes of `buffer`, of a static shape, that vectors in `launch` read or
/// write: those between the first and the last element along each dimension.
/// All of it if that is not known.
static uint64_t countTouchedBytes(Value buffer, gpu::LaunchOp launch,
                                  bool &assumesSizes) {
  uint64_t all = countBytes(buffer.getType(), assumesSizes);
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0)
    return all;
  SmallVector<Interval> touched(type.getRank(),
                                {std::numeric_limits<int64_t>::max(), -1});
  for (OpOperand &use : buffer.getUses()) {
    if (!launch.getBody().isAncestor(use.getOwner()->getParentRegion()))
      continue;
    Operation *user = use.getOwner();
    // 1. Where it is read or written, and how many elements.
    SmallVector<OpFoldResult> indices;
    SmallVector<int64_t> lengths(type.getRank(), 1);
    auto transfer = dyn_cast<VectorTransferOpInterface>(user);
    if (transfer && transfer.getBase() == buffer) {
      indices = getAsOpFoldResult(transfer.getIndices());
      for (auto [expr, length] :
           llvm::zip_equal(transfer.getPermutationMap().getResults(),
                           transfer.getVectorType().getShape()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          lengths[dim.getPosition()] = length;
    } else if (isa<vector::LoadOp, vector::StoreOp, memref::LoadOp,
                   memref::StoreOp>(user)) {
      // The value that a store writes comes first.
      auto operands = user->getOperands().drop_front(
          isa<vector::StoreOp, memref::StoreOp>(user) ? 2 : 1);
      indices = getAsOpFoldResult(operands);
      VectorType vector;
      if (auto load = dyn_cast<vector::LoadOp>(user))
        vector = load.getVectorType();
      else if (auto store = dyn_cast<vector::StoreOp>(user))
        vector = store.getVectorType();
      if (vector && vector.getRank() > type.getRank())
        return all;
      if (vector)
        for (auto [length, size] : llvm::zip_equal(
                 MutableArrayRef<int64_t>(lengths).take_back(vector.getRank()),
                 vector.getShape()))
          length = size;
    } else if (auto slice = dyn_cast<memref::SubViewOp>(user);
               slice && slice.hasUnitStride()) {
      indices = slice.getMixedOffsets();
      for (auto [length, size, extent] :
           llvm::zip_equal(lengths, slice.getMixedSizes(), type.getShape())) {
        std::optional<Interval> most = getRange(size, launch);
        length = most ? most->last : extent;
      }
    } else {
      return all;
    }
    // 2. The first and the last element.
    for (auto [range, index, length, size] :
         llvm::zip_equal(touched, indices, lengths, type.getShape())) {
      std::optional<Interval> at = getRange(index, launch);
      if (!at)
        at = Interval{0, size - 1};
      range.first = std::min(range.first, std::max<int64_t>(at->first, 0));
      range.last =
          std::max(range.last, std::min(at->last + length - 1, size - 1));
    }
  }
  uint64_t elements = 1;
  for (Interval range : touched) {
    if (range.last < range.first)
      return all;
    elements *= range.last - range.first + 1;
  }
  return all / type.getNumElements() * elements;
}

llvm::StringMap<LaunchBytes>
mlir::linalg_ext::countLaunchBytes(ModuleOp module) {
  llvm::StringMap<LaunchBytes> all;
  for (auto function : module.getOps<func::FuncOp>()) {
    LaunchBytes &bytes = all[function.getName()];
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto launch = dyn_cast<gpu::LaunchOp>(op);
      if (!launch) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        if (effects && effects.hasEffect<MemoryEffects::Allocate>())
          for (Type type : op->getResultTypes())
            bytes.largestTemporary = std::max(
                bytes.largestTemporary, countBytes(type, bytes.assumesSizes));
        return WalkResult::advance();
      }
      llvm::SetVector<Value> buffers;
      launch.getBody().walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (Value mapped = getMappedBuffer(operand))
            buffers.insert(mapped);
          else if (isa<MemRefType>(operand.getType()) &&
                   !launch.getBody().isAncestor(operand.getParentRegion()))
            buffers.insert(operand);
      });
      // Views of one buffer have no more than all of it.
      llvm::MapVector<Value, uint64_t> touched;
      for (Value buffer : buffers)
        touched[getViewedBuffer(buffer)] +=
            countTouchedBytes(buffer, launch, bytes.assumesSizes);
      LaunchBytes::Launch &counts = bytes.launches.emplace_back();
      for (auto [base, count] : touched) {
        uint64_t all = countBytes(base.getType(), bytes.assumesSizes);
        if (all != 0)
          count = std::min(count, all);
        if (auto argument = dyn_cast<BlockArgument>(base))
          counts.arguments[argument.getArgNumber()] += count;
        else
          counts.temporaries.push_back(count);
      }
      return WalkResult::skip();
    });
  }
  return all;
}

/// The manifest of `entry` with the launches that are given alone.
static json::Value makeManifest(const json::Object &entry,
                                json::Array launches) {
  json::Object alone = entry;
  alone["launches"] = std::move(launches);
  json::Array entries;
  entries.push_back(std::move(alone));
  json::Object manifest;
  manifest["entries"] = std::move(entries);
  return manifest;
}

/// Replaces the counters of loops in `value` by `numbers`.
static void setCounters(json::Value &value,
                        const llvm::DenseMap<int64_t, json::Value> &numbers) {
  if (json::Array *array = value.getAsArray()) {
    for (json::Value &each : *array)
      setCounters(each, numbers);
  } else if (json::Object *object = value.getAsObject()) {
    if (std::optional<int64_t> counter = object->getInteger("counter")) {
      value = json::Value(numbers.at(*counter));
      return;
    }
    for (auto &member : *object)
      setCounters(member.second, numbers);
  }
}

/// Adds the launches among `all`, those of loops as their first iteration has
/// them, to `launches`, and those of loops to `inLoops`, and what counters are
/// then to `first`.
static void addFirstIterations(const json::Array &all, bool isLoop,
                               json::Array &launches, json::Array &inLoops,
                               llvm::DenseMap<int64_t, json::Value> &first) {
  for (const json::Value &each : all) {
    const json::Object &launch = *each.getAsObject();
    if (const json::Object *loop = launch.getObject("loop")) {
      for (const json::Value &counter : *loop->getArray("counters")) {
        json::Value begin = *counter.getAsObject()->get("first");
        setCounters(begin, first);
        first.try_emplace(*counter.getAsObject()->getInteger("counter"),
                          std::move(begin));
      }
      addFirstIterations(*loop->getArray("launches"), /*isLoop=*/true, launches,
                         inLoops, first);
    } else if (!launch.get("collective")) {
      launches.push_back(each);
      if (isLoop)
        inLoops.push_back(each);
    }
  }
}

/// `entry` with a list of launches, each loop as its first iteration.
static json::Object withFirstIterations(const json::Object &entry,
                                        json::Array &launches,
                                        json::Array &inLoops) {
  llvm::DenseMap<int64_t, json::Value> first;
  addFirstIterations(*entry.getArray("launches"), /*isLoop=*/false, launches,
                     inLoops, first);
  json::Value plain = json::Object{entry};
  if (first.empty())
    return std::move(*plain.getAsObject());
  plain.getAsObject()->erase("launches");
  setCounters(plain, first);
  for (json::Array *list : {&launches, &inLoops})
    for (json::Value &launch : *list)
      setCounters(launch, first);
  return std::move(*plain.getAsObject());
}

/// Values of the arguments of `entry` in a call: sizes that are not known are
/// `kAssumedSize`, and so are integers.
static SmallVector<ArgumentValue> getArguments(const json::Object &entry,
                                               FunctionSummary &summary) {
  SmallVector<ArgumentValue> values;
  for (const json::Value &argument : *entry.getArray("arguments")) {
    ArgumentValue &given = values.emplace_back();
    given.isBuffer = *argument.getAsObject()->getString("kind") == "buffer";
    if (!given.isBuffer) {
      given.value = kAssumedSize;
      given.hasValue = summary.assumesSizes = true;
      continue;
    }
    for (const json::Value &size : *argument.getAsObject()->getArray("shape")) {
      summary.assumesSizes |= !size.getAsInteger();
      given.shape.push_back(size.getAsInteger().value_or(kAssumedSize));
    }
    // Of one integer that launches depend on.
    given.value = kAssumedSize;
    given.hasValue = true;
  }
  return values;
}

/// The bytes of each argument. A buffer with strides also has what lies between
/// its elements.
static SmallVector<uint64_t> getArgumentBytes(const LaunchPlan &plan,
                                              ArrayRef<ArgumentValue> values) {
  SmallVector<uint64_t> sizes;
  for (auto [argument, given] : llvm::zip_equal(plan.arguments, values)) {
    int64_t count = argument.isRead || argument.isWritten ? 1 : 0;
    for (int64_t size : given.shape)
      count *= size;
    sizes.push_back(argument.numElements == 0
                        ? 0
                        : count * (argument.numBytes / argument.numElements));
  }
  return sizes;
}

/// Adds to `summary` what `launches`, which move `bytes`, move in this call,
/// and to `movedOf` what they move of each argument.
static void addMoved(const json::Object &entry, const json::Array &launches,
                     const LaunchBytes &bytes, const LaunchPlan &plan,
                     ArrayRef<ArgumentValue> values, FunctionSummary &summary,
                     MutableArrayRef<uint64_t> movedOf) {
  summary.assumesSizes |= bytes.assumesSizes;
  // Sizes that follow from others are known in the manifest: no buffer is
  // larger than the block.
  uint64_t block = 0;
  for (const PlannedBuffer &temporary : plan.temporaries)
    block += temporary.numBytes;
  summary.largestTemporary = std::min(bytes.largestTemporary, block);
  for (const auto &[launch, moved] :
       llvm::zip_equal(launches, bytes.launches)) {
    json::Array one;
    one.push_back(launch);
    llvm::Expected<LaunchPlan> alone =
        makeLaunchPlan(makeManifest(entry, std::move(one)), summary.function,
                       values, /*process=*/0);
    if (!alone) {
      llvm::consumeError(alone.takeError());
      continue;
    }
    if (alone->launches.empty())
      continue;
    for (auto [number, count] : moved.arguments) {
      summary.moved += count;
      if (number < movedOf.size())
        movedOf[number] += count;
    }
    for (uint64_t count : moved.temporaries)
      summary.moved += std::min(count, block);
  }
}

/// Summarizes a call of `function`, an entry of a manifest.
static FunctionSummary
summarizeFunction(const json::Object &function,
                  const llvm::StringMap<LaunchBytes> &all) {
  json::Array launches, inLoops;
  json::Object entry = withFirstIterations(function, launches, inLoops);
  FunctionSummary summary;
  summary.function = entry.getString("name")->str();
  summary.part = "kernel";
  SmallVector<ArgumentValue> values = getArguments(entry, summary);
  // Sizes that depend on each other may leave no such call.
  llvm::Expected<LaunchPlan> plan =
      makeLaunchPlan(makeManifest(entry, launches), summary.function, values,
                     /*process=*/0);
  if (!plan) {
    llvm::consumeError(plan.takeError());
    summary.parts = launches.size();
    summary.isOfOtherSizes = true;
    return summary;
  }
  summary.parts = plan->launches.size();
  SmallVector<uint64_t> sizes = getArgumentBytes(*plan, values);
  SmallVector<uint64_t> movedOf(sizes.size(), 0);
  // Temporaries may share one block by now.
  auto known = all.find(summary.function);
  if (known != all.end() && known->second.launches.size() == launches.size()) {
    addMoved(entry, launches, known->second, *plan, values, summary, movedOf);
  } else {
    for (const PlannedBuffer &temporary : plan->temporaries)
      summary.largestTemporary =
          std::max<uint64_t>(summary.largestTemporary, temporary.numBytes);
    movedOf = sizes;
  }
  for (auto [size, moved] : llvm::zip_equal(sizes, movedOf))
    summary.least += std::min(size, moved);
  summary.launches = std::move(plan->launches);
  if (inLoops.empty())
    return summary;
  // How much all iterations move is not known.
  summary.moved = summary.least = 0;
  llvm::Expected<LaunchPlan> loops =
      makeLaunchPlan(makeManifest(entry, std::move(inLoops)), summary.function,
                     values, /*process=*/0);
  if (loops)
    summary.partsInLoops = loops->launches.size();
  else
    llvm::consumeError(loops.takeError());
  return summary;
}

SmallVector<FunctionSummary, 0>
mlir::linalg_ext::summarizeLaunches(const json::Array &entries,
                                    const llvm::StringMap<LaunchBytes> &all) {
  SmallVector<FunctionSummary, 0> summaries;
  for (const json::Value &value : entries)
    summaries.push_back(summarizeFunction(*value.getAsObject(), all));
  return summaries;
}
