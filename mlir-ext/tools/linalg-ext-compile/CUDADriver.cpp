//===- CUDADriver.cpp - The CUDA driver -----------------------------------===//
//
// See CUDADriver.h. Declares the functions and constants of cuda.h that it
// uses, so that building needs no CUDA.
//
//===----------------------------------------------------------------------===//

#include "CUDADriver.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::linalg_ext;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr const char *kLibrary = "libcuda.so.1";

// Enumerators of cuda.h.
static constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76,
                     kMaxDynamicSharedSizeBytes = 8;

/// X(name, symbol, types of parameters)
#define LINALG_EXT_CUDA_ENTRIES(X)                                             \
  X(init, cuInit, (unsigned))                                                  \
  X(getErrorString, cuGetErrorString, (int, const char **))                    \
  X(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  X(deviceGet, cuDeviceGet, (int *, int))                                      \
  X(deviceGetName, cuDeviceGetName, (char *, int, int))                        \
  X(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, int))               \
  X(retainContext, cuDevicePrimaryCtxRetain, (void **, int))                   \
  X(releaseContext, cuDevicePrimaryCtxRelease_v2, (int))                       \
  X(setContext, cuCtxSetCurrent, (void *))                                     \
  X(synchronize, cuCtxSynchronize, ())                                         \
  X(loadModule, cuModuleLoadData, (CUDADriver::Module *, const void *))        \
  X(unloadModule, cuModuleUnload, (CUDADriver::Module))                        \
  X(getFunction, cuModuleGetFunction,                                          \
    (CUDADriver::Function *, CUDADriver::Module, const char *))                \
  X(setAttribute, cuFuncSetAttribute, (CUDADriver::Function, int, int))        \
  X(allocate, cuMemAlloc_v2, (CUDADriver::Address *, size_t))                  \
  X(free, cuMemFree_v2, (CUDADriver::Address))                                 \
  X(copyToDevice, cuMemcpyHtoD_v2,                                             \
    (CUDADriver::Address, const void *, size_t))                               \
  X(copyFromDevice, cuMemcpyDtoH_v2, (void *, CUDADriver::Address, size_t))    \
  X(fill, cuMemsetD8_v2, (CUDADriver::Address, unsigned char, size_t))         \
  X(encodeTensorMap, cuTensorMapEncodeTiled,                                   \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *,        \
     const unsigned *, const unsigned *, int, int, int, int))                  \
  X(launch, cuLaunchKernel,                                                    \
    (CUDADriver::Function, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, unsigned, void *, void **, void **))                            \
  X(createEvent, cuEventCreate, (CUDADriver::Event *, unsigned))               \
  X(recordEvent, cuEventRecord, (CUDADriver::Event, void *))                   \
  X(waitForEvent, cuEventSynchronize, (CUDADriver::Event))                     \
  X(getElapsed, cuEventElapsedTime,                                            \
    (float *, CUDADriver::Event, CUDADriver::Event))

struct CUDADriver::Entries {
#define LINALG_EXT_DECLARE(name, symbol, types) int(*name) types = nullptr;
  LINALG_EXT_CUDA_ENTRIES(LINALG_EXT_DECLARE)
#undef LINALG_EXT_DECLARE
};

/// The enumerator of CUtensorMapDataType for elements of `type`.
static std::optional<int> getTensorMapType(StringRef type) {
  return llvm::StringSwitch<std::optional<int>>(type)
      .Case("i8", 0)
      .Case("i16", 1)
      .Case("i32", 3)
      .Case("i64", 5)
      .Case("f16", 6)
      .Case("f32", 7)
      .Case("f64", 8)
      .Case("bf16", 9)
      .Default(std::nullopt);
}

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

Error CUDADriver::check(int status, StringRef call) {
  if (status == 0)
    return Error::success();
  const char *text = nullptr;
  if (entries->getErrorString(status, &text) != 0 || !text)
    text = "unknown error";
  return makeError("CUDA's driver: " + call + ": " + text + " (" +
                   Twine(status) + ")");
}

Expected<std::unique_ptr<CUDADriver>> CUDADriver::create() {
  std::string reason;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(kLibrary, &reason);
  if (!library.isValid())
    return makeError("timing takes an NVIDIA GPU and its driver: " +
                     Twine(reason));
  std::unique_ptr<CUDADriver> driver(new CUDADriver);
  driver->entries = std::make_unique<Entries>();
  const char *missing = nullptr;
  auto find = [&](auto &entry, const char *symbol) {
    entry = reinterpret_cast<std::decay_t<decltype(entry)>>(
        library.getAddressOfSymbol(symbol));
    if (!entry && !missing)
      missing = symbol;
  };
#define LINALG_EXT_FIND(name, symbol, types)                                   \
  find(driver->entries->name, #symbol);
  LINALG_EXT_CUDA_ENTRIES(LINALG_EXT_FIND)
#undef LINALG_EXT_FIND
  if (missing) {
    // Nothing was taken that would have to be given back.
    driver->entries.reset();
    return makeError(Twine(kLibrary) + " has no " + missing +
                     ": expected CUDA's driver, version 12 or later");
  }

  const Entries &entries = *driver->entries;
  auto fail = [&](int status, StringRef call) -> Error {
    Error error = driver->check(status, call);
    driver->entries.reset();
    return error;
  };
  if (int status = entries.init(0))
    return fail(status, "cuInit");
  int count = 0;
  if (int status = entries.deviceGetCount(&count))
    return fail(status, "cuDeviceGetCount");
  if (count == 0) {
    driver->entries.reset();
    return makeError("timing takes an NVIDIA GPU: CUDA's driver has no device");
  }
  char name[256] = "";
  int major = 0, minor = 0;
  void *context = nullptr;
  if (int status = entries.deviceGet(&driver->device, 0))
    return fail(status, "cuDeviceGet");
  if (int status = entries.deviceGetName(name, sizeof(name), driver->device))
    return fail(status, "cuDeviceGetName");
  for (auto [result, attribute] : {std::pair(&major, kComputeCapabilityMajor),
                                   {&minor, kComputeCapabilityMinor}})
    if (int status =
            entries.deviceGetAttribute(result, attribute, driver->device))
      return fail(status, "cuDeviceGetAttribute");
  driver->name = name;
  driver->capability = 10 * major + minor;
  if (int status = entries.retainContext(&context, driver->device))
    return fail(status, "cuDevicePrimaryCtxRetain");
  if (Error error =
          driver->check(entries.setContext(context), "cuCtxSetCurrent"))
    return std::move(error);
  return std::move(driver);
}

CUDADriver::~CUDADriver() {
  if (entries)
    (void)entries->releaseContext(device);
}

Expected<CUDADriver::Module> CUDADriver::loadModule(const char *image) {
  Module module = nullptr;
  if (Error error =
          check(entries->loadModule(&module, image), "cuModuleLoadData"))
    return std::move(error);
  return module;
}

Error CUDADriver::unloadModule(Module module) {
  return check(entries->unloadModule(module), "cuModuleUnload");
}

Expected<CUDADriver::Function>
CUDADriver::getFunction(Module module, StringRef name, int64_t sharedBytes) {
  Function function = nullptr;
  if (Error error =
          check(entries->getFunction(&function, module, name.str().c_str()),
                "cuModuleGetFunction"))
    return std::move(error);
  if (Error error =
          check(entries->setAttribute(function, kMaxDynamicSharedSizeBytes,
                                      int(sharedBytes)),
                "cuFuncSetAttribute"))
    return std::move(error);
  return function;
}

Expected<CUDADriver::Address> CUDADriver::allocate(size_t bytes) {
  Address address = 0;
  // Of no bytes there is no memory.
  if (Error error =
          check(entries->allocate(&address, std::max<size_t>(bytes, 1)),
                "cuMemAlloc"))
    return std::move(error);
  return address;
}

Error CUDADriver::free(Address address) {
  return check(entries->free(address), "cuMemFree");
}

Error CUDADriver::copyToDevice(Address to, const void *from, size_t bytes) {
  return check(entries->copyToDevice(to, from, bytes), "cuMemcpyHtoD");
}

Error CUDADriver::copyFromDevice(void *to, Address from, size_t bytes) {
  return check(entries->copyFromDevice(to, from, bytes), "cuMemcpyDtoH");
}

Error CUDADriver::fill(Address to, uint8_t byte, size_t bytes) {
  return check(entries->fill(to, byte, bytes), "cuMemsetD8");
}

Expected<CUDADriver::EncodedTensorMap>
CUDADriver::encodeTensorMap(const TensorMap &map, Address address) {
  std::optional<int> type = getTensorMapType(map.type);
  if (!type)
    return makeError("expected a tensor map of f16, bf16, f32, f64 or "
                     "integers, got " +
                     map.type);
  unsigned rank = map.sizes.size();
  llvm::SmallVector<uint64_t> sizes(map.sizes.begin(), map.sizes.end());
  llvm::SmallVector<uint64_t> strides(map.strides.begin(), map.strides.end());
  // That of the innermost dimension is not read.
  strides.resize(rank);
  llvm::SmallVector<unsigned> box(map.box.begin(), map.box.end());
  llvm::SmallVector<unsigned> steps(rank, 1);
  // Enumerators of CUtensorMapSwizzle.
  int swizzle = map.swizzle == 0 ? 0 : int(llvm::Log2_64(map.swizzle / 16));
  EncodedTensorMap result;
  // Not interleaved, no promotion in the L2 cache, 0 where out of bounds.
  if (Error error = check(
          entries->encodeTensorMap(
              &result, *type, rank, reinterpret_cast<void *>(address),
              sizes.data(), strides.data(), box.data(), steps.data(),
              /*interleave=*/0, swizzle, /*l2Promotion=*/0, /*oobFill=*/0),
          "cuTensorMapEncodeTiled"))
    return std::move(error);
  return result;
}

Error CUDADriver::launch(Function function, std::array<int64_t, 3> grid,
                         std::array<int64_t, 3> block, int64_t sharedBytes,
                         void **arguments) {
  return check(entries->launch(function, grid[0], grid[1], grid[2], block[0],
                               block[1], block[2], sharedBytes, nullptr,
                               arguments, nullptr),
               "cuLaunchKernel");
}

Error CUDADriver::synchronize() {
  return check(entries->synchronize(), "cuCtxSynchronize");
}

Expected<CUDADriver::Event> CUDADriver::createEvent() {
  Event event = nullptr;
  if (Error error = check(entries->createEvent(&event, 0), "cuEventCreate"))
    return std::move(error);
  return event;
}

Error CUDADriver::record(Event event) {
  return check(entries->recordEvent(event, nullptr), "cuEventRecord");
}

Expected<float> CUDADriver::getElapsed(Event begin, Event end) {
  if (Error error = check(entries->waitForEvent(end), "cuEventSynchronize"))
    return std::move(error);
  float milliseconds = 0;
  if (Error error = check(entries->getElapsed(&milliseconds, begin, end),
                          "cuEventElapsedTime"))
    return std::move(error);
  return milliseconds;
}
