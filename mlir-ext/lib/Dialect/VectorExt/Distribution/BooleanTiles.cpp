//===- BooleanTiles.cpp - Tiles of booleans in shared memory --------------===//
//
// Loads tiles of booleans, which are bytes of 0 or 1 in shared memory, into
// bits of words. In the layout of an accumulator, a lane has two elements of
// each eight of a row, so it would load two bytes at a time. `load_matrix`
// gives it four at a time, for eight rows and more, but other ones:
//
//   lane            0        1          2           3
//   load_matrix     0 1 2 3  4 5 6 7    8 9 10 11   12 13 14 15
//   accumulator     0 1 8 9  2 3 10 11  4 5 12 13   6 7 14 15
//
// So threads pack the loaded words first. Bit j of each byte of a packed word
// is from word j of eight. Then lanes exchange halves of packed words: lane q
// of four takes half q % 2 of lanes q / 2 and q / 2 + 2. A row that all rows of
// an accumulator have is loaded in the same way, eight times the same one.
//
// The result is bytes again, each of which is a bit of a word. Where they
// become booleans, nothing is left of the bytes (`lowerBooleanMasks`).
//
//===----------------------------------------------------------------------===//

#include "BooleanTiles.h"
#include "SharedTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

/// The lanes that share a row of a matrix, and the elements of a word.
static constexpr int64_t kRowLanes = 4;
static constexpr int64_t kByteBits = 8;

bool mlir::vector_ext::isOfBooleans(Value tile) {
  return !tile.use_empty() &&
         llvm::all_of(tile.getUsers(), [](Operation *user) {
           auto trunc = dyn_cast<arith::TruncIOp>(user);
           return trunc && getElementTypeOrSelf(trunc.getType()).isInteger(1) &&
                  bitEnumContainsAll(trunc.getOverflowFlags(),
                                     arith::IntegerOverflowFlags::nuw);
         });
}

namespace {
/// Two layouts in which four lanes have the same 16 elements of a row.
struct MatrixLayout {
  /// That of `load_matrix`: lanes have four neighbouring elements.
  Layout loaded;
  /// The strides of the registers of elements 8 apart, and 1 apart, in the
  /// other layout.
  int64_t far, near;
};
} // namespace

/// Returns the layout in which matrices are loaded for layout `to`.
static std::optional<MatrixLayout> getMatrixLayout(const Layout &to) {
  if (to.getRank() == 0)
    return std::nullopt;
  SmallVector<DimDigits> dims(to.getDims());
  DimDigits &digits = dims.back();
  size_t count = digits.size();
  if (count < 3)
    return std::nullopt;
  Digit far = digits[count - 3], lane = digits[count - 2],
        near = digits[count - 1];
  if (far.axis != Axis::Register || far.size % 2 != 0 ||
      lane.axis != Axis::Lane || lane.size != kRowLanes || lane.stride != 1 ||
      near.axis != Axis::Register || near.size != 2)
    return std::nullopt;
  digits.truncate(count - 3);
  if (far.size > 2)
    digits.push_back({Axis::Register, far.size / 2, far.stride * 2});
  digits.push_back(lane);
  digits.push_back({Axis::Register, 2, far.stride});
  digits.push_back(near);
  std::optional<Layout> loaded =
      Layout::get(dims, to.getNumLanes(), to.getNumSubgroups());
  if (!loaded)
    return std::nullopt;
  return MatrixLayout{*loaded, far.stride, near.stride};
}

/// Packs up to eight words, whose bytes are 0 or 1: bit j of each byte is from
/// word j. Neighbours are added first, so that no chain is long.
static Value packWords(ImplicitLocOpBuilder &b, ArrayRef<MatrixWord> words) {
  if (words.size() == 1)
    return words.front().word;
  size_t half = llvm::PowerOf2Ceil(words.size()) / 2;
  Value low = packWords(b, words.take_front(half)),
        high = packWords(b, words.drop_front(half));
  Value shift = arith::ConstantIntOp::create(b, b.getI32Type(),
                                             static_cast<int64_t>(half));
  return arith::AddIOp::create(b, low, arith::ShLIOp::create(b, high, shift));
}

/// Builds the word of this lane from the halves of those of two other lanes.
static Value exchangeHalves(ImplicitLocOpBuilder &b, Distributor &distributor,
                            Value packed) {
  Type i32 = b.getI32Type();
  int64_t numLanes = distributor.getWorkgroup().numLanes;
  Value lane = distributor.getThreadIndex(Axis::Lane);
  auto atStart = [&](auto fn) {
    return distributor.buildAtStart([&](ImplicitLocOpBuilder &start) -> Value {
      Value word = arith::IndexCastOp::create(start, i32, lane);
      auto constant = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(start, i32, value);
      };
      return fn(start, word, constant);
    });
  };
  // Lane 4 r + q reads lanes 4 r + q / 2 and 4 r + q / 2 + 2.
  Value first = atStart([&](auto &start, Value word, auto constant) -> Value {
    Value row = arith::AndIOp::create(start, word, constant(-kRowLanes));
    Value column = arith::AndIOp::create(start, word, constant(kRowLanes - 1));
    return arith::OrIOp::create(
        start, row, arith::ShRUIOp::create(start, column, constant(1)));
  });
  Value second = atStart([&](auto &start, Value, auto constant) -> Value {
    return arith::OrIOp::create(start, first, constant(kRowLanes / 2));
  });
  Value shift = atStart([&](auto &start, Value word, auto constant) -> Value {
    return arith::ShLIOp::create(
        start, arith::AndIOp::create(start, word, constant(1)), constant(4));
  });
  auto take = [&](Value from) -> Value {
    return arith::ShRUIOp::create(
        b, shuffle(b, packed, from, ShuffleKind::Idx, numLanes), shift);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, i32, value);
  };
  Value low = arith::AndIOp::create(b, take(first), constant(0xffff));
  return arith::OrIOp::create(
      b, low, arith::ShLIOp::create(b, take(second), constant(16)));
}

Value mlir::vector_ext::loadBooleans(ImplicitLocOpBuilder &b,
                                     Distributor &distributor, Value memory,
                                     const layout::SharedLayout &shared,
                                     const Layout &to) {
  std::optional<MatrixLayout> matrices = getMatrixLayout(to);
  if (!matrices)
    return {};
  SmallVector<MatrixWord> loaded =
      loadMatrixWords(b, distributor, memory, shared, matrices->loaded);
  if (loaded.empty())
    return {};
  int64_t count = to.getNumRegisters();
  SmallVector<Value> words(count);
  SmallVector<int32_t> positions(count);
  for (ArrayRef<MatrixWord> left = loaded; !left.empty();) {
    ArrayRef<MatrixWord> packed =
        left.take_front(std::min<size_t>(kByteBits, left.size()));
    left = left.drop_front(packed.size());
    Value word = exchangeHalves(b, distributor, packWords(b, packed));
    for (auto [bit, each] : llvm::enumerate(packed))
      for (int64_t reg : each.registers) {
        int64_t byte = reg / matrices->far % 2 * 2 + reg / matrices->near % 2;
        words[reg] = word;
        positions[reg] = static_cast<int32_t>(byte * kByteBits + bit);
      }
  }
  auto type = VectorType::get({count}, b.getI32Type());
  Value bits = arith::ShRUIOp::create(
      b, vector::FromElementsOp::create(b, type, words),
      arith::ConstantOp::create(b, b.getI32VectorAttr(positions)));
  Value one = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, b.getI32IntegerAttr(1)));
  return arith::TruncIOp::create(b, VectorType::get({count}, b.getI8Type()),
                                 arith::AndIOp::create(b, bits, one));
}
