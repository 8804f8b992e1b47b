//===- RecomputeAfterLoops.cpp - Rematerialisation of addresses -----------===//
//
// A kernel computes addresses from its thread id. LLVM computes a common
// subexpression only once, so an address that is needed before and after a loop
// occupies registers in the loop. This step computes it again after the loop.
// It reads the thread id by inline assembly, so that LLVM cannot merge both
// computations.
//
// A loop may contain a loop that carries much: over tiles of classes, and over
// the features that scores are sums of. Then values are computed again where
// the outer loop begins, too, since LLVM would compute what does not change in
// front of it. What is loaded from constant memory in front of both, such as
// the class of each row, and needed after the inner one, is loaded again there.
//
// A role that computes tiles in a loop, and stores them through shared memory,
// computes the addresses of these stores again behind the products of a tile.
//
//===----------------------------------------------------------------------===//

#include "CarriedWords.h"
#include "RegisterWorkarounds.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Hardware registers that have been read again, with their names.
using RegistersReadAgain = llvm::DenseMap<Operation *, std::string>;

/// Whether loads may be repeated.
enum class Loads { Keep, Repeat };

/// Computes values again that were computed before one of `fronts`. These are
/// nested ops; the new values are built in the last one.
class Recomputation {
public:
  Recomputation(RewriterBase &rewriter, ArrayRef<Operation *> fronts,
                Loads loads, RegistersReadAgain &registers)
      : rewriter(rewriter), fronts(fronts), loads(loads), registers(registers) {
  }

  /// Lets the ops after the last one of `fronts`, and after an await of its
  /// result, use the new values. If anything were between the two, the
  /// assembler would serialise the products.
  void runAfter() {
    Operation *last = fronts.back();
    for (Operation *op = last->getNextNode();
         op && (isa<vector_ext::AwaitOp>(op) || matchPattern(op, m_Constant()));
         op = op->getNextNode())
      if (isa<vector_ext::AwaitOp>(op))
        last = op;
    rewriter.setInsertionPointAfter(last);
    SmallVector<Operation *> behind;
    for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
      behind.push_back(op);
    replaceIn(behind);
  }

  /// Lets the ops in the body of the last one of `fronts`, a loop, use the new
  /// values.
  void runInside() {
    Block *body = cast<scf::ForOp>(fronts.back()).getBody();
    rewriter.setInsertionPointToStart(body);
    SmallVector<Operation *> inside(llvm::make_pointer_range(*body));
    replaceIn(inside);
  }

private:
  void replaceIn(ArrayRef<Operation *> ops) {
    for (Operation *top : ops)
      top->walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (isRecomputed(operand.get())) {
            Value again = build(operand.get());
            rewriter.modifyOpInPlace(op, [&] { operand.set(again); });
          }
      });
  }

  /// Returns the name of the register that `op` reads, or an empty string.
  std::string getRegister(Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return ("%tid." + gpu::stringifyDimension(id.getDimension())).str();
    return registers.lookup(op);
  }

  bool isInFront(Operation *op) {
    return op && llvm::any_of(fronts, [&](Operation *front) {
             return op->getBlock() == front->getBlock() &&
                    op->isBeforeInBlock(front);
           });
  }

  /// Returns whether `op` loads from an argument of the kernel to which nothing
  /// writes.
  static bool isLoadOfConstants(Operation *op) {
    Value memory;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      memory = load.getMemRef();
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      memory = load.getBase();
    auto argument = dyn_cast_if_present<BlockArgument>(memory);
    auto kernel =
        argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())
                 : gpu::GPUFuncOp();
    auto has = [&](StringRef attribute) {
      return kernel.getArgAttr(argument.getArgNumber(), attribute) != nullptr;
    };
    return kernel && has(LLVM::LLVMDialect::getReadonlyAttrName()) &&
           has(LLVM::LLVMDialect::getNoAliasAttrName());
  }

  /// Returns whether `value` is computed before the loops, from the number of a
  /// thread and by ops that can be repeated.
  bool isRecomputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isInFront(op))
      return false;
    if (!getRegister(op).empty())
      return true;
    if (op->getNumRegions() != 0 || op->getNumResults() != 1)
      return false;
    // Loads may be followed by extractions of vector elements, or by
    // conversions of these.
    bool mayRepeat =
        isPure(op) &&
        (isa<IndexType, IntegerType, MemRefType>(value.getType()) ||
         (loads == Loads::Repeat &&
          getElementTypeOrSelf(value).isIntOrIndex()));
    if (!mayRepeat && !(loads == Loads::Repeat && isLoadOfConstants(op)))
      return false;
    auto [it, isNew] = recomputed.try_emplace(op, false);
    if (!isNew)
      return it->second;
    bool result = llvm::any_of(op->getOperands(), [&](Value operand) {
      return isRecomputed(operand);
    });
    recomputed[op] = result;
    return result;
  }

  /// Returns the new value that replaces `value`.
  Value build(Value value) {
    if (Value again = mapping.lookupOrNull(value))
      return again;
    Operation *op = value.getDefiningOp();
    if (std::string name = getRegister(op); !name.empty()) {
      mapping.map(value, readAgain(value, name));
      return mapping.lookup(value);
    }
    for (Value operand : op->getOperands())
      if (isRecomputed(operand))
        (void)build(operand);
    rewriter.clone(*op, mapping);
    return mapping.lookup(value);
  }

  /// Reads the register `name`, whose value is `value`, by inline assembly,
  /// which LLVM does not look into.
  Value readAgain(Value value, StringRef name) {
    Location loc = value.getLoc();
    auto dialect = LLVM::AsmDialectAttr::get(rewriter.getContext(),
                                             LLVM::AsmDialect::AD_ATT);
    auto read = LLVM::InlineAsmOp::create(
        rewriter, loc, rewriter.getI32Type(), ValueRange(),
        ("mov.u32 $0, " + name + ";").str(), "=r",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, dialect, ArrayAttr());
    registers[read] = name.str();
    Value number = read.getResult(0);
    if (!value.getType().isIndex())
      return number;
    // Shows LLVM that there are at most 1024 threads.
    Value most =
        arith::ConstantIntOp::create(rewriter, loc, number.getType(), 1023);
    number = arith::AndIOp::create(rewriter, loc, number, most);
    return arith::IndexCastUIOp::create(rewriter, loc, value.getType(), number);
  }

  RewriterBase &rewriter;
  SmallVector<Operation *> fronts;
  Loads loads;
  RegistersReadAgain &registers;
  IRMapping mapping;
  llvm::DenseMap<Operation *, bool> recomputed;
};
} // namespace

/// Returns the last op before `op` in its block that waits for products, or in
/// which something does.
static Operation *findAwaitBefore(Operation *op) {
  while ((op = op->getPrevNode()))
    if (op->walk([](vector_ext::AwaitOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return op;
  return nullptr;
}

/// Lets `store`, and what else is behind the products of its tile, compute the
/// number of the thread again.
static void recomputeAtStore(RewriterBase &rewriter, gpu::GPUFuncOp kernel,
                             nvgpu::TmaAsyncStoreOp store,
                             RegistersReadAgain &registers) {
  scf::ForOp tiles;
  for (Operation *op = store; op != kernel; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      tiles = loop;
  Operation *await =
      tiles ? findAwaitBefore(tiles.getBody()->findAncestorOpInBlock(*store))
            : nullptr;
  if (!await)
    return;
  SmallVector<Operation *> fronts = {await};
  for (Operation *op = tiles; op != kernel; op = op->getParentOp())
    fronts.push_back(op);
  std::reverse(fronts.begin(), fronts.end());
  Recomputation(rewriter, fronts, Loads::Keep, registers).runAfter();
}

void mlir::linalg_ext::recomputeAfterLoops(RewriterBase &rewriter,
                                           Operation *scope) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    // Values that are built between two loops and also needed after the second
    // one are built again there.
    SmallVector<scf::ForOp> loops(kernel.getBody().getOps<scf::ForOp>());
    RegistersReadAgain registers;
    for (scf::ForOp loop : loops) {
      SmallVector<scf::ForOp> inner;
      for (auto nested : loop.getOps<scf::ForOp>())
        if (getCarriedWords(nested) >= kManyCarriedWords)
          inner.push_back(nested);
      for (scf::ForOp nested : inner)
        Recomputation(rewriter, {loop, nested}, Loads::Repeat, registers)
            .runAfter();
      if (!inner.empty())
        Recomputation(rewriter, {loop}, Loads::Keep, registers).runInside();
      Recomputation(rewriter, {loop}, Loads::Keep, registers).runAfter();
    }
    // The first store of a tile is that of all of its boxes.
    Operation *last = nullptr;
    kernel.walk([&](nvgpu::TmaAsyncStoreOp store) {
      if (store->getBlock()->getParentOp() != last)
        recomputeAtStore(rewriter, kernel, store, registers);
      last = store->getBlock()->getParentOp();
    });
  });
}
