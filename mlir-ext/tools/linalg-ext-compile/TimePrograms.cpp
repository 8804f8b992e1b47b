//===- TimePrograms.cpp - Timing of several programs ----------------------===//
//
//   1. Allocate the arguments, and fill them with the same values for each
//      program.
//   2. Run each program once, and compare its results.
//   3. In each round, time all programs with correct results. If the GPU is
//      slow for some time, this affects all of them.
//
//===----------------------------------------------------------------------===//

#include "TimePrograms.h"
#include "Progress.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <functional>
#include <random>

using namespace mlir::linalg_ext;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using Bytes = std::vector<char>;

/// The largest allowed difference between a result and that of the first
/// program, relative to the largest element. Tiles of other sizes sum in
/// another order.
static constexpr double kTolerance = 0.02;
static constexpr unsigned kRounds = 7;
/// The length of a measurement: a time, or a number of calls.
static constexpr double kMilliseconds = 10;
static constexpr unsigned kMinCalls = 3, kMaxCalls = 200;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Returns std::nullopt for types other than floats.
static const llvm::fltSemantics *getSemantics(StringRef type) {
  return type == "f16"        ? &llvm::APFloat::IEEEhalf()
         : type == "bf16"     ? &llvm::APFloat::BFloat()
         : type == "f32"      ? &llvm::APFloat::IEEEsingle()
         : type == "f64"      ? &llvm::APFloat::IEEEdouble()
         : type == "f8E4M3FN" ? &llvm::APFloat::Float8E4M3FN()
         : type == "f8E5M2"   ? &llvm::APFloat::Float8E5M2()
                              : nullptr;
}

/// Random numbers from -1 to 1, which repeat after a prime number of elements;
/// integers are all `value`, or 0, booleans 1.
static Bytes makeElements(const PlannedBuffer &buffer,
                          const ArgumentValue &value, unsigned seed) {
  constexpr int64_t kPeriod = 65521;
  int64_t numBytes =
      buffer.numElements ? buffer.numBytes / buffer.numElements : 0;
  Bytes bytes(buffer.numBytes);
  const llvm::fltSemantics *semantics = getSemantics(buffer.type);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int64_t integer = buffer.type == "i1";
  double real = 0;
  if (value.hasValue)
    std::visit(
        [&](auto number) {
          integer = int64_t(number);
          real = number;
        },
        value.value);
  for (int64_t i = 0; i < std::min(buffer.numElements, kPeriod); ++i) {
    uint64_t bits = integer;
    if (semantics) {
      llvm::APFloat number(value.hasValue ? real : uniform(random));
      bool losesInfo;
      number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven,
                     &losesInfo);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(bytes.data() + i * numBytes, &bits, numBytes);
  }
  for (int64_t done = kPeriod * numBytes; done < buffer.numBytes; done *= 2)
    std::memcpy(bytes.data() + done, bytes.data(),
                std::min<int64_t>(done, buffer.numBytes - done));
  return bytes;
}

/// Reads elements as doubles: integers too, which are compared likewise.
static std::function<double(const char *)> makeReader(StringRef type,
                                                      int64_t numBytes) {
  if (type == "f32")
    return [](const char *from) {
      float value;
      std::memcpy(&value, from, sizeof(value));
      return double(value);
    };
  if (type == "f64")
    return [](const char *from) {
      double value;
      std::memcpy(&value, from, sizeof(value));
      return value;
    };
  const llvm::fltSemantics *semantics = getSemantics(type);
  if (!semantics)
    return [numBytes](const char *from) {
      int64_t value = 0;
      std::memcpy(&value, from, numBytes);
      return double(value);
    };
  // Of so few bits, all there are.
  std::vector<double> table(size_t(1) << (8 * numBytes));
  for (size_t bits = 0; bits < table.size(); ++bits) {
    llvm::APFloat value(*semantics, llvm::APInt(8 * numBytes, bits));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    table[bits] = value.convertToDouble();
  }
  return [table = std::move(table), numBytes](const char *from) {
    uint64_t bits = 0;
    std::memcpy(&bits, from, numBytes);
    return table[bits];
  };
}

/// The largest difference, relative to the largest element of `expected`. It is
/// infinite if only one of two elements is NaN or infinite.
static double getDifference(const PlannedBuffer &buffer, const Bytes &actual,
                            const Bytes &expected) {
  if (actual == expected)
    return 0;
  int64_t numBytes = buffer.numBytes / buffer.numElements;
  auto read = makeReader(buffer.type, numBytes);
  double largest = 0, difference = 0;
  for (int64_t i = 0; i < buffer.numBytes; i += numBytes) {
    double a = read(&actual[i]), e = read(&expected[i]);
    if (std::isfinite(e))
      largest = std::max(largest, std::abs(e));
    if (a == e || (std::isnan(a) && std::isnan(e)))
      continue;
    if (!std::isfinite(a) || !std::isfinite(e))
      return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(a - e));
  }
  return difference / std::max(largest, 1e-30);
}

//===----------------------------------------------------------------------===//
// Programs on the device
//===----------------------------------------------------------------------===//

namespace {
/// A program that is loaded, and its call.
struct Loaded {
  std::unique_ptr<LoadedProgram> program;
  Call call;
};
} // namespace

static Expected<std::unique_ptr<Loaded>> load(GPUDriver &driver,
                                              const TimedProgram &program) {
  auto loaded = LoadedProgram::create(driver, program.image, program.constants);
  if (!loaded)
    return loaded.takeError();
  Expected<Call> call = (*loaded)->prepare(program.plan);
  if (!call)
    return call.takeError();
  return std::unique_ptr<Loaded>(
      new Loaded{std::move(*loaded), std::move(*call)});
}

namespace {
/// The steps at the top of this file.
class Stopwatch {
public:
  Stopwatch(GPUDriver &driver, ArrayRef<TimedProgram> programs,
            ArrayRef<ArgumentValue> values)
      : driver(driver), programs(programs), values(values), arena(driver) {}
  Expected<SmallVector<ProgramTime>> run();

private:
  Error makeArguments();
  /// Runs the program once on new arguments, and fetches what it wrote.
  Expected<SmallVector<Bytes>> getResults(Loaded &loaded);
  /// Milliseconds of a call, the mean of `calls`.
  Expected<double> getTime(Loaded &loaded, unsigned calls);

  GPUDriver &driver;
  ArrayRef<TimedProgram> programs;
  ArrayRef<ArgumentValue> values;
  std::vector<DeviceBuffer> arguments;
  SmallVector<GPUDriver::Address> addresses;
  /// Of all programs: they run one after the other.
  Arena arena;
  /// What they are filled with.
  std::vector<Bytes> contents;
  GPUDriver::Event begin = nullptr, end = nullptr;
};
} // namespace

Error Stopwatch::makeArguments() {
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip_equal(programs[0].plan.arguments, values))) {
    auto &[buffer, value] = pair;
    Expected<DeviceBuffer> memory =
        DeviceBuffer::create(driver, buffer.numBytes);
    if (!memory)
      return memory.takeError();
    addresses.push_back(memory->getAddress());
    arguments.push_back(std::move(*memory));
    contents.push_back(buffer.isRead ? makeElements(buffer, value, index + 1)
                                     : Bytes());
  }
  for (GPUDriver::Event *event : {&begin, &end}) {
    Expected<GPUDriver::Event> created = driver.createEvent();
    if (!created)
      return created.takeError();
    *event = *created;
  }
  return Error::success();
}

Expected<SmallVector<Bytes>> Stopwatch::getResults(Loaded &loaded) {
  const LaunchPlan &plan = loaded.call.getPlan();
  for (auto [index, buffer] : llvm::enumerate(plan.arguments)) {
    // What is only written is no number before.
    Error error =
        buffer.isRead
            ? driver.copyToDevice(addresses[index], contents[index].data(),
                                  buffer.numBytes)
            : driver.fill(addresses[index], 0xff, buffer.numBytes);
    if (buffer.numBytes > 0 && error)
      return std::move(error);
    llvm::consumeError(std::move(error));
  }
  if (Error error = loaded.call.launch(addresses, arena))
    return std::move(error);
  if (Error error = driver.synchronize())
    return std::move(error);
  SmallVector<Bytes> results;
  for (auto [index, buffer] : llvm::enumerate(plan.arguments)) {
    Bytes &result = results.emplace_back();
    if (!buffer.isWritten || buffer.numBytes == 0)
      continue;
    result.resize(buffer.numBytes);
    if (Error error = driver.copyFromDevice(result.data(), addresses[index],
                                            buffer.numBytes))
      return std::move(error);
  }
  return results;
}

Expected<double> Stopwatch::getTime(Loaded &loaded, unsigned calls) {
  if (Error error = driver.record(begin))
    return std::move(error);
  for (unsigned i = 0; i < calls; ++i)
    if (Error error = loaded.call.launch(addresses, arena))
      return std::move(error);
  if (Error error = driver.record(end))
    return std::move(error);
  Expected<float> elapsed = driver.getElapsed(begin, end);
  if (!elapsed)
    return elapsed.takeError();
  return *elapsed / calls;
}

Expected<SmallVector<ProgramTime>> Stopwatch::run() {
  SmallVector<ProgramTime> times(programs.size());
  if (Error error = makeArguments())
    return std::move(error);

  std::vector<std::unique_ptr<Loaded>> loaded(programs.size());
  SmallVector<Bytes> expected;
  for (auto [index, program] : llvm::enumerate(programs)) {
    ProgramTime &time = times[index];
    Expected<std::unique_ptr<Loaded>> made = load(driver, program);
    Error error = made ? Error::success() : made.takeError();
    SmallVector<Bytes> results;
    if (!error) {
      loaded[index] = std::move(*made);
      Expected<SmallVector<Bytes>> run = getResults(*loaded[index]);
      error = run ? Error::success() : run.takeError();
      if (run)
        results = std::move(*run);
    }
    if (error && index == 0)
      return std::move(error);
    if (error) {
      time.failure = llvm::toString(std::move(error));
      loaded[index].reset();
      // What a kernel broke stays broken.
      if (Error broken = driver.synchronize())
        return std::move(broken);
      continue;
    }
    if (index == 0)
      expected = std::move(results);
    double difference = 0;
    for (auto [buffer, actual, wanted] :
         llvm::zip(program.plan.arguments, results, expected))
      if (!actual.empty())
        difference =
            std::max(difference, getDifference(buffer, actual, wanted));
    if (difference > kTolerance) {
      time.failure = llvm::formatv("differs by {0:f3} of the largest result "
                                   "from what it should be",
                                   difference);
      time.isWrong = true;
      loaded[index].reset();
    }
  }

  SmallVector<std::vector<double>> rounds(programs.size());
  SmallVector<unsigned> calls(programs.size(), kMinCalls);
  Progress progress("timing, round", kRounds + 1);
  for (unsigned round = 0; round <= kRounds; ++round) {
    progress.begin(round + 1, llvm::Twine(programs.size()) + " programs");
    for (auto [index, program] : llvm::enumerate(loaded)) {
      if (!program)
        continue;
      Expected<double> time = getTime(*program, calls[index]);
      if (!time)
        return time.takeError();
      if (round > 0) {
        rounds[index].push_back(*time);
        continue;
      }
      double wanted = kMilliseconds / std::max(*time, 1e-6);
      calls[index] = unsigned(std::clamp<double>(wanted, kMinCalls, kMaxCalls));
    }
  }
  progress.clear();
  for (auto [time, taken] : llvm::zip_equal(times, rounds)) {
    if (taken.empty())
      continue;
    llvm::sort(taken);
    time.median = taken[taken.size() / 2];
    time.least = taken.front();
    time.largest = taken.back();
  }
  return times;
}

Expected<SmallVector<ProgramTime>>
mlir::linalg_ext::timePrograms(GPUDriver &driver,
                               ArrayRef<TimedProgram> programs,
                               ArrayRef<ArgumentValue> values) {
  return Stopwatch(driver, programs, values).run();
}
