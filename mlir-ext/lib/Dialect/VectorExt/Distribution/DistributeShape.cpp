//===- DistributeShape.cpp - Constants, masks, broadcasts, reshapes -------===//
//
// Distributes ops that compute nothing and only tell where each element is. In
// a layout, such an op is a choice of registers or a comparison of coordinates.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;

using Results = FailureOr<SmallVector<Value>>;

/// A vector of one value for each register.
template <typename Fn>
static Value buildRegisters(ImplicitLocOpBuilder &builder, VectorType type,
                            Fn fn) {
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < type.getNumElements(); ++reg)
    registers.push_back(fn(reg));
  return vector::FromElementsOp::create(builder, type, registers);
}

/// The registers of `result`, whose elements, in row-major order, every thread
/// can get: it selects, by its coordinates, from all of them.
template <typename Fn>
static Value selectElements(ImplicitLocOpBuilder &b, Distributor &distributor,
                            Value result, Fn getElement) {
  const Layout &layout = distributor.getLayout(result);
  VectorType type = distributor.getDistributedType(result);
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  SmallVector<int64_t> shape = layout.getShape();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return buildRegisters(b, type, [&](int64_t reg) {
    // The linear index of this register's element, and every value it may have
    // in some thread.
    SmallVector<int64_t> offset = layout.getCoordinate({0, 0, reg});
    Value linear = zero;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      Value scaled = b.createOrFold<arith::MulIOp>(
          linear, arith::ConstantIndexOp::create(b, size));
      linear = b.createOrFold<arith::AddIOp>(
          scaled, addIndex(b, thread[dim], offset[dim]));
    }
    llvm::SmallSetVector<int64_t, 16> candidates;
    for (int64_t subgroup = 0; subgroup < layout.getNumSubgroups(); ++subgroup)
      for (int64_t lane = 0; lane < layout.getNumLanes(); ++lane) {
        int64_t index = 0;
        for (auto [at, size] : llvm::zip_equal(
                 layout.getCoordinate({subgroup, lane, reg}), shape))
          index = index * size + at;
        candidates.insert(index);
      }
    Value selected;
    for (int64_t index : candidates) {
      Value value = getElement(index);
      if (!selected) {
        selected = value;
        continue;
      }
      Value isHere =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, linear,
                                arith::ConstantIndexOp::create(b, index));
      selected = arith::SelectOp::create(b, isHere, value, selected);
    }
    return selected;
  });
}

static Results distributeConstant(arith::ConstantOp op,
                                  Distributor &distributor) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.emitOpError() << "expected dense elements to distribute";
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  VectorType type = distributor.getDistributedType(op.getResult());
  if (elements.isSplat())
    return SmallVector<Value>{
        arith::ConstantOp::create(b, elements.resizeSplat(type))};
  SmallVector<Attribute> values(elements.getValues<Attribute>());
  return SmallVector<Value>{
      selectElements(b, distributor, op.getResult(), [&](int64_t index) {
        return arith::ConstantOp::create(b, cast<TypedAttr>(values[index]));
      })};
}

static Results distributeFromElements(vector::FromElementsOp op,
                                      Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  return SmallVector<Value>{
      selectElements(b, distributor, op.getResult(),
                     [&](int64_t index) { return op.getElements()[index]; })};
}

static Results distributePoison(ub::PoisonOp op, Distributor &distributor) {
  return SmallVector<Value>{
      ub::PoisonOp::create(distributor.getRewriter(), op.getLoc(),
                           distributor.getDistributedType(op.getResult()))};
}

static Results distributeStep(vector::StepOp op, Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  const Layout &layout = distributor.getLayout(op.getResult());
  Value thread = distributor.getThreadCoordinate(layout)[0];
  VectorType type = distributor.getDistributedType(op.getResult());
  SmallVector<APInt> offsets;
  for (int64_t reg = 0; reg < type.getNumElements(); ++reg)
    offsets.emplace_back(64, layout.getCoordinate({0, 0, reg})[0]);
  return SmallVector<Value>{arith::AddIOp::create(
      b, vector::BroadcastOp::create(b, type, thread),
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, offsets)))};
}

/// A mask of the elements whose coordinates are below `bounds`.
static Value buildMask(ImplicitLocOpBuilder &b, Distributor &distributor,
                       Value mask, ArrayRef<Value> bounds) {
  const Layout &layout = distributor.getLayout(mask);
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  // Comparisons are with constants, and nothing wider than 32 bits lives.
  SmallVector<Value> left(bounds.size());
  for (auto [dim, bound] : llvm::enumerate(bounds)) {
    int64_t size = layout.getDimSize(dim);
    std::optional<int64_t> constant = getConstantIntValue(bound);
    if (constant && *constant >= size)
      continue;
    left[dim] = countBelow(b, thread[dim], bound, size);
  }
  // Each comparison once.
  SmallVector<llvm::DenseMap<int64_t, Value>> known(bounds.size());
  return buildRegisters(
      b, distributor.getDistributedType(mask), [&](int64_t reg) {
        Value all;
        SmallVector<int64_t> offset = layout.getCoordinate({0, 0, reg});
        for (size_t dim = 0; dim < left.size(); ++dim) {
          if (!left[dim] || isKnownBelow(layout, dim, offset[dim], bounds[dim]))
            continue;
          Value &isBelow = known[dim][offset[dim]];
          if (!isBelow)
            isBelow = b.createOrFold<arith::CmpIOp>(
                arith::CmpIPredicate::sgt, left[dim],
                arith::ConstantIntOp::create(b, offset[dim], 32));
          all = all ? b.createOrFold<arith::AndIOp>(all, isBelow) : isBelow;
        }
        if (!all)
          all = arith::ConstantIntOp::create(b, 1, 1);
        return all;
      });
}

static Results distributeCreateMask(vector::CreateMaskOp op,
                                    Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  SmallVector<Value> bounds(op.getOperands());
  return SmallVector<Value>{buildMask(b, distributor, op.getResult(), bounds)};
}

static Results distributeConstantMask(vector::ConstantMaskOp op,
                                      Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  SmallVector<Value> bounds;
  for (int64_t size : op.getMaskDimSizes())
    bounds.push_back(arith::ConstantIndexOp::create(b, size));
  return SmallVector<Value>{buildMask(b, distributor, op.getResult(), bounds)};
}

/// Registers of `source`, one for each of `result`: `map` gives the coordinate
/// in the source of a coordinate in the result. Threads agree, so thread 0
/// tells.
template <typename Fn>
static Value selectRegisters(ImplicitLocOpBuilder &b, Distributor &distributor,
                             Value source, Value result, Fn map) {
  const Layout &from = distributor.getLayout(source);
  const Layout &to = distributor.getLayout(result);
  SmallVector<int64_t> registers;
  for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg)
    registers.push_back(from.getOwner(map(to.getCoordinate({0, 0, reg}))).reg);
  return extractRegisters(b, distributor.getDistributed(source), registers);
}

static Results distributeBroadcast(vector::BroadcastOp op,
                                   Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  Value source = op.getSource();
  auto type = dyn_cast<VectorType>(source.getType());
  if (!type)
    return SmallVector<Value>{vector::BroadcastOp::create(
        b, distributor.getDistributedType(op.getResult()), source)};
  return SmallVector<Value>{selectRegisters(
      b, distributor, source, op.getResult(), [&](ArrayRef<int64_t> at) {
        SmallVector<int64_t> coordinate(at.take_back(type.getRank()));
        for (auto [index, size] : llvm::zip_equal(coordinate, type.getShape()))
          index = size == 1 ? 0 : index;
        return coordinate;
      })};
}

/// The layouts differ in the order, or the cut, of their dimensions, and in
/// nothing else: the registers are the same.
template <typename OpTy>
static Results distributeSameRegisters(OpTy op, Distributor &distributor) {
  return SmallVector<Value>{distributor.getDistributed(op->getOperand(0))};
}

static Results distributeExtract(vector::ExtractOp op,
                                 Distributor &distributor) {
  if (op.hasDynamicPosition())
    return op.emitOpError() << "at a position that is not known cannot be "
                               "distributed";
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  Value source = op.getSource();
  const Layout &layout = distributor.getLayout(source);
  SmallVector<int64_t> position(op.getStaticPosition());
  if (!isa<VectorType>(op.getType()))
    return SmallVector<Value>{extractRegister(
        b, distributor.getDistributed(source), layout.getOwner(position).reg)};
  return SmallVector<Value>{selectRegisters(
      b, distributor, source, op.getResult(), [&](ArrayRef<int64_t> at) {
        SmallVector<int64_t> coordinate = position;
        coordinate.append(at.begin(), at.end());
        return coordinate;
      })};
}

/// Threads whose element is at the position take it from the source.
static Results distributeInsert(vector::InsertOp op, Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  const Layout &layout = distributor.getLayout(op.getResult());
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  Value source = distributor.getDistributed(op.getValueToStore());
  Value dest = distributor.getDistributed(op.getDest());
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  SmallVector<bool> leading(layout.getRank(), false);
  for (size_t i = 0; i < position.size(); ++i)
    leading[i] = true;
  return SmallVector<Value>{buildRegisters(
      b, distributor.getDistributedType(op.getResult()), [&](int64_t reg) {
        SmallVector<int64_t> offset = layout.getCoordinate({0, 0, reg});
        Value isHere;
        for (auto [dim, at] : llvm::enumerate(position)) {
          Value wanted = getValueOrCreateConstantIndexOp(b, b.getLoc(), at);
          Value isEqual = b.createOrFold<arith::CmpIOp>(
              arith::CmpIPredicate::eq, addIndex(b, thread[dim], offset[dim]),
              wanted);
          isHere =
              isHere ? b.createOrFold<arith::AndIOp>(isHere, isEqual) : isEqual;
        }
        Value inserted = source;
        if (isa<VectorType>(source.getType()))
          inserted = extractRegister(b, source,
                                     layout.getProjectedRegister(reg, leading));
        if (!isHere)
          return inserted;
        return b.createOrFold<arith::SelectOp>(isHere, inserted,
                                               extractRegister(b, dest, reg));
      })};
}

void mlir::vector_ext::populateShapeDistributionPatterns(
    DistributionPatterns &patterns) {
  patterns.add<arith::ConstantOp>(distributeConstant);
  patterns.add<ub::PoisonOp>(distributePoison);
  patterns.add<vector::StepOp>(distributeStep);
  patterns.add<vector::CreateMaskOp>(distributeCreateMask);
  patterns.add<vector::ConstantMaskOp>(distributeConstantMask);
  patterns.add<vector::BroadcastOp>(distributeBroadcast);
  patterns.add<vector::TransposeOp>(
      distributeSameRegisters<vector::TransposeOp>);
  patterns.add<vector::ShapeCastOp>(
      distributeSameRegisters<vector::ShapeCastOp>);
  patterns.add<vector::ExtractOp>(distributeExtract);
  patterns.add<vector::InsertOp>(distributeInsert);
  patterns.add<vector::FromElementsOp>(distributeFromElements);
}
