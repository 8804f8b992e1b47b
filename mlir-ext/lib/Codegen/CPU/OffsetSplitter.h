//===- OffsetSplitter.h - Numbers with an offset for each group -*- C++ -*-===//
//
// Private to Codegen/CPU. Splits dequantized numbers of a payload into what
// differs from element to element and what a group has in common.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_OFFSETSPLITTER_H
#define MLIR_EXT_LIB_CODEGEN_CPU_OFFSETSPLITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// A value as a sum of two, of which either may be missing: what differs from
/// element to element, and what all elements of a group have in common.
struct Parts {
  Value varying, offset;
};

/// Splits values of the payload of an op. A group is what the reduction
/// dimensions `groupDims` run over.
class OffsetSplitter {
public:
  OffsetSplitter(OpBuilder &b, linalg::LinalgOp op, bool centers)
      : b(b), op(op), centers(centers), groupDims(op.getNumLoops()) {
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (linalg::isReductionIterator(iterator))
        reductions.push_back(dim);
  }

  /// Finds something that is added to, or subtracted from, what `value` is
  /// computed of and that is the same in some reduction dimensions: they become
  /// the group.
  bool findGroup(Value value);
  /// Whether `value` is the same for all elements of a group.
  bool isInvariant(Value value) {
    llvm::SmallBitVector dims = getDims(value);
    return !dims.test(op.getNumLoops()) && !dims.anyCommon(groupDims);
  }
  /// Whether what varies in `value` is computed of integers of about 8 bits. Of
  /// larger numbers a difference may be tiny, and both parts of its sum huge.
  bool isOfSmallIntegers(Value value);
  /// Whether `split` would find an offset.
  bool hasOffset(Value value);
  /// Builds both parts of `value` at the insertion point.
  Parts split(Value value);
  const llvm::SmallBitVector &getGroupDims() const { return groupDims; }

private:
  /// The two operands of an addition or a difference, of floats or before the
  /// conversion to f32.
  struct Addition {
    Value left, right;
    bool subtracts = false, converts = false;
  };
  std::optional<Addition> getAddition(Value value);
  /// The loops on which `value` depends. One bit more says that it depends on
  /// an output or may not be computed elsewhere.
  llvm::SmallBitVector getDims(Value value);
  /// Whether `value` reads an operand.
  bool readsOperand(Value value);
  /// The number that centers `value`, the float of a small unsigned integer; 0
  /// if it is no such float.
  int64_t getCenter(Value value);
  /// These compute what `known` and the maps below keep: an op of a payload may
  /// use a value twice, and its operands, too.
  bool computeReadsOperand(Value value);
  bool computeIsOfSmallIntegers(Value value);
  bool computeHasOffset(Value value);
  Parts computeSplit(Value value);
  /// `a` + `c`, or `a` - `c`; either may be null.
  Value add(Value a, Value c, bool subtracts);
  Value toFloat(Value value) {
    return isa<FloatType>(value.getType())
               ? value
               : arith::SIToFPOp::create(b, value.getLoc(), b.getF32Type(),
                                         value);
  }

  OpBuilder &b;
  linalg::LinalgOp op;
  bool centers;
  SmallVector<unsigned> reductions;
  llvm::SmallBitVector groupDims;
  llvm::DenseMap<Value, llvm::SmallBitVector> known;
  llvm::DenseMap<Value, bool> reading;
  llvm::DenseSet<Value> withoutGroup;
  /// Of the present group.
  llvm::DenseMap<Value, bool> small, withOffset;
  llvm::DenseMap<Value, Parts> parts;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_OFFSETSPLITTER_H
