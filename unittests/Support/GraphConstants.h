//===- GraphConstants.h - The constants of test graphs ----------*- C++ -*-===//
//
// What Graphs.cpp writes into graphs and GraphsMeaning.cpp computes with.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H
#define LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H

#include <limits>

namespace linalg_ext_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Of norms; of an attention sink.
constexpr double kEpsilon = 1.0 / 1024, kSink = 0.5;
/// Of the steps between the softmax and the root.
constexpr double kFactor = 0.75, kOtherFactor = 1.5, kKept = 0.75,
                 kThreshold = 0.125;

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H
