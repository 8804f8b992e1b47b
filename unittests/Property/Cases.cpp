//===- Cases.cpp - Random cases of tile-and-fuse --------------------------===//
//
// See Cases.h.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <algorithm>
#include <limits>
#include <sstream>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

const char *linalg_ext_test::getName(Refusal refusal) {
  static const char *names[] = {
      "none",           "forall over the keys", "bad interchange",
      "too many sizes", "negative size",        "nothing tiled",
      "no levels",      "mapping on for",       "mapping count",
      "contracted row", "nonlinear root",       "softmax as root"};
  return names[static_cast<int>(refusal)];
}

static bool contains(const std::string &letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

std::string Case::describe() const {
  std::ostringstream os;
  os << spec.describe() << "\n  levels";
  for (const CaseLevel &level : levels) {
    os << " " << stringify(level.kind).str() << "{";
    const char *separator = "";
    for (auto [letter, size] : level.tiles) {
      os << separator << letter << "=" << size;
      separator = " ";
    }
    os << "}";
    if (!level.order.empty())
      os << " order " << level.order;
  }
  static const char *patterns[] = {"plain",         "masked first",
                                   "masked middle", "masked last",
                                   "masked rows",   "NaN"};
  os << ", " << stringify(normalization).str() << ", scores " << range.score
     << ", masked " << range.masked << ", "
     << patterns[static_cast<int>(pattern)];
  if (cleanUp)
    os << ", cleaned up";
  if (!mustFuse())
    os << "\n  must refuse: " << getName(refusal);
  return os.str();
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

static void shuffle(Random &random, std::string &letters) {
  for (size_t i = letters.size(); i > 1; --i)
    std::swap(letters[i - 1],
              letters[random.integer(0, static_cast<int64_t>(i) - 1)]);
}

static void eraseLetter(std::string &letters, char letter) {
  letters.erase(std::remove(letters.begin(), letters.end(), letter),
                letters.end());
}

static void drawDims(Random &random, AttentionSpec &spec) {
  std::string batch =
      random.pick<std::string>({"", "b", "b", "bh", "bh", "bhg"});
  spec.q = batch + "md";
  spec.k = batch + "nd";
  spec.v = batch + "ne";
  spec.scores = batch + "mn";
  spec.out = batch + "me";
  // Grouped queries, and other sharing. A letter that q lacks k must have.
  for (char letter : batch) {
    if (letter == 'g' || random.chance(0.15))
      eraseLetter(spec.k, letter);
    else if (random.chance(0.08))
      eraseLetter(spec.q, letter);
    if (letter == 'g' || random.chance(0.15))
      eraseLetter(spec.v, letter);
  }
  if (random.chance(0.08)) { // Values are scalars.
    eraseLetter(spec.v, 'e');
    eraseLetter(spec.out, 'e');
  }
  if (random.chance(0.06)) // The root also sums over a dim of v alone.
    spec.v += 'r';
  if (random.chance(0.5))
    for (std::string *dims :
         {&spec.q, &spec.k, &spec.v, &spec.scores, &spec.out})
      shuffle(random, *dims);

  const std::pair<char, int64_t> most[] = {{'m', 12}, {'n', 24}, {'d', 6},
                                           {'e', 5},  {'b', 3},  {'h', 3},
                                           {'g', 3},  {'r', 3}};
  for (auto [letter, size] : most)
    if (contains(spec.q + spec.k + spec.v, letter))
      spec.sizes[letter] = random.chance(0.1) ? 1 : random.integer(1, size);

  std::string all = spec.q + spec.k + spec.v;
  if (random.chance(0.5)) {
    double probability = random.chance(0.4) ? 1.0 : 0.4;
    for (auto [letter, size] : spec.sizes)
      if (random.chance(probability))
        spec.dynamic += letter;
  }
}

static void drawTypes(Random &random, AttentionSpec &spec) {
  auto set = [&](DType type, DType score, DType acc, DType out) {
    spec.type = type;
    spec.scoreType = spec.probType = score;
    spec.accType = acc;
    spec.outType = out;
  };
  switch (random.integer(0, 9)) {
  case 0:
    return set(DType::F64, DType::F64, DType::F64, DType::F64);
  case 1:
    return set(DType::F16, DType::F32, DType::F32, DType::F32);
  case 2:
    return set(DType::F16, DType::F16, DType::F32, DType::F16);
  case 3:
    return set(DType::BF16, DType::F32, DType::F32, DType::BF16);
  case 4:
    return set(DType::BF16, DType::BF16, DType::F32, DType::F32);
  case 6: // The root accumulates in f16.
    if (random.chance(0.5))
      return set(DType::F16, DType::F16, DType::F16, DType::F16);
    return set(DType::F32, DType::F32, DType::F32, DType::F32);
  case 5: // The weights are rounded on their way to the root.
    set(DType::F16, DType::F32, DType::F32, DType::F16);
    spec.probType = DType::F16;
    return;
  default:
    return set(DType::F32, DType::F32, DType::F32, DType::F32);
  }
}

static void drawOps(Random &random, AttentionSpec &spec) {
  const std::vector<ContractionForm> forms = {
      ContractionForm::Generic, ContractionForm::Named,
      ContractionForm::Contract, ContractionForm::BatchMatmul};
  spec.qkForm = random.pick(forms);
  spec.pvForm = random.pick(forms);
  spec.qkSwapped = random.chance(0.25);
  spec.pvSwapped = random.chance(0.25);
  if (random.chance(0.4))
    spec.scale = random.pick<double>({0.125, 0.3, 1.7, -0.5});
  spec.mask =
      random.pick<MaskForm>({MaskForm::None, MaskForm::None, MaskForm::Additive,
                             MaskForm::Boolean, MaskForm::Causal});
  if (spec.hasMaskInput()) {
    for (char letter : spec.scores)
      if (random.chance(letter == spec.keys ? 0.95 : 0.6))
        spec.maskDims += letter;
    if (spec.maskDims.empty())
      spec.maskDims = spec.keys;
    if (random.chance(0.3))
      shuffle(random, spec.maskDims);
  }
  spec.scoresAreInput = random.chance(0.15);
  if (random.chance(0.3)) {
    spec.rootLoops =
        spec.out +
        oracle::Einsum(spec.scores + "," + spec.v + "->" + spec.out).reduced;
    shuffle(random, spec.rootLoops);
  }
  if (random.chance(0.08))
    spec.probFactor = random.pick<double>({0.5, -1.3});
  if (random.chance(0.08)) {
    spec.probDims = spec.scores;
    shuffle(random, spec.probDims);
  }
  // Written with upstream's ops, to be raised. (A chain along a single key is
  // no reduction any more.)
  if (random.chance(0.15) && spec.size(spec.keys) > 1)
    spec.softmaxForm =
        random.chance(0.3) ? SoftmaxForm::Named : SoftmaxForm::Chain;
  spec.returnState =
      spec.softmaxForm == SoftmaxForm::Ext && random.chance(0.12);
  spec.returnScores = random.chance(0.06);
  spec.returnWeights = random.chance(0.06);
  spec.initIsInput = random.chance(0.12);
}

static int64_t drawTile(Random &random, int64_t size) {
  switch (random.integer(0, 7)) {
  case 0:
    return 1;
  case 1:
    return size;
  case 2:
    return size + random.integer(1, 3);
  default:
    return random.integer(1, size);
  }
}

/// The letters of the root's loops, and which of them it reduces.
static std::string getLoops(const AttentionSpec &spec) {
  return spec.out +
         oracle::Einsum(spec.scores + "," + spec.v + "->" + spec.out).reduced;
}

static void drawLevels(Random &random, Case &c) {
  std::string loops = getLoops(c.spec), parallel = c.spec.out;
  auto draw = [&](LoopKind kind, const std::string &letters, double probability,
                  bool withKeys) {
    CaseLevel level;
    level.kind = kind;
    for (char letter : letters)
      if (random.chance(letter == c.spec.keys ? (withKeys ? 1.0 : 0.25)
                                              : probability))
        level.tiles[letter] = drawTile(random, c.spec.size(letter));
    if (level.tiles.empty()) {
      char letter =
          letters[random.integer(0, static_cast<int64_t>(letters.size()) - 1)];
      level.tiles[letter] = drawTile(random, c.spec.size(letter));
    }
    if (random.chance(0.4)) {
      for (auto [letter, size] : level.tiles)
        level.order += letter;
      shuffle(random, level.order);
    }
    c.levels.push_back(level);
  };
  // Of the value's own dims few cases: loops over them outside of the loop over
  // the keys keep the softmax out.
  std::string rows;
  for (char letter : parallel)
    if (contains(c.spec.scores, letter) || random.chance(0.3))
      rows += letter;
  switch (random.integer(0, 7)) {
  case 0: // One nest.
  case 1:
    draw(LoopKind::For, rows + c.spec.keys, 0.5, true);
    break;
  case 2: // A parallel level, then the keys.
  case 3:
    if (!rows.empty())
      draw(LoopKind::Forall, rows, 0.6, false);
    draw(LoopKind::For, std::string(1, c.spec.keys), 0, true);
    break;
  case 4: // Two levels of keys.
    draw(LoopKind::For, rows + c.spec.keys, 0.3, true);
    draw(LoopKind::For, std::string(1, c.spec.keys), 0, true);
    break;
  case 5: // Workgroup, key loop, subgroup.
    if (!rows.empty())
      draw(LoopKind::Forall, rows, 0.6, false);
    draw(LoopKind::For, std::string(1, c.spec.keys), 0, true);
    draw(random.chance(0.5) ? LoopKind::For : LoopKind::Forall,
         parallel.empty() ? std::string(1, c.spec.keys) : parallel, 0.5, false);
    if (parallel.empty())
      c.levels.back().kind = LoopKind::For;
    break;
  case 6: // Anything.
    for (int64_t i = 0, n = random.integer(1, 3); i < n; ++i)
      draw(LoopKind::For, loops, 0.35, false);
    break;
  default:
    for (int64_t i = 0, n = random.integer(1, 3); i < n; ++i) {
      bool forall = !parallel.empty() && random.chance(0.4);
      draw(forall ? LoopKind::Forall : LoopKind::For, forall ? parallel : loops,
           0.4, random.chance(0.5));
    }
  }
  // The first level that cuts the keys, and nothing else, may do so in chunks.
  auto first = std::find_if(c.levels.begin(), c.levels.end(),
                            [&](const CaseLevel &level) {
                              return level.tiles.count(c.spec.keys) != 0;
                            });
  if (first != c.levels.end() && first->tiles.size() == 1 &&
      random.chance(0.3)) {
    first->kind = LoopKind::Split;
    first->order.clear();
  }
}

static void drawData(Random &random, Case &c) {
  c.dataSeed = random.next();
  c.cleanUp = random.chance(0.4);
  bool narrow =
      c.spec.scoreType == DType::F16 || c.spec.scoreType == DType::BF16;
  c.range.score = narrow ? random.pick<double>({0.5, 1, 3})
                         : random.pick<double>({1, 4, 30, 1e4});
  c.range.masked = random.pick<double>({0.3, 0.3, 0.9});
  if (random.chance(0.05))
    c.pattern = DataPattern::NaN;
  else if (c.spec.hasMaskInput() && random.chance(0.5))
    c.pattern = random.pick<DataPattern>(
        {DataPattern::MaskedFirst, DataPattern::MaskedMiddle,
         DataPattern::MaskedLast, DataPattern::MaskedRows});
}

/// Makes a case that must fuse one that must not.
static void spoil(Random &random, Case &c) {
  c.refusal = static_cast<Refusal>(random.integer(1, kNumRefusals - 1));
  AttentionSpec &spec = c.spec;
  // One nest with the keys first, so that they are cut around nothing else.
  auto cutKeys = [&] {
    CaseLevel level;
    level.tiles[spec.keys] = drawTile(random, spec.size(spec.keys));
    c.levels = {level};
  };
  switch (c.refusal) {
  case Refusal::ContractedRepair: {
    cutKeys();
    // A repair along a single query would be along none.
    spec.sizes['m'] = std::max<int64_t>(spec.sizes['m'], 2);
    // The root sums over the queries too: it drops them. Where the values have
    // no other dim the result is a scalar, or one of the batch.
    eraseLetter(spec.out, 'm');
    spec.rootLoops.clear();
    spec.pvForm = ContractionForm::Generic;
    return;
  }
  case Refusal::NonlinearRoot:
    cutKeys();
    spec.rootForm = random.chance(0.5) ? RootForm::Max : RootForm::Shifted;
    spec.rootLoops.clear();
    // Directly: behind an op in between the softmax may stay outside instead.
    spec.probType = spec.scoreType;
    spec.probFactor.reset();
    spec.probDims.clear();
    return;
  case Refusal::SoftmaxAsRoot:
    cutKeys();
    return;
  case Refusal::MappingOnFor:
    cutKeys();
    return;
  case Refusal::MappingCount: {
    CaseLevel level;
    level.kind = LoopKind::Forall;
    for (char letter : spec.out)
      level.tiles[letter] = 1;
    c.levels = {level};
    return;
  }
  default:
    return;
  }
}

Case linalg_ext_test::drawCase(uint64_t seed, int64_t index) {
  Random random(seed * 0x9e3779b97f4a7c15ull +
                static_cast<uint64_t>(index) * 0xd1342543de82ef95ull);
  random.next();
  Case c;
  c.index = index;
  drawDims(random, c.spec);
  drawTypes(random, c.spec);
  drawOps(random, c.spec);
  drawLevels(random, c);
  c.normalization = random.chance(0.5) ? NormalizationForm::Delayed
                                       : NormalizationForm::Eager;
  drawData(random, c);
  if (random.chance(0.12))
    spoil(random, c);
  return c;
}

//===----------------------------------------------------------------------===//
// From a case to what is run
//===----------------------------------------------------------------------===//

bool linalg_ext_test::expectsRepair(const AttentionGraph &graph,
                                    const std::vector<CaseLevel> &levels) {
  const AttentionSpec &spec = graph.spec;
  bool isCarried = false;
  for (const CaseLevel &level : levels) {
    // An scf.for nest is one loop after the other, an scf.forall all at once.
    std::vector<std::string> nest;
    std::string order = level.order;
    for (char letter : graph.rootLoops)
      if (!contains(order, letter))
        order += letter;
    if (level.kind == LoopKind::Forall)
      nest.emplace_back();
    for (char letter : order) {
      if (!level.tiles.count(letter))
        continue;
      if (level.kind != LoopKind::Forall)
        nest.emplace_back();
      nest.back() += letter;
    }
    for (const std::string &letters : nest) {
      bool indexes = false, isExtra = false;
      for (char letter : letters)
        (contains(spec.scores, letter) ? indexes : isExtra) = true;
      // The softmax leaves the nest for good.
      if (!indexes || (isExtra && isCarried))
        return isCarried;
      isCarried |= contains(letters, spec.keys);
    }
  }
  return isCarried;
}

TileAndFuseOptions linalg_ext_test::makeOptions(const Case &c,
                                                const AttentionGraph &graph) {
  TileAndFuseOptions options;
  options.normalization = c.normalization;
  for (const CaseLevel &level : c.levels)
    options.levels.push_back(
        makeLevel(graph, level.tiles, level.kind, level.order));
  TilingLevel &last = options.levels.back();
  int64_t keys = graph.loop(c.spec.keys);
  Attribute mapping = UnitAttr::get(graph.module.get()->getContext());
  switch (c.refusal) {
  case Refusal::ForallOverKeys:
    last.kind = LoopKind::Forall;
    last.tileSizes[keys] = 2;
    break;
  case Refusal::BadInterchange:
    last.interchange.assign(graph.rootLoops.size(), 0);
    if (graph.rootLoops.size() == 1)
      last.interchange = {1};
    break;
  case Refusal::TooManySizes:
    last.tileSizes.push_back(2);
    break;
  case Refusal::NegativeSize:
    last.tileSizes[keys] = -2;
    break;
  case Refusal::NothingTiled:
    last.tileSizes.assign(last.tileSizes.size(), 0);
    break;
  case Refusal::NoLevels:
    options.levels.clear();
    break;
  case Refusal::MappingOnFor:
    last.mapping = {mapping};
    break;
  case Refusal::MappingCount:
    last.mapping.assign(c.levels.back().tiles.size() + 1, mapping);
    break;
  case Refusal::SoftmaxAsRoot:
    last.tileSizes.assign(c.spec.scores.size(), 0);
    last.tileSizes[c.spec.softmaxDim()] = 2;
    last.interchange.clear();
    break;
  default:
    break;
  }
  return options;
}

std::vector<Tensor> linalg_ext_test::makeInputs(const Case &c,
                                                const AttentionGraph &graph) {
  const AttentionSpec &spec = c.spec;
  Random random(c.dataSeed);
  std::vector<Tensor> inputs = graph.randomInputs(random, c.range);
  if (c.pattern == DataPattern::NaN) {
    size_t numOperands = spec.scoresAreInput ? 2 : 3;
    Tensor &input =
        inputs[random.integer(0, static_cast<int64_t>(numOperands) - 1)];
    input.data[random.integer(0, input.size() - 1)] =
        std::numeric_limits<double>::quiet_NaN();
  } else if (c.pattern != DataPattern::Plain && spec.hasMaskInput()) {
    size_t keysAt = spec.maskDims.find(spec.keys),
           rowsAt = spec.maskDims.find(spec.queries);
    int64_t numKeys = spec.size(spec.keys);
    Tensor &mask = inputs[spec.maskInput()];
    double masked = spec.mask == MaskForm::Boolean
                        ? 0
                        : -std::numeric_limits<double>::infinity();
    oracle::forEachIndex(mask.shape, [&](const oracle::Index &index) {
      int64_t key = keysAt == std::string::npos ? -1 : index[keysAt];
      int64_t row = rowsAt == std::string::npos ? -1 : index[rowsAt];
      bool hit =
          (c.pattern == DataPattern::MaskedFirst && key >= 0 &&
           key < (numKeys + 1) / 2) ||
          (c.pattern == DataPattern::MaskedMiddle && key >= numKeys / 3 &&
           key < (2 * numKeys + 2) / 3) ||
          (c.pattern == DataPattern::MaskedLast && key >= numKeys / 2) ||
          (c.pattern == DataPattern::MaskedRows && row >= 0 && row % 2 == 0);
      if (hit)
        mask.at(index) = masked;
    });
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

std::vector<Case> linalg_ext_test::simplify(const Case &c) {
  std::vector<Case> simpler;
  auto add = [&](auto change) {
    Case candidate = c;
    change(candidate);
    if (candidate.describe() != c.describe() && !candidate.levels.empty())
      simpler.push_back(candidate);
  };
  // A batch dim, a level, a loop less.
  for (char letter : std::string("bhgr"))
    add([&](Case &s) {
      for (std::string *dims :
           {&s.spec.q, &s.spec.k, &s.spec.v, &s.spec.scores, &s.spec.out,
            &s.spec.maskDims, &s.spec.rootLoops, &s.spec.dynamic,
            &s.spec.probDims})
        eraseLetter(*dims, letter);
      if (s.spec.hasMaskInput() && s.spec.maskDims.empty())
        s.spec.mask = MaskForm::None;
      s.spec.sizes.erase(letter);
      for (CaseLevel &level : s.levels) {
        level.tiles.erase(letter);
        eraseLetter(level.order, letter);
      }
      llvm::erase_if(s.levels,
                     [](const CaseLevel &l) { return l.tiles.empty(); });
    });
  for (size_t i = 0; i < c.levels.size(); ++i) {
    add([&](Case &s) { s.levels.erase(s.levels.begin() + i); });
    add([&](Case &s) { s.levels[i].order.clear(); });
    for (auto [letter, size] : c.levels[i].tiles) {
      char tiled = letter;
      add([&](Case &s) {
        s.levels[i].tiles.erase(tiled);
        eraseLetter(s.levels[i].order, tiled);
        if (s.levels[i].tiles.empty())
          s.levels.erase(s.levels.begin() + i);
      });
    }
  }
  // Plainer ops, types and data.
  add([](Case &s) { s.spec.dynamic.clear(); });
  add([](Case &s) { s.spec.mask = MaskForm::None; });
  add([](Case &s) { s.spec.scale.reset(); });
  add([](Case &s) { s.spec.scoresAreInput = true; });
  add([](Case &s) { s.spec.qkForm = ContractionForm::Generic; });
  add([](Case &s) { s.spec.pvForm = ContractionForm::Generic; });
  add([](Case &s) { s.spec.softmaxForm = SoftmaxForm::Ext; });
  add([](Case &s) { s.spec.qkSwapped = false; });
  add([](Case &s) { s.spec.pvSwapped = false; });
  add([](Case &s) { s.spec.rootLoops.clear(); });
  add([](Case &s) { s.spec.returnState = false; });
  add([](Case &s) { s.spec.returnScores = false; });
  add([](Case &s) { s.spec.returnWeights = false; });
  add([](Case &s) { s.spec.initIsInput = false; });
  add([](Case &s) { s.pattern = DataPattern::Plain; });
  add([](Case &s) { s.range.score = 1; });
  add([](Case &s) { s.cleanUp = false; });
  add([](Case &s) {
    s.spec.type = s.spec.scoreType = s.spec.probType = s.spec.accType =
        s.spec.outType = DType::F32;
  });
  add([](Case &s) { s.spec.probFactor.reset(); });
  add([](Case &s) { s.spec.probDims.clear(); });
  // Smaller sizes and tiles.
  for (auto [letter, size] : c.spec.sizes) {
    char changed = letter;
    if (letter == c.spec.keys && size == 2 &&
        c.spec.softmaxForm != SoftmaxForm::Ext)
      continue;
    for (int64_t smaller : {int64_t(1), size / 2, size - 1})
      if (smaller >= 1 && smaller < size)
        add([&](Case &s) { s.spec.sizes[changed] = smaller; });
  }
  for (size_t i = 0; i < c.levels.size(); ++i)
    for (auto [letter, size] : c.levels[i].tiles) {
      char changed = letter;
      for (int64_t smaller : {int64_t(1), size / 2, size - 1})
        if (smaller >= 1 && smaller < size)
          add([&](Case &s) { s.levels[i].tiles[changed] = smaller; });
    }
  return simpler;
}
