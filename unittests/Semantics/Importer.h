//===- Importer.h - Writes graphs as importers do ---------------*- C++ -*-===//
//
// Writes the text of one function on tensors, op by op, in upstream dialects
// only. Dimensions are letters, as in Support/Graphs.h; '1' is a dimension of
// size 1 that is broadcast. A letter has one size in the whole function.
//
//   Importer importer({{'m', 3}, {'n', 5}, {'d', 4}}, /*dynamic=*/"n");
//   Value q = importer.argument("md", DType::F16);
//   Value k = importer.argument("nd", DType::F16);
//   Value s = importer.contraction(q, k, "mn", DType::F32);
//   std::string text = importer.finish({s});
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SEMANTICS_IMPORTER_H
#define LINALG_EXT_UNITTESTS_SEMANTICS_IMPORTER_H

#include "Support/Oracle.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace linalg_ext_test {

/// A tensor of the function.
struct ImportedValue {
  std::string name, dims;
  oracle::DType type;
};

/// The payload of one linalg.generic. Scalars are SSA names.
class Payload {
public:
  explicit Payload(std::string loops) : loops(std::move(loops)) {}

  /// "addf": appends `arith.addf a, b : type`; returns its result.
  std::string arith(const std::string &op, const std::string &a,
                    const std::string &b, const std::string &type);
  /// Appends `<op>` as it is; returns its result.
  std::string emit(const std::string &op);
  /// linalg.index of a letter.
  std::string index(char letter);
  std::string constant(double value, oracle::DType type);
  std::string constantIndex(int64_t value);
  std::string convert(const std::string &scalar, oracle::DType from,
                      oracle::DType to);

  std::string text;

private:
  std::string loops;
  int64_t count = 0;
};

class Importer {
public:
  using Value = ImportedValue;
  /// The body of a linalg.generic. Its arguments are the elements of the
  /// inputs, and the accumulator if there is a reduction. Returns what is
  /// yielded.
  using Body = std::function<std::string(Payload &, std::vector<std::string>)>;

  Importer(std::map<char, int64_t> sizes, std::string dynamic)
      : sizes(std::move(sizes)), dynamic(std::move(dynamic)) {}

  /// Fills are linalg.generic instead of linalg.fill.
  void setGenericFills(bool value) { genericFills = value; }

  Value argument(const std::string &dims, oracle::DType type);
  Value fill(const std::string &dims, oracle::DType type, double value);

  /// A parallel op over `outDims`. Inputs with other letters are broadcast, or
  /// transposed.
  Value elementwise(const std::vector<Value> &inputs,
                    const std::string &outDims, oracle::DType type,
                    const Body &body);
  Value convert(const Value &input, oracle::DType type);
  Value multiply(const Value &input, double factor);

  /// Reduces `letter`. With `keepDim`, it becomes a '1' instead of being
  /// dropped.
  Value reduce(const Value &input, char letter, bool keepDim, double init,
               const Body &body);

  /// Returns the maximum along `letter`. The op has a second result, its
  /// position as an i64.
  Value reduceWithIndex(const Value &input, char letter, double init);

  /// Sums products over the letters that `outDims` lacks, in `type`.
  Value contraction(const Value &lhs, const Value &rhs,
                    const std::string &outDims, oracle::DType type);
  /// The same, added to `init`, in the type of `init`.
  Value contractOnto(const Value &lhs, const Value &rhs, const Value &init);
  /// linalg.batch_matmul of [B, x, y] and [B, y, z].
  Value batchMatmul(const Value &lhs, const Value &rhs, oracle::DType type);
  /// linalg.softmax along `letter`.
  Value softmax(const Value &input, char letter);

  /// linalg.transpose.
  Value transpose(const Value &input, const std::string &dims);
  /// `letter` becomes the dims `parts`, whose sizes multiply to its own.
  Value expand(const Value &input, char letter, const std::string &parts);
  /// The adjacent dims `parts` become `letter`.
  Value collapse(const Value &input, const std::string &parts, char letter);
  /// Pads the last dimension, `letter`, to the size of `longer` with `value`.
  Value pad(const Value &input, char letter, char longer, double value);
  /// Slices dimension `letter` from `offset` on. The slice has the size of
  /// `part`, which is static.
  Value slice(const Value &input, char letter, char part, int64_t offset);
  /// Gives the dimensions of `input` other letters, which have the same sizes.
  Value rename(const Value &input, const std::string &dims);
  /// Joins two tensors along the dimension whose letters differ. By
  /// tensor.concat, or by two tensor.insert_slice.
  Value concat(const Value &first, const Value &second,
               const std::string &outDims, bool byInsertSlice);

  /// The SSA name of a letter's size: a constant or a tensor.dim.
  std::string size(char letter);
  bool hasLetter(char letter) const { return sizes.count(letter) > 0; }
  int64_t staticSize(char letter) const {
    return letter == '1' ? 1 : sizes.at(letter);
  }
  void appendOp(const std::string &line) { body += "  " + line + "\n"; }
  std::string freshName();

  /// The module, with the function `main` that returns `results`.
  std::string finish(const std::vector<Value> &results) const;

private:
  bool isDynamic(char letter) const {
    return dynamic.find(letter) != std::string::npos;
  }
  std::string typeOf(const std::string &dims, oracle::DType type) const;
  std::string typeOf(const Value &value) const {
    return typeOf(value.dims, value.type);
  }
  Value empty(const std::string &dims, oracle::DType type);
  Value generic(const std::vector<Value> &inputs, const Value &init,
                const std::string &loops, const Body &body);

  std::map<char, int64_t> sizes;
  std::string dynamic;
  std::map<char, std::string> sizeNames;
  std::string arguments, body;
  int64_t count = 0, numArguments = 0;
  bool genericFills = false;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SEMANTICS_IMPORTER_H
