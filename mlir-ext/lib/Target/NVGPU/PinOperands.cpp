//===- PinOperands.cpp - Operands that a loop carries ---------------------===//
//
// A rotated loop carries the operand of an asynchronous product in registers,
// rounded to 16 bits. LLVM merges the rounding in each iteration with the
// rounding before the loop, and moves both to the start of the loop body. The
// loop then carries twice as many registers, and each product waits for the
// rounding.
//
// LLVM does the same with values that are loaded for the next iteration: the
// loop carries the address, and each iteration waits for its own load.
//
// Empty inline assembly keeps the rounding and the load where they are.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::AsyncMmaOp;

/// Returns whether an asynchronous instruction reads `value`, or a part of it,
/// from registers.
static bool isOperand(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto mma = dyn_cast<AsyncMmaOp>(user))
      return &use == &mma.getLhsMutable();
    return isa_and_present<vector::VectorDialect>(user->getDialect()) &&
           user->getNumResults() == 1 && isOperand(user->getResult(0));
  });
}

bool mlir::linalg_ext::isLoaded(Value value) {
  while (true) {
    // These are the words of a value that is already pinned.
    if (auto cast = value.getDefiningOp<vector::BitCastOp>()) {
      value = cast.getSource();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<vector::FromElementsOp, LLVM::ExtractValueOp,
                         LLVM::InlineAsmOp, vector::ExtractOp>(op))
      break;
    value = op->getOperand(0);
  }
  return isa_and_present<vector::LoadOp, memref::LoadOp>(value.getDefiningOp());
}

/// Returns the number of words of `type` if its elements have at most 32 bits,
/// and 0 otherwise.
static int64_t getNumWords(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable() ||
      !vector.getElementType().isIntOrFloat())
    return 0;
  int64_t width = vector.getElementTypeBitWidth(),
          bits = width * vector.getNumElements();
  return width <= 32 && bits % 32 == 0 ? bits / 32 : 0;
}

/// Returns whether the elements of `type` have fewer than 32 bits.
static bool isNarrow(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32;
}

/// Passes the `count` words of `value` through inline assembly, into which LLVM
/// does not see. Returns the same value.
static Value pin(ImplicitLocOpBuilder &b, Value value, int64_t count) {
  Type word = b.getI32Type();
  auto type = VectorType::get({count}, word);
  Value words = vector::BitCastOp::create(b, type, value);
  SmallVector<Value> inputs;
  SmallVector<std::string> constraints(count, "=r");
  for (int64_t i = 0; i < count; ++i) {
    inputs.push_back(vector::ExtractOp::create(b, words, i));
    constraints.push_back(std::to_string(i));
  }
  SmallVector<Type> types(count, word);
  Type result =
      count == 1
          ? word
          : Type(LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  Value outputs =
      LLVM::InlineAsmOp::create(
          b, result, inputs, "", llvm::join(constraints, ","),
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          /*operand_attrs=*/ArrayAttr())
          .getResult(0);
  SmallVector<Value> pinned;
  for (int64_t i = 0; i < count; ++i)
    pinned.push_back(count == 1 ? outputs
                                : LLVM::ExtractValueOp::create(b, outputs, i));
  return vector::BitCastOp::create(
      b, cast<VectorType>(value.getType()),
      vector::FromElementsOp::create(b, type, pinned));
}

void mlir::linalg_ext::pinOperands(RewriterBase &rewriter, Operation *scope) {
  scope->walk([&](scf::ForOp loop) {
    Operation *yield = loop.getBody()->getTerminator();
    ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
    b.setInsertionPoint(yield);
    for (auto [carried, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(),
                         loop.getYieldedValuesMutable().value())) {
      int64_t count = getNumWords(carried.getType());
      if (count == 0 || !(isLoaded(yielded.get()) ||
                          (isNarrow(carried.getType()) && isOperand(carried))))
        continue;
      Value pinned = pin(b, yielded.get(), count);
      rewriter.modifyOpInPlace(
          yield, [&, &yielded = yielded] { yielded.set(pinned); });
    }
  });
}
