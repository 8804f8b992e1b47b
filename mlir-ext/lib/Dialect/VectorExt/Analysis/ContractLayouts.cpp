//===- ContractLayouts.cpp - Layouts of a contraction ---------------------===//
//
// Repeats the layouts of an instruction over a tile: first in the registers of
// a subgroup, then over the subgroups. Then puts the dimensions in the order of
// the operands.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

std::pair<bool, bool>
mlir::vector_ext::getUnsignedOperands(vector::ContractionOp contract) {
  auto which =
      contract->getAttrOfType<DenseBoolArrayAttr>(getUnsignedAttrName());
  return which ? std::pair(which[0], which[1]) : std::pair(false, false);
}

std::pair<Type, Type>
mlir::vector_ext::getOperandTypes(vector::ContractionOp contract) {
  if (auto formats = contract->getAttrOfType<ArrayAttr>(getFormatsAttrName()))
    return {cast<TypeAttr>(formats[0]).getValue(),
            cast<TypeAttr>(formats[1]).getValue()};
  return {contract.getLhsType().getElementType(),
          contract.getRhsType().getElementType()};
}

FailureOr<ContractDims>
mlir::vector_ext::getContractDims(vector::ContractionOp contract,
                                  Refusal &refusal) {
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  std::optional<unsigned> m, n, k, parts;
  // If several dimensions have one role, take the last one whose size is not
  // one.
  for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(bounds.size()))) {
    AffineExpr expr = getAffineDimExpr(dim, contract.getContext());
    bool inLhs = maps[0].getResultPosition(expr).has_value();
    bool inRhs = maps[1].getResultPosition(expr).has_value();
    bool inAcc = maps[2].getResultPosition(expr).has_value();
    std::optional<unsigned> *which = nullptr;
    if (inLhs && inRhs && !inAcc)
      which = &k;
    else if (inLhs && !inRhs && inAcc)
      which = &m;
    else if (!inLhs && inRhs && inAcc)
      which = &n;
    if (which && (!*which || bounds[**which] == 1)) {
      *which = dim;
      continue;
    }
    if (bounds[dim] == 1)
      continue;
    if (inAcc && !parts) {
      parts = dim;
      continue;
    }
    if (which)
      return refusal.set(
          RefusalKind::Other, contract,
          llvm::formatv("dimensions {0} and {1} have the same role", dim,
                        **which));
    return refusal.set(
        RefusalKind::Other, contract,
        llvm::formatv(
            "dimension {0} of size {1} is neither a row, a column nor reduced",
            dim, bounds[dim]));
  }
  if (!m || !n || !k)
    return refusal.set(RefusalKind::Other, contract,
                       "expected a row, a column and a reduction dimension");
  return ContractDims{*m, *n, *k, parts};
}

int64_t ElementOrder::getElement(int64_t place) const {
  SmallVector<int64_t> digits(sizes.size());
  for (int64_t i = sizes.size() - 1; i >= 0; --i) {
    digits[i] = place % sizes[i];
    place /= sizes[i];
  }
  if (sizes.empty())
    return place;
  int64_t element = 0;
  for (unsigned digit : order)
    element = element * sizes[digit] + digits[digit];
  return element;
}

std::optional<Layout> ElementOrder::apply(const Layout &layout,
                                          unsigned dim) const {
  if (sizes.empty())
    return layout;
  SmallVector<int64_t> shape = layout.getShape(), split(shape);
  split.erase(split.begin() + dim);
  split.insert(split.begin() + dim, sizes.begin(), sizes.end());
  std::optional<Layout> digits = layout.reshape(split);
  if (!digits)
    return std::nullopt;
  auto order = llvm::to_vector(llvm::seq<unsigned>(split.size()));
  for (auto [to, from] : llvm::enumerate(this->order))
    order[dim + to] = dim + from;
  return digits->permute(order).reshape(shape);
}

std::optional<ElementOrder>
mlir::vector_ext::getOrderOfRuns(const Layout &layout, unsigned dim,
                                 int64_t apart, int64_t longest) {
  // 1. Find the digits. A register digit between others may be split.
  SmallVector<Digit> digits(layout.getDigits(dim));
  SmallVector<int64_t> ofRegisters;
  auto findRegisters = [&] {
    ofRegisters.clear();
    for (auto [i, digit] : llvm::enumerate(digits))
      if (digit.axis == Axis::Register)
        ofRegisters.push_back(i);
  };
  findRegisters();
  size_t numBetween = 0;
  if (apart > 1) {
    if (ofRegisters.empty() || digits[ofRegisters.back()].size != 2)
      return std::nullopt;
    // This is the digit before which pairs are put.
    int64_t between = 1;
    for (int64_t at :
         llvm::reverse(ArrayRef<int64_t>(ofRegisters).drop_back())) {
      if (between == apart)
        break;
      int64_t size = digits[at].size, wanted = apart / between;
      ++numBetween;
      if (size > wanted && size % wanted == 0) {
        Digit slower = digits[at];
        slower.size = size / wanted;
        slower.stride *= wanted;
        digits[at].size = wanted;
        digits.insert(digits.begin() + at, slower);
        between = apart;
        break;
      }
      if (wanted % size != 0)
        return std::nullopt;
      between *= size;
    }
    if (between != apart)
      return std::nullopt;
    findRegisters();
  }

  // 2. A run is the fastest registers. A digit that it ends in is split.
  size_t numSlower = 0;
  if (longest > 0) {
    int64_t run = 1;
    numSlower = ofRegisters.size();
    while (numSlower > 0 && run < longest) {
      size_t at = ofRegisters[numSlower - 1];
      int64_t size = digits[at].size, wanted = longest / run;
      if (size > wanted) {
        if (size % wanted != 0)
          return std::nullopt;
        Digit slower = digits[at];
        slower.size = size / wanted;
        slower.stride *= wanted;
        digits[at].size = wanted;
        digits.insert(digits.begin() + at, slower);
        findRegisters();
        break;
      }
      run *= size;
      --numSlower;
    }
  }

  // 3. Registers are the fastest digits. Among these, the ones between the
  //    elements of a pair come first. Runs of a thread are as far apart as the
  //    lanes have elements.
  ElementOrder result;
  for (const Digit &digit : digits)
    result.sizes.push_back(digit.size);
  for (Axis axis : {Axis::Subgroup, Axis::Register, Axis::Lane})
    for (auto [i, digit] : llvm::enumerate(digits))
      if (digit.axis == axis &&
          (axis != Axis::Register ||
           llvm::is_contained(ArrayRef(ofRegisters).take_front(numSlower), i)))
        result.order.push_back(i);
  if (numBetween > 0)
    std::rotate(ofRegisters.end() - 1 - numBetween, ofRegisters.end() - 1,
                ofRegisters.end());
  result.order.append(ofRegisters.begin() + numSlower, ofRegisters.end());
  return result;
}

Layout mlir::vector_ext::putRegistersFirst(const Layout &layout, unsigned dim) {
  SmallVector<DimDigits> dims(layout.getDims());
  SmallVector<Digit *> first, rest;
  for (auto [i, digits] : llvm::enumerate(dims))
    for (Digit &digit : llvm::reverse(digits))
      if (digit.axis == Axis::Register)
        (i == dim ? first : rest).push_back(&digit);
  llvm::sort(rest, [](Digit *a, Digit *b) { return a->stride < b->stride; });
  llvm::append_range(first, rest);
  int64_t stride = 1;
  for (Digit *digit : first) {
    digit->stride = stride;
    stride *= digit->size;
  }
  return *Layout::get(dims, layout.getNumLanes(), layout.getNumSubgroups());
}

/// Moves the dimensions of `layout`, which has the iteration dimensions `dims`,
/// to their places in `map`. `partDim`, if any, is the dimension of `part`. All
/// other dimensions have size one.
static Layout arrange(const Layout &layout, ArrayRef<unsigned> dims,
                      std::optional<unsigned> partDim, Digit part,
                      AffineMap map) {
  SmallVector<DimDigits> arranged;
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == partDim) {
      arranged.push_back({part});
      continue;
    }
    auto it = llvm::find(dims, dim);
    arranged.push_back(it == dims.end() ? DimDigits()
                                        : layout.getDims()[it - dims.begin()]);
  }
  return *Layout::get(arranged, layout.getNumLanes(), layout.getNumSubgroups());
}

/// Repeats the atom `fragment` of an operand along both dimensions: over
/// `outer` and `inner` subgroups (their strides are given, 0 if the operand
/// lacks that dimension), and over registers. The first dimension is the
/// slowest.
static FailureOr<Layout> repeatAtom(const Layout &fragment,
                                    ArrayRef<int64_t> shape,
                                    ArrayRef<std::pair<int64_t, int64_t>> split,
                                    const Workgroup &workgroup) {
  std::optional<Layout> result = fragment;
  for (int dim : {1, 0}) {
    int64_t count = shape[dim] / (fragment.getDimSize(dim) * split[dim].first);
    result = result->repeat(dim, Axis::Register, count);
    if (!result)
      return failure();
  }
  // The subgroups of the instruction itself are the fastest digit.
  int64_t width = fragment.getNumSubgroups();
  SmallVector<DimDigits> dims(result->getDims());
  for (int dim : {0, 1})
    if (split[dim].first > 1)
      dims[dim].insert(
          dims[dim].begin(),
          Digit{Axis::Subgroup, split[dim].first, split[dim].second * width});
  result = Layout::get(dims, fragment.getNumLanes(), workgroup.numSubgroups);
  if (!result)
    return failure();
  return *result;
}

/// Checks that `intrinsic` computes the same as `contract`, apart from sizes.
static LogicalResult checkIntrinsic(vector::ContractionOp contract,
                                    const MmaIntrinsic &intrinsic,
                                    Refusal &refusal) {
  MLIRContext *context = contract.getContext();
  if (getOperandTypes(contract) !=
          std::pair(intrinsic.lhsType(context), intrinsic.rhsType(context)) ||
      getElementTypeOrSelf(contract.getResultType()) !=
          intrinsic.accType(context))
    return refusal.set(RefusalKind::Other, contract,
                       "the instruction is for other element types");
  if (getUnsignedOperands(contract) !=
      std::pair(intrinsic.isLhsUnsigned, intrinsic.isRhsUnsigned))
    return refusal.set(RefusalKind::Other, contract,
                       "the instruction is for other signs of its operands");
  if (contract.getKind() != vector::CombiningKind::ADD)
    return refusal.set(RefusalKind::Other, contract,
                       "expected a sum of products");
  return success();
}

/// Checks that `parts` times the subgroups of `config` divide the subgroups of
/// the workgroup, and that each subgroup has a tile of whole instructions.
static LogicalResult
checkSubgroups(vector::ContractionOp contract, ContractConfigAttr config,
               const MmaIntrinsic &intrinsic, const ContractDims &dims,
               ArrayRef<int64_t> bounds, const Workgroup &workgroup,
               Refusal &refusal) {
  int64_t splitM = config.getSubgroups()[0], splitN = config.getSubgroups()[1];
  int64_t width = intrinsic.acc.getNumSubgroups();
  if (intrinsic.acc.getNumLanes() != workgroup.numLanes)
    return refusal.set(
        RefusalKind::Other, contract,
        llvm::formatv("expected {0} lanes in a subgroup, got {1}",
                      intrinsic.acc.getNumLanes(), workgroup.numLanes));
  int64_t parts = dims.getNumParts(bounds);
  if (workgroup.numSubgroups % (parts * splitM * splitN * width) != 0) {
    std::string ofParts =
        parts > 1 ? llvm::formatv("{0} parts of ", parts).str() : "";
    return refusal.set(RefusalKind::Other, contract,
                       llvm::formatv("{0}{1} x {2} x {3} subgroups do not "
                                     "divide the {4} of the workgroup",
                                     ofParts, splitM, splitN, width,
                                     workgroup.numSubgroups));
  }
  int64_t m = bounds[dims.m], n = bounds[dims.n], k = bounds[dims.k];
  if (m % (intrinsic.m * splitM) != 0 || n % (intrinsic.n * splitN) != 0 ||
      k % intrinsic.k != 0)
    return refusal.set(RefusalKind::Other, contract,
                       llvm::formatv("a tile of {0} x {1} x {2} is not a "
                                     "multiple of {3} x {4} x {5}, the "
                                     "instruction by the subgroups",
                                     m, n, k, intrinsic.m * splitM,
                                     intrinsic.n * splitN, intrinsic.k));

  if (intrinsic.rhsInSharedMemory && splitN != 1)
    return refusal.set(
        RefusalKind::Other, contract,
        llvm::formatv("the columns of an operand in shared memory cannot "
                      "be shared by {0} subgroups",
                      splitN));

  if (intrinsic.rhsInSharedMemory && parts != 1)
    return refusal.set(
        RefusalKind::Other, contract,
        llvm::formatv("expected one part with an operand in shared "
                      "memory, got {0}",
                      parts));
  return success();
}

/// The elements of k in a run of elements of 16 bits, and if neighbours of the
/// right operand in memory are along n: 16 bytes of the other operand. Longer
/// runs would not make loads of the right operand wider, but lanes would load
/// the left one from twice as many lines (docs/Decisions/0174).
static constexpr int64_t kRunOfBoth = 8;

/// Orders the elements of k or n (`isOfK`), so that threads have runs of the
/// second operand, in which the elements of pairs are `apart`. The operand that
/// shares this dimension gets the same order. Returns the order of the
/// elements.
static FailureOr<ElementOrder>
makeRuns(vector::ContractionOp contract, bool isOfK, int64_t apart,
         int64_t longest, const MmaIntrinsic &intrinsic, Layout &lhs,
         Layout &rhs, Layout &acc, Refusal &refusal) {
  if (intrinsic.rhsInSharedMemory || intrinsic.isByThreads)
    return refusal.set(RefusalKind::Other, contract,
                       "runs are of an operand in registers of threads that "
                       "share an instruction");
  std::optional<ElementOrder> order =
      getOrderOfRuns(rhs, isOfK ? 0 : 1, apart, longest);
  if (!order)
    return refusal.set(RefusalKind::Other, contract,
                       "threads have no pairs of the instruction, or no "
                       "runs of eight elements");
  for (auto [layout, dim] :
       {std::pair(&rhs, isOfK ? 0u : 1u), std::pair(isOfK ? &lhs : &acc, 1u)}) {
    std::optional<Layout> ordered = order->apply(*layout, dim);
    if (!ordered)
      return refusal.set(RefusalKind::Other, contract,
                         "operands of the instruction have no common runs");
    *layout = putRegistersFirst(*ordered, dim);
  }
  return *order;
}

FailureOr<ContractLayouts> mlir::vector_ext::getContractLayouts(
    vector::ContractionOp contract, ContractConfigAttr config,
    const Workgroup &workgroup, Refusal &refusal) {
  MLIRContext *context = contract.getContext();
  auto *dialect = context->getLoadedDialect<VectorExtDialect>();
  const MmaIntrinsic *intrinsic =
      dialect->lookupIntrinsic(config.getIntrinsic());
  if (!intrinsic)
    return refusal.set(
        RefusalKind::Other, contract,
        llvm::formatv("unknown instruction '{0}'; known are {1}",
                      config.getIntrinsic().getValue(),
                      llvm::join(dialect->getIntrinsicNames(), ", ")));
  if (failed(checkIntrinsic(contract, *intrinsic, refusal)))
    return failure();
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return failure();
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  if (failed(checkSubgroups(contract, config, *intrinsic, *dims, bounds,
                            workgroup, refusal)))
    return failure();

  int64_t splitM = config.getSubgroups()[0], splitN = config.getSubgroups()[1];
  int64_t m = bounds[dims->m], n = bounds[dims->n], k = bounds[dims->k];
  std::pair<int64_t, int64_t> rows{splitM, splitN}, columns{splitN, 1},
      whole{1, 1};
  FailureOr<Layout> lhs =
      repeatAtom(intrinsic->lhs, {m, k}, {rows, whole}, workgroup);
  // A tile that the workgroup stores to shared memory is held in the layout
  // that reads it best.
  ArrayRef<int64_t> rhsShape = contract.getRhsType().getShape();
  int64_t rhsBits = contract.getRhsType().getElementTypeBitWidth();
  FailureOr<Layout> rhs =
      intrinsic->rhsInSharedMemory
          ? getBlockedLayout(rhsShape, llvm::divideCeil(rhsBits, 8), workgroup)
          : repeatAtom(intrinsic->rhs, {k, n}, {whole, columns}, workgroup);
  FailureOr<Layout> acc =
      repeatAtom(intrinsic->acc, {m, n}, {rows, columns}, workgroup);
  if (failed(lhs) || failed(rhs) || failed(acc))
    return refusal.set(
        RefusalKind::Other, contract,
        "the subgroups do not fit the layout of the instruction");
  ElementOrder orderOfK, orderOfN;
  StringRef runs = config.getRuns() ? config.getRuns().getValue() : "";
  // The last ones are those of the first registers. Neighbours in memory are
  // along n, if there are runs of both.
  for (bool isOfK : {true, false}) {
    if (!runs.contains(isOfK ? 'k' : 'n'))
      continue;
    int64_t apart = isOfK && runs.starts_with("k4") ? 4 : 1;
    // Neighbouring lanes have neighbouring runs of the left operand.
    int64_t longest = isOfK && (runs == "k4n" || runs == "k8") ? kRunOfBoth : 0;
    FailureOr<ElementOrder> order = makeRuns(
        contract, isOfK, apart, longest, *intrinsic, *lhs, *rhs, *acc, refusal);
    if (failed(order))
      return failure();
    (isOfK ? orderOfK : orderOfN) = *order;
  }
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  Digit part{Axis::Subgroup, dims->getNumParts(bounds),
             splitM * splitN * intrinsic->acc.getNumSubgroups()};
  auto arrangeFor = [&](const Layout &layout, unsigned first, unsigned second,
                        AffineMap map) {
    return arrange(layout, {first, second}, dims->parts, part, map);
  };
  return ContractLayouts{arrangeFor(*lhs, dims->m, dims->k, maps[0]),
                         intrinsic->rhsInSharedMemory
                             ? *rhs
                             : arrangeFor(*rhs, dims->k, dims->n, maps[1]),
                         arrangeFor(*acc, dims->m, dims->n, maps[2]),
                         std::move(orderOfK), std::move(orderOfN)};
}

/// Renumbers the registers of `dims` in the order of their strides.
static Layout renumberRegisters(SmallVector<DimDigits> dims,
                                const Layout &like) {
  SmallVector<Digit *> registers;
  for (DimDigits &dim : dims)
    for (Digit &digit : dim)
      if (digit.axis == Axis::Register)
        registers.push_back(&digit);
  llvm::sort(registers,
             [](Digit *a, Digit *b) { return a->stride < b->stride; });
  int64_t stride = 1;
  for (Digit *digit : registers) {
    digit->stride = stride;
    stride *= digit->size;
  }
  return *Layout::get(dims, like.getNumLanes(), like.getNumSubgroups());
}

ContractLayouts
mlir::vector_ext::getScalarContractLayouts(vector::ContractionOp contract,
                                           const Layout &acc) {
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  auto getOperand = [&](AffineMap map) {
    SmallVector<DimDigits> dims;
    int64_t stride = acc.getNumRegisters();
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (std::optional<unsigned> at = maps[2].getResultPosition(expr)) {
        dims.push_back(acc.getDims()[*at]);
        continue;
      }
      dims.push_back({Digit{Axis::Register, bounds[dim], stride}});
      stride *= bounds[dim];
    }
    return renumberRegisters(std::move(dims), acc);
  };
  return {getOperand(maps[0]), getOperand(maps[1]), acc};
}
