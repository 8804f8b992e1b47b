//===- launch.cpp - Launches a compiled function --------------------------===//
//
// launch MANIFEST ENTRY SIZES [FILE...]
//
// Launches a function on the first GPU, and prints how many bytes it wrote to
// each result, and the first element of those of f32. Each FILE has the
// elements of an argument, in order: it is read before, and written afterwards
// if the function writes the argument. Arguments without a file start as zeros.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/Program.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir::linalg_ext;

/// Copies the contents of the file `name`, if there is one, to `buffer`.
static llvm::Error readArgument(GPUDriver &driver, const char *name,
                                const PlannedBuffer &argument,
                                const DeviceBuffer &buffer) {
  auto file = llvm::MemoryBuffer::getFile(name);
  if (!file)
    return llvm::createFileError(name, file.getError());
  if ((*file)->getBufferSize() != static_cast<uint64_t>(argument.numBytes))
    return llvm::createStringError(
        llvm::Twine(name) + ": expected " + llvm::Twine(argument.numBytes) +
        " bytes, got " + llvm::Twine((*file)->getBufferSize()));
  return driver.copyToDevice(buffer.getAddress(), (*file)->getBufferStart(),
                             (*file)->getBufferSize());
}

/// Writes what is in `buffer` to the file `name`.
static llvm::Error writeResult(GPUDriver &driver, const char *name,
                               const PlannedBuffer &argument,
                               const DeviceBuffer &buffer) {
  std::vector<char> bytes(argument.numBytes);
  if (llvm::Error error = driver.copyFromDevice(
          bytes.data(), buffer.getAddress(), bytes.size()))
    return error;
  std::error_code code;
  llvm::raw_fd_ostream os(name, code);
  if (code)
    return llvm::createFileError(name, code);
  os.write(bytes.data(), bytes.size());
  return llvm::Error::success();
}

static llvm::Error launch(llvm::StringRef manifest, llvm::StringRef entry,
                          llvm::StringRef sizes, llvm::ArrayRef<char *> files) {
  // 1. What the compiler wrote, and the sizes of this call.
  llvm::Expected<Program> program = Program::read(manifest);
  if (!program)
    return program.takeError();
  auto values = parseArgumentValues(sizes);
  if (!values)
    return values.takeError();
  llvm::Expected<LaunchPlan> plan = program->makePlan(entry, *values);
  if (!plan)
    return plan.takeError();

  // 2. The GPU, with the code of the kernels.
  auto driver = GPUDriver::create(program->getDriverKind());
  if (!driver)
    return driver.takeError();
  auto loaded = LoadedProgram::create(**driver, *program);
  if (!loaded)
    return loaded.takeError();
  llvm::Expected<Call> call = (*loaded)->prepare(std::move(*plan));
  if (!call)
    return call.takeError();

  // 3. The arguments. Kernels may read up to the next multiple of 16 bytes.
  std::vector<DeviceBuffer> buffers;
  llvm::SmallVector<GPUDriver::Address> addresses;
  for (const PlannedBuffer &argument : call->getPlan().arguments) {
    auto buffer =
        DeviceBuffer::create(**driver, (argument.numBytes + 15) / 16 * 16);
    if (!buffer)
      return buffer.takeError();
    if (llvm::Error error =
            (*driver)->fill(buffer->getAddress(), 0, buffer->getNumBytes()))
      return error;
    if (buffers.size() < files.size() && argument.isRead)
      if (llvm::Error error =
              readArgument(**driver, files[buffers.size()], argument, *buffer))
        return error;
    addresses.push_back(buffer->getAddress());
    buffers.push_back(std::move(*buffer));
  }

  // 4. The launches, on a stream.
  Arena arena(**driver);
  auto stream = (*driver)->createStream();
  if (!stream)
    return stream.takeError();
  if (llvm::Error error = call->launch(addresses, arena, *stream))
    return error;
  if (llvm::Error error = (*driver)->synchronize(*stream))
    return error;
  if (llvm::Error error = (*driver)->destroyStream(*stream))
    return error;

  // 5. The results.
  llvm::outs() << entry << " on " << (*driver)->getDeviceName() << ", "
               << call->getPlan().launches.size() << " launches\n";
  for (size_t i = 0; i < addresses.size(); ++i) {
    const PlannedBuffer &argument = call->getPlan().arguments[i];
    if (!argument.isWritten || argument.numBytes == 0)
      continue;
    if (i < files.size())
      if (llvm::Error error =
              writeResult(**driver, files[i], argument, buffers[i]))
        return error;
    llvm::outs() << "argument " << i << ": " << argument.numBytes << " bytes";
    if (argument.type == "f32") {
      float first;
      if (llvm::Error error =
              (*driver)->copyFromDevice(&first, addresses[i], sizeof(first)))
        return error;
      llvm::outs() << ", starting with " << first;
    }
    llvm::outs() << "\n";
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (argc < 4) {
    llvm::errs() << "usage: launch MANIFEST ENTRY SIZES [FILE...]\n";
    return 2;
  }
  llvm::ArrayRef<char *> arguments(argv, argc);
  if (llvm::Error error =
          launch(argv[1], argv[2], argv[3], arguments.drop_front(4))) {
    llvm::errs() << "launch: error: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  }
  return 0;
}
