//===- RuntimeTest.cpp - Programs on a GPU that is not there --------------===//
//
// Manifests as docs/Manifest.md describes them, written by hand, launched
// through libraries that stand in for the drivers of both vendors.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Runtime/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

using namespace mlir::linalg_ext;
using llvm::SmallVector;
using llvm::StringRef;
namespace json = llvm::json;

/// Two kernels: the first one writes a temporary of as many rows as `x` has,
/// and is not launched if there are none. The second one reads it, a constant
/// at 32 bytes, a scalar, and the rows of `x` from the second one on.
static constexpr const char *kManifest = R"({
  "version": 2, "target": "TARGET", "chip": "CHIP", "image": "IMAGE",
  "constants_image": "constants.bin",
  "constants": {"table": {"type": "f32", "shape": [4], "offset": 32}},
  "kernels": {},
  "entries": [{
    "name": "f",
    "arguments": [
      {"kind": "buffer", "type": "f16", "shape": [null, 64], "access": "read"},
      {"kind": "scalar", "type": "f32"},
      {"kind": "scalar", "type": "index"},
      {"kind": "buffer", "type": "f32", "shape": [null, 64], "access": "write"}],
    "temporaries": [
      {"type": "i8", "shape": [{"mul": [{"dim": [0, 0]}, 100]}]},
      {"type": "f32", "shape": [3]}],
    "checks": [{"condition": {"lt": [{"argument": 2}, 100]}, "message": "too many"}],
    "launches": [
      {"kernel": "first",
       "grid": [{"ceildiv": [{"dim": [0, 0]}, 16]}, 1, 1], "block": [128, 1, 1],
       "shared_memory_bytes": {"select": [{"lt": [{"argument": 2}, 5]}, 1024, 2048]},
       "arguments": [{"buffer": {"argument": 0}}, {"buffer": {"temporary": 0}},
                     {"buffer": {"temporary": 1}},
                     {"type": "f32", "value": {"argument": 1}}]},
      {"kernel": "second",
       "grid": [{"add": [{"argument": 2}, 1]}, 2, 3], "block": [32, 4, 1],
       "shared_memory_bytes": 0,
       "arguments": [{"buffer": {"constant": "table"}},
                     {"buffer": {"argument": 0, "offset": 128}},
                     {"type": "i64", "value": {"sub": [{"argument": 2}, 7]}},
                     {"buffer": {"argument": 3}}]}]}]})";

namespace {
struct Launched {
  std::array<unsigned, 7> sizes;
  void *stream;
  std::array<uint64_t, 4> parameters;
};
std::vector<Launched> launched;

void record(const unsigned *sizes, void *stream, void **arguments) {
  Launched &each = launched.emplace_back();
  std::copy_n(sizes, each.sizes.size(), each.sizes.begin());
  each.stream = stream;
  for (auto [value, argument] :
       llvm::zip_equal(each.parameters, llvm::ArrayRef(arguments, 4)))
    std::memcpy(&value, argument, sizeof(value));
}

/// The parameter is the vendor.
class RuntimeTest : public ::testing::TestWithParam<GPUDriver::Kind> {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("runtime", directory));
    bool isHIP = GetParam() == GPUDriver::Kind::HIP;
    library = isHIP ? LINALG_EXT_FAKE_HIP : LINALG_EXT_FAKE_CUDA;
    manifest = kManifest;
    replace("TARGET", isHIP ? "amd" : "nvidia");
    replace("CHIP", isHIP ? "gfx942" : "sm_90a");
    replace("IMAGE", "code");
    write("code", isHIP ? "\177ELF" : ".entry first\n.entry second\n");
    write("constants.bin", std::string(48, 'c'));
    launched.clear();
    std::string error;
    auto loaded =
        llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
    ASSERT_TRUE(loaded.isValid()) << error;
    hook =
        reinterpret_cast<Hook *>(loaded.getAddressOfSymbol("fakeLaunchHook"));
    ASSERT_TRUE(hook);
    *hook = record;
  }
  void TearDown() override {
    *hook = nullptr;
    llvm::sys::fs::remove_directories(directory);
  }

  void replace(StringRef from, StringRef to) {
    size_t at = manifest.find(from.str());
    ASSERT_NE(at, std::string::npos) << from.str();
    manifest.replace(at, from.size(), to.str());
  }
  void write(StringRef name, StringRef content) {
    std::error_code error;
    llvm::raw_fd_ostream os(getPath(name), error);
    os << content;
  }
  std::string getPath(StringRef name) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  llvm::Expected<Program> read() {
    write("f.json", manifest);
    return Program::read(getPath("f.json"));
  }
  template <typename T>
  static T get(llvm::Expected<T> value) {
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError());
      std::abort();
    }
    return std::move(*value);
  }
  static std::string print(llvm::Error error) {
    return llvm::toString(std::move(error));
  }
  static SmallVector<ArgumentValue> parse(StringRef text) {
    return get(parseArgumentValues(text));
  }

  using Hook = void (*)(const unsigned *, void *, void **);
  Hook *hook = nullptr;
  llvm::SmallString<128> directory;
  std::string library, manifest;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Vendors, RuntimeTest,
                         ::testing::Values(GPUDriver::Kind::CUDA,
                                           GPUDriver::Kind::HIP),
                         [](const auto &info) {
                           return info.param == GPUDriver::Kind::HIP ? "HIP"
                                                                     : "CUDA";
                         });

TEST_P(RuntimeTest, LaunchesAPlan) {
  Program program = get(read());
  EXPECT_EQ(program.getDriverKind(), GetParam());
  EXPECT_EQ(program.getEntries(), SmallVector<StringRef>{"f"});
  auto driver = get(GPUDriver::create(GetParam(), library));
  EXPECT_EQ(driver->getDeviceName(), "A fake");
  auto loaded = get(LoadedProgram::create(*driver, program));
  Call call = get(
      loaded->prepare(get(program.makePlan("f", parse("33x64,0.5,3,33x64")))));
  const LaunchPlan &plan = call.getPlan();
  ASSERT_EQ(plan.arguments.size(), 4u);
  EXPECT_EQ(plan.arguments[0].numBytes, 33 * 64 * 2);
  EXPECT_EQ(plan.arguments[3].numBytes, 33 * 64 * 4);
  EXPECT_TRUE(plan.arguments[0].isRead && !plan.arguments[0].isWritten);

  DeviceBuffer x = get(DeviceBuffer::create(*driver, 33 * 64 * 2)),
               y = get(DeviceBuffer::create(*driver, 33 * 64 * 4));
  ASSERT_EQ(print(driver->fill(y.getAddress(), 0xff, y.getNumBytes())), "");
  Arena arena(*driver);
  GPUDriver::Stream stream = get(driver->createStream());
  for (GPUDriver::Stream each : {GPUDriver::Stream(), stream}) {
    launched.clear();
    ASSERT_EQ(
        print(call.launch({x.getAddress(), 0, 0, y.getAddress()}, arena, each)),
        "");
    // Of 33 rows three blocks; the second temporary is behind 3300 bytes.
    ASSERT_EQ(launched.size(), 2u);
    EXPECT_EQ(arena.getNumBytes(), 3328u + 256);
    GPUDriver::Address temporaries = get(arena.reserve(1));
    EXPECT_EQ(launched[0].sizes,
              (std::array<unsigned, 7>{3, 1, 1, 128, 1, 1, 1024}));
    EXPECT_EQ(launched[0].parameters,
              (std::array<uint64_t, 4>{x.getAddress(), temporaries,
                                       temporaries + 3328, 0x3f000000}));
    EXPECT_EQ(launched[1].sizes,
              (std::array<unsigned, 7>{4, 2, 3, 32, 4, 1, 0}));
    EXPECT_EQ(launched[1].parameters[1], x.getAddress() + 128);
    EXPECT_EQ(int64_t(launched[1].parameters[2]), -4);
    EXPECT_EQ(launched[1].parameters[3], y.getAddress());
    // The constant is at 32 bytes of their image.
    char constant[16];
    ASSERT_EQ(print(driver->copyFromDevice(constant, launched[1].parameters[0],
                                           sizeof(constant))),
              "");
    EXPECT_EQ(StringRef(constant, sizeof(constant)), std::string(16, 'c'));
    EXPECT_EQ(launched[0].stream, each);
    EXPECT_EQ(launched[1].stream, each);
  }
  EXPECT_EQ(print(driver->synchronize(stream)), "");
  EXPECT_EQ(print(driver->destroyStream(stream)), "");

  // What was filled before is what kernels write.
  std::vector<float> result(33 * 64);
  ASSERT_EQ(print(driver->copyFromDevice(result.data(), y.getAddress(),
                                         y.getNumBytes())),
            "");
  EXPECT_TRUE(llvm::all_of(result, [](float each) { return each == 1; }));
}

/// Where the manifest says that a kernel waits itself for launches in front of
/// it, CUDA's driver may begin it early, from the version on in which graphs
/// record that.
TEST_P(RuntimeTest, BeginsEarly) {
  replace("{\"kernel\": \"second\"",
          "{\"waits\": true, \"kernel\": \"second\"");
  Program program = get(read());
  auto plan = get(program.makePlan("f", parse("33x64,0.5,3,33x64")));
  ASSERT_EQ(plan.launches.size(), 2u);
  EXPECT_FALSE(plan.launches[0].waits);
  EXPECT_TRUE(plan.launches[1].waits);
  std::string error;
  auto loadedLibrary =
      llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
  auto *early = reinterpret_cast<int *>(
      loadedLibrary.getAddressOfSymbol("fakeEarlyLaunches"));
  bool isCUDA = GetParam() == GPUDriver::Kind::CUDA;
  ASSERT_EQ(early != nullptr, isCUDA);
  for (auto [version, expected] :
       {std::pair("12020", 0), {"12030", 1}, {"13000", 1}}) {
    setenv("FAKE_CUDA_VERSION", version, /*overwrite=*/1);
    auto driver = get(GPUDriver::create(GetParam(), library));
    unsetenv("FAKE_CUDA_VERSION");
    auto loaded = get(LoadedProgram::create(*driver, program));
    Call call = get(loaded->prepare(
        get(program.makePlan("f", parse("33x64,0.5,3,33x64")))));
    Arena arena(*driver);
    launched.clear();
    if (early)
      *early = 0;
    ASSERT_EQ(print(call.launch({16, 0, 0, 32}, arena)), "");
    ASSERT_EQ(launched.size(), 2u);
    EXPECT_EQ(launched[1].sizes,
              (std::array<unsigned, 7>{4, 2, 3, 32, 4, 1, 0}));
    if (early)
      EXPECT_EQ(*early, expected) << version;
  }
  replace("\"waits\": true", "\"waits\": 1");
  auto wrong = read();
  ASSERT_FALSE(bool(wrong));
  EXPECT_NE(print(wrong.takeError()).find("expected true or false in "),
            std::string::npos);
}

/// Where the manifest says so, CUDA's launches ask for so much shared memory
/// that a processor has no room for more workgroups than in an even
/// distribution.
TEST_P(RuntimeTest, DistributesEvenly) {
  replace("{\"kernel\": \"second\"",
          "{\"waits\": true, \"workgroups_per_processor\": 8, "
          "\"kernel\": \"second\"");
  bool isCUDA = GetParam() == GPUDriver::Kind::CUDA;
  // 24 workgroups are 6 for each of 4 processors.
  constexpr unsigned kProcessor = 228 << 10, kOthers = 1024 + 128;
  for (auto [most, version, isEven] : {std::tuple("8", "13000", true),
                                       {"6", "13000", true},
                                       {"5", "13000", false},
                                       {"8", "12020", false}}) {
    std::string field = "\"workgroups_per_processor\": ";
    replace(field + "8", field + most);
    Program program = get(read());
    replace(field + most, field + "8");
    setenv("FAKE_CUDA_VERSION", version, /*overwrite=*/1);
    auto driver = get(GPUDriver::create(GetParam(), library));
    unsetenv("FAKE_CUDA_VERSION");
    auto loaded = get(LoadedProgram::create(*driver, program));
    auto plan = get(program.makePlan("f", parse("33x64,0.5,3,33x64")));
    EXPECT_EQ(plan.launches[0].workgroupsPerProcessor, 0);
    EXPECT_EQ(plan.launches[1].workgroupsPerProcessor, atoi(most));
    Call call = get(loaded->prepare(std::move(plan)));
    Arena arena(*driver);
    launched.clear();
    ASSERT_EQ(print(call.launch({16, 0, 0, 32}, arena)), "");
    ASSERT_EQ(launched.size(), 2u);
    EXPECT_EQ(launched[0].sizes[6], 1024u);
    unsigned bytes = launched[1].sizes[6];
    if (!isCUDA || !isEven) {
      EXPECT_EQ(bytes, 0u) << most;
      continue;
    }
    EXPECT_EQ(bytes % 128, 0u);
    EXPECT_LE(6 * (bytes + kOthers), kProcessor);
    EXPECT_GT(7 * (bytes + kOthers), kProcessor);
    EXPECT_LE(7 * (bytes - 128 + kOthers), kProcessor);
  }
  // Two workgroups without shared memory are left to the device, three are not.
  replace("\"grid\": [{\"add\": [{\"argument\": 2}, 1]}, 2, 3]",
          "\"grid\": [{\"argument\": 2}, 1, 1]");
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  for (auto [workgroups, isEven] : {std::pair("2", false), {"3", true}}) {
    Call call = get(loaded->prepare(get(program.makePlan(
        "f", parse(std::string("33x64,0.5,") + workgroups + ",33x64")))));
    Arena arena(*driver);
    launched.clear();
    ASSERT_EQ(print(call.launch({16, 0, 0, 32}, arena)), "");
    ASSERT_EQ(launched.size(), 2u);
    EXPECT_EQ(launched[1].sizes[6] > 0, isEven && isCUDA) << workgroups;
  }
  for (const char *wrong : {"0", "true"}) {
    replace("_processor\": 8", std::string("_processor\": ") + wrong);
    auto manifest = read();
    ASSERT_FALSE(bool(manifest)) << wrong;
    EXPECT_NE(print(manifest.takeError()).find("a number of at least 1 in "),
              std::string::npos);
    replace(std::string("_processor\": ") + wrong, "_processor\": 8");
  }
}

/// Workgroups of clusters are launched with their number. The grid is a
/// multiple of it.
TEST_P(RuntimeTest, Clusters) {
  replace("\"version\": 2", "\"version\": 8");
  replace("{\"kernel\": \"second\"",
          "{\"cluster\": [2, 1, 3], \"kernel\": \"second\"");
  Program program = get(read());
  auto odd = program.makePlan("f", parse("33x64,0.5,2,33x64"));
  ASSERT_FALSE(bool(odd));
  EXPECT_NE(print(odd.takeError())
                .find("kernel 'second': expected a multiple of the 2 "
                      "workgroups of a cluster, got 3"),
            std::string::npos);
  auto plan = get(program.makePlan("f", parse("33x64,0.5,3,33x64")));
  ASSERT_EQ(plan.launches.size(), 2u);
  EXPECT_EQ(plan.launches[0].cluster, (std::array<int64_t, 3>{1, 1, 1}));
  EXPECT_EQ(plan.launches[1].cluster, (std::array<int64_t, 3>{2, 1, 3}));
  if (GetParam() == GPUDriver::Kind::CUDA) {
    std::string error;
    auto loadedLibrary =
        llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
    auto *sizes = reinterpret_cast<unsigned *>(
        loadedLibrary.getAddressOfSymbol("fakeCluster"));
    ASSERT_NE(sizes, nullptr);
    auto driver = get(GPUDriver::create(GetParam(), library));
    auto loaded = get(LoadedProgram::create(*driver, program));
    Call call = get(loaded->prepare(plan));
    Arena arena(*driver);
    launched.clear();
    ASSERT_EQ(print(call.launch({16, 0, 0, 32}, arena)), "");
    ASSERT_EQ(launched.size(), 2u);
    EXPECT_EQ(launched[1].sizes,
              (std::array<unsigned, 7>{4, 2, 3, 32, 4, 1, 0}));
    EXPECT_EQ(std::vector<unsigned>(sizes, sizes + 3),
              (std::vector<unsigned>{2, 1, 3}));
  }
  for (const char *wrong : {"[2, 1]", "[2, 1, 0]", "[2, 1, 17]", "2"}) {
    replace("\"cluster\": [2, 1, 3]", std::string("\"cluster\": ") + wrong);
    auto manifest = read();
    ASSERT_FALSE(bool(manifest)) << wrong;
    EXPECT_NE(print(manifest.takeError()).find("cluster'"), std::string::npos)
        << wrong;
    replace(std::string("\"cluster\": ") + wrong, "\"cluster\": [2, 1, 3]");
  }
}

/// Expressions name values, and values earlier ones. A value that nothing uses
/// may have none.
TEST_P(RuntimeTest, NamedValues) {
  replace("\"version\": 2", "\"version\": 5");
  replace("\"checks\": [",
          "\"values\": [{\"ceildiv\": [{\"dim\": [0, 0]}, 16]}, "
          "{\"ceildiv\": [1, {\"argument\": 2}]}, "
          "{\"mul\": [{\"value\": 0}, 4]}], \"checks\": [");
  replace("\"grid\": [{\"ceildiv\": [{\"dim\": [0, 0]}, 16]}, 1, 1]",
          "\"grid\": [{\"value\": 2}, {\"value\": 0}, {\"select\": "
          "[{\"argument\": 2}, {\"value\": 1}, 5]}]");
  Program program = get(read());
  for (int64_t scalar : {0, 3}) {
    auto plan = get(program.makePlan(
        "f", parse("33x64,0.5," + std::to_string(scalar) + ",33x64")));
    ASSERT_EQ(plan.launches.size(), 2u);
    EXPECT_EQ(plan.launches[0].grid[0], 12);
    EXPECT_EQ(plan.launches[0].grid[1], 3);
    EXPECT_EQ(plan.launches[0].grid[2], scalar == 0 ? 5 : 1);
  }
}

/// Loops are unrolled: as many first kernels as the scalar says, and the buffer
/// of an iteration is as large as the largest. A counter keeps its last value.
TEST_P(RuntimeTest, Loops) {
  replace("\"version\": 2", "\"version\": 6");
  replace("{\"type\": \"f32\", \"shape\": [3]}",
          "{\"type\": \"f32\", \"shape\": [{\"value\": 0}, 3]}");
  replace("\"checks\": [", "\"values\": [{\"mul\": [{\"counter\": 0}, 4]}], "
                           "\"checks\": [");
  replace("{\"kernel\": \"first\"",
          "{\"loop\": {\"counters\": ["
          "{\"counter\": 0, \"first\": 1, \"next\": {\"counter\": 1}}, "
          "{\"counter\": 1, \"first\": 2, \"next\": "
          "{\"add\": [{\"counter\": 0}, {\"counter\": 1}]}}], "
          "\"while\": {\"lt\": [{\"counter\": 0}, {\"argument\": 2}]}, "
          "\"launches\": [{\"kernel\": \"first\"");
  replace("\"value\": {\"argument\": 1}}]}",
          "\"value\": {\"argument\": 1}}]}]}}");
  replace("\"grid\": [{\"ceildiv\": [{\"dim\": [0, 0]}, 16]}, 1, 1]",
          "\"grid\": [{\"counter\": 0}, {\"value\": 0}, 1]");
  replace("\"grid\": [{\"add\": [{\"argument\": 2}, 1]}, 2, 3]",
          "\"grid\": [{\"counter\": 0}, 2, 3]");
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  // 1, 2, 3 are below 5; none is below 1.
  for (auto [scalar, numbers] :
       {std::pair(5, SmallVector<unsigned>{1, 2, 3}), {1, {}}}) {
    Call call = get(loaded->prepare(get(program.makePlan(
        "f", parse("33x64,0.5," + std::to_string(scalar) + ",33x64")))));
    EXPECT_EQ(call.getPlan().temporaries[1].numBytes,
              numbers.empty() ? 0 : numbers.back() * 4 * 3 * 4);
    Arena arena(*driver);
    launched.clear();
    ASSERT_EQ(print(call.launch({16, 0, 0, 32}, arena)), "");
    ASSERT_EQ(launched.size(), numbers.size() + 1);
    for (auto [each, number] : llvm::zip(launched, numbers)) {
      EXPECT_EQ(each.sizes[0], number);
      EXPECT_EQ(each.sizes[1], 4 * number);
    }
    EXPECT_EQ(launched.back().sizes[0], numbers.empty() ? 1u : 5u);
  }
  // A loop that does not end. (None of its grids has a workgroup.)
  replace("{\"value\": 0}, 1], \"block\"", "0, 1], \"block\"");
  replace("\"next\": {\"counter\": 1}", "\"next\": {\"counter\": 0}");
  Program endless = get(read());
  auto plan = endless.makePlan("f", parse("33x64,0.5,5,33x64"));
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(print(plan.takeError()), "expected at most 131072 iterations of "
                                     "loops around kernels, got more");
}

/// Expressions have 64 bits. All of them count when integers are compared.
TEST_P(RuntimeTest, Numbers) {
  std::string grid = "{\"ceildiv\": [{\"dim\": [0, 0]}, 16]}";
  auto plan = [&](const std::string &expression) {
    replace("\"grid\": [" + grid, "\"grid\": [" + expression);
    grid = expression;
    auto result = get(read()).makePlan("f", parse("33x64,0.5,1,33x64"));
    return result ? std::to_string(result->launches[0].grid[0])
                  : print(result.takeError());
  };
  std::string least = "-9223372036854775808", most = "9223372036854775807";
  EXPECT_EQ(plan("{\"add\": [1, {\"rem\": [" + least + ", -1]}]}"), "1");
  EXPECT_EQ(plan("{\"mod\": [" + least + ", 3]}"), "1");
  EXPECT_EQ(plan("{\"lt\": [9223372036854775806, " + most + "]}"), "1");
  for (const auto &[name, other] : {std::pair("add", most),
                                    {"mul", most},
                                    {"sub", least},
                                    {"div", least}}) {
    std::string text = std::string("{\"") + name + "\": [" + other + ", " +
                       (other == least ? name[0] == 'd' ? "-1" : "1" : "2") +
                       "]}";
    EXPECT_EQ(plan(text), std::string("expected integers of 64 bits, got more "
                                      "from '") +
                              name + "'");
  }
  EXPECT_EQ(plan("{\"mod\": [1, 0]}"), "'mod' divides by 0");
}

/// Scalars that a type does not have are refused, and those of f8 are rounded.
TEST_P(RuntimeTest, Scalars) {
  // The number is negative here, which a size of the grid must not be.
  replace("\"grid\": [{\"add\": [{\"argument\": 2}, 1]}", "\"grid\": [1");
  std::string type = "index";
  auto setType = [&](const std::string &next) {
    replace("{\"kind\": \"scalar\", \"type\": \"" + type + "\"}",
            "{\"kind\": \"scalar\", \"type\": \"" + next + "\"}");
    type = next;
  };
  auto plan = [&](StringRef value) {
    auto result =
        get(read()).makePlan("f", parse(("1x64,1," + value + ",1x64").str()));
    return result ? "" : print(result.takeError());
  };
  EXPECT_EQ(plan("2.5"), "expected index for argument 2 of 'f', got 2.50");
  EXPECT_EQ(plan("-9000000000"), "");
  setType("i8");
  EXPECT_EQ(plan("300"), "expected i8 for argument 2 of 'f', got 300");
  EXPECT_EQ(plan("-129"), "expected i8 for argument 2 of 'f', got -129");
  EXPECT_EQ(plan("-128"), "");
  setType("i1");
  EXPECT_EQ(plan("1"), "");
  EXPECT_EQ(plan("2"), "expected i1 for argument 2 of 'f', got 2");

  replace("{\"type\": \"f32\", \"value\": {\"argument\": 1}}",
          "{\"type\": \"f8E4M3FN\", \"value\": {\"argument\": 1}}");
  auto getBits = [&](StringRef value) {
    LaunchPlan result = get(
        get(read()).makePlan("f", parse(("1x64," + value + ",1,1x64").str())));
    return result.launches[0].arguments[3].bits;
  };
  EXPECT_EQ(getBits("1"), 0x38u);
  EXPECT_EQ(getBits("-1.0"), 0xb8u);
  EXPECT_EQ(getBits("1.06"), 0x38u); // the next number is 1.125
}

/// Each value names the one before it many times: no step visits each of these
/// uses.
TEST_P(RuntimeTest, ManyUsesOfValues) {
  std::string values = "{\"min\": [3, 4]}";
  for (int i = 0; i < 12; ++i) {
    std::string name = "{\"value\": " + std::to_string(i) + "}";
    values += ", {\"min\": [" + name;
    for (int j = 0; j < 15; ++j)
      values += ", " + name;
    values += "]}";
  }
  replace("\"checks\": [", "\"values\": [" + values + "], \"checks\": [");
  replace("{\"type\": \"f32\", \"shape\": [3]}",
          "{\"type\": \"f32\", \"shape\": [{\"value\": 12}]}");
  auto plan = get(get(read()).makePlan("f", parse("33x64,0.5,1,33x64")));
  EXPECT_EQ(plan.temporaries[1].numBytes, 12);
}

/// What launches depend on must be given.
TEST_P(RuntimeTest, Elements) {
  replace("\"version\": 2", "\"version\": 6");
  replace("{\"kind\": \"scalar\", \"type\": \"index\"}",
          "{\"kind\": \"buffer\", \"type\": \"i32\", \"shape\": [], "
          "\"access\": \"read\"}");
  for (unsigned i = 0; i < 4; ++i)
    replace("{\"argument\": 2}", "{\"element\": 2}");
  Program program = get(read());
  EXPECT_EQ(get(program.makePlan("f", parse("33x64,0.5,x=3,33x64")))
                .launches[1]
                .grid[0],
            4);
  auto plan = program.makePlan("f", parse("33x64,0.5,x,33x64"));
  ASSERT_FALSE(bool(plan));
  EXPECT_EQ(print(plan.takeError()),
            "expected the value of the element of argument 2, which launches "
            "depend on, got none");
}

/// Other buffers, and other temporaries, are other parameters.
TEST_P(RuntimeTest, ParametersFollowAddresses) {
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  Call small = get(loaded->prepare(
           get(program.makePlan("f", parse("16x64,1,3,16x64"))))),
       large = get(loaded->prepare(
           get(program.makePlan("f", parse("160x64,1,9,160x64")))));
  Arena arena(*driver);
  DeviceBuffer x = get(DeviceBuffer::create(*driver, 160 * 64 * 2)),
               y = get(DeviceBuffer::create(*driver, 160 * 64 * 4));
  SmallVector<GPUDriver::Address> there{x.getAddress(), 0, 0, y.getAddress()},
      swapped{y.getAddress(), 0, 0, x.getAddress()};
  ASSERT_EQ(print(small.launch(there, arena)), "");
  ASSERT_EQ(print(small.launch(swapped, arena)), "");
  ASSERT_EQ(print(large.launch(there, arena)), "");
  GPUDriver::Address temporaries = get(arena.reserve(1));
  // The larger memory stays.
  EXPECT_GE(arena.getNumBytes(), 16000u);
  ASSERT_EQ(print(small.launch(there, arena)), "");
  ASSERT_EQ(launched.size(), 8u);
  EXPECT_EQ(launched[0].parameters[0], x.getAddress());
  EXPECT_EQ(launched[2].parameters[0], y.getAddress());
  EXPECT_EQ(launched[4].sizes[6], 2048u);
  EXPECT_EQ(launched[4].parameters[1], temporaries);
  EXPECT_EQ(launched[6].parameters[1], temporaries);
}

/// A call of a kernel with less shared memory does not limit an earlier one.
TEST_P(RuntimeTest, CallsOfOneKernelNeedDifferentMemory) {
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  Call large = get(loaded->prepare(
           get(program.makePlan("f", parse("160x64,1,9,160x64"))))),
       small = get(loaded->prepare(
           get(program.makePlan("f", parse("16x64,1,3,16x64")))));
  Arena arena(*driver);
  DeviceBuffer x = get(DeviceBuffer::create(*driver, 160 * 64 * 2)),
               y = get(DeviceBuffer::create(*driver, 160 * 64 * 4));
  SmallVector<GPUDriver::Address> there{x.getAddress(), 0, 0, y.getAddress()};
  EXPECT_EQ(print(small.launch(there, arena)), "");
  EXPECT_EQ(print(large.launch(there, arena)), "");
  ASSERT_EQ(launched.size(), 4u);
  EXPECT_GT(launched[2].sizes[6], launched[0].sizes[6]);
}

/// A call may be made in another thread than the driver.
TEST_P(RuntimeTest, OtherThreads) {
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  std::string errors = "not run";
  std::thread([&] {
    Call call = get(
        loaded->prepare(get(program.makePlan("f", parse("16x64,1,3,16x64")))));
    Arena arena(*driver);
    DeviceBuffer x = get(DeviceBuffer::create(*driver, 16 * 64 * 2)),
                 y = get(DeviceBuffer::create(*driver, 16 * 64 * 4));
    errors = print(call.launch({x.getAddress(), 0, 0, y.getAddress()}, arena));
  }).join();
  EXPECT_EQ(errors, "");
  EXPECT_EQ(launched.size(), 2u);
}

/// Without rows, the grid of the first kernel is empty: there is no such
/// launch.
TEST_P(RuntimeTest, NoRows) {
  Program program = get(read());
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  Call call =
      get(loaded->prepare(get(program.makePlan("f", parse("0x64,1,3,0x64")))));
  Arena arena(*driver);
  ASSERT_EQ(print(call.launch({0, 0, 0, 0}, arena)), "");
  ASSERT_EQ(launched.size(), 1u);
  EXPECT_EQ(launched[0].sizes[0], 4u);
}

TEST_P(RuntimeTest, WhatDoesNotFitIsRefused) {
  Program program = get(read());
  auto refuse = [&](StringRef entry, StringRef values) {
    auto plan = program.makePlan(entry, parse(values));
    return plan ? "" : print(plan.takeError());
  };
  EXPECT_EQ(refuse("g", "1x64,1,3,1x64"), "there is no function 'g'");
  EXPECT_EQ(refuse("f", "1x64,1,3,1x65"),
            "expected ?x64xf32 for argument 3 of 'f', got 1x65");
  EXPECT_EQ(refuse("f", "1x64,1x,3,1x64"),
            "expected f32 for argument 1 of 'f', got 1");
  EXPECT_NE(refuse("f", "1x64,1,3").find("expected the sizes of 4 arguments"),
            std::string::npos);

  EXPECT_NE(refuse("f", "1x64,1,100,1x64").find("too many"), std::string::npos);
  EXPECT_EQ(refuse("f", "1x64,1,-5,1x64"),
            "expected an integer of at least 0 for the sizes of the launch of "
            "kernel 'second', got -4");

  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));
  LaunchPlan plan = get(program.makePlan("f", parse("1x64,1,3,1x64")));
  Call call = get(loaded->prepare(plan));
  Arena arena(*driver);
  EXPECT_EQ(print(call.launch({0}, arena)),
            "expected the addresses of 4 arguments, got 1");
  auto other = get(LoadedProgram::create(*driver, program.getImage(), ""));
  auto refused = other->prepare(plan);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(print(refused.takeError()),
            "expected the constants of the program, got none");

  // What the driver says is what the caller gets.
  setenv("FAKE_CUDA_FAIL", "128", 1);
  std::string failure = print(call.launch({0, 0, 0, 0}, arena));
  unsetenv("FAKE_CUDA_FAIL");
  EXPECT_NE(failure.find("out of memory (2)"), std::string::npos) << failure;
}

TEST_P(RuntimeTest, NegativeSizes) {
  std::string valid = manifest;
  for (auto [from, to, expected] :
       {std::tuple("\"shape\": [3]", "\"shape\": [{\"sub\": [2, 5]}]",
                   "expected an integer of at least 0 for a size of a temporary "
                   "buffer, got -3"),
        {"\"offset\": 128", "\"offset\": -128",
         "expected an integer of at least 0 for the offset of a buffer, got "
         "-128"},
        {"\"shared_memory_bytes\": 0", "\"shared_memory_bytes\": -1",
         "expected an integer of at least 0 for the sizes of the launch of "
         "kernel 'second', got -1"}}) {
    manifest = valid;
    replace(from, to);
    auto plan = get(read()).makePlan("f", parse("33x64,0.5,3,33x64"));
    ASSERT_FALSE(bool(plan)) << to;
    EXPECT_EQ(print(plan.takeError()), expected);
  }
}

TEST_P(RuntimeTest, NoDevice) {
  auto missing = GPUDriver::create(GetParam(), getPath("none.so"));
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(print(missing.takeError()).find("none.so"), std::string::npos);
  setenv("FAKE_CUDA_DEVICES", "0", 1);
  auto none = GPUDriver::create(GetParam(), library);
  unsetenv("FAKE_CUDA_DEVICES");
  ASSERT_FALSE(bool(none));
  EXPECT_NE(print(none.takeError()).find("has no device"), std::string::npos);
}

/// Each file that is missing, and each part of a manifest that is not what it
/// should be, is named.
TEST_P(RuntimeTest, InvalidManifests) {
  const std::tuple<const char *, const char *, const char *> cases[] = {
      {"\"version\": 2", "\"version\": 9", "expected 2 to 8 in 'version'"},
      {"\"image\": ", "\"picture\": ", "expected a string in 'manifest.image'"},
      {"\"offset\": 32", "\"offset\": -1",
       "expected an offset in 'constants.table'"},
      {"\"entries\": [{", "\"entries\": [5, {",
       "expected an object in 'entries[0]'"},
      {"[null, 64], \"access\": \"read\"", "[null, \"n\"]",
       "expected null or a size in 'entries[0].arguments[0].shape[1]'"},
      {"{\"mul\": [{\"dim\": [0, 0]}, 100]}",
       "{\"mul\": [{\"dim\": [1, 0]}, 100]}",
       "expected a number below 0 in "
       "'entries[0].temporaries[0].shape[0].mul[0].dim[1]'"},
      {"{\"ceildiv\": [{\"dim\": [0, 0]}, 16]}",
       "{\"ceildiv\": [{\"dim\": [9, 0]}, 16]}",
       "expected a number below 4 in "
       "'entries[0].launches[0].grid[0].ceildiv[0].dim[0]'"},
      {"{\"lt\": [{\"argument\": 2}, 5]}", "{\"less\": [{\"argument\": 2}, 5]}",
       "expected a known operator, not 'less', in "
       "'entries[0].launches[0].shared_memory_bytes.select[0]'"},
      {"[{\"lt\": [{\"argument\": 2}, 5]}, 1024, 2048]", "[1, 2]",
       "expected an array of 3 elements in "
       "'entries[0].launches[0].shared_memory_bytes.select'"},
      {"{\"lt\": [{\"argument\": 2}, 100]}",
       "{\"lt\": [{\"argument\": 4}, 100]}",
       "expected a number below 4 in "
       "'entries[0].checks[0].condition.lt[0].argument'"},
      {"\"checks\": [", "\"values\": [1, {\"value\": 1}], \"checks\": [",
       "expected a number below 1 in 'entries[0].values[1].value'"},
      {"{\"lt\": [{\"argument\": 2}, 100]}", "{\"value\": 0}",
       "expected a number below 0 in 'entries[0].checks[0].condition.value'"},
      {"{\"lt\": [{\"argument\": 2}, 100]}", "{\"counter\": 0}",
       "expected a number below 0 in 'entries[0].checks[0].condition.counter'"},
      {"{\"argument\": 1}", "{\"element\": 1}",
       "expected a buffer in "
       "'entries[0].launches[0].arguments[3].value.element'"},
      {"{\"kernel\": \"first\"",
       "{\"loop\": {\"counters\": [{\"counter\": 1, \"first\": 0, \"next\": "
       "0}], "
       "\"while\": 0, \"launches\": []}}, {\"kernel\": \"first\"",
       "expected the number 0 in "
       "'entries[0].launches[0].loop.counters[0].counter'"},
      {"{\"kernel\": \"first\"",
       "{\"loop\": {\"counters\": [{\"counter\": 0, \"first\": 0}], "
       "\"while\": {\"counter\": 0}, \"launches\": []}}, {\"kernel\": "
       "\"first\"",
       "expected a number or one operator in "
       "'entries[0].launches[0].loop.counters[0].next'"},
      {"{\"kernel\": \"first\"",
       "{\"loop\": {\"counters\": [], \"while\": 0, \"launches\": [3]}}, "
       "{\"kernel\": \"first\"",
       "expected an object in 'entries[0].launches[0].loop.launches[0]'"},
      {"{\"temporary\": 1}", "{\"temporary\": 2}",
       "expected a number below 2 in "
       "'entries[0].launches[0].arguments[2].buffer.temporary'"},
      {"\"value\": {\"argument\": 1}", "\"value\": {\"argument\": 0}",
       "expected a scalar in "
       "'entries[0].launches[0].arguments[3].value.argument'"},
      {", 2, 3], \"block\"", ", 2], \"block\"",
       "expected an array of 3 elements in 'entries[0].launches[1].grid'"},
      {"{\"constant\": \"table\"}", "{\"constant\": \"chair\"}",
       "expected the name of a constant in "
       "'entries[0].launches[1].arguments[0].buffer.constant'"},
      {"{\"argument\": 3}", "{\"argument\": 1}",
       "expected a buffer in "
       "'entries[0].launches[1].arguments[3].buffer.argument'"},
      {"{\"buffer\": {\"argument\": 3}}",
       "{\"tensor_map\": {\"type\": \"f16\", \"swizzle\": 0, \"sizes\": [1, "
       "2], "
       "\"strides\": [], \"box\": [1, 1], \"buffer\": {\"argument\": 3}}}",
       "expected an array of 1 elements in "
       "'entries[0].launches[1].arguments[3].tensor_map.strides'"},
  };
  std::string valid = manifest;
  for (auto [from, to, expected] : cases) {
    manifest = valid;
    replace(from, to);
    auto program = read();
    ASSERT_FALSE(bool(program)) << to;
    EXPECT_EQ(print(program.takeError()), getPath("f.json") + ": " + expected);
  }
  manifest = "{";
  auto broken = read();
  ASSERT_FALSE(bool(broken));
  llvm::consumeError(broken.takeError());
  manifest = valid;
  llvm::sys::fs::remove(getPath("constants.bin"));
  auto missing = read();
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(print(missing.takeError()).find("cannot read"), std::string::npos);
}

/// A tensor map is made by the driver, of the address of the buffer.
TEST(TensorMapTest, IsAParameter) {
  auto driver = GPUDriver::create(GPUDriver::Kind::CUDA, LINALG_EXT_FAKE_CUDA);
  ASSERT_TRUE(bool(driver));
  alignas(64) static char memory[256];
  TensorMap map;
  map.type = "f16";
  map.sizes = {64, 8};
  map.strides = {128};
  map.box = {64, 8};
  map.swizzle = 128;
  auto encoded = (*driver)->encodeTensorMap(
      map, reinterpret_cast<GPUDriver::Address>(memory));
  ASSERT_TRUE(bool(encoded));
  EXPECT_EQ(encoded->words[0], 0x0101010101010101u);
  map.sizes[1] = (int64_t(1) << 31) - (1 << 16) + 1;
  auto large = (*driver)->encodeTensorMap(
      map, reinterpret_cast<GPUDriver::Address>(memory));
  ASSERT_FALSE(bool(large));
  EXPECT_NE(llvm::toString(large.takeError())
                .find("expected sizes of at most 2147418112 in a tensor map, "
                      "got 2147418113"),
            std::string::npos);
  map.sizes[1] = 8;
  auto hip = GPUDriver::create(GPUDriver::Kind::HIP, LINALG_EXT_FAKE_HIP);
  ASSERT_TRUE(bool(hip));
  auto refused = (*hip)->encodeTensorMap(map, 64);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("which HIP does not have"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Programs of several processes
//===----------------------------------------------------------------------===//

/// A kernel that takes the index of the process, then a gather.
static constexpr const char *kSharded = R"({
  "version": 4, "target": "TARGET", "chip": "CHIP", "image": "IMAGE",
  "constants_image": null, "constants": {}, "kernels": {},
  "entries": [{
    "name": "f",
    "arguments": [
      {"kind": "buffer", "type": "f32", "shape": [null, 6], "access": "read"},
      {"kind": "buffer", "type": "f32", "shape": [null, 6], "access": "read_write"}],
    "temporaries": [{"type": "f32", "shape": [{"mul": [{"dim": [0, 0]}, 6]}]}],
    "launches": [
      {"kernel": "first", "grid": [1, 1, 1], "block": [128, 1, 1],
       "shared_memory_bytes": 0,
       "arguments": [{"buffer": {"argument": 0}}, {"buffer": {"temporary": 0}},
                     {"type": "i64", "value": {"mul": [{"process_index": [2, 3]}, 10]}},
                     {"buffer": {"argument": 1}}]},
      {"collective": "all_gather", "function": "linalg_ext_mpi_all_gather_f32",
       "arguments": [
         {"buffer": {"temporary": 0, "offset": 16}, "type": "f32",
          "shape": [{"dim": [0, 0]}, 6]},
         {"buffer": {"argument": 1}, "type": "f32", "shape": [{"dim": [1, 0]}, 6]},
         {"numbers": [2, 3]}, {"type": "i64", "value": 2},
         {"type": "i64", "value": 0}]}]}]})";

TEST_P(RuntimeTest, CallsCollectives) {
  manifest = kSharded;
  bool isHIP = GetParam() == GPUDriver::Kind::HIP;
  replace("TARGET", isHIP ? "amd" : "nvidia");
  replace("CHIP", isHIP ? "gfx942" : "sm_90a");
  replace("IMAGE", "code");
  Program program = get(read());
  EXPECT_EQ(getProcessGrid(program.getManifest(), "f"),
            (SmallVector<int64_t>{2, 3}));
  auto driver = get(GPUDriver::create(GetParam(), library));
  auto loaded = get(LoadedProgram::create(*driver, program));

  // Without the index, and without the library.
  auto unknown = program.makePlan("f", parse("4x6,12x6"));
  EXPECT_EQ(print(unknown.takeError()),
            "expected the index of this process, got none");
  EXPECT_EQ(print(driver->getProcessIndex({2, 3}).takeError()),
            "expected a library of collective operations, which "
            "'linalg_ext_mpi_process_index' is of (loadCollectives), got none");
  EXPECT_EQ(
      print(loaded->prepare(get(program.makePlan("f", parse("4x6,12x6"), 1)))
                .takeError()),
      "expected a library of collective operations, which "
      "'linalg_ext_mpi_all_gather_f32' is of (loadCollectives), got none");
  EXPECT_TRUE(
      StringRef(print(driver->loadCollectives("/nowhere/none.so")))
          .starts_with("expected a library of collective operations: "));
  setenv("FAKE_COLLECTIVES_ERROR", "expected NCCL: none", 1);
  EXPECT_EQ(print(driver->loadCollectives(LINALG_EXT_FAKE_COLLECTIVES)),
            "expected NCCL: none");
  unsetenv("FAKE_COLLECTIVES_ERROR");

  ASSERT_EQ(print(driver->loadCollectives(LINALG_EXT_FAKE_COLLECTIVES)), "");
  int64_t process = get(driver->getProcessIndex({2, 3}));
  EXPECT_EQ(process, 5);
  EXPECT_EQ(print(driver->getCollective("linalg_ext_mpi_none").takeError()),
            "expected a library of collective operations with "
            "'linalg_ext_mpi_none', got one without");
  Call call = get(
      loaded->prepare(get(program.makePlan("f", parse("4x6,12x6"), process))));
  DeviceBuffer x = get(DeviceBuffer::create(*driver, 4 * 6 * 4)),
               y = get(DeviceBuffer::create(*driver, 12 * 6 * 4));
  Arena arena(*driver);
  GPUDriver::Stream stream = get(driver->createStream());
  ASSERT_EQ(print(call.launch({x.getAddress(), y.getAddress()}, arena, stream)),
            "");
  ASSERT_EQ(launched.size(), 1u);
  EXPECT_EQ(launched[0].parameters[2], 50u);
  auto collectives = llvm::sys::DynamicLibrary::getPermanentLibrary(
      LINALG_EXT_FAKE_COLLECTIVES);
  auto *found =
      static_cast<int64_t *>(collectives.getAddressOfSymbol("fakeCollective"));
  ASSERT_TRUE(found);
  int64_t temporary = get(arena.reserve(1));
  // Rank, address, offset, sizes and strides of the part, and so on.
  EXPECT_EQ(llvm::ArrayRef(found, 17),
            llvm::ArrayRef<int64_t>({2, temporary + 16, 0, 4, 6, 6, 1, 2,
                                     int64_t(y.getAddress()), 12, 1, 2, 2, 3, 2,
                                     0, int64_t(stream)}));
  EXPECT_EQ(print(driver->destroyStream(stream)), "");
}

TEST_P(RuntimeTest, ChecksCollectives) {
  auto expect = [&](StringRef from, StringRef to, StringRef error) {
    manifest = kSharded;
    bool isHIP = GetParam() == GPUDriver::Kind::HIP;
    replace("TARGET", isHIP ? "amd" : "nvidia");
    replace("CHIP", isHIP ? "gfx942" : "sm_90a");
    replace("IMAGE", "code");
    replace(from, to);
    EXPECT_TRUE(StringRef(print(read().takeError())).contains(error))
        << to.str();
  };
  expect("\"process_index\": [2, 3]", "\"process_index\": 2", "an array");
  expect("\"numbers\": [2, 3]", "\"numbers\": [\"2\"]",
         "expected a number in "
         "'entries[0].launches[1].arguments[2].numbers[0]'");
  expect("\"temporary\": 0, \"offset\": 16", "\"temporary\": 3",
         "entries[0].launches[1].arguments[0].buffer.temporary");
  expect("\"function\"", "\"functions\"",
         "expected a string in 'entries[0].launches[1].function'");
}
