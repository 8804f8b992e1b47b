//===- KeyChunks.h - Chunks of keys for workgroups --------------*- C++ -*-===//
//
// With few rows, most processors are idle unless several workgroups share the
// keys of a row. Each workgroup then reduces a chunk of the keys, and a second
// launch merges the results. This file chooses the length of the chunks. The
// formula is a template: it computes with numbers if sizes are known when a
// kernel is compiled, and builds IR if they are known only at the launch.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_KEYCHUNKS_H
#define MLIR_EXT_SELECTION_KEYCHUNKS_H

#include "mlir-ext/Support/GPUTarget.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::linalg_ext {

/// Numbers of keys (docs/Decisions/0055, 0188). The least number of a chunk.
/// The largest known number of keys without chunks. The number of a chunk if
/// there are enough rows for a workgroup on each processor.
inline constexpr int64_t kLeastChunk = 128, kMostWithoutChunks = 256,
                         kUsualChunk = 1024;

/// The chunk of a workgroup that is alone on its processor has as many keys as
/// `kFewChunks` chunks need to hold all keys, but at least `kLeastLone` and at
/// most `kMostLone` (docs/Decisions/0188). Longer ones have two workgroups on a
/// processor.
inline constexpr int64_t kLeastLone = 256, kMostLone = 512, kFewChunks = 16;

/// Numbers of keys (docs/Decisions/0105, 0122, 0159, 0166). The least number of
/// a chunk if three workgroups run on a processor instead of two. The largest
/// number of a chunk of keys that are stored as bytes, if there are enough rows
/// for a workgroup on each processor.
inline constexpr int64_t kLeastOfThree = 1024, kMostOfBytes = 3072;

/// How workgroups read keys and values: as tiles in shared memory, as such
/// tiles where all rows have all keys and three workgroups run on a processor
/// (`EvenTiles`), or as bytes, which each subgroup converts as it loads them
/// (`chooseGPUKernel`). Chunks of bytes are longer, and three workgroups run on
/// a processor, because threads also wait for conversions.
enum class KeyReads { Tiles, EvenTiles, Bytes };

/// Returns how the workgroups of `root` read keys and values. Their subgroups
/// form `parts` parts, each with keys of its own. An iteration has `unit` keys.
KeyReads getKeyReads(Operation *root, int64_t parts, int64_t unit,
                     const GPUTarget &target);

/// Returns the number of keys of a chunk. It is a multiple of `unit`, the keys
/// of an iteration. Without chunks there are `tiles` workgroups, each for some
/// rows and all `keys`.
///
/// There are about `keyWorkgroups` chunks, because that many workgroups run at
/// the same time. If these chunks were short, there is one workgroup for each
/// processor instead. If there are more tiles than processors, chunks have a
/// fixed length. Processors that have one tile more than others then finish
/// only a little later.
///
/// `Numbers` has a type `Value`, and functions `constant`, `mul`, `div` (rounds
/// down), `ceilDiv`, `min`, `max`, `less` and `select` of such values. No value
/// is negative.
template <typename Numbers>
typename Numbers::Value chooseKeyChunk(Numbers &n, typename Numbers::Value keys,
                                       typename Numbers::Value tiles,
                                       int64_t unit, KeyReads reads,
                                       const GPUTarget &target) {
  using Value = typename Numbers::Value;
  Value one = n.constant(1);
  tiles = n.max(tiles, one);
  // 1 if there are more tiles than processors, else 0.
  Value isMany = n.min(n.div(tiles, n.constant(target.processors + 1)), one);
  int64_t ofThree = target.keyWorkgroups / 2 * 3;
  Value numUsual = n.ceilDiv(keys, n.constant(kUsualChunk));
  // Longer chunks, if there still are four times as many as run at the same
  // time. Of tiles that all run at the same time, twice as many suffice.
  if (reads == KeyReads::Bytes)
    numUsual = n.max(
        n.ceilDiv(keys, n.constant(kMostOfBytes)),
        n.min(numUsual,
              n.div(n.select(n.less(tiles, n.constant(ofThree + 1)),
                             n.constant(2 * ofThree), n.constant(4 * ofThree)),
                    tiles)));
  // Chunks of rows with equally many keys take equally long: as many as run at
  // the same time, or, of more tiles than that, at least 3.5 times as many.
  if (reads == KeyReads::EvenTiles)
    numUsual = n.min(numUsual,
                     n.select(n.less(tiles, n.constant(ofThree + 1)),
                              n.div(n.constant(ofThree), tiles),
                              n.ceilDiv(n.constant(ofThree / 2 * 7), tiles)));
  Value usual = n.mul(isMany, numUsual);
  auto share = [&](int64_t workgroups) {
    Value chunks =
        n.max(n.max(n.div(n.constant(workgroups), tiles), usual), one);
    return n.mul(n.ceilDiv(n.ceilDiv(keys, chunks), n.constant(unit)),
                 n.constant(unit));
  };
  auto toUnits = [&](int64_t chunk) {
    return n.constant((chunk + unit - 1) / unit * unit);
  };
  Value lone = n.min(n.mul(n.ceilDiv(n.ceilDiv(keys, n.constant(kFewChunks)),
                                     n.constant(unit)),
                           n.constant(unit)),
                     toUnits(kMostLone));
  Value alone =
      n.min(share(target.processors), n.max(lone, toUnits(kLeastLone)));
  Value shared = share(target.keyWorkgroups);
  if (reads == KeyReads::Bytes)
    shared = n.max(n.min(shared, toUnits(kLeastOfThree)), share(ofThree));
  return n.max(n.max(shared, alone), toUnits(kLeastChunk));
}

/// `Numbers` for sizes that are known at compile time.
struct KnownNumbers {
  using Value = int64_t;
  int64_t constant(int64_t value) const { return value; }
  int64_t add(int64_t a, int64_t b) const { return a + b; }
  int64_t mul(int64_t a, int64_t b) const { return a * b; }
  int64_t div(int64_t a, int64_t b) const { return a / b; }
  int64_t ceilDiv(int64_t a, int64_t b) const { return (a + b - 1) / b; }
  int64_t min(int64_t a, int64_t b) const { return a < b ? a : b; }
  int64_t max(int64_t a, int64_t b) const { return a < b ? b : a; }
  bool less(int64_t a, int64_t b) const { return a < b; }
  int64_t select(bool isFirst, int64_t a, int64_t b) const {
    return isFirst ? a : b;
  }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_KEYCHUNKS_H
