//===- TileOperands.cpp - Operands that are read as tiles -----------------===//
//
// See TileOperands.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/TileOperands.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

/// Returns the tensor from which `value` is only widened, or `value`.
static Value getNarrowed(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumReductionLoops() != 0 ||
      op.getBlock()->getOperations().size() != 2)
    return value;
  Operation &widen = op.getBlock()->front();
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(widen) &&
                 widen.getOperand(0) == op.getBlock()->getArgument(0)
             ? op.getDpsInputs().front()
             : value;
}

Type mlir::linalg_ext::getTileElementType(Value value) {
  auto type = dyn_cast<RankedTensorType>(getNarrowed(value).getType());
  return type ? type.getElementType() : Type();
}

bool mlir::linalg_ext::isTileTypeOf8Bits(Type type) {
  return isa_and_nonnull<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// The bytes of a row must be a multiple of this.
static constexpr int64_t kRowBytes = 16;

/// Explains why no tile of a tensor of type `tensor` can be read.
static std::string explainNoTilesOfType(Type tensor, bool mayHave8Bits,
                                        bool hasAlignedRows = false) {
  auto type = dyn_cast<RankedTensorType>(tensor);
  Type element = type ? type.getElementType() : Type();
  bool hasTiles =
      element && (element.isF16() || element.isBF16() ||
                  (mayHave8Bits && (linalg_ext::isTileTypeOf8Bits(element) ||
                                    element.isInteger(8))));
  if (!hasTiles)
    return "an operand is neither f16 nor bf16";
  int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
  if (ShapedType::isDynamic(row) && hasAlignedRows)
    return "";
  if (ShapedType::isDynamic(row))
    return "rows of an operand have a dynamic number of bytes, expected a "
           "multiple of 16";
  int64_t bytes = row * type.getElementTypeBitWidth() / 8;
  if (bytes % kRowBytes == 0)
    return "";
  return llvm::formatv(
      "rows of an operand have {0} bytes, expected a multiple of 16", bytes);
}

std::string mlir::linalg_ext::explainNoTiles(Value value, bool mayHave8Bits,
                                             bool hasAlignedRows) {
  return explainNoTilesOfType(getNarrowed(value).getType(), mayHave8Bits,
                              hasAlignedRows);
}

/// Returns the type of the memory of `value`. Its rows may be the first
/// elements of longer rows.
static Type getStoredType(Value value) {
  if (auto op = value.getDefiningOp<DestinationStyleOpInterface>())
    if (auto slice = op.getTiedOpOperand(cast<OpResult>(value))
                         ->get()
                         .getDefiningOp<tensor::ExtractSliceOp>();
        slice && slice.getType() == value.getType() && slice.hasUnitStride() &&
        slice.hasZeroOffset())
      return slice.getSourceType();
  return value.getType();
}

std::string mlir::linalg_ext::explainNoStoredTiles(Value value,
                                                   bool hasAlignedRows) {
  return explainNoTilesOfType(getStoredType(value), /*mayHave8Bits=*/false,
                              hasAlignedRows);
}

/// Returns whether the rows of `value`, as they are stored or narrowed, have a
/// multiple of `bytes`, or an unknown length.
static bool mayHaveRowsOf(Value value, int64_t bytes) {
  Value narrowed = getNarrowed(value);
  auto type = dyn_cast<RankedTensorType>(
      narrowed == value ? getStoredType(value) : narrowed.getType());
  return !type || type.getRank() == 0 ||
         !type.getElementType().isIntOrFloat() ||
         type.isDynamicDim(type.getRank() - 1) ||
         type.getShape().back() * type.getElementTypeBitWidth() % (8 * bytes) ==
             0;
}

bool mlir::linalg_ext::mayHaveLines(Value value, const GPUTarget &target) {
  return mayHaveRowsOf(value, target.lineBytes);
}

bool mlir::linalg_ext::mayHaveSectors(Value value) {
  constexpr int64_t kSectorBytes = 32;
  return mayHaveRowsOf(value, kSectorBytes);
}

bool mlir::linalg_ext::mayBeCopied(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isIntOrFloat() &&
         llvm::is_contained({16u, 32u}, element.getIntOrFloatBitWidth()) &&
         mayHaveRowsOf(value, kRowBytes);
}

std::optional<std::pair<Value, int64_t>>
mlir::linalg_ext::getDynamicRows(Value value, bool mayHave8Bits) {
  Value narrowed = getNarrowed(value);
  auto type = dyn_cast<RankedTensorType>(narrowed.getType());
  if (!type || type.getRank() < 2 || !type.isDynamicDim(type.getRank() - 1) ||
      !explainNoTiles(value, mayHave8Bits, /*hasAlignedRows=*/true).empty())
    return std::nullopt;
  return std::pair(narrowed, 8 * kRowBytes / type.getElementTypeBitWidth());
}

std::string mlir::linalg_ext::explainNoParts(Operation *gather) {
  if (!isa<PagedGatherOp>(gather))
    return "an operand is gathered";
  // If pages have another number of rows than a multiple of 2, threads copy
  // them.
  return "";
}
