//===- KernelABI.cpp - The arguments of kernels ---------------------------===//
//
// A descriptor of a buffer holds what the type says anyway. A pointer and the
// sizes that the type leaves open are enough, and a pointer of its own can be
// said not to alias.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Utils/BufferAccess.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUKERNELABIPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Where a buffer may start: what the widest loads and stores take.
static constexpr int64_t pointerAlignment = 16;

using Launches = SmallVector<gpu::LaunchFuncOp>;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Emits an error at `launch` if a kernel cannot be given a value of that type.
static LogicalResult checkOperandType(gpu::LaunchFuncOp launch, Type type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.getLayout().isIdentity())
      return launch.emitOpError("expected buffers with the identity layout as "
                                "kernel arguments, got ")
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
  bool scalar = type.isIndex() || isa<FloatType>(type);
  if (auto integer = dyn_cast<IntegerType>(type))
    scalar = llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  if (!scalar)
    return launch.emitOpError("expected buffers, index, floats and integers of "
                              "8, 16, 32 or 64 bits as kernel arguments, got ")
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes of pointers
//===----------------------------------------------------------------------===//

/// The argument or allocation that `operand` is a view of, or null: buffers of
/// which is not known whether they overlap.
static Value getBuffer(Value operand) {
  Value buffer = getViewedBuffer(operand);
  bool known = isa<BlockArgument>(buffer) ||
               isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(
                   buffer.getDefiningOp());
  return known ? buffer : Value();
}

/// Whether no launch passes memory through operand `number` that it also passes
/// through another operand, unless `access` says that both are only read.
static bool isNoAlias(ArrayRef<gpu::LaunchFuncOp> launches,
                      ArrayRef<BufferAccess> access, unsigned number) {
  for (gpu::LaunchFuncOp launch : launches) {
    Value buffer = getBuffer(launch.getKernelOperand(number));
    for (unsigned other = 0; other < launch.getNumKernelOperands(); ++other) {
      Value operand = launch.getKernelOperand(other);
      if (other == number || !isa<BaseMemRefType>(operand.getType()))
        continue;
      bool onlyRead = !access[number].mayWrite && !access[other].mayWrite;
      Value otherBuffer = getBuffer(operand);
      bool distinct = buffer && otherBuffer && buffer != otherBuffer;
      if (!distinct && !onlyRead)
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
// Kernels and launches
//===----------------------------------------------------------------------===//

/// Inserts arguments for a buffer with dynamic sizes, or for an index, in front
/// of argument `number` of `kernel`, and makes from them in the body what the
/// argument, which goes, was. Returns how many arguments there are now for it.
static unsigned expandArgument(gpu::GPUFuncOp kernel, unsigned number,
                               DictionaryAttr attributes, OpBuilder &builder) {
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  BlockArgument argument = kernel.getArgument(number);
  Location loc = argument.getLoc();
  Type i64 = builder.getI64Type();
  Type type = argument.getType();
  auto memref = dyn_cast<MemRefType>(type);
  if (memref ? memref.hasStaticShape() : !type.isIndex()) {
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
    types.append(memref.getNumDynamicDims(), i64);
  } else {
    types.push_back(i64);
  }
  newAttributes.resize(types.size(), builder.getDictionaryAttr({}));
  // In reverse, each at the same place.
  for (unsigned i = types.size(); i-- > 0;)
    (void)function.insertArgument(number, types[i], newAttributes[i], loc);

  builder.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<Value> indices;
  for (unsigned i = memref ? 1 : 0; i < types.size(); ++i)
    indices.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), kernel.getArgument(number + i)));
  Value value = memref ? Value() : indices.front();
  if (memref) {
    SmallVector<OpFoldResult> sizes;
    unsigned next = 0;
    for (int64_t size : memref.getShape())
      sizes.push_back(ShapedType::isDynamic(size)
                          ? OpFoldResult(indices[next++])
                          : builder.getIndexAttr(size));
    // Row-major: products of the sizes behind.
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
    value = memref::ReinterpretCastOp::create(
        builder, loc, memref, kernel.getArgument(number),
        OpFoldResult(builder.getIndexAttr(0)), sizes, strides);
  }
  unsigned old = number + types.size();
  kernel.getArgument(old).replaceAllUsesWith(value);
  (void)function.eraseArgument(old);
  return types.size();
}

/// The values to pass for `operand`, as expandArgument has it.
static void expandOperand(Value operand, OpBuilder &builder, Location loc,
                          SmallVector<Value> &operands) {
  Type type = operand.getType();
  if (type.isIndex()) {
    operands.push_back(arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), operand));
    return;
  }
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.hasStaticShape()) {
    operands.push_back(operand);
    return;
  }
  auto pointer =
      MemRefType::get({}, memref.getElementType(), MemRefLayoutAttrInterface(),
                      memref.getMemorySpace());
  operands.push_back(memref::ReinterpretCastOp::create(
      builder, loc, pointer, operand, /*offset=*/0,
      /*sizes=*/ArrayRef<int64_t>(), /*strides=*/ArrayRef<int64_t>()));
  for (int64_t dim = 0; dim < memref.getRank(); ++dim) {
    if (!memref.isDynamicDim(dim))
      continue;
    Value size = memref::DimOp::create(builder, loc, operand, dim);
    operands.push_back(
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size));
  }
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

  for (unsigned i = 0, number = 0; i < count; ++i)
    number += expandArgument(kernel, number, attributes[i], builder);

  for (gpu::LaunchFuncOp launch : launches) {
    builder.setInsertionPoint(launch);
    SmallVector<Value> operands;
    for (Value operand : launch.getKernelOperands())
      expandOperand(operand, builder, launch.getLoc(), operands);
    launch.getKernelOperandsMutable().assign(operands);
  }
}

namespace {
struct LinalgExtGPUKernelABIPass
    : public linalg_ext::impl::LinalgExtGPUKernelABIPassBase<
          LinalgExtGPUKernelABIPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
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
      return signalPassFailure();
    for (auto &[kernel, launches] : kernels)
      rewriteKernel(kernel, launches);
  }
};
} // namespace
