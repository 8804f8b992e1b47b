//===- FusionReport.h - What users are told of fusion -----------*- C++ -*-===//
//
// Lines for users, one for each thing that they might want to change, where the
// op is. They are MLIR remarks, which are printed unless somebody asks not to;
// with `requireFusion` what was missed is an error.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_PIPELINES_FUSIONREPORT_H
#define LINALG_EXT_PIPELINES_FUSIONREPORT_H

#include "mlir-ext/Fusion/Plan/UnfusedChains.h"

#include "mlir/IR/Diagnostics.h"

namespace mlir::linalg_ext {

class FusionReport {
public:
  /// `kind` is none, missed or all; anything else is an error at `loc`.
  static FailureOr<FusionReport> create(Location loc, StringRef kind,
                                        bool requireFusion);
  /// What `kind` may be.
  static ArrayRef<StringRef> getKinds();

  /// What could have been fused, and costs memory.
  void missed(Location loc, const Twine &text);
  /// What was left unfused on purpose.
  void left(Location loc, const Twine &text);
  /// What was fused, and what makes no difference.
  void note(Location loc, const Twine &text);

  /// Fails if something was missed and fusion is required.
  LogicalResult finish() const { return failure(failed); }

private:
  enum class Kind { None, Missed, All };
  FusionReport(Kind kind, bool requireFusion)
      : kind(kind), requireFusion(requireFusion) {}

  Kind kind;
  bool requireFusion;
  bool failed = false;
};

/// "2x64x128xf32 (64.0 KiB)".
std::string describeSize(Type type);

/// "<reason>; <what to write instead>; <size> of '<op>' stays in memory", of a
/// program that linalg-ext-raise has seen. Without `stored` the last is left
/// out.
std::string describeMiss(StringRef reason, bool isRefusal, Value stored);

/// The blocks below `scope` in which ops on tensors are: bodies of functions,
/// loops and branches.
SmallVector<Block *> getBlocksOfTensorOps(Operation *scope);

} // namespace mlir::linalg_ext

#endif // LINALG_EXT_PIPELINES_FUSIONREPORT_H
