//===- Rolls.cpp - Concatenations of two slices of a tensor ---------------===//
//
// Importers write a roll, as in front of shifted windows, as a concatenation of
// the two halves of a tensor in the other order:
//
//   concat(x[s:n], x[0:s])
//
// Each half would be copied by a kernel of its own, and so would what computes
// the halves. All elements are read by one op instead, at a position that wraps
// around. Rolls along several dimensions are one op. A roll along the last one
// moves elements, not rows, and stays as it is: threads would read single
// elements.
//
//===----------------------------------------------------------------------===//

#include "Rolls.h"
#include "Concatenation.h"

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A tensor, and by how much it is rolled along each dimension.
struct Roll {
  Value source;
  SmallVector<int64_t> shifts;
};
} // namespace

/// Returns where `slice` begins along dimension `dim`, if it has all of the
/// other dimensions.
static std::optional<int64_t> getSliceStart(tensor::ExtractSliceOp slice,
                                            int64_t dim) {
  if (!slice || !slice.hasUnitStride() ||
      slice.getType().getRank() != slice.getSourceType().getRank())
    return std::nullopt;
  IndexAnalysis analysis;
  for (auto [other, size] : llvm::enumerate(slice.getMixedSizes()))
    if (static_cast<int64_t>(other) != dim &&
        (slice.getStaticOffsets()[other] != 0 ||
         !(analysis.get(size) == analysis.getSize(slice.getSource(), other))))
      return std::nullopt;
  int64_t start = slice.getStaticOffsets()[dim];
  return ShapedType::isDynamic(start) ? std::nullopt : std::optional(start);
}

/// Returns what rows of `value` are rolled from, and by how much. Rolls of what
/// is rolled itself are one roll, if nothing else reads it.
static std::optional<Roll> matchRoll(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<Concatenation> whole = getConcatenation(value);
  if (!whole || whole->parts.size() != 2)
    return std::nullopt;
  int64_t dim = whole->dim;
  if (dim == type.getRank() - 1 || type.isDynamicDim(dim))
    return std::nullopt;
  auto first = whole->parts[0].getDefiningOp<tensor::ExtractSliceOp>();
  auto second = whole->parts[1].getDefiningOp<tensor::ExtractSliceOp>();
  std::optional<int64_t> start = getSliceStart(first, dim);
  if (!start || getSliceStart(second, dim) != 0 ||
      first.getSource() != second.getSource() ||
      first.getSourceType() != type ||
      second.getType().getDimSize(dim) != *start ||
      *start + first.getType().getDimSize(dim) != type.getDimSize(dim))
    return std::nullopt;
  Roll roll{first.getSource(), SmallVector<int64_t>(type.getRank(), 0)};
  if (llvm::all_of(roll.source.getUsers(), [&](Operation *user) {
        return user == first || user == second;
      }))
    if (std::optional<Roll> inner = matchRoll(roll.source))
      roll = std::move(*inner);
  roll.shifts[dim] = (roll.shifts[dim] + *start) % type.getDimSize(dim);
  return roll;
}

/// Returns whether `value` is rolled again. All rolls are one op then, in place
/// of the last one.
static bool isRolledAgain(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *slice) {
    return isa<tensor::ExtractSliceOp>(slice) &&
           llvm::any_of(slice->getUsers(), [](Operation *user) {
             if (isa<tensor::ConcatOp>(user))
               return matchRoll(user->getResult(0)).has_value();
             // The first insertion of two, or the last one.
             auto insert = dyn_cast<tensor::InsertSliceOp>(user);
             if (insert && insert->hasOneUse())
               if (auto last =
                       dyn_cast<tensor::InsertSliceOp>(*insert->user_begin()))
                 insert = last;
             return insert && matchRoll(insert).has_value();
           });
  });
}

namespace {
template <typename OpTy>
struct ReadRolled : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value value = op.getResult();
    std::optional<Roll> roll = matchRoll(value);
    if (!roll)
      return rewriter.notifyMatchFailure(op, "is no roll of rows");
    if (isRolledAgain(value))
      return rewriter.notifyMatchFailure(op, "is rolled again");
    auto type = cast<RankedTensorType>(value.getType());
    Location loc = op.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, roll->source),
        type.getElementType());
    auto read = [&](OpBuilder &b, Location loc, ValueRange) {
      SmallVector<Value> positions;
      for (auto [dim, shift] : llvm::enumerate(roll->shifts)) {
        Value position = linalg::IndexOp::create(b, loc, dim);
        if (shift != 0) {
          int64_t rest = type.getDimSize(dim) - shift;
          auto constant = [&](int64_t number) -> Value {
            return arith::ConstantIndexOp::create(b, loc, number);
          };
          Value isFirst = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ult, position, constant(rest));
          Value ahead =
              arith::AddIOp::create(b, loc, position, constant(shift));
          Value behind =
              arith::SubIOp::create(b, loc, position, constant(rest));
          position = arith::SelectOp::create(b, loc, isFirst, ahead, behind);
        }
        positions.push_back(position);
      }
      Value element =
          tensor::ExtractOp::create(b, loc, roll->source, positions);
      linalg::YieldOp::create(b, loc, element);
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange(empty.getType()), ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(type.getRank()),
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        read);
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateRollsPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadRolled<tensor::ConcatOp>, ReadRolled<tensor::InsertSliceOp>>(
      patterns.getContext());
}
