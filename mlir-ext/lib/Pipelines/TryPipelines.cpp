//===- TryPipelines.cpp - The first pipeline that succeeds ----------------===//
//
// A pipeline that does not support every program needs a fallback. Whether it
// supports a program is known only after it has run. This pass therefore runs
// each pipeline on a copy.
//
//   1. Compile each function that no other symbol refers to, and that refers to
//      none, on its own. Compile all other functions together.
//   2. Take the result of the first pipeline that succeeds. Run one that fails
//      again if it has recorded which kernels it cannot compile as it chose.
//   3. Emit the diagnostics of that pipeline, and the reason why the first one
//      failed, or why it compiles a kernel in another way.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Pipelines/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-try-pipelines"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTTRYPIPELINESPASS
#include "mlir-ext/Pipelines/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `func` can be compiled alone: it has a body and refers to no
/// symbol, and no symbol refers to it.
static bool isIndependent(func::FuncOp func, ModuleOp module) {
  if (func.isExternal())
    return false;
  std::optional<SymbolTable::UseRange> used =
      SymbolTable::getSymbolUses(&func.getBody());
  return used && used->empty() &&
         SymbolTable::symbolKnownUseEmpty(func, module);
}

namespace {
struct LinalgExtTryPipelinesPass
    : public linalg_ext::impl::LinalgExtTryPipelinesPassBase<
          LinalgExtTryPipelinesPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    for (const OpPassManager &pipeline : pipelines)
      pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> functions, others;
    for (Operation &op : *module.getBody()) {
      auto func = dyn_cast<func::FuncOp>(op);
      if (func && isIndependent(func, module))
        functions.push_back(func);
      else
        others.push_back(&op);
    }
    // 1. Compile the functions that can be compiled alone.
    for (Operation *func : functions)
      if (failed(compile(func)))
        return signalPassFailure();
    // 2. Compile all other ops, if there are functions among them.
    if (llvm::any_of(others, [](Operation *op) {
          auto func = dyn_cast<func::FuncOp>(op);
          return func && !func.isExternal();
        }))
      if (failed(compile(others)))
        return signalPassFailure();
  }

private:
  LogicalResult compile(ArrayRef<Operation *> unit);
};
} // namespace

/// Returns whether `after` has a mark that `before` does not have, and for
/// which `matches` is true.
static bool
refuses(ArrayAttr after, ArrayAttr before,
        llvm::function_ref<bool(const vector_ext::KernelMark &)> matches) {
  return llvm::any_of(after, [&](Attribute attr) {
    auto mark = vector_ext::parseKernelMark(attr);
    return mark && matches(*mark) &&
           !(before && llvm::is_contained(before, attr));
  });
}

/// Whether a kernel may lose asynchronous products. Fewer slots do not count,
/// since they only make a kernel fit.
static bool refusesWay(const vector_ext::KernelMark &mark) {
  return mark.way != vector_ext::ProductWay::Sync && mark.slots == 0;
}

/// Whether a kernel will have small tiles.
static bool refusesTiles(const vector_ext::KernelMark &mark) {
  return mark.way == vector_ext::ProductWay::Sync && mark.number >= 0;
}

/// Moves the contents of `from` into `module`, in place of `unit`.
static void replaceUnit(ModuleOp module, ModuleOp from,
                        ArrayRef<Operation *> unit) {
  Operation *next = unit.back()->getNextNode();
  for (Operation *op : unit)
    op->erase();
  // New symbols may have the same names as others.
  SymbolTable taken(module), symbols(from);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    if (auto symbol = dyn_cast<SymbolOpInterface>(op);
        symbol && taken.lookup(symbol.getName()))
      (void)symbols.renameToUnique(&op, {&taken});
    if (next)
      op.moveBefore(next);
    else
      op.moveBefore(module.getBody(), module.getBody()->end());
  }
}

LogicalResult LinalgExtTryPipelinesPass::compile(ArrayRef<Operation *> unit) {
  ModuleOp module = getOperation();
  OpBuilder builder(module.getContext());
  // The reasons why each pipeline failed, and why a kernel differs from the
  // first choice. The first reason is the one that the user can change: the
  // other pipelines are fallbacks.
  SmallVector<std::string> reasons, otherWays, smallTiles;
  std::string refusedName = vector_ext::getRefusedAttrName();
  // The kernels that the pipeline cannot compile in the chosen way.
  ArrayAttr refused;
  for (size_t i = 0; i < pipelines.size();) {
    // The copy is in the module, where passes may look for symbols.
    builder.setInsertionPointToEnd(module.getBody());
    auto copy = ModuleOp::create(builder, module.getLoc());
    copy->setAttrs(module->getDiscardableAttrDictionary());
    if (refused)
      copy->setAttr(refusedName, refused);
    builder.setInsertionPointToStart(copy.getBody());
    for (Operation *op : unit)
      builder.clone(*op);

    std::vector<Diagnostic> said;
    OpPassManager pipeline = pipelines[i];
    LogicalResult result = success();
    {
      ScopedDiagnosticHandler handler(module.getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        said.push_back(std::move(diagnostic));
                                        return success();
                                      });
      result = runPipeline(pipeline, copy);
      // If no verifier runs after each pass, this is the last chance to fall
      // back.
      if (succeeded(result))
        result = verify(copy);
    }
    auto after = copy->getAttrOfType<ArrayAttr>(refusedName);
    bool runsAgain = failed(result) && after && after != refused;
    bool isLast = !runsAgain && i + 1 == pipelines.size();
    if (report && (succeeded(result) || isLast)) {
      Location loc = unit.front()->getLoc();
      if (i > 0)
        emitRemark(loc) << "falls back: " << reasons.front();
      else if (!smallTiles.empty())
        emitRemark(loc) << "falls back to small tiles in one kernel or more: "
                        << smallTiles.front();
      else if (!otherWays.empty())
        emitRemark(loc) << "multiplies in another way: " << otherWays.front();
    }
    if (succeeded(result))
      replaceUnit(module, copy, unit);
    else
      copy.erase();
    if (succeeded(result) || isLast) {
      DiagnosticEngine &engine = module.getContext()->getDiagEngine();
      for (Diagnostic &diagnostic : said)
        engine.emit(std::move(diagnostic));
      return result;
    }
    auto error = llvm::find_if(said, [](const Diagnostic &diagnostic) {
      return diagnostic.getSeverity() == DiagnosticSeverity::Error;
    });
    std::string reason =
        error == said.end() ? "a pass failed without an error" : error->str();
    LDBG() << "attempt " << i << " failed: " << reason;
    reasons.push_back(reason);
    if (runsAgain) {
      if (refuses(after, refused, refusesWay))
        otherWays.push_back(reason);
      if (refuses(after, refused, refusesTiles))
        smallTiles.push_back(reason);
      refused = after;
      continue;
    }
    refused = {};
    smallTiles.clear();
    ++i;
  }
  return success();
}
