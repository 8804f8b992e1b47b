//===- FusionReport.cpp - Remarks about fusion ----------------------------===//
//
// See FusionReport.h.
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "mlir-ext/Pipelines/CheckOptions.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

FailureOr<FusionReport> FusionReport::create(Location loc, StringRef kind,
                                             bool requireFusion) {
  std::string error;
  if (mlir::failed(checkOneOf("report", kind, getKinds(), error)))
    return emitError(loc) << error;
  auto number = llvm::find(getKinds(), kind) - getKinds().begin();
  return FusionReport(static_cast<Kind>(number), requireFusion);
}

ArrayRef<StringRef> FusionReport::getKinds() {
  // In the order of Kind.
  static constexpr StringRef kinds[] = {"none", "missed", "all"};
  return kinds;
}

void FusionReport::missed(Location loc, const Twine &text) {
  if (requireFusion) {
    failed = true;
    emitError(loc) << text;
    return;
  }
  left(loc, text);
}

void FusionReport::left(Location loc, const Twine &text) {
  if (kind != Kind::None)
    emitRemark(loc) << text;
}

void FusionReport::note(Location loc, const Twine &text) {
  if (kind == Kind::All)
    emitRemark(loc) << text;
}

std::string mlir::linalg_ext::describeSize(Type type) {
  auto shaped = cast<ShapedType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : shaped.getShape()) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
    os << "x";
  }
  os << shaped.getElementType();
  if (!shaped.hasStaticShape() || !shaped.getElementType().isIntOrFloat())
    return text;
  double bytes = double(countElements(shaped)) *
                 double(llvm::divideCeil(shaped.getElementTypeBitWidth(), 8));
  const char *unit = "bytes";
  for (const char *larger : {"KiB", "MiB", "GiB"})
    if (bytes >= 1024) {
      bytes /= 1024;
      unit = larger;
    }
  os << llvm::formatv(StringRef(unit) == "bytes" ? " ({0:F0} {1})"
                                                 : " ({0:F1} {1})",
                      bytes, unit)
            .str();
  return text;
}

std::string mlir::linalg_ext::describeMiss(const Refusal &refusal,
                                           Value stored) {
  assert(refusal.isSet() && "failed without a refusal");
  std::string text = refusal.text;
  std::string suggestion =
      getFusionSuggestion(refusal.kind, /*mayRaise=*/false);
  if (!suggestion.empty())
    text += "; " + suggestion;
  if (stored)
    text += "; " + describeSize(stored.getType()) + " of '" +
            stored.getDefiningOp()->getName().getStringRef().str() +
            "' stays in memory";
  return text;
}

SmallVector<Block *> mlir::linalg_ext::getBlocksOfTensorOps(Operation *scope) {
  SmallVector<Block *> blocks;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<TilingInterface>(op)) // its region is a payload
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return WalkResult::advance();
  });
  return blocks;
}
