//===- ThreadProducts.cpp - Products of f32 by threads --------------------===//
//
// See ThreadProducts.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/ThreadProducts.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

/// Describes products by threads as if a subgroup had an instruction for them.
/// It has 4 lanes along M and 8 along N, each with `width` adjacent columns.
static MmaIntrinsic getFma(StringRef name, int64_t width) {
  MmaIntrinsic intrinsic;
  intrinsic.name = name.str();
  intrinsic.m = 4;
  intrinsic.n = 8 * width;
  intrinsic.k = 4;
  auto parse = [&](const Twine &text) {
    return *Layout::parse(text.str(), 32, 1);
  };
  std::string columns =
      width == 1 ? "[lane 8:1]"
                 : ("[lane 8:1, register " + Twine(width) + ":1]").str();
  intrinsic.lhs = parse("[lane 4:8] x [register 4:1]");
  intrinsic.rhs = parse("[register 4:" + Twine(width) + "] x " + columns);
  intrinsic.acc = parse("[lane 4:8] x " + Twine(columns));
  auto f32 = [](MLIRContext *c) -> Type { return Float32Type::get(c); };
  intrinsic.lhsType = intrinsic.rhsType = intrinsic.accType = f32;
  intrinsic.isByThreads = true;
  intrinsic.hasLowering = true;
  return intrinsic;
}

std::vector<MmaIntrinsic> linalg_ext::getFmaIntrinsics() {
  return {getFma("fma.m4n32k4.f32", 4), getFma("fma.m4n16k4.f32", 2),
          getFma("fma.m4n8k4.f32", 1)};
}

namespace {
/// Lowers `vector_ext.mma` to one product after the other in each thread.
struct LowerProducts : OpRewritePattern<MmaOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(MmaOp op,
                                PatternRewriter &rewriter) const override {
    const MmaIntrinsic *intrinsic = cast<VectorExtDialect>(op->getDialect())
                                        ->lookupIntrinsic(op.getIntrinsic());
    if (!intrinsic->isByThreads)
      return rewriter.notifyMatchFailure(op, "an instruction");
    Location loc = op.getLoc();
    auto extract = [&](Value value, int64_t reg) -> Value {
      return vector::ExtractOp::create(rewriter, loc, value, reg);
    };
    SmallVector<Value> sums;
    for (int64_t reg = 0; reg < intrinsic->acc.getNumRegisters(); ++reg) {
      // All threads have the same products in the same registers.
      SmallVector<int64_t> at = intrinsic->acc.getCoordinate({0, 0, reg});
      Value sum = extract(op.getAcc(), reg);
      for (int64_t k = 0; k < intrinsic->k; ++k)
        sum = math::FmaOp::create(
            rewriter, loc,
            extract(op.getLhs(), intrinsic->lhs.getOwner({at[0], k}).reg),
            extract(op.getRhs(), intrinsic->rhs.getOwner({k, at[1]}).reg), sum);
      sums.push_back(sum);
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, op.getType(), sums);
    return success();
  }
};
} // namespace

void linalg_ext::populateLowerThreadProductsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<LowerProducts>(patterns.getContext());
}
