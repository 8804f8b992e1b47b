//===- ShareTemporariesPass.cpp - Memory of a call on a CPU ---------------===//
//
// The pass linalg-ext-share-temporaries. Codegen/Common/ShareTemporaries.cpp
// does the work, also for GPUs.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Passes.h"
#include "mlir-ext/Codegen/Common/ShareTemporaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTSHARETEMPORARIESPASS
#include "mlir-ext/Codegen/CPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct LinalgExtShareTemporariesPass
    : public linalg_ext::impl::LinalgExtShareTemporariesPassBase<
          LinalgExtShareTemporariesPass> {
  using Base::Base;

  void runOnOperation() override {
    ShareTemporariesOptions options;
    getOperation()->walk(
        [&](func::FuncOp func) { shareTemporaries(func, options); });
  }
};
} // namespace
