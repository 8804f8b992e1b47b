//===- RewriteConfig.h - How patterns are applied ---------------*- C++ -*-===//
//
// The configuration of the greedy driver that this project's passes share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_REWRITECONFIG_H
#define MLIR_EXT_SUPPORT_REWRITECONFIG_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {

/// The configuration for programs whose control flow is structured. By default the
/// driver also simplifies the blocks of all regions, once an iteration. Regions of one
/// block have nothing to simplify, and looking for it takes as long as the patterns.
inline GreedyRewriteConfig getStructuredRewriteConfig() {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return config;
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_REWRITECONFIG_H
