//===- SharedTile.cpp - Moves a tile through shared memory ----------------===//
//
// The layout library tells where elements are in shared memory and which
// accesses to use. This file turns the addresses into arithmetic on the thread
// index. It computes one address for each thread at the start of the program.
// The accesses of a thread differ from it by constants.
//
//===----------------------------------------------------------------------===//

#include "SharedTile.h"
#include "BufferLoads.h"
#include "MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Layout;
using layout::MatrixAccess;
using layout::Owner;
using layout::SharedLayout;
using layout::TransposeAccess;
using layout::VectorAccess;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

int64_t ThreadAddress::evaluate(int64_t subgroup, int64_t lane) const {
  int64_t result = constant;
  for (const Term &term : terms) {
    int64_t index = term.axis == Axis::Lane ? lane : subgroup;
    int64_t value = index / term.stride % term.size * term.factor;
    result = isXor ? result ^ value : result + value;
  }
  return result;
}

int64_t ThreadAddress::getAdded(int64_t subgroup) const {
  return subgroup / groupSize * perGroup;
}

std::optional<ThreadAddress>
ThreadAddress::find(Table table, int64_t numSubgroups, int64_t numLanes) {
  if (!llvm::isPowerOf2_64(numLanes))
    return std::nullopt;
  for (bool isXor : {true, false}) {
    ThreadAddress address;
    address.isXor = isXor;
    address.constant = table(0, 0);
    address.numSubgroups = numSubgroups;
    address.numLanes = numLanes;
    address.groupSize = numSubgroups & -numSubgroups;
    if (address.groupSize < numSubgroups)
      address.perGroup = table(address.groupSize, 0) - address.constant;
    for (Axis axis : {Axis::Lane, Axis::Subgroup}) {
      int64_t extent = axis == Axis::Lane ? numLanes : address.groupSize;
      for (int64_t bit = 1; bit < extent; bit *= 2) {
        int64_t value = axis == Axis::Lane ? table(0, bit) : table(bit, 0);
        int64_t factor =
            isXor ? value ^ address.constant : value - address.constant;
        if (factor == 0)
          continue;
        // Bits whose factors double form one digit.
        Term *last = address.terms.empty() ? nullptr : &address.terms.back();
        if (last && last->axis == axis && last->stride * last->size == bit &&
            last->factor * last->size == factor &&
            (!isXor || llvm::isPowerOf2_64(last->factor)))
          last->size *= 2;
        else
          address.terms.push_back({axis, bit, 2, factor});
      }
    }
    bool isExact = true;
    for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
      for (int64_t lane = 0; lane < numLanes; ++lane) {
        int64_t here = address.evaluate(subgroup, lane);
        isExact &= here + address.getAdded(subgroup) == table(subgroup, lane);
        address.bits |= here;
      }
    // The value that is added later changes no bits of groups.
    for (int64_t subgroup = 0; isXor && subgroup < numSubgroups; ++subgroup)
      isExact &= (address.bits & address.getAdded(subgroup)) == 0;
    if (isExact)
      return address;
  }
  return std::nullopt;
}

bool ThreadAddress::differsByConstant(Table table, int64_t &difference) const {
  difference =
      isXor ? table(0, 0) ^ evaluate(0, 0) : table(0, 0) - evaluate(0, 0);
  for (int64_t subgroup = 0; subgroup < numSubgroups; ++subgroup)
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      int64_t here = evaluate(subgroup, lane);
      if (table(subgroup, lane) !=
          (isXor ? here ^ difference : here + difference) + getAdded(subgroup))
        return false;
    }
  return true;
}

Value ThreadAddress::build(Distributor &distributor) const {
  Value lane = distributor.getThreadIndex(Axis::Lane);
  Value subgroup = distributor.getThreadIndex(Axis::Subgroup);
  return distributor.buildAtStart([&](ImplicitLocOpBuilder &b) -> Value {
    Value result = arith::ConstantIndexOp::create(b, constant);
    for (const Term &term : terms) {
      bool isLane = term.axis == Axis::Lane;
      Value digit = getDigit(b, isLane ? lane : subgroup, term.stride,
                             term.size, isLane ? numLanes : numSubgroups);
      Value value = b.createOrFold<arith::MulIOp>(
          digit, arith::ConstantIndexOp::create(b, term.factor));
      result = isXor ? b.createOrFold<arith::XOrIOp>(result, value)
                     : b.createOrFold<arith::AddIOp>(result, value);
    }
    if (perGroup == 0)
      return result;
    Value group = getDigit(b, subgroup, groupSize, numSubgroups / groupSize,
                           numSubgroups);
    return b.createOrFold<arith::AddIOp>(
        result, b.createOrFold<arith::MulIOp>(
                    group, arith::ConstantIndexOp::create(b, perGroup)));
  });
}

Value ThreadAddress::addConstant(ImplicitLocOpBuilder &b, Value address,
                                 int64_t difference) const {
  if (!isXor)
    return addIndex(b, address, difference);
  // Bits that no thread has may be added, which an access does for free.
  if (int64_t flipped = difference & bits)
    address = b.createOrFold<arith::XOrIOp>(
        address, arith::ConstantIndexOp::create(b, flipped));
  return addIndex(b, address, difference & ~bits);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool ThreadNumbers::add(Table table) {
  int64_t constant = 0;
  for (auto [i, base] : llvm::enumerate(bases))
    if (base.differsByConstant(table, constant)) {
      numbers.emplace_back(i, constant);
      return true;
    }
  const Workgroup &workgroup = distributor->getWorkgroup();
  std::optional<ThreadAddress> base =
      ThreadAddress::find(table, workgroup.numSubgroups, workgroup.numLanes);
  if (!base)
    return false;
  numbers.emplace_back(bases.size(), 0);
  bases.push_back(*base);
  return true;
}

Value ThreadNumbers::build(ImplicitLocOpBuilder &b, unsigned i) {
  if (values.empty())
    for (const ThreadAddress &base : bases)
      values.push_back(base.build(*distributor));
  auto [base, constant] = numbers[i];
  return bases[base].addConstant(b, values[base], constant);
}

static bool addAddresses(ThreadNumbers &addresses, ArrayRef<VectorAccess> accesses,
                         const Layout &layout, const SharedLayout &shared) {
  layout::ByteOffsets offsets(layout, shared);
  for (const VectorAccess &access : accesses)
    if (!addresses.add([&](int64_t subgroup, int64_t lane) {
          return offsets.get(subgroup, lane, access.registers.front()) /
                 shared.getElementBytes();
        }))
      return false;
  return true;
}

static bool addAddresses(ThreadNumbers &addresses, ArrayRef<MatrixAccess> accesses,
                         const Layout &layout, const SharedLayout &shared) {
  layout::ByteOffsets offsets(layout, shared);
  for (const MatrixAccess &access : accesses)
    if (!addresses.add([&](int64_t subgroup, int64_t lane) {
          return offsets.get(access.getRowOwner(subgroup, lane)) /
                 shared.getElementBytes();
        }))
      return false;
  return true;
}

static bool addAddresses(ThreadNumbers &addresses,
                         ArrayRef<TransposeAccess> accesses,
                         const Layout &layout, const SharedLayout &shared) {
  layout::ByteOffsets offsets(layout, shared);
  for (const TransposeAccess &access : accesses)
    if (!addresses.add([&](int64_t subgroup, int64_t lane) {
          return offsets.get(access.getChunkOwner(subgroup, lane)) /
                 shared.getElementBytes();
        }))
      return false;
  return true;
}

/// Puts registers that were loaded in pieces into their order.
static Value assemble(ImplicitLocOpBuilder &b, VectorType type,
                      ArrayRef<std::pair<Value, SmallVector<int64_t>>> pieces) {
  SmallVector<Value> registers(type.getNumElements());
  for (const auto &[value, numbers] : pieces)
    for (auto [i, reg] : llvm::enumerate(numbers))
      registers[reg] = extractRegister(b, value, i);
  return vector::FromElementsOp::create(b, type, registers);
}

static void storeTile(ImplicitLocOpBuilder &b, Distributor &distributor,
                      Value buffer, Value registers, ThreadNumbers &addresses,
                      ArrayRef<VectorAccess> accesses, const Layout &layout) {
  OpBuilder::InsertionGuard guard(b);
  if (Value isFirst = distributor.isFirstReplica(layout)) {
    auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenYield());
  }
  for (auto [i, access] : llvm::enumerate(accesses)) {
    Value piece = extractRegisters(b, registers, access.registers);
    vector::StoreOp::create(b, piece, buffer, addresses.build(b, i),
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(access.bytes));
  }
}

namespace {
/// The buffer of a tile in shared memory. If there are several, they take
/// turns.
struct Buffer {
  Value memref;
  /// Where the buffer of this iteration starts, in elements, or null if it
  /// starts at 0.
  Value start;

  Value getIndex(ImplicitLocOpBuilder &b, Value address) const {
    return start ? b.createOrFold<arith::AddIOp>(address, start) : address;
  }
};
} // namespace

/// Builds the start of the buffer of an iteration of `loop`. The buffers take
/// turns.
static Value getBufferStart(ImplicitLocOpBuilder &b, scf::ForOp loop,
                            int64_t numBuffers, int64_t size) {
  Value done = b.createOrFold<arith::SubIOp>(loop.getInductionVar(),
                                             loop.getLowerBound());
  Value iteration = b.createOrFold<arith::DivUIOp>(done, loop.getStep());
  Value turn = b.createOrFold<arith::RemUIOp>(
      iteration, arith::ConstantIndexOp::create(b, numBuffers));
  return b.createOrFold<arith::MulIOp>(turn,
                                       arith::ConstantIndexOp::create(b, size));
}

static const AsyncCopies &getAsyncCopies(MLIRContext *context) {
  return context->getLoadedDialect<VectorExtDialect>()->getAsyncCopies();
}

static const BufferLoads &getBufferLoads(MLIRContext *context) {
  return context->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
}

/// Returns whether the elements that `read` does not read are zero.
static bool isZeroElsewhere(Operation *read) {
  if (isa<TransferGatherOp>(read))
    return true;
  auto transfer = dyn_cast<vector::TransferReadOp>(read);
  Attribute padding;
  return transfer &&
         matchPattern(transfer.getPadding(), m_Constant(&padding)) &&
         (matchPattern(transfer.getPadding(), m_AnyZeroFloat()) ||
          matchPattern(transfer.getPadding(), m_Zero()));
}

/// Returns the accesses to global memory of asynchronous copies that replace
/// `read`, one for each of `writes`. Fails if copies cannot replace it.
static FailureOr<SmallVector<RegisterAccess>>
getCopySources(ImplicitLocOpBuilder &b, Distributor &distributor,
               Operation *read, ArrayRef<VectorAccess> writes,
               const Layout &layout, Value &memref) {
  if (!read || !distributor.getWorkgroup().hasAsyncCopies ||
      !getAsyncCopies(b.getContext()).build || layout.getReplication() != 1 ||
      !isZeroElsewhere(read))
    return failure();
  FailureOr<TileAccess> access = getReadAccess(b, distributor, read, layout);
  if (failed(access))
    return failure();
  memref = access->memref;
  // A tile that the workgroup has just written is read behind a barrier.
  if (!isInGlobalMemory(memref))
    return failure();
  int64_t bytes =
      cast<MemRefType>(memref.getType()).getElementTypeBitWidth() / 8;
  int64_t width = getAccessWidth(*access);
  if (width * bytes < 4 || getAccessAlignment(*access, width) < width * bytes)
    return failure();
  SmallVector<RegisterAccess> sources =
      getRegisterAccesses(b, distributor, *access, width);
  llvm::sort(sources, [](const RegisterAccess &lhs, const RegisterAccess &rhs) {
    return lhs.reg < rhs.reg;
  });
  SmallVector<RegisterAccess> result;
  for (const VectorAccess &write : writes) {
    if (write.bytes != width * bytes)
      return failure();
    for (auto [i, reg] : llvm::enumerate(write.registers))
      if (reg != write.registers.front() + static_cast<int64_t>(i))
        return failure();
    auto *it = llvm::find_if(sources, [&](const RegisterAccess &source) {
      return source.reg == write.registers.front();
    });
    if (it == sources.end())
      return failure();
    result.push_back(*it);
  }
  return result;
}

static SmallVector<AsyncCopy> getCopies(ImplicitLocOpBuilder &b,
                                        const Buffer &buffer,
                                        ThreadNumbers &addresses, Value memref,
                                        ArrayRef<RegisterAccess> sources,
                                        int64_t width) {
  Value all = arith::ConstantIndexOp::create(b, width);
  Value none = arith::ConstantIndexOp::create(b, 0);
  SmallVector<AsyncCopy> copies;
  for (auto [i, source] : llvm::enumerate(sources)) {
    AsyncCopy copy;
    copy.destination = buffer.memref;
    copy.destinationIndices = {buffer.getIndex(b, addresses.build(b, i))};
    copy.source = memref;
    copy.sourceIndices.assign(source.indices.begin(), source.indices.end());
    copy.width = width;
    if (source.condition)
      copy.elements = arith::SelectOp::create(b, source.condition, all, none);
    copies.push_back(std::move(copy));
  }
  return copies;
}

static void copyTile(ImplicitLocOpBuilder &b, const Buffer &buffer,
                     ThreadNumbers &addresses, Value memref,
                     ArrayRef<RegisterAccess> sources, int64_t width) {
  getAsyncCopies(b.getContext())
      .build(b, b.getLoc(),
             getCopies(b, buffer, addresses, memref, sources, width));
}

/// Returns the alignment of the base of a tile. Swizzles apply to offsets from
/// the base. Only swizzles that hardware applies, to at most 1024 bytes, apply
/// to addresses.
static int64_t getBaseAlignment(const SharedLayout &shared) {
  return std::min<int64_t>(shared.getAlignment(), 1024);
}

static Value allocateTile(Distributor &distributor, const SharedLayout &shared,
                          Type type) {
  return distributor.allocateShared(
      {static_cast<int64_t>(
          llvm::divideCeil(shared.getSizeInBytes(), shared.getElementBytes()))},
      type, getBaseAlignment(shared));
}

Value mlir::vector_ext::storeInSharedMemory(ImplicitLocOpBuilder &b,
                                            Distributor &distributor,
                                            Value registers, const Layout &from,
                                            const SharedLayout &shared,
                                            bool fence) {
  SmallVector<VectorAccess> writes = getVectorAccesses(from, shared);
  ThreadNumbers addresses(distributor);
  if (!addAddresses(addresses, writes, from, shared))
    return {};
  Value buffer =
      allocateTile(distributor, shared,
                   cast<VectorType>(registers.getType()).getElementType());
  // No thread still reads the old contents, and then all threads have written.
  createBarrier(b, b.getLoc());
  storeTile(b, distributor, buffer, registers, addresses, writes, from);
  const TileCopies &tiles =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getTileCopies();
  if (fence && tiles.fence)
    tiles.fence(b, b.getLoc());
  createBarrier(b, b.getLoc());
  distributor.addExchange(
      {b.getLoc(),
       VectorType::get(from.getShape(), cast<VectorType>(registers.getType())
                                            .getElementType()),
       from, std::nullopt, shared, getCost(writes, from, shared),
       std::nullopt});
  return buffer;
}

bool mlir::vector_ext::writeTile(ImplicitLocOpBuilder &b,
                                 Distributor &distributor, Value registers,
                                 Operation *read, const Layout &from,
                                 const SharedLayout &shared, Value memory,
                                 Value barriers, Value index,
                                 bool isReadInPlace) {
  SmallVector<VectorAccess> writes = getVectorAccesses(from, shared);
  ThreadNumbers addresses(distributor);
  if (!addAddresses(addresses, writes, from, shared))
    return false;
  const AsyncCopies &copies = getAsyncCopies(b.getContext());
  Value source;
  FailureOr<SmallVector<RegisterAccess>> sources = failure();
  if (copies.buildArriving && barriers)
    sources = getCopySources(b, distributor, read, writes, from, source);
  if (succeeded(sources)) {
    copies.buildArriving(
        b, b.getLoc(),
        getCopies(b, Buffer{memory, Value()}, addresses, source, *sources,
                  writes.front().bytes / shared.getElementBytes()),
        barriers, index);
    return true;
  }
  storeTile(b, distributor, memory, registers, addresses, writes, from);
  if (!barriers)
    return true;
  const TileCopies &target =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getTileCopies();
  if (isReadInPlace)
    target.fence(b, b.getLoc());
  target.arrive(b, b.getLoc(), /*isArriving=*/Value(), barriers, index);
  return true;
}

namespace {
/// The loads of a tile in shared memory into the registers of a layout.
class TileLoads {
public:
  TileLoads(Distributor &distributor, const Layout &to,
            const SharedLayout &shared,
            const layout::SharedLayoutOptions &options)
      : to(to), shared(shared), addresses(distributor) {
    if (options.matrixLoads)
      matrices = getMatrixAccesses(to, shared);
    if (matrices)
      return;
    reads = getVectorAccesses(to, shared);
    if (options.transposeLoads)
      transposes = getTransposeAccesses(to, shared);
    if (transposes && transposes->size() >= reads.size())
      transposes.reset();
  }

  /// Finds the addresses. Returns false if they have no formula.
  bool findAddresses() {
    return matrices     ? addAddresses(addresses, *matrices, to, shared)
           : transposes ? addAddresses(addresses, *transposes, to, shared)
                        : addAddresses(addresses, reads, to, shared);
  }

  auto getCost() const {
    return matrices     ? layout::getCost(*matrices, to, shared)
           : transposes ? layout::getCost(*transposes, to, shared)
                        : layout::getCost(reads, to, shared);
  }

  /// Builds the registers of `buffer`, which has elements of `type`.
  Value build(ImplicitLocOpBuilder &b, const Buffer &buffer, Type type);

private:
  const Layout &to;
  const SharedLayout &shared;
  SmallVector<VectorAccess> reads;
  std::optional<SmallVector<MatrixAccess>> matrices;
  std::optional<SmallVector<TransposeAccess>> transposes;
  ThreadNumbers addresses;
};
} // namespace

Value TileLoads::build(ImplicitLocOpBuilder &b, const Buffer &buffer,
                       Type type) {
  auto getIndex = [&](unsigned i) {
    return buffer.getIndex(b, addresses.build(b, i));
  };
  SmallVector<std::pair<Value, SmallVector<int64_t>>> pieces;
  if (matrices) {
    for (auto [i, access] : llvm::enumerate(*matrices)) {
      SmallVector<int64_t> numbers;
      for (const auto &word : access.registers)
        numbers.append(word.begin(), word.end());
      auto pieceType =
          VectorType::get({static_cast<int64_t>(numbers.size())}, type);
      Value piece = LoadMatrixOp::create(
          b, pieceType, buffer.memref,
          getIndex(i), access.isTransposed);
      pieces.emplace_back(piece, numbers);
    }
  } else if (transposes) {
    for (auto [i, access] : llvm::enumerate(*transposes)) {
      SmallVector<int64_t> numbers(access.registers.begin(),
                                   access.registers.end());
      auto pieceType =
          VectorType::get({static_cast<int64_t>(numbers.size())}, type);
      Value piece = getBufferLoads(b.getContext())
                        .loadTransposed(
                            b, b.getLoc(), pieceType, buffer.memref,
                            getIndex(i));
      pieces.emplace_back(piece, numbers);
    }
  } else {
    for (auto [i, access] : llvm::enumerate(reads)) {
      auto pieceType = VectorType::get(
          {static_cast<int64_t>(access.registers.size())}, type);
      Value piece = vector::LoadOp::create(
          b, pieceType, buffer.memref,
          getIndex(i),
          /*nontemporal=*/false, llvm::MaybeAlign(access.bytes));
      pieces.emplace_back(piece, SmallVector<int64_t>(access.registers));
    }
  }
  return assemble(b, VectorType::get({to.getNumRegisters()}, type), pieces);
}

/// Chooses the arrangement in which registers of `from` are stored and read as
/// `to`. With a `copy` from memory, returns the arrangement that the copy
/// writes, or resets `copy` if that would be read more slowly.
static layout::SharedLayoutChoice
chooseArrangement(Distributor &distributor, const Layout &from,
                  const Layout &to, int64_t bits,
                  const layout::SharedLayoutOptions &options,
                  std::optional<BufferCopy> &copy) {
  layout::SharedLayoutChoices &layouts = distributor.getSharedLayouts();
  layout::SharedLayoutChoice choice = layouts.choose(from, to, bits, options);
  if (!copy)
    return choice;
  // A copied tile is not transposed on its way, and must not be read element by
  // element for that.
  layout::SharedLayoutOptions copied = options;
  copied.laneCopyDim = copy->getContiguousDim();
  layout::SharedLayoutChoice other = layouts.choose(from, to, bits, copied);
  bool isRead = options.transposeLoads &&
                getTransposeAccesses(to, other.layout).has_value();
  if (!isRead) {
    int64_t least = std::min<int64_t>(4, to.getNumRegisters() * bits / 8);
    isRead = llvm::all_of(
        getVectorAccesses(to, other.layout),
        [&](const VectorAccess &access) { return access.bytes >= least; });
  }
  if (isRead &&
      other.read.getTotal() <=
          choice.write.getTotal() + choice.read.getTotal() &&
      copy->setDestination(other.layout))
    return other;
  copy.reset();
  return choice;
}

Value mlir::vector_ext::exchangeInSharedMemory(ImplicitLocOpBuilder &b,
                                               Distributor &distributor,
                                               Value registers, Operation *read,
                                               const Layout &from,
                                               const Layout &to,
                                               Operation *storeBefore) {
  Type type = cast<VectorType>(registers.getType()).getElementType();
  int64_t bits = type.getIntOrFloatBitWidth();
  const Workgroup &workgroup = distributor.getWorkgroup();
  layout::SharedLayoutOptions options;
  options.matrixLoads = workgroup.hasMatrixLoads && bits == 16;
  options.transposeLoads = workgroup.hasTransposeLoads && bits == 16 &&
                           getBufferLoads(b.getContext()).loadTransposed;
  std::optional<BufferCopy> copy;
  if (read && isZeroElsewhere(read)) {
    OpBuilder::InsertionGuard guard(b);
    if (storeBefore)
      b.setInsertionPoint(storeBefore);
    copy = BufferCopy::get(b, distributor, read, from);
  }
  layout::SharedLayoutChoice choice =
      chooseArrangement(distributor, from, to, bits, options, copy);
  const SharedLayout &shared = choice.layout;

  SmallVector<VectorAccess> writes = getVectorAccesses(from, shared);
  TileLoads loads(distributor, to, shared, options);
  ThreadNumbers writeAddresses(distributor);
  if (!addAddresses(writeAddresses, writes, from, shared) ||
      !loads.findAddresses())
    return {};

  Buffer buffer;
  if (storeBefore)
    buffer.memref =
        distributor.lookupStoredTile(registers, from, to, storeBefore);
  if (!buffer.memref) {
    OpBuilder::InsertionGuard guard(b);
    if (storeBefore)
      b.setInsertionPoint(storeBefore);
    Value source;
    FailureOr<SmallVector<RegisterAccess>> sources =
        getCopySources(b, distributor, read, writes, from, source);
    auto loop = dyn_cast<scf::ForOp>(b.getInsertionBlock()->getParentOp());
    int64_t numBuffers =
        (succeeded(sources) || copy) && loop ? workgroup.numBuffers : 1;
    int64_t size =
        llvm::alignTo(shared.getSizeInBytes(), shared.getAlignment()) /
        shared.getElementBytes();
    buffer.memref =
        numBuffers > 1
            ? distributor.allocateSharedForLoop(loop, numBuffers, size, type,
                                                getBaseAlignment(shared))
            : distributor.allocateShared({size}, type,
                                         getBaseAlignment(shared));
    if (numBuffers > 1)
      buffer.start = getBufferStart(b, loop, numBuffers, size);
    // No thread still reads the old contents. With several buffers, the barrier
    // of the last iteration ensures this.
    else
      createBarrier(b, b.getLoc());
    if (copy)
      copy->build(b, buffer.memref, buffer.start);
    else if (succeeded(sources))
      copyTile(b, buffer, writeAddresses, source, *sources,
               writes.front().bytes / shared.getElementBytes());
    else
      storeTile(b, distributor, buffer.memref, registers, writeAddresses,
                writes, from);
    // All threads have written.
    createBarrier(b, b.getLoc());
    if (storeBefore && !buffer.start)
      distributor.addStoredTile(registers, from, to, storeBefore,
                                buffer.memref);
    bool isCopied = copy || succeeded(sources);
    distributor.addExchange(
        {b.getLoc(), VectorType::get(from.getShape(), type), from, to, shared,
         isCopied ? std::nullopt
                  : std::optional(getCost(writes, from, shared)),
         loads.getCost()});
  }
  return loads.build(b, buffer, type);
}

Value mlir::vector_ext::loadTile(ImplicitLocOpBuilder &b,
                                 Distributor &distributor, Value memory,
                                 const SharedLayout &shared, const Layout &to) {
  Type type = cast<MemRefType>(memory.getType()).getElementType();
  layout::SharedLayoutOptions options;
  options.matrixLoads = distributor.getWorkgroup().hasMatrixLoads &&
                        type.getIntOrFloatBitWidth() == 16;
  TileLoads loads(distributor, to, shared, options);
  return loads.findAddresses() ? loads.build(b, Buffer{memory, Value()}, type)
                               : Value();
}

SmallVector<MatrixWord> mlir::vector_ext::loadMatrixWords(
    ImplicitLocOpBuilder &b, Distributor &distributor, Value memory,
    const SharedLayout &shared, const Layout &to) {
  if (!distributor.getWorkgroup().hasMatrixLoads)
    return {};
  std::optional<SmallVector<MatrixAccess>> matrices =
      getMatrixAccesses(to, shared);
  ThreadNumbers addresses(distributor);
  if (!matrices || !addAddresses(addresses, *matrices, to, shared))
    return {};
  Type type = cast<MemRefType>(memory.getType()).getElementType();
  SmallVector<MatrixWord> words;
  for (auto [i, access] : llvm::enumerate(*matrices)) {
    auto perWord = static_cast<int64_t>(access.registers.front().size());
    Value loaded = LoadMatrixOp::create(
        b, VectorType::get({access.getNumMatrices() * perWord}, type), memory,
        addresses.build(b, i), access.isTransposed);
    for (auto [k, registers] : llvm::enumerate(access.registers)) {
      Value piece = vector::ExtractStridedSliceOp::create(
          b, loaded, ArrayRef<int64_t>{static_cast<int64_t>(k) * perWord},
          ArrayRef<int64_t>{perWord}, ArrayRef<int64_t>{1});
      Value word = vector::BitCastOp::create(
          b, VectorType::get({1}, b.getI32Type()), piece);
      words.push_back(
          {vector::ExtractOp::create(b, word, ArrayRef<int64_t>{0}),
           SmallVector<int64_t, 4>(registers.begin(), registers.end())});
    }
  }
  return words;
}
