//===- CaseTiles.cpp - Tiles of cases across reshapes ---------------------===//
//
// See CaseTiles.h. Written from the rules of docs/Rationale/Reshapes.md, and
// not from the code that it is to test.
//
//===----------------------------------------------------------------------===//

#include "CaseTiles.h"

#include "CaseLetters.h"

#include <algorithm>
#include <utility>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;

namespace {
/// What a dim has of it in one iteration.
struct TileSize {
  enum { Whole, Known, Unknown } kind = Whole;
  int64_t size = 0;
};
using TileSizes = std::map<char, TileSize>;
} // namespace

/// The tiles of dims `inner`, of which a tile of the dim that they are merged
/// into is one, or part of one, which `isPart` says. Tiles start at multiples
/// of their size, unless it was a part before.
static void tileMerged(const AttentionSpec &spec, const std::string &inner,
                       TileSize merged, TileSizes &tiles, bool &isPart) {
  if (merged.kind == TileSize::Whole)
    return;
  std::string dims;
  for (char letter : inner)
    if (spec.size(letter) != 1 || contains(spec.dynamic, letter))
      dims += letter;
  if (dims.size() < 2) {
    if (!dims.empty())
      tiles[dims[0]] = merged;
    return;
  }
  // Where it is not known better, the smallest that covers it.
  for (char letter : dims)
    tiles[letter] = {TileSize::Unknown, 0};
  if (merged.kind == TileSize::Unknown) {
    isPart = true;
    return;
  }
  // rows[i]: of dims behind dim i, 0 if that is not known.
  std::vector<int64_t> rows(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    rows[i - 1] =
        contains(spec.dynamic, dims[i]) ? 0 : rows[i] * spec.size(dims[i]);
  auto take = [&](size_t last, TileSize tile) {
    for (char letter : dims)
      tiles.erase(letter);
    for (size_t i = 0; i < last; ++i)
      tiles[dims[i]] = {TileSize::Known, 1};
    tiles[dims[last]] = tile;
  };
  // 1. A slice.
  int64_t t = merged.size;
  for (size_t i = 0; i < dims.size(); ++i)
    if (rows[i] != 0 && t % rows[i] == 0 && (!isPart || t == 1) &&
        (i == 0 || t == rows[i] || (rows[i - 1] != 0 && rows[i - 1] % t == 0)))
      return take(i, {TileSize::Known, t / rows[i]});
  // 2. Rows that it touches.
  bool wasPart = std::exchange(isPart, true);
  for (size_t i = dims.size(); i-- > 0;) {
    if (rows[i] == 0)
      return;
    if (i > 0 && (wasPart || rows[i - 1] == 0 || rows[i - 1] % t != 0))
      continue;
    int64_t touched = (t + rows[i] - 2) / rows[i] + 1;
    if (!contains(spec.dynamic, dims[i]))
      touched = std::min(touched, spec.size(dims[i]));
    if (touched * rows[i] <= 3 * t)
      take(i, {TileSize::Unknown, 0});
    return;
  }
}

/// The tile of a dim that tiles of dims `parts`, which it is split into, are,
/// or are parts of one that is less than three times as large.
static bool tileSplit(const AttentionSpec &spec, const std::string &parts,
                      const TileSizes &tiles, TileSize &tile, bool &isPart) {
  auto get = [&](char letter) {
    auto it = tiles.find(letter);
    return it == tiles.end() ? TileSize() : it->second;
  };
  std::string dims;
  bool isCut = false;
  for (char letter : parts) {
    TileSize of = get(letter);
    if (of.kind == TileSize::Unknown)
      return false;
    isCut |= of.kind != TileSize::Whole;
    if (spec.size(letter) != 1 || contains(spec.dynamic, letter))
      dims += letter;
  }
  if (!isCut)
    return true;
  auto isOne = [&](char letter) {
    return get(letter).kind == TileSize::Known && get(letter).size == 1;
  };
  size_t first = 0;
  while (first < dims.size() && isOne(dims[first]))
    ++first;
  int64_t covering = 1, wanted = 1, size = 1;
  bool isKnown = true;
  for (size_t i = std::min(first + 1, dims.size()); i < dims.size(); ++i) {
    int64_t extent = spec.size(dims[i]);
    bool isDynamic = contains(spec.dynamic, dims[i]);
    size *= extent;
    isKnown &= !isDynamic;
    TileSize of = get(dims[i]);
    if (of.kind == TileSize::Whole || (!isDynamic && of.size == extent))
      continue;
    if (isDynamic)
      return false;
    covering *= extent;
    wanted *= std::min(of.size, extent);
  }
  if (covering > 3 * wanted)
    return false;
  isPart |= covering != wanted;
  // Where what it starts at is a multiple of its size.
  bool divides = first == 0 || first == dims.size();
  if (first < dims.size()) {
    TileSize of = get(dims[first]);
    if (of.kind == TileSize::Whole) {
      isKnown &= !contains(spec.dynamic, dims[first]);
      size *= spec.size(dims[first]);
      divides = true;
    } else {
      size *= of.size;
      divides |= !contains(spec.dynamic, dims[first]) &&
                 spec.size(dims[first]) % of.size == 0;
    }
  }
  tile = isKnown && divides && covering == wanted
             ? TileSize{TileSize::Known, size}
             : TileSize{TileSize::Unknown, 0};
  return true;
}

/// Makes the extents of `spec` those of a tile.
static void shrinkTo(AttentionSpec &spec, const TileSizes &tiles) {
  for (auto [letter, tile] : tiles) {
    if (tile.kind == TileSize::Whole)
      continue;
    bool isStatic = tile.kind == TileSize::Known &&
                    (tile.size == 1 || (!contains(spec.dynamic, letter) &&
                                        spec.size(letter) % tile.size == 0));
    if (tile.kind == TileSize::Known)
      spec.sizes[letter] = std::min(tile.size, spec.size(letter));
    eraseLetter(spec.dynamic, letter);
    if (!isStatic)
      spec.dynamic += letter;
  }
}

/// The loops of the root when nothing else is said, as the graph makes them.
static std::string getRootLoops(const AttentionSpec &spec) {
  if (!spec.rootLoops.empty())
    return spec.rootLoops;
  std::string lhs = spec.weightDims();
  std::string rhs = spec.v;
  if (spec.pvSwapped && spec.rootForm == RootForm::Sum)
    std::swap(lhs, rhs);
  return spec.out + oracle::Einsum(lhs + "," + rhs + "->" + spec.out).reduced;
}

std::vector<std::string> linalg_ext_test::getNests(const Case &c) {
  std::vector<std::string> nests;
  for (const CaseLevel &level : c.levels) {
    // An scf.for nest is one loop after the other, an scf.forall all at once.
    std::string order = level.order;
    for (char letter : getRootLoops(c.spec))
      if (!contains(order, letter))
        order += letter;
    if (level.kind == LoopKind::Forall)
      nests.emplace_back();
    for (char letter : order) {
      if (!level.tiles.count(letter))
        continue;
      if (level.kind != LoopKind::Forall)
        nests.emplace_back();
      nests.back() += letter;
    }
  }
  return nests;
}

/// Returns whether rows that are reshaped are not known to be cut as the root
/// asks for, and else whether a tile may be part of another, in `takesParts`.
static bool cutRows(const Case &c, bool &takesParts) {
  AttentionSpec spec = c.spec;
  std::string reshaped;
  for (const std::string &reshape : spec.reshapes) {
    size_t arrow = reshape.find('>');
    if (arrow != reshape.size() - arrow - 1)
      reshaped += reshape.substr(arrow + 1);
  }
  if (spec.has('R'))
    reshaped += spec.scores.substr(0, 2);
  bool isCarried = false;
  std::map<std::string, bool> isPart;
  size_t index = 0;
  for (const CaseLevel &level : c.levels)
    for (size_t n = level.kind == LoopKind::Forall ? 1 : level.tiles.size();
         n > 0; --n, ++index) {
      std::string letters = getNests(c)[index];
      TileSizes tiles;
      for (char letter : letters)
        tiles[letter] = {TileSize::Known, level.tiles.at(letter)};
      bool cutsKeys = contains(letters, spec.keys);
      bool cutsRows = llvm::any_of(
          letters, [&](char letter) { return contains(reshaped, letter); });
      if (cutsRows && (isCarried || cutsKeys))
        return true;
      isCarried |= cutsKeys;
      if (!cutsRows)
        continue;
      // From the weights back to the scores.
      if (spec.has('R')) {
        std::string dims = spec.scores.substr(0, 2);
        TileSize flat;
        if (!tileSplit(spec, dims, tiles, flat, takesParts))
          return true;
        TileSizes source = tiles;
        for (char letter : dims)
          source.erase(letter);
        tileMerged(spec, dims, flat, source, isPart["R"]);
      }
      for (const std::string &reshape : llvm::reverse(spec.reshapes)) {
        size_t arrow = reshape.find('>');
        std::string from = reshape.substr(0, arrow),
                    to = reshape.substr(arrow + 1);
        if (from.size() == to.size())
          continue;
        if (from.size() == 1) {
          TileSize tile;
          if (!tileSplit(spec, to, tiles, tile, takesParts))
            return true;
          tiles[from[0]] = tile;
        } else {
          tileMerged(spec, from, tiles[to[0]], tiles, isPart[reshape]);
        }
      }
      shrinkTo(spec, tiles);
    }
  for (auto &[reshape, isOne] : isPart)
    takesParts |= isOne;
  return false;
}

bool linalg_ext_test::cutsReshapedRowsApart(const Case &c) {
  bool takesParts = false;
  return cutRows(c, takesParts);
}

bool linalg_ext_test::takesPartsOfRows(const Case &c) {
  bool takesParts = false;
  return cutRows(c, takesParts) || takesParts;
}
