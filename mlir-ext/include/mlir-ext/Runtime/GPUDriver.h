//===- GPUDriver.h - The driver of a GPU, if there is one -------*- C++ -*-===//
//
// Calls CUDA's driver or HIP's runtime, a library that comes with the GPU. It
// is loaded when it is first needed. So neither CUDA nor ROCm is needed to
// build this project or to compile for a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_RUNTIME_GPUDRIVER_H
#define MLIR_EXT_RUNTIME_GPUDRIVER_H

#include "mlir-ext/Runtime/LaunchPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace mlir::linalg_ext {

/// Returns the descriptor of a dense buffer as functions of MLIR take it: the
/// address twice, the offset, the sizes and the strides.
llvm::SmallVector<uint64_t> makeDescriptor(uint64_t address,
                                           llvm::ArrayRef<int64_t> shape);

/// The first device, with its primary context in the case of CUDA. Everything
/// that the methods return is valid only as long as this object. Any thread may
/// call the methods; with CUDA, they set the context of that thread.
class GPUDriver {
public:
  enum class Kind { CUDA, HIP };
  using Address = unsigned long long;
  struct Handle;
  using Module = Handle *;
  using Function = Handle *;
  using Event = Handle *;
  using Stream = Handle *;

  /// Loads the driver, libcuda.so.1 or libamdhip64.so, and selects the first
  /// device. Fails if there is none. If `library` is not empty, loads it
  /// instead, for example another version of the driver or a stand-in for it.
  static llvm::Expected<std::unique_ptr<GPUDriver>>
  create(Kind kind, llvm::StringRef library = "");
  ~GPUDriver();

  llvm::StringRef getDeviceName() const { return name; }
  /// The compute capability, such as 90 for 9.0. 0 for HIP, which has no such
  /// number.
  int getComputeCapability() const { return capability; }

  /// Loads `image`: a cubin, PTX with a zero byte after it, or a code object.
  llvm::Expected<Module> loadModule(const char *image);
  llvm::Error unloadModule(Module module);
  /// Returns the kernel `name`, which may then be launched with `sharedBytes`
  /// bytes of dynamic shared memory.
  llvm::Expected<Function> getFunction(Module module, llvm::StringRef name,
                                       int64_t sharedBytes);
  /// Returns how much dynamic shared memory, at least `launch.sharedBytes`, a
  /// launch of `function` asks for: so much that a processor has no room for
  /// more workgroups than in an even distribution, if
  /// `launch.workgroupsPerProcessor` says so and kernels begin early.
  llvm::Expected<int64_t> getSharedBytes(Function function,
                                         const PlannedLaunch &launch);

  llvm::Expected<Address> allocate(size_t bytes);
  llvm::Error free(Address address);
  llvm::Error copyToDevice(Address to, const void *from, size_t bytes);
  llvm::Error copyFromDevice(void *to, Address from, size_t bytes);
  llvm::Error fill(Address to, uint8_t byte, size_t bytes);

  /// A tensor map in the encoding of the hardware, which says how boxes of a
  /// buffer are addressed. Kernels take it by value, aligned to 64 bytes. HIP
  /// has no tensor maps.
  struct alignas(64) EncodedTensorMap {
    std::array<uint64_t, 16> words = {};
  };
  llvm::Expected<EncodedTensorMap> encodeTensorMap(const TensorMap &map,
                                                   Address address);

  /// Launches of different streams may run at the same time. A null stream is
  /// the default one.
  llvm::Expected<Stream> createStream();
  /// Waits for the launches of `stream`.
  llvm::Error synchronize(Stream stream);
  llvm::Error destroyStream(Stream stream);

  /// Launches return at once. The launches of a stream run in order. A kernel
  /// with `mayBeginEarly` may start before earlier launches have ended; it
  /// waits for them itself. If `cluster` has more than one workgroup, so many run
  /// at the same time and share memory.
  llvm::Error launch(Function function, std::array<int64_t, 3> grid,
                     std::array<int64_t, 3> block, int64_t sharedBytes,
                     void **arguments, Stream stream = nullptr,
                     bool mayBeginEarly = false,
                     std::array<int64_t, 3> cluster = {1, 1, 1});
  /// Loads a library of collective operations, such as liblinalg_ext_nccl.so
  /// (docs/Sharding.md). Fails if it cannot be loaded, or if it reports that it
  /// does not work, because NCCL is missing for example.
  llvm::Error loadCollectives(llvm::StringRef library);
  /// Returns the index of this process in a grid of the shape `grid`.
  llvm::Expected<int64_t> getProcessIndex(llvm::ArrayRef<int64_t> grid);
  /// Returns a function of that library.
  llvm::Expected<void *> getCollective(llvm::StringRef name);
  /// Calls such a function after the launches of `stream`. Each of `arguments`
  /// has 64 bits: a number or an address of the host.
  llvm::Error callCollective(void *function, llvm::ArrayRef<uint64_t> arguments,
                             Stream stream = nullptr);

  /// Waits for all launches.
  llvm::Error synchronize();
  llvm::Expected<Event> createEvent();
  llvm::Error record(Event event);
  /// Waits for `end`, and returns the time from `begin` in milliseconds.
  llvm::Expected<float> getElapsed(Event begin, Event end);

private:
  explicit GPUDriver(Kind kind);
  /// Turns `status`, which the driver's `call` returned, into an error.
  llvm::Error check(int status, llvm::StringRef call);
  /// CUDA only: asks for what is known of the device.
  llvm::Error readProperties();
  /// Makes the context current in this thread. CUDA has a current context for
  /// each thread.
  llvm::Error enter();

  /// The driver's functions.
  struct Entries;
  std::unique_ptr<Entries> entries;
  Kind kind;
  /// Whether the device supports kernels that start before earlier ones have
  /// ended.
  bool launchesEarly = false;
  int device = 0, capability = 0;
  /// CUDA only: the processors of the device, the shared memory of each, the
  /// part of it that is reserved for each workgroup, and the largest of a
  /// workgroup.
  int processors = 0, processorSharedBytes = 0, reservedSharedBytes = 0,
      maxSharedBytes = 0;
  /// CUDA only: the primary context of the device.
  void *context = nullptr;
  /// CUDA only: the dynamic shared memory that each kernel may use.
  llvm::DenseMap<Function, int64_t> allowedShared;
  std::mutex allowedSharedMutex;
  std::string name;
  /// The library of collective operations; null if there is none.
  void *collectives = nullptr;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_RUNTIME_GPUDRIVER_H
