//===- DistributeGathers.cpp - Rows at positions in vectors ---------------===//
//
// Gathers of elements and of rows. A thread that holds a row also holds its
// position. Of elements whose position is the same in every thread, only one is
// loaded.
//
//===----------------------------------------------------------------------===//

#include "BufferLoads.h"
#include "LaneConversion.h"
#include "MemoryAccess.h"
#include "RowPlaces.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::getElementBits;

/// If the elements of `vector` count up from a scalar, returns a known divisor
/// of the scalar.
static std::optional<int64_t> getStartDivisor(Value vector) {
  if (vector.getDefiningOp<vector::StepOp>())
    return 0;
  auto add = vector.getDefiningOp<arith::AddIOp>();
  for (unsigned i : {0, 1}) {
    auto start = add ? add->getOperand(i).getDefiningOp<vector::BroadcastOp>()
                     : vector::BroadcastOp();
    if (!start || isa<VectorType>(start.getSourceType()))
      continue;
    if (std::optional<int64_t> rest = getStartDivisor(add->getOperand(1 - i)))
      return std::gcd(*rest, getKnownDivisor(start.getSource()));
  }
  return std::nullopt;
}

/// Returns whether `vector` is one of `masks`, or a copy of one in another
/// layout.
static bool isOneOf(ArrayRef<Value> masks, Value vector) {
  auto mask = vector.getDefiningOp<vector::CreateMaskOp>();
  return llvm::any_of(masks, [&](Value other) {
    auto copy = other.getDefiningOp<vector::CreateMaskOp>();
    return other == vector ||
           (mask && copy && mask.getType() == copy.getType() &&
            llvm::equal(mask.getOperands(), copy.getOperands()));
  });
}

static int64_t getNumRepeated(Value vector, ArrayRef<Value> holds,
                              unsigned depth) {
  if (isOneOf(holds, vector))
    return 0;
  Operation *op = vector.getDefiningOp();
  auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op);
  DenseElementsAttr constant;
  if ((broadcast && !isa<VectorType>(broadcast.getSourceType())) ||
      (matchPattern(vector, m_Constant(&constant)) && constant.isSplat()))
    return 0;
  if (!op || depth == 0)
    return 1;
  if (auto shift = dyn_cast<arith::ShRSIOp>(op)) {
    std::optional<int64_t> divisor = getStartDivisor(shift.getLhs());
    APInt bits;
    if (divisor && matchPattern(shift.getRhs(), m_ConstantInt(&bits)) &&
        bits.ult(30) && *divisor % (int64_t(1) << bits.getZExtValue()) == 0)
      return int64_t(1) << bits.getZExtValue();
  }
  if (auto quotient = dyn_cast<arith::FloorDivSIOp>(op)) {
    auto by = quotient.getRhs().getDefiningOp<vector::BroadcastOp>();
    std::optional<int64_t> divisor = getStartDivisor(quotient.getLhs());
    if (divisor && by && by.getSourceType().isIndex())
      return std::max<int64_t>(
          std::gcd(*divisor, getKnownDivisor(by.getSource())), 1);
  }
  if (!OpTrait::hasElementwiseMappableTraits(op) && !isa<vector::GatherOp>(op))
    return 1;
  int64_t result = 0;
  for (Value operand : op->getOperands())
    if (isa<VectorType>(operand.getType()))
      result = std::gcd(result, getNumRepeated(operand, holds, depth - 1));
  return result;
}

int64_t mlir::vector_ext::getNumRepeated(Value vector, ArrayRef<Value> holds) {
  return ::getNumRepeated(vector, holds, /*depth=*/16);
}

/// For each register of a gather of `layout`, returns the first register whose
/// element is the same in every thread because neither the index nor the mask
/// differs.
static SmallVector<int64_t> getSameRegisters(vector::GatherOp op,
                                             const Layout &layout) {
  SmallVector<int64_t> same =
      llvm::to_vector(llvm::seq<int64_t>(0, layout.getNumRegisters()));
  if (layout.getRank() != 1)
    return same;
  int64_t block = std::gcd(
      getNumRepeated(op.getIndices()),
      std::gcd(getNumRepeated(op.getMask()), getNumRepeated(op.getPassThru())));
  if (block == 1)
    return same;
  if (block == 0)
    block = layout.getDimSize(0);
  std::map<SmallVector<int64_t>, int64_t> first;
  for (int64_t &reg : same) {
    SmallVector<int64_t> blocks;
    for (int64_t subgroup = 0; subgroup < layout.getNumSubgroups(); ++subgroup)
      for (int64_t lane = 0; lane < layout.getNumLanes(); ++lane)
        blocks.push_back(layout.getCoordinate({subgroup, lane, reg})[0] /
                         block);
    reg = first.try_emplace(std::move(blocks), reg).first->second;
  }
  return same;
}

/// Builds the element in register `reg` of the result.
static Value gatherRegister(ImplicitLocOpBuilder &b, Distributor &distributor,
                            vector::GatherOp op, int64_t reg) {
  Value at =
      extractRegister(b, distributor.getDistributed(op.getIndices()), reg);
  if (!at.getType().isIndex())
    at = arith::IndexCastOp::create(b, b.getIndexType(), at);
  SmallVector<Value> indices(op.getOffsets());
  indices.back() = b.createOrFold<arith::AddIOp>(indices.back(), at);
  Value exists =
      extractRegister(b, distributor.getDistributed(op.getMask()), reg);
  auto memrefType = cast<MemRefType>(op.getBase().getType());
  if (memrefType.hasStaticShape() && memrefType.getNumElements() > 0) {
    // There is no branch. If the element does not exist, one that exists is
    // read instead.
    Value first = arith::ConstantIndexOp::create(b, 0);
    for (Value &index : indices)
      index = b.createOrFold<arith::SelectOp>(exists, index, first);
    Value loaded = memref::LoadOp::create(b, op.getBase(), indices);
    Value kept =
        extractRegister(b, distributor.getDistributed(op.getPassThru()), reg);
    return b.createOrFold<arith::SelectOp>(exists, loaded, kept);
  }
  auto branch = scf::IfOp::create(
      b, TypeRange{op.getVectorType().getElementType()}, exists,
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  ImplicitLocOpBuilder inner(b.getLoc(), b.getContext());
  inner.setInsertionPointToStart(branch.thenBlock());
  Value loaded = memref::LoadOp::create(inner, op.getBase(), indices);
  scf::YieldOp::create(inner, loaded);
  inner.setInsertionPointToStart(branch.elseBlock());
  Value kept =
      extractRegister(inner, distributor.getDistributed(op.getPassThru()), reg);
  scf::YieldOp::create(inner, kept);
  return branch.getResult(0);
}

namespace {
struct GatherModel
    : LayoutOpInterface::ExternalModel<GatherModel, vector::GatherOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return deciding;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto gather = cast<vector::GatherOp>(op);
    if (!isa<MemRefType>(gather.getBase().getType()))
      return op->emitOpError() << "expected a memref to distribute, got "
                               << gather.getBase().getType();
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    VectorType type = distributor.getDistributedType(gather.getResult());
    SmallVector<Value> registers;
    for (auto [reg, same] : llvm::enumerate(getSameRegisters(
             gather, distributor.getLayout(gather.getResult()))))
      registers.push_back(same < static_cast<int64_t>(reg)
                              ? registers[same]
                              : gatherRegister(b, distributor, gather, reg));
    distributor.replace(
        op, vector::FromElementsOp::create(b, type, registers).getResult());
    return success();
  }
};
} // namespace

/// Returns the dimensions that are the results of `map`.
static SmallVector<unsigned> getDims(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition();
  });
}

/// Returns the layout of a vector along the dimensions `dims` of a tile of
/// `layout`.
static Layout getPartLayout(const Layout &layout, ArrayRef<unsigned> dims) {
  SmallVector<bool> removed(layout.getRank(), true);
  for (unsigned dim : dims)
    removed[dim] = false;
  // The remaining dimensions are in the order of the tile.
  SmallVector<unsigned> order(dims), perm;
  llvm::sort(order);
  for (unsigned dim : dims)
    perm.push_back(llvm::find(order, dim) - order.begin());
  return layout.project(removed).permute(perm);
}

/// Returns the access of `op`, without the properties that are known only for
/// distributed values.
static TileAccess getUndistributedAccess(TransferGatherOp op) {
  TileAccess access;
  access.memref = op.getBase();
  access.indices.assign(op.getOffsets().begin(), op.getOffsets().end());
  access.dims.assign(cast<VectorType>(op.getType()).getRank(), -1);
  for (auto [i, expr] : llvm::enumerate(op.getBaseMap().getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      access.dims[dim.getPosition()] = i;
    else if (isa<AffineSymbolExpr>(expr))
      access.lookups.emplace_back(i, RegisterLookup());
  }
  return access;
}

/// Returns whether each thread can compute `vector` for all of its rows without
/// memory accesses and divisions. Most of the computation is the same for all
/// rows, and folds.
static bool isCheap(Value vector, unsigned depth = 12) {
  if (!isa<VectorType>(vector.getType()))
    return true;
  Operation *op = vector.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<vector::StepOp, vector::BroadcastOp, vector::CreateMaskOp,
          vector::ConstantMaskOp, arith::ConstantOp>(op))
    return true;
  return isa<arith::AddIOp, arith::SubIOp, arith::AndIOp, arith::ShRSIOp,
             arith::CmpIOp, arith::IndexCastOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isCheap(operand, depth - 1);
         });
}

/// Returns whether `gather` is only written by a role that copies, and has no
/// other users.
static bool isOnlyWritten(TransferGatherOp gather) {
  return !gather->use_empty() &&
         llvm::all_of(gather->getUsers(), llvm::IsaPred<WriteTileOp>);
}

/// Returns whether threads that share a row of `gather` should share the
/// computation of `vector`, an index or the mask. Each thread then computes the
/// elements of some rows of its subgroup, and the others get them by shuffles.
/// Threads of a role that copies share it: they have few registers, and each
/// instruction that they issue takes time from threads that compute. Other
/// threads share it if each would otherwise look up most rows itself, as for
/// small pages.
static bool isShared(TransferGatherOp gather, Value vector) {
  if (isCheap(vector))
    return false;
  if (gather->hasAttr(getSharesLookupsAttrName()))
    return getNumRepeated(vector) != 0 &&
           llvm::all_of(gather.getIndices(),
                        [](Value index) { return getNumRepeated(index) <= 2; });
  return isOnlyWritten(gather);
}

/// Returns the layout of `vector`, an index or the mask of `gather`, along the
/// dimensions `dims`. The tile of `gather` has `layout`.
static Layout getLookupLayout(TransferGatherOp gather, Value vector,
                              ArrayRef<unsigned> dims, const Layout &layout) {
  Layout part = getPartLayout(layout, dims);
  return isShared(gather, vector) ? layout::shareAmongReplicas(part) : part;
}

/// Returns whether `index` is not negative where `mask` holds, because it is
/// compared with the size of a memory.
static bool isNonNegativeWhere(Value mask, Value index) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return isNonNegativeWhere(both.getLhs(), index) ||
           isNonNegativeWhere(both.getRhs(), index);
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs() != index)
    return false;
  APInt constant;
  if (matchPattern(compare.getRhs(), m_ConstantInt(&constant)))
    return constant.isNonNegative();
  auto size = compare.getRhs().getDefiningOp<vector::BroadcastOp>();
  return size && size.getSource().getDefiningOp<memref::DimOp>();
}

/// Returns the operand of 32 bits that `index` sign-extends, or null.
static Value getNarrowIndex(Value index) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  return cast && getElementTypeOrSelf(cast.getIn()).isInteger(32) ? cast.getIn()
                                                                  : Value();
}

/// Returns whether `index` is a remainder x - (x floordiv c) * c with 0 < c <
/// 2^31.
static bool isSmallRemainder(Value index) {
  auto difference = index.getDefiningOp<arith::SubIOp>();
  auto product = difference ? difference.getRhs().getDefiningOp<arith::MulIOp>()
                            : arith::MulIOp();
  if (!product)
    return false;
  for (unsigned i : {0, 1}) {
    APInt divisor;
    auto quotient = product->getOperand(i).getDefiningOp<arith::FloorDivSIOp>();
    if (quotient && quotient.getLhs() == difference.getLhs() &&
        quotient.getRhs() == product->getOperand(1 - i) &&
        matchPattern(quotient.getRhs(), m_ConstantInt(&divisor)))
      return divisor.isStrictlyPositive() && divisor.isSignedIntN(32);
  }
  return false;
}

/// Returns the index that `op` looks up, or the position in dimension `dim`,
/// and the dimensions of the tile along which it varies.
static std::pair<Value, SmallVector<unsigned>> getPosition(TransferGatherOp op,
                                                           int64_t dim) {
  unsigned number =
      cast<AffineSymbolExpr>(op.getBaseMap().getResult(dim)).getPosition();
  return {op.getIndices()[number], getDims(op.getIndexMap(number))};
}

static Value castElements(ImplicitLocOpBuilder &b, Value vector, Type type) {
  auto from = cast<VectorType>(vector.getType());
  return from.getElementType() == type
             ? vector
             : arith::IndexCastOp::create(b, from.clone(type), vector);
}

namespace {
/// Lets threads get looked-up values from threads that have loaded them.
class LookupSharing {
public:
  LookupSharing(ImplicitLocOpBuilder &b, Distributor &distributor,
                TransferGatherOp op, const Layout &layout)
      : b(b), distributor(distributor), op(op), layout(layout),
        mask(op.getMask()) {
    if (mask)
      maskDims = getDims(op.getMaskMap());
  }

  /// Returns whether other threads have elements of `vector`, which has the
  /// dimensions `dims`.
  bool isShared(Value vector, ArrayRef<unsigned> dims) {
    return distributor.getLayout(vector) != getPartLayout(layout, dims);
  }
  /// Returns whether these threads also have the mask of the same elements.
  bool isSharedWithMask(Value vector, ArrayRef<unsigned> dims) {
    return mask && dims == ArrayRef(maskDims) && isShared(vector, dims) &&
           distributor.getLayout(mask) == distributor.getLayout(vector);
  }
  /// Puts the elements into as few words as possible, because each word is a
  /// shuffle.
  Value getWords(Value vector, bool isNarrow) {
    if (Value narrow = getNarrowIndex(vector))
      return distributor.getDistributed(narrow);
    Value registers = distributor.getDistributed(vector);
    return isNarrow ? castElements(b, registers, b.getI32Type()) : registers;
  }
  /// Returns what each register takes from `words`, which are computed from
  /// `vector`.
  RegisterLookup share(Value vector, Value words, ArrayRef<unsigned> dims) {
    Layout part = getPartLayout(layout, dims);
    return getLookup(convertInSubgroups(b, distributor, words,
                                        distributor.getLayout(vector), part),
                     part, dims, layout);
  }
  /// Does the same together with the mask, which becomes the mask of `access`.
  /// Hidden elements may have any value, so a negative one can mark them:
  /// `words`, of 32 bits, are not negative where the mask holds.
  RegisterLookup shareWithMask(Value vector, Value words, TileAccess &access);
  /// Shares all lookups of `access`, with the mask, as places of rows. Returns
  /// false if there are no such places.
  bool sharePlaces(RowPlaces &places, TileAccess &access);
  /// Shares the mask of `access` if it has none yet.
  void shareMask(TileAccess &access);

private:
  ImplicitLocOpBuilder &b;
  Distributor &distributor;
  TransferGatherOp op;
  const Layout &layout;
  Value mask;
  SmallVector<unsigned> maskDims;
};
} // namespace

RegisterLookup LookupSharing::shareWithMask(Value vector, Value words,
                                            TileAccess &access) {
  Value none = arith::ConstantOp::create(
      b, DenseElementsAttr::get(cast<VectorType>(words.getType()),
                                b.getI32IntegerAttr(-1)));
  words =
      arith::SelectOp::create(b, distributor.getDistributed(mask), words, none);
  RegisterLookup lookup = share(vector, words, maskDims);
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(lookup.registers.getType()));
  access.mask = {arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                       lookup.registers, zero),
                 lookup.source};
  return lookup;
}

bool LookupSharing::sharePlaces(RowPlaces &places, TileAccess &access) {
  if (!llvm::all_of(access.lookups,
                    [&](const auto &lookup) {
                      auto [index, dims] = getPosition(op, lookup.first);
                      return isSharedWithMask(index, dims);
                    }) ||
      !places.makeNarrow(b, op))
    return false;
  SmallVector<Value> words =
      llvm::map_to_vector(access.lookups, [&](const auto &lookup) {
        Value index = getPosition(op, lookup.first).first;
        return getWords(index, /*isNarrow=*/true);
      });
  RegisterLookup &lookup = access.lookups.front().second;
  lookup = shareWithMask(getPosition(op, access.lookups.front().first).first,
                         places.build(b, words), access);
  access.varyingDims.insert(maskDims.begin(), maskDims.end());
  places.apply(b, access, lookup.registers);
  return true;
}

void LookupSharing::shareMask(TileAccess &access) {
  if (!mask || access.mask)
    return;
  if (!isShared(mask, maskDims))
    return addMask(b, distributor, mask, maskDims, access);
  access.mask = share(mask, distributor.getDistributed(mask), maskDims);
  access.varyingDims.insert(maskDims.begin(), maskDims.end());
}

TileAccess mlir::vector_ext::getGatherAccess(ImplicitLocOpBuilder &b,
                                             Distributor &distributor,
                                             TransferGatherOp op,
                                             const Layout &layout) {
  TileAccess access = getUndistributedAccess(op);
  access.layout = layout;
  access.bounds.resize(access.layout.getRank());
  LookupSharing sharing(b, distributor, op, layout);
  // If the target has buffer descriptors, a page is one of them.
  std::optional<RowPlaces> places;
  if (!distributor.getWorkgroup().hasBufferLoads)
    places = RowPlaces::get(access);
  if (places && sharing.sharePlaces(*places, access))
    return access;
  for (auto &[dim, lookup] : access.lookups) {
    auto [index, dims] = getPosition(op, dim);
    access.varyingDims.insert(dims.begin(), dims.end());
    if (!sharing.isShared(index, dims)) {
      lookup = getLookup(distributor.getDistributed(index),
                         distributor.getLayout(index), dims, layout);
      continue;
    }
    places = std::nullopt;
    Value words = sharing.getWords(index, isSmallRemainder(index));
    bool tellsMask = !access.mask && sharing.isSharedWithMask(index, dims) &&
                     getNarrowIndex(index) &&
                     isNonNegativeWhere(op.getMask(), index);
    lookup = tellsMask ? sharing.shareWithMask(index, words, access)
                       : sharing.share(index, words, dims);
  }
  sharing.shareMask(access);
  if (places && llvm::all_of(access.lookups, [&](const auto &lookup) {
        return lookup.second.source == access.lookups.front().second.source;
      })) {
    SmallVector<Value> positions =
        llvm::map_to_vector(access.lookups, [&](const auto &lookup) {
          return castElements(b, lookup.second.registers, b.getIndexType());
        });
    places->apply(b, access, places->build(b, positions));
  }
  return access;
}

namespace {
/// Threads that hold a row hold its position. So the index vectors and the mask
/// have the layout of the result without the other dimensions.
struct TransferGatherModel
    : LayoutOpInterface::ExternalModel<TransferGatherModel, TransferGatherOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto gather = cast<TransferGatherOp>(op);
    Value vector = operand.get();
    if (vector == gather.getMask())
      return getLookupLayout(gather, vector, getDims(gather.getMaskMap()),
                             deciding);
    unsigned first = gather.getIndices().getBeginOperandIndex();
    unsigned number = operand.getOperandNumber() - first;
    return getLookupLayout(gather, vector, getDims(gather.getIndexMap(number)),
                           deciding);
  }

  std::optional<Layout> getPreferredLayout(Operation *op,
                                           const Workgroup &workgroup) const {
    auto gather = cast<TransferGatherOp>(op);
    auto type = cast<VectorType>(gather.getType());
    int64_t bytes = llvm::divideCeil(getElementBits(type), 8);
    int64_t alignment = getAccessAlignment(getUndistributedAccess(gather),
                                           std::max<int64_t>(16 / bytes, 1));
    // Each address of a row is work for threads that have little time.
    if (isOnlyWritten(gather) && workgroup.hasAsyncCopies && alignment >= 16) {
      Layout lines = getLineLayout(type.getShape(), bytes, workgroup);
      if (lines.getReplication() == 1)
        return lines;
    }
    return getLayoutOfAccesses(type, alignment, workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto gather = cast<TransferGatherOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    if (!isa<MemRefType>(gather.getBase().getType()))
      return op->emitOpError() << "expected a memref to distribute, got "
                               << gather.getBase().getType();
    TileAccess access = getGatherAccess(
        b, distributor, gather, distributor.getLayout(gather.getResult()));
    Value loaded = loadFromBuffers(b, distributor, access, gather);
    if (!loaded) {
      Type type = cast<MemRefType>(gather.getBase().getType()).getElementType();
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
      loaded = loadRegisters(b, distributor, access, zero);
    }
    distributor.replace(op, loaded);
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerGatherLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::GatherOp::attachInterface<GatherModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    TransferGatherOp::attachInterface<TransferGatherModel>(*context);
  });
}
