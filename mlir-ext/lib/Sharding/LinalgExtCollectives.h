//===- LinalgExtCollectives.h - What libraries of collectives share -------===//
//
// Included by LinalgExtMPI.c and LinalgExtNCCL.c, and by nothing else: buffers,
// the groups of processes that call an operation together, and which elements
// go where. A file that includes this defines `Communicator` before, and the
// functions that are declared below.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SHARDING_LINALGEXTCOLLECTIVES_H
#define MLIR_EXT_LIB_SHARDING_LINALGEXTCOLLECTIVES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 16 };

/// The processes that differ only along `axes` of a grid.
typedef struct {
  int64_t rank, shape[MAX_AXES], axes;
  Communicator comm;
  int size, index; // of this process
} Group;

// Each library defines these functions. `endJob` ends all processes, and does
// not return.
static void endJob(void);
/// Returns the number of this process, and how many there are. The first call
/// initialises the library.
static void getProcess(int64_t *index, int64_t *count);
/// Returns a communicator of the processes with the same `color`, ordered by
/// `index`.
static Communicator split(int color, int index, int size);
/// Replaces `values` by their minima over the processes of a group.
static void reduceToMinima(int64_t values[2], const Group *group);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void fail(const char *message) {
  fprintf(stderr, "linalg-ext: %s\n", message);
  fflush(stderr);
  endJob();
}

static void check(int isRight, const char *expected, int64_t want,
                  int64_t found) {
  if (isRight)
    return;
  char text[256];
  snprintf(text, sizeof(text), "expected %s %lld, got %lld", expected,
           (long long)want, (long long)found);
  fail(text);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// The descriptor of a memref: allocated pointer, aligned pointer, offset,
// sizes, strides.
typedef struct {
  char *data; // without the offset
  int64_t offset, rank;
  const int64_t *sizes, *strides;
} Buffer;

static Buffer getBuffer(int64_t rank, const void *descriptor) {
  Buffer buffer;
  const char *fields = (const char *)descriptor;
  memcpy(&buffer.data, fields + sizeof(void *), sizeof(void *));
  const int64_t *numbers = (const int64_t *)(fields + 2 * sizeof(void *));
  buffer.offset = numbers[0];
  buffer.rank = rank;
  buffer.sizes = numbers + 1;
  buffer.strides = numbers + 1 + rank;
  return buffer;
}

static char *getStart(const Buffer *buffer, int64_t bytes) {
  return buffer->data + buffer->offset * bytes;
}

static int64_t getCount(const Buffer *buffer) {
  int64_t count = 1;
  for (int64_t dim = buffer->rank - 1; dim >= 0; --dim) {
    check(buffer->sizes[dim] == 1 || buffer->strides[dim] == count,
          "a contiguous buffer with the stride", count, buffer->strides[dim]);
    count *= buffer->sizes[dim];
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Groups of processes
//===----------------------------------------------------------------------===//

static Group *groups;
static int64_t numGroups;

static Buffer getGrid(int64_t rank, const void *descriptor, int64_t *index) {
  int64_t count = 0;
  getProcess(index, &count);
  Buffer grid = getBuffer(rank, descriptor);
  check(rank == 1, "a grid as a buffer of rank", 1, rank);
  check(grid.sizes[0] <= MAX_AXES, "a number of axes of at most", MAX_AXES,
        grid.sizes[0]);
  int64_t processes = 1;
  for (int64_t axis = 0; axis < grid.sizes[0]; ++axis)
    processes *= ((const int64_t *)grid.data)[grid.offset + axis];
  check(count == processes, "a number of processes of", processes, count);
  return grid;
}

/// Returns the group of this process along `axes`. It is valid until the next
/// call.
static const Group *getGroup(int64_t gridRank, const void *gridDescriptor,
                             int64_t axes) {
  int64_t process = 0;
  Buffer grid = getGrid(gridRank, gridDescriptor, &process);
  int64_t rank = grid.sizes[0];
  const int64_t *shape = (const int64_t *)grid.data + grid.offset;
  for (int64_t i = 0; i < numGroups; ++i)
    if (groups[i].rank == rank && groups[i].axes == axes &&
        memcmp(groups[i].shape, shape, rank * sizeof(int64_t)) == 0)
      return &groups[i];
  // Processes that differ only along `axes` are one group, in their order.
  int color = 0, index = 0, colorStride = 1, stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    int position = (int)(process % shape[axis]);
    process /= shape[axis];
    if (axes >> axis & 1) {
      index += position * stride;
      stride *= (int)shape[axis];
    } else {
      color += position * colorStride;
      colorStride *= (int)shape[axis];
    }
  }
  Group group = {.rank = rank, .axes = axes, .size = stride, .index = index};
  memcpy(group.shape, shape, rank * sizeof(int64_t));
  group.comm = split(color, index, stride);
  groups = (Group *)realloc(groups, (numGroups + 1) * sizeof(Group));
  check(groups != NULL, "free memory of bytes:", sizeof(Group), 0);
  groups[numGroups++] = group;
  return &groups[numGroups - 1];
}

int64_t linalg_ext_mpi_process_index(int64_t gridRank, const void *grid) {
  int64_t index = 0;
  getGrid(gridRank, grid, &index);
  return index;
}

void linalg_ext_mpi_check_size(int64_t size, int64_t gridRank, const void *grid,
                               int64_t axes, int64_t argument, int64_t dim) {
  // Compare the smallest size and the smallest negated size over all processes.
  int64_t bounds[2] = {size, -size};
  reduceToMinima(bounds, getGroup(gridRank, grid, axes));
  if (bounds[0] == -bounds[1])
    return;
  char text[256];
  snprintf(
      text, sizeof(text),
      "expected parts of the same size in dimension %lld of argument %lld, "
      "got from %lld to %lld, here %lld",
      (long long)dim, (long long)argument, (long long)bounds[0],
      (long long)-bounds[1], (long long)size);
  fail(text);
}

//===----------------------------------------------------------------------===//
// Which elements go where
//===----------------------------------------------------------------------===//

/// The parts of an all-gather: `outer` blocks of `block` elements, each
/// contiguous in the part and in the whole.
typedef struct {
  int64_t count, outer, block;
} Blocks;

static Blocks getBlocks(const Buffer *part, const Buffer *whole, int64_t dim,
                        const Group *group) {
  check(part->rank == whole->rank && dim < part->rank, "buffers of rank",
        whole->rank, part->rank);
  Blocks blocks = {.count = getCount(part), .outer = 1};
  check(getCount(whole) == blocks.count * group->size,
        "a number of elements of", blocks.count * group->size, getCount(whole));
  for (int64_t i = 0; i < dim; ++i)
    blocks.outer *= part->sizes[i];
  blocks.block = blocks.count == 0 ? 0 : blocks.count / blocks.outer;
  return blocks;
}

/// What two processes exchange in an all-to-all: `runs` runs of `length`
/// elements, each contiguous in both buffers.
typedef struct {
  const Buffer *from, *to;
  int64_t splitDim, concatDim, last;
  int64_t count, runs, length; // of one piece
} Pieces;

static Pieces getPieces(const Buffer *from, const Buffer *to, int64_t splitDim,
                        int64_t concatDim, const Group *group) {
  check(from->rank == to->rank && splitDim < from->rank &&
            concatDim < from->rank,
        "buffers of rank", to->rank, from->rank);
  int64_t count = getCount(from);
  check(getCount(to) == count, "a number of elements of", count, getCount(to));
  check(from->sizes[splitDim] == to->sizes[splitDim] * group->size,
        "a size to split of", to->sizes[splitDim] * group->size,
        from->sizes[splitDim]);
  Pieces pieces = {.from = from,
                   .to = to,
                   .splitDim = splitDim,
                   .concatDim = concatDim,
                   .last = splitDim > concatDim ? splitDim : concatDim,
                   .count = count / group->size,
                   .runs = 1,
                   .length = 1};
  for (int64_t dim = 0; dim < from->rank; ++dim) {
    int64_t size = dim == splitDim ? to->sizes[dim] : from->sizes[dim];
    *(dim < pieces.last ? &pieces.runs : &pieces.length) *= size;
  }
  return pieces;
}

/// Computes where run `run` of the piece for process `to` begins in the sent
/// buffer, and where that of process `from` begins in the received buffer.
static void getRun(const Pieces *pieces, int64_t run, int64_t process,
                   int64_t *inFrom, int64_t *inTo) {
  *inFrom = *inTo = 0;
  for (int64_t dim = pieces->last; dim >= 0; --dim) {
    int64_t size = dim == pieces->splitDim ? pieces->to->sizes[dim]
                                           : pieces->from->sizes[dim];
    int64_t index = 0;
    if (dim < pieces->last) {
      index = run % size;
      run /= size;
    }
    int64_t shifted = index + process * size;
    int64_t fromStride = 1, toStride = 1;
    for (int64_t inner = dim + 1; inner < pieces->from->rank; ++inner) {
      fromStride *= pieces->from->sizes[inner];
      toStride *= pieces->to->sizes[inner];
    }
    *inFrom += (dim == pieces->splitDim ? shifted : index) * fromStride;
    *inTo += (dim == pieces->concatDim ? shifted : index) * toStride;
  }
}

//===----------------------------------------------------------------------===//
// The functions that move elements
//===----------------------------------------------------------------------===//

static void allGather(Buffer part, Buffer whole, int64_t bytes, int64_t dim,
                      const Group *group);
static void allToAll(Buffer from, Buffer to, int64_t bytes, int64_t splitDim,
                     int64_t concatDim, const Group *group);
static void passStart(Buffer from, Buffer to, int64_t bytes,
                      const Group *group);
static void passWait(Buffer from, int64_t bytes);

#define LINALG_EXT_DEFINE_MOVES(name, bytes)                                   \
  void linalg_ext_mpi_all_gather_##name(int64_t partRank, const void *part,    \
                                        int64_t wholeRank, const void *whole,  \
                                        int64_t gridRank, const void *grid,    \
                                        int64_t axes, int64_t dim) {           \
    allGather(getBuffer(partRank, part), getBuffer(wholeRank, whole), bytes,   \
              dim, getGroup(gridRank, grid, axes));                            \
  }                                                                            \
  void linalg_ext_mpi_all_to_all_##name(                                       \
      int64_t fromRank, const void *from, int64_t toRank, const void *to,      \
      int64_t gridRank, const void *grid, int64_t axes, int64_t splitDim,      \
      int64_t concatDim) {                                                     \
    allToAll(getBuffer(fromRank, from), getBuffer(toRank, to), bytes,          \
             splitDim, concatDim, getGroup(gridRank, grid, axes));             \
  }                                                                            \
  void linalg_ext_mpi_pass_start_##name(                                       \
      int64_t fromRank, const void *from, int64_t toRank, const void *to,      \
      int64_t gridRank, const void *grid, int64_t axes) {                      \
    passStart(getBuffer(fromRank, from), getBuffer(toRank, to), bytes,         \
              getGroup(gridRank, grid, axes));                                 \
  }                                                                            \
  void linalg_ext_mpi_pass_wait_##name(                                        \
      int64_t fromRank, const void *from, int64_t toRank, const void *to,      \
      int64_t gridRank, const void *grid, int64_t axes) {                      \
    (void)toRank, (void)to, (void)gridRank, (void)grid, (void)axes;            \
    passWait(getBuffer(fromRank, from), bytes);                                \
  }
LINALG_EXT_DEFINE_MOVES(i1, 1)
LINALG_EXT_DEFINE_MOVES(i8, 1)
LINALG_EXT_DEFINE_MOVES(i16, 2)
LINALG_EXT_DEFINE_MOVES(f16, 2)
LINALG_EXT_DEFINE_MOVES(bf16, 2)
LINALG_EXT_DEFINE_MOVES(f32, 4)
LINALG_EXT_DEFINE_MOVES(f64, 8)
LINALG_EXT_DEFINE_MOVES(i32, 4)
LINALG_EXT_DEFINE_MOVES(i64, 8)

#endif // MLIR_EXT_LIB_SHARDING_LINALGEXTCOLLECTIVES_H
