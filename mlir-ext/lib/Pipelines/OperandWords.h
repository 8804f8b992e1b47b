//===- OperandWords.h - Words that operands are unpacked from ---*- C++ -*-===//
//
// Private to Pipelines: which words of 32 bits the threads unpack an operand of
// a contraction from, and where the integers of a word are in it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_OPERANDWORDS_H
#define MLIR_EXT_LIB_PIPELINES_OPERANDWORDS_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace mlir::linalg_ext {

/// The words of an operand, a vector.
struct OperandWords {
  /// The elements that are unpacked from each word, which are neighbours along
  /// dimension `dim` of the operand.
  int64_t perWord;
  unsigned dim;
};

/// Returns the words of 32 bits that elementwise ops unpack `operand` from, if
/// each has several of its elements, and words that are neighbours in memory
/// are neighbours along the last dimension of `operand`. Returns std::nullopt
/// if there are none, or if they are gathered.
std::optional<OperandWords> getOperandWords(Value operand);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_OPERANDWORDS_H
