/* A stand-in for CUDA's driver, or, with FAKE_HIP, for that of AMD GPUs, for machines
 * without a GPU. A launch takes 1 ms for
 * a block of 256 threads and longer for smaller ones, and writes 1.0 of f32 to all
 * memory that was filled before. The environment says what else happens:
 *   FAKE_CUDA_DEVICES  how many devices there are (1)
 *   FAKE_CUDA_WRONG    blocks of so many threads write 3.0
 *   FAKE_CUDA_FAIL     blocks of so many threads are not launched
 *   FAKE_CUDA_VERSION  the version of the driver (13000)
 *   FAKE_HIP_STATUS    what hipModuleLoadData returns (0)
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAKE_HIP
#define cuInit hipInit
#define cuGetErrorString hipDrvGetErrorString
#define cuDeviceGetCount hipGetDeviceCount
#define cuDeviceGet hipDeviceGet
#define cuDeviceGetName hipDeviceGetName
#define cuCtxSynchronize hipDeviceSynchronize
#define cuModuleUnload hipModuleUnload
#define cuMemAlloc_v2 hipMalloc
#define cuMemFree_v2 hipFree
#define cuMemcpyHtoD_v2 hipMemcpyHtoD
#define cuMemcpyDtoH_v2 hipMemcpyDtoH
#define cuMemsetD8_v2 hipMemsetD8
#define cuLaunchKernel hipModuleLaunchKernel
#define cuStreamCreate hipStreamCreateWithFlags
#define cuStreamSynchronize hipStreamSynchronize
#define cuStreamDestroy_v2 hipStreamDestroy
#define cuEventCreate hipEventCreateWithFlags
#define cuEventRecord hipEventRecord
#define cuEventSynchronize hipEventSynchronize
#define cuEventElapsedTime hipEventElapsedTime
#endif

enum { MAX_BUFFERS = 64 };
static struct {
  char *begin;
  size_t bytes;
  int isResult;
} buffers[MAX_BUFFERS];
static double now;

static int get(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

int cuInit(unsigned flags) { return flags; }
int cuGetErrorString(int status, const char **text) {
  *text = status == 2 ? "out of memory" : "out of luck";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = get("FAKE_CUDA_DEVICES", 1);
  return 0;
}
int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}
int cuDeviceGetName(char *name, int length, int device) {
  strncpy(name, "A fake", length);
  return device;
}
/* 9.0; 4 processors of 228 KiB of shared memory, of which a workgroup takes 227 KiB, and
 * 1 KiB in addition. */
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75    ? 9
           : attribute == 16  ? 4
           : attribute == 81  ? 228 << 10
           : attribute == 97  ? 227 << 10
           : attribute == 111 ? 1 << 10
                              : 0;
  return device;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &now;
  return device;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
/* Each thread has its own. */
static __thread void *current;
int cuCtxSetCurrent(void *context) {
  current = context;
  return context != &now;
}
/* What the driver returns in a thread without a context. */
#ifdef FAKE_HIP
#define IN_CONTEXT
#else
enum { INVALID_CONTEXT = 201 };
#define IN_CONTEXT                                                             \
  if (!current)                                                                \
  return INVALID_CONTEXT
#endif
int cuCtxSynchronize(void) { return 0; }
#ifdef FAKE_HIP
int hipSetDevice(int device) { return device; }
int hipModuleLoadData(void **module, const void *image) {
  *module = (void *)image;
  return memcmp(image, "\177ELF", 4) ? 1 : get("FAKE_HIP_STATUS", 0);
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return !*name;
}
#else
int cuModuleLoadData(void **module, const void *image) {
  *module = (void *)image;
  /* PTX has a name for each kernel. */
  return !strstr(image, ".entry");
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  IN_CONTEXT;
  *function = strstr(module, name);
  return !*function;
}
/* The dynamic shared memory that a kernel may have. */
static struct {
  void *function;
  int bytes;
} allowed[8];
/* Each kernel has 40 bytes of static shared memory. */
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  IN_CONTEXT;
  *value = 40;
  return !function || attribute != 1;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  int i = 0;
  IN_CONTEXT;
  while (i < 7 && allowed[i].function && allowed[i].function != function)
    ++i;
  allowed[i].function = function;
  allowed[i].bytes = value;
  return !function || attribute != 8 || value < 0;
}
#endif
static int isAllowed(void *function, unsigned sharedBytes) {
#ifdef FAKE_HIP
  (void)function;
  return sharedBytes <= 160 << 10;
#else
  for (int i = 0; i < 8; ++i)
    if (allowed[i].function == function)
      return (int)sharedBytes <= allowed[i].bytes;
  return sharedBytes <= 48 << 10;
#endif
}
int cuModuleUnload(void *module) { return !module; }
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  IN_CONTEXT;
  for (int i = 0; i < MAX_BUFFERS; ++i)
    if (!buffers[i].begin) {
      buffers[i].begin = malloc(bytes);
      buffers[i].bytes = bytes;
      buffers[i].isResult = 0;
      *address = (size_t)buffers[i].begin;
      return 0;
    }
  return 2;
}
int cuMemFree_v2(unsigned long long address) {
  for (int i = 0; i < MAX_BUFFERS; ++i)
    if ((size_t)buffers[i].begin == address) {
      free(buffers[i].begin);
      buffers[i].begin = NULL;
      return 0;
    }
  return 1;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  memcpy((void *)(size_t)to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  memcpy(to, (void *)(size_t)from, bytes);
  return 0;
}
int cuMemsetD8_v2(unsigned long long to, unsigned char byte, size_t bytes) {
  memset((void *)(size_t)to, byte, bytes);
  for (int i = 0; i < MAX_BUFFERS; ++i)
    if ((size_t)buffers[i].begin == to)
      buffers[i].isResult = 1;
  return 0;
}
/* Takes what the driver takes: for elements of f16, 6. */
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                           const unsigned long long *sizes,
                           const unsigned long long *strides,
                           const unsigned *box, const unsigned *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  if ((size_t)map % 64 || type != 6 || rank < 1 || rank > 5 || !address ||
      (size_t)address % 16 || interleave || promotion || fill)
    return 1;
  for (unsigned i = 0; i < rank; ++i)
    if (!sizes[i] || box[i] < 1 || box[i] > 256 || steps[i] != 1 ||
        (i + 1 < rank && (strides[i] % 16 || strides[i] < 2 * sizes[i])))
      return 1;
  memset(map, 1, 128);
  return swizzle && box[0] * 2 != 16u << swizzle;
}
/* A test may look at each launch: at its grid, block and shared memory, and at the
 * parameters. */
void (*fakeLaunchHook)(const unsigned *sizes, void *stream, void **arguments);

/* A stream is a number that launches look at. */
enum { STREAM = 4711 };
int cuStreamCreate(void **stream, unsigned flags) {
  int *number = malloc(sizeof(int));
  *number = STREAM;
  *stream = number;
  return flags != 1;
}
int cuStreamSynchronize(void *stream) { return *(int *)stream != STREAM; }
int cuStreamDestroy_v2(void *stream) {
  int status = *(int *)stream != STREAM;
  *(int *)stream = 0;
  free(stream);
  return status;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **arguments, void **extra) {
  unsigned threads = blockX * blockY * blockZ;
  IN_CONTEXT;
  if (!isAllowed(function, sharedBytes))
    return 1;
  if (!function || !gridX || !gridY || !gridZ || !arguments || extra ||
      (stream && *(int *)stream != STREAM))
    return 1;
  if (fakeLaunchHook) {
    const unsigned sizes[] = {gridX,  gridY,  gridZ,      blockX,
                              blockY, blockZ, sharedBytes};
    fakeLaunchHook(sizes, stream, arguments);
  }
  if ((unsigned)get("FAKE_CUDA_FAIL", 0) == threads)
    return 2;
  now += 256.0 / threads;
  float value = (unsigned)get("FAKE_CUDA_WRONG", 0) == threads ? 3 : 1;
  for (int i = 0; i < MAX_BUFFERS; ++i)
    if (buffers[i].begin && buffers[i].isResult)
      for (size_t at = 0; at + sizeof(value) <= buffers[i].bytes;
           at += sizeof(value))
        memcpy(buffers[i].begin + at, &value, sizeof(value));
  return 0;
}
#ifndef FAKE_HIP
/* How many launches could begin in front of the end of others. */
int fakeEarlyLaunches;
/* The workgroups of a cluster of the last launch with clusters. */
unsigned fakeCluster[3];
struct launchAttribute {
  int id;
  char padding[4];
  unsigned values[3];
  char rest[52];
};
struct launchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const struct launchAttribute *attributes;
  unsigned numAttributes;
};
int cuLaunchKernelEx(const struct launchConfig *config, void *function,
                     void **arguments, void **extra) {
  const unsigned *grid = config->grid, *block = config->block;
  for (unsigned i = 0; i < config->numAttributes; ++i) {
    const struct launchAttribute *attribute = config->attributes + i;
    if (attribute->id == 6 && attribute->values[0] == 1)
      ++fakeEarlyLaunches;
    else if (attribute->id == 4)
      memcpy(fakeCluster, attribute->values, sizeof(fakeCluster));
    else
      return 1;
  }
  return cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                        block[2], config->sharedBytes, config->stream,
                        arguments, extra);
}
int cuDriverGetVersion(int *version) {
  *version = get("FAKE_CUDA_VERSION", 13000);
  return 0;
}
#endif
int cuEventCreate(void **event, unsigned flags) {
  *event = calloc(1, sizeof(double));
  return flags;
}
int cuEventRecord(void *event, void *stream) {
  memcpy(event, &now, sizeof(now));
  return stream != NULL;
}
int cuEventSynchronize(void *event) { return !event; }
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  double first, last;
  memcpy(&first, begin, sizeof(first));
  memcpy(&last, end, sizeof(last));
  *milliseconds = last - first;
  return 0;
}
