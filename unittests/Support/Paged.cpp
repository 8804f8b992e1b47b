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

PagedProgram::PagedProgram(const PagedSpec &spec, Random &random)
    : spec(spec), query(oracle::random(random,
                                       {spec.batch(), spec.kvHeads, spec.group,
                                        spec.queries, spec.dim},
                                       -2, 2, spec.type)),
      lengths({spec.batch()}) {
  for (int64_t i = 0; i < spec.batch(); ++i)
    lengths.data[i] = static_cast<double>(spec.lengths[i]);
  keys = draw(spec.dim, random);
  values = draw(spec.columns, random);
}

/// The number of keys of a sequence that count.
int64_t PagedProgram::getLength(int64_t sequence) const {
  return spec.hasLengths ? std::min(spec.lengths[sequence], spec.keys)
                         : spec.keys;
}

Index PagedProgram::getPoolIndex(int64_t page, int64_t row, int64_t head,
                                 int64_t column) const {
  Index index;
  if (spec.form != PagedForm::Packed)
    index.push_back(page);
  index.push_back(spec.headsFirst ? head : row);
  index.push_back(spec.headsFirst ? row : head);
  index.push_back(column);
  return index;
}

PagedProgram::Cache PagedProgram::draw(int64_t columns, Random &random) const {
  Cache cache;
  cache.dense = Tensor({spec.batch(), spec.kvHeads, spec.keys, columns});
  if (spec.form == PagedForm::Packed) {
    drawPacked(cache, random);
    return cache;
  }
  drawPages(cache, random);
  if (spec.form == PagedForm::FlatTable)
    flatten(cache, random);
  return cache;
}

void PagedProgram::drawPages(Cache &cache, Random &random) const {
  int64_t columns = cache.dense.shape.back();
  int64_t numPages = spec.batch() * spec.entries + 2;
  Index last = getPoolIndex(numPages - 1, spec.pageSize - 1, spec.kvHeads - 1,
                            columns - 1);
  for (int64_t &size : last)
    ++size;
  cache.pool = Tensor(last, kNaN);
  cache.table = Tensor({spec.batch(), spec.entries});
  std::vector<int64_t> free = shuffle(numPages, random), used;
  for (int64_t b = 0; b < spec.batch(); ++b)
    for (int64_t p = 0; p < spec.entries; ++p) {
      double &entry = cache.table.at({b, p});
      int64_t first = p * spec.pageSize;
      // Not read, or no page.
      if (first >= getLength(b) || random.chance(spec.nullChance)) {
        entry = drawNoPage(numPages, random);
        continue;
      }
      int64_t page = free.back();
      if (!used.empty() && random.chance(spec.sharedChance))
        page = random.pick(used);
      else
        free.pop_back();
      used.push_back(page);
      entry = static_cast<double>(page);
      int64_t end = std::min(first + spec.pageSize, getLength(b));
      for (int64_t s = first; s < end; ++s)
        for (int64_t h = 0; h < spec.kvHeads; ++h)
          for (int64_t d = 0; d < columns; ++d) {
            double &element =
                cache.pool.at(getPoolIndex(page, s - first, h, d));
            if (std::isnan(element))
              element = oracle::roundTo(random.uniform(-1, 1), spec.type);
            cache.dense.at({b, h, s, d}) = element;
          }
    }
}

/// The lists of all sequences one behind the other, in any order, with entries
/// between them that no sequence has.
void PagedProgram::flatten(Cache &cache, Random &random) const {
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
    int64_t missing = ceilDiv(getLength(b), spec.pageSize) - spec.entries;
    for (int64_t i = 0; i < missing; ++i)
      entries.push_back(drawNoPage(numPages, random));
  }
  Shape shape = {static_cast<int64_t>(entries.size())};
  cache.table = Tensor(shape, std::move(entries));
}

void PagedProgram::drawPacked(Cache &cache, Random &random) const {
  int64_t columns = cache.dense.shape.back();
  cache.starts = Tensor({spec.batch()});
  int64_t numRows = 0;
  for (int64_t b : shuffle(spec.batch(), random)) {
    numRows += random.integer(0, 2);
    cache.starts.data[b] = static_cast<double>(numRows);
    numRows += getLength(b);
  }
  // The last sequence may end before its length: the rows are not there.
  numRows = std::max<int64_t>(numRows - random.integer(0, 1), 1);
  Index last = getPoolIndex(0, numRows - 1, spec.kvHeads - 1, columns - 1);
  for (int64_t &size : last)
    ++size;
  cache.pool = Tensor(last, kNaN);
  for (int64_t b = 0; b < spec.batch(); ++b)
    for (int64_t s = 0; s < getLength(b); ++s) {
      int64_t row = static_cast<int64_t>(cache.starts.data[b]) + s;
      if (row >= numRows)
        continue;
      for (int64_t h = 0; h < spec.kvHeads; ++h)
        for (int64_t d = 0; d < columns; ++d) {
          double element = oracle::roundTo(random.uniform(-1, 1), spec.type);
          cache.pool.at(getPoolIndex(0, row, h, d)) = element;
          cache.dense.at({b, h, s, d}) = element;
        }
    }
}

std::vector<Tensor> PagedProgram::getInputs() const {
  std::vector<Tensor> inputs = {query, Tensor({spec.keys}), lengths};
  for (const Cache *cache : {&keys, &values}) {
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

std::string PagedProgram::getType(const std::string &element,
                                  const Shape &shape,
                                  const std::string &dims) const {
  std::string text = "tensor<";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (isDynamic(dims[i]) ? "?" : std::to_string(shape[i])) + "x";
  return text + element + ">";
}

std::string PagedProgram::getSizes(const std::vector<std::string> &names,
                                   const std::string &dims) const {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    if (isDynamic(dims[i]))
      text += (text.empty() ? "%" : ", %") + names[i];
  return text;
}

std::string PagedProgram::getPoolType(const Cache &cache) const {
  std::string element = spec.type == DType::F16 ? "f16" : "f32";
  bool isPacked = spec.form == PagedForm::Packed;
  return getType(element, cache.pool.shape,
                 !isPacked         ? "?..."
                 : spec.headsFirst ? ".?."
                                   : "?..");
}

std::string PagedProgram::getCacheType(int64_t columns) const {
  return getType(spec.type == DType::F16 ? "f16" : "f32",
                 {spec.batch(), spec.kvHeads, spec.keys, columns}, "?.?.");
}

std::string PagedProgram::getParameters() const {
  std::string element = spec.type == DType::F16 ? "f16" : "f32";
  std::string text = "%q: " + getType(element, query.shape, "?..?.") +
                     ", %like: " + getType("i8", {spec.keys}) +
                     ", %lengths: " + getType("i32", lengths.shape);
  for (const Cache *cache : {&keys, &values}) {
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
std::string PagedProgram::getGather(const std::string &name, const Cache &cache,
                                    int64_t columns) const {
  std::string type = getCacheType(columns);
  std::string pool = getPoolType(cache), text;
  bool isPacked = spec.form == PagedForm::Packed;
  std::string sizes =
      getSizes({"b", "h", "n", name + "_columns"}, "?.?.");
  if (spec.isDynamic) {
    text += "%" + name + "_last = arith.constant " +
            std::to_string(isPacked ? 2 : 3) + " : index\n%" + name +
            "_columns = tensor.dim %" + name + "_pool, %" + name +
            "_last : " + pool + "\n";
  }
  text += "%" + name + "_init = tensor.empty(" + sizes + ") : " + type + "\n%" +
          name +
          " = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [" +
          (isPacked ? "" : "-1, ") + (spec.headsFirst ? "1, 2" : "2, 1") +
          ", 3] pool(%" + name + "_pool : " + pool + ")";
  if (!isPacked)
    text += " table(%" + name +
            "_table : " + getType("i32", cache.table.shape) + ")";
  if (spec.form != PagedForm::Pages)
    text += " starts(%" + name +
            "_starts : " + getType("i32", cache.starts.shape) + ")";
  if (spec.hasLengths)
    text += " lengths(%lengths : " + getType("i32", lengths.shape) + ")";
  return text + " outs(%" + name + "_init : " + type + ") -> " + type + "\n";
}

/// The sizes that gathers and scores have, where they are dynamic.
static const char *const kSizes = R"(
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
)";

static std::string getSizes(const std::string &query, const std::string &like) {
  std::string text = kSizes;
  const char *names[] = {"b", "h", "g", "m"};
  for (int i = 0; i < 4; ++i)
    text += std::string("%") + names[i] + " = tensor.dim %q, %c" +
            std::to_string(i) + " : " + query + "\n";
  return text + "%n = tensor.dim %like, %c0 : " + like + "\n";
}

std::string PagedProgram::getGathers() const {
  std::string element = spec.type == DType::F16 ? "f16" : "f32";
  std::string k = getCacheType(spec.dim), v = getCacheType(spec.columns);
  return "func.func @main(" + getParameters() + ") -> (" + k + ", " + v +
         ") {\n" +
         ::getSizes(getType(element, query.shape, "?..?."),
                    getType("i8", {spec.keys})) +
         getGather("k", keys, spec.dim) + getGather("v", values, spec.columns) +
         "return %k, %v : " + k + ", " + v + "\n}\n";
}

std::string PagedProgram::getAttention() const {
  std::string element = spec.type == DType::F16 ? "f16" : "f32";
  Shape rows = {spec.batch(), spec.kvHeads, spec.group, spec.queries};
  auto append = [&](int64_t size) {
    Shape shape = rows;
    shape.push_back(size);
    return shape;
  };
  std::string q = getType(element, query.shape, "?..?.");
  std::string k = getCacheType(spec.dim), v = getCacheType(spec.columns);
  std::string s = getType("f32", append(spec.keys), "?..??"),
              m = getType("f32", rows, "?..?"),
              o = getType("f32", append(spec.columns), "?..?.");
  std::string mSizes = getSizes({"b", "h", "g", "m"}, "?..?"),
              sSizes = getSizes({"b", "h", "g", "m", "n"}, "?..??"),
              oSizes = getSizes({"b", "h", "g", "m", "v_columns"}, "?..?.");
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
  text += "func.func @main(" + getParameters() + ") -> " + o + " {\n" +
          ::getSizes(q, getType("i8", {spec.keys})) +
          "%zero = arith.constant 0.0 : f32\n"
          "%low = arith.constant 0xFF800000 : f32\n" +
          getGather("k", keys, spec.dim) + getGather("v", values, spec.columns);
  text += "%se = tensor.empty(" + sSizes + ") : " + s +
          "\n%zeros = linalg.fill ins(%zero : f32) outs(%se : " + s + ") -> " +
          s +
          "\n%scores = linalg.contract indexing_maps = [#q, #k, #s] "
          "ins(%q, %k : " +
          q + ", " + k + ") outs(%zeros : " + s + ") -> " + s + "\n";
  std::string scores = "%scores";
  if (spec.hasLengths) {
    std::string l = getType("i32", lengths.shape);
    scores = "%masked";
    text += "%masked = linalg.generic {indexing_maps = [#all, #batch, #all], "
            "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
            "\"parallel\", \"parallel\"]} ins(%scores, %lengths : " +
            s + ", " + l + ") outs(%se : " + s + R"() {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %j = linalg.index 4 : index
    %end = arith.index_cast %length : i32 to index
    %inside = arith.cmpi slt, %j, %end : index
)" + std::string(spec.isCausal ? R"(    %i = linalg.index 3 : index
    %first = arith.subi %end, %m : index
    %last = arith.addi %i, %first : index
    %below = arith.cmpi sle, %j, %last : index
    %exists = arith.andi %below, %inside : i1
)"
                                      : "") +
            "    %y = arith.select " +
            (spec.isCausal ? "%exists" : "%inside") + R"(, %x, %low : f32
    linalg.yield %y : f32
  } -> )" + s +
            "\n";
  }
  std::string narrow,
      w = getType(element, append(spec.keys), "?..??");
  if (spec.narrowsWeights)
    narrow = "%we = tensor.empty(" + sSizes + ") : " + w +
             "\n%wn = linalg.generic {indexing_maps = [#all, #all], "
             "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
             "\"parallel\", \"parallel\"]} ins(%w#0 : " +
             s + ") outs(%we : " + w + R"() {
  ^bb0(%x: f32, %out: )" + element + R"():
    %y = arith.truncf %x : f32 to )" + element + R"(
    linalg.yield %y : )" + element + R"(
  } -> )" + w + "\n";
  text += "%me = tensor.empty(" + mSizes + ") : " + m +
          "\n%m0 = linalg.fill ins(%low : f32) outs(%me : " + m + ") -> " + m +
          "\n%l0 = linalg.fill ins(%zero : f32) outs(%me : " + m + ") -> " + m +
          "\n%w:4 = linalg_ext.softmax dimension(4) ins(" + scores + " : " + s +
          ") outs(%se, %m0, %l0, %me : " + s + ", " + m + ", " + m + ", " + m +
          ") -> " + s + ", " + m + ", " + m + ", " + m +
          "\n" + narrow + "%oe = tensor.empty(" + oSizes +
          ") : " + o + "\n%o0 = linalg.fill ins(%zero : f32) outs(%oe : " + o +
          ") -> " + o +
          "\n%r = linalg.contract indexing_maps = [#p, #v, #o] "
          "{linalg_ext.root} ins(" +
          (narrow.empty() ? "%w#0" : "%wn") + ", %v : " +
          (narrow.empty() ? s : w) + ", " + v + ") outs(%o0 : " + o + ") -> " + o +
          "\nreturn %r : " + o + "\n}\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

Bounded PagedProgram::evaluateAttention(int64_t steps) const {
  Bounded scores =
      oracle::contract("bhgmd,bhnd->bhgmn", query, keys.dense, DType::F32);
  if (spec.hasLengths) {
    Tensor exists({spec.batch(), spec.queries, spec.keys});
    for (int64_t b = 0; b < spec.batch(); ++b)
      for (int64_t i = 0; i < spec.queries; ++i)
        for (int64_t s = 0; s < spec.keys; ++s)
          exists.at({b, i, s}) =
              s < spec.lengths[b] &&
              (!spec.isCausal || s <= i + spec.lengths[b] - spec.queries);
    scores = oracle::maskOut(scores, "bhgmn", exists, "bmn");
  }
  Bounded weights =
      oracle::softmax(scores, /*dim=*/4, DType::F32, DType::F32, steps);
  if (spec.narrowsWeights)
    weights = oracle::cast(weights, spec.type);
  return oracle::contract("bhgmn,bhne->bhgme", weights, values.dense,
                          DType::F32, /*repairs=*/steps);
}
