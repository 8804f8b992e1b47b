//===- RepairRows.cpp - Rows of a state in a value ------------------------===//
//
// Maps rows of a state to rows of a value, through transposes and reshapes. See
// RepairRows.h for the groups. A merge chains the groups of the merged
// dimensions, and `simplify` splits them again as soon as sizes on both sides
// match.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/RepairRows.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

RowGroups mlir::linalg_ext::makeRowGroups(ArrayRef<int64_t> dims,
                                          ArrayRef<int64_t> shape) {
  RowGroups groups;
  for (auto [stateDim, dim] : llvm::enumerate(dims))
    if (dim >= 0 && shape[dim] != 1)
      groups.push_back({{static_cast<int64_t>(stateDim)}, {shape[dim]}, {dim}});
  return groups;
}

RowGroups mlir::linalg_ext::makeRowGroups(ArrayRef<int64_t> shape) {
  return makeRowGroups(llvm::to_vector(llvm::seq<int64_t>(0, shape.size())),
                       shape);
}

void mlir::linalg_ext::renameDims(RowGroups &groups,
                                  function_ref<int64_t(int64_t)> map) {
  for (RowGroup &group : groups) {
    for (int64_t &dim : group.valueDims)
      dim = map(dim);
    llvm::erase_if(group.valueDims, [](int64_t dim) { return dim < 0; });
  }
  llvm::erase_if(groups, [](const RowGroup &g) { return g.valueDims.empty(); });
}

LogicalResult mlir::linalg_ext::mergeDims(RowGroups &groups,
                                          ArrayRef<int64_t> dims, int64_t into,
                                          Refusal &refusal) {
  auto find = [&](int64_t dim) {
    return llvm::find_if(groups, [&](const RowGroup &group) {
      return llvm::is_contained(group.valueDims, dim);
    });
  };
  if (llvm::none_of(dims,
                    [&](int64_t dim) { return find(dim) != groups.end(); }))
    return success();
  // Chain the groups of `dims`. `rest` has the dimensions of the last group
  // that have not been merged yet. If it is empty, `dim` must be the first
  // dimension of a group.
  RowGroup merged;
  SmallVector<int64_t, 1> rest;
  SmallVector<RowGroup *> taken;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (!rest.empty() && rest.front() == dim) {
      rest.erase(rest.begin());
      continue;
    }
    auto group = find(dim);
    bool isRepeated = group == groups.end();
    bool begins = isRepeated || group->valueDims.front() == dim || index == 0;
    if (!rest.empty() || !begins ||
        (!isRepeated && llvm::is_contained(taken, &*group)))
      return refusal.set(
          RefusalKind::NotRepairable, nullptr,
          "rows that the repair tells apart are merged in another order "
          "than they have been split in");
    if (isRepeated) {
      if (merged.stateDims.empty() || merged.stateDims.back() != kRepeated) {
        merged.stateDims.push_back(kRepeated);
        merged.sizes.push_back(ShapedType::kDynamic);
      }
    } else {
      taken.push_back(&*group);
      auto first = llvm::find(group->valueDims, dim);
      merged.valueDims.append(group->valueDims.begin(), first);
      rest.assign(std::next(first), group->valueDims.end());
      merged.stateDims.append(group->stateDims);
      merged.sizes.append(group->sizes);
    }
  }
  merged.valueDims.push_back(into);
  merged.valueDims.append(rest);
  if (llvm::count(merged.stateDims, kRepeated) > 1)
    return refusal.set(
        RefusalKind::NotRepairable, nullptr,
        "rows that the repair tells apart are merged with others on more "
        "than one side");
  RowGroups others;
  for (RowGroup &group : groups)
    if (!llvm::is_contained(taken, &group))
      others.push_back(group);
  groups = others;
  groups.push_back(merged);
  return success();
}

void mlir::linalg_ext::splitDim(RowGroups &groups, int64_t dim,
                                ArrayRef<int64_t> into) {
  for (RowGroup &group : groups) {
    auto it = llvm::find(group.valueDims, dim);
    if (it == group.valueDims.end())
      continue;
    it = group.valueDims.erase(it);
    group.valueDims.insert(it, into.begin(), into.end());
  }
  llvm::erase_if(groups, [](const RowGroup &g) { return g.valueDims.empty(); });
}

/// Returns how many leading dimensions on each side, but not all, count the
/// same rows. With `fromBack`, returns the number of trailing dimensions.
static std::optional<std::pair<size_t, size_t>>
findCut(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs, bool fromBack) {
  int64_t lhsSize = 1, rhsSize = 1;
  size_t i = 0, j = 0;
  auto take = [&](ArrayRef<int64_t> sizes, size_t &number, int64_t &product) {
    if (number == sizes.size())
      return false;
    int64_t size = sizes[fromBack ? sizes.size() - 1 - number : number];
    ++number;
    product *= size;
    return !ShapedType::isDynamic(size);
  };
  do {
    bool isKnown =
        lhsSize <= rhsSize ? take(lhs, i, lhsSize) : take(rhs, j, rhsSize);
    if (!isKnown)
      return std::nullopt;
  } while (lhsSize != rhsSize);
  if (i == lhs.size() && j == rhs.size())
    return std::nullopt;
  return std::pair(i, j);
}

void mlir::linalg_ext::simplify(RowGroups &groups, ArrayRef<int64_t> shape) {
  RowGroups parts;
  RowGroups worklist = groups;
  while (!worklist.empty()) {
    RowGroup group = worklist.back();
    worklist.pop_back();
    auto sizes = llvm::map_to_vector(group.valueDims,
                                     [&](int64_t dim) { return shape[dim]; });
    auto cut = findCut(group.sizes, sizes, /*fromBack=*/false);
    if (!cut)
      if ((cut = findCut(group.sizes, sizes, /*fromBack=*/true)))
        cut = {group.sizes.size() - cut->first, sizes.size() - cut->second};
    if (cut) {
      auto [i, j] = *cut;
      auto take = [](auto &list, size_t first, size_t last) {
        return SmallVector<int64_t, 1>(list.begin() + first,
                                       list.begin() + last);
      };
      size_t m = group.stateDims.size(), n = group.valueDims.size();
      worklist.push_back({take(group.stateDims, 0, i), take(group.sizes, 0, i),
                          take(group.valueDims, 0, j)});
      worklist.push_back({take(group.stateDims, i, m), take(group.sizes, i, m),
                          take(group.valueDims, j, n)});
    } else if (llvm::any_of(group.stateDims,
                            [](int64_t dim) { return dim != kRepeated; })) {
      parts.push_back(group);
    }
  }
  llvm::sort(parts, [](const RowGroup &lhs, const RowGroup &rhs) {
    auto first = [](const RowGroup &group) {
      return *llvm::find_if(group.stateDims,
                            [](int64_t dim) { return dim != kRepeated; });
    };
    return first(lhs) < first(rhs);
  });
  groups = parts;
}

void mlir::linalg_ext::print(const RowGroups &groups, raw_ostream &os) {
  os << "[";
  bool arePlain = llvm::all_of(
      groups, [](const RowGroup &group) { return group.isPlain(); });
  auto printDims = [&](ArrayRef<int64_t> dims) {
    llvm::interleave(
        dims, os,
        [&](int64_t dim) {
          if (dim == kRepeated)
            os << "_";
          else
            os << dim;
        },
        " x ");
  };
  llvm::interleaveComma(groups, os, [&](const RowGroup &group) {
    if (!arePlain) {
      printDims(group.stateDims);
      os << " -> ";
    }
    printDims(group.valueDims);
  });
  os << "]";
}
