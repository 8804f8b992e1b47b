// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=small-reduction=-4 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=row-tile=0 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=versions-by-row-length=8,4 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=versions-by-m=0,4 2>&1 | FileCheck %s --check-prefix=FEW

// SHORT: error: expected 'versions-by-row-length' to be positive and ascending
// FEW: error: expected 'versions-by-m' to be positive and ascending
// NARROW: error: expected tile sizes of narrow elements not to be negative, got narrow-rows = 0, narrow-columns = 0, narrow-reduction = 0, small-reduction = -4
// TILES: error: expected positive tile sizes, got rows = {{[0-9]+}}, columns = {{[0-9]+}}, reduction = {{[0-9]+}}, max-row = {{[0-9]+}}, row-tile = 0

module {}
