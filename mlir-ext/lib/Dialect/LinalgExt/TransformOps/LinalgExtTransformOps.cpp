//===- LinalgExtTransformOps.cpp - LinalgExt transform ops ----------------===//
//
// Each op turns its attributes into the options of a C++ function. A refusal of
// that function becomes a silenceable failure.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.h"
#include "PayloadOps.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Codegen/CPU/Transforms.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ShareTemporaries.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/RecomputeWeights.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Fusion/Cost/ExplainFusion.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Levels as an attribute
//===----------------------------------------------------------------------===//

/// Keys of the dictionary that describes a level.
static constexpr StringLiteral kKind = "kind";
static constexpr StringLiteral kTileSizes = "tile_sizes";
static constexpr StringLiteral kInterchange = "interchange";
static constexpr StringLiteral kParts = "parts";
static constexpr StringLiteral kMapping = "mapping";

/// Returns the level that `attr` describes, after verification.
static TilingLevel getTilingLevel(Attribute attr) {
  auto dict = cast<DictionaryAttr>(attr);
  TilingLevel level;
  StringRef kind = dict.getAs<StringAttr>(kKind).getValue();
  for (LoopKind other : {LoopKind::For, LoopKind::Forall, LoopKind::Split})
    if (kind == stringify(other))
      level.kind = other;
  level.tileSizes =
      llvm::to_vector(dict.getAs<DenseI64ArrayAttr>(kTileSizes).asArrayRef());
  if (auto interchange = dict.getAs<DenseI64ArrayAttr>(kInterchange))
    level.interchange = llvm::to_vector(interchange.asArrayRef());
  if (auto parts = dict.getAs<IntegerAttr>(kParts))
    level.parts = parts.getInt();
  if (auto mapping = dict.getAs<ArrayAttr>(kMapping))
    level.mapping = llvm::to_vector(mapping.getValue());
  return level;
}

/// Returns the number of loops that the driver creates for `level`.
static unsigned getNumLoops(const TilingLevel &level) {
  if (level.kind == LoopKind::Forall)
    return 1;
  return llvm::count_if(level.tileSizes,
                        [](int64_t size) { return size != 0; });
}

/// Verifies level number `index`, as far as this is possible without a root.
static LogicalResult verifyTilingLevel(Operation *op, unsigned index,
                                       Attribute attr, bool mayBeDynamic) {
  auto error = [&]() {
    return op->emitOpError("expected level ") << index << " to ";
  };
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict)
    return error() << "be a dictionary, got " << attr;
  for (NamedAttribute entry : dict)
    if (!llvm::is_contained({kKind, kTileSizes, kInterchange, kParts, kMapping},
                            entry.getName().getValue()))
      return error() << "have the entries 'kind', 'tile_sizes', 'interchange', "
                        "'parts' and 'mapping' only, got '"
                     << entry.getName().getValue() << "'";
  auto kind = dict.getAs<StringAttr>(kKind);
  if (!kind || !llvm::is_contained({"for", "forall", "split"}, kind.getValue()))
    return error() << "have the kind \"for\", \"forall\" or \"split\", got "
                   << dict.get(kKind);
  if (!dict.getAs<DenseI64ArrayAttr>(kTileSizes))
    return error() << "have tile sizes of type array<i64>, got "
                   << dict.get(kTileSizes);
  Attribute interchange = dict.get(kInterchange);
  if (interchange && !isa<DenseI64ArrayAttr>(interchange))
    return error() << "have an interchange of type array<i64>, got "
                   << interchange;
  Attribute parts = dict.get(kParts);
  auto number = dyn_cast_or_null<IntegerAttr>(parts);
  if (parts && (!number || !number.getType().isInteger(64) ||
                number.getInt() < 1 || number.getInt() > 32))
    return error() << "have parts from 1 to 32 of type i64, got " << parts;
  Attribute mapping = dict.get(kMapping);
  auto mappings = dyn_cast_or_null<ArrayAttr>(mapping);
  if (mapping && (!mappings || !llvm::all_of(mappings, [](Attribute attr) {
        return isa<DeviceMappingAttrInterface>(attr);
      })))
    return error() << "have a mapping that is an array of device mappings, got "
                   << mapping;

  TilingLevel level = getTilingLevel(attr);
  for (int64_t size : level.tileSizes)
    if (size < 0 && (!mayBeDynamic || !ShapedType::isDynamic(size)))
      return error() << "have tile sizes that are not negative, got " << size;
  if (getNumLoops(level) == 0 ||
      llvm::all_of(level.tileSizes, [](int64_t size) { return size == 0; }))
    return error() << "tile at least one dimension, got only tile sizes of 0";
  if (!isPermutationVector(level.interchange))
    return error() << "have an interchange that is a permutation, got ["
                   << level.interchange << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Levels as text
//===----------------------------------------------------------------------===//

static ParseResult parseInts(OpAsmParser &parser, DenseI64ArrayAttr &attr) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() {
        return parser.parseInteger(values.emplace_back());
      }))
    return failure();
  attr = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

/// Parses a list of sizes. If there are `operands`, a size may also be an SSA
/// value.
static ParseResult
parseSizes(OpAsmParser &parser, DenseI64ArrayAttr &attr,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> *operands) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() {
        OpAsmParser::UnresolvedOperand operand;
        OptionalParseResult isOperand = std::nullopt;
        if (operands)
          isOperand = parser.parseOptionalOperand(operand);
        if (!isOperand.has_value())
          return parser.parseInteger(values.emplace_back());
        if (failed(*isOperand))
          return ParseResult(failure());
        operands->push_back(operand);
        values.push_back(ShapedType::kDynamic);
        return ParseResult(success());
      }))
    return failure();
  attr = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static ParseResult
parseTilingLevel(OpAsmParser &parser, Attribute &level,
                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> *operands) {
  StringRef kind;
  DenseI64ArrayAttr tileSizes, interchange;
  ArrayAttr mapping;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&kind, {"for", "forall", "split"})))
    return parser.emitError(loc, "expected 'for', 'forall' or 'split'");
  if (parseSizes(parser, tileSizes, operands))
    return failure();
  NamedAttrList entries;
  entries.append(kKind, parser.getBuilder().getStringAttr(kind));
  entries.append(kTileSizes, tileSizes);
  if (succeeded(parser.parseOptionalKeyword(kInterchange))) {
    if (parseInts(parser, interchange))
      return failure();
    entries.append(kInterchange, interchange);
  }
  if (succeeded(parser.parseOptionalKeyword(kParts))) {
    int64_t parts = 1;
    if (parser.parseLParen() || parser.parseInteger(parts) ||
        parser.parseRParen())
      return failure();
    entries.append(kParts, parser.getBuilder().getI64IntegerAttr(parts));
  }
  if (succeeded(parser.parseOptionalKeyword(kMapping))) {
    if (parser.parseAttribute(mapping))
      return failure();
    entries.append(kMapping, mapping);
  }
  level = entries.getDictionary(parser.getContext());
  return success();
}

static ParseResult
parseLevels(OpAsmParser &parser, ArrayAttr &levels,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> *operands) {
  SmallVector<Attribute> parsed;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
        return parseTilingLevel(parser, parsed.emplace_back(), operands);
      }))
    return failure();
  levels = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static ParseResult parseTilingLevels(OpAsmParser &parser, ArrayAttr &levels) {
  return parseLevels(parser, levels, /*operands=*/nullptr);
}

static ParseResult parseTilingLevels(
    OpAsmParser &parser, ArrayAttr &levels,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &dynamicSizes) {
  return parseLevels(parser, levels, &dynamicSizes);
}

static void printTilingLevels(OpAsmPrinter &p, Operation *, ArrayAttr levels,
                              OperandRange dynamicSizes) {
  auto printInts = [&](ArrayRef<int64_t> values) {
    p << "(";
    llvm::interleaveComma(values, p, [&](int64_t value) {
      if (!ShapedType::isDynamic(value) || dynamicSizes.empty()) {
        p << value;
        return;
      }
      p << dynamicSizes.front();
      dynamicSizes = dynamicSizes.drop_front();
    });
    p << ")";
  };
  p << "[";
  llvm::interleaveComma(levels, p, [&](Attribute attr) {
    TilingLevel level = getTilingLevel(attr);
    p << stringify(level.kind);
    printInts(level.tileSizes);
    if (!level.interchange.empty()) {
      p << " interchange";
      printInts(level.interchange);
    }
    if (cast<DictionaryAttr>(attr).contains(kParts))
      p << " parts(" << level.parts << ")";
    if (!level.mapping.empty()) {
      p << " mapping [";
      llvm::interleaveComma(level.mapping, p);
      p << "]";
    }
  });
  p << "]";
}

static void printTilingLevels(OpAsmPrinter &p, Operation *op,
                              ArrayAttr levels) {
  printTilingLevels(p, op, levels,
                    OperandRange(op->getOperands().take_front(0)));
}

//===----------------------------------------------------------------------===//
// RaiseOp, ReducePartsOp, ReadPartsOp and DecomposeOp
//===----------------------------------------------------------------------===//

/// Returns a configuration in which handles follow ops that are replaced by ops
/// with other names.
static transform::TrackingListenerConfig getRenamingConfig() {
  transform::TrackingListenerConfig config;
  config.requireMatchingReplacementOpName = false;
  return config;
}

/// Runs `transform` on `target` with a listener that updates handles.
static DiagnosedSilenceableFailure applyInPlace(
    transform::TransformOpInterface op, Operation *target,
    transform::TransformState &state,
    llvm::function_ref<DiagnosedSilenceableFailure(RewriterBase &,
                                                   RewriterBase::Listener *)>
        transform) {
  DiagnosedSilenceableFailure check = verifyPayloadIsSeparate(op, target);
  if (!check.succeeded())
    return check;
  transform::TrackingListener listener(state, op, getRenamingConfig());
  IRRewriter rewriter(target->getContext(), &listener);
  return transform(rewriter, &listener);
}

/// The same, for a transformation that cannot fail.
static DiagnosedSilenceableFailure
applyInPlace(transform::TransformOpInterface op, Operation *target,
             transform::TransformState &state,
             llvm::function_ref<void(RewriterBase &, Operation *)> transform) {
  return applyInPlace(op, target, state,
                      [&](RewriterBase &rewriter, RewriterBase::Listener *) {
                        transform(rewriter, target);
                        return DiagnosedSilenceableFailure::success();
                      });
}

void transform::LinalgExtNormalizeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtNormalizeOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &state) {
  return applyInPlace(
      *this, target, state,
      [&](RewriterBase &,
          RewriterBase::Listener *listener) -> DiagnosedSilenceableFailure {
        if (!target->hasTrait<OpTrait::IsIsolatedFromAbove>())
          return refuse(*this, target,
                        "expected a payload op that is isolated from above");
        if (Operation *op = findEncodedTensor(target))
          return refuse(*this, op, "expected tensors without encodings");
        if (failed(normalizeProgram(target, listener)))
          return emitSilenceableError() << "the rewrites do not converge";
        return DiagnosedSilenceableFailure::success();
      });
}

void transform::LinalgExtRaiseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure
transform::LinalgExtRaiseOp::applyToOne(TransformRewriter &, Operation *target,
                                        ApplyToEachResultList &,
                                        TransformState &state) {
  return applyInPlace(*this, target, state,
                      [](RewriterBase &rewriter, Operation *target) {
                        raisePagedGathers(rewriter, target);
                        raiseOnlineReductions(rewriter, target);
                      });
}

void transform::LinalgExtReducePartsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtReducePartsOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &state) {
  return applyInPlace(*this, target, state,
                      [](RewriterBase &rewriter, Operation *target) {
                        reduceParts(rewriter, target);
                      });
}

void transform::LinalgExtReadPartsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtReadPartsOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &state) {
  return applyInPlace(*this, target, state,
                      [](RewriterBase &rewriter, Operation *target) {
                        readParts(rewriter, target);
                      });
}

void transform::LinalgExtReturnLogSumExpOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::LinalgExtReturnLogSumExpOp::apply(TransformRewriter &rewriter,
                                             TransformResults &results,
                                             TransformState &state) {
  SmallVector<Operation *> computed;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto func = dyn_cast<func::FuncOp>(target);
    if (!func)
      return refuse(*this, target, describeOther("a 'func.func'", target));
    Refusal refusal;
    FailureOr<SmallVector<Value>> values =
        returnLogSumExp(rewriter, func, refusal);
    if (failed(values))
      return refuse(*this, target,
                    "cannot return the log-sum-exp: " + refusal.text);
    for (Value value : *values)
      computed.push_back(value.getDefiningOp());
  }
  results.set(cast<OpResult>(getLogSumExp()), computed);
  return DiagnosedSilenceableFailure::success();
}

void transform::LinalgExtRecomputeWeightsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::LinalgExtRecomputeWeightsOp::apply(
    TransformRewriter &rewriter, TransformResults &results,
    TransformState &state) {
  SmallVector<Operation *> rewritten;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto softmax = dyn_cast<SoftmaxOp>(target);
    if (!softmax)
      return refuse(*this, target,
                    describeOther("a 'linalg_ext.softmax'", target));
    WeightContractions found = findWeightContractions(softmax);
    if (found.keeping.empty())
      return refuse(*this, target,
                    "expected a contraction of the weights that keeps the "
                    "dimension which the softmax reduces, scores that a "
                    "contraction computes, and no other user that needs the "
                    "weights in memory");
    SmallVector<Operation *> contractions = std::move(found.keeping);
    llvm::append_range(contractions, found.second);
    llvm::sort(contractions, [](Operation *lhs, Operation *rhs) {
      return lhs != rhs && lhs->isBeforeInBlock(rhs);
    });
    recomputeWeights(rewriter, softmax, contractions);
    simplifySoftmaxOfState(rewriter, softmax);
    llvm::append_range(rewritten, contractions);
  }
  results.set(cast<OpResult>(getContractions()), rewritten);
  return DiagnosedSilenceableFailure::success();
}

void transform::LinalgExtDecomposeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  getInPlaceEffects(getTargetMutable(), effects);
}

DiagnosedSilenceableFailure transform::LinalgExtDecomposeOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &state) {
  return applyInPlace(
      *this, target, state,
      [&](RewriterBase &, RewriterBase::Listener *listener) {
        if (!target->hasTrait<OpTrait::IsIsolatedFromAbove>())
          return refuse(*this, target,
                        "expected a payload op that is isolated from above");
        if (failed(decomposeLinalgExtOps(target, listener)))
          return refuse(*this, target, "the decomposition does not converge");
        return DiagnosedSilenceableFailure::success();
      });
}

//===----------------------------------------------------------------------===//
// TileAndFuseOp
//===----------------------------------------------------------------------===//

/// Verifies the attributes that all ops that plan a fusion have.
template <typename OpTy>
static LogicalResult verifyFusionOptions(OpTy op, bool mayBeDynamic = false) {
  if (op.getLevels().empty())
    return op.emitOpError("expected at least one level of tiling, got none");
  for (auto [index, attr] : llvm::enumerate(op.getLevels()))
    if (failed(verifyTilingLevel(op, index, attr, mayBeDynamic)))
      return failure();
  std::string error;
  if (failed(parseNormalizationForm(op.getNormalization(), error)))
    return op.emitOpError("invalid 'normalization': ") << error;
  if (failed(parseExactness(op.getExactness(), error)))
    return op.emitOpError("invalid 'exactness': ") << error;
  if (failed(parseRecompute(op.getRecompute(), error)))
    return op.emitOpError("invalid 'recompute': ") << error;
  if (op.getRescaleElements() && !op.getRescaleThreshold())
    return op.emitOpError("expected 'rescale_threshold' with "
                          "'rescale_elements', got none");
  return success();
}

/// Returns the options that these attributes describe.
template <typename OpTy>
static TileAndFuseOptions getFusionOptions(OpTy op) {
  TileAndFuseOptions options;
  for (Attribute attr : op.getLevels())
    options.levels.push_back(getTilingLevel(attr));
  std::string error;
  options.normalization = *parseNormalizationForm(op.getNormalization(), error);
  if (std::optional<APFloat> threshold = op.getRescaleThreshold())
    options.rescaleThreshold = threshold->convertToDouble();
  options.exactness = *parseExactness(op.getExactness(), error);
  options.recompute = *parseRecompute(op.getRecompute(), error);
  options.fuseConsumers = op.getFuseConsumers();
  options.rescaleElements = op.getRescaleElements();
  options.rootAttrName = LinalgExtDialect::getRootAttrName();
  return options;
}

LogicalResult transform::LinalgExtTileAndFuseOp::verify() {
  if (failed(verifyFusionOptions(*this, /*mayBeDynamic=*/true)))
    return failure();
  unsigned numLoops = 0, numDynamic = 0;
  for (Attribute attr : getLevels()) {
    TilingLevel level = getTilingLevel(attr);
    numLoops += ::getNumLoops(level);
    numDynamic += llvm::count_if(level.tileSizes, ShapedType::isDynamic);
  }
  if (numDynamic != getDynamicSizes().size())
    return emitOpError("expected an operand for each of ")
           << numDynamic << " dynamic tile sizes, got "
           << getDynamicSizes().size();
  if (numLoops != getLoops().size())
    return emitOpError("expected ")
           << numLoops << " loop handles, one for each loop of the levels, got "
           << getLoops().size();
  return success();
}

void transform::LinalgExtTileAndFuseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getDynamicSizesMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

/// Returns the sizes that `operand` refers to: parameters, or values that
/// payload ops compute.
static DiagnosedSilenceableFailure
getDynamicSizes(transform::TransformOpInterface op, Value operand,
                transform::TransformState &state,
                SmallVectorImpl<OpFoldResult> &sizes) {
  if (isa<transform::TransformParamTypeInterface>(operand.getType())) {
    for (Attribute param : state.getParams(operand)) {
      auto size = dyn_cast<IntegerAttr>(param);
      if (!size || size.getInt() <= 0)
        return emitSilenceableFailure(op)
               << "expected positive tile sizes, got " << param;
      sizes.push_back(size);
    }
    return DiagnosedSilenceableFailure::success();
  }
  if (isa<transform::TransformValueHandleTypeInterface>(operand.getType())) {
    llvm::append_range(sizes, state.getPayloadValues(operand));
    return DiagnosedSilenceableFailure::success();
  }
  for (Operation *payload : state.getPayloadOps(operand)) {
    if (payload->getNumResults() != 1)
      return refuse(
          op, payload,
          "expected ops with one result as tile sizes, got one with " +
              Twine(payload->getNumResults()));
    sizes.push_back(payload->getResult(0));
  }
  return DiagnosedSilenceableFailure::success();
}

/// Sets the dynamic sizes in `options` to those for root `index`.
static void setDynamicSizes(TileAndFuseOptions &options,
                            ArrayRef<SmallVector<OpFoldResult>> sizes,
                            unsigned index) {
  for (TilingLevel &level : options.levels)
    for (int64_t &size : level.tileSizes) {
      if (!ShapedType::isDynamic(size))
        continue;
      OpFoldResult given =
          sizes.front().size() == 1 ? sizes.front()[0] : sizes.front()[index];
      sizes = sizes.drop_front();
      if (auto value = dyn_cast<Value>(given))
        level.dynamicSizes.push_back(value);
      else
        size = cast<IntegerAttr>(cast<Attribute>(given)).getInt();
    }
}

DiagnosedSilenceableFailure
transform::LinalgExtTileAndFuseOp::apply(TransformRewriter &rewriter,
                                         TransformResults &results,
                                         TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value operand : getDynamicSizes()) {
    DiagnosedSilenceableFailure found =
        ::getDynamicSizes(*this, operand, state, sizes.emplace_back());
    if (!found.succeeded())
      return found;
    if (sizes.back().size() != 1 && sizes.back().size() != targets.size())
      return emitSilenceableError()
             << "expected one tile size for all roots or one for each of "
             << targets.size() << ", got " << sizes.back().size();
  }
  SmallVector<Operation *> roots;
  SmallVector<SmallVector<Operation *>> loops(getLoops().size());
  // The state drops ops that the fusion of an earlier root has erased.
  for (Operation *target : state.getPayloadOps(getTarget())) {
    TileAndFuseOptions options = getFusionOptions(*this);
    setDynamicSizes(options, sizes,
                    llvm::find(targets, target) - targets.begin());
    Refusal refusal;
    Location loc = target->getLoc();
    FailureOr<FusionPlan> plan = planTileAndFuse(target, options, refusal);
    if (succeeded(plan))
      plan = dryRunFusionPlan(*plan, refusal);
    FailureOr<TileAndFuseResult> result = failure();
    if (failed(plan))
      emitRefusalRemark(target, refusal);
    else
      result = applyCheckedPlan(rewriter, *plan, refusal);
    if (failed(result)) {
      DiagnosedSilenceableFailure diag =
          emitSilenceableError() << "cannot tile and fuse: " << refusal.text;
      diag.attachNote(loc) << "root";
      return diag;
    }
    roots.push_back(result->root);
    for (auto [handle, loop] : llvm::zip_equal(loops, result->loops))
      handle.push_back(loop);
  }
  results.set(cast<OpResult>(getTiledRoot()), roots);
  for (auto [result, payload] : llvm::zip_equal(getLoops(), loops))
    results.set(cast<OpResult>(result), payload);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// TightenLoopBoundsOp
//===----------------------------------------------------------------------===//

void transform::LinalgExtTightenLoopBoundsOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::LinalgExtTightenLoopBoundsOp::apply(TransformRewriter &rewriter,
                                               TransformResults &results,
                                               TransformState &state) {
  TightenLoopBoundsOptions options;
  options.splitFullBlocks = getSplitFullBlocks();
  SmallVector<Operation *> tightened, full;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto loop = dyn_cast<scf::ForOp>(target);
    if (!loop)
      return refuse(*this, target,
                    "cannot tighten bounds: " +
                        describeOther("'scf.for'", target));
    Refusal refusal;
    FailureOr<TightenedLoop> result =
        tightenLoopBounds(rewriter, loop, options, refusal);
    if (failed(result))
      return refuse(*this, target, "cannot tighten bounds: " + refusal.text);
    llvm::append_range(tightened, result->loops);
    llvm::append_range(full, result->full);
  }
  results.set(cast<OpResult>(getTightened()), tightened);
  results.set(cast<OpResult>(getFull()), full);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// VectorizeTilesOp
//===----------------------------------------------------------------------===//

LogicalResult transform::LinalgExtVectorizeTilesOp::verify() {
  // The accessors have no sign.
  int64_t maxElements = getMaxElements(), multipleOf = getMultipleOf();
  if (maxElements < 1 || multipleOf < 1)
    return emitOpError("expected positive max_elements and multiple_of, got ")
           << maxElements << " and " << multipleOf;
  return success();
}

void transform::LinalgExtVectorizeTilesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::LinalgExtVectorizeTilesOp::apply(TransformRewriter &rewriter,
                                            TransformResults &results,
                                            TransformState &state) {
  VectorizeTilesOptions options;
  options.maxElements = getMaxElements();
  options.multipleOf = getMultipleOf();
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto forall = dyn_cast<scf::ForallOp>(target);
    if (!forall)
      return refuse(*this, target,
                    "cannot vectorize tiles: " +
                        describeOther("'scf.forall'", target));
    if (failed(vectorizeTiles(rewriter, forall, options)))
      return DiagnosedSilenceableFailure::definiteFailure();
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ExplainFusionOp
//===----------------------------------------------------------------------===//

LogicalResult transform::LinalgExtExplainFusionOp::verify() {
  if (failed(verifyFusionOptions(*this)))
    return failure();
  if (int64_t size = getDynamicSize(); size <= 0)
    return emitOpError("expected a positive dynamic_size, got ") << size;
  if (getFormat() != "text" && getFormat() != "json")
    return emitOpError("expected format \"text\" or \"json\", got ")
           << getFormatAttr();
  return success();
}

void transform::LinalgExtExplainFusionOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure transform::LinalgExtExplainFusionOp::apply(
    TransformRewriter &, TransformResults &, TransformState &state) {
  ExplainFusionOptions options;
  options.fusion = getFusionOptions(*this);
  options.cost = getFusionCostOptions();
  options.cost.dynamicSize = getDynamicSize();
  if (getFormat() == "json")
    options.format = ExplanationFormat::JSON;
  explainFusion(llvm::errs(), llvm::to_vector(state.getPayloadOps(getTarget())),
                options);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// FissionForallOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure transform::LinalgExtFissionForallOp::applyToOne(
    TransformRewriter &rewriter, Operation *target,
    ApplyToEachResultList &results, TransformState &) {
  auto inner = dyn_cast<scf::ForallOp>(target);
  if (!inner)
    return refuse(*this, target,
                  "cannot distribute the loop around: " +
                      describeOther("'scf.forall'", target));
  Refusal refusal;
  FailureOr<ForallFissionResult> fission =
      fissionForall(rewriter, inner, refusal);
  if (failed(fission))
    return refuse(*this, target,
                  "cannot distribute the loop around: " + refusal.text);
  results.push_back(fission->pairs);
  results.push_back(fission->outer);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
transform::LinalgExtOrderWorkgroupsByWorkOp::applyToOne(
    TransformRewriter &rewriter, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto forall = dyn_cast<scf::ForallOp>(target);
  if (!forall)
    return refuse(*this, target, describeOther("'scf.forall'", target));
  (void)orderWorkgroupsByWork(rewriter, forall);
  return DiagnosedSilenceableFailure::success();
}

void transform::LinalgExtOrderWorkgroupsByWorkOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// TileToThreadsOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure transform::LinalgExtTileToThreadsOp::applyToOne(
    TransformRewriter &rewriter, Operation *target,
    ApplyToEachResultList &results, TransformState &) {
  auto op = dyn_cast<linalg::LinalgOp>(target);
  if (!op)
    return refuse(*this, target,
                  "cannot be cut into pieces: " +
                      describeOther("a structured op", target));
  TileToThreadsOptions options;
  options.minWork = getMinWork();
  options.rows = getRows();
  options.columns = getColumns();
  Refusal refusal;
  FailureOr<scf::ForallOp> loop = tileToThreads(rewriter, op, options, refusal);
  if (failed(loop))
    return refuse(*this, target, "cannot be cut into pieces: " + refusal.text);
  results.push_back(*loop);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ShareTemporariesOp
//===----------------------------------------------------------------------===//

void transform::LinalgExtShareTemporariesOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure transform::LinalgExtShareTemporariesOp::applyToOne(
    TransformRewriter &, Operation *target, ApplyToEachResultList &,
    TransformState &) {
  auto func = dyn_cast<func::FuncOp>(target);
  if (!func)
    return refuse(*this, target,
                  "has no temporaries: " + describeOther("a 'func.func'", target));
  ShareTemporariesOptions options;
  options.alignment = getAlignment();
  shareTemporaries(func, options);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void transform::LinalgExtApplyFoldReshapesPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFoldReshapesPatterns(patterns);
}

void transform::LinalgExtApplyFoldTransposePatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFoldTransposePatterns(patterns);
}

void transform::LinalgExtApplySplitSumsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateSplitSumsPatterns(patterns);
}

void transform::LinalgExtApplyFuseDequantizationPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFuseDequantizationPatterns(patterns);
}

void transform::LinalgExtApplyUnpackElementsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateUnpackElementsPatterns(patterns);
}

void transform::LinalgExtApplySplitWordsPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateSplitWordsPatterns(patterns);
}

void transform::LinalgExtApplyScaleAfterContractionPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateScaleAfterContractionPatterns(patterns);
}

void transform::LinalgExtApplyFactorOutOfMaxPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFactorOutOfMaxPatterns(patterns);
}

void transform::LinalgExtApplyTransposeTilesPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateTransposeTilesPatterns(patterns, getMinLanes());
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class LinalgExtTransformDialectExtension
    : public transform::TransformDialectExtension<
          LinalgExtTransformDialectExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(
      LinalgExtTransformDialectExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<bufferization::BufferizationDialect>();
    declareGeneratedDialect<func::FuncDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<LinalgExtDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<shard::ShardDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.cpp.inc"
        >();
  }
};
} // namespace

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/LinalgExt/TransformOps/LinalgExtTransformOps.cpp.inc"

void mlir::linalg_ext::registerTransformDialectExtension(
    DialectRegistry &registry) {
  registry.addExtensions<LinalgExtTransformDialectExtension>();
}
