//===- ShareTemporaries.cpp - Memory of temporary buffers -----------------===//
//
// Allocates all temporary buffers of a function as one block. The ops of its
// body run in order. Two buffers can therefore share memory if the last use of
// one comes before the first use of the other.
//
// A block also costs less time than many buffers. The C library returns large
// buffers to the system when they are freed, and the next call has a page fault
// for each of their pages. It keeps a single buffer.
//
//   1. Find the buffers whose uses are known, and the first and the last op
//      that uses each of them. A buffer from outside of a loop is used by all of the
//      loop. One that an iteration allocates is used by ops of an iteration.
//   2. Pack the buffers of static size, the largest first, each at the lowest
//      offset without overlap with a buffer that is live at the same time.
//   3. Group buffers of dynamic size, because their sizes cannot be compared.
//      The members of a group are live one after another, and share a part of
//      the block that is as large as the largest of them.
//   4. Allocate the block, and replace the buffers by views of it.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ShareTemporaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The number of an op, and that of the last op inside of it.
struct Range {
  unsigned first = 0, last = 0;
};

/// A buffer, and the range of ops that use it.
struct Temporary {
  memref::AllocOp alloc;
  unsigned first = 0, last = 0;
  /// The size, if it is static.
  std::optional<int64_t> bytes;
  /// The size otherwise, rounded up to a multiple of the alignment.
  Value dynamicBytes;
  Value offset;

  bool meets(const Temporary &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// A part of the block that several buffers use, one after another.
struct Part {
  Value bytes;
  unsigned last = 0;
  SmallVector<Temporary *> members;
};

class Sharer {
public:
  Sharer(func::FuncOp func, const ShareTemporariesOptions &options)
      : func(func), options(options) {}
  unsigned run();

private:
  void number(Block &block);
  bool collect(memref::AllocOp alloc);
  bool isKnownInFront(Value value);
  Value getInFront(Value value);
  Value getBytes(memref::AllocOp alloc);
  int64_t packStatic();
  SmallVector<Part> makeParts();

  func::FuncOp func;
  const ShareTemporariesOptions &options;
  Operation *front = nullptr;
  /// The numbers of the ops of the body, and of the ops of loops in it.
  DenseMap<Operation *, Range> numbers;
  SmallVector<memref::AllocOp> allocs;
  SmallVector<Temporary> temporaries;
  IRMapping inFront;
};
} // namespace

static std::optional<int64_t> getElementBytes(MemRefType type) {
  Type element = type.getElementType();
  if (element.isIndex())
    return 8;
  if (!element.isIntOrFloat())
    return std::nullopt;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static bool isNumber(Type type) {
  return getElementTypeOrSelf(type).isIntOrIndexOrFloat() &&
         !isa<BaseMemRefType, TensorType>(type);
}

BufferUse mlir::linalg_ext::getBufferUse(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<memref::DimOp, memref::RankOp>(op))
    return BufferUse::None;
  // An address that is used as a number is not followed.
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return BufferUse::Unknown;
  if (isa<ViewLikeOpInterface>(op))
    return BufferUse::View;
  // Calls and asynchronous ops may keep the buffer, and so may stores of the
  // buffer itself. A buffer that enters or leaves a region, or that is
  // returned, has other names.
  bool isKept = isa<CallOpInterface, memref::DmaStartOp>(op) ||
                op->hasTrait<OpTrait::IsTerminator>() ||
                !llvm::all_of(op->getResultTypes(), isNumber) ||
                llvm::any_of(op->getOperandTypes(), [](Type type) {
                  auto buffer = dyn_cast<BaseMemRefType>(type);
                  return buffer && isa<BaseMemRefType>(buffer.getElementType());
                });
  if (isKept)
    return BufferUse::Unknown;
  // Only ops that declare their memory effects are known.
  bool isKnown = isa<MemoryEffectOpInterface>(op) ||
                 op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  return isKnown ? BufferUse::Access : BufferUse::Unknown;
}

/// Numbers the ops of `block`, and those of loops in it, and finds the
/// allocations among them.
void Sharer::number(Block &block) {
  for (Operation &op : block) {
    unsigned first = numbers.size();
    numbers.try_emplace(&op);
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      allocs.push_back(alloc);
    if (options.inLoops && isa<scf::ForOp, scf::WhileOp>(op))
      for (Region &region : op.getRegions())
        number(region.front());
    numbers[&op] = {first, static_cast<unsigned>(numbers.size()) - 1};
  }
}

/// Collects `alloc` if all uses of it and of its views are known. It is then
/// live from the first to the last op of its block that uses it. Returns
/// whether it was collected.
bool Sharer::collect(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity() || type.getMemorySpace() ||
      !getElementBytes(type) ||
      alloc.getAlignment().value_or(1) > uint64_t(options.alignment))
    return false;
  Temporary temporary;
  temporary.alloc = alloc;
  temporary.first = numbers.size();
  Block *block = alloc->getBlock();
  SmallVector<Value> names{alloc};
  bool isUsed = false;
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user);
          dealloc && dealloc.getMemref() == alloc &&
          dealloc->getBlock() == alloc->getBlock())
        continue;
      switch (options.getUse(use)) {
      case BufferUse::None:
        break;
      case BufferUse::View:
        // Results that are no buffers, such as sizes, strides and offsets, are
        // not followed.
        llvm::copy_if(user->getResults(), std::back_inserter(names),
                      [](Value result) { return !isNumber(result.getType()); });
        break;
      case BufferUse::Access: {
        Range range = numbers.at(block->findAncestorOpInBlock(*user));
        temporary.first = std::min(temporary.first, range.first);
        temporary.last = std::max(temporary.last, range.last);
        isUsed = true;
        break;
      }
      case BufferUse::Unknown:
        return false;
      }
    }
  if (!isUsed)
    return false;
  temporaries.push_back(temporary);
  return true;
}

/// Returns `value`. If it is the size of an allocation, returns the size
/// operand of the allocation instead.
static Value getGivenSize(Value value) {
  auto dim = value.getDefiningOp<memref::DimOp>();
  auto alloc = dim ? dim.getSource().getDefiningOp<memref::AllocOp>() : nullptr;
  std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
  if (!alloc || !index || !alloc.getType().isDynamicDim(*index))
    return value;
  return alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(*index)];
}

/// Returns whether `value` can be computed before the first allocation.
bool Sharer::isKnownInFront(Value value) {
  value = getGivenSize(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == front->getBlock();
  if (op->getBlock() == front->getBlock() && op->isBeforeInBlock(front))
    return true;
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isKnownInFront(operand); });
}

/// Computes `value` before the first allocation.
Value Sharer::getInFront(Value value) {
  value = getGivenSize(value);
  Operation *op = value.getDefiningOp();
  if (!op ||
      (op->getBlock() == front->getBlock() && op->isBeforeInBlock(front)))
    return value;
  if (Value known = inFront.lookupOrNull(value))
    return known;
  for (Value operand : op->getOperands())
    inFront.map(operand, getInFront(operand));
  OpBuilder builder(front);
  builder.clone(*op, inFront);
  return inFront.lookup(value);
}

/// Builds the size of `alloc`, which is dynamic, in bytes, rounded up.
Value Sharer::getBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t factor = *getElementBytes(type);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      factor *= size;
  SmallVector<Value> sizes = llvm::map_to_vector(
      alloc.getDynamicSizes(), [&](Value size) { return getInFront(size); });
  ImplicitLocOpBuilder b(alloc.getLoc(), front);
  Value bytes = arith::ConstantIndexOp::create(b, factor);
  for (Value size : sizes)
    bytes = b.createOrFold<arith::MulIOp>(bytes, size);
  Value alignment = arith::ConstantIndexOp::create(b, options.alignment);
  return b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::CeilDivSIOp>(bytes, alignment), alignment);
}

/// Places the buffers of static size. Returns their total size in bytes.
int64_t Sharer::packStatic() {
  SmallVector<Temporary *> order;
  for (Temporary &temporary : temporaries)
    if (temporary.bytes)
      order.push_back(&temporary);
  llvm::stable_sort(order, [](const Temporary *a, const Temporary *b) {
    return *a->bytes > *b->bytes;
  });
  struct Placed {
    const Temporary *temporary;
    int64_t begin, end;
  };
  SmallVector<Placed> placed;
  int64_t total = 0;
  ImplicitLocOpBuilder b(func.getLoc(), front);
  for (Temporary *temporary : order) {
    int64_t begin = 0;
    int64_t size = llvm::alignTo(*temporary->bytes, options.alignment);
    // Visit them in the order of memory, so that one pass finds the first gap.
    for (const Placed &other : placed)
      if (temporary->meets(*other.temporary) && begin < other.end &&
          other.begin < begin + size)
        begin = other.end;
    Placed here{temporary, begin, begin + size};
    placed.insert(llvm::lower_bound(placed, here,
                                    [](const Placed &a, const Placed &b) {
                                      return a.begin < b.begin;
                                    }),
                  here);
    temporary->offset = arith::ConstantIndexOp::create(b, begin);
    total = std::max(total, here.end);
  }
  return total;
}

/// Assigns the buffers of dynamic size to parts. Prefers a part whose size is
/// the same expression, then the part that was used last.
SmallVector<Part> Sharer::makeParts() {
  SmallVector<Temporary *> order;
  for (Temporary &temporary : temporaries)
    if (!temporary.bytes)
      order.push_back(&temporary);
  llvm::stable_sort(order, [](const Temporary *a, const Temporary *b) {
    return a->first < b->first;
  });
  SmallVector<Part> parts;
  ImplicitLocOpBuilder b(func.getLoc(), front);
  for (Temporary *temporary : order) {
    Part *best = nullptr;
    auto isOfSize = [&](const Part &part) {
      return llvm::any_of(part.members, [&](Temporary *member) {
        return llvm::equal(member->alloc.getDynamicSizes(),
                           temporary->alloc.getDynamicSizes());
      });
    };
    for (Part &part : parts) {
      if (part.last >= temporary->first)
        continue;
      if (!best || std::pair(isOfSize(part), part.last) >
                       std::pair(isOfSize(*best), best->last))
        best = &part;
    }
    if (!best) {
      best = &parts.emplace_back();
      best->bytes = temporary->dynamicBytes;
    } else if (best->bytes != temporary->dynamicBytes) {
      best->bytes =
          b.createOrFold<arith::MaxSIOp>(best->bytes, temporary->dynamicBytes);
    }
    best->last = temporary->last;
    best->members.push_back(temporary);
  }
  return parts;
}

unsigned Sharer::run() {
  if (!func.getBody().hasOneBlock())
    return 0;
  Block &body = func.getBody().front();
  number(body);
  for (memref::AllocOp alloc : allocs)
    if (collect(alloc) && !front)
      front = body.findAncestorOpInBlock(*alloc);
  llvm::erase_if(temporaries, [&](Temporary &temporary) {
    return !llvm::all_of(temporary.alloc.getDynamicSizes(),
                         [&](Value size) { return isKnownInFront(size); });
  });
  if (temporaries.size() < 2)
    return 0;
  // 1. Compute the sizes.
  for (Temporary &temporary : temporaries) {
    MemRefType type = temporary.alloc.getType();
    if (type.hasStaticShape())
      temporary.bytes = type.getNumElements() * *getElementBytes(type);
    else
      temporary.dynamicBytes = getBytes(temporary.alloc);
  }
  // 2. Place the buffers.
  int64_t staticBytes = packStatic();
  SmallVector<Part> parts = makeParts();
  ImplicitLocOpBuilder b(func.getLoc(), front);
  Value total = arith::ConstantIndexOp::create(b, staticBytes);
  for (Part &part : parts) {
    for (Temporary *member : part.members)
      member->offset = total;
    total = b.createOrFold<arith::AddIOp>(total, part.bytes);
  }
  // 3. Build the block, and views of it.
  bool isStatic = parts.empty();
  auto type = MemRefType::get(isStatic ? staticBytes : ShapedType::kDynamic,
                              b.getI8Type());
  Value block = memref::AllocOp::create(
      b, type, isStatic ? ValueRange() : ValueRange(total),
      b.getI64IntegerAttr(options.alignment));
  for (Temporary &temporary : temporaries) {
    memref::AllocOp alloc = temporary.alloc;
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    ImplicitLocOpBuilder here(alloc.getLoc(), alloc);
    Value view =
        memref::ViewOp::create(here, alloc.getType(), block, temporary.offset,
                               alloc.getDynamicSizes());
    alloc.replaceAllUsesWith(view);
    alloc.erase();
  }
  b.setInsertionPoint(body.getTerminator());
  memref::DeallocOp::create(b, block);
  return temporaries.size();
}

unsigned
mlir::linalg_ext::shareTemporaries(func::FuncOp func,
                                   const ShareTemporariesOptions &options) {
  return Sharer(func, options).run();
}
