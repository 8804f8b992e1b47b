//===- ConvertToLLVM.cpp - Kernels to LLVM, for all vendors ---------------===//
//
// See ConvertToLLVM.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/ConvertToLLVM.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir-ext/Support/RewriteConfig.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The benefit of this project's patterns, which are tried before upstream's.
static constexpr unsigned ownBenefit = 20;
/// The alignment of the block of shared memory, which swizzled TMA boxes need.
static constexpr int64_t sharedAlignment = 1024;
/// The number of bits that a shuffle moves.
static constexpr unsigned wordBits = 32;
/// The address space of shared memory in LLVM IR, for both NVPTX and AMDGPU.
static constexpr unsigned sharedSpace = 3;
static constexpr StringLiteral sharedName = "linalg_ext_workgroup_memory";

//===----------------------------------------------------------------------===//
// Shuffles, in words of 32 bits
//===----------------------------------------------------------------------===//

namespace {
/// Splits the bits of any number or vector of numbers into i32 words, shuffles
/// the words, and joins them again.
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
// Loads of one element
//===----------------------------------------------------------------------===//

/// Loads a vector of one element as a number. LLVM's AMDGPU backend (22.1.8)
/// cannot select a `<1 x bfloat>` from a buffer resource that a shuffle widens
/// ("v4bf16 = scalar_to_vector"), and crashes on others of 16 bits on gfx11.
struct LoadOneElement : public OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (type.isScalable() || type.getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "several elements");
    if (op.getMemRefType().getElementType() != type.getElementType())
      return rewriter.notifyMatchFailure(op, "the memory holds vectors");
    Value element = memref::LoadOp::create(
        rewriter, op.getLoc(), op.getBase(), op.getIndices(),
        op.getNontemporal(), llvm::MaybeAlign(op.getAlignment().value_or(0)));
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type, element);
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
  LLVM::GlobalOp::create(b, module.getLoc(),
                         LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         sharedName, Attribute(), sharedAlignment, sharedSpace);
}

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

LogicalResult mlir::linalg_ext::prepareForLLVM(gpu::GPUModuleOp module,
                                               unsigned lanes) {
  RewritePatternSet patterns(module.getContext());
  patterns.add<LoadOneElement, ShuffleInWords>(module.getContext(), ownBenefit);
  populateGpuAllReducePatterns(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns, wordBits);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, lanes, wordBits);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, lanes,
                                                           wordBits);
  populateGpuGlobalIdPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  populateMultiReductionLowering(
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
  if (failed(applyPatternsToRoots(module, std::move(patterns))))
    return failure();
  declareSharedMemory(module);
  return success();
}

void mlir::linalg_ext::addWithoutMath(RewritePatternSet from,
                                      RewritePatternSet &patterns) {
  for (std::unique_ptr<RewritePattern> &pattern : from.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    StringRef dialect = root ? root->getDialectNamespace() : "";
    if (dialect != "arith" && dialect != "math")
      patterns.add(std::move(pattern));
  }
}

void mlir::linalg_ext::populateCommonToLLVMPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
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
  patterns.add<DynamicSharedMemory>(converter, ownBenefit);
}

/// LLVM's GPU backends abort on floats of more than 64 bits.
static bool isWideFloat(Type type) {
  auto number = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return number && number.getWidth() > 64;
}

LogicalResult mlir::linalg_ext::checkConverted(gpu::GPUModuleOp module,
                                               StringRef vendor, StringRef name,
                                               ArrayRef<StringRef> callable) {
  // (Allocation is a function as well, but an allocation in a kernel is a
  // mistake.)
  auto isCallable = [&](StringRef callee) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(callee);
    return (function && !function.isExternal()) ||
           llvm::is_contained(callable, callee);
  };
  WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isa<UnrealizedConversionCastOp>(op))
      return WalkResult::advance();
    if (auto call = dyn_cast<LLVM::CallOp>(op);
        call && call.getCallee() && !isCallable(*call.getCallee())) {
      call.emitError("expected code that needs no library and allocates no "
                     "memory, got a call of '")
          << *call.getCallee() << "'";
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (isWideFloat(type)) {
        op->emitError("expected floats of at most 64 bits, got ") << type;
        return WalkResult::interrupt();
      }
    if (isa<LLVM::LLVMDialect>(op->getDialect()) ||
        op->getName().getDialectNamespace() == vendor)
      return WalkResult::advance();
    op->emitError("cannot be converted to ")
        << name << ": '" << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}
