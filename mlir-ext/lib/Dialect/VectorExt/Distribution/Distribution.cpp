//===- Distribution.cpp - The driver of distribution ----------------------===//
//
// Works on a copy of the kernel. Adds anchors, analyses layouts and inserts
// conversions. Then walks the program in order: each op builds the work of one
// thread (`LayoutOpInterface`), and the driver records the registers of each
// vector.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "DeferredReductions.h"
#include "DescribeLayouts.h"
#include "ShareAllocations.h"
#include "SkipRows.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

void mlir::vector_ext::registerLayoutOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registerMemoryLayoutModels(registry);
  registerShapeLayoutModels(registry);
  registerElementwiseLayoutModels(registry);
  registerReductionLayoutModels(registry);
  registerContractLayoutModels(registry);
  registerConversionLayoutModels(registry);
  registerControlFlowLayoutModels(registry);
}

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Where a thread is
//===----------------------------------------------------------------------===//

Distributor::Distributor(RewriterBase &rewriter, LayoutAnalysis &analysis,
                         Region &region, const Workgroup &workgroup,
                         layout::SharedLayoutChoices &sharedLayouts)
    : rewriter(rewriter), analysis(analysis), region(region),
      workgroup(workgroup), sharedLayouts(sharedLayouts) {}

/// Builds ops at the start of the region, after the ops that were built there
/// before.
template <typename Fn>
static auto buildPrologue(RewriterBase &rewriter, Region &region,
                          Operation *&last, Fn fn) {
  OpBuilder::InsertionGuard guard(rewriter);
  if (last)
    rewriter.setInsertionPointAfter(last);
  else
    rewriter.setInsertionPointToStart(&region.front());
  ImplicitLocOpBuilder builder(region.getLoc(), rewriter);
  auto result = fn(builder);
  auto point = builder.getInsertionPoint();
  if (point != region.front().begin())
    last = &*std::prev(point);
  return result;
}

Value Distributor::getThreadIndex(Axis axis) {
  Value &index = threadIndices[static_cast<unsigned>(axis)];
  if (!index)
    index = buildPrologue(
        rewriter, region, lastPrologueOp, [&](ImplicitLocOpBuilder &b) {
          Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
          auto role = dyn_cast<RoleOp>(region.getParentOp());
          // The remainder also bounds the number.
          if (role && (role.getFirst() != 0 || role.getGroups())) {
            int64_t threads = role.getGroupThreads();
            if (role.getFirst() % threads != 0)
              thread = arith::SubIOp::create(
                  b, thread,
                  arith::ConstantIndexOp::create(b, role.getFirst()));
            if (role.getFirst() % threads == 0 || role.getGroups())
              thread = arith::RemUIOp::create(
                  b, thread, arith::ConstantIndexOp::create(b, threads));
          }
          Value lanes = arith::ConstantIndexOp::create(b, workgroup.numLanes);
          if (axis == Axis::Lane)
            return b.createOrFold<arith::RemUIOp>(thread, lanes);
          return b.createOrFold<arith::DivUIOp>(thread, lanes);
        });
  return index;
}

ArrayRef<Value> Distributor::getThreadCoordinate(const Layout &layout) {
  for (auto &[known, values] : coordinates)
    if (known == layout)
      return values;
  Value lane = getThreadIndex(Axis::Lane);
  Value subgroup = getThreadIndex(Axis::Subgroup);
  SmallVector<Value> values = buildPrologue(
      rewriter, region, lastPrologueOp, [&](ImplicitLocOpBuilder &b) {
        SmallVector<Value> result;
        for (const DimDigits &dim : layout.getDims()) {
          Value sum = arith::ConstantIndexOp::create(b, 0);
          int64_t place = 1;
          for (const Digit &digit : llvm::reverse(dim)) {
            if (digit.axis != Axis::Register) {
              Value index = digit.axis == Axis::Lane ? lane : subgroup;
              Value value = getDigit(b, index, digit.stride, digit.size,
                                     layout.getExtent(digit.axis));
              Value scale = arith::ConstantIndexOp::create(b, place);
              sum = b.createOrFold<arith::AddIOp>(
                  sum, b.createOrFold<arith::MulIOp>(value, scale));
            }
            place *= digit.size;
          }
          result.push_back(sum);
        }
        return result;
      });
  coordinates.emplace_back(layout, std::move(values));
  return coordinates.back().second;
}

Value Distributor::isFirstReplica(const Layout &layout) {
  if (layout.getReplication() == 1)
    return {};
  for (auto &[known, value] : replicas)
    if (known == layout)
      return value;
  Value lane = getThreadIndex(Axis::Lane);
  Value subgroup = getThreadIndex(Axis::Subgroup);
  Value result = buildPrologue(
      rewriter, region, lastPrologueOp, [&](ImplicitLocOpBuilder &b) {
        // Digits that are not read are zero.
        Value all;
        for (Axis axis : {Axis::Lane, Axis::Subgroup}) {
          SmallVector<Digit> digits;
          for (const DimDigits &dim : layout.getDims())
            for (const Digit &digit : dim)
              if (digit.axis == axis)
                digits.push_back(digit);
          llvm::sort(digits, [](const Digit &a, const Digit &b) {
            return a.stride < b.stride;
          });
          digits.push_back({axis, 1, layout.getExtent(axis)});
          int64_t end = 1;
          for (const Digit &digit : digits) {
            if (digit.stride != end) {
              Value unread =
                  getDigit(b, axis == Axis::Lane ? lane : subgroup, end,
                           digit.stride / end, layout.getExtent(axis));
              Value zero = arith::ConstantIndexOp::create(b, 0);
              Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                                   unread, zero);
              all = all ? b.createOrFold<arith::AndIOp>(all, isZero) : isZero;
            }
            end = digit.stride * digit.size;
          }
        }
        return all;
      });
  replicas.emplace_back(layout, result);
  return result;
}

Value Distributor::buildAtStart(
    llvm::function_ref<Value(ImplicitLocOpBuilder &)> fn) {
  return buildPrologue(rewriter, region, lastPrologueOp, fn);
}

Value Distributor::allocateShared(ArrayRef<int64_t> shape, Type elementType,
                                  int64_t alignment) {
  return buildPrologue(
      rewriter, region, lastPrologueOp, [&](ImplicitLocOpBuilder &b) -> Value {
        auto space = gpu::AddressSpaceAttr::get(
            b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
        auto type = MemRefType::get(shape, elementType,
                                    MemRefLayoutAttrInterface(), space);
        IntegerAttr alignmentAttr;
        if (alignment > 0)
          alignmentAttr = b.getI64IntegerAttr(alignment);
        return memref::AllocOp::create(b, type, alignmentAttr);
      });
}

Value Distributor::allocateSharedForLoop(Operation *loop, int64_t numBuffers,
                                         int64_t size, Type elementType,
                                         int64_t alignment) {
  StringRef name = VectorExtDialect::getBuffersAttrName();
  auto number = rewriter.getI64IntegerAttr(numBuffers);
  for (auto &[buffer, loops] : loopBuffers) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.getDimSize(0) != numBuffers * size ||
        type.getElementType() != elementType ||
        buffer.getDefiningOp()->getAttr(name) != number ||
        llvm::is_contained(loops, loop) ||
        llvm::any_of(loops, [&](Operation *other) {
          return other->getBlock() != loop->getBlock();
        }))
      continue;
    if (!loop->getPrevNode() || !isBarrier(loop->getPrevNode())) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(loop);
      createBarrier(rewriter, loop->getLoc());
    }
    loops.push_back(loop);
    return buffer;
  }
  Value buffer = allocateShared({numBuffers * size}, elementType, alignment);
  buffer.getDefiningOp()->setAttr(name, number);
  loopBuffers.push_back({buffer, {loop}});
  return buffer;
}

Value Distributor::lookupStoredTile(Value registers, const Layout &from,
                                    const Layout &to, Operation *user) const {
  for (const StoredTile &tile : storedTiles)
    // Programs are distributed in order, so it is before `user` in its block.
    if (tile.registers == registers && tile.from == from && tile.to == to &&
        tile.block->findAncestorOpInBlock(*user))
      return tile.buffer;
  return {};
}

void Distributor::addStoredTile(Value registers, const Layout &from,
                                const Layout &to, Operation *before,
                                Value buffer) {
  storedTiles.push_back({registers, from, to, before->getBlock(), buffer});
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

VectorType Distributor::getDistributedType(Value value) const {
  return VectorType::get({getLayout(value).getNumRegisters()},
                         cast<VectorType>(value.getType()).getElementType());
}

Value Distributor::getDistributed(Value value) const {
  if (!isVector(value))
    return value;
  Value result = distributed.lookup(value);
  assert(result && "expected operands to be distributed first");
  return result;
}

void Distributor::replace(Operation *op, ValueRange values) {
  for (auto [from, to] : llvm::zip_equal(op->getResults(), values)) {
    if (isVector(from))
      distributed[from] = to;
    else
      rewriter.replaceAllUsesWith(from, to);
  }
  toErase.push_back(op);
}

Operation *Distributor::moveToRegisters(Operation *op) {
  SmallVector<Type> types;
  for (Value result : op->getResults())
    types.push_back(isVector(result) ? getDistributedType(result)
                                     : result.getType());
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value value) { return getDistributed(value); });
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *result = rewriter.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), result->getRegions())) {
    to.takeBody(from);
    for (Block &block : to)
      for (BlockArgument arg : block.getArguments())
        if (isVector(arg)) {
          VectorType type = getDistributedType(arg);
          arg.setType(type);
          distributed[arg] = arg;
        }
  }
  replace(op, result->getResults());
  return result;
}

LogicalResult Distributor::distributeRegions(Operation *op) {
  for (Region &nested : op->getRegions())
    for (Block &block : nested)
      if (failed(distribute(block)))
        return failure();
  return success();
}

LogicalResult Distributor::distribute(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto layoutOp = dyn_cast<LayoutOpInterface>(op);
      layoutOp && layoutOp.needsDistribution())
    return layoutOp.distribute(*this);
  // A terminator passes the registers that a thread has of the vectors.
  if (hasVectors(op))
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(getDistributed(operand.get()));
    });
  return distributeRegions(op);
}

LogicalResult Distributor::distribute(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(distribute(&op)))
      return failure();
  return success();
}

LogicalResult Distributor::run() {
  findDeferredReductions(region, *this);
  // Ops of the prologue are not distributed, since they have no vectors.
  for (Block &block : region)
    if (failed(distribute(block)))
      return failure();
  for (Operation *op : llvm::reverse(toErase)) {
    op->dropAllUses();
    rewriter.eraseOp(op);
  }
  return success();
}

static void emitRemarks(Operation *scope, const LayoutAnalysis &analysis) {
  scope->walk([&](ToLayoutOp op) {
    Layout from = analysis.getLayout(op.getInput());
    Layout to = op.getLayout().getLayout();
    layout::Conversion conversion = classifyConversion(from, to);
    if (op.getSharedMemory())
      conversion = {};
    if (conversion.kind == layout::ConversionKind::Identity)
      return;
    int64_t bits = linalg_ext::getElementBits(op.getResult().getType());
    op.emitRemark() << "layout of " << op.getResult().getType()
                    << " changes by "
                    << stringifyConversionKind(conversion.kind) << ", cost "
                    << getConversionCost(conversion, from, to, bits)
                    << ": from " << from.str() << " to " << to.str();
  });
}

/// Fails, with an error, if `op` is a contraction by asynchronous instructions
/// whose result, in `layout`, takes more than `maxRegisters` registers of a
/// thread. These must be in registers until the instructions end.
static LogicalResult checkAccumulator(Operation *op, const Layout &layout,
                                      int64_t maxRegisters) {
  int64_t registers = layout.getNumRegisters();
  if (maxRegisters == 0 || registers <= maxRegisters || !getAsyncIntrinsic(op))
    return success();
  return op->emitOpError("gives a thread a result of asynchronous "
                         "instructions in ")
         << registers << " registers, expected at most " << maxRegisters;
}

/// Fails, with an error, if a vector takes too many registers of a thread, or
/// if a thread computes too many products.
static LogicalResult checkSizes(Operation *scope,
                                const LayoutAnalysis &analysis,
                                const DistributionOptions &options) {
  int64_t products = 0;
  auto visit = [&](Operation *op) {
    auto layoutOp = dyn_cast<LayoutOpInterface>(op);
    bool isHeld = layoutOp && layoutOp.holdsResultsInRegisters();
    for (Value result : op->getResults()) {
      if (!isVector(result) || !isHeld || options.maxRegisters == 0)
        continue;
      // Masks mostly become bounds.
      Type type = getElementTypeOrSelf(result.getType());
      int64_t bits = linalg_ext::getElementBits(type);
      int64_t registers = llvm::divideCeil(
          analysis.getLayout(result).getNumRegisters() * bits, 32);
      if (bits == 1 || registers <= options.maxRegisters)
        continue;
      InFlightDiagnostic error = op->emitOpError("gives a thread ")
                                 << result.getType() << " in " << registers
                                 << " registers, expected at most "
                                 << options.maxRegisters;
      if (type.isF64())
        error << "; convert f64 to f32, f16 or bf16, which instructions of "
                 "several threads take";
      return WalkResult::interrupt();
    }
    Value deciding = layoutOp ? layoutOp.getDecidingValue() : Value();
    if (deciding && failed(checkAccumulator(op, analysis.getLayout(deciding),
                                            options.maxAccumulator)))
      return WalkResult::interrupt();
    if (!deciding || options.maxProducts == 0)
      return WalkResult::advance();
    int64_t here = layoutOp.getNumProducts(analysis.getLayout(deciding));
    if (here == 0)
      return WalkResult::advance();
    products += here;
    if (products <= options.maxProducts)
      return WalkResult::advance();
    op->emitOpError() << "gives a thread its " << products
                      << "th product without an instruction of several "
                         "threads, expected at most "
                      << options.maxProducts;
    return WalkResult::interrupt();
  };
  return failure(scope->getRegion(0).walk(visit).wasInterrupted());
}

/// Fails, with an error, if the workgroup allocates memory that would become
/// private to each thread. Each role in `scope` is checked separately.
static LogicalResult checkAllocations(Operation *scope) {
  auto visit = [](Operation *op) {
    if (isa<RoleOp>(op))
      return WalkResult::skip();
    if (!isa<memref::AllocOp, memref::AllocaOp>(op))
      return WalkResult::advance();
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (type.getMemorySpace())
      return WalkResult::advance();
    op->emitOpError() << "would give every thread a buffer of its own, "
                         "expected one in shared memory, got "
                      << type;
    return WalkResult::interrupt();
  };
  return failure(
      scope->getRegion(0).walk<WalkOrder::PreOrder>(visit).wasInterrupted());
}

/// Moves vectors that `scope` uses from outside into it. A host has no vectors
/// to pass, but often shares constants with the kernel.
static LogicalResult sinkVectors(RewriterBase &rewriter, Operation *scope) {
  Region &region = scope->getRegion(0);
  llvm::DenseMap<Value, Value> inside;
  std::function<Value(Value)> sink = [&](Value value) -> Value {
    Value &known = inside[value];
    if (known)
      return known;
    Operation *op = value.getDefiningOp();
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands)
      if (isVector(operand))
        operand = sink(operand);
    // It goes after the last of its operands that is already inside.
    Operation *last = nullptr;
    for (Value operand : operands)
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == &region.front() &&
          (!last || last->isBeforeInBlock(producer)))
        last = producer;
    if (last)
      rewriter.setInsertionPointAfter(last);
    else
      rewriter.setInsertionPointToStart(&region.front());
    Operation *clone = rewriter.clone(*op);
    clone->setOperands(operands);
    return inside[value] =
               clone->getResult(cast<OpResult>(value).getResultNumber());
  };
  WalkResult walk = region.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isVector(value) || region.isAncestor(value.getParentRegion()))
        continue;
      Operation *producer = value.getDefiningOp();
      if (!producer || !(producer->hasTrait<OpTrait::ConstantLike>() ||
                         isRematerializable(value))) {
        op->emitOpError() << "takes a vector, " << value.getType()
                          << ", that is computed outside of its workgroup";
        return WalkResult::interrupt();
      }
      rewriter.modifyOpInPlace(op, [&] { operand.set(sink(value)); });
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Returns whether `op` has regions, or is a read under a mask, around which
/// threads branch.
static bool isOrBecomesBranch(Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return read.getMask() || read.hasOutOfBoundsDim();
  return op->getNumRegions() != 0 ||
         isa<vector::MaskedLoadOp, vector::GatherOp>(op);
}

/// Returns whether the program waits, after `await`, for products that were
/// started before its chains.
static bool hasEarlier(AwaitOp await) {
  return llvm::any_of(
      await.getInputs().front().getUsers(), [&](Operation *user) {
        auto earlier = dyn_cast<AwaitEarlierOp>(user);
        return earlier && llvm::equal(earlier.getInputs(), await.getInputs());
      });
}

/// Moves `await`, if it is in a loop, and what only computes with its results,
/// to their first other use or to a branch, after which no result may be open.
/// What does not need them then overlaps with the instructions: `shared_tile`
/// says that nobody writes what they read. A wait for a tile overlaps with
/// nothing, and the tile may still arrive while results are used.
static void sinkAwait(RewriterBase &rewriter, AwaitOp await) {
  if (!isa<LoopLikeOpInterface>(await->getParentOp()))
    return;
  auto *dialect = await->getContext()->getLoadedDialect<VectorExtDialect>();
  const TileCopies &copies = dialect->getTileCopies();
  llvm::SetVector<Operation *> moved;
  moved.insert(await);
  Operation *position = await->getNextNode();
  auto usesMoved = [&](Operation *op) {
    return llvm::any_of(moved, [&](Operation *earlier) {
      return llvm::any_of(earlier->getUsers(), [&](Operation *user) {
        return op->isAncestor(user);
      });
    });
  };
  for (; !position->hasTrait<OpTrait::IsTerminator>();
       position = position->getNextNode()) {
    if (isOrBecomesBranch(position) ||
        (copies.isWait && copies.isWait(position)))
      break;
    if (!usesMoved(position))
      continue;
    if (!isMemoryEffectFree(position))
      break;
    moved.insert(position);
  }
  for (Operation *op : moved)
    rewriter.moveOpBefore(op, position);
}

LogicalResult
mlir::vector_ext::distributeVectors(RewriterBase &rewriter, Operation *scope,
                                    const Workgroup &workgroup,
                                    const DistributionOptions &options) {
  // Everything is done on a copy.
  OwningOpRef<Operation *> copy(scope->clone());
  IRRewriter inner(scope->getContext());
  shareAllocations(inner, *copy);
  if (failed(checkAllocations(*copy)) || failed(sinkVectors(inner, *copy)) ||
      failed(anchorContractions(inner, *copy, workgroup)))
    return failure();
  LayoutAnalysis analysis(*copy, workgroup);
  if (failed(analysis.run()) || failed(analysis.materialize(inner)))
    return failure();
  if (options.remarks)
    emitRemarks(*copy, analysis);
  if (failed(checkSizes(*copy, analysis, options)))
    return failure();
  llvm::json::Object data;
  if (options.reportData)
    data = describeLayouts(*copy, analysis, workgroup);
  layout::SharedLayoutChoices own;
  Distributor distributor(inner, analysis, copy->getRegion(0), workgroup,
                          options.sharedLayouts ? *options.sharedLayouts : own);
  if (failed(distributor.run()))
    return failure();
  // In a role, slots are freed after awaits, or after awaits of earlier
  // products.
  for (AwaitOp await : distributor.getEarlyAwaits())
    if (!isa<RoleOp>(scope) || hasEarlier(await))
      sinkAwait(inner, await);
  rewriter.modifyOpInPlace(
      scope, [&] { scope->getRegion(0).takeBody(copy->getRegion(0)); });
  if (options.reportData) {
    describeExchanges(distributor.getExchanges(), data);
    emitLayouts(scope, options.functionName, std::move(data));
  }
  return success();
}

/// Returns the number of threads of the workgroups of `op`. Fails, with an
/// error, if it is unknown.
static FailureOr<int64_t> getNumThreads(Operation *op) {
  SmallVector<int64_t> sizes;
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    for (Value size : {launch.getBlockSizeX(), launch.getBlockSizeY(),
                       launch.getBlockSizeZ()})
      sizes.push_back(getConstantIntValue(size).value_or(-1));
  } else if (auto known = cast<gpu::GPUFuncOp>(op).getKnownBlockSize()) {
    sizes.assign(known->begin(), known->end());
  }
  if (sizes.size() != 3 || sizes[0] < 1 || sizes[1] != 1 || sizes[2] != 1)
    return op->emitOpError() << "expected a constant block size of one "
                                "dimension to distribute vectors";
  return sizes[0];
}

/// Gives each group of threads of `role` its own shared memory.
static void separateMemory(RewriterBase &rewriter, RoleOp role) {
  SmallVector<memref::AllocOp> allocs;
  role.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  if (allocs.empty())
    return;
  rewriter.setInsertionPointToStart(&role.getBody().front());
  Value group = RoleGroupOp::create(rewriter, role.getLoc());
  for (memref::AllocOp alloc : allocs) {
    Location loc = alloc.getLoc();
    MemRefType type = alloc.getType();
    int64_t alignment = alloc.getAlignment().value_or(16);
    int64_t bytes = llvm::alignTo(
        llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(),
                         8),
        alignment);
    rewriter.setInsertionPoint(alloc);
    auto all = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get({bytes * static_cast<int64_t>(*role.getGroups())},
                        rewriter.getI8Type(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace()),
        rewriter.getI64IntegerAttr(alignment));
    Value shift = rewriter.createOrFold<arith::MulIOp>(
        loc, group, arith::ConstantIndexOp::create(rewriter, loc, bytes));
    rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, type, all, shift,
                                                ValueRange());
  }
}

/// Distributes each role of `kernel` to its own threads. There must be no
/// vectors outside of roles or in a role of a single thread.
static LogicalResult distributeRoles(RewriterBase &rewriter, Operation *kernel,
                                     ArrayRef<RoleOp> roles,
                                     Workgroup workgroup,
                                     const DistributionOptions &options) {
  WalkResult walk = kernel->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (auto role = dyn_cast<RoleOp>(op); role && !role.getSingle())
      return WalkResult::skip();
    if (!hasVectors(op) || op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    op->emitOpError() << "computes with vectors, expected to be in a role of "
                         "several threads";
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted() || failed(checkAllocations(kernel)))
    return failure();
  for (RoleOp role : roles) {
    if (role.getSingle())
      continue;
    workgroup.numSubgroups = role.getGroupThreads() / workgroup.numLanes;
    workgroup.numTurns = 0;
    workgroup.takesTurnsForTiles = false;
    role.walk([&](TurnTakeOp take) {
      workgroup.numTurns = take.getGroups();
      auto loop = take->getParentOfType<scf::ForOp>();
      workgroup.takesTurnsForTiles |=
          loop && loop->getParentOfType<scf::ForOp>();
    });
    if (failed(distributeVectors(rewriter, role, workgroup, options)))
      return failure();
    dropSkips(rewriter, role);
    if (role.getGroups())
      separateMemory(rewriter, role);
  }
  return success();
}

LogicalResult
mlir::vector_ext::distributeKernel(RewriterBase &rewriter, Operation *kernel,
                                   Workgroup workgroup,
                                   const DistributionOptions &options) {
  FailureOr<int64_t> threads = getNumThreads(kernel);
  if (failed(threads))
    return failure();
  if (workgroup.numLanes < 1 || *threads % workgroup.numLanes != 0)
    return kernel->emitOpError()
           << "expected a block of a multiple of " << workgroup.numLanes
           << " threads, got " << *threads;
  workgroup.numSubgroups = *threads / workgroup.numLanes;
  StringRef name = VectorExtDialect::getBuffersAttrName();
  if (auto buffers = kernel->getAttrOfType<IntegerAttr>(name)) {
    workgroup.numBuffers = buffers.getInt();
    rewriter.modifyOpInPlace(kernel, [&] { kernel->removeAttr(name); });
  }
  SmallVector<RoleOp> roles;
  kernel->walk([&](RoleOp role) { roles.push_back(role); });
  if (!roles.empty()) {
    // If one role fails, the other roles stay unchanged.
    OwningOpRef<Operation *> copy(kernel->clone());
    SmallVector<RoleOp> copies;
    copy->walk([&](RoleOp role) { copies.push_back(role); });
    DistributionOptions ofCopy = options;
    if (auto function = kernel->getParentOfType<FunctionOpInterface>())
      ofCopy.functionName = function.getName();
    if (failed(distributeRoles(rewriter, *copy, copies, workgroup, ofCopy)))
      return failure();
    rewriter.modifyOpInPlace(
        kernel, [&] { kernel->getRegion(0).takeBody(copy->getRegion(0)); });
    return success();
  }
  return distributeVectors(rewriter, kernel, workgroup, options);
}
