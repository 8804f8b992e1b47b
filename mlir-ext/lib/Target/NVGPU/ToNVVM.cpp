//===- ToNVVM.cpp - Conversion of kernels to NVVM -------------------------===//
//
// Upstream has one conversion for each dialect, with different type conversions
// for index and for memory spaces. This conversion runs the patterns of all of
// them together, and adds patterns for ops that upstream does not support.
//
//   1. Rewrite ops that the conversion does not support within their dialects.
//   2. Convert all ops to LLVM and NVVM.
//   3. Report an error at an op that remains, or that calls a library.
//
//===----------------------------------------------------------------------===//

#include "AsyncMma.h"
#include "Clusters.h"
#include "RegisterWorkarounds.h"
#include "mlir-ext/Support/NegativeStrides.h"
#include "mlir-ext/Target/GPU/ConvertToLLVM.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The benefit of this project's patterns, which are tried before upstream's.
static constexpr unsigned ownBenefit = 20;
static constexpr unsigned warpSize = 32;
/// The size and the alignment of a CUtensorMap.
static constexpr int64_t tensorMapBytes = 128;
static constexpr int64_t tensorMapAlignment = 64;

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

namespace {
/// Lowers nvgpu.mma.sync on bf16, which upstream's pattern does not support.
/// Operands are i32 with two elements each, and the accumulator is f32.
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
    // These are rows of two elements.
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
// Lanes
//===----------------------------------------------------------------------===//

/// Lowers an exchange that reads lane `x & 31`. The instruction ignores the
/// other bits of x.
struct ReadMaskedLane : public ConvertOpToLLVMPattern<gpu::ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t kLanes = 32;
    APInt width, mask;
    auto masked = op.getOffset().getDefiningOp<arith::AndIOp>();
    if (op.getMode() != gpu::ShuffleMode::IDX || !op.getValid().use_empty() ||
        !matchPattern(op.getWidth(), m_ConstantInt(&width)) ||
        width != kLanes || !masked ||
        !matchPattern(masked.getRhs(), m_ConstantInt(&mask)) ||
        mask != kLanes - 1)
      return rewriter.notifyMatchFailure(op, "reads no lane of 5 bits");
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(),
                                      rewriter.getI32IntegerAttr(value));
    };
    Value result = NVVM::ShflOp::create(
        rewriter, loc, adaptor.getValue().getType(), constant(-1),
        adaptor.getValue(), rewriter.getRemappedValue(masked.getLhs()),
        constant(kLanes - 1), NVVM::ShflKind::idx,
        /*return_value_and_is_valid=*/UnitAttr());
    rewriter.replaceOp(op, {result, nullptr});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Lowers a prefetch into the cache that all processors share. LLVM's own
/// intrinsic has no code for this target.
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

/// Lowers a predicated load of one element of read-only memory. LLVM would make
/// a branch of it. The load is relaxed, so that ptxas does not move it over
/// barriers.
struct PredicatedLoad : public ConvertOpToLLVMPattern<vector::MaskedLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(vector::MaskedLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    Type element = type.getElementType();
    if (!op->hasAttr(kInvariantAttr))
      return rewriter.notifyMatchFailure(op, "the memory may be written");
    if (type.getRank() != 1 || type.getNumElements() != 1 ||
        !element.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "expected one element");
    unsigned bits = element.getIntOrFloatBitWidth();
    if (bits != 32 && bits != 64)
      return rewriter.notifyMatchFailure(op, "expected a register or two");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pointer =
        getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                             adaptor.getBase(), adaptor.getIndices());
    auto global = LLVM::LLVMPointerType::get(
        op.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    if (pointer.getType() != global)
      pointer = LLVM::AddrSpaceCastOp::create(b, global, pointer);
    Value zero = LLVM::ConstantOp::create(b, b.getI32Type(), 0);
    Value condition =
        LLVM::ExtractElementOp::create(b, adaptor.getMask(), zero);
    Type word = b.getIntegerType(bits);
    Value kept = LLVM::BitcastOp::create(
        b, word,
        LLVM::ExtractElementOp::create(b, adaptor.getPassThru(), zero));
    std::string text =
        ("@$2 ld.relaxed.cta.global.b" + Twine(bits) + " $0, [$1];").str();
    const char *constraints = bits == 32 ? "=r,l,b,0" : "=l,l,b,0";
    auto dialect =
        LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT);
    auto load = LLVM::InlineAsmOp::create(
        b, word, ValueRange{pointer, condition, kept}, text, constraints,
        /*has_side_effects=*/false, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, dialect, ArrayAttr());
    Type llvmType = getTypeConverter()->convertType(type);
    Value loaded = LLVM::BitcastOp::create(b, element, load.getResult(0));
    rewriter.replaceOpWithNewOp<LLVM::InsertElementOp>(
        op, llvmType, LLVM::PoisonOp::create(b, llvmType), loaded, zero);
    return success();
  }
};

/// Lowers a load of 16 bytes that fetches a run of 256 bytes (FetchLines.cpp).
struct FetchingLoad : public ConvertOpToLLVMPattern<vector::LoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(vector::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!op->hasAttr(kFetchAttr))
      return rewriter.notifyMatchFailure(op, "fetches what it loads");
    constexpr int64_t kWords = 4;
    if (type.getRank() != 1 || !type.getElementType().isIntOrFloat() ||
        type.getNumElements() * type.getElementTypeBitWidth() != 32 * kWords)
      return rewriter.notifyMatchFailure(op, "expected 16 bytes");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pointer =
        getStridedElementPtr(rewriter, op.getLoc(), op.getMemRefType(),
                             adaptor.getBase(), adaptor.getIndices());
    auto global = LLVM::LLVMPointerType::get(
        op.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    if (pointer.getType() != global)
      pointer = LLVM::AddrSpaceCastOp::create(b, global, pointer);
    Type word = b.getI32Type();
    auto words = LLVM::LLVMStructType::getLiteral(
        op.getContext(), SmallVector<Type>(kWords, word));
    auto load = LLVM::InlineAsmOp::create(
        b, words, ValueRange{pointer},
        "ld.global.nc.L1::no_allocate.L2::256B.v4.b32 {$0, $1, $2, $3}, [$4];",
        "=r,=r,=r,=r,l",
        /*has_side_effects=*/false, /*is_align_stack=*/false,
        LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT),
        ArrayAttr());
    auto ofWords = VectorType::get({kWords}, word);
    Value result = LLVM::PoisonOp::create(b, ofWords);
    for (int64_t i = 0; i < kWords; ++i)
      result = LLVM::InsertElementOp::create(
          b, result, LLVM::ExtractValueOp::create(b, load.getResult(0), i),
          LLVM::ConstantOp::create(b, b.getI32Type(), i));
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(
        op, getTypeConverter()->convertType(type), result);
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

/// Adds conversions of types that only nvgpu has. (Upstream adds them in its
/// pass.)
static void populateTypeConversions(LLVMTypeConverter &converter) {
  nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  // Tokens order nothing beyond what the instructions order.
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

static void populateConversions(LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  RewritePatternSet gpuPatterns(patterns.getContext());
  populateGpuToNVVMConversionPatterns(converter, gpuPatterns);
  addWithoutMath(std::move(gpuPatterns), patterns);
  populateGpuWMMAToNVVMConversionPatterns(converter, patterns);
  populateNVGPUToNVVMConversionPatterns(converter, patterns);
  populateCommonToLLVMPatterns(converter, patterns);
  patterns.add<MmaSyncBF16, PredicatedLoad, FetchingLoad, Prefetch, ReadMaskedLane>(converter, ownBenefit);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// For each kernel name, the numbers of the arguments that are tensor maps.
using TensorMapArguments = llvm::StringMap<SmallVector<unsigned>>;

static TensorMapArguments getTensorMapArguments(gpu::GPUModuleOp module) {
  TensorMapArguments arguments;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    for (BlockArgument argument : kernel.getArguments())
      if (isa<nvgpu::TensorMapDescriptorType>(argument.getType()))
        arguments[kernel.getName()].push_back(argument.getArgNumber());
  return arguments;
}

/// Passes tensor maps by value, because the hardware reads them where the
/// launch puts them. (The conversion of gpu.func loses attributes of this
/// kind.)
static void passTensorMapsByValue(gpu::GPUModuleOp module,
                                  const TensorMapArguments &arguments) {
  Builder b(module.getContext());
  Type bytes = LLVM::LLVMArrayType::get(b.getI8Type(), tensorMapBytes);
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    for (unsigned number : arguments.lookup(kernel.getName())) {
      kernel.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(bytes));
      kernel.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(tensorMapAlignment));
      kernel.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                        b.getUnitAttr());
    }
}

/// States that one workgroup has all registers of a processor, if its roles
/// share them. The assembler ignores `setmaxnreg` unless it knows the number of
/// registers at the start, which follows from this.
static void stateWorkgroupsOfRoles(gpu::GPUModuleOp module) {
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  module.walk([&](NVVM::SetMaxRegisterOp op) {
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    if (kernel && !kernel->hasAttr(name))
      kernel->setAttr(name, Builder(kernel).getI32IntegerAttr(1));
  });
}

/// Drops predicates that are constants, and instructions that are never
/// executed. In inline assembly, a predicate would be a register.
static void dropConstantPredicates(gpu::GPUModuleOp module) {
  auto drop = [](auto op) {
    std::optional<int64_t> holds = op.getPredicate()
                                       ? getConstantIntValue(op.getPredicate())
                                       : std::nullopt;
    if (holds == 0)
      op->erase();
    else if (holds)
      op.getPredicateMutable().clear();
  };
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<nvgpu::MBarrierInitOp, nvgpu::MBarrierArriveExpectTxOp,
              nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp,
              nvgpu::TmaPrefetchOp>(drop);
  });
}

/// Extends row numbers by inline assembly, if threads get them by shuffles and
/// they select what to copy. LLVM would multiply each one by the distance of
/// rows, as a product of 64 bits. Such products use the units that threads with
/// matrix products need for their additions. Shifts do not
/// (docs/Decisions/0121). The number of a row that is not copied may be
/// negative.
static void extendRowNumbers(gpu::GPUModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](nvgpu::DeviceAsyncCopyOp copy) {
    auto type = cast<MemRefType>(copy.getSrc().getType());
    int64_t bits = type.getElementTypeBitWidth(), offset;
    SmallVector<int64_t> strides;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return;
    for (auto [operand, stride] :
         llvm::zip_equal(copy.getSrcIndicesMutable(), strides)) {
      auto cast = operand.get().getDefiningOp<arith::IndexCastOp>();
      if (!cast || !cast.getIn().getType().isInteger(32) ||
          !cast.getIn().getDefiningOp<gpu::ShuffleOp>() ||
          ShapedType::isDynamic(stride) || stride * bits < 8 ||
          !llvm::isPowerOf2_64(stride * bits / 8))
        continue;
      rewriter.setInsertionPoint(copy);
      auto dialect = LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                               LLVM::AsmDialect::AD_ATT);
      Value wide = LLVM::InlineAsmOp::create(
                       rewriter, copy.getLoc(), rewriter.getI64Type(),
                       cast.getIn(), "cvt.u64.u32 $0, $1;", "=l,r",
                       /*has_side_effects=*/false, /*is_align_stack=*/false,
                       LLVM::TailCallKind::None, dialect, ArrayAttr())
                       .getResult(0);
      Value index = arith::IndexCastOp::create(rewriter, copy.getLoc(),
                                               rewriter.getIndexType(), wide);
      rewriter.modifyOpInPlace(
          copy, [&, &operand = operand] { operand.set(index); });
    }
  });
}

/// Lets copies by TMA use 32-bit addresses of the workgroup's own memory.
/// Upstream makes generic addresses of them, for which the assembler keeps
/// three to five more instructions in each copy (docs/Decisions/0121).
static void keepSharedAddresses(gpu::GPUModuleOp module) {
  using Copy = NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp;
  SmallVector<Copy> copies;
  module.walk([&](Copy copy) { copies.push_back(copy); });
  IRRewriter rewriter(module.getContext());
  for (Copy copy : copies) {
    auto cast = copy.getDstMem().getDefiningOp<LLVM::AddrSpaceCastOp>();
    if (!cast || copy.getL2CacheHint() ||
        copy.getMode() != NVVM::TMALoadMode::TILE || copy.getGroup())
      continue;
    auto type = dyn_cast<LLVM::LLVMPointerType>(cast.getArg().getType());
    if (!type || type.getAddressSpace() !=
                     static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
      continue;
    // With a predicate, upstream writes inline assembly with an address of 32
    // bits.
    if (copy.getPredicate()) {
      rewriter.modifyOpInPlace(
          copy, [&] { copy.getDstMemMutable().assign(cast.getArg()); });
    } else {
      rewriter.setInsertionPoint(copy);
      auto toWord = [&](Value pointer) -> Value {
        return LLVM::PtrToIntOp::create(rewriter, copy.getLoc(),
                                        rewriter.getI32Type(), pointer);
      };
      SmallVector<Value> operands{toWord(cast.getArg()),
                                  copy.getTmaDescriptor()};
      llvm::append_range(operands, copy.getCoordinates());
      operands.push_back(toWord(copy.getMbar()));
      std::string text = copy.getPtx(), constraints = "r,l";
      std::replace(text.begin(), text.end(), '%', '$');
      for (size_t i = 0; i <= copy.getCoordinates().size(); ++i)
        constraints += ",r";
      if (Value mask = copy.getMulticastMask()) {
        operands.push_back(mask);
        constraints += ",h";
      }
      rewriter.replaceOpWithNewOp<LLVM::InlineAsmOp>(
          copy, /*res=*/TypeRange(), operands, text, constraints + ",~{memory}",
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                    LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr());
    }
    if (cast->use_empty())
      rewriter.eraseOp(cast);
  }
}

/// Keeps loads after waits for other launches. LLVM and the assembler treat
/// memory that a kernel only reads as constant. Both may load it anywhere in a
/// block, even before a wait for another launch that may still write it. So
/// each wait becomes a loop of its own. It ends after one iteration, because a
/// grid has workgroups, but neither of them knows that. Where the assembler
/// could tell that there is no loop, it moved loads before the wait
/// (docs/Decisions/0125). (With a branch to the end of the kernel instead, LLVM
/// ordered the blocks of loops such that the assembler unrolled less.)
///
/// LLVM also moves indices behind the wait, to the block that uses them, so
/// that a kernel that begins early would divide only then. So they are operands
/// of the wait, which does nothing with them.
static void keepLoadsBehindWaits(gpu::GPUModuleOp module) {
  SmallVector<NVVM::GriddepcontrolOp> waits;
  module.walk([&](NVVM::GriddepcontrolOp op) {
    if (op.getKind() == NVVM::GridDepActionKind::wait &&
        isa<LLVM::LLVMFuncOp>(op->getParentOp()))
      waits.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (NVVM::GriddepcontrolOp op : waits) {
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    // The memory of a thread is static only in the first block.
    for (auto alloca :
         llvm::make_early_inc_range(after->getOps<LLVM::AllocaOp>())) {
      auto size = alloca.getArraySize().getDefiningOp<LLVM::ConstantOp>();
      if (!size)
        continue;
      rewriter.moveOpBefore(alloca, op);
      if (size->getBlock() == after)
        rewriter.moveOpBefore(size, alloca);
    }
    Block *wait = rewriter.splitBlock(before, op->getIterator());
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    auto dialect = LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                             LLVM::AsmDialect::AD_ATT);
    llvm::SetVector<Value> indices;
    std::string constraints = "=r,";
    for (Operation &user : *after)
      for (Value operand : user.getOperands()) {
        Operation *def = operand.getDefiningOp();
        bool isWide = operand.getType().isInteger(64);
        if (def && def->getBlock() == before &&
            !def->hasTrait<OpTrait::ConstantLike>() &&
            (isWide || operand.getType().isInteger(32)) &&
            indices.insert(operand))
          constraints += isWide ? "l," : "r,";
      }
    constraints += "~{memory}";
    Value number =
        LLVM::InlineAsmOp::create(
            rewriter, loc, rewriter.getI32Type(), indices.getArrayRef(),
            "griddepcontrol.wait; mov.u32 $0, %nctaid.x;", constraints,
            /*has_side_effects=*/true, /*is_align_stack=*/false,
            LLVM::TailCallKind::None, dialect, ArrayAttr())
            .getResult(0);
    Value zero =
        LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), 0);
    Value always = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne,
                                        number, zero);
    LLVM::CondBrOp::create(rewriter, loc, always, after, wait);
    rewriter.eraseOp(op);
    rewriter.setInsertionPointToEnd(before);
    LLVM::BrOp::create(rewriter, loc, wait);
  }
}

LogicalResult mlir::nvgpu_ext::convertToNVVM(gpu::GPUModuleOp module,
                                             unsigned indexBitwidth) {
  MLIRContext *context = module.getContext();
  if (failed(checkAsyncMma(module)) || failed(prepareForLLVM(module, warpSize)))
    return failure();
  if (failed(lowerClusters(module)))
    return failure();
  TensorMapArguments tensorMaps = getTensorMapArguments(module);
  stateWorkgroupsOfRoles(module);
  dropConstantPredicates(module);
  extendRowNumbers(module);

  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  options.overrideIndexBitwidth(indexBitwidth);
  LLVMTypeConverter converter(context, options);
  populateTypeConversions(converter);
  RewritePatternSet patterns(context);
  populateConversions(converter, patterns);
  AsyncGroups groups = getAsyncGroups(module);
  populateAsyncMmaToNVVMPatterns(converter, groups, patterns);
  // (Upstream's legality rules for gpu forbid intrinsics of math functions.)
  LLVMConversionTarget target(*context);
  target.addLegalDialect<NVVM::NVVMDialect>();
  target.addIllegalDialect<gpu::GPUDialect, nvgpu::NVGPUDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  if (failed(applyPartialConversion(module, target, std::move(patterns))) ||
      failed(checkConverted(module, NVVM::NVVMDialect::getDialectNamespace(),
                            "NVVM", {"vprintf", "__assertfail"})))
    return failure();
  allowNegativeStrides(module);
  keepSharedAddresses(module);
  keepLoadsBehindWaits(module);
  passTensorMapsByValue(module, tensorMaps);
  return success();
}
