//===- WorkgroupProducts.cpp - How a workgroup multiplies -----------------===//
//
// The parts of WorkgroupGroup that choose how the contractions of a group are
// computed: the tile, the kernel (synchronous or asynchronous products), and
// the operands that another kernel has to transpose, convert or copy first, so
// that asynchronous products can read them.
//
//===----------------------------------------------------------------------===//

#include "StoreOperands.h"
#include "WorkgroupGroup.h"
#include "WorkgroupVersions.h"

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Selection/TileOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// The least number of columns of a tile for each of several contractions.
static constexpr int64_t kMinColumns = 16;

bool mlir::linalg_ext::isNarrow(LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 16;
  });
}

/// Returns the innermost of `dims` with more than one iteration, the loop that
/// is cut. `ranges` are the ranges of all loops.
static std::optional<unsigned> getCutDim(ArrayRef<unsigned> dims,
                                         ArrayRef<int64_t> ranges) {
  for (unsigned dim : llvm::reverse(dims))
    if (ranges[dim] != 1)
      return dim;
  return std::nullopt;
}

/// Returns the sizes of `contraction`, one of `products` of its loop, if they
/// are known. Dimensions of rows or columns that are not cut count as batches.
static std::optional<ProductSizes> getProductSizes(LinalgOp contraction,
                                                   size_t products) {
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  ProductSizes sizes;
  sizes.products = products;
  std::optional<unsigned> m = getCutDim(dims.m, ranges),
                          n = getCutDim(dims.n, ranges);
  sizes.rows = m ? ranges[*m] : 1;
  sizes.columns = n ? ranges[*n] : 1;
  for (ArrayRef<unsigned> group :
       {ArrayRef<unsigned>(dims.batch), ArrayRef<unsigned>(dims.m),
        ArrayRef<unsigned>(dims.n)})
    for (unsigned dim : group) {
      if (ShapedType::isDynamic(ranges[dim]))
        return std::nullopt;
      if (dim != m && dim != n)
        sizes.batch *= ranges[dim];
    }
  return sizes;
}

/// Returns whether `contraction` sums integers of 32 bits, as instructions for
/// operands of 8 bits do.
static bool sumsIn32Bits(LinalgOp contraction) {
  return getElementTypeOrSelf(contraction->getResult(0)).isInteger(32);
}

bool mlir::linalg_ext::multipliesBytes(LinalgOp contraction) {
  return sumsIn32Bits(contraction) &&
         llvm::all_of(contraction.getDpsInputs(), [](Value input) {
           return getElementTypeOrSelf(input.getType()).isInteger(8);
         });
}

ContractionTile WorkgroupGroup::getSyncTile() const {
  LinalgOp contraction = contractions.front();
  ContractionTile tile = getSyncTileOfSizes();
  // A tile that cuts groups of an operand that threads compute would be part of
  // a longer one in memory.
  Operation *right = contraction.getNumDpsInputs() > 1
                         ? contraction.getDpsInputs()[1].getDefiningOp()
                         : nullptr;
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  if (right && contains(right) && sums.size() == 1)
    tile.reduction =
        getWholeGroups(tile.reduction, getGroupSize(contraction, sums.front()));
  return tile;
}

ContractionTile WorkgroupGroup::getSyncTileOfSizes() const {
  LinalgOp contraction = contractions.front();
  ContractionTile tile{options.rows, options.columns, options.reduction,
                       std::nullopt};
  // A tile of bytes has as many bytes of a row as with 16 bits.
  const int64_t factor = multipliesBytes(contraction) ? 2 : 1;
  if (isNarrow(contraction)) {
    if (options.narrowReduction > 0)
      tile.reduction = options.narrowReduction;
    if (options.narrowRows > 0 && options.narrowColumns > 0) {
      tile.rows = options.narrowRows;
      tile.columns = options.narrowColumns;
      std::optional<ProductSizes> sizes =
          getProductSizes(contraction, contractions.size());
      if (options.useProcessors && sizes) {
        ProductTile chosen = chooseProductTile(
            *sizes, {tile.rows, tile.columns}, options.target);
        if (chosen.rows > 0) {
          bool isSmall = chosen.isAlone || chosen.rows < tile.rows ||
                         chosen.columns * sizes->products < tile.columns;
          if (isSmall && options.smallReduction > 0)
            tile.reduction = options.smallReduction;
          tile.rows = chosen.rows;
          tile.columns = chosen.columns;
          tile.reduction *= factor;
          return tile;
        }
      }
      // A tile with half of the rows suffices if it has all of them.
      linalg::ContractionDimensions dims =
          *linalg::inferContractionDims(contraction);
      SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
      int64_t rows = 1;
      for (unsigned dim : dims.m)
        rows = ShapedType::isDynamic(rows) || ShapedType::isDynamic(ranges[dim])
                   ? ShapedType::kDynamic
                   : rows * ranges[dim];
      while (tile.rows > 16 && !ShapedType::isDynamic(rows) &&
             tile.rows >= 2 * rows)
        tile.rows /= 2;
    }
  }
  tile.reduction *= factor;
  // Registers hold the sums of all contractions at the same time.
  tile.columns =
      std::max<int64_t>(tile.columns / llvm::PowerOf2Ceil(contractions.size()),
                        std::min<int64_t>(tile.columns, kMinColumns));
  return tile;
}

/// Returns whether the payload of `contraction` extends integers of only one
/// signedness.
static bool haveOneSign(LinalgOp contraction) {
  bool isSigned = false, isUnsigned = false;
  for (Operation &op : contraction.getBlock()->without_terminator()) {
    isSigned |= isa<arith::ExtSIOp>(op);
    isUnsigned |= isa<arith::ExtUIOp>(op);
  }
  return !isSigned || !isUnsigned;
}

bool mlir::linalg_ext::readsTilesOf8Bits(LinalgOp contraction,
                                         const WorkgroupGroup &group) {
  Type type = getTileElementType(contraction.getDpsInputs().front());
  bool isInteger = type && type.isInteger(8);
  return (isInteger ? sumsIn32Bits(contraction) && haveOneSign(contraction)
                    : group.options.asyncF8 && isTileTypeOf8Bits(type)) &&
         llvm::all_of(contraction.getDpsInputs(), [&](Value input) {
           Type other = getTileElementType(input);
           return other == type ||
                  // Instructions multiply two formats, too.
                  (!isInteger && isTileTypeOf8Bits(other));
         });
}

/// Returns why asynchronous products cannot read operands of the types that
/// `contraction` has, or an empty string. Ignores operands that `group`
/// computes.
static std::string explainNoTilesOf(LinalgOp contraction,
                                    const WorkgroupGroup &group) {
  bool has8Bits = readsTilesOf8Bits(contraction, group);
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  SmallVector<OpOperand *> copied;
  if (group.options.copiesRows)
    copied = group.getOperandsInFront();
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Operation *producer = operand->get().getDefiningOp();
    if ((producer && group.contains(producer)) ||
        llvm::is_contained(copied, operand))
      continue;
    // A stored operand is read itself, not the tensor from which it is
    // computed.
    std::string reason =
        llvm::is_contained(group.options.stored, producer)
            ? explainNoStoredTiles(operand->get(), group.options.hasAlignedRows)
            : explainNoTiles(operand->get(), has8Bits,
                             group.options.hasAlignedRows);
    if (!reason.empty())
      return reason;
    // Tensor cores can transpose only elements of 16 bits.
    AffineMap map = contraction.getMatchingIndexingMap(operand);
    if (has8Bits && llvm::none_of(sums, [&](unsigned dim) {
          return map.getResults().back() ==
                 getAffineDimExpr(dim, map.getContext());
        }))
      return "an operand of 8 bits is not contiguous along what is summed";
  }
  return "";
}

/// Returns the size of `dim` of `contraction`, 1 if it has no such dimension,
/// or std::nullopt if the size is not known.
static std::optional<int64_t> getKnownSize(LinalgOp contraction,
                                           std::optional<unsigned> dim) {
  int64_t size = dim ? contraction.getStaticLoopRanges()[*dim] : 1;
  return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
}

std::optional<int64_t> WorkgroupGroup::getKnownColumns() const {
  LinalgOp contraction = contractions.front();
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  // The columns of one product say nothing about those of a batch.
  if (!dims.batch.empty() || dims.n.size() != 1)
    return std::nullopt;
  return getKnownSize(contraction,
                      getCutDim(dims.n, contraction.getStaticLoopRanges()));
}

std::optional<LaunchedKernels> WorkgroupGroup::getLaunchedKernels() const {
  if (contractions.size() != 1)
    return std::nullopt;
  LinalgOp contraction = contractions.front();
  if (!explainNoTilesOf(contraction, *this).empty())
    return std::nullopt;
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  std::optional<unsigned> rows =
      getCutDim(dims.m, contraction.getStaticLoopRanges());
  std::optional<int64_t> depth;
  if (dims.k.size() == 1)
    depth = getKnownSize(contraction, dims.k.front());
  return chooseLaunchedKernels(getKnownSize(contraction, rows),
                               getLimits(contraction), options.target,
                               getKnownColumns(), depth);
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToTranspose() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  LinalgOp contraction = contractions.front();
  if (!readsTilesOf8Bits(contraction, *this))
    return {};
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  constexpr int64_t kRowBytes = 16;
  if (dims.k.size() != 1 || ShapedType::isDynamic(ranges[dims.k.front()]) ||
      ranges[dims.k.front()] % kRowBytes != 0)
    return {};
  AffineExpr sum = getAffineDimExpr(dims.k.front(), contraction.getContext());
  SmallVector<OpOperand *> moved;
  double bytes = 0;
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    Operation *producer = operand->get().getDefiningOp();
    if (!hasBytes(operand->get()) || !type.hasStaticShape() ||
        (producer && contains(producer)))
      return {};
    if (contraction.getMatchingIndexingMap(operand).getResults().back() ==
        sum) {
      if (!explainNoTiles(operand->get(), /*mayHave8Bits=*/true).empty())
        return {};
      continue;
    }
    moved.push_back(operand);
    bytes += 2.0 * type.getNumElements();
  }
  return !moved.empty() &&
                 paysInFront(getLimits(contraction),
                             options.target.stridedPercent, moved.size(), bytes,
                             options.target.transposedBytesPerCycle)
             ? moved
             : SmallVector<OpOperand *>();
}

SmallVector<OpOperand *> WorkgroupGroup::getConvertibleOperands() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  LinalgOp contraction = contractions.front();
  if (contraction.getNumDpsInputs() != 2 ||
      !getElementTypeOrSelf(contraction->getResult(0)).isF32() ||
      readsTilesOf8Bits(contraction, *this))
    return {};
  SmallVector<OpOperand *> converted;
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Value value = operand->get();
    auto type = cast<RankedTensorType>(value.getType());
    Operation *producer = value.getDefiningOp();
    bool isComputed = producer && contains(producer);
    bool isExtended = !isComputed && isTileTypeOf8Bits(type.getElementType());
    if (!isComputed && !isExtended) {
      if (!explainNoTiles(value).empty())
        return {};
      continue;
    }
    // Rows of f16 have twice the bytes of rows of f8.
    int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
    // Blocks that have one scale each are merged behind the operand.
    auto merge = value.getDefiningOp<tensor::CollapseShapeOp>();
    if (!type.hasStaticShape() ||
        (isComputed ? !explainNoStoredTiles(value).empty() ||
                          getDequantization(merge ? merge.getSrc() : value,
                                            ElementReads::Any)
                              .empty()
                    : row % 8 != 0))
      return {};
    converted.push_back(operand);
  }
  return converted;
}

bool WorkgroupGroup::dequantizes(ArrayRef<OpOperand *> operands) const {
  return llvm::any_of(operands, [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return operand->getOperandNumber() == 1 && producer && contains(producer);
  });
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToConvert() const {
  SmallVector<OpOperand *> converted = getConvertibleOperands();
  if (converted.empty())
    return {};
  double bytes = 0;
  for (OpOperand *operand : converted)
    bytes += kBytesOfConverted *
             cast<RankedTensorType>(operand->get().getType()).getNumElements();
  ProductLimits limits = getLimits(contractions.front());
  limits.bits = 16;
  limits.hasShortSums = false;
  return paysInFront(limits, options.target.convertingPercent, converted.size(),
                     bytes, options.target.convertedBytesPerCycle,
                     dequantizes(converted))
             ? converted
             : SmallVector<OpOperand *>();
}

/// Returns whether `contraction` multiplies two f8 formats and sums in f32, and
/// its operands can be extended before the kernel. Where instructions of f8 may
/// not be used, those of f16 multiply them then.
static bool hasTwoFormats(LinalgOp contraction) {
  if (!isa<linalg::GenericOp>(contraction) ||
      contraction.getNumDpsInputs() != 2 ||
      !getElementTypeOrSelf(contraction->getResult(0)).isF32())
    return false;
  Type types[2];
  for (unsigned i : {0, 1}) {
    types[i] = getElementTypeOrSelf(contraction.getDpsInputs()[i]);
    if (!isTileTypeOf8Bits(types[i]) ||
        !mayBeWider(contraction, i, Float16Type::get(types[i].getContext())))
      return false;
  }
  return types[0] != types[1];
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsOfOtherRows() const {
  if (contractions.size() != 1 || !options.ways.anyAsync())
    return {};
  SmallVector<OpOperand *> others;
  LinalgOp contraction = contractions.front();
  bool isMixed =
      hasTwoFormats(contraction) && !readsTilesOf8Bits(contraction, *this);
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    Value value = operand->get();
    Operation *producer = value.getDefiningOp();
    if ((producer && contains(producer)) || explainNoTiles(value).empty())
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    Type element = type.getElementType();
    if (type.getRank() < 2 || getTileElementType(value) != element ||
        !(element.isF16() || element.isBF16() || isMixed))
      return {};
    others.push_back(operand);
  }
  // If an operand is computed, it would not be copied.
  if (isMixed && others.size() != 2)
    return {};
  return others;
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsInFront() const {
  SmallVector<OpOperand *> converted = getConvertibleOperands();
  bool areComputed =
      !converted.empty() && llvm::all_of(converted, [&](OpOperand *operand) {
        Operation *producer = operand->get().getDefiningOp();
        return producer && contains(producer);
      });
  return areComputed ? converted : getOperandsOfOtherRows();
}

SmallVector<OpOperand *> WorkgroupGroup::getOperandsToCopy() const {
  SmallVector<OpOperand *> copied = getOperandsOfOtherRows();
  if (copied.empty())
    return {};
  double bytes = 0;
  for (OpOperand *operand : copied) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    // Converted operands are not copied; see getOperandsToConvert.
    if (!type.hasStaticShape() || isTileTypeOf8Bits(type.getElementType()))
      return {};
    bytes += 2.0 * type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return paysInFront(getLimits(contractions.front()),
                     options.target.unalignedPercent, copied.size(), bytes,
                     options.target.copiedBytesPerCycle)
             ? copied
             : SmallVector<OpOperand *>();
}

/// Returns about how many instructions a thread takes to compute an element of
/// `op` as an operand, or 0 if no function of such an element is among them.
/// Less than measured (docs/Decisions/0193: SiLU 30, tanh 42, GELU 73).
static int64_t getInstructionsOfFunctions(LinalgOp op) {
  constexpr int64_t kOfFunction = 16, kOfDivision = 4;
  llvm::SmallPtrSet<Value, 8> ofElements;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(operand).isPermutation())
      ofElements.insert(op.getMatchingBlockArgument(operand));
  int64_t instructions = 0;
  bool hasFunction = false;
  for (Operation &scalar : op.getBlock()->without_terminator()) {
    if (llvm::none_of(scalar.getOperands(), [&](Value operand) {
          return ofElements.contains(operand);
        }))
      continue;
    ofElements.insert(scalar.result_begin(), scalar.result_end());
    bool isFunction = isa_and_nonnull<math::MathDialect>(scalar.getDialect());
    hasFunction |= isFunction;
    instructions += isFunction                   ? kOfFunction
                    : isa<arith::DivFOp>(scalar) ? kOfDivision
                                                 : 1;
  }
  return hasFunction ? instructions : 0;
}

SmallVector<Operation *> WorkgroupGroup::getFunctionsToStore() const {
  llvm::SetVector<Operation *> stored;
  for (LinalgOp contraction : contractions) {
    std::optional<ProductSizes> sizes =
        getProductSizes(contraction, contractions.size());
    SmallVector<unsigned, 2> sums =
        linalg::inferContractionDims(contraction)->k;
    if (!sizes || ShapedType::isDynamic(sizes->rows) ||
        ShapedType::isDynamic(sizes->columns) || sums.empty() ||
        !isNarrow(contraction) ||
        // Products of few rows wait for memory, and have other versions.
        (!options.versionsByM.empty() &&
         sizes->rows <= options.versionsByM.back()))
      return {};
    int64_t depth = contraction.getStaticLoopRanges()[sums.front()];
    if (ShapedType::isDynamic(depth))
      return {};
    ContractionTile sync = getSyncTile();
    ProductKernel kernel;
    kernel.rows = sync.rows;
    kernel.columns = sync.columns;
    kernel.reduction = sync.reduction;
    kernel.threads = options.threads;
    kernel = chooseProductKernel(sizes, depth, contractions.size(), kernel,
                                 getLimits(contraction), options.target);
    for (auto [operand, repeats] :
         llvm::zip(contraction.getDpsInputOperands(),
                   ArrayRef{llvm::divideCeil(sizes->columns, kernel.columns),
                            llvm::divideCeil(sizes->rows, kernel.rows)})) {
      auto op = operand->get().getDefiningOp<LinalgOp>();
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (!op || !contains(op) || !op.isAllParallelLoops() ||
          !type.hasStaticShape() ||
          llvm::any_of(op.getDpsInputs(), [&](Value input) {
            Operation *producer = input.getDefiningOp();
            return producer && contains(producer);
          }))
        continue;
      // The element is computed once in any case.
      constexpr double kLanes = 128;
      double elements = type.getNumElements(),
             again = elements * (repeats - 1) * getInstructionsOfFunctions(op) /
                     kLanes / options.target.processors,
             bytes = 2 * elements * type.getElementTypeBitWidth() / 8;
      if (again > options.target.launchCycles +
                      bytes / options.target.convertedBytesPerCycle)
        stored.insert(op);
    }
  }
  return stored.takeVector();
}

bool WorkgroupGroup::paysInFront(const ProductLimits &limits, int64_t percent,
                                 size_t launches, double bytes,
                                 double bytesPerCycle, bool dequantizes) const {
  LinalgOp contraction = contractions.front();
  std::optional<ProductSizes> sizes =
      getProductSizes(contraction, contractions.size());
  SmallVector<unsigned, 2> sums = linalg::inferContractionDims(contraction)->k;
  // There is no sum if one operand has a reduction dimension of one element.
  if (!sizes || sums.empty())
    return false;
  int64_t depth = contraction.getStaticLoopRanges()[sums.front()];
  if (ShapedType::isDynamic(sizes->rows) ||
      ShapedType::isDynamic(sizes->columns) || ShapedType::isDynamic(depth))
    return false;
  // Products of few rows have other versions.
  if (!options.versionsByM.empty() && sizes->rows <= options.versionsByM.back())
    return false;
  ContractionTile sync = getSyncTile();
  ProductKernel ofSync;
  ofSync.rows = sync.rows;
  ofSync.columns = sync.columns;
  ofSync.reduction = sync.reduction;
  ofSync.threads = options.threads;
  ProductKernel chosen = chooseProductKernel(sizes, depth, contractions.size(),
                                             ofSync, limits, options.target);
  if (chosen.way == vector_ext::ProductWay::Sync)
    return false;
  double time = estimateProductKernel(*sizes, depth * limits.bits / 16, chosen,
                                      options.target) +
                options.target.launchCycles * launches + bytes / bytesPerCycle;
  double ofProducts =
      estimateProductKernel(*sizes, depth, ofSync, options.target);
  int64_t tiles = sizes->batch * llvm::divideCeil(sizes->rows, sync.rows) *
                  llvm::divideCeil(sizes->columns, sync.columns);
  double staying =
      dequantizes
          ? ofProducts +
                double(llvm::divideCeil(tiles, options.target.processors)) *
                    sync.columns * depth / kDequantizedPerCycle
          : percent / 100.0 * ofProducts;
  return !limits.ways.sync || time < staying;
}

/// Returns about how many instructions a thread takes for an element of `op`.
static int64_t getNumInstructions(LinalgOp op) {
  // A division multiplies with a reciprocal.
  constexpr int64_t kOfFunction = 4;
  int64_t instructions = 0;
  for (Operation &scalar : op.getBlock()->without_terminator())
    if (isa<arith::DivFOp>(scalar) ||
        isa_and_nonnull<math::MathDialect>(scalar.getDialect()))
      instructions += kOfFunction;
    else if (!isa<arith::ConstantOp, arith::TruncFOp>(scalar))
      ++instructions;
  return instructions;
}

ProductEpilogue WorkgroupGroup::getEpilogue() const {
  LinalgOp first = contractions.front();
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(first);
  SmallVector<int64_t> ranges = first.getStaticLoopRanges();
  std::optional<unsigned> m = getCutDim(dims.m, ranges),
                          n = getCutDim(dims.n, ranges);
  ProductEpilogue epilogue;
  if (!m || !n)
    return epilogue;
  const SmallVector<int64_t> &names = loops.find(first)->second;
  // What computes operands of the contractions is in front of them.
  llvm::SetVector<Operation *> front;
  for (LinalgOp contraction : contractions)
    front.insert(contraction);
  for (unsigned i = 0; i < front.size(); ++i)
    for (Value operand : front[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && contains(producer))
        front.insert(producer);
  llvm::SmallPtrSet<Value, 4> seen;
  for (const auto &[operation, mapping] : loops) {
    auto op = dyn_cast<LinalgOp>(operation);
    if (!op || front.contains(op))
      continue;
    epilogue.instructions += getNumInstructions(op);
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Operation *producer = operand->get().getDefiningOp();
      Type element = getElementTypeOrSelf(operand->get());
      AffineMap map = op.getMatchingIndexingMap(operand);
      if ((producer && contains(producer)) || !element.isIntOrFloat() ||
          !map.isProjectedPermutation() || !seen.insert(operand->get()).second)
        continue;
      auto getPosition = [&, &mapping = mapping](unsigned dim) {
        return llvm::find_if(map.getResults(), [&](AffineExpr expr) {
          return mapping[cast<AffineDimExpr>(expr).getPosition()] == names[dim];
        });
      };
      const auto *row = getPosition(*m), *column = getPosition(*n),
                 *end = map.getResults().end();
      if (row == end || column == end)
        continue;
      int64_t bits = element.getIntOrFloatBitWidth();
      bool isCopied =
          row < column && column + 1 == end && mayBeCopied(operand->get());
      (isCopied ? epilogue.copiedBits : epilogue.readBits) += bits;
    }
  }
  return epilogue;
}

/// Columns of tiles are a multiple of this.
static constexpr int64_t kMatrixStep = 16;

ProductLimits WorkgroupGroup::getLimits(LinalgOp contraction) const {
  ProductLimits limits;
  limits.ways = options.ways;
  limits.rows = options.asyncTile.rows;
  limits.columns = options.asyncTile.columns;
  limits.reduction = options.asyncReduction;
  limits.threads = options.threads;
  limits.fillsRows = true;
  limits.epilogue = getEpilogue();
  SmallVector<unsigned, 2> sums = linalg::inferContractionDims(contraction)->k;
  auto isAlongSum = [&](unsigned number) {
    AffineMap map = contraction.getMatchingIndexingMap(
        contraction.getDpsInputOperand(number));
    return sums.size() == 1 && map.getNumResults() > 0 &&
           map.getResults().back() ==
               getAffineDimExpr(sums.front(), contraction.getContext());
  };
  if (isAlongSum(1))
    limits.columnStep = kMatrixStep;
  // Boxes along rows have 64 of them, so tiles would have a multiple of that.
  limits.mayExchange =
      isAlongSum(0) &&
      llvm::none_of(contraction.getDpsInputs(), [&](Value input) {
        Operation *producer = input.getDefiningOp();
        return producer && contains(producer);
      });
  if (readsTilesOf8Bits(contraction, *this)) {
    limits.bits = 8;
    limits.hasShortSums =
        !getTileElementType(contraction.getDpsInputs().front()).isInteger();
  }
  return limits;
}

void WorkgroupGroup::chooseContractionTile() {
  tile = getSyncTile();
  if (!options.ways.anyAsync())
    return;
  LinalgOp contraction = contractions.front();
  SmallVector<int64_t> ranges = contraction.getStaticLoopRanges();
  linalg::ContractionDimensions dims =
      *linalg::inferContractionDims(contraction);
  std::optional<int64_t> depth = 1;
  for (unsigned dim : dims.k)
    depth = !depth || ShapedType::isDynamic(ranges[dim])
                ? std::nullopt
                : std::optional(*depth * ranges[dim]);
  std::optional<ProductSizes> sizes =
      getProductSizes(contraction, contractions.size());
  if (sizes && (ShapedType::isDynamic(sizes->rows) ||
                ShapedType::isDynamic(sizes->columns)))
    sizes.reset();
  if (sizes) {
    sizes->hasLines =
        llvm::all_of(contraction.getDpsInputs(), [&](Value input) {
          return mayHaveLines(input, options.target);
        });
    sizes->hasSectors = llvm::any_of(contraction.getDpsInputs(),
                                     [](Value input) {
                                       return mayHaveSectors(input);
                                     });
  }
  ProductKernel sync;
  sync.rows = tile.rows;
  sync.columns = tile.columns;
  sync.reduction = tile.reduction;
  sync.threads = options.threads;
  ProductLimits limits = getLimits(contraction);
  for (LinalgOp op : contractions)
    if (sync.reason.empty())
      sync.reason = explainNoTilesOf(op, *this);
  if (!sync.reason.empty()) {
    sync.reason = "sync: " + sync.reason;
    tile.kernel = sync;
    return;
  }
  if (options.converting && options.ways.contains(options.converting->way)) {
    tile.kernel = options.converting;
    tile.rows = tile.kernel->rows;
    tile.columns = tile.kernel->columns;
    tile.reduction = tile.kernel->reduction;
    return;
  }
  std::optional<LaunchedKernels> launched;
  if (options.tiles != TileToWorkgroupsOptions::Tiles::Any)
    launched = getLaunchedKernels();
  if (launched) {
    using Tiles = TileToWorkgroupsOptions::Tiles;
    ArrayRef<ProductKernel> kernels;
    if (options.tiles == Tiles::Many)
      kernels = launched->many;
    else if (options.tiles == Tiles::Lone)
      kernels = launched->lone;
    else if (options.tiles == Tiles::Split)
      kernels = launched->split;
    else if (options.tiles == Tiles::Pair)
      kernels = *launched->pair;
    // If its way was refused, there may be fewer kernels.
    tile.kernel = launched->few;
    if (!kernels.empty())
      tile.kernel =
          kernels[std::min<size_t>(options.numberOfKernel, kernels.size() - 1)];
  } else {
    tile.kernel = chooseProductKernel(sizes, depth, contractions.size(), sync,
                                      limits, options.target);
  }
  tile.rows = tile.kernel->rows;
  tile.columns = tile.kernel->columns;
  tile.reduction = tile.kernel->reduction;
}
