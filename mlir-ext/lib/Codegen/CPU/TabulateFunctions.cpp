//===- TabulateFunctions.cpp - Functions of few values as tables ----------===//
//
// An integer of 4 bits has 16 values, and so has every function of it whose
// other operands are the same in all lanes: a dequantized number has one of 16
// values in a group. AVX-512 has a register for as many floats, and an
// instruction that looks up 16 numbers in it. It uses the 4 lowest bits of each
// index alone, so what is above them need not be masked.
//
//   1. Find vectors of integers of at most 4 bits (`x & 15`), and the ops that
//      compute elementwise functions of one of them and of scalars.
//   2. Compute such a function once of 0, 1, ..., 15: outside of all loops in
//      which the scalars do not change.
//   3. Look up its values in the result.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/CPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <optional>
#include <vector>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The entries of a table: the lanes of 32 bits in a register.
static constexpr int64_t kEntries = 16;

/// The number of bits of an index that the instruction uses.
static constexpr int64_t kIndexBits = 4;

/// The most ops of a function that is tabulated.
static constexpr size_t kMostOps = 32;

static bool isVectorOfEntries(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getRank() == 1 &&
         vector.getNumElements() == kEntries;
}

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

/// Returns the scalar that all lanes of `value` have, or null. Returns `value`
/// itself if it is constant.
static Value getScalar(Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat())
    return value;
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  return broadcast && isScalar(broadcast.getSourceType())
             ? broadcast.getSource()
             : Value();
}

/// Returns the integer that all lanes of `value` have, if it is constant.
static std::optional<APInt> getConstantLanes(Value value) {
  APInt integer;
  Value scalar = getScalar(value);
  if (scalar && matchPattern(scalar, m_ConstantInt(&integer)))
    return integer;
  return std::nullopt;
}

/// If a mask makes each lane of `value` smaller than 16, returns the value that
/// is masked.
static Value getMasked(Value value) {
  auto mask = value.getDefiningOp<arith::AndIOp>();
  if (!mask || !isVectorOfEntries(mask.getType()))
    return {};
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(mask.getType()));
  // A table has one value for each index.
  if (!element || element.getWidth() > 32 || element.getWidth() < kIndexBits)
    return {};
  for (auto [of, by] : {std::pair(mask.getLhs(), mask.getRhs()),
                        std::pair(mask.getRhs(), mask.getLhs())})
    if (std::optional<APInt> bits = getConstantLanes(by);
        bits && bits->ult(kEntries))
      return of;
  return {};
}

namespace {
/// An elementwise function of the lowest 4 bits of one vector of integers.
struct SmallFunction {
  /// The vector of integers, and the ops between it and the result in their
  /// order. Some of the ops mask `of`, once or for each bit by which the
  /// function chooses.
  Value of;
  llvm::SetVector<Operation *> ops;
};
} // namespace

/// Returns whether `op` computes each lane from the same lanes of its operands,
/// and may run earlier.
static bool isElementwise(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         OpTrait::hasElementwiseMappableTraits(op) && isPure(op) &&
         isVectorOfEntries(op->getResult(0).getType());
}

/// Adds the ops that compute `value` to `function`. The first vector of small
/// integers on the way becomes `function.of`. Fails if `value` is no function
/// of `function.of` alone, or if no op is between the two.
static LogicalResult collect(Value value, SmallFunction &function,
                             size_t depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || !isElementwise(op) || depth == kMostOps ||
      function.ops.size() == kMostOps)
    return failure();
  if (function.ops.contains(op))
    return success();
  for (Value operand : op->getOperands()) {
    if (getScalar(operand))
      continue;
    Value masked = getMasked(operand);
    if (masked && (!function.of || masked == function.of)) {
      function.of = masked;
      function.ops.insert(operand.getDefiningOp());
      continue;
    }
    if (failed(collect(operand, function, depth + 1)))
      return failure();
  }
  function.ops.insert(op);
  return success(function.of != nullptr);
}

static std::optional<SmallFunction> getSmallFunction(Value value) {
  SmallFunction function;
  // Constants are left to folding.
  if (getMasked(value) || getScalar(value) || failed(collect(value, function)))
    return std::nullopt;
  return function;
}

/// Returns whether `value` itself is needed, because an op that uses it is no
/// function of the same integers.
static bool isNeeded(Value value, Value of) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user->getNumResults() != 1)
      return true;
    std::optional<SmallFunction> next = getSmallFunction(user->getResult(0));
    return !next || next->of != of;
  });
}

/// Builds indices of 32 bits from `of`. They may have any bits above the lowest
/// 4.
static Value buildIndices(OpBuilder &b, Location loc, Value of) {
  auto type = VectorType::get({kEntries}, b.getI32Type());
  auto extend = [&](Value value) -> Value {
    if (value.getType() == type)
      return value;
    return arith::ExtUIOp::create(b, loc, type, value);
  };
  // If the integers are truncated from wider ones, those can serve as indices,
  // since bits above the lowest 4 are ignored.
  auto getWide = [&](Value value) -> Value {
    auto truncate = value.getDefiningOp<arith::TruncIOp>();
    return truncate && truncate.getIn().getType() == type ? truncate.getIn()
                                                          : Value();
  };
  // There are instructions that shift words, but none that shift bytes. Shifts
  // of one vector by several amounts share its extension.
  if (auto shift = of.getDefiningOp<arith::ShRUIOp>();
      shift && getScalar(shift.getRhs())) {
    Value wide = getWide(shift.getLhs());
    std::optional<APInt> by = getConstantLanes(shift.getRhs());
    int64_t bits =
        getElementTypeOrSelf(shift.getType()).getIntOrFloatBitWidth();
    // All 4 bits must be bits of the truncated integer.
    if (!wide || !by || by->ugt(bits - kIndexBits))
      wide = extend(shift.getLhs());
    return arith::ShRUIOp::create(b, loc, wide, extend(shift.getRhs()));
  }
  Value wide = getWide(of);
  return wide ? wide : extend(of);
}

/// Returns a key that is equal for two functions in one block if they have the
/// same table.
static std::vector<const void *> getKey(const SmallFunction &function) {
  std::vector<const void *> key{function.ops.back()->getBlock(),
                                function.of.getType().getAsOpaquePointer()};
  llvm::SmallDenseMap<Value, uintptr_t> numbers{{function.of, 0}};
  for (Operation *op : function.ops) {
    Value result = op->getResult(0);
    key.push_back(op->getName().getAsOpaquePointer());
    key.push_back(op->getAttrDictionary().getAsOpaquePointer());
    key.push_back(result.getType().getAsOpaquePointer());
    for (Value operand : op->getOperands()) {
      Value scalar = getScalar(operand);
      key.push_back(
          scalar ? scalar.getAsOpaquePointer()
                 : reinterpret_cast<const void *>(numbers.lookup(operand)));
    }
    numbers[result] = numbers.size();
  }
  return key;
}

/// Replaces `root` by a lookup in a table. `sharing` functions in its block
/// have this table. Returns false if the lookup takes as many instructions as
/// the function.
static bool tabulate(RewriterBase &rewriter, Operation *root,
                     const SmallFunction &function, size_t sharing) {
  // Find the loops in which the table stays the same.
  SmallVector<Value> scalars;
  for (Operation *op : function.ops)
    for (Value operand : op->getOperands())
      if (Value scalar = getScalar(operand))
        scalars.push_back(scalar);
  Operation *before = root;
  while (auto loop = dyn_cast<scf::ForOp>(before->getParentOp())) {
    if (!llvm::all_of(scalars, [&](Value scalar) {
          return matchPattern(scalar, m_Constant()) ||
                 loop.isDefinedOutsideOfLoop(scalar);
        }))
      break;
    before = loop;
  }
  if (before == root) {
    // Ops that depend on constants only are folded. Masks alone are not worth a
    // table.
    llvm::SmallPtrSet<Operation *, 8> folded;
    bool saves = false;
    size_t numOps = 0;
    for (Operation *op : function.ops) {
      bool isMask = getMasked(op->getResult(0)) == function.of;
      numOps += !isMask;
      if (llvm::all_of(op->getOperands(), [&](Value operand) {
            Value scalar = getScalar(operand);
            return operand == function.of ||
                   (scalar && matchPattern(scalar, m_Constant())) ||
                   folded.contains(operand.getDefiningOp());
          })) {
        folded.insert(op);
        saves |= !isMask;
      }
    }
    // Functions that share a table compute it once.
    if (!saves && sharing * numOps <= sharing + numOps)
      return false;
  }

  Location loc = root->getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(before);
  auto ofType = cast<VectorType>(function.of.getType());
  SmallVector<APInt> codes;
  for (int64_t code = 0; code < kEntries; ++code)
    codes.emplace_back(ofType.getElementTypeBitWidth(), code);
  IRMapping mapping;
  mapping.map(function.of,
              arith::ConstantOp::create(rewriter, loc,
                                        DenseElementsAttr::get(ofType, codes)));
  for (Operation *op : function.ops) {
    for (Value operand : op->getOperands()) {
      Value scalar = getScalar(operand);
      if (!scalar || mapping.contains(operand))
        continue;
      if (scalar != operand && matchPattern(scalar, m_Constant()))
        rewriter.clone(*scalar.getDefiningOp(), mapping);
      rewriter.clone(*operand.getDefiningOp(), mapping);
    }
    rewriter.clone(*op, mapping);
  }
  Value table = mapping.lookup(root->getResult(0));

  rewriter.setInsertionPoint(root);
  Value indices = buildIndices(rewriter, loc, function.of);
  bool isFloat = getElementTypeOrSelf(table.getType()).isF32();
  auto lookUp = LLVM::CallIntrinsicOp::create(
      rewriter, loc, table.getType(),
      rewriter.getStringAttr(isFloat ? "llvm.x86.avx512.permvar.sf.512"
                                     : "llvm.x86.avx512.permvar.si.512"),
      ValueRange{table, indices});
  rewriter.replaceOp(root, lookUp.getResults());
  return true;
}

/// Returns the ops of `scope` whose results can be looked up, and the function
/// of each.
static SmallVector<std::pair<Operation *, SmallFunction>>
findFunctions(Operation *scope) {
  SmallVector<std::pair<Operation *, SmallFunction>> found;
  scope->walk([&](Operation *op) {
    if (!isElementwise(op))
      return;
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    if (!element.isF32() && !element.isInteger(32))
      return;
    std::optional<SmallFunction> function = getSmallFunction(op->getResult(0));
    if (function && isNeeded(op->getResult(0), function->of))
      found.emplace_back(op, std::move(*function));
  });
  return found;
}

void mlir::linalg_ext::tabulateFunctions(RewriterBase &rewriter,
                                         Operation *scope) {
  auto found = findFunctions(scope);
  if (found.empty())
    return;
  // Unrolled loops load the same scalars again in each iteration.
  DominanceInfo dominance(scope);
  bool changed = false;
  eliminateCommonSubExpressions(rewriter, dominance, scope, &changed);
  if (changed)
    found = findFunctions(scope);
  std::map<std::vector<const void *>, size_t> sharing;
  SmallVector<size_t *> counts;
  for (auto &[root, function] : found) {
    counts.push_back(&sharing[getKey(function)]);
    ++*counts.back();
  }
  // Replace the last op first, because a function may be an operand of a later
  // one.
  for (auto [entry, count] :
       llvm::zip_equal(llvm::reverse(found), llvm::reverse(counts)))
    tabulate(rewriter, entry.first, entry.second, *count);
}
