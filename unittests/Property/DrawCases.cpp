//===- DrawCases.cpp - Random cases of tile-and-fuse ----------------------===//
//
// Draws a case from a seed and a number: sizes, types, ops, masks, levels and
// data, and now and then a fault that must be refused.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "CaseLetters.h"
#include "CaseTiles.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;

static void shuffle(Random &random, std::string &letters) {
  for (size_t i = letters.size(); i > 1; --i)
    std::swap(letters[i - 1],
              letters[random.integer(0, static_cast<int64_t>(i) - 1)]);
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
  spec.mask = random.pick<MaskForm>(
      {MaskForm::None, MaskForm::None, MaskForm::None, MaskForm::Additive,
       MaskForm::Additive, MaskForm::Boolean, MaskForm::Boolean,
       MaskForm::Causal, MaskForm::Window, MaskForm::Prefix,
       MaskForm::Lengths});
  if (spec.hasMaskInput()) {
    for (char letter : spec.scores)
      if (random.chance(letter == spec.keys ? 0.95 : 0.6))
        spec.maskDims += letter;
    if (spec.mask == MaskForm::Lengths)
      eraseLetter(spec.maskDims, spec.keys);
    if (spec.maskDims.empty())
      spec.maskDims = spec.mask == MaskForm::Lengths ? spec.queries : spec.keys;
    if (random.chance(0.3))
      shuffle(random, spec.maskDims);
  }
  spec.maskWidth = random.integer(1, 4);
  if (random.chance(0.06))
    spec.softcap = random.pick<double>({2, 8});
  if (random.chance(0.06))
    spec.alibi = random.pick<double>({-0.25, 0.5});
  if (random.chance(0.06))
    spec.prologue = random.pick<double>({0.75, -1.5});
  spec.scoresAreInput = random.chance(0.15);
  if (random.chance(0.3)) {
    spec.rootLoops =
        spec.out +
        oracle::Einsum(spec.scores + "," + spec.v + "->" + spec.out).reduced;
    shuffle(random, spec.rootLoops);
  }
  if (spec.pvForm == ContractionForm::Named) // has an order of its own
    spec.rootLoops.clear();
  if (random.chance(0.08))
    spec.probFactor = random.pick<double>({0.5, -1.3});
  if (random.chance(0.08)) {
    spec.probDims = spec.scores;
    shuffle(random, spec.probDims);
  }
  spec.normalizeQK = !spec.scoresAreInput && random.chance(0.06);
  spec.returnScores = random.chance(0.06);
  spec.returnWeights = random.chance(0.06);
  spec.initIsInput = random.chance(0.12);
  spec.secondRoot = random.chance(0.12);
  // Upstream's lowering (22.1.8) takes one dynamic size in a group of a
  // reshape: a tile of a dim of size 1 would be another.
  if (random.chance(0.07)) {
    spec.flat = true;
    for (const std::string &dims : {spec.q, spec.k, spec.v, spec.out})
      for (char letter : dims.substr(0, 2)) {
        eraseLetter(spec.dynamic, letter);
        spec.flat &= spec.size(letter) > 1;
      }
  }
}

/// How the scores become weights.
static void drawWeights(Random &random, Case &c) {
  AttentionSpec &spec = c.spec;
  // A chain along a single key is no reduction to the raising, if it is known
  // to be one.
  bool isRow = spec.size(spec.keys) > 1 || contains(spec.dynamic, spec.keys);
  switch (random.integer(0, 19)) {
  default:
    break;
  case 9:
    spec.softmaxForm = SoftmaxForm::Named;
    c.raise = true;
    break;
  case 10:
    if (isRow)
      spec.softmaxForm = SoftmaxForm::Chain;
    c.raise = isRow;
    break;
  case 11:
  case 12:
  case 13:
  case 14:
  case 15:
  case 16:
  case 17:
    spec.softmaxForm =
        random.chance(0.7) ? SoftmaxForm::Chain : SoftmaxForm::Guarded;
    break;
  case 18:
  case 19:
    spec.softmaxForm = random.pick<SoftmaxForm>(
        {SoftmaxForm::Rms, SoftmaxForm::Rms, SoftmaxForm::RmsInline,
         SoftmaxForm::L1, SoftmaxForm::MaxAbs, SoftmaxForm::Center,
         SoftmaxForm::Center, SoftmaxForm::LayerNorm, SoftmaxForm::LayerNorm,
         SoftmaxForm::LayerNormBias, SoftmaxForm::LayerNormQuotient,
         SoftmaxForm::LayerNormQuotient});
    // What is masked is no number; and small numbers are not lost in sums.
    spec.mask = MaskForm::None;
    spec.maskDims.clear();
    if (spec.accType == DType::F16)
      spec.accType = DType::F32;
  }
  if (spec.isChain() && !c.raise) {
    ChainStyle &style = spec.style;
    style.base2 = random.chance(0.2);
    style.wide = oracle::getStateType(spec.scoreType) != spec.scoreType &&
                 random.chance(0.5);
    switch (random.integer(0, 9)) {
    case 0:
    case 1:
      style.keepDims = true;
      break;
    case 2:
      style.broadcast = true;
      break;
    case 3:
      style.named = true;
      break;
    default:
      break;
    }
    switch (random.integer(0, 11)) {
    case 0:
    case 1:
      style.reciprocal = true;
      break;
    case 2:
      style.lse = true;
      break;
    case 3:
      style.divideAfter = true;
      break;
    case 4: // exp(x) must not overflow.
      style.noMax = spec.scoreType != DType::F16;
      break;
    default:
      break;
    }
    // exp(x) is stored then. In f16 it would overflow from x = 11 on.
    bool isAfter = style.noMax && random.chance(0.3);
    style.divideAfter |= isAfter && spec.probType != DType::F16;
    style.sink = random.chance(0.08);
  }
  spec.returnState = random.chance(0.12) &&
                     (spec.softmaxForm == SoftmaxForm::Ext ||
                      (spec.isChain() && !c.raise && !spec.style.base2 &&
                       !spec.style.noMax && !spec.style.divideAfter));
}

/// What happens to the weights on their way to the root, and there.
static void drawPath(Random &random, Case &c) {
  AttentionSpec &spec = c.spec;
  std::string steps = "fgnarpqcCdDm";
  if (!spec.isNorm() && random.chance(0.04))
    spec.path += 's';
  for (double chance = 0.25; random.chance(chance); chance = 0.4)
    spec.path += steps[random.integer(0, steps.size() - 1)];
  if (random.chance(0.03))
    spec.path += "+etx"[random.integer(0, 3)];
  // (Rows that are lost would be so in all of the sums.)
  if (random.chance(0.06) && spec.mask == MaskForm::None)
    spec.path += "kK+"[random.integer(0, 2)];
  // (It makes sizes static, of which a raised chain's keys must not be 1.)
  if (random.chance(0.015) && spec.scores.size() > 1 &&
      !(c.raise && spec.size(spec.keys) == 1)) {
    spec.path += 'R';
    for (char letter : spec.scores.substr(0, 2))
      eraseLetter(spec.dynamic, letter);
  }
  if (spec.has('m'))
    spec.sizes['j'] = random.integer(1, 3);

  auto sumRows = [&] {
    spec.v = spec.keys;
    spec.out = spec.scores;
    eraseLetter(spec.out, spec.keys);
    if (spec.out.size() > 1 && random.chance(0.3))
      shuffle(random, spec.out);
    for (char letter : std::string("er")) {
      spec.sizes.erase(letter);
      eraseLetter(spec.dynamic, letter);
    }
    spec.flat = spec.secondRoot = false;
  };
  switch (random.integer(0, 39)) {
  case 0:
  case 1:
    spec.rootForm = RootForm::Square;
    break;
  case 2:
  case 3:
    spec.rootForm = RootForm::Twice;
    break;
  case 4:
    spec.rootForm = random.chance(0.5) ? RootForm::Max : RootForm::Shifted;
    break;
  case 5:
  case 6:
    spec.rootForm = RootForm::Reduce;
    sumRows();
    break;
  case 7:
  case 8: {
    ChainStyle &style = spec.style;
    if (spec.softmaxForm != SoftmaxForm::Chain || c.raise || style.noMax ||
        style.base2)
      break;
    spec.rootForm = RootForm::LogSumExp;
    sumRows();
    style.reciprocal = style.lse = style.sink = style.divideAfter = false;
    spec.returnState = spec.returnWeights = spec.initIsInput = false;
    spec.path.clear();
    spec.sizes.erase('j');
    spec.probFactor.reset();
    spec.probDims.clear();
    spec.probType = spec.scoreType;
    spec.accType = spec.outType = spec.chainType();
    break;
  }
  case 9:
    // The root sums over the queries too. Where the values have no other dim
    // the result is a scalar, or one of the batch.
    if (spec.style.divideAfter)
      break;
    eraseLetter(spec.out, spec.queries);
    spec.flat = false;
    break;
  default:
    break;
  }
  // The division may come after what scales with the weights.
  if (spec.style.divideAfter) {
    if (spec.rootForm != RootForm::Reduce && spec.rootForm != RootForm::Max)
      spec.rootForm = RootForm::Sum;
    for (char step : std::string("qs+kKetx"))
      eraseLetter(spec.path, step);
    spec.initIsInput = spec.returnWeights = false;
  }
  if (spec.rootForm != RootForm::Sum) {
    spec.secondRoot = false;
    spec.rootLoops.clear();
  }
  // linalg.reduce has the loops of what it reduces.
  if ((spec.rootForm == RootForm::Reduce ||
       spec.rootForm == RootForm::LogSumExp) &&
      random.chance(0.5)) {
    spec.rootLoops = spec.probDims.empty() ? spec.scores : spec.probDims;
    spec.out = spec.rootLoops;
    eraseLetter(spec.out, spec.keys);
    spec.pvForm = ContractionForm::Named;
  }
  if (!contains(spec.out, spec.queries))
    spec.rootLoops.clear();
  if (!contains(spec.out, spec.queries) &&
      spec.pvForm == ContractionForm::Named)
    spec.pvForm = ContractionForm::Generic;
}

/// Reshapes of the rows of the weights on their way to the root: some are
/// merged, transposed before or not, or one is split, or both.
static void drawReshapes(Random &random, AttentionSpec &spec) {
  if (!random.chance(0.15) || spec.rootForm == RootForm::LogSumExp ||
      spec.style.divideAfter)
    return;
  std::string dims = spec.scores;
  auto isRow = [&](char letter) {
    return letter != spec.keys && contains(spec.out, letter);
  };
  auto isDynamic = [&](const std::string &letters) {
    return llvm::any_of(
        letters, [&](char letter) { return contains(spec.dynamic, letter); });
  };
  // Letters `from` of the values and the result become `to`.
  auto replace = [&](const std::string &from, const std::string &to) {
    bool wasInValues = false;
    size_t at = spec.out.find(from[0]);
    for (char letter : from) {
      wasInValues |= contains(spec.v, letter);
      eraseLetter(spec.v, letter);
      eraseLetter(spec.out, letter);
    }
    spec.out.insert(std::min(at, spec.out.size()), to);
    if (spec.rootForm == RootForm::Reduce)
      return;
    for (char letter : to)
      if (random.chance(wasInValues ? 0.8 : 0.2))
        spec.v.insert(spec.v.begin(), letter);
  };
  auto add = [&](const std::string &from, const std::string &to) {
    spec.reshapes.push_back(from + ">" + to);
    dims = AttentionSpec::reshaped(dims, spec.reshapes.back());
  };

  // 1. Merge.
  std::string merged;
  if (random.chance(0.6)) {
    if (random.chance(0.3)) {
      std::string other = dims;
      shuffle(random, other);
      if (other != dims)
        add(dims, other);
    }
    size_t first = random.integer(0, static_cast<int64_t>(dims.size()) - 1);
    for (size_t i = first; i < dims.size() && isRow(dims[i]); ++i)
      merged += dims[i];
    if (merged.size() > 2 && random.chance(0.5))
      merged.resize(2);
  }
  if (merged.size() > 1) {
    spec.sizes['x'] = 1;
    for (char letter : merged)
      spec.sizes['x'] *= spec.size(letter);
    if (isDynamic(merged))
      spec.dynamic += 'x';
    add(merged, "x");
    replace(merged, "x");
  }

  // 2. Split.
  std::string candidates;
  for (char letter : dims)
    if (isRow(letter))
      candidates += letter;
  if (!candidates.empty() && (merged.size() < 2 || random.chance(0.4))) {
    char split = contains(dims, 'x') && random.chance(0.7)
                     ? 'x'
                     : candidates[random.integer(
                           0, static_cast<int64_t>(candidates.size()) - 1)];
    int64_t size = spec.size(split), outer = random.integer(1, size);
    while (size % outer != 0)
      --outer;
    spec.sizes['y'] = outer;
    spec.sizes['z'] = size / outer;
    bool isOfDynamic = isDynamic({split});
    add({split}, "yz");
    replace({split}, "yz");
    if (isOfDynamic) {
      spec.dynamic += random.chance(0.5) ? 'y' : 'z';
      if (contains(spec.v, 'y') && random.chance(0.5)) {
        eraseLetter(spec.dynamic, 'y');
        eraseLetter(spec.dynamic, 'z');
        spec.dynamic += "yz";
      }
    }
  }
  if (spec.reshapes.empty())
    return;
  spec.flat = false;
  spec.rootLoops.clear();
  spec.probDims.clear();
  if (random.chance(0.3)) {
    std::string other = dims;
    shuffle(random, other);
    spec.probDims = other;
  }
  // Named reductions have the loops of what they reduce.
  if (spec.pvForm == ContractionForm::Named && (spec.rootForm != RootForm::Sum))
    spec.pvForm = ContractionForm::Generic;
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
         oracle::Einsum(spec.weightDims() + "," + spec.v + "->" + spec.out)
             .reduced;
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
    if (contains(c.spec.weightDims(), letter) || random.chance(0.3))
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
  if (c.spec.isNorm() || c.spec.style.noMax)
    c.range.score = random.pick<double>({1, 4});
  c.range.masked = random.pick<double>({0.3, 0.3, 0.9});
  // A weight that is dropped hides a NaN, but not in the state of its row.
  if (random.chance(0.05) && !c.spec.has('d'))
    c.pattern = DataPattern::NaN;
  else if (c.spec.hasMaskInput() && c.spec.mask != MaskForm::Lengths &&
           random.chance(0.5))
    c.pattern = random.pick<DataPattern>(
        {DataPattern::MaskedFirst, DataPattern::MaskedMiddle,
         DataPattern::MaskedLast, DataPattern::MaskedRows});
}

/// Makes a case that must fuse one that must not.
static void spoil(Random &random, Case &c) {
  c.fault = static_cast<Fault>(random.integer(1, kNumFaults - 1));
  if (c.fault == Fault::SoftmaxAsRoot && !c.isOp())
    c.fault = Fault::NoLevels;
  AttentionSpec &spec = c.spec;
  // One nest with the keys first, so that they are cut around nothing else.
  auto cutKeys = [&] {
    CaseLevel level;
    level.tiles[spec.keys] = drawTile(random, spec.size(spec.keys));
    c.levels = {level};
  };
  switch (c.fault) {
  case Fault::SoftmaxAsRoot:
    cutKeys();
    return;
  case Fault::MappingOnFor:
    cutKeys();
    return;
  case Fault::MappingCount: {
    CaseLevel level;
    level.kind = LoopKind::Forall;
    for (char letter : spec.out)
      level.tiles[letter] = 1;
    if (spec.out.empty())
      c.fault = Fault::NoLevels;
    else
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
  drawWeights(random, c);
  drawPath(random, c);
  drawReshapes(random, c.spec);
  drawLevels(random, c);
  c.spec.returnWeightSums = !c.spec.reshapes.empty() && random.chance(0.4);
  if (random.chance(0.1))
    c.exactness =
        random.chance(0.4) ? Exactness::Exact : Exactness::Reassociated;
  c.fuseConsumers = random.chance(0.25);
  c.normalization = random.chance(0.5) ? NormalizationForm::Delayed
                                       : NormalizationForm::Eager;
  drawData(random, c);
  if (random.chance(0.04))
    spoil(random, c);
  if (c.normalization == NormalizationForm::Delayed && random.chance(0.5))
    c.rescaleThreshold = random.pick<double>({0, 1, 8, 20});
  // Drawn apart, so that all else of a case stays as it was. No integer is NaN.
  Random apart(seed * 0x2545f4914f6cdd1dull + static_cast<uint64_t>(index));
  apart.next();
  if (c.pattern != DataPattern::NaN && apart.chance(0.08))
    c.spec.stored = DType::I8;
  return c;
}
