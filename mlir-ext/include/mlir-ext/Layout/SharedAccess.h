//===- SharedAccess.h - Accesses to tiles in shared memory ------*- C++ -*-===//
//
// A layout in registers (`Layout`) and a layout in shared memory
// (`SharedLayout`) determine how threads can move a tile between the two: with
// which vector accesses, whether with ldmatrix (stmatrix), and in how many
// wavefronts. This library finds it by checking the address of every register
// of every thread. So it covers every swizzle, padding and replication.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_SHAREDACCESS_H
#define MLIR_EXT_LAYOUT_SHAREDACCESS_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Layout/SharedMemory.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::layout {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The byte offset of every register of every thread: a table of
/// shared.getByteOffset(layout.getCoordinate(owner)). The shapes of both
/// layouts must be equal.
class ByteOffsets {
public:
  ByteOffsets(const Layout &layout, const SharedLayout &shared);

  int64_t get(int64_t subgroup, int64_t lane, int64_t reg) const {
    return offsets[(subgroup * numLanes + lane) * numRegisters + reg];
  }
  int64_t get(const Owner &owner) const {
    return get(owner.subgroup, owner.lane, owner.reg);
  }

  const int64_t numLanes, numRegisters, numSubgroups;

private:
  std::vector<int64_t> offsets;
};

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

/// Shared memory has 32 banks of 4 bytes.
constexpr int64_t kBankBytes = 4;
constexpr int64_t kNumBanks = 32;

/// Returns the number of lanes that shared memory serves at once, if each lane
/// accesses `bytes` bytes. Together they access at most 128 bytes, and they are
/// at most 32.
int64_t getLanesPerPhase(int64_t bytes);

/// Returns the number of wavefronts of one access. Each lane accesses `bytes`
/// bytes (a power of two up to 16) at its entry of `offsets`. The lanes go in
/// phases (getLanesPerPhase). A phase takes one wavefront for each distinct
/// word in the bank with the most distinct words. Lanes that access the same
/// word share it.
int64_t getNumWavefronts(llvm::ArrayRef<int64_t> offsets, int64_t bytes);

/// The cost of moving a tile, for the slowest subgroup.
struct AccessCost {
  int64_t numInstructions = 0;
  int64_t numWavefronts = 0;
  /// The number of wavefronts without bank conflicts.
  int64_t minWavefronts = 0;

  bool isConflictFree() const { return numWavefronts == minWavefronts; }
  /// Returns the sum of instructions and wavefronts.
  int64_t getTotal() const { return numInstructions + numWavefronts; }
};

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Registers that every thread can load or store with one vector access.
struct VectorAccess {
  /// The registers, in the order of their addresses, which are consecutive.
  llvm::SmallVector<int64_t> registers;
  /// The width of the access in bytes. The first address is a multiple of it.
  int64_t bytes = 0;
};

/// Groups the registers of `layout` into the widest accesses of up to
/// `maxBytes` bytes. Each register is in one access. The groups are the same in
/// every thread. The shapes of both layouts must be equal.
llvm::SmallVector<VectorAccess> getVectorAccesses(const Layout &layout,
                                                  const SharedLayout &shared,
                                                  int64_t maxBytes = 16);

AccessCost getCost(llvm::ArrayRef<VectorAccess> accesses, const Layout &layout,
                   const SharedLayout &shared);

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

/// One ldmatrix (or stmatrix) of 1, 2 or 4 matrices of 8 rows of 16 bytes. Lane
/// `8 * m + i` supplies the address of row i of matrix m. Lane l receives word
/// l % 4 of row l / 4. Transposed (16-bit elements only), it receives column l
/// / 4 of rows 2 * (l % 4) and 2 * (l % 4) + 1.
struct MatrixAccess {
  bool isTransposed = false;
  /// For each matrix: the registers that its word fills, low bits first. These
  /// are two registers for elements of 16 bits.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 4> registers;

  int64_t getNumMatrices() const { return registers.size(); }

  /// Returns the owner of the first element of the row whose address `lane`
  /// supplies. The address is the byte offset of layout.getCoordinate(owner).
  /// Lanes after the last matrix repeat the first ones; their addresses are not
  /// used.
  Owner getRowOwner(int64_t subgroup, int64_t lane) const;
};

/// Finds ldmatrix instructions that load every register of `layout`, with as
/// many matrices at a time as possible. Prefers the plain form to the
/// transposed one. Fails, with `reason` set, if neither fits. The shapes of
/// both layouts must be equal. (stmatrix has the same geometry; it stores every
/// replica of an element.)
std::optional<llvm::SmallVector<MatrixAccess>>
getMatrixAccesses(const Layout &layout, const SharedLayout &shared,
                  std::string *reason = nullptr);

AccessCost getCost(llvm::ArrayRef<MatrixAccess> accesses, const Layout &layout,
                   const SharedLayout &shared);

//===----------------------------------------------------------------------===//
// Transposing loads
//===----------------------------------------------------------------------===//

/// One transposing load of elements of 16 bits (ds_read_b64_tr_b16 of CDNA4).
/// Each lane supplies the address of a chunk of four elements. Of every 16
/// lanes, chunk l has columns 4 * (l % 4) to 4 * (l % 4) + 3 of row l / 4 of a
/// matrix of 4 x 16, and lane l receives the four elements of column l.
struct TransposeAccess {
  /// The registers that the four rows fill.
  std::array<int64_t, 4> registers;

  /// Returns the owner of the first element of the chunk whose address `lane`
  /// supplies.
  Owner getChunkOwner(int64_t subgroup, int64_t lane) const;
};

/// Finds transposing loads that load every register of `layout`. Fails, with
/// `reason` set, if they do not fit. The shapes of both layouts must be equal.
std::optional<llvm::SmallVector<TransposeAccess>>
getTransposeAccesses(const Layout &layout, const SharedLayout &shared,
                     std::string *reason = nullptr);

AccessCost getCost(llvm::ArrayRef<TransposeAccess> accesses,
                   const Layout &layout, const SharedLayout &shared);

//===----------------------------------------------------------------------===//
// Copies in order of lanes
//===----------------------------------------------------------------------===//

/// Copies of a tile from global memory that fill shared memory in the order of
/// lanes (buffer_load_dwordx4 with lds, of CDNA4): each lane has the address of
/// 16 bytes in global memory, and a subgroup fills as many bytes for all of its
/// lanes, one lane behind the other. Swizzles permute what lanes read.
struct LaneCopy {
  static constexpr int64_t kBytes = 16;
  int64_t numLanes = 1, numSubgroups = 1;
  /// The number of copies of each thread.
  int64_t numCopies = 0;

  /// Returns the byte offset of what a lane copies.
  int64_t getByteOffset(int64_t copy, int64_t subgroup, int64_t lane) const {
    return ((copy * numSubgroups + subgroup) * numLanes + lane) * kBytes;
  }
};

/// Finds the copies of a tile whose dimension `contiguousDim` is contiguous in
/// global memory. Fails, with `reason` set, if 16 bytes in shared memory are
/// not next to each other in global memory, or if threads do not have equally
/// many of them.
std::optional<LaneCopy> getLaneCopy(const SharedLayout &shared,
                                    unsigned contiguousDim, int64_t numLanes,
                                    int64_t numSubgroups,
                                    std::string *reason = nullptr);

//===----------------------------------------------------------------------===//
// The choice of a layout in shared memory
//===----------------------------------------------------------------------===//

struct SharedLayoutOptions {
  /// Whether the reader may use ldmatrix, and the writer stmatrix.
  bool matrixLoads = true;
  bool matrixStores = false;
  /// Whether the reader may use transposing loads.
  bool transposeLoads = false;
  /// If set, the tile is not written from registers: it is copied in the order
  /// of lanes (`LaneCopy`), and this dimension is contiguous in global memory.
  std::optional<unsigned> laneCopyDim = std::nullopt;

  bool operator==(const SharedLayoutOptions &other) const {
    return matrixLoads == other.matrixLoads &&
           matrixStores == other.matrixStores &&
           transposeLoads == other.transposeLoads &&
           laneCopyDim == other.laneCopyDim;
  }
};

struct SharedLayoutChoice {
  SharedLayout layout;
  AccessCost write, read;
  /// Whether the costs are those of stmatrix (write) and ldmatrix (read).
  bool writesMatrices = false, readsMatrices = false;

  bool isConflictFree() const {
    return write.isConflictFree() && read.isConflictFree();
  }
};

/// Chooses the layout in shared memory for a tile that threads write from the
/// registers of `writer` and read into those of `reader`. The candidates are,
/// for every contiguous dimension: plain rows; panels with swizzles of 128, 64
/// and 32 bytes; swizzled whole rows; padded rows. The choice has the least
/// cost (instructions and wavefronts of writing and reading), then the smallest
/// size, then the first place in this order. If no candidate can be copied as
/// `options` ask for, the choice is among those that are written. The shapes
/// must be equal, and SharedLayout must support `bitWidth`.
SharedLayoutChoice chooseSharedLayout(const Layout &writer,
                                      const Layout &reader, int64_t bitWidth,
                                      const SharedLayoutOptions &options = {});

/// A cache of choices. The layers of a program need the same choices, and each
/// takes milliseconds to compute.
class SharedLayoutChoices {
public:
  /// Returns chooseSharedLayout of the same arguments.
  SharedLayoutChoice choose(const Layout &writer, const Layout &reader,
                            int64_t bitWidth,
                            const SharedLayoutOptions &options = {});

private:
  struct Choice {
    Layout writer, reader;
    int64_t bitWidth;
    SharedLayoutOptions options;
    SharedLayoutChoice choice;
  };
  std::vector<Choice> choices;
};

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// A copy of a tile from global memory in chunks of equal size. Chunks are
/// numbered along the contiguous dimension first, so that neighbours are
/// adjacent in global memory. Of n threads, thread t copies the chunks t, t +
/// n, t + 2 n, ...
struct AsyncCopy {
  int64_t chunkBytes = 0;
  int64_t numChunks = 0;

  int64_t getChunksPerThread(int64_t numThreads) const {
    return (numChunks + numThreads - 1) / numThreads;
  }
  /// Returns the chunk that `thread` copies in round `index`, or std::nullopt
  /// if no chunk is left.
  std::optional<int64_t> getChunk(int64_t thread, int64_t index,
                                  int64_t numThreads) const {
    int64_t chunk = thread + index * numThreads;
    return chunk < numChunks ? std::optional<int64_t>(chunk) : std::nullopt;
  }
};

/// Finds the widest chunks (16, 8 or 4 bytes) with which cp.async can copy a
/// tile. In global memory, dimension `contiguousDim` is contiguous, and rows
/// start at multiples of `globalAlignment` bytes. Fails, with `reason` set, if
/// no chunk fits.
std::optional<AsyncCopy> getAsyncCopy(const SharedLayout &shared,
                                      unsigned contiguousDim,
                                      int64_t globalAlignment,
                                      std::string *reason = nullptr);

/// Returns the coordinate of the first element of a chunk. The other elements
/// follow along the contiguous dimension, in global memory as in shared memory.
/// In shared memory the chunk starts at shared.getByteOffset(coordinate).
llvm::SmallVector<int64_t> getChunkCoordinate(const AsyncCopy &copy,
                                              const SharedLayout &shared,
                                              int64_t chunk);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_SHAREDACCESS_H
