//===- AsyncMma.cpp - Conversion of asynchronous products to wgmma --------===//
//
// The instructions become inline assembly whose accumulators are tied: an
// operand and the result are in the same register. So are those of the wait
// after the last instruction of a chain. LLVM then has no reason to copy a
// register while an instruction writes it, and cannot move users of a result
// before the wait. (nvvm.wgmma cannot have A in registers, and its wait has no
// tied operands.)
//
//===----------------------------------------------------------------------===//

#include "AsyncMma.h"
#include "mlir-ext/Dialect/VectorExt/IR/MmaChains.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedDescriptor.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using layout::WgmmaOperand;
using nvgpu_ext::AsyncGroups;

static const MmaIntrinsic &getIntrinsic(AsyncMmaOp op) {
  return *cast<VectorExtDialect>(op->getDialect())
              ->lookupIntrinsic(op.getIntrinsic());
}

/// Describes how wgmma reads the left operand, as (m, k), or the right one, as
/// (k, n).
static std::optional<WgmmaOperand> getOperand(AsyncMmaOp op, bool isLhs,
                                              std::string &reason) {
  const MmaIntrinsic &intrinsic = getIntrinsic(op);
  SharedAttr shared = isLhs ? *op.getLhsLayout() : op.getRhsLayout();
  std::optional<WgmmaOperand> operand =
      isLhs ? getWgmmaOperand(shared.getLayout(), /*mnDim=*/0, /*kDim=*/1,
                              intrinsic.m, &reason)
            : getWgmmaOperand(shared.getLayout(), /*mnDim=*/1, /*kDim=*/0,
                              intrinsic.n, &reason);
  if (operand && operand->kSize != intrinsic.k) {
    reason = "expected an instruction of " + std::to_string(operand->kSize) +
             " along k, got " + std::to_string(intrinsic.k);
    return std::nullopt;
  }
  return operand;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether control goes from the end of `block` to the start of `join`, and
/// from nowhere else, by blocks without products and loops: branches.
static bool isJoin(Block *block, Block *join) {
  // In order, so that there are no loops.
  llvm::SmallSetVector<Block *, 8> arms;
  arms.insert(block);
  auto isArm = [&](Block *arm) { return arms.contains(arm); };
  for (size_t i = 0; i < arms.size(); ++i) {
    if (arms[i]->getNumSuccessors() == 0)
      return false;
    for (Block *next : arms[i]->getSuccessors())
      if (next != join && llvm::all_of(next->getPredecessors(), isArm) &&
          llvm::none_of(*next, llvm::IsaPred<AsyncMmaOp, AwaitOp>))
        arms.insert(next);
  }
  return llvm::all_of(join->getPredecessors(), isArm) &&
         llvm::all_of(arms, [&](Block *arm) {
           return llvm::all_of(arm->getSuccessors(), [&](Block *next) {
             return next == join || (next != block && isArm(next));
           });
         });
}

/// Returns the uses of an open result, except for those that only wait for
/// earlier ones.
static SmallVector<OpOperand *> getUses(Value open) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : open.getUses())
    if (!isa<AwaitEarlierOp>(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

/// Returns whether `use` continues a chain of `intrinsic`, or ends it.
static bool isChainedOrAwaited(OpOperand &use, const MmaIntrinsic &intrinsic) {
  auto next = dyn_cast<AsyncMmaOp>(use.getOwner());
  return isa<AwaitOp>(use.getOwner()) ||
         (next &&
          areChained(intrinsic, getIntrinsic(next), next.getContext()) &&
          &use == &next.getAccMutable());
}

/// Returns whether `lhs` and `rhs`, uses of a block argument, may be a use in a
/// loop and one after it: they are in different blocks, or are operands for
/// different successors.
static bool areApart(OpOperand &lhs, OpOperand &rhs) {
  if (lhs.getOwner()->getBlock() != rhs.getOwner()->getBlock())
    return true;
  auto branch = dyn_cast<BranchOpInterface>(lhs.getOwner());
  if (!branch || lhs.getOwner() != rhs.getOwner())
    return false;
  auto getTarget = [&](OpOperand &use) -> Block * {
    auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
    return argument ? argument->getOwner() : nullptr;
  };
  return getTarget(lhs) != getTarget(rhs);
}

/// Returns whether `use` passes an open result on to blocks that continue its
/// chain or end it.
static bool isCarried(OpOperand &use, const MmaIntrinsic &intrinsic,
                      llvm::SmallPtrSetImpl<Value> &visited) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  std::optional<BlockArgument> argument =
      branch ? branch.getSuccessorBlockArgument(use.getOperandNumber())
             : std::nullopt;
  if (!argument)
    return false;
  if (!visited.insert(*argument).second)
    return true;
  SmallVector<OpOperand *> uses = getUses(*argument);
  return llvm::all_of(uses, [&](OpOperand *next) {
    return llvm::all_of(uses,
                        [&](OpOperand *other) {
                          return other == next || areApart(*next, *other);
                        }) &&
           (isChainedOrAwaited(*next, intrinsic) ||
            isCarried(*next, intrinsic, visited));
  });
}

/// Returns whether a loop carries the result of `op`.
static bool isCarried(AsyncMmaOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Checks rules R2 and R3 of the op.
static LogicalResult checkUse(AsyncMmaOp op) {
  SmallVector<OpOperand *> uses = getUses(op.getResult());
  if (uses.size() != 1)
    return op.emitOpError()
           << "expected one use of an open result, got " << uses.size();
  OpOperand &use = *uses.front();
  llvm::SmallPtrSet<Value, 4> visited;
  Block *of = use.getOwner()->getBlock();
  const MmaIntrinsic &intrinsic = getIntrinsic(op);
  if ((isChainedOrAwaited(use, intrinsic) && of == op->getBlock()) ||
      (isa<AwaitOp>(use.getOwner()) && isJoin(op->getBlock(), of)) ||
      isCarried(use, intrinsic, visited))
    return success();
  InFlightDiagnostic diag =
      op.emitOpError() << "expected an open result to be used in its block, by "
                          "'vector_ext.await' or as the accumulator of an "
                          "instruction of the same shape";
  diag.attachNote(use.getOwner()->getLoc()) << "got this use";
  return diag;
}

LogicalResult mlir::nvgpu_ext::checkAsyncMma(gpu::GPUModuleOp module) {
  StringRef chip = "sm_90a";
  if (ArrayAttr targets = module.getTargetsAttr())
    for (auto target : targets.getAsRange<Attribute>())
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
        chip = nvvm.getChip();
  WalkResult walk = module.walk([&](AsyncMmaOp op) -> WalkResult {
    if (!op.getIntrinsic().starts_with("wgmma."))
      return op.emitOpError() << "of '" << op.getIntrinsic()
                              << "' is not an instruction of this target";
    if (chip != "sm_90a")
      return op.emitOpError() << "of '" << op.getIntrinsic()
                              << "' expects the chip sm_90a, got " << chip;
    for (bool isLhs : {true, false}) {
      std::string reason;
      if ((!isLhs || op.getLhsLayout()) && !getOperand(op, isLhs, reason))
        return op.emitOpError()
               << "expected an arrangement of '" << (isLhs ? "lhs" : "rhs")
               << "' that the instruction reads: " << reason;
    }
    return checkUse(op);
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Returns whether another product is in the queue when `first` is issued, as
/// in a rotated loop. If none is, it is better to compute operands while the
/// first ones are multiplied (docs/Decisions/0053).
static bool isBehindProduct(AsyncMmaOp first) {
  for (Operation *op = first->getPrevNode(); op && !isa<AwaitOp>(op);
       op = op->getPrevNode())
    if (isa<AsyncMmaOp>(op))
      return true;
  return false;
}

/// Returns whether control can go from `block` back to it, but not through
/// `outer`.
static bool isInLoopWithout(Block *block, Block *outer) {
  llvm::SmallSetVector<Block *, 8> reached;
  reached.insert_range(block->getSuccessors());
  for (size_t i = 0; i < reached.size(); ++i)
    if (reached[i] != outer)
      reached.insert_range(reached[i]->getSuccessors());
  return reached.contains(block);
}

/// Returns whether `value`, of which `first` or a later instruction of its
/// chain reads registers, is there long before: it has been loaded, or does not
/// change in a loop around `first`. It takes no computation that could overlap
/// with instructions.
static bool isThere(Value value, AsyncMmaOp first) {
  Operation *op = value.getDefiningOp();
  if (op &&
      (isa<nvgpu::LdMatrixOp>(op) || op->hasTrait<OpTrait::ConstantLike>()))
    return true;
  Block *block = value.getParentBlock();
  if (block != first->getBlock() && isInLoopWithout(first->getBlock(), block))
    return true;
  return op && isa<vector::VectorDialect>(op->getDialect()) && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isThere(operand, first); });
}

/// Returns whether the left operands of all instructions of the chain that
/// begins with `first` are in registers, and there long before. The chain
/// starts from zero, or from what threads have computed in front of it, such as
/// a bias (docs/Decisions/0195). Those that go on with a sum were not measured.
static bool areOperandsThere(AsyncMmaOp first) {
  Operation *acc = first.getAcc().getDefiningOp();
  if (!acc || isa<AwaitOp>(acc) || !isPure(acc))
    return false;
  for (auto op = first; op; op = dyn_cast<AsyncMmaOp>(*op->user_begin()))
    if (op.getLhsLayout() || !isThere(op.getLhs(), first))
      return false;
  return true;
}

/// Moves the left operands of the chain that begins with `first` before it.
static void gatherOperands(RewriterBase &rewriter, AsyncMmaOp first,
                           DominanceInfo &dominance, AsyncGroups &groups) {
  for (auto op = dyn_cast<AsyncMmaOp>(*first->user_begin()); op;
       op = dyn_cast<AsyncMmaOp>(*op->user_begin())) {
    if (op.getLhsLayout() ||
        failed(moveValueDefinitions(rewriter, op.getLhs(), first, dominance)))
      continue;
    groups.operands[first].push_back(op.getLhs());
    groups.fenced.insert(op);
  }
}

AsyncGroups mlir::nvgpu_ext::getAsyncGroups(gpu::GPUModuleOp module) {
  AsyncGroups groups;
  // Returns null if an input comes from another block; then all groups are
  // awaited.
  auto getEnd = [](AwaitOp await) {
    Operation *end = nullptr;
    for (Value input : await.getInputs()) {
      auto op = input.getDefiningOp<AsyncMmaOp>();
      if (!op)
        return static_cast<Operation *>(nullptr);
      if (!end || end->isBeforeInBlock(op))
        end = op;
    }
    return end;
  };
  module.walk([&](AwaitOp await) {
    if (Operation *end = getEnd(await))
      groups.ends.insert(end);
  });
  module.walk([&](AsyncMmaOp op) {
    if (isCarried(op))
      groups.ends.insert(op);
  });
  auto countEnds = [&](Operation *first, Operation *behind) {
    int64_t count = 0;
    // A branch in between contains no products.
    for (Operation *op = first; op != behind;
         op = op->getNextNode() ? op->getNextNode()
                                : &behind->getBlock()->front())
      count += groups.ends.contains(op) ? 1 : 0;
    return count;
  };
  module.walk([&](AwaitOp await) {
    Operation *end = getEnd(await);
    groups.pending[await] = end ? countEnds(end->getNextNode(), await) : 0;
  });
  module.walk([&](AwaitEarlierOp await) {
    Operation *first = nullptr;
    for (Value input : await.getInputs()) {
      auto op = input.getDefiningOp<AsyncMmaOp>();
      while (auto before = op.getAcc().getDefiningOp<AsyncMmaOp>())
        op = before;
      if (!first || op->isBeforeInBlock(first))
        first = op;
    }
    groups.pending[await] = countEnds(first, await);
  });
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance(module);
  SmallVector<AsyncMmaOp> first;
  module.walk([&](AsyncMmaOp op) {
    if (!op.getAcc().getDefiningOp<AsyncMmaOp>())
      first.push_back(op);
  });
  for (AsyncMmaOp op : first)
    if (isBehindProduct(op) || areOperandsThere(op))
      gatherOperands(rewriter, op, dominance, groups);
  return groups;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static Value buildConstant(ImplicitLocOpBuilder &b, unsigned bits,
                           int64_t value) {
  return LLVM::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(bits), value));
}

/// Returns the elements of a vector.
static SmallVector<Value> unpack(ImplicitLocOpBuilder &b, Value vector) {
  SmallVector<Value> elements;
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < size; ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(b, vector, buildConstant(b, 32, i)));
  return elements;
}

/// Returns the registers of 32 bits of a vector.
static SmallVector<Value> unpackWords(ImplicitLocOpBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  auto words = VectorType::get(
      {type.getNumElements() * type.getElementTypeBitWidth() / 32},
      b.getI32Type());
  return unpack(b, LLVM::BitcastOp::create(b, words, vector));
}

static Value pack(ImplicitLocOpBuilder &b, VectorType type,
                  ArrayRef<Value> elements) {
  Value vector = LLVM::PoisonOp::create(b, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(b, vector, element,
                                           buildConstant(b, 32, i));
  return vector;
}

/// Builds inline assembly whose results have `types` and are in the registers
/// $0, $1, ... If `tied` is not empty, these registers have its values before.
/// `inputs` follow, with their constraints.
static SmallVector<Value>
buildAsm(ImplicitLocOpBuilder &b, StringRef text, ArrayRef<Type> types,
         ArrayRef<Value> tied,
         ArrayRef<std::pair<Value, StringRef>> inputs = {}) {
  SmallVector<std::string> constraints;
  for (Type type : types)
    constraints.push_back(isa<FloatType>(type) ? "=f" : "=r");
  SmallVector<Value> operands(tied);
  for (size_t i = 0; i < tied.size(); ++i)
    constraints.push_back(std::to_string(i));
  for (auto [value, constraint] : inputs) {
    operands.push_back(value);
    constraints.push_back(constraint.str());
  }
  constraints.push_back("~{memory}");
  Type result = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value outputs =
      LLVM::InlineAsmOp::create(
          b, result, operands, text, llvm::join(constraints, ","),
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr())
          .getResult(0);
  SmallVector<Value> values;
  for (size_t i = 0; i < types.size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(b, outputs, i));
  return values;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Builds the descriptor of the part that starts at `coordinate` of a tile in
/// the memory at `pointer`. Summands that depend only on constants are added
/// last, so that the instructions of a chain share the other ones.
static Value buildDescriptor(ImplicitLocOpBuilder &b, Value pointer,
                             ValueRange coordinate, const SharedLayout &shared,
                             const WgmmaOperand &operand) {
  Type i32 = b.getI32Type();
  Value start = LLVM::PtrToIntOp::create(b, i32, pointer);
  int64_t known = 0;
  // This computes SharedLayout::getLinearByteOffset. The hardware swizzles the
  // addresses that it computes.
  auto add = [&](Value value, int64_t factor) {
    start = LLVM::AddOp::create(
        b, start, LLVM::MulOp::create(b, value, buildConstant(b, 32, factor)));
  };
  auto getIndex = [&](Value index) -> Value {
    return index.getType() == i32 ? index
                                  : LLVM::TruncOp::create(b, i32, index);
  };
  Value row = coordinate[shared.getOrder()[0]],
        column = coordinate[shared.getOrder()[1]];
  APInt constant;
  if (matchPattern(row, m_ConstantInt(&constant)))
    known += constant.getSExtValue() * shared.getRowStride();
  else
    add(getIndex(row), shared.getRowStride());
  if (matchPattern(column, m_ConstantInt(&constant))) {
    int64_t value = constant.getSExtValue();
    known += value / shared.getPanelColumns() * shared.getPanelStride() +
             value % shared.getPanelColumns() * shared.getElementBytes();
  } else {
    Value index = getIndex(column),
          width = buildConstant(b, 32, shared.getPanelColumns());
    add(LLVM::UDivOp::create(b, index, width), shared.getPanelStride());
    add(LLVM::URemOp::create(b, index, width), shared.getElementBytes());
  }
  // The field has 14 bits of an address in units of 16 bytes. Shared memory is
  // no larger, so the sum does not carry into other fields.
  Value field = LLVM::AndOp::create(
      b, LLVM::LShrOp::create(b, start, buildConstant(b, 32, 4)),
      buildConstant(b, 32, 0x3FFF));
  Value descriptor = LLVM::OrOp::create(
      b, LLVM::ZExtOp::create(b, b.getI64Type(), field),
      buildConstant(b, 64, static_cast<int64_t>(operand.getDescriptor(0))));
  if (known == 0)
    return descriptor;
  return LLVM::AddOp::create(b, descriptor, buildConstant(b, 64, known / 16));
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Returns the shape and the types of an instruction in PTX, such as
/// "m64n128k16.f32.f16.f16" for "wgmma.m64n128k16.f32.f16". Types of 8 bits may
/// differ, and the name has both.
static std::string getShapeAndTypes(StringRef name) {
  StringRef rest = name.drop_front(StringRef("wgmma.").size());
  if (rest.count('.') == 3)
    return rest.str();
  return (rest + "." + rest.rsplit('.').second).str();
}

/// Returns the assembly of `op`, which has `size` results and `numTied`
/// registers with previous values. Its other operands are A and B. With `left`,
/// A is in shared memory. Otherwise it is in registers, to which an earlier
/// fence may apply. If `op` is the last one of a group, the assembly commits
/// the group.
static std::string getText(AsyncMmaOp op, int64_t size, int64_t numTied,
                           const std::optional<WgmmaOperand> &left,
                           const WgmmaOperand &right, bool isFenced,
                           bool isLast) {
  auto list = [](int64_t first, int64_t count) {
    auto names =
        llvm::map_range(llvm::seq(first, first + count),
                        [](int64_t i) { return "$" + std::to_string(i); });
    return "{" + llvm::join(names, ", ") + "}";
  };
  int64_t next = size + numTied;
  const MmaIntrinsic &intrinsic = getIntrinsic(op);
  int64_t bits = intrinsic.rhsType(op.getContext()).getIntOrFloatBitWidth();
  int64_t numLeft = left ? 1 : intrinsic.lhs.getNumRegisters() * bits / 32;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n.reg .pred p;\n";
  // A fence is needed if registers of the accumulator or of A have been written
  // before.
  if (!op.getAcc().getDefiningOp<AsyncMmaOp>() || (!left && !isFenced))
    os << "wgmma.fence.sync.aligned;\n";
  os << "setp.ne.b32 p, " << (numTied == 0 ? 0 : 1)
     << ", 0;\nwgmma.mma_async.sync.aligned."
     << getShapeAndTypes(op.getIntrinsic()) << " " << list(0, size) << ", ";
  if (left)
    os << "$" << next;
  else
    os << list(next, numLeft);
  os << ", $" << next + numLeft << ", p";
  // For integers the instruction has no operands for signs.
  if (isa<FloatType>(intrinsic.accType(op.getContext())))
    os << ", 1, 1";
  // Only 16-bit elements can be transposed.
  if (bits == 16 && left)
    os << ", " << (left->isKMajor ? 0 : 1);
  if (bits == 16)
    os << ", " << (right.isKMajor ? 0 : 1);
  os << ";\n";
  if (isLast)
    os << "wgmma.commit_group.sync.aligned;\n";
  os << "}";
  return text;
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

namespace {
struct AsyncMmaToNVVM : public ConvertOpToLLVMPattern<AsyncMmaOp> {
  AsyncMmaToNVVM(const LLVMTypeConverter &converter, const AsyncGroups &groups)
      : ConvertOpToLLVMPattern(converter), groups(groups) {}

  LogicalResult
  matchAndRewrite(AsyncMmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    std::string reason;
    bool isLhsShared = op.getLhsLayout().has_value();
    std::optional<WgmmaOperand> left, right = getOperand(op, false, reason);
    if (isLhsShared)
      left = getOperand(op, true, reason);
    if (!right || (isLhsShared && !left))
      return rewriter.notifyMatchFailure(op, reason);
    auto getDescriptor = [&](Value memory, Value converted, ValueRange at,
                             SharedAttr shared, const WgmmaOperand &operand) {
      Value pointer = getStridedElementPtr(
          rewriter, op.getLoc(), cast<MemRefType>(memory.getType()), converted,
          {createIndexAttrConstant(rewriter, op.getLoc(),
                                   getTypeConverter()->getIndexType(), 0)});
      return buildDescriptor(b, pointer, at, shared.getLayout(), operand);
    };

    // The operands are the accumulators, A and B.
    auto type = cast<VectorType>(op.getType());
    bool startsFromZero = isZero(op.getAcc()) || isZero(adaptor.getAcc());
    SmallVector<Value> sums;
    if (!startsFromZero)
      sums = unpack(b, adaptor.getAcc());
    SmallVector<std::pair<Value, StringRef>> inputs;
    if (isLhsShared) {
      inputs.emplace_back(getDescriptor(op.getLhs(), adaptor.getLhs(),
                                        adaptor.getLhsIndices(),
                                        *op.getLhsLayout(), *left),
                          "l");
    } else {
      for (Value word : unpackWords(b, adaptor.getLhs()))
        inputs.emplace_back(word, "r");
    }
    // The values to which its fence applies are computed before it.
    SmallVector<Value> later;
    if (auto it = groups.operands.find(op); it != groups.operands.end())
      if (failed(rewriter.getRemappedValues(it->second, later)))
        return rewriter.notifyMatchFailure(op, "operands are not converted");
    inputs.emplace_back(getDescriptor(op.getRhs(), adaptor.getRhs(),
                                      adaptor.getRhsIndices(),
                                      op.getRhsLayout(), *right),
                        "l");

    for (Value operand : later)
      for (Value word : unpackWords(b, operand))
        inputs.emplace_back(word, "r");

    int64_t size = type.getNumElements();
    std::string text =
        getText(op, size, sums.size(), left, *right, groups.fenced.contains(op),
                groups.ends.contains(op));
    SmallVector<Type> types(size, type.getElementType());
    rewriter.replaceOp(op,
                       pack(b, type, buildAsm(b, text, types, sums, inputs)));
    return success();
  }

private:
  const AsyncGroups &groups;
};

struct AwaitToNVVM : public ConvertOpToLLVMPattern<AwaitOp> {
  AwaitToNVVM(const LLVMTypeConverter &converter, const AsyncGroups &groups)
      : ConvertOpToLLVMPattern(converter), groups(groups) {}

  LogicalResult
  matchAndRewrite(AwaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> open;
    SmallVector<Type> types;
    for (Value input : adaptor.getInputs()) {
      llvm::append_range(open, unpack(b, input));
      types.resize(open.size(),
                   cast<VectorType>(input.getType()).getElementType());
    }
    std::string text = "wgmma.wait_group.sync.aligned " +
                       std::to_string(groups.pending.lookup(op)) + ";";
    SmallVector<Value> values = buildAsm(b, text, types, open);
    SmallVector<Value> results;
    ArrayRef<Value> rest(values);
    for (Type type : op.getResultTypes()) {
      auto vector = cast<VectorType>(type);
      results.push_back(
          pack(b, vector, rest.take_front(vector.getNumElements())));
      rest = rest.drop_front(vector.getNumElements());
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  const AsyncGroups &groups;
};

struct AwaitEarlierToNVVM : public ConvertOpToLLVMPattern<AwaitEarlierOp> {
  AwaitEarlierToNVVM(const LLVMTypeConverter &converter,
                     const AsyncGroups &groups)
      : ConvertOpToLLVMPattern(converter), groups(groups) {}

  // No register is an operand, because the open registers must not be touched.
  LogicalResult
  matchAndRewrite(AwaitEarlierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::string text = "wgmma.wait_group.sync.aligned " +
                       std::to_string(groups.pending.lookup(op)) + ";";
    LLVM::InlineAsmOp::create(
        rewriter, op.getLoc(), /*resultTypes=*/TypeRange(),
        /*operands=*/ValueRange(), text, "~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                  LLVM::AsmDialect::AD_ATT),
        /*operand_attrs=*/ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }

private:
  const AsyncGroups &groups;
};
} // namespace

void mlir::nvgpu_ext::populateAsyncMmaToNVVMPatterns(
    const LLVMTypeConverter &converter, const AsyncGroups &groups,
    RewritePatternSet &patterns) {
  patterns.add<AsyncMmaToNVVM, AwaitToNVVM, AwaitEarlierToNVVM>(converter,
                                                                groups);
}
