//===- SharedAccess.h - Registers to shared memory and back -----*- C++ -*-===//
//
// A tile in registers (`Layout`) and in shared memory (`SharedLayout`)
// determine how threads can move it: with which vectors, whether ldmatrix
// (stmatrix) fits, in how many wavefronts. All of it is found by looking at the
// address of every register of every thread, so that no swizzle, padding or
// replication is forgotten.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LAYOUT_SHAREDACCESS_H
#define MLIR_EXT_LAYOUT_SHAREDACCESS_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir-ext/Layout/SharedMemory.h"

#include <vector>

namespace mlir::layout {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The byte offset of every register of every thread: a table of
/// shared.getByteOffset(layout.getCoordinate(owner)). Requires equal shapes.
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

/// How many lanes an access of `bytes` bytes a lane serves at once: as many as
/// 128 bytes suffice for, at most 32.
int64_t getLanesPerPhase(int64_t bytes);

/// How many wavefronts one access of `bytes` bytes (a power of two up to 16) at
/// `offsets`, one a lane, takes: the lanes go in phases (getLanesPerPhase); a
/// phase takes as many wavefronts as the bank that is asked for the most
/// distinct words. Lanes that ask for the same word share it.
int64_t getNumWavefronts(llvm::ArrayRef<int64_t> offsets, int64_t bytes);

/// What moving a tile takes a subgroup (the slowest of them).
struct AccessCost {
  int64_t numInstructions = 0;
  int64_t numWavefronts = 0;
  /// What numWavefronts is without bank conflicts.
  int64_t minWavefronts = 0;

  bool isConflictFree() const { return numWavefronts == minWavefronts; }
  /// Issue slots and wavefronts.
  int64_t getTotal() const { return numInstructions + numWavefronts; }
};

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Registers that every thread can load, or store, at once.
struct VectorAccess {
  /// In the order of their addresses, which are consecutive.
  llvm::SmallVector<int64_t> registers;
  /// The width of the access; the first address is a multiple of it.
  int64_t bytes = 0;
};

/// Cuts the registers of `layout` into the widest accesses of up to `maxBytes`
/// bytes; each register is in one of them. Groups are the same in every thread.
/// Requires equal shapes.
llvm::SmallVector<VectorAccess> getVectorAccesses(const Layout &layout,
                                                  const SharedLayout &shared,
                                                  int64_t maxBytes = 16);

AccessCost getCost(llvm::ArrayRef<VectorAccess> accesses, const Layout &layout,
                   const SharedLayout &shared);

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

/// One ldmatrix (or stmatrix) of 1, 2 or 4 matrices of 8 rows of 16 bytes. Lane
/// `8 * m + i` supplies the address of row i of matrix m, and lane l receives
/// the word l % 4 of row l / 4; transposed (16-bit elements only), the column
/// l / 4 of rows 2 * (l % 4) and 2 * (l % 4) + 1.
struct MatrixAccess {
  bool isTransposed = false;
  /// For each matrix the registers that its word fills, low bits first: two of
  /// 16 bits.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 4> registers;

  int64_t getNumMatrices() const { return registers.size(); }

  /// The owner of the first element of the row whose address `lane` supplies:
  /// that address is the byte offset of layout.getCoordinate(owner). Lanes
  /// beyond the last matrix, whose address is not used, repeat the first ones.
  Owner getRowOwner(int64_t subgroup, int64_t lane) const;
};

/// Finds the ldmatrix instructions that load every register of `layout`, as
/// many matrices at a time as possible; plain if that fits, else transposed.
/// Fails, with `reason` set, where neither does. Requires equal shapes.
/// (stmatrix has the same geometry; of replicated elements each replica is
/// stored.)
std::optional<llvm::SmallVector<MatrixAccess>>
getMatrixAccesses(const Layout &layout, const SharedLayout &shared,
                  std::string *reason = nullptr);

AccessCost getCost(llvm::ArrayRef<MatrixAccess> accesses, const Layout &layout,
                   const SharedLayout &shared);

//===----------------------------------------------------------------------===//
// The choice of a layout in shared memory
//===----------------------------------------------------------------------===//

struct SharedLayoutOptions {
  /// Whether the reader may use ldmatrix, and the writer stmatrix.
  bool matrixLoads = true;
  bool matrixStores = false;

  bool operator==(const SharedLayoutOptions &other) const {
    return matrixLoads == other.matrixLoads &&
           matrixStores == other.matrixStores;
  }
};

struct SharedLayoutChoice {
  SharedLayout layout;
  AccessCost write, read;
  /// Whether the costs are those of stmatrix and ldmatrix.
  bool writesMatrices = false, readsMatrices = false;

  bool isConflictFree() const {
    return write.isConflictFree() && read.isConflictFree();
  }
};

/// Chooses where to put a tile that threads write from the registers of
/// `writer` and read into those of `reader`: of every contiguous dimension and
/// of plain rows, panels and swizzles of 128, 64 and 32 bytes, swizzles of
/// whole rows and padded rows, the one of the least cost (instructions and
/// wavefronts of writing and reading); of equals the smallest, then the first
/// in this order. Requires equal shapes and widths that SharedLayout knows.
SharedLayoutChoice chooseSharedLayout(const Layout &writer,
                                      const Layout &reader, int64_t bitWidth,
                                      const SharedLayoutOptions &options = {});

/// Remembers choices: the layers of a program ask for the same ones, and each
/// takes milliseconds.
class SharedLayoutChoices {
public:
  /// chooseSharedLayout of the same.
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
/// numbered along the contiguous dimension first, so that neighbours are next
/// to each other in global memory; of n threads, thread t copies the chunks t,
/// t + n, t + 2 n, ...
struct AsyncCopy {
  int64_t chunkBytes = 0;
  int64_t numChunks = 0;

  int64_t getChunksPerThread(int64_t numThreads) const {
    return (numChunks + numThreads - 1) / numThreads;
  }
  /// The chunk that `thread` copies in its round `index`, or nothing if none is
  /// left.
  std::optional<int64_t> getChunk(int64_t thread, int64_t index,
                                  int64_t numThreads) const {
    int64_t chunk = thread + index * numThreads;
    return chunk < numChunks ? std::optional<int64_t>(chunk) : std::nullopt;
  }
};

/// Finds the widest chunks (16, 8 or 4 bytes) in which cp.async can copy a tile
/// whose dimension `contiguousDim` is contiguous in global memory, and whose
/// rows start there at multiples of `globalAlignment` bytes. Fails, with
/// `reason` set, if there are none.
std::optional<AsyncCopy> getAsyncCopy(const SharedLayout &shared,
                                      unsigned contiguousDim,
                                      int64_t globalAlignment,
                                      std::string *reason = nullptr);

/// The coordinate of the first element of a chunk: the others follow it along
/// the contiguous dimension, in global memory as in shared, where the chunk is
/// at shared.getByteOffset(coordinate).
llvm::SmallVector<int64_t> getChunkCoordinate(const AsyncCopy &copy,
                                              const SharedLayout &shared,
                                              int64_t chunk);

} // namespace mlir::layout

#endif // MLIR_EXT_LAYOUT_SHAREDACCESS_H
