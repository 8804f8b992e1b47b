//===- PassedPlaces.cpp - Places of tiles that a role passes --------------===//
//
// Where a tile of a persistent kernel is follows from its number, with a
// division or two. The roles have no time for that: threads that compute wait
// for the copies of the next tile, and the thread that copies starts them when
// a slot is freed, just before they are needed. So the threads of the workgroup
// compute the places of the first tiles in front of the roles, each of another
// one. The thread that copies looks them up, and passes them on:
//
//   if thread < count
//     table[thread] = row, head of tile `thread`
//   barrier
//   role that copies                     role that computes
//   for each tile n                      for each tile n
//     row, head = n < (size of the         get tile n of the left operand
//       table) ? table[n] : computed       row, head = memory[n mod slots]
//     memory[n mod slots] = row, head      ...
//     put tile n of the left operand       release tile n of the left operand
//
// The barriers of the ring order the accesses. The put waits until tile
// n - (slots of the ring) has been released. What is stored in front of it must
// not be what that tile still reads, so there is at least one slot more than in
// the ring: the put of the tile before has waited for the release of the tile
// that used the slot.
//
// Where tiles do not begin early, or the left operand has one slot, the role
// that computes looks places up, too.
//
// An index that is tabulated has a range that is stated (`vector_ext.assume`),
// so that it has 32 bits. Others are computed from it.
//
//===----------------------------------------------------------------------===//

#include "PassedPlaces.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::vector_ext;

/// Indices that fewer ops compute are not passed: a store, a load and a shuffle
/// take as long.
static constexpr size_t kLeastOps = 8;

/// The tiles of a workgroup whose places are in the table.
static constexpr int64_t kTabulated = 64;

/// The bytes of an index in shared memory.
static constexpr int64_t kWordBytes = 4;

static Value buildIndex(RewriterBase &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// Adds to `ops` what computes `value` in an iteration of `loop` from its
/// number alone. Returns false if it depends on something else that changes.
static bool collect(Value value, scf::ForOp loop,
                    llvm::SetVector<Operation *> &ops) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || !isPure(op) ||
      op->getNumRegions() != 0)
    return false;
  if (ops.contains(op))
    return true;
  if (!llvm::all_of(op->getOperands(),
                    [&](Value operand) { return collect(operand, loop, ops); }))
    return false;
  ops.insert(op);
  return true;
}

/// Returns whether `value` of `loop` takes long to compute, follows from the
/// number of the iteration, and has 32 bits.
static bool canPass(Value value, scf::ForOp loop) {
  auto assume = value.getDefiningOp<AssumeOp>();
  llvm::SetVector<Operation *> ops;
  return assume && assume.getAtLeast() && assume.getAtMost() &&
         static_cast<int64_t>(*assume.getAtLeast()) >= 0 &&
         static_cast<int64_t>(*assume.getAtMost()) <=
             std::numeric_limits<int32_t>::max() &&
         collect(value, loop, ops) && ops.size() >= kLeastOps;
}

/// Returns whether ops that are cloned in front of `role` can compute `value`,
/// of an iteration of `loop` in it, from the number of the iteration.
static bool canBuildInFront(Value value, RoleOp role, scf::ForOp loop) {
  if (value == loop.getInductionVar() ||
      !role.getBody().isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return canBuildInFront(operand, role, loop);
         });
}

/// Builds `value`, with clones of the ops in `region` that compute it.
static Value buildFrom(RewriterBase &b, Value value, Region &region,
                       IRMapping &mapped) {
  if (Value known = mapped.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !region.isAncestor(op->getParentRegion()))
    return value;
  for (Value operand : op->getOperands())
    (void)buildFrom(b, operand, region, mapped);
  b.clone(*op, mapped);
  return mapped.lookup(value);
}

/// Returns whether `a` of `loop` and `b` of `copies`, loops of two roles, are
/// computed alike.
static bool areAlike(Value a, scf::ForOp loop, Value b, scf::ForOp copies) {
  if (a == b || (a == loop.getInductionVar() && b == copies.getInductionVar()))
    return true;
  auto ofA = dyn_cast<OpResult>(a), ofB = dyn_cast<OpResult>(b);
  if (!ofA || !ofB || ofA.getResultNumber() != ofB.getResultNumber() ||
      a.getType() != b.getType())
    return false;
  Operation *opA = ofA.getOwner(), *opB = ofB.getOwner();
  return opA->getName() == opB->getName() &&
         opA->getAttrDictionary() == opB->getAttrDictionary() && isPure(opA) &&
         opA->getNumRegions() == 0 &&
         opA->getNumOperands() == opB->getNumOperands() &&
         llvm::all_of(llvm::zip_equal(opA->getOperands(), opB->getOperands()),
                      [&](auto pair) {
                        return areAlike(std::get<0>(pair), loop,
                                        std::get<1>(pair), copies);
                      });
}

/// Returns the put that copies the tile of `get`, of an iteration of `loop`, if
/// one thread does it in a loop over the same numbers.
static RingPutOp findPut(scf::ForOp loop, RingGetOp get) {
  RingPutOp found;
  if (get.getPosition() != loop.getInductionVar())
    return {};
  for (Operation *user : get.getRing().getUsers()) {
    auto put = dyn_cast<RingPutOp>(user);
    if (!put)
      continue;
    auto copies = dyn_cast<scf::ForOp>(put->getParentOp());
    auto role = put->getParentOfType<RoleOp>();
    if (found || !copies || !role || !role.getSingle() ||
        copies->getParentOp() != role ||
        put.getPosition() != copies.getInductionVar())
      return {};
    found = put;
  }
  return found;
}

/// Returns the indices of `loop` that can be passed, and are nearest to those
/// of `places`, which follow from them.
static SmallVector<Value> findNearest(scf::ForOp loop, ArrayRef<Value> places) {
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> next(places);
  while (!next.empty()) {
    Value value = next.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || loop.isDefinedOutsideOfLoop(value) || !seen.insert(op))
      continue;
    if (canPass(value, loop))
      values.insert(value);
    else
      llvm::append_range(next, op->getOperands());
  }
  return values.takeVector();
}

/// Returns the bytes of shared memory that `launch` takes. Tiles of one size
/// that a role stores share memory.
static int64_t getBytesOfTiles(gpu::LaunchOp launch) {
  int64_t bytes = 0;
  llvm::DenseSet<std::pair<Operation *, int64_t>> stored;
  launch.walk([&](Operation *op) {
    if (auto create = dyn_cast<RingCreateOp>(op)) {
      auto type = cast<RingType>(create.getRing().getType());
      bytes += type.getSlots() * type.getSlotBytes();
    } else if (auto store = dyn_cast<StoreTileOp>(op)) {
      int64_t size = store.getLayout().getLayout().getSizeInBytes();
      if (stored.insert({store->getParentOfType<RoleOp>(), size}).second)
        bytes += size;
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op);
               alloc && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                            alloc.getType())) {
      // Operands of products of positions, for example.
      bytes += llvm::divideCeil(alloc.getType().getNumElements() *
                                    alloc.getType().getElementTypeBitWidth(),
                                8);
    }
  });
  return bytes;
}

/// Returns the loop over tiles of the role of one thread in `launch`, if there
/// is only one.
static scf::ForOp findCopies(gpu::LaunchOp launch) {
  scf::ForOp found;
  for (auto role : launch.getBody().front().getOps<RoleOp>())
    for (auto loop : role.getBody().getOps<scf::ForOp>()) {
      if (!role.getSingle() || role.getGroups())
        continue;
      if (found)
        return {};
      found = loop;
    }
  return found;
}

std::optional<TabulatedPlaces>
TabulatedPlaces::find(scf::ForOp loop, ArrayRef<Value> places, int64_t others) {
  TabulatedPlaces found;
  found.loop = loop;
  auto launch = loop->getParentOfType<gpu::LaunchOp>();
  auto role = loop->getParentOfType<RoleOp>();
  FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(loop);
  if (!launch || !role || role.getGroups() || failed(target))
    return std::nullopt;
  found.copies = findCopies(launch);
  if (!found.copies)
    return std::nullopt;
  found.lanes = target->lanes;
  found.values = findNearest(loop, places);
  for (Value value : found.values) {
    auto assumes = found.copies.getBody()->getOps<AssumeOp>();
    auto alike = llvm::find_if(assumes, [&](AssumeOp other) {
      return areAlike(value, loop, other, found.copies);
    });
    if (alike == assumes.end() || !canBuildInFront(value, role, loop))
      return std::nullopt;
    found.copied.push_back(*alike);
  }
  // The barriers take no more than the size of the reserve.
  int64_t bytes = (others + kTabulated) *
                  static_cast<int64_t>(found.values.size()) * kWordBytes;
  if (found.values.empty() ||
      !canBuildInFront(loop.getUpperBound(), role, loop) ||
      getBytesOfTiles(launch) + bytes >
          target->processorSharedBytes - 2 * target->reservedSharedBytes)
    return std::nullopt;
  return found;
}

Value TabulatedPlaces::buildMemory(RewriterBase &b, int64_t size) {
  return memref::AllocOp::create(
      b, loop.getLoc(),
      MemRefType::get(
          {size, static_cast<int64_t>(values.size())}, b.getI32Type(),
          MemRefLayoutAttrInterface(),
          gpu::AddressSpaceAttr::get(
              b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace())));
}

/// Stores `indices` of a tile in `memory`, at `slot`.
static void storeIndices(RewriterBase &b, Location loc, ValueRange indices,
                         Value memory, Value slot) {
  for (auto [i, index] : llvm::enumerate(indices))
    memref::StoreOp::create(
        b, loc, arith::IndexCastOp::create(b, loc, b.getI32Type(), index),
        memory, ValueRange{slot, buildIndex(b, loc, i)});
}

/// Loads index `i` of a tile from `memory`, at `slot`. If all threads of a
/// subgroup of `lanes` threads load the same, a shuffle says so.
static Value loadIndex(RewriterBase &b, Location loc, Value memory, Value slot,
                       int64_t i, int64_t lanes) {
  Value word = memref::LoadOp::create(b, loc, memory,
                                      ValueRange{slot, buildIndex(b, loc, i)});
  if (lanes > 1)
    word = gpu::ShuffleOp::create(
               b, loc, word, arith::ConstantIntOp::create(b, loc, 0, 32),
               arith::ConstantIntOp::create(b, loc, lanes, 32),
               gpu::ShuffleMode::IDX)
               .getShuffleResult();
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
}

/// States about `index` what `value`, which it replaces, states.
static Value assumeAs(RewriterBase &b, Value index, Value value) {
  auto assume = value.getDefiningOp<AssumeOp>();
  return AssumeOp::create(b, index.getLoc(), index, assume.getAtLeastAttr(),
                          assume.getAtMostAttr(), assume.getMultipleOfAttr());
}

/// The barrier of all threads that follows is that of rings.
void TabulatedPlaces::fill(RewriterBase &b) {
  Location loc = loop.getLoc();
  auto role = loop->getParentOfType<RoleOp>();
  b.setInsertionPoint(*role->getBlock()->getOps<RoleOp>().begin());
  table = buildMemory(b, kTabulated);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  IRMapping mapped;
  Value count = arith::MinSIOp::create(
      b, loc, buildFrom(b, loop.getUpperBound(), role.getBody(), mapped),
      buildIndex(b, loc, kTabulated));
  Value isIn =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, thread, count);
  auto branch = scf::IfOp::create(b, loc, isIn, /*withElseRegion=*/false);
  b.setInsertionPoint(branch.thenYield());
  mapped.map(loop.getInductionVar(), thread);
  SmallVector<Value> indices = llvm::map_to_vector(values, [&](Value value) {
    return buildFrom(b, value, role.getBody(), mapped);
  });
  storeIndices(b, loc, indices, table, thread);
}

/// Builds `own` indices of iteration `number` of `tiles`, from the table if it
/// has them. If `isSame`, all threads load the same.
SmallVector<Value> TabulatedPlaces::build(RewriterBase &b, scf::ForOp tiles,
                                          Value number, ArrayRef<Value> own,
                                          bool isSame) {
  OpBuilder::InsertionGuard guard(b);
  Location loc = tiles.getLoc();
  Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, number,
                                     buildIndex(b, loc, kTabulated));
  auto choice = scf::IfOp::create(
      b, loc, SmallVector<Type>(own.size(), b.getIndexType()), isIn,
      /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> loaded, computed;
  for (unsigned i = 0; i < own.size(); ++i)
    loaded.push_back(loadIndex(b, loc, table, number, i, isSame ? lanes : 1));
  scf::YieldOp::create(b, loc, loaded);
  b.setInsertionPointToStart(choice.elseBlock());
  IRMapping mapped;
  mapped.map(tiles.getInductionVar(), number);
  for (Value value : own)
    computed.push_back(buildFrom(b, value, tiles.getRegion(), mapped));
  scf::YieldOp::create(b, loc, computed);
  b.setInsertionPointAfter(choice);
  SmallVector<Value> indices;
  for (auto [value, index] : llvm::zip_equal(own, choice.getResults()))
    indices.push_back(assumeAs(b, index, value));
  return indices;
}

/// Builds the indices of each iteration of `tiles` as `build` does, and
/// replaces `own` by them.
SmallVector<Value> TabulatedPlaces::lookUp(RewriterBase &b, scf::ForOp tiles,
                                           ArrayRef<Value> own, bool isSame) {
  b.setInsertionPointToStart(tiles.getBody());
  SmallVector<Value> indices =
      build(b, tiles, tiles.getInductionVar(), own, isSame);
  for (auto [value, index] : llvm::zip_equal(own, indices))
    b.replaceAllUsesWith(value, index);
  return indices;
}

SmallVector<Value> TabulatedPlaces::lookUpWhereCopied(RewriterBase &b) {
  return lookUp(b, copies, copied, /*isSame=*/false);
}

void TabulatedPlaces::lookUpWhereComputed(RewriterBase &b) {
  lookUp(b, loop, values, /*isSame=*/true);
}

void TabulatedPlaces::lookUpNext(RewriterBase &b, Value number,
                                 IRMapping &mapped) {
  mapped.map(values, build(b, loop, number, values, /*isSame=*/true));
}

std::optional<PassedPlaces> PassedPlaces::find(scf::ForOp loop, RingGetOp get,
                                               ArrayRef<Value> places) {
  PassedPlaces passed;
  passed.put = findPut(loop, get);
  if (!passed.put)
    return std::nullopt;
  passed.slots = llvm::PowerOf2Ceil(
      cast<RingType>(get.getRing().getType()).getSlots() + 1);
  std::optional<TabulatedPlaces> tabulated =
      TabulatedPlaces::find(loop, places, passed.slots);
  if (!tabulated || tabulated->getCopies() != passed.put->getParentOp())
    return std::nullopt;
  passed.tabulated = *tabulated;
  return passed;
}

void PassedPlaces::pass(RewriterBase &b) {
  OpBuilder::InsertionGuard guard(b);
  auto role = tabulated.getLoop()->getParentOfType<RoleOp>();
  b.setInsertionPoint(*role->getBlock()->getOps<RoleOp>().begin());
  passed = tabulated.buildMemory(b, slots);
  tabulated.fill(b);
  SmallVector<Value> indices = tabulated.lookUpWhereCopied(b);
  b.setInsertionPoint(put);
  Location loc = put.getLoc();
  Value slot = arith::RemUIOp::create(b, loc, put.getPosition(),
                                      buildIndex(b, loc, slots));
  storeIndices(b, loc, indices, passed, slot);
}

void PassedPlaces::load(RewriterBase &b, Location loc, Value number,
                        IRMapping &mapped) {
  Value slot =
      arith::RemUIOp::create(b, loc, number, buildIndex(b, loc, slots));
  for (auto [i, value] : llvm::enumerate(getValues()))
    mapped.map(
        value,
        assumeAs(b, loadIndex(b, loc, passed, slot, i, tabulated.getLanes()),
                 value));
}
