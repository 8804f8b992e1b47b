//===- GPUDriver.h - The driver of a GPU, if there is one -------*- C++ -*-===//
//
// CUDA's driver or HIP's runtime: a library that comes with the GPU. It is
// loaded when it is needed, so that nothing of CUDA or ROCm is needed to build
// or to compile for a GPU.
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

/// The descriptor of a dense buffer, as functions of MLIR take it: the address
/// twice, the offset, sizes and strides.
llvm::SmallVector<uint64_t> makeDescriptor(uint64_t address,
                                           llvm::ArrayRef<int64_t> shape);

/// The first device of CUDA's driver, with its primary context, or of HIP. All
/// that it gives out lives as long as it does. Any thread may call it: of CUDA,
/// its context becomes that of the thread.
class GPUDriver {
public:
  enum class Kind { CUDA, HIP };
  using Address = unsigned long long;
  struct Handle;
  using Module = Handle *;
  using Function = Handle *;
  using Event = Handle *;
  using Stream = Handle *;

  /// Loads the driver, libcuda.so.1 or libamdhip64.so, and takes the first
  /// device. Fails if there is none. `library` is loaded instead if it is not
  /// empty: another version of the driver, or a stand-in for it.
  static llvm::Expected<std::unique_ptr<GPUDriver>>
  create(Kind kind, llvm::StringRef library = "");
  ~GPUDriver();

  llvm::StringRef getDeviceName() const { return name; }
  /// 90, for 9.0. 0 of HIP, which has no such number.
  int getComputeCapability() const { return capability; }

  /// `image` is a cubin, PTX with a zero after it, or a code object.
  llvm::Expected<Module> loadModule(const char *image);
  llvm::Error unloadModule(Module module);
  /// The kernel, allowed so much dynamic shared memory, or more.
  llvm::Expected<Function> getFunction(Module module, llvm::StringRef name,
                                       int64_t sharedBytes);

  llvm::Expected<Address> allocate(size_t bytes);
  llvm::Error free(Address address);
  llvm::Error copyToDevice(Address to, const void *from, size_t bytes);
  llvm::Error copyFromDevice(void *to, Address from, size_t bytes);
  llvm::Error fill(Address to, uint8_t byte, size_t bytes);

  /// Encodes how the hardware addresses boxes of the buffer at `address`: what
  /// a kernel takes by value, at a multiple of 64 bytes. HIP has none.
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

  /// Launches return at once. Those of a stream run in order; one that
  /// `mayBeginEarly` waits itself, where it has to, for those in front of it.
  llvm::Error launch(Function function, std::array<int64_t, 3> grid,
                     std::array<int64_t, 3> block, int64_t sharedBytes,
                     void **arguments, Stream stream = nullptr,
                     bool mayBeginEarly = false);
  /// Loads a library of collective operations, such as liblinalg_ext_nccl.so
  /// (docs/Sharding.md). Fails if it cannot be loaded, or if it says that it
  /// cannot work, for lack of NCCL for example.
  llvm::Error loadCollectives(llvm::StringRef library);
  /// The index of this process in a grid of the shape `grid`.
  llvm::Expected<int64_t> getProcessIndex(llvm::ArrayRef<int64_t> grid);
  /// A function of that library.
  llvm::Expected<void *> getCollective(llvm::StringRef name);
  /// Calls such a function behind the launches of `stream`. `arguments` are 64
  /// bits each: numbers and addresses of the host.
  llvm::Error callCollective(void *function, llvm::ArrayRef<uint64_t> arguments,
                             Stream stream = nullptr);

  /// Waits for all launches.
  llvm::Error synchronize();
  llvm::Expected<Event> createEvent();
  llvm::Error record(Event event);
  /// Waits for `end`. In milliseconds.
  llvm::Expected<float> getElapsed(Event begin, Event end);

private:
  explicit GPUDriver(Kind kind);
  /// What `status` of the driver's `call` means.
  llvm::Error check(int status, llvm::StringRef call);
  /// Makes the context that of this thread: CUDA has one for each.
  llvm::Error enter();

  /// The driver's functions.
  struct Entries;
  std::unique_ptr<Entries> entries;
  Kind kind;
  /// Whether kernels may begin in front of the end of others.
  bool launchesEarly = false;
  int device = 0, capability = 0;
  /// Of CUDA: the primary context of the device.
  void *context = nullptr;
  /// Of CUDA: the dynamic shared memory that each kernel is allowed.
  llvm::DenseMap<Function, int64_t> allowedShared;
  std::mutex allowedSharedMutex;
  std::string name;
  /// The library of collective operations; null if there is none.
  void *collectives = nullptr;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_RUNTIME_GPUDRIVER_H
