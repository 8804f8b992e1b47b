//===- FusionReport.cpp - Remarks about fusion ----------------------------===//
//
// See FusionReport.h.
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"
#include "mlir-ext/Pipelines/CheckOptions.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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
  // The names are in the order of Kind.
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

/// An attribute of functions: the types of those of their tensors that were
/// reported. Its name has no dialect prefix, because the dialect's verifier
/// would reject it.
static constexpr StringLiteral kReportedAttrName = "reported_tensors";

void mlir::linalg_ext::setReported(Operation *root, ArrayRef<Value> stored) {
  auto function = root->getParentOfType<FunctionOpInterface>();
  if (!function)
    return;
  SmallVector<Attribute> types;
  if (auto known = function->getAttrOfType<ArrayAttr>(kReportedAttrName))
    llvm::append_range(types, known);
  for (Value value : stored)
    types.push_back(TypeAttr::get(value.getType()));
  function->setAttr(kReportedAttrName,
                    ArrayAttr::get(function->getContext(), types));
}

bool mlir::linalg_ext::isReported(Operation *function, Type type) {
  auto known = function->getAttrOfType<ArrayAttr>(kReportedAttrName);
  auto shaped = cast<ShapedType>(type);
  return known && llvm::any_of(known, [&](Attribute other) {
           auto typeAttr = dyn_cast<TypeAttr>(other);
           auto reported =
               typeAttr ? dyn_cast<ShapedType>(typeAttr.getValue()) : nullptr;
           return reported && reported.hasRank() &&
                  reported.getElementType() == shaped.getElementType() &&
                  countElements(reported) == countElements(shaped);
         });
}

void mlir::linalg_ext::clearReported(Operation *function) {
  function->removeAttr(kReportedAttrName);
}

void FusionReport::data(Location loc, StringRef kind,
                        llvm::json::Object object) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "data: "
     << llvm::json::Value(
            llvm::json::Object{{kind, llvm::json::Value(std::move(object))}});
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

/// With fewer rows, a CPU copies rows (Codegen/CPU/TileToPages.cpp).
static constexpr int64_t kMinRowsOnCPU = 8;

/// Returns "{0} rows", or that their number is dynamic.
static std::string describeCount(int64_t count, const char *unit) {
  return ShapedType::isDynamic(count)
             ? (Twine("a dynamic number of ") + unit).str()
             : llvm::formatv("{0} {1}", count, unit).str();
}

/// Returns the fewest rows of K that a subgroup of `gpu` reads from a page with
/// one instruction, if rows have `bytes` bytes. The same holds for V, which is
/// transposed while it is read (`vector_ext::getTileLayout`).
static int64_t getRowsOfInstruction(const GPUTarget &gpu, int64_t bytes) {
  constexpr int64_t kTransposed = 16;
  return std::max(kTransposed, 16 * gpu.lanes / std::max<int64_t>(bytes, 1));
}

void mlir::linalg_ext::reportGathers(Operation *scope, const GPUTarget *gpu,
                                     FusionReport &report) {
  bool isOnCPU = !gpu;
  scope->walk([&](PagedGatherOp gather) {
    auto pool = cast<ShapedType>(gather.getPool().getType());
    Location loc = gather.getLoc();
    int64_t rows = pool.getDimSize(gather.getPoolRowDim());
    if (gather.isPaged() && isOnCPU &&
        (ShapedType::isDynamic(rows) || rows < kMinRowsOnCPU))
      report.note(loc, "rows are copied: pages have " +
                           describeCount(rows, "rows") +
                           ", expected at least " + Twine(kMinRowsOnCPU));
    else if (isOnCPU)
      report.note(loc, "rows are read in place, but for the last ones of a "
                       "sequence whose end is in a tile: they are copied");
    else if (gather.isPaged() && ShapedType::isDynamic(rows))
      report.note(loc, "the table is read for each row: pages have " +
                           describeCount(rows, "rows"));
    // This is contiguous in the pool.
    int64_t last = pool.getShape().back(), bytes = ShapedType::kDynamic;
    if (!ShapedType::isDynamic(last) && pool.getElementType().isIntOrFloat())
      bytes = last * pool.getElementTypeBitWidth() / 8;
    if (!isOnCPU && (ShapedType::isDynamic(bytes) || bytes % 16 != 0))
      report.note(loc, "loads may have less than 16 bytes: rows have " +
                           describeCount(bytes, "bytes") +
                           ", expected a multiple of 16");
    // Without asynchronous copies, pages are read as buffers if all lanes that
    // read at a time read the same page.
    else if (gpu && !gpu->asyncCopies && gather.isPaged() &&
             !ShapedType::isDynamic(rows)) {
      int64_t least = getRowsOfInstruction(*gpu, bytes);
      if (rows < least || !llvm::isPowerOf2_64(rows))
        report.note(loc, "not all pages are read through buffers: lanes may "
                         "read several pages at a time, of " +
                             describeCount(rows, "rows") +
                             "; expected a power of two from " + Twine(least) +
                             " on");
    }
  });
}

/// Returns whether `op` could be fused with the ops that compute or read its
/// tensors. An op that reads no tensor is a fill.
static bool isFusible(Operation *op) {
  return isa_and_present<TilingInterface>(op) &&
         llvm::count_if(op->getOperandTypes(), llvm::IsaPred<TensorType>) >
             op->getNumResults();
}

void mlir::linalg_ext::reportCalls(Operation *scope, FusionReport &report) {
  scope->walk([&](CallOpInterface call) {
    bool isBetween = llvm::any_of(call.getArgOperands(),
                                  [](Value value) {
                                    return isFusible(value.getDefiningOp());
                                  }) ||
                     llvm::any_of(call->getUsers(), isFusible);
    auto callee = dyn_cast_if_present<CallableOpInterface>(
        isBetween ? call.resolveCallable() : nullptr);
    if (callee && callee.getCallableRegion())
      report.left(call.getLoc(),
                  "nothing is fused across this call; expected the function to "
                  "be private, not recursive, and without 'no_inline'");
  });
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
