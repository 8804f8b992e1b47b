//===- Intrinsics.cpp - Tensor cores of NVIDIA GPUs -----------------------===//
//
// The fragments are those of the PTX ISA; unit tests check them against it at
// every coordinate.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Target/NVGPU/Passes.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNVGPULOWERMMAPASS
#include "mlir-ext/Target/NVGPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

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
  return intrinsic;
}

std::vector<MmaIntrinsic> nvgpu_ext::getMmaSyncIntrinsics() {
  auto f16 = [](MLIRContext *c) -> Type { return Float16Type::get(c); };
  auto bf16 = [](MLIRContext *c) -> Type { return BFloat16Type::get(c); };
  return {getMmaSync("mma.sync.m16n8k16.f32.f16", 16, f16),
          getMmaSync("mma.sync.m16n8k16.f32.bf16", 16, bf16),
          getMmaSync("mma.sync.m16n8k8.f32.f16", 8, f16),
          getMmaSync("mma.sync.m16n8k8.f32.bf16", 8, bf16)};
}

/// The accumulator and A of a warpgroup: those of mma.sync.m16n8k16, N / 8
/// times along N, of one warp after the other along M.
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

void nvgpu_ext::registerIntrinsics(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, VectorExtDialect *dialect) {
    for (MmaIntrinsic &intrinsic : getMmaSyncIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWgmmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
  });
}

namespace {
struct LowerMma : OpRewritePattern<MmaOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIntrinsic().starts_with("mma.sync."))
      return rewriter.notifyMatchFailure(op, "not an mma.sync");
    const MmaIntrinsic *intrinsic = cast<VectorExtDialect>(op->getDialect())
                                        ->lookupIntrinsic(op.getIntrinsic());
    Location loc = op.getLoc();
    // Pairs of elements are one register of 32 bits.
    auto toPairs = [&](Value value) -> Value {
      auto type = cast<VectorType>(value.getType());
      auto pairs = VectorType::get({type.getNumElements() / 2, 2},
                                   type.getElementType());
      return vector::ShapeCastOp::create(rewriter, loc, pairs, value);
    };
    Value result = nvgpu::MmaSyncOp::create(
        rewriter, loc, toPairs(op.getLhs()), toPairs(op.getRhs()),
        toPairs(op.getAcc()),
        ArrayRef<int64_t>{intrinsic->m, intrinsic->n, intrinsic->k});
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

namespace {
struct LinalgExtNVGPULowerMmaPass
    : public linalg_ext::impl::LinalgExtNVGPULowerMmaPassBase<
          LinalgExtNVGPULowerMmaPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    nvgpu_ext::registerIntrinsics(registry);
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    nvgpu_ext::populateLowerMmaPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult left = getOperation()->walk([](MmaOp op) {
      op.emitOpError() << "of '" << op.getIntrinsic()
                       << "' is not an instruction of this target";
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
