//===- KernelABI.cpp - The arguments of kernels ---------------------------===//
//
// A memref descriptor repeats sizes and strides that the type already states.
// Each memref argument of a kernel becomes a pointer and the dynamic sizes,
// strides and offset of its type. The pointer is marked as noalias if no launch
// passes overlapping memory.
//
//   1. Check that all operand types are supported.
//   2. Replace the arguments of each kernel, and rebuild the memrefs in its
//      body. State bounds of what is computed from sizes of tensor maps. Other
//      numbers up to which its loops count are tested in front of launches, so
//      that they have the same bound.
//   3. Replace the operands of its launches.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The alignment of a buffer in bytes: that of the widest loads and stores.
static constexpr int64_t pointerAlignment = 16;

using Launches = SmallVector<gpu::LaunchFuncOp>;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Emits an error at `launch` if a kernel cannot be given a value of that type.
static LogicalResult checkOperandType(gpu::LaunchFuncOp launch, Type type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.isStrided())
      return launch.emitOpError("expected buffers with strides as kernel "
                                "arguments, got ")
             << type;
    Attribute space = memref.getMemorySpace();
    auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
    bool global = gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global;
    if (space && !global)
      return launch.emitOpError("expected buffers in global memory as kernel "
                                "arguments, got ")
             << type;
    return success();
  }
  // The launch passes a tensor map by value as a whole.
  if (isa<nvgpu::TensorMapDescriptorType>(type))
    return success();
  bool scalar = type.isIndex() || isa<FloatType>(type);
  if (auto integer = dyn_cast<IntegerType>(type))
    scalar = llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  if (!scalar)
    return launch.emitOpError("expected buffers, index, floats and integers of "
                              "1, 8, 16, 32 or 64 bits as kernel arguments, "
                              "got ")
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of pointers
//===----------------------------------------------------------------------===//

/// Returns whether the memory of operand `number` overlaps that of no other
/// operand of any launch, unless `access` says that both are only read.
static bool isNoAlias(ArrayRef<gpu::LaunchFuncOp> launches,
                      ArrayRef<BufferAccess> access, unsigned number) {
  for (gpu::LaunchFuncOp launch : launches) {
    Value buffer = launch.getKernelOperand(number);
    for (unsigned other = 0; other < launch.getNumKernelOperands(); ++other) {
      Value operand = launch.getKernelOperand(other);
      if (other == number || !isa<BaseMemRefType>(operand.getType()))
        continue;
      bool onlyRead = !access[number].mayWrite && !access[other].mayWrite;
      if (!onlyRead && !areOfDistinctBuffers(buffer, operand))
        return false;
    }
  }
  return true;
}

static DictionaryAttr getPointerAttributes(Builder &builder,
                                           BufferAccess access, bool noAlias) {
  NamedAttrList attributes;
  attributes.set(LLVM::LLVMDialect::getAlignAttrName(),
                 builder.getI64IntegerAttr(pointerAlignment));
  if (noAlias)
    attributes.set(LLVM::LLVMDialect::getNoAliasAttrName(),
                   builder.getUnitAttr());
  if (!access.mayWrite)
    attributes.set(LLVM::LLVMDialect::getReadonlyAttrName(),
                   builder.getUnitAttr());
  else if (!access.mayRead)
    attributes.set(LLVM::LLVMDialect::getWriteOnlyAttrName(),
                   builder.getUnitAttr());
  return attributes.getDictionary(builder.getContext());
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The largest size that launchers accept in a tensor map (docs/Manifest.md).
/// Coordinates have 32 bits, and a tile may begin before the end and reach
/// beyond it.
static constexpr int64_t maxTensorMapSize = 2147418112; // 2^31 - 2^16

namespace {
/// What is known about the sizes that a launch passes.
class LaunchBounds {
public:
  explicit LaunchBounds(gpu::LaunchFuncOp launch);

  /// Returns an upper bound of `index`, which is not negative, if one is known.
  std::optional<int64_t> getMost(Value index) const;
  /// Returns an upper bound of the size of dimension `dim` of `buffer`, if one
  /// is known.
  std::optional<int64_t> getMost(Value buffer, int64_t dim) const;
  /// Adds `index`, which a test bounds by `maxTensorMapSize`. If it is a
  /// product, adds its factors, too.
  void addTested(Value index);

private:
  /// The dimensions of buffers that tensor maps describe, and the values that
  /// are their sizes.
  llvm::DenseSet<std::pair<Value, int64_t>> dims;
  llvm::DenseSet<Value> sizes;
};
} // namespace

LaunchBounds::LaunchBounds(gpu::LaunchFuncOp launch) {
  for (Value operand : launch.getKernelOperands()) {
    auto create = operand.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
    if (!create)
      continue;
    Value buffer = create.getTensor();
    while (auto cast = buffer.getDefiningOp<memref::CastOp>())
      buffer = cast.getSource();
    auto addSizes = [&](ValueRange values) {
      sizes.insert(values.begin(), values.end());
    };
    if (auto view = buffer.getDefiningOp<memref::SubViewOp>())
      addSizes(view.getSizes());
    else if (auto view = buffer.getDefiningOp<memref::ExpandShapeOp>())
      addSizes(view.getOutputShape());
    else if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
      addSizes(alloc.getDynamicSizes());
    else if (auto view = buffer.getDefiningOp<memref::CollapseShapeOp>())
      // A factor is at most the product, unless the product is 0 and nothing is
      // computed.
      buffer = view.getSrc();
    if (auto type = dyn_cast<MemRefType>(buffer.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        dims.insert({buffer, dim});
  }
  // The same size may have other names.
  SmallVector<Value> names(sizes.begin(), sizes.end());
  for (Value size : names)
    if (auto dim = size.getDefiningOp<memref::DimOp>())
      if (std::optional<int64_t> constant = dim.getConstantIndex())
        dims.insert({dim.getSource(), *constant});
}

void LaunchBounds::addTested(Value index) {
  sizes.insert(index);
  if (auto dim = index.getDefiningOp<memref::DimOp>())
    if (std::optional<int64_t> constant = dim.getConstantIndex())
      dims.insert({dim.getSource(), *constant});
  // A product of sizes does not overflow, because no memory is that large.
  if (auto product = index.getDefiningOp<arith::MulIOp>())
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> constant =
              getConstantIntValue(product->getOperand(1 - i));
          constant && *constant > 0)
        addTested(product->getOperand(i));
}

std::optional<int64_t> LaunchBounds::getMost(Value buffer, int64_t dim) const {
  if (dims.contains({buffer, dim}))
    return maxTensorMapSize;
  return std::nullopt;
}

std::optional<int64_t> LaunchBounds::getMost(Value index) const {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant >= 0 ? constant : std::nullopt;
  if (sizes.contains(index))
    return maxTensorMapSize;
  if (auto dim = index.getDefiningOp<memref::DimOp>())
    if (std::optional<int64_t> constant = dim.getConstantIndex())
      return getMost(dim.getSource(), *constant);
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  // This is a number of tiles.
  SmallVector<std::optional<int64_t>> least, most;
  for (Value operand : apply.getMapOperands()) {
    most.push_back(getMost(operand));
    least.push_back(most.back() ? std::optional<int64_t>(0) : std::nullopt);
  }
  AffineMap map = apply.getAffineMap();
  auto getBound = [&](bool isUpper) {
    return getBoundForAffineExpr(map.getResult(0), map.getNumDims(),
                                 map.getNumSymbols(), least, most, isUpper);
  };
  std::optional<int64_t> lower = getBound(/*isUpper=*/false);
  return lower && *lower >= 0 ? getBound(/*isUpper=*/true) : std::nullopt;
}

/// Returns the arguments of `kernel` up to which its loops may count, if it has
/// tensor maps and rotated loops. Bounds are computed from these arguments.
/// Other kernels are slower with loops of 32 bits, where they count rows of
/// pages (docs/Decisions/0126).
static SmallVector<unsigned> findCounted(gpu::GPUFuncOp kernel) {
  std::optional<vector_ext::KernelMark> mark =
      vector_ext::getKernelMark(kernel);
  if (!mark || !mark->rotate ||
      llvm::none_of(kernel.getArgumentTypes(),
                    llvm::IsaPred<nvgpu::TensorMapDescriptorType>))
    return {};
  llvm::SetVector<Value> values;
  kernel.walk([&](scf::ForOp loop) {
    values.insert(loop.getLowerBound());
    values.insert(loop.getUpperBound());
  });
  SmallVector<unsigned> counted;
  for (unsigned i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &kernel.getBody().front() &&
        value.getType().isIndex())
      counted.push_back(argument.getArgNumber());
    if (Operation *op = value.getDefiningOp(); op && isPure(op))
      values.insert_range(op->getOperands());
  }
  llvm::sort(counted);
  return counted;
}

/// Returns whether `index` is the product of a size of a buffer and other sizes
/// and positive numbers, such as the number of rows of all pages that a table
/// names.
static bool isProductOfSizes(Value index) {
  if (auto product = index.getDefiningOp<arith::MulIOp>()) {
    auto isFactor = [](Value factor) {
      std::optional<int64_t> constant = getConstantIntValue(factor);
      return constant ? *constant > 0 : isProductOfSizes(factor);
    };
    return isFactor(product.getLhs()) && isFactor(product.getRhs());
  }
  return index.getDefiningOp<memref::DimOp>() != nullptr;
}

/// Builds a test before `launch` that `index` is at most `maxTensorMapSize`.
/// `index` is a product of sizes up to which a loop of its kernel counts.
/// Returns false if it is no product of sizes, or if a launcher could not test
/// it, because launchers make all tests before all launches.
static bool testCounted(OpBuilder &builder, gpu::LaunchFuncOp launch,
                        Value index) {
  if (!isa<FunctionOpInterface>(launch->getParentOp()) ||
      !isProductOfSizes(index))
    return false;
  std::string message = "expected loops of kernels to end at " +
                        std::to_string(maxTensorMapSize) + " at most";
  for (Operation *user : index.getUsers())
    if (isa<arith::CmpIOp>(user) &&
        llvm::any_of(user->getUsers(), [&](Operation *next) {
          auto assertion = dyn_cast<cf::AssertOp>(next);
          return assertion && assertion.getMsg() == message;
        }))
      return true;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(launch);
  Location loc = launch.getLoc();
  Value most = arith::ConstantIndexOp::create(builder, loc, maxTensorMapSize);
  cf::AssertOp::create(builder, loc,
                       arith::CmpIOp::create(builder, loc,
                                             arith::CmpIPredicate::ule, index,
                                             most),
                       message);
  return true;
}

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

/// The dynamic sizes, strides and offset of the type of a buffer. Each is
/// passed as one index. The strides of a dense buffer follow from its sizes,
/// and are not passed.
namespace {
struct OpenNumbers {
  explicit OpenNumbers(MemRefType type);
  unsigned count() const {
    return sizes.size() + strides.size() + (hasOffset ? 1 : 0);
  }
  /// Numbers of dimensions.
  SmallVector<unsigned> sizes, strides;
  bool hasOffset = false;
};
} // namespace

OpenNumbers::OpenNumbers(MemRefType type) {
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(dim);
  if (type.getLayout().isIdentity())
    return;
  auto [typeStrides, offset] = type.getStridesAndOffset();
  for (auto [dim, stride] : llvm::enumerate(typeStrides))
    if (ShapedType::isDynamic(stride))
      strides.push_back(dim);
  hasOffset = ShapedType::isDynamic(offset);
}

/// Returns the strides of a dense buffer with `sizes`: the stride of a
/// dimension is the product of the sizes of the dimensions after it.
/// (Upstream's computeStridesIRBlock builds an affine.apply for each, which may
/// overflow.)
static SmallVector<OpFoldResult> getDenseStrides(OpBuilder &builder,
                                                 Location loc,
                                                 ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (unsigned i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    std::optional<int64_t> a = getConstantIntValue(stride),
                           b = getConstantIntValue(sizes[i]);
    if (a && b) {
      stride = builder.getIndexAttr(*a * *b);
    } else if (a == 1) {
      stride = sizes[i];
    } else if (b != 1) {
      Value lhs = getValueOrCreateConstantIndexOp(builder, loc, stride);
      Value rhs = getValueOrCreateConstantIndexOp(builder, loc, sizes[i]);
      stride = arith::MulIOp::create(builder, loc, lhs, rhs,
                                     arith::IntegerOverflowFlags::nsw)
                   .getResult();
    }
  }
  return strides;
}

/// Replaces argument `number` of `kernel`, if it is a buffer whose type leaves
/// numbers open, an index or a bit. Inserts the new arguments before it, and
/// builds the old value from them in the body. Returns the number of new
/// arguments. `bounds` are those of the index, or of the dimensions of the
/// buffer. If `readsBounds`, sizes are read where their bounds are stated.
static unsigned expandArgument(gpu::GPUFuncOp kernel, unsigned number,
                               DictionaryAttr attributes,
                               ArrayRef<std::optional<int64_t>> bounds,
                               bool readsBounds, OpBuilder &builder) {
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  BlockArgument argument = kernel.getArgument(number);
  Location loc = argument.getLoc();
  Type i64 = builder.getI64Type();
  Type type = argument.getType();
  auto memref = dyn_cast<MemRefType>(type);
  std::optional<OpenNumbers> open;
  if (memref)
    open.emplace(memref);
  bool isBit = type.isInteger(1);
  if (memref ? open->count() == 0 : !type.isIndex() && !isBit) {
    if (attributes)
      function.setArgAttrs(number, attributes);
    return 1;
  }

  SmallVector<Type> types;
  SmallVector<DictionaryAttr> newAttributes;
  if (memref) {
    types.push_back(MemRefType::get({}, memref.getElementType(),
                                    MemRefLayoutAttrInterface(),
                                    memref.getMemorySpace()));
    newAttributes.push_back(attributes);
    types.append(open->count(), i64);
  } else {
    types.push_back(isBit ? Type(builder.getI8Type()) : i64);
  }
  newAttributes.resize(types.size(), builder.getDictionaryAttr({}));
  // The types are inserted in reverse order, each at the same place.
  for (unsigned i = types.size(); i-- > 0;)
    (void)function.insertArgument(number, types[i], newAttributes[i], loc);

  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value value;
  if (isBit) {
    value =
        arith::TruncIOp::create(builder, loc, type, kernel.getArgument(number));
  } else {
    auto assume = [&](Value index, std::optional<int64_t> most) -> Value {
      if (!most)
        return index;
      return vector_ext::AssumeOp::create(builder, loc, index, /*atLeast=*/0,
                                          most);
    };
    SmallVector<Value> indices;
    for (unsigned i = memref ? 1 : 0; i < types.size(); ++i)
      indices.push_back(
          arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                     kernel.getArgument(number + i)));
    if (!memref)
      indices.front() = assume(indices.front(), bounds.front());
    value = indices.front();
    if (memref) {
      auto [typeStrides, typeOffset] = memref.getStridesAndOffset();
      SmallVector<OpFoldResult> sizes =
          getAsIndexOpFoldResult(builder.getContext(), memref.getShape());
      SmallVector<OpFoldResult> strides =
          getAsIndexOpFoldResult(builder.getContext(), typeStrides);
      OpFoldResult offset = builder.getIndexAttr(typeOffset);
      ArrayRef<Value> next(indices);
      for (unsigned dim : open->sizes)
        sizes[dim] = assume(next.consume_front(), bounds[dim]);
      for (unsigned dim : open->strides)
        strides[dim] = next.consume_front();
      if (open->hasOffset)
        offset = next.consume_front();
      if (memref.getLayout().isIdentity())
        strides = getDenseStrides(builder, loc, sizes);
      value = memref::ReinterpretCastOp::create(builder, loc, memref,
                                                kernel.getArgument(number),
                                                offset, sizes, strides);
    }
  }
  unsigned old = number + types.size();
  if (auto view = value.getDefiningOp<memref::ReinterpretCastOp>();
      view && readsBounds)
    for (Operation *user :
         llvm::make_early_inc_range(kernel.getArgument(old).getUsers()))
      if (auto dim = dyn_cast<memref::DimOp>(user))
        if (std::optional<int64_t> constant = dim.getConstantIndex();
            constant && view.isDynamicSize(*constant)) {
          dim.replaceAllUsesWith(view.getDynamicSize(*constant));
          dim.erase();
        }
  kernel.getArgument(old).replaceAllUsesWith(value);
  (void)function.eraseArgument(old);
  return types.size();
}

/// Computes the values to pass for `operand`, in the order of expandArgument.
static void expandOperand(Value operand, OpBuilder &builder, Location loc,
                          SmallVector<Value> &operands) {
  Type type = operand.getType();
  auto addIndex = [&](Value index) {
    operands.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index));
  };
  if (type.isIndex()) {
    addIndex(operand);
    return;
  }
  if (type.isInteger(1)) {
    operands.push_back(
        arith::ExtUIOp::create(builder, loc, builder.getI8Type(), operand));
    return;
  }
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    operands.push_back(operand);
    return;
  }
  OpenNumbers open(memref);
  if (open.count() == 0) {
    operands.push_back(operand);
    return;
  }
  auto pointer =
      MemRefType::get({}, memref.getElementType(), MemRefLayoutAttrInterface(),
                      memref.getMemorySpace());
  auto addPointer = [&](Value buffer) {
    operands.push_back(memref::ReinterpretCastOp::create(
        builder, loc, pointer, buffer, /*offset=*/0,
        /*sizes=*/ArrayRef<int64_t>(), /*strides=*/ArrayRef<int64_t>()));
  };
  if (memref.getLayout().isIdentity()) {
    addPointer(operand);
    for (unsigned dim : open.sizes)
      addIndex(memref::DimOp::create(builder, loc, operand, dim));
    return;
  }
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, operand);
  operands.push_back(metadata.getBaseBuffer());
  for (unsigned dim : open.sizes)
    addIndex(metadata.getSizes()[dim]);
  for (unsigned dim : open.strides)
    addIndex(metadata.getStrides()[dim]);
  if (open.hasOffset)
    addIndex(metadata.getOffset());
}

static void rewriteKernel(gpu::GPUFuncOp kernel,
                          ArrayRef<gpu::LaunchFuncOp> launches) {
  OpBuilder builder(kernel.getContext());
  unsigned count = kernel.getNumArguments();
  SmallVector<BufferAccess> access(count);
  SmallVector<DictionaryAttr> attributes(count);
  for (unsigned i = 0; i < count; ++i)
    if (isa<MemRefType>(kernel.getArgument(i).getType()))
      access[i] = getBufferAccess(kernel.getArgument(i));
  for (unsigned i = 0; i < count; ++i)
    if (isa<MemRefType>(kernel.getArgument(i).getType()))
      attributes[i] = getPointerAttributes(builder, access[i],
                                           isNoAlias(launches, access, i));

  SmallVector<LaunchBounds> known;
  for (gpu::LaunchFuncOp launch : launches)
    known.emplace_back(launch);
  bool isTested = false;
  for (unsigned i : findCounted(kernel))
    for (auto [launch, its] : llvm::zip_equal(launches, known)) {
      Value operand = gpu::LaunchFuncOp(launch).getKernelOperand(i);
      if (!its.getMost(operand) && testCounted(builder, launch, operand)) {
        its.addTested(operand);
        isTested = true;
      }
    }
  for (unsigned i = 0, number = 0; i < count; ++i) {
    auto memref = dyn_cast<MemRefType>(kernel.getArgument(number).getType());
    SmallVector<std::optional<int64_t>> bounds(memref ? memref.getRank() : 1);
    for (auto [dim, bound] : llvm::enumerate(bounds)) {
      // The bound holds in all launches.
      bound = 0;
      for (auto [launch, its] : llvm::zip_equal(launches, known)) {
        Value operand = gpu::LaunchFuncOp(launch).getKernelOperand(i);
        std::optional<int64_t> most =
            memref ? its.getMost(operand, dim) : its.getMost(operand);
        bound = bound && most ? std::optional(std::max(*bound, *most))
                              : std::nullopt;
      }
    }
    number += expandArgument(kernel, number, attributes[i], bounds, isTested,
                             builder);
  }

  for (gpu::LaunchFuncOp launch : launches) {
    builder.setInsertionPoint(launch);
    SmallVector<Value> operands;
    for (Value operand : launch.getKernelOperands())
      expandOperand(operand, builder, launch.getLoc(), operands);
    launch.getKernelOperandsMutable().assign(operands);
  }
}

LogicalResult mlir::linalg_ext::lowerKernelArguments(ModuleOp module) {
  llvm::MapVector<gpu::GPUFuncOp, Launches> kernels;
  WalkResult walked = module.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel()));
    if (!kernel) {
      launch.emitOpError("expected a gpu.func as its kernel, got ")
          << launch.getKernel();
      return WalkResult::interrupt();
    }
    for (Value operand : launch.getKernelOperands())
      if (failed(checkOperandType(launch, operand.getType())))
        return WalkResult::interrupt();
    kernels[kernel].push_back(launch);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto &[kernel, launches] : kernels)
    rewriteKernel(kernel, launches);
  return success();
}
