//===- Refusal.h - Why something is not done --------------------*- C++ -*-===//
//
// A function that may refuse takes a `Refusal &` as its last parameter. When it
// fails, it sets the refusal. Other code reads its kind and its op, people read
// its text.
//
//   LogicalResult check(Operation *op, Refusal &refusal) {
//     if (!isa<TilingInterface>(op))
//       return refusal.set(RefusalKind::NotTileable, op, "it cannot be tiled");
//     if (failed(checkOperands(op, refusal)))
//       return refusal.addContext(op, "an operand is refused: ");
//     return success();
//   }
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_REFUSAL_H
#define MLIR_EXT_SUPPORT_REFUSAL_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace mlir::linalg_ext {

/// The kinds of refusals. There is one suggestion to the user for each kind;
/// see `getFusionSuggestion`.
enum class RefusalKind {
  /// There is no suggestion, or the text has it.
  Other,
  /// The op is left out on purpose.
  Intended,

  // Of an op that might be fused with a root.
  /// The op has no tiles.
  NotTileable,
  /// The body of a pad computes the padding.
  PaddingInBody,
  /// No loop of the level indexes the op.
  NotIndexed,
  /// Loops cut a reduction whose earlier results cannot be repaired.
  NotRepairable,
  /// It is not known which loops of the op the level cuts.
  UnknownCut,
  /// The tiles of an online reduction are not known exactly.
  InexactCut,
  /// A tile on one side of a reshape is not a tile on the other side.
  ReshapedTile,
  /// Along a dimension that the loops cut, the op reduces what the root keeps,
  /// or keeps what the root reduces.
  OtherReduction,
  /// The level cuts a reduction, so its tiles are not final.
  NotFinal,

  // Of a root.
  /// The root has no indexing maps.
  RootWithoutMaps,
  /// The root is on buffers.
  RootOnBuffers,
  /// The options have no level that tiles.
  NoLevels,
  /// The pass chooses no levels for the root.
  UnknownLevels,
  /// A level has more tile sizes than the root has dimensions.
  TooManyTileSizes,
  /// Parallel loops cut a reduction.
  Race,
  /// The loops cut an online reduction whose results the root does not
  /// accumulate.
  NotAccumulated,
  /// Loops carry the state of an online reduction already.
  CutAlready,
  /// Fusion costs more than it saves.
  DoesNotPay,
  /// The result would be less exact than the options allow.
  TooInexact,
  /// An accumulation starts from values that are not neutral.
  NotNeutral,
  /// A level carries some states from the first level on, and others not.
  SeveralStates,
  /// A level fuses only some of the ops that follow a state.
  SomeOfStates,
};

/// Why a function refused. Not set until one has.
struct Refusal {
  RefusalKind kind = RefusalKind::Other;
  /// The op that is the reason. Null if there is none, or if it was erased.
  Operation *op = nullptr;
  /// The reason in words. Empty if the refusal is not set.
  std::string text;

  /// Sets the refusal. Returns failure, for the caller to return. `text` must
  /// not be empty.
  LogicalResult set(RefusalKind kind, Operation *op, const Twine &text);

  /// Puts `context` before the text, and sets the op. Keeps the kind.
  /// Returns failure. The refusal must be set.
  LogicalResult addContext(Operation *op, const Twine &context);

  bool isSet() const { return !text.empty(); }
  void clear() { *this = Refusal(); }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_REFUSAL_H
