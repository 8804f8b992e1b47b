// RUN: linalg-ext-opt %s -o /dev/null --test-linalg-ext-print-layout='layout="[register 2:2, lane 8:4] x [lane 4:1, register 2:1]"' 2>&1 | FileCheck %s --check-prefix=TABLE --strict-whitespace
// RUN: linalg-ext-opt %s -o /dev/null --pass-pipeline='builtin.module(test-linalg-ext-print-layout{layout="[lane 4:1]" lanes=8 subgroups=2 format=table})' 2>&1 | FileCheck %s --check-prefix=REPLICAS
// RUN: linalg-ext-opt %s -o /dev/null --test-linalg-ext-print-layout='layout="[lane 2:1] x [register 2:1]" lanes=2 format=svg' 2>&1 | FileCheck %s --check-prefix=SVG
// RUN: linalg-ext-opt %s --test-linalg-ext-print-layout='layout="[]"' 2>/dev/null | FileCheck %s --check-prefix=MODULE
// RUN: not linalg-ext-opt %s --test-linalg-ext-print-layout='layout="[lane 3:1]"' 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not linalg-ext-opt %s --test-linalg-ext-print-layout='layout="[]" format=png' 2>&1 | FileCheck %s --check-prefix=FORMAT

// The picture in the documentation is what the command there prints.
// RUN: linalg-ext-opt %s -o /dev/null --test-linalg-ext-print-layout='layout="[register 2:2, lane 8:4] x [lane 4:1, register 2:1]" format=svg' 2> %t.svg
// RUN: diff %t.svg %src_root/docs/Rationale/mma-c.svg

// The accumulator of mma.sync.m16n8: row 8 begins with register 2.
// TABLE:      [register 2:2, lane 8:4] x [lane 4:1, register 2:1]: 16x8, subgroups 1, lanes 32, registers 4
// TABLE-NEXT: {{^}}    0          1          2          3          4          5          6          7{{$}}
// TABLE-NEXT: {{^}}0   s0 l0 r0   s0 l0 r1   s0 l1 r0   s0 l1 r1   s0 l2 r0   s0 l2 r1   s0 l3 r0   s0 l3 r1{{$}}
// TABLE-NEXT: {{^}}1   s0 l4 r0
// TABLE:      {{^}}8   s0 l0 r2   s0 l0 r3
// TABLE:      {{^}}15  s0 l28 r2  s0 l28 r3

// REPLICAS:      [lane 4:1]: 4, subgroups 2, lanes 8, registers 1, each element in 4 threads
// REPLICAS:      s0 l0 r0 +3  s0 l1 r0 +3

// SVG:      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0
// SVG-COUNT-4: <rect class="c" x="{{.*}}<text class="r"{{.*}}>r{{[01]}}</text>
// SVG:      </svg>

// MODULE: module

// LAYOUT: error: invalid option 'layout': the digits of the lanes end at 3, which does not divide their number, 32
// FORMAT: error: invalid option 'format': expected 'table' or 'svg', got 'png'

module {}
