//===- TileVectorizer.h - Tiles of tensors as vectors -----------*- C++ -*-===//
//
// The rewriter of linalg-ext-vectorize-tiles: which tensors of a workgroup are
// already vectors, and a rule for each kind of op. VectorizeTiles.cpp describes
// the method. The rules are in these files:
//
//   VectorizeTiles.cpp         structured ops, and results of the workgroup
//   VectorizeControlFlow.cpp   loops, branches, loops over parts
//   VectorizeSlices.cpp        slices, casts, copies, reshapes
//   TileShapes.cpp             no rules: sizes of tiles and of their vectors
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTORIZER_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTORIZER_H

#include "TileValue.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns whether `op` is a loop over parts of the subgroups.
bool isLoopOfParts(scf::ForallOp op);

class TileVectorizer {
public:
  TileVectorizer(RewriterBase &rewriter, const VectorizeTilesOptions &options)
      : rewriter(rewriter), options(options) {}

  /// Rewrites the body. Returns the number of structured ops that are left.
  FailureOr<unsigned> run(scf::ForallOp forall);

private:
  FailureOr<TileShape> getShape(Value tensor);
  /// Returns the size of a vector's dimension for a tile of `size` > 1
  /// elements.
  int64_t pad(int64_t size) const;
  FailureOr<TileShape> computeShape(Value tensor);
  std::optional<SmallVector<OpFoldResult>> getKnownSizes(Value tensor);
  TileValue getTile(Value tensor, ArrayRef<int64_t> bounds);
  Value getWholeVector(Value tensor, const TileShape &shape);
  Value materialize(Value tensor);
  void setTile(Value tensor, TileValue vector, TileShape shape);
  bool isTile(Value value) const { return tiles.contains(value); }
  Value makePlaceholder(Type tensorType, Value vector, const TileShape &shape);
  /// Returns whether `offsets` and `sizes` take all of a tile of `shape`.
  bool isWhole(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
               const TileShape &shape);

  void visitBlock(Block &block);
  void visit(Operation *op);
  LogicalResult visitStructuredOp(linalg::LinalgOp op);
  LogicalResult visitExtractSlice(tensor::ExtractSliceOp op);
  LogicalResult visitInsertSlice(tensor::InsertSliceOp op);
  LogicalResult insertPart(tensor::InsertSliceOp op, const TileShape &shape);
  LogicalResult visitCast(tensor::CastOp op);
  LogicalResult visitCopy(Operation *op, Value source);
  LogicalResult visitReshape(Operation *op, Value source, Value result);
  LogicalResult visitDim(tensor::DimOp op);
  LogicalResult visitExtract(tensor::ExtractOp op);
  LogicalResult visitFor(scf::ForOp op);
  LogicalResult visitIf(scf::IfOp op);
  LogicalResult visitParts(scf::ForallOp op);
  void findSlots(scf::ForallOp forall);
  LogicalResult extractSlot(tensor::ExtractSliceOp op, const TileShape &shape);
  void visitOther(Operation *op);
  void replaceWithin(Operation *op, Value from, Value to);
  void visitTerminator(scf::InParallelOp op);
  bool isUsedAsTile(Value tensor, const TileShape &shape);

  RewriterBase &rewriter;
  const VectorizeTilesOptions &options;
  /// Whether the workgroup has a contraction.
  bool contracts = true;
  DenseMap<Value, TileShape> shapes;
  /// The number of rows of an instruction with exchanged operands, if all
  /// contractions have at most that many rows and more elements along other
  /// dimensions. 0 otherwise.
  int64_t fewRows = 0;
  /// The known number of rows of asynchronous products (of columns, if operands
  /// are exchanged), and the number of rows of the instructions that compute
  /// them. 0 if there are no such products.
  std::pair<int64_t, int64_t> filledRows;
  /// The rows of a tile, if these are columns of instructions, since operands
  /// are exchanged. 0 otherwise.
  int64_t exchangedRows = 0;
  /// The vectors that represent tensors.
  DenseMap<Value, TileValue> tiles;
  /// Tensors with a slot for each part, along their first dimension.
  DenseSet<Value> slots;
  /// Ops that have been replaced by vectors, in program order.
  SmallVector<Operation *> replaced;
  unsigned numLeft = 0;
  bool hasError = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEVECTORIZER_H
