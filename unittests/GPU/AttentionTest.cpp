//===- AttentionTest.cpp - Attention as kernels ---------------------------===//
//
// Cases that have a name, and what a kernel for attention must not waste.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

using namespace linalg_ext_test;
using oracle::DType;

namespace {
class AttentionTest : public GPUTest {
protected:
  /// One head in f16 that is accumulated in f32.
  static AttentionSpec makeSpec(int64_t queries, int64_t keys, int64_t depth) {
    AttentionSpec spec;
    spec.sizes = {{'m', queries}, {'n', keys}, {'d', depth}, {'e', depth}};
    spec.type = spec.probType = spec.outType = DType::F16;
    spec.scale = 0.125;
    return spec;
  }
};
} // namespace

TEST_F(AttentionTest, Plain) { check(makeSpec(64, 128, 64)); }

TEST_F(AttentionTest, Tiny) {
  AttentionSpec spec;
  spec.q = "bhmd";
  spec.k = "bhnd";
  spec.v = "bhne";
  spec.scores = "bhmn";
  spec.out = "bhme";
  for (char letter : std::string("bhmnde"))
    spec.sizes[letter] = 2;
  check(spec);
}
