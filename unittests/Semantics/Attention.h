//===- Attention.h - Attention as frameworks define it ----------*- C++ -*-===//
//
// This file describes a call of ONNX's Attention (opsets 23 to 25) or of
// PyTorch's scaled_dot_product_attention. It also describes how importers write
// such a call in linalg, and bounds the error of such a program. It does not
// define the result: each family of tests has its own reference, which follows
// the text of the specification.
//
// A letter names a dimension:
//
//   a, b  batch
//   h     kv heads
//   g     query heads of one kv head
//   H     all query heads, h g
//   m     queries
//   p, c  past and incoming keys
//   n     all keys: p + c, or c
//   s     keys of a mask that has fewer than n
//   d, e  head dimensions of k and of v
//   B     all batch dimensions and heads in one
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

  std::string batch = "b";       ///< "", "b" or "ab"
  bool hasHeads = true;          ///< false: [batch, sequence, head dim]
  bool packedHeads = false;      ///< [b, sequence, heads * head dim]
  std::map<char, int64_t> sizes; ///< of the letters above, except H and B
  std::string dynamic;           ///< the letters of dynamic size
  oracle::DType type = oracle::DType::F32; ///< of all float tensors except v
  std::optional<oracle::DType> valueType;  ///< of v and of its past values

  std::optional<double> scale; ///< 1 / sqrt(d) by default
  double softcap = 0;          ///< 0 is none
  bool isCausal = false;
  /// How many keys a query sees to its left and to its right. -1 is all.
  int64_t leftWindow = -1, rightWindow = -1;
  Mask mask = Mask::None;
  /// The letters of the mask: a suffix of a, b, H, m, n in this order. '1' may
  /// replace any letter, and 's' may replace n.
  std::string maskDims;
  bool hasPast = false;    ///< k and v hold only the incoming keys
  bool hasLengths = false; ///< an input gives the valid keys of each batch
  /// A second result, ONNX's qk_matmul_output. 0: the scaled scores, 1: after the
  /// soft cap, 2: after the masks, 3: the weights.
  std::optional<int> scoresOutput;
  /// The probability of dropout. An input says which weights are kept.
  double dropout = 0;
  /// The order of the dims of q, k and v, if heads are not packed.
  enum class Layout {
    Heads,     ///< heads, sequence, depth
    Sequence,  ///< sequence, heads, depth, as in JAX
    DepthFirst ///< in k and v, the depth comes before the sequence
  } layout = Layout::Heads;
  /// q and k are rotated by tables with a cosine and a sine for each position.
  bool hasRotary = false;
  /// The scores get a bias: the distance of key and query times a slope, one
  /// for each head.
  bool hasSlopes = false;
  /// The type in which keys and values are stored: I8, or a float of 8 bits. If
  /// there are past keys, only these are stored so. The program converts them
  /// to `type` and multiplies them by a scale, one for each kv head. Needs
  /// heads, and excludes isOneInput.
  std::optional<oracle::DType> stored;
  /// q, k and v are parts of one argument, [b, m, Q K V], which has all of
  /// their heads. Needs packed heads, and as many keys as queries.
  bool isOneInput = false;

  int64_t size(char letter) const;
  double getScale() const;
  oracle::DType getValueType() const { return valueType.value_or(type); }
  /// The type in which the second contraction sums: f64 if one of its operands
  /// is f64, f32 otherwise.
  oracle::DType getAccumulatorType() const;
  /// The letter of the query heads: "h" if each kv head has one, "H" otherwise.
  /// Empty without heads.
  std::string queryHeads() const;
  std::string kvHeads() const { return hasHeads ? "h" : ""; }
  /// Returns the letters of heads, sequence and depth in the order of the
  /// layout.
  std::string order(const std::string &heads, char sequence, char depth) const;
  std::string describe() const;
};

/// The tensors of a call. Those that the call does not have are empty.
struct AttentionInputs {
  oracle::Tensor q, k, v, mask, pastKey, pastValue, lengths, keep;
  std::vector<oracle::Tensor> rotary;
  oracle::Tensor slopes, keyScale, valueScale;

  /// Returns the arguments of the function: the fields that `call` has, in
  /// order.
  std::vector<oracle::Tensor> list(const AttentionCall &call) const;
};

/// How an importer writes a call.
struct Spelling {
  /// How query heads that share a kv head read it.
  enum class Heads {
    Grouped, ///< query heads are expanded to (h, g); `g` does not index k and v
    Repeated, ///< k and v are broadcast to the query heads
    Batched   ///< repeated, then all batch dims and heads are collapsed for
              ///< linalg.batch_matmul, and expanded for the softmax
  } heads = Heads::Grouped;
  /// Batched: upstream's patterns move the reshapes out of the way first.
  bool foldReshapes = true;
  /// Repeated: tensor.expand_shape makes a dimension of size 1, and the
  /// broadcast reads that, as in torch-mlir.
  bool repeatByExpand = false;
  /// The ops of the softmax. A chain is several linalg.generic.
  enum class Softmax {
    Named,    ///< linalg.softmax
    Chain,    ///< a chain whose reductions drop the keys
    KeepDims, ///< a chain whose reductions keep them, with size 1
    Expanded ///< a chain whose maximum drops them, and tensor.expand_shape adds
             ///< a dimension of size 1, as in torch-mlir
  } softmax = Softmax::Chain;
  /// The end of a chain.
  enum class Normalize {
    Divide,     ///< a division by the sum
    Reciprocal, ///< the product with 1 / sum
    LogSumExp   ///< exp(x - (max + log(sum))), as in TOSA
  } normalize = Normalize::Divide;
  /// The number from which the maximum of a chain starts.
  enum class MaxInit {
    Infinity, ///< -inf
    Lowest,   ///< the lowest finite number
    NaN       ///< arith.maxnumf ignores it, as in upstream's decomposition
  } maxInit = MaxInit::Infinity;
  bool argMax = false;       ///< the maximum comes with its position, unused
  bool negativeSum = false;  ///< the sum of a chain starts from -0.0
  bool spreadRows = false;   ///< max and sum are broadcast to the scores' shape
  bool splatScale = false;   ///< the scale is a tensor of equal numbers
  bool narrowScores = false; ///< scores are rounded to the type of q and k
  bool genericFills = false; ///< fills are linalg.generic
  /// How a row that is masked as a whole becomes 0.
  enum class Guard {
    None,
    InChain, ///< the chain replaces a maximum of -inf and a sum of 0
    ByBias, ///< a select after the softmax, if the bias of the row is all -inf,
            ///< as in ONNX's function body
    ByScores ///< the same by the scores, as in PyTorch's _safe_softmax
  } guard = Guard::None;
  /// q and k are multiplied by sqrt(scale), in their own type. Otherwise the
  /// scores are multiplied by the scale.
  bool scaleOperands = false;
  bool transposeKeys = false; ///< by a linalg.transpose
  /// All masks are added in one tensor of 0 and -inf, which is added to the
  /// scores. Otherwise arith.select masks the scores.
  bool biasTensor = false;
  bool concatByInsertSlice = false; ///< otherwise by tensor.concat
  bool softcapIsOneOp = false;      ///< otherwise two products and a tanh
  /// The type of a boolean mask: i1, or an integer that is 0 or 1.
  oracle::DType maskType = oracle::DType::I1;
  /// How a boolean mask is used.
  enum class MaskUse {
    Compare,       ///< an op of its own compares it with 0
    CompareInline, ///< the op that uses it compares it with 0
    Convert ///< converted to float; (1 - mask) times a large negative number
            ///< is added. So a row that is masked as a whole is not 0.
  } maskUse = MaskUse::Compare;
  oracle::DType lengthType = oracle::DType::I8;
  oracle::DType scoreType = oracle::DType::F32;   ///< of q k^T
  oracle::DType softmaxType = oracle::DType::F32; ///< of the softmax

  std::string describe() const;
};

struct ImportedAttention {
  std::string text;
  /// The letters of the iteration domain of the second contraction.
  std::string rootLoops;
};

ImportedAttention importAttention(const AttentionCall &call,
                                  const Spelling &spelling);

/// Returns random tensors for `call`. `masked` is the probability that the mask
/// hides an element. With `maskRows`, some rows are hidden as a whole, too.
AttentionInputs makeInputs(const AttentionCall &call, oracle::Random &random,
                           double masked, bool maskRows);

/// Returns the expected results, with the error that a program may make if it
/// computes the keys in `steps` tiles.
std::vector<oracle::Bounded> evaluate(const AttentionCall &call,
                                      const Spelling &spelling,
                                      const AttentionInputs &inputs,
                                      int64_t steps);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SEMANTICS_ATTENTION_H
