//===- CollapseSources.cpp - Fewer coordinates of copies ------------------===//
//
// A copy of a box has a coordinate for each dimension of its source. A role
// that copies many small boxes, such as those of pages, has instructions for
// each coordinate. This step merges dimensions: a page and the row in it become
// a row among those of all pages, and a head and a column become a column among
// those of all heads.
//
//   put %pool at (%page, %c0, %head, %c0)       : memref<?x16x8x128xf16>
//   put %all at (%page * 16, %head * 128)       : memref<?x1024xf16>
//
// Elements beyond the end of a dimension are zero, so an inner dimension is
// merged only if all parts are known to lie within it. The outer dimension ends
// where it did before.
//
//===----------------------------------------------------------------------===//

#include "CollapseSources.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// The least distance of the elements that a merged index counts, in bytes.
/// Indices of copies have 32 bits, and no device has 2^31 times as much memory.
static constexpr int64_t minBytes = 256;

/// Returns the size of a part of tile `number` of `put` along each dimension of
/// its source.
static SmallVector<int64_t> getPartShape(RingPutOp put, unsigned number) {
  auto tile = cast<VectorType>(
      cast<RingType>(put.getRing().getType()).getTiles()[number]);
  AffineMap map = put.getMap(number);
  SmallVector<int64_t> shape(map.getNumDims(), 1);
  for (auto [i, size] : llvm::enumerate(tile.getShape()))
    shape[map.getDimPosition(i)] =
        i == 0 ? size / put.getNumParts(number) : size;
  return shape;
}

/// Returns the groups of dimensions of the source of tile `number` of `put`
/// that are merged into one dimension each.
static SmallVector<ReassociationIndices> getGroups(RingPutOp put,
                                                   unsigned number) {
  auto type = cast<MemRefType>(put.getSources()[number].getType());
  SmallVector<int64_t> part = getPartShape(put, number), strides;
  int64_t offset;
  bool isStrided = succeeded(type.getStridesAndOffset(strides, offset));
  AffineMap map = put.getMap(number);
  auto isOfTile = [&](int64_t dim) { return map.isFunctionOfDim(dim); };
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isMerged =
        dim != 0 && isStrided && !isOfTile(dim - 1) &&
        !type.isDynamicDim(dim) &&
        llvm::all_of(put.getIndicesOfParts(number), [&](ValueRange indices) {
          std::optional<int64_t> start = getConstantIntValue(indices[dim]);
          return start && *start >= 0 &&
                 *start + part[dim] <= type.getDimSize(dim);
        });
    if (isMerged) {
      // A merged index counts either elements that are at least that far apart,
      // or the elements of a dimension of known size.
      bool isFew = !type.isDynamicDim(groups.back().front());
      bool isFar =
          strides[dim] != ShapedType::kDynamic &&
          strides[dim] * linalg_ext::getStoredBits(type) >= minBytes * 8;
      ReassociationIndices merged = groups.back();
      merged.push_back(dim);
      SmallVector<ReassociationIndices> all(groups);
      all.back() = merged;
      for (int64_t rest = dim + 1; rest < type.getRank(); ++rest)
        all.push_back({rest});
      if ((isFew || isFar) &&
          memref::CollapseShapeOp::isGuaranteedCollapsible(type, all)) {
        groups.back() = merged;
        continue;
      }
    }
    groups.push_back({dim});
  }
  return groups;
}

/// Returns `source` with each of `groups` merged into one dimension. The view
/// is built before `launch`. All puts of one source share one view, and
/// therefore one description of it.
static Value getCollapsed(RewriterBase &b, gpu::LaunchOp launch, Location loc,
                          Value source, ArrayRef<ReassociationIndices> groups) {
  for (Operation *user : source.getUsers())
    if (auto view = dyn_cast<memref::CollapseShapeOp>(user);
        view && view->getBlock() == launch->getBlock() &&
        view->isBeforeInBlock(launch) &&
        llvm::equal(view.getReassociationIndices(), groups))
      return view;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(launch);
  return memref::CollapseShapeOp::create(b, loc, source, groups);
}

RingPutOp mlir::vector_ext::collapseSources(RewriterBase &b,
                                            gpu::LaunchOp launch,
                                            RingPutOp put) {
  Location loc = put.getLoc();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> sources;
  SmallVector<SmallVector<Value>> indices;
  SmallVector<AffineMap> maps;
  bool changed = false;
  for (auto [number, source] : llvm::enumerate(put.getSources())) {
    SmallVector<ReassociationIndices> groups = getGroups(put, number);
    auto type = cast<MemRefType>(source.getType());
    // A manifest can describe a part of a buffer, but not a part whose
    // dimensions are merged.
    if (static_cast<int64_t>(groups.size()) == type.getRank() ||
        !type.getLayout().isIdentity()) {
      sources.push_back(source);
      for (ValueRange part : put.getIndicesOfParts(number))
        indices.emplace_back(part);
      maps.push_back(put.getMap(number));
      continue;
    }
    changed = true;
    sources.push_back(getCollapsed(b, launch, loc, source, groups));
    b.setInsertionPoint(put);
    for (ValueRange part : put.getIndicesOfParts(number)) {
      SmallVector<Value> &merged = indices.emplace_back();
      for (const ReassociationIndices &group : groups) {
        Value index = part[group.front()];
        for (int64_t dim : ArrayRef(group).drop_front()) {
          Value size =
              arith::ConstantIndexOp::create(b, loc, type.getDimSize(dim));
          index = b.createOrFold<arith::AddIOp>(
              loc, b.createOrFold<arith::MulIOp>(loc, index, size), part[dim]);
        }
        merged.push_back(index);
      }
    }
    SmallVector<AffineExpr> results;
    for (AffineExpr result : put.getMap(number).getResults()) {
      int64_t dim = cast<AffineDimExpr>(result).getPosition();
      const auto *group = llvm::find_if(groups, [&](const auto &group) {
        return llvm::is_contained(group, dim);
      });
      results.push_back(b.getAffineDimExpr(group - groups.begin()));
    }
    maps.push_back(AffineMap::get(groups.size(), 0, results, b.getContext()));
  }
  if (!changed)
    return put;
  b.setInsertionPoint(put);
  auto collapsed = RingPutOp::create(
      b, loc, put.getRing(), put.getPosition(), sources,
      llvm::map_to_vector(indices, [](auto &list) { return ValueRange(list); }),
      b.getAffineMapArrayAttr(maps), put.getPartsAttr(), put.getCopiersAttr(),
      put.getCutAttr(), put.getSharedAttr());
  b.eraseOp(put);
  return collapsed;
}
