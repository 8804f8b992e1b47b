//===- ReduceOps.cpp - Make a failing program small -----------------------===//
//
// Upstream's reduction-tree erases ops whose results are used, which leaves
// invalid IR, and needs patterns of dialects to do more. This pass knows no
// dialect: it replaces results by values that are not known (ub.poison), or by
// operands of the same type, in all ops, in halves, quarters, ..., and in single
// ops, as long as the test calls the program interesting. Upstream's Tester runs
// the test.
//
//===----------------------------------------------------------------------===//

#include "ReduceOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// What is done to one op
//===----------------------------------------------------------------------===//

namespace {
/// What takes the place of a result. A function that nobody calls is erased
/// (Unknown), returns what its results are computed from (Operand), or returns
/// nothing (Nothing); other ops are left alone then.
enum class Substitute { Unknown, Operand, Nothing };
} // namespace

/// A value of `type` that is not known, at the start of `block`.
static Value getUnknown(Block &block, Type type, Location loc) {
  for (Operation &op : block) {
    if (!isa<ub::PoisonOp>(op))
      break;
    if (op.getResult(0).getType() == type)
      return op.getResult(0);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  return ub::PoisonOp::create(builder, loc, type);
}

static bool isUsed(Operation *op) {
  Operation *scope = op->getParentOp();
  std::optional<SymbolTable::UseRange> uses =
      scope ? SymbolTable::getSymbolUses(op, scope) : std::nullopt;
  return !uses || !uses->empty();
}

/// Makes `func` return what its results are computed from, or nothing.
static void simplifyResults(func::FuncOp func, Substitute substitute) {
  auto end = func.getBody().hasOneBlock()
                 ? dyn_cast<func::ReturnOp>(func.front().getTerminator())
                 : func::ReturnOp();
  if (!end)
    return;
  llvm::SetVector<Value> values;
  if (substitute == Substitute::Operand)
    for (Value value : end.getOperands())
      if (Operation *op = value.getDefiningOp())
        values.insert_range(op->getOperands());
  values.remove_if([](Value value) {
    return isa<BlockArgument>(value) || value.getDefiningOp<ub::PoisonOp>();
  });
  end->setOperands(values.getArrayRef());
  (void)func.eraseResults(llvm::BitVector(func.getNumResults(), true));
  func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                 end->getOperandTypes()));
}

/// Erases `op` or makes it simpler.
static void simplify(Operation *op, Substitute substitute) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<ub::PoisonOp>(op))
    return;
  if (isa<SymbolOpInterface>(op)) {
    if (isUsed(op))
      return;
    auto func = dyn_cast<func::FuncOp>(op);
    if (substitute == Substitute::Unknown)
      op->erase();
    else if (func && !func.isExternal())
      simplifyResults(func, substitute);
    return;
  }
  if (substitute == Substitute::Nothing)
    return;
  for (OpResult result : op->getResults()) {
    auto isOfType = [&](Value value) {
      return value.getType() == result.getType();
    };
    auto operand = llvm::find_if(op->getOperands(), isOfType);
    if (result.use_empty())
      continue;
    if (substitute == Substitute::Operand && operand != op->operand_end())
      result.replaceAllUsesWith(*operand);
    else
      result.replaceAllUsesWith(
          getUnknown(*op->getBlock(), result.getType(), op->getLoc()));
  }
  op->erase();
}

/// Erases ops that do nothing and whose results nobody uses, and arguments of
/// functions.
static void eraseDeadOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (op != module && isOpTriviallyDead(op))
      op->erase();
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || isUsed(func))
      continue;
    llvm::BitVector unused(func.getNumArguments());
    for (BlockArgument arg : func.getArguments())
      unused[arg.getArgNumber()] = arg.use_empty();
    (void)func.eraseArguments(unused);
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// The ops in `module`, each before those that are nested in it.
static SmallVector<Operation *> getOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  return ops;
}

/// `module` with ops [begin, end) simplified, if that is valid, smaller than
/// `size`, and interesting; then `size` is its size.
static OwningOpRef<ModuleOp> tryRange(ModuleOp module, size_t begin, size_t end,
                                      Substitute substitute,
                                      const Tester &tester, size_t &size) {
  OwningOpRef<ModuleOp> copy = module.clone();
  SmallVector<Operation *> ops = getOps(*copy);
  // From the last to the first: those that are nested in others go first.
  for (size_t i = end; i > begin; --i)
    simplify(ops[i - 1], substitute);
  eraseDeadOps(*copy);
  // What is wrong with an attempt is of no interest.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  auto [interesting, newSize] = tester.isInteresting(*copy);
  if (interesting != Tester::Interestingness::True || newSize >= size)
    return nullptr;
  size = newSize;
  return copy;
}

/// Makes `module` smaller, and returns true, as long as the test says so.
static bool reduce(OwningOpRef<ModuleOp> &module, const Tester &tester,
                   size_t &size) {
  bool changed = false;
  for (size_t length = getOps(*module).size(); length > 0; length /= 2) {
    size_t end = getOps(*module).size();
    while (end > 0) {
      size_t begin = end > length ? end - length : 0;
      SmallVector<Operation *> ops = getOps(*module);
      bool anyFunction = llvm::any_of(
          ArrayRef(ops).slice(begin, end - begin),
          [](Operation *op) { return isa<func::FuncOp>(op); });
      OwningOpRef<ModuleOp> smaller;
      for (Substitute substitute :
           {Substitute::Unknown, Substitute::Operand, Substitute::Nothing})
        if (!smaller && (anyFunction || substitute != Substitute::Nothing))
          smaller = tryRange(*module, begin, end, substitute, tester, size);
      if (smaller) {
        module = std::move(smaller);
        changed = true;
      }
      end = std::min(begin, getOps(*module).size());
    }
  }
  return changed;
}

namespace {
struct ReduceOpsPass
    : public PassWrapper<ReduceOpsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceOpsPass)

  ReduceOpsPass() = default;
  ReduceOpsPass(const ReduceOpsPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "reduce-ops"; }
  StringRef getDescription() const override {
    return "Replace results by unknown values or operands, and erase ops, as "
           "long as the program is interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ub::UBDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::vector<std::string> arguments(testArgs.begin(), testArgs.end());
    Tester tester(test, arguments);
    auto [interesting, size] = tester.isInteresting(module);
    if (interesting != Tester::Interestingness::True) {
      module.emitError("expected a program that the test calls interesting "
                       "(exit status 1), got one that it does not");
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> best = module.clone();
    size_t bestSize = size;
    while (reduce(best, tester, bestSize)) {
    }
    module.getBodyRegion().takeBody(best->getBodyRegion());
  }

  Option<std::string> test{
      *this, "test",
      llvm::cl::desc("Program that gets the name of a file, and exits with 1 "
                     "if the program in it is interesting, otherwise with 0")};
  ListOption<std::string> testArgs{*this, "test-arg",
                                   llvm::cl::desc("Arguments of the test")};
};
} // namespace

void mlir::linalg_ext::registerReduceOpsPass() {
  PassRegistration<ReduceOpsPass>();
}
