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
  /// How often an entry names no page, and how often a page is shared.
  double nullChance = 0.1, sharedChance = 0.1;

  int64_t batch() const { return static_cast<int64_t>(lengths.size()); }
  std::string describe() const;
};

/// A spec with random sizes, of which the lengths are around those of pages.
PagedSpec drawPagedSpec(oracle::Random &random);

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
  /// A pool, what lists its rows, and the dense tensor that it means.
  struct Cache {
    oracle::Tensor pool, table, starts, dense;
  };

  Cache draw(int64_t columns, oracle::Random &random) const;
  void drawPages(Cache &cache, oracle::Random &random) const;
  void drawPacked(Cache &cache, oracle::Random &random) const;
  void flatten(Cache &cache, oracle::Random &random) const;
  /// Where the element of a page (or packed, with page 0) is in the pool.
  oracle::Index getPoolIndex(int64_t page, int64_t row, int64_t head,
                             int64_t column) const;
  int64_t getLength(int64_t sequence) const;

  /// A type whose sizes are dynamic if the spec says so. With static rows, only
  /// the dimensions that are `?` in `dims` are.
  std::string getType(const std::string &element, const oracle::Shape &shape,
                      const std::string &dims = "??") const;
  std::string getPoolType(const Cache &cache) const;
  /// The operands of a tensor.empty whose type has `dims`: of `names`, one for
  /// each, those that are dynamic.
  std::string getSizes(const std::vector<std::string> &names,
                       const std::string &dims) const;
  bool isDynamic(char dim) const {
    return spec.isDynamic && (!spec.hasStaticRows || dim == '?');
  }
  std::string getCacheType(int64_t columns) const;
  std::string getParameters() const;
  std::string getGather(const std::string &name, const Cache &cache,
                        int64_t columns) const;

  PagedSpec spec;
  oracle::Tensor query, lengths;
  Cache keys, values;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_PAGED_H
