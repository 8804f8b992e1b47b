//===- FragmentOracle.h - Registered instructions, judged -------*- C++ -*-===//
//
// Compares the layouts of an instruction that a target registers with the
// formulas of the vendor's manual, at every register of every thread.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_TARGET_FRAGMENTORACLE_H
#define LINALG_EXT_UNITTESTS_TARGET_FRAGMENTORACLE_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <utility>

namespace linalg_ext_test {

using Place = std::pair<int64_t, int64_t>;

/// Expects (thread, register) -> (row, column) to be `formula`, where threads
/// count the lanes of all subgroups.
inline void
expectFragment(const mlir::layout::Layout &layout, Place shape,
               int64_t numRegisters, int64_t replication,
               llvm::function_ref<Place(int64_t, int64_t)> formula) {
  ASSERT_EQ(layout.getRank(), 2u);
  EXPECT_EQ(Place(layout.getDimSize(0), layout.getDimSize(1)), shape);
  ASSERT_EQ(layout.getNumRegisters(), numRegisters);
  EXPECT_EQ(layout.getReplication(), replication);
  for (int64_t thread = 0; thread < layout.getNumThreads(); ++thread)
    for (int64_t reg = 0; reg < numRegisters; ++reg) {
      llvm::SmallVector<int64_t> at = layout.getCoordinate(
          {thread / layout.getNumLanes(), thread % layout.getNumLanes(), reg});
      ASSERT_EQ(Place(at[0], at[1]), formula(thread, reg))
          << layout.str() << " thread " << thread << " register " << reg;
    }
}

/// A context whose dialect `vector_ext` knows what `extend` registers.
template <typename Fn>
mlir::vector_ext::VectorExtDialect *loadDialect(mlir::MLIRContext &context,
                                                Fn extend) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::vector_ext::VectorExtDialect>();
  extend(registry);
  context.appendDialectRegistry(registry);
  return context.getOrLoadDialect<mlir::vector_ext::VectorExtDialect>();
}

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_TARGET_FRAGMENTORACLE_H
