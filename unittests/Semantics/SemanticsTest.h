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

#include <functional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// What a specification says the results are; in f64, element by element.
using Specification = std::vector<oracle::Tensor> (*)(const AttentionCall &,
                                                      const AttentionInputs &);

/// A program and what must become of it.
struct Program {
  std::string text;
  /// The letters of the iteration domain of the root, and their sizes; `n` are
  /// the keys.
  std::string rootLoops;
  std::function<int64_t(char)> size;
  /// Upstream's patterns move reshapes out of the way first.
  bool foldReshapes = false;
  /// The softmax is raised; else the chain is fused.
  bool raise = true;
  /// How many contractions of scores are in the innermost key loop.
  unsigned numScores = 1;
  std::vector<oracle::Tensor> inputs;
  /// What the specification says the results are, and the same with what they
  /// may err by if the keys are done in `steps` tiles.
  std::vector<oracle::Tensor> want;
  std::function<std::vector<oracle::Bounded>(int64_t steps)> evaluate;
  /// `oracle::Comparison::looseness` must be below this.
  double loosest = 2;
};

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
  static Levels drawLevels(const std::string &loops,
                           llvm::function_ref<int64_t(char)> size,
                           oracle::Random &random);

  /// One program: it must be raised as it says, fused with one repair (a chain:
  /// with any) and the scores in the key loop, and right. Fails with its text
  /// and plan.
  static void check(const Program &program, oracle::Random &random);

  /// The normal form of a program: it is computed in one go, has its online op
  /// and means the same.
  static void checkNormalForm(const Program &program);

  /// The program of one case.
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
