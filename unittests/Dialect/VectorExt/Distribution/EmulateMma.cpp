//===- EmulateMma.cpp - Instructions of matrices, emulated ----------------===//
//
// See EmulateMma.h.
//
//===----------------------------------------------------------------------===//

#include "EmulateMma.h"

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::vector_ext;

namespace {
/// Returns the row and the column of a register of a thread.
using Formula =
    std::function<std::pair<AffineExpr, AffineExpr>(AffineExpr, int64_t)>;

struct Instruction {
  int64_t m, n, k, threads;
  Formula a, b, c;
};
} // namespace

static Instruction getInstruction(StringRef name, int64_t accRegisters) {
  if (name.starts_with("mfma.m16n16k16")) {
    auto a = [](AffineExpr t, int64_t i) {
      return std::make_pair(t % 16, t.floorDiv(16) * 4 + i);
    };
    auto b = [](AffineExpr t, int64_t i) {
      return std::make_pair(t.floorDiv(16) * 4 + i, t % 16);
    };
    return {16, 16, 16, 64, a, b, b};
  }
  if (name.starts_with("mfma.m32n32k8")) {
    auto a = [](AffineExpr t, int64_t i) {
      return std::make_pair(t % 32, t.floorDiv(32) * 4 + i);
    };
    auto b = [](AffineExpr t, int64_t i) {
      return std::make_pair(t.floorDiv(32) * 4 + i, t % 32);
    };
    auto c = [](AffineExpr t, int64_t i) {
      return std::make_pair(t.floorDiv(32) * 4 + 8 * (i / 4) + i % 4, t % 32);
    };
    return {32, 32, 8, 64, a, b, c};
  }
  auto c = [](AffineExpr t, int64_t i) {
    AffineExpr lane = t % 32;
    return std::make_pair(t.floorDiv(32) * 16 + lane.floorDiv(4) +
                              8 * (i / 2 % 2),
                          (lane % 4) * 2 + 8 * (i / 4) + i % 2);
  };
  return {64, 2 * accRegisters, 16, 128, c, nullptr, c};
}

/// Returns the byte of element (k, n) of an operand of 16 bits (PTX ISA, "Shared
/// Memory Matrix Layout" and "Swizzling Modes").
static int64_t getByte(MatrixDescriptorAttr descriptor, int64_t k, int64_t n) {
  int64_t w = descriptor.getSwizzle(), offset;
  if (descriptor.getKMajor())
    offset = w == 16 ? n % 8 * 16 + n / 8 * descriptor.getStride() +
                           k / 8 * descriptor.getLeading() + k % 8 * 2
                     : n % 8 * w + n / 8 * descriptor.getStride() + k * 2;
  else if (w == 16)
    offset = n % 8 * 2 + n / 8 * descriptor.getStride() + k % 8 * 16 +
             k / 8 * descriptor.getLeading();
  else
    offset = n % (w / 2) * 2 + n / (w / 2) * descriptor.getLeading() +
             k % 8 * w + k / 8 * descriptor.getStride();
  offset += descriptor.getStart();
  int64_t mask = w == 128 ? 0x70 : w == 64 ? 0x30 : w == 32 ? 0x10 : 0;
  return offset ^ (offset >> 3 & mask);
}

static void emulate(MmaOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t accRegisters =
      cast<VectorType>(op.getAcc().getType()).getNumElements();
  Instruction instruction = getInstruction(op.getIntrinsic(), accRegisters);
  Type type = cast<VectorType>(op.getLhs().getType()).getElementType();
  auto launch = op->getParentOfType<gpu::LaunchOp>();
  int64_t groups =
      *getConstantIntValue(launch.getBlockSizeX()) / instruction.threads;
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto allocate = [&](int64_t rows, int64_t columns) -> Value {
    return memref::AllocOp::create(
        b, MemRefType::get({groups, rows, columns}, type,
                           MemRefLayoutAttrInterface(), space));
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value size = constant(instruction.threads);
  Value group = arith::DivUIOp::create(b, thread, size);
  Value inGroup = arith::RemUIOp::create(b, thread, size);
  AffineExpr t = b.getAffineDimExpr(0);
  auto getIndices = [&](const Formula &formula, int64_t i) {
    auto [row, column] = formula(t, i);
    return SmallVector<Value>{
        group,
        affine::AffineApplyOp::create(b, AffineMap::get(1, 0, row), inGroup),
        affine::AffineApplyOp::create(b, AffineMap::get(1, 0, column),
                                      inGroup)};
  };
  auto store = [&](Value fragment, const Formula &formula, Value memory) {
    int64_t count = cast<VectorType>(fragment.getType()).getNumElements();
    for (int64_t i = 0; i < count; ++i)
      memref::StoreOp::create(b, vector::ExtractOp::create(b, fragment, i),
                              memory, getIndices(formula, i));
  };
  Value lhs = allocate(instruction.m, instruction.k);
  Value rhs = allocate(instruction.k, instruction.n);
  gpu::BarrierOp::create(b);
  store(op.getLhs(), instruction.a, lhs);
  if (instruction.b) {
    store(op.getRhs(), instruction.b, rhs);
  } else {
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, inGroup,
                                          constant(0));
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    for (int64_t k = 0; k < instruction.k; ++k)
      for (int64_t n = 0; n < instruction.n; ++n) {
        Value at = constant(getByte(*op.getDescriptor(), k, n) / 2);
        Value element = memref::LoadOp::create(b, op.getRhs(), at);
        memref::StoreOp::create(b, element, rhs,
                                ValueRange{group, constant(k), constant(n)});
      }
  }
  gpu::BarrierOp::create(b);
  SmallVector<Value> sums;
  for (int64_t i = 0; i < accRegisters; ++i) {
    Value sum = vector::ExtractOp::create(b, op.getAcc(), i);
    SmallVector<Value> at = getIndices(instruction.c, i);
    for (int64_t k = 0; k < instruction.k; ++k) {
      Value step = constant(k);
      Value left =
          memref::LoadOp::create(b, lhs, ValueRange{group, at[1], step});
      Value right =
          memref::LoadOp::create(b, rhs, ValueRange{group, step, at[2]});
      Value product = arith::MulFOp::create(
          b, arith::ExtFOp::create(b, sum.getType(), left),
          arith::ExtFOp::create(b, sum.getType(), right));
      sum = arith::AddFOp::create(b, sum, product);
    }
    sums.push_back(sum);
  }
  Value result = vector::FromElementsOp::create(
      b, cast<VectorType>(op.getAcc().getType()), sums);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

void linalg_ext_test::emulateMma(Operation *root) {
  SmallVector<MmaOp> ops;
  root->walk([&](MmaOp op) {
    if (op.getIntrinsic().starts_with("mfma.") ||
        op.getIntrinsic().starts_with("wgmma."))
      ops.push_back(op);
  });
  for (MmaOp op : ops)
    emulate(op);
}
