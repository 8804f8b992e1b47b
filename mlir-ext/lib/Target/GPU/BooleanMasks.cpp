//===- BooleanMasks.cpp - Masks of booleans in memory ---------------------===//
//
// A thread loads booleans as bytes, a few of a row at a time. If each of them
// were a value of its own, it would take a register, or a predicate, from the
// load on, and an instruction to unpack it. So loads of 16 or 32 bits stay
// words, and several are packed into one: boolean k of load j is bit 8 k + j,
// for eight loads. A boolean is then a bit of a constant position.
//
//   bits 0 to 7: byte 0 of loads 0 to 7; bits 8 to 15: byte 1; and so on
//
// Masks often hide nothing, or only at a border: the keys behind the end of a
// sequence, or behind a diagonal. So the lanes of a subgroup vote, and where
// all bits are set, nothing is selected:
//
//   %all = every bit of all words of all lanes is set
//   %result = scf.if %all { yield %x } else { yield select(%bits, %x, %y) }
//
// All lanes take part in a vote. So the block has another op that all of them
// execute, such as a product of subgroups, or the wait for one.
//
// The branch costs more than it saves where words come from a tile that was
// copied and each element has a bit of its own: selecting is cheap there, and
// such masks hide something in more tiles than a row of keys that all rows
// have.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/BooleanMasks.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <tuple>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The bits of a word, and of a byte.
static constexpr int64_t kWordBits = 32, kByteBits = 8;

namespace {
/// A bit of a word.
struct Bit {
  unsigned word;
  int64_t position;
};

/// Booleans in words of 32 bits.
struct PackedBooleans {
  SmallVector<Value> words;
  /// The bits of each word that are booleans.
  SmallVector<uint32_t> used;
  /// Where each boolean is.
  SmallVector<Bit> bits;
};
} // namespace

/// Returns the loads whose elements `elements` are, and the number of each
/// element in its load. Fails if an element is from elsewhere, or if loads do
/// not have 2 or 4 bytes, as many as each other.
static FailureOr<
    llvm::MapVector<Value, SmallVector<std::pair<size_t, int64_t>>>>
getLoads(ValueRange elements) {
  llvm::MapVector<Value, SmallVector<std::pair<size_t, int64_t>>> loads;
  for (auto [i, element] : llvm::enumerate(elements)) {
    auto extract = element.getDefiningOp<vector::ExtractOp>();
    if (!extract || extract.hasDynamicPosition() ||
        extract.getStaticPosition().size() != 1)
      return failure();
    VectorType type = extract.getSourceVectorType();
    if (type.getRank() != 1 || type.isScalable() ||
        (type.getNumElements() != 2 && type.getNumElements() != 4))
      return failure();
    Value load = extract.getSource();
    if (!loads.empty() && loads.front().first.getType() != type)
      return failure();
    loads[load].push_back({i, extract.getStaticPosition().front()});
  }
  return loads;
}

/// Packs the elements of `bytes`, each of which is 0 or 1. Fails if they are
/// not loaded as words. Other bytes of these words may have any value.
static FailureOr<PackedBooleans> pack(ImplicitLocOpBuilder &b,
                                      vector::FromElementsOp bytes) {
  auto loads = getLoads(bytes.getElements());
  if (failed(loads))
    return failure();
  PackedBooleans packed;
  packed.bits.resize(bytes.getElements().size());
  Type i32 = b.getI32Type();
  int64_t column = 0,
          bytesOfLoad =
              cast<VectorType>(loads->front().first.getType()).getNumElements();
  Type loaded = b.getIntegerType(bytesOfLoad * kByteBits);
  for (auto &[load, uses] : *loads) {
    Value word = vector::ExtractOp::create(
        b,
        vector::BitCastOp::create(b, VectorType::get({1}, loaded), load)
            .getResult(),
        ArrayRef<int64_t>{0});
    if (loaded != i32)
      word = arith::ExtUIOp::create(b, i32, word);
    uint32_t usedHere = 0, ofBooleans = 0;
    for (int64_t byte = 0; byte < bytesOfLoad; ++byte)
      ofBooleans |= uint32_t(1) << byte * kByteBits;
    for (auto [element, byte] : uses)
      usedHere |= uint32_t(1) << byte * kByteBits;
    // A byte that is not used would set bits of other loads.
    if (usedHere != ofBooleans)
      word = arith::AndIOp::create(
          b, word,
          arith::ConstantOp::create(
              b, b.getIntegerAttr(i32, APInt(kWordBits, usedHere))));
    // Eight loads are beside each other, in each byte of a word.
    int64_t shift =
        column % kByteBits + column / kByteBits * bytesOfLoad * kByteBits;
    if (shift != 0)
      word = arith::ShLIOp::create(b, word,
                                   arith::ConstantIntOp::create(b, i32, shift));
    if (column == 0) {
      packed.words.push_back(word);
      packed.used.push_back(0);
    } else {
      packed.words.back() = arith::OrIOp::create(b, packed.words.back(), word);
    }
    for (auto [element, byte] : uses)
      packed.bits[element] = {static_cast<unsigned>(packed.words.size() - 1),
                              shift + byte * kByteBits};
    packed.used.back() |= usedHere << shift;
    column = (column + 1) % (kWordBits / bytesOfLoad);
  }
  return packed;
}

/// Returns the words of which each element of `value` is a bit that is shifted
/// down. Higher bits of elements do not matter.
static FailureOr<PackedBooleans> findPacked(Value value) {
  APInt mask;
  while (true) {
    if (auto trunc = value.getDefiningOp<arith::TruncIOp>())
      value = trunc.getIn();
    else if (auto masked = value.getDefiningOp<arith::AndIOp>();
             masked && matchPattern(masked.getRhs(), m_ConstantInt(&mask)) &&
             mask[0])
      value = masked.getLhs();
    else
      break;
  }
  auto shifted = value.getDefiningOp<arith::ShRUIOp>();
  DenseIntElementsAttr shifts;
  auto type = dyn_cast<VectorType>(value.getType());
  if (!shifted || !type || !type.getElementType().isInteger(kWordBits) ||
      !matchPattern(shifted.getRhs(), m_Constant(&shifts)))
    return failure();
  SmallVector<Value> elements;
  if (auto all = shifted.getLhs().getDefiningOp<vector::BroadcastOp>();
      all && !isa<VectorType>(all.getSourceType()))
    elements.assign(type.getNumElements(), all.getSource());
  else if (auto each = shifted.getLhs().getDefiningOp<vector::FromElementsOp>())
    llvm::append_range(elements, each.getElements());
  else
    return failure();
  PackedBooleans packed;
  for (auto [word, shift] :
       llvm::zip_equal(elements, shifts.getValues<APInt>())) {
    if (shift.uge(kWordBits))
      return failure();
    auto at = llvm::find(packed.words, word) - packed.words.begin();
    if (at == static_cast<int64_t>(packed.words.size())) {
      packed.words.push_back(word);
      packed.used.push_back(0);
    }
    packed.bits.push_back({static_cast<unsigned>(at),
                           static_cast<int64_t>(shift.getZExtValue())});
    packed.used[at] |= uint32_t(1) << shift.getZExtValue();
  }
  return packed;
}

/// Builds the vector of the booleans that are at `bits`.
static Value unpack(ImplicitLocOpBuilder &b, const PackedBooleans &packed,
                    ArrayRef<Bit> bits) {
  auto type =
      VectorType::get({static_cast<int64_t>(bits.size())}, b.getI32Type());
  SmallVector<Value> words;
  SmallVector<Attribute> masks;
  for (const Bit &bit : bits) {
    words.push_back(packed.words[bit.word]);
    masks.push_back(b.getIntegerAttr(
        b.getI32Type(), APInt(kWordBits, uint32_t(1) << bit.position)));
  }
  Value all = vector::FromElementsOp::create(b, type, words);
  Value mask =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, masks));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                               arith::AndIOp::create(b, all, mask), zero);
}

/// Builds the elements of `x` whose booleans are at `bits`, and those of `y`
/// elsewhere. Tests of neighbouring bits follow each other, each in front of
/// what it selects, so that assemblers test seven bits at a time (R2P).
static Value buildSelect(ImplicitLocOpBuilder &b, const PackedBooleans &packed,
                         ArrayRef<Bit> bits, Value x, Value y) {
  SmallVector<std::tuple<unsigned, int64_t, int64_t>> order;
  for (auto [i, bit] : llvm::enumerate(bits))
    order.emplace_back(bit.word, bit.position, i);
  llvm::sort(order);
  Value zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  Value test;
  std::optional<std::pair<unsigned, int64_t>> last;
  SmallVector<Value> selected(bits.size());
  for (auto [word, position, i] : order) {
    // Elements of several rows may have the same boolean.
    if (last != std::make_pair(word, position)) {
      Value mask = arith::ConstantOp::create(
          b, b.getIntegerAttr(b.getI32Type(),
                              APInt(kWordBits, uint32_t(1) << position)));
      test = arith::CmpIOp::create(
          b, arith::CmpIPredicate::ne,
          arith::AndIOp::create(b, packed.words[word], mask), zero);
    }
    last = std::make_pair(word, position);
    selected[i] = arith::SelectOp::create(
        b, test, b.createOrFold<vector::ExtractOp>(x, i),
        b.createOrFold<vector::ExtractOp>(y, i));
  }
  return vector::FromElementsOp::create(b, x.getType(), selected);
}

/// Builds whether all booleans of this thread are true.
static Value areAll(ImplicitLocOpBuilder &b, const PackedBooleans &packed) {
  Value missing;
  for (auto [word, used] : llvm::zip_equal(packed.words, packed.used)) {
    Value all = arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getI32Type(), APInt(kWordBits, used)));
    Value other = arith::XOrIOp::create(b, word, all);
    missing = missing ? arith::OrIOp::create(b, missing, other) : other;
  }
  return arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, missing,
      arith::ConstantIntOp::create(b, b.getI32Type(), 0));
}

/// Returns whether all lanes of a subgroup execute `block`, because it has an
/// op that they execute together.
static bool isOfAllLanes(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isa<vector_ext::AsyncMmaOp, vector_ext::AwaitOp, gpu::BarrierOp>(op);
  });
}

/// Returns whether elements whose booleans are at `bits` share them.
static bool shareBits(const PackedBooleans &packed, ArrayRef<Bit> bits) {
  size_t used = 0;
  for (uint32_t word : packed.used)
    used += llvm::popcount(word);
  return bits.size() > used;
}

/// Lowers the uses of `mask`, which has the booleans at `bits`, in the block of
/// the loads. Lanes vote if `votes`.
static void lowerUses(RewriterBase &rewriter, Value mask,
                      const PackedBooleans &packed, ArrayRef<Bit> bits,
                      bool votes, const MathInstructions &instructions) {
  Operation *op = mask.getDefiningOp();
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  bool mayVote = votes && instructions.all && isOfAllLanes(*op->getBlock());
  // A select of booleans may use the mask twice.
  llvm::SmallSetVector<Operation *, 4> users;
  users.insert(mask.user_begin(), mask.user_end());
  for (Operation *user : users) {
    auto select = dyn_cast<arith::SelectOp>(user);
    if (!select || select.getCondition() != mask)
      continue;
    b.setInsertionPoint(select);
    auto buildHere = [&] {
      return buildSelect(b, packed, bits, select.getTrueValue(),
                         select.getFalseValue());
    };
    if (!mayVote || select->getBlock() != op->getBlock() ||
        !hasRegistersForBranches(select)) {
      rewriter.replaceOp(select, buildHere());
      continue;
    }
    Value all = instructions.all(b, b.getLoc(), areAll(b, packed));
    auto branch = scf::IfOp::create(b, select.getType(), all,
                                    /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, select.getTrueValue());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, buildHere());
    rewriter.replaceOp(select, branch.getResults());
  }
  if (!mask.use_empty()) {
    b.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(mask, unpack(b, packed, bits));
  }
  rewriter.eraseOp(op);
}

/// Lowers the booleans `mask`, which are bits of words, or known to be bytes of
/// 0 or 1.
static void lowerMask(RewriterBase &rewriter, arith::TruncIOp mask,
                      const MathInstructions &instructions) {
  ImplicitLocOpBuilder b(mask.getLoc(), rewriter);
  b.setInsertionPoint(mask);
  FailureOr<PackedBooleans> packed = findPacked(mask.getIn());
  bool isRead = failed(packed);
  if (isRead)
    if (auto bytes = mask.getIn().getDefiningOp<vector::FromElementsOp>())
      packed = pack(b, bytes);
  if (failed(packed))
    return;
  // Rows may have the same booleans.
  llvm::SmallSetVector<Operation *, 4> users;
  users.insert(mask->user_begin(), mask->user_end());
  for (Operation *user : users) {
    auto shuffle = dyn_cast<vector::ShuffleOp>(user);
    if (!shuffle || shuffle.getV1() != mask.getOut() ||
        shuffle.getV2() != mask.getOut() ||
        llvm::any_of(shuffle.getMask(), [](int64_t at) { return at < 0; }))
      continue;
    int64_t count = packed->bits.size();
    SmallVector<Bit> bits =
        llvm::map_to_vector(shuffle.getMask(), [&](int64_t at) {
          return packed->bits[at % count];
        });
    lowerUses(rewriter, shuffle.getResult(), *packed, bits,
              isRead || shareBits(*packed, bits), instructions);
  }
  lowerUses(rewriter, mask.getOut(), *packed, packed->bits,
            isRead || shareBits(*packed, packed->bits), instructions);
}

void mlir::linalg_ext::lowerBooleanMasks(RewriterBase &rewriter,
                                         Operation *scope,
                                         const MathInstructions &instructions) {
  SmallVector<arith::TruncIOp> masks;
  scope->walk([&](arith::TruncIOp op) {
    auto type = dyn_cast<VectorType>(op.getType());
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    // Bytes are 0 or 1. Of words, the lowest bit is the boolean.
    if (type && from && type.getRank() == 1 && !type.isScalable() &&
        type.getElementType().isInteger(1) &&
        ((from.getElementType().isInteger(kByteBits) &&
          bitEnumContainsAll(op.getOverflowFlags(),
                             arith::IntegerOverflowFlags::nuw)) ||
         succeeded(findPacked(op.getIn()))))
      masks.push_back(op);
  });
  for (arith::TruncIOp mask : masks)
    lowerMask(rewriter, mask, instructions);
}
