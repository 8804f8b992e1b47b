//===- Cases.cpp - Random cases of tile-and-fuse --------------------------===//
//
// See Cases.h.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "CaseTiles.h"

#include <algorithm>
#include <limits>
#include <sstream>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

const char *linalg_ext_test::getName(Fault fault) {
  static const char *names[] = {
      "none",           "forall over the keys", "bad interchange",
      "too many sizes", "negative size",        "nothing tiled",
      "no levels",      "mapping on for",       "mapping count",
      "softmax as root"};
  return names[static_cast<int>(fault)];
}

const char *linalg_ext_test::getName(Label label) {
  static const char *names[] = {"must carry", "must fuse", "must keep",
                                "must refuse", "may fuse"};
  return names[static_cast<int>(label)];
}

const char *linalg_ext_test::getName(Family family) {
  static const char *names[] = {"op", "raised", "chain", "norm"};
  return names[static_cast<int>(family)];
}

std::string Expectation::describe() const {
  std::string text = getName(label);
  if (label == Label::Carry)
    text += " " + std::to_string(numStates) + " states with " +
            std::to_string(numRepairs) + " repairs and " +
            std::to_string(numSiblings) + " siblings" +
            (mayHaveAnother ? " or so" : "");
  return text;
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
  if (exactness != Exactness::Rounding)
    os << ", " << stringify(exactness).str();
  if (fuseConsumers)
    os << ", consumers";
  if (rescaleThreshold)
    os << ", rescale threshold " << *rescaleThreshold;
  if (raise)
    os << ", raised";
  if (cleanUp)
    os << ", cleaned up";
  os << "\n  " << expect().describe();
  if (fault != Fault::None)
    os << ": " << getName(fault);
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

//===----------------------------------------------------------------------===//
// From a case to what is run
//===----------------------------------------------------------------------===//

/// Whether the weights are cut along the keys inside the loops, so that what is
/// reduced along them is carried. Otherwise a loop over dimensions that the
/// weights lack encloses the loop over the keys, and they stay outside of both
/// rather than be computed again; or the keys are not tiled at all.
static bool cutsWeights(const Case &c) {
  const AttentionSpec &spec = c.spec;
  bool isCarried = false;
  for (const std::string &letters : getNests(c)) {
    bool indexes = false, isExtra = false;
    for (char letter : letters)
      (contains(spec.weightDims(), letter) ? indexes : isExtra) = true;
    // The weights leave the nest for good.
    if (!indexes || (isExtra && isCarried))
      return isCarried;
    isCarried |= contains(letters, spec.keys);
  }
  return isCarried;
}

Family Case::family() const {
  if (spec.isNorm())
    return Family::Norm;
  if (spec.softmaxForm == SoftmaxForm::Ext)
    return Family::Op;
  return raise ? Family::Raised : Family::Chain;
}

Expectation Case::expect() const {
  if (fault != Fault::None)
    return {Label::Refuse};
  // A reshape may hide which dimensions are cut, or may not be cut as asked.
  bool mergesKeys =
      spec.has('R') && contains(spec.scores.substr(0, 2), spec.keys);
  bool isReshaped = spec.has('R') || !spec.reshapes.empty();
  bool cutsKeys = llvm::any_of(levels, [&](const CaseLevel &level) {
    return level.tiles.count(spec.keys) != 0;
  });
  if (!cutsKeys && !mergesKeys)
    return {Label::Plain};
  if (isReshaped && (mergesKeys || (spec.has('R') && !spec.reshapes.empty()) ||
                     cutsReshapedRowsApart(*this)))
    return {Label::May};
  if (!cutsWeights(*this))
    return {Label::Plain};

  // 1. The states, and what follows them.
  Expectation e{Label::Carry};
  bool isPolynomial =
      spec.softmaxForm == SoftmaxForm::Center || spec.isLayerNorm();
  if (isOp() || spec.isNorm())
    // The mean and, of LayerNorm, the variance.
    e.numStates = e.numRepairs = spec.isLayerNorm() ? 2 : 1;
  else {
    bool hasMax = !spec.style.noMax;
    bool hasSum =
        !spec.style.divideAfter && spec.rootForm != RootForm::LogSumExp;
    e.numStates = hasMax + hasSum;
    e.numRepairs = (hasMax && hasSum) + (hasMax || hasSum);
    // Nobody in the loops needs the sum: it is accumulated beside the root,
    // unless it would be once more for tiles of a dimension that it lacks.
    bool isInScores = llvm::all_of(levels, [&](const CaseLevel &level) {
      return llvm::all_of(level.tiles, [&](auto &tile) {
        return contains(spec.weightDims(), tile.first);
      });
    });
    e.numSiblings += spec.style.divideAfter && hasMax && isInScores;
    // A tile that a reshape has made of the loops' is none of the sum.
    if (spec.style.divideAfter && hasMax && isInScores && spec.has('R') &&
        llvm::any_of(levels, [&](const CaseLevel &level) {
          return llvm::any_of(level.tiles, [&](auto &tile) {
            return contains(spec.scores.substr(0, 2), tile.first);
          });
        }))
      return {Label::May};
  }
  // So is what else the weights are multiplied with. Derivatives are carried
  // for the root alone.
  e.numSiblings += spec.secondRoot && !isPolynomial;
  if (e.numStates == 0)
    return {Label::Plain};
  // A polynomial of what is linear in it is one for sure.
  bool isLinear =
      (spec.rootForm == RootForm::Sum || spec.rootForm == RootForm::Reduce) &&
      spec.path.find_first_not_of("fgndD") == std::string::npos;
  if (isPolynomial && !isLinear)
    return {Label::May};
  // A bias needs a result that it is uniform along a dimension of, also after
  // what happens to it.
  if (spec.softmaxForm == SoftmaxForm::LayerNormQuotient &&
      (!spec.path.empty() || spec.rootForm != RootForm::Sum ||
       llvm::all_of(spec.out,
                    [&](char letter) { return contains(spec.v, letter); })))
    return {Label::May};
  // So may one that is added to a softmax that is a sum alone.
  if (spec.style.noMax && (spec.rootForm == RootForm::Shifted ||
                           spec.path.find('+') != std::string::npos))
    return {Label::May};
  // A sum of different powers of a norm is a polynomial. So is what it is
  // multiplied with, for all that is known of it.
  if (spec.isNorm() && (spec.path.find_first_of("+xk") != std::string::npos ||
                        spec.rootForm == RootForm::Shifted))
    return {Label::May};
  // A sum of columns takes tiles of the weights that no loop around the keys'
  // may cut; added, it is no multiple unless there is one query. Squared, it is
  // a product of sums.
  if (spec.has('K') ||
      (spec.has('k') && (levels.size() > 1 || levels.back().tiles.size() > 1 ||
                         spec.rootForm == RootForm::Square)))
    return {Label::May};
  if (spec.returnWeightSums && !isPolynomial) {
    bool isInWeights = llvm::all_of(levels, [&](const CaseLevel &level) {
      return llvm::all_of(level.tiles, [&](auto &tile) {
        return contains(spec.weightDims(), tile.first);
      });
    });
    // Which tiles the loops share with them the dry run says.
    e.mayHaveAnother = true;
    e.numSiblings += isInWeights && !takesPartsOfRows(*this);
  }

  // A maximum needs a positive factor, which that of a norm may not be.
  if (spec.isNorm() && spec.rootForm == RootForm::Max)
    return {Label::May};

  // A row that is summed (of one element: others cannot be repaired), and cut
  // by a loop, carries the roots from there on, and not from where the states
  // are.
  if (e.numSiblings > 0 && llvm::any_of(levels, [&](const CaseLevel &level) {
        return llvm::any_of(level.tiles, [&](auto &tile) {
          return tile.first != spec.keys && !contains(spec.out, tile.first) &&
                 contains(spec.weightDims(), tile.first);
        });
      }))
    return {Label::May};

  // 2. What cannot be repaired at all: the root is no multiple of what the
  // states make of it, or sums rows that move by different factors.
  bool isRepairable = spec.rootForm != RootForm::Shifted &&
                      spec.path.find_first_of("+etx") == std::string::npos &&
                      spec.softmaxForm != SoftmaxForm::RmsInline;
  for (char letter : spec.weightDims())
    if (letter != spec.keys && !contains(spec.out, letter) &&
        (spec.size(letter) != 1 || contains(spec.dynamic, letter)))
      isRepairable = false;

  // 3. What may not be made of the result.
  auto truncates = [](DType from, DType to) {
    return oracle::getByteWidth(to) < oracle::getByteWidth(from);
  };
  DType made = isOp() ? spec.scoreType : spec.chainType();
  bool rounds = spec.rootForm == RootForm::LogSumExp
                    ? truncates(made, spec.accType)
                    : truncates(made, spec.scoreType) ||
                          truncates(spec.scoreType, spec.probType) ||
                          truncates(spec.probType, spec.accType);
  isRepairable &=
      exactness >= (rounds ? Exactness::Rounding : Exactness::Reassociated);
  // What is subtracted from is not small where the difference is.
  if (isRepairable && rounds && spec.softmaxForm == SoftmaxForm::Center)
    return {Label::May};
  if (!isRepairable)
    return {isOp() ? Label::Refuse : Label::Keep};
  return e;
}

TileAndFuseOptions linalg_ext_test::makeOptions(const Case &c,
                                                const AttentionGraph &graph) {
  TileAndFuseOptions options;
  options.normalization = c.normalization;
  options.rescaleThreshold = c.rescaleThreshold;
  options.exactness = c.exactness;
  options.fuseConsumers = c.fuseConsumers;
  for (const CaseLevel &level : c.levels)
    options.levels.push_back(
        makeLevel(graph, level.tiles, level.kind, level.order));
  TilingLevel &last = options.levels.back();
  int64_t keys = graph.loop(c.spec.keys);
  Attribute mapping = UnitAttr::get(graph.module.get()->getContext());
  switch (c.fault) {
  case Fault::ForallOverKeys:
    last.kind = LoopKind::Forall;
    last.tileSizes[keys] = 2;
    break;
  case Fault::BadInterchange:
    last.interchange.assign(graph.rootLoops.size(), 0);
    if (graph.rootLoops.size() == 1)
      last.interchange = {1};
    break;
  case Fault::TooManySizes:
    last.tileSizes.push_back(2);
    break;
  case Fault::NegativeSize:
    last.tileSizes[keys] = -2;
    break;
  case Fault::NothingTiled:
    last.tileSizes.assign(last.tileSizes.size(), 0);
    break;
  case Fault::NoLevels:
    options.levels.clear();
    break;
  case Fault::MappingOnFor:
    last.mapping = {mapping};
    break;
  case Fault::MappingCount:
    last.mapping.assign(c.levels.back().tiles.size() + 1, mapping);
    break;
  case Fault::SoftmaxAsRoot:
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
  } else if (c.pattern != DataPattern::Plain && spec.hasMaskInput() &&
             spec.mask != MaskForm::Lengths) {
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

/// Whether the reshapes of `spec` are some.
static bool isConsistent(const AttentionSpec &spec) {
  std::string dims = spec.scores;
  for (const std::string &reshape : spec.reshapes) {
    size_t arrow = reshape.find('>');
    std::string from = reshape.substr(0, arrow), to = reshape.substr(arrow + 1);
    if (dims.find(from) == std::string::npos)
      return false;
    auto count = [&](const std::string &letters) {
      int64_t product = 1;
      for (char letter : letters)
        product *= spec.sizes.count(letter) ? spec.size(letter) : -1;
      return product;
    };
    if (count(from) != count(to))
      return false;
    dims = AttentionSpec::reshaped(dims, reshape);
  }
  return spec.probDims.empty() || spec.probDims.size() == dims.size();
}

std::vector<Case> linalg_ext_test::simplify(const Case &c) {
  std::vector<Case> simpler;
  auto add = [&](auto change) {
    Case candidate = c;
    change(candidate);
    if (!isConsistent(candidate.spec))
      return;
    if (candidate.describe() != c.describe() && !candidate.levels.empty() &&
        candidate.expect().describe() == c.expect().describe())
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
      s.spec.flat = false;
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
  if (c.isOp())
    add([](Case &s) {
      s.spec.softmaxForm = SoftmaxForm::Ext;
      s.raise = false;
    });
  if (c.spec.softmaxForm == SoftmaxForm::Guarded)
    add([](Case &s) { s.spec.softmaxForm = SoftmaxForm::Chain; });
  for (bool ChainStyle::*flag :
       {&ChainStyle::base2, &ChainStyle::reciprocal, &ChainStyle::keepDims,
        &ChainStyle::broadcast, &ChainStyle::named, &ChainStyle::wide,
        &ChainStyle::lse, &ChainStyle::noMax, &ChainStyle::sink,
        &ChainStyle::divideAfter})
    add([=](Case &s) { s.spec.style.*flag = false; });
  for (size_t i = 0; i < c.spec.path.size(); ++i)
    add([=](Case &s) {
      s.spec.path.erase(i, 1);
      if (!s.spec.has('m'))
        s.spec.sizes.erase('j');
    });
  add([](Case &s) { s.spec.softcap.reset(); });
  add([](Case &s) { s.spec.alibi.reset(); });
  add([](Case &s) { s.spec.stored.reset(); });
  add([](Case &s) { s.spec.prologue.reset(); });
  add([](Case &s) { s.spec.normalizeQK = false; });
  add([](Case &s) { s.spec.flat = false; });
  add([](Case &s) { s.spec.secondRoot = false; });
  add([](Case &s) { s.spec.returnWeightSums = false; });
  if (c.spec.rootForm == RootForm::Square || c.spec.rootForm == RootForm::Twice)
    add([](Case &s) { s.spec.rootForm = RootForm::Sum; });
  add([](Case &s) { s.spec.qkSwapped = false; });
  add([](Case &s) { s.spec.pvSwapped = false; });
  add([](Case &s) { s.spec.rootLoops.clear(); });
  add([](Case &s) { s.fuseConsumers = false; });
  add([](Case &s) { s.rescaleThreshold.reset(); });
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
    if (letter == c.spec.keys && size == 2 && c.raise)
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
