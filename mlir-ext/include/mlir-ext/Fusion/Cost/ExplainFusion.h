//===- ExplainFusion.h - Prints plans and their cost ------------*- C++ -*-===//
//
// Prints the plan of each root and its cost, without changing the program.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_COST_EXPLAINFUSION_H
#define MLIR_EXT_FUSION_COST_EXPLAINFUSION_H

#include "mlir-ext/Fusion/Cost/FusionProfit.h"

#include "llvm/Support/JSON.h"

namespace mlir::linalg_ext {

/// Text to read, or JSON lines: one object on one line for each root.
enum class ExplanationFormat { Text, JSON };

struct ExplainFusionOptions {
  TileAndFuseOptions fusion;
  FusionCostOptions cost;
  FusionProfitOptions profit;
  ExplanationFormat format = ExplanationFormat::Text;
};

/// Prints for each of `roots`, in order: its location, its plan, and the cost
/// before and after fusion. If the root would be refused, prints the reason and
/// what to do about it instead. Works on a copy of the isolated op around a
/// root, in which the earlier roots have been fused. Emits the remarks of
/// tile-and-fuse that are enabled.
void explainFusion(raw_ostream &os, ArrayRef<Operation *> roots,
                   const ExplainFusionOptions &options);

/// Returns the object of `plan` that `explainFusion` prints as JSON. The plan must
/// have been made for the current IR.
llvm::json::Object describeFusion(const FusionPlan &plan,
                                  const ExplainFusionOptions &options);

/// Explains every root below `scope`, and then the other accumulations that
/// `findFusionRoots` finds. Says so, as text, if there is none.
void explainFusionRoots(raw_ostream &os, Operation *scope,
                        const ExplainFusionOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_COST_EXPLAINFUSION_H
