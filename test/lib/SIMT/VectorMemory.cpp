//===- VectorMemory.cpp - Vectors in memory -------------------------------===//
//
// Ops of vector that read or write memrefs. An element that a mask hides, or
// that padding stands for, is not accessed.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// The registers of several values.
using Registers = SmallVector<const Register *, 4>;

static Registers getRegisters(Machine &machine, ValueRange values) {
  return llvm::map_to_vector<4>(values,
                                [&](Value v) { return &machine.get(v); });
}

static SmallVector<int64_t> getIndices(ArrayRef<const Register *> registers,
                                       int thread) {
  return llvm::map_to_vector(registers, [&](const Register *index) {
    return index->signedAt(thread);
  });
}

/// The format of the elements of a memref, which must be those of a vector.
static FailureOr<ElementFormat> getAccessFormat(Operation *op, Type base,
                                                VectorType vector) {
  auto memref = dyn_cast<MemRefType>(base);
  std::optional<ElementFormat> format =
      memref ? getElementFormat(memref.getElementType()) : std::nullopt;
  if (!format || memref.getElementType() != vector.getElementType())
    return op->emitError() << "access of " << vector << " in " << base
                           << " is not supported";
  return *format;
}

//===----------------------------------------------------------------------===//
// load, store and their masked forms
//===----------------------------------------------------------------------===//

/// Whether all elements of a vector of one dimension at `indices` are within
/// the memref and its allocation, and adjacent. What is not is reported for
/// each element.
static bool isAdjacent(Machine &machine, const View &view,
                       ArrayRef<int64_t> indices, VectorType type,
                       const ElementFormat &format, int64_t &offset) {
  int64_t count = type.getNumElements();
  if (type.getRank() != 1 || view.stride(view.rank - 1) != 1 ||
      indices.back() + count > view.size(view.rank - 1))
    return false;
  offset = view.offset();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= view.size(dim))
      return false;
    offset += index * view.stride(dim);
  }
  Memory &memory = machine.program.memory;
  int64_t begin = view.base() + offset * format.bytes();
  return memory.isValid(view.buffer()) && begin >= 0 &&
         begin + count * format.bytes() <= memory.get(view.buffer()).size();
}

/// Accesses the elements of a vector at `indices` that the mask (which may be
/// null) lets pass: access(i, offset, count) is called for `count` adjacent
/// elements from element i on.
static LogicalResult forElements(
    Operation *op, Machine &machine, int thread, const View &view,
    ArrayRef<int64_t> indices, VectorType type, const ElementFormat &format,
    const uint64_t *mask,
    llvm::function_ref<LogicalResult(int64_t, int64_t, int64_t)> access) {
  int64_t count = type.getNumElements(), first;
  if (isAdjacent(machine, view, indices, type, format, first)) {
    for (int64_t i = 0; i < count;) {
      int64_t end = i;
      while (end < count && (!mask || mask[end]))
        ++end;
      if (end > i && failed(access(i, first + i, end - i)))
        return failure();
      i = end + 1;
    }
    return success();
  }
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (int64_t i = 0; i < count; ++i) {
    if (mask && !mask[i])
      continue;
    SmallVector<int64_t> at(indices);
    size_t leading = at.size() - type.getRank();
    for (auto [dim, index] : llvm::enumerate(delinearize(i, strides)))
      at[leading + dim] += index;
    FailureOr<int64_t> offset = machine.getOffset(op, thread, view, at);
    if (failed(offset) || failed(access(i, *offset, 1)))
      return failure();
  }
  return success();
}

/// The promise of an alignment attribute, about the first element.
static LogicalResult checkAlignment(Operation *op, Machine &machine, int thread,
                                    const View &view, ArrayRef<int64_t> indices,
                                    const ElementFormat &format,
                                    std::optional<uint64_t> alignment) {
  if (!alignment || *alignment == 0)
    return success();
  int64_t offset = view.offset();
  for (auto [dim, index] : llvm::enumerate(indices))
    offset += index * view.stride(dim);
  return machine.checkAlignment(op, thread, view, offset, format, *alignment);
}

template <typename OpT>
static LogicalResult loadVector(OpT op, Machine &machine, Value mask,
                                Value passThru) {
  auto type = cast<VectorType>(op.getResult().getType());
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getBase().getType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register *masks = mask ? &machine.get(mask) : nullptr;
  Registers registers = getRegisters(machine, op.getIndices());
  std::optional<uint64_t> alignment = op.getAlignment();
  auto result = machine.make(type.getNumElements(), /*uniform=*/false);
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    SmallVector<int64_t> indices = getIndices(registers, thread);
    uint64_t *words = result->at(thread);
    if (passThru)
      std::copy_n(machine.get(passThru).at(thread), result->width, words);
    if (failed(checkAlignment(op, machine, thread, view, indices, *format,
                              alignment)) ||
        failed(forElements(op, machine, thread, view, indices, type, *format,
                           masks ? masks->at(thread) : nullptr,
                           [&](int64_t i, int64_t offset, int64_t count) {
                             return machine.load(op, thread, view, offset,
                                                 *format, count, words + i);
                           })))
      return failure();
  }
  machine.set(op.getResult(), result);
  return success();
}

template <typename OpT>
static LogicalResult storeVector(OpT op, Machine &machine, Value mask) {
  auto type = cast<VectorType>(op.getValueToStore().getType());
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getBase().getType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register &value = machine.get(op.getValueToStore());
  const Register *masks = mask ? &machine.get(mask) : nullptr;
  Registers registers = getRegisters(machine, op.getIndices());
  std::optional<uint64_t> alignment = op.getAlignment();
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    SmallVector<int64_t> indices = getIndices(registers, thread);
    const uint64_t *words = value.at(thread);
    if (failed(checkAlignment(op, machine, thread, view, indices, *format,
                              alignment)) ||
        failed(forElements(op, machine, thread, view, indices, type, *format,
                           masks ? masks->at(thread) : nullptr,
                           [&](int64_t i, int64_t offset, int64_t count) {
                             return machine.store(op, thread, view, offset,
                                                  *format, count, words + i);
                           })))
      return failure();
  }
  return success();
}

/// Loads through the descriptor of a buffer, all elements at once.
static LogicalResult loadFromRawBuffer(vector::LoadOp op, Machine &machine) {
  VectorType type = op.getVectorType();
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getBase().getType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  if (type.getRank() != 1 ||
      (type.getNumElements() > 1 &&
       View(memref.at(machine.active().front()), memref.width)
               .stride(op.getIndices().size() - 1) != 1))
    return op.emitError() << "expected adjacent elements of a buffer";
  Registers indices = getRegisters(machine, op.getIndices());
  auto result = machine.make(type.getNumElements(), /*uniform=*/false);
  for (int thread : machine.active())
    if (failed(machine.loadFromRawBuffer(
            op, thread, memref, getIndices(indices, thread), *format,
            type.getNumElements(), op.getAlignment(), result->at(thread))))
      return failure();
  machine.set(op.getResult(), result);
  return success();
}

static LogicalResult runLoad(vector::LoadOp op, Machine &machine) {
  if (isRawBuffer(op.getMemRefType()))
    return loadFromRawBuffer(op, machine);
  return loadVector(op, machine, {}, {});
}
static LogicalResult runMaskedLoad(vector::MaskedLoadOp op, Machine &machine) {
  return loadVector(op, machine, op.getMask(), op.getPassThru());
}
static LogicalResult runStore(vector::StoreOp op, Machine &machine) {
  return storeVector(op, machine, {});
}
static LogicalResult runMaskedStore(vector::MaskedStoreOp op,
                                    Machine &machine) {
  return storeVector(op, machine, op.getMask());
}

//===----------------------------------------------------------------------===//
// transfer_read and transfer_write
//===----------------------------------------------------------------------===//

namespace {
/// What an element of a transferred vector is.
enum class Element { Access, Padding };
} // namespace

/// Calls element(i, what, offset) for each element of the vector. The mask has
/// the dimensions of the memref that the vector has, in the memref's order.
template <typename OpT>
static LogicalResult forEachTransferred(
    OpT op, Machine &machine, int thread, const View &view,
    llvm::function_ref<LogicalResult(int64_t, Element, int64_t)> element) {
  VectorType type = op.getVectorType();
  AffineMap map = op.getPermutationMap();
  SmallVector<int64_t> base =
      getIndices(getRegisters(machine, op.getIndices()), thread);
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  SmallVector<bool> inBounds = op.getInBoundsValues();
  SmallVector<std::pair<unsigned, int64_t>> maskDims; // memref's, vector's
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto source = dyn_cast<AffineDimExpr>(expr))
      maskDims.push_back({source.getPosition(), dim});
  llvm::sort(maskDims);
  const uint64_t *mask =
      op.getMask() ? machine.get(op.getMask()).at(thread) : nullptr;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<int64_t> at(base), index = delinearize(i, strides);
    bool inside = true;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto source = dyn_cast<AffineDimExpr>(expr);
      if (!source)
        continue;
      int64_t &position = at[source.getPosition()];
      position += index[dim];
      if (!inBounds[dim])
        inside &= position >= 0 && position < view.size(source.getPosition());
    }
    if (mask) {
      int64_t bit = 0;
      for (auto [source, dim] : maskDims)
        bit = bit * type.getDimSize(dim) + index[dim];
      inside &= mask[bit] != 0;
    }
    if (!inside) {
      if (failed(element(i, Element::Padding, 0)))
        return failure();
      continue;
    }
    FailureOr<int64_t> offset = machine.getOffset(op, thread, view, at);
    if (failed(offset) || failed(element(i, Element::Access, *offset)))
      return failure();
  }
  return success();
}

static LogicalResult runTransferRead(vector::TransferReadOp op,
                                     Machine &machine) {
  VectorType type = op.getVectorType();
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getShapedType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register &padding = machine.get(op.getPadding());
  auto result = machine.make(type.getNumElements(), /*uniform=*/false);
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    uint64_t *words = result->at(thread);
    if (failed(forEachTransferred(
            op, machine, thread, view,
            [&](int64_t i, Element what, int64_t offset) -> LogicalResult {
              words[i] = *padding.at(thread);
              if (what == Element::Padding)
                return success();
              return machine.load(op, thread, view, offset, *format, 1,
                                  words + i);
            })))
      return failure();
  }
  machine.set(op.getResult(), result);
  return success();
}

static LogicalResult runTransferWrite(vector::TransferWriteOp op,
                                      Machine &machine) {
  VectorType type = op.getVectorType();
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getShapedType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register &value = machine.get(op.getValueToStore());
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    if (failed(forEachTransferred(
            op, machine, thread, view,
            [&](int64_t i, Element what, int64_t offset) -> LogicalResult {
              if (what == Element::Padding)
                return success();
              return machine.store(op, thread, view, offset, *format, 1,
                                   value.at(thread) + i);
            })))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// gather and scatter
//===----------------------------------------------------------------------===//

/// The offset of element i, which lies `index` elements along the innermost
/// dimension from the base.
static FailureOr<int64_t> getGathered(Operation *op, Machine &machine,
                                      int thread, const View &view,
                                      ArrayRef<int64_t> base, Value indices,
                                      int64_t i) {
  unsigned bits = getFormat(indices)->bits;
  SmallVector<int64_t> at(base);
  at.back() += signExtend(machine.get(indices).at(thread)[i], bits);
  return machine.getOffset(op, thread, view, at);
}

static LogicalResult runGather(vector::GatherOp op, Machine &machine) {
  VectorType type = op.getVectorType();
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getBase().getType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register &mask = machine.get(op.getMask());
  const Register &passThru = machine.get(op.getPassThru());
  auto result = machine.make(type.getNumElements(), /*uniform=*/false);
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    SmallVector<int64_t> base =
        getIndices(getRegisters(machine, op.getOffsets()), thread);
    for (int64_t i = 0; i < result->width; ++i) {
      result->at(thread)[i] = passThru.at(thread)[i];
      if (!mask.at(thread)[i])
        continue;
      FailureOr<int64_t> offset =
          getGathered(op, machine, thread, view, base, op.getIndices(), i);
      if (failed(offset) ||
          failed(machine.load(op, thread, view, *offset, *format, 1,
                              result->at(thread) + i)))
        return failure();
    }
  }
  machine.set(op.getResult(), result);
  return success();
}

static LogicalResult runScatter(vector::ScatterOp op, Machine &machine) {
  VectorType type = op.getVectorType();
  FailureOr<ElementFormat> format =
      getAccessFormat(op, op.getBase().getType(), type);
  if (failed(format))
    return failure();
  const Register &memref = machine.get(op.getBase());
  const Register &mask = machine.get(op.getMask());
  const Register &value = machine.get(op.getValueToStore());
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    SmallVector<int64_t> base =
        getIndices(getRegisters(machine, op.getOffsets()), thread);
    for (int64_t i = 0; i < value.width; ++i) {
      if (!mask.at(thread)[i])
        continue;
      FailureOr<int64_t> offset =
          getGathered(op, machine, thread, view, base, op.getIndices(), i);
      if (failed(offset) ||
          failed(machine.store(op, thread, view, *offset, *format, 1,
                               value.at(thread) + i)))
        return failure();
    }
  }
  return success();
}

void simt::populateVectorMemory(Handlers &handlers) {
  handlers.add<vector::LoadOp>(runLoad);
  handlers.add<vector::MaskedLoadOp>(runMaskedLoad);
  handlers.add<vector::StoreOp>(runStore);
  handlers.add<vector::MaskedStoreOp>(runMaskedStore);
  handlers.add<vector::TransferReadOp>(runTransferRead);
  handlers.add<vector::TransferWriteOp>(runTransferWrite);
  handlers.add<vector::GatherOp>(runGather);
  handlers.add<vector::ScatterOp>(runScatter);
}
