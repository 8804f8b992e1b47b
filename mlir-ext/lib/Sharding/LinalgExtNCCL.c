//===- LinalgExtNCCL.c - Collective operations on NVIDIA GPUs -------------===//
//
// The functions of LinalgExtMPI.c for buffers in memory of GPUs, over NCCL. One
// process for each GPU. Build it, with
// LinalgExtCollectives.h beside it, with any C compiler:
//
//   cc -O2 -fPIC -shared LinalgExtNCCL.c -o liblinalg_ext_nccl.so
//
// Neither NCCL nor CUDA is needed for that: libnccl.so.2 (or what
// LINALG_EXT_NCCL names) and libcuda.so.1 (or LINALG_EXT_CUDA) are loaded by
// the first call.
//
// A launcher calls, besides the functions of LinalgExtMPI.c,
//
//   const char *linalg_ext_nccl_error(void)
//       Loads the libraries. Returns why they cannot be used; null if they can.
//   void linalg_ext_nccl_initialize(int64_t rank, int64_t size, const void *id)
//       Says which process this is, and how many there are. `id` is a
//       ncclUniqueId that one process has made and all have. All processes call
//       this, with the context of their GPU current.
//   void linalg_ext_nccl_unique_id(void *id)
//       Makes one: 128 bytes.
//   void linalg_ext_nccl_set_stream(void *stream)
//       The operations that follow run in this stream of CUDA: behind what is
//       in it, and before what comes. They return at once.
//
// Programs that do not call linalg_ext_nccl_initialize take the rank and the
// number of processes from RANK and WORLD_SIZE (torchrun), or from what mpirun
// and srun set, and pass the id in a file that LINALG_EXT_NCCL_ID names. It
// must not exist before.
//
// Parts that travel (pass_start, pass_wait) have a stream of their own, so
// kernels run meanwhile. Sums of f16 and bf16 are rounded by NCCL at each step,
// and maxima and minima are those of NCCL where an element is NaN.
//
// Whatever is wrong ends the process with a message, and launchers (mpirun,
// srun, torchrun) then end the others.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

typedef void *Communicator; // ncclComm_t
#include "LinalgExtCollectives.h"

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
  X(getPriorities, "cuCtxGetStreamPriorityRange", (int *, int *))              \
  X(createStream, "cuStreamCreateWithPriority", (void **, unsigned, int))      \
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
// Processes
//===----------------------------------------------------------------------===//

/// The communicator of all processes, an ncclComm_t.
static void *world;
static int64_t worldRank = -1, worldSize;
static void *computeStream, *passStream;

static void load(void) {
  const char *error = linalg_ext_nccl_error();
  if (error)
    fail(error);
}

/// Returns the number in the first of the environment variables that is set, or
/// -1.
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
  // By now, all processes have read the file.
  if (rank == 0)
    unlink(path);
}

static void endJob(void) { _exit(1); }

static void getProcess(int64_t *index, int64_t *count) {
  findProcess();
  *index = worldRank;
  *count = worldSize;
}

static void *split(int color, int index, int size) {
  if (!world)
    initializeWithFile();
  if (size == worldSize)
    return world;
  void *comm = NULL;
  checkNCCL(nccl.split(world, color, index, &comm, NULL), "ncclCommSplit");
  return comm;
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
  // Enumerators of ncclRedOp_t for sum, maximum, minimum and product.
  static const int ops[] = {0, 2, 3, 1};
  check(kind >= 1 && kind <= 4, "a kind of reduction of at most", 4, kind);
  char *data = getStart(&buffer, bytes);
  checkNCCL(nccl.allReduce(data, data, (size_t)getCount(&buffer), type,
                           ops[kind - 1], group->comm, computeStream),
            "ncclAllReduce");
}

static void allGather(Buffer part, Buffer whole, int64_t bytes, int64_t dim,
                      const Group *group) {
  Blocks blocks = getBlocks(&part, &whole, dim, group);
  if (blocks.count == 0)
    return;
  const char *from = getStart(&part, bytes);
  char *to = getStart(&whole, bytes);
  int64_t block = blocks.block * bytes;
  checkNCCL(nccl.groupStart(), "ncclGroupStart");
  for (int64_t i = 0; i < blocks.outer; ++i)
    checkNCCL(nccl.allGather(from + i * block, to + i * block * group->size,
                             (size_t)block, NCCL_I8, group->comm,
                             computeStream),
              "ncclAllGather");
  checkNCCL(nccl.groupEnd(), "ncclGroupEnd");
}

// Between two processes, messages arrive in the order in which they are sent.
static void allToAll(Buffer from, Buffer to, int64_t bytes, int64_t splitDim,
                     int64_t concatDim, const Group *group) {
  Pieces pieces = getPieces(&from, &to, splitDim, concatDim, group);
  if (pieces.count == 0)
    return;
  size_t length = (size_t)(pieces.length * bytes);
  checkNCCL(nccl.groupStart(), "ncclGroupStart");
  for (int process = 0; process < group->size; ++process)
    for (int64_t run = 0; run < pieces.runs; ++run) {
      int64_t inFrom = 0, inTo = 0;
      getRun(&pieces, run, process, &inFrom, &inTo);
      checkNCCL(nccl.send(getStart(&from, bytes) + inFrom * bytes, length,
                          NCCL_I8, process, group->comm, computeStream),
                "ncclSend");
      checkNCCL(nccl.receive(getStart(&to, bytes) + inTo * bytes, length,
                             NCCL_I8, process, group->comm, computeStream),
                "ncclRecv");
    }
  checkNCCL(nccl.groupEnd(), "ncclGroupEnd");
}

// Waits for the work in the stream. This makes programs with only static sizes
// faster, because they do not call it.
static void reduceToMinima(int64_t values[2], const Group *group) {
  static unsigned long long buffer = 0;
  enum { BYTES = 2 * sizeof(int64_t), MINIMUM = 3 };
  if (!buffer)
    checkCUDA(cuda.allocate(&buffer, BYTES), "cuMemAlloc to return");
  checkCUDA(cuda.synchronize(computeStream), "cuStreamSynchronize to return");
  checkCUDA(cuda.copyToDevice(buffer, values, BYTES), "cuMemcpyHtoD to return");
  checkNCCL(nccl.allReduce((void *)(uintptr_t)buffer, (void *)(uintptr_t)buffer,
                           2, NCCL_I64, MINIMUM, group->comm, computeStream),
            "ncclAllReduce");
  checkCUDA(cuda.synchronize(computeStream), "cuStreamSynchronize to return");
  checkCUDA(cuda.copyFromDevice(values, buffer, BYTES),
            "cuMemcpyDtoH to return");
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
  if (!passStream) {
    // The transfer of parts runs on processors of the GPU, too. With this
    // priority it gets them before workgroups of other kernels.
    int least = 0, greatest = 0;
    checkCUDA(cuda.getPriorities(&least, &greatest),
              "cuCtxGetStreamPriorityRange to return");
    checkCUDA(cuda.createStream(&passStream, NON_BLOCKING, greatest),
              "cuStreamCreateWithPriority to return");
  }
  if (!pass->isReady) {
    checkCUDA(cuda.createEvent(&pass->isReady, WITHOUT_TIME),
              "cuEventCreate to return");
    checkCUDA(cuda.createEvent(&pass->isDone, WITHOUT_TIME),
              "cuEventCreate to return");
  }
  pass->from = getStart(&from, bytes);
  // The transfer must follow the launches that wrote `from` or read `to`.
  checkCUDA(cuda.record(pass->isReady, computeStream),
            "cuEventRecord to return");
  checkCUDA(cuda.waitForEvent(passStream, pass->isReady, 0),
            "cuStreamWaitEvent to return");
  checkNCCL(nccl.groupStart(), "ncclGroupStart");
  checkNCCL(nccl.send(pass->from, (size_t)(count * bytes), NCCL_I8,
                      (group->index + 1) % group->size, group->comm, passStream),
            "ncclSend");
  checkNCCL(nccl.receive(getStart(&to, bytes), (size_t)(count * bytes), NCCL_I8,
                         (group->index + group->size - 1) % group->size,
                         group->comm, passStream),
            "ncclRecv");
  checkNCCL(nccl.groupEnd(), "ncclGroupEnd");
  checkCUDA(cuda.record(pass->isDone, passStream), "cuEventRecord to return");
}

static void passWait(Buffer from, int64_t bytes) {
  const char *start = getStart(&from, bytes);
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
