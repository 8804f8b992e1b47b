//===- Attention.h - Attention as frameworks define it ----------*- C++ -*-===//
//
// A call of ONNX's Attention (opsets 23 to 25) or PyTorch's
// scaled_dot_product_attention; the ways in which importers write it in linalg;
// and the error that such a program may make. What a call means is not said
// here: each family of tests has its own reference, straight from the text of
// the specification.
//
// Letters: `a` and `b` batch, `h` kv heads, `g` query heads of one kv head, `H`
// all query heads (h g), `m` queries, `p` past keys, `c` incoming keys, `n` all
// keys (p + c, or c), `B` all batch dims and heads in one, `s` the keys of a
// mask that is shorter, `d` and `e` the head dimensions of k and v.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SEMANTICS_ATTENTION_H
#define LINALG_EXT_UNITTESTS_SEMANTICS_ATTENTION_H

#include "Support/ErrorBound.h"
#include "Support/Oracle.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// The inputs and attributes of a call.
struct AttentionCall {
  enum class Mask { None, Boolean, Float };

  std::string batch = "b";       ///< "", "b" or "ab".
  bool hasHeads = true;          ///< Without: [batch, sequence, head dim].
  bool packedHeads = false;      ///< [b, sequence, heads * head dim].
  std::map<char, int64_t> sizes; ///< Of the letters above but H.
  std::string dynamic;           ///< Letters of dynamic size.
  oracle::DType type = oracle::DType::F32; ///< Of all float tensors but v.
  std::optional<oracle::DType> valueType;  ///< Of v and its past.

  std::optional<double> scale; ///< 1 / sqrt(d) by default.
  double softcap = 0;          ///< 0 is none.
  bool isCausal = false;
  /// The keys seen to the left and right of a query; -1 is all of them.
  int64_t leftWindow = -1, rightWindow = -1;
  Mask mask = Mask::None;
  /// The letters of the mask, a suffix of a, b, H, m, n in this order; '1' in
  /// place of any letter, 's' in that of n.
  std::string maskDims;
  bool hasPast = false;    ///< k and v hold the incoming keys only.
  bool hasLengths = false; ///< The number of valid keys of each batch.
  /// ONNX's qk_matmul_output: the scaled scores, with the soft cap, with the
  /// masks as well, or the weights.
  std::optional<int> scoresOutput;
  double dropout = 0; ///< Its probability, with the mask of what is kept given.
  /// The orders of the dims of q, k and v, of those that are not packed: heads,
  /// sequence and depth; sequence, heads and depth, as in JAX; or k and v with
  /// the depth in front of the sequence.
  enum class Layout { Heads, Sequence, DepthFirst } layout = Layout::Heads;
  /// q and k are rotated, by tables of cosines and sines of each position.
  bool hasRotary = false;
  /// A slope of each head times the distance is added to the scores.
  bool hasSlopes = false;
  /// What keys and values are stored in: I8, or floats of 8 bits; only the past
  /// ones if there are some. The program converts them to `type`, and multiplies
  /// them by a scale of each kv head. With heads, and not of one input.
  std::optional<oracle::DType> stored;
  /// q, k and v are parts of one argument, [b, m, all of their heads]; of
  /// packed heads, as many keys as queries.
  bool isOneInput = false;

  int64_t size(char letter) const;
  double getScale() const;
  oracle::DType getValueType() const { return valueType.value_or(type); }
  /// Of the second contraction: f32, or f64 if one of its operands is.
  oracle::DType getAccumulatorType() const;
  /// The letters of the query heads: "H", "h" where they are the kv heads, or
  /// none.
  std::string queryHeads() const;
  std::string kvHeads() const { return hasHeads ? "h" : ""; }
  /// Heads, sequence and depth in the order of the layout.
  std::string order(const std::string &heads, char sequence, char depth) const;
  std::string describe() const;
};

/// The tensors of a call; empty where it has none.
struct AttentionInputs {
  oracle::Tensor q, k, v, mask, pastKey, pastValue, lengths, keep;
  std::vector<oracle::Tensor> rotary;
  oracle::Tensor slopes, keyScale, valueScale;

  /// In the order of the function's arguments, which is that of the fields.
  std::vector<oracle::Tensor> list(const AttentionCall &call) const;
};

/// How an importer writes a call.
struct Spelling {
  /// Grouped: heads expanded to (h, g), `g` not indexing k and v. Repeated: k
  /// and v broadcast to the query heads. Batched: repeated, and all batch dims
  /// collapsed for linalg.batch_matmul, expanded again for the softmax.
  enum class Heads { Grouped, Repeated, Batched } heads = Heads::Grouped;
  /// Batched: upstream's patterns move the reshapes out of the way first.
  bool foldReshapes = true;
  /// Repeated: a dimension of size 1 is made by tensor.expand_shape, which the
  /// broadcast reads, as torch-mlir has it.
  bool repeatByExpand = false;
  /// Along the keys: linalg.softmax, or a chain of linalg.generic whose
  /// reductions drop the dimension, or keep it with size 1, or whose maximum
  /// drops it and tensor.expand_shape makes it anew, as torch-mlir has it.
  enum class Softmax {
    Named,
    Chain,
    KeepDims,
    Expanded
  } softmax = Softmax::Chain;
  /// What the chain ends with: a division, the product with a reciprocal, or
  /// exp(x - (max + log(sum))), as TOSA has it.
  enum class Normalize {
    Divide,
    Reciprocal,
    LogSumExp
  } normalize = Normalize::Divide;
  /// What the chain's maximum starts from: -inf, the lowest finite number, or
  /// NaN, which arith.maxnumf ignores, as upstream's decomposition has it.
  enum class MaxInit { Infinity, Lowest, NaN } maxInit = MaxInit::Infinity;
  bool argMax = false;       ///< It comes with a position that nobody uses.
  bool negativeSum = false;  ///< The chain's sum starts from -0.0.
  bool spreadRows = false;   ///< Rows are broadcast to a tensor of the scores.
  bool splatScale = false;   ///< The scale is a tensor of equal numbers.
  bool narrowScores = false; ///< Scores are rounded to the type of q and k.
  bool genericFills = false; ///< Fills are linalg.generic.
  /// What makes fully masked rows 0: nothing; within the chain, the maximum and
  /// the sum; after the softmax, a select by whether all of the row is -inf: of
  /// the bias, as ONNX's function body has it, or of the scores, as in
  /// PyTorch's _safe_softmax.
  enum class Guard { None, InChain, ByBias, ByScores } guard = Guard::None;
  /// q and k are multiplied by sqrt(scale), in their own type; else the scores.
  bool scaleOperands = false;
  bool transposeKeys = false; ///< By a linalg.transpose.
  /// All masks are summed up in a tensor of 0 and -inf; else the scores are
  /// selected.
  bool biasTensor = false;
  bool concatByInsertSlice = false;
  bool softcapIsOneOp = false; ///< Else three: two products and tanh.
  /// A boolean mask comes as an i1, or as an integer, 0 or 1.
  oracle::DType maskType = oracle::DType::I1;
  /// What becomes of such a mask: it is compared with 0, by an op of its own or
  /// where it is used, or it is converted to a float, and (1 - mask) times a
  /// large negative number added. The latter leaves something of rows that are
  /// masked as a whole.
  enum class MaskUse {
    Compare,
    CompareInline,
    Convert
  } maskUse = MaskUse::Compare;
  oracle::DType lengthType = oracle::DType::I8;
  oracle::DType scoreType = oracle::DType::F32;   ///< Of q k^T.
  oracle::DType softmaxType = oracle::DType::F32; ///< Of the softmax.

  std::string describe() const;
};

struct ImportedAttention {
  std::string text;
  /// The letters of the iteration domain of the second contraction.
  std::string rootLoops;
};

ImportedAttention importAttention(const AttentionCall &call,
                                  const Spelling &spelling);

/// Random tensors for `call`. `masked` is the probability that a mask masks an
/// element; with `maskRows` whole rows are masked, too.
AttentionInputs makeInputs(const AttentionCall &call, oracle::Random &random,
                           double masked, bool maskRows);

/// The results of the program, with what it may err by if the keys are done in
/// `steps` tiles.
std::vector<oracle::Bounded> evaluate(const AttentionCall &call,
                                      const Spelling &spelling,
                                      const AttentionInputs &inputs,
                                      int64_t steps);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SEMANTICS_ATTENTION_H
