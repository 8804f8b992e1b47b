//===- Program.h - Compiled programs on a GPU -------------------*- C++ -*-===//
//
// Reads what linalg-ext-compile writes (a manifest, a code object, constants),
// loads it to a GPU, and launches it:
//
//   auto program = Program::read("attention.json");
//   auto driver = GPUDriver::create(program->getDriverKind());
//   auto loaded = LoadedProgram::create(**driver, *program);
//   auto plan = program->makePlan("attention", {shape of q, shape of k, ...});
//   auto call = (*loaded)->prepare(std::move(*plan));
//   Arena arena(**driver);
//   call->launch({address of q, address of k, ...}, arena);
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_RUNTIME_PROGRAM_H
#define MLIR_EXT_RUNTIME_PROGRAM_H

#include "mlir-ext/Runtime/GPUDriver.h"
#include "mlir-ext/Runtime/LaunchPlan.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

/// Checks that `manifest` has the form that this library reads, a known
/// version, and a known kind of GPU. The error says where it differs from
/// docs/Manifest.md.
llvm::Error checkManifest(const llvm::json::Value &manifest);

/// The files that the compiler wrote, in memory of the host.
class Program {
public:
  /// Reads the manifest at `path` and the files that it names, from the same
  /// directory. Fails if a file cannot be read, or if checkManifest fails.
  static llvm::Expected<Program> read(llvm::StringRef path);

  const llvm::json::Value &getManifest() const { return manifest; }
  /// The chip, such as "sm_90a" or "gfx942".
  llvm::StringRef getChip() const;
  GPUDriver::Kind getDriverKind() const;
  /// The names of its functions.
  llvm::SmallVector<llvm::StringRef> getEntries() const;
  /// The code object, or PTX with a zero byte after it, and the elements of the
  /// constants.
  llvm::StringRef getImage() const { return image; }
  llvm::StringRef getConstants() const { return constants; }

  /// Returns the call of `entry` with `values` (see makeLaunchPlan). Results
  /// are arguments behind the others. `process` is the index of this process
  /// (GPUDriver::getProcessIndex), if getProcessGrid says that it is needed.
  llvm::Expected<LaunchPlan>
  makePlan(llvm::StringRef entry, llvm::ArrayRef<ArgumentValue> values,
           std::optional<int64_t> process = {}) const {
    return makeLaunchPlan(manifest, entry, values, process);
  }

private:
  Program() : manifest(nullptr) {}
  llvm::json::Value manifest;
  std::string image, constants;
};

/// A buffer in memory of the GPU.
class DeviceBuffer {
public:
  static llvm::Expected<DeviceBuffer> create(GPUDriver &driver, size_t bytes);
  DeviceBuffer(DeviceBuffer &&other);
  DeviceBuffer &operator=(DeviceBuffer &&other);
  ~DeviceBuffer();
  GPUDriver::Address getAddress() const { return address; }
  size_t getNumBytes() const { return bytes; }

private:
  DeviceBuffer(GPUDriver &driver, GPUDriver::Address address, size_t bytes)
      : driver(&driver), address(address), bytes(bytes) {}
  GPUDriver *driver;
  GPUDriver::Address address;
  size_t bytes;
};

/// Memory for the temporary buffers of calls. Successive calls reuse it. Calls
/// on different streams may run at the same time, so each stream needs an arena
/// of its own.
class Arena {
public:
  explicit Arena(GPUDriver &driver) : driver(driver) {}
  /// Returns memory of at least `bytes` bytes, aligned to 256. If the arena is
  /// smaller, waits for all launches and replaces its memory.
  llvm::Expected<GPUDriver::Address> reserve(size_t bytes);
  size_t getNumBytes() const { return buffer ? buffer->getNumBytes() : 0; }

private:
  GPUDriver &driver;
  std::unique_ptr<DeviceBuffer> buffer;
};

/// A call whose kernels have been looked up. May be launched many times.
class Call {
public:
  const LaunchPlan &getPlan() const { return plan; }
  /// Launches the kernels on `stream`, in order, and returns at once.
  /// `arguments` has the address of each buffer argument. Each buffer must have
  /// at least the bytes of the plan, rounded up to a multiple of 16. The
  /// entries of scalars are ignored.
  llvm::Error launch(llvm::ArrayRef<GPUDriver::Address> arguments, Arena &arena,
                     GPUDriver::Stream stream = nullptr);

private:
  friend class LoadedProgram;
  Call(GPUDriver &driver, LaunchPlan plan, GPUDriver::Address constants)
      : driver(&driver), plan(std::move(plan)), constants(constants) {}
  llvm::Error setParameters(llvm::ArrayRef<GPUDriver::Address> arguments,
                            GPUDriver::Address temporaries);
  llvm::Error callCollective(const PlannedLaunch &launch, size_t number,
                             GPUDriver::Stream stream);

  GPUDriver *driver;
  LaunchPlan plan;
  GPUDriver::Address constants;
  /// The offset of each temporary in the arena, and the size of all of them in
  /// bytes.
  llvm::SmallVector<size_t> offsets;
  size_t numTemporaryBytes = 0;
  /// For each launch, its kernel, or the function of a library.
  std::vector<GPUDriver::Function> functions;
  /// For each launch, its parameters for the arguments `addresses`. Each one
  /// has room for the largest kind. (SmallVector does not support an alignment
  /// of 64.)
  std::vector<std::vector<GPUDriver::EncodedTensorMap>> parameters;
  std::vector<GPUDriver::Address> addresses;
};

/// A program whose kernels and constants are in memory of the GPU. It must
/// outlive its calls.
class LoadedProgram {
public:
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  create(GPUDriver &driver, const Program &program) {
    return create(driver, program.getImage(), program.getConstants());
  }
  /// `image` must have a zero byte after it.
  static llvm::Expected<std::unique_ptr<LoadedProgram>>
  create(GPUDriver &driver, llvm::StringRef image, llvm::StringRef constants);
  ~LoadedProgram();
  LoadedProgram(const LoadedProgram &) = delete;

  /// Looks up the kernels of `plan`, a plan of this program.
  llvm::Expected<Call> prepare(LaunchPlan plan);

private:
  explicit LoadedProgram(GPUDriver &driver) : driver(driver) {}
  GPUDriver &driver;
  GPUDriver::Module module = nullptr;
  std::unique_ptr<DeviceBuffer> constants;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_RUNTIME_PROGRAM_H
