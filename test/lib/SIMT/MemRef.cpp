//===- MemRef.cpp - Memory and views of it --------------------------------===//
//
// Ops of memref: allocation, access and the arithmetic of views.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// What a buffer is aligned to by default. In workgroup memory an allocation is
/// not known to be aligned better.
static int64_t getAlignment(std::optional<uint64_t> attribute) {
  return attribute && *attribute > 0 ? static_cast<int64_t>(*attribute) : 16;
}

template <typename OpT>
static LogicalResult runAlloc(OpT op, Machine &machine) {
  FailureOr<RegisterRef> memref = machine.allocate(
      op, op.getType(), op.getDynamicSizes(), getAlignment(op.getAlignment()),
      /*inKernelDefault=*/true);
  if (failed(memref))
    return failure();
  machine.set(op, *memref);
  return success();
}

static LogicalResult runDealloc(memref::DeallocOp op, Machine &machine) {
  const Register &memref = machine.get(op.getMemref());
  llvm::SmallDenseSet<int64_t> buffers;
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    if (!buffers.insert(view.buffer()).second)
      continue;
    if (!machine.program.memory.isValid(view.buffer()) ||
        machine.program.memory.get(view.buffer()).freed)
      return machine.error(op, thread) << "deallocates twice";
    // Memory of a workgroup lives as long as it: others may still use it.
    if (machine.isHost() ||
        machine.program.memory.get(view.buffer()).space == MemorySpace::Private)
      machine.program.memory.release(view.buffer());
  }
  return success();
}

static LogicalResult runGetGlobal(memref::GetGlobalOp op, Machine &machine) {
  Program &program = machine.program;
  auto global = program.symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  if (!global)
    return op.emitError() << "no global " << op.getNameAttr();
  MemRefType type = op.getType();
  bool ofWorkgroup = getMemorySpace(type) == MemorySpace::Workgroup;
  if (ofWorkgroup && machine.isHost())
    return op.emitError() << "the host has no workgroup memory";
  auto &globals = ofWorkgroup ? machine.workgroup->globals : program.globals;
  auto found = globals.find(global);
  if (found != globals.end()) {
    machine.set(op, machine.constant(
                        Machine::makeView(found->second, type.getShape())));
    return success();
  }
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  if (!format || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return op.emitError() << "a global of type " << type << " is not supported";
  MemorySpace space =
      ofWorkgroup ? MemorySpace::Workgroup : MemorySpace::Global;
  int64_t elements = type.getNumElements();
  int64_t member = ofWorkgroup ? machine.workgroup->member : 0;
  int64_t id = program.memory.allocate(space, elements * format->bytes(),
                                       getAlignment(global.getAlignment()),
                                       /*initialized=*/false, member);
  if (program.memory.getWorkgroupBytes(member) >
      program.options.maxWorkgroupBytes)
    return machine.error(op)
           << "expected at most " << program.options.maxWorkgroupBytes
           << " bytes of workgroup memory, got "
           << program.memory.getWorkgroupBytes(member);
  globals[global] = id;
  if (auto value = dyn_cast_or_null<ElementsAttr>(
          global.getInitialValue().value_or(Attribute()))) {
    SmallVector<uint64_t> words;
    if (failed(getConstantWords(value, elements * format->count, words)))
      return op.emitError() << "the initial value is not supported";
    Buffer &buffer = program.memory.get(id);
    unsigned bytes = format->scalar.bytes;
    for (auto [i, word] : llvm::enumerate(words))
      std::memcpy(buffer.data.data() + i * bytes, &word, bytes);
    std::fill(buffer.initialized.begin(), buffer.initialized.end(), 1);
    buffer.constant = global.getConstant();
  }
  machine.set(op, machine.constant(Machine::makeView(id, type.getShape())));
  return success();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// The indices of an access of memref, or of affine, through its map.
template <typename OpT>
static SmallVector<int64_t> getIndices(OpT op, Machine &machine, int thread) {
  if constexpr (llvm::is_one_of<OpT, affine::AffineLoadOp,
                                affine::AffineStoreOp>::value)
    return evaluate(op.getAffineMap(),
                    getValues(machine, op.getMapOperands(), thread));
  else
    return getValues(machine, op.getIndices(), thread);
}

template <typename OpT>
static std::optional<uint64_t> getPromisedAlignment(OpT op) {
  if constexpr (llvm::is_one_of<OpT, affine::AffineLoadOp,
                                affine::AffineStoreOp>::value)
    return std::nullopt;
  else
    return op.getAlignment();
}

template <typename OpT>
static FailureOr<ElementFormat> getFormatOf(OpT op) {
  std::optional<ElementFormat> format =
      getElementFormat(op.getMemRefType().getElementType());
  if (!format)
    return op.emitError() << "elements of " << op.getMemRefType()
                          << " are not supported";
  return *format;
}

/// The offset of the element that an op accesses, with its alignment checked.
template <typename OpT>
static FailureOr<int64_t> getElement(OpT op, Machine &machine, int thread,
                                     const View &view,
                                     const ElementFormat &format) {
  FailureOr<int64_t> offset =
      machine.getOffset(op, thread, view, getIndices(op, machine, thread));
  if (failed(offset))
    return failure();
  if (std::optional<uint64_t> alignment = getPromisedAlignment(op))
    if (*alignment > 0 && failed(machine.checkAlignment(
                              op, thread, view, *offset, format, *alignment)))
      return failure();
  return offset;
}

template <typename OpT>
static LogicalResult runLoad(OpT op, Machine &machine) {
  FailureOr<ElementFormat> format = getFormatOf(op);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getMemref());
  auto result = machine.make(format->count, /*uniform=*/false);
  bool isRaw = isRawBuffer(op.getMemRefType());
  for (int thread : machine.active()) {
    if (isRaw) {
      if (failed(machine.loadFromRawBuffer(
              op, thread, memref, getIndices(op, machine, thread), *format, 1,
              getPromisedAlignment(op), result->at(thread))))
        return failure();
      continue;
    }
    View view(memref.at(thread), memref.width);
    FailureOr<int64_t> offset = getElement(op, machine, thread, view, *format);
    if (failed(offset) || failed(machine.load(op, thread, view, *offset,
                                              *format, 1, result->at(thread))))
      return failure();
  }
  machine.set(op->getResult(0), result);
  return success();
}

template <typename OpT>
static LogicalResult runStore(OpT op, Machine &machine) {
  FailureOr<ElementFormat> format = getFormatOf(op);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getMemref());
  const Register &value = machine.get(op.getValueToStore());
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    FailureOr<int64_t> offset = getElement(op, machine, thread, view, *format);
    if (failed(offset) || failed(machine.store(op, thread, view, *offset,
                                               *format, 1, value.at(thread))))
      return failure();
  }
  return success();
}

LogicalResult simt::copyMemRef(Operation *op, Machine &machine, Value from,
                               Value to) {
  auto type = dyn_cast<MemRefType>(from.getType());
  std::optional<ElementFormat> format =
      type ? getElementFormat(type.getElementType()) : std::nullopt;
  if (!format)
    return op->emitError() << "copies of " << from.getType()
                           << " are not supported";
  const Register &sources = machine.get(from), &targets = machine.get(to);
  SmallVector<uint64_t> words(format->count);
  for (int thread : machine.active()) {
    View source(sources.at(thread), sources.width);
    View target(targets.at(thread), targets.width);
    SmallVector<int64_t> index(source.rank);
    bool done = false;
    for (int64_t dim = 0; dim < source.rank; ++dim) {
      done |= source.size(dim) == 0;
      if (source.size(dim) != target.size(dim))
        return machine.error(op, thread)
               << "expected size " << target.size(dim) << " of dimension "
               << dim << ", got " << source.size(dim);
    }
    while (!done) {
      int64_t a = *machine.getOffset(op, thread, source, index);
      int64_t b = *machine.getOffset(op, thread, target, index);
      FailureOr<int64_t> byte =
          machine.getByte(op, thread, source, a, *format, 1, "reads");
      if (failed(byte))
        return failure();
      Memory &memory = machine.program.memory;
      if (memory.get(source.buffer()).initialized[*byte]) {
        if (failed(machine.load(op, thread, source, a, *format, 1,
                                words.data())) ||
            failed(
                machine.store(op, thread, target, b, *format, 1, words.data())))
          return failure();
      } else {
        FailureOr<int64_t> to =
            machine.getByte(op, thread, target, b, *format, 1, "writes");
        if (failed(to))
          return failure();
        std::fill_n(memory.get(target.buffer()).initialized.begin() + *to,
                    format->bytes(), 0);
      }
      int64_t dim = source.rank - 1;
      while (dim >= 0 && ++index[dim] == source.size(dim))
        index[dim--] = 0;
      done = dim < 0;
    }
  }
  return success();
}

static LogicalResult runCopy(memref::CopyOp op, Machine &machine) {
  return copyMemRef(op, machine, op.getSource(), op.getTarget());
}

static LogicalResult runAssumeAlignment(memref::AssumeAlignmentOp op,
                                        Machine &machine) {
  const Register &memref = machine.get(op.getMemref());
  std::optional<ElementFormat> format =
      getElementFormat(op.getMemref().getType().getElementType());
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    if (format && failed(machine.checkAlignment(op, thread, view, view.offset(),
                                                *format, op.getAlignment())))
      return failure();
  }
  machine.set(op->getResult(0), machine.getRef(op.getMemref()));
  return success();
}

/// Does nothing, but the element must exist.
static LogicalResult runPrefetch(memref::PrefetchOp op, Machine &machine) {
  const Register &memref = machine.get(op.getMemref());
  for (int thread : machine.active())
    if (failed(machine.getOffset(op, thread,
                                 View(memref.at(thread), memref.width),
                                 getValues(machine, op.getIndices(), thread))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static int64_t getMixed(Machine &machine, OpFoldResult value, int thread) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  return machine.get(cast<Value>(value)).signedAt(thread);
}

/// The words of a view made from another one.
struct ViewWords {
  explicit ViewWords(const View &source)
      : header({static_cast<uint64_t>(source.buffer()),
                static_cast<uint64_t>(source.base()),
                static_cast<uint64_t>(source.offset())}) {}
  void push(int64_t size, int64_t stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
  void write(uint64_t *to) const {
    to = llvm::copy(header, to);
    to = llvm::copy(sizes, to);
    llvm::copy(strides, to);
  }
  SmallVector<uint64_t> header, sizes, strides;
};

static LogicalResult runSubView(memref::SubViewOp op, Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  return machine.compute(
      op, op->getOperands(), getWidth(op.getType()),
      [&](int thread, uint64_t *result) -> LogicalResult {
        View source(memref.at(thread), memref.width);
        ViewWords words(source);
        for (int64_t dim = 0; dim < source.rank; ++dim) {
          int64_t offset = getMixed(machine, offsets[dim], thread);
          int64_t size = getMixed(machine, sizes[dim], thread);
          int64_t stride = getMixed(machine, strides[dim], thread);
          int64_t last = offset + (size - 1) * stride;
          if (machine.program.options.checkSubviews &&
              (size < 0 ||
               (size > 0 && (offset < 0 || offset >= source.size(dim) ||
                             last < 0 || last >= source.size(dim)))))
            return machine.error(op, thread)
                   << "out of bounds: a view of elements " << offset << " to "
                   << last << " of dimension " << dim << " of size "
                   << source.size(dim);
          words.header[2] += offset * source.stride(dim);
          if (!dropped.test(dim))
            words.push(size, stride * source.stride(dim));
        }
        words.write(result);
        return success();
      });
}

static LogicalResult runReinterpretCast(memref::ReinterpretCastOp op,
                                        Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  return machine.compute(
      op, op->getOperands(), getWidth(op.getType()),
      [&](int thread, uint64_t *result) {
        ViewWords words(View(memref.at(thread), memref.width));
        words.header[2] =
            getMixed(machine, op.getMixedOffsets().front(), thread);
        for (auto [size, stride] :
             llvm::zip_equal(op.getMixedSizes(), op.getMixedStrides()))
          words.push(getMixed(machine, size, thread),
                     getMixed(machine, stride, thread));
        words.write(result);
        return success();
      });
}

static LogicalResult runExpandShape(memref::ExpandShapeOp op,
                                    Machine &machine) {
  const Register &memref = machine.get(op.getSrc());
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  return machine.compute(
      op->getResult(0), op->getOperands(), getWidth(op.getResultType()),
      [&](int thread, uint64_t *result) -> LogicalResult {
        View source(memref.at(thread), memref.width);
        ViewWords words(source);
        words.sizes.resize(shape.size());
        words.strides.resize(shape.size());
        for (auto [from, group] :
             llvm::enumerate(op.getReassociationIndices())) {
          int64_t stride = source.stride(from), product = 1;
          for (int64_t to : llvm::reverse(group)) {
            int64_t size = getMixed(machine, shape[to], thread);
            words.sizes[to] = size;
            words.strides[to] = stride;
            stride *= size;
            product *= size;
          }
          if (product != source.size(from))
            return machine.error(op, thread)
                   << "expected sizes of product " << source.size(from)
                   << " for dimension " << from << ", got " << product;
        }
        words.write(result);
        return success();
      });
}

static LogicalResult runCollapseShape(memref::CollapseShapeOp op,
                                      Machine &machine) {
  const Register &memref = machine.get(op.getSrc());
  return machine.compute(
      op->getResult(0), op->getOperands(), getWidth(op.getResultType()),
      [&](int thread, uint64_t *result) -> LogicalResult {
        View source(memref.at(thread), memref.width);
        ViewWords words(source);
        for (ReassociationIndices &group : op.getReassociationIndices()) {
          int64_t size = 1, stride = source.stride(group.back()), next = -1;
          for (int64_t dim : llvm::reverse(group)) {
            size *= source.size(dim);
            if (source.size(dim) == 1)
              continue;
            if (next < 0)
              stride = source.stride(dim);
            else if (source.stride(dim) != next)
              return machine.error(op, thread)
                     << "collapses dimension " << dim << " of stride "
                     << source.stride(dim) << ", expected " << next;
            next = source.stride(dim) * source.size(dim);
          }
          words.push(size, stride);
        }
        words.write(result);
        return success();
      });
}

static LogicalResult runTranspose(memref::TransposeOp op, Machine &machine) {
  const Register &memref = machine.get(op.getIn());
  return machine.compute(
      op, op->getOperands(), memref.width, [&](int thread, uint64_t *result) {
        View source(memref.at(thread), memref.width);
        ViewWords words(source);
        for (AffineExpr expr : op.getPermutation().getResults()) {
          unsigned dim = cast<AffineDimExpr>(expr).getPosition();
          words.push(source.size(dim), source.stride(dim));
        }
        words.write(result);
        return success();
      });
}

static LogicalResult runView(memref::ViewOp op, Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  MemRefType type = op.getType();
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  if (!format)
    return op.emitError() << "views of type " << type << " are not supported";
  return machine.compute(
      op, op->getOperands(), getWidth(type),
      [&](int thread, uint64_t *result) -> LogicalResult {
        View source(memref.at(thread), memref.width);
        SmallVector<int64_t> sizes;
        auto dynamic = op.getSizes().begin();
        int64_t bytes = format->bytes();
        for (int64_t size : type.getShape()) {
          sizes.push_back(ShapedType::isDynamic(size)
                              ? machine.get(*dynamic++).signedAt(thread)
                              : size);
          bytes *= sizes.back();
        }
        int64_t shift = machine.get(op.getByteShift()).signedAt(thread);
        if (shift < 0 || shift + bytes > source.size(0))
          return machine.error(op, thread)
                 << "out of bounds: a view of bytes " << shift << " to "
                 << shift + bytes << " of " << source.size(0);
        std::vector<uint64_t> words = Machine::makeView(source.buffer(), sizes);
        words[1] = source.base() + source.offset() + shift;
        llvm::copy(words, result);
        return success();
      });
}

/// Casts change no more than the type; what becomes static is checked.
static LogicalResult runCast(memref::CastOp op, Machine &machine) {
  RegisterRef memref = machine.getRef(op.getSource());
  if (auto type = dyn_cast<MemRefType>(op.getType())) {
    if (getWidth(type) != memref->width)
      return op.emitError() << "expected rank " << type.getRank() << ", got "
                            << (memref->width - View::kHeader) / 2;
    for (int thread : machine.active()) {
      View view(memref->at(thread), memref->width);
      for (int64_t dim = 0; dim < view.rank; ++dim)
        if (!type.isDynamicDim(dim) && type.getDimSize(dim) != view.size(dim))
          return machine.error(op, thread)
                 << "expected size " << type.getDimSize(dim) << " of dimension "
                 << dim << ", got " << view.size(dim);
    }
  }
  machine.set(op, memref);
  return success();
}

static LogicalResult runMemorySpaceCast(memref::MemorySpaceCastOp op,
                                        Machine &machine) {
  machine.set(op, machine.getRef(op.getSource()));
  return success();
}

static LogicalResult runDim(memref::DimOp op, Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  const Register &index = machine.get(op.getIndex());
  return machine.compute(op, op->getOperands(), 1,
                         [&](int thread, uint64_t *result) -> LogicalResult {
                           View view(memref.at(thread), memref.width);
                           int64_t dim = index.signedAt(thread);
                           if (dim < 0 || dim >= view.rank)
                             return machine.error(op, thread)
                                    << "expected a dimension less than "
                                    << view.rank << ", got " << dim;
                           *result = view.size(dim);
                           return success();
                         });
}

static LogicalResult runMetadata(memref::ExtractStridedMetadataOp op,
                                 Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  int64_t width = memref.width;
  auto field = [&](Value result, int64_t word) {
    (void)machine.compute(result, op.getSource(), 1,
                          [&](int thread, uint64_t *to) {
                            *to = memref.at(thread)[word];
                            return success();
                          });
  };
  (void)machine.compute(op.getBaseBuffer(), op.getSource(), View::kHeader,
                        [&](int thread, uint64_t *to) {
                          std::copy_n(memref.at(thread), 2, to);
                          to[2] = 0;
                          return success();
                        });
  int64_t rank = (width - View::kHeader) / 2;
  field(op.getOffset(), 2);
  for (int64_t dim = 0; dim < rank; ++dim) {
    field(op.getSizes()[dim], View::kHeader + dim);
    field(op.getStrides()[dim], View::kHeader + rank + dim);
  }
  return success();
}

static LogicalResult runPointer(memref::ExtractAlignedPointerAsIndexOp op,
                                Machine &machine) {
  const Register &memref = machine.get(op.getSource());
  return machine.compute(
      op, op->getOperands(), 1,
      [&](int thread, uint64_t *result) -> LogicalResult {
        View view(memref.at(thread), memref.width);
        if (!machine.program.memory.isValid(view.buffer()))
          return machine.error(op, thread) << "a memref that is not specified";
        *result =
            machine.program.memory.get(view.buffer()).address + view.base();
        return success();
      });
}

void simt::populateMemRef(Handlers &handlers) {
  handlers.add<memref::AllocOp>(runAlloc<memref::AllocOp>);
  handlers.add<memref::AllocaOp>(runAlloc<memref::AllocaOp>);
  handlers.add<memref::DeallocOp>(runDealloc);
  handlers.add<memref::GetGlobalOp>(runGetGlobal);
  handlers.add<memref::LoadOp>(runLoad<memref::LoadOp>);
  handlers.add<memref::StoreOp>(runStore<memref::StoreOp>);
  handlers.add<affine::AffineLoadOp>(runLoad<affine::AffineLoadOp>);
  handlers.add<affine::AffineStoreOp>(runStore<affine::AffineStoreOp>);
  handlers.add<memref::CopyOp>(runCopy);
  handlers.add<memref::AssumeAlignmentOp>(runAssumeAlignment);
  handlers.add<memref::SubViewOp>(runSubView);
  handlers.add<memref::ReinterpretCastOp>(runReinterpretCast);
  handlers.add<memref::ExpandShapeOp>(runExpandShape);
  handlers.add<memref::CollapseShapeOp>(runCollapseShape);
  handlers.add<memref::TransposeOp>(runTranspose);
  handlers.add<memref::ViewOp>(runView);
  handlers.add<memref::CastOp>(runCast);
  handlers.add<memref::MemorySpaceCastOp>(runMemorySpaceCast);
  handlers.add<memref::PrefetchOp>(runPrefetch);
  handlers.add<memref::DimOp>(runDim);
  handlers.add<memref::ExtractStridedMetadataOp>(runMetadata);
  handlers.add<memref::ExtractAlignedPointerAsIndexOp>(runPointer);
}
