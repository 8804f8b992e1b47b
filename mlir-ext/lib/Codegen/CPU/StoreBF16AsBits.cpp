//===- StoreBF16AsBits.cpp - bf16 as integers -----------------------------===//
//
// On a processor without bf16 instructions, LLVM converts a bf16 value to f32
// and back in each select, phi and masked store. It does so element by element,
// with calls of functions that few libraries have. This step replaces bf16 by
// i16, which LLVM does not convert, if all ops on bf16 only move bits.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool isBF16(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto complex = dyn_cast<ComplexType>(element);
  return element.isBF16() || (complex && complex.getElementType().isBF16());
}

/// Returns whether `op` moves the bits of its operands without computing with
/// them.
static bool movesBits(Operation *op) {
  return isa<
      LLVM::AddressOfOp, LLVM::AllocaOp, LLVM::BitcastOp, LLVM::BrOp,
      LLVM::CallOp, LLVM::CondBrOp, LLVM::ConstantOp, LLVM::ExtractElementOp,
      LLVM::ExtractValueOp, LLVM::GEPOp, LLVM::GlobalOp, LLVM::InsertElementOp,
      LLVM::InsertValueOp, LLVM::LLVMFuncOp, LLVM::LoadOp, LLVM::MaskedLoadOp,
      LLVM::MaskedStoreOp, LLVM::PoisonOp, LLVM::ReturnOp, LLVM::SelectOp,
      LLVM::ShuffleVectorOp, LLVM::StoreOp, LLVM::UndefOp, LLVM::ZeroOp>(op);
}

void mlir::linalg_ext::storeBF16AsBits(Operation *scope) {
  WalkResult other = scope->walk([](Operation *op) {
    bool uses = llvm::any_of(op->getOperandTypes(), isBF16) ||
                llvm::any_of(op->getResultTypes(), isBF16);
    return uses && !movesBits(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  if (other.wasInterrupted())
    return;
  auto bits = IntegerType::get(scope->getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
    return type.isBF16() ? std::optional<Type>(bits) : std::nullopt;
  });
  replacer.addReplacement(
      [=](FloatAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!attr.getType().isBF16())
          return std::nullopt;
        return std::make_pair(
            IntegerAttr::get(bits, attr.getValue().bitcastToAPInt()),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [=](DenseElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!attr.getElementType().isBF16())
          return std::nullopt;
        return std::make_pair(attr.bitcast(bits), WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(scope, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
