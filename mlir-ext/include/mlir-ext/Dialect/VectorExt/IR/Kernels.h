//===- Kernels.h - How kernels multiply -------------------------*- C++ -*-===//
//
// Passes that choose how a kernel multiplies mark the loop over its workgroups
// with the discardable attribute `vector_ext.kernel`, which the `gpu.launch`
// keeps:
//
//   vector_ext.kernel = {number = 3, rotate = true, slots = 0, threads = 256,
//                        way = "roles"}
//
// That of a persistent kernel has `persist`, too, and `groups` if groups of its
// threads have tiles of their own. One whose loops are rotated only if masks are
// copied has `copied`.
//
// A later pass may find that a kernel cannot be compiled as chosen. It then
// records the mark on the op that it runs on (`vector_ext.refused`, an array),
// and fails. Who starts again from the program keeps that record, and only the
// kernels in it are chosen differently.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_KERNELS_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_KERNELS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mlir::vector_ext {

/// How a kernel multiplies.
enum class ProductWay {
  /// Threads load operands, and wait for each product.
  Sync,
  /// Asynchronous instructions read tiles in shared memory.
  Async,
  /// The same, and a thread of its own copies the tiles.
  Roles
};

/// Returns "sync", "async" or "roles".
StringRef getWayName(ProductWay way);

/// A set of ways in which a kernel may multiply.
struct ProductWays {
  /// `roles` is with a workgroup for each tile, `persistent` with roles, too, but
  /// with workgroups that compute several tiles.
  bool sync = true, async = false, roles = false, persistent = false;
  /// Whether groups of threads of a persistent kernel may have tiles of their
  /// own.
  bool groups = true;

  bool contains(ProductWay way) const {
    return way == ProductWay::Sync    ? sync
           : way == ProductWay::Async ? async
                                      : roles;
  }
  bool anyRoles() const { return roles || persistent; }
  bool anyAsync() const { return async || anyRoles(); }

  /// The set of these names, sync if there are none. Unset, with a message in
  /// `error`, if one of them names no way.
  static std::optional<ProductWays> parse(ArrayRef<std::string> names,
                                          std::string &error);
};

/// What is chosen for a kernel.
struct KernelMark {
  /// Of the kernel in its module.
  int64_t number = 0;
  ProductWay way = ProductWay::Sync;
  /// Threads that compute.
  int64_t threads = 0;
  /// Whether loops order their products across iterations.
  bool rotate = false;
  /// The most slots of a tile in shared memory, or how many there are once that
  /// is chosen. 0 sets no bound.
  int64_t slots = 0;
  /// 0 if each workgroup has one tile. Otherwise the kernel is persistent: there
  /// are no more workgroups than processors, and tiles are dealt to them in one
  /// direction, or in two if they get shorter along a row (DealtTiles.h).
  int64_t persist = 0;
  /// Whether loops are rotated only if what threads read of masks is copied to
  /// shared memory: otherwise they lack registers.
  bool copied = false;
  /// Whether a workgroup is alone on its processor, so that its slots may take
  /// all shared memory.
  bool alone = false;
  /// Of a persistent kernel with roles: groups of `threads` threads that have
  /// tiles of their own, and take turns.
  int64_t groups = 1;

  DictionaryAttr getAttr(MLIRContext *context) const;
};

/// The discardable attribute, a unit, of a contraction whose instruction sums
/// with fewer bits than its result has: it is to start from zero, and threads
/// add its result to the accumulator.
std::string getShortSumsAttrName();

/// The discardable attribute, a unit, of a contraction with an asynchronous
/// instruction that continues the sums of the one that computes its
/// accumulator: that one has no other user, and is not awaited in between.
std::string getContinuesAttrName();

/// The discardable attribute, two booleans, of a contraction of integers: which
/// of its operands are unsigned. Without it, none is.
std::string getUnsignedAttrName();

/// The discardable attribute, an i64, of a `vector.transfer_read`: the
/// dimension of its vector along which what is behind the memory may be
/// anything, as it changes nothing that is stored. There must be an element in
/// front.
std::string getUnusedBehindAttrName();

/// The discardable attributes of a kernel that has a mark, and of an op on
/// which refused ones are recorded.
std::string getKernelAttrName();
std::string getRefusedAttrName();

/// Reads a mark. Unset if `attr` is none.
std::optional<KernelMark> parseKernelMark(Attribute attr);

/// Returns the mark of `op`, a kernel or the loop over its workgroups, if it
/// has one.
std::optional<KernelMark> getKernelMark(Operation *op);
void setKernelMark(Operation *op, const KernelMark &mark);

/// Whether `op` has a mark that says that products are asynchronous.
bool isMarkedAsync(Operation *op);

/// Returns the number for the next mark in `scope`: the least that is larger
/// than those of all marks there.
int64_t getNextKernelNumber(Operation *scope);

/// Returns those of `ways` that were not refused for kernel `number` of
/// `scope`. One that cannot be persistent may have a workgroup for each tile.
ProductWays getRemainingWays(ProductWays ways, Operation *scope,
                             int64_t number);

/// Returns the bound of slots of kernel `number` of `scope` in this way,
/// persistent or not: one less than what was refused. 0 if there is none.
int64_t getMostSlots(Operation *scope, int64_t number, ProductWay way,
                     bool persists);

/// What is refused: the slots of a kernel, so that it may have fewer, its way,
/// or all asynchronous ways.
enum class Refused { Slots, Way, AllWays };

/// Records on `scope` that `kernel`, in `scope`, cannot be compiled as its mark
/// says. Returns false, and does nothing, if it is not marked async.
bool recordRefusal(Operation *scope, Operation *kernel, Refused what);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_KERNELS_H
