//===- AnnotateSharding.cpp - Annotate arguments and results --------------===//
//
// Writes the shard.shard ops of a function from a line of text, so that
// programs of importers need no change.
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"
#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
/// The axes along which each dimension of a tensor is cut, and the dimensions
/// along which its parts travel around a ring.
struct TensorAnnotation {
  ShardingArray axes;
  SmallVector<int64_t> ringDims;
};

struct Annotation {
  SmallVector<int64_t> grid;
  /// The axes along which parts are stripes.
  SmallVector<GridAxis> striped;
  SmallVector<TensorAnnotation> arguments, results;
};
} // namespace

/// Parses `[[0]], [[], ring [1]]`: the axes of several tensors.
static LogicalResult parseTensors(StringRef text, MLIRContext *context,
                                  bool mayBeRings,
                                  SmallVector<TensorAnnotation> &tensors,
                                  std::string &error) {
  // Rewrite the text so that the attribute parser accepts it: `[[0]], [[],
  // "ring", [1]]`.
  std::string list;
  StringRef rest = text;
  while (!rest.empty()) {
    if (rest.consume_front("ring")) {
      list += "\"ring\",";
      continue;
    }
    list += rest.front();
    rest = rest.drop_front();
  }
  // The parser would print to standard error.
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  auto attribute =
      dyn_cast_or_null<ArrayAttr>(parseAttribute("[" + list + "]", context));
  auto refuse = [&] {
    error =
        "expected lists of lists of axes, such as '[[0]], [[], [1]]', got '" +
        text.trim().str() + "'";
    return failure();
  };
  if (!attribute)
    return refuse();
  for (Attribute each : attribute) {
    auto dims = dyn_cast<ArrayAttr>(each);
    if (!dims)
      return refuse();
    TensorAnnotation &tensor = tensors.emplace_back();
    bool isRing = false;
    for (Attribute dim : dims) {
      auto word = dyn_cast<StringAttr>(dim);
      if (word && word.getValue() == "ring" && !isRing) {
        isRing = true;
        if (mayBeRings)
          continue;
        error = "expected 'ring' in arguments only, got '" + text.trim().str() +
                "'";
        return failure();
      }
      auto axes = dyn_cast<ArrayAttr>(dim);
      if (!axes)
        return refuse();
      SmallVector<GridAxis> &list = tensor.axes.emplace_back();
      for (Attribute axis : axes) {
        auto number = dyn_cast<IntegerAttr>(axis);
        if (!number || number.getInt() < 0 || number.getInt() > INT16_MAX)
          return refuse();
        list.push_back(number.getInt());
      }
      if (isRing)
        tensor.ringDims.push_back(tensor.axes.size() - 1);
      isRing = false;
    }
    if (isRing)
      return refuse();
  }
  return success();
}

/// Parses `2x2 striped: [[0]], [[], [1]] -> [[0]]`.
static FailureOr<Annotation>
parseAnnotation(StringRef text, MLIRContext *context, std::string &error) {
  Annotation annotation;
  auto [grid, tensors] = text.split(':');
  SmallVector<StringRef> sizes;
  grid.trim().split(sizes, 'x');
  for (StringRef size : sizes) {
    int64_t number;
    StringRef digits = size.trim();
    if (digits.consume_back("striped"))
      annotation.striped.push_back(annotation.grid.size());
    if (digits.trim().getAsInteger(10, number) || number < 1) {
      error = "expected the shape of a grid, such as '2x4', before ':', got '" +
              grid.trim().str() + "'";
      return failure();
    }
    annotation.grid.push_back(number);
  }
  size_t arrow = tensors.find("->");
  if (arrow == StringRef::npos) {
    error = "expected '->' between arguments and results, got '" +
            tensors.trim().str() + "'";
    return failure();
  }
  if (failed(parseTensors(tensors.take_front(arrow), context,
                          /*mayBeRings=*/true, annotation.arguments, error)) ||
      failed(parseTensors(tensors.drop_front(arrow + 2), context,
                          /*mayBeRings=*/false, annotation.results, error)))
    return failure();
  return annotation;
}

static Value annotate(ImplicitLocOpBuilder &b, Value value, GridOp grid,
                      ArrayRef<SmallVector<GridAxis>> axes, bool forUsers) {
  // There is one list for each dimension. sharding-propagation treats a tensor
  // without lists as one without any annotation.
  SmallVector<GridAxesAttr> splitAxes(
      cast<RankedTensorType>(value.getType()).getRank(),
      GridAxesAttr::get(b.getContext(), {}));
  for (auto [attribute, dim] : llvm::zip(splitAxes, axes))
    attribute = GridAxesAttr::get(b.getContext(), dim);
  Value sharding = ShardingOp::create(
      b, FlatSymbolRefAttr::get(grid.getSymNameAttr()), splitAxes);
  auto shardOp = ShardOp::create(b, value.getType(), value, sharding);
  shardOp.setAnnotateForUsers(forUsers);
  return shardOp;
}

/// Records the axes of the arguments at `grid`, if there are any.
static void noteArgumentAxes(GridOp grid,
                             ArrayRef<TensorAnnotation> arguments) {
  MLIRContext *context = grid.getContext();
  bool hasAxes = false;
  SmallVector<Attribute> lists;
  for (const TensorAnnotation &argument : arguments) {
    SmallVector<Attribute> dims;
    for (ArrayRef<GridAxis> axes : argument.axes) {
      hasAxes |= !axes.empty();
      dims.push_back(GridAxesAttr::get(context, axes));
    }
    lists.push_back(ArrayAttr::get(context, dims));
  }
  if (hasAxes)
    grid->setAttr(kArgumentAxesAttrName, ArrayAttr::get(context, lists));
}

/// Moves numbers that payloads read from outside into the payloads, together
/// with the ops that compute them. Upstream's models of arith ops support only
/// tensors. (Sizes of tensors stay outside. linalg-ext-complete-sharding moves
/// the others out again.)
static void sinkNumbers(func::FuncOp function) {
  function.walk([](linalg::LinalgOp op) {
    llvm::SetVector<Value> captured;
    bool isChanged = true;
    while (isChanged) {
      isChanged = false;
      captured.clear();
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      for (Value value : captured) {
        Operation *source = value.getDefiningOp();
        if (!source || !isa<arith::ArithDialect>(source->getDialect()) ||
            source->hasTrait<OpTrait::ConstantLike>() ||
            !value.getType().isIntOrIndexOrFloat())
          continue;
        OpBuilder b = OpBuilder::atBlockBegin(op.getBlock());
        Value sunk = b.clone(*source)->getResult(
            cast<OpResult>(value).getResultNumber());
        value.replaceUsesWithIf(sunk, [&](OpOperand &use) {
          return op->isProperAncestor(use.getOwner());
        });
        if (isOpTriviallyDead(source))
          source->erase();
        isChanged = true;
      }
    }
  });
}

/// Replaces uninitialised tensors with dynamic sizes by
/// bufferization.alloc_tensor, because upstream's propagation would annotate
/// the sizes of tensor.empty.
static void replaceDynamicEmpty(func::FuncOp function) {
  function.walk([](tensor::EmptyOp op) {
    if (op.getType().hasStaticShape())
      return;
    OpBuilder b(op);
    Value alloc = bufferization::AllocTensorOp::create(
        b, op.getLoc(), op.getType(), op.getDynamicSizes());
    op.replaceAllUsesWith(alloc);
    op.erase();
  });
}

LogicalResult mlir::linalg_ext::prepareForPropagation(ModuleOp module) {
  // Upstream's propagation emits an error at such an op, and succeeds.
  WalkResult walk = module.walk([](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics())
      return WalkResult::advance();
    op->emitOpError() << "expected tensors, which can be cut among processes, "
                         "got "
                      << llvm::to_vector(op->getOperandTypes());
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    sinkNumbers(function);
    replaceDynamicEmpty(function);
  }
  return success();
}

LogicalResult mlir::linalg_ext::annotateSharding(ModuleOp module,
                                                 StringRef text) {
  std::string error;
  FailureOr<Annotation> annotation =
      parseAnnotation(text, module.getContext(), error);
  if (failed(annotation))
    return module.emitError() << "invalid sharding: " << error;

  // Report all errors before changing anything.
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    auto checkTypes = [&](TypeRange types, ArrayRef<TensorAnnotation> shardings,
                          StringRef what) -> LogicalResult {
      if (types.size() != shardings.size())
        return function.emitError()
               << "expected a sharding for each " << what << ", "
               << types.size() << ", got " << shardings.size();
      for (auto [number, type, sharding] : llvm::enumerate(types, shardings)) {
        auto tensorType = dyn_cast<RankedTensorType>(type);
        int64_t rank = tensorType ? tensorType.getRank() : 0;
        if (static_cast<int64_t>(sharding.axes.size()) > rank)
          return function.emitError()
                 << "expected axes for at most " << rank << " dimensions of "
                 << what << " " << number << ", which is of type " << type
                 << ", got " << sharding.axes.size();
      }
      return success();
    };
    if (!function.getBody().hasOneBlock())
      return function.emitError()
             << "expected one block, got " << function.getBlocks().size();
    if (failed(checkTypes(function.getArgumentTypes(), annotation->arguments,
                          "argument")) ||
        failed(checkTypes(function.getResultTypes(), annotation->results,
                          "result")))
      return failure();
    functions.push_back(function);
  }

  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(module.getBody());
  SymbolTable symbols(module);
  auto grid = GridOp::create(b, module.getLoc(), "grid", annotation->grid);
  symbols.insert(grid);
  if (!annotation->striped.empty())
    grid->setAttr(kStripedAttrName,
                  b.getDenseI16ArrayAttr(annotation->striped));
  noteArgumentAxes(grid, annotation->arguments);
  for (func::FuncOp function : functions) {
    Operation *end = function.getBody().front().getTerminator();
    ImplicitLocOpBuilder before(function.getLoc(), function.getContext());
    before.setInsertionPoint(end);
    for (auto [operand, tensor] :
         llvm::zip_equal(end->getOpOperands(), annotation->results))
      if (isa<RankedTensorType>(operand.get().getType()))
        operand.set(annotate(before, operand.get(), grid, tensor.axes, false));
    before.setInsertionPointToStart(&function.getBody().front());
    for (auto [argument, tensor] :
         llvm::zip_equal(function.getArguments(), annotation->arguments)) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.getRank() == 0)
        continue;
      Value annotated = annotate(before, argument, grid, tensor.axes,
                                 tensor.ringDims.empty());
      Operation *first = annotated.getDefiningOp();
      if (!tensor.ringDims.empty()) {
        // The program reads the whole tensor, for which the travelling parts
        // stand.
        function.setArgAttr(argument.getArgNumber(), kRingAttrName,
                            before.getUnitAttr());
        ShardingArray whole = tensor.axes;
        for (int64_t dim : tensor.ringDims)
          whole[dim].clear();
        annotated = annotate(before, annotated, grid, whole, true);
      }
      argument.replaceAllUsesExcept(annotated, first);
    }
  }
  return success();
}
