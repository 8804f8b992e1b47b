//===- Program.cpp - Compiled programs on a GPU ---------------------------===//
//
// See Program.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

/// Returns the content of `path`.
static Expected<std::string> readFile(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot read " + path + ": " +
                                   file.getError().message());
  return (*file)->getBuffer().str();
}

Expected<Program> Program::read(StringRef path) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  Expected<llvm::json::Value> parsed = llvm::json::parse(*text);
  Error invalid = parsed ? checkManifest(*parsed) : parsed.takeError();
  if (invalid)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(std::move(invalid)));
  Program program;
  program.manifest = std::move(*parsed);
  const llvm::json::Object &object = *program.manifest.getAsObject();
  for (auto [key, content] : {std::pair("image", &program.image),
                              {"constants_image", &program.constants}}) {
    std::optional<StringRef> name = object.getString(key);
    if (!name)
      continue;
    llvm::SmallString<128> file(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(file, *name);
    Expected<std::string> bytes = readFile(file);
    if (!bytes)
      return bytes.takeError();
    *content = std::move(*bytes);
  }
  return program;
}

StringRef Program::getChip() const {
  return *manifest.getAsObject()->getString("chip");
}

GPUDriver::Kind Program::getDriverKind() const {
  return manifest.getAsObject()->getString("target") == "amd"
             ? GPUDriver::Kind::HIP
             : GPUDriver::Kind::CUDA;
}

llvm::SmallVector<StringRef> Program::getEntries() const {
  llvm::SmallVector<StringRef> names;
  for (const llvm::json::Value &entry :
       *manifest.getAsObject()->getArray("entries"))
    names.push_back(*entry.getAsObject()->getString("name"));
  return names;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<DeviceBuffer> DeviceBuffer::create(GPUDriver &driver, size_t bytes) {
  Expected<GPUDriver::Address> address = driver.allocate(bytes);
  if (!address)
    return address.takeError();
  return DeviceBuffer(driver, *address, bytes);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other)
    : driver(std::exchange(other.driver, nullptr)), address(other.address),
      bytes(other.bytes) {}

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) {
  std::swap(driver, other.driver);
  std::swap(address, other.address);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (driver)
    llvm::consumeError(driver->free(address));
}

Expected<GPUDriver::Address> Arena::reserve(size_t bytes) {
  if (buffer && bytes <= buffer->getNumBytes())
    return buffer->getAddress();
  // Launches may still use the present memory.
  if (Error error = driver.synchronize())
    return std::move(error);
  buffer.reset();
  Expected<DeviceBuffer> larger = DeviceBuffer::create(driver, bytes);
  if (!larger)
    return larger.takeError();
  buffer = std::make_unique<DeviceBuffer>(std::move(*larger));
  return buffer->getAddress();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<LoadedProgram>>
LoadedProgram::create(GPUDriver &driver, StringRef image, StringRef constants) {
  std::unique_ptr<LoadedProgram> loaded(new LoadedProgram(driver));
  Expected<GPUDriver::Module> module = driver.loadModule(image.data());
  if (!module)
    return module.takeError();
  loaded->module = *module;
  if (constants.empty())
    return loaded;
  Expected<DeviceBuffer> buffer =
      DeviceBuffer::create(driver, llvm::alignTo(constants.size(), 16));
  if (!buffer)
    return buffer.takeError();
  if (Error error = driver.copyToDevice(buffer->getAddress(), constants.data(),
                                        constants.size()))
    return std::move(error);
  loaded->constants = std::make_unique<DeviceBuffer>(std::move(*buffer));
  return loaded;
}

LoadedProgram::~LoadedProgram() {
  if (module)
    llvm::consumeError(driver.unloadModule(module));
}

Expected<Call> LoadedProgram::prepare(LaunchPlan plan) {
  constexpr size_t kAlignment = 256;
  if (!plan.constants.empty() && !constants)
    return llvm::createStringError(
        "expected the constants of the program, got none");
  Call call(driver, std::move(plan), constants ? constants->getAddress() : 0);
  for (const PlannedBuffer &buffer : call.plan.temporaries) {
    call.offsets.push_back(call.numTemporaryBytes);
    call.numTemporaryBytes +=
        llvm::alignTo(std::max<size_t>(buffer.numBytes, 1), kAlignment);
  }
  for (PlannedLaunch &launch : call.plan.launches) {
    if (launch.isCollective) {
      Expected<void *> function = driver.getCollective(launch.kernel);
      if (!function)
        return function.takeError();
      call.functions.push_back(static_cast<GPUDriver::Function>(*function));
      continue;
    }
    Expected<GPUDriver::Function> function =
        driver.getFunction(module, launch.kernel, launch.sharedBytes);
    if (!function)
      return function.takeError();
    Expected<int64_t> bytes = driver.getSharedBytes(*function, launch);
    if (!bytes)
      return bytes.takeError();
    if (*bytes != launch.sharedBytes)
      function = driver.getFunction(module, launch.kernel, *bytes);
    if (!function)
      return function.takeError();
    launch.sharedBytes = *bytes;
    call.functions.push_back(*function);
  }
  return std::move(call);
}

Error Call::setParameters(ArrayRef<GPUDriver::Address> arguments,
                          GPUDriver::Address temporaries) {
  parameters.clear();
  for (const PlannedLaunch &launch : plan.launches) {
    auto &values = parameters.emplace_back();
    for (const KernelArgument &argument : launch.arguments) {
      uint64_t bits = argument.bits;
      switch (argument.kind) {
      case KernelArgument::Argument:
        bits += arguments[argument.index];
        break;
      case KernelArgument::Temporary:
        bits += temporaries + offsets[argument.index];
        break;
      case KernelArgument::Constant:
        bits += constants + plan.constants[argument.index];
        break;
      case KernelArgument::Scalar:
      case KernelArgument::Numbers:
        break;
      }
      if (!argument.map) {
        values.emplace_back().words[0] = bits;
        continue;
      }
      Expected<GPUDriver::EncodedTensorMap> map =
          driver->encodeTensorMap(*argument.map, bits);
      if (!map)
        return map.takeError();
      values.push_back(*map);
    }
  }
  return Error::success();
}

/// A buffer is passed as its rank and its descriptor.
Error Call::callCollective(const PlannedLaunch &launch, size_t number,
                           GPUDriver::Stream stream) {
  std::vector<llvm::SmallVector<uint64_t>> descriptors;
  llvm::SmallVector<uint64_t> values;
  descriptors.reserve(launch.arguments.size());
  for (auto [argument, parameter] :
       llvm::zip_equal(launch.arguments, parameters[number])) {
    if (argument.kind == KernelArgument::Scalar) {
      values.push_back(argument.bits);
      continue;
    }
    bool isNumbers = argument.kind == KernelArgument::Numbers;
    descriptors.push_back(
        isNumbers ? makeDescriptor(
                        reinterpret_cast<uintptr_t>(argument.numbers.data()),
                        {static_cast<int64_t>(argument.numbers.size())})
                  : makeDescriptor(parameter.words[0], argument.numbers));
    values.push_back(isNumbers ? 1 : argument.numbers.size());
    values.push_back(reinterpret_cast<uintptr_t>(descriptors.back().data()));
  }
  return driver->callCollective(functions[number], values, stream);
}

Error Call::launch(ArrayRef<GPUDriver::Address> arguments, Arena &arena,
                   GPUDriver::Stream stream) {
  if (arguments.size() != plan.arguments.size())
    return llvm::createStringError(
        "expected the addresses of " + llvm::Twine(plan.arguments.size()) +
        " arguments, got " + llvm::Twine(arguments.size()));
  GPUDriver::Address temporaries = 0;
  if (numTemporaryBytes > 0) {
    Expected<GPUDriver::Address> reserved = arena.reserve(numTemporaryBytes);
    if (!reserved)
      return reserved.takeError();
    temporaries = *reserved;
  }
  // Building tensor maps takes the driver time, so they are built again only
  // for new addresses.
  std::vector<GPUDriver::Address> used(arguments.begin(), arguments.end());
  used.push_back(temporaries);
  if (used != addresses) {
    addresses.clear();
    if (Error error = setParameters(arguments, temporaries))
      return error;
    addresses = std::move(used);
  }
  for (auto [number, launch] : llvm::enumerate(plan.launches)) {
    GPUDriver::Function function = functions[number];
    auto &values = parameters[number];
    if (launch.isCollective) {
      if (Error error = callCollective(launch, number, stream))
        return error;
      continue;
    }
    llvm::SmallVector<void *> pointers;
    for (GPUDriver::EncodedTensorMap &each : values)
      pointers.push_back(&each);
    if (Error error =
            driver->launch(function, launch.grid, launch.block,
                           launch.sharedBytes, pointers.data(), stream,
                           /*mayBeginEarly=*/launch.waits, launch.cluster))
      return error;
  }
  return Error::success();
}
