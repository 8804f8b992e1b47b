//===- GraphBuilder.h - The ops of a graph ----------------------*- C++ -*-===//
//
// What Graphs.cpp and GraphSteps.cpp build graphs of attention with.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_SUPPORT_GRAPHBUILDER_H
#define LINALG_EXT_UNITTESTS_SUPPORT_GRAPHBUILDER_H

#include "GraphConstants.h"
#include "Graphs.h"

#include "Execute.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>
#include <string>

namespace linalg_ext_test {

using namespace mlir;
using oracle::DType;

/// Builds the ops of a graph; a value goes with the letters of its dims.
class GraphBuilder {
public:
  GraphBuilder(const AttentionSpec &spec, OpBuilder &b, Location loc)
      : spec(spec), ib(loc, b) {}

  RankedTensorType getType(const std::string &dims, DType type) {
    SmallVector<int64_t> shape;
    for (char letter : dims)
      shape.push_back(letter == '_'       ? 1
                      : isDynamic(letter) ? ShapedType::kDynamic
                                          : spec.size(letter));
    return RankedTensorType::get(shape, elementType(type));
  }

  /// The type with the first two dims in one.
  RankedTensorType getFlatType(const std::string &dims, DType type) {
    RankedTensorType full = getType(dims, type);
    SmallVector<int64_t> shape(full.getShape().drop_front());
    shape[0] *= full.getDimSize(0);
    return RankedTensorType::get(shape, full.getElementType());
  }
  static SmallVector<ReassociationIndices> getFlatGroups(size_t rank) {
    SmallVector<ReassociationIndices> groups = {{0, 1}};
    for (size_t i = 2; i < rank; ++i)
      groups.push_back({static_cast<int64_t>(i)});
    return groups;
  }

  /// Makes the letters' sizes known to `empty`.
  void declare(Value value, const std::string &dims) {
    for (auto [i, letter] : llvm::enumerate(dims))
      if (isDynamic(letter) && !dynamicSizes.count(letter))
        dynamicSizes[letter] = tensor::DimOp::create(ib, value, i);
  }

  Value empty(const std::string &dims, DType type) {
    SmallVector<Value> sizes;
    for (char letter : dims)
      if (isDynamic(letter))
        sizes.push_back(dynamicSizes.at(letter));
    return tensor::EmptyOp::create(ib, getType(dims, type), sizes);
  }

  Value fill(const std::string &dims, DType type, double value) {
    Value init = empty(dims, type);
    return linalg::FillOp::create(ib, constant(type, value), init).getResult(0);
  }

  Value constant(DType type, double value) {
    auto floatType = llvm::cast<FloatType>(elementType(type));
    llvm::APFloat number(value);
    bool lost;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &lost);
    return arith::ConstantOp::create(ib, FloatAttr::get(floatType, number));
  }

  /// A parallel generic over `outDims`; the inputs are broadcast or transposed
  /// by their letters. `body` gets the elements of the inputs.
  Value elementwise(ArrayRef<std::pair<Value, std::string>> inputs,
                    const std::string &outDims, DType type,
                    function_ref<Value(ValueRange)> body) {
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (auto &[value, dims] : inputs) {
      operands.push_back(value);
      maps.push_back(getMap(dims, outDims));
    }
    maps.push_back(getMap(outDims, outDims));
    SmallVector<utils::IteratorType> iterators(outDims.size(),
                                               utils::IteratorType::parallel);
    return generic(operands, empty(outDims, type), maps, iterators, body);
  }

  /// Reduces `dims` along the spec's keys.
  Value reduce(Value input, const std::string &dims, DType type, double init,
               function_ref<Value(ValueRange)> body) {
    std::string outDims = getRows();
    Value filled = fill(outDims, type, init);
    if (spec.style.named)
      return linalg::ReduceOp::create(
                 ib, input, filled, spec.softmaxDim(),
                 [&](OpBuilder &nested, Location, ValueRange arguments) {
                   OpBuilder::InsertionGuard guard(ib);
                   ib.setInsertionPoint(nested.getInsertionBlock(),
                                        nested.getInsertionPoint());
                   linalg::YieldOp::create(ib, body(arguments));
                 })
          ->getResult(0);
    SmallVector<utils::IteratorType> iterators;
    for (char letter : dims)
      iterators.push_back(letter == spec.keys ? utils::IteratorType::reduction
                                              : utils::IteratorType::parallel);
    return generic(input, filled, {getMap(dims, dims), getMap(outDims, dims)},
                   iterators, body);
  }
  /// Sums `dims` along one of them.
  Value sumAlong(char letter, Value input, const std::string &dims,
                 DType type) {
    std::string outDims = dims;
    outDims.erase(outDims.find(letter), 1);
    SmallVector<utils::IteratorType> iterators;
    for (char other : dims)
      iterators.push_back(other == letter ? utils::IteratorType::reduction
                                          : utils::IteratorType::parallel);
    return generic(input, fill(outDims, type, 0.0),
                   {getMap(dims, dims), getMap(outDims, dims)}, iterators,
                   [&](ValueRange args) -> Value {
                     return arith::AddFOp::create(ib, args[1], args[0]);
                   });
  }
  /// The dims of what a chain computes for each row.
  std::string getRows() {
    if (!spec.style.keepDims)
      return withoutKeys(spec.scores);
    std::string rows = spec.scores;
    rows[rows.find(spec.keys)] = '_';
    return rows;
  }
  /// `value` of each row as an operand next to the scores.
  std::pair<Value, std::string> spread(Value value, DType type) {
    if (!spec.style.broadcast && !spec.style.named)
      return {value, getRows()};
    Value init = empty(spec.scores, type);
    return {linalg::BroadcastOp::create(ib, value, init, spec.softmaxDim())
                ->getResult(0),
            spec.scores};
  }
  Value row(Value value, DType type, function_ref<Value(Value)> body) {
    return elementwise({{value, getRows()}}, getRows(), type,
                       [&](ValueRange args) { return body(args[0]); });
  }
  Value cast(Value value, const std::string &dims, DType from, DType to) {
    if (from == to)
      return value;
    return elementwise({{value, dims}}, dims, to, [&](ValueRange args) {
      return convertScalarToDtype(ib, ib.getLoc(), args[0], elementType(to),
                                  false);
    });
  }
  Value multiply(Value value, const std::string &dims, DType type, double by) {
    return elementwise(
        {{value, dims}}, dims, type, [&](ValueRange args) -> Value {
          return arith::MulFOp::create(ib, args[0], constant(type, by));
        });
  }

  /// The integers of `bytes`, each of which has two along its last dimension,
  /// as elements of `dims`.
  Value unpack(Value bytes, const std::string &dims) {
    std::string stored = spec.storedDims(dims);
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
      groups.push_back({i});
    groups.back().push_back(static_cast<int64_t>(dims.size()));
    auto type = llvm::cast<RankedTensorType>(bytes.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    SmallVector<Value> halves;
    for (bool isHigh : {false, true}) {
      Value half = elementwise(
          {{bytes, stored}}, stored, DType::I8, [&](ValueRange args) -> Value {
            Value number = arith::ConstantIntOp::create(
                ib, ib.getLoc(), isHigh ? 4 : 15, /*width=*/8);
            if (isHigh)
              return arith::ShRUIOp::create(ib, args[0], number);
            return arith::AndIOp::create(ib, args[0], number);
          });
      halves.push_back(
          tensor::ExpandShapeOp::create(ib, type.clone(shape), half, groups));
    }
    Value both =
        tensor::ConcatOp::create(ib, static_cast<int64_t>(dims.size()), halves);
    Value flat = tensor::CollapseShapeOp::create(ib, getType(dims, DType::I8),
                                                 both, groups);
    return elementwise({{flat, dims}}, dims, DType::I8,
                       [&](ValueRange args) -> Value {
                         return arith::SubIOp::create(
                             ib, args[0],
                             arith::ConstantIntOp::create(ib, ib.getLoc(), 8,
                                                          /*width=*/8));
                       });
  }

  /// A contraction of the given form; `loops` names its iteration dims.
  Value contraction(ContractionForm form, Value lhs, const std::string &lhsDims,
                    Value rhs, const std::string &rhsDims, Value init,
                    const std::string &outDims, DType type, std::string &loops);
  /// The roots of negative tests.
  Value nonlinear(Value weights, const std::string &probDims, Value v,
                  Value init, std::string &loops);

  Value softmax(Value scores, Operation *&op, Value &max, Value &sum);
  Value softmaxChain(Value scores, bool guarded, Value &max, Value &sum);
  Value norm(Value scores, Value gamma, Value beta);
  Value normalizeRows(Value value, const std::string &dims, DType type);
  Value keepByIndex(Value scores, Value lengths);
  Value step(char step, Value weights, function_ref<Value(const char *)> input);
  Value reshape(const std::string &reshape, Value weights,
                const std::string &dims);

  std::string withoutKeys(std::string dims) {
    dims.erase(dims.find(spec.keys), 1);
    return dims;
  }

  const AttentionSpec &spec;
  ImplicitLocOpBuilder ib;

private:
  bool isDynamic(char letter) {
    return spec.dynamic.find(letter) != std::string::npos;
  }
  Type elementType(DType type) {
    return convertElementType(ib.getContext(), type);
  }
  AffineMap getMap(const std::string &dims, const std::string &loops) {
    SmallVector<AffineExpr> exprs;
    for (char letter : dims)
      exprs.push_back(loops.find(letter) == std::string::npos
                          ? ib.getAffineConstantExpr(0)
                          : ib.getAffineDimExpr(loops.find(letter)));
    return AffineMap::get(loops.size(), 0, exprs, ib.getContext());
  }
  Value generic(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> iterators,
                function_ref<Value(ValueRange)> body) {
    return linalg::GenericOp::create(
               ib, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &nested, Location, ValueRange arguments) {
                 OpBuilder::InsertionGuard guard(ib);
                 ib.setInsertionPoint(nested.getInsertionBlock(),
                                      nested.getInsertionPoint());
                 Value result = body(arguments);
                 linalg::YieldOp::create(ib, result);
               })
        .getResult(0);
  }
  Value named(Value lhs, const std::string &lhsDims, Value rhs,
              const std::string &rhsDims, const std::string &outDims,
              Value init, std::string &loops);

  std::map<char, Value> dynamicSizes;
};

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_SUPPORT_GRAPHBUILDER_H
