//===- AnnotateSharding.cpp - Annotate arguments and results --------------===//
//
// Writes the shard.shard ops of a function from a line of text, so that programs
// of importers need no change.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTANNOTATESHARDINGPASS
#include "mlir-ext/Sharding/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
struct Annotation {
  SmallVector<int64_t> grid;
  /// For each argument and result, the axes of each dimension.
  SmallVector<ShardingArray> arguments, results;
};
} // namespace

/// Parses `[[0]], [[], [1]]`: the axes of some tensors.
static LogicalResult parseTensors(StringRef text, MLIRContext *context,
                                  SmallVector<ShardingArray> &tensors,
                                  std::string &error) {
  std::string list = ("[" + text + "]").str();
  // The parser would print to standard error.
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
  auto attribute = dyn_cast_or_null<ArrayAttr>(parseAttribute(list, context));
  auto refuse = [&] {
    error = "expected lists of lists of axes, such as '[[0]], [[], [1]]', got '" +
            text.trim().str() + "'";
    return failure();
  };
  if (!attribute)
    return refuse();
  for (Attribute tensor : attribute) {
    auto dims = dyn_cast<ArrayAttr>(tensor);
    if (!dims)
      return refuse();
    ShardingArray &axesOfDims = tensors.emplace_back();
    for (Attribute dim : dims) {
      auto axes = dyn_cast<ArrayAttr>(dim);
      if (!axes)
        return refuse();
      SmallVector<GridAxis> &list = axesOfDims.emplace_back();
      for (Attribute axis : axes) {
        auto number = dyn_cast<IntegerAttr>(axis);
        if (!number || number.getInt() < 0 || number.getInt() > INT16_MAX)
          return refuse();
        list.push_back(number.getInt());
      }
    }
  }
  return success();
}

/// Parses `2x2: [[0]], [[], [1]] -> [[0]]`.
static FailureOr<Annotation> parseAnnotation(StringRef text,
                                             MLIRContext *context,
                                             std::string &error) {
  Annotation annotation;
  auto [grid, tensors] = text.split(':');
  SmallVector<StringRef> sizes;
  grid.trim().split(sizes, 'x');
  for (StringRef size : sizes) {
    int64_t number;
    if (size.getAsInteger(10, number) || number < 1) {
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
                          annotation.arguments, error)) ||
      failed(parseTensors(tensors.drop_front(arrow + 2), context,
                          annotation.results, error)))
    return failure();
  return annotation;
}

static Value annotate(ImplicitLocOpBuilder &b, Value value, GridOp grid,
                      ArrayRef<SmallVector<GridAxis>> axes, bool forUsers) {
  // One list for each dimension: sharding-propagation takes a tensor with none as
  // one that says nothing about its ops.
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

LogicalResult mlir::linalg_ext::annotateSharding(ModuleOp module,
                                                 StringRef text) {
  std::string error;
  FailureOr<Annotation> annotation =
      parseAnnotation(text, module.getContext(), error);
  if (failed(annotation))
    return module.emitError() << "invalid sharding: " << error;

  // All errors first.
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    auto checkTypes = [&](TypeRange types, ArrayRef<ShardingArray> shardings,
                          StringRef what) -> LogicalResult {
      if (types.size() != shardings.size())
        return function.emitError()
               << "expected a sharding for each " << what << ", "
               << types.size() << ", got " << shardings.size();
      for (auto [number, type, sharding] : llvm::enumerate(types, shardings)) {
        auto tensorType = dyn_cast<RankedTensorType>(type);
        int64_t rank = tensorType ? tensorType.getRank() : 0;
        if (static_cast<int64_t>(sharding.size()) > rank)
          return function.emitError()
                 << "expected axes for at most " << rank << " dimensions of "
                 << what << " " << number << ", which is of type " << type
                 << ", got " << sharding.size();
      }
      return success();
    };
    if (!function.getBody().hasOneBlock())
      return function.emitError() << "expected one block, got "
                                  << function.getBlocks().size();
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
  for (func::FuncOp function : functions) {
    Operation *end = function.getBody().front().getTerminator();
    ImplicitLocOpBuilder before(function.getLoc(), function.getContext());
    before.setInsertionPoint(end);
    for (auto [operand, axes] :
         llvm::zip_equal(end->getOpOperands(), annotation->results))
      if (isa<RankedTensorType>(operand.get().getType()))
        operand.set(annotate(before, operand.get(), grid, axes, false));
    before.setInsertionPointToStart(&function.getBody().front());
    for (auto [argument, axes] :
         llvm::zip_equal(function.getArguments(), annotation->arguments)) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.getRank() == 0)
        continue;
      Value annotated = annotate(before, argument, grid, axes, true);
      argument.replaceAllUsesExcept(annotated, annotated.getDefiningOp());
    }
  }
  return success();
}

namespace {
struct AnnotateSharding
    : mlir::linalg_ext::impl::LinalgExtAnnotateShardingPassBase<
          AnnotateSharding> {
  using LinalgExtAnnotateShardingPassBase::LinalgExtAnnotateShardingPassBase;

  void runOnOperation() override {
    if (failed(annotateSharding(getOperation(), sharding)))
      signalPassFailure();
  }
};
} // namespace
