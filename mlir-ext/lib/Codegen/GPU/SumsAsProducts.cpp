//===- SumsAsProducts.cpp - Sums of weights beside their product ----------===//
//
// See PrepareRoots.h. A zero point of the rows of a product of bytes multiplies
// the sums of the weights. With few rows, reading the weights takes most of the
// time, and a kernel for their sums reads them once more. A second product in
// the same loop, with ones for rows, reads nothing:
//
//   %s = sum over k of %w[k, n]          %s = sum over k of 1 * %w[k, n],
//   %p = sum over k of %x[m, k] %w[k, n]      for each m
//   %r = %p - %z * %s[n]                 %r = %p - %z * %s[m, n]
//
//===----------------------------------------------------------------------===//

#include "PrepareRoots.h"
#include "WorkgroupGroup.h"

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::GenericOp;
using linalg::LinalgOp;

/// Returns whether `op` starts from 0.
static bool startsFromZero(LinalgOp op) {
  auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs().front(), m_Zero());
}

/// If `op` sums the bytes of its only input along one dimension, from 0,
/// returns the op that extends them. Otherwise returns null.
static Operation *getExtensionOfSum(GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || op.getNumReductionLoops() != 1 ||
      op.getNumLoops() != 2 || !startsFromZero(op) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return nullptr;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto add = yield.getOperand(0).getDefiningOp<arith::AddIOp>();
  if (!add || !add.getType().isInteger(32) ||
      op.getBody()->getOperations().size() != 3)
    return nullptr;
  BlockArgument sum = op.getRegionOutputArgs().front();
  Value term = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  if (add.getLhs() != sum && add.getRhs() != sum)
    return nullptr;
  Operation *extension = term.getDefiningOp();
  bool extendsInput =
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension) &&
      extension->getOperand(0) == op.getRegionInputArgs().front() &&
      extension->getOperand(0).getType().isInteger(8);
  return extendsInput ? extension : nullptr;
}

/// Returns whether `product` multiplies few rows by `sum`'s input, which both
/// extend in the same way, as its right operand.
static bool sharesRightOperand(GenericOp product, GenericOp sum,
                               Operation *extension, int64_t mostRows) {
  if (!product || !product.hasPureTensorSemantics() ||
      !isContraction(product) || !multipliesBytes(product) ||
      product.getNumDpsInputs() != 2 ||
      product.getDpsInputs()[1] != sum.getDpsInputs().front())
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(product);
  if (failed(dims) || dims->n.size() != 1 || dims->k.size() != 1 ||
      !dims->batch.empty())
    return false;
  int64_t rows = 1;
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  if (llvm::is_contained(ranges, ShapedType::kDynamic))
    return false;
  for (unsigned dim : dims->m)
    rows *= ranges[dim];
  if (rows > mostRows)
    return false;
  // The weights have one sign in both.
  if (!llvm::all_of(product.getRegionInputArgs()[1].getUsers(),
                    [&](Operation *user) {
                      return user->getName() == extension->getName();
                    }))
    return false;
  // What is summed is the same dimension of the weights.
  AffineMap weights =
      product.getMatchingIndexingMap(product.getDpsInputOperand(1));
  std::optional<unsigned> ofK = weights.getResultPosition(
      getAffineDimExpr(dims->k.front(), product.getContext()));
  AffineMap summed = sum.getMatchingIndexingMap(sum.getDpsInputOperand(0));
  return ofK && weights.getNumResults() == 2 &&
         sum.getIteratorTypesArray()[summed.getDimPosition(*ofK)] ==
             utils::IteratorType::reduction;
}

/// Returns whether `user` reads column `n` of the result of `product` where it
/// reads element `n` of `operand`.
static bool readsColumnsAlike(GenericOp user, OpOperand &operand,
                              OpOperand &ofProduct, GenericOp product) {
  unsigned n = linalg::inferContractionDims(product)->n.front();
  std::optional<unsigned> column =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0))
          .getResultPosition(getAffineDimExpr(n, product.getContext()));
  AffineMap map = user.getMatchingIndexingMap(&operand);
  return column && map.getNumResults() == 1 &&
         map.getResult(0) ==
             user.getMatchingIndexingMap(&ofProduct).getResult(*column);
}

/// Builds ones in the shape of `like`. An op that reads a tensor, though not
/// its elements, is computed in workgroups that do not cut it, other than a
/// fill.
static Value buildOnes(RewriterBase &rewriter, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  auto getEmpty = [&] {
    return tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                   type.getElementType());
  };
  SmallVector<AffineMap> maps(2,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return GenericOp::create(rewriter, loc, type, ValueRange{getEmpty()},
                           ValueRange{getEmpty()}, maps, iterators,
                           [&](OpBuilder &b, Location loc, ValueRange) {
                             Value one = arith::ConstantIntOp::create(
                                 b, loc, type.getElementType(), 1);
                             linalg::YieldOp::create(b, loc, one);
                           })
      .getResult(0);
}

/// Builds the product of `product`'s right operand and ones, in front of
/// `user`.
static Value buildProductOfOnes(RewriterBase &rewriter, GenericOp product,
                                Operation *user) {
  Location loc = product.getLoc();
  rewriter.setInsertionPoint(user);
  auto type = cast<RankedTensorType>(product.getResult(0).getType());
  Value zero =
      arith::ConstantIntOp::create(rewriter, loc, type.getElementType(), 0);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  Value ones = buildOnes(rewriter, loc, product.getDpsInputs()[0]);
  Value init =
      linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  // Both operands of a product of rows with each other are one tensor.
  auto sums = cast<GenericOp>(rewriter.clone(*product));
  rewriter.modifyOpInPlace(sums, [&] {
    sums.getDpsInputOperand(0)->set(ones);
    sums.getDpsInitOperand(0)->set(init);
  });
  return sums.getResult(0);
}

LogicalResult mlir::linalg_ext::multiplyOnes(RewriterBase &rewriter,
                                             GenericOp sum, int64_t mostRows) {
  Operation *extension = getExtensionOfSum(sum);
  if (!extension || sum->getParentOfType<scf::ForallOp>())
    return failure();
  // Each use must have a product to compute the sum with. An op that reads the
  // sums twice, of its rows and of its columns, has two.
  SmallVector<std::pair<OpOperand *, OpOperand *>> products;
  for (OpOperand &use : sum->getUses()) {
    auto user = dyn_cast<GenericOp>(use.getOwner());
    if (!user || !user.hasPureTensorSemantics() || !user.isAllParallelLoops() ||
        !user.isDpsInput(&use))
      return failure();
    auto found = llvm::find_if(user.getDpsInputOperands(), [&](OpOperand *p) {
      auto product = p->get().getDefiningOp<GenericOp>();
      return sharesRightOperand(product, sum, extension, mostRows) &&
             startsFromZero(product) &&
             product->getBlock() == user->getBlock() &&
             readsColumnsAlike(user, use, *p, product);
    });
    if (found == user.getDpsInputOperands().end())
      return failure();
    products.emplace_back(&use, *found);
  }
  if (products.empty())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  for (auto [use, ofProduct] : products) {
    auto user = cast<GenericOp>(use->getOwner());
    Value sums = buildProductOfOnes(
        rewriter, ofProduct->get().getDefiningOp<GenericOp>(), user);
    SmallVector<AffineMap> maps = user.getIndexingMapsArray();
    maps[use->getOperandNumber()] = user.getMatchingIndexingMap(ofProduct);
    rewriter.modifyOpInPlace(user, [&, use = use] {
      use->set(sums);
      user.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }
  rewriter.eraseOp(sum);
  return success();
}
