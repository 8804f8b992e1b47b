//===- WorkgroupVersions.cpp - Versions that a launch chooses -------------===//
//
// See WorkgroupVersions.h. TileVersions.cpp builds the loops of versions, and
// VersionConditions.cpp the conditions.
//
//===----------------------------------------------------------------------===//

#include "WorkgroupVersions.h"

#include "mlir-ext/Codegen/Common/PayloadSlice.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/TileOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Looks for a dimension, of a tensor that the group does not compute, along
/// which `loop` of `op` runs. Appends it to `dims`, unless `dims` has an equal
/// one. Returns whether there is such a dimension.
static bool appendDim(const WorkgroupGroup &group, LinalgOp op, unsigned loop,
                      SmallVectorImpl<std::pair<Value, int64_t>> &dims) {
  using Variable = ValueBoundsConstraintSet::Variable;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && group.contains(producer))
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (expr != getAffineDimExpr(loop, op.getContext()))
        continue;
      if (llvm::none_of(dims, [&, dim = dim](const auto &other) {
            return (other.first == operand.get() &&
                    other.second == int64_t(dim)) ||
                   ValueBoundsConstraintSet::areEqual(
                       Variable(other.first, other.second),
                       Variable(operand.get(), dim))
                       .value_or(false);
          }))
        dims.emplace_back(operand.get(), dim);
      return true;
    }
  }
  return false;
}

/// Returns versions by the length of rows, if rows are long. Rows of static
/// length have one kernel, unless they are too long for a workgroup to hold.
static Versions getVersionsByRow(const WorkgroupGroup &group) {
  if (!group.isLong)
    return {};
  Versions result;
  int64_t longest = 1;
  bool isStatic = true;
  for (auto &[op, mapping] : group.loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    unsigned numWhole = 0;
    for (auto [loop, range] : llvm::enumerate(linalgOp.getStaticLoopRanges())) {
      if (group.isCut(mapping[loop]) || range == 1)
        continue;
      if (++numWhole > 1)
        return {};
      isStatic &= !ShapedType::isDynamic(range);
      if (ShapedType::isDynamic(range))
        (void)appendDim(group, linalgOp, loop, result.dims);
      else
        longest = std::max(longest, range);
    }
  }
  if (result.dims.empty() != isStatic)
    return {};
  for (int64_t row : group.options.versionsByRowLength) {
    if (row < longest)
      continue;
    Version &version = result.versions.emplace_back();
    version.most = version.shortRow = row;
    version.options = group.options;
    version.options.rowTile = row;
    version.options.maxRow = std::max(version.options.maxRow, row);
    if (result.dims.empty())
      break;
  }
  return result;
}

/// Looks for a tensor for which `isSought` is true among those from which the
/// ops of `group` compute the right operand of `product`, also by reading
/// single elements. `isSought` gets the type of the tensor, and whether it is
/// known to have fewer elements than the operand.
static bool
isComputedFrom(const WorkgroupGroup &group, LinalgOp product,
               function_ref<bool(RankedTensorType, bool)> isSought) {
  auto all = cast<RankedTensorType>(product.getDpsInputs()[1].getType());
  auto isFewer = [&](RankedTensorType type) {
    return type.hasStaticShape() && all.hasStaticShape() &&
           type.getNumElements() < all.getNumElements();
  };
  llvm::SetVector<Value> values;
  values.insert(product.getDpsInputs()[1]);
  for (unsigned i = 0; i < values.size(); ++i) {
    auto type = dyn_cast<RankedTensorType>(values[i].getType());
    Operation *op = values[i].getDefiningOp();
    if (type && type.getRank() >= 2 && type.getElementType().isIntOrFloat() &&
        isSought(type, isFewer(type)))
      return true;
    if (!op || !group.contains(op))
      continue;
    values.insert_range(op->getOperands());
    if (auto linalgOp = dyn_cast<LinalgOp>(op))
      for (auto extract : linalgOp.getBlock()->getOps<tensor::ExtractOp>())
        values.insert(extract.getTensor());
  }
  return false;
}

/// Returns whether the right operand of `product` is computed from words of 8
/// bits, which the workgroups convert. With `isPacked`, each word must have
/// several elements.
static bool convertsBytes(const WorkgroupGroup &group, LinalgOp product,
                          bool isPacked = false) {
  constexpr int64_t kBits = 8;
  auto all = cast<RankedTensorType>(product.getDpsInputs()[1].getType());
  return isComputedFrom(
      group, product, [&](RankedTensorType type, bool isFewer) {
        // Zero points and scales are fewer than bytes of the operand.
        return type.getElementTypeBitWidth() == kBits &&
               (isFewer ? all.getNumElements() <= kBits * type.getNumElements()
                        : !isPacked);
      });
}

/// Returns whether the right operand of `product` is unpacked from words of 32
/// bits. With `ofColumns`, each must have elements of several columns that are
/// neighbours.
static bool unpacksWords(const WorkgroupGroup &group, LinalgOp product,
                         bool ofColumns = false) {
  constexpr int64_t kBits = 32;
  auto all = cast<RankedTensorType>(product.getDpsInputs()[1].getType());
  return isComputedFrom(
      group, product, [&](RankedTensorType type, bool isFewer) {
        // Zero points, which are packed in the same way, are fewer.
        return isFewer && type.getElementType().isSignlessInteger(kBits) &&
               all.getNumElements() <= kBits * type.getNumElements() &&
               (!ofColumns || type.getShape().back() < all.getShape().back());
      });
}

/// Returns whether the workgroups look the right operand of `product` up in a
/// table of numbers of more than 16 bits: by its elements, or by selects.
static bool looksUpWideNumbers(const WorkgroupGroup &group, LinalgOp product) {
  constexpr int64_t kSelectsOfTable = 4;
  int64_t selects = 0;
  unsigned bits = 0;
  llvm::SetVector<Value> values;
  values.insert(product.getDpsInputs()[1]);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || !group.contains(op))
      continue;
    op->walk([&](Operation *nested) {
      if (!isa<arith::SelectOp, tensor::ExtractOp>(nested))
        return;
      selects += isa<tensor::ExtractOp>(nested) ? kSelectsOfTable : 1;
      if (Type type = nested->getResult(0).getType(); type.isFloat())
        bits = std::max(bits, type.getIntOrFloatBitWidth());
    });
    values.insert_range(op->getOperands());
  }
  return selects >= kSelectsOfTable && bits > 16;
}

/// Returns whether an op of `group` reads elements at indices that it computes
/// from elements of tensors, such as the group of a weight.
static bool looksUpPlaces(const WorkgroupGroup &group) {
  for (auto &[op, mapping] : group.loops) {
    auto linalgOp = dyn_cast<LinalgOp>(op);
    if (!linalgOp)
      continue;
    for (auto extract : linalgOp.getBlock()->getOps<tensor::ExtractOp>())
      for (Value index : extract.getIndices())
        for (Value value : getPayloadSlice(linalgOp, index)) {
          auto arg = dyn_cast<BlockArgument>(value);
          if (arg && arg.getOwner() == linalgOp.getBlock())
            return true;
        }
  }
  return false;
}

/// Returns whether the elements of the right operand of `product` are
/// contiguous along loop `dim`.
static bool isContiguousAlong(LinalgOp product, unsigned dim) {
  AffineMap map = product.getMatchingIndexingMap(product.getDpsInputOperand(1));
  return map.getResults().back() == getAffineDimExpr(dim, product.getContext());
}

int64_t mlir::linalg_ext::getGroupSize(LinalgOp product, unsigned k) {
  OpOperand *operand = product.getDpsInputOperand(1);
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  std::optional<unsigned> dim =
      product.getMatchingIndexingMap(operand).getResultPosition(
          getAffineDimExpr(k, product.getContext()));
  if (!collapse || !dim)
    return 1;
  ReassociationIndices merged = collapse.getReassociationIndices()[*dim];
  int64_t size = 1;
  for (int64_t inner : ArrayRef(merged).drop_front())
    size *= collapse.getSrcType().getDimSize(inner);
  return size;
}

/// Elements that a matrix instruction sums.
static constexpr int64_t kSummedByInstruction = 16;

int64_t mlir::linalg_ext::getWholeGroups(int64_t reduction, int64_t groupSize) {
  // A longer tile takes too many registers.
  constexpr int64_t kMost = 256;
  if (groupSize <= 1 || reduction % groupSize == 0 ||
      groupSize % reduction == 0)
    return reduction;
  int64_t unit = std::lcm(groupSize, kSummedByInstruction), size = unit;
  while (size < reduction && reduction - size >= 2 * size - reduction)
    size *= 2;
  return size <= kMost ? size : reduction;
}

/// Returns how many elements of the reduction of `product` share one scale, or
/// other number that the ops of `group` compute the right operand with: the
/// least of all such numbers. Returns the whole reduction if each column has
/// one scale, or none.
static int64_t getScaleGroup(const WorkgroupGroup &group, LinalgOp product,
                             unsigned k) {
  OpOperand *operand = product.getDpsInputOperand(1);
  int64_t sum = product.getStaticLoopRanges()[k];
  std::optional<unsigned> dim =
      product.getMatchingIndexingMap(operand).getResultPosition(
          getAffineDimExpr(k, product.getContext()));
  if (!dim)
    return sum;
  Value value = operand->get();
  SmallVector<int64_t> merged{*dim};
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>()) {
    merged = llvm::to_vector<6>(collapse.getReassociationIndices()[*dim]);
    value = collapse.getSrc();
  }
  int64_t least = sum;
  SmallVector<std::pair<Value, SmallVector<int64_t>>> worklist{{value, merged}};
  while (!worklist.empty()) {
    auto [next, dims] = worklist.pop_back_val();
    auto op = next.getDefiningOp<LinalgOp>();
    if (!op || !group.contains(op) || op->getNumResults() != 1)
      continue;
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    OpOperand *largest = nullptr;
    int64_t most = 0;
    auto count = [](OpOperand *input) {
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      return type && type.hasStaticShape() ? type.getNumElements() : 1;
    };
    for (OpOperand *input : op.getDpsInputOperands())
      if (count(input) > most) {
        most = count(input);
        largest = input;
      }
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      // Along the innermost ones of the merged dimensions it is one number.
      int64_t size = 1;
      bool isConstant = true;
      SmallVector<int64_t> inner;
      for (int64_t place : llvm::reverse(dims)) {
        unsigned loop = written.getDimPosition(place);
        isConstant &= !map.isFunctionOfDim(loop);
        if (isConstant)
          size *= ranges[loop];
        if (std::optional<unsigned> at =
                map.getResultPosition(getAffineDimExpr(loop, op.getContext())))
          inner.insert(inner.begin(), *at);
      }
      // Several integers of a word are unpacked from one.
      if (input == largest)
        worklist.emplace_back(input->get(), inner);
      else if (!isConstant)
        least = std::min(least, size);
    }
  }
  return least;
}

/// Returns the number of parts, from `least` to `most`, into which the `steps`
/// of each of `tiles` tiles are divided, so that the workgroups take the least
/// time, one after the other. Remaining steps are executed by all subgroups of
/// a workgroup, and count twice (docs/Decisions/0105). A workgroup has at least
/// `subgroups`, which fewer parts divide.
static int64_t chooseParts(int64_t tiles, int64_t steps, int64_t least,
                           int64_t most, int64_t subgroups,
                           const GPUTarget &target) {
  auto getTime = [&](int64_t parts) {
    int64_t workgroups = target.processors *
                         std::max<int64_t>(target.summingSubgroups / parts, 1);
    return llvm::divideCeil(tiles, workgroups) *
           (steps / parts + 2 * (steps % parts));
  };
  int64_t best = most;
  for (int64_t parts = most - 1; parts >= least; --parts)
    if ((parts >= subgroups || subgroups % parts == 0) &&
        getTime(parts) <= getTime(best))
      best = parts;
  return best;
}

/// The most rows for which kernels whose subgroups sum parts are faster
/// (docs/Decisions/0127).
static constexpr int64_t kMostInParts = 8;

/// The most parts, and those if groups of weights are looked up in a table:
/// what is gathered takes the registers of threads (docs/Decisions/0167).
static constexpr int64_t kMaxParts = 16, kMaxPartsOfTables = 8;

/// The rows of a tile of a product of 17 rows and more with words, and the most
/// parts of its sums. A thread unpacks words once for both halves of the rows
/// (docs/Decisions/0174).
static constexpr int64_t kRowsOfWords = 32, kMaxPartsOfRows = 8;

/// Returns the most parts of `version`, whose right operand may have words.
static int64_t getMaxParts(const Version &version, const WorkgroupGroup &group,
                           bool hasWords) {
  if (hasWords && looksUpPlaces(group))
    return kMaxPartsOfTables;
  return version.most > version.options.target.matrixRows ? kMaxPartsOfRows
                                                          : kMaxParts;
}

/// Elements of a tile of sums whose subgroups sum parts, if it has whole
/// groups.
static constexpr int64_t kTileOfParts = 128;

/// Returns the elements that a subgroup sums in an iteration, if subgroups sum
/// parts of `product`. Tiles of the parts are adjacent, so each must have whole
/// groups of `groupSize` elements. Returns std::nullopt if none has.
static std::optional<int64_t> getTileOfParts(LinalgOp product, unsigned k,
                                             int64_t groupSize) {
  constexpr int64_t kMost = 256;
  int64_t tile = getWholeGroups(std::max(kTileOfParts, groupSize), groupSize);
  if (groupSize < 1 || tile > kMost || tile % groupSize != 0)
    return std::nullopt;
  // What is left behind the parts must be whole instructions if it has groups.
  int64_t sum = product.getStaticLoopRanges()[k];
  if (groupSize > 1 && !ShapedType::isDynamic(sum) &&
      sum % tile % kSummedByInstruction != 0)
    return std::nullopt;
  return tile;
}

/// Returns whether subgroups may sum parts of `product`, the only one of
/// `group`, whose right operand has elements of 16 bits that are multiplied as
/// they are read. Without parts, chunks are merged in a second kernel, but
/// workgroups load several rows once for all of their columns. So several rows
/// have parts only if each is one tile of an operand that is not large. Columns
/// would go through shared memory, and have none (docs/Decisions/0196).
static bool mayReadParts(const WorkgroupGroup &group, LinalgOp product,
                         int64_t rows, unsigned n, unsigned k) {
  constexpr int64_t kMostOfManyRows = 12 << 20;
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(product);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  Type element;
  for (Value input : product.getDpsInputs()) {
    Operation *producer = input.getDefiningOp();
    Type other = getElementTypeOrSelf(input.getType());
    if (!isa<Float16Type, BFloat16Type>(other) ||
        (element && other != element) || (producer && group.contains(producer)))
      return false;
    element = other;
  }
  if (group.contractions.size() != 1 || !dims.batch.empty() ||
      dims.n.size() != 1 || ShapedType::isDynamic(ranges[n]) ||
      ShapedType::isDynamic(ranges[k]) || ranges[k] == 0 ||
      ranges[k] % kTileOfParts != 0)
    return false;
  int64_t steps = ranges[k] / kTileOfParts;
  return isContiguousAlong(product, k) &&
         (rows == 1 || (llvm::isPowerOf2_64(steps) && steps <= kMaxParts &&
                        ranges[n] * ranges[k] <= kMostOfManyRows));
}

/// Returns the parts into which `steps` of the sums of each of `tiles` tiles
/// are divided, if each subgroup loads what it multiplies an iteration early:
/// all have the same number of steps, one, or enough for loads to overlap, and
/// processors have so many subgroups that memory is busy. Returns 0 if there is
/// no such number.
static int64_t choosePartsOfReads(int64_t tiles, int64_t steps, bool isOneRow,
                                  const GPUTarget &target) {
  constexpr int64_t kLeastParts = 4, kLeastSteps = 4, kSubgroups = 7;
  int64_t best = 0;
  for (int64_t parts = 1; parts <= kMaxParts; ++parts) {
    if (steps % parts != 0 || (steps != parts && steps / parts < kLeastSteps))
      continue;
    best = parts;
    if (isOneRow && parts >= kLeastParts &&
        tiles * parts >= kSubgroups * target.processors)
      break;
  }
  return best;
}

/// Gives `version`, of `product` (`mayReadParts`), workgroups of few columns
/// whose subgroups sum parts. Changes nothing if the sum has no equal parts.
static void readInParts(Version &version, LinalgOp product, int64_t rows,
                        unsigned n, unsigned k) {
  // The fewest columns of an instruction, so that many subgroups load.
  constexpr int64_t kColumns = 16;
  const GPUTarget &target = version.options.target;
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  int64_t parts =
      choosePartsOfReads(llvm::divideCeil(ranges[n], kColumns),
                         ranges[k] / kTileOfParts, rows == 1, target);
  if (parts < 2)
    return;
  // All subgroups of a workgroup have a part.
  if (parts * target.lanes < version.options.threads)
    version.options.threadsOfParts = parts * target.lanes;
  version.parts = parts;
  version.options.narrowColumns = kColumns;
  version.options.narrowReduction = kTileOfParts;
  version.splitsSums = false;
}

/// Gives `version`, of a product with few rows whose right operand is converted
/// from bytes, workgroups of few columns. Each subgroup sums a part and loads
/// its operands itself. The parts are merged in shared memory, in the same
/// kernel (docs/Decisions/0065). The contractions of `group` have the same
/// right operand. Changes nothing if the sum has no parts.
static void sumInParts(Version &version, const WorkgroupGroup &group,
                       LinalgOp product, int64_t rows, unsigned n, unsigned k) {
  constexpr int64_t kFewParts = 2, kMostScales = 32;
  const GPUTarget &target = version.options.target;
  bool isPacked = convertsBytes(group, product, /*isPacked=*/true);
  bool hasWords =
      !convertsBytes(group, product) && unpacksWords(group, product);
  // Wide numbers of a table take registers. With more rows, wide tiles are
  // faster nevertheless (docs/Decisions/0198).
  int64_t mostRows = ShapedType::isDynamic(rows) ? version.most : rows;
  bool isLookedUp =
      mostRows <= kMostInParts / 2 && looksUpWideNumbers(group, product);
  int64_t maxParts = getMaxParts(version, group, hasWords);
  int64_t groupSize = getGroupSize(product, k);
  std::optional<int64_t> tile = getTileOfParts(product, k, groupSize);
  if (!tile)
    return;
  const int64_t reduction = *tile;
  int64_t least = std::max<int64_t>(version.options.threads / target.lanes, 1);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  int64_t parts = least;
  int64_t columns = 32;
  bool areBytes = multipliesBytes(product);
  if (!ShapedType::isDynamic(ranges[n])) {
    // The number of subgroups of a processor that have enough loads in flight.
    // If a tile has half of the columns, and so half of the registers, there
    // are twice as many. With more columns, fewer workgroups read the rows. But
    // with few rows and many scales, threads wait for the scales.
    int64_t subgroups = target.loadingSubgroups;
    bool hasManyScales = rows <= 8 && groupSize > 1 && groupSize < 64;
    bool hasManyRows = mostRows > kMostInParts;
    auto hasTiles = [&](int64_t columns, int64_t perProcessor) {
      return llvm::divideCeilSigned(ranges[n], columns) >=
             perProcessor * target.processors;
    };
    bool isOfColumns = isContiguousAlong(product, n);
    if (hasWords && unpacksWords(group, product, /*ofColumns=*/true)) {
      // Each thread has the columns of a word, or of two neighbouring ones,
      // which are twice as much of a line of memory (docs/Decisions/0167).
      columns *= 2;
      if (!hasManyRows && hasTiles(2 * columns, 1))
        columns *= 2;
      else
        subgroups /= 2;
    } else if (isOfColumns && (areBytes || (!isPacked && !hasWords))) {
      // A word has four columns, and the part of a line that memory moves as
      // one 32 (docs/Decisions/0153). Bytes that are converted have two such
      // parts if most processors have a tile (docs/Decisions/0183).
      if (areBytes ? hasTiles(2 * columns, 2)
                   : 4 * llvm::divideCeilSigned(ranges[n], 2 * columns) >=
                         3 * target.processors) {
        columns *= 2;
        subgroups /= 2;
      }
    } else if (!(areBytes && hasManyRows) && !hasWords &&
               !hasTiles(columns, hasManyScales ? 4 : 2) &&
               (!isPacked || isLookedUp || hasManyScales ||
                ShapedType::isDynamic(ranges[k]) ||
                !hasWideSumTiles(ranges[n], ranges[k], reduction, target))) {
      columns /= 2;
      subgroups *= 2;
    }
    int64_t tiles = llvm::divideCeil(ranges[n], columns);
    // Small workgroups, if all of them then run at the same time, and three
    // quarters of the subgroups that may run at a time do. Tables of more
    // scales have no room (docs/Decisions/0159).
    int64_t some = subgroups * target.processors / tiles;
    if (isPacked && some == kFewParts && kFewParts < least &&
        4 * kFewParts * tiles >= 3 * subgroups * target.processors &&
        !ShapedType::isDynamic(ranges[k]) &&
        ranges[k] <=
            kFewParts * kMostScales * std::max(groupSize, kTileOfParts) &&
        groupSize >= kTileOfParts) {
      least = kFewParts;
      version.options.threadsOfParts = kFewParts * target.lanes;
    }
    parts = llvm::bit_floor<uint64_t>(std::max<int64_t>(some, 1));
    parts = std::clamp(parts, least, std::max(least, maxParts));
  }
  // Each part must have at least a tile.
  if (!ShapedType::isDynamic(ranges[k]))
    parts = std::min<int64_t>(
        parts,
        llvm::bit_floor<uint64_t>(std::max<int64_t>(ranges[k] / reduction, 1)));
  if (parts < 2)
    return;
  if (!ShapedType::isDynamic(ranges[n]) && !ShapedType::isDynamic(ranges[k]) &&
      ranges[k] / reduction % parts != 0)
    parts =
        chooseParts(llvm::divideCeil(ranges[n], columns), ranges[k] / reduction,
                    std::min(least, parts), maxParts, least, target);
  version.parts = parts;
  // Several products share these columns.
  version.options.narrowColumns =
      columns *
      static_cast<int64_t>(llvm::PowerOf2Ceil(group.contractions.size()));
  // Tiles of bytes are twice as long (`multipliesBytes`).
  version.options.narrowReduction = areBytes ? reduction / 2 : reduction;
  version.splitsSums = false;
}

/// Returns whether the next kernel of `product` may be persistent: that has not
/// been refused.
static bool mayPersist(LinalgOp product) {
  vector_ext::ProductWays ways = {};
  ways.roles = ways.persistent = true;
  auto scope = product->getParentOfType<ModuleOp>();
  return !scope || vector_ext::getRemainingWays(
                       ways, scope, vector_ext::getNextKernelNumber(scope))
                       .persistent;
}

/// Returns the number of products in a launch: the product of all sizes except
/// those of the rows, of loop `n`, and of what is summed. If one is unknown,
/// assumes more products than `processors` can share.
static int64_t countProducts(LinalgOp product, unsigned n, int64_t processors) {
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(product);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop : llvm::concat<unsigned>(dims.batch, dims.n)) {
    if (loop == n)
      continue;
    if (ShapedType::isDynamic(ranges[loop]))
      return 2 * processors;
    count *= ranges[loop];
  }
  return count;
}

/// Returns a kernel of `product`, with at most `most` rows (`rows`, if they are
/// known) and a right operand of bytes, that copies tiles of the bytes to
/// shared memory. Threads convert them for asynchronous instructions, with
/// exchanged operands: the right operand becomes the left one, and columns
/// become rows of the instruction. Returns std::nullopt if this is not
/// possible, or is estimated to be slower (docs/Decisions/0127, 0132, 0146).
static std::optional<ProductKernel>
getConvertingKernel(const WorkgroupGroup &group, LinalgOp product, int64_t most,
                    int64_t rows, unsigned n, unsigned k) {
  const GPUTarget &target = group.options.target;
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  Value left = product.getDpsInputs().front();
  Operation *producer = left.getDefiningOp();
  Type element = getElementTypeOrSelf(left);
  if (!group.options.ways.contains(vector_ext::ProductWay::Roles) ||
      target.asyncRows == 0 || group.options.asyncTile.rows != 0 ||
      group.options.asyncTile.columns != 0 ||
      group.options.asyncReduction != 0 || ShapedType::isDynamic(ranges[n]) ||
      ShapedType::isDynamic(ranges[k]) ||
      !(element.isF16() || element.isBF16()) ||
      !getElementTypeOrSelf(product->getResult(0)).isF32() ||
      (producer && group.contains(producer)) || !convertsBytes(group, product))
    return std::nullopt;
  bool isPacked = convertsBytes(group, product, /*isPacked=*/true);
  // Threads would load single bytes of columns from shared memory. Synchronous
  // kernels of few rows permute words (docs/Decisions/0183).
  if (most <= target.matrixRows && !isPacked && isContiguousAlong(product, n))
    return std::nullopt;
  // A tile has one scale for a column, which is applied to the sum, or one for
  // each run that a lane converts: 32 integers of 4 bits.
  constexpr int64_t kReduction = 128, kRun = 32;
  int64_t scaled = getScaleGroup(group, product, k);
  if (ranges[k] % kReduction != 0 || scaled % kRun != 0 ||
      (scaled % kReduction != 0 && kReduction % scaled != 0))
    return std::nullopt;
  // More than 16 rows have tiles of 256 columns only, without chunks: those of
  // 128 take longer than synchronous products (docs/Decisions/0133).
  // More rows are permuted in front, so elements that are summed must be rows
  // of memory.
  OpOperand *rowsOf = product.getDpsInputOperand(0);
  AffineMap map = product.getMatchingIndexingMap(rowsOf);
  SmallVector<unsigned, 2> m = linalg::inferContractionDims(product)->m;
  unsigned rank = map.getNumResults();
  if (most > target.matrixRows &&
      (rank < 2 || !map.isProjectedPermutation() ||
       map.getDimPosition(rank - 1) != k ||
       !llvm::is_contained(m, map.getDimPosition(rank - 2))))
    return std::nullopt;
  ConvertedProduct converted;
  converted.rows = most;
  converted.columns = ranges[n];
  converted.depth = ranges[k];
  converted.group = kReduction;
  converted.scaled = scaled;
  if (!ShapedType::isDynamic(rows))
    converted.allRows = rows;
  converted.products = countProducts(product, n, target.processors);
  // A kernel with equal shares has a known number of tiles.
  converted.mayShare = converted.allRows && mayPersist(product);
  converted.isPacked = isPacked;
  converted.isF16 = element.isF16();
  return most > target.matrixRows
             ? chooseConvertingKernelOfManyRows(converted, target)
             : chooseConvertingKernel(converted, target);
}

/// Gives `version`, of `product`, the kernel `kernel`, unless it was refused.
/// In that case, the version keeps the kernel's number.
static bool convertTiles(Version &version, LinalgOp product,
                         const std::optional<ProductKernel> &kernel) {
  if (!kernel)
    return false;
  version.options.ways = {};
  version.options.ways.roles = true;
  version.options.ways.persistent = kernel->persist;
  auto scope = product->getParentOfType<ModuleOp>();
  if (scope &&
      !vector_ext::getRemainingWays(version.options.ways, scope,
                                    vector_ext::getNextKernelNumber(scope))
           .roles)
    return false;
  version.options.converting = kernel;
  version.splitsSums = kernel->chunk > 0;
  version.chunk = kernel->chunk;
  return true;
}

/// Appends to `result` versions of `product` for more rows than those that it
/// has, `rows` if they are known: kernels whose threads convert tiles of bytes,
/// until storing what they convert takes less time (docs/Decisions/0146).
static void addVersionsOfManyRows(const WorkgroupGroup &group, LinalgOp product,
                                  int64_t rows, unsigned n, unsigned k,
                                  Versions &result) {
  const GPUTarget &target = group.options.target;
  if (target.asyncCopies == 0 || target.asyncRows == 0 ||
      group.contractions.size() != 1 || !convertsBytes(group, product))
    return;
  bool isKnown = !ShapedType::isDynamic(rows);
  std::optional<ProductKernel> before;
  for (int64_t most : {128, 256, 512}) {
    if (isKnown && (rows > most || rows <= target.asyncRows))
      continue;
    std::optional<ProductKernel> kernel = getConvertingKernel(
        group, product,
        isKnown ? llvm::alignTo(rows, 2 * target.asyncRows) : most, rows, n, k);
    if (!kernel)
      continue;
    // One kernel serves more rows, too.
    if (before && before->chunk == kernel->chunk) {
      result.versions.back().most = most;
      continue;
    }
    Version version;
    version.most = most;
    version.options = group.options;
    version.options.narrowRows = kernel->rows;
    version.options.useProcessors = false;
    if (!convertTiles(version, product, kernel))
      return;
    result.versions.push_back(std::move(version));
    before = kernel;
    if (isKnown)
      return;
  }
}

/// Returns whether the contractions of `group` are one, or products of bytes
/// with the same right operand.
static bool multiplyOneOperand(const WorkgroupGroup &group) {
  LinalgOp first = group.contractions.front();
  return llvm::all_of(group.contractions, [&](LinalgOp op) {
    return op == first || (multipliesBytes(op) &&
                           op.getDpsInputs()[1] == first.getDpsInputs()[1]);
  });
}

/// Returns versions by the number of rows of a contraction. The time of a
/// contraction with few rows is that of reading its right operand. So as many
/// workgroups read it as memory needs, and each sums a part.
static Versions getVersionsByRows(const WorkgroupGroup &group) {
  if (group.contractions.empty() || group.options.versionsByM.empty())
    return {};
  LinalgOp product = group.contractions.front();
  if (!isNarrow(product))
    return {};
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(product);
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  llvm::erase_if(dims.m, [&](unsigned dim) { return ranges[dim] == 1; });
  if (dims.m.size() > 1 || dims.n.empty() || dims.k.size() != 1)
    return {};
  int64_t rows = dims.m.empty() ? 1 : ranges[dims.m.front()];
  Versions result;
  if (ShapedType::isDynamic(rows)) {
    int64_t loop = group.loops.find(product)->second[dims.m.front()];
    for (auto &[op, mapping] : group.loops)
      for (auto [own, ofRoot] : llvm::enumerate(mapping))
        if (auto linalgOp = dyn_cast<LinalgOp>(op);
            linalgOp && ofRoot == loop && result.dims.empty())
          (void)appendDim(group, linalgOp, own, result.dims);
    if (result.dims.empty())
      return {};
  }
  for (int64_t most : group.options.versionsByM) {
    if (!ShapedType::isDynamic(rows) && most < rows)
      continue;
    Version &version = result.versions.emplace_back();
    version.most = most;
    version.options = group.options;
    version.options.narrowRows = most;
    // With longer sums in each iteration, every thread copies some of the rows,
    // and waits half as often.
    version.options.narrowReduction *= 2;
    version.options.useProcessors = false;
    // These kernels wait for memory, so synchronous products suffice.
    version.options.ways = {};
    version.splitsSums = true;
    const GPUTarget &target = group.options.target;
    bool isFew = most <= target.matrixRows,
         hasBytes = convertsBytes(group, product);
    if (target.asyncCopies && multiplyOneOperand(group) &&
        (hasBytes ? most <= std::max(target.matrixRows, target.asyncRows)
                  : most <= 2 * kRowsOfWords && unpacksWords(group, product))) {
      bool isKnown = !ShapedType::isDynamic(rows);
      Version inParts = version;
      if (isFew || !hasBytes)
        sumInParts(inParts, group, product, rows, dims.n.back(),
                   dims.k.front());
      if (!isFew && inParts.parts > 1)
        inParts.options.narrowRows = kRowsOfWords;
      // A tile of up to 8 rows has 8, and one of 17 to 32 has 32.
      int64_t ofTile =
          isKnown ? std::max<int64_t>(llvm::PowerOf2Ceil(rows), kMostInParts)
                  : most;
      if (!convertTiles(version, product,
                        getConvertingKernel(group, product, ofTile, rows,
                                            dims.n.back(), dims.k.front()))) {
        inParts.options.ways = version.options.ways;
        version = std::move(inParts);
      } else if (!isKnown && isFew) {
        inParts.most = inParts.options.narrowRows = kMostInParts;
        inParts.options.ways = {};
        result.versions.insert(std::prev(result.versions.end()),
                               std::move(inParts));
      }
    }
    if (target.asyncCopies && isFew &&
        mayReadParts(group, product, rows, dims.n.back(), dims.k.front()))
      readInParts(version, product, rows, dims.n.back(), dims.k.front());
    if (!ShapedType::isDynamic(rows))
      break;
  }
  addVersionsOfManyRows(group, product, rows, dims.n.back(), dims.k.front(),
                        result);
  return result;
}

/// The least number of chunks for which merging pays; and, if workgroups are
/// alone on their processors, the least number of summed elements that each
/// workgroup saves. Tiles of 128 rows and 64 columns take longer
/// (docs/Decisions/0119).
static constexpr int64_t kLeastChunks = 5, kLeastSaved = 1536,
                         kLeastSavedOfRows = 3072;

/// Returns whether, judging by the known sizes, `contraction` may have no more
/// rows than a tile of `kernel`, so few tiles that there can be two chunks for
/// each on `processors`, and chunks that are at least `saved` elements shorter
/// than the whole sum.
static bool mayHaveChunks(LinalgOp contraction, const ProductKernel &kernel,
                          int64_t saved, int64_t processors) {
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  auto getLeast = [&](ArrayRef<unsigned> loops) {
    int64_t product = 1;
    for (unsigned loop : loops)
      if (!ShapedType::isDynamic(ranges[loop]))
        product *= ranges[loop];
    return product;
  };
  int64_t tiles =
      getLeast(dims.batch) * llvm::divideCeil(getLeast(dims.n), kernel.columns);
  int64_t chunks = processors / std::max<int64_t>(tiles, 1);
  if (getLeast(dims.m) > kernel.rows || chunks < 2)
    return false;
  int64_t sum = ranges[dims.k.front()];
  return ShapedType::isDynamic(sum) ||
         sum - int64_t(llvm::alignTo(llvm::divideCeil(sum, chunks),
                                     kernel.reduction)) >=
             saved;
}

/// Returns whether two workgroups for each tile of `kernel` are the fastest for
/// all numbers of rows of `contraction` that such a tile has. Columns and
/// summed elements have to be known.
static bool isPairFastest(LinalgOp contraction, const ProductKernel &kernel,
                          const GPUTarget &target) {
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  int64_t tiles = 1, rows = 1, depth = ranges[dims.k.front()];
  for (unsigned dim : dims.batch)
    tiles = ranges[dim] == 1 ? tiles : 0;
  for (unsigned dim : dims.n)
    tiles *= ShapedType::isDynamic(ranges[dim]) ? 0 : ranges[dim];
  for (unsigned dim : dims.m)
    rows *= ShapedType::isDynamic(ranges[dim]) ? 1 : ranges[dim];
  return rows <= kernel.rows && !ShapedType::isDynamic(depth) &&
         linalg_ext::isPairFastest(llvm::divideCeil(tiles, kernel.columns),
                                   depth, target);
}

/// Appends `version` to `versions`. If launches of many tiles get another
/// kernel, and launches of few tiles split their sums, appends several
/// versions.
static void addByTiles(const WorkgroupGroup &group, Versions &versions,
                       Version version) {
  using Tiles = TileToWorkgroupsOptions::Tiles;
  WorkgroupGroup same(group);
  same.options = version.options;
  if (std::optional<LaunchedKernels> kernels = same.getLaunchedKernels()) {
    LinalgOp contraction = group.contractions.front();
    bool mayBeSplit = contraction.getNumReductionLoops() == 1;
    bool isKnown =
        !ShapedType::isDynamicShape(contraction.getStaticLoopRanges());
    bool hasPair =
        mayBeSplit && kernels->pair &&
        isPairFastest(contraction, *kernels->pair, group.options.target);
    if (hasPair) {
      Version &pair = versions.versions.emplace_back(version);
      pair.options.tiles = Tiles::Pair;
      pair.options.numberOfKernel = 0;
      pair.options.narrowReduction = kernels->pair->reduction;
      pair.splitsSums = true;
      if (isKnown)
        return;
      pair.leastChunks = 2;
      pair.mostRows = kernels->pair->rows;
    }
    for (auto [number, kernel] : llvm::enumerate(kernels->split)) {
      int64_t saved = number == 0 ? kLeastSaved : kLeastSavedOfRows;
      bool isPaired = hasPair && kernel.rows <= kernels->pair->rows;
      if (isPaired || !mayBeSplit ||
          !mayHaveChunks(contraction, kernel, saved,
                         group.options.target.processors))
        continue;
      Version &split = versions.versions.emplace_back(version);
      split.options.tiles = Tiles::Split;
      split.options.numberOfKernel = number;
      split.options.narrowReduction = kernel.reduction;
      // There are as many workgroups as processors.
      split.options.target.memoryWorkgroups = split.options.target.processors;
      split.splitsSums = true;
      split.leastChunks = 2;
      split.mostRows = kernel.rows;
      split.leastSaved = saved;
      if (isKnown) {
        // No other version may run instead.
        split.leastChunks = split.mostRows = split.leastSaved = 0;
        return;
      }
    }
    // If sizes are known, one kernel is chosen.
    if (isKnown) {
      versions.versions.push_back(std::move(version));
      return;
    }
    if (mayBeSplit && kernels->split.empty()) {
      Version &split = versions.versions.emplace_back(version);
      split.options.tiles = Tiles::Few;
      split.options.narrowReduction = kernels->few.reduction;
      split.splitsSums = true;
      split.leastChunks = kLeastChunks;
    }
    for (auto number : llvm::seq<int64_t>(0, kernels->many.size())) {
      Version &many = versions.versions.emplace_back(version);
      many.options.tiles = Tiles::Many;
      many.options.numberOfKernel = number;
      many.isCompared = true;
    }
    for (auto number : llvm::seq<int64_t>(0, kernels->lone.size())) {
      Version &lone = versions.versions.emplace_back(version);
      lone.options.tiles = Tiles::Lone;
      lone.options.numberOfKernel = number;
      lone.isCompared = true;
    }
    version.options.tiles = Tiles::Few;
  }
  versions.versions.push_back(std::move(version));
}

/// Appends a version with asynchronous products of operands whose rows have a
/// dynamic length, for lengths that are a multiple of 16 bytes. `general` then
/// has synchronous products only.
static void addAlignedVersion(const WorkgroupGroup &group, Versions &versions,
                              Version &general) {
  if (!group.options.ways.anyAsync() || group.contractions.empty())
    return;
  Version aligned;
  aligned.most = ShapedType::kDynamic;
  aligned.options = group.options;
  for (LinalgOp contraction : group.contractions)
    for (Value operand : contraction.getDpsInputs()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && group.contains(producer))
        continue;
      auto rows =
          getDynamicRows(operand, readsTilesOf8Bits(contraction, group));
      if (rows && !llvm::is_contained(aligned.alignedRows, *rows))
        aligned.alignedRows.push_back(*rows);
    }
  if (aligned.alignedRows.empty())
    return;
  aligned.options.hasAlignedRows = true;
  for (LinalgOp contraction : group.contractions)
    for (Value operand : contraction.getDpsInputs()) {
      Operation *producer = operand.getDefiningOp();
      if (!(producer && group.contains(producer)) &&
          !explainNoTiles(operand, readsTilesOf8Bits(contraction, group),
                          /*hasAlignedRows=*/true)
               .empty())
        return;
    }
  addByTiles(group, versions, std::move(aligned));
  general.options.ways = {};
}

/// Returns whether kernels of `group` are synchronous although other products
/// would be allowed, because they compute an operand, or because the next way
/// was refused.
static bool isSynchronous(const WorkgroupGroup &group) {
  for (LinalgOp contraction : group.contractions)
    for (Value operand : contraction.getDpsInputs()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && group.contains(producer))
        return true;
    }
  auto scope = group.root->getParentOfType<ModuleOp>();
  return scope &&
         !vector_ext::getRemainingWays(group.options.ways, scope,
                                       vector_ext::getNextKernelNumber(scope))
              .anyAsync();
}

/// Adds versions with asynchronous products of operands whose rows have a
/// dynamic length, and removes synchronous products from `general`. Kernels
/// that launches choose by the number of tiles come before the synchronous ones
/// for as many rows as a tile has. The latter are kept for operands that
/// asynchronous products cannot read, if there are any (docs/Decisions/0109).
static void addAsynchronousVersions(const WorkgroupGroup &group,
                                    Versions &versions, Version &general) {
  Versions aligned;
  addAlignedVersion(group, aligned, general);
  WorkgroupGroup same(group);
  same.options = general.options;
  bool readsAll = same.getLaunchedKernels().has_value();
  SmallVector<Version, 0> &all = versions.versions;
  auto *place = all.end();
  if ((readsAll || aligned.versions.size() > 1) && !isSynchronous(group))
    place = llvm::find_if(all, [&](const Version &version) {
      return version.most >= group.options.target.asyncRows;
    });
  if (readsAll && place != all.end())
    place = all.erase(place, all.end());
  all.insert(place, std::make_move_iterator(aligned.versions.begin()),
             std::make_move_iterator(aligned.versions.end()));
}

/// Appends versions whose operands are stored before the kernel: copied to rows
/// of a multiple of 128 bytes, or dequantized. One is for few tiles. One is for
/// many tiles, or, with dequantized operands, each of the kernels for these.
static void addCopyingVersions(const WorkgroupGroup &group,
                               Versions &versions) {
  // Of the kernels for many tiles, use the one whose last round wastes least.
  constexpr int64_t kNumberOfMany = 1;
  if (!group.yields.empty() || group.getOperandsInFront().empty())
    return;
  LinalgOp contraction = group.contractions.front();
  if (!ShapedType::isDynamicShape(contraction.getStaticLoopRanges()))
    return;
  Version copying;
  copying.most = ShapedType::kDynamic;
  copying.options = group.options;
  copying.options.hasAlignedRows = copying.options.copiesRows = true;
  copying.options.tiles = TileToWorkgroupsOptions::Tiles::Many;
  copying.options.numberOfKernel = kNumberOfMany;
  copying.isCompared = true;
  WorkgroupGroup same(group);
  same.options = copying.options;
  std::optional<LaunchedKernels> kernels = same.getLaunchedKernels();
  if (!kernels || kernels->many.size() <= kNumberOfMany)
    return;
  bool isComputed = group.dequantizes(group.getOperandsInFront());
  for (auto number : llvm::seq<int64_t>(0, kernels->many.size())) {
    if (!isComputed && number != kNumberOfMany)
      continue;
    copying.options.numberOfKernel = number;
    versions.versions.push_back(copying);
  }
  copying.options.tiles = TileToWorkgroupsOptions::Tiles::Lone;
  copying.options.numberOfKernel = 0;
  copying.isCompared = false;
  versions.versions.push_back(std::move(copying));
}

/// Replaces `versions`, of a known number of rows, by versions with
/// asynchronous products, if their instructions have at most a few times as
/// many rows.
static void addAsynchronousVersionsOfRows(const WorkgroupGroup &group,
                                          Versions &versions) {
  if (versions.versions.empty() || !versions.dims.empty() ||
      versions.versions.back().most <= group.options.target.matrixRows ||
      group.options.target.asyncRows == 0 || isSynchronous(group))
    return;
  Versions aligned;
  Version general;
  general.most = ShapedType::kDynamic;
  general.options = group.options;
  addAlignedVersion(group, aligned, general);
  // Its estimates are not those of the synchronous kernel for few rows.
  general.options.ways.sync = false;
  WorkgroupGroup same(group);
  same.options = general.options;
  if (same.getLaunchedKernels()) {
    versions.versions.clear();
    addByTiles(group, versions, std::move(general));
    return;
  }
  versions.versions.insert(versions.versions.begin(),
                           std::make_move_iterator(aligned.versions.begin()),
                           std::make_move_iterator(aligned.versions.end()));
}

bool mlir::linalg_ext::convertsManyRows(const WorkgroupGroup &group) {
  Versions versions = getVersionsByRows(group);
  return versions.dims.empty() && !versions.versions.empty() &&
         versions.versions.back().most > group.options.target.asyncRows;
}

Versions mlir::linalg_ext::getVersions(const WorkgroupGroup &group) {
  Versions result = getVersionsByRow(group);
  if (result.versions.empty()) {
    result = getVersionsByRows(group);
    addAsynchronousVersionsOfRows(group, result);
  }
  // The version for all sizes, or for larger sizes.
  if (result.versions.empty() || !result.dims.empty()) {
    Version general;
    general.most = ShapedType::kDynamic;
    general.options = group.options;
    addAsynchronousVersions(group, result, general);
    addCopyingVersions(group, result);
    // Others cannot read what workgroups dequantize.
    if (!result.versions.empty() && result.versions.back().options.copiesRows &&
        group.dequantizes(group.getOperandsInFront()))
      general.options.ways = {};
    addByTiles(group, result, std::move(general));
  }
  return result;
}
