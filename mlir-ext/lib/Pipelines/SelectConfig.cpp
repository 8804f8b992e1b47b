//===- SelectConfig.cpp - The instruction of a contraction ----------------===//
//
// Gives each contraction without a config one: an instruction for its element
// types, and a way to distribute it to the subgroups of the workgroup. If no
// instruction fits, the contraction keeps no config, a remark states the
// reason, and threads compute single products. For each launch:
//
//   1. Choose the number of threads, by the registers that results need
//      (LaunchThreads.cpp).
//   2. Choose the config of each contraction, after its types
//      (ContractionTypes.cpp).
//   3. Choose the number of buffers of each copied tile (LaunchThreads.cpp).
//   4. Mark those whose instructions sum with too few bits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/SelectConfig.h"
#include "ContractionTypes.h"
#include "LaunchThreads.h"
#include "LaunchUse.h"
#include "OperandWords.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/Registration.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSELECTCONFIGPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::clampRounded;
using linalg_ext::extendF8;
using linalg_ext::foldF8;
using linalg_ext::getOnlyContractions;
using linalg_ext::getOperandWords;
using linalg_ext::GPUTarget;
using linalg_ext::isComputedByContraction;
using linalg_ext::narrowExtensions;
using linalg_ext::OperandWords;
using linalg_ext::readsTile;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;
using linalg_ext::selectBuffers;
using linalg_ext::setThreads;

ArrayRef<StringRef> mlir::linalg_ext::getF32ProductKinds() {
  static constexpr StringRef kinds[] = {"fma", "tf32", "tf32x3"};
  return kinds;
}

ArrayRef<StringRef> mlir::linalg_ext::getF8ProductKinds() {
  static constexpr StringRef kinds[] = {"f8", "f16", "rounded"};
  return kinds;
}

/// Returns true if elementwise ops compute `value` from vectors that are read
/// from memory, and not from contractions or from values that loops carry.
///
/// With `ofBytes`, returns true only if one of these vectors has elements of 8
/// bits: as many as `value`, or fewer, each of which packs several integers.
static bool isComputedFromMemory(Value value, bool ofBytes = false) {
  int64_t count = cast<VectorType>(value.getType()).getNumElements();
  Operation *last = value.getDefiningOp();
  if (!last || !OpTrait::hasElementwiseMappableTraits(last))
    return false;
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  bool reads = false;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || isa<vector::ContractionOp, LoopLikeOpInterface>(op))
      return false;
    if (!seen.insert(op).second)
      continue;
    if (readsTile(op)) {
      auto type = cast<VectorType>(op->getResult(0).getType());
      Type element = type.getElementType();
      bool isOfBytes =
          element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8;
      // Several integers are unpacked from each byte.
      int64_t read = type.getNumElements();
      isOfBytes &= read == count || (element.isInteger(8) && read < count &&
                                     count % read == 0 && count / read <= 8);
      reads |= !ofBytes || isOfBytes;
      continue;
    }
    for (Value operand : op->getOperands())
      if (isa<VectorType>(operand.getType()))
        worklist.push_back(operand);
  }
  return reads;
}

/// Returns true if `value` is read from memory in elements of 8 bits, or
/// computed from such elements.
static bool isFromBytes(Value value) {
  if (isComputedFromMemory(value, /*ofBytes=*/true))
    return true;
  // Parts of what is summed are cut from what is read.
  while (isa_and_present<vector::ShapeCastOp, vector::TransposeOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return readsTile(value.getDefiningOp()) &&
         cast<VectorType>(value.getType()).getElementTypeBitWidth() == 8;
}

/// Returns true if the workgroup should put `operand` into shared memory
/// together. An operand that is read from memory should be there if it is read
/// in the loop, if subgroups share it, or if it is loaded again in each
/// iteration. An operand that is computed in the loop should be there if
/// subgroups share it, so that each computes a part; or if it is computed from
/// bytes, which an instruction's operand would read one by one.
static bool isPromoted(Value operand, Operation *contract, bool isShared,
                       bool reload) {
  // A cast may cut the vector that is read into parts.
  while (auto cast = operand.getDefiningOp<vector::ShapeCastOp>())
    operand = cast.getSource();
  bool isInLoop =
      operand.getParentRegion()->getParentOfType<LoopLikeOpInterface>() ==
      contract->getParentOfType<LoopLikeOpInterface>();
  if (readsTile(operand.getDefiningOp()))
    return isShared || reload || isInLoop;
  if (isInLoop && isComputedFromMemory(operand, /*ofBytes=*/true))
    return true;
  return (isInLoop ? isShared : reload) && isComputedFromMemory(operand);
}

/// Returns true if elements of `operand` that are neighbours along its
/// dimension `dim` are neighbours in memory, too. If no read is found, decides
/// by the last dimension.
static bool isContiguous(Value operand, unsigned dim) {
  while (Operation *op = operand.getDefiningOp()) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      auto last =
          dyn_cast<AffineDimExpr>(read.getPermutationMap().getResult(dim));
      return last &&
             last.getPosition() + 1 == read.getPermutationMap().getNumDims();
    }
    if (auto gather = dyn_cast<TransferGatherOp>(op)) {
      ArrayRef<AffineExpr> position = gather.getBaseMap().getResults();
      return !position.empty() &&
             position.back() == getAffineDimExpr(dim, op->getContext());
    }
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumOperands() == 0)
      break;
    operand = op->getOperand(0);
  }
  auto type = cast<VectorType>(operand.getType());
  return dim + 1 == type.getRank();
}

/// Sorts `names`: instructions before products by threads. Among products by
/// threads, those come first whose threads have the widest loads of the right
/// operand.
static void sortByWidth(SmallVector<StringRef> &names,
                        const VectorExtDialect &dialect,
                        vector::ContractionOp contract) {
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return;
  AffineExpr n = getAffineDimExpr(dims->n, contract.getContext());
  std::optional<unsigned> dim =
      contract.getIndexingMapsArray()[1].getResultPosition(n);
  bool isWide = dim && isContiguous(contract.getRhs(), *dim);
  llvm::stable_sort(names, [&](StringRef lhs, StringRef rhs) {
    const MmaIntrinsic *a = dialect.lookupIntrinsic(lhs),
                       *b = dialect.lookupIntrinsic(rhs);
    if (!a->isByThreads || !b->isByThreads)
      return a->isByThreads < b->isByThreads;
    return isWide ? a->n > b->n : a->n < b->n;
  });
}

/// Returns the ways to divide a tile among subgroups: pairs of subgroups along
/// rows and along columns. Those come first that leave no subgroup idle, and
/// that divide rows rather than columns.
static SmallVector<std::pair<int64_t, int64_t>>
getSharings(int64_t numSubgroups) {
  SmallVector<std::pair<int64_t, int64_t>> sharings;
  for (int64_t used = numSubgroups; used > 0; --used)
    for (int64_t rows = used; rows > 0; --rows)
      if (numSubgroups % used == 0 && used % rows == 0)
        sharings.emplace_back(rows, used / rows);
  return sharings;
}

/// Sorts `sharings` (see getSharings) of `contractions`, which are those of one
/// loop. Those that leave fewer subgroups idle come first. Among equal ones,
/// the one comes first whose subgroups load least from shared memory. An
/// operand that several contractions read is loaded once.
static void sortByLoads(SmallVector<std::pair<int64_t, int64_t>> &sharings,
                        ArrayRef<vector::ContractionOp> contractions) {
  llvm::DenseMap<Value, int64_t> lhsRows, rhsColumns;
  for (vector::ContractionOp contract : contractions) {
    Refusal refusal;
    FailureOr<ContractDims> dims = getContractDims(contract, refusal);
    if (failed(dims))
      return;
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    lhsRows[contract.getLhs()] = bounds[dims->m];
    rhsColumns[contract.getRhs()] = bounds[dims->n];
  }
  int64_t m = 0, n = 0;
  for (auto [operand, rows] : lhsRows)
    m += rows;
  for (auto [operand, columns] : rhsColumns)
    n += columns;
  auto getLoads = [&](std::pair<int64_t, int64_t> sharing) {
    return m * sharing.second + n * sharing.first;
  };
  llvm::stable_sort(sharings, [&](auto lhs, auto rhs) {
    int64_t lhsUsed = lhs.first * lhs.second, rhsUsed = rhs.first * rhs.second;
    return lhsUsed != rhsUsed ? lhsUsed > rhsUsed
                              : getLoads(lhs) < getLoads(rhs);
  });
}

/// Returns how many of `numSubgroups` work on one part (batch) of `contract`:
/// all of them if the contraction has no parts, and 1 if it has more parts than
/// subgroups.
static int64_t getSubgroupsOfPart(vector::ContractionOp contract,
                                  int64_t numSubgroups) {
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return numSubgroups;
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  return std::max<int64_t>(numSubgroups / dims->getNumParts(bounds), 1);
}

/// Returns the instructions of `target` that may be chosen. One that rounds its
/// operands is included only if `f32Products` names it, and one of f8 only if
/// `f8Products` is not "f16".
static SmallVector<StringRef> getCandidates(const VectorExtDialect &dialect,
                                            const GPUTarget &target,
                                            StringRef f32Products,
                                            StringRef f8Products) {
  SmallVector<StringRef> names = dialect.getIntrinsicNames();
  llvm::erase_if(names, [&](StringRef name) {
    const MmaIntrinsic *intrinsic = dialect.lookupIntrinsic(name);
    bool isKnown = target.intrinsics.empty()
                       ? intrinsic->hasLowering
                       : llvm::is_contained(target.intrinsics, name);
    return !isKnown ||
           (f8Products == "f16" &&
            linalg_ext::isF8(intrinsic->lhsType(dialect.getContext()))) ||
           (intrinsic->isApproximate && name.rsplit('.').second != f32Products);
  });
  return names;
}

/// Returns whether each vector of bytes from which `operand` is computed is
/// contiguous in memory along its last dimension. Returns false if one of them
/// is gathered, because each thread would have to look up addresses.
static bool readsRunsOfBytes(Value operand) {
  // Scales and zero points are fewer than bytes of the operand.
  constexpr int64_t kMostOfByte = 8;
  int64_t elements = cast<VectorType>(operand.getType()).getNumElements();
  SmallVector<Value> worklist{operand};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (readsTile(op)) {
      auto type = cast<VectorType>(op->getResult(0).getType());
      if (type.getRank() > 0 && type.getElementType().isIntOrFloat() &&
          type.getElementTypeBitWidth() == 8 &&
          kMostOfByte * type.getNumElements() >= elements &&
          (isa<TransferGatherOp>(op) ||
           !isContiguous(op->getResult(0), type.getRank() - 1)))
        return false;
      continue;
    }
    for (Value operand : op->getOperands())
      if (isa<VectorType>(operand.getType()))
        worklist.push_back(operand);
  }
  return true;
}

/// Returns how many elements of `operand` are computed from each byte that is
/// read for it: those to which a byte is broadcast. Other numbers, such as zero
/// points, are broadcast to more elements.
static int64_t getElementsOfByte(Value operand) {
  std::optional<int64_t> least;
  SmallVector<std::pair<Value, int64_t>> worklist{{operand, 1}};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    auto [value, count] = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    auto type = dyn_cast<VectorType>(value.getType());
    if (!op || !type || !seen.insert(op).second)
      continue;
    if (readsTile(op)) {
      if (type.getElementType().isIntOrFloat() &&
          type.getElementTypeBitWidth() == 8)
        least = std::min(least.value_or(count), count);
      continue;
    }
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
      if (auto source = dyn_cast<VectorType>(broadcast.getSourceType()))
        count *= type.getNumElements() / source.getNumElements();
    for (Value other : op->getOperands())
      worklist.emplace_back(other, count);
  }
  return least.value_or(1);
}

/// Returns whether the right operand of `contract` is read as it is, in
/// elements of 16 bits that are contiguous along the sum, where subgroups sum
/// parts of one product. In attention, products depend on each other.
static bool readsParts(vector::ContractionOp contract) {
  Value operand = contract.getRhs();
  while (isa_and_present<vector::ShapeCastOp, vector::TransposeOp>(
      operand.getDefiningOp()))
    operand = operand.getDefiningOp()->getOperand(0);
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  AffineExpr last = maps[1].getResults().back();
  // The parts are a dimension of both operands and of the result.
  bool hasParts = llvm::any_of(maps[1].getResults(), [&](AffineExpr expr) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    return maps[0].isFunctionOfDim(dim) && maps[2].isFunctionOfDim(dim);
  });
  return hasParts && operand.getDefiningOp<vector::TransferReadOp>() &&
         contract.getRhsType().getElementTypeBitWidth() == 16 &&
         !maps[2].isFunctionOfDim(cast<AffineDimExpr>(last).getPosition()) &&
         llvm::none_of(contract->getBlock()->getOps<vector::ContractionOp>(),
                       [](vector::ContractionOp other) {
                         return isComputedByContraction(other.getLhs(), other);
                       });
}

/// Returns whether threads can load the right operand of `contract`, or what
/// they compute it from, in runs: elements of 16 bits, bytes, or words that
/// several of its elements are unpacked from.
static bool isFromRuns(vector::ContractionOp contract) {
  Value operand = contract.getRhs();
  if (getOperandWords(operand) || readsParts(contract))
    return true;
  while (auto cast = operand.getDefiningOp<vector::ShapeCastOp>())
    operand = cast.getSource();
  return isFromBytes(operand) && readsRunsOfBytes(operand);
}

namespace {
/// Orders of the elements of an operand, the best first, and the least elements
/// of a run along its last dimension.
struct RunOrders {
  SmallVector<StringRef> orders;
  int64_t least;
};
} // namespace

/// Returns the orders in which threads load the right operand of `contract` in
/// runs: of n, if its last dimension is n, and otherwise of k.
static RunOrders getRunOrders(vector::ContractionOp contract, bool isOfK) {
  std::optional<OperandWords> words = getOperandWords(contract.getRhs());
  if (!words && readsParts(contract))
    return {{"k8"}, /*least=*/8};
  if (!words) {
    Value operand = contract.getRhs();
    while (auto cast = operand.getDefiningOp<vector::ShapeCastOp>())
      operand = cast.getSource();
    // For integers of 4 bits, one mask serves the integers in both halves of a
    // word.
    int64_t perByte = getElementsOfByte(operand);
    RunOrders result{{isOfK ? "k" : "n"}, 4 * perByte};
    if (isOfK && perByte % 2 == 0)
      result.orders.insert(result.orders.begin(), "k4");
    return result;
  }
  // A thread has whole words, of runs of both dimensions if neighbouring words
  // are along n. If their integers are, too, runs of k are of the other
  // operand.
  bool isLast =
      words->dim + 1 == static_cast<unsigned>(contract.getRhsType().getRank());
  RunOrders result{{isOfK ? "k" : "kn"}, isLast ? words->perWord : 2};
  if (words->perWord == 8 && isOfK == isLast)
    result.orders.insert(result.orders.begin(), isOfK ? "k4" : "k4n");
  return result;
}

/// Returns a config with `intrinsic` for a contraction whose rows fit into one
/// instruction (into two, for words), and whose right operand is of bytes, or
/// computed from bytes or words. Each thread loads these as runs, and converts
/// what it needs itself. So nothing goes through shared memory, and subgroups
/// do not wait for each other. Returns null if a load would have less than 4
/// bytes, or if several subgroups would load the same bytes.
static ContractConfigAttr getConfigOfRuns(vector::ContractionOp contract,
                                          const MmaIntrinsic &intrinsic,
                                          int64_t rows, int64_t columns,
                                          const Workgroup &workgroup) {
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (rows != 1 || intrinsic.isByThreads || intrinsic.isAsynchronous ||
      failed(dims))
    return nullptr;
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  Value operand = contract.getRhs();
  while (auto cast = operand.getDefiningOp<vector::ShapeCastOp>())
    operand = cast.getSource();
  // Words of sums in parts may have the rows of two instructions.
  int64_t most =
      dims->getNumParts(bounds) > 1 && getOperandWords(contract.getRhs())
          ? 2 * intrinsic.m
          : intrinsic.m;
  if (bounds[dims->m] % intrinsic.m != 0 || bounds[dims->m] > most ||
      operand.getParentRegion()->getParentOfType<LoopLikeOpInterface>() !=
          contract->getParentOfType<LoopLikeOpInterface>() ||
      !isFromRuns(contract))
    return nullptr;
  MLIRContext *context = contract.getContext();
  AffineMap map = contract.getIndexingMapsArray()[1];
  unsigned last = map.getNumResults() - 1;
  bool isOfK = map.getResult(last) == getAffineDimExpr(dims->k, context);
  if (!isOfK && map.getResult(last) != getAffineDimExpr(dims->n, context))
    return nullptr;
  auto [orders, least] = getRunOrders(contract, isOfK);
  for (StringRef order : orders) {
    auto config = ContractConfigAttr::get(
        context, StringAttr::get(context, intrinsic.name), {rows, columns},
        {false, false}, StringAttr::get(context, order));
    FailureOr<ContractLayouts> layouts =
        getContractLayouts(contract, config, workgroup, refusal);
    if (succeeded(layouts) && layouts->rhs.getContiguity(last) >= least)
      return config;
  }
  return nullptr;
}

/// Returns whether `intrinsic` is for operands from bytes, which are exchanged:
/// its rows are the columns of the instruction.
static bool isExchanged(const MmaIntrinsic &intrinsic) {
  return intrinsic.m < intrinsic.n && !intrinsic.isByThreads &&
         !intrinsic.isAsynchronous;
}

/// Returns the config of `contract` with the best of `names` that fits: of
/// several instructions, the one that sums most products. `runs` allows
/// getConfigOfRuns.
static FailureOr<ContractConfigAttr>
selectConfig(vector::ContractionOp contract, const Workgroup &workgroup,
             bool reload, bool runs, SmallVector<StringRef> names,
             Refusal &refusal) {
  MLIRContext *context = contract.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  refusal = {RefusalKind::Other, contract, "no instruction is known"};
  // Of equal ones, those come last whose operands are exchanged.
  llvm::stable_sort(names, [&](StringRef lhs, StringRef rhs) {
    const MmaIntrinsic *a = dialect->lookupIntrinsic(lhs),
                       *b = dialect->lookupIntrinsic(rhs);
    return a->k != b->k ? a->k > b->k : isExchanged(*a) < isExchanged(*b);
  });
  sortByWidth(names, *dialect, contract);
  SmallVector<std::pair<int64_t, int64_t>> sharings =
      getSharings(getSubgroupsOfPart(contract, workgroup.numSubgroups));
  sortByLoads(sharings, getOnlyContractions(contract));
  Refusal ofSameTypes;
  for (StringRef name : names)
    for (auto [rows, columns] : sharings) {
      if (runs)
        if (ContractConfigAttr config =
                getConfigOfRuns(contract, *dialect->lookupIntrinsic(name), rows,
                                columns, workgroup))
          return config;
      bool promote[2] = {
          isPromoted(contract.getLhs(), contract, columns > 1, reload),
          isPromoted(contract.getRhs(), contract, rows > 1, reload)};
      // Each thread needs all of its rows and columns, for one k at a time.
      if (dialect->lookupIntrinsic(name)->isByThreads) {
        promote[0] = !isComputedByContraction(contract.getLhs(), contract);
        promote[1] = !isComputedByContraction(contract.getRhs(), contract);
      }
      auto config = ContractConfigAttr::get(
          context, StringAttr::get(context, name), {rows, columns}, promote);
      if (succeeded(getContractLayouts(contract, config, workgroup, refusal)))
        return config;
      if (dialect->lookupIntrinsic(name)->lhsType(context) ==
          contract.getLhsType().getElementType())
        ofSameTypes = refusal;
    }
  if (ofSameTypes.isSet())
    refusal = ofSameTypes;
  return failure();
}

/// Splits `names` into the instructions with exchanged operands and the others.
static std::pair<SmallVector<StringRef>, SmallVector<StringRef>>
splitByExchange(vector::ContractionOp contract, ArrayRef<StringRef> names) {
  auto *dialect = contract.getContext()->getLoadedDialect<VectorExtDialect>();
  std::pair<SmallVector<StringRef>, SmallVector<StringRef>> result;
  for (StringRef name : names) {
    bool isFirst = isExchanged(*dialect->lookupIntrinsic(name));
    (isFirst ? result.first : result.second).push_back(name);
  }
  return result;
}

/// Widens `contract`, the product of a vector and a matrix that is of bytes or
/// computed from bytes or words, to the few rows of one of `names`, and sets
/// its config. Returns null, and changes nothing, if no config fits.
static vector::ContractionOp widenForRuns(RewriterBase &rewriter,
                                          vector::ContractionOp contract,
                                          const Workgroup &workgroup,
                                          bool reload,
                                          ArrayRef<StringRef> names) {
  if (names.empty() || !isFromRuns(contract))
    return nullptr;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  auto copy = cast<vector::ContractionOp>(rewriter.clone(*contract));
  Refusal refusal;
  FailureOr<vector::ContractionOp> wide =
      widenContraction(rewriter, copy, refusal, names);
  if (failed(wide)) {
    rewriter.eraseOp(copy);
    return nullptr;
  }
  FailureOr<ContractConfigAttr> config = selectConfig(
      *wide, workgroup, reload, /*runs=*/true, llvm::to_vector(names), refusal);
  Operation *row = *(*wide)->user_begin();
  if (failed(config)) {
    rewriter.eraseOp(row);
    rewriter.eraseOp(*wide);
    return nullptr;
  }
  (*wide)->setAttr(VectorExtDialect::getConfigAttrName(), *config);
  rewriter.replaceOp(contract, row->getResults());
  return *wide;
}

/// Returns whether `contract` is in a kernel with roles and multiplies rows
/// from memory by values that threads compute from runs of bytes.
static bool isConverting(vector::ContractionOp contract) {
  auto launch = contract->getParentOfType<gpu::LaunchOp>();
  Value matrix = contract.getRhs();
  while (auto cast = matrix.getDefiningOp<vector::ShapeCastOp>())
    matrix = cast.getSource();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  return mark && mark->way == ProductWay::Roles &&
         !contract->hasAttr(getFormatsAttrName()) &&
         readsTile(contract.getLhs().getDefiningOp()) &&
         isComputedFromMemory(matrix, /*ofBytes=*/true) &&
         readsRunsOfBytes(matrix);
}

/// Returns how many elements of the vector of `op` its mask lets through along
/// `dim`, or null if this is not known.
static OpFoldResult getMaskedSize(VectorTransferOpInterface op, int64_t dim) {
  Value mask = op.getMask();
  AffineMap map = op.getPermutationMap();
  auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
  if (!mask || !expr)
    return {};
  // The dimensions of a mask are in the order of those of the memory.
  int64_t position = llvm::count_if(map.getResults(), [&](AffineExpr other) {
    auto before = dyn_cast<AffineDimExpr>(other);
    return before && before.getPosition() < expr.getPosition();
  });
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return getAsOpFoldResult(create.getOperand(position));
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    return Builder(mask.getContext())
        .getIndexAttr(constant.getMaskDimSizes()[position]);
  return {};
}

/// Returns whether the rows of the result of `contract`, along `resultRows`,
/// stay apart until they are stored, and no more are stored than `read` reads
/// along `rows`. Then rows behind its end may have any value.
static bool areRowsApart(vector::ContractionOp contract, unsigned resultRows,
                         vector::TransferReadOp read, unsigned rows) {
  OpFoldResult size = getMaskedSize(read, rows);
  if (!size || !read.isDimInBounds(rows))
    return false;
  auto launch = contract->getParentOfType<gpu::LaunchOp>();
  llvm::SetVector<Value> values;
  values.insert(contract.getResult());
  for (unsigned i = 0; i < values.size(); ++i) {
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      auto loop = dyn_cast<scf::ForOp>(user->getParentOp());
      if (auto write = dyn_cast<vector::TransferWriteOp>(user);
          write && number == 0) {
        OpFoldResult stored = getMaskedSize(write, resultRows);
        if (!stored || !isEqualConstantIntOrValue(size, stored))
          return false;
        // The kernel may read what it stores in memory of its own.
        Value memory = linalg_ext::getViewedBuffer(write.getBase());
        if (launch.getBody().isAncestor(memory.getParentRegion()))
          return false;
        continue;
      }
      if (isa<scf::YieldOp>(user) && loop) {
        values.insert(loop.getResult(number));
        values.insert(loop.getRegionIterArg(number));
      } else if (OpTrait::hasElementwiseMappableTraits(user) ||
                 (isa<vector::ContractionOp>(user) && number == 2)) {
        values.insert(user->getResult(0));
      } else {
        return false;
      }
    }
  }
  return true;
}

/// Returns the read of the rows of `contract`, its left operand, and their
/// dimension of its vector, if rows behind the end of the memory may have any
/// value.
static std::optional<std::pair<vector::TransferReadOp, int64_t>>
getRowsApart(vector::ContractionOp contract) {
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims) || !isa<VectorType>(contract.getResultType()))
    return std::nullopt;
  AffineExpr m = getAffineDimExpr(dims->m, contract.getContext());
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  std::optional<unsigned> rows = maps[0].getResultPosition(m),
                          resultRows = maps[2].getResultPosition(m);
  auto read = contract.getLhs().getDefiningOp<vector::TransferReadOp>();
  return rows && resultRows && read && read->hasOneUse() &&
                 areRowsApart(contract, *resultRows, read, *rows)
             ? std::optional(std::pair(read, int64_t(*rows)))
             : std::nullopt;
}

/// Lets an asynchronous instruction of `names` compute `contract`, whose right
/// operand threads compute from bytes. The operands are exchanged, because
/// threads have the computed values in registers, in runs. Sets the config, and
/// sets `contract` to the new op. Returns false if no config fits.
static bool convertForAsync(RewriterBase &rewriter,
                            vector::ContractionOp &contract,
                            const Workgroup &workgroup,
                            ArrayRef<StringRef> names, int64_t fewRows,
                            StoredRows &stored) {
  if (!isConverting(contract))
    return false;
  MLIRContext *context = contract.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  auto rowsApart = getRowsApart(contract);
  contract = exchangeOperands(rewriter, contract);
  // A launch in front permutes rows that are more than one tile of few rows.
  bool isMany = contract.getRhsType().getDimSize(0) > fewRows;
  auto launch = contract->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  bool isLoaded = mark && mark->loaded;
  for (StringRef name : names) {
    const MmaIntrinsic &intrinsic = *dialect->lookupIntrinsic(name);
    int64_t rows = workgroup.numSubgroups / intrinsic.acc.getNumSubgroups();
    if (intrinsic.isAsynchronous == isLoaded || intrinsic.isByThreads ||
        isExchanged(intrinsic) || rows == 0)
      continue;
    auto config =
        ContractConfigAttr::get(context, StringAttr::get(context, name),
                                {rows, 1}, ArrayRef<bool>{false, false});
    Refusal refusal;
    FailureOr<ContractLayouts> layouts =
        getContractLayouts(contract, config, workgroup, refusal);
    if (failed(layouts))
      continue;
    FailureOr<ContractDims> dims = getContractDims(contract, refusal);
    // For integers of 4 bits, one mask serves the integers in both halves of a
    // word.
    SmallVector<int64_t> distances{1};
    if (getElementsOfByte(contract.getLhs()) % 2 == 0)
      distances.insert(distances.begin(), 4);
    for (int64_t apart : distances) {
      if (failed(readInRuns(rewriter, contract, dims->k, layouts->lhs, apart,
                            isMany ? &stored : nullptr, rowsApart.has_value())))
        continue;
      contract->setAttr(VectorExtDialect::getConfigAttrName(), config);
      if (rowsApart)
        rowsApart->first->setAttr(
            getUnusedBehindAttrName(),
            rewriter.getI64IntegerAttr(rowsApart->second));
      return true;
    }
  }
  contract = exchangeOperands(rewriter, contract);
  return false;
}

/// Returns whether columns of `contract` are to be rows of an asynchronous
/// instruction, which reads both operands from shared memory.
static bool exchangesTiles(vector::ContractionOp contract) {
  auto launch = contract->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  return mark && mark->exchange != 0 &&
         readsTile(contract.getLhs().getDefiningOp()) &&
         readsTile(contract.getRhs().getDefiningOp());
}

/// Gives `contract` a config with an instruction of `names`, unless it has a
/// config. Returns the contraction, which may be a new op.
static vector::ContractionOp setConfig(vector::ContractionOp contract,
                                       const Workgroup &workgroup, bool reload,
                                       bool runs,
                                       const SmallVector<StringRef> &names,
                                       int64_t fewRows, StoredRows &stored) {
  StringRef name = VectorExtDialect::getConfigAttrName();
  if (contract->hasAttr(name))
    return contract;
  Refusal refusal;
  IRRewriter rewriter(contract.getContext());
  narrowExtensions(rewriter, contract);
  foldF8(rewriter, contract, names);
  foldExtensions(rewriter, contract);
  extendF8(rewriter, contract, names);
  if (convertForAsync(rewriter, contract, workgroup, names, fewRows, stored))
    return contract;
  if (exchangesTiles(contract))
    contract = exchangeOperands(rewriter, contract);
  // Instructions with exchanged operands are for operands from bytes.
  auto [exchanged, others] = splitByExchange(contract, names);
  if (runs)
    if (vector::ContractionOp wide =
            widenForRuns(rewriter, contract, workgroup, reload, exchanged))
      return wide;
  if (FailureOr<vector::ContractionOp> wide =
          widenContraction(rewriter, contract, refusal, ArrayRef(others));
      succeeded(wide))
    contract = *wide;
  FailureOr<ContractConfigAttr> config =
      selectConfig(contract, workgroup, reload, runs, names, refusal);
  if (succeeded(config))
    contract->setAttr(name, *config);
  else
    contract.emitRemark() << "is done one product at a time: " << refusal.text;
  return contract;
}

/// Marks `contract` if its instruction sums with fewer bits than results have.
static void markShortSums(vector::ContractionOp contract,
                          const VectorExtDialect &dialect) {
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  const MmaIntrinsic *intrinsic =
      config ? dialect.lookupIntrinsic(config.getIntrinsic().getValue())
             : nullptr;
  if (intrinsic && intrinsic->hasShortSums)
    contract->setAttr(getShortSumsAttrName(),
                      UnitAttr::get(contract.getContext()));
}

namespace {
struct LinalgExtSelectConfigPass
    : public linalg_ext::impl::LinalgExtSelectConfigPassBase<
          LinalgExtSelectConfigPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    linalg_ext::registerIntrinsics(registry);
  }

  void runOnOperation() override {
    std::string error;
    if (failed(linalg_ext::checkOneOf("f32-products", f32Products,
                                      linalg_ext::getF32ProductKinds(),
                                      error))) {
      emitError(getOperation()->getLoc()) << error;
      return signalPassFailure();
    }
    FailureOr<GPUTarget> target = linalg_ext::getGPUTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    auto *dialect = getContext().getLoadedDialect<VectorExtDialect>();
    for (StringRef name : target->intrinsics)
      if (!dialect->lookupIntrinsic(name)) {
        emitError(getOperation()->getLoc())
            << "expected 'intrinsics' of the target to be registered, got '"
            << name << "'";
        return signalPassFailure();
      }
    if (failed(linalg_ext::checkOneOf("f8-products", f8Products,
                                      linalg_ext::getF8ProductKinds(),
                                      error))) {
      emitError(getOperation()->getLoc()) << error;
      return signalPassFailure();
    }
    SmallVector<StringRef> names =
        getCandidates(*dialect, *target, f32Products, f8Products);
    SmallVector<StringRef> syncNames = names;
    for (const std::string &name : llvm::reverse(*first)) {
      if (!dialect->lookupIntrinsic(name)) {
        emitError(getOperation()->getLoc())
            << "option 'first': expected the name of a known instruction, got '"
            << name << "'";
        return signalPassFailure();
      }
      names.insert(names.begin(), name);
    }
    getOperation()->walk([&](gpu::LaunchOp launch) {
      configure(launch, *target, isMarkedAsync(launch) ? names : syncNames);
    });
  }

private:
  void configure(gpu::LaunchOp launch, const GPUTarget &target,
                 const SmallVector<StringRef> &names);

  /// Chooses and sets the number of buffers of each copied tile.
  void setBuffers(gpu::LaunchOp launch,
                  ArrayRef<vector::ContractionOp> contracts, int64_t threads,
                  const GPUTarget &target);
};
} // namespace

void LinalgExtSelectConfigPass::configure(gpu::LaunchOp launch,
                                          const GPUTarget &target,
                                          const SmallVector<StringRef> &names) {
  int64_t threads = getConstantIntValue(launch.getBlockSizeX()).value_or(0);
  if (threads < target.lanes || threads % target.lanes != 0)
    return;
  // Boxes with rows of 64 bytes, of integers of 4 bits, take as long as boxes
  // with rows of 128 bytes.
  IRRewriter rewriter(&getContext());
  llvm::SetVector<scf::ForOp> converting;
  launch.walk([&](vector::ContractionOp contract) {
    auto loop = dyn_cast<scf::ForOp>(contract->getParentOp());
    if (!loop || !isConverting(contract))
      return;
    collapseRows(rewriter, loop);
    if (getElementsOfByte(contract.getRhs()) > 1)
      converting.insert(loop);
  });
  for (scf::ForOp loop : converting)
    mergeIterations(rewriter, loop, /*count=*/2);
  // The types from which operands are extended count. This may add
  // contractions.
  SmallVector<vector::ContractionOp> extended;
  launch.walk(
      [&](vector::ContractionOp contract) { extended.push_back(contract); });
  for (vector::ContractionOp contract : extended)
    if (!contract->hasAttr(VectorExtDialect::getConfigAttrName()))
      foldIntegerExtensions(rewriter, contract, names);
  SmallVector<vector::MultiDimReductionOp> sums;
  launch.walk([&](vector::MultiDimReductionOp sum) { sums.push_back(sum); });
  for (vector::MultiDimReductionOp sum : sums)
    sumByContraction(rewriter, sum);

  // 1. Threads.
  bool reload = setThreads(launch, threads, target);

  // 2. Choose instructions.
  if (f8Products == "rounded") {
    IRRewriter rewriter(launch.getContext());
    launch.walk([&](vector::ContractionOp contract) {
      clampRounded(rewriter, contract);
    });
  }
  Workgroup workgroup{target.lanes, threads / target.lanes};
  SmallVector<vector::ContractionOp> contracts;
  launch.walk(
      [&](vector::ContractionOp contract) { contracts.push_back(contract); });
  StoredRows stored;
  // There are no runs on AMD GPUs, where threads load tiles ahead instead.
  for (vector::ContractionOp &contract : contracts) {
    vector::ContractionOp wide = setConfig(contract, workgroup, reload,
                                           /*runs=*/target.asyncCopies, names,
                                           target.matrixRows, stored);
    auto config = wide->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
    if (wide != contract && config && config.getRuns())
      carryRows(rewriter, wide);
    contract = wide;
  }

  // 3. Choose buffers.
  if (buffers > 0 || maxBuffers > 0)
    setBuffers(launch, contracts, threads, target);

  // 4. Mark short sums.
  for (vector::ContractionOp contract : contracts)
    markShortSums(contract, *getContext().getLoadedDialect<VectorExtDialect>());
}

void LinalgExtSelectConfigPass::setBuffers(
    gpu::LaunchOp launch, ArrayRef<vector::ContractionOp> contracts,
    int64_t threads, const GPUTarget &target) {
  std::optional<int64_t> grid = getConstantIntValue(launch.getGridSizeX());
  bool isFull = !grid || *grid > 2 * target.processors;
  int64_t chosen = buffers > 0 ? buffers.getValue()
                               : selectBuffers(contracts, threads, maxBuffers,
                                               isFull, target);
  launch->setAttr(VectorExtDialect::getBuffersAttrName(),
                  Builder(&getContext()).getI64IntegerAttr(chosen));
}
