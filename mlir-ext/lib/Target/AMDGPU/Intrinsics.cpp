//===- Intrinsics.cpp - Matrix cores of AMD GPUs --------------------------===//
//
// The fragments are those of AMD's ISA manuals. Unit tests check them against
// the manuals at every coordinate.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AMDGPU/Intrinsics.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::vector_ext;
using amdgpu_ext::MatrixInstruction;
using layout::Layout;
using linalg_ext::MathInstructions;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// The shape of an instruction. The layout of B is the transposed layout of A.
struct Shape {
  StringRef name, suffix;
  bool isWmma;
  struct Sizes {
    /// `k` is that of the intrinsic, and `step` that of each of its
    /// instructions.
    int64_t m, n, k, step, lanes;
  } sizes;
  StringRef lhs, acc;
  SmallVector<StringRef> types;
};
} // namespace

static const SmallVector<Shape> &getShapes() {
  static const SmallVector<Shape> shapes = {
      {"mfma.m16n16k16",
       "",
       false,
       {16, 16, 16, 16, 64},
       "[lane 16:1] x [lane 4:16, register 4:1]",
       "[lane 4:16, register 4:1] x [lane 16:1]",
       {"f16", "bf16", "i8"}},
      {"mfma.m32n32k8",
       "",
       false,
       {32, 32, 8, 8, 64},
       "[lane 32:1] x [lane 2:32, register 4:1]",
       "[register 4:4, lane 2:32, register 4:1] x [lane 32:1]",
       {"f16", "bf16"}},
      {"mfma.m16n16k32",
       "",
       false,
       {16, 16, 32, 32, 64},
       "[lane 16:1] x [lane 4:16, register 8:1]",
       "[lane 4:16, register 4:1] x [lane 16:1]",
       {"f16", "bf16", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3FN", "f8E5M2", "i8"}},
      {"mfma.m16n16k64",
       "",
       false,
       {16, 16, 64, 64, 64},
       "[lane 16:1] x [lane 4:16, register 16:1]",
       "[lane 4:16, register 4:1] x [lane 16:1]",
       {"i8"}},
      {"mfma.m16n16k32",
       ".interleaved",
       false,
       {16, 16, 32, 32, 64},
       "[lane 16:1] x [register 2:4, lane 4:16, register 4:1]",
       "[lane 4:16, register 4:1] x [lane 16:1]",
       {"f16", "bf16"}},
      {"mfma.m32n32k16",
       "",
       false,
       {32, 32, 16, 16, 64},
       "[lane 32:1] x [lane 2:32, register 8:1]",
       "[register 4:4, lane 2:32, register 4:1] x [lane 32:1]",
       {"f16", "bf16", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3FN", "f8E5M2"}},
      {"mfma.m32n32k16",
       ".interleaved",
       false,
       {32, 32, 16, 16, 64},
       "[lane 32:1] x [register 2:4, lane 2:32, register 4:1]",
       "[register 4:4, lane 2:32, register 4:1] x [lane 32:1]",
       {"f16", "bf16"}},
      // These are four instructions; each takes one register of A and one of B.
      {"mfma.m16n16k16",
       "",
       false,
       {16, 16, 16, 4, 64},
       "[lane 16:1] x [lane 4:16, register 4:1]",
       "[lane 4:16, register 4:1] x [lane 16:1]",
       {"f32"}},
      {"wmma.m16n16k16",
       "",
       true,
       {16, 16, 16, 16, 32},
       "[lane 16:1] x [register 16:1]",
       "[register 8:1, lane 2:16] x [lane 16:1]",
       {"f16", "bf16", "s8.s8", "s8.u8", "u8.s8", "u8.u8"}},
      {"wmma.gfx12.m16n16k16",
       "",
       true,
       {16, 16, 16, 16, 32},
       "[lane 16:1] x [lane 2:16, register 8:1]",
       "[lane 2:16, register 8:1] x [lane 16:1]",
       {"f16", "bf16", "f8E4M3FN", "f8E5M2", "s8.s8", "s8.u8", "u8.s8",
        "u8.u8"}},
  };
  return shapes;
}

/// Returns whether `type` names integers. It may be one type for both operands,
/// or a type for A and one for B.
static bool isInteger(StringRef type) { return !type.contains('f'); }

static std::string getName(const Shape &shape, StringRef type,
                           bool isTransposed) {
  return (shape.name + (isInteger(type) ? ".i32." : ".f32.") + type +
          shape.suffix + (isTransposed ? ".transposed" : ""))
      .str();
}

/// Turns "[a] x [b]" into "[b] x [a]".
static std::string transpose(StringRef layout) {
  auto [rows, columns] = layout.split(" x ");
  return (columns + " x " + rows).str();
}

template <typename T>
static Type getType(MLIRContext *context) {
  return T::get(context);
}

template <unsigned bits>
static Type getInteger(MLIRContext *context) {
  return IntegerType::get(context, bits);
}

static MmaIntrinsic makeIntrinsic(const Shape &shape, StringRef type,
                                  bool isTransposed) {
  auto parse = [&](StringRef text) {
    return *Layout::parse(text, shape.sizes.lanes, 1);
  };
  MmaIntrinsic intrinsic;
  intrinsic.name = getName(shape, type, isTransposed);
  intrinsic.m = shape.sizes.m;
  intrinsic.n = shape.sizes.n;
  intrinsic.k = shape.sizes.k;
  intrinsic.lhs = parse(shape.lhs);
  intrinsic.rhs = parse(transpose(shape.lhs));
  intrinsic.acc = parse(isTransposed ? transpose(shape.acc) : shape.acc.str());
  if (isInteger(type)) {
    intrinsic.lhsType = intrinsic.rhsType = getInteger<8>;
    intrinsic.accType = getInteger<32>;
    intrinsic.isLhsUnsigned = type.starts_with("u8");
    intrinsic.isRhsUnsigned = type.ends_with("u8");
    return intrinsic;
  }
  intrinsic.lhsType = llvm::StringSwitch<Type (*)(MLIRContext *)>(type)
                          .Case("f16", getType<Float16Type>)
                          .Case("bf16", getType<BFloat16Type>)
                          .Case("f8E4M3FN", getType<Float8E4M3FNType>)
                          .Case("f8E5M2", getType<Float8E5M2Type>)
                          .Case("f8E4M3FNUZ", getType<Float8E4M3FNUZType>)
                          .Case("f8E5M2FNUZ", getType<Float8E5M2FNUZType>)
                          .Default(getType<Float32Type>);
  intrinsic.rhsType = intrinsic.lhsType;
  intrinsic.accType = [](MLIRContext *c) { return Float32Type::get(c); };
  return intrinsic;
}

static std::vector<MmaIntrinsic> getIntrinsics(bool isWmma) {
  std::vector<MmaIntrinsic> intrinsics;
  for (const Shape &shape : getShapes())
    if (shape.isWmma == isWmma)
      for (StringRef type : shape.types)
        for (bool isTransposed : {false, true})
          intrinsics.push_back(makeIntrinsic(shape, type, isTransposed));
  return intrinsics;
}

std::vector<MmaIntrinsic> amdgpu_ext::getMfmaIntrinsics() {
  return getIntrinsics(/*isWmma=*/false);
}

std::vector<MmaIntrinsic> amdgpu_ext::getWmmaIntrinsics() {
  return getIntrinsics(/*isWmma=*/true);
}

std::optional<MatrixInstruction>
amdgpu_ext::lookupMatrixInstruction(StringRef name) {
  for (const Shape &shape : getShapes())
    for (StringRef type : shape.types)
      for (bool isTransposed : {false, true})
        if (getName(shape, type, isTransposed) == name)
          return MatrixInstruction{shape.isWmma, shape.sizes.m, shape.sizes.n,
                                   shape.sizes.step, isTransposed};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Builds a buffer resource of `count` elements of `memory` from element
/// `start` on.
static Value buildBuffer(OpBuilder &b, Location loc, Value memory, Value start,
                         Value count) {
  auto type = cast<MemRefType>(memory.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (ShapedType::isDynamic(offset))
    start = b.createOrFold<arith::AddIOp>(
        loc, start,
        memref::ExtractStridedMetadataOp::create(b, loc, memory).getOffset());
  else if (offset != 0)
    start = b.createOrFold<arith::AddIOp>(
        loc, start, arith::ConstantIndexOp::create(b, loc, offset));
  auto rowType = MemRefType::get(
      {ShapedType::kDynamic}, type.getElementType(),
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1}),
      type.getMemorySpace());
  Value row = memref::ReinterpretCastOp::create(
      b, loc, rowType, memory, OpFoldResult(start),
      ArrayRef<OpFoldResult>{count}, ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  Value bytes = b.createOrFold<arith::MulIOp>(
      loc, count,
      arith::ConstantIndexOp::create(b, loc,
                                     type.getElementTypeBitWidth() / 8));
  bytes = b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), bytes);
  return amdgpu::FatRawBufferCastOp::create(
      b, loc, row, bytes, /*cacheSwizzleStride=*/Value(),
      /*boundsCheck=*/true, /*resetOffset=*/true);
}

/// Builds the value of the first lane, in a scalar register.
static Value buildUniform(OpBuilder &b, Location loc, Value value) {
  Type i32 = b.getI32Type();
  Value narrow = b.createOrFold<arith::IndexCastOp>(loc, i32, value);
  Value first = ROCDL::ReadfirstlaneOp::create(b, loc, i32, narrow);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), first);
}

/// Builds ds_read_b64_tr_b16.
static Value buildTransposedLoad(OpBuilder &b, Location loc, VectorType type,
                                 Value memory, Value index) {
  return amdgpu::TransposeLoadOp::create(b, loc, type, memory,
                                         ValueRange{index});
}

/// Builds buffer_load_dwordx4 with the `lds` modifier.
static void buildCopy(OpBuilder &b, Location loc, Value source, Value index,
                      Value target, Value start) {
  Type elementType = cast<MemRefType>(source.getType()).getElementType();
  auto transferred = VectorType::get(
      {layout::LaneCopy::kBytes * 8 / elementType.getIntOrFloatBitWidth()},
      elementType);
  amdgpu::GatherToLDSOp::create(b, loc, source, ValueRange{index}, target,
                                ValueRange{start}, TypeAttr::get(transferred));
}

static void buildWaitForCopies(OpBuilder &b, Location loc) {
  amdgpu::MemoryCounterWaitOp::create(
      b, loc, /*load=*/b.getI32IntegerAttr(0), /*store=*/IntegerAttr(),
      /*ds=*/IntegerAttr(), /*exp=*/IntegerAttr(), /*tensor=*/IntegerAttr());
}

void amdgpu_ext::registerIntrinsics(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *dialect) {
    // Distribution creates ops of this dialect.
    context->getOrLoadDialect<amdgpu::AMDGPUDialect>();
    context->getOrLoadDialect<ROCDL::ROCDLDialect>();
    dialect->setBufferLoads({buildBuffer, buildUniform, buildTransposedLoad,
                             buildCopy, buildWaitForCopies,
                             llvm::IsaPred<amdgpu::MemoryCounterWaitOp>});
    for (MmaIntrinsic &intrinsic : getMfmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWmmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : linalg_ext::getFmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
  });
}

/// The transcendental unit computes these functions in f32.
const MathInstructions &amdgpu_ext::getMathInstructions() {
  static constexpr MathInstructions instructions = {
      /*exp2=*/"llvm.amdgcn.exp2.f32",
      // LLVM scales subnormal numbers around v_log_f32.
      /*log2=*/"llvm.log2.f32",
      /*rsqrt=*/"llvm.amdgcn.rsq.f32",
      /*sqrt=*/"llvm.amdgcn.sqrt.f32",
      /*reciprocal=*/"llvm.amdgcn.rcp.f32",
      /*divide=*/"llvm.amdgcn.fdiv.fast",
      /*rsqrtFlushes=*/true};
  return instructions;
}

//===----------------------------------------------------------------------===//
// The lowering
//===----------------------------------------------------------------------===//

/// Returns the elements of `operand` that step `step` of `steps` multiplies.
/// Returns a scalar if there is only one.
static Value getOperandOfStep(RewriterBase &rewriter, Location loc,
                              Value operand, int64_t step, int64_t steps) {
  if (steps == 1)
    return operand;
  int64_t count = cast<VectorType>(operand.getType()).getNumElements() / steps;
  if (count == 1)
    return vector::ExtractOp::create(rewriter, loc, operand, step);
  return vector::ExtractStridedSliceOp::create(
      rewriter, loc, operand, ArrayRef<int64_t>{step * count},
      ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}

namespace {
struct LowerMma : OpRewritePattern<MmaOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<MatrixInstruction> instruction =
        amdgpu_ext::lookupMatrixInstruction(op.getIntrinsic());
    if (!instruction)
      return rewriter.notifyMatchFailure(op, "not of MFMA or WMMA");
    const MmaIntrinsic *intrinsic = cast<VectorExtDialect>(op->getDialect())
                                        ->lookupIntrinsic(op.getIntrinsic());
    Location loc = op.getLoc();
    Value lhs = op.getLhs(), rhs = op.getRhs(), result = op.getAcc();
    bool isUnsignedA = intrinsic->isLhsUnsigned,
         isUnsignedB = intrinsic->isRhsUnsigned;
    if (instruction->isTransposed) {
      std::swap(lhs, rhs);
      std::swap(isUnsignedA, isUnsignedB);
    }
    auto i32 = [&](int64_t value) { return rewriter.getI32IntegerAttr(value); };
    IntegerAttr m = i32(instruction->m), n = i32(instruction->n),
                k = i32(instruction->k);
    int64_t steps = intrinsic->k / instruction->k;
    for (int64_t step = 0; step < steps; ++step) {
      Value a = getOperandOfStep(rewriter, loc, lhs, step, steps);
      Value b = getOperandOfStep(rewriter, loc, rhs, step, steps);
      if (instruction->isWmma)
        result = amdgpu::WMMAOp::create(
            rewriter, loc, result.getType(), m, n, k, a, b, result,
            /*subwordOffset=*/IntegerAttr(),
            isUnsignedA ? rewriter.getUnitAttr() : UnitAttr(),
            isUnsignedB ? rewriter.getUnitAttr() : UnitAttr());
      else
        result = amdgpu::MFMAOp::create(rewriter, loc, result.getType(), m, n,
                                        k, i32(1), a, b, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void amdgpu_ext::populateLowerMmaPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMma>(patterns.getContext());
}
