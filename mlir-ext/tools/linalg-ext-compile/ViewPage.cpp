//===- ViewPage.cpp - The page about a compilation ------------------------===//
//
// See View.h. The page has, for each function: costs, the loops of each fusion
// and what they repair, kernels with their layouts, memory over time; then what
// is not fused, and the input, to which locations link.
//
//===----------------------------------------------------------------------===//

#include "View.h"

#include "mlir-ext/Layout/Print.h"
#include "mlir-ext/Support/Tool.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

static constexpr StringLiteral kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;color:#223;background:#fff;
  max-width:900px;margin:0 auto;padding:16px}
h1{font-size:22px;margin:8px 0}
h2{font-size:19px;border-bottom:1px solid #ccd;margin:32px 0 8px}
h3{font-size:16px;margin:22px 0 6px}
a{color:#1559a3;text-decoration:none}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:#f7f8fa;border:1px solid #dde;padding:8px;overflow-x:auto}
table{border-collapse:collapse;margin:8px 0;font-size:14px}
td,th{border:1px solid #dde;padding:3px 9px;text-align:left;
  vertical-align:top}
th{background:#f3f5f8}
svg{max-width:100%;height:auto}
nav a{margin-right:14px}
.nest{border:1px solid #b8c4d6;border-left:5px solid #5f9bd6;
  border-radius:3px;padding:6px 12px;margin:8px 0;background:#fbfcfe}
.nest .nest{border-left-color:#e7a93c}
.note{color:#667;font-size:13.5px}
.mark{font-size:12px;background:#e8edf5;border-radius:3px;padding:1px 6px;
  margin-left:6px}
.repair{background:#fdf5e4;border-left:5px solid #e7a93c;padding:6px 12px;
  margin:8px 0}
.missed{background:#fbecec;border-left:5px solid #d06a6a;padding:6px 12px;
  margin:8px 0}
summary{cursor:pointer}
ol{margin:4px 0;padding-left:26px}
.line{color:#99a;user-select:none}
:target{background:#fff3b8}
)";

namespace {
class Page {
public:
  Page(const ViewData &data, raw_ostream &os) : data(data), os(os) {
    StringRef(data.source).split(lines, '\n');
  }

  void write();

private:
  void escape(StringRef text) { llvm::printHTMLEscaped(text, os); }
  unsigned getLine(StringRef location) const;
  std::string getName(unsigned line) const;
  void writeOp(const json::Object &object, StringRef key);
  void writeLink(unsigned line);

  void writeSummary();
  void writePlan(const json::Object &plan, size_t number);
  void writeLevel(const json::Object &plan, size_t level);
  void writeRepairs(const json::Object &plan);
  void writeCost(const json::Object &plan);
  void writeLaunches(const FunctionSummary &function);
  void writeKernel(const json::Object &kernel, size_t number);
  void writeShared(const json::Object &tile, bool isOpen);
  void writeMemory(const ViewedMemory &memory);
  void writeRemarks();
  void writeSource();

  const ViewData &data;
  raw_ostream &os;
  SmallVector<StringRef> lines;
};
} // namespace

static StringRef getText(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("");
}

static int64_t getNumber(const json::Object &object, StringRef key) {
  return object.getInteger(key).value_or(0);
}

/// "1.25 million" of operations.
static std::string formatCount(uint64_t count) {
  static constexpr std::pair<double, const char *> kUnits[] = {
      {1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
  for (auto [unit, name] : kUnits)
    if (double(count) >= unit)
      return llvm::formatv("{0:F2} {1}", double(count) / unit, name).str();
  return std::to_string(count);
}

/// The line of the input in "attention.mlir:12:8", or in a location as MLIR
/// prints it; 0 if it has none.
unsigned Page::getLine(StringRef location) const {
  static const llvm::Regex pattern(":([0-9]+):[0-9]+");
  SmallVector<StringRef> groups;
  unsigned line = 0;
  if (!pattern.match(location, &groups) || groups[1].getAsInteger(10, line) ||
      line > lines.size())
    return 0;
  return line;
}

/// What the input calls the results of the op in `line`: "%scores".
std::string Page::getName(unsigned line) const {
  if (line == 0)
    return "";
  StringRef text = lines[line - 1].trim();
  auto [name, rest] = text.split('=');
  name = name.trim();
  bool isName = name.starts_with("%") && name.size() < 40 && !rest.empty() &&
                !rest.starts_with("=");
  return isName ? name.str() : "";
}

void Page::writeLink(unsigned line) {
  if (line != 0)
    os << llvm::formatv(" <a href=\"#L{0}\">line {0}</a>", line);
}

/// Names an op: as the input does, its kind, and where it is.
void Page::writeOp(const json::Object &object, StringRef key) {
  unsigned line = getLine(getText(object, "location"));
  std::string name = getName(line);
  os << "<code>";
  if (!name.empty()) {
    escape(name);
    os << " = ";
  }
  escape(getText(object, key));
  os << "</code>";
  writeLink(line);
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

void Page::writeSummary() {
  os << "<h2 id=\"cost\">Cost against the bound</h2>\n"
        "<p class=\"note\">The bound is to move arguments and results once. "
        "Each kernel or loop nest moves its buffers whole and once.</p>\n";
  for (const FunctionSummary &function : data.functions) {
    os << "<h3><code>@";
    escape(function.function);
    os << "</code></h3>\n<p>" << function.parts << " " << function.part
       << (function.parts == 1 ? "" : "s");
    if (function.partsInLoops > 0)
      os << ", " << function.partsInLoops << " of them in loops";
    if (function.isOfOtherSizes) {
      os << " for some sizes or others.</p>\n";
      continue;
    }
    if (function.largestTemporary == 0)
      os << ", no temporary";
    else
      os << ", largest temporary " << formatBytes(function.largestTemporary);
    if (function.assumesSizes)
      os << "; unknown sizes count as " << kAssumedSize;
    os << ".</p>\n";
    SmallVector<Bar> bars;
    // What the fusions of the function would move if they were not.
    uint64_t before = 0, after = 0;
    for (const json::Object &plan : data.plans) {
      if (getText(plan, "function") != function.function)
        continue;
      const json::Object *cost = plan.getObject("cost");
      for (auto [key, sum] : {std::pair("before", &before), {"after", &after}})
        if (const json::Object *side = cost->getObject(key))
          *sum += getNumber(*side, "bytes_read") +
                  getNumber(*side, "bytes_written");
    }
    if (before > after && function.moved != 0)
      bars.push_back({"fused ops, one by one", formatBytes(before),
                      double(before), "#e3a6a6"});
    if (function.moved != 0)
      bars.push_back({"moved", formatBytes(function.moved),
                      double(function.moved), "#8fbbe3"});
    if (function.least != 0)
      bars.push_back({"bound", formatBytes(function.least),
                      double(function.least), "#a9d5a0"});
    drawBars(bars, os);
    if (function.moved != 0 && function.least != 0)
      os << llvm::formatv("<p>{0:F2} times the bound.</p>\n",
                          double(function.moved) / double(function.least));
  }
}

void Page::writeCost(const json::Object &plan) {
  const json::Object *cost = plan.getObject("cost");
  if (!cost)
    return;
  const json::Object &before = *cost->getObject("before"),
                     &after = *cost->getObject("after"),
                     &repairs = *cost->getObject("repairs");
  auto getBytes = [](const json::Object &side) {
    return uint64_t(getNumber(side, "bytes_read") +
                    getNumber(side, "bytes_written"));
  };
  os << "<table><tr><th></th><th>unfused</th><th>fused</th></tr>\n"
     << "<tr><td>operations</td><td>" << formatCount(getNumber(before, "flops"))
     << "</td><td>" << formatCount(getNumber(after, "flops"));
  if (int64_t flops = getNumber(repairs, "flops"))
    os << ", of these " << formatCount(flops) << " repair";
  os << "</td></tr>\n<tr><td>bytes that loops move</td><td>"
     << formatBytes(getBytes(before)) << "</td><td>"
     << formatBytes(getBytes(after)) << "</td></tr>\n";
  if (getBytes(before) != 0 && getBytes(after) != 0)
    os << llvm::formatv("<tr><td>operations for each byte</td><td>{0:F1}</td>"
                        "<td>{1:F1}</td></tr>\n",
                        double(getNumber(before, "flops")) / getBytes(before),
                        double(getNumber(after, "flops")) / getBytes(after));
  os << "</table>\n<p class=\"note\">Loops read a tile again where they do not "
        "index it, from a cache if it is there (docs/Explain.md).";
  if (auto size = cost->getInteger("assumed_dynamic_size"))
    os << " Each dynamic size counts as " << *size << ".";
  os << "</p>\n";
}

//===----------------------------------------------------------------------===//
// Fusions
//===----------------------------------------------------------------------===//

/// The level of `plan` below which an op is in the loops: the innermost one
/// that fuses it.
static size_t getDepth(const json::Array &levels, const json::Object &op) {
  size_t depth = 0;
  for (auto [number, level] : llvm::enumerate(levels))
    for (const json::Value &value :
         *level.getAsObject()->getArray("producers")) {
      const json::Object &other = *value.getAsObject();
      if (other.getBoolean("fused").value_or(false) &&
          getText(other, "location") == getText(op, "location") &&
          getText(other, "op") == getText(op, "op"))
        depth = number;
    }
  return depth;
}

void Page::writeLevel(const json::Object &plan, size_t number) {
  const json::Array &levels = *plan.getArray("levels");
  const json::Object &level = *levels[number].getAsObject();
  const json::Array &sizes = *level.getArray("tile_sizes");
  const json::Array *loops = plan.getArray("loops");
  StringRef kind = getText(level, "kind");
  os << "<div class=\"nest\"><b>" << kind << "</b> ";
  bool isFirst = true;
  double trips = 1;
  bool isKnown = loops != nullptr;
  for (auto [dim, value] : llvm::enumerate(sizes)) {
    int64_t tile = value.getAsInteger().value_or(0);
    if (tile == 0)
      continue;
    os << (isFirst ? "" : ", ") << "d" << dim << " by ";
    if (tile < 0)
      os << "a size of run time";
    else
      os << tile;
    isFirst = false;
    int64_t size = loops && dim < loops->size()
                       ? getNumber(*(*loops)[dim].getAsObject(), "size")
                       : -1;
    // What an outer level has cut already.
    for (size_t outer = 0; outer < number; ++outer) {
      const json::Array &outerSizes =
          *levels[outer].getAsObject()->getArray("tile_sizes");
      int64_t of = dim < outerSizes.size()
                       ? outerSizes[dim].getAsInteger().value_or(0)
                       : 0;
      if (of > 0)
        size = size < 0 ? of : std::min(size, of);
    }
    isKnown &= size > 0 && tile > 0;
    if (isKnown)
      trips *= double(llvm::divideCeil(size, tile));
  }
  if (isKnown)
    os << llvm::formatv(
        " <span class=\"note\">{0} iterations{1}</span>", uint64_t(trips),
        kind == "for" ? ", one after the other" : ", at the same time");
  os << "<ol>\n";
  const json::Array &producers = *level.getArray("producers");
  SmallVector<const json::Object *> outside;
  for (const json::Value &value : llvm::reverse(producers)) {
    const json::Object &producer = *value.getAsObject();
    if (!producer.getBoolean("fused").value_or(false)) {
      outside.push_back(&producer);
      continue;
    }
    if (getDepth(levels, producer) != number ||
        getText(producer, "op") == "linalg.fill")
      continue;
    os << "<li>";
    writeOp(producer, "op");
    if (producer.getBoolean("partial").value_or(false))
      os << "<span class=\"mark\" title=\"The loop tiles the dimension that it "
            "reduces\">tile by tile, with a state</span>";
    if (producer.getBoolean("recomputed").value_or(false))
      os << "<span class=\"mark\" title=\"A loop does not index it\">computed "
            "again</span>";
    if (producer.getBoolean("whole").value_or(false))
      os << "<span class=\"mark\">whole in each iteration</span>";
    os << "</li>\n";
  }
  bool isInnermost = number + 1 == levels.size();
  if (isInnermost) {
    os << "<li>";
    writeOp(plan, "root");
    os << "<span class=\"mark\">root</span></li>\n";
  }
  os << "</ol>\n";
  if (!isInnermost)
    writeLevel(plan, number + 1);
  if (isInnermost)
    writeRepairs(plan);
  os << "</div>\n";
  llvm::StringSet<> told;
  for (const json::Object *producer : outside) {
    StringRef reason = getText(*producer, "reason");
    if (getText(*producer, "op") == "linalg.fill" || number != 0 ||
        !told.insert((getText(*producer, "location") + reason).str()).second)
      continue;
    os << "<p class=\"note\">Outside: ";
    writeOp(*producer, "op");
    os << ": ";
    escape(reason);
    os << "</p>\n";
  }
}

/// Says how an accumulator is corrected.
static std::string describeRepair(const json::Object &factor) {
  StringRef kind = getText(factor, "kind"),
            measure = getText(factor, "measure");
  std::string how;
  if (kind == "scale")
    how = "multiplied by a factor for each row";
  else if (kind == "shift")
    how = "shifted by an amount for each row";
  else
    how = "corrected (" + kind.str() + ")";
  std::string why =
      measure == "repair"       ? "the factor that the online op returns"
      : measure == "difference" ? "the difference of the new and the old value"
      : measure == "ratio"
          ? "the ratio of the new and the old value"
          : "the " + measure.str() + " of the new and the old value";
  return how + ": " + why;
}

void Page::writeRepairs(const json::Object &plan) {
  const json::Array *repairs = plan.getArray("repairs");
  for (const json::Value &value : *repairs) {
    const json::Object &repair = *value.getAsObject();
    for (const json::Value &each : *repair.getArray("factors")) {
      const json::Object &factor = *each.getAsObject();
      os << "<div class=\"repair\"><b>repair</b> of what ";
      writeOp(repair, "accumulator");
      os << " has summed so far. It was computed with what ";
      writeOp(factor, "source");
      os << " had found in earlier tiles. When a tile changes that, the sum is "
         << describeRepair(factor) << ".";
      if (factor.getBoolean("deferred").value_or(false))
        os << " This is done once, after the loops.";
      if (factor.getBoolean("conditional").value_or(false))
        os << " It is skipped where the change is small.";
      os << "</div>\n";
    }
  }
  for (const json::Value &value : *plan.getArray("states")) {
    const json::Object &state = *value.getAsObject();
    if (getText(state, "normalization") != "delayed")
      continue;
    os << "<div class=\"repair\"><b>delayed</b>: ";
    writeOp(state, "op");
    os << " divides by its sum once, after the loops, and not in each "
          "tile.</div>\n";
  }
}

void Page::writePlan(const json::Object &plan, size_t number) {
  os << "<h3 id=\"fusion" << number << "\">Fusion " << number + 1
     << " in <code>@";
  escape(getText(plan, "function"));
  os << "</code>: ";
  writeOp(plan, "root");
  os << "</h3>\n";
  if (StringRef why = getText(plan, "levels_reason"); !why.empty()) {
    os << "<p class=\"note\">";
    escape(why);
    os << "</p>\n";
  }
  drawLoops(plan, os);
  if (!plan.getArray("levels")->empty())
    writeLevel(plan, 0);
  for (const json::Value &value : *plan.getArray("consumers")) {
    const json::Object &consumer = *value.getAsObject();
    os << "<p class=\"note\">Behind the root: ";
    writeOp(consumer, "op");
    if (StringRef reason = getText(consumer, "reason"); !reason.empty()) {
      os << ", not fused: ";
      escape(reason);
    } else {
      int64_t levels = getNumber(consumer, "levels");
      os << ", in " << levels << (levels == 1 ? " level" : " levels");
    }
    os << "</p>\n";
  }
  StringRef exactness = getText(plan, "exactness");
  os << "<p class=\"note\">Exactness: " << exactness
     << (exactness == "exact" ? " (nothing is repaired)"
         : exactness == "reassociated"
             ? " (equal in exact arithmetic)"
             : " (values that were rounded are repaired, too)")
     << ".</p>\n";
  writeCost(plan);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Page::writeLaunches(const FunctionSummary &function) {
  if (function.launches.empty())
    return;
  os << "<h3>Launches of <code>@";
  escape(function.function);
  os << "</code></h3>\n<table><tr><th></th><th>kernel</th><th>grid</th>"
        "<th>threads</th><th>shared memory</th><th>registers</th>"
        "<th>spilled</th><th>workgroups of a processor</th></tr>\n";
  auto writeSizes = [&](const std::array<int64_t, 3> &sizes) {
    os << sizes[0];
    if (sizes[1] != 1 || sizes[2] != 1)
      os << " x " << sizes[1];
    if (sizes[2] != 1)
      os << " x " << sizes[2];
  };
  for (auto [number, launch] : llvm::enumerate(function.launches)) {
    os << "<tr><td>" << number + 1 << "</td><td><code>";
    escape(launch.kernel);
    os << "</code></td><td>";
    writeSizes(launch.grid);
    os << "</td><td>";
    writeSizes(launch.block);
    os << "</td><td>" << formatBytes(launch.sharedBytes) << "</td>";
    const json::Object *usage = data.usage.getObject(launch.kernel);
    std::optional<int64_t> registers;
    std::optional<std::string> spills;
    if (usage) {
      registers = usage->getInteger("registers");
      if (!registers)
        registers = usage->getInteger("vgprs");
      if (auto bytes = usage->getInteger("spill_store_bytes"))
        spills = formatBytes(*bytes);
      else if (auto count = usage->getInteger("vgpr_spills"))
        spills = std::to_string(*count) + " registers";
    }
    os << "<td>" << (registers ? std::to_string(*registers) : "-")
       << "</td><td>" << spills.value_or("-") << "</td><td>";
    int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    if (data.gpu && threads > 0) {
      int64_t most = data.gpu->processorThreads / threads;
      StringRef by = "threads";
      auto limit = [&](int64_t count, StringRef what) {
        if (count < most) {
          most = count;
          by = what;
        }
      };
      limit(data.gpu->getWorkgroupsOfShared(launch.sharedBytes),
            "shared memory");
      if (registers)
        limit(data.gpu->getWorkgroupsOfRegisters(threads, *registers),
              "registers");
      os << most << ", limited by " << by;
    }
    os << "</td></tr>\n";
  }
  os << "</table>\n";
}

/// The first rows and columns of a tile are enough to see a layout.
static constexpr layout::PictureSize kShown{16, 16}, kShownInMemory{8, 32};

void Page::writeKernel(const json::Object &kernel, size_t number) {
  int64_t lanes = getNumber(kernel, "lanes"),
          subgroups = getNumber(kernel, "subgroups");
  os << "<h3 id=\"kernel" << number << "\">Layouts "
     << (kernel.getBoolean("is_role").value_or(false) ? "of a role " : "")
     << "in <code>@";
  escape(getText(kernel, "function"));
  os << "</code>";
  writeLink(getLine(getText(kernel, "location")));
  os << "</h3>\n<p>" << subgroups << " subgroup" << (subgroups == 1 ? "" : "s")
     << " of " << lanes << " lanes";
  if (StringRef way = getText(kernel, "way"); !way.empty())
    os << "; products are " << way;
  if (int64_t slots = getNumber(kernel, "slots"))
    os << "; tiles have " << slots << " slots";
  os << ".</p>\n";
  const json::Array &vectors = *kernel.getArray("vectors");
  bool isFirst = true;
  for (const json::Value &value : vectors) {
    const json::Object &vector = *value.getAsObject();
    StringRef op = getText(vector, "op"), role = getText(vector, "role");
    // Pictures of products are what is looked at first.
    bool isOpen = isFirst && op == "vector.contract";
    if (isOpen && role == "result")
      isFirst = false;
    os << "<details" << (isOpen ? " open" : "") << "><summary>" << role
       << " of <code>";
    escape(op);
    os << "</code>";
    unsigned line = getLine(getText(vector, "location"));
    if (std::string name = getName(line); !name.empty()) {
      os << " (<code>";
      escape(name);
      os << "</code>)";
    }
    writeLink(line);
    os << ": <code>";
    escape(getText(vector, "type"));
    os << "</code>, " << getNumber(vector, "registers")
       << " elements in each thread";
    if (int64_t copies = getNumber(vector, "threads_per_element"); copies > 1)
      os << ", each in " << copies << " threads";
    os << "</summary>\n";
    std::optional<layout::Layout> layout =
        layout::Layout::parse(getText(vector, "layout"), lanes, subgroups);
    if (layout)
      layout::printSVG(*layout, os, kShown);
    os << "</details>\n";
  }
  const json::Array &shared = *kernel.getArray("shared");
  for (auto [tile, value] : llvm::enumerate(shared))
    writeShared(*value.getAsObject(), /*isOpen=*/tile == 0);
}

/// The layout that `describe` of DescribeLayouts.cpp wrote.
static std::optional<layout::SharedLayout>
readSharedLayout(const json::Object &object) {
  SmallVector<int64_t> shape, swizzle;
  SmallVector<unsigned> order;
  for (const json::Value &value : *object.getArray("shape"))
    shape.push_back(value.getAsInteger().value_or(0));
  for (const json::Value &value : *object.getArray("order"))
    order.push_back(value.getAsInteger().value_or(0));
  for (const json::Value &value : *object.getArray("swizzle"))
    swizzle.push_back(value.getAsInteger().value_or(0));
  return layout::SharedLayout::get(
      shape, order, getNumber(object, "bits"), getNumber(object, "panel"),
      getNumber(object, "padding"),
      layout::Swizzle{swizzle[0], swizzle[1], swizzle[2]});
}

void Page::writeShared(const json::Object &tile, bool isOpen) {
  std::optional<layout::SharedLayout> layout =
      readSharedLayout(*tile.getObject("layout"));
  if (!layout)
    return;
  os << "<details" << (isOpen ? " open" : "")
     << "><summary>in shared memory: <code>";
  escape(getText(tile, "type"));
  os << "</code>";
  writeLink(getLine(getText(tile, "location")));
  os << ", " << formatBytes(layout->getSizeInBytes());
  for (auto [key, what] : {std::pair("write", "written"), {"read", "read"}})
    if (const json::Object *cost = tile.getObject(key)) {
      os << "; " << what << " by " << getNumber(*cost, "instructions")
         << " instructions of a subgroup, in " << getNumber(*cost, "wavefronts")
         << " wavefronts";
      int64_t more =
          getNumber(*cost, "wavefronts") - getNumber(*cost, "least_wavefronts");
      if (more == 0)
        os << " (no bank conflicts)";
      else
        os << " (" << more << " by bank conflicts)";
    }
  os << "</summary>\n<p class=\"note\">A cell is a word of 4 bytes, or a "
        "larger "
        "element. It has the bank, and the offset in bytes. Cells of a column "
        "with different colours can be read at the same time.</p>\n";
  layout::printSVG(*layout, os, kShownInMemory);
  os << "</details>\n";
}

//===----------------------------------------------------------------------===//
// Memory, remarks, input
//===----------------------------------------------------------------------===//

void Page::writeMemory(const ViewedMemory &memory) {
  os << "<h3><code>@";
  escape(memory.function);
  os << "</code></h3>\n";
  if (memory.buffers.empty()) {
    os << "<p>No temporaries.</p>\n";
    return;
  }
  uint64_t sum = 0;
  for (const ViewedBuffer &buffer : memory.buffers)
    sum += buffer.bytes;
  os << "<p>" << memory.buffers.size() << " temporar"
     << (memory.buffers.size() == 1 ? "y" : "ies") << " of "
     << formatBytes(sum);
  if (memory.blockBytes != 0)
    os << ", in a block of " << formatBytes(memory.blockBytes);
  if (memory.assumesSizes)
    os << "; unknown sizes count as " << kAssumedSize
       << ", and such buffers are drawn without sharing";
  os << ".</p>\n";
  drawMemory(memory, os);
  os << "<details><summary>steps</summary><ol>\n";
  for (const std::string &step : memory.steps) {
    os << "<li><code>";
    escape(step);
    os << "</code></li>\n";
  }
  os << "</ol></details>\n";
}

void Page::writeRemarks() {
  os << "<h2 id=\"remarks\">What is not fused, and why</h2>\n";
  llvm::StringSet<> told;
  bool isAny = false;
  for (const ViewedRemark &remark : data.remarks) {
    if (!told.insert(std::to_string(remark.line) + remark.text).second)
      continue;
    bool isMissed = StringRef(remark.text).starts_with("not fused") ||
                    StringRef(remark.text).starts_with("falls back");
    isAny = true;
    os << "<div class=\"" << (isMissed ? "missed" : "note") << "\">"
       << remark.severity;
    if (remark.line != 0 && remark.line <= lines.size()) {
      writeLink(remark.line);
      if (std::string name = getName(remark.line); !name.empty()) {
        os << " <code>";
        escape(name);
        os << "</code>";
      }
    }
    os << ": ";
    escape(remark.text);
    os << "</div>\n";
  }
  if (!isAny)
    os << "<p>Nothing: no tensor stays in memory that one loop could compute "
          "and use.</p>\n";
}

void Page::writeSource() {
  os << "<h2 id=\"input\">The input</h2>\n<pre>";
  // Weights may be megabytes of digits.
  constexpr size_t kLongest = 400, kMost = 3000;
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (number == kMost) {
      os << "... " << lines.size() - kMost << " more lines\n";
      break;
    }
    os << llvm::formatv("<span id=\"L{0}\"><span class=\"line\">{0,4}</span> ",
                        number + 1);
    escape(line.take_front(kLongest));
    if (line.size() > kLongest)
      os << "...";
    os << "</span>\n";
  }
  os << "</pre>\n";
}

void Page::write() {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
  escape(data.input);
  os << " for ";
  escape(data.target);
  os << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<h1>";
  escape(data.input);
  os << " for ";
  escape(data.target);
  os << "</h1>\n<nav><a href=\"#cost\">Cost</a><a href=\"#fusions\">Fusions</a>"
        "<a href=\"#remarks\">Not fused</a>"
     << (data.kernels.empty() ? ""
                              : "<a href=\"#kernels\">Kernels and layouts</a>")
     << "<a href=\"#memory\">Memory</a><a href=\"#input\">Input</a></nav>\n";
  if (!data.options.empty()) {
    os << "<p>Options: <code>";
    escape(data.options);
    os << "</code></p>\n";
  }
  writeSummary();
  os << "<h2 id=\"fusions\">Fusions</h2>\n";
  if (data.plans.empty())
    os << "<p>No fusion was planned: there is no reduction in front of a "
          "reduction.</p>\n";
  for (auto [number, plan] : llvm::enumerate(data.plans))
    writePlan(plan, number);
  writeRemarks();
  bool isAnyLaunch = llvm::any_of(data.functions, [](const auto &function) {
    return !function.launches.empty();
  });
  if (isAnyLaunch || !data.kernels.empty()) {
    os << "<h2 id=\"kernels\">Kernels and layouts</h2>\n";
    for (const FunctionSummary &function : data.functions)
      writeLaunches(function);
    for (auto [number, kernel] : llvm::enumerate(data.kernels))
      writeKernel(kernel, number);
  }
  os << "<h2 id=\"memory\">Memory over time</h2>\n";
  if (data.memory.empty())
    os << "<p>No temporaries.</p>\n";
  for (const ViewedMemory &memory : data.memory)
    writeMemory(memory);
  writeSource();
  os << "<p class=\"note\">Written by linalg-ext-compile " << getVersion()
     << ".</p>\n</body>\n</html>\n";
}

void mlir::linalg_ext::writeView(const ViewData &data, raw_ostream &os) {
  Page(data, os).write();
}
