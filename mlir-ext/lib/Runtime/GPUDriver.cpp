//===- GPUDriver.cpp - The driver of a GPU --------------------------------===//
//
// See GPUDriver.h. Declares the functions and constants of cuda.h and of
// hip_runtime_api.h that it uses, so that building needs neither CUDA nor ROCm.
// HIP has the functions of CUDA's driver under other names, with pointers for
// addresses.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/GPUDriver.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::linalg_ext;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

// Enumerators of cuda.h.
static constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76,
                     kProcessors = 16, kProcessorSharedBytes = 81,
                     kMaxSharedBytes = 97, kReservedSharedBytes = 111,
                     kMaxDynamicSharedSizeBytes = 8, kStaticSharedBytes = 1;
// hipErrorNoBinaryForGpu in hip_runtime_api.h.
static constexpr int kNoBinaryForGPU = 209;

namespace {
/// CUlaunchAttribute with up to three integers, and CUlaunchConfig.
struct LaunchAttribute {
  int id;
  alignas(8) unsigned values[3];
  char rest[52];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
} // namespace
static_assert(sizeof(LaunchAttribute) == 72 && sizeof(LaunchConfig) == 56);
/// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
static constexpr LaunchAttribute kBeginsEarly = {6, {1, 0, 0}, {}};
/// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
static constexpr int kClusterDimension = 4;
/// The version (12.3) from which on graphs record such launches.
static constexpr int kEarlyLaunchesVersion = 12030;

/// X(name, symbol of CUDA, symbol of HIP or "" if HIP does not need the
/// function, types of parameters)
#define LINALG_EXT_DRIVER_ENTRIES(X)                                           \
  X(init, "cuInit", "hipInit", (unsigned))                                     \
  X(getErrorString, "cuGetErrorString", "hipDrvGetErrorString",                \
    (int, const char **))                                                      \
  X(deviceGetCount, "cuDeviceGetCount", "hipGetDeviceCount", (int *))          \
  X(deviceGet, "cuDeviceGet", "hipDeviceGet", (int *, int))                    \
  X(deviceGetName, "cuDeviceGetName", "hipDeviceGetName", (char *, int, int))  \
  X(deviceGetAttribute, "cuDeviceGetAttribute", "", (int *, int, int))         \
  X(retainContext, "cuDevicePrimaryCtxRetain", "", (void **, int))             \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", "", (int))                 \
  X(setContext, "cuCtxSetCurrent", "", (void *))                               \
  X(setDevice, "", "hipSetDevice", (int))                                      \
  X(synchronize, "cuCtxSynchronize", "hipDeviceSynchronize", ())               \
  X(loadModule, "cuModuleLoadData", "hipModuleLoadData",                       \
    (GPUDriver::Module *, const void *))                                       \
  X(unloadModule, "cuModuleUnload", "hipModuleUnload", (GPUDriver::Module))    \
  X(getFunction, "cuModuleGetFunction", "hipModuleGetFunction",                \
    (GPUDriver::Function *, GPUDriver::Module, const char *))                  \
  X(setAttribute, "cuFuncSetAttribute", "", (GPUDriver::Function, int, int))   \
  X(getAttribute, "cuFuncGetAttribute", "", (int *, int, GPUDriver::Function)) \
  X(allocate, "cuMemAlloc_v2", "hipMalloc", (GPUDriver::Address *, size_t))    \
  X(free, "cuMemFree_v2", "hipFree", (GPUDriver::Address))                     \
  X(copyToDevice, "cuMemcpyHtoD_v2", "hipMemcpyHtoD",                          \
    (GPUDriver::Address, const void *, size_t))                                \
  X(copyFromDevice, "cuMemcpyDtoH_v2", "hipMemcpyDtoH",                        \
    (void *, GPUDriver::Address, size_t))                                      \
  X(fill, "cuMemsetD8_v2", "hipMemsetD8",                                      \
    (GPUDriver::Address, unsigned char, size_t))                               \
  X(encodeTensorMap, "cuTensorMapEncodeTiled", "",                             \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *,        \
     const unsigned *, const unsigned *, int, int, int, int))                  \
  X(createStream, "cuStreamCreate", "hipStreamCreateWithFlags",                \
    (GPUDriver::Stream *, unsigned))                                           \
  X(synchronizeStream, "cuStreamSynchronize", "hipStreamSynchronize",          \
    (GPUDriver::Stream))                                                       \
  X(destroyStream, "cuStreamDestroy_v2", "hipStreamDestroy",                   \
    (GPUDriver::Stream))                                                       \
  X(launch, "cuLaunchKernel", "hipModuleLaunchKernel",                         \
    (GPUDriver::Function, unsigned, unsigned, unsigned, unsigned, unsigned,    \
     unsigned, unsigned, void *, void **, void **))                            \
  X(launchWith, "cuLaunchKernelEx", "",                                        \
    (const LaunchConfig *, GPUDriver::Function, void **, void **))             \
  X(getVersion, "cuDriverGetVersion", "", (int *))                             \
  X(createEvent, "cuEventCreate", "hipEventCreateWithFlags",                   \
    (GPUDriver::Event *, unsigned))                                            \
  X(recordEvent, "cuEventRecord", "hipEventRecord",                            \
    (GPUDriver::Event, void *))                                                \
  X(waitForEvent, "cuEventSynchronize", "hipEventSynchronize",                 \
    (GPUDriver::Event))                                                        \
  X(getElapsed, "cuEventElapsedTime", "hipEventElapsedTime",                   \
    (float *, GPUDriver::Event, GPUDriver::Event))

namespace {
/// The name of a driver in messages, and the name of its library.
struct DriverNames {
  StringRef driver, gpu, version;
  SmallVector<const char *, 2> libraries;
};
} // namespace

static DriverNames getNames(GPUDriver::Kind kind) {
  if (kind == GPUDriver::Kind::CUDA)
    return {"CUDA's driver",
            "an NVIDIA GPU",
            "CUDA's driver, version 12 or later",
            {"libcuda.so.1"}};
  // ROCm installs the second name without its development packages.
  return {"HIP",
          "an AMD GPU",
          "HIP of ROCm, version 6 or later",
          {"libamdhip64.so", "libamdhip64.so.6"}};
}

struct GPUDriver::Entries {
#define LINALG_EXT_DECLARE(name, cuda, hip, types) int(*name) types = nullptr;
  LINALG_EXT_DRIVER_ENTRIES(LINALG_EXT_DECLARE)
#undef LINALG_EXT_DECLARE
};

GPUDriver::GPUDriver(Kind kind) : kind(kind) {}

/// The largest size of a tensor map, 2^31 - 2^16, up to which kernels may count
/// in 32 bits (docs/Manifest.md).
static constexpr int64_t maxTensorMapSize = 2147418112;

/// Returns the enumerator of CUtensorMapDataType for elements of `type`.
static std::optional<int> getTensorMapType(StringRef type) {
  return llvm::StringSwitch<std::optional<int>>(type)
      .Case("i8", 0)
      // Copies keep the bits, so another type of the same width will do.
      .Cases({"f8E4M3FN", "f8E5M2"}, 0)
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

Error GPUDriver::check(int status, StringRef call) {
  if (status == 0)
    return Error::success();
  const char *text = nullptr;
  if (entries->getErrorString(status, &text) != 0 || !text)
    text = "unknown error";
  return makeError(getNames(kind).driver + ": " + call + ": " + text + " (" +
                   Twine(status) + ")");
}

/// The name of a call in messages, as CUDA or HIP spells it.
#define LINALG_EXT_CALL(cuda, hip) (kind == Kind::CUDA ? cuda : hip)

Expected<std::unique_ptr<GPUDriver>> GPUDriver::create(Kind kind,
                                                       StringRef file) {
  DriverNames names = getNames(kind);
  std::string given = file.str();
  if (!given.empty())
    names.libraries = {given.c_str()};
  std::string reason;
  llvm::sys::DynamicLibrary library;
  StringRef libraryName;
  for (const char *name : names.libraries) {
    std::string why;
    library = llvm::sys::DynamicLibrary::getPermanentLibrary(name, &why);
    libraryName = name;
    if (reason.empty())
      reason = why;
    if (library.isValid())
      break;
  }
  if (!library.isValid())
    return makeError("expected " + names.gpu +
                     " and its driver: " + Twine(reason));
  std::unique_ptr<GPUDriver> driver(new GPUDriver(kind));
  driver->entries = std::make_unique<Entries>();
  StringRef missing;
  auto find = [&](auto &entry, const char *symbol) {
    if (!*symbol)
      return;
    entry = reinterpret_cast<std::decay_t<decltype(entry)>>(
        library.getAddressOfSymbol(symbol));
    if (!entry && missing.empty())
      missing = symbol;
  };
#define LINALG_EXT_FIND(name, cuda, hip, types)                                \
  find(driver->entries->name, LINALG_EXT_CALL(cuda, hip));
  LINALG_EXT_DRIVER_ENTRIES(LINALG_EXT_FIND)
#undef LINALG_EXT_FIND
  if (!missing.empty()) {
    // Nothing has been acquired that would have to be released.
    driver->entries.reset();
    return makeError(libraryName + " has no " + missing + ": expected " +
                     names.version);
  }

  const Entries &entries = *driver->entries;
  auto fail = [&](int status, StringRef call) -> Error {
    Error error = driver->check(status, call);
    driver->entries.reset();
    return error;
  };
  auto failWithoutDevice = [&]() -> Error {
    driver->entries.reset();
    return makeError("expected " + names.gpu + ": " + names.driver +
                     " has no device");
  };
  // Without a device, HIP fails here with hipErrorNoDevice.
  constexpr int kNoDevice = 100;
  if (int status = entries.init(0)) {
    if (kind == Kind::HIP && status == kNoDevice)
      return failWithoutDevice();
    return fail(status, LINALG_EXT_CALL("cuInit", "hipInit"));
  }
  int count = 0;
  if (int status = entries.deviceGetCount(&count)) {
    if (kind == Kind::HIP && status == kNoDevice)
      return failWithoutDevice();
    return fail(status,
                LINALG_EXT_CALL("cuDeviceGetCount", "hipGetDeviceCount"));
  }
  if (count == 0)
    return failWithoutDevice();
  char name[256] = "";
  if (int status = entries.deviceGet(&driver->device, 0))
    return fail(status, LINALG_EXT_CALL("cuDeviceGet", "hipDeviceGet"));
  if (int status = entries.deviceGetName(name, sizeof(name), driver->device))
    return fail(status, LINALG_EXT_CALL("cuDeviceGetName", "hipDeviceGetName"));
  driver->name = name;
  if (kind == Kind::HIP) {
    if (int status = entries.setDevice(driver->device))
      return fail(status, "hipSetDevice");
    return std::move(driver);
  }
  if (Error error = driver->readProperties()) {
    driver->entries.reset();
    return std::move(error);
  }
  if (int status = entries.retainContext(&driver->context, driver->device))
    return fail(status, "cuDevicePrimaryCtxRetain");
  if (Error error = driver->enter())
    return std::move(error);
  return std::move(driver);
}

Error GPUDriver::readProperties() {
  int major = 0, minor = 0;
  for (auto [result, attribute] :
       {std::pair(&major, kComputeCapabilityMajor),
        {&minor, kComputeCapabilityMinor},
        {&processors, kProcessors},
        {&processorSharedBytes, kProcessorSharedBytes},
        {&reservedSharedBytes, kReservedSharedBytes},
        {&maxSharedBytes, kMaxSharedBytes}})
    if (Error error =
            check(entries->deviceGetAttribute(result, attribute, device),
                  "cuDeviceGetAttribute"))
      return error;
  capability = 10 * major + minor;
  int version = 0;
  if (Error error = check(entries->getVersion(&version), "cuDriverGetVersion"))
    return error;
  launchesEarly = version >= kEarlyLaunchesVersion;
  return Error::success();
}

Error GPUDriver::enter() {
  // HIP's threads start with the first device.
  if (kind == Kind::HIP)
    return Error::success();
  return check(entries->setContext(context), "cuCtxSetCurrent");
}

GPUDriver::~GPUDriver() {
  if (context)
    (void)entries->releaseContext(device);
}

Expected<GPUDriver::Module> GPUDriver::loadModule(const char *image) {
  if (Error error = enter())
    return std::move(error);
  Module module = nullptr;
  int status = entries->loadModule(&module, image);
  if (kind == Kind::HIP && status == kNoBinaryForGPU)
    return makeError("expected a code object for the GPU of this machine, " +
                     Twine(name) + ", got one for another chip");
  if (Error error = check(
          status, LINALG_EXT_CALL("cuModuleLoadData", "hipModuleLoadData")))
    return std::move(error);
  return module;
}

Error GPUDriver::unloadModule(Module module) {
  if (Error error = enter())
    return error;
  {
    // After this, kernels of other modules may have the same handles.
    std::lock_guard<std::mutex> guard(allowedSharedMutex);
    allowedShared.clear();
  }
  return check(entries->unloadModule(module),
               LINALG_EXT_CALL("cuModuleUnload", "hipModuleUnload"));
}

Expected<GPUDriver::Function>
GPUDriver::getFunction(Module module, StringRef name, int64_t sharedBytes) {
  if (Error error = enter())
    return std::move(error);
  Function function = nullptr;
  if (Error error =
          check(entries->getFunction(&function, module, name.str().c_str()),
                LINALG_EXT_CALL("cuModuleGetFunction", "hipModuleGetFunction")))
    return std::move(error);
  // HIP needs no attribute for a large shared memory.
  if (kind == Kind::HIP)
    return function;
  // Another call of the kernel may need more shared memory.
  std::lock_guard<std::mutex> guard(allowedSharedMutex);
  auto [allowed, isNew] = allowedShared.try_emplace(function, sharedBytes);
  if (!isNew && allowed->second >= sharedBytes)
    return function;
  if (Error error =
          check(entries->setAttribute(function, kMaxDynamicSharedSizeBytes,
                                      int(sharedBytes)),
                "cuFuncSetAttribute")) {
    if (isNew)
      allowedShared.erase(allowed);
    return std::move(error);
  }
  allowed->second = sharedBytes;
  return function;
}

Expected<int64_t> GPUDriver::getSharedBytes(Function function,
                                            const PlannedLaunch &launch) {
  if (launch.workgroupsPerProcessor == 0 || !launchesEarly || processors == 0)
    return launch.sharedBytes;
  int64_t workgroups = launch.grid[0] * launch.grid[1] * launch.grid[2];
  int64_t most = llvm::divideCeil(workgroups, processors);
  if (most > launch.workgroupsPerProcessor)
    return launch.sharedBytes;
  // A short launch would keep those behind it from its processors.
  if (launch.sharedBytes == 0 && 2 * workgroups <= processors)
    return launch.sharedBytes;
  if (Error error = enter())
    return std::move(error);
  int fixed = 0;
  if (Error error =
          check(entries->getAttribute(&fixed, kStaticSharedBytes, function),
                "cuFuncGetAttribute"))
    return std::move(error);
  // The memory of a workgroup is a multiple of this.
  constexpr int64_t kUnit = 128;
  int64_t others = llvm::alignTo(fixed, kUnit) + reservedSharedBytes;
  // The least with which one more has no room.
  int64_t room = processorSharedBytes / (most + 1) - others;
  int64_t bytes = llvm::alignDown(std::max<int64_t>(room, 0), kUnit) + kUnit;
  bool fits = bytes + fixed <= maxSharedBytes &&
              most * (bytes + others) <= processorSharedBytes;
  return fits ? std::max(bytes, launch.sharedBytes) : launch.sharedBytes;
}

Expected<GPUDriver::Address> GPUDriver::allocate(size_t bytes) {
  if (Error error = enter())
    return std::move(error);
  Address address = 0;
  // An allocation of 0 bytes fails.
  if (Error error =
          check(entries->allocate(&address, std::max<size_t>(bytes, 1)),
                LINALG_EXT_CALL("cuMemAlloc", "hipMalloc")))
    return std::move(error);
  return address;
}

Error GPUDriver::free(Address address) {
  if (Error error = enter())
    return error;
  return check(entries->free(address), LINALG_EXT_CALL("cuMemFree", "hipFree"));
}

Error GPUDriver::copyToDevice(Address to, const void *from, size_t bytes) {
  if (Error error = enter())
    return error;
  return check(entries->copyToDevice(to, from, bytes),
               LINALG_EXT_CALL("cuMemcpyHtoD", "hipMemcpyHtoD"));
}

Error GPUDriver::copyFromDevice(void *to, Address from, size_t bytes) {
  if (Error error = enter())
    return error;
  return check(entries->copyFromDevice(to, from, bytes),
               LINALG_EXT_CALL("cuMemcpyDtoH", "hipMemcpyDtoH"));
}

Error GPUDriver::fill(Address to, uint8_t byte, size_t bytes) {
  if (Error error = enter())
    return error;
  return check(entries->fill(to, byte, bytes),
               LINALG_EXT_CALL("cuMemsetD8", "hipMemsetD8"));
}

Expected<GPUDriver::EncodedTensorMap>
GPUDriver::encodeTensorMap(const TensorMap &map, Address address) {
  if (Error error = enter())
    return std::move(error);
  if (kind == Kind::HIP)
    return makeError("expected buffers as arguments of kernels, got a tensor "
                     "map, which HIP does not have");
  std::optional<int> type = getTensorMapType(map.type);
  if (!type)
    return makeError("expected a tensor map of f16, bf16, f32, f64 or "
                     "integers, got " +
                     map.type);
  for (int64_t size : map.sizes)
    if (size > maxTensorMapSize)
      return makeError("expected sizes of at most " +
                       llvm::Twine(maxTensorMapSize) +
                       " in a tensor map, got " + llvm::Twine(size));
  unsigned rank = map.sizes.size();
  llvm::SmallVector<uint64_t> sizes(map.sizes.begin(), map.sizes.end());
  llvm::SmallVector<uint64_t> strides(map.strides.begin(), map.strides.end());
  // The stride of the innermost dimension is not passed.
  strides.resize(rank);
  llvm::SmallVector<unsigned> box(map.box.begin(), map.box.end());
  llvm::SmallVector<unsigned> steps(rank, 1);
  // These are the enumerators of CUtensorMapSwizzle.
  int swizzle = map.swizzle == 0 ? 0 : int(llvm::Log2_64(map.swizzle / 16));
  EncodedTensorMap result;
  // The map is not interleaved, has no promotion in the L2 cache, and reads 0
  // outside of its bounds.
  if (Error error = check(
          entries->encodeTensorMap(
              &result, *type, rank, reinterpret_cast<void *>(address),
              sizes.data(), strides.data(), box.data(), steps.data(),
              /*interleave=*/0, swizzle, /*l2Promotion=*/0, /*oobFill=*/0),
          "cuTensorMapEncodeTiled"))
    return std::move(error);
  return result;
}

Error GPUDriver::launch(Function function, std::array<int64_t, 3> grid,
                        std::array<int64_t, 3> block, int64_t sharedBytes,
                        void **arguments, Stream stream, bool mayBeginEarly,
                        std::array<int64_t, 3> cluster) {
  if (Error error = enter())
    return error;
  auto toUnsigned = [](int64_t size) { return static_cast<unsigned>(size); };
  llvm::SmallVector<LaunchAttribute, 2> attributes;
  if (mayBeginEarly && launchesEarly)
    attributes.push_back(kBeginsEarly);
  if (cluster[0] * cluster[1] * cluster[2] > 1)
    attributes.push_back({kClusterDimension,
                          {toUnsigned(cluster[0]), toUnsigned(cluster[1]),
                           toUnsigned(cluster[2])},
                          {}});
  if (!attributes.empty()) {
    if (!entries->launchWith)
      return makeError("expected a driver with clusters, CUDA 12 or later");
    LaunchConfig config{
        {toUnsigned(grid[0]), toUnsigned(grid[1]), toUnsigned(grid[2])},
        {toUnsigned(block[0]), toUnsigned(block[1]), toUnsigned(block[2])},
        toUnsigned(sharedBytes),
        stream,
        attributes.data(),
        static_cast<unsigned>(attributes.size())};
    return check(entries->launchWith(&config, function, arguments, nullptr),
                 "cuLaunchKernelEx");
  }
  return check(entries->launch(function, grid[0], grid[1], grid[2], block[0],
                               block[1], block[2], sharedBytes, stream,
                               arguments, nullptr),
               LINALG_EXT_CALL("cuLaunchKernel", "hipModuleLaunchKernel"));
}

Expected<GPUDriver::Stream> GPUDriver::createStream() {
  if (Error error = enter())
    return std::move(error);
  // A stream with CU_STREAM_NON_BLOCKING does not wait for the default stream.
  constexpr unsigned kNonBlocking = 1;
  Stream stream = nullptr;
  if (Error error =
          check(entries->createStream(&stream, kNonBlocking),
                LINALG_EXT_CALL("cuStreamCreate", "hipStreamCreateWithFlags")))
    return std::move(error);
  return stream;
}

Error GPUDriver::synchronize(Stream stream) {
  if (Error error = enter())
    return error;
  return check(entries->synchronizeStream(stream),
               LINALG_EXT_CALL("cuStreamSynchronize", "hipStreamSynchronize"));
}

Error GPUDriver::destroyStream(Stream stream) {
  if (Error error = enter())
    return error;
  return check(entries->destroyStream(stream),
               LINALG_EXT_CALL("cuStreamDestroy", "hipStreamDestroy"));
}

llvm::SmallVector<uint64_t>
mlir::linalg_ext::makeDescriptor(uint64_t address,
                                 llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<uint64_t> fields(3 + 2 * shape.size());
  fields[0] = fields[1] = address;
  uint64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    fields[3 + dim] = shape[dim];
    fields[3 + shape.size() + dim] = stride;
    stride *= shape[dim];
  }
  return fields;
}

Error GPUDriver::loadCollectives(StringRef file) {
  std::string reason;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(file.str().c_str(),
                                                     &reason);
  if (!library.isValid())
    return makeError("expected a library of collective operations: " + reason);
  collectives = library.getOSSpecificHandle();
  using GetError = const char *();
  if (auto getError = reinterpret_cast<GetError *>(
          library.getAddressOfSymbol("linalg_ext_nccl_error")))
    if (const char *error = getError()) {
      collectives = nullptr;
      return makeError(error);
    }
  return Error::success();
}

Expected<void *> GPUDriver::getCollective(StringRef symbol) {
  if (!collectives)
    return makeError("expected a library of collective operations, which '" +
                     symbol + "' is of (loadCollectives), got none");
  void *function = llvm::sys::DynamicLibrary(collectives)
                       .getAddressOfSymbol(symbol.str().c_str());
  if (!function)
    return makeError("expected a library of collective operations with '" +
                     symbol + "', got one without");
  return function;
}

Expected<int64_t> GPUDriver::getProcessIndex(llvm::ArrayRef<int64_t> grid) {
  Expected<void *> function = getCollective("linalg_ext_mpi_process_index");
  if (!function)
    return function.takeError();
  llvm::SmallVector<uint64_t> buffer =
      makeDescriptor(reinterpret_cast<uintptr_t>(grid.data()),
                     {static_cast<int64_t>(grid.size())});
  return reinterpret_cast<int64_t (*)(int64_t, const void *)>(*function)(
      1, buffer.data());
}

Error GPUDriver::callCollective(void *function, llvm::ArrayRef<uint64_t> a,
                                Stream stream) {
  if (Error error = enter())
    return error;
  llvm::sys::DynamicLibrary library(collectives);
  if (auto setStream = reinterpret_cast<void (*)(void *)>(
          library.getAddressOfSymbol("linalg_ext_nccl_set_stream")))
    setStream(stream);
  using T = uint64_t;
  switch (a.size()) {
  case 6:
    reinterpret_cast<void (*)(T, T, T, T, T, T)>(function)(a[0], a[1], a[2],
                                                           a[3], a[4], a[5]);
    return Error::success();
  case 7:
    reinterpret_cast<void (*)(T, T, T, T, T, T, T)>(function)(
        a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    return Error::success();
  case 8:
    reinterpret_cast<void (*)(T, T, T, T, T, T, T, T)>(function)(
        a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    return Error::success();
  default:
    return makeError(
        "expected a collective operation of 6 to 8 arguments, got " +
        Twine(a.size()));
  }
}

Error GPUDriver::synchronize() {
  if (Error error = enter())
    return error;
  return check(entries->synchronize(),
               LINALG_EXT_CALL("cuCtxSynchronize", "hipDeviceSynchronize"));
}

Expected<GPUDriver::Event> GPUDriver::createEvent() {
  if (Error error = enter())
    return std::move(error);
  Event event = nullptr;
  if (Error error =
          check(entries->createEvent(&event, 0),
                LINALG_EXT_CALL("cuEventCreate", "hipEventCreateWithFlags")))
    return std::move(error);
  return event;
}

Error GPUDriver::record(Event event) {
  if (Error error = enter())
    return error;
  return check(entries->recordEvent(event, nullptr),
               LINALG_EXT_CALL("cuEventRecord", "hipEventRecord"));
}

Expected<float> GPUDriver::getElapsed(Event begin, Event end) {
  if (Error error = enter())
    return std::move(error);
  if (Error error =
          check(entries->waitForEvent(end),
                LINALG_EXT_CALL("cuEventSynchronize", "hipEventSynchronize")))
    return std::move(error);
  float milliseconds = 0;
  if (Error error =
          check(entries->getElapsed(&milliseconds, begin, end),
                LINALG_EXT_CALL("cuEventElapsedTime", "hipEventElapsedTime")))
    return std::move(error);
  return milliseconds;
}
