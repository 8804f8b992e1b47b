//===- LinalgExtMPI.c - Collective operations on buffers ------------------===//
//
// What programs call that `linalg-ext-complete-sharding` has lowered. Compile this
// file, with LinalgExtCollectives.h beside it, with the mpicc of the MPI
// library that the processes run on:
//
//   mpicc -O2 -fPIC -shared LinalgExtMPI.c -o liblinalg_ext_mpi.so
//
// A buffer is an unranked memref: its rank, and a pointer to its descriptor.
// All buffers are contiguous. `grid` is a buffer of i64 with the shape of the
// shard.grid; the last axis varies fastest with the rank of a process in
// MPI_COMM_WORLD. Bit i of `axes` is set if axis i takes part.
//
//   int64_t linalg_ext_mpi_process_index(grid)
//       The index of this process in the grid.
//   void linalg_ext_mpi_check_size(size, grid, axes, argument, dim)
//       Ends the job if `size`, of dimension `dim` of an argument, is not the
//       same in all processes along `axes`.
//   void linalg_ext_mpi_all_reduce_TYPE(buffer, grid, axes, kind)
//       Replaces `buffer` by its sum (kind 1), maximum (2), minimum (3) or
//       product (4) over the processes along `axes`. NaNs propagate. f16 and
//       bf16 are reduced in f32, and rounded once.
//   void linalg_ext_mpi_all_gather_TYPE(part, whole, grid, axes, dim)
//       Concatenates `part` of the processes along `axes` in dimension `dim`.
//   void linalg_ext_mpi_all_to_all_TYPE(from, to, grid, axes, splitDim,
//   concatDim)
//       Cuts `from` in dimension `splitDim`, sends each process along `axes`
//       its piece, and concatenates what is received in dimension `concatDim`.
//   void linalg_ext_mpi_pass_start_TYPE(from, to, grid, axes)
//       Starts to send `from` to the next process along `axes`, and to receive
//       what the process before sends into `to`. The last sends to the first.
//   void linalg_ext_mpi_pass_wait_TYPE(from, to, grid, axes)
//       Waits for that. Nobody may write to `from` or access `to` before.
//
// TYPE is f16, bf16, f32, f64, i32 or i64; i1 (a byte), i8 and i16 are
// gathered, exchanged and passed, not reduced.
//
// The first call initialises MPI if the program has not, and then finalises it
// at exit. A communicator is made once for each set of axes. Whatever is wrong
// ends all processes with a message: a number of processes that is not that of
// the grid, or buffers that do not fit together.
//
//===----------------------------------------------------------------------===//

#include <mpi.h>

#include <limits.h>

typedef MPI_Comm Communicator;
#include "LinalgExtCollectives.h"

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static void *allocate(int64_t bytes) {
  void *memory = malloc(bytes > 0 ? (size_t)bytes : 1);
  check(memory != NULL, "free memory of bytes:", bytes, 0);
  return memory;
}

static MPI_Op maxF32, minF32, maxF64, minF64;

#define DEFINE_EXTREMUM(name, type, compare)                                   \
  static void name(void *in, void *inout, int *count, MPI_Datatype *unused) {  \
    (void)unused;                                                              \
    const type *a = (const type *)in;                                          \
    type *b = (type *)inout;                                                   \
    for (int i = 0; i < *count; ++i)                                           \
      if (a[i] != a[i] || a[i] compare b[i])                                   \
        b[i] = a[i];                                                           \
  }
DEFINE_EXTREMUM(combineMaxF32, float, >)
DEFINE_EXTREMUM(combineMinF32, float, <)
DEFINE_EXTREMUM(combineMaxF64, double, >)
DEFINE_EXTREMUM(combineMinF64, double, <)

static void finalize(void) {
  int isFinalized = 0;
  MPI_Finalized(&isFinalized);
  if (!isFinalized)
    MPI_Finalize();
}

static void initialize(void) {
  static int isReady = 0;
  if (isReady)
    return;
  isReady = 1;
  int isInitialized = 0;
  MPI_Initialized(&isInitialized);
  if (!isInitialized) {
    MPI_Init(NULL, NULL);
    atexit(finalize);
  }
  MPI_Op_create(combineMaxF32, 1, &maxF32);
  MPI_Op_create(combineMinF32, 1, &minF32);
  MPI_Op_create(combineMaxF64, 1, &maxF64);
  MPI_Op_create(combineMinF64, 1, &minF64);
}

static void endJob(void) {
  MPI_Abort(MPI_COMM_WORLD, 1);
  abort();
}

static void getProcess(int64_t *index, int64_t *count) {
  initialize();
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  *index = rank;
  *count = size;
}

static MPI_Comm split(int color, int index, int size) {
  (void)size;
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, color, index, &comm);
  return comm;
}

static void reduceToMinima(int64_t values[2], const Group *group) {
  MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INT64_T, MPI_MIN, group->comm);
}

//===----------------------------------------------------------------------===//
// All-reduce
//===----------------------------------------------------------------------===//

static void allReduce(void *data, int64_t count, int64_t bytes,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  for (int64_t done = 0; done < count; done += INT_MAX) {
    int64_t now = count - done < INT_MAX ? count - done : INT_MAX;
    MPI_Allreduce(MPI_IN_PLACE, (char *)data + done * bytes, (int)now, type, op,
                  comm);
  }
}

static MPI_Op getOp(int64_t kind, MPI_Op max, MPI_Op min) {
  check(kind >= 1 && kind <= 4, "a kind of reduction of at most", 4, kind);
  return kind == 1 ? MPI_SUM : kind == 2 ? max : kind == 3 ? min : MPI_PROD;
}

// `max` and `min` are evaluated after the first call has created them.
#define DEFINE_ALL_REDUCE(name, type, mpiType, max, min)                       \
  void linalg_ext_mpi_all_reduce_##name(int64_t rank, void *descriptor,        \
                                        int64_t gridRank, const void *grid,    \
                                        int64_t axes, int64_t kind) {          \
    MPI_Comm comm = getGroup(gridRank, grid, axes)->comm;                      \
    Buffer buffer = getBuffer(rank, descriptor);                               \
    allReduce((type *)buffer.data + buffer.offset, getCount(&buffer),          \
              sizeof(type), mpiType, getOp(kind, max, min), comm);             \
  }
DEFINE_ALL_REDUCE(f32, float, MPI_FLOAT, maxF32, minF32)
DEFINE_ALL_REDUCE(f64, double, MPI_DOUBLE, maxF64, minF64)
DEFINE_ALL_REDUCE(i32, int32_t, MPI_INT32_T, MPI_MAX, MPI_MIN)
DEFINE_ALL_REDUCE(i64, int64_t, MPI_INT64_T, MPI_MAX, MPI_MIN)

static float fromBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
static uint32_t toBits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float widenBF16(uint16_t half) { return fromBits((uint32_t)half << 16); }

static uint16_t roundBF16(float value) {
  uint32_t bits = toBits(value);
  if (value != value)
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float widenF16(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) // infinity, NaN
    return fromBits(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude < 0x400) { // zero, subnormal
    float value = (float)magnitude * 0x1p-24f;
    return sign ? -value : value;
  }
  return fromBits(sign | ((magnitude << 13) + (112u << 23)));
}

static uint16_t roundF16(float value) {
  uint32_t bits = toBits(value);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) // NaN
    return sign | 0x7e00;
  if (magnitude >= 0x477ff000) // rounds to infinity
    return sign | 0x7c00;
  if (magnitude < 0x38800000) // subnormal: the addition rounds to even
    return sign | (uint16_t)(toBits(fromBits(magnitude) + 0.5f) - 0x3f000000);
  magnitude -= 112u << 23;
  return sign | (uint16_t)((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13);
}

#define DEFINE_ALL_REDUCE_HALF(name, widen, narrow)                            \
  void linalg_ext_mpi_all_reduce_##name(int64_t rank, void *descriptor,        \
                                        int64_t gridRank, const void *grid,    \
                                        int64_t axes, int64_t kind) {          \
    MPI_Comm comm = getGroup(gridRank, grid, axes)->comm;                      \
    Buffer buffer = getBuffer(rank, descriptor);                               \
    int64_t count = getCount(&buffer);                                         \
    uint16_t *halves = (uint16_t *)buffer.data + buffer.offset;                \
    float *wide = (float *)allocate(count * (int64_t)sizeof(float));           \
    for (int64_t i = 0; i < count; ++i)                                        \
      wide[i] = widen(halves[i]);                                              \
    allReduce(wide, count, sizeof(float), MPI_FLOAT,                           \
              getOp(kind, maxF32, minF32), comm);                              \
    for (int64_t i = 0; i < count; ++i)                                        \
      halves[i] = narrow(wide[i]);                                             \
    free(wide);                                                                \
  }
DEFINE_ALL_REDUCE_HALF(f16, widenF16, roundF16)
DEFINE_ALL_REDUCE_HALF(bf16, widenBF16, roundBF16)

//===----------------------------------------------------------------------===//
// All-gather
//===----------------------------------------------------------------------===//

/// Makes a type for messages of `bytes` bytes, such that their number `units`
/// fits into an int. `unit` is the size of an element.
static MPI_Datatype makeUnit(int64_t bytes, int64_t unit, int *units) {
  while (bytes / unit > INT_MAX)
    unit *= 2;
  if (bytes % unit != 0)
    unit = bytes;
  check(unit <= INT_MAX, "a part of bytes, at most", INT_MAX, unit);
  MPI_Datatype type;
  MPI_Type_contiguous((int)unit, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  *units = (int)(bytes / unit);
  return type;
}

static void allGather(Buffer part, Buffer whole, int64_t bytes, int64_t dim,
                      const Group *group) {
  Blocks blocks = getBlocks(&part, &whole, dim, group);
  if (blocks.count == 0)
    return;
  char *from = getStart(&part, bytes), *to = getStart(&whole, bytes);
  int64_t block = blocks.block * bytes;
  char *gathered = blocks.outer == 1
                       ? to
                       : (char *)allocate(blocks.count * group->size * bytes);
  int units = 0;
  MPI_Datatype type = makeUnit(blocks.count * bytes, bytes, &units);
  MPI_Allgather(from, units, type, gathered, units, type, group->comm);
  MPI_Type_free(&type);
  if (blocks.outer == 1)
    return;
  for (int64_t process = 0; process < group->size; ++process)
    for (int64_t i = 0; i < blocks.outer; ++i)
      memcpy(to + (i * group->size + process) * block,
             gathered + (process * blocks.outer + i) * block, (size_t)block);
  free(gathered);
}

//===----------------------------------------------------------------------===//
// All-to-all
//===----------------------------------------------------------------------===//

static void allToAll(Buffer from, Buffer to, int64_t bytes, int64_t splitDim,
                     int64_t concatDim, const Group *group) {
  Pieces pieces = getPieces(&from, &to, splitDim, concatDim, group);
  if (pieces.count == 0)
    return;
  char *start = getStart(&from, bytes), *end = getStart(&to, bytes);
  int64_t piece = pieces.count * bytes, length = pieces.length * bytes;
  char *sent = (char *)allocate(piece * group->size);
  char *received = (char *)allocate(piece * group->size);
  int64_t inFrom = 0, inTo = 0;
  for (int64_t process = 0; process < group->size; ++process)
    for (int64_t run = 0; run < pieces.runs; ++run) {
      getRun(&pieces, run, process, &inFrom, &inTo);
      memcpy(sent + process * piece + run * length, start + inFrom * bytes,
             (size_t)length);
    }
  int units = 0;
  MPI_Datatype type = makeUnit(piece, bytes, &units);
  MPI_Alltoall(sent, units, type, received, units, type, group->comm);
  MPI_Type_free(&type);
  for (int64_t process = 0; process < group->size; ++process)
    for (int64_t run = 0; run < pieces.runs; ++run) {
      getRun(&pieces, run, process, &inFrom, &inTo);
      memcpy(end + inTo * bytes, received + process * piece + run * length,
             (size_t)length);
    }
  free(sent);
  free(received);
}

//===----------------------------------------------------------------------===//
// Parts that travel around a ring
//===----------------------------------------------------------------------===//

enum { MAX_PASSES = 64 };

typedef struct {
  const char *from;
  MPI_Request requests[2];
} Pass;

static Pass passes[MAX_PASSES];
static int numPasses;

static void passStart(Buffer from, Buffer to, int64_t bytes,
                      const Group *group) {
  int64_t count = getCount(&from);
  check(getCount(&to) == count, "a number of elements of", count,
        getCount(&to));
  check(numPasses < MAX_PASSES, "a number of passes at a time of at most",
        MAX_PASSES, numPasses + 1);
  Pass *pass = &passes[numPasses++];
  pass->from = getStart(&from, bytes);
  // Processes start their passes in the same order, and messages between two of
  // them do not overtake each other.
  int units = 0;
  MPI_Datatype type = makeUnit(count > 0 ? count * bytes : 1, bytes, &units);
  if (count == 0)
    units = 0;
  MPI_Irecv(getStart(&to, bytes), units, type,
            (group->index + group->size - 1) % group->size, 0, group->comm,
            &pass->requests[0]);
  MPI_Isend((void *)pass->from, units, type, (group->index + 1) % group->size,
            0, group->comm, &pass->requests[1]);
  MPI_Type_free(&type);
}

static void passWait(Buffer from, int64_t bytes) {
  const char *start = getStart(&from, bytes);
  for (int i = 0; i < numPasses; ++i) {
    if (passes[i].from != start)
      continue;
    MPI_Status statuses[2];
    MPI_Waitall(2, passes[i].requests, statuses);
    passes[i] = passes[--numPasses];
    return;
  }
  check(0, "a pass that has been started, among", numPasses, 0);
}
