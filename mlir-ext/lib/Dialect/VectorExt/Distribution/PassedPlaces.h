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

/// Indices of an iteration of each of two loops over tiles, of the role that
/// computes and of the one that copies, that threads compute in front of the
/// roles.
class TabulatedPlaces {
public:
  /// Finds indices of an iteration of `loop`, a loop over tiles, from which
  /// others of `places` follow, and the same ones in the loop of the role that
  /// copies. Builds no IR. Returns none if there are none that take long to
  /// compute, or no memory is left for them and for those of `others` tiles.
  static std::optional<TabulatedPlaces>
  find(scf::ForOp loop, ArrayRef<Value> places, int64_t others);

  /// The indices in the loop of the role that computes.
  ArrayRef<Value> getValues() const { return values; }

  /// Builds memory for the indices of `size` tiles.
  Value buildMemory(RewriterBase &b, int64_t size);

  /// Makes threads fill the table, in front of the roles.
  void fill(RewriterBase &b);

  /// Makes a role take the indices from the table. Returns them.
  SmallVector<Value> lookUpWhereCopied(RewriterBase &b);
  void lookUpWhereComputed(RewriterBase &b);

  /// Builds the indices of tile `number` in the role that computes, and maps
  /// those of the loop to them. There must be such a tile.
  void lookUpNext(RewriterBase &b, Value number, IRMapping &mapped);

  scf::ForOp getLoop() { return loop; }
  scf::ForOp getCopies() { return copies; }
  int64_t getLanes() const { return lanes; }

private:
  SmallVector<Value> build(RewriterBase &b, scf::ForOp tiles, Value number,
                           ArrayRef<Value> own, bool isSame);
  SmallVector<Value> lookUp(RewriterBase &b, scf::ForOp tiles,
                            ArrayRef<Value> own, bool isSame);

  scf::ForOp loop, copies;
  SmallVector<Value> values, copied;
  Value table;
  int64_t lanes = 0;
};

/// Indices of a tile that the role that copies passes to the one that computes.
class PassedPlaces {
public:
  /// Finds tabulated indices of `loop` that the role that copies the tile of
  /// `get` can pass. Builds no IR.
  static std::optional<PassedPlaces> find(scf::ForOp loop, RingGetOp get,
                                          ArrayRef<Value> places);

  /// The indices, in `loop`.
  ArrayRef<Value> getValues() const { return tabulated.getValues(); }

  /// Makes the role that copies pass the indices, and take them from a table.
  void pass(RewriterBase &b);

  /// Builds the indices of tile `number`, behind a get of that tile, and maps
  /// those of `loop` to them.
  void load(RewriterBase &b, Location loc, Value number, IRMapping &mapped);

private:
  TabulatedPlaces tabulated;
  /// The put of the tile with which the indices are passed.
  RingPutOp put;
  /// The slots of the indices in shared memory.
  int64_t slots = 0;
  Value passed;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PASSEDPLACES_H
