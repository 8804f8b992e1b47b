//===- DistributeContract.cpp - Contractions of threads -------------------===//
//
// The layouts of a contraction are those of its instruction. One function
// serves all synchronous instructions: it finds the registers of each operand
// from the layouts. AsyncContractions.cpp has the asynchronous ones, and
// ProductsOfThreads.cpp contractions without an instruction.
//
//===----------------------------------------------------------------------===//

#include "AsyncContractions.h"
#include "ContractSums.h"
#include "ProductsOfThreads.h"
#include "SharedOperand.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::Refusal;

/// With so many independent results, the latency of an instruction is hidden.
constexpr static int64_t minIndependentSums = 4;

/// Returns whether the left operand of `op` comes from outside of its loop but
/// is loaded from shared memory in each iteration.
static bool isLoadedAgain(vector::ContractionOp op, ContractConfigAttr config) {
  auto loaded = op.getLhs().getDefiningOp<ToLayoutOp>();
  auto loop = op->getParentOfType<scf::ForOp>();
  return loaded && loop && !config.getPromote().empty() &&
         config.getPromote()[0] &&
         !loop->isAncestor(loaded.getInput().getParentBlock()->getParentOp());
}

/// Adds the products of all `steps` of `k` elements, which `multiply` builds,
/// to `sums`, the results for `rows` and `columns`. If the left operand is
/// loaded again, all rows of a column follow each other.
static Sums
sumColumns(ImplicitLocOpBuilder &b, vector::ContractionOp op, Sums sums,
           ArrayRef<int64_t> rows, ArrayRef<int64_t> columns,
           ArrayRef<int64_t> steps, int64_t k, bool isReloaded,
           llvm::function_ref<void(Value &sum, int64_t m, int64_t n, int64_t k)>
               multiply) {
  Sums done;
  int64_t size = static_cast<int64_t>(steps.size()) * k;
  for (auto [step, at] : llvm::enumerate(steps)) {
    if (getNumChains(op, size) > 1 && step > 0 && step * k % kShortSum == 0) {
      if (done.empty())
        done = sums;
      else
        addSums(b, done, sums);
      sums = getZeroSums(b, sums);
    }
    if (isReloaded) {
      for (int64_t n : columns)
        for (int64_t m : rows)
          multiply(sums[{m, n}], m, n, at);
      continue;
    }
    for (int64_t m : rows)
      for (int64_t n : columns)
        multiply(sums[{m, n}], m, n, at);
  }
  if (!done.empty())
    addSums(b, sums, done);
  return sums;
}

static FailureOr<Value> distributeByInstruction(vector::ContractionOp op,
                                                ContractConfigAttr config,
                                                Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  const MmaIntrinsic *intrinsic =
      op.getContext()->getLoadedDialect<VectorExtDialect>()->lookupIntrinsic(
          config.getIntrinsic());
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(op, refusal);
  assert(intrinsic && succeeded(dims) && "checked by the analysis");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // The layouts determine which of these elements instructions take.
  ElementOrder orderOfK, orderOfN;
  if (config.getRuns()) {
    const Layout &layout = distributor.getLayout(op.getAcc());
    FailureOr<ContractLayouts> layouts = getContractLayouts(
        op, config, {layout.getNumLanes(), layout.getNumSubgroups()}, refusal);
    assert(succeeded(layouts) && "checked by the analysis");
    orderOfK = layouts->k;
    orderOfN = layouts->n;
  }
  InstructionOperand lhs{distributor.getDistributed(op.getLhs()),
                         distributor.getLayout(op.getLhs()),
                         intrinsic->lhs,
                         getResultPosition(maps[0], dims->m),
                         getResultPosition(maps[0], dims->k),
                         {},
                         orderOfK};
  InstructionOperand rhs{distributor.getDistributed(op.getRhs()),
                         distributor.getLayout(op.getRhs()),
                         intrinsic->rhs,
                         getResultPosition(maps[1], dims->k),
                         getResultPosition(maps[1], dims->n),
                         orderOfK,
                         orderOfN};
  InstructionOperand acc =
      getAccOperand(op, *intrinsic, *dims, distributor, orderOfN);

  if (intrinsic->isAsynchronous && op.getRhs().getDefiningOp<SharedTileOp>())
    return distributeAsynchronously(b, op, *intrinsic, distributor, lhs, rhs,
                                    acc);

  std::optional<SharedOperand> shared;
  if (intrinsic->rhsInSharedMemory) {
    FailureOr<SharedOperand> stored =
        storeSharedOperand(b, op, distributor, rhs.registers, rhs.layout,
                           rhs.first, rhs.second, *intrinsic);
    if (failed(stored))
      return failure();
    shared = *stored;
  }
  auto getRight = [&](int64_t k, int64_t n) -> Value {
    return shared ? shared->buffer
                  : extractRegisters(b, rhs.registers, rhs.getRegisters(k, n));
  };
  auto multiply = [&](Value &sum, int64_t m, int64_t n, int64_t k) {
    MatrixDescriptorAttr descriptor;
    if (shared)
      descriptor = shared->getDescriptor(op.getContext(), k, n);
    Value left = extractRegisters(b, lhs.registers, lhs.getRegisters(m, k));
    sum = MmaOp::create(b, sum.getType(), intrinsic->name, left, getRight(k, n),
                        sum, descriptor);
  };
  // If threads multiply, take all columns at once: the values loaded for one k
  // are used for all sums. Otherwise take as many columns at a time as give
  // independent sums, so that few operands are needed at a time. There are two
  // exceptions, which take all columns. With a single row of instructions, each
  // right operand is needed only once. If the left operand is loaded again in
  // each iteration, registers are too few for the whole of it.
  SmallVector<int64_t> rows = acc.getOffsets(acc.first, intrinsic->m);
  SmallVector<int64_t> columns = acc.getOffsets(acc.second, intrinsic->n);
  SmallVector<int64_t> steps = lhs.getOffsets(lhs.second, intrinsic->k);
  Sums sums;
  int64_t width = columns.size();
  bool isReloaded = isLoadedAgain(op, config);
  if (rows.size() > 1 && !isReloaded && !intrinsic->isByThreads)
    width = llvm::divideCeil(minIndependentSums, rows.size());
  for (ArrayRef<int64_t> rest = columns; !rest.empty();) {
    ArrayRef<int64_t> group = rest.take_front(width);
    rest = rest.drop_front(group.size());
    for (auto &[at, sum] :
         sumColumns(b, op, getInitialSums(b, op, acc, rows, group), rows, group,
                    steps, intrinsic->k, isReloaded, multiply))
      sums[at] = sum;
  }
  return finishSums(b, op, acc, sums);
}

/// Returns the layouts of the operands for a result with layout `acc`. Fails,
/// with the reason in `refusal`, if the config does not fit.
static FailureOr<ContractLayouts>
getLayouts(vector::ContractionOp op, const Layout &acc, Refusal &refusal) {
  if (ContractConfigAttr config = getContractConfig(op))
    return getContractLayouts(
        op, config, {acc.getNumLanes(), acc.getNumSubgroups()}, refusal);
  return getScalarContractLayouts(op, acc);
}

/// Returns whether an instruction of several threads performs `op`.
static bool isByInstruction(vector::ContractionOp op) {
  ContractConfigAttr config = getContractConfig(op);
  if (!config)
    return false;
  const MmaIntrinsic *intrinsic =
      op.getContext()->getLoadedDialect<VectorExtDialect>()->lookupIntrinsic(
          config.getIntrinsic());
  return intrinsic && !intrinsic->isByThreads;
}

namespace {
struct ContractionModel
    : LayoutOpInterface::ExternalModel<ContractionModel,
                                       vector::ContractionOp> {
  FailureOr<std::optional<Layout>>
  getRequestedLayout(Operation *op, const Workgroup &workgroup) const {
    ContractConfigAttr config = getContractConfig(op);
    if (!config)
      return std::optional<Layout>();
    Refusal refusal;
    FailureOr<ContractLayouts> given = getContractLayouts(
        cast<vector::ContractionOp>(op), config, workgroup, refusal);
    if (failed(given))
      return op->emitOpError() << "does not fit its config: " << refusal.text;
    return std::optional<Layout>(given->acc);
  }

  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto contract = cast<vector::ContractionOp>(op);
    Refusal refusal;
    FailureOr<ContractLayouts> layouts =
        getLayouts(contract, deciding, refusal);
    if (failed(layouts))
      return std::nullopt;
    if (&operand == &contract.getLhsMutable())
      return layouts->lhs;
    if (&operand == &contract.getRhsMutable())
      return layouts->rhs;
    return layouts->acc;
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    if (&operand == &cast<vector::ContractionOp>(op).getAccMutable())
      return layout;
    return std::nullopt;
  }

  int64_t getNumProducts(Operation *op, const Layout &deciding) const {
    auto contract = cast<vector::ContractionOp>(op);
    if (!isa<VectorType>(contract.getResultType()) || isByInstruction(contract))
      return 0;
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    int64_t products = deciding.getNumRegisters();
    for (auto [bound, iterator] :
         llvm::zip_equal(bounds, contract.getIteratorTypesArray()))
      if (iterator == vector::IteratorType::reduction)
        products *= bound;
    return products;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto contract = cast<vector::ContractionOp>(op);
    ContractConfigAttr config = getContractConfig(op);
    FailureOr<Value> registers =
        config ? distributeByInstruction(contract, config, distributor)
               : distributeByProducts(contract, distributor);
    if (failed(registers))
      return failure();
    distributor.replace(op, *registers);
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerContractLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::ContractionOp::attachInterface<ContractionModel>(*context);
  });
  registerOuterProductModel(registry);
  registerAsyncLayoutModels(registry);
}
