//===- GPUKernelChoice.cpp - The kernel of a root on a GPU ----------------===//
//
// Chooses the sizes of a workgroup's tile, and how the kernel multiplies:
//
// 1. Sizes for synchronous products, by the columns of the accumulator.
// 2. Shared keys, where these are estimated to be faster (KeySharing.cpp).
// 3. Asynchronous products, where operands can be copied as tiles and these are
//    estimated to be faster (OnlineKernels.cpp).
//
//===----------------------------------------------------------------------===//

#include "GPUKernelChoice.h"
#include "RootOperands.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Selection/KeyChunks.h"
#include "mlir-ext/Selection/KeySharing.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/StaticSize.h"
#include "mlir-ext/Support/Collective.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The subgroups of a workgroup, unless its results ask for more.
static constexpr int64_t kSubgroupsOfResults = 4;
/// The keys of the smallest tile.
static constexpr int64_t kLeastKeys = 16;
/// The keys of an iteration of few rows from which on more keys are not faster.
static constexpr int64_t kManyKeys = 128;

/// Fills in the sizes that are still to be chosen, by the columns of the
/// accumulator.
///
///   - More rows use each key more often. Shared memory can keep up with the
///     tensor cores only if a subgroup has two tiles of 16 rows.
///   - An accumulator of more than 128 columns leaves registers for one such
///     tile only, and one of more than 256 columns for fewer scores as well
///     (docs/Decisions/0010). The same holds for more than 96 columns beside
///     two tiles, and for a single column: no instruction computes it, so
///     threads hold rows of scores.
///   - Few rows wait for memory. They wait less if more keys are under way, as
///     long as the buffers of two workgroups fit into the shared memory of a
///     processor (docs/Decisions/0055). If keys are gathered, their positions
///     must be loaded as well: two buffers of 64 keys wait less than one of 128
///     (docs/Decisions/0038).
///   - If threads multiply, each product is an instruction, so tiles are
///     smaller.
///   - Registers may be too few for the results of 64 rows, as on RDNA. Then
///     subgroups share rows, and each has a part of the columns.
static GPUTileSizes chooseSizes(const RootDims &dims, int64_t depth,
                                int64_t elementBytes, bool isByThreads,
                                bool isGathered, const GPUTarget &target,
                                GPUTileSizes sizes) {
  int64_t columns = dims.countColumns();
  std::optional<int64_t> numRows = dims.countRows();
  // Few rows have few products.
  if (isByThreads && !(numRows && *numRows <= sizes.fewRows)) {
    // Each product is code. So many of both contractions are allowed, with 128
    // threads.
    constexpr int64_t kProducts = 4096;
    if (sizes.rows == 0)
      sizes.rows = columns + depth <= 512 ? 64 : 32;
    if (sizes.keys == 0) {
      int64_t most = kProducts * 128 / (sizes.rows * (columns + depth));
      sizes.keys = std::clamp<int64_t>(llvm::bit_floor<uint64_t>(most), 16, 64);
    }
    return sizes;
  }
  if (sizes.rows == 0) {
    sizes.rows = columns <= 128 ? 128 : 64;
    int64_t registers =
        kSubgroupsOfResults * target.lanes * target.getResultRegisters();
    while (columns > 128 && sizes.rows > target.matrixRows &&
           sizes.rows * (columns + 64) > registers) {
      sizes.rows /= 2;
      if (sizes.keys == 0)
        sizes.keys = 32;
    }
  }
  if (sizes.keys == 0) {
    int64_t rows = std::min(sizes.rows, numRows.value_or(sizes.rows));
    // Columns beyond the last whole product take masks as well. Threads of CDNA
    // have accumulation registers and hold more.
    bool isRoomy = rows <= 64 || target.threadRegisters >= 512;
    int64_t most = isRoomy ? 256 : columns % 16 == 0 ? 96 : 80;
    int64_t bytes = kManyKeys * (depth + columns) * elementBytes;
    bool isFew = numRows && *numRows <= sizes.fewRows &&
                 columns <= (*numRows == 1 || isGathered ? 64 : 128) &&
                 (target.asyncCopies == 0 ||
                  2 * 2 * bytes <= target.processorSharedBytes);
    sizes.keys = columns <= 1 || columns > most ? 32 : isFew ? kManyKeys : 64;
  }
  return sizes;
}

/// Returns the bytes that are read and written to store the result of `op`,
/// which converts elements of 8 bits. Returns 0 if a size is unknown.
static int64_t countStoredBytes(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.hasStaticShape()
             ? type.getNumElements() *
                   (1 + llvm::divideCeil(type.getElementTypeBitWidth(), 8))
             : 0;
}

/// Replaces `sizes`, which are those for synchronous products, by those that
/// `chooseOnlineVersions` chooses for any number of keys, or for most numbers.
/// Returns the versions. Sets `part` to the estimated time of that version,
/// relative to `sizes`. If `converting` is not null and the versions read
/// stored operands, sets it to the kernel of `sizes`.
static SmallVector<OnlineVersion>
chooseWay(Operation *root, const RootDims &dims, int64_t depth,
          const RootTiles &tiles, const GPUTileSizes &given,
          const GPUTarget &target, GPUTileSizes &sizes, double &part,
          std::optional<OnlineVersion> *converting) {
  OnlineSizes shape;
  shape.batches = getStaticSize(dims.batches, dims.ranges);
  shape.rows = dims.countRows();
  if (int64_t keys = dims.ranges[dims.keys]; !ShapedType::isDynamic(keys))
    shape.keys = keys;
  shape.depth = depth;
  shape.columns = dims.countColumns();
  shape.elementBytes = dims.getElementBytes(root);
  if (tiles.hasF8Scores)
    shape.scoreBytes = 1;
  for (Operation *op : tiles.stored)
    shape.storedBytes += countStoredBytes(op);
  ScoreMasks masks = getScoreMasks(dims);
  shape.isMaskedByPosition = masks.positions > 0;
  shape.isWindow = masks.positions > 1;
  shape.hasEnd = masks.hasEnd;
  shape.isGathered = tiles.isGathered;
  if (masks.window > 0)
    shape.window = masks.window;
  shape.hasChunks = masks.hasChunks;
  shape.isBiasedByPosition = masks.isBiasedByPosition;
  shape.isBiasOfProducts = masks.isBiasOfProducts;
  shape.maskBytes = masks.elementBytes;
  shape.isMaskCopied = masks.isCopied;
  shape.isMaskAdded = masks.isAdded;
  shape.hasFunction = masks.hasFunction;
  shape.hasGroups =
      llvm::count_if(dims.rows, [&](unsigned dim) {
        return dims.ranges[dim] != 1 && !llvm::is_contained(dims.batches, dim);
      }) > 1;
  OnlineKernel sync;
  sync.rows = getTileRows(sizes.rows, shape.rows, target);
  sync.keys = sizes.keys;
  sync.threads = sizes.threads;
  OnlineLimits limits;
  limits.ways = sizes.ways;
  // The thread that copies looks up the places of gathered rows in advance. It
  // then has no registers left for a loop over tiles, unless only such kernels
  // are asked for (docs/Decisions/0047). Communication between GPUs needs
  // processors, which a persistent kernel keeps until its end (0066).
  limits.ways.async &= !tiles.isGathered;
  if (limits.ways.contains(vector_ext::ProductWay::Roles))
    limits.ways.persistent &= !tiles.isGathered && !arePartsTravelling(root);
  limits.rows = given.rows;
  limits.keys = given.keys;
  limits.threads = given.threads;
  limits.rotate = given.rotate;
  if (converting)
    shape.storedBytes = 0; // a launch counts them
  SmallVector<OnlineVersion> versions =
      chooseOnlineVersions(shape, sync, limits, target);
  if (converting &&
      versions.back().kernel.way != vector_ext::ProductWay::Sync) {
    OnlineVersion &many = versions.back();
    many.cost = getOnlineCost(shape, many.kernel, target);
    OnlineVersion &version = converting->emplace();
    version.kernel = sync;
    version.kernel.reason = llvm::formatv(
        "sync, {0} rows x {1} keys, where converting operands of 8 bits in "
        "front takes longer",
        sync.rows, sync.keys);
    version.cost = getOnlineCost(shape, sync, target);
    version.cost.iteration = static_cast<int64_t>(
        version.cost.iteration * (target.convertingOnlinePercent / 100.0));
  }
  const OnlineKernel &chosen = versions.back().kernel;
  if (chosen.way != vector_ext::ProductWay::Sync) {
    sizes.rows = chosen.rows;
    sizes.keys = chosen.keys;
    part = double(estimateOnlineKernel(shape, chosen, target)) /
           std::max<int64_t>(estimateOnlineKernel(shape, sync, target), 1);
  }
  return versions;
}

/// Returns the dimension of the rows of `dims` along which a tile has several
/// elements: the innermost one with more than one element that is no batch.
static std::optional<unsigned> getRowDim(const RootDims &dims) {
  for (unsigned dim : llvm::reverse(dims.rows))
    if (dims.ranges[dim] != 1 && !llvm::is_contained(dims.batches, dim))
      return dim;
  return std::nullopt;
}

/// Returns a number of keys up to `sizes.keys`. A tile of keys (of `depth`
/// elements each) and one of values fit into the shared memory of a workgroup,
/// beside the queries and weights that subgroups exchange if they share rows.
/// Returns 16 if no such tiles fit.
static int64_t boundKeys(Operation *root, const RootDims &dims, int64_t depth,
                         const GPUTileSizes &sizes, const GPUTarget &target) {
  uint64_t columns = 1;
  for (unsigned dim : dims.columns) {
    int64_t range = dims.ranges[dim];
    columns = llvm::SaturatingMultiply<uint64_t>(
        columns, ShapedType::isDynamic(range)
                     ? sizes.columns
                     : std::min(range, sizes.maxColumns));
  }
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(
      llvm::SaturatingAdd<uint64_t>(depth, columns),
      dims.getElementBytes(root));
  std::optional<unsigned> rowDim = getRowDim(dims);
  std::optional<int64_t> numRows;
  if (rowDim && !ShapedType::isDynamic(dims.ranges[*rowDim]))
    numRows = dims.ranges[*rowDim];
  uint64_t rows = getTileRows(sizes.rows, numRows, target);
  bool sharesRows =
      rows % (kSubgroupsOfResults * uint64_t(target.matrixRows)) != 0;
  rows = llvm::PowerOf2Ceil(rows); // a swizzle takes as many
  auto getBytes = [&](uint64_t keys) {
    uint64_t exchanged = llvm::SaturatingMultiply<uint64_t>(
        llvm::SaturatingMultiply<uint64_t>(rows, depth + keys),
        dims.getElementBytes(root));
    return llvm::SaturatingAdd<uint64_t>(
        llvm::SaturatingMultiply<uint64_t>(keys, bytes),
        sharesRows ? exchanged : 0);
  };
  int64_t keys = sizes.keys;
  // Padding, and other values that threads exchange, take the rest.
  while (keys > 16 && getBytes(keys) > uint64_t(target.sharedBytes) / 8 * 7)
    keys /= 2;
  return keys;
}
/// Fills in the sizes that are still to be chosen for a reduced product: those
/// of the tiles of products.
static GPUTileSizes chooseReducedSizes(bool isByThreads, GPUTileSizes sizes) {
  int64_t size = isByThreads ? 64 : 128;
  if (sizes.rows == 0)
    sizes.rows = size;
  if (sizes.keys == 0)
    sizes.keys = size;
  return sizes;
}

/// If there are few rows, workgroups can only share keys. A reduced product
/// takes as long as its busiest processor, and its states cost next to nothing.
int64_t mlir::linalg_ext::chooseSplit(const RootDims &dims,
                                      const GPUTileSizes &sizes,
                                      ArrayRef<int64_t> tileSizes,
                                      bool isReduced, const GPUTarget &target) {
  if (sizes.split != 0)
    return std::max<int64_t>(sizes.split, 0);
  std::optional<int64_t> rows = dims.countRows();
  if (!isReduced && (!rows || *rows > sizes.fewRows))
    return 0;
  int64_t keys = dims.ranges[dims.keys];
  bool isKnown = !ShapedType::isDynamic(keys);
  int64_t workgroups = 1;
  for (unsigned dim : dims.rows) {
    int64_t range = dims.ranges[dim];
    // For a reduced product of unknown size, too few tiles are assumed.
    isKnown &= isReduced || !ShapedType::isDynamic(range);
    int64_t tile = std::max<int64_t>(tileSizes[dim], 1);
    if (!ShapedType::isDynamic(range))
      workgroups *= llvm::divideCeil(range, tile);
  }
  // Chunks of so few keys were only measured where the number is not known
  // (docs/Decisions/0188).
  if (!isReduced && !ShapedType::isDynamic(keys) &&
      keys <= int64_t(llvm::alignTo(kMostWithoutChunks, sizes.keys)))
    return 0;
  if (!isKnown)
    return isReduced ? llvm::alignTo<int64_t>(4096, sizes.keys)
                     : ShapedType::kDynamic;
  int64_t chunk;
  if (isReduced) {
    // There are no more chunks than run at the same time.
    int64_t chunks = std::max<int64_t>(2 * target.processors / workgroups, 1);
    chunk = std::max<int64_t>(
        llvm::alignTo(llvm::divideCeil(keys, chunks), sizes.keys),
        4 * sizes.keys);
  } else {
    KnownNumbers numbers;
    chunk = chooseKeyChunk(numbers, keys, workgroups, sizes.keys,
                           getKeyReads(dims.online->getOwner(),
                                       sizes.keySubgroups, sizes.keys, target),
                           target);
  }
  return chunk < keys ? chunk : 0;
}

/// Shared keys are used if their estimated time is at most this fraction of the
/// time of asynchronous products (docs/Decisions/0048).
static constexpr double kSharingMargin = 0.78;

namespace {
/// The sizes of a launch whose subgroups share keys or whose workgroups have
/// fewer rows, and its estimated time relative to the usual sizes.
struct SharedKeys {
  GPUTileSizes sizes;
  double part = 1;
};
} // namespace

/// Returns what `chooseKeySharing` chooses instead of `sizes`, which have no
/// parts. Returns none if sizes that it needs are unknown, or if nothing takes
/// less time than `sizes`.
static std::optional<SharedKeys> shareKeys(Operation *root,
                                           const RootDims &dims, int64_t depth,
                                           const GPUTarget &target,
                                           const GPUTileSizes &sizes) {
  std::optional<unsigned> rowDim = getRowDim(dims);
  std::optional<int64_t> all = getStaticSize(dims.rows, dims.ranges),
                         columns = getStaticSize(dims.columns, dims.ranges);
  int64_t keys = dims.ranges[dims.keys];
  bool hasOtherReductions =
      llvm::any_of(dims.otherReductions,
                   [&](unsigned dim) { return dims.ranges[dim] != 1; });
  if (!rowDim || !all || !columns || *columns > sizes.maxColumns ||
      ShapedType::isDynamic(keys) || hasOtherReductions)
    return std::nullopt;
  KeySharingSizes shape;
  shape.rows = dims.ranges[*rowDim];
  shape.batches = *all / shape.rows;
  shape.keys = keys;
  shape.depth = depth;
  shape.columns = *columns;
  shape.elementBytes = dims.getElementBytes(root);
  KeySharing usual;
  usual.rows = sizes.rows;
  usual.keys = sizes.keys;
  SmallVector<int64_t> tile(dims.ranges.size(), 1);
  tile[*rowDim] = std::min(sizes.rows, shape.rows);
  usual.split = chooseSplit(dims, sizes, tile, /*isReduced=*/false, target);
  // Chunks of few rows are faster (docs/Decisions/0055).
  if (usual.split > 0 && shape.rows <= sizes.fewRows)
    return std::nullopt;
  int64_t subgroups = std::max<int64_t>(kProductThreads / target.lanes, 1);
  KeySharing chosen = chooseKeySharing(shape, subgroups, usual, target);
  int64_t time = estimateKeySharing(shape, chosen, subgroups, target),
          usualTime = estimateKeySharing(shape, usual, subgroups, target);
  if (time >= usualTime)
    return std::nullopt;
  SharedKeys shared{sizes, double(time) / usualTime};
  shared.sizes.rows = chosen.rows;
  shared.sizes.keys = chosen.keys;
  shared.sizes.keySubgroups = chosen.parts;
  shared.sizes.split = chosen.split > 0 ? chosen.split : -1;
  return shared;
}

/// Explains why a kernel has the sizes of `shared`.
static std::string describe(const SharedKeys &shared) {
  std::string text = llvm::formatv("sync, {0} rows x {1} keys",
                                   shared.sizes.rows, shared.sizes.keys);
  if (shared.sizes.keySubgroups > 1)
    text += llvm::formatv(", {0} parts of the subgroups share keys",
                          shared.sizes.keySubgroups);
  return text +
         llvm::formatv(": {0:F2} of the time of the usual sizes", shared.part)
             .str();
}

/// Returns whether the contraction of a root, or the one that it reduces, has
/// operands of f32. Tensor cores take elements of 16 bits.
static bool isOfF32(Operation *root, const RootDims &dims, bool isReduced) {
  Operation *product =
      isReduced ? getContraction(dims.online->get()).getOperation() : root;
  return llvm::all_of(
      cast<DestinationStyleOpInterface>(product).getDpsInputs(),
      [](Value input) { return getElementTypeOrSelf(input).isF32(); });
}

/// Returns whether a tile of keys or values may contain a seam of a
/// concatenation. Tiles of several parts of the subgroups must not contain one.
static bool haveSeams(Operation *root, const RootDims &dims) {
  // Tiles of keys have a power of two of keys, at most this number.
  constexpr int64_t kLongestTile = 128;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> worklist{root};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      int64_t dim = concat.getDim();
      if (concat.getResultType().getDimSize(dim) != dims.ranges[dims.keys])
        continue;
      for (Value part : ValueRange(concat.getInputs()).drop_back())
        if (int64_t size =
                cast<RankedTensorType>(part.getType()).getDimSize(dim);
            ShapedType::isDynamic(size) || size % kLongestTile != 0)
          return true;
      continue;
    }
    if (isa<linalg::LinalgOp, OnlineReductionOpInterface, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op))
      for (Value operand : op->getOperands())
        worklist.push_back(operand.getDefiningOp());
  }
  return false;
}

GPUKernelChoice mlir::linalg_ext::chooseGPUKernel(Operation *root,
                                                  const RootDims &dims,
                                                  bool isReduced,
                                                  const GPUTileSizes &given,
                                                  const GPUTarget &target) {
  std::optional<int64_t> depth = getDepth(dims.online->get());
  bool isByThreads = isOfF32(root, dims, isReduced);
  GPUKernelChoice choice;
  // 1. Choose sizes for synchronous products.
  choice.sizes =
      isReduced
          ? chooseReducedSizes(isByThreads, given)
          : chooseSizes(dims, depth.value_or(128), dims.getElementBytes(root),
                        isByThreads, readsGathered(root, dims), target, given);
  GPUTileSizes &sizes = choice.sizes;
  if (given.keys == 0 && !isReduced)
    sizes.keys = boundKeys(root, dims, depth.value_or(0), sizes, target);
  // A tile has no more keys than there are: a group of 4 columns that is
  // reduced would be padded to 64.
  if (int64_t keys = dims.ranges[dims.keys];
      given.keys == 0 && !ShapedType::isDynamic(keys))
    sizes.keys = std::min<int64_t>(
        sizes.keys, std::max<int64_t>(llvm::PowerOf2Ceil(keys), kLeastKeys));
  bool isTileGiven = given.rows != 0 || given.keys != 0;
  bool mayHaveParts = given.keySubgroups == 0 && !isTileGiven && !isByThreads &&
                      !isReduced && !haveSeams(root, dims);

  // 2. Consider shared keys.
  std::optional<SharedKeys> shared;
  if (mayHaveParts && given.split <= 0 && depth)
    shared = shareKeys(root, dims, *depth, target, sizes);

  // 3. Consider asynchronous products.
  if (given.ways.anyAsync() && !isReduced && !dims.rows.empty()) {
    OnlineKernel &kernel = choice.kernel.emplace();
    kernel.threads = given.threads;
    RootTiles tiles = getRootTiles(root, dims, given.asyncF8);
    // All keys would be converted for few rows, as in decoding.
    bool convertsFew = tiles.reason.empty() && !tiles.stored.empty() &&
                       given.ways.sync && !dims.countRows();
    if (convertsFew && (!given.mayChooseStored || given.split > 0))
      tiles.reason = "operands of 8 bits would have to be converted in front, "
                     "for a number of rows that is not known";
    kernel.reason =
        given.keySubgroups > 1 ? "subgroups share keys" : tiles.reason;
    double part = 1;
    if (kernel.reason.empty()) {
      SmallVector<OnlineVersion> versions =
          chooseWay(root, dims, depth.value_or(128), tiles, given, target,
                    sizes, part, convertsFew ? &choice.converting : nullptr);
      kernel = versions.back().kernel;
      if (kernel.way != vector_ext::ProductWay::Sync) {
        choice.stored = tiles.stored;
        llvm::append_range(choice.stored, tiles.rows);
      }
      choice.many = versions.back();
      if (versions.size() > 1)
        choice.few = versions.front();
    } else
      kernel.reason = "sync: " + kernel.reason;
    // Both fractions refer to the same usual sizes, by different models.
    if (shared && kernel.way != vector_ext::ProductWay::Sync &&
        shared->part > kSharingMargin * part)
      shared.reset();
    if (shared) {
      kernel = OnlineKernel();
      kernel.threads = given.threads;
      kernel.reason = describe(*shared);
      choice.few.reset();
      choice.converting.reset();
      choice.stored.clear();
    }
  }
  // Few rows of bytes wait for conversions more than for memory, so parts of
  // the subgroups get tiles of their own (docs/Decisions/0050). If one
  // instruction has all rows, each subgroup is a part, and loads bytes in the
  // order in which it converts them (docs/Decisions/0065). Chunks of a given
  // size have the same tiles.
  std::optional<int64_t> numRows = dims.countRows();
  bool isFewOfBytes = mayHaveParts && numRows && *numRows <= sizes.fewRows &&
                      readsBytes(root, dims) && !readsGathered(root, dims);
  if (isFewOfBytes && target.asyncCopies && *numRows <= target.matrixRows) {
    // Each subgroup needs registers for the whole of its results. With half of
    // the bytes, twice as many keys share what an iteration does for its
    // results, such as rescaling them (docs/Decisions/0159).
    sizes.keys = dims.countColumns() <= 128 ? 32 : 16;
    if (readsPackedIntegers(root, dims))
      sizes.keys *= 2;
    sizes.keySubgroups = std::max<int64_t>(kProductThreads / target.lanes, 1);
  } else if (shared) {
    sizes = shared->sizes;
  } else if (isFewOfBytes) {
    sizes.keys = 32;
    sizes.keySubgroups = 2;
  }
  return choice;
}
