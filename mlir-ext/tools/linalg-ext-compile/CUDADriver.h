//===- CUDADriver.h - CUDA's driver, if this machine has one ----*- C++ -*-===//
//
// The driver is a library that comes with the GPU. It is loaded when it is
// needed, so that nothing of CUDA is needed to build or to compile for a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CUDADRIVER_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CUDADRIVER_H

#include "LaunchPlan.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <memory>
#include <string>

namespace mlir::linalg_ext {

/// The first device of CUDA's driver, with its primary context. All that it
/// gives out lives as long as it does.
class CUDADriver {
public:
  using Address = unsigned long long;
  struct Handle;
  using Module = Handle *;
  using Function = Handle *;
  using Event = Handle *;

  /// Loads libcuda.so.1 and takes the first device. Fails if there is none.
  static llvm::Expected<std::unique_ptr<CUDADriver>> create();
  ~CUDADriver();

  llvm::StringRef getDeviceName() const { return name; }
  /// 90, for 9.0.
  int getComputeCapability() const { return capability; }

  /// `image` is a cubin, or PTX, with a zero behind it.
  llvm::Expected<Module> loadModule(const char *image);
  llvm::Error unloadModule(Module module);
  /// The kernel, allowed so much dynamic shared memory.
  llvm::Expected<Function> getFunction(Module module, llvm::StringRef name,
                                       int64_t sharedBytes);

  llvm::Expected<Address> allocate(size_t bytes);
  llvm::Error free(Address address);
  llvm::Error copyToDevice(Address to, const void *from, size_t bytes);
  llvm::Error copyFromDevice(void *to, Address from, size_t bytes);
  llvm::Error fill(Address to, uint8_t byte, size_t bytes);

  /// Encodes how the hardware addresses boxes of the buffer at `address`: what
  /// a kernel takes by value, at a multiple of 64 bytes.
  struct alignas(64) EncodedTensorMap {
    std::array<uint64_t, 16> words = {};
  };
  llvm::Expected<EncodedTensorMap> encodeTensorMap(const TensorMap &map,
                                                   Address address);

  /// Launches return at once, and run in order.
  llvm::Error launch(Function function, std::array<int64_t, 3> grid,
                     std::array<int64_t, 3> block, int64_t sharedBytes,
                     void **arguments);
  llvm::Error synchronize();
  llvm::Expected<Event> createEvent();
  llvm::Error record(Event event);
  /// Waits for `end`. In milliseconds.
  llvm::Expected<float> getElapsed(Event begin, Event end);

private:
  CUDADriver() = default;
  /// What `status` of the driver's `call` means.
  llvm::Error check(int status, llvm::StringRef call);

  /// The driver's functions.
  struct Entries;
  std::unique_ptr<Entries> entries;
  int device = 0, capability = 0;
  std::string name;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_CUDADRIVER_H
