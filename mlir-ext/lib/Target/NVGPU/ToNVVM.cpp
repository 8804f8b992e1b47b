//===- ToNVVM.cpp - Conversion of kernels to NVVM -------------------------===//
//
// Upstream has one conversion for each dialect, with different type conversions
// for index and for memory spaces. This pass runs the patterns of all of them
// together, and adds patterns for ops that upstream does not support.
//
//   1. Rewrite ops that the conversion does not support within their dialects.
//   2. Declare the block of dynamic shared memory.
//   3. Convert all ops to LLVM and NVVM.
//   4. Report an error at an op that remains, or that calls a library.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPUTONVVMPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Of our patterns, which go before upstream's.
static constexpr unsigned ownBenefit = 20;
/// Where the block of shared memory starts: what swizzled TMA boxes take.
static constexpr int64_t sharedAlignment = 1024;
static constexpr unsigned warpSize = 32;
/// What a shuffle moves.
static constexpr unsigned wordBits = 32;
static constexpr StringLiteral sharedName = "linalg_ext_workgroup_memory";

//===----------------------------------------------------------------------===//
// Shuffles, in words of 32 bits
//===----------------------------------------------------------------------===//

namespace {
/// Takes the bits of any number or vector of numbers apart into i32, shuffles
/// these, and puts them together again.
struct ShuffleInWords : public OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Value value = op.getValue();
    Type type = value.getType();
    if (type.isF32() || type.isInteger(32))
      return rewriter.notifyMatchFailure(op, "is one word");
    auto vector = dyn_cast<VectorType>(type);
    Type element = getElementTypeOrSelf(type);
    if ((vector && (vector.getRank() != 1 || vector.isScalable())) ||
        !element.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "not of bits");
    int64_t bits = (vector ? vector.getNumElements() : 1) *
                   element.getIntOrFloatBitWidth();
    int64_t words = llvm::divideCeil(bits, 32);

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type i32 = b.getI32Type(), flat = b.getIntegerType(bits);
    auto wordsType = VectorType::get({words}, i32);
    Value asWords;
    if (bits % 32 == 0) {
      Value asVector = vector ? value
                              : vector::BroadcastOp::create(
                                    b, VectorType::get({1}, type), value)
                                    .getResult();
      asWords = vector::BitCastOp::create(b, wordsType, asVector);
    } else {
      Value integer =
          vector ? bitcastToInteger(b, value, flat) : toInteger(b, value, flat);
      integer =
          arith::ExtUIOp::create(b, b.getIntegerType(32 * words), integer);
      asWords = vector::BitCastOp::create(
          b, wordsType,
          vector::BroadcastOp::create(
              b, VectorType::get({1}, integer.getType()), integer));
    }
    Value result = asWords, valid;
    for (int64_t i = 0; i < words; ++i) {
      Value word = vector::ExtractOp::create(b, asWords, i);
      auto shuffle = gpu::ShuffleOp::create(b, word, op.getOffset(),
                                            op.getWidth(), op.getMode());
      result =
          vector::InsertOp::create(b, shuffle.getShuffleResult(), result, i);
      valid = shuffle.getValid();
    }
    rewriter.replaceOp(op, {fromWords(b, result, type, bits), valid});
    return success();
  }

private:
  static Value toInteger(ImplicitLocOpBuilder &b, Value value, Type flat) {
    if (isa<IntegerType>(value.getType()))
      return value;
    return arith::BitcastOp::create(b, flat, value);
  }

  static Value bitcastToInteger(ImplicitLocOpBuilder &b, Value value,
                                Type flat) {
    Value single =
        vector::BitCastOp::create(b, VectorType::get({1}, flat), value);
    return vector::ExtractOp::create(b, single, 0);
  }

  static Value fromWords(ImplicitLocOpBuilder &b, Value words, Type type,
                         int64_t bits) {
    auto vector = dyn_cast<VectorType>(type);
    if (bits % 32 == 0) {
      auto target = vector ? vector : VectorType::get({1}, type);
      Value result = vector::BitCastOp::create(b, target, words);
      return vector ? result : vector::ExtractOp::create(b, result, 0);
    }
    int64_t padded = llvm::alignTo(bits, 32);
    Value integer = vector::ExtractOp::create(
        b,
        vector::BitCastOp::create(
            b, VectorType::get({1}, b.getIntegerType(padded)), words),
        0);
    Type flat = b.getIntegerType(bits);
    integer = arith::TruncIOp::create(b, flat, integer);
    if (!vector)
      return type == flat ? integer
                          : arith::BitcastOp::create(b, type, integer);
    Value single =
        vector::BroadcastOp::create(b, VectorType::get({1}, flat), integer);
    return vector::BitCastOp::create(b, vector, single);
  }
};

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

/// nvgpu.mma.sync on bf16: operands are i32 with two elements each, and the
/// accumulator is f32. Upstream's pattern knows no bf16.
struct MmaSyncBF16 : public ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getMatrixA().getType().getElementType().isBF16())
      return rewriter.notifyMatchFailure(op, "not bf16");
    VectorType resultType = op.getMatrixC().getType();
    if (!resultType.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "accumulator is not f32");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type i32 = b.getI32Type(), f32 = b.getF32Type();
    // Rows of two elements.
    auto getWords = [&](Value operand) {
      SmallVector<Value> words;
      auto array = cast<LLVM::LLVMArrayType>(operand.getType());
      for (unsigned i = 0; i < array.getNumElements(); ++i)
        words.push_back(LLVM::BitcastOp::create(
            b, i32, LLVM::ExtractValueOp::create(b, operand, i)));
      return words;
    };
    SmallVector<Value> accumulator;
    int64_t rows = resultType.getDimSize(0), columns = resultType.getDimSize(1);
    for (int64_t i = 0; i < rows; ++i) {
      Value row = LLVM::ExtractValueOp::create(b, adaptor.getMatrixC(), i);
      for (int64_t j = 0; j < columns; ++j)
        accumulator.push_back(LLVM::ExtractElementOp::create(
            b, row, LLVM::ConstantOp::create(b, i32, j)));
    }
    auto structType = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(accumulator.size(), f32));
    Value product = NVVM::MmaOp::create(
        b, structType, getWords(adaptor.getMatrixA()),
        getWords(adaptor.getMatrixB()), accumulator, op.getMmaShapeAsArray(),
        /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::bf16,
                                      NVVM::MMATypes::bf16},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    Value result =
        LLVM::PoisonOp::create(b, getTypeConverter()->convertType(resultType));
    for (int64_t i = 0; i < rows; ++i) {
      Value row = LLVM::PoisonOp::create(b, VectorType::get({columns}, f32));
      for (int64_t j = 0; j < columns; ++j)
        row = LLVM::InsertElementOp::create(
            b, row, LLVM::ExtractValueOp::create(b, product, i * columns + j),
            LLVM::ConstantOp::create(b, i32, j));
      result = LLVM::InsertValueOp::create(b, result, row, i);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A prefetch into the cache that all processors share; LLVM's own intrinsic
/// has no code for this target.
struct Prefetch : public ConvertOpToLLVMPattern<memref::PrefetchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::PrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer =
        getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                             adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOpWithNewOp<NVVM::PrefetchOp>(
        op,
        NVVM::PrefetchCacheLevelAttr::get(op.getContext(),
                                          NVVM::PrefetchCacheLevel::L2),
        /*evictPriority=*/NVVM::CacheEvictionPriorityAttr(), pointer,
        /*predicate=*/Value(), /*tensormap=*/UnitAttr(), /*uniform=*/UnitAttr(),
        /*in_param_space=*/UnitAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The block of dynamic shared memory: an array of unknown size that the launch
/// provides.
struct DynamicSharedMemory
    : public ConvertOpToLLVMPattern<gpu::DynamicSharedMemoryOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::DynamicSharedMemoryOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    auto global = module.lookupSymbol<LLVM::GlobalOp>(sharedName);
    if (!global)
      return rewriter.notifyMatchFailure(op, "not declared");
    MemRefType type = op.getResultMemref().getType();
    Value pointer = LLVM::AddressOfOp::create(rewriter, loc, global);
    auto flat =
        MemRefType::get({0}, type.getElementType(), MemRefLayoutAttrInterface(),
                        type.getMemorySpace());
    rewriter.replaceOp(op,
                       static_cast<Value>(MemRefDescriptor::fromStaticShape(
                           rewriter, loc, *getTypeConverter(), flat, pointer)));
    return success();
  }
};
} // namespace

/// Declares the block in `module` if anything uses it.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  bool used = module
                  .walk([](gpu::DynamicSharedMemoryOp) {
                    return WalkResult::interrupt();
                  })
                  .wasInterrupted();
  if (!used || module.lookupSymbol(sharedName))
    return;
  auto b = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(
      b, module.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), 0),
      /*isConstant=*/false, LLVM::Linkage::External, sharedName, Attribute(),
      sharedAlignment, static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
}

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

/// Rewrites inside the dialects, to what the conversion takes.
static LogicalResult prepare(gpu::GPUModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<ShuffleInWords>(module.getContext(), ownBenefit);
  populateGpuAllReducePatterns(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns, wordBits);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, warpSize, wordBits);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, warpSize,
                                                           wordBits);
  populateGpuGlobalIdPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorMultiReductionLoweringPatterns(
      patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Types that only nvgpu has. (Upstream adds these conversions in its pass.)
static void populateTypeConversions(LLVMTypeConverter &converter) {
  nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  // Tokens order nothing that the instructions do not order.
  converter.addConversion([](nvgpu::DeviceAsyncTokenType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  converter.addConversion([](nvgpu::MBarrierTokenType type) -> Type {
    return IntegerType::get(type.getContext(), 64);
  });
  converter.addConversion(
      [](nvgpu::WarpgroupMatrixDescriptorType type) -> Type {
        return IntegerType::get(type.getContext(), 64);
      });
  converter.addConversion([&](nvgpu::MBarrierGroupType type) -> Type {
    return converter.convertType(
        nvgpu::getMBarrierMemrefType(type.getContext(), type));
  });
  converter.addConversion([](nvgpu::TensorMapDescriptorType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
}

/// Upstream's patterns for gpu, without those for arith and math, which call
/// libdevice even where there is an instruction.
static void populateGPUConversions(LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  RewritePatternSet all(patterns.getContext());
  populateGpuToNVVMConversionPatterns(converter, all);
  for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    StringRef dialect = root ? root->getDialectNamespace() : "";
    if (dialect != "arith" && dialect != "math")
      patterns.add(std::move(pattern));
  }
}

static void populateConversions(LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  populateGPUConversions(converter, patterns);
  populateGpuWMMAToNVVMConversionPatterns(converter, patterns);
  populateNVGPUToNVVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorTransferLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/false,
                                         /*force32BitVectorIndices=*/true);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  patterns.add<MmaSyncBF16, Prefetch, DynamicSharedMemory>(converter,
                                                           ownBenefit);
}

/// Whether `callee` is a function of `module` or one that every GPU has.
/// (Allocation is one, but an allocation in a kernel is a mistake.)
static bool isCallable(gpu::GPUModuleOp module, StringRef callee) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(callee);
  return (function && !function.isExternal()) || callee == "vprintf" ||
         callee == "__assertfail";
}

/// Emits an error at the first op of `module` that is not of LLVM's dialects,
/// or that calls a library.
static LogicalResult checkConverted(gpu::GPUModuleOp module) {
  WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isa<UnrealizedConversionCastOp>(op))
      return WalkResult::advance();
    if (auto call = dyn_cast<LLVM::CallOp>(op);
        call && call.getCallee() && !isCallable(module, *call.getCallee())) {
      call.emitError("expected code that needs no library and allocates no "
                     "memory, got a call of '")
          << *call.getCallee() << "'";
      return WalkResult::interrupt();
    }
    if (isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitError("cannot be converted to NVVM: '") << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {
struct LinalgExtNVGPUToNVVMPass
    : public linalg_ext::impl::LinalgExtNVGPUToNVVMPassBase<
          LinalgExtNVGPUToNVVMPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (indexBitwidth != 32 && indexBitwidth != 64) {
      module.emitError("expected an index-bitwidth of 32 or 64, got ")
          << unsigned(indexBitwidth);
      return signalPassFailure();
    }
    if (failed(prepare(module)))
      return signalPassFailure();
    declareSharedMemory(module);

    LowerToLLVMOptions options(&getContext());
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(indexBitwidth);
    LLVMTypeConverter converter(&getContext(), options);
    populateTypeConversions(converter);
    RewritePatternSet patterns(&getContext());
    populateConversions(converter, patterns);
    // (Upstream's legality of gpu forbids the intrinsics of math.)
    LLVMConversionTarget target(getContext());
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addIllegalDialect<gpu::GPUDialect, nvgpu::NVGPUDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    if (failed(applyPartialConversion(module, target, std::move(patterns))) ||
        failed(checkConverted(module)))
      return signalPassFailure();
  }
};
} // namespace
