//===- Paged.cpp - Attention on paged and packed sequences ----------------===//
//
// See Paged.h.
//
//===----------------------------------------------------------------------===//

#include "Paged.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

using namespace linalg_ext_test;
using namespace oracle;

static const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// An entry that names none of `numPages` pages.
static double drawNoPage(int64_t numPages, Random &random) {
  return random.pick<double>({-1, -7, 1 << 30, -2147483648.0,
                              static_cast<double>(numPages),
                              static_cast<double>(numPages + 1)});
}

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static std::vector<int64_t> shuffle(int64_t size, Random &random) {
  std::vector<int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = size; i-- > 1;)
    std::swap(order[i], order[random.integer(0, i)]);
  return order;
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

std::string PagedSpec::describe() const {
  std::ostringstream os;
  const char *forms[] = {"pages", "flat table", "packed"};
  os << forms[static_cast<int>(form)] << " " << oracle::getName(type)
     << " heads " << kvHeads << "x" << group << " queries " << queries
     << " keys " << keys << " dim " << dim << " columns " << columns
     << " page size " << pageSize << " entries " << entries << " lengths";
  for (int64_t length : lengths)
    os << " " << length;
  os << (hasLengths ? "" : " (not given)") << (headsFirst ? " heads first" : "")
     << (isDynamic ? " dynamic" : "") << (isCausal ? " causal" : "");
  return os.str();
}

PagedSpec linalg_ext_test::drawPagedSpec(Random &random) {
  PagedSpec spec;
  spec.form = random.pick<PagedForm>(
      {PagedForm::Pages, PagedForm::FlatTable, PagedForm::Packed});
  spec.type = random.pick<DType>({DType::F32, DType::F16});
  spec.kvHeads = random.integer(1, 3);
  spec.group = random.integer(1, 3);
  spec.queries = random.integer(1, 4);
  spec.dim = random.integer(1, 9);
  spec.columns = random.integer(1, 9);
  int64_t size = spec.pageSize = random.pick<int64_t>({1, 2, 3, 16, 64});
  spec.keys = random.integer(1, 3 * std::max<int64_t>(size, 8));
  spec.entries =
      std::max<int64_t>(ceilDiv(spec.keys, size) + random.integer(-1, 1), 1);
  spec.lengths.clear();
  for (int64_t i = random.integer(1, 3); i > 0; --i)
    spec.lengths.push_back(random.pick<int64_t>(
        {0, 1, size - 1, size, size + 1, 2 * size + 1, spec.keys, spec.keys + 3,
         random.integer(0, spec.keys)}));
  spec.hasLengths = spec.form == PagedForm::Packed || random.chance(0.8);
  spec.headsFirst = random.chance(0.5);
  spec.isDynamic = random.chance(0.5);
  return spec;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The number of keys of a sequence that count.
static int64_t getLength(const PagedSpec &spec, int64_t sequence) {
  return spec.hasLengths ? std::min(spec.lengths[sequence], spec.keys)
                         : spec.keys;
}

/// Where the element of a page (or packed, with page 0) is in the pool.
static Index getPoolIndex(const PagedSpec &spec, int64_t page, int64_t row,
                          int64_t head, int64_t column) {
  Index index;
  if (spec.form != PagedForm::Packed)
    index.push_back(page);
  index.push_back(spec.headsFirst ? head : row);
  index.push_back(spec.headsFirst ? row : head);
  index.push_back(column);
  return index;
}

/// What nobody reads.
static double getPoison(const PagedSpec &spec) {
  return spec.isInt ? -128 : kNaN;
}

static double drawElement(const PagedSpec &spec, Random &random) {
  return spec.isInt ? static_cast<double>(random.integer(-60, 60))
                    : oracle::roundTo(random.uniform(-1, 1), spec.type);
}

static Tensor makePool(const PagedSpec &spec, int64_t pages, int64_t rows,
                       int64_t columns) {
  Index last =
      getPoolIndex(spec, pages - 1, rows - 1, spec.kvHeads - 1, columns - 1);
  for (int64_t &size : last)
    ++size;
  return Tensor(last, getPoison(spec));
}

static void drawPages(const PagedSpec &spec, PagedCache &cache,
                      Random &random) {
  int64_t columns = cache.dense.shape.back();
  int64_t numPages = spec.batch() * spec.entries + 2;
  cache.pool = makePool(spec, numPages, spec.pageSize, columns);
  cache.table = Tensor({spec.batch(), spec.entries});
  std::vector<int64_t> free = shuffle(numPages, random), used;
  for (int64_t b = 0; b < spec.batch(); ++b)
    for (int64_t p = 0; p < spec.entries; ++p) {
      double &entry = cache.table.at({b, p});
      int64_t first = p * spec.pageSize;
      // Not read, or no page.
      if (first >= getLength(spec, b) || random.chance(spec.nullChance)) {
        entry = drawNoPage(numPages, random);
        continue;
      }
      int64_t page = free.back();
      if (b > 0 && p < spec.sharedEntries)
        page = static_cast<int64_t>(cache.table.at({0, p}));
      else if (!used.empty() && random.chance(spec.sharedChance))
        page = random.pick(used);
      else
        free.pop_back();
      used.push_back(page);
      entry = static_cast<double>(page);
      int64_t end = std::min(first + spec.pageSize, getLength(spec, b));
      for (int64_t s = first; s < end; ++s)
        for (int64_t h = 0; h < spec.kvHeads; ++h)
          for (int64_t d = 0; d < columns; ++d) {
            double &element =
                cache.pool.at(getPoolIndex(spec, page, s - first, h, d));
            if (std::isnan(element) || element == getPoison(spec))
              element = drawElement(spec, random);
            cache.dense.at({b, h, s, d}) = element;
          }
    }
}

/// The lists of all sequences one behind the other, in any order, with entries
/// between them that no sequence has.
static void flatten(const PagedSpec &spec, PagedCache &cache, Random &random) {
  Tensor table = cache.table;
  int64_t numPages = cache.pool.shape.front();
  std::vector<double> entries;
  cache.starts = Tensor({spec.batch()});
  for (int64_t b : shuffle(spec.batch(), random)) {
    for (int64_t i = random.integer(0, 2); i > 0; --i)
      entries.push_back(drawNoPage(numPages, random));
    cache.starts.data[b] = static_cast<double>(entries.size());
    for (int64_t p = 0; p < spec.entries; ++p)
      entries.push_back(table.at({b, p}));
    // A list may end early: what is behind it belongs to others.
    int64_t missing =
        ceilDiv(getLength(spec, b), spec.pageSize) - spec.entries;
    for (int64_t i = 0; i < missing; ++i)
      entries.push_back(drawNoPage(numPages, random));
  }
  Shape shape = {static_cast<int64_t>(entries.size())};
  cache.table = Tensor(shape, std::move(entries));
}

static void drawPacked(const PagedSpec &spec, PagedCache &cache,
                       Random &random) {
  int64_t columns = cache.dense.shape.back();
  cache.starts = Tensor({spec.batch()});
  int64_t numRows = 0;
  for (int64_t b : shuffle(spec.batch(), random)) {
    numRows += random.integer(0, 2);
    cache.starts.data[b] = static_cast<double>(numRows);
    numRows += getLength(spec, b);
  }
  // The last sequence may end before its length: the rows are not there.
  numRows = std::max<int64_t>(numRows - random.integer(0, 1), 1);
  cache.pool = makePool(spec, 1, numRows, columns);
  for (int64_t b = 0; b < spec.batch(); ++b)
    for (int64_t s = 0; s < getLength(spec, b); ++s) {
      int64_t row = static_cast<int64_t>(cache.starts.data[b]) + s;
      if (row >= numRows)
        continue;
      for (int64_t h = 0; h < spec.kvHeads; ++h)
        for (int64_t d = 0; d < columns; ++d) {
          double element = drawElement(spec, random);
          cache.pool.at(getPoolIndex(spec, 0, row, h, d)) = element;
          cache.dense.at({b, h, s, d}) = element;
        }
    }
}

PagedCache linalg_ext_test::drawPagedCache(const PagedSpec &spec,
                                           int64_t columns, Random &random) {
  PagedCache cache;
  cache.dense = Tensor({spec.batch(), spec.kvHeads, spec.keys, columns});
  if (spec.form == PagedForm::Packed) {
    drawPacked(spec, cache, random);
    return cache;
  }
  drawPages(spec, cache, random);
  if (spec.form == PagedForm::FlatTable)
    flatten(spec, cache, random);
  return cache;
}

PagedProgram::PagedProgram(const PagedSpec &spec, Random &random)
    : spec(spec), query(oracle::random(random,
                                       {spec.batch(), spec.kvHeads, spec.group,
                                        spec.queries, spec.dim},
                                       -2, 2, spec.type)),
      lengths({spec.batch()}) {
  for (int64_t i = 0; i < spec.batch(); ++i)
    lengths.data[i] = static_cast<double>(spec.lengths[i]);
  keys = drawPagedCache(spec, spec.dim, random);
  values = drawPagedCache(spec, spec.columns, random);
}

std::vector<Tensor> PagedProgram::getInputs() const {
  std::vector<Tensor> inputs = {query, lengths, Tensor({spec.keys})};
  for (const PagedCache *cache : {&keys, &values}) {
    inputs.push_back(cache->pool);
    if (spec.form != PagedForm::Packed)
      inputs.push_back(cache->table);
    if (spec.form != PagedForm::Pages)
      inputs.push_back(cache->starts);
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Joins `parts` that are not empty by `by`.
static std::string join(const std::vector<std::string> &parts,
                        const std::string &by) {
  std::string text;
  for (const std::string &part : parts)
    if (!part.empty())
      text += (text.empty() ? "" : by) + part;
  return text;
}

/// A tensor of these sizes, of which negative ones are dynamic.
static std::string getTensor(const Shape &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + element + ">";
}

/// The operands of a tensor.empty: the values `names` of the sizes that are
/// dynamic.
static std::string getDynamic(const Shape &shape,
                              const std::vector<std::string> &names) {
  std::vector<std::string> dynamic;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 0)
      dynamic.push_back(names[i]);
  return join(dynamic, ", ");
}

std::string GatherText::get() const {
  std::string text = "%" + name + "_init = tensor.empty(" + sizes +
                     ") : " + dense + "\n%" + name +
                     " = linalg_ext.paged_gather sequence(" +
                     std::to_string(sequence) + ") batch [0] pool_dims [" +
                     poolDims + "] pool(%" + name + "_pool : " + pool + ")" +
                     lists;
  if (!lengths.empty())
    text += " lengths(%lengths : " + lengths + ")";
  return text + " outs(%" + name + "_init : " + dense + ") -> " + dense + "\n";
}

std::string AttentionText::getQuery() const {
  return getTensor({batch, heads, group, queries, depth}, element);
}

std::string AttentionText::getCache(int64_t columns) const {
  return getTensor({batch, heads, keys, columns}, element);
}

std::string AttentionText::getLengths() const {
  return getTensor({batch}, "i32");
}

std::string AttentionText::get() const {
  std::string q = getQuery(), k = getCache(depth), v = getCache(columns);
  Shape rows = {batch, heads, group, queries}, scores = rows, sums = rows;
  scores.push_back(keys);
  sums.push_back(columns);
  std::string s = getTensor(scores, "f32"), w = getTensor(scores, element),
              m = getTensor(rows, "f32"), o = getTensor(sums, "f32");
  std::string ofScores = getDynamic(scores, {"%b", "%h", "%g", "%m", "%n"}),
              ofRows = getDynamic(rows, {"%b", "%h", "%g", "%m"}),
              ofSums = getDynamic(sums, {"%b", "%h", "%g", "%m", "%e"});
  std::string parallel = "iterator_types = [\"parallel\", \"parallel\", "
                         "\"parallel\", \"parallel\", \"parallel\"]";
  std::string text = R"(
#q = affine_map<(b, h, g, m, n, d) -> (b, h, g, m, d)>
#k = affine_map<(b, h, g, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, g, m, n, d) -> (b, h, g, m, n)>
#p = affine_map<(b, h, g, m, e, n) -> (b, h, g, m, n)>
#v = affine_map<(b, h, g, m, e, n) -> (b, h, n, e)>
#o = affine_map<(b, h, g, m, e, n) -> (b, h, g, m, e)>
#all = affine_map<(b, h, g, m, n) -> (b, h, g, m, n)>
#batch = affine_map<(b, h, g, m, n) -> (b)>
)";
  text += "func.func @main(" +
          join({definesQuery ? "" : "%q: " + q, "%lengths: " + getLengths(),
                parameters},
               ", ") +
          ") -> " + (resultType.empty() ? o : resultType) + R"( {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%zero = arith.constant 0.0 : f32
%low = arith.constant 0xFF800000 : f32
%b = tensor.dim %lengths, %c0 : )" +
          getLengths() + "\n" + body + "%h = tensor.dim %q, %c1 : " + q +
          "\n%g = tensor.dim %q, %c2 : " + q + "\n%m = tensor.dim %q, %c3 : " +
          q + "\n%n = tensor.dim %k, %c2 : " + k +
          "\n%e = tensor.dim %v, %c3 : " + v + "\n%se = tensor.empty(" +
          ofScores + ") : " + s +
          "\n%s0 = linalg.fill ins(%zero : f32) outs(%se : " + s + ") -> " + s +
          "\n%scores = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, "
          "%k : " +
          q + ", " + k + ") outs(%s0 : " + s + ") -> " + s + "\n";
  std::string masked = "%scores", weights = "%w#0";
  if (!mask.empty()) {
    masked = "%masked";
    text += "%masked = linalg.generic {indexing_maps = [#all, #batch, #all], " +
            parallel + "} ins(%scores, %lengths : " + s + ", " + getLengths() +
            ") outs(%se : " + s + R"() {
^bb0(%x: f32, %length: i32, %out: f32):
%i = linalg.index 3 : index
%j = linalg.index 4 : index
%end = arith.index_cast %length : i32 to index
)" + mask + R"(%y = arith.select %visible, %x, %low : f32
linalg.yield %y : f32
} -> )" + s + "\n";
  }
  if (hasRoot) {
    text += "%me = tensor.empty(" + ofRows + ") : " + m +
            "\n%m0 = linalg.fill ins(%low : f32) outs(%me : " + m + ") -> " + m +
            "\n%l0 = linalg.fill ins(%zero : f32) outs(%me : " + m + ") -> " +
            m + "\n%w:4 = linalg_ext.softmax dimension(4) ins(" + masked +
            " : " + s + ") outs(%se, %m0, %l0, %me : " + s + ", " + m + ", " +
            m + ", " + m + ") -> " + s + ", " + m + ", " + m + ", " + m + "\n";
  } else {
    weights = "%w";
    text += "%w = linalg.softmax dimension(4) ins(" + masked + " : " + s +
            ") outs(%se : " + s + ") -> " + s + "\n";
  }
  std::string p = s;
  if (narrowsWeights) {
    text += "%we = tensor.empty(" + ofScores + ") : " + w +
            "\n%wt = linalg.generic {indexing_maps = [#all, #all], " + parallel +
            "} ins(" + weights + " : " + s + ") outs(%we : " + w +
            ") {\n^bb0(%x: f32, %out: " + element +
            "):\n%y = arith.truncf %x : f32 to " + element +
            "\nlinalg.yield %y : " + element + "\n} -> " + w + "\n";
    weights = "%wt";
    p = w;
  }
  text += "%oe = tensor.empty(" + ofSums + ") : " + o +
          "\n%o0 = linalg.fill ins(%zero : f32) outs(%oe : " + o + ") -> " + o +
          "\n%r = linalg.contract indexing_maps = [#p, #v, #o] " +
          (hasRoot ? "{linalg_ext.root} " : "") + "ins(" + weights +
          ", %v : " + p + ", " + v + ") outs(%o0 : " + o + ") -> " + o + "\n";
  return text + (tail.empty() ? "return %r : " + o + "\n" : tail) + "}\n";
}

/// A type whose sizes are dynamic if those of the spec are.
std::string PagedProgram::getType(const std::string &element,
                                  const Shape &shape) const {
  return getTensor(spec.isDynamic ? Shape(shape.size(), -1) : shape, element);
}

std::string PagedProgram::getPoolType(const PagedCache &cache) const {
  std::string element = spec.type == DType::F16 ? "f16" : "f32";
  Shape shape = cache.pool.shape;
  bool isPacked = spec.form == PagedForm::Packed;
  size_t listed = isPacked && spec.headsFirst ? 1 : 0;
  for (size_t i = 0; i < shape.size(); ++i)
    if (spec.isDynamic && (!spec.hasStaticRows || i == listed))
      shape[i] = -1;
  return getTensor(shape, element);
}

/// The attention without what defines keys and values.
AttentionText PagedProgram::getText() const {
  AttentionText text;
  auto size = [&](int64_t size, bool isRow) {
    return spec.isDynamic && !(isRow && spec.hasStaticRows) ? -1 : size;
  };
  text.batch = size(spec.batch(), false);
  text.heads = size(spec.kvHeads, true);
  text.group = size(spec.group, true);
  text.queries = size(spec.queries, false);
  text.keys = size(spec.keys, false);
  text.depth = size(spec.dim, true);
  text.columns = size(spec.columns, true);
  text.element = spec.type == DType::F16 ? "f16" : "f32";
  text.narrowsWeights = spec.narrowsWeights;
  text.hasRoot = true;
  text.parameters = getParameters();
  if (!spec.hasLengths)
    text.mask.clear();
  else if (spec.isCausal)
    text.mask = R"(%inside = arith.cmpi slt, %j, %end : index
%first = arith.subi %end, %m : index
%last = arith.addi %i, %first : index
%below = arith.cmpi sle, %j, %last : index
%visible = arith.andi %below, %inside : i1
)";
  return text;
}

std::string PagedProgram::getParameters() const {
  std::string text = "%like: " + getType("i8", {spec.keys});
  for (const PagedCache *cache : {&keys, &values}) {
    std::string name = cache == &keys ? "k" : "v";
    text += ", %" + name + "_pool: " + getPoolType(*cache);
    if (spec.form != PagedForm::Packed)
      text += ", %" + name + "_table: " + getType("i32", cache->table.shape);
    if (spec.form != PagedForm::Pages)
      text += ", %" + name + "_starts: " + getType("i32", cache->starts.shape);
  }
  return text;
}

/// The sizes, and the gather %`name`.
std::string PagedProgram::getGather(const std::string &name,
                                    const PagedCache &cache,
                                    const AttentionText &text,
                                    int64_t columns) const {
  bool isPacked = spec.form == PagedForm::Packed;
  GatherText gather;
  gather.name = name;
  gather.pool = getPoolType(cache);
  gather.poolDims = std::string(isPacked ? "" : "-1, ") +
                    (spec.headsFirst ? "1, 2" : "2, 1") + ", 3";
  gather.dense = text.getCache(columns);
  std::string sizes;
  auto define = [&](const std::string &what, const std::string &of,
                    const std::string &type, int64_t dim) {
    std::string value = "%" + name + "_" + what;
    sizes += value + "_dim = arith.constant " + std::to_string(dim) +
             " : index\n" + value + " = tensor.dim " + of + ", " + value +
             "_dim : " + type + "\n";
    return value;
  };
  int64_t first = isPacked ? 0 : 1;
  gather.sizes = getDynamic(
      {text.batch, text.heads, text.keys, columns},
      {"%b",
       define("heads", "%" + name + "_pool", gather.pool,
              first + (spec.headsFirst ? 0 : 1)),
       define("keys", "%like", getType("i8", {spec.keys}), 0),
       define("columns", "%" + name + "_pool", gather.pool, first + 2)});
  if (!isPacked)
    gather.lists += " table(%" + name +
                    "_table : " + getType("i32", cache.table.shape) + ")";
  if (spec.form != PagedForm::Pages)
    gather.lists += " starts(%" + name +
                    "_starts : " + getType("i32", cache.starts.shape) + ")";
  gather.lengths = spec.hasLengths ? text.getLengths() : "";
  return sizes + gather.get();
}

std::string PagedProgram::getGathers() const {
  AttentionText text = getText();
  std::string k = text.getCache(text.depth), v = text.getCache(text.columns);
  return "func.func @main(%q: " + text.getQuery() +
         ", %lengths: " + text.getLengths() + ", " + text.parameters +
         ") -> (" + k + ", " + v +
         ") {\n%c0 = arith.constant 0 : index\n%b = tensor.dim %lengths, %c0 : " +
         text.getLengths() + "\n" + getGather("k", keys, text, text.depth) +
         getGather("v", values, text, text.columns) + "return %k, %v : " + k +
         ", " + v + "\n}\n";
}

std::string PagedProgram::getAttention() const {
  AttentionText text = getText();
  text.body = getGather("k", keys, text, text.depth) +
              getGather("v", values, text, text.columns);
  return text.get();
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

Bounded linalg_ext_test::attend(const Tensor &q, const Bounded &k,
                                const Bounded &v, const Visible &isVisible,
                                DType weights, int64_t steps) {
  Bounded scores = oracle::contract("bhgmd,bhnd->bhgmn", q, k, DType::F32);
  if (isVisible) {
    int64_t batch = q.shape[0], queries = q.shape[3], keys = k.value.shape[2];
    Tensor visible({batch, queries, keys});
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < queries; ++i)
        for (int64_t j = 0; j < keys; ++j)
          visible.at({b, i, j}) = isVisible(b, i, j);
    scores = oracle::maskOut(scores, "bhgmn", visible, "bmn");
  }
  Bounded probabilities =
      oracle::softmax(scores, /*dim=*/4, DType::F32, DType::F32, steps);
  if (weights != DType::F32)
    probabilities = oracle::cast(probabilities, weights);
  return oracle::contract("bhgmn,bhne->bhgme", probabilities, v, DType::F32,
                          /*repairs=*/steps);
}

Bounded PagedProgram::evaluateAttention(int64_t steps) const {
  Visible isVisible = [&](int64_t b, int64_t i, int64_t j) {
    int64_t last = spec.isCausal ? i + spec.lengths[b] - spec.queries : j;
    return j < spec.lengths[b] && j <= last;
  };
  return attend(query, keys.dense, values.dense,
                spec.hasLengths ? isVisible : nullptr,
                spec.narrowsWeights ? spec.type : DType::F32, steps);
}
