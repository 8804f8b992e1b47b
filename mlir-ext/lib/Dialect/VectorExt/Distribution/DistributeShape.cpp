//===- DistributeShape.cpp - Constants, masks, broadcasts, reshapes -------===//
//
// Ops that compute nothing except the position of each element. Their relation
// is an edit of the layout: dimensions are dropped, added, permuted or
// regrouped. Their distribution is a choice of registers or a comparison of
// coordinates.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

//===----------------------------------------------------------------------===//
// Elements that every thread can get
//===----------------------------------------------------------------------===//

/// Builds a vector with one value for each register.
template <typename Fn>
static Value buildRegisters(ImplicitLocOpBuilder &builder, VectorType type,
                            Fn fn) {
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < type.getNumElements(); ++reg)
    registers.push_back(fn(reg));
  return vector::FromElementsOp::create(builder, type, registers);
}

/// Builds the registers of `result` if every thread can get all of its
/// elements, in row-major order. Each thread selects its elements by its
/// coordinates.
template <typename Fn>
static Value selectElements(ImplicitLocOpBuilder &b, Distributor &distributor,
                            Value result, Fn getElement) {
  const Layout &layout = distributor.getLayout(result);
  VectorType type = distributor.getDistributedType(result);
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  SmallVector<int64_t> shape = layout.getShape();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return buildRegisters(b, type, [&](int64_t reg) {
    // These are the linear index of the register's element, and all values that
    // it may have in some thread.
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

namespace {
struct ConstantModel
    : LayoutOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  bool isRematerializable(Operation *op) const {
    auto elements =
        dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    return elements && elements.isSplat();
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto constant = cast<arith::ConstantOp>(op);
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements)
      return op->emitOpError() << "expected dense elements to distribute";
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    VectorType type = distributor.getDistributedType(constant.getResult());
    if (elements.isSplat()) {
      distributor.replace(
          op,
          arith::ConstantOp::create(b, elements.resizeSplat(type)).getResult());
      return success();
    }
    SmallVector<Attribute> values(elements.getValues<Attribute>());
    distributor.replace(op,
                        selectElements(b, distributor, constant.getResult(),
                                       [&](int64_t index) {
                                         return arith::ConstantOp::create(
                                             b, cast<TypedAttr>(values[index]));
                                       }));
    return success();
  }
};

struct FromElementsModel
    : LayoutOpInterface::ExternalModel<FromElementsModel,
                                       vector::FromElementsOp> {
  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto from = cast<vector::FromElementsOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    distributor.replace(op, selectElements(b, distributor, from.getResult(),
                                           [&](int64_t index) {
                                             return from.getElements()[index];
                                           }));
    return success();
  }
};

struct PoisonModel
    : LayoutOpInterface::ExternalModel<PoisonModel, ub::PoisonOp> {
  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    distributor.replace(
        op, ub::PoisonOp::create(distributor.getRewriter(), op->getLoc(),
                                 distributor.getDistributedType(
                                     cast<ub::PoisonOp>(op).getResult()))
                .getResult());
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Positions and masks
//===----------------------------------------------------------------------===//

namespace {
struct StepModel : LayoutOpInterface::ExternalModel<StepModel, vector::StepOp> {
  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Value result = op->getResult(0);
    const Layout &layout = distributor.getLayout(result);
    Value thread = distributor.getThreadCoordinate(layout)[0];
    VectorType type = distributor.getDistributedType(result);
    SmallVector<APInt> offsets;
    for (int64_t reg = 0; reg < type.getNumElements(); ++reg)
      offsets.emplace_back(64, layout.getCoordinate({0, 0, reg})[0]);
    Value start = vector::BroadcastOp::create(b, type, thread);
    Value steps =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, offsets));
    distributor.replace(op, arith::AddIOp::create(b, start, steps).getResult());
    return success();
  }
};
} // namespace

/// Builds a mask of the elements whose coordinates are below `bounds`.
static Value buildMask(ImplicitLocOpBuilder &b, Distributor &distributor,
                       Value mask, ArrayRef<Value> bounds) {
  const Layout &layout = distributor.getLayout(mask);
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  // The comparisons are with constants, and no value wider than 32 bits stays
  // live.
  SmallVector<Value> left(bounds.size());
  SmallVector<std::optional<int64_t>> least =
      llvm::map_to_vector(bounds, getKnownMinimum);
  for (auto [dim, bound] : llvm::enumerate(bounds)) {
    int64_t size = layout.getDimSize(dim);
    std::optional<int64_t> constant = getConstantIntValue(bound);
    if (constant && *constant >= size)
      continue;
    left[dim] = countBelow(b, thread[dim], bound, size);
  }
  // Each comparison is built once.
  SmallVector<llvm::DenseMap<int64_t, Value>> known(bounds.size());
  return buildRegisters(
      b, distributor.getDistributedType(mask), [&](int64_t reg) {
        Value all;
        SmallVector<int64_t> offset = layout.getCoordinate({0, 0, reg});
        for (size_t dim = 0; dim < left.size(); ++dim) {
          if (!left[dim] || isKnownBelow(layout, dim, offset[dim], least[dim]))
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

namespace {
struct CreateMaskModel
    : LayoutOpInterface::ExternalModel<CreateMaskModel, vector::CreateMaskOp> {
  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    SmallVector<Value> bounds(op->getOperands());
    distributor.replace(op,
                        buildMask(b, distributor, op->getResult(0), bounds));
    return success();
  }
};

struct ConstantMaskModel
    : LayoutOpInterface::ExternalModel<ConstantMaskModel,
                                       vector::ConstantMaskOp> {
  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    SmallVector<Value> bounds;
    for (int64_t size : cast<vector::ConstantMaskOp>(op).getMaskDimSizes())
      bounds.push_back(arith::ConstantIndexOp::create(b, size));
    distributor.replace(op,
                        buildMask(b, distributor, op->getResult(0), bounds));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Broadcasts, transposes and reshapes
//===----------------------------------------------------------------------===//

/// Builds registers of `source`, one for each register of `result`. `map` maps
/// a coordinate of the result to one of the source. All threads agree, so the
/// coordinates of thread 0 decide.
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

/// Returns which dimensions `op` broadcasts: the leading ones, and those that
/// are stretched from size one.
static SmallVector<bool> getBroadcastDims(vector::BroadcastOp op) {
  auto source = dyn_cast<VectorType>(op.getSourceType());
  ArrayRef<int64_t> shape = op.getResultVectorType().getShape();
  SmallVector<bool> dims(shape.size(), true);
  if (source)
    for (int64_t i = 0; i < source.getRank(); ++i) {
      int64_t at = shape.size() - source.getRank() + i;
      dims[at] = source.getShape()[i] != shape[at];
    }
  return dims;
}

namespace {
struct BroadcastModel
    : LayoutOpInterface::ExternalModel<BroadcastModel, vector::BroadcastOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto broadcast = cast<vector::BroadcastOp>(op);
    Layout projected = deciding.project(getBroadcastDims(broadcast));
    // Dimensions that are stretched from size one remain in the source.
    return projected.reshape(
        cast<VectorType>(broadcast.getSourceType()).getShape());
  }

  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto broadcast = cast<vector::BroadcastOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Value source = broadcast.getSource(), result = broadcast.getResult();
    auto type = dyn_cast<VectorType>(source.getType());
    if (!type) {
      distributor.replace(op,
                          vector::BroadcastOp::create(
                              b, distributor.getDistributedType(result), source)
                              .getResult());
      return success();
    }
    // An argument of a loop already has its distributed type here.
    SmallVector<int64_t> shape = distributor.getLayout(source).getShape();
    distributor.replace(
        op, selectRegisters(
                b, distributor, source, result, [&](ArrayRef<int64_t> at) {
                  SmallVector<int64_t> coordinate(at.take_back(shape.size()));
                  for (auto [index, size] : llvm::zip_equal(coordinate, shape))
                    index = size == 1 ? 0 : index;
                  return coordinate;
                }));
    return success();
  }
};

/// Keeps the registers: the layouts differ only in the order of their
/// dimensions, or in how the dimensions are cut.
LogicalResult keepRegisters(Operation *op, Distributor &distributor) {
  distributor.replace(op, distributor.getDistributed(op->getOperand(0)));
  return success();
}

SmallVector<unsigned> getPermutation(Operation *op) {
  return llvm::map_to_vector(cast<vector::TransposeOp>(op).getPermutation(),
                             [](int64_t dim) { return unsigned(dim); });
}

struct TransposeModel
    : LayoutOpInterface::ExternalModel<TransposeModel, vector::TransposeOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    SmallVector<unsigned> inverse(deciding.getRank());
    for (auto [i, dim] : llvm::enumerate(getPermutation(op)))
      inverse[dim] = i;
    return deciding.permute(inverse);
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &,
                                          const Layout &layout) const {
    return layout.permute(getPermutation(op));
  }
  bool isRematerializable(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    return keepRegisters(op, distributor);
  }
};
} // namespace

/// Returns a layout of `to` that can be reshaped to `from`, a shape with the
/// same number of elements. In row-major order, a digit may end inside of a
/// dimension of either shape only if it divides the dimension.
static Layout getReshapeLayout(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                               const Workgroup &workgroup) {
  SmallVector<int64_t> boundaries;
  int64_t elements = 1;
  for (ArrayRef<int64_t> shape : {from, to}) {
    elements = 1;
    for (int64_t size : llvm::reverse(shape))
      boundaries.push_back(elements *= size);
  }
  auto isCut = [&](int64_t place) {
    return elements % place == 0 && llvm::all_of(boundaries, [&](int64_t b) {
             return b % place == 0 || place % b == 0;
           });
  };
  int64_t registers = 1, lanes = 1, subgroups = 1;
  DimDigits digits;
  for (int64_t place = 1; place < elements;) {
    int64_t next = 2 * place;
    while (!isCut(next))
      next += place;
    int64_t size = next / place;
    auto add = [&](Axis axis, int64_t &taken) {
      digits.insert(digits.begin(), Digit{axis, size, taken});
      taken *= size;
    };
    if (workgroup.numLanes % (lanes * size) == 0)
      add(Axis::Lane, lanes);
    else if (workgroup.numSubgroups % (subgroups * size) == 0)
      add(Axis::Subgroup, subgroups);
    else
      add(Axis::Register, registers);
    place = next;
  }
  return *Layout::get(digits, workgroup.numLanes, workgroup.numSubgroups)
              ->reshape(to);
}

namespace {
struct ShapeCastModel
    : LayoutOpInterface::ExternalModel<ShapeCastModel, vector::ShapeCastOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    return deciding.reshape(
        cast<vector::ShapeCastOp>(op).getSourceVectorType().getShape());
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &,
                                          const Layout &layout) const {
    return layout.reshape(
        cast<vector::ShapeCastOp>(op).getResultVectorType().getShape());
  }

  std::optional<Layout> getPossibleLayout(Operation *op,
                                          const Workgroup &workgroup) const {
    auto cast = llvm::cast<vector::ShapeCastOp>(op);
    return getReshapeLayout(cast.getSourceVectorType().getShape(),
                            cast.getResultVectorType().getShape(), workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    return keepRegisters(op, distributor);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Groups of elements
//===----------------------------------------------------------------------===//

/// Returns the shape of `groups` with a separate dimension for the elements of
/// a group. The last dimension of `groups` holds groups of `count` elements.
static SmallVector<int64_t> splitGroups(Value groups, int64_t count = 2) {
  SmallVector<int64_t> shape(cast<VectorType>(groups.getType()).getShape());
  shape.back() /= count;
  shape.push_back(count);
  return shape;
}

/// Marks the last of `rank` dimensions.
static SmallVector<bool> getLastDim(unsigned rank) {
  SmallVector<bool> last(rank, false);
  last.back() = true;
  return last;
}

/// Returns the layout of the first elements of groups, or of the second ones,
/// and so on. `layout` is that of the groups, with a dimension for the elements
/// of a group. A thread that has one element of a group gets all of them, since
/// all threads run the same code.
static Layout getLayoutOfOne(const Layout &layout) {
  return layout.project(getLastDim(layout.getRank()));
}

/// Returns the layout of groups of `count` elements in which a thread has all
/// elements of a group in consecutive registers, so that it loads and stores
/// them together. `layout` is that of the first elements, or of other ones.
static Layout getLayoutOfGroups(const Layout &layout, int64_t count = 2) {
  SmallVector<DimDigits> dims(layout.getDims());
  for (DimDigits &digits : dims)
    for (Digit &digit : digits)
      if (digit.axis == Axis::Register)
        digit.stride *= count;
  if (dims.empty())
    dims.emplace_back();
  dims.back().push_back({Axis::Register, count, 1});
  return *Layout::get(dims, layout.getNumLanes(), layout.getNumSubgroups());
}

/// Returns the layout of the first elements of groups for which
/// `getLayoutOfGroups` gives `layout`, the layout of `groups`. Returns none if
/// a group is in several threads, or in other registers.
static std::optional<Layout> getLayoutOfWholeGroups(Value groups,
                                                    const Layout &layout,
                                                    int64_t count = 2) {
  std::optional<Layout> split = layout.reshape(splitGroups(groups, count));
  if (!split)
    return std::nullopt;
  Layout one = getLayoutOfOne(*split);
  if (getLayoutOfGroups(one, count) != layout)
    return std::nullopt;
  return one;
}

namespace {
struct InterleaveModel
    : LayoutOpInterface::ExternalModel<InterleaveModel, vector::InterleaveOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    std::optional<Layout> split =
        deciding.reshape(splitGroups(op->getResult(0)));
    if (!split)
      return std::nullopt;
    return getLayoutOfOne(*split);
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &,
                                          const Layout &layout) const {
    return getLayoutOfGroups(layout);
  }

  std::optional<Layout> getPossibleLayout(Operation *op,
                                          const Workgroup &workgroup) const {
    Value result = op->getResult(0);
    return getReshapeLayout(splitGroups(result),
                            cast<VectorType>(result.getType()).getShape(),
                            workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Value result = op->getResult(0);
    Layout layout = *distributor.getLayout(result).reshape(splitGroups(result));
    SmallVector<bool> last = getLastDim(layout.getRank());
    Value halves[] = {distributor.getDistributed(op->getOperand(0)),
                      distributor.getDistributed(op->getOperand(1))};
    // Two is a prime, so one digit selects the element of the pair. It is a
    // digit of the register or of the thread.
    if (layout.getDigits(layout.getRank() - 1)[0].axis == Axis::Register) {
      distributor.replace(
          op,
          buildRegisters(
              b, distributor.getDistributedType(result), [&](int64_t reg) {
                int64_t half = layout.getCoordinate({0, 0, reg}).back();
                return extractRegister(b, halves[half],
                                       layout.getProjectedRegister(reg, last));
              }));
      return success();
    }
    Value isSecond =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                              distributor.getThreadCoordinate(layout).back(),
                              arith::ConstantIndexOp::create(b, 0));
    distributor.replace(
        op,
        arith::SelectOp::create(b, isSecond, halves[1], halves[0]).getResult());
    return success();
  }
};

struct DeinterleaveModel
    : LayoutOpInterface::ExternalModel<DeinterleaveModel,
                                       vector::DeinterleaveOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return getLayoutOfGroups(deciding);
  }

  std::optional<Layout> getResultLayout(Operation *, OpResult,
                                        const Layout &deciding) const {
    return deciding;
  }

  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &operand,
                                          const Layout &layout) const {
    return getLayoutOfWholeGroups(operand.get(), layout);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    SmallVector<Value> halves;
    for (OpResult result : op->getResults())
      halves.push_back(selectRegisters(
          b, distributor, op->getOperand(0), result, [&](ArrayRef<int64_t> at) {
            SmallVector<int64_t> coordinate(at);
            coordinate.back() = 2 * at.back() + result.getResultNumber();
            return coordinate;
          }));
    distributor.replace(op, halves);
    return success();
  }
};

/// Elements of as many bits stay where they are. Otherwise several narrow elements
/// are one wide element, and a thread has all of them.
struct BitCastModel
    : LayoutOpInterface::ExternalModel<BitCastModel, vector::BitCastOp> {
  /// How many elements of `narrow` one element of `wide` has.
  static int64_t getCount(Value wide, Value narrow) {
    return linalg_ext::getElementBits(wide.getType()) /
           linalg_ext::getElementBits(narrow.getType());
  }

  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    Value result = op->getResult(0);
    if (int64_t count = getCount(operand.get(), result); count > 1)
      return getLayoutOfWholeGroups(result, deciding, count);
    int64_t count = getCount(result, operand.get());
    return count > 1 ? getLayoutOfGroups(deciding, count) : deciding;
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    Value result = op->getResult(0);
    if (int64_t count = getCount(operand.get(), result); count > 1)
      return getLayoutOfGroups(layout, count);
    int64_t count = getCount(result, operand.get());
    return count > 1 ? getLayoutOfWholeGroups(operand.get(), layout, count)
                     : layout;
  }

  std::optional<Layout> getPossibleLayout(Operation *op,
                                          const Workgroup &workgroup) const {
    Value operand = op->getOperand(0);
    ArrayRef<int64_t> shape = cast<VectorType>(operand.getType()).getShape();
    int64_t count = getCount(operand, op->getResult(0));
    // Others can follow any layout.
    if (count <= 1)
      return std::nullopt;
    return getLayoutOfGroups(getReshapeLayout(shape, shape, workgroup), count);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    distributor.moveToRegisters(op);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Parts of vectors
//===----------------------------------------------------------------------===//

/// Marks the first `count` of `rank` dimensions.
static SmallVector<bool> getLeadingDims(unsigned rank, unsigned count) {
  SmallVector<bool> leading(rank, false);
  std::fill_n(leading.begin(), count, true);
  return leading;
}

/// Adds leading dimensions of `shape`. Every thread has all elements along
/// them.
static Layout addWholeDims(Layout layout, ArrayRef<int64_t> shape) {
  // The last dimension is the fastest.
  for (int64_t size : llvm::reverse(shape))
    layout = layout.broadcast(0, size);
  return layout;
}

namespace {
struct ExtractModel
    : LayoutOpInterface::ExternalModel<ExtractModel, vector::ExtractOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto extract = cast<vector::ExtractOp>(op);
    ArrayRef<int64_t> shape =
        cast<VectorType>(operand.get().getType()).getShape();
    // The source decides if the result is a scalar; every thread needs it.
    auto result = dyn_cast<VectorType>(extract.getType());
    if (!result)
      return addWholeDims(
          Layout(deciding.getNumLanes(), deciding.getNumSubgroups()), shape);
    return addWholeDims(deciding, shape.drop_back(result.getRank()));
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &,
                                          const Layout &layout) const {
    auto result = dyn_cast<VectorType>(cast<vector::ExtractOp>(op).getType());
    if (!result)
      return layout;
    return layout.project(
        getLeadingDims(layout.getRank(), layout.getRank() - result.getRank()));
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto extract = cast<vector::ExtractOp>(op);
    if (extract.hasDynamicPosition())
      return op->emitOpError() << "at a position that is not known cannot be "
                                  "distributed";
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Value source = extract.getSource();
    const Layout &layout = distributor.getLayout(source);
    SmallVector<int64_t> position(extract.getStaticPosition());
    if (!isa<VectorType>(extract.getType())) {
      distributor.replace(op,
                          extractRegister(b, distributor.getDistributed(source),
                                          layout.getOwner(position).reg));
      return success();
    }
    distributor.replace(
        op, selectRegisters(b, distributor, source, extract.getResult(),
                            [&](ArrayRef<int64_t> at) {
                              SmallVector<int64_t> coordinate = position;
                              coordinate.append(at.begin(), at.end());
                              return coordinate;
                            }));
    return success();
  }
};
} // namespace

/// Threads that have the element at the position take it from the source.
static Value buildInsert(ImplicitLocOpBuilder &b, vector::InsertOp op,
                         Distributor &distributor) {
  const Layout &layout = distributor.getLayout(op.getResult());
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  Value source = distributor.getDistributed(op.getValueToStore());
  Value dest = distributor.getDistributed(op.getDest());
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  SmallVector<bool> leading = getLeadingDims(layout.getRank(), position.size());
  return buildRegisters(
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
      });
}

namespace {
struct InsertModel
    : LayoutOpInterface::ExternalModel<InsertModel, vector::InsertOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto insert = cast<vector::InsertOp>(op);
    if (&operand == &insert.getDestMutable())
      return deciding;
    // All threads that differ in the leading dimensions have the source.
    return deciding.project(
        getLeadingDims(deciding.getRank(), insert.getNumIndices()));
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    if (&operand == &cast<vector::InsertOp>(op).getDestMutable())
      return layout;
    return std::nullopt;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    distributor.replace(
        op, buildInsert(b, cast<vector::InsertOp>(op), distributor));
    return success();
  }
};
} // namespace

/// Returns `layout` changed such that every thread has all elements along
/// dimension `dim`, whose size becomes `size`.
static Layout makeDimWhole(const Layout &layout, unsigned dim, int64_t size) {
  SmallVector<bool> removed(layout.getRank(), false);
  removed[dim] = true;
  return layout.project(removed).broadcast(dim, size);
}

/// Returns true if every thread has all elements of dimension `dim`.
static bool isDimWhole(const Layout &layout, unsigned dim) {
  return llvm::all_of(layout.getDigits(dim), [](const Digit &digit) {
    return digit.axis == Axis::Register;
  });
}

/// Returns a layout of `shape` in which every thread has all elements along the
/// dimensions `whole`, and threads divide the other dimensions.
static Layout getLayoutOfWholeDims(ArrayRef<int64_t> shape,
                                   ArrayRef<unsigned> whole,
                                   const Workgroup &workgroup) {
  SmallVector<int64_t> rest(shape);
  for (unsigned dim : whole)
    rest[dim] = 1;
  Layout layout = getReshapeLayout(rest, rest, workgroup);
  for (unsigned dim : whole)
    layout = makeDimWhole(layout, dim, shape[dim]);
  return layout;
}

namespace {
/// A slice is a choice of registers: the thread that has an element of the
/// slice has it in the source, too. If the source is cut into parts of the size
/// of the slice, and the slice is one of them, every thread has its part of all
/// of them. Otherwise, every thread has the dimension as a whole.
struct ExtractStridedSliceModel
    : LayoutOpInterface::ExternalModel<ExtractStridedSliceModel,
                                       vector::ExtractStridedSliceOp> {
  /// A dimension of which the slice has only some elements.
  struct CutDim {
    unsigned dim;
    int64_t sourceSize;
    int64_t size;
    bool isOneOfEqualParts;
  };

  static SmallVector<int64_t> getOffsets(vector::ExtractStridedSliceOp slice) {
    SmallVector<int64_t> offsets;
    slice.getOffsets(offsets);
    offsets.resize(slice.getSourceVectorType().getRank(), 0);
    return offsets;
  }

  static SmallVector<CutDim> getCutDims(Operation *op) {
    auto slice = cast<vector::ExtractStridedSliceOp>(op);
    SmallVector<CutDim> dims;
    for (auto [dim, sourceSize, size, offset] : llvm::enumerate(
             slice.getSourceVectorType().getShape(),
             cast<VectorType>(slice.getType()).getShape(), getOffsets(slice)))
      if (sourceSize != size)
        dims.push_back({unsigned(dim), sourceSize, size,
                        sourceSize % size == 0 && offset % size == 0});
    return dims;
  }

  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    Layout layout = deciding;
    for (const CutDim &cut : getCutDims(op)) {
      if (cut.isOneOfEqualParts)
        layout =
            *layout.repeat(cut.dim, Axis::Register, cut.sourceSize / cut.size);
      else if (isDimWhole(layout, cut.dim))
        layout = makeDimWhole(layout, cut.dim, cut.sourceSize);
      else
        return std::nullopt;
    }
    return layout;
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    Layout deciding = layout;
    for (const CutDim &cut : getCutDims(op)) {
      if (!cut.isOneOfEqualParts) {
        deciding = makeDimWhole(deciding, cut.dim, cut.size);
        continue;
      }
      // The slice is one of the parts.
      SmallVector<int64_t> shape = deciding.getShape();
      shape[cut.dim] = cut.size;
      shape.insert(shape.begin() + cut.dim, cut.sourceSize / cut.size);
      std::optional<Layout> parts = deciding.reshape(shape);
      if (!parts)
        return std::nullopt;
      SmallVector<bool> removed(shape.size(), false);
      removed[cut.dim] = true;
      deciding = parts->project(removed);
    }
    if (getOperandLayout(op, operand, deciding) != layout)
      return std::nullopt;
    return deciding;
  }

  std::optional<Layout> getPossibleLayout(Operation *op,
                                          const Workgroup &workgroup) const {
    SmallVector<unsigned> whole;
    for (const CutDim &cut : getCutDims(op))
      if (!cut.isOneOfEqualParts)
        whole.push_back(cut.dim);
    return getLayoutOfWholeDims(
        cast<VectorType>(op->getResult(0).getType()).getShape(), whole,
        workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto slice = cast<vector::ExtractStridedSliceOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    SmallVector<int64_t> offsets = getOffsets(slice);
    distributor.replace(
        op, selectRegisters(b, distributor, slice.getSource(),
                            slice.getResult(), [&](ArrayRef<int64_t> at) {
                              SmallVector<int64_t> coordinate(offsets);
                              for (auto [sum, index] :
                                   llvm::zip_equal(coordinate, at))
                                sum += index;
                              return coordinate;
                            }));
    return success();
  }
};

/// Any element of the leading dimension of the result may come from any of the
/// operands. So every thread has this dimension of all three as a whole.
struct ShuffleModel
    : LayoutOpInterface::ExternalModel<ShuffleModel, vector::ShuffleOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &operand,
                                         const Layout &deciding) const {
    if (!isDimWhole(deciding, 0))
      return std::nullopt;
    auto type = cast<VectorType>(operand.get().getType());
    if (type.getRank() == 0)
      return deciding.project({true});
    return makeDimWhole(deciding, 0, type.getDimSize(0));
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    int64_t size = cast<vector::ShuffleOp>(op).getMask().size();
    Layout deciding = layout.getRank() == 0 ? layout.broadcast(0, size)
                                            : makeDimWhole(layout, 0, size);
    if (getOperandLayout(op, operand, deciding) != layout)
      return std::nullopt;
    return deciding;
  }

  std::optional<Layout> getPossibleLayout(Operation *op,
                                          const Workgroup &workgroup) const {
    return getLayoutOfWholeDims(
        cast<VectorType>(op->getResult(0).getType()).getShape(), {0u},
        workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto shuffle = cast<vector::ShuffleOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    const Layout &layout = distributor.getLayout(shuffle.getResult());
    bool areScalars = shuffle.getV1VectorType().getRank() == 0;
    int64_t numOfFirst =
        areScalars ? 1 : distributor.getLayout(shuffle.getV1()).getDimSize(0);
    distributor.replace(
        op, buildRegisters(
                b, distributor.getDistributedType(shuffle.getResult()),
                [&](int64_t reg) {
                  SmallVector<int64_t> at = layout.getCoordinate({0, 0, reg});
                  // A poison element may have any value.
                  int64_t from =
                      std::max<int64_t>(shuffle.getMask()[at.front()], 0);
                  Value operand = shuffle.getV1();
                  if (from >= numOfFirst) {
                    operand = shuffle.getV2();
                    from -= numOfFirst;
                  }
                  at.front() = from;
                  if (areScalars)
                    at.clear();
                  return extractRegister(
                      b, distributor.getDistributed(operand),
                      distributor.getLayout(operand).getOwner(at).reg);
                }));
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerShapeLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::ConstantOp::attachInterface<ConstantModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, ub::UBDialect *) {
    ub::PoisonOp::attachInterface<PoisonModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::FromElementsOp::attachInterface<FromElementsModel>(*context);
    vector::StepOp::attachInterface<StepModel>(*context);
    vector::CreateMaskOp::attachInterface<CreateMaskModel>(*context);
    vector::ConstantMaskOp::attachInterface<ConstantMaskModel>(*context);
    vector::BroadcastOp::attachInterface<BroadcastModel>(*context);
    vector::TransposeOp::attachInterface<TransposeModel>(*context);
    vector::ShapeCastOp::attachInterface<ShapeCastModel>(*context);
    vector::InterleaveOp::attachInterface<InterleaveModel>(*context);
    vector::DeinterleaveOp::attachInterface<DeinterleaveModel>(*context);
    vector::BitCastOp::attachInterface<BitCastModel>(*context);
    vector::ExtractOp::attachInterface<ExtractModel>(*context);
    vector::InsertOp::attachInterface<InsertModel>(*context);
    vector::ExtractStridedSliceOp::attachInterface<ExtractStridedSliceModel>(
        *context);
    vector::ShuffleOp::attachInterface<ShuffleModel>(*context);
  });
}
