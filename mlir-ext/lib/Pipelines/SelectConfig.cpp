//===- SelectConfig.cpp - The instruction of a contraction ----------------===//
//
// Gives each contraction without a config one: an instruction for its element
// types, and a way to distribute it to the subgroups of the workgroup. If no
// instruction fits, the contraction keeps no config, a remark states the
// reason, and threads compute single products. For each launch:
//
//   1. Choose the number of threads, by the registers that results need.
//   2. Choose the config of each contraction.
//   3. Choose the number of buffers of each copied tile.
//   4. Mark those whose instructions sum with too few bits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Pipelines/SelectConfig.h"
#include "LaunchUse.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Pipelines/Passes.h"
#include "mlir-ext/Pipelines/Registration.h"

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
using linalg_ext::getNumWords;
using linalg_ext::getReadUse;
using linalg_ext::getRegisterUse;
using linalg_ext::getSharedUse;
using linalg_ext::GPUTarget;
using linalg_ext::isComputedByContraction;
using linalg_ext::readsTile;
using linalg_ext::ReadUse;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;
using linalg_ext::RegisterUse;
using linalg_ext::SharedUse;

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
      // Several integers are unpacked from each.
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

/// Returns the contractions of the loop of `contract` if the loop computes
/// nothing else: each reads both operands in the loop, and adds to a value that
/// the loop carries. Returns an empty list otherwise.
static SmallVector<vector::ContractionOp, 2>
getOnlyContractions(vector::ContractionOp contract) {
  auto loop = dyn_cast<scf::ForOp>(contract->getParentOp());
  if (!loop)
    return {};
  SmallVector<vector::ContractionOp, 2> contractions;
  for (Operation &op : *loop.getBody()) {
    auto other = dyn_cast<vector::ContractionOp>(op);
    if (!other) {
      bool computes = llvm::any_of(op.getResultTypes(), [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return vector && !vector.getElementType().isInteger(1);
      });
      if (computes && !readsTile(&op))
        return {};
      continue;
    }
    auto carried = dyn_cast<BlockArgument>(other.getAcc());
    if (!carried || carried.getOwner() != loop.getBody() ||
        carried == loop.getInductionVar() || !other->hasOneUse() ||
        loop.getTiedLoopYieldedValue(carried)->get() != other.getResult() ||
        other.getLhs().getParentBlock() != loop.getBody() ||
        other.getRhs().getParentBlock() != loop.getBody())
      return {};
    contractions.push_back(other);
  }
  return contractions;
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

/// Returns true if each vector of bytes from which `operand` is computed is
/// contiguous in memory along its last dimension. Returns false if one of them
/// is gathered, because each thread would have to look up addresses.
static bool readsRunsOfBytes(Value operand) {
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

/// Returns a config with `intrinsic` for a contraction whose rows fit into one
/// instruction, and whose right operand is computed from bytes. Each thread
/// loads these bytes as runs, and converts what it needs itself. So nothing
/// goes through shared memory, and subgroups do not wait for each other.
/// Returns null if a load would have less than 4 bytes, or if several subgroups
/// would load the same bytes.
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
  int64_t perWord = 1;
  while (auto cast = operand.getDefiningOp<vector::ShapeCastOp>()) {
    operand = cast.getSource();
    int64_t last = cast.getSourceVectorType().getShape().back();
    if (last < cast.getResultVectorType().getShape().back())
      perWord = last;
  }
  if (bounds[dims->m] != intrinsic.m ||
      operand.getParentRegion()->getParentOfType<LoopLikeOpInterface>() !=
          contract->getParentOfType<LoopLikeOpInterface>() ||
      !isComputedFromMemory(operand, /*ofBytes=*/true) ||
      !readsRunsOfBytes(operand))
    return nullptr;
  MLIRContext *context = contract.getContext();
  AffineMap map = contract.getIndexingMapsArray()[1];
  unsigned last = map.getNumResults() - 1;
  bool isOfK = map.getResult(last) == getAffineDimExpr(dims->k, context);
  if (!isOfK && map.getResult(last) != getAffineDimExpr(dims->n, context))
    return nullptr;
  // Of integers of 4 bits, one mask is for those in both halves of a word.
  SmallVector<StringRef> orders{isOfK ? "k" : "n"};
  if (isOfK && perWord % 2 == 0)
    orders.insert(orders.begin(), "k4");
  for (StringRef order : orders) {
    auto config = ContractConfigAttr::get(
        context, StringAttr::get(context, intrinsic.name), {rows, columns},
        {false, false}, StringAttr::get(context, order));
    FailureOr<ContractLayouts> layouts =
        getContractLayouts(contract, config, workgroup, refusal);
    if (succeeded(layouts) && layouts->rhs.getContiguity(last) >= 4 * perWord)
      return config;
  }
  return nullptr;
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
  llvm::stable_sort(names, [&](StringRef lhs, StringRef rhs) {
    return dialect->lookupIntrinsic(lhs)->k > dialect->lookupIntrinsic(rhs)->k;
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
      // Each thread needs all of its rows and columns, one k at a time.
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

/// Registers of a thread that results and operands must leave free: for masks
/// and the like with their addresses, and for what the loop computes.
constexpr static int64_t kReadRegisters = 16;

/// The largest number of parts that have a subgroup each. A contraction with
/// more batches than this is not divided by them.
constexpr static int64_t kMaxParts = 16;

/// Returns the number of batches of `contract`: the product of the sizes of the
/// dimensions that both operands and the result have.
static int64_t getNumParts(vector::ContractionOp contract) {
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  int64_t parts = 1;
  for (size_t dim = 0; dim < bounds.size(); ++dim)
    if (llvm::all_of(contract.getIndexingMapsArray(),
                     [&](AffineMap map) { return map.isFunctionOfDim(dim); }))
      parts *= bounds[dim];
  return parts;
}

/// Returns true if loading operands from outside of the loop again in each
/// iteration costs no time, because products hide the loads from shared memory:
/// at most five loads of 16 x 16 for each eight products of 16 x 8 x 16
/// (docs/Decisions/0010).
static bool canReload(const RegisterUse &use, int64_t numSubgroups) {
  constexpr int64_t kLoaded = 16;
  int64_t rows = use.rows / (kLoaded * numSubgroups),
          columns = use.columns / kLoaded;
  return rows > 0 && columns > 0 &&
         8 * (rows + columns) <= 5 * (2 * rows * columns);
}

/// Returns the number of threads for a launch that has `threads`: doubled while
/// registers would be spilled, as the pass's description says.
static int64_t selectThreads(const RegisterUse &use, int64_t threads,
                             int64_t registers, int64_t maxThreads,
                             const GPUTarget &target) {
  // The other registers are for addresses, the states of rows, and operands.
  auto spills = [&] {
    return use.results > registers * threads ||
           (use.read > 0 &&
            use.results + use.read > (registers - kReadRegisters) * threads);
  };
  while (spills() && 2 * threads <= maxThreads &&
         use.rows % (target.matrixRows * (2 * threads / target.lanes)) == 0)
    threads *= 2;
  return threads;
}

/// Returns true if one buffer for each tile is better than two. This needs
/// loops of several contractions: while one reads its tile, the tile of another
/// one is copied. With many registers for a result, the choice between two
/// buffers costs more registers than the second buffer is worth.
static bool isOneBufferEnough(ArrayRef<vector::ContractionOp> contracts,
                              int64_t threads, const GPUTarget &target) {
  llvm::SmallDenseMap<Operation *, int64_t> numInLoop;
  int64_t most = 0;
  for (vector::ContractionOp contract : contracts) {
    auto type = dyn_cast<VectorType>(contract.getResultType());
    if (auto loop = contract->getParentOfType<scf::ForOp>(); loop && type) {
      most = std::max(most, getNumWords(type));
      ++numInLoop[loop];
    }
  }
  return most > target.bufferedResults * threads &&
         llvm::all_of(numInLoop,
                      [](const auto &entry) { return entry.second > 1; });
}

/// Returns the number of buffers, one or two, for each tile that `contracts`,
/// which have configs, copy in a loop. It is two, unless one is enough, or
/// unless a second buffer would reduce the number of workgroups that run on a
/// processor at a time: registers allow more of them than shared memory would.
static int64_t
selectBuffersBesideOthers(ArrayRef<vector::ContractionOp> contracts,
                          int64_t threads, const GPUTarget &target) {
  if (isOneBufferEnough(contracts, threads, target))
    return 1;
  // Assume that a thread uses all registers that it may have.
  int64_t workgroups = std::max<int64_t>(
      target.processorRegisters / (target.threadRegisters * threads), 1);
  int64_t one = 0, two = 0;
  for (auto &[loop, use] : getSharedUse(contracts)) {
    one = std::max(one, use.held + use.copied);
    two = std::max(two, use.held + 2 * use.copied);
  }
  return workgroups * two > target.sharedBytes &&
                 workgroups * one <= target.sharedBytes
             ? 1
             : 2;
}

/// Returns the number of buffers, at most `maxBuffers`, for each tile that
/// `contracts`, which have configs, copy in loops. A loop that only multiplies
/// gets so many that a copy has arrived when the loop waits for it; other loops
/// get one or two. The buffers fit into shared memory, together with those of
/// the workgroups that run on the same processor. `isFull`: there may be enough
/// workgroups to keep all processors busy.
static int64_t selectBuffers(ArrayRef<vector::ContractionOp> contracts,
                             int64_t threads, int64_t maxBuffers, bool isFull,
                             const GPUTarget &target) {
  int64_t beside = selectBuffersBesideOthers(contracts, threads, target);
  int64_t buffers = 0;
  for (vector::ContractionOp contract : contracts) {
    if (!contract->hasAttr(VectorExtDialect::getConfigAttrName()) ||
        !contract->getParentOfType<scf::ForOp>())
      continue;
    int64_t here = beside;
    int64_t products = 0, bytes = 0, results = 0;
    llvm::SmallDenseSet<Value> operands;
    for (vector::ContractionOp other : getOnlyContractions(contract)) {
      SmallVector<int64_t> bounds;
      other.getIterationBounds(bounds);
      int64_t all = 1;
      for (int64_t bound : bounds)
        all *= bound;
      products += all;
      results += getNumWords(cast<VectorType>(other.getResultType()));
      for (Value operand : {other.getLhs(), other.getRhs()})
        if (operands.insert(operand).second)
          bytes += 4 * getNumWords(cast<VectorType>(operand.getType()));
    }
    if (products > 0) {
      int64_t cycles = std::max<int64_t>(products / target.matrixProducts, 1);
      here = 1 + llvm::divideCeil(target.memoryLatency, cycles);
      // A workgroup with half of the registers of a processor runs there alone.
      bool isBesideOthers = results < target.processorRegisters / 2;
      if (isBesideOthers && isFull)
        here =
            std::min(here, std::max<int64_t>(1 + target.copyBytes / bytes, 2));
      int64_t shared =
          isBesideOthers ? target.sharedBytes / 2 : target.sharedBytes;
      here = std::min(here, std::max<int64_t>(shared / bytes, 2));
    }
    buffers = buffers == 0 ? here : std::min(buffers, here);
  }
  buffers = std::clamp<int64_t>(buffers, 1, maxBuffers);
  for (auto &[loop, use] : getSharedUse(contracts))
    while (buffers > 1 && use.held + buffers * use.copied > target.sharedBytes)
      --buffers;
  return buffers;
}

/// Returns the type of 16 bits to which an operand of `type`, a float of up to 8
/// bits, is extended without rounding if the other operand has type `other`.
/// Returns null for other types.
static FloatType getExtendedType(Type type, Type other) {
  if (!linalg_ext::isNarrowFloat(type))
    return nullptr;
  // The exponents of f16 reach 2^15 only.
  if (other.isBF16() || isa<Float8E8M0FNUType>(type) ||
      isa<Float8E8M0FNUType>(other))
    return BFloat16Type::get(type.getContext());
  if (other.isF16() || linalg_ext::isNarrowFloat(other))
    return Float16Type::get(type.getContext());
  return nullptr;
}

/// Lets operands of `contract` that are extended from two formats of 8 bits be
/// extended to 16 bits only: a contraction has operands of one type.
static void narrowExtensions(RewriterBase &rewriter,
                             vector::ContractionOp contract) {
  auto lhs = contract.getLhs().getDefiningOp<arith::ExtFOp>();
  auto rhs = contract.getRhs().getDefiningOp<arith::ExtFOp>();
  if (!lhs || !rhs)
    return;
  Type types[] = {getElementTypeOrSelf(lhs.getIn().getType()),
                  getElementTypeOrSelf(rhs.getIn().getType())};
  FloatType element = getExtendedType(types[0], types[1]);
  if (types[0] == types[1] || !element ||
      getExtendedType(types[1], types[0]) != element ||
      getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth() <= 16)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  for (unsigned i : {0, 1}) {
    arith::ExtFOp extension = i == 0 ? lhs : rhs;
    auto type = cast<VectorType>(extension.getType()).clone(element);
    Value narrow = arith::ExtFOp::create(rewriter, contract.getLoc(), type,
                                         extension.getIn());
    rewriter.modifyOpInPlace(contract,
                             [&] { contract->setOperand(i, narrow); });
  }
}

/// Whether an instruction of `names` multiplies elements of types `lhs` and
/// `rhs`.
static bool isMultiplied(Type lhs, Type rhs, ArrayRef<StringRef> names) {
  MLIRContext *context = lhs.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  return llvm::any_of(names, [&](StringRef name) {
    const MmaIntrinsic *intrinsic = dialect->lookupIntrinsic(name);
    return intrinsic->lhsType(context) == lhs &&
           intrinsic->rhsType(context) == rhs;
  });
}

/// Removes extensions of operands of `contract` from one type of 8 bits to any
/// other, if an instruction of `names` multiplies it.
static void foldF8(RewriterBase &rewriter, vector::ContractionOp contract,
                   ArrayRef<StringRef> names) {
  auto strip = [](Value value) {
    while (auto extension = value.getDefiningOp<arith::ExtFOp>())
      value = extension.getIn();
    return value;
  };
  Value operands[] = {contract.getLhs(), contract.getRhs()};
  Value lhs = strip(operands[0]), rhs = strip(operands[1]);
  Type type = getElementTypeOrSelf(lhs.getType());
  if (lhs == operands[0] || rhs == operands[1] || !linalg_ext::isF8(type) ||
      getElementTypeOrSelf(rhs.getType()) != type ||
      !isMultiplied(type, type, names))
    return;
  rewriter.modifyOpInPlace(contract, [&] {
    contract.getLhsMutable().assign(lhs);
    contract.getRhsMutable().assign(rhs);
  });
  // Tiles are read in place only if nothing else reads them.
  llvm::SmallSetVector<Operation *, 4> extensions;
  for (Value operand : operands)
    for (auto op = operand.getDefiningOp<arith::ExtFOp>(); op;
         op = op.getIn().getDefiningOp<arith::ExtFOp>())
      extensions.insert(op);
  for (Operation *op : extensions)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// Extends operands of `contract` that are floats of 8 bits to 16 bits, unless
/// an instruction of `names` multiplies them as they are.
static void extendF8(RewriterBase &rewriter, vector::ContractionOp contract,
                     ArrayRef<StringRef> names) {
  Type types[] = {contract.getLhsType().getElementType(),
                  contract.getRhsType().getElementType()};
  if (isMultiplied(types[0], types[1], names))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(contract);
  for (unsigned i : {0, 1}) {
    FloatType element = getExtendedType(types[i], types[1 - i]);
    if (!element)
      continue;
    Value operand = contract->getOperand(i);
    auto type = cast<VectorType>(operand.getType()).clone(element);
    Value extended =
        arith::ExtFOp::create(rewriter, contract.getLoc(), type, operand);
    rewriter.modifyOpInPlace(contract,
                             [&] { contract->setOperand(i, extended); });
  }
}

/// Clamps what is rounded to f8 for the left operand of `contract`:
/// instructions that round clamp as well, and need no code for larger numbers
/// then.
static void clampRounded(RewriterBase &rewriter,
                         vector::ContractionOp contract) {
  auto round = contract.getLhs().getDefiningOp<arith::TruncFOp>();
  if (!round || !linalg_ext::isF8(round.getType()))
    return;
  auto type = cast<FloatType>(getElementTypeOrSelf(round.getType()));
  auto from = cast<VectorType>(round.getIn().getType());
  if (linalg_ext::isClampedTo(round.getIn(), type))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(round);
  auto getLimit = [&](bool isNegative) -> Value {
    double limit = APFloat::getLargest(type.getFloatSemantics(), isNegative)
                       .convertToDouble();
    auto number = FloatAttr::get(from.getElementType(), limit);
    return arith::ConstantOp::create(rewriter, round.getLoc(),
                                     DenseElementsAttr::get(from, number));
  };
  Value x = arith::MinimumFOp::create(rewriter, round.getLoc(), round.getIn(),
                                      getLimit(/*isNegative=*/false));
  x = arith::MaximumFOp::create(rewriter, round.getLoc(), x,
                                getLimit(/*isNegative=*/true));
  rewriter.modifyOpInPlace(round, [&] { round.getInMutable().assign(x); });
}

/// Those of `names` whose operands are exchanged, and the others.
static std::pair<SmallVector<StringRef>, SmallVector<StringRef>>
splitByExchange(vector::ContractionOp contract, ArrayRef<StringRef> names) {
  auto *dialect = contract.getContext()->getLoadedDialect<VectorExtDialect>();
  std::pair<SmallVector<StringRef>, SmallVector<StringRef>> result;
  for (StringRef name : names) {
    const MmaIntrinsic &intrinsic = *dialect->lookupIntrinsic(name);
    bool isExchanged = intrinsic.m < intrinsic.n && !intrinsic.isByThreads &&
                       !intrinsic.isAsynchronous;
    (isExchanged ? result.first : result.second).push_back(name);
  }
  return result;
}

/// Widens `contract`, the product of a vector and a matrix that is computed
/// from bytes, to the few rows of one of `names`, and sets its config. Returns
/// null, and changes nothing, if no config fits.
static vector::ContractionOp widenForRuns(RewriterBase &rewriter,
                                          vector::ContractionOp contract,
                                          const Workgroup &workgroup,
                                          bool reload,
                                          ArrayRef<StringRef> names) {
  Value matrix = contract.getRhs();
  while (auto cast = matrix.getDefiningOp<vector::ShapeCastOp>())
    matrix = cast.getSource();
  if (names.empty() || !isComputedFromMemory(matrix, /*ofBytes=*/true) ||
      !readsRunsOfBytes(matrix))
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

/// Sets the config of `contract` to one with an instruction of `names`, unless
/// it has a config. Returns the contraction, which may be a new op.
static vector::ContractionOp setConfig(vector::ContractionOp contract,
                                       const Workgroup &workgroup, bool reload,
                                       bool runs,
                                       const SmallVector<StringRef> &names) {
  StringRef name = VectorExtDialect::getConfigAttrName();
  if (contract->hasAttr(name))
    return contract;
  Refusal refusal;
  IRRewriter rewriter(contract.getContext());
  narrowExtensions(rewriter, contract);
  foldF8(rewriter, contract, names);
  foldExtensions(rewriter, contract);
  extendF8(rewriter, contract, names);
  // Those with exchanged operands are for operands of bytes.
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
  /// Chooses the number of threads of `launch`, which has `threads`, and sets
  /// it. Returns whether each iteration should load operands from outside of
  /// the loop again.
  bool setThreads(gpu::LaunchOp launch, int64_t &threads,
                  const GPUTarget &target);

  void configure(gpu::LaunchOp launch, const GPUTarget &target,
                 const SmallVector<StringRef> &names);

  /// Chooses and sets the number of buffers of each copied tile.
  void setBuffers(gpu::LaunchOp launch,
                  ArrayRef<vector::ContractionOp> contracts, int64_t threads,
                  const GPUTarget &target);
};
} // namespace

bool LinalgExtSelectConfigPass::setThreads(gpu::LaunchOp launch,
                                           int64_t &threads,
                                           const GPUTarget &target) {
  bool isAsync = isMarkedAsync(launch);
  RegisterUse use = getRegisterUse(launch, /*countsComputed=*/isAsync);
  if (isAsync && use.results > 0)
    threads = getKernelMark(launch)->threads;
  const int64_t registers = target.getResultRegisters();
  // As many as may have all the registers that a thread can have.
  int64_t maxThreads = llvm::bit_floor<uint64_t>(target.processorRegisters /
                                                 target.threadRegisters);
  threads = selectThreads(use, threads, registers, maxThreads, target);
  // Each part has a subgroup.
  launch.walk([&](vector::ContractionOp contract) {
    if (int64_t parts = getNumParts(contract); parts <= kMaxParts)
      threads = std::max(threads, target.lanes * parts);
  });
  // With more threads for each row, fewer rows are computed at a time, which a
  // cache holds more easily, and more loads are in flight. A row that is kept
  // in registers takes at most kRowRegisters of a thread.
  constexpr int64_t kRowRegisters = 32;
  ReadUse row = getReadUse(launch);
  while (
      2 * threads <= std::min<int64_t>(target.maxThreads, row.piece / 8) ||
      (2 * threads <= target.maxThreads && row.held > kRowRegisters * threads))
    threads *= 2;
  OpBuilder b(launch);
  launch.getBlockSizeXMutable().set(
      arith::ConstantIndexOp::create(b, launch.getLoc(), threads));
  // Addresses, and what the loop computes, need registers, too.
  return use.results + use.held > (registers - kReadRegisters) * threads &&
         canReload(use, threads / target.lanes);
}

void LinalgExtSelectConfigPass::configure(gpu::LaunchOp launch,
                                          const GPUTarget &target,
                                          const SmallVector<StringRef> &names) {
  int64_t threads = getConstantIntValue(launch.getBlockSizeX()).value_or(0);
  if (threads < target.lanes || threads % target.lanes != 0)
    return;
  // What they are extended from counts. This may add contractions.
  SmallVector<vector::ContractionOp> extended;
  launch.walk(
      [&](vector::ContractionOp contract) { extended.push_back(contract); });
  IRRewriter rewriter(&getContext());
  for (vector::ContractionOp contract : extended)
    if (!contract->hasAttr(VectorExtDialect::getConfigAttrName()))
      foldIntegerExtensions(rewriter, contract, names);

  // 1. Threads.
  bool reload = chooseThreads && setThreads(launch, threads, target);

  // 2. Instructions.
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
  // No runs on AMD's GPUs, where threads load tiles ahead instead.
  for (vector::ContractionOp &contract : contracts) {
    vector::ContractionOp wide = setConfig(contract, workgroup, reload,
                                           /*runs=*/target.asyncCopies, names);
    auto config = wide->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
    if (wide != contract && config && config.getRuns())
      carryRows(rewriter, wide);
    contract = wide;
  }

  // 3. Buffers.
  if (buffers > 0 || maxBuffers > 0)
    setBuffers(launch, contracts, threads, target);

  // 4. Sums.
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
