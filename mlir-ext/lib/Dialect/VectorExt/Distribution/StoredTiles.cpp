//===- StoredTiles.cpp - Tiles that are stored through shared memory ------===//
//
// Each subgroup writes its part of a tile to shared memory, and starts copies
// from there.
//
//===----------------------------------------------------------------------===//

#include "RingLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

int64_t mlir::vector_ext::getTileAlignment(const layout::SharedLayout &layout) {
  return layout::getTmaCopy(layout)
             ? std::max(layout.getAlignment(), layout::kBoxAlignment)
             : layout.getAlignment();
}

/// Starts the copies of this subgroup's part of `memory`, in one of its lanes.
void RingLowering::startStores(StoreTileOp store, Value memory) {
  Location loc = store.getLoc();
  auto role = store->getParentOfType<RoleOp>();
  layout::SharedLayout layout = store.getLayout().getLayout();
  int64_t parts = store.getParts();
  int64_t partSize = layout.getShape().front() / parts;
  layout::TmaCopy copy = *getTmaCopyOfParts(layout, parts);
  AffineMap map = store.getMap();
  SmallVector<int64_t> box(map.getNumDims(), 1);
  for (auto [i, size] : llvm::enumerate(copy.boxShape))
    box[map.getDimPosition(i)] = size;
  Value described =
      getDescription(loc, store.getMemory(), box,
                     getAsIndexOpFoldResult(b.getContext(), box), copy.mode);
  auto branch = scf::IfOp::create(b, loc, target.elect(b, loc),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  Value part = buildCopier(b, loc, role, parts);
  // Rows of a part are adjacent in each panel.
  SmallVector<int64_t> first(layout.getRank(), 0);
  first.front() = partSize;
  int64_t bytes = layout.getRow(first) * layout.getRowStride();
  auto type = MemRefType::get(
      {(layout.getSizeInBytes() - (parts - 1) * bytes) /
       layout.getElementBytes()},
      cast<VectorType>(store.getTile().getType()).getElementType(),
      MemRefLayoutAttrInterface(),
      cast<MemRefType>(memory.getType()).getMemorySpace());
  Value own = memref::ViewOp::create(
      b, loc, type, memory,
      b.createOrFold<arith::MulIOp>(loc, part, buildIndex(loc, bytes)),
      ValueRange());
  SmallVector<Value> start(store.getIndices());
  Value &row = start[map.getDimPosition(0)];
  row = b.createOrFold<arith::AddIOp>(
      loc, row,
      b.createOrFold<arith::MulIOp>(loc, part, buildIndex(loc, partSize)));
  SmallVector<TileCopy> copies;
  for (const layout::TmaBox &boxOfTile : copy.boxes) {
    if (boxOfTile.coordinate.front() >= partSize)
      continue;
    SmallVector<Value> coordinates = start;
    for (auto [i, at] : llvm::enumerate(boxOfTile.coordinate)) {
      Value &coordinate = coordinates[map.getDimPosition(i)];
      if (at != 0)
        coordinate =
            b.createOrFold<arith::AddIOp>(loc, coordinate, buildIndex(loc, at));
    }
    copies.push_back({described, coordinates, own,
                      boxOfTile.byteOffset / layout.getElementBytes()});
  }
  target.startStores(b, loc, copies);
}

void RingLowering::lowerStore(StoreTileOp store) {
  Location loc = store.getLoc();
  auto role = store->getParentOfType<RoleOp>();
  SharedAttr attr = store.getLayout();
  layout::SharedLayout layout = attr.getLayout();
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  // Stores of a role share their memory: each waits for those before it.
  Value &memory = storeMemories[{role, layout.getSizeInBytes()}];
  if (!memory) {
    b.setInsertionPointToStart(&launch.getBody().front());
    memory = memref::AllocOp::create(
        b, loc,
        MemRefType::get({layout.getSizeInBytes()}, b.getI8Type(),
                        MemRefLayoutAttrInterface(), space),
        b.getI64IntegerAttr(getTileAlignment(layout)));
    // The memory is there until all of it has been read.
    b.setInsertionPoint(role.getBody().front().getTerminator());
    target.waitForStores(b, loc);
  }

  b.setInsertionPoint(store);
  target.waitForStores(b, loc);
  target.syncSubgroup(b, loc);
  Type element = cast<VectorType>(store.getTile().getType()).getElementType();
  Value tile = memref::ViewOp::create(
      b, loc,
      MemRefType::get({layout.getSizeInBytes() / layout.getElementBytes()},
                      element, MemRefLayoutAttrInterface(), space),
      memory, buildIndex(loc, 0), ValueRange());
  WriteTileOp::create(b, loc, store.getTile(), tile, /*barriers=*/Value(),
                      /*index=*/Value(), attr, /*inPlace=*/false);
  target.fence(b, loc);
  target.syncSubgroup(b, loc);
  startStores(store, memory);
  b.eraseOp(store);
}

FailureOr<SmallVector<StoreTileOp>>
mlir::vector_ext::checkStores(gpu::LaunchOp launch, int64_t lanes,
                              Refusal &refusal) {
  SmallVector<StoreTileOp> stores;
  launch.walk([&](StoreTileOp store) { stores.push_back(store); });
  for (StoreTileOp store : stores) {
    int64_t parts = store.getParts();
    auto role = store->getParentOfType<RoleOp>();
    if (!role || role.getSingle() || role.getGroups() ||
        static_cast<int64_t>(role.getThreads()) != parts * lanes)
      return refusal.set(RefusalKind::Other, store,
                         "expected a role of " + Twine(parts) +
                             " subgroups around a store of as many parts");
    std::string reason;
    if (!getTmaCopyOfParts(store.getLayout().getLayout(), parts, &reason))
      return refusal.set(RefusalKind::Other, store,
                         "no boxes can copy the parts: " + Twine(reason));
  }
  return stores;
}
