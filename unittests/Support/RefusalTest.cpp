//===- RefusalTest.cpp - Tests of refusals --------------------------------===//

#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
class RefusalTest : public ::testing::Test {
protected:
  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
};
} // namespace

TEST_F(RefusalTest, IsNotSetAtFirst) {
  Refusal refusal;
  EXPECT_FALSE(refusal.isSet());
  EXPECT_EQ(refusal.kind, RefusalKind::Other);
  EXPECT_EQ(refusal.op, nullptr);
}

TEST_F(RefusalTest, SaysWhatItIsSetTo) {
  Refusal refusal;
  auto refuse = [&](unsigned dim) -> FailureOr<int> {
    return refusal.set(RefusalKind::Race, *module, "dimension " + Twine(dim));
  };
  EXPECT_TRUE(failed(refuse(2)));
  EXPECT_TRUE(refusal.isSet());
  EXPECT_EQ(refusal.kind, RefusalKind::Race);
  EXPECT_EQ(refusal.op, *module);
  EXPECT_EQ(refusal.text, "dimension 2");
}

TEST_F(RefusalTest, SaysTheLastReason) {
  Refusal refusal;
  (void)refusal.set(RefusalKind::Race, *module, "first");
  EXPECT_TRUE(failed(refusal.set(RefusalKind::NotFinal, nullptr, "second")));
  EXPECT_EQ(refusal.kind, RefusalKind::NotFinal);
  EXPECT_EQ(refusal.op, nullptr);
  EXPECT_EQ(refusal.text, "second");
}

TEST_F(RefusalTest, KeepsItsKindInContext) {
  Refusal refusal;
  (void)refusal.set(RefusalKind::NotNeutral, nullptr, "starts from 1");
  EXPECT_TRUE(failed(refusal.addContext(*module, "it cannot be repaired: ")));
  EXPECT_EQ(refusal.kind, RefusalKind::NotNeutral);
  EXPECT_EQ(refusal.op, *module);
  EXPECT_EQ(refusal.text, "it cannot be repaired: starts from 1");
}

TEST_F(RefusalTest, IsNotSetOnceCleared) {
  Refusal refusal;
  (void)refusal.set(RefusalKind::Race, *module, "text");
  refusal.clear();
  EXPECT_FALSE(refusal.isSet());
  EXPECT_EQ(refusal.kind, RefusalKind::Other);
  EXPECT_EQ(refusal.op, nullptr);
}
