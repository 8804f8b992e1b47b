//===- AsyncContractions.cpp - Asynchronous contractions ------------------===//
//
// Starts asynchronous instructions, which read operands from shared memory, and
// waits for them.
//
//===----------------------------------------------------------------------===//

#include "AsyncContractions.h"
#include "BooleanTiles.h"
#include "SharedTile.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::Refusal;

/// Returns the instruction of `op` if it is a contraction with a config.
static const MmaIntrinsic *getIntrinsic(Operation *op) {
  auto contract = dyn_cast<vector::ContractionOp>(op);
  ContractConfigAttr config =
      contract ? getContractConfig(op) : ContractConfigAttr();
  return config ? op->getContext()
                      ->getLoadedDialect<VectorExtDialect>()
                      ->lookupIntrinsic(config.getIntrinsic())
                : nullptr;
}

const MmaIntrinsic *mlir::vector_ext::getAsyncIntrinsic(Operation *op) {
  const MmaIntrinsic *intrinsic = getIntrinsic(op);
  return intrinsic && intrinsic->isAsynchronous ? intrinsic : nullptr;
}

const MmaIntrinsic *mlir::vector_ext::getIntrinsicOfRoles(Operation *op) {
  const MmaIntrinsic *intrinsic = getIntrinsic(op);
  if (!intrinsic || intrinsic->isAsynchronous)
    return intrinsic;
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  std::optional<KernelMark> mark =
      launch ? getKernelMark(launch) : std::nullopt;
  return mark && mark->loaded ? intrinsic : nullptr;
}

vector::ContractionOp
mlir::vector_ext::getContinued(vector::ContractionOp contract) {
  auto before = contract.getAcc().getDefiningOp<vector::ContractionOp>();
  return contract->hasAttr(getContinuesAttrName()) && before &&
                 getAsyncIntrinsic(contract) && getAsyncIntrinsic(before) &&
                 before->hasOneUse() &&
                 before->getBlock() == contract->getBlock()
             ? before
             : vector::ContractionOp();
}

vector::ContractionOp
mlir::vector_ext::getContinuation(vector::ContractionOp contract) {
  auto next = contract->hasOneUse()
                  ? dyn_cast<vector::ContractionOp>(*contract->user_begin())
                  : vector::ContractionOp();
  return next && getContinued(next) == contract ? next
                                                : vector::ContractionOp();
}

//===----------------------------------------------------------------------===//
// Operands that are read in place
//===----------------------------------------------------------------------===//

/// Returns the arrangement of `tile` with `first` and `second` as its only
/// dimensions. Fails, with an error, if the tile has others.
static FailureOr<SharedAttr> getMatrixLayout(SharedTileOp tile, unsigned first,
                                             unsigned second) {
  layout::SharedLayout whole = tile.getLayout().getLayout();
  SmallVector<unsigned> order;
  for (unsigned dim : whole.getOrder())
    if (dim == first || dim == second)
      order.push_back(dim == first ? 0 : 1);
    else if (whole.getShape()[dim] != 1 || dim == whole.getOrder().back())
      return tile.emitOpError() << "expected a matrix as the operand of an "
                                   "instruction, got "
                                << tile.getResult().getType();
  return SharedAttr::get(
      tile.getContext(),
      *layout::SharedLayout::get(
          {whole.getShape()[first], whole.getShape()[second]}, order,
          whole.getBitWidth(), whole.getPanelColumns(), whole.getPadding(),
          whole.getSwizzle()));
}

/// Returns the first coordinate along `dim` that the subgroups of one
/// instruction have of `layout`, which repeats `atom`.
static Value getFirstCoordinate(Distributor &distributor, const Layout &layout,
                                const Layout &atom, unsigned dim) {
  Value subgroup = distributor.getThreadIndex(layout::Axis::Subgroup);
  int64_t extent = layout.getNumSubgroups();
  return distributor.buildAtStart([&](ImplicitLocOpBuilder &b) -> Value {
    Value width = arith::ConstantIndexOp::create(b, atom.getNumSubgroups());
    Value first = b.createOrFold<arith::MulIOp>(
        b.createOrFold<arith::DivUIOp>(subgroup, width), width);
    Value sum = arith::ConstantIndexOp::create(b, 0);
    int64_t place = 1;
    for (const layout::Digit &digit : llvm::reverse(layout.getDims()[dim])) {
      if (digit.axis == layout::Axis::Subgroup &&
          extent > atom.getNumSubgroups())
        sum = b.createOrFold<arith::AddIOp>(
            sum, b.createOrFold<arith::MulIOp>(
                     getDigit(b, first, digit.stride, digit.size, extent),
                     arith::ConstantIndexOp::create(b, place)));
      place *= digit.size;
    }
    return sum;
  });
}

/// Returns the op of the workgroup that waits for `contract`, or null.
static AwaitOp getAwait(vector::ContractionOp contract) {
  return contract->hasOneUse() ? dyn_cast<AwaitOp>(*contract->user_begin())
                               : AwaitOp();
}

FailureOr<Value> mlir::vector_ext::distributeAsynchronously(
    ImplicitLocOpBuilder &b, vector::ContractionOp op,
    const MmaIntrinsic &intrinsic, Distributor &distributor,
    const InstructionOperand &lhs, const InstructionOperand &rhs,
    const InstructionOperand &acc) {
  auto lhsTile = op.getLhs().getDefiningOp<SharedTileOp>();
  auto rhsTile = op.getRhs().getDefiningOp<SharedTileOp>();
  SharedAttr lhsLayout;
  if (lhsTile) {
    FailureOr<SharedAttr> layout =
        getMatrixLayout(lhsTile, lhs.first, lhs.second);
    if (failed(layout))
      return failure();
    lhsLayout = *layout;
  }
  Value lhsMemory = lhsTile ? Value(lhsTile.getMemory()) : Value();
  if (!lhsTile)
    std::tie(lhsMemory, lhsLayout) = distributor.getStored(op.getLhs());
  FailureOr<SharedAttr> rhsLayout =
      getMatrixLayout(rhsTile, rhs.first, rhs.second);
  if (failed(rhsLayout))
    return failure();
  Value firstRow =
      getFirstCoordinate(distributor, acc.layout, acc.atom, acc.first);
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  SmallVector<int64_t> rows = acc.getOffsets(acc.first, intrinsic.m);
  SmallVector<int64_t> columns = acc.getOffsets(acc.second, intrinsic.n);
  int64_t size = cast<VectorType>(op.getRhs().getType()).getDimSize(rhs.first);
  SmallVector<Sums, 1> chains;
  ArrayRef<Value> continued = distributor.getOpen(op.getAcc());
  if (continued.empty()) {
    chains.push_back(getInitialSums(b, op, acc, rows, columns));
  } else {
    Sums &sums = chains.emplace_back();
    for (int64_t m : rows)
      for (int64_t n : columns)
        sums[{m, n}] = continued.consume_front();
  }
  while (int64_t(chains.size()) < getNumChains(op, size))
    chains.push_back(getZeroSums(b, chains.front()));
  for (int64_t k = 0; k < size; k += intrinsic.k)
    for (auto &[at, sum] : chains[chains.size() > 1 ? k / kShortSum : 0]) {
      auto [m, n] = at;
      Value left = lhsMemory ? lhsMemory
                             : extractRegisters(b, lhs.registers,
                                                lhs.getRegisters(m, k));
      SmallVector<Value> place;
      if (lhsMemory)
        place = {addIndex(b, firstRow, m), getConstant(k)};
      sum = AsyncMmaOp::create(
          b, intrinsic.name, left, place, lhsLayout, rhsTile.getMemory(),
          ValueRange{getConstant(k), getConstant(n)}, *rhsLayout, sum);
    }
  SmallVector<Value> open;
  for (const Sums &sums : chains)
    for (auto &[at, sum] : sums)
      open.push_back(sum);
  if (llvm::any_of(op->getUsers(), llvm::IsaPred<AwaitEarlierOp>))
    distributor.setOpen(op.getResult(), open);
  if (getAwait(op) || getContinuation(op)) {
    distributor.setOpen(op.getResult(), open);
    // The value is not used.
    return arith::ConstantOp::create(
               b, b.getZeroAttr(distributor.getDistributedType(op.getResult())))
        .getResult();
  }
  auto finished = AwaitOp::create(b, open);
  distributor.addEarlyAwait(finished);
  ValueRange results = finished.getResults();
  Sums sums = takeSums(b, op, acc, intrinsic, results);
  return finishSums(b, op, acc, sums);
}

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

/// Returns whether asynchronous instructions read `tile` in place, as a factor.
/// Accumulators are always in registers.
static bool isReadInPlace(SharedTileOp tile) {
  return llvm::any_of(tile->getUses(), [](OpOperand &use) {
    return getAsyncIntrinsic(use.getOwner()) &&
           &use != &cast<vector::ContractionOp>(use.getOwner()).getAccMutable();
  });
}

namespace {
/// The model of a tile in shared memory. If instructions read it in place,
/// threads hold nothing of it; otherwise threads load it into registers.
struct SharedTileModel
    : LayoutOpInterface::ExternalModel<SharedTileModel, SharedTileOp> {
  bool isRematerializable(Operation *) const { return true; }
  bool holdsResultsInRegisters(Operation *op) const {
    return !isReadInPlace(cast<SharedTileOp>(op));
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto tile = cast<SharedTileOp>(op);
    if (!isReadInPlace(tile))
      return load(tile, distributor);
    for (Operation *user : op->getUsers()) {
      auto contract = dyn_cast<vector::ContractionOp>(user);
      if (!contract || !getAsyncIntrinsic(contract) ||
          contract.getAcc() == op->getResult(0) ||
          !contract.getRhs().getDefiningOp<SharedTileOp>()) {
        InFlightDiagnostic diag =
            op->emitOpError() << "expected asynchronous contractions, with a "
                                 "right operand in shared memory, as users";
        diag.attachNote(user->getLoc()) << "got this one";
        return diag;
      }
    }
    RewriterBase &rewriter = distributor.getRewriter();
    VectorType type = distributor.getDistributedType(op->getResult(0));
    distributor.replace(op,
                        arith::ConstantOp::create(rewriter, op->getLoc(),
                                                  rewriter.getZeroAttr(type))
                            .getResult());
    return success();
  }

private:
  static LogicalResult load(SharedTileOp tile, Distributor &distributor) {
    ImplicitLocOpBuilder b(tile.getLoc(), distributor.getRewriter());
    const Layout &layout = distributor.getLayout(tile.getResult());
    Value registers;
    if (isOfBooleans(tile.getResult()))
      registers = loadBooleans(b, distributor, tile.getMemory(),
                               tile.getLayout().getLayout(), layout);
    if (!registers)
      registers = loadTile(b, distributor, tile.getMemory(),
                           tile.getLayout().getLayout(), layout);
    if (!registers)
      return tile.emitOpError()
             << "expected addresses that are sums or XORs of "
                "bits of the number of a thread";
    distributor.replace(tile, registers);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

namespace {
/// The model of the op that waits for one contraction of a workgroup.
struct AwaitModel : LayoutOpInterface::ExternalModel<AwaitModel, AwaitOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    return op->getNumOperands() == 1 ? std::optional<Layout>(deciding)
                                     : std::nullopt;
  }
  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &,
                                          const Layout &layout) const {
    return getOperandLayout(op, op->getOpOperand(0), layout);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto contract = op->getOperand(0).getDefiningOp<vector::ContractionOp>();
    ArrayRef<Value> open = distributor.getOpen(op->getOperand(0));
    if (!contract || open.empty())
      return op->emitOpError()
             << "expected to be the only user of a contraction whose "
                "instruction is asynchronous and reads its right operand from "
                "shared memory";
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    const MmaIntrinsic &intrinsic = *getAsyncIntrinsic(contract);
    Refusal refusal;
    FailureOr<ContractDims> dims = getContractDims(contract, refusal);
    InstructionOperand acc =
        getAccOperand(contract, intrinsic, *dims, distributor);
    auto finished = AwaitOp::create(b, open);
    ValueRange results = finished.getResults();
    Sums sums = takeSums(b, contract, acc, intrinsic, results);
    distributor.replace(op, finishSums(b, contract, acc, sums));
    return success();
  }
};
} // namespace

namespace {
/// The model of the op that waits for contractions that were issued before
/// those of its operands.
struct AwaitEarlierModel
    : LayoutOpInterface::ExternalModel<AwaitEarlierModel, AwaitEarlierOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    return op->getNumOperands() == 1 ? std::optional<Layout>(deciding)
                                     : std::nullopt;
  }
  bool acceptsAnyLayout(Operation *, OpOperand &) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ArrayRef<Value> open = distributor.getOpen(op->getOperand(0));
    if (open.empty())
      return op->emitOpError()
             << "expected a contraction whose instruction is asynchronous and "
                "reads its right operand from shared memory";
    RewriterBase &rewriter = distributor.getRewriter();
    AwaitEarlierOp::create(rewriter, op->getLoc(), open);
    distributor.replace(op, ValueRange());
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerAsyncLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    SharedTileOp::attachInterface<SharedTileModel>(*context);
    AwaitOp::attachInterface<AwaitModel>(*context);
    AwaitEarlierOp::attachInterface<AwaitEarlierModel>(*context);
  });
}
