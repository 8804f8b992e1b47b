//===- Graphs.h - Test graphs and their meaning -----------------*- C++ -*-===//
//
// Builds unfused attention in every arrangement the tests need, and says what
// it means: a graph comes with its inputs and with an evaluation by the oracle
// that gives, for the same inputs, the result and the error allowed.
//
// Dimensions are letters. By convention `m` are queries, `n` keys, `d` the head
// dimension of q and k, `e` that of v, `b` and `h` batch and (kv) heads, `g`
// the query heads that share a kv head; but only the letters of the spec
// decide.
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

namespace linalg_ext_test {

/// The op that a contraction is written as.
enum class ContractionForm {
  Generic,     ///< linalg.generic
  Named,       ///< linalg.matmul, linalg.batch_matmul and their transposes
  Contract,    ///< linalg.contract
  BatchMatmul, ///< linalg_ext.batch_matmul
};

/// How the scores become weights.
enum class SoftmaxForm {
  Ext,           ///< linalg_ext.softmax from the identity state
  Named,         ///< linalg.softmax
  Chain,         ///< max, exp(x - max), sum, division as linalg.generic
  Guarded,       ///< the chain, with fully masked rows defined as 0
  Rms,           ///< x rsqrt(mean(x x) + eps) gamma, the rsqrt an op on rows
  RmsInline,     ///< the same, the rsqrt computed where it meets x
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
  bool wide = false;        ///< computed in the wider of f32 and the scores'
  bool lse = false;         ///< exp(x - (max + log(sum)))
  bool noMax = false;       ///< exp(x) / sum(exp(x))
  bool sink = false;        ///< one more key, which has a score but no value
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
  Prefix,   ///< causal, but the first `maskWidth` keys are seen by all
  Lengths,  ///< an i8 tensor of numbers of keys
};

const char *getName(ContractionForm form);
const char *getName(SoftmaxForm form);
const char *getName(MaskForm form);

/// Second contractions. Max and Shifted cannot be repaired.
enum class RootForm {
  Sum,       ///< acc + p v
  Max,       ///< max(acc, p v)
  Square,    ///< acc + p p v
  Twice,     ///< acc + p v p', the weights being two operands
  Shifted,   ///< acc + p v, where p has become p + 1 on the way
  Reduce,    ///< acc + p; v is not used
  LogSumExp, ///< acc + exp(x - max), from which log(acc) + max; of a chain
};
const char *getName(RootForm form);

/// One tensor that the function takes.
struct GraphInput {
  std::string name, dims;
  oracle::DType type;
};

struct AttentionSpec {
  std::string q = "md", k = "nd", v = "ne", scores = "mn", out = "me";
  std::map<char, int64_t> sizes;
  /// Letters whose size is dynamic in the types.
  std::string dynamic;

  oracle::DType type = oracle::DType::F32;      ///< q, k, v
  oracle::DType scoreType = oracle::DType::F32; ///< scores, softmax, mask
  oracle::DType probType = oracle::DType::F32;  ///< of the softmax, where it
                                                ///< meets v
  oracle::DType accType = oracle::DType::F32;   ///< of the second contraction
  oracle::DType outType = oracle::DType::F32;

  std::optional<double> scale; ///< multiplied into the scores
  MaskForm mask = MaskForm::None;
  std::string maskDims; ///< of the mask tensor; a subset of `scores`
  int64_t maskWidth = 2;
  std::optional<double> softcap; ///< c tanh(x / c), before the mask
  std::optional<double> alibi;   ///< the slope of a bias by (key - query)
  char queries = 'm';            ///< of the causal mask
  char keys = 'n';               ///< the dimension of the softmax

  /// On the way from the softmax to the root, after the cast to `probType`:
  std::optional<double> probFactor; ///< the weights are multiplied
  std::string probDims;             ///< and transposed to these dims

  /// Before that the weights pass reshapes, each of which replaces letters of
  /// their dims by others: "bh>x" merges two dims, "m>yz" splits one, and
  /// "bhmn>hbmn" transposes. Of letters that a dim is split into, v has those
  /// that are dynamic, or all but one. Not with LogSumExp nor divideAfter.
  std::vector<std::string> reshapes;

  /// Further steps on that way, before those two, one letter each:
  ///   f factor        g quotient      n negation     a absolute value
  ///   r max with 0    p select(p > 0, p, 0)          q square
  ///   s square root   c p x + p y     C the same in three ops
  ///   d dropout by select             D dropout by product
  ///   m sum over j of p mix[j, key]   R collapse and expand
  /// one that is a factor that is no state:
  ///   k p times the sum over queries of p
  /// and those that no repair commutes with:
  ///   e exp(p)        t select(p > 0.1, p, 0)        x p + p p
  ///   + p + 1         K p + sum over queries of p
  std::string path;

  /// q, k and v are multiplied by it first.
  std::optional<double> prologue;
  /// The rows of q and k are divided by their norm.
  bool normalizeQK = false;
  /// The first two dims of q, k, v and the result are one in the function's
  /// signature. These dims must be static.
  bool flat = false;

  ContractionForm qkForm = ContractionForm::Generic;
  ContractionForm pvForm = ContractionForm::Generic;
  SoftmaxForm softmaxForm = SoftmaxForm::Ext;
  ChainStyle style;
  bool qkSwapped = false; ///< k is the left operand
  bool pvSwapped = false; ///< v is the left operand: softmax as rhs
  /// The loops of the root, outermost first; by default `out`, then the rest.
  /// Only a generic, contract or batch_matmul root can have others.
  std::string rootLoops;
  /// No first contraction: the scores are the first input, instead of q and k.
  bool scoresAreInput = false;
  /// The root accumulates on a tensor that is the last input, not on zeros.
  bool initIsInput = false;
  /// What the function returns besides, in this order: the scores that the
  /// softmax sees, its weights (before their cast), its max and sum
  /// (softmaxForm Ext and plain chains), the root's result once more, from
  /// another op, and the weights that are reshaped summed over the keys.
  bool returnScores = false;
  bool returnWeights = false;
  bool returnState = false;
  bool secondRoot = false;
  bool returnWeightSums = false;
  bool returnLogSumExp = false; ///< max + ln(sum); after the others
  RootForm rootForm = RootForm::Sum;

  int64_t size(char letter) const { return sizes.at(letter); }
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
  /// Not a softmax at all.
  bool isNorm() const { return softmaxForm >= SoftmaxForm::Rms; }
  bool isLayerNorm() const { return softmaxForm >= SoftmaxForm::LayerNorm; }
  bool hasBias() const { return softmaxForm >= SoftmaxForm::LayerNormBias; }
  bool has(char step) const { return path.find(step) != std::string::npos; }
  /// In which the chain computes.
  oracle::DType chainType() const {
    return style.wide ? oracle::getStateType(scoreType) : scoreType;
  }
  /// What the function takes, in this order.
  std::vector<GraphInput> inputs() const;
  size_t inputNumber(const std::string &name) const;
  bool isFlat(const std::string &dims) const { return flat && dims.size() > 1; }
  /// What `reshape`, one of `reshapes`, makes of `dims`.
  static std::string reshaped(std::string dims, const std::string &reshape);
  /// The dims of the weights at the root.
  std::string weightDims() const;
  /// The number of the mask among the inputs.
  size_t maskInput() const { return scoresAreInput ? 2 : 3; }
  /// One line that tells two specs apart.
  std::string describe() const;
};

/// What is drawn for the inputs.
struct InputRange {
  double score = 2.0; ///< q and k are scaled so that |scores| stay near it
  double value = 1.0; ///< |v|
  /// Of the mask: the probability that an element is masked.
  double masked = 0.3;
};

struct AttentionGraph {
  AttentionSpec spec;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp func;
  mlir::Operation *firstContraction = nullptr; ///< null if scoresAreInput
  mlir::Operation *softmax = nullptr;          ///< null for the chains
  mlir::Operation *root = nullptr;             ///< the second contraction
  std::string rootLoops; ///< the letter of each iteration dim of the root

  /// The tile sizes of the root: those given by letter, 0 for the others.
  llvm::SmallVector<int64_t> tiles(const std::map<char, int64_t> &sizes) const;
  /// The position of a letter in the root's iteration domain.
  int64_t loop(char letter) const { return rootLoops.find(letter); }

  /// One for each input of the spec.
  std::vector<oracle::Tensor> randomInputs(oracle::Random &random,
                                           InputRange range = {}) const;
  /// What the function returns on `inputs`, the softmax and the second
  /// contraction being done in `steps` tiles along the keys.
  std::vector<oracle::Bounded>
  evaluate(const std::vector<oracle::Tensor> &inputs, int64_t steps) const;
};

/// Builds `func.func @main`. The spec must be consistent; a contraction that is
/// not a named op although the spec says so becomes a generic one.
AttentionGraph buildAttention(mlir::MLIRContext *context,
                              const AttentionSpec &spec);

/// A keep mask (1 keeps, 0 masks) for `maskDims` of the spec, all 1; and
/// its counterpart of the form that the spec's mask input has.
oracle::Tensor makeKeep(const AttentionSpec &spec);
oracle::Tensor makeMaskInput(const AttentionSpec &spec,
                             const oracle::Tensor &keep);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_GRAPHS_H
