//===- Intrinsics.cpp - Tensor cores of NVIDIA GPUs -----------------------===//
//
// The fragments are those of the PTX ISA. Unit tests check them against it at
// every coordinate.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "TileCopies.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/GPU/ThreadProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::MathInstructions;

/// The suffix of the names of instructions with exchanged operands.
static constexpr StringLiteral kTransposed = ".transposed";

static MmaIntrinsic getMmaSync(StringRef name, int64_t k,
                               std::function<Type(MLIRContext *)> type) {
  MmaIntrinsic intrinsic;
  intrinsic.name = name.str();
  intrinsic.m = 16;
  intrinsic.n = 8;
  intrinsic.k = k;
  auto parse = [](StringRef text) { return *Layout::parse(text, 32, 1); };
  bool isLong = k == 16;
  intrinsic.lhs = parse(
      isLong ? "[register 2:2, lane 8:4] x [register 2:4, lane 4:1, register "
               "2:1]"
             : "[register 2:2, lane 8:4] x [lane 4:1, register 2:1]");
  intrinsic.rhs =
      parse(isLong ? "[register 2:2, lane 4:1, register 2:1] x [lane 8:4]"
                   : "[lane 4:1, register 2:1] x [lane 8:4]");
  intrinsic.acc = parse("[register 2:2, lane 8:4] x [lane 4:1, register 2:1]");
  intrinsic.lhsType = type;
  intrinsic.rhsType = type;
  intrinsic.accType = [](MLIRContext *c) { return Float32Type::get(c); };
  intrinsic.hasLowering = true;
  intrinsic.keepsSubnormals = true;
  return intrinsic;
}

/// Describes `intrinsic` with exchanged operands. It computes the transposed
/// product, for results of 8 rows.
static MmaIntrinsic getTransposed(MmaIntrinsic intrinsic) {
  intrinsic.name += kTransposed;
  std::swap(intrinsic.m, intrinsic.n);
  Layout rhs = intrinsic.lhs.permute({1, 0});
  intrinsic.lhs = intrinsic.rhs.permute({1, 0});
  intrinsic.rhs = rhs;
  intrinsic.acc = intrinsic.acc.permute({1, 0});
  std::swap(intrinsic.lhsType, intrinsic.rhsType);
  std::swap(intrinsic.isLhsUnsigned, intrinsic.isRhsUnsigned);
  return intrinsic;
}

/// Describes mma.sync with operands of 8 bits: each register has four elements
/// of a row.
static MmaIntrinsic getMmaSyncF8(StringRef typeName,
                                 std::function<Type(MLIRContext *)> type) {
  MmaIntrinsic intrinsic =
      getMmaSync(("mma.sync.m16n8k32.f32." + typeName).str(), /*k=*/16, type);
  intrinsic.k = 32;
  auto parse = [](StringRef text) { return *Layout::parse(text, 32, 1); };
  intrinsic.lhs = parse(
      "[register 2:4, lane 8:4] x [register 2:8, lane 4:1, register 4:1]");
  intrinsic.rhs = parse("[register 2:4, lane 4:1, register 4:1] x [lane 8:4]");
  intrinsic.hasShortSums = true;
  return intrinsic;
}

static Type getI8(MLIRContext *context) { return IntegerType::get(context, 8); }
static Type getI32(MLIRContext *context) {
  return IntegerType::get(context, 32);
}

/// Describes products of integers of 8 bits, whose layouts are those of floats
/// of 8 bits.
static MmaIntrinsic getMmaSyncI8(bool isLhsUnsigned, bool isRhsUnsigned) {
  MmaIntrinsic intrinsic = getMmaSyncF8("", getI8);
  intrinsic.name =
      (Twine("mma.sync.m16n8k32.s32.") + (isLhsUnsigned ? "u8." : "s8.") +
       (isRhsUnsigned ? "u8" : "s8"))
          .str();
  intrinsic.accType = getI32;
  intrinsic.hasShortSums = false;
  intrinsic.isLhsUnsigned = isLhsUnsigned;
  intrinsic.isRhsUnsigned = isRhsUnsigned;
  return intrinsic;
}

/// Describes products of TF32, which is f32 with 10 bits of the fraction. The
/// instruction rounds its operands to TF32. With x3, three such products also
/// use the next bits.
static MmaIntrinsic getMmaSyncTF32(StringRef name) {
  MmaIntrinsic intrinsic = getMmaSync(
      name, 8, [](MLIRContext *c) -> Type { return Float32Type::get(c); });
  auto parse = [](StringRef text) { return *Layout::parse(text, 32, 1); };
  intrinsic.lhs = parse("[register 2:1, lane 8:4] x [register 2:2, lane 4:1]");
  intrinsic.rhs = parse("[register 2:1, lane 4:1] x [lane 8:4]");
  intrinsic.isApproximate = true;
  return intrinsic;
}

/// Describes products that accumulate in f16.
static MmaIntrinsic getMmaSyncF16(StringRef name, int64_t k) {
  auto f16 = [](MLIRContext *c) -> Type { return Float16Type::get(c); };
  MmaIntrinsic intrinsic = getMmaSync(name, k, f16);
  intrinsic.accType = f16;
  return intrinsic;
}

/// Returns the products of f8 whose operands are not exchanged.
static std::vector<MmaIntrinsic> getProductsOfF8() {
  return {getMmaSyncF8(
              "e4m3",
              [](MLIRContext *c) -> Type { return Float8E4M3FNType::get(c); }),
          getMmaSyncF8("e5m2", [](MLIRContext *c) -> Type {
            return Float8E5M2Type::get(c);
          })};
}

/// Appends to `intrinsics` those with exchanged operands.
static std::vector<MmaIntrinsic>
withTransposed(std::vector<MmaIntrinsic> intrinsics) {
  for (size_t i = 0, e = intrinsics.size(); i < e; ++i)
    intrinsics.push_back(getTransposed(intrinsics[i]));
  return intrinsics;
}

std::vector<MmaIntrinsic> nvgpu_ext::getMmaSyncF8Intrinsics() {
  return withTransposed(getProductsOfF8());
}

/// Returns the products of integers of 8 bits whose operands are not exchanged.
static std::vector<MmaIntrinsic> getProductsOfI8() {
  std::vector<MmaIntrinsic> intrinsics;
  for (bool isLhsUnsigned : {false, true})
    for (bool isRhsUnsigned : {false, true})
      intrinsics.push_back(getMmaSyncI8(isLhsUnsigned, isRhsUnsigned));
  return intrinsics;
}

std::vector<MmaIntrinsic> nvgpu_ext::getMmaSyncI8Intrinsics() {
  return withTransposed(getProductsOfI8());
}

std::vector<MmaIntrinsic> nvgpu_ext::getMmaSyncIntrinsics() {
  auto f16 = [](MLIRContext *c) -> Type { return Float16Type::get(c); };
  auto bf16 = [](MLIRContext *c) -> Type { return BFloat16Type::get(c); };
  return {getMmaSync("mma.sync.m16n8k16.f32.f16", 16, f16),
          getMmaSync("mma.sync.m16n8k16.f32.bf16", 16, bf16),
          getTransposed(getMmaSync("mma.sync.m16n8k16.f32.f16", 16, f16)),
          getTransposed(getMmaSync("mma.sync.m16n8k16.f32.bf16", 16, bf16)),
          getMmaSync("mma.sync.m16n8k8.f32.f16", 8, f16),
          getMmaSync("mma.sync.m16n8k8.f32.bf16", 8, bf16),
          getMmaSyncF16("mma.sync.m16n8k16.f16.f16", 16),
          getMmaSyncF16("mma.sync.m16n8k8.f16.f16", 8),
          getMmaSyncTF32("mma.sync.m16n8k8.f32.tf32"),
          getMmaSyncTF32("mma.sync.m16n8k8.f32.tf32x3")};
}

/// Describes wgmma. The accumulator and A of a warpgroup have the layouts of
/// mma.sync.m16n8k16, repeated N / 8 times along N, and once for each warp
/// along M.
static MmaIntrinsic getWgmma(StringRef typeName, int64_t n,
                             std::function<Type(MLIRContext *)> type) {
  MmaIntrinsic intrinsic = getMmaSync("", 16, type);
  intrinsic.name = ("wgmma.m64n" + Twine(n) + "k16.f32." + typeName).str();
  intrinsic.m = 64;
  intrinsic.n = n;
  intrinsic.lhs = *intrinsic.lhs.repeat(0, layout::Axis::Subgroup, 4);
  intrinsic.acc = *intrinsic.acc.repeat(1, layout::Axis::Register, n / 8)
                       ->repeat(0, layout::Axis::Subgroup, 4);
  intrinsic.rhs = Layout();
  intrinsic.rhsInSharedMemory = true;
  intrinsic.isAsynchronous = true;
  intrinsic.hasLowering = false;
  return intrinsic;
}

std::vector<MmaIntrinsic> nvgpu_ext::getWgmmaIntrinsics() {
  auto f16 = [](MLIRContext *c) -> Type { return Float16Type::get(c); };
  auto bf16 = [](MLIRContext *c) -> Type { return BFloat16Type::get(c); };
  std::vector<MmaIntrinsic> intrinsics;
  for (int64_t n = 8; n <= 256; n += 8) {
    intrinsics.push_back(getWgmma("f16", n, f16));
    intrinsics.push_back(getWgmma("bf16", n, bf16));
  }
  return intrinsics;
}

std::vector<MmaIntrinsic> nvgpu_ext::getWgmmaF8Intrinsics() {
  std::vector<MmaIntrinsic> operands = getProductsOfF8(), intrinsics;
  for (int64_t n = 8; n <= 256; n += 8)
    for (const MmaIntrinsic &a : operands)
      for (const MmaIntrinsic &b : operands) {
        auto getType = [](const MmaIntrinsic &intrinsic) {
          return StringRef(intrinsic.name).rsplit('.').second;
        };
        MmaIntrinsic &wgmma = intrinsics.emplace_back(
            getWgmma((getType(a) + "." + getType(b)).str(), n, a.lhsType));
        wgmma.name.replace(wgmma.name.find("k16"), 3, "k32");
        wgmma.k = a.k;
        wgmma.lhs = *a.lhs.repeat(0, layout::Axis::Subgroup, 4);
        wgmma.rhsType = b.rhsType;
        wgmma.hasShortSums = true;
      }
  return intrinsics;
}

std::vector<MmaIntrinsic> nvgpu_ext::getWgmmaI8Intrinsics() {
  std::vector<MmaIntrinsic> intrinsics;
  // Beyond 32 columns, there are instructions only for multiples of 16.
  for (int64_t n = 8; n <= 256; n += n < 32 ? 8 : 16)
    for (const MmaIntrinsic &sync : getProductsOfI8()) {
      // PTX 8.1, which the chips of this table use, has no products of operands
      // with different signedness.
      if (sync.isLhsUnsigned != sync.isRhsUnsigned)
        continue;
      StringRef types = sync.name;
      types.consume_front("mma.sync.m16n8k32.s32.");
      MmaIntrinsic &wgmma =
          intrinsics.emplace_back(getWgmma(types, n, sync.lhsType));
      wgmma.name = ("wgmma.m64n" + Twine(n) + "k32.s32." + types).str();
      wgmma.k = sync.k;
      wgmma.lhs = *sync.lhs.repeat(0, layout::Axis::Subgroup, 4);
      wgmma.accType = sync.accType;
      wgmma.isLhsUnsigned = sync.isLhsUnsigned;
      wgmma.isRhsUnsigned = sync.isRhsUnsigned;
    }
  return intrinsics;
}

static SmallVector<Value> startAsyncCopies(OpBuilder &b, Location loc,
                                           ArrayRef<AsyncCopy> copies) {
  auto type = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  SmallVector<Value> tokens;
  for (const AsyncCopy &copy : copies) {
    // Only copies of 16 bytes may bypass the first-level cache.
    UnitAttr bypassL1;
    auto source = cast<MemRefType>(copy.source.getType());
    if (copy.width * source.getElementTypeBitWidth() == 128)
      bypassL1 = b.getUnitAttr();
    tokens.push_back(nvgpu::DeviceAsyncCopyOp::create(
        b, loc, type, copy.destination, copy.destinationIndices, copy.source,
        copy.sourceIndices, b.getIndexAttr(copy.width), copy.elements,
        bypassL1));
  }
  return tokens;
}

static void buildAsyncCopies(OpBuilder &b, Location loc,
                             ArrayRef<AsyncCopy> copies) {
  auto type = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  SmallVector<Value> tokens = startAsyncCopies(b, loc, copies);
  Value group = nvgpu::DeviceAsyncCreateGroupOp::create(b, loc, type, tokens);
  nvgpu::DeviceAsyncWaitOp::create(b, loc, group, IntegerAttr());
}

static void buildArrivingCopies(OpBuilder &b, Location loc,
                                ArrayRef<AsyncCopy> copies, Value barriers,
                                Value index) {
  startAsyncCopies(b, loc, copies);
  Value address =
      nvgpu::MBarrierGetOp::create(b, loc, b.getI32Type(), barriers, index);
  auto type = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  Value pointer = LLVM::IntToPtrOp::create(b, loc, type, address);
  NVVM::CpAsyncMBarrierArriveOp::create(b, loc, pointer, /*noinc=*/true);
}

static bool isAsyncWait(Operation *op) {
  return isa<nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(op);
}

void nvgpu_ext::registerIntrinsics(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *dialect) {
    // Distribution creates ops of this dialect.
    context->getOrLoadDialect<nvgpu::NVGPUDialect>();
    context->getOrLoadDialect<NVVM::NVVMDialect>();
    context->getOrLoadDialect<LLVM::LLVMDialect>();
    dialect->setAsyncCopies(
        {buildAsyncCopies, isAsyncWait, buildArrivingCopies});
    dialect->setTileCopies(getTileCopies());
    for (MmaIntrinsic &intrinsic : getMmaSyncIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getMmaSyncF8Intrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getMmaSyncI8Intrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWgmmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWgmmaI8Intrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWgmmaF8Intrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : linalg_ext::getFmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
  });
}

/// Builds whether `condition` is true in all threads of a subgroup.
static Value voteAll(OpBuilder &b, Location loc, Value condition) {
  Value all = arith::ConstantIntOp::create(b, loc, b.getI32Type(), -1);
  return NVVM::VoteSyncOp::create(b, loc, b.getI1Type(), all, condition,
                                  NVVM::VoteSyncKind::all);
}

/// The special function unit computes these functions in f32.
const MathInstructions &nvgpu_ext::getMathInstructions() {
  static constexpr MathInstructions instructions = {
      /*exp2=*/"llvm.nvvm.ex2.approx.ftz.f",
      // The functions must handle subnormal numbers: bf16 has as many as f32.
      /*log2=*/"llvm.nvvm.lg2.approx.f",
      /*rsqrt=*/"llvm.nvvm.rsqrt.approx.f",
      /*sqrt=*/"llvm.nvvm.sqrt.approx.ftz.f",
      /*reciprocal=*/"llvm.nvvm.rcp.approx.ftz.f",
      /*divide=*/"llvm.nvvm.div.full",
      /*rsqrtFlushes=*/false,
      /*all=*/voteAll,
      /*hasMaxOfThreeIntegers=*/true};
  return instructions;
}

/// Builds `x`, a vector of f32, rounded to TF32.
static Value roundToTF32(RewriterBase &rewriter, Location loc, Value x) {
  auto type = cast<VectorType>(x.getType());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value bits = LLVM::CallIntrinsicOp::create(
                     rewriter, loc, rewriter.getI32Type(),
                     rewriter.getStringAttr("llvm.nvvm.f2tf32.rna"),
                     vector::ExtractOp::create(rewriter, loc, x, i).getResult())
                     .getResult(0);
    elements.push_back(
        arith::BitcastOp::create(rewriter, loc, rewriter.getF32Type(), bits));
  }
  return vector::FromElementsOp::create(rewriter, loc, type, elements);
}

/// Builds `x - high`, rounded to TF32. The result is 0 where both are equal,
/// even if they are infinite.
static Value getRestInTF32(RewriterBase &rewriter, Location loc, Value x,
                           Value high) {
  Value rest = arith::SubFOp::create(rewriter, loc, x, high);
  Value isAll =
      arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OEQ, x, high);
  Value zero = arith::ConstantOp::create(rewriter, loc,
                                         rewriter.getZeroAttr(x.getType()));
  return roundToTF32(rewriter, loc,
                     arith::SelectOp::create(rewriter, loc, isAll, zero, rest));
}

bool nvgpu_ext::isMmaSync(Operation *op) {
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  return isa<nvgpu::MmaSyncOp>(op) ||
         (assembly && assembly.getAsmString().starts_with("mma.sync."));
}

/// Builds mma.sync with operands of 8 bits. The dialects `nvgpu` and `nvvm`
/// lack it for floats and for unsigned integers.
static Value buildMmaSync8(RewriterBase &rewriter, MmaOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  StringRef types = op.getIntrinsic();
  bool isInteger = types.consume_front("mma.sync.m16n8k32.s32.");
  types.consume_front("mma.sync.m16n8k32.f32.");
  Value first = op.getLhs(), second = op.getRhs();
  if (types.consume_back(kTransposed))
    std::swap(first, second);
  std::string ofOperands = types.str(), ofSums = isInteger ? "s32" : "f32";
  if (!isInteger)
    ofOperands += "." + ofOperands;
  SmallVector<Value> operands;
  for (Value operand : {first, second}) {
    int64_t count = cast<VectorType>(operand.getType()).getNumElements() / 4;
    Value words = vector::BitCastOp::create(
        b, VectorType::get({count}, b.getI32Type()), operand);
    for (int64_t i = 0; i < count; ++i)
      operands.push_back(vector::ExtractOp::create(b, words, i));
  }
  for (int64_t i = 0; i < 4; ++i)
    operands.push_back(vector::ExtractOp::create(b, op.getAcc(), i));
  SmallVector<Type> results(4, cast<VectorType>(op.getType()).getElementType());
  std::string text = ("mma.sync.aligned.m16n8k32.row.col." + Twine(ofSums) +
                      "." + ofOperands + "." + ofSums +
                      " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                      "{$10, $11, $12, $13};")
                         .str();
  Value sums =
      LLVM::InlineAsmOp::create(
          b, LLVM::LLVMStructType::getLiteral(b.getContext(), results),
          operands, text,
          isInteger ? "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
                    : "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f",
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr())
          .getResult(0);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < 4; ++i)
    elements.push_back(LLVM::ExtractValueOp::create(b, sums, i));
  return vector::FromElementsOp::create(b, cast<VectorType>(op.getType()),
                                        elements);
}

namespace {
struct LowerMma : OpRewritePattern<MmaOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIntrinsic().starts_with("mma.sync."))
      return rewriter.notifyMatchFailure(op, "not an mma.sync");
    if (op.getIntrinsic().starts_with("mma.sync.m16n8k32.")) {
      rewriter.replaceOp(op, buildMmaSync8(rewriter, op));
      return success();
    }
    const MmaIntrinsic *intrinsic = cast<VectorExtDialect>(op->getDialect())
                                        ->lookupIntrinsic(op.getIntrinsic());
    Location loc = op.getLoc();
    // A and B are registers of 32 bits; accumulators come in pairs.
    auto split = [&](Value value, int64_t width) -> Value {
      auto type = cast<VectorType>(value.getType());
      auto pairs = VectorType::get({type.getNumElements() / width, width},
                                   type.getElementType());
      return vector::ShapeCastOp::create(rewriter, loc, pairs, value);
    };
    bool isTF32 = intrinsic->lhsType(op.getContext()).isF32();
    bool isTransposed = op.getIntrinsic().ends_with(kTransposed);
    SmallVector<int64_t> shape{intrinsic->m, intrinsic->n, intrinsic->k};
    if (isTransposed)
      std::swap(shape[0], shape[1]);
    Value result = split(op.getAcc(), 2);
    auto multiply = [&](Value lhs, Value rhs) {
      int64_t width = isTF32 ? 1 : 2;
      result = nvgpu::MmaSyncOp::create(rewriter, loc, split(lhs, width),
                                        split(rhs, width), result, shape,
                                        /*tf32Enabled=*/isTF32);
    };
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (isTransposed)
      std::swap(lhs, rhs);
    if (isTF32) {
      Value lhsHigh = roundToTF32(rewriter, loc, lhs);
      Value rhsHigh = roundToTF32(rewriter, loc, rhs);
      if (op.getIntrinsic().ends_with("x3")) {
        // The smaller products are added first.
        multiply(getRestInTF32(rewriter, loc, lhs, lhsHigh), rhsHigh);
        multiply(lhsHigh, getRestInTF32(rewriter, loc, rhs, rhsHigh));
      }
      lhs = lhsHigh;
      rhs = rhsHigh;
    }
    multiply(lhs, rhs);
    rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, op.getType(), result);
    return success();
  }
};

struct LowerLoadMatrix : OpRewritePattern<LoadMatrixOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(LoadMatrixOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = cast<VectorType>(op.getResult().getType());
    int64_t perWord = 32 / type.getElementTypeBitWidth();
    int64_t matrices = type.getNumElements() / perWord;
    auto words = VectorType::get({matrices, perWord}, type.getElementType());
    Value loaded = nvgpu::LdMatrixOp::create(
        rewriter, op.getLoc(), words, op.getBase(), op.getIndex(),
        op.getTranspose(), static_cast<uint32_t>(matrices));
    rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, type, loaded);
    return success();
  }
};
} // namespace

void nvgpu_ext::populateLowerMmaPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMma, LowerLoadMatrix>(patterns.getContext());
}
