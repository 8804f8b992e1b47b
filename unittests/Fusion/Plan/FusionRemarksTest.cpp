//===- FusionRemarksTest.cpp - Tests of the suggestions -------------------===//

#include "mlir-ext/Fusion/Plan/FusionRemarks.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The kinds in the order of the enum, of which SomeOfStates is the last.
static std::vector<RefusalKind> getKinds() {
  std::vector<RefusalKind> kinds;
  for (int kind = 0; kind <= static_cast<int>(RefusalKind::SomeOfStates);
       ++kind)
    kinds.push_back(static_cast<RefusalKind>(kind));
  return kinds;
}

TEST(FusionSuggestionTest, KindsThatNobodyCanDoAnythingAboutHaveNone) {
  for (RefusalKind kind : getKinds()) {
    bool hasNone = kind == RefusalKind::Other || kind == RefusalKind::Intended;
    for (bool mayRaise : {false, true})
      EXPECT_EQ(getFusionSuggestion(kind, mayRaise).empty(), hasNone)
          << static_cast<int>(kind);
  }
}

// What can be done decides the kind.
TEST(FusionSuggestionTest, OtherKindsHaveEachTheirOwn) {
  std::set<std::string> suggestions;
  for (RefusalKind kind : getKinds())
    if (std::string text = getFusionSuggestion(kind, /*mayRaise=*/false);
        !text.empty())
      EXPECT_TRUE(suggestions.insert(text).second) << text;
}

TEST(FusionSuggestionTest, RaisingHelpsReductionsThatAreNoSoftmaxYet) {
  std::string raise =
      "if it is part of a softmax, run linalg-ext-raise first; otherwise ";
  for (RefusalKind kind : getKinds()) {
    bool mayHelp =
        kind == RefusalKind::NotRepairable || kind == RefusalKind::UnknownCut;
    std::string suggestion = getFusionSuggestion(kind, /*mayRaise=*/false);
    EXPECT_EQ(getFusionSuggestion(kind, /*mayRaise=*/true),
              mayHelp ? raise + suggestion : suggestion);
  }
}

TEST(FusionSuggestionTest, WhatIsIntendedMustStayOutside) {
  PlannedProducer producer;
  MLIRContext context;
  OwningOpRef<ModuleOp> op = ModuleOp::create(UnknownLoc::get(&context));
  producer.op = *op;
  // The text says nothing to the program.
  producer.refusal = {RefusalKind::Other, *op, "it initialises a reduction"};
  EXPECT_FALSE(mustStayOutside(producer));
  producer.refusal.kind = RefusalKind::Intended;
  EXPECT_TRUE(mustStayOutside(producer));
}
