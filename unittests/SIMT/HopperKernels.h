//===- HopperKernels.h - Kernels with roles and rings -----------*- C++ -*-===//
//
// Kernels for Hopper as text: a warpgroup copies by TMA, others compute by
// wgmma. Lines that end in "// @name" are those that a test may take out or
// change.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SIMT_HOPPERKERNELS_H
#define LINALG_EXT_UNITTESTS_SIMT_HOPPERKERNELS_H

#include <string>
#include <vector>

namespace linalg_ext_test {

/// C = A B, with A : MxK or KxM and C : MxN. A workgroup computes a tile of
/// 64 * parts rows and 64 columns. Tiles wait in a ring.
struct ProductKernel {
  int parts = 1; ///< Warpgroups that compute.
  int slots = 2;
  int swizzle = 128;      ///< Bytes of a row of a box; a step has as many of k.
  bool transposed = true; ///< B is NxK instead of KxN.
  bool transposedA = false; ///< A is KxM instead of MxK.
  std::string type = "f16";
  std::string typeB = ""; ///< That of B, if it is not `type`.

  /// Returns a function @main(%a, %b, %c) on memrefs of dynamic shapes, with
  /// elements of `type` and `typeB`, and of f32 for %c.
  std::string build() const;
};

/// O = softmax(Q K^T) V for one head of 64 columns, with Q, K, V, O : ?x64.
/// The weights go through workgroup memory, and so does the result, which TMA
/// stores.
struct AttentionKernel {
  int parts = 1;
  int slots = 2;
  /// Two parts start their products of scores in turn.
  bool turns = false;

  /// Returns a function @main(%q, %k, %v, %o) on memrefs of f16.
  std::string build() const;
};

/// Returns the lines that end in "// @...", without the mark.
std::vector<std::string> getMarkedLines(const std::string &text);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SIMT_HOPPERKERNELS_H
