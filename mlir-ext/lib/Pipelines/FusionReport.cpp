//===- FusionReport.cpp - What users are told of fusion -------------------===//
//
// See FusionReport.h.
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "mlir-ext/Transforms/FusionRemarks.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

FailureOr<FusionReport> FusionReport::create(Location loc, StringRef kind,
                                             bool requireFusion) {
  if (kind == "none")
    return FusionReport(Kind::None, requireFusion);
  if (kind == "missed")
    return FusionReport(Kind::Missed, requireFusion);
  if (kind == "all")
    return FusionReport(Kind::All, requireFusion);
  return emitError(loc) << "expected 'report' to be none, missed or all, got '"
                        << kind << "'";
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

std::string mlir::linalg_ext::describeMiss(StringRef reason, bool isRefusal,
                                           Value stored) {
  std::string text = reason.str();
  StringRef suggestion = getFusionSuggestion(reason, isRefusal);
  // It has been run.
  for (StringRef raise : {"if it is part of a softmax, run linalg-ext-raise "
                          "first; otherwise ",
                          "if it is a softmax, run linalg-ext-raise first; "
                          "otherwise "})
    suggestion.consume_front(raise);
  if (!suggestion.empty())
    text += ("; " + suggestion).str();
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
