//===- FusionReport.h - Remarks about fusion --------------------*- C++ -*-===//
//
// Emits one MLIR remark, at the location of the op, for each fusion or missed
// fusion. With `requireFusion`, a missed fusion is an error instead.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_FUSIONREPORT_H
#define MLIR_EXT_LIB_PIPELINES_FUSIONREPORT_H

#include "mlir-ext/Fusion/Plan/UnfusedChains.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::linalg_ext {

/// Emits the remarks of one pass.
class FusionReport {
public:
  /// Creates a report. `kind` is none, missed or all; for other values this
  /// fails with an error at `loc`.
  static FailureOr<FusionReport> create(Location loc, StringRef kind,
                                        bool requireFusion);
  /// Returns the possible values of `kind`.
  static ArrayRef<StringRef> getKinds();

  /// Reports a fusion that was possible and would have saved memory. This is an
  /// error with `requireFusion`, otherwise a remark unless `kind` is none.
  void missed(Location loc, const Twine &text);
  /// Reports an op that was left unfused on purpose, unless `kind` is none.
  void left(Location loc, const Twine &text);
  /// Reports a fusion, or a fact without consequences, if `kind` is all.
  void note(Location loc, const Twine &text);

  /// Emits `object` for programs, as a remark `data: {"kind": {...}}`.
  static void data(Location loc, StringRef kind, llvm::json::Object object);

  /// Fails if a fusion was missed and `requireFusion` is set.
  LogicalResult finish() const { return failure(failed); }

private:
  enum class Kind { None, Missed, All };
  FusionReport(Kind kind, bool requireFusion)
      : kind(kind), requireFusion(requireFusion) {}

  Kind kind;
  bool requireFusion;
  bool failed = false;
};

/// Notes in the function around `root` that the tensors `stored` have been
/// reported.
void setReported(Operation *root, ArrayRef<Value> stored);

/// Returns whether a tensor with the element type and the number of elements of
/// `type` was reported in `function`.
bool isReported(Operation *function, Type type);

/// Forgets which tensors were reported in `function`.
void clearReported(Operation *function);

/// Returns the shape and the size of `type`: "2x64x128xf32 (64.0 KiB)".
std::string describeSize(Type type);

/// Returns "<reason>; <suggestion>; <size> of '<op>' stays in memory", for a
/// program after linalg-ext-raise. `refusal` must be set. Leaves out the last
/// part if `stored` is null.
std::string describeMiss(const Refusal &refusal, Value stored);

/// Notes what makes each gather of pages in `scope` slow on `gpu`, or on CPUs
/// if `gpu` is null: rows that are copied or looked up one by one, and narrow
/// loads.
void reportGathers(Operation *scope, const GPUTarget *gpu,
                   FusionReport &report);

/// Reports each call in `scope` of a function with a body, if an op that could
/// be tiled computes an argument or reads a result. Nothing is fused across
/// such a call.
void reportCalls(Operation *scope, FusionReport &report);

/// Returns the blocks below `scope` that may contain ops on tensors: the bodies
/// of functions, loops and branches, but not payloads.
SmallVector<Block *> getBlocksOfTensorOps(Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_FUSIONREPORT_H
