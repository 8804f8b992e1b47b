//===- GraphConstants.h - The constants of test graphs ----------*- C++ -*-===//
//
// Constants that Graphs.cpp writes into graphs, and that GraphsMeaning.cpp uses
// to evaluate them.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H
#define LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H

#include <limits>

namespace linalg_ext_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// The epsilon of norms, and the score of an attention sink.
constexpr double kEpsilon = 1.0 / 1024, kSink = 0.5;
/// Constants of the steps between the softmax and the root.
constexpr double kFactor = 0.75, kOtherFactor = 1.5, kKept = 0.75,
                 kThreshold = 0.125;

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_GRAPHCONSTANTS_H
