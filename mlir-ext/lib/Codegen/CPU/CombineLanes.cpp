//===- CombineLanes.cpp - Lane reductions of several vectors --------------===//
//
// The lanes of a vector form groups. A group has partial results of one source
// vector. At first each vector is one group. Each round takes two vectors and
// halves their groups: one shuffle collects the first halves of all groups,
// another one the second halves, and an op combines the two. A vector without a
// partner is combined with itself.
//
// Groups that fit into a part of `shuffleBits` stay in this part, because
// shuffles that do not cross parts are cheaper. Their halves are then every other
// lane of the part; which two lanes are combined makes no difference.
//
//===----------------------------------------------------------------------===//

#include "CombineLanes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct Partial {
  Value value;
  /// For each lane, the number of the vector that it comes from.
  SmallVector<int64_t> sources;
};
} // namespace

/// Returns the lanes of two concatenated vectors that are in the first halves
/// of groups of `size` lanes, or in the second halves.
static SmallVector<int64_t> getHalves(int64_t lanes, int64_t size,
                                      int64_t lanesOfPart, bool second) {
  SmallVector<int64_t> mask;
  if (size > lanesOfPart) {
    for (int64_t lane = 0; lane < 2 * lanes; ++lane)
      if ((lane % size >= size / 2) == second)
        mask.push_back(lane);
    return mask;
  }
  int64_t part = std::min(lanes, lanesOfPart);
  for (int64_t base = 0; base < lanes; base += part)
    for (int64_t vector : {0, 1})
      for (int64_t lane = second; lane < part; lane += 2)
        mask.push_back(vector * lanes + base + lane);
  return mask;
}

Value mlir::linalg_ext::combineLanes(OpBuilder &b, Location loc,
                                     vector::CombiningKind kind,
                                     ArrayRef<Value> vectors,
                                     int64_t shuffleBits,
                                     SmallVectorImpl<int64_t> &sources) {
  auto type = cast<VectorType>(vectors.front().getType());
  int64_t lanes = type.getNumElements();
  assert(llvm::isPowerOf2_64(lanes) && lanes >= int64_t(vectors.size()));
  int64_t lanesOfPart =
      std::max<int64_t>(shuffleBits / type.getElementTypeBitWidth(), 1);
  SmallVector<Partial> partials;
  for (auto [number, value] : llvm::enumerate(vectors))
    partials.push_back({value, SmallVector<int64_t>(lanes, number)});
  // The last vector is repeated until their number is a power of two.
  partials.resize(llvm::PowerOf2Ceil(vectors.size()), partials.back());

  for (int64_t size = lanes; size > 1; size /= 2) {
    SmallVector<Partial> next;
    for (size_t i = 0; i < partials.size(); i += 2) {
      const Partial &first = partials[i],
                    &second = partials[std::min(i + 1, partials.size() - 1)];
      SmallVector<int64_t> lo = getHalves(lanes, size, lanesOfPart, false),
                           hi = getHalves(lanes, size, lanesOfPart, true);
      Partial &result = next.emplace_back();
      for (int64_t lane : lo)
        result.sources.push_back(
            (lane < lanes ? first : second).sources[lane % lanes]);
      result.value = vector::makeArithReduction(
          b, loc, kind,
          vector::ShuffleOp::create(b, loc, first.value, second.value, lo),
          vector::ShuffleOp::create(b, loc, first.value, second.value, hi));
    }
    partials = std::move(next);
  }
  sources.assign(partials.front().sources);
  return partials.front().value;
}
