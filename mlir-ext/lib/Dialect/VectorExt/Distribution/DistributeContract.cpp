//===- DistributeContract.cpp - Contractions of threads -------------------===//
//
// The layouts of a contraction are those of its instruction. One function
// serves all instructions: it finds the registers of each operand from the
// layouts. A contraction without an instruction is computed product by product.
// So is an outer product, in which no thread needs a sum of others.
//
//===----------------------------------------------------------------------===//

#include "SharedTile.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Layout/SharedDescriptor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::Refusal;

namespace {
/// An operand of a contraction, in terms of the instruction.
struct Operand {
  Value registers;
  const Layout &layout;
  const Layout &atom;
  /// The positions in the operand of the two dimensions of the atom.
  unsigned first, second;
  /// The elements that instructions take.
  ElementOrder firstOrder = {}, secondOrder = {};

  /// Returns the registers of the atom whose first element is (i, j), in thread
  /// 0.
  SmallVector<int64_t> getRegisters(int64_t i, int64_t j) const {
    SmallVector<int64_t> result;
    for (int64_t reg = 0; reg < atom.getNumRegisters(); ++reg) {
      SmallVector<int64_t> at = atom.getCoordinate({0, 0, reg});
      SmallVector<int64_t> coordinate(layout.getRank(), 0);
      coordinate[first] = firstOrder.getElement(i + at[0]);
      coordinate[second] = secondOrder.getElement(j + at[1]);
      result.push_back(layout.getOwner(coordinate).reg);
    }
    return result;
  }

  /// Returns the offsets of the atoms along a dimension that thread 0 has.
  SmallVector<int64_t> getOffsets(unsigned dim, int64_t step) const {
    SmallVector<int64_t> result;
    for (int64_t i = 0; i < layout.getDimSize(dim); i += step) {
      SmallVector<int64_t> coordinate(layout.getRank(), 0);
      coordinate[dim] =
          (dim == first ? firstOrder : secondOrder).getElement(i);
      layout::Owner owner = layout.getOwner(coordinate);
      if (owner.lane == 0 && owner.subgroup == 0)
        result.push_back(i);
    }
    return result;
  }
};
} // namespace

namespace {
/// The results of instructions, by the coordinate of their first element.
using Sums = llvm::MapVector<std::pair<int64_t, int64_t>, Value>;
} // namespace

/// Builds the registers of the whole result.
static Value assembleSums(ImplicitLocOpBuilder &b, const Operand &acc,
                          Sums &sums) {
  SmallVector<Value> registers(acc.layout.getNumRegisters());
  for (auto &[at, sum] : sums)
    for (auto [i, reg] : llvm::enumerate(acc.getRegisters(at.first, at.second)))
      registers[reg] = extractRegister(b, sum, i);
  return vector::FromElementsOp::create(
      b,
      VectorType::get(
          {acc.layout.getNumRegisters()},
          cast<VectorType>(acc.registers.getType()).getElementType()),
      registers);
}

/// Returns whether the instructions of `op` start from zero, so that threads
/// add their sums to the accumulator.
static bool addsToAcc(vector::ContractionOp op) {
  Value acc = op.getAcc();
  while (auto anchor = acc.getDefiningOp<ToLayoutOp>())
    acc = anchor.getInput();
  return op->hasAttr(getShortSumsAttrName()) &&
         !matchPattern(acc, m_AnyZeroFloat());
}

/// The number of products that instructions add before a thread does, if they
/// keep few bits of their sums (docs/Decisions/0084).
constexpr static int64_t kShortSum = 128;

/// Returns the number of chains that sum `size` products for each part of the
/// result.
static int64_t getNumChains(vector::ContractionOp op, int64_t size) {
  return op->hasAttr(getShortSumsAttrName())
             ? llvm::divideCeilSigned(size, kShortSum)
             : 1;
}

/// Adds the sums of a later chain to `sums`.
static void addSums(ImplicitLocOpBuilder &b, Sums &sums, const Sums &later) {
  for (auto &[at, sum] : sums)
    sum = arith::AddFOp::create(b, sum, later.lookup(at));
}

static Sums getZeroSums(ImplicitLocOpBuilder &b, const Sums &like) {
  Sums sums;
  for (auto &[at, sum] : like)
    sums[at] = arith::ConstantOp::create(b, b.getZeroAttr(sum.getType()));
  return sums;
}

/// Returns the values from which the instructions of `op` start.
static Sums getInitialSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                           const Operand &acc, ArrayRef<int64_t> rows,
                           ArrayRef<int64_t> columns) {
  Sums sums;
  for (int64_t m : rows)
    for (int64_t n : columns) {
      Value sum = extractRegisters(b, acc.registers, acc.getRegisters(m, n));
      sums[{m, n}] =
          addsToAcc(op)
              ? arith::ConstantOp::create(b, b.getZeroAttr(sum.getType()))
                    .getResult()
              : sum;
    }
  return sums;
}

/// Builds the result of `op` from the results of its instructions.
static Value finishSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                        const Operand &acc, Sums &sums) {
  if (addsToAcc(op))
    for (auto &[at, sum] : sums)
      sum = arith::AddFOp::create(
          b,
          extractRegisters(b, acc.registers,
                           acc.getRegisters(at.first, at.second)),
          sum);
  return assembleSums(b, acc, sums);
}

static unsigned getPosition(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

namespace {
/// The right operand of instructions that read it from shared memory.
struct SharedOperand {
  Value buffer;
  layout::SharedLayout layout;
  layout::WgmmaOperand access;
  unsigned kDim, nDim;

  /// Returns where the instruction whose first element is (k, n) finds the
  /// operand.
  MatrixDescriptorAttr getDescriptor(MLIRContext *context, int64_t k,
                                     int64_t n) const {
    SmallVector<int64_t> coordinate(layout.getRank(), 0);
    coordinate[kDim] = k;
    coordinate[nDim] = n;
    return MatrixDescriptorAttr::get(
        context, layout.getLinearByteOffset(coordinate),
        access.leadingByteOffset, access.strideByteOffset,
        getSwizzleBytes(access.mode), access.isKMajor);
  }
};
} // namespace

/// Returns how to store a tile of `from`, with elements of `bits` bits, in
/// shared memory for instructions that read it there. Of the arrangements that
/// descriptors support, this is the one that is stored at the least cost. Among
/// equals, it is the one with the widest swizzle, and then the one in which K
/// is contiguous. An instruction has `nSize` elements of `nDim` (the dimension
/// of the rows for the left operand). Fails with the reason if there is none.
static std::optional<SharedOperand>
chooseSharedOperand(const Layout &from, int64_t bits, unsigned kDim,
                    unsigned nDim, int64_t nSize, int64_t kSize,
                    std::string &reason) {
  SmallVector<int64_t> shape = from.getShape();
  std::optional<SharedOperand> best;
  int64_t bestCost = 0;
  reason = "no arrangement fits";
  for (unsigned contiguous : {kDim, nDim})
    for (int64_t bytes : {128, 64, 32, 16}) {
      SmallVector<unsigned> order;
      for (unsigned dim = 0; dim < from.getRank(); ++dim)
        if (dim != contiguous)
          order.push_back(dim);
      order.push_back(contiguous);
      std::optional<layout::SharedLayout> shared =
          bytes == 16 ? layout::SharedLayout::get(shape, order, bits,
                                                  /*panelColumns=*/128 / bits,
                                                  /*padding=*/0, {}, &reason)
                      : layout::SharedLayout::getSwizzledPanels(
                            shape, order, bits, bytes, &reason);
      if (!shared)
        continue;
      std::optional<layout::WgmmaOperand> access =
          getWgmmaOperand(*shared, nDim, kDim, nSize, &reason);
      if (!access || access->kSize != kSize)
        continue;
      int64_t cost =
          getCost(getVectorAccesses(from, *shared), from, *shared).getTotal();
      if (best && cost >= bestCost)
        continue;
      best = SharedOperand{Value(), *shared, *access, kDim, nDim};
      bestCost = cost;
    }
  return best;
}

/// Stores `registers`, in `from`, to shared memory. Fails, with an error, if
/// instructions can read it nowhere.
static FailureOr<SharedOperand>
storeSharedOperand(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                   Distributor &distributor, Value registers,
                   const Layout &from, unsigned kDim, unsigned nDim,
                   const MmaIntrinsic &intrinsic) {
  int64_t bits = cast<VectorType>(registers.getType()).getElementTypeBitWidth();
  std::string reason;
  std::optional<SharedOperand> best = chooseSharedOperand(
      from, bits, kDim, nDim, intrinsic.n, intrinsic.k, reason);
  if (best)
    best->buffer =
        storeInSharedMemory(b, distributor, registers, from, best->layout);
  if (best && !best->buffer)
    reason = "its addresses have no formula in the index of the thread";
  if (!best || !best->buffer)
    return op.emitOpError() << "cannot have its right operand in shared memory "
                               "as '"
                            << intrinsic.name << "' reads it: " << reason;
  return *best;
}

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

/// Returns the sums of all chains of `op`, whose results are `finished`.
static Sums takeSums(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                     const Operand &acc, const MmaIntrinsic &intrinsic,
                     ValueRange finished) {
  Sums all;
  while (!finished.empty()) {
    Sums sums;
    for (int64_t m : acc.getOffsets(acc.first, intrinsic.m))
      for (int64_t n : acc.getOffsets(acc.second, intrinsic.n)) {
        sums[{m, n}] = finished.front();
        finished = finished.drop_front();
      }
    if (all.empty())
      all = std::move(sums);
    else
      addSums(b, all, sums);
  }
  return all;
}

/// Returns the op of the workgroup that waits for `contract`, or null.
static AwaitOp getAwait(vector::ContractionOp contract) {
  return contract->hasOneUse() ? dyn_cast<AwaitOp>(*contract->user_begin())
                               : AwaitOp();
}

/// Starts all instructions of `op`, one chain for each part of the result.
/// Waits for them if no other op of the workgroup does.
static FailureOr<Value>
distributeAsynchronously(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                         const MmaIntrinsic &intrinsic,
                         Distributor &distributor, const Operand &lhs,
                         const Operand &rhs, const Operand &acc) {
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
    Value registers = loadTile(b, distributor, tile.getMemory(),
                               tile.getLayout().getLayout(), layout);
    if (!registers)
      return tile.emitOpError() << "expected addresses that are sums or XORs of "
                                   "bits of the number of a thread";
    distributor.replace(tile, registers);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Describes the accumulator of `op` in terms of the instruction.
static Operand getAcc(vector::ContractionOp op, const MmaIntrinsic &intrinsic,
                      const ContractDims &dims, Distributor &distributor,
                      const ElementOrder &columns = {}) {
  AffineMap map = op.getIndexingMapsArray()[2];
  return {distributor.getDistributed(op.getAcc()),
          distributor.getLayout(op.getAcc()),
          intrinsic.acc,
          getPosition(map, dims.m),
          getPosition(map, dims.n),
          {},
          columns};
}

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
    Operand acc = getAcc(contract, intrinsic, *dims, distributor);
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
  Operand lhs{distributor.getDistributed(op.getLhs()),
              distributor.getLayout(op.getLhs()),
              intrinsic->lhs,
              getPosition(maps[0], dims->m),
              getPosition(maps[0], dims->k),
              {},
              orderOfK};
  Operand rhs{distributor.getDistributed(op.getRhs()),
              distributor.getLayout(op.getRhs()),
              intrinsic->rhs,
              getPosition(maps[1], dims->k),
              getPosition(maps[1], dims->n),
              orderOfK,
              orderOfN};
  Operand acc = getAcc(op, *intrinsic, *dims, distributor, orderOfN);

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

/// Builds one product, and adds it in the type of the accumulator.
static Value buildProduct(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                          Value lhs, Value rhs, Value acc) {
  Type type = acc.getType();
  auto extend = [&](Value value, bool isUnsigned) -> Value {
    if (value.getType() == type)
      return value;
    if (isa<FloatType>(type))
      return arith::ExtFOp::create(b, type, value);
    if (isUnsigned)
      return arith::ExtUIOp::create(b, type, value);
    return arith::ExtSIOp::create(b, type, value);
  };
  auto [lhsType, rhsType] = getOperandTypes(op);
  lhs = b.createOrFold<arith::BitcastOp>(lhsType, lhs);
  rhs = b.createOrFold<arith::BitcastOp>(rhsType, rhs);
  auto [isLhsUnsigned, isRhsUnsigned] = getUnsignedOperands(op);
  lhs = extend(lhs, isLhsUnsigned);
  rhs = extend(rhs, isRhsUnsigned);
  if (isa<FloatType>(type) && op.getKind() == vector::CombiningKind::ADD)
    return math::FmaOp::create(b, lhs, rhs, acc);
  Value product = isa<FloatType>(type)
                      ? arith::MulFOp::create(b, lhs, rhs).getResult()
                      : arith::MulIOp::create(b, lhs, rhs).getResult();
  return vector::makeArithReduction(b, b.getLoc(), op.getKind(), product, acc);
}

static FailureOr<Value> distributeByProducts(vector::ContractionOp op,
                                             Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  auto accType = dyn_cast<VectorType>(op.getResultType());
  if (!accType)
    return op.emitOpError() << "to a scalar cannot be distributed";
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  const Layout &accLayout = distributor.getLayout(op.getAcc());
  const Layout &lhsLayout = distributor.getLayout(op.getLhs());
  const Layout &rhsLayout = distributor.getLayout(op.getRhs());
  Value lhs = distributor.getDistributed(op.getLhs());
  Value rhs = distributor.getDistributed(op.getRhs());
  Value acc = distributor.getDistributed(op.getAcc());
  SmallVector<unsigned> reduced;
  int64_t products = 1;
  for (auto [dim, bound] : llvm::enumerate(bounds))
    if (!maps[2].getResultPosition(getAffineDimExpr(dim, op.getContext()))) {
      reduced.push_back(dim);
      products *= bound;
    }
  // This is the coordinate of an iteration of thread 0. Those of other threads
  // differ from it by the same offset in operands and result.
  SmallVector<int64_t> iteration(bounds.size(), 0);
  auto getRegister = [&](const Layout &layout, AffineMap map) {
    SmallVector<int64_t> at;
    for (AffineExpr expr : map.getResults())
      at.push_back(iteration[cast<AffineDimExpr>(expr).getPosition()]);
    return layout.getOwner(at).reg;
  };
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < accLayout.getNumRegisters(); ++reg) {
    for (auto [expr, at] : llvm::zip_equal(
             maps[2].getResults(), accLayout.getCoordinate({0, 0, reg})))
      iteration[cast<AffineDimExpr>(expr).getPosition()] = at;
    Value sum = extractRegister(b, acc, reg);
    for (int64_t i = 0; i < products; ++i) {
      int64_t rest = i;
      for (unsigned dim : llvm::reverse(reduced)) {
        iteration[dim] = rest % bounds[dim];
        rest /= bounds[dim];
      }
      sum = buildProduct(
          b, op, extractRegister(b, lhs, getRegister(lhsLayout, maps[0])),
          extractRegister(b, rhs, getRegister(rhsLayout, maps[1])), sum);
    }
    registers.push_back(sum);
  }
  return vector::FromElementsOp::create(
             b, distributor.getDistributedType(op.getResult()), registers)
      .getResult();
}

static ContractConfigAttr getConfig(Operation *op) {
  return op->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
}

const MmaIntrinsic *mlir::vector_ext::getAsyncIntrinsic(Operation *op) {
  auto contract = dyn_cast<vector::ContractionOp>(op);
  ContractConfigAttr config = contract ? getConfig(op) : ContractConfigAttr();
  const MmaIntrinsic *intrinsic =
      config ? op->getContext()
                   ->getLoadedDialect<VectorExtDialect>()
                   ->lookupIntrinsic(config.getIntrinsic())
             : nullptr;
  return intrinsic && intrinsic->isAsynchronous ? intrinsic : nullptr;
}

/// Returns whether `value` is the left operand of a contraction that is not in
/// `block`, but in a loop, for example.
static bool isLeftElsewhere(Value value, Block *block) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (auto same = dyn_cast<ToLayoutOp>(use.getOwner()))
      return isLeftElsewhere(same.getResult(), block);
    auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
    return contract && &use == &contract.getLhsMutable() &&
           contract->getBlock() != block;
  });
}

bool mlir::vector_ext::canStoreLeftOnce(vector::ContractionOp contract) {
  Value left = contract.getLhs();
  // A conversion to the layout of the instruction does not matter.
  while (auto same = left.getDefiningOp<ToLayoutOp>())
    left = same.getInput();
  VectorType type = contract.getLhsType();
  return getAsyncIntrinsic(contract) && type.getRank() == 2 &&
         type.getElementTypeBitWidth() % 8 == 0 && left.getDefiningOp() &&
         !left.getDefiningOp<SharedTileOp>() &&
         contract.getRhs().getDefiningOp<SharedTileOp>() &&
         (left.getParentBlock() != contract->getBlock() ||
          isLeftElsewhere(left, contract->getBlock()));
}

bool mlir::vector_ext::storeLeftOnce(ToLayoutOp op, Distributor &distributor) {
  if (!op.getSharedMemory() || op->use_empty() ||
      !llvm::all_of(op->getUses(), [&](OpOperand &use) {
        auto contract = dyn_cast<vector::ContractionOp>(use.getOwner());
        return contract && &use == &contract.getLhsMutable() &&
               canStoreLeftOnce(contract);
      }))
    return false;
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  auto contract = cast<vector::ContractionOp>(*op->user_begin());
  const MmaIntrinsic &intrinsic = *getAsyncIntrinsic(contract);
  Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return false;
  AffineMap map = contract.getIndexingMapsArray()[0];
  const Layout &from = distributor.getLayout(op.getInput());
  std::string reason;
  std::optional<SharedOperand> best = chooseSharedOperand(
      from, op.getType().getElementTypeBitWidth(), getPosition(map, dims->k),
      getPosition(map, dims->m), intrinsic.m, intrinsic.k, reason);
  if (!best)
    return false;
  Value buffer = storeInSharedMemory(b, distributor,
                                     distributor.getDistributed(op.getInput()),
                                     from, best->layout, /*fence=*/true);
  if (!buffer)
    return false;
  // This is the layout as a matrix of rows.
  SharedAttr layout = SharedAttr::get(op.getContext(), best->layout);
  if (getPosition(map, dims->m) == 1) {
    SmallVector<unsigned> order;
    for (unsigned dim : best->layout.getOrder())
      order.push_back(1 - dim);
    layout = SharedAttr::get(
        op.getContext(),
        *layout::SharedLayout::get(
            {best->layout.getShape()[1], best->layout.getShape()[0]}, order,
            best->layout.getBitWidth(), best->layout.getPanelColumns(),
            best->layout.getPadding(), best->layout.getSwizzle()));
  }
  distributor.setStored(op.getResult(), buffer, layout);
  // The value is not used.
  distributor.replace(
      op, arith::ConstantOp::create(
              b, b.getZeroAttr(distributor.getDistributedType(op.getResult())))
              .getResult());
  return true;
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

/// Returns the layouts of the operands for a result with layout `acc`. Fails,
/// with the reason in `refusal`, if the config does not fit.
static FailureOr<ContractLayouts>
getLayouts(vector::ContractionOp op, const Layout &acc, Refusal &refusal) {
  if (ContractConfigAttr config = getConfig(op))
    return getContractLayouts(
        op, config, {acc.getNumLanes(), acc.getNumSubgroups()}, refusal);
  return getScalarContractLayouts(op, acc);
}

/// Returns whether an instruction of several threads performs `op`.
static bool isByInstruction(vector::ContractionOp op) {
  ContractConfigAttr config = getConfig(op);
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
    ContractConfigAttr config = getConfig(op);
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
    ContractConfigAttr config = getConfig(op);
    FailureOr<Value> registers =
        config ? distributeByInstruction(contract, config, distributor)
               : distributeByProducts(contract, distributor);
    if (failed(registers))
      return failure();
    distributor.replace(op, *registers);
    return success();
  }
};

/// The model of result[i, j] = acc[i, j] + lhs[i] * rhs[j], or of another
/// reduction than the sum. Each thread has the elements of `lhs` and `rhs` that
/// its registers need.
struct OuterProductModel
    : LayoutOpInterface::ExternalModel<OuterProductModel,
                                       vector::OuterProductOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &operand,
                                         const Layout &deciding) const {
    return deciding.project(getMissingDims(operand));
  }

  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &operand,
                                          const Layout &layout) const {
    if (llvm::is_contained(getMissingDims(operand), true))
      return std::nullopt;
    return layout;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto outer = cast<vector::OuterProductOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    const Layout &layout = distributor.getLayout(outer.getResult());
    auto getRegisters = [&](OpOperand &operand) -> Value {
      Value value = distributor.getDistributed(operand.get());
      if (!isa<VectorType>(value.getType()))
        return vector::BroadcastOp::create(
            b, distributor.getDistributedType(outer.getResult()), value);
      SmallVector<bool> missing = getMissingDims(operand);
      SmallVector<int64_t> registers;
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
        registers.push_back(layout.getProjectedRegister(reg, missing));
      return extractRegisters(b, value, registers);
    };
    Value lhs = getRegisters(outer.getLhsMutable()),
          rhs = getRegisters(outer.getRhsMutable());
    Value acc =
        outer.getAcc() ? distributor.getDistributed(outer.getAcc()) : Value();
    bool isFloat = isa<FloatType>(outer.getResultVectorType().getElementType());
    Value result;
    if (isFloat && acc && outer.getKind() == vector::CombiningKind::ADD) {
      result = vector::FMAOp::create(b, lhs, rhs, acc);
    } else {
      result = isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                       : arith::MulIOp::create(b, lhs, rhs).getResult();
      if (acc)
        result = vector::makeArithReduction(b, op->getLoc(), outer.getKind(),
                                            result, acc);
    }
    distributor.replace(op, result);
    return success();
  }

private:
  /// Marks the dimensions of the result that `operand` does not have. A vector
  /// times a scalar has one dimension.
  static SmallVector<bool> getMissingDims(OpOperand &operand) {
    auto outer = cast<vector::OuterProductOp>(operand.getOwner());
    if (outer.getResultVectorType().getRank() == 1 ||
        operand.get() == outer.getAcc())
      return SmallVector<bool>(outer.getResultVectorType().getRank(), false);
    return {operand.getOperandNumber() == 1, operand.getOperandNumber() == 0};
  }
};
} // namespace

void mlir::vector_ext::registerContractLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::ContractionOp::attachInterface<ContractionModel>(*context);
    vector::OuterProductOp::attachInterface<OuterProductModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    SharedTileOp::attachInterface<SharedTileModel>(*context);
    AwaitOp::attachInterface<AwaitModel>(*context);
    AwaitEarlierOp::attachInterface<AwaitEarlierModel>(*context);
  });
}
