//===- PassedPlaces.h - Places of tiles that a role passes ------*- C++ -*-===//
//
// Private to RotateLoops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PASSEDPLACES_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PASSEDPLACES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::vector_ext {

/// Indices of a tile that the role that copies passes to the one that computes.
class PassedPlaces {
public:
  /// Finds indices of an iteration of `loop`, a loop over tiles, from which
  /// others of `places` follow, and which the role that copies the tile of
  /// `get` computes, too. Builds no IR. Returns none if there are none that
  /// take long to compute, or no memory is left for them.
  static std::optional<PassedPlaces> find(scf::ForOp loop, RingGetOp get,
                                          ArrayRef<Value> places);

  /// The indices, in `loop`.
  ArrayRef<Value> getValues() const { return values; }

  /// Makes the role that copies pass the indices, and take them from a table.
  void pass(RewriterBase &b);

  /// Builds the indices of tile `number`, behind a get of that tile, and maps
  /// those of `loop` to them.
  void load(RewriterBase &b, Location loc, Value number, IRMapping &mapped);

private:
  Value buildMemory(RewriterBase &b, int64_t size);
  void fillTable(RewriterBase &b, Value table);
  SmallVector<Value> lookUp(RewriterBase &b, Value table);

  /// The loops over tiles of the role that computes and of the one that copies.
  scf::ForOp loop, copies;
  /// The put of the tile with which the indices are passed.
  RingPutOp put;
  /// The indices in `loop`, and the same ones in `copies`.
  SmallVector<Value> values, copied;
  /// The slots of the indices in shared memory.
  int64_t slots = 0;
  Value passed;
  int64_t lanes = 0;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PASSEDPLACES_H
