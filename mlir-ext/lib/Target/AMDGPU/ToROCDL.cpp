//===- ToROCDL.cpp - Conversion of kernels to ROCDL -----------------------===//
//
// Upstream's convert-gpu-to-rocdl leaves ops behind without an error, and calls
// ROCm's device library. This conversion runs the same patterns with those that all
// vendors share (Target/GPU/ConvertToLLVM.h).
//
//   1. Rewrite ops that the conversion does not support within their dialects.
//   2. Convert all ops to LLVM and ROCDL.
//   3. Report an error at an op that remains, or that calls a library.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/NegativeStrides.h"
#include "mlir-ext/Target/AMDGPU/Chips.h"
#include "mlir-ext/Target/AMDGPU/Transforms.h"
#include "mlir-ext/Target/GPU/ConvertToLLVM.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/GPUToROCDL/Runtimes.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The benefit of this project's patterns, which are tried before upstream's.
static constexpr unsigned ownBenefit = 20;

namespace {
/// Lowers a shuffle by xor with a constant below 32 to ds_swizzle_b32, which
/// has the constant in the instruction. Such a shuffle stays within 32 lanes.
struct ShuffleToSwizzle : public OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    constexpr int64_t kSwizzled = 32;
    std::optional<int64_t> offset = getConstantIntValue(op.getOffset()),
                           width = getConstantIntValue(op.getWidth());
    if (op.getMode() != gpu::ShuffleMode::XOR || !offset || !width ||
        *width < kSwizzled || *offset < 0 || *offset >= kSwizzled)
      return rewriter.notifyMatchFailure(
          op, "expected an xor with a constant below 32");
    Value result = amdgpu::SwizzleBitModeOp::create(
        rewriter, op.getLoc(), op.getValue().getType(), op.getValue(),
        /*and_mask=*/kSwizzled - 1, /*or_mask=*/0, /*xor_mask=*/*offset);
    Value valid =
        arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, /*width=*/1);
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

/// Lowers a shuffle by xor with 16 to v_permlanex16_b32, which only RDNA has
/// and which does not go through LDS. Each lane gets the value of the same lane
/// in the other half.
struct ShuffleToPermlane : public OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> offset = getConstantIntValue(op.getOffset()),
                           width = getConstantIntValue(op.getWidth());
    Type type = op.getValue().getType();
    if (op.getMode() != gpu::ShuffleMode::XOR || offset != 16 || width != 32 ||
        !type.isIntOrFloat() || type.getIntOrFloatBitWidth() != 32)
      return rewriter.notifyMatchFailure(
          op, "expected an xor of 32 bits with 16, in 32 lanes");
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value value = op.getValue();
    if (type != i32)
      value = arith::BitcastOp::create(rewriter, loc, i32, value);
    // For each lane of a half, 4 bits give the lane that it reads: lanes 0 to
    // 7, then 8 to 15.
    Value low = arith::ConstantIntOp::create(rewriter, loc, 0x76543210, 32);
    Value high = arith::ConstantOp::create(
        rewriter, loc, rewriter.getI32IntegerAttr(int32_t(0xfedcba98)));
    Value result = ROCDL::PermlaneX16Op::create(
        rewriter, loc, i32, value, value, low, high, /*fi=*/true,
        /*boundControl=*/false);
    if (type != i32)
      result = arith::BitcastOp::create(rewriter, loc, type, result);
    Value valid = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

/// Reads the size of the grid or of workgroups, which are hidden arguments of
/// kernels: three numbers of workgroups with 32 bits, and three numbers of
/// threads with 16 bits (AMDGPU's "Code Object V5 Kernel Argument Metadata").
template <typename OpTy, unsigned offset, unsigned bits>
struct ReadHiddenArgument : public ConvertOpToLLVMPattern<OpTy> {
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // Address space 4 is constant memory.
    auto pointerType = LLVM::LLVMPointerType::get(op.getContext(), 4);
    Value arguments =
        LLVM::CallIntrinsicOp::create(
            rewriter, loc, pointerType,
            rewriter.getStringAttr("llvm.amdgcn.implicitarg.ptr"), ValueRange())
            .getResult(0);
    auto dim = static_cast<int32_t>(op.getDimension());
    Value address = LLVM::GEPOp::create(
        rewriter, loc, pointerType, rewriter.getI8Type(), arguments,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset + dim * bits / 8)});
    Value size = LLVM::LoadOp::create(
        rewriter, loc, rewriter.getIntegerType(bits), address, bits / 8,
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
    Type type = this->getTypeConverter()->convertType(op.getType());
    if (type != size.getType())
      size = LLVM::ZExtOp::create(rewriter, loc, type, size);
    rewriter.replaceOp(op, size);
    return success();
  }
};

struct DropPrefetch : public ConvertOpToLLVMPattern<memref::PrefetchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::PrefetchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

static void populateConversions(LLVMTypeConverter &converter,
                                RewritePatternSet &patterns,
                                amdgpu::Chipset chipset) {
  RewritePatternSet gpuPatterns(patterns.getContext());
  populateGpuToROCDLConversionPatterns(converter, gpuPatterns,
                                       gpu::amd::Runtime::Unknown, chipset);
  addWithoutMath(std::move(gpuPatterns), patterns);
  populateAMDGPUToROCDLConversionPatterns(converter, patterns, chipset);
  populateCommonToLLVMPatterns(converter, patterns);
  patterns.add<ReadHiddenArgument<gpu::GridDimOp, 0, 32>,
               ReadHiddenArgument<gpu::BlockDimOp, 12, 16>, DropPrefetch>(
      converter, ownBenefit);
}

/// Returns whether `value` is the same for all threads of a workgroup: it is a
/// number of the launch or of the workgroup, or is computed from such numbers
/// alone.
static bool isUniform(Value value, llvm::DenseMap<Value, bool> &known) {
  auto [it, isNew] = known.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool result = false;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = argument.getOwner()->isEntryBlock() &&
             isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  } else {
    Operation *op = value.getDefiningOp();
    result = isa<gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp>(op) ||
             (op->getNumRegions() == 0 && op->getNumResults() == 1 &&
              isa<arith::ArithDialect, memref::MemRefDialect>(
                  op->getDialect()) &&
              isMemoryEffectFree(op) &&
              llvm::all_of(op->getOperands(), [&](Value operand) {
                return isUniform(operand, known);
              }));
  }
  return known[value] = result;
}

/// Puts quotients and remainders that all threads share into scalar registers.
/// A vector unit computes their reciprocals, so LLVM would keep all values that
/// depend on them in vector registers. Where such a value is a buffer
/// descriptor, LLVM would build a loop over the lanes.
static void makeQuotientsUniform(gpu::GPUModuleOp module) {
  llvm::DenseMap<Value, bool> known;
  SmallVector<Operation *> quotients;
  module.walk([&](Operation *op) {
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op) &&
        (op->getResult(0).getType().isIndex() ||
         op->getResult(0).getType().isInteger(64)) &&
        !matchPattern(op->getOperand(1), m_Constant()) &&
        isUniform(op->getResult(0), known))
      quotients.push_back(op);
  });
  for (Operation *op : quotients) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Location loc = op->getLoc();
    Value result = op->getResult(0), wide = result;
    Type i32 = b.getI32Type(), i64 = b.getI64Type();
    if (result.getType().isIndex())
      wide = arith::IndexCastOp::create(b, loc, i64, result);
    Operation *first = wide == result ? nullptr : wide.getDefiningOp();
    Value shift = arith::ConstantIntOp::create(b, loc, 32, 64);
    Value low = arith::TruncIOp::create(b, loc, i32, wide);
    Operation *lowUser = low.getDefiningOp();
    Value high = arith::ShRUIOp::create(b, loc, wide, shift);
    Operation *highUser = high.getDefiningOp();
    high = arith::TruncIOp::create(b, loc, i32, high);
    low = ROCDL::ReadfirstlaneOp::create(b, loc, i32, low);
    high = ROCDL::ReadfirstlaneOp::create(b, loc, i32, high);
    low = arith::ExtUIOp::create(b, loc, i64, low);
    high = arith::ExtUIOp::create(b, loc, i64, high);
    high = arith::ShLIOp::create(b, loc, high, shift);
    Value both = arith::OrIOp::create(b, loc, low, high);
    if (result.getType().isIndex())
      both = arith::IndexCastOp::create(b, loc, result.getType(), both);
    result.replaceUsesWithIf(both, [&](OpOperand &use) {
      return use.getOwner() != first && use.getOwner() != lowUser &&
             use.getOwner() != highUser;
    });
  }
}

/// Returns the argument of the kernel that `memory` is a view of, or null.
static Value getArgument(Value memory) {
  memory = getViewedBuffer(memory);
  auto argument = dyn_cast<BlockArgument>(memory);
  return argument && argument.getOwner()->isEntryBlock() ? memory : Value();
}

/// Returns whether a thread of `kernel` may read from global memory what
/// another one has written there, or write what another one reads.
static bool mayCommunicateInGlobalMemory(gpu::GPUFuncOp kernel) {
  llvm::SmallDenseSet<Value> read, written;
  WalkResult walk = kernel.walk([&](Operation *op) {
    // Intrinsics on values do not state that they access no memory.
    bool takesMemory = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return isa<BaseMemRefType, LLVM::LLVMPointerType>(type);
    });
    if (op == kernel || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        op->hasTrait<OpTrait::IsTerminator>() || isa<memref::PrefetchOp>(op) ||
        (!takesMemory && !isa<CallOpInterface>(op)))
      return WalkResult::advance();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    if (!effects)
      return isMemoryEffectFree(op) ? WalkResult::advance()
                                    : WalkResult::interrupt();
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      Value memory = effect.getValue();
      auto type = memory ? dyn_cast<MemRefType>(memory.getType()) : MemRefType();
      if (type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
        continue;
      Value argument = type ? getArgument(memory) : Value();
      if (!argument)
        return WalkResult::interrupt();
      (isa<MemoryEffects::Read>(effect.getEffect()) ? read : written)
          .insert(argument);
    }
    return WalkResult::advance();
  });
  return walk.wasInterrupted() || llvm::any_of(written, [&](Value argument) {
           unsigned number = cast<BlockArgument>(argument).getArgNumber();
           bool isAlone = bool(kernel.getArgAttr(
               number, LLVM::LLVMDialect::getNoAliasAttrName()));
           return read.contains(argument) || (!isAlone && !read.empty());
         });
}

/// If threads share only LDS, makes the barriers of kernels wait for accesses
/// to LDS alone, so that loads of later tiles go on. No instruction is
/// scheduled across such a barrier, so an op that uses a later tile does not
/// wait for it early.
static void relaxBarriers(gpu::GPUModuleOp module) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    if (mayCommunicateInGlobalMemory(kernel))
      continue;
    SmallVector<gpu::BarrierOp> barriers;
    kernel.walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
    for (gpu::BarrierOp barrier : barriers) {
      OpBuilder b(barrier);
      ROCDL::SchedBarrier::create(b, barrier.getLoc(), /*mask=*/0);
      amdgpu::LDSBarrierOp::create(b, barrier.getLoc());
      barrier.erase();
    }
  }
}

/// States how many threads a workgroup of each kernel has, so that LLVM gives
/// the threads all registers there are.
static void setFlatWorkgroupSizes(gpu::GPUModuleOp module) {
  auto *dialect = module.getContext()->getLoadedDialect<ROCDL::ROCDLDialect>();
  auto required = dialect->getReqdWorkGroupSizeAttrHelper();
  auto flat = dialect->getFlatWorkGroupSizeAttrHelper();
  module.walk([&](LLVM::LLVMFuncOp function) {
    if (!required.isAttrPresent(function))
      return;
    int64_t threads = 1;
    for (int32_t size : required.getAttr(function).asArrayRef())
      threads *= size;
    flat.setAttr(function,
                 StringAttr::get(module.getContext(),
                                 Twine(threads) + "," + Twine(threads)));
  });
}

/// The number of comparison results that LLVM's default schedule may keep at a
/// time. Each of them takes two of the 102 SGPRs.
static constexpr int64_t kMaxComparisons = 48;

/// Lets LLVM schedule kernels for short lifetimes if they copy by lanes and
/// select many elements by comparisons, as masks of attention do. Blocks of
/// rows share comparisons, and the descriptors of copies need SGPRs, too. The
/// default schedule computes all comparisons first, and spills.
static void setSchedules(gpu::GPUModuleOp module) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    llvm::SmallDenseSet<Value> conditions;
    bool copies = false;
    kernel.walk([&](Operation *op) {
      copies |= isa<amdgpu::GatherToLDSOp>(op);
      auto select = dyn_cast<arith::SelectOp>(op);
      if (select && isa<FloatType>(getElementTypeOrSelf(select.getType())))
        conditions.insert(select.getCondition());
    });
    int64_t comparisons = 0;
    for (Value condition : conditions) {
      auto type = dyn_cast<VectorType>(condition.getType());
      comparisons += type ? type.getNumElements() : 1;
    }
    if (!copies || comparisons <= kMaxComparisons)
      continue;
    Builder b(module.getContext());
    kernel->setAttr("passthrough",
                    b.getArrayAttr(b.getStrArrayAttr(
                        {"amdgpu-sched-strategy", "iterative-ilp"})));
  }
}

ROCDL::ROCDLTargetAttr mlir::amdgpu_ext::getROCDLTarget(gpu::GPUModuleOp module) {
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute target : targets)
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        return rocdl;
  return {};
}

LogicalResult mlir::amdgpu_ext::convertToROCDL(gpu::GPUModuleOp module,
                                               ROCDL::ROCDLTargetAttr rocdl,
                                               unsigned indexBitwidth) {
  const AMDChip *chip = lookupAMDChip(rocdl.getChip());
  if (!chip)
    return module.emitError("unknown chip: ")
           << explainUnknownAMDChip(rocdl.getChip());
  if (failed(prepareForLLVM(module, chip->target.lanes)))
    return failure();
  MLIRContext *context = module.getContext();
  RewritePatternSet shuffles(context);
  if (chip->target.lanes == 32)
    shuffles.add<ShuffleToPermlane>(context, /*benefit=*/2);
  shuffles.add<ShuffleToSwizzle>(context);
  walkAndApplyPatterns(module, std::move(shuffles));
  makeQuotientsUniform(module);
  relaxBarriers(module);
  setSchedules(module);

  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  options.overrideIndexBitwidth(indexBitwidth);
  LLVMTypeConverter converter(context, options);
  amdgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  RewritePatternSet patterns(context);
  populateConversions(converter, patterns,
                      *amdgpu::Chipset::parse(rocdl.getChip()));
  LLVMConversionTarget target(*context);
  target.addLegalDialect<ROCDL::ROCDLDialect>();
  target.addIllegalDialect<gpu::GPUDialect, amdgpu::AMDGPUDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(applyPartialConversion(module, target, std::move(patterns))) ||
      failed(checkConverted(module, ROCDL::ROCDLDialect::getDialectNamespace(),
                            "ROCDL", /*callable=*/{})))
    return failure();
  allowNegativeStrides(module);
  setFlatWorkgroupSizes(module);
  return success();
}
