//===- KeyChunks.h - Chunks of keys for workgroups --------------*- C++ -*-===//
//
// Few rows leave most processors idle, unless several workgroups share the keys
// of a row: each reduces a chunk of them, and a second launch merges the
// results. This is how long chunks are. The formula is written once, for
// numbers that are known when a kernel is compiled and for those of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_KEYCHUNKS_H
#define MLIR_EXT_SELECTION_KEYCHUNKS_H

#include "mlir-ext/Support/GPUTarget.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::linalg_ext {

/// The keys that a chunk has at least, those that a workgroup reduces as fast
/// as half of them if it is alone on its processor, and those of a chunk where
/// rows alone give each processor a workgroup (docs/Decisions/0055).
inline constexpr int64_t kLeastChunk = 256, kLoneChunk = 512,
                         kUsualChunk = 1024;

/// The keys that chunks have at least where three workgroups run on a processor
/// in place of two, and those that chunks of bytes have at most where rows
/// alone give each processor a workgroup (docs/Decisions/0105, 0122).
inline constexpr int64_t kLeastOfThree = 1024, kMostOfBytes = 3072;

/// What workgroups read of keys and values: tiles in shared memory, or tiles of
/// which all rows have all, and of which three workgroups run on a processor
/// (`EvenTiles`), or bytes that each subgroup converts as
/// it loads them (`chooseGPUKernel`), which may be integers. Chunks of bytes
/// are longer, and three workgroups of integers run on a processor, as they
/// wait for conversions, too.
enum class KeyReads { Tiles, EvenTiles, Bytes, Integers };

/// What the workgroups of `root` read, whose subgroups are `parts` with keys of
/// their own, and which read `unit` keys in an iteration.
KeyReads getKeyReads(Operation *root, int64_t parts, int64_t unit,
                     const GPUTarget &target);

/// Returns the keys of a chunk, a multiple of `unit`, which are the keys of an
/// iteration. Without chunks there are `tiles` workgroups, each for some rows
/// and all `keys`.
///
/// Chunks make about `keyWorkgroups` workgroups, which run at the same time. If
/// these were short, each processor has one workgroup instead. If there are
/// more tiles than processors, chunks are of one length, so that the processors
/// that have one tile more than others finish soon after them.
///
/// `Numbers` has a type `Value`, and `constant`, `mul`, `div` (rounds
/// down), `ceilDiv`, `min`, `max`, `less` and `select` of such values, none of
/// which is negative.
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
  // time.
  if (reads == KeyReads::Bytes || reads == KeyReads::Integers)
    numUsual = n.max(n.ceilDiv(keys, n.constant(kMostOfBytes)),
                     n.min(numUsual, n.div(n.constant(4 * ofThree), tiles)));
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
  Value alone = n.min(share(target.processors), toUnits(kLoneChunk));
  Value shared = share(target.keyWorkgroups);
  if (reads == KeyReads::Integers)
    shared = n.max(n.min(shared, toUnits(kLeastOfThree)), share(ofThree));
  return n.max(n.max(shared, alone), toUnits(kLeastChunk));
}

/// Computes with integers.
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
