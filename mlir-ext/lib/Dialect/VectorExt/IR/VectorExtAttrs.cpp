//===- VectorExtAttrs.cpp - Attributes of VectorExt -----------------------===//
//
// Parsers, printers and verifiers of attributes and types. See VectorExtBase.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Parses `[` axis size `:` stride, ... `]`.
static ParseResult parseDim(AsmParser &parser, layout::DimDigits &digits) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        StringRef name;
        layout::Digit digit;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&name))
          return failure();
        std::optional<layout::Axis> axis = layout::symbolizeAxis(name);
        if (!axis)
          return parser.emitError(loc)
                 << "expected 'register', 'lane' or 'subgroup', got '" << name
                 << "'";
        digit.axis = *axis;
        if (parser.parseInteger(digit.size) || parser.parseColon() ||
            parser.parseInteger(digit.stride))
          return failure();
        digits.push_back(digit);
        return success();
      });
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<layout::DimDigits> dims;
  int64_t lanes, subgroups;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  do {
    if (parseDim(parser, dims.emplace_back()))
      return {};
  } while (succeeded(parser.parseOptionalKeyword("x")));
  if (parser.parseComma() || parser.parseKeyword("lanes") ||
      parser.parseEqual() || parser.parseInteger(lanes) ||
      parser.parseComma() || parser.parseKeyword("subgroups") ||
      parser.parseEqual() || parser.parseInteger(subgroups) ||
      parser.parseGreater())
    return {};
  std::string error;
  std::optional<layout::Layout> layout =
      layout::Layout::get(dims, lanes, subgroups, &error);
  if (!layout) {
    parser.emitError(loc) << error;
    return {};
  }
  return get(parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  const layout::Layout &layout = getLayout();
  printer << "<" << layout.str() << ", lanes = " << layout.getNumLanes()
          << ", subgroups = " << layout.getNumSubgroups() << ">";
}

LogicalResult
ContractConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           StringAttr intrinsic, ArrayRef<int64_t> subgroups,
                           ArrayRef<bool> promote, StringAttr runs) {
  if (subgroups.size() != 2 || subgroups[0] < 1 || subgroups[1] < 1)
    return emitError() << "expected two positive numbers of subgroups, got ["
                       << subgroups << "]";
  if (!promote.empty() && promote.size() != 2)
    return emitError() << "expected 'promote' of two operands, got "
                       << promote.size();
  constexpr StringRef kRuns[] = {"k", "k4", "k8", "n", "kn", "k4n"};
  if (runs && !llvm::is_contained(kRuns, runs.getValue()))
    return emitError() << "expected 'runs' to be \"k\", \"k4\", \"k8\", \"n\", "
                          "\"kn\" or \"k4n\", got "
                       << runs;
  return success();
}

LogicalResult
MatrixDescriptorAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                             int64_t start, int64_t leading, int64_t stride,
                             int64_t swizzle, bool kMajor) {
  if (swizzle != 16 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected 'swizzle' to be 16, 32, 64 or 128, got "
                       << swizzle;
  for (auto [name, offset] : {std::pair<StringRef, int64_t>("start", start),
                              std::pair<StringRef, int64_t>("leading", leading),
                              std::pair<StringRef, int64_t>("stride", stride)})
    if (offset < 0 || offset % 16 != 0)
      return emitError() << "expected '" << name
                         << "' to be a multiple of 16 bytes, got " << offset;
  return success();
}

SharedAttr SharedAttr::get(MLIRContext *context,
                           const layout::SharedLayout &layout) {
  const layout::Swizzle &swizzle = layout.getSwizzle();
  return get(context, layout.getShape(), layout.getOrder(),
             layout.getBitWidth(), layout.getPanelColumns(),
             layout.getPadding(), {swizzle.bits, swizzle.base, swizzle.shift});
}

/// Builds the layout that the parameters of a `SharedAttr` describe.
static std::optional<layout::SharedLayout>
makeSharedLayout(ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                 int64_t bits, int64_t panel, int64_t padding,
                 ArrayRef<int64_t> swizzle, std::string *error) {
  return layout::SharedLayout::get(
      shape, order, bits, panel, padding,
      layout::Swizzle{swizzle[0], swizzle[1], swizzle[2]}, error);
}

layout::SharedLayout SharedAttr::getLayout() const {
  return *makeSharedLayout(getShape(), getOrder(), getBits(), getPanel(),
                           getPadding(), getSwizzle(), /*error=*/nullptr);
}

LogicalResult SharedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<unsigned> order, int64_t bits,
                                 int64_t panel, int64_t padding,
                                 ArrayRef<int64_t> swizzle) {
  if (swizzle.size() != 3)
    return emitError() << "expected 'swizzle' to have 3 numbers, got "
                       << swizzle.size();
  if (panel < 1)
    return emitError() << "expected a positive 'panel', got " << panel;
  std::string error;
  if (!makeSharedLayout(shape, order, bits, panel, padding, swizzle, &error))
    return emitError() << error;
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t RingType::getSlotBytes(unsigned number) const {
  layout::SharedLayout layout = getLayouts()[number].getLayout();
  return llvm::alignTo(layout.getSizeInBytes(), layout.getAlignment());
}

int64_t RingType::getSlotBytes() const {
  int64_t bytes = 0;
  for (unsigned i = 0; i < getTiles().size(); ++i)
    bytes += getSlotBytes(i);
  return bytes;
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t slots, ArrayRef<VectorType> tiles,
                               ArrayRef<SharedAttr> layouts) {
  if (slots < 1 || tiles.empty()) // C1
    return emitError() << "expected at least one slot and one tile, got "
                       << slots << " and " << tiles.size();
  if (tiles.size() != layouts.size()) // C2
    return emitError() << "expected a layout for each of " << tiles.size()
                       << " tiles, got " << layouts.size();
  for (auto [tile, layout] : llvm::zip_equal(tiles, layouts))
    if (tile.getShape() != layout.getShape() || // C2
        !tile.getElementType().isIntOrFloat() ||
        tile.getElementTypeBitWidth() != layout.getBits())
      return emitError()
             << "expected a layout of the shape and the elements of " << tile
             << ", got " << layout;
  return success();
}
