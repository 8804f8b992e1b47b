// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=reduction=-4 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=row-tile=0 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=versions-by-row-length=8,4 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=versions-by-m=0,4 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=ways=later 2>&1 | FileCheck %s --check-prefix=WAYS

// WAYS: error: invalid option 'ways': expected sync, async, roles, persistent, clusters, exchange or exchange-always, got 'later'
// SHORT: error: expected 'versions-by-row-length' to be positive and ascending
// FEW: error: expected 'versions-by-m' to be positive and ascending
// NARROW: error: expected 'reduction' to be at least 0, got -4
// TILES: error: expected 'row-tile' to be at least 1, got 0

module {}
