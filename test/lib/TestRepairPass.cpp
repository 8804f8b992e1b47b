//===- TestRepairPass.cpp - Repairs as functions --------------------------===//
//
// Emits what tile-and-fuse builds of a repair as functions of its own, for
// unittests/Fusion/Apply/RepairContractTest.cpp to run on states of its choice.
//
//===----------------------------------------------------------------------===//

#include "BuildRepair.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
struct TestRepairPass
    : public PassWrapper<TestRepairPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRepairPass)
  TestRepairPass() = default;
  TestRepairPass(const TestRepairPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-linalg-ext-repair"; }
  StringRef getDescription() const final {
    return "Emit, for online reduction number i of the module, the functions "
           "@step_i (the op on one tile: its operands to its results), "
           "@repair_i (old and new state to rho), @combine_i (two states to "
           "one) and, if delayed, @finish_i (a state to its final repair); "
           "with "
           "levels, for factor j of repair i of the plan, @factor_i_j (old and "
           "new source to rho)";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                math::MathDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override;

  Option<std::string> levels{*this, "levels",
                             llvm::cl::desc("Loops, outermost first")};
  Option<std::string> normalization{
      *this, "normalization", llvm::cl::init("delayed"),
      llvm::cl::desc("When results are normalised: eager or delayed")};

private:
  using Body =
      function_ref<FailureOr<SmallVector<Value>>(OpBuilder &, ValueRange)>;
  void emit(const Twine &name, ArrayRef<Type> inputs, Body body);
  LogicalResult emitOnline(OnlineReductionOpInterface op, unsigned index,
                           NormalizationForm form);
  LogicalResult emitFactors(const TileAndFuseOptions &options);
};
} // namespace

/// Emits a function of `inputs` that returns what `body` builds from them.
/// Nothing is emitted if that fails.
void TestRepairPass::emit(const Twine &name, ArrayRef<Type> inputs, Body body) {
  OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
  Location loc = getOperation().getLoc();
  auto func =
      func::FuncOp::create(b, loc, name.str(), b.getFunctionType(inputs, {}));
  Block *block = func.addEntryBlock();
  b.setInsertionPointToStart(block);
  FailureOr<SmallVector<Value>> results = body(b, block->getArguments());
  if (failed(results))
    return func.erase();
  func::ReturnOp::create(b, loc, *results);
  func.setFunctionType(b.getFunctionType(
      inputs, llvm::to_vector(ValueRange(*results).getTypes())));
}

LogicalResult TestRepairPass::emitOnline(OnlineReductionOpInterface online,
                                         unsigned index,
                                         NormalizationForm form) {
  OwningOpRef<Operation *> op = online->clone();
  auto tile = cast<OnlineReductionOpInterface>(*op);
  tile.setOnline(true);
  if (!tile.supportsNormalization(form))
    return online->emitError("does not support the form asked for");
  if (failed(tile.setNormalization(form)))
    return failure();
  Location loc = online.getLoc();
  SmallVector<Type> operandTypes(online->getOperandTypes()), state, states;
  for (unsigned number : online.getStateResults())
    state.push_back(online->getResult(number).getType());
  states.append(state);
  states.append(state);
  size_t size = state.size();

  emit("step_" + Twine(index), operandTypes,
       [&](OpBuilder &b, ValueRange args) -> FailureOr<SmallVector<Value>> {
         Operation *copy = b.clone(**op);
         copy->setOperands(args);
         return llvm::to_vector_of<Value>(copy->getResults());
       });
  auto single = [](FailureOr<Value> value) -> FailureOr<SmallVector<Value>> {
    if (failed(value))
      return failure();
    return SmallVector<Value>{*value};
  };
  emit("repair_" + Twine(index), states, [&](OpBuilder &b, ValueRange args) {
    return single(tile.buildStateRepair(b, loc, args.take_front(size),
                                        args.drop_front(size)));
  });
  emit("combine_" + Twine(index), states, [&](OpBuilder &b, ValueRange args) {
    return tile.buildCombine(b, loc, args.take_front(size),
                             args.drop_front(size));
  });
  if (form == NormalizationForm::Delayed)
    emit("finish_" + Twine(index), state, [&](OpBuilder &b, ValueRange args) {
      return single(tile.buildFinalRepair(b, loc, args));
    });
  return success();
}

LogicalResult TestRepairPass::emitFactors(const TileAndFuseOptions &options) {
  for (Operation *root :
       findFusionRoots(getOperation(), options.rootAttrName)) {
    Refusal refusal;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
    if (failed(plan))
      return root->emitError(refusal.text);
    for (auto [i, repair] : llvm::enumerate(plan->repairs))
      for (auto [j, factor] : llvm::enumerate(repair.factors)) {
        if (factor.measure == Measure::Given)
          continue;
        Type type = factor.source->getResult(factor.resultNumber).getType();
        emit("factor_" + Twine(i) + "_" + Twine(j), {type, type},
             [&, &factor = factor](OpBuilder &b, ValueRange args)
                 -> FailureOr<SmallVector<Value>> {
               // Sizes are asked for behind reshapes alone.
               Value accumulated = tensor::EmptyOp::create(
                   b, root->getLoc(), ArrayRef<int64_t>(), b.getF32Type());
               return SmallVector<Value>{buildRepair(b, root->getLoc(), factor,
                                                     args[0], args[1],
                                                     accumulated)
                                             .rho};
             });
      }
  }
  return success();
}

void TestRepairPass::runOnOperation() {
  TileAndFuseOptions options;
  std::string reason;
  FailureOr<NormalizationForm> form =
      parseNormalizationForm(normalization, reason);
  if (failed(form) ||
      failed(parseTilingLevels(levels, options.levels, reason))) {
    emitError(UnknownLoc::get(&getContext())) << reason;
    return signalPassFailure();
  }
  options.normalization = *form;
  options.rootAttrName = LinalgExtDialect::getRootAttrName();
  if (!options.levels.empty() && failed(emitFactors(options)))
    return signalPassFailure();
  SmallVector<OnlineReductionOpInterface> ops;
  getOperation().walk(
      [&](OnlineReductionOpInterface op) { ops.push_back(op); });
  for (auto [index, op] : llvm::enumerate(ops))
    if (failed(emitOnline(op, index, *form)))
      return signalPassFailure();
}

namespace mlir::linalg_ext::test {
void registerTestRepairPass() { PassRegistration<TestRepairPass>(); }
} // namespace mlir::linalg_ext::test
