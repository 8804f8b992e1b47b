//===- Graphs.h - Attention graphs for tests --------------------*- C++ -*-===//
//
// Builds unfused attention graphs from a spec. A graph also provides random
// inputs, and an evaluation by the oracle, which returns the expected results
// and their error bounds.
//
// Letters name the dimensions. By convention `m` is queries, `n` keys, `d` the
// head dimension of q and k, `e` that of v, `b` batch, `h` (kv) heads, and `g`
// the query heads that share a kv head. Only the letters in the spec matter,
// not this convention.
//
//   AttentionSpec spec;                       // softmax(q k^T) v, 2-D, f32
//   spec.sizes = {{'m', 8}, {'n', 16}, {'d', 4}, {'e', 4}};
//   AttentionGraph graph = buildAttention(context, spec);
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_GRAPHS_H
#define LINALG_EXT_UNITTESTS_SUPPORT_GRAPHS_H

#include "ErrorBound.h"
#include "Oracle.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// The op that a contraction is written as.
enum class ContractionForm {
  Generic,     ///< linalg.generic
  Named,       ///< linalg.matmul, linalg.batch_matmul and their transposes
  Contract,    ///< linalg.contract
  BatchMatmul, ///< linalg_ext.batch_matmul
};

/// The ops that compute the weights from the scores x.
enum class SoftmaxForm {
  Ext,           ///< linalg_ext.softmax from the identity state
  Named,         ///< linalg.softmax
  Chain,         ///< max, exp(x - max), sum, division as linalg.generic
  Guarded,       ///< the chain, with fully masked rows defined as 0
  Rms,           ///< x rsqrt(mean(x x) + eps) gamma; the rsqrt is an op on rows
  RmsInline,     ///< the same; the payload with x computes the rsqrt
  L1,            ///< x / sum(|x|)
  MaxAbs,        ///< x / max(|x|)
  Center,        ///< x - mean(x)
  LayerNorm,     ///< (x - mean(x)) rsqrt(var(x) + eps)
  LayerNormBias, ///< the same times gamma, plus beta
  LayerNormQuotient, ///< (x - mean(x)) / sqrt(var(x) + eps) gamma + beta
};

/// Ways to write SoftmaxForm::Chain and Guarded.
struct ChainStyle {
  bool base2 = false;       ///< exp2 of scores times log2(e)
  bool reciprocal = false;  ///< times 1 / sum instead of a division
  bool keepDims = false;    ///< max and sum have a dim of size 1
  bool broadcast = false;   ///< max and sum pass linalg.broadcast
  bool named = false;       ///< linalg.reduce, sub, exp, div; implies broadcast
  bool wide = false;        ///< in the wider of f32 and the type of the scores
  bool lse = false;         ///< exp(x - (max + log(sum)))
  bool noMax = false;       ///< exp(x) / sum(exp(x))
  bool sink = false;        ///< one more key, with a score but without a value
  bool divideAfter = false; ///< the division comes after the root

  bool isPlain() const {
    return !base2 && !reciprocal && !keepDims && !broadcast && !named &&
           !wide && !lse && !noMax && !sink && !divideAfter;
  }
};

enum class MaskForm {
  None,
  Additive, ///< a float tensor, added to the scores
  Boolean,  ///< an i1 tensor; arith.select of the scores or -inf
  Causal,   ///< keys up to the query, by linalg.index
  Window,   ///< keys at most `maskWidth` from the query
  Prefix,   ///< causal, but all queries see the first `maskWidth` keys
  Lengths,  ///< an i8 tensor with the number of visible keys
};

const char *getName(ContractionForm form);
const char *getName(SoftmaxForm form);
const char *getName(MaskForm form);

/// The second contraction, which accumulates in acc. p are the weights. Max and
/// Shifted cannot be repaired.
enum class RootForm {
  Sum,       ///< acc + p v
  Max,       ///< max(acc, p v)
  Square,    ///< acc + p p v
  Twice,     ///< acc + p v p', where p and p' are two operands
  Shifted,   ///< acc + (p + 1) v
  Reduce,    ///< acc + p; v is not used
  LogSumExp, ///< acc + exp(x - max), then log(acc) + max; for chains only
};
const char *getName(RootForm form);

/// One tensor argument of the function.
struct GraphInput {
  std::string name, dims;
  oracle::DType type;
};

/// The description of an attention graph.
struct AttentionSpec {
  std::string q = "md", k = "nd", v = "ne", scores = "mn", out = "me";
  std::map<char, int64_t> sizes;
  /// Letters of dimensions that are dynamic in the types.
  std::string dynamic;

  oracle::DType type = oracle::DType::F32;      ///< q, k, v
  oracle::DType scoreType = oracle::DType::F32; ///< scores, softmax, mask
  oracle::DType probType = oracle::DType::F32;  ///< weights, as operand of the
                                                ///< second contraction
  oracle::DType accType = oracle::DType::F32;   ///< second contraction
  oracle::DType outType = oracle::DType::F32;

  std::optional<double> scale; ///< multiplied into the scores
  MaskForm mask = MaskForm::None;
  std::string maskDims; ///< dims of the mask tensor; a subset of `scores`
  int64_t maskWidth = 2;
  /// Causal: the query sees keys up to so many behind its own number, which is
  /// counted from the last key if `alignsEnds`.
  int64_t maskOffset = 0;
  bool alignsEnds = false;
  /// Powers of two, whose products are exact:
  std::optional<double> softcap; ///< c tanh(x / c), before the mask
  std::optional<double> alibi;   ///< a bias of this slope times (key - query)
  char queries = 'm';            ///< the query dimension of the causal mask
  char keys = 'n';               ///< the dimension of the softmax

  /// Steps between the softmax and the root, after the cast to `probType`:
  std::optional<double> probFactor; ///< multiplies the weights
  std::string probDims;             ///< transposes the weights to these dims

  /// Reshapes of the weights, before `probFactor`. Each one replaces letters of
  /// their dims by others: "bh>x" merges two dims, "m>yz" splits one, and
  /// "bhmn>hbmn" transposes. If a dim is split, v has those of the new letters
  /// that are dynamic, or all but one. Not supported with LogSumExp or
  /// divideAfter.
  std::vector<std::string> reshapes;

  /// Further steps between the softmax and the root, before `reshapes` and
  /// `probFactor`, one letter each:
  ///   f factor        g quotient      n negation     a absolute value
  ///   r max with 0    p select(p > 0, p, 0)          q square
  ///   s square root   c p x + p y     C the same in three ops
  ///   d dropout by select             D dropout by product
  ///   m sum over j of p mix[j, key]   R collapse and expand
  /// One step multiplies by a factor that is not a state:
  ///   k p times the sum over queries of p
  /// These steps commute with no repair:
  ///   e exp(p)        t select(p > 0.1, p, 0)        x p + p p
  ///   + p + 1         K p + sum over queries of p
  std::string path;

  /// The type that k and v are stored in, of 8 bits; the program converts them
  /// to `type`, which is exact, and multiplies by `storedScale`, before the
  /// prologue.
  std::optional<oracle::DType> stored;
  static constexpr double storedScale = 1.0 / 16;
  /// Each element of k and v, stored as I8, has two integers of 4 bits:
  /// neighbors along the last dimension, which is even, the first one in the
  /// low half. Both are 8 more than what they mean.
  bool packed = false;
  /// A factor of q, k and v, before all other ops.
  std::optional<double> prologue;
  /// Divide the rows of q and k by their norm.
  bool normalizeQK = false;
  /// Merge the first two dims of q, k, v and the result in the signature of the
  /// function. These dims must be static.
  bool flat = false;

  ContractionForm qkForm = ContractionForm::Generic;
  ContractionForm pvForm = ContractionForm::Generic;
  SoftmaxForm softmaxForm = SoftmaxForm::Ext;
  ChainStyle style;
  bool qkSwapped = false; ///< k is the left operand
  bool pvSwapped = false; ///< v is the left operand: softmax as rhs
  /// The loops of the root, outermost first. By default they are `out` and then
  /// the rest. Only a generic, contract or batch_matmul root can have others.
  std::string rootLoops;
  /// The graph has no first contraction. The scores replace q and k as inputs.
  bool scoresAreInput = false;
  /// The root accumulates on the last input instead of zeros.
  bool initIsInput = false;
  /// Additional results of the function, in this order: the input of the
  /// softmax, its weights (before their cast), its max and sum (for
  /// softmaxForm Ext and plain chains), the result of a second root, and the
  /// sum over the keys of the reshaped weights.
  bool returnScores = false;
  bool returnWeights = false;
  bool returnState = false;
  bool secondRoot = false;
  bool returnWeightSums = false;
  bool returnLogSumExp = false; ///< max + ln(sum); after the others
  RootForm rootForm = RootForm::Sum;

  /// A capital letter has half of the size, if there is no other one.
  int64_t size(char letter) const;
  /// The letters of k or v, of which `dims` are those of the elements, as they
  /// are stored.
  std::string storedDims(std::string dims) const;
  oracle::Shape shape(const std::string &letters) const;
  int64_t softmaxDim() const { return scores.find(keys); }
  bool hasMaskInput() const {
    return mask == MaskForm::Additive || mask == MaskForm::Boolean ||
           mask == MaskForm::Lengths;
  }
  bool isChain() const {
    return softmaxForm == SoftmaxForm::Chain ||
           softmaxForm == SoftmaxForm::Guarded;
  }
  /// True if `softmaxForm` is a norm and not a softmax.
  bool isNorm() const { return softmaxForm >= SoftmaxForm::Rms; }
  bool isLayerNorm() const { return softmaxForm >= SoftmaxForm::LayerNorm; }
  bool hasBias() const { return softmaxForm >= SoftmaxForm::LayerNormBias; }
  bool has(char step) const { return path.find(step) != std::string::npos; }
  /// The type that the chain computes in.
  oracle::DType chainType() const {
    return style.wide ? oracle::getStateType(scoreType) : scoreType;
  }
  /// Returns the arguments of the function, in order.
  std::vector<GraphInput> inputs() const;
  size_t inputNumber(const std::string &name) const;
  bool isFlat(const std::string &dims) const { return flat && dims.size() > 1; }
  /// Returns `dims` after `reshape`, one of `reshapes`.
  static std::string reshaped(std::string dims, const std::string &reshape);
  /// Returns the dims of the weights as operand of the root.
  std::string weightDims() const;
  /// Returns the position of the mask in the inputs.
  size_t maskInput() const { return scoresAreInput ? 2 : 3; }
  /// Returns one line that distinguishes this spec from others.
  std::string describe() const;
};

/// The ranges of random inputs.
struct InputRange {
  double score = 2.0; ///< |scores| stay near it, by scaling q and k
  double value = 1.0; ///< the largest |v|
  /// The probability that the mask hides an element.
  double masked = 0.3;
};

/// A function that computes attention, and its spec.
struct AttentionGraph {
  AttentionSpec spec;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp func;
  mlir::Operation *firstContraction = nullptr; ///< null if scoresAreInput
  mlir::Operation *softmax = nullptr;          ///< null for the chains
  mlir::Operation *root = nullptr;             ///< the second contraction
  std::string rootLoops; ///< the letter of each iteration dim of the root

  /// Returns the tile sizes of the root, in the order of its loops. A letter
  /// that `sizes` lacks has tile size 0.
  llvm::SmallVector<int64_t> tiles(const std::map<char, int64_t> &sizes) const;
  /// Returns the position of a letter in the root's iteration domain.
  int64_t loop(char letter) const { return rootLoops.find(letter); }

  /// Returns one tensor for each input of the spec.
  std::vector<oracle::Tensor> randomInputs(oracle::Random &random,
                                           InputRange range = {}) const;
  /// Returns the expected results on `inputs`. The error bounds hold if the
  /// program computes the softmax and the second contraction in `steps` tiles
  /// along the keys, and exponentials in this form.
  std::vector<oracle::Bounded>
  evaluate(const std::vector<oracle::Tensor> &inputs, int64_t steps,
           oracle::ExpForm form = oracle::ExpForm::OfDifference) const;
};

/// Builds `func.func @main`. The spec must be consistent. If the spec asks for
/// a named op and no named op has the form of the contraction, builds a
/// linalg.generic.
AttentionGraph buildAttention(mlir::MLIRContext *context,
                              const AttentionSpec &spec);

/// makeKeep returns a keep mask (1 keeps, 0 masks) of all ones, with the dims
/// `maskDims`. makeMaskInput converts a keep mask to the mask input of the
/// spec.
oracle::Tensor makeKeep(const AttentionSpec &spec);
oracle::Tensor makeMaskInput(const AttentionSpec &spec,
                             const oracle::Tensor &keep);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_GRAPHS_H
