//===- LinalgExtNCCL.c - Collective operations on NVIDIA GPUs -------------===//
//
// The functions of LinalgExtMPI.c for buffers in memory of GPUs, over NCCL. One
// process for each GPU. Build it with any C compiler:
//
//   cc -O2 -fPIC -shared LinalgExtNCCL.c -o liblinalg_ext_nccl.so
//
// Neither NCCL nor CUDA is needed for that: libnccl.so.2 (or what LINALG_EXT_NCCL
// names) and libcuda.so.1 (or LINALG_EXT_CUDA) are loaded by the first call.
//
// A launcher calls, besides the functions of LinalgExtMPI.c,
//
//   const char *linalg_ext_nccl_error(void)
//       Loads the libraries. Returns why they cannot be used; null if they can.
//   void linalg_ext_nccl_initialize(int64_t rank, int64_t size, const void *id)
//       Says which process this is, and how many there are. `id` is a ncclUniqueId
//       that one process has made and all have. All processes call this, with the
//       context of their GPU current.
//   void linalg_ext_nccl_unique_id(void *id)
//       Makes one: 128 bytes.
//   void linalg_ext_nccl_set_stream(void *stream)
//       The operations that follow run in this stream of CUDA: behind what is in it,
//       and before what comes. They return at once.
//
// Programs that do not call linalg_ext_nccl_initialize take the rank and the number of
// processes from RANK and WORLD_SIZE (torchrun), or from what mpirun and srun set, and
// pass the id in a file that LINALG_EXT_NCCL_ID names. It must not exist before.
//
// Parts that travel (pass_start, pass_wait) have a stream of their own, so kernels run
// meanwhile. Sums of f16 and bf16 are rounded by NCCL at each step, and maxima and
// minima are those of NCCL where an element is NaN.
//
// Whatever is wrong ends the process with a message, and launchers (mpirun, srun,
// torchrun) then end the others.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void fail(const char *message) {
  fprintf(stderr, "linalg-ext: %s\n", message);
  fflush(stderr);
  _exit(1);
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
// Libraries
//===----------------------------------------------------------------------===//

typedef struct {
  char bytes[128];
} UniqueId;

/// X(name, symbol, parameters)
#define LINALG_EXT_NCCL_ENTRIES(X)                                             \
  X(getUniqueId, "ncclGetUniqueId", (UniqueId *))                              \
  X(initRank, "ncclCommInitRank", (void **, int, UniqueId, int))               \
  X(split, "ncclCommSplit", (void *, int, int, void **, void *))               \
  X(allReduce, "ncclAllReduce",                                                \
    (const void *, void *, size_t, int, int, void *, void *))                  \
  X(allGather, "ncclAllGather",                                                \
    (const void *, void *, size_t, int, void *, void *))                       \
  X(send, "ncclSend", (const void *, size_t, int, int, void *, void *))        \
  X(receive, "ncclRecv", (void *, size_t, int, int, void *, void *))           \
  X(groupStart, "ncclGroupStart", (void))                                      \
  X(groupEnd, "ncclGroupEnd", (void))
#define LINALG_EXT_CUDA_ENTRIES(X)                                             \
  X(getContext, "cuCtxGetCurrent", (void **))                                  \
  X(createStream, "cuStreamCreate", (void **, unsigned))                       \
  X(createEvent, "cuEventCreate", (void **, unsigned))                         \
  X(record, "cuEventRecord", (void *, void *))                                 \
  X(waitForEvent, "cuStreamWaitEvent", (void *, void *, unsigned))             \
  X(synchronize, "cuStreamSynchronize", (void *))                              \
  X(allocate, "cuMemAlloc_v2", (unsigned long long *, size_t))                 \
  X(copyToDevice, "cuMemcpyHtoD_v2",                                           \
    (unsigned long long, const void *, size_t))                                \
  X(copyFromDevice, "cuMemcpyDtoH_v2", (void *, unsigned long long, size_t))

#define DECLARE(name, symbol, parameters) int(*name) parameters;
static struct {
  LINALG_EXT_NCCL_ENTRIES(DECLARE)
  const char *(*getErrorString)(int);
} nccl;
static struct {
  LINALG_EXT_CUDA_ENTRIES(DECLARE)
} cuda;
#undef DECLARE

static char libraryError[512];

static void *openLibrary(const char *variable, const char *name,
                         const char *what) {
  const char *given = getenv(variable);
  void *library =
      dlopen(given && *given ? given : name, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    snprintf(libraryError, sizeof(libraryError), "expected %s: %s", what,
             dlerror());
  return library;
}

static void *findSymbol(void *library, const char *symbol, const char *what) {
  void *address = dlsym(library, symbol);
  if (!address && !*libraryError)
    snprintf(libraryError, sizeof(libraryError), "expected %s with %s, got one "
             "without", what, symbol);
  return address;
}

const char *linalg_ext_nccl_error(void) {
  static int isLoaded = 0;
  if (isLoaded)
    return NULL;
  libraryError[0] = 0;
  void *library = openLibrary("LINALG_EXT_NCCL", "libnccl.so.2",
                              "NCCL, version 2.18 or later");
  if (!library)
    return libraryError;
#define FIND(name, symbol, parameters)                                         \
  *(void **)&nccl.name = findSymbol(library, symbol, "NCCL, version 2.18 or "  \
                                    "later,");
  LINALG_EXT_NCCL_ENTRIES(FIND)
#undef FIND
  *(void **)&nccl.getErrorString =
      findSymbol(library, "ncclGetErrorString", "NCCL");
  if (*libraryError)
    return libraryError;
  library = openLibrary("LINALG_EXT_CUDA", "libcuda.so.1", "CUDA's driver");
  if (!library)
    return libraryError;
#define FIND(name, symbol, parameters)                                         \
  *(void **)&cuda.name = findSymbol(library, symbol, "CUDA's driver");
  LINALG_EXT_CUDA_ENTRIES(FIND)
#undef FIND
  if (*libraryError)
    return libraryError;
  isLoaded = 1;
  return NULL;
}

static void checkNCCL(int status, const char *call) {
  if (status == 0)
    return;
  char text[512];
  snprintf(text, sizeof(text), "%s: %s (%d)", call, nccl.getErrorString(status),
           status);
  fail(text);
}

static void checkCUDA(int status, const char *call) {
  check(status == 0, call, 0, status);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// The descriptor of a memref: allocated, aligned, offset, sizes, strides.
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
// Processes
//===----------------------------------------------------------------------===//

enum { MAX_AXES = 16 };

typedef struct {
  int64_t rank, shape[MAX_AXES], axes;
  void *comm;
  int size, index;
} Group;

static Group *groups;
static int64_t numGroups;
/// All processes: ncclComm_t.
static void *world;
static int64_t worldRank = -1, worldSize;
static void *computeStream, *passStream;

static void load(void) {
  const char *error = linalg_ext_nccl_error();
  if (error)
    fail(error);
}

/// The number that one of the variables has; -1 if there is none.
static int64_t getNumber(const char *const *variables) {
  for (; *variables; ++variables) {
    const char *text = getenv(*variables);
    char *end = NULL;
    if (!text || !*text)
      continue;
    errno = 0;
    int64_t number = strtoll(text, &end, 10);
    if (errno == 0 && *end == 0 && number >= 0)
      return number;
  }
  return -1;
}

static void findProcess(void) {
  static const char *const ranks[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                      "PMIX_RANK", "SLURM_PROCID", NULL};
  static const char *const sizes[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE",
                                      "PMI_SIZE", "SLURM_NTASKS", NULL};
  if (worldRank >= 0)
    return;
  worldRank = getNumber(ranks);
  worldSize = getNumber(sizes);
  if (worldRank < 0 || worldSize < 1 || worldRank >= worldSize)
    fail("expected RANK and WORLD_SIZE in the environment, or mpirun or srun, or "
         "a call of linalg_ext_nccl_initialize before");
}

void linalg_ext_nccl_unique_id(void *id) {
  load();
  UniqueId made;
  checkNCCL(nccl.getUniqueId(&made), "ncclGetUniqueId");
  memcpy(id, &made, sizeof(made));
}

void linalg_ext_nccl_initialize(int64_t rank, int64_t size, const void *id) {
  load();
  check(size >= 1 && rank >= 0 && rank < size, "a rank below", size, rank);
  check(world == NULL, "a number of initialisations of", 1, 2);
  void *context = NULL;
  checkCUDA(cuda.getContext(&context), "cuCtxGetCurrent to return");
  if (!context)
    fail("expected a current context of CUDA, got none: choose a GPU first");
  UniqueId unique;
  memcpy(&unique, id, sizeof(unique));
  worldRank = rank;
  worldSize = size;
  checkNCCL(nccl.initRank(&world, (int)size, unique, (int)rank),
            "ncclCommInitRank");
}

void linalg_ext_nccl_set_stream(void *stream) { computeStream = stream; }

/// Passes the id of all processes in a file.
static void initializeWithFile(void) {
  findProcess();
  load();
  const char *path = getenv("LINALG_EXT_NCCL_ID");
  UniqueId id;
  memset(&id, 0, sizeof(id));
  if (!path || !*path)
    fail("expected LINALG_EXT_NCCL_ID to name a file that no process has made yet, "
         "or a call of linalg_ext_nccl_initialize before");
  if (worldRank == 0) {
    char name[4096];
    if (access(path, F_OK) == 0)
      fail("expected LINALG_EXT_NCCL_ID to name a file that does not exist, got one "
           "that does");
    checkNCCL(nccl.getUniqueId(&id), "ncclGetUniqueId");
    snprintf(name, sizeof(name), "%s.%ld", path, (long)getpid());
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(&id, sizeof(id), 1, file) != 1 || fclose(file) != 0 ||
        rename(name, path) != 0)
      fail("expected LINALG_EXT_NCCL_ID to name a file that can be written");
  } else {
    enum { SECONDS = 60 };
    struct timespec pause = {0, 10 * 1000 * 1000};
    FILE *file = NULL;
    for (int i = 0; i < SECONDS * 100 && !(file = fopen(path, "rb")); ++i)
      nanosleep(&pause, NULL);
    if (!file || fread(&id, sizeof(id), 1, file) != 1)
      fail("expected process 0 to write the file that LINALG_EXT_NCCL_ID names in "
           "60 seconds");
    fclose(file);
  }
  int64_t rank = worldRank, size = worldSize;
  linalg_ext_nccl_initialize(rank, size, &id);
  // All processes have read it by now.
  if (rank == 0)
    unlink(path);
}

static Buffer getGrid(int64_t rank, const void *descriptor) {
  findProcess();
  Buffer grid = getBuffer(rank, descriptor);
  check(rank == 1, "a grid as a buffer of rank", 1, rank);
  check(grid.sizes[0] <= MAX_AXES, "a number of axes of at most", MAX_AXES,
        grid.sizes[0]);
  int64_t processes = 1;
  for (int64_t axis = 0; axis < grid.sizes[0]; ++axis)
    processes *= ((const int64_t *)grid.data)[grid.offset + axis];
  check(worldSize == processes, "a number of processes of", processes,
        worldSize);
  return grid;
}

static const Group *getGroup(int64_t gridRank, const void *gridDescriptor,
                             int64_t axes) {
  Buffer grid = getGrid(gridRank, gridDescriptor);
  int64_t rank = grid.sizes[0];
  const int64_t *shape = (const int64_t *)grid.data + grid.offset;
  for (int64_t i = 0; i < numGroups; ++i)
    if (groups[i].rank == rank && groups[i].axes == axes &&
        memcmp(groups[i].shape, shape, rank * sizeof(int64_t)) == 0)
      return &groups[i];
  if (!world)
    initializeWithFile();
  int64_t index = worldRank;
  // Processes that differ along `axes` alone are one group, in order.
  int color = 0, key = 0, colorStride = 1, keyStride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    int position = (int)(index % shape[axis]);
    index /= shape[axis];
    if (axes >> axis & 1) {
      key += position * keyStride;
      keyStride *= (int)shape[axis];
    } else {
      color += position * colorStride;
      colorStride *= (int)shape[axis];
    }
  }
  Group group = {.rank = rank, .axes = axes, .size = keyStride, .index = key};
  memcpy(group.shape, shape, rank * sizeof(int64_t));
  if (keyStride == worldSize)
    group.comm = world;
  else
    checkNCCL(nccl.split(world, color, key, &group.comm, NULL),
              "ncclCommSplit");
  groups = (Group *)realloc(groups, (numGroups + 1) * sizeof(Group));
  if (!groups)
    fail("out of memory");
  groups[numGroups++] = group;
  return &groups[numGroups - 1];
}

int64_t linalg_ext_mpi_process_index(int64_t gridRank, const void *grid) {
  getGrid(gridRank, grid);
  return worldRank;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Enumerators of ncclDataType_t.
enum {
  NCCL_I8 = 0,
  NCCL_I32 = 2,
  NCCL_I64 = 4,
  NCCL_F16 = 6,
  NCCL_F32 = 7,
  NCCL_F64 = 8,
  NCCL_BF16 = 9
};

static void allReduce(Buffer buffer, int64_t bytes, int type, int64_t kind,
                      const Group *group) {
  // Of ncclRedOp_t: sum, maximum, minimum, product.
  static const int ops[] = {0, 2, 3, 1};
  check(kind >= 1 && kind <= 4, "a kind of reduction of at most", 4, kind);
  char *data = buffer.data + buffer.offset * bytes;
  checkNCCL(nccl.allReduce(data, data, (size_t)getCount(&buffer), type,
                           ops[kind - 1], group->comm, computeStream),
            "ncclAllReduce");
}

static void allGather(Buffer part, Buffer whole, int64_t bytes, int64_t dim,
                      const Group *group) {
  check(part.rank == whole.rank && dim < part.rank, "buffers of rank",
        whole.rank, part.rank);
  int64_t count = getCount(&part);
  check(getCount(&whole) == count * group->size, "a number of elements of",
        count * group->size, getCount(&whole));
  if (count == 0)
    return;
  const char *from = part.data + part.offset * bytes;
  char *to = whole.data + whole.offset * bytes;
  // Blocks of one process that are contiguous in the result: one gather for each.
  int64_t outer = 1;
  for (int64_t i = 0; i < dim; ++i)
    outer *= part.sizes[i];
  int64_t block = count / outer * bytes;
  checkNCCL(nccl.groupStart(), "ncclGroupStart");
  for (int64_t i = 0; i < outer; ++i)
    checkNCCL(nccl.allGather(from + i * block, to + i * block * group->size,
                             (size_t)block, NCCL_I8, group->comm,
                             computeStream),
              "ncclAllGather");
  checkNCCL(nccl.groupEnd(), "ncclGroupEnd");
}

// Waits for what is in the stream, so that programs whose sizes are all static are
// faster.
static void checkSize(int64_t size, const Group *group, int64_t argument,
                      int64_t dim) {
  static unsigned long long buffer = 0;
  if (!buffer)
    checkCUDA(cuda.allocate(&buffer, 2 * sizeof(int64_t)),
              "cuMemAlloc to return");
  // The least size, and the least negative one.
  int64_t bounds[2] = {size, -size};
  checkCUDA(cuda.synchronize(computeStream), "cuStreamSynchronize to return");
  checkCUDA(cuda.copyToDevice(buffer, bounds, sizeof(bounds)),
            "cuMemcpyHtoD to return");
  enum { MINIMUM = 3 };
  checkNCCL(nccl.allReduce((void *)(uintptr_t)buffer, (void *)(uintptr_t)buffer,
                           2, NCCL_I64, MINIMUM, group->comm, computeStream),
            "ncclAllReduce");
  checkCUDA(cuda.synchronize(computeStream), "cuStreamSynchronize to return");
  checkCUDA(cuda.copyFromDevice(bounds, buffer, sizeof(bounds)),
            "cuMemcpyDtoH to return");
  if (bounds[0] == -bounds[1])
    return;
  char text[256];
  snprintf(text, sizeof(text),
           "expected parts of the same size in dimension %lld of argument %lld, "
           "got from %lld to %lld, here %lld",
           (long long)dim, (long long)argument, (long long)bounds[0],
           (long long)-bounds[1], (long long)size);
  fail(text);
}

void linalg_ext_mpi_check_size(int64_t size, int64_t gridRank, const void *grid,
                               int64_t axes, int64_t argument, int64_t dim) {
  checkSize(size, getGroup(gridRank, grid, axes), argument, dim);
}

//===----------------------------------------------------------------------===//
// Parts that travel around a ring
//===----------------------------------------------------------------------===//

enum { MAX_PASSES = 64 };

typedef struct {
  const char *from; // null if there is none
  void *isReady, *isDone;
} Pass;

static Pass passes[MAX_PASSES];

static void passStart(Buffer from, Buffer to, int64_t bytes,
                      const Group *group) {
  enum { NON_BLOCKING = 1, WITHOUT_TIME = 2 };
  int64_t count = getCount(&from);
  check(getCount(&to) == count, "a number of elements of", count,
        getCount(&to));
  int number = 0;
  while (number < MAX_PASSES && passes[number].from)
    ++number;
  check(number < MAX_PASSES, "a number of passes at a time of at most",
        MAX_PASSES, number + 1);
  Pass *pass = &passes[number];
  if (!passStream)
    checkCUDA(cuda.createStream(&passStream, NON_BLOCKING),
              "cuStreamCreate to return");
  if (!pass->isReady) {
    checkCUDA(cuda.createEvent(&pass->isReady, WITHOUT_TIME),
              "cuEventCreate to return");
    checkCUDA(cuda.createEvent(&pass->isDone, WITHOUT_TIME),
              "cuEventCreate to return");
  }
  pass->from = from.data + from.offset * bytes;
  // Behind the launches that wrote `from` or read `to`.
  checkCUDA(cuda.record(pass->isReady, computeStream),
            "cuEventRecord to return");
  checkCUDA(cuda.waitForEvent(passStream, pass->isReady, 0),
            "cuStreamWaitEvent to return");
  checkNCCL(nccl.groupStart(), "ncclGroupStart");
  checkNCCL(nccl.send(pass->from, (size_t)(count * bytes), NCCL_I8,
                      (group->index + 1) % group->size, group->comm, passStream),
            "ncclSend");
  checkNCCL(nccl.receive(to.data + to.offset * bytes, (size_t)(count * bytes),
                         NCCL_I8,
                         (group->index + group->size - 1) % group->size,
                         group->comm, passStream),
            "ncclRecv");
  checkNCCL(nccl.groupEnd(), "ncclGroupEnd");
  checkCUDA(cuda.record(pass->isDone, passStream), "cuEventRecord to return");
}

static void passWait(Buffer from, int64_t bytes) {
  const char *start = from.data + from.offset * bytes;
  for (int i = 0; i < MAX_PASSES; ++i) {
    if (passes[i].from != start)
      continue;
    checkCUDA(cuda.waitForEvent(computeStream, passes[i].isDone, 0),
              "cuStreamWaitEvent to return");
    passes[i].from = NULL;
    return;
  }
  fail("expected a pass that has been started, got none");
}

//===----------------------------------------------------------------------===//
// The functions that programs call
//===----------------------------------------------------------------------===//

#define DEFINE_ALL_REDUCE(name, bytes, type)                                   \
  void linalg_ext_mpi_all_reduce_##name(int64_t rank, const void *buffer,      \
                                        int64_t gridRank, const void *grid,    \
                                        int64_t axes, int64_t kind) {          \
    allReduce(getBuffer(rank, buffer), bytes, type, kind,                      \
              getGroup(gridRank, grid, axes));                                 \
  }
DEFINE_ALL_REDUCE(f16, 2, NCCL_F16)
DEFINE_ALL_REDUCE(bf16, 2, NCCL_BF16)
DEFINE_ALL_REDUCE(f32, 4, NCCL_F32)
DEFINE_ALL_REDUCE(f64, 8, NCCL_F64)
DEFINE_ALL_REDUCE(i32, 4, NCCL_I32)
DEFINE_ALL_REDUCE(i64, 8, NCCL_I64)

#define DEFINE_MOVES(name, bytes)                                              \
  void linalg_ext_mpi_all_gather_##name(                                       \
      int64_t partRank, const void *part, int64_t wholeRank,                   \
      const void *whole, int64_t gridRank, const void *grid, int64_t axes,     \
      int64_t dim) {                                                           \
    allGather(getBuffer(partRank, part), getBuffer(wholeRank, whole), bytes,   \
              dim, getGroup(gridRank, grid, axes));                            \
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
DEFINE_MOVES(i1, 1)
DEFINE_MOVES(i8, 1)
DEFINE_MOVES(i16, 2)
DEFINE_MOVES(f16, 2)
DEFINE_MOVES(bf16, 2)
DEFINE_MOVES(f32, 4)
DEFINE_MOVES(f64, 8)
DEFINE_MOVES(i32, 4)
DEFINE_MOVES(i64, 8)
