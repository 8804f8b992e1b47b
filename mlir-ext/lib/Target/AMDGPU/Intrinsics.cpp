//===- Intrinsics.cpp - Matrix cores of AMD GPUs --------------------------===//
//
// The fragments are those of AMD's ISA manuals. Unit tests check them against
// the manuals at every coordinate.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/AMDGPU/Intrinsics.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

namespace {
/// The shape of an instruction, and its layouts as they are parsed.
struct Shape {
  StringRef name;
  int64_t m, n, k, lanes;
  StringRef lhs, rhs, acc;
};
} // namespace

/// The instruction of f16 and that of bf16.
static void addIntrinsics(const Shape &shape,
                          std::vector<MmaIntrinsic> &intrinsics) {
  auto f16 = [](MLIRContext *c) -> Type { return Float16Type::get(c); };
  auto bf16 = [](MLIRContext *c) -> Type { return BFloat16Type::get(c); };
  auto parse = [&](StringRef text) {
    return *Layout::parse(text, shape.lanes, 1);
  };
  for (bool isBrain : {false, true}) {
    MmaIntrinsic intrinsic;
    intrinsic.name = (shape.name + ".f32." + (isBrain ? "bf16" : "f16")).str();
    intrinsic.m = shape.m;
    intrinsic.n = shape.n;
    intrinsic.k = shape.k;
    intrinsic.lhs = parse(shape.lhs);
    intrinsic.rhs = parse(shape.rhs);
    intrinsic.acc = parse(shape.acc);
    if (isBrain)
      intrinsic.lhsType = intrinsic.rhsType = bf16;
    else
      intrinsic.lhsType = intrinsic.rhsType = f16;
    intrinsic.accType = [](MLIRContext *c) { return Float32Type::get(c); };
    intrinsics.push_back(std::move(intrinsic));
  }
}

std::vector<MmaIntrinsic> amdgpu_ext::getMfmaIntrinsics() {
  std::vector<MmaIntrinsic> intrinsics;
  addIntrinsics({"mfma.m16n16k16", 16, 16, 16, 64,
                 "[lane 16:1] x [lane 4:16, register 4:1]",
                 "[lane 4:16, register 4:1] x [lane 16:1]",
                 "[lane 4:16, register 4:1] x [lane 16:1]"},
                intrinsics);
  addIntrinsics({"mfma.m32n32k8", 32, 32, 8, 64,
                 "[lane 32:1] x [lane 2:32, register 4:1]",
                 "[lane 2:32, register 4:1] x [lane 32:1]",
                 "[register 4:4, lane 2:32, register 4:1] x [lane 32:1]"},
                intrinsics);
  return intrinsics;
}

std::vector<MmaIntrinsic> amdgpu_ext::getWmmaIntrinsics() {
  std::vector<MmaIntrinsic> intrinsics;
  addIntrinsics({"wmma.m16n16k16", 16, 16, 16, 32,
                 "[lane 16:1] x [register 16:1]",
                 "[register 16:1] x [lane 16:1]",
                 "[register 8:1, lane 2:16] x [lane 16:1]"},
                intrinsics);
  return intrinsics;
}

void amdgpu_ext::registerIntrinsics(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, VectorExtDialect *dialect) {
    for (MmaIntrinsic &intrinsic : getMfmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
    for (MmaIntrinsic &intrinsic : getWmmaIntrinsics())
      dialect->addIntrinsic(intrinsic);
  });
}
