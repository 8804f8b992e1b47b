//===- Paged.h - Attention on paged and packed sequences --------*- C++ -*-===//
//
// Draws caches of keys and values as serving systems have them, writes the
// program that attends to them, and says what it computes. Whatever a program
// must not read is poison: rows that no sequence has are NaN, and entries of a
// table behind a length are negative or huge.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_PAGED_H
#define LINALG_EXT_UNITTESTS_SUPPORT_PAGED_H

#include "ErrorBound.h"

#include <functional>
#include <string>
#include <vector>

namespace linalg_ext_test {

enum class PagedForm { Pages, FlatTable, Packed };

/// Attention of `queries` rows for each of `kvHeads` x `group` heads to
/// sequences of up to `keys` keys.
struct PagedSpec {
  PagedForm form = PagedForm::Pages;
  oracle::DType type = oracle::DType::F32;
  int64_t kvHeads = 2, group = 2, queries = 3, keys = 20, dim = 4, columns = 5;
  int64_t pageSize = 4;
  /// Entries of the table for each sequence; fewer than `keys` need leave
  /// zeros.
  int64_t entries = 5;
  /// One for each sequence; may be beyond `keys`.
  std::vector<int64_t> lengths = {20, 7};
  /// Without them all keys count. Packed sequences always have them.
  bool hasLengths = true;
  /// The heads are outside of the rows of a page.
  bool headsFirst = false;
  /// All sizes of types are dynamic.
  bool isDynamic = false;
  /// Sizes of heads, columns and pages are static all the same.
  bool hasStaticRows = false;
  /// Weights are rounded to `type` before the second product.
  bool narrowsWeights = false;
  /// The last query is the last key of its sequence, and sees no later one.
  bool isCausal = false;
  /// The first entries of all sequences are those of the first one.
  int64_t sharedEntries = 0;
  /// Elements are small integers, and those that nobody reads are -128, not NaN.
  bool isInt = false;
  /// How often an entry names no page, and how often a page is shared.
  double nullChance = 0.1, sharedChance = 0.1;

  int64_t batch() const { return static_cast<int64_t>(lengths.size()); }
  std::string describe() const;
};

/// A spec with random sizes, of which the lengths are around those of pages.
PagedSpec drawPagedSpec(oracle::Random &random);

/// Keys or values of sequences: a pool, what lists its rows, and the dense tensor
/// that it means, zeros where nothing exists.
struct PagedCache {
  oracle::Tensor pool, table, starts, dense;
};

/// Draws a cache of `columns` elements in each row.
PagedCache drawPagedCache(const PagedSpec &spec, int64_t columns,
                          oracle::Random &random);

/// The text of %`name`, gathered from %`name`_pool.
struct GatherText {
  std::string name, pool, poolDims;
  /// The type of the result, and the operands of a tensor.empty of it.
  std::string dense, sizes;
  /// Operands in front of the lengths: table and starts. The type of the lengths;
  /// empty if there are none.
  std::string lists, lengths = "tensor<?xi32>";
  int64_t sequence = 2;

  std::string get() const;
};

/// The text of attention of %q, [b, h, g, m, d], to %k, [b, h, n, d], and %v,
/// [b, h, n, e], with sums in f32. Sizes of -1 are dynamic.
struct AttentionText {
  int64_t batch = -1, heads = 2, group = 2, queries = -1, keys = -1, depth = 16,
          columns = 16;
  std::string element = "f16";
  /// Weights are rounded to `element` before the second product.
  bool narrowsWeights = true;
  /// The softmax is linalg_ext's, and the last product is marked as the root of a
  /// fusion.
  bool hasRoot = false;
  /// Parameters of @main behind %q and %lengths, and what defines %k and %v.
  /// `body` may use the constants %c0 to %c3, and %b, the number of sequences.
  std::string parameters, body;
  /// Defines %visible from %i, the query, %j, the key, %m, the number of queries,
  /// and %end, the length. If it is empty, all keys count.
  std::string mask = "%visible = arith.cmpi slt, %j, %end : index\n";
  /// What follows %r, the result; an empty text returns it.
  std::string tail, resultType;
  /// %q is defined by `body`, from a parameter.
  bool definesQuery = false;

  std::string getQuery() const;
  /// The type of keys or values.
  std::string getCache(int64_t columns) const;
  std::string getLengths() const;
  std::string get() const;
};

/// Whether a query sees a key: of a sequence, by their numbers.
using Visible = std::function<bool(int64_t b, int64_t i, int64_t j)>;

/// Attention in f64, and how far a program may be from it that rounds weights to
/// `weights` and computes `steps` tiles of keys. All keys count if `isVisible` is
/// null.
oracle::Bounded attend(const oracle::Tensor &q, const oracle::Bounded &k,
                       const oracle::Bounded &v, const Visible &isVisible,
                       oracle::DType weights, int64_t steps);

/// A program `main`, its inputs and its meaning.
class PagedProgram {
public:
  PagedProgram(const PagedSpec &spec, oracle::Random &random);

  /// The attention; its last contraction is marked as the root of a fusion.
  std::string getAttention() const;
  /// Only the gathers, of which the results are returned.
  std::string getGathers() const;
  std::vector<oracle::Tensor> getInputs() const;

  /// The result of the attention, if it is computed in `steps` tiles of keys.
  oracle::Bounded evaluateAttention(int64_t steps) const;
  /// Keys and values of all sequences, zeros where nothing exists.
  const oracle::Tensor &getKeys() const { return keys.dense; }
  const oracle::Tensor &getValues() const { return values.dense; }

private:
  std::string getType(const std::string &element,
                      const oracle::Shape &shape) const;
  std::string getPoolType(const PagedCache &cache) const;
  AttentionText getText() const;
  std::string getParameters() const;
  std::string getGather(const std::string &name, const PagedCache &cache,
                        const AttentionText &text, int64_t columns) const;

  PagedSpec spec;
  oracle::Tensor query, lengths;
  PagedCache keys, values;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_PAGED_H
