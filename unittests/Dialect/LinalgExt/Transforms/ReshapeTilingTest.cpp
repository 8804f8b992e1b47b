//===- ReshapeTilingTest.cpp - Tiles across reshapes ----------------------===//
//
// Tiles random reshapes through TilingInterface and interprets what comes out
// on tensors whose elements are their own numbers: it must be the tile of the
// whole reshape, which is found by enumerating coordinates. What one slice of
// the source provably is must not be refused.
//
//===----------------------------------------------------------------------===//

#include "Support/Fusion.h"

#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/ReshapeTiles.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {

//===----------------------------------------------------------------------===//
// An interpreter of index arithmetic and of moving tensors around
//===----------------------------------------------------------------------===//

using Shape = SmallVector<int64_t>;

struct IntTensor {
  Shape shape;
  std::vector<int64_t> data;

  static int64_t count(ArrayRef<int64_t> shape) {
    int64_t product = 1;
    for (int64_t size : shape)
      product *= size;
    return product;
  }
};

/// Calls `fn` for each coordinate of `shape`, in row-major order.
void forEachIndex(ArrayRef<int64_t> shape,
                  llvm::function_ref<void(ArrayRef<int64_t>)> fn) {
  Shape index(shape.size(), 0);
  for (int64_t i = 0, n = IntTensor::count(shape); i < n; ++i) {
    int64_t rest = i;
    for (size_t dim = shape.size(); dim-- > 0;) {
      index[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    fn(index);
  }
}

/// The elements of `source` in the slice; empty shape and a failure if it is
/// out of bounds.
IntTensor slice(const IntTensor &source, ArrayRef<int64_t> offsets,
                ArrayRef<int64_t> sizes) {
  IntTensor result{Shape(sizes), {}};
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (auto [dim, i] : llvm::enumerate(index)) {
      int64_t at = offsets[dim] + i;
      EXPECT_GE(at, 0);
      EXPECT_LT(at, source.shape[dim]);
      flat = flat * source.shape[dim] + at;
    }
    result.data.push_back(flat >= 0 && flat < int64_t(source.data.size())
                              ? source.data[flat]
                              : -1);
  });
  return result;
}

class Interpreter {
public:
  void set(Value value, int64_t number) { numbers[value] = number; }
  void set(Value value, IntTensor tensor) { tensors[value] = tensor; }
  int64_t get(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    auto it = numbers.find(cast<Value>(value));
    EXPECT_NE(it, numbers.end());
    return it == numbers.end() ? 0 : it->second;
  }
  const IntTensor &getTensor(Value value) { return tensors[value]; }
  /// Elements of all slices taken of `value`.
  int64_t getNumRead(Value value) { return numRead[value]; }

  /// Runs all ops below `scope` in order; loops are run through once, their
  /// induction variables being set.
  void run(Operation *scope) {
    scope->walk<WalkOrder::PreOrder>([&](Operation *op) { step(op); });
  }

private:
  Shape getAll(ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult v) { return get(v); });
  }

  SmallVector<int64_t> apply(AffineMap map, OperandRange operands) {
    Builder b(map.getContext());
    SmallVector<Attribute> in, out;
    for (Value operand : operands)
      in.push_back(b.getIndexAttr(get(operand)));
    EXPECT_TRUE(succeeded(map.constantFold(in, out)));
    return llvm::map_to_vector(
        out, [](Attribute a) { return cast<IntegerAttr>(a).getInt(); });
  }

  void reshape(Value source, Value result, Shape shape) {
    const IntTensor &from = tensors[source];
    EXPECT_EQ(IntTensor::count(shape), int64_t(from.data.size()));
    set(result, IntTensor{shape, from.data});
  }

  void step(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op)) {
      set(constant.getResult(), constant.value());
    } else if (auto applyOp = dyn_cast<affine::AffineApplyOp>(op)) {
      set(applyOp.getResult(),
          apply(applyOp.getAffineMap(), applyOp->getOperands()).front());
    } else if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
      auto all = apply(min.getAffineMap(), min->getOperands());
      set(min.getResult(), *llvm::min_element(all));
    } else if (auto max = dyn_cast<affine::AffineMaxOp>(op)) {
      auto all = apply(max.getAffineMap(), max->getOperands());
      set(max.getResult(), *llvm::max_element(all));
    } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      set(dim.getResult(), tensors[dim.getSource()].shape[get(dim.getIndex())]);
    } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      set(cast.getResult(), tensors[cast.getSource()]);
    } else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
      EXPECT_TRUE(extract.hasUnitStride());
      set(extract.getResult(),
          slice(tensors[extract.getSource()], getAll(extract.getMixedOffsets()),
                getAll(extract.getMixedSizes())));
      numRead[extract.getSource()] += tensors[extract.getResult()].data.size();
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      reshape(expand.getSrc(), expand.getResult(),
              getAll(expand.getMixedOutputShape()));
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
      Shape shape;
      const Shape &from = tensors[collapse.getSrc()].shape;
      for (ReassociationIndicesRef group : collapse.getReassociationIndices()) {
        shape.push_back(1);
        for (int64_t i : group)
          shape.back() *= from[i];
      }
      reshape(collapse.getSrc(), collapse.getResult(), shape);
    } else if (!isa<scf::ForOp, scf::YieldOp, func::FuncOp, func::ReturnOp,
                    ModuleOp>(op)) {
      ADD_FAILURE() << "unexpected " << linalg_ext_test::print(op);
    }
    for (Value result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        for (auto [have, want] :
             llvm::zip_equal(tensors[result].shape, type.getShape()))
          EXPECT_TRUE(ShapedType::isDynamic(want) || have == want)
              << linalg_ext_test::print(op);
  }

  DenseMap<Value, int64_t> numbers;
  llvm::MapVector<Value, IntTensor> tensors;
  DenseMap<Value, int64_t> numRead;
};

//===----------------------------------------------------------------------===//
// One reshape
//===----------------------------------------------------------------------===//

struct ReshapeCase {
  bool isExpand = true;
  /// The sizes of the split dimensions, by group, and which are dynamic.
  std::vector<Shape> groups;
  std::vector<SmallVector<bool>> dynamic;

  Shape getSplitShape() const {
    Shape shape;
    for (const Shape &group : groups)
      shape.append(group);
    return shape;
  }
  Shape getFlatShape() const {
    Shape shape;
    for (const Shape &group : groups)
      shape.push_back(IntTensor::count(group));
    return shape;
  }
  Shape getResultShape() const {
    return isExpand ? getSplitShape() : getFlatShape();
  }
  Shape getSourceShape() const {
    return isExpand ? getFlatShape() : getSplitShape();
  }
};

/// A function with the reshape in a nest of loops without iter_args.
class ReshapeProgram {
public:
  ReshapeProgram(MLIRContext *context, const ReshapeCase &c)
      : c(c), b(context), loc(b.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    Shape split, flat;
    SmallVector<ReassociationIndices> groups;
    for (auto [group, dynamic] : llvm::zip_equal(c.groups, c.dynamic)) {
      groups.emplace_back();
      bool anyDynamic = false;
      for (auto [size, isDynamic] : llvm::zip_equal(group, dynamic)) {
        groups.back().push_back(split.size());
        split.push_back(isDynamic ? ShapedType::kDynamic : size);
        anyDynamic |= isDynamic;
      }
      flat.push_back(anyDynamic ? ShapedType::kDynamic
                                : IntTensor::count(group));
    }
    auto splitType = RankedTensorType::get(split, b.getIndexType());
    auto flatType = RankedTensorType::get(flat, b.getIndexType());
    SmallVector<Type> arguments = {c.isExpand ? flatType : splitType};
    if (c.isExpand)
      arguments.append(splitType.getNumDynamicDims(), b.getIndexType());
    func =
        func::FuncOp::create(b, loc, "main", b.getFunctionType(arguments, {}));
    Block *body = func.addEntryBlock();
    b.setInsertionPointToEnd(body);
    auto ret = func::ReturnOp::create(b, loc);
    b.setInsertionPoint(ret);
    if (c.isExpand) {
      SmallVector<OpFoldResult> sizes;
      unsigned next = 1;
      for (int64_t size : split)
        sizes.push_back(ShapedType::isDynamic(size)
                            ? OpFoldResult(body->getArgument(next++))
                            : OpFoldResult(b.getIndexAttr(size)));
      reshape = tensor::ExpandShapeOp::create(
          b, loc, splitType, body->getArgument(0), groups, sizes);
    } else {
      reshape = tensor::CollapseShapeOp::create(b, loc, flatType,
                                                body->getArgument(0), groups);
    }
    result = reshape->getResult(0);
  }

  /// scf.for from 0 to the size of dimension `dim` of `tensor`; later ops are
  /// in its body.
  Value addLoop(Value tensor, int64_t dim, int64_t step) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value stepValue = arith::ConstantIndexOp::create(b, loc, step);
    Value size = tensor::DimOp::create(b, loc, tensor, dim);
    if (auto type = cast<RankedTensorType>(tensor.getType());
        !type.isDynamicDim(dim))
      size = arith::ConstantIndexOp::create(b, loc, type.getDimSize(dim));
    auto loop = scf::ForOp::create(b, loc, zero, size, stepValue);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    return loop.getInductionVar();
  }

  /// min(step, size - iv), or a constant where that is it.
  OpFoldResult getTileSize(Value tensor, int64_t dim, int64_t step, Value iv) {
    AffineExpr d0, s0;
    bindDims(b.getContext(), d0);
    bindSymbols(b.getContext(), s0);
    if (step == 1)
      return b.getIndexAttr(1);
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) % step == 0)
      return b.getIndexAttr(step);
    OpFoldResult size = tensor::getMixedSize(b, loc, tensor, dim);
    return affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(1, 1, {b.getAffineConstantExpr(step), s0 - d0},
                       b.getContext()),
        {iv, size});
  }

  Interpreter makeInterpreter() {
    Interpreter interpreter;
    IntTensor source{c.getSourceShape(), {}};
    for (int64_t i = 0; i < IntTensor::count(source.shape); ++i)
      source.data.push_back(i);
    interpreter.set(func.getArgument(0), source);
    if (c.isExpand) {
      unsigned next = 1;
      for (auto [group, dynamic] : llvm::zip_equal(c.groups, c.dynamic))
        for (auto [size, isDynamic] : llvm::zip_equal(group, dynamic))
          if (isDynamic)
            interpreter.set(func.getArgument(next++), size);
    }
    return interpreter;
  }

  /// The whole result: elements keep their row-major numbers.
  IntTensor getWhole() const {
    IntTensor whole{c.getResultShape(), {}};
    for (int64_t i = 0; i < IntTensor::count(whole.shape); ++i)
      whole.data.push_back(i);
    return whole;
  }

  const ReshapeCase &c;
  OpBuilder b;
  Location loc;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
  Operation *reshape = nullptr;
  Value result;
};

class ReshapeTilingTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    context = linalg_ext_test::makeFusionContext().release();
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         func::FuncDialect, scf::SCFDialect,
                         tensor::TensorDialect>();
  }
  static void TearDownTestSuite() {
    delete context;
    context = nullptr;
  }

  int64_t draw(int64_t low, int64_t high) { return random.integer(low, high); }

  ReshapeCase drawCase(bool isExpand, double dynamic) {
    ReshapeCase c;
    c.isExpand = isExpand;
    for (int64_t g = draw(1, 2); g > 0; --g) {
      c.groups.emplace_back();
      c.dynamic.emplace_back();
      for (int64_t n = draw(1, 3); n > 0; --n) {
        c.groups.back().push_back(draw(0, 3) == 0 ? 1 : draw(2, 6));
        c.dynamic.back().push_back(random.chance(dynamic));
      }
    }
    return c;
  }

  static MLIRContext *context;
  oracle::Random random{17};
};

MLIRContext *ReshapeTilingTest::context = nullptr;

std::string print(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text;
}

/// The rectangular slices of `shape` in which the row-major numbers
/// [first, first + size) are all there is; independent of the code under test.
bool isOneSlice(ArrayRef<int64_t> shape, int64_t first, int64_t size) {
  Shape low(shape.size(), INT64_MAX), high(shape.size(), -1);
  int64_t number = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    if (number >= first && number < first + size)
      for (auto [dim, i] : llvm::enumerate(index)) {
        low[dim] = std::min(low[dim], i);
        high[dim] = std::max(high[dim], i);
      }
    ++number;
  });
  int64_t box = 1;
  for (auto [l, h] : llvm::zip_equal(low, high))
    box *= h - l + 1;
  return box == size;
}

/// Whether the tile has consecutive row-major numbers.
bool isOneRange(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets,
                ArrayRef<int64_t> sizes) {
  IntTensor whole{Shape(shape), {}};
  for (int64_t i = 0; i < IntTensor::count(shape); ++i)
    whole.data.push_back(i);
  IntTensor tile = slice(whole, offsets, sizes);
  return tile.data.back() - tile.data.front() + 1 == int64_t(tile.data.size());
}

//===----------------------------------------------------------------------===//
// Constant tiles: accepted where they are one slice or part of a small one
//===----------------------------------------------------------------------===//

TEST_F(ReshapeTilingTest, constantTilesOfExpand) {
  int64_t numExact = 0, numCovered = 0, numRefused = 0;
  for (int i = 0; i < 4000; ++i) {
    ReshapeCase c = drawCase(/*isExpand=*/true, /*dynamic=*/0);
    ReshapeProgram program(context, c);
    Shape offsets, sizes;
    bool exact = true, affordable = true;
    for (const Shape &group : c.groups) {
      Shape o, s;
      for (int64_t extent : group) {
        int64_t kind = draw(0, 2);
        s.push_back(kind == 0 ? 1 : kind == 1 ? extent : draw(1, extent));
        o.push_back(draw(0, extent - s.back()));
      }
      exact &= isOneRange(group, o, s);
      // Whole inside of the first dimension that it has more than 1 of.
      int64_t covering = 1;
      size_t first = 0;
      while (first < group.size() && s[first] == 1)
        ++first;
      for (size_t j = first; j < group.size(); ++j)
        covering *= j == first ? s[j] : group[j];
      affordable &=
          isOneRange(group, o, s) || covering <= 3 * IntTensor::count(s);
      offsets.append(o);
      sizes.append(s);
    }
    auto op = cast<TilingInterface>(program.reshape);
    FailureOr<TilingResult> tiled = op.getTiledImplementation(
        program.b, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes));
    std::string text = linalg_ext_test::print(program.func) + "tile at " +
                       print(offsets) + " of " + print(sizes);
    ASSERT_EQ(succeeded(tiled), affordable) << text;
    EXPECT_EQ(
        explainReshapeTileRefusal(op, getAsIndexOpFoldResult(context, offsets),
                                  getAsIndexOpFoldResult(context, sizes))
            .empty(),
        affordable);
    numRefused += !affordable;
    if (!affordable)
      continue;
    (exact ? numExact : numCovered) += 1;
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    Interpreter interpreter = program.makeInterpreter();
    interpreter.run(program.func);
    IntTensor want = slice(program.getWhole(), offsets, sizes);
    ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data, want.data)
        << text;
    ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).shape, want.shape);
    int64_t numRead = interpreter.getNumRead(program.func.getArgument(0));
    int64_t limit = IntTensor::count(sizes);
    for (size_t g = 0; g < c.groups.size() && !exact; ++g)
      limit *= 3;
    EXPECT_LE(numRead, limit) << text;
  }
  EXPECT_GT(numExact, 1000);
  EXPECT_GT(numCovered, 200);
  EXPECT_GT(numRefused, 200);
}

TEST_F(ReshapeTilingTest, constantTilesOfCollapse) {
  int64_t numExact = 0, numCovered = 0, numRefused = 0;
  for (int i = 0; i < 4000; ++i) {
    ReshapeCase c = drawCase(/*isExpand=*/false, /*dynamic=*/0);
    ReshapeProgram program(context, c);
    Shape offsets, sizes;
    bool exact = true;
    for (const Shape &group : c.groups) {
      int64_t total = IntTensor::count(group);
      sizes.push_back(draw(0, 3) == 0 ? total : draw(1, total));
      offsets.push_back(draw(0, total - sizes.back()));
      exact &= isOneSlice(group, offsets.back(), sizes.back());
    }
    auto op = cast<TilingInterface>(program.reshape);
    FailureOr<TilingResult> tiled = op.getTiledImplementation(
        program.b, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, sizes));
    std::string text = linalg_ext_test::print(program.func) + "tile at " +
                       print(offsets) + " of " + print(sizes);
    if (exact)
      ASSERT_TRUE(succeeded(tiled)) << text;
    numRefused += failed(tiled);
    if (failed(tiled))
      continue;
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    Interpreter interpreter = program.makeInterpreter();
    interpreter.run(program.func);
    IntTensor want = slice(program.getWhole(), offsets, sizes);
    ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data, want.data)
        << text;
    ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).shape, want.shape);
    int64_t numRead = interpreter.getNumRead(program.func.getArgument(0));
    (exact ? numExact : numCovered) += 1;
    if (exact)
      EXPECT_EQ(numRead, IntTensor::count(sizes)) << text;
    int64_t limit = IntTensor::count(sizes);
    for (size_t g = 0; g < c.groups.size(); ++g)
      limit *= 3;
    EXPECT_LE(numRead, limit) << text;
  }
  EXPECT_GT(numExact, 1000);
  EXPECT_GT(numCovered, 200);
  EXPECT_GT(numRefused, 20);
}

//===----------------------------------------------------------------------===//
// Tiles in loops, static and dynamic
//===----------------------------------------------------------------------===//

/// Whether `step` tiles of the flat dimension are slices in each iteration,
/// told from the sizes alone: whole rows of an outermost dimension, or equal
/// parts of one index outside.
bool isAligned(ArrayRef<int64_t> group, ArrayRef<bool> dynamic, int64_t step) {
  // Dynamic sizes are not known.
  int64_t inner = 1;
  for (size_t dim = group.size(); dim-- > 0;) {
    bool outermost = true;
    for (size_t outer = 0; outer < dim; ++outer)
      outermost &= group[outer] == 1 && !dynamic[outer];
    if (step % inner == 0 && outermost)
      return true;
    if (dynamic[dim])
      return false;
    if (step % inner == 0 && (inner * group[dim]) % step == 0)
      return true;
    inner *= group[dim];
  }
  return false;
}

TEST_F(ReshapeTilingTest, loopsOverCollapse) {
  int64_t numExact = 0, numCovered = 0, numDynamic = 0;
  double mostRead = 0;
  for (int i = 0; i < 3000; ++i) {
    ReshapeCase c = drawCase(/*isExpand=*/false, /*dynamic=*/i % 2 ? 0.3 : 0);
    ReshapeProgram program(context, c);
    SmallVector<OpFoldResult> offsets, sizes;
    Shape steps;
    SmallVector<Value> ivs;
    bool aligned = true;
    for (auto [dim, group] : llvm::enumerate(c.groups)) {
      int64_t total = IntTensor::count(group);
      steps.push_back(draw(1, total));
      aligned &= isAligned(group, c.dynamic[dim], steps.back());
      ivs.push_back(program.addLoop(program.result, dim, steps.back()));
      offsets.push_back(ivs.back());
      sizes.push_back(
          program.getTileSize(program.result, dim, steps.back(), ivs.back()));
    }
    auto op = cast<TilingInterface>(program.reshape);
    FailureOr<TilingResult> tiled =
        op.getTiledImplementation(program.b, offsets, sizes);
    std::string text =
        linalg_ext_test::print(program.func) + "steps " + print(steps);
    ASSERT_TRUE(succeeded(tiled)) << text;
    // What a plan foresees is carried out.
    ReshapedDims dims = getSourceDims(
        program.reshape, llvm::SmallBitVector(steps.size(), true), steps);
    EXPECT_NE(dims.tiles, ReshapedTiles::Unknown) << text;
    if (aligned)
      EXPECT_EQ(dims.tiles, ReshapedTiles::Slices) << text;
    (dims.tiles == ReshapedTiles::Slices ? numExact : numCovered) += 1;
    numDynamic +=
        !cast<RankedTensorType>(program.result.getType()).hasStaticShape();
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    Shape trips, flat = c.getFlatShape();
    for (auto [size, step] : llvm::zip_equal(flat, steps))
      trips.push_back((size + step - 1) / step);
    int64_t numRead = 0;
    forEachIndex(trips, [&](ArrayRef<int64_t> iteration) {
      Interpreter interpreter = program.makeInterpreter();
      Shape at, extent;
      for (auto [dim, iv] : llvm::enumerate(ivs)) {
        at.push_back(iteration[dim] * steps[dim]);
        extent.push_back(std::min(steps[dim], flat[dim] - at.back()));
        interpreter.set(iv, at.back());
      }
      interpreter.run(program.func);
      IntTensor want = slice(program.getWhole(), at, extent);
      EXPECT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data, want.data)
          << linalg_ext_test::print(program.func) << print(at);
      numRead += interpreter.getNumRead(program.func.getArgument(0));
      if (dims.tiles == ReshapedTiles::Slices)
        EXPECT_EQ(interpreter.getNumRead(program.func.getArgument(0)),
                  IntTensor::count(extent));
    });
    // All tiles together read no more than the docs say.
    int64_t limit = IntTensor::count(flat);
    for (auto [group, dynamic] : llvm::zip_equal(c.groups, c.dynamic)) {
      int64_t numDims = 0;
      for (auto [size, isDynamic] : llvm::zip_equal(group, dynamic))
        numDims += isDynamic || size != 1;
      limit *= std::max<int64_t>(1, 2 * numDims - 1);
    }
    EXPECT_LE(numRead, limit) << text;
    mostRead = std::max(mostRead, double(numRead) / IntTensor::count(flat));
    if (HasFailure())
      FAIL() << text;
  }
  EXPECT_GT(numExact, 1000);
  EXPECT_GT(numCovered, 500);
  EXPECT_GT(numDynamic, 200);
  EXPECT_GT(mostRead, 2.0); // the limit is not idle
}

/// Rows i of tiles j: offset i * size + j, the tiles that fusing through an
/// expand_shape asks for behind a collapse_shape. Also with dynamic sizes,
/// rows that tiles of j do not divide, and whole dimensions inside.
TEST_F(ReshapeTilingTest, tilesOfRowsOfCollapse) {
  int64_t numCases = 0;
  for (int64_t rows : {1, 3, 4})
    for (int64_t columns : {1, 5, 6})
      for (int64_t inner : {1, 2})
        for (int64_t step : {1, 2, 3, 4, 7})
          for (int dynamic = 0; dynamic < 8; ++dynamic) {
            ReshapeCase c;
            c.isExpand = false;
            c.groups = {{rows, columns, inner}};
            c.dynamic = {
                {bool(dynamic & 1), bool(dynamic & 2), bool(dynamic & 4)}};
            ReshapeProgram program(context, c);
            OpBuilder &b = program.b;
            Value source = program.func.getArgument(0);
            Value i = program.addLoop(source, 0, 1);
            Value j = program.addLoop(source, 1, step);
            AffineExpr s0, s1, s2, s3;
            bindSymbols(context, s0, s1, s2, s3);
            auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
              return affine::makeComposedFoldedAffineApply(
                  b, program.loc, AffineMap::get(0, operands.size(), expr),
                  operands);
            };
            OpFoldResult columnsSize =
                tensor::getMixedSize(b, program.loc, source, 1);
            OpFoldResult innerSize =
                tensor::getMixedSize(b, program.loc, source, 2);
            OpFoldResult offset =
                apply((s0 * s1 + s2) * s3, {i, columnsSize, j, innerSize});
            OpFoldResult size = program.getTileSize(source, 1, step, j);
            // The minimum of products: multiplied out, as it were by hand.
            if (auto value = dyn_cast<Value>(size)) {
              if (auto min = value.getDefiningOp<affine::AffineMinOp>();
                  min && inner != 1)
                size = affine::makeComposedFoldedAffineMin(
                    b, program.loc,
                    AffineMap::get(0, 3, {s0 * step, s0 * (s1 - s2)}, context),
                    {innerSize, columnsSize, j});
            } else {
              size = apply(s0 * s1, {size, innerSize});
            }
            if (auto value = dyn_cast<Value>(size);
                value && inner == 1 && (dynamic & 4))
              continue; // min(..) and not min(.. * inner)
            std::string text = linalg_ext_test::print(program.func) + "step " +
                               std::to_string(step);
            FailureOr<TilingResult> tiled =
                cast<TilingInterface>(program.reshape)
                    .getTiledImplementation(b, offset, size);
            ASSERT_TRUE(succeeded(tiled)) << text;
            ASSERT_TRUE(succeeded(verify(*program.module))) << text;
            ++numCases;
            for (int64_t row = 0; row < rows; ++row)
              for (int64_t column = 0; column < columns; column += step) {
                Interpreter interpreter = program.makeInterpreter();
                interpreter.set(i, row);
                interpreter.set(j, column);
                interpreter.run(program.func);
                int64_t at = (row * columns + column) * inner;
                int64_t extent = std::min(step, columns - column) * inner;
                IntTensor want = slice(program.getWhole(), at, extent);
                ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data,
                          want.data)
                    << text;
                // Nothing more than the tile.
                EXPECT_EQ(interpreter.getNumRead(source), extent) << text;
              }
          }
  EXPECT_GT(numCases, 300);
}

/// At 6 i - 2 j a tile of 3 may begin 2 before the end of a row; at 6 i + 2 j,
/// where j is 0 or 1, it does not, but that is not known of any j. Where it
/// does not, no more is read.
TEST_F(ReshapeTilingTest, tilesBeforeRowsOfCollapse) {
  for (int64_t step : {-2, 2}) {
    ReshapeCase c;
    c.isExpand = false;
    c.groups = {{4, 6}};
    c.dynamic = {{false, false}};
    ReshapeProgram program(context, c);
    Value source = program.func.getArgument(0);
    Value i = program.addLoop(source, 0, 1);
    Value j = program.addLoop(source, 1, 1);
    AffineExpr s0, s1;
    bindSymbols(context, s0, s1);
    OpFoldResult offset = affine::makeComposedFoldedAffineApply(
        program.b, program.loc, s0 * 6 + s1 * step, {i, j});
    OpFoldResult size = program.b.getIndexAttr(3);
    EXPECT_EQ(explainReshapeTileRefusal(program.reshape, offset, size), "");
    FailureOr<TilingResult> tiled =
        cast<TilingInterface>(program.reshape)
            .getTiledImplementation(program.b, offset, size);
    ASSERT_TRUE(succeeded(tiled));
    for (int64_t row = 0; row < 3; ++row)
      for (int64_t column = 0; column < 3; ++column) {
        int64_t at = 6 * row + step * column;
        if (at < 0)
          continue;
        Interpreter interpreter = program.makeInterpreter();
        interpreter.set(i, row);
        interpreter.set(j, column);
        interpreter.run(program.func);
        EXPECT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data,
                  slice(program.getWhole(), at, int64_t(3)).data);
        EXPECT_EQ(interpreter.getNumRead(source), at % 6 <= 3 ? 3 : 12);
      }
  }
}

TEST_F(ReshapeTilingTest, loopsOverExpand) {
  int64_t numAccepted = 0, numRefused = 0, numDynamic = 0;
  for (int i = 0; i < 3000; ++i) {
    ReshapeCase c = drawCase(/*isExpand=*/true, /*dynamic=*/i % 2 ? 0.4 : 0);
    ReshapeProgram program(context, c);
    SmallVector<OpFoldResult> offsets, sizes;
    Shape steps, shape = c.getSplitShape();
    SmallVector<Value> ivs(shape.size());
    bool expected = true;
    int64_t dim = 0;
    for (auto [group, dynamic] : llvm::zip_equal(c.groups, c.dynamic)) {
      // Before the innermost dimension that is not whole: 1.
      bool whole = true;
      SmallVector<int64_t> groupSteps;
      for (int64_t extent : group) {
        int64_t kind = draw(0, 2);
        groupSteps.push_back(kind == 0 ? 1 : kind == 1 ? 0 : draw(1, extent));
      }
      for (size_t j = group.size(); j-- > 0;) {
        bool isUnit = group[j] == 1 && !dynamic[j];
        if (!whole && groupSteps[j] != 1 && !isUnit)
          expected = false;
        whole &= groupSteps[j] == 0 || isUnit ||
                 (groupSteps[j] == group[j] && !dynamic[j]);
      }
      for (size_t j = 0; j < group.size(); ++j, ++dim) {
        steps.push_back(groupSteps[j]);
        if (steps.back() == 0) {
          offsets.push_back(program.b.getIndexAttr(0));
          sizes.push_back(tensor::getMixedSize(program.b, program.loc,
                                               program.result, dim));
          continue;
        }
        ivs[dim] = program.addLoop(program.result, dim, steps.back());
        offsets.push_back(ivs[dim]);
        sizes.push_back(
            program.getTileSize(program.result, dim, steps.back(), ivs[dim]));
      }
    }
    auto op = cast<TilingInterface>(program.reshape);
    FailureOr<TilingResult> tiled =
        op.getTiledImplementation(program.b, offsets, sizes);
    std::string text =
        linalg_ext_test::print(program.func) + "steps " + print(steps);
    if (expected)
      ASSERT_TRUE(succeeded(tiled)) << text;
    llvm::SmallBitVector cut(steps.size());
    for (size_t d = 0; d < steps.size(); ++d)
      cut[d] = steps[d] != 0;
    EXPECT_EQ(getSourceDims(op, cut, steps).tiles != ReshapedTiles::Unknown,
              succeeded(tiled))
        << text;
    numRefused += failed(tiled);
    if (failed(tiled))
      continue;
    ++numAccepted;
    numDynamic +=
        !cast<RankedTensorType>(program.result.getType()).hasStaticShape();
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    Shape trips;
    for (auto [size, step] : llvm::zip_equal(shape, steps))
      trips.push_back(step == 0 ? 1 : (size + step - 1) / step);
    forEachIndex(trips, [&](ArrayRef<int64_t> iteration) {
      Interpreter interpreter = program.makeInterpreter();
      Shape at, extent;
      for (size_t d = 0; d < shape.size(); ++d) {
        at.push_back(iteration[d] * steps[d]);
        extent.push_back(steps[d] == 0
                             ? shape[d]
                             : std::min(steps[d], shape[d] - at.back()));
        if (ivs[d])
          interpreter.set(ivs[d], at.back());
      }
      interpreter.run(program.func);
      IntTensor want = slice(program.getWhole(), at, extent);
      EXPECT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data, want.data)
          << linalg_ext_test::print(program.func) << print(at);
    });
    if (HasFailure())
      FAIL() << text;
  }
  EXPECT_GT(numAccepted, 1000);
  EXPECT_GT(numDynamic, 200);
  EXPECT_GT(numRefused, 100);
}

//===----------------------------------------------------------------------===//
// As a consumer: the tile of the result that a tile of the source becomes
//===----------------------------------------------------------------------===//

TEST_F(ReshapeTilingTest, consumer) {
  int64_t numAccepted[2] = {0, 0};
  for (int i = 0; i < 4000; ++i) {
    ReshapeCase c = drawCase(/*isExpand=*/i % 2, /*dynamic=*/0);
    ReshapeProgram program(context, c);
    Shape offsets, sizes;
    bool exact = true;
    for (const Shape &group : c.groups) {
      if (c.isExpand) {
        int64_t total = IntTensor::count(group);
        sizes.push_back(draw(0, 3) == 0 ? total : draw(1, total));
        offsets.push_back(draw(0, total - sizes.back()));
        exact &= isOneSlice(group, offsets.back(), sizes.back());
        continue;
      }
      Shape o, s;
      for (int64_t extent : group) {
        int64_t kind = draw(0, 2);
        s.push_back(kind == 0 ? 1 : kind == 1 ? extent : draw(1, extent));
        o.push_back(draw(0, extent - s.back()));
      }
      exact &= isOneRange(group, o, s);
      offsets.append(o);
      sizes.append(s);
    }
    auto op = cast<TilingInterface>(program.reshape);
    SmallVector<OpFoldResult> domainOffsets, domainSizes;
    SmallVector<SmallVector<OpFoldResult>> allOffsets = {
        getAsIndexOpFoldResult(context, offsets)};
    SmallVector<SmallVector<OpFoldResult>> allSizes = {
        getAsIndexOpFoldResult(context, sizes)};
    std::string text = linalg_ext_test::print(program.func) + "tile at " +
                       print(offsets) + " of " + print(sizes);
    LogicalResult found = op.getIterationDomainTileFromOperandTiles(
        program.b, 0u, allOffsets, allSizes, domainOffsets, domainSizes);
    FailureOr<TilingResult> tiled = op.getTiledImplementationFromOperandTiles(
        program.b, 0u, allOffsets, allSizes);
    ASSERT_EQ(succeeded(found), exact) << text;
    ASSERT_EQ(succeeded(tiled), exact) << text;
    if (!exact)
      continue;
    ++numAccepted[c.isExpand];
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    Interpreter interpreter = program.makeInterpreter();
    interpreter.run(program.func);
    Shape at, extent;
    for (auto [offset, size] : llvm::zip_equal(domainOffsets, domainSizes)) {
      at.push_back(interpreter.get(offset));
      extent.push_back(interpreter.get(size));
    }
    // The tile of the source, element by element, at its place in the result.
    IntTensor want = slice(program.getWhole(), at, extent);
    ASSERT_EQ(interpreter.getTensor(tiled->tiledValues[0]).data, want.data)
        << text;
    Interpreter source = program.makeInterpreter();
    ASSERT_EQ(
        slice(source.getTensor(program.func.getArgument(0)), offsets, sizes)
            .data,
        want.data)
        << text;
  }
  EXPECT_GT(numAccepted[0], 500);
  EXPECT_GT(numAccepted[1], 500);
}

} // namespace
