//===- SelectParts.cpp - Elementwise ops that select parts ----------------===//
//
// Rotary embeddings are elementwise ops on a concatenation of halves, one of
// which is negated. Loops over tiles of such an op can read the parts in place
// (ReadParts.cpp), but they cannot compute a part: it would be a kernel of its
// own, and the concatenation another one. So the op computes the part.
//
//   1. Find elementwise ops that read a concatenation in their order, one part
//      of which is computed by an elementwise op for it alone.
//   2. Let them read what each part is computed from, padded to the size of the
//      concatenation, and select the part by the position.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most parts of a concatenation from which a tile is built.
static constexpr size_t kMostParts = 4;

/// Returns whether the owner of `use` is in the block of the value, reads it in
/// the order of its loops, and does not reduce it along `dims`.
static bool isReadInOrder(OpOperand &use, ArrayRef<int64_t> dims) {
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!op || !op.hasPureTensorSemantics() || !op.isDpsInput(&use) ||
      op->getBlock() != use.get().getParentBlock() ||
      linalg::isaContractionOpInterface(op) || isa<linalg::CopyOp>(op))
    return false;
  AffineMap map = op.getMatchingIndexingMap(&use);
  return map.isProjectedPermutation() && llvm::all_of(dims, [&](int64_t dim) {
           return op.getIteratorTypesArray()[map.getDimPosition(dim)] ==
                  utils::IteratorType::parallel;
         });
}

/// Returns whether only such ops use `value`, or slices of it.
static bool isOnlyReadInOrder(Value value, ArrayRef<int64_t> dims) {
  bool anyRead = false;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    if (slice ? slice->getBlock() != value.getParentBlock() ||
                    !slice.hasUnitStride() || slice.getDroppedDims().any() ||
                    !isOnlyReadInOrder(slice.getResult(), dims)
              : !isReadInOrder(use, dims))
      return false;
    anyRead = true;
  }
  return anyRead;
}

bool mlir::linalg_ext::isReadInParts(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    SmallVector<int64_t> dims;
    for (auto [dim, low, high] :
         llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad()))
      if (!isZeroInteger(low) || !isZeroInteger(high))
        dims.push_back(dim);
    Value padding = pad.getConstantPaddingValue();
    return padding && !pad.getNofold() && dims.size() == 1 &&
           isOnlyReadInOrder(pad.getResult(), dims);
  }
  auto concat = dyn_cast<tensor::ConcatOp>(op);
  return concat && concat.getInputs().size() <= kMostParts &&
         isOnlyReadInOrder(concat.getResult(),
                           {static_cast<int64_t>(concat.getDim())});
}

/// Returns whether `tensor` can be padded by zeros: its elements are numbers
/// that are not complex.
static bool hasZero(Value tensor) {
  return Builder(tensor.getContext())
             .getZeroAttr(getElementTypeOrSelf(tensor.getType())) != nullptr;
}

/// Returns the elementwise op that computes `part` only for `concatenation`,
/// and may be executed at any position. Null if there is none.
static linalg::LinalgOp getComputation(Value part) {
  auto op = part.getDefiningOp<linalg::LinalgOp>();
  if (!op || !isElementwiseOnTensors(op) || op->getNumResults() != 1 ||
      op.getNumDpsInputs() == 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return {};
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType())
            ? !op.getMatchingIndexingMap(input).isProjectedPermutation() ||
                  !hasZero(input->get())
            : !op.isScalar(input))
      return {};
  for (Operation *user : part.getUsers())
    if (!isa<tensor::ConcatOp, tensor::DimOp>(user))
      return {};
  // The op also runs on padding.
  for (Operation &nested : op.getBlock()->without_terminator())
    if (nested.getNumRegions() > 0 || !isMemoryEffectFree(&nested) ||
        !isSpeculatable(&nested) || isa<tensor::ExtractOp>(nested))
      return {};
  return op;
}

namespace {
/// Lets an elementwise op compute the parts of a concatenation.
class PartSelection {
public:
  PartSelection(RewriterBase &rewriter, linalg::LinalgOp op, OpOperand &operand,
                tensor::ConcatOp concat)
      : rewriter(rewriter), op(op), operand(operand), concat(concat) {}

  void apply();

private:
  Value pad(Value source, int64_t dim, unsigned part);
  void addInputs(unsigned part);
  Value compute(OpBuilder &b, unsigned part, Block *body);

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  OpOperand &operand;
  tensor::ConcatOp concat;
  SmallVector<OpFoldResult> seams;
  /// The loop of `op` along the parts.
  unsigned loop = 0;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  /// For each part, the number of its first input.
  SmallVector<unsigned> firstInputs;
};
} // namespace

/// Pads `source` along `dim` to the size of the concatenation, so that the
/// elements of `part` are in their place.
Value PartSelection::pad(Value source, int64_t dim, unsigned part) {
  Location loc = concat.getLoc();
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> low(type.getRank(), rewriter.getIndexAttr(0)),
      high(low);
  low[dim] = seams[part];
  high[dim] = subtract(rewriter, loc, seams.back(), seams[part + 1]);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = concat.getResultType().getDimSize(concat.getDim());
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      source, low, high, zero);
}

/// Adds the values that `part` is computed from, or `part` itself, to the
/// inputs.
void PartSelection::addInputs(unsigned part) {
  firstInputs.push_back(inputs.size());
  Value value = concat.getInputs()[part];
  AffineMap map = op.getMatchingIndexingMap(&operand);
  int64_t dim = concat.getDim();
  linalg::LinalgOp computation = getComputation(value);
  if (!computation) {
    inputs.push_back(pad(value, dim, part));
    maps.push_back(map);
    return;
  }
  for (OpOperand *input : computation.getDpsInputOperands()) {
    AffineMap own = computation.getMatchingIndexingMap(input);
    std::optional<unsigned> at =
        own.getResultPosition(getAffineDimExpr(dim, op->getContext()));
    inputs.push_back(at ? pad(input->get(), *at, part) : input->get());
    maps.push_back(own.compose(map));
  }
}

/// Builds an element of `part` in `body`, from the arguments of `body`.
Value PartSelection::compute(OpBuilder &b, unsigned part, Block *body) {
  unsigned first = firstInputs[part];
  linalg::LinalgOp computation = getComputation(concat.getInputs()[part]);
  if (!computation)
    return body->getArgument(first);
  Location loc = computation.getLoc();
  IRMapping mapping;
  Block *payload = computation.getBlock();
  for (unsigned i = 0; i < computation.getNumDpsInputs(); ++i)
    mapping.map(payload->getArgument(i), body->getArgument(first + i));
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (Operation &nested : payload->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(nested);
    if (!index) {
      b.clone(nested, mapping);
      continue;
    }
    Value position =
        linalg::IndexOp::create(b, loc, map.getDimPosition(index.getDim()));
    if (static_cast<int64_t>(index.getDim()) == concat.getDim())
      position = arith::SubIOp::create(
          b, loc, position,
          getValueOrCreateConstantIndexOp(b, loc, seams[part]));
    mapping.map(index.getResult(), position);
  }
  return mapping.lookupOrDefault(payload->getTerminator()->getOperand(0));
}

void PartSelection::apply() {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  loop = op.getMatchingIndexingMap(&operand).getDimPosition(concat.getDim());
  seams =
      Concatenation{concat.getResult(), static_cast<int64_t>(concat.getDim()),
                    llvm::to_vector(concat.getInputs())}
          .getSeams(rewriter);
  // 1. Collect the other inputs, and those of the parts.
  SmallVector<unsigned> kept;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input != &operand) {
      kept.push_back(input->getOperandNumber());
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
    }
  unsigned numParts = concat.getInputs().size();
  for (unsigned part = 0; part < numParts; ++part)
    addInputs(part);
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  // 2. Build the op.
  auto selecting = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), inputs, op.getDpsInits(), maps,
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location, ValueRange) {
        Block *body = b.getInsertionBlock();
        Value element = compute(b, numParts - 1, body);
        for (unsigned part = numParts - 1; part-- > 0;) {
          Value position = linalg::IndexOp::create(b, loc, loop);
          Value seam = getValueOrCreateConstantIndexOp(b, loc, seams[part + 1]);
          Value isBefore = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::slt, position, seam);
          element = arith::SelectOp::create(b, loc, isBefore,
                                            compute(b, part, body), element);
        }
        IRMapping mapping;
        Block *payload = op.getBlock();
        for (auto [number, before] : llvm::enumerate(kept))
          mapping.map(payload->getArgument(before), body->getArgument(number));
        mapping.map(payload->getArgument(operand.getOperandNumber()), element);
        for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i)
          mapping.map(payload->getArgument(op.getNumDpsInputs() + i),
                      body->getArgument(inputs.size() + i));
        for (Operation &nested : *payload)
          b.clone(nested, mapping);
      });
  rewriter.replaceOp(op, selecting->getResults());
}

/// If loops over tiles of the users can read its parts, rewrites a chain of
/// inserts that ends in `insert` as one concatenation, and erases the chain.
static void joinInserts(RewriterBase &rewriter, tensor::InsertSliceOp insert) {
  std::optional<Concatenation> parts = getConcatenation(insert.getResult());
  if (!parts || parts->parts.size() > kMostParts ||
      !isOnlyReadInOrder(insert.getResult(), {parts->dim}))
    return;
  rewriter.setInsertionPointAfter(insert);
  auto concat = tensor::ConcatOp::create(rewriter, insert.getLoc(), parts->dim,
                                         parts->parts);
  // The concatenation may have fewer static sizes.
  if (concat.getType() != insert.getType()) {
    rewriter.eraseOp(concat);
    return;
  }
  rewriter.replaceAllUsesWith(insert.getResult(), concat.getResult());
  while (insert && insert->use_empty()) {
    auto next = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
    rewriter.eraseOp(insert);
    insert = next;
  }
}

/// Calls `visit` for the ops of type `OpTy` below `scope` that are in no
/// workgroup, from the last to the first.
template <typename OpTy>
static void visitOutside(Operation *scope, function_ref<void(OpTy)> visit) {
  SmallVector<OpTy> ops;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp>(op))
      return WalkResult::skip();
    if (auto found = dyn_cast<OpTy>(op))
      ops.push_back(found);
    return WalkResult::advance();
  });
  for (OpTy op : llvm::reverse(ops))
    visit(op);
}

unsigned mlir::linalg_ext::selectParts(RewriterBase &rewriter,
                                       Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  // 1. The last insert of each chain is the only one with other users.
  SmallVector<tensor::InsertSliceOp> lasts;
  visitOutside<tensor::InsertSliceOp>(scope, [&](tensor::InsertSliceOp op) {
    if (llvm::none_of(op->getUsers(), llvm::IsaPred<tensor::InsertSliceOp>))
      lasts.push_back(op);
  });
  for (tensor::InsertSliceOp insert : lasts)
    joinInserts(rewriter, insert);
  // 2. Visit the users of concatenations.
  unsigned number = 0;
  visitOutside<tensor::ConcatOp>(scope, [&](tensor::ConcatOp concat) {
    if (!isReadInParts(concat) ||
        llvm::none_of(concat.getInputs(), getComputation) ||
        !rewriter.getZeroAttr(concat.getType().getElementType()))
      return;
    SmallVector<OpOperand *> uses;
    llvm::SmallPtrSet<Operation *, 4> users;
    bool readsTwice = false;
    for (OpOperand &use : concat->getUses())
      if (isElementwiseOnTensors(use.getOwner())) {
        readsTwice |= !users.insert(use.getOwner()).second;
        uses.push_back(&use);
      }
    if (readsTwice)
      return;
    for (OpOperand *use : uses)
      PartSelection(rewriter, cast<linalg::LinalgOp>(use->getOwner()), *use,
                    concat)
          .apply();
    number += uses.size();
  });
  return number;
}
