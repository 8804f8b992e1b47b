/* A stand-in for NCCL and for the functions of CUDA's driver that LinalgExtNCCL.c calls,
 * over MPI, with memory of the host in place of memory of GPUs. Streams are in order:
 * what is sent or received in a group has arrived when the group ends, unless
 * FAKE_NCCL_LATE is set. Then it arrives when a stream waits for the event behind it, so
 * programs that do not wait compute with what was there before.
 *   FAKE_NCCL_WITHOUT_CONTEXT  there is no context
 *   FAKE_NCCL_FAIL             ncclAllReduce returns 3
 */
#include <mpi.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char bytes[128];
} UniqueId;

enum { MAX_REQUESTS = 4096 };
static MPI_Request requests[MAX_REQUESTS];
static int numRequests;

static void finish(void) {
  for (int i = 0; i < numRequests; ++i)
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  numRequests = 0;
}

static void finalize(void) {
  finish();
  MPI_Finalize();
}

int ncclGetUniqueId(UniqueId *id) {
  memset(id, 42, sizeof(*id));
  return 0;
}

int ncclCommInitRank(void **comm, int size, UniqueId id, int rank) {
  int found = 0;
  for (size_t i = 0; i < sizeof(id); ++i)
    if (id.bytes[i] != 42)
      return 4;
  MPI_Init(NULL, NULL);
  atexit(finalize);
  MPI_Comm_size(MPI_COMM_WORLD, &found);
  if (found != size)
    return 4;
  MPI_Comm_rank(MPI_COMM_WORLD, &found);
  if (found != rank)
    return 4;
  MPI_Comm *made = (MPI_Comm *)malloc(sizeof(MPI_Comm));
  *made = MPI_COMM_WORLD;
  *comm = made;
  return 0;
}

int ncclCommSplit(void *comm, int color, int key, void **part, void *config) {
  (void)config;
  MPI_Comm *made = (MPI_Comm *)malloc(sizeof(MPI_Comm));
  MPI_Comm_split(*(MPI_Comm *)comm, color, key, made);
  *part = made;
  return 0;
}

const char *ncclGetErrorString(int status) {
  return status == 3 ? "internal error" : "invalid argument";
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int op,
                  void *comm, void *stream) {
  (void)stream;
  if (getenv("FAKE_NCCL_FAIL"))
    return 3;
  MPI_Datatype types[] = {MPI_BYTE, MPI_BYTE,      MPI_INT32_T, MPI_BYTE,
                          MPI_INT64_T, MPI_BYTE, MPI_BYTE,    MPI_FLOAT,
                          MPI_DOUBLE};
  MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
  if (type < 0 || type > 8 || types[type] == MPI_BYTE || op < 0 || op > 3)
    return 4;
  MPI_Allreduce(from == to ? MPI_IN_PLACE : from, to, (int)count, types[type],
                ops[op], *(MPI_Comm *)comm);
  return 0;
}

int ncclAllGather(const void *from, void *to, size_t count, int type, void *comm,
                  void *stream) {
  (void)stream;
  if (type != 0)
    return 4;
  MPI_Allgather(from, (int)count, MPI_BYTE, to, (int)count, MPI_BYTE,
                *(MPI_Comm *)comm);
  return 0;
}

int ncclSend(const void *from, size_t count, int type, int peer, void *comm,
             void *stream) {
  (void)stream;
  if (type != 0 || numRequests == MAX_REQUESTS)
    return 4;
  MPI_Isend(from, (int)count, MPI_BYTE, peer, 0, *(MPI_Comm *)comm,
            &requests[numRequests++]);
  return 0;
}

int ncclRecv(void *to, size_t count, int type, int peer, void *comm,
             void *stream) {
  (void)stream;
  if (type != 0 || numRequests == MAX_REQUESTS)
    return 4;
  MPI_Irecv(to, (int)count, MPI_BYTE, peer, 0, *(MPI_Comm *)comm,
            &requests[numRequests++]);
  return 0;
}

int ncclGroupStart(void) { return 0; }
int ncclGroupEnd(void) {
  if (!getenv("FAKE_NCCL_LATE"))
    finish();
  return 0;
}

static int events;

int cuCtxGetCurrent(void **context) {
  *context = getenv("FAKE_NCCL_WITHOUT_CONTEXT") ? NULL : &events;
  return 0;
}
int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return 0;
}
int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  *stream = flags == 1 && priority == -5 ? &events : NULL;
  return 0;
}
int cuEventCreate(void **event, unsigned flags) {
  *event = flags == 2 ? malloc(1) : NULL;
  return 0;
}
int cuEventRecord(void *event, void *stream) {
  (void)stream;
  return event ? 0 : 1;
}
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  /* The default stream is that of the program. */
  if (!stream)
    finish();
  return event && flags == 0 ? 0 : 1;
}
int cuStreamSynchronize(void *stream) {
  (void)stream;
  return 0;
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  *address = (unsigned long long)(size_t)malloc(bytes);
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  memcpy((void *)(size_t)to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  memcpy(to, (void *)(size_t)from, bytes);
  return 0;
}
