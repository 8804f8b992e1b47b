//===- LaunchedKernels.cpp - Kernels that launches choose from ------------===//
//
// See chooseLaunchedKernels in ProductTiles.h. If sizes of a product are not
// known, each launch takes one of several kernels, by the formulas of
// getProductTime. Which of the candidates are worth their code follows from
// the means of their estimates over many sizes, where some sizes are known.
//
//===----------------------------------------------------------------------===//

#include "ProductCandidates.h"
#include "mlir-ext/Selection/ProductTiles.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

using namespace mlir;
using namespace mlir::linalg_ext;
using vector_ext::ProductWay;

/// The estimated time of a launch of `kernel`, as `getProductTime` describes
/// it, with operands of whole lines that fit into the cache.
static int64_t getLaunchTime(const ProductKernel &kernel, int64_t rows,
                             int64_t columns, int64_t depth,
                             const GPUTarget &target) {
  ProductTime time = getProductTime(kernel, target, columns);
  int64_t tiles = llvm::divideCeil(rows, kernel.rows) *
                  llvm::divideCeil(columns, kernel.columns);
  int64_t most = llvm::divideCeil(tiles, target.processors);
  return time.fixed + most * time.ofTile +
         depth *
             std::max({time.alone, most * time.beside,
                       tiles * time.copies / target.processors}) /
             time.steps;
}

namespace {
/// Numbers of rows, up to `most`, of launches that count the same, and the
/// least part of their time that one more kernel has to save.
struct LaunchedRows {
  int64_t step, most;
  double leastSaved;
};
} // namespace

/// Workgroups that are alone, with roles or with wide tiles, are for launches
/// of few rows. So are tiles with exchanged operands, where these still save
/// much. Wide tiles in turns are for more rows (docs/Decisions/0165). There are
/// at most so many of the former two (docs/Decisions/0196).
static constexpr LaunchedRows kRowsOfLone = {16, 1024, 0.01},
                              kRowsOfExchanged = {16, 1024, 0.02},
                              kRowsInTurns = {128, 4096, 0.02};
static constexpr int64_t kMostLone = 4, kMostExchanged = 2;

/// Returns the kernel of `wide` that saves launches of `kernels` the most time;
/// none if that is little.
static const ProductKernel *chooseWideKernel(ArrayRef<ProductKernel> wide,
                                             const LaunchedKernels &kernels,
                                             const LaunchedRows &launched,
                                             int64_t columns, int64_t depth,
                                             const GPUTarget &target) {
  const ProductKernel *best = nullptr;
  double least = launched.leastSaved;
  for (const ProductKernel &kernel : wide) {
    if (isWideTile(kernel, /*limits=*/{}, target) && !kernel.isAlone &&
        columns % kernel.columns != 0)
      continue;
    double saved = 0;
    for (int64_t rows = launched.step; rows <= launched.most;
         rows += launched.step) {
      auto getTime = [&](const ProductKernel &other) {
        return getLaunchTime(other, rows, columns, depth, target);
      };
      int64_t before = getTime(kernels.few);
      for (ArrayRef<ProductKernel> others :
           {ArrayRef<ProductKernel>(kernels.many), ArrayRef(kernels.lone)})
        for (const ProductKernel &other : others)
          before = std::min(before, getTime(other));
      saved += std::max(0.0, 1 - double(getTime(kernel)) / before);
    }
    saved *= double(launched.step) / launched.most;
    if (saved < least)
      continue;
    least = saved;
    best = &kernel;
  }
  return best;
}

std::optional<LaunchedKernels> mlir::linalg_ext::chooseLaunchedKernels(
    std::optional<int64_t> allRows, const ProductLimits &limits,
    const GPUTarget &target, std::optional<int64_t> allColumns,
    std::optional<int64_t> depth) {
  if (limits.rows != 0 || limits.columns != 0)
    return std::nullopt;
  // The smallest tile contains all rows.
  bool isFew = allRows && *allRows <= target.asyncRows;
  LaunchedKernels kernels;
  SmallVector<ProductKernel> wide, exchanged, wideInTurns;
  for (const ProductKernel &kernel :
       getCandidates(allRows, /*products=*/1, limits, target)) {
    // Whether there are whole clusters is not known.
    bool hasLoneRoles = kernel.way == ProductWay::Roles && kernel.isAlone;
    if (kernel.cluster > 1)
      continue;
    if (isFew && kernel.rows > target.asyncRows)
      continue;
    if (kernel.isExchanged || hasLoneRoles) {
      (hasLoneRoles ? wide : exchanged).push_back(kernel);
      continue;
    }
    if (kernel.persist &&
        (limits.hasShortSums || llvm::isPowerOf2_64(kernel.columns)))
      kernels.many.push_back(kernel);
    else if (kernel.persist && kernel.groups > 1)
      wideInTurns.push_back(kernel);
    if (kernel.isAlone && llvm::isPowerOf2_64(kernel.columns))
      kernels.lone.insert(kernels.lone.begin(), kernel);
    else if (kernel.isAlone)
      wide.push_back(kernel);
    // Among tiles of the same size, more columns need fewer reads of the left
    // operand.
    if (kernel.way == ProductWay::Async && kernel.rows == target.asyncRows &&
        !kernel.isAlone && kernel.columns > kernels.few.columns)
      kernels.few = kernel;
  }
  if (kernels.few.rows == 0 || (kernels.many.empty() && !allRows))
    return std::nullopt;
  llvm::sort(kernels.many, [](const auto &lhs, const auto &rhs) {
    return lhs.rows * lhs.columns > rhs.rows * rhs.columns;
  });
  // Of short sums, the largest tile and one that is nearly as large.
  if (limits.hasShortSums && !kernels.many.empty()) {
    int64_t largest = kernels.many.front().rows * kernels.many.front().columns;
    llvm::erase_if(kernels.many, [&](const ProductKernel &kernel) {
      return 8 * kernel.rows * kernel.columns < 7 * largest;
    });
    kernels.many.resize(std::min<size_t>(kernels.many.size(), 2));
  }
  if (!kernels.lone.empty()) {
    kernels.split.push_back(kernels.lone.front());
  }
  if (!kernels.lone.empty() && !isFew) {
    // Each column is read once for twice as many rows.
    ProductKernel &wide = kernels.split.emplace_back(kernels.lone.front());
    std::swap(wide.rows, wide.columns);
    wide.threads = std::max(2 * target.groupThreads, limits.threads);
  }
  // Operands of 8 bits were not timed.
  if (!kernels.lone.empty() && limits.bits == 16) {
    kernels.pair = kernels.lone.front();
    kernels.pair->columns = target.asyncRows;
    kernels.pair->reason =
        describe(*kernels.pair) + ", two chunks: for launches of few rows";
  }
  // Chunks and pairs have narrow tiles. Rows that are no whole lines were not
  // timed.
  if (!kernels.lone.empty() && !kernels.many.empty() && allColumns && depth &&
      *depth % kStepsOfTime == 0 && *allColumns % kStepsOfTime == 0) {
    auto choose = [&](ArrayRef<ProductKernel> kernelsOfSize,
                      const LaunchedRows &launched) {
      return chooseWideKernel(kernelsOfSize, kernels, launched, *allColumns,
                              *depth, target);
    };
    for (int64_t number = 0; number < kMostLone; ++number)
      if (const ProductKernel *kernel = choose(wide, kRowsOfLone))
        kernels.lone.push_back(*kernel);
    if (const ProductKernel *kernel = choose(wideInTurns, kRowsInTurns))
      kernels.many.push_back(*kernel);
    for (int64_t number = 0; number < kMostExchanged; ++number)
      if (const ProductKernel *kernel = choose(exchanged, kRowsOfExchanged))
        kernels.many.push_back(*kernel);
  }
  kernels.few.reason = describe(kernels.few) + ": for launches of few tiles";
  for (ProductKernel &kernel : kernels.lone)
    kernel.reason = describe(kernel) + ": for launches of few tiles";
  for (ProductKernel &kernel : kernels.split)
    kernel.reason = describe(kernel) + ", chunks: for launches of few rows";
  for (ProductKernel &kernel : kernels.many)
    kernel.reason = describe(kernel) + ": for launches of many tiles";
  return kernels;
}

/// The shortest sums for which pairs of workgroups were timed.
static constexpr int64_t kLeastPairedSum = 3072;

bool mlir::linalg_ext::isPairFastest(int64_t tiles, int64_t depth,
                                     const GPUTarget &target) {
  // Of 132 processors, 96 to 128 had a workgroup; with 64, pairs were slower.
  return 20 * tiles >= 7 * target.processors &&
         2 * tiles <= target.processors && depth >= kLeastPairedSum;
}
