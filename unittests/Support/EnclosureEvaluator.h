//===- EnclosureEvaluator.h - Runs a program on enclosures ------*- C++ -*-===//
//
// Private to Enclosure. An interpreter of programs on tensors and buffers,
// whose numbers have bounds: Enclosure.cpp has calls, control flow and numbers,
// EnclosureTensors.cpp tensors and buffers.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSUREEVALUATOR_H
#define LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSUREEVALUATOR_H

#include "Enclosure.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>
#include <vector>

namespace linalg_ext_test::enclosure {
using namespace mlir;

/// A tensor, or a buffer: a view of memory that others may view.
struct View {
  std::shared_ptr<std::vector<Enclosed>> data;
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;

  int64_t at(ArrayRef<int64_t> index) const {
    int64_t position = offset;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      position += i * stride;
    return position;
  }
};

struct RuntimeValue {
  Enclosed scalar;
  std::optional<View> view;
};

/// A view of new memory, of which each element is `value`.
View makeView(ArrayRef<int64_t> sizes, Enclosed value = {});

/// Calls `body` with every index of `sizes`, the last dimension fastest.
void forEach(ArrayRef<int64_t> sizes,
             llvm::function_ref<void(ArrayRef<int64_t>)> body);

/// A view of a copy of the elements.
View copyOf(const View &view);

/// True if `index` is in the view, and the memory there is.
bool isInside(const View &view, ArrayRef<int64_t> index);

/// Runs functions.
class Evaluator {
public:
  LogicalResult call(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
                     SmallVectorImpl<RuntimeValue> &results);

private:
  LogicalResult runBlock(Block &block, SmallVectorImpl<RuntimeValue> &yielded);
  /// Runs `op`: control flow here, or what the functions below run.
  LogicalResult run(Operation *op);
  /// Runs ops on whole tensors and buffers, or views of them.
  LogicalResult runShaped(Operation *op);
  /// Runs ops that read or write elements, or copy them.
  LogicalResult runElements(Operation *op);
  /// Runs ops on numbers.
  LogicalResult runScalar(Operation *op);
  LogicalResult runGeneric(linalg::GenericOp op);
  /// What an operand of a structured op reads or writes. Maps are matrices,
  /// since an expression at a time is slow.
  struct Access {
    /// None for a number.
    std::optional<View> view;
    AffineMap map;
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    /// False if `map` has to be evaluated.
    bool isLinear = true;
  };
  /// The sizes of the loops.
  FailureOr<SmallVector<int64_t>> getLoops(linalg::GenericOp op);
  /// What `op`, whose results are sums of `numTerms` terms, writes to.
  SmallVector<View> getOuts(linalg::GenericOp op, int64_t numTerms);
  FailureOr<Access> getAccess(linalg::GenericOp op, OpOperand &operand,
                              ArrayRef<View> outs, ArrayRef<int64_t> loops);
  /// Runs the body of `op` at every index of `loops`.
  LogicalResult iterate(linalg::GenericOp op, ArrayRef<int64_t> loops,
                        int64_t numTerms, ArrayRef<Access> accesses,
                        ArrayRef<View> outs);
  LogicalResult runPad(tensor::PadOp op);
  LogicalResult runGenerate(tensor::GenerateOp op);
  LogicalResult runReshape(Operation *op, ArrayRef<ReassociationIndices> groups,
                           bool expands);
  LogicalResult runConstant(arith::ConstantOp op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runWhile(scf::WhileOp op);
  /// A body of ops that have rules, whose values have numbers.
  struct Program {
    struct Step {
      const EnclosedRule *rule = nullptr;
      /// The loop of a `linalg.index`, which has no rule.
      int64_t loop = -1;
      SmallVector<unsigned, 4> operands;
      int accumulator = -1;
    };
    /// The values of arguments, what is captured, and then of each step.
    SmallVector<Enclosed> values;
    SmallVector<Step> steps;
    SmallVector<unsigned> yielded;

    void run(ArrayRef<int64_t> index, int64_t numTerms);
  };
  /// Fails if the body has other ops.
  FailureOr<Program> makeProgram(Block &block);
  /// Values of the region of a structured op or a pad, at one index.
  LogicalResult runBody(Block &block, ArrayRef<int64_t> index,
                        int64_t numTerms);

  Enclosed get(Value value) const { return values.at(value).scalar; }
  int64_t getIndex(Value value) const {
    return static_cast<int64_t>(values.at(value).scalar.value);
  }
  int64_t getIndex(OpFoldResult value) const {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    return getIndex(cast<Value>(value));
  }
  SmallVector<int64_t> getIndices(ArrayRef<OpFoldResult> range) const {
    return llvm::map_to_vector(
        range, [&](OpFoldResult value) { return getIndex(value); });
  }
  SmallVector<int64_t> getIndices(ValueRange range) const {
    return llvm::map_to_vector(range,
                               [&](Value value) { return getIndex(value); });
  }
  const View &view(Value value) const { return *values.at(value).view; }
  void set(Value value, Enclosed scalar) {
    RuntimeValue &slot = values[value];
    slot.scalar = scalar;
    slot.view.reset();
  }
  void set(Value value, View view) { values[value] = {{}, std::move(view)}; }

  /// Sizes of a type: what is dynamic is next of `dynamic`.
  template <typename Range>
  SmallVector<int64_t> getSizes(ShapedType type, const Range &dynamic) const {
    SmallVector<int64_t> sizes(type.getShape());
    auto next = dynamic.begin();
    for (int64_t &size : sizes)
      if (ShapedType::isDynamic(size))
        size = getIndex(*next++);
    return sizes;
  }
  LogicalResult slice(Operation *op, const View &source,
                      ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                      ArrayRef<int64_t> strides,
                      const llvm::SmallBitVector &dropped, View &result);

  llvm::DenseMap<Value, RuntimeValue> values;
  struct ScalarOp {
    /// Of each result; none if there are none for the op.
    SmallVector<EnclosedRule, 1> rules;
    /// In the body of a structured op that sums, the operand that is the sum
    /// so far; -1: none is.
    int accumulator = -1;
  };
  static ScalarOp lookUp(Operation *op);
  /// What has been looked up.
  llvm::DenseMap<Operation *, ScalarOp> scalarOps;
};

} // namespace linalg_ext_test::enclosure

#endif // LINALG_EXT_UNITTESTS_SUPPORT_ENCLOSUREEVALUATOR_H
