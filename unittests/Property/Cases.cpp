//===- Cases.cpp - Random cases of tile-and-fuse --------------------------===//
//
// See Cases.h.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "CaseLetters.h"
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
