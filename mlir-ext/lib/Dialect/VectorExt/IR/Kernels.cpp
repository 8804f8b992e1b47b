//===- Kernels.cpp - How kernels multiply ---------------------------------===//
//
// See Kernels.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::vector_ext;

static constexpr StringLiteral kNumber = "number", kWay = "way",
                               kThreads = "threads", kRotate = "rotate",
                               kSlots = "slots", kPersist = "persist",
                               kCopied = "copied", kAlone = "alone",
                               kGroups = "groups", kCluster = "cluster",
                               kExchange = "exchange", kLoaded = "loaded";

StringRef mlir::vector_ext::getWayName(ProductWay way) {
  static constexpr StringLiteral names[] = {"sync", "async", "roles"};
  return names[static_cast<unsigned>(way)];
}

static std::optional<ProductWay> parseWay(StringRef name) {
  for (ProductWay way :
       {ProductWay::Sync, ProductWay::Async, ProductWay::Roles})
    if (name == getWayName(way))
      return way;
  return std::nullopt;
}

std::optional<ProductWays> ProductWays::parse(ArrayRef<std::string> names,
                                              std::string &error) {
  ProductWays ways{false, false, false, false};
  for (const std::string &name : names) {
    if (name == "persistent") {
      ways.persistent = true;
      continue;
    }
    if (name == "clusters") {
      ways.clusters = true;
      continue;
    }
    if (name == "exchange" || name == "exchange-always") {
      ways.exchange =
          name == "exchange" ? OperandExchange::Auto : OperandExchange::Always;
      continue;
    }
    std::optional<ProductWay> way = parseWay(name);
    if (!way) {
      error = "expected sync, async, roles, persistent, clusters, exchange or "
              "exchange-always, got '" +
              name + "'";
      return std::nullopt;
    }
    (*way == ProductWay::Sync    ? ways.sync
     : *way == ProductWay::Async ? ways.async
                                 : ways.roles) = true;
  }
  return names.empty() ? ProductWays() : ways;
}

std::string mlir::vector_ext::getKernelAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".kernel").str();
}

std::string mlir::vector_ext::getShortSumsAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".short_sums").str();
}

std::string mlir::vector_ext::getContinuesAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".continues").str();
}

std::string mlir::vector_ext::getFormatsAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".formats").str();
}

bool mlir::vector_ext::haveSameBits(Type a, Type b) {
  auto isOf8Bits = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  return a == b || (isOf8Bits(a) && isOf8Bits(b));
}

Type mlir::vector_ext::getCopiedType(Type source, Type tile) {
  if (haveSameBits(source, tile))
    return source;
  return source.isInteger(1) && tile.isInteger(8) ? tile : Type();
}

std::string mlir::vector_ext::getUnsignedAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".unsigned").str();
}

std::string mlir::vector_ext::getUnusedBehindAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".unused_behind").str();
}

std::string mlir::vector_ext::getRefusedAttrName() {
  return (VectorExtDialect::getDialectNamespace() + ".refused").str();
}

DictionaryAttr KernelMark::getAttr(MLIRContext *context) const {
  Builder b(context);
  SmallVector<NamedAttribute> fields{
      b.getNamedAttr(kNumber, b.getI64IntegerAttr(number)),
      b.getNamedAttr(kRotate, b.getBoolAttr(rotate)),
      b.getNamedAttr(kSlots, b.getI64IntegerAttr(slots)),
      b.getNamedAttr(kThreads, b.getI64IntegerAttr(threads)),
      b.getNamedAttr(kWay, b.getStringAttr(getWayName(way)))};
  if (persist != 0)
    fields.push_back(b.getNamedAttr(kPersist, b.getI64IntegerAttr(persist)));
  if (copied)
    fields.push_back(b.getNamedAttr(kCopied, b.getBoolAttr(copied)));
  if (alone)
    fields.push_back(b.getNamedAttr(kAlone, b.getBoolAttr(alone)));
  if (groups != 1)
    fields.push_back(b.getNamedAttr(kGroups, b.getI64IntegerAttr(groups)));
  if (cluster != 1)
    fields.push_back(b.getNamedAttr(kCluster, b.getI64IntegerAttr(cluster)));
  if (exchange != 0)
    fields.push_back(b.getNamedAttr(kExchange, b.getI64IntegerAttr(exchange)));
  if (loaded)
    fields.push_back(b.getNamedAttr(kLoaded, b.getBoolAttr(loaded)));
  return b.getDictionaryAttr(fields);
}

std::optional<KernelMark> mlir::vector_ext::parseKernelMark(Attribute attr) {
  auto fields = dyn_cast_or_null<DictionaryAttr>(attr);
  if (!fields)
    return std::nullopt;
  auto persist = fields.getAs<IntegerAttr>(kPersist),
       groups = fields.getAs<IntegerAttr>(kGroups),
       cluster = fields.getAs<IntegerAttr>(kCluster),
       exchange = fields.getAs<IntegerAttr>(kExchange);
  auto copied = fields.getAs<BoolAttr>(kCopied),
       alone = fields.getAs<BoolAttr>(kAlone),
       loaded = fields.getAs<BoolAttr>(kLoaded);
  if (fields.size() != 5u + (persist ? 1 : 0) + (copied ? 1 : 0) +
                           (alone ? 1 : 0) + (groups ? 1 : 0) +
                           (cluster ? 1 : 0) + (exchange ? 1 : 0) +
                           (loaded ? 1 : 0) ||
      (groups && groups.getInt() < 1) || (cluster && cluster.getInt() < 1) ||
      (exchange && exchange.getInt() < 1))
    return std::nullopt;
  auto number = fields.getAs<IntegerAttr>(kNumber),
       threads = fields.getAs<IntegerAttr>(kThreads),
       slots = fields.getAs<IntegerAttr>(kSlots);
  auto rotate = fields.getAs<BoolAttr>(kRotate);
  auto name = fields.getAs<StringAttr>(kWay);
  std::optional<ProductWay> way =
      name ? parseWay(name.getValue()) : std::nullopt;
  if (!number || !threads || !slots || !rotate || !way)
    return std::nullopt;
  return KernelMark{number.getInt(),
                    *way,
                    threads.getInt(),
                    rotate.getValue(),
                    slots.getInt(),
                    persist ? persist.getInt() : 0,
                    copied && copied.getValue(),
                    alone && alone.getValue(),
                    groups ? groups.getInt() : 1,
                    cluster ? cluster.getInt() : 1,
                    exchange ? exchange.getInt() : 0,
                    loaded && loaded.getValue()};
}

std::optional<KernelMark> mlir::vector_ext::getKernelMark(Operation *op) {
  return parseKernelMark(op->getDiscardableAttr(getKernelAttrName()));
}

void mlir::vector_ext::setKernelMark(Operation *op, const KernelMark &mark) {
  op->setDiscardableAttr(getKernelAttrName(), mark.getAttr(op->getContext()));
}

bool mlir::vector_ext::isMarkedAsync(Operation *op) {
  std::optional<KernelMark> mark = getKernelMark(op);
  return mark && mark->way != ProductWay::Sync;
}

int64_t mlir::vector_ext::getNextKernelNumber(Operation *scope) {
  int64_t next = 0;
  scope->walk([&](Operation *op) {
    if (std::optional<KernelMark> mark = getKernelMark(op))
      next = std::max(next, mark->number + 1);
  });
  return next;
}

/// Returns the marks of refused kernels of `scope` with this number.
static SmallVector<KernelMark> getRefused(Operation *scope, int64_t number) {
  SmallVector<KernelMark> marks;
  auto refused = dyn_cast_or_null<ArrayAttr>(
      scope->getDiscardableAttr(getRefusedAttrName()));
  if (!refused)
    return marks;
  for (Attribute attr : refused)
    if (std::optional<KernelMark> mark = parseKernelMark(attr);
        mark && mark->number == number)
      marks.push_back(*mark);
  return marks;
}

/// The number of the mark that requests marks for all kernels.
static constexpr int64_t kAllKernels = -1;

bool mlir::vector_ext::marksAllKernels(Operation *scope) {
  return !getRefused(scope, kAllKernels).empty();
}

bool mlir::vector_ext::needsSmallTiles(Operation *scope, int64_t number) {
  return llvm::any_of(getRefused(scope, number), [](const KernelMark &refused) {
    return refused.way == ProductWay::Sync;
  });
}

ProductWays mlir::vector_ext::getRemainingWays(ProductWays ways,
                                               Operation *scope,
                                               int64_t number) {
  for (const KernelMark &refused : getRefused(scope, number)) {
    // It may have fewer slots. With a single slot, tiles would not be copied
    // ahead.
    if (refused.slots > (refused.persist != 0 ? 2 : 1))
      continue;
    if (refused.exchange != 0 && ways.exchange == OperandExchange::Auto) {
      ways.exchange = OperandExchange::Never;
      continue;
    }
    if (refused.cluster > 1) {
      ways.clusters = false;
      continue;
    }
    if (refused.groups > 1) {
      ways.groups = false;
      continue;
    }
    if (refused.persist != 0) {
      ways.roles |= ways.persistent;
      ways.persistent = false;
      continue;
    }
    if (refused.way == ProductWay::Async)
      ways.async = false;
    if (refused.way == ProductWay::Roles)
      ways.roles = ways.persistent = false;
  }
  return ways;
}

int64_t mlir::vector_ext::getMostSlots(Operation *scope, int64_t number,
                                       ProductWay way, bool persists) {
  int64_t most = 0;
  for (const KernelMark &refused : getRefused(scope, number))
    if (refused.way == way && refused.slots > 1 &&
        (refused.persist != 0) == persists)
      most = most == 0 ? refused.slots - 1 : std::min(most, refused.slots - 1);
  return most;
}

/// Adds `marks` to the record of `scope`.
static void addRefused(Operation *scope, ArrayRef<KernelMark> marks) {
  SmallVector<Attribute> refused;
  if (auto before = dyn_cast_or_null<ArrayAttr>(
          scope->getDiscardableAttr(getRefusedAttrName())))
    refused.append(before.begin(), before.end());
  for (const KernelMark &mark : marks)
    refused.push_back(mark.getAttr(scope->getContext()));
  scope->setDiscardableAttr(getRefusedAttrName(),
                            Builder(scope->getContext()).getArrayAttr(refused));
}

bool mlir::vector_ext::recordRefusal(Operation *scope, Operation *kernel,
                                     Refused what) {
  std::optional<KernelMark> mark = getKernelMark(kernel);
  if (!mark || mark->way == ProductWay::Sync)
    return false;
  if (what != Refused::Slots)
    mark->slots = 0;
  SmallVector<KernelMark> refused;
  for (ProductWay way : {ProductWay::Async, ProductWay::Roles})
    if (what == Refused::AllWays || way == mark->way) {
      KernelMark one = *mark;
      one.way = way;
      if (what == Refused::AllWays) {
        one.persist = 0;
        one.groups = one.cluster = 1;
        one.exchange = 0;
      }
      refused.push_back(one);
    }
  addRefused(scope, refused);
  return true;
}

bool mlir::vector_ext::recordTooLarge(Operation *scope, Operation *kernel,
                                      Refused what) {
  std::optional<KernelMark> mark = getKernelMark(kernel);
  if (!mark) {
    // What was refused before had other numbers.
    if (!marksAllKernels(scope)) {
      scope->removeDiscardableAttr(getRefusedAttrName());
      KernelMark all;
      all.number = kAllKernels;
      addRefused(scope, all);
    }
    return false;
  }
  if (mark->way != ProductWay::Sync)
    return recordRefusal(scope, kernel, what);
  if (needsSmallTiles(scope, mark->number))
    return false;
  addRefused(scope, *mark);
  return true;
}
