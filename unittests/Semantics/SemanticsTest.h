//===- SemanticsTest.h - Fixture of the families of attention ---*- C++ -*-===//
//
// Takes one call of attention through everything: written as an importer would,
// parsed, raised, fused in random levels, decomposed, executed, and compared
// with the specification.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SEMANTICS_SEMANTICSTEST_H
#define LINALG_EXT_UNITTESTS_SEMANTICS_SEMANTICSTEST_H

#include "Attention.h"
#include "Support/Fusion.h"

#include "gtest/gtest.h"

namespace linalg_ext_test {

/// What a specification says the results are; in f64, element by element.
using Specification = std::vector<oracle::Tensor> (*)(const AttentionCall &,
                                                      const AttentionInputs &);

class SemanticsTest : public ::testing::Test {
protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();

  using Levels = std::vector<mlir::linalg_ext::TilingLevel>;

  /// Calls `body` with 30 sources of random numbers, and their numbers, until
  /// one fails. LINALG_EXT_SEMANTICS_CASES and LINALG_EXT_SEMANTICS_SEED in the
  /// environment ask for more and for others.
  static void
  forEachCase(llvm::function_ref<void(oracle::Random &, int64_t)> body);

  /// Levels that cut the keys, by a sequential loop, and some of the other
  /// loops of the root by others around and inside of it.
  static Levels drawLevels(const AttentionCall &call, const std::string &loops,
                           oracle::Random &random);

  /// One case: the program must be raised, fused with one repair and the
  /// scores in the key loop, and right. Fails with the case, its text and plan.
  static void check(Specification specification, const AttentionCall &call,
                    const Spelling &spelling, const AttentionInputs &inputs,
                    oracle::Random &random);

  /// Any spelling of `call` whose fully masked rows are not guarded.
  static Spelling drawSpelling(const AttentionCall &call,
                               oracle::Random &random);

  static mlir::MLIRContext *context;
  static Executor *executor;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SEMANTICS_SEMANTICSTEST_H
