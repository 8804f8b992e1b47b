// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=short-rows=8,4 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not linalg-ext-opt %s --linalg-ext-tile-to-workgroups=few-rows=0,4 2>&1 | FileCheck %s --check-prefix=FEW

// SHORT: error: expected 'short-rows' to be positive and ascending
// FEW: error: expected 'few-rows' to be positive and ascending

module {}
