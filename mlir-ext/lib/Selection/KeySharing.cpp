//===- KeySharing.cpp - Who reduces the keys of a row on a GPU ------------===//
//
// See KeySharing.h. An iteration of a workgroup that is alone on its processor
// waits for its copies and for its own results. Several workgroups fill these
// waits for each other, and then share what the processor can do. So the time
// of an iteration is the larger of
//
//   alone    218 cycles, pairs of products at 307 a cycle, copies at 85 bytes a
//            cycle; 300 cycles if subgroups share columns, as they then exchange
//            results
//   beside   281 cycles, pairs at 360 a cycle, copies at 147 bytes a cycle,
//            times the workgroups of the processor that has most of them
//
// A pair is a product of each of both contractions. A launch takes 5,778 cycles
// besides, and the merge of chunks 1,774, and 947 for each chunk of a row. Rates
// are for a processor that multiplies 1024 elements of 16 bits a cycle and moves
// 128 bytes of shared memory. They are a fit to 11 shapes with up to 20 tiles
// each on an H100 (docs/Decisions/0039).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Selection/KeySharing.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::linalg_ext;

/// The products and the bytes of shared memory in a cycle of the processor that
/// the rates below were measured on.
static const double kProducts = GPUTarget().matrixProducts,
                    kBytes = GPUTarget().sharedBytesPerCycle;

int64_t mlir::linalg_ext::estimateKeySharing(const KeySharingSizes &sizes,
                                             const KeySharing &sharing,
                                             int64_t subgroups,
                                             const GPUTarget &target) {
  int64_t rows = std::min(sharing.rows, std::max<int64_t>(sizes.rows, 1));
  int64_t chunk = sharing.split > 0 && sharing.split < sizes.keys
                      ? sharing.split
                      : sizes.keys;
  int64_t chunks = llvm::divideCeil(sizes.keys, chunk);
  int64_t workgroups =
      sizes.batches * llvm::divideCeil(sizes.rows, rows) * chunks;
  int64_t keys = sharing.keys * sharing.parts;
  int64_t iterations = llvm::divideCeil(chunk, keys);
  double pairs = 0.5 * rows * keys * (sizes.depth + sizes.columns) * kProducts /
                 target.matrixProducts;
  double bytes = double(keys) * (sizes.depth + sizes.columns) *
                 sizes.elementBytes * kBytes / target.sharedBytesPerCycle;
  double most = llvm::divideCeil(workgroups, target.processors);
  double alone = 218 + pairs / 307 + bytes / 85;
  if (rows * sharing.parts < target.matrixRows * subgroups)
    alone += 300;
  double beside = 281 + pairs / 360 + bytes / 147;
  double cycles = 5778 + iterations * std::max(alone, most * beside);
  if (chunks > 1)
    cycles += 1774 + 947 * chunks;
  return static_cast<int64_t>(cycles);
}

KeySharing mlir::linalg_ext::chooseKeySharing(const KeySharingSizes &sizes,
                                              int64_t subgroups,
                                              const KeySharing &usual,
                                              const GPUTarget &target) {
  KeySharing best = usual;
  int64_t usualCycles = estimateKeySharing(sizes, usual, subgroups, target);
  int64_t least = usualCycles;
  // Chunks are for processors that have no rows.
  bool hasFewRows =
      sizes.batches * llvm::divideCeilSigned(sizes.rows, target.matrixRows) <=
      target.processors;
  auto consider = [&](KeySharing sharing) {
    for (int64_t split : {0, 1024, 512}) {
      sharing.split = split;
      // With two iterations there is a loop.
      int64_t chunk = split == 0 ? sizes.keys : split;
      if (split >= sizes.keys || (split > 0 && !hasFewRows) ||
          chunk < 2 * sharing.parts * sharing.keys)
        continue;
      int64_t cycles = estimateKeySharing(sizes, sharing, subgroups, target);
      if (cycles < least) {
        least = cycles;
        best = sharing;
      }
    }
  };
  // 1. All subgroups share the keys of an iteration.
  for (int64_t rows : {128, 64, 32, 16})
    if (rows <= usual.rows)
      consider({rows, std::min<int64_t>(usual.keys, 64), 1, 0});
  // 2. Parts of the subgroups do. Two buffers of the keys and values of as many
  //    parts as there are subgroups fit into shared memory.
  int64_t keys = 64;
  int64_t bytes = 2 * (sizes.depth + sizes.columns) * sizes.elementBytes;
  while (keys > 16 && subgroups * keys * bytes > target.sharedBytes)
    keys /= 2;
  for (int64_t parts = 2; parts <= subgroups; parts *= 2)
    if (int64_t rows = target.matrixRows * (subgroups / parts);
        subgroups % parts == 0 && rows <= usual.rows)
      consider({rows, keys, parts, 0});
  return 20 * least < 19 * usualCycles ? best : usual;
}
