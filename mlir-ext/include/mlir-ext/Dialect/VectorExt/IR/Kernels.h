//===- Kernels.h - How kernels multiply -------------------------*- C++ -*-===//
//
// Passes that choose how a kernel multiplies mark the loop over its workgroups
// with the discardable attribute `vector_ext.kernel`. The `gpu.launch` keeps
// it:
//
//   vector_ext.kernel = {number = 3, rotate = true, slots = 0, threads = 256,
//                        way = "roles"}
//
// The mark of a persistent kernel also has `persist`. It has `groups` if groups
// of threads have tiles of their own, and `cluster` if workgroups of a cluster
// share tiles, and `exchange`, the rows of a tile, if its columns are rows of
// instructions. It has `copied` if the loops are rotated only when masks are
// copied to shared memory, and `loaded` if a role copies the operands of
// synchronous products.
//
// A later pass may find that a kernel cannot be compiled as chosen. It then
// records the mark on the op that it runs on (`vector_ext.refused`, an array),
// and fails. The pipeline starts again from the program with this record, and
// chooses differently for the kernels in it. A refused kernel that is `sync`
// gets small tiles.
//
// Only kernels for which there is a choice of ways are marked at first. If
// another one is refused, all kernels are marked from then on: the record has a
// mark with the number -1.
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
  /// The same, and a separate thread copies the tiles.
  Roles
};

/// Returns "sync", "async" or "roles".
StringRef getWayName(ProductWay way);

/// Whether rows of a product are columns of asynchronous instructions: never,
/// in kernels that are faster so, or in all of them.
enum class OperandExchange { Never, Auto, Always };

/// A set of ways in which a kernel may multiply.
struct ProductWays {
  /// The ways that may be chosen. `roles` has a workgroup for each tile.
  /// `persistent` has roles, too, but each workgroup computes several tiles.
  bool sync = true, async = false, roles = false, persistent = false;
  /// Whether a persistent kernel may have several groups of threads, each with
  /// tiles of its own.
  bool groups = true;
  /// Kernels with roles whose workgroups share tiles in clusters.
  bool clusters = false;
  OperandExchange exchange = OperandExchange::Never;

  bool contains(ProductWay way) const {
    return way == ProductWay::Sync    ? sync
           : way == ProductWay::Async ? async
                                      : roles;
  }
  bool anyRoles() const { return roles || persistent; }
  bool anyAsync() const { return async || anyRoles() || clusters; }

  /// Returns the set of the ways with these names, or `sync` alone if there are
  /// no names. Returns std::nullopt, with a message in `error`, if a name is
  /// unknown.
  static std::optional<ProductWays> parse(ArrayRef<std::string> names,
                                          std::string &error);
};

/// The choices for one kernel.
struct KernelMark {
  /// The number of the kernel in its module.
  int64_t number = 0;
  ProductWay way = ProductWay::Sync;
  /// Threads that compute.
  int64_t threads = 0;
  /// Whether loops order their products across iterations.
  bool rotate = false;
  /// The number of slots of a tile in shared memory. Before it is chosen: the
  /// most slots, where 0 sets no bound.
  int64_t slots = 0;
  /// 0 if each workgroup has one tile. Otherwise the kernel is persistent: it
  /// has no more workgroups than there are processors, and this is how tiles are
  /// dealt to them (`kDealtInOrder` and others, DealtTiles.h).
  int64_t persist = 0;
  /// Whether loops are rotated only if masks are copied to shared memory.
  /// Threads that read masks from global memory would lack registers.
  bool copied = false;
  /// Whether a workgroup is alone on its processor, so that its slots may take
  /// all shared memory.
  bool alone = false;
  /// For a persistent kernel with roles: the number of groups of `threads`
  /// threads that have tiles of their own and take turns.
  int64_t groups = 1;
  /// The workgroups of a cluster, which share tiles that they all read.
  int64_t cluster = 1;
  /// The rows of a tile, if the operands of products are exchanged: columns of
  /// the tile are rows of instructions, and its rows are their columns, of
  /// which there may be any multiple of 8. 0 if operands are not exchanged.
  int64_t exchange = 0;
  /// With roles: whether products are synchronous. Threads load what another
  /// role copies to shared memory.
  bool loaded = false;

  DictionaryAttr getAttr(MLIRContext *context) const;
};

/// Returns the name of a discardable unit attribute. It marks a contraction
/// whose instruction sums with fewer bits than its result has. The instruction
/// then starts from zero, and threads add its result to the accumulator.
std::string getShortSumsAttrName();

/// Returns the name of a discardable unit attribute. It marks a contraction
/// with an asynchronous instruction that continues the sums of the contraction
/// that computes its accumulator. The latter has no other user, and is not
/// awaited in between.
std::string getContinuesAttrName();

/// Returns the name of a discardable attribute of two booleans. It says which
/// operands of a contraction of integers are unsigned. Without it, none are.
std::string getUnsignedAttrName();

/// Returns the name of a discardable attribute of two types, floats of 8 bits.
/// It says which formats the bits of the operands of a contraction have. The
/// operands of a contraction have one type, so bits of another format are
/// bitcast to it. Without the attribute, the types of the operands say that.
std::string getFormatsAttrName();

/// Returns whether the bits of `a` may be used as those of `b`: the types are
/// equal, or both are floats of 8 bits.
bool haveSameBits(Type a, Type b);

/// Returns the type of the elements of a tile in shared memory, if elements of
/// type `source` are copied there for a tile of `tile`: that of what is copied,
/// or i8 for booleans, which are bytes in memory. Returns null if they are not
/// the elements of such a tile.
Type getCopiedType(Type source, Type tile);

/// Returns the name of a discardable i64 attribute of a `vector.transfer_read`:
/// a dimension of its vector. Along it, elements behind the end of the memory
/// may have any value, because no result that is stored depends on them. There
/// is at least one element in front of the end.
std::string getUnusedBehindAttrName();

/// Return the names of the discardable attributes for the mark of a kernel, and
/// for the array of refused marks.
std::string getKernelAttrName();
std::string getRefusedAttrName();

/// Reads a mark. Returns std::nullopt if `attr` is not a mark.
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

/// Whether all kernels of `scope` are to be marked, because one without a mark
/// was refused.
bool marksAllKernels(Operation *scope);

/// Whether kernel `number` of `scope` is to have small tiles.
bool needsSmallTiles(Operation *scope, int64_t number);

/// Returns `ways` without those that were refused for kernel `number` of
/// `scope`. If it cannot be persistent, a workgroup for each tile is still
/// possible.
ProductWays getRemainingWays(ProductWays ways, Operation *scope,
                             int64_t number);

/// Returns the most slots that kernel `number` of `scope` may have in this way,
/// persistent or not: one less than what was refused. 0 if nothing was refused.
int64_t getMostSlots(Operation *scope, int64_t number, ProductWay way,
                     bool persists);

/// What is refused: the number of slots, so that a smaller one is possible; the
/// way; or all asynchronous ways.
enum class Refused { Slots, Way, AllWays };

/// Records on `scope` that `kernel`, in `scope`, cannot be compiled as its mark
/// says. Returns false, and does nothing, if it is not marked async.
bool recordRefusal(Operation *scope, Operation *kernel, Refused what);

/// Records on `scope` that `kernel`, in `scope`, is too large. If it is async,
/// `what` is refused, otherwise its tiles. Returns false if it is not recorded:
/// it has small tiles already, or it has no mark. In the latter case, requests
/// marks for all kernels.
bool recordTooLarge(Operation *scope, Operation *kernel, Refused what);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_KERNELS_H
