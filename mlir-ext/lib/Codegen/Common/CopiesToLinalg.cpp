//===- CopiesToLinalg.cpp - Strided copies as linalg ops ------------------===//
//
// The conversion to LLVM lowers a strided memref.copy to a call of memrefCopy.
// This function is slow, and its library is not linked with objects for C.
// Strided copies become linalg ops, which the pipeline vectorises.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `type` is contiguous memory, whatever its sizes are.
static bool isDense(MemRefType type) {
  return type.getLayout().isIdentity() ||
         (type.hasStaticShape() && type.getNumElements() > 0 &&
          memref::isStaticShapeAndContiguousRowMajor(type));
}

void mlir::linalg_ext::convertCopiesToLinalg(RewriterBase &rewriter,
                                             Operation *scope) {
  scope->walk([&](memref::CopyOp copy) {
    auto source = dyn_cast<MemRefType>(copy.getSource().getType());
    auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
    if (!source || !target || (isDense(source) && isDense(target)))
      return;
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(copy);
  });
}
