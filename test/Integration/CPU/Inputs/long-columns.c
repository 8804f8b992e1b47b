// Compares elementwise ops of a column and a row with their definitions in f64.

#include "columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_M = 2000, MAX_N = 512 };

static float x[MAX_M], y[MAX_N], result[MAX_M * MAX_N];
static uint16_t halves[MAX_M * MAX_N], halvesOfRow[MAX_N];
static int8_t bytes[MAX_M * MAX_N];
static int wrong, functions;

// A half whose value is the small multiple of 1/8 that is drawn.
static uint16_t getHalf(int eighths) {
  if (eighths == 0)
    return 0;
  int exponent = 0, size = abs(eighths);
  while (size >> (exponent + 1))
    ++exponent;
  return (uint16_t)((eighths < 0 ? 0x8000 : 0) | (exponent - 3 + 15) << 10 |
                    (size << (10 - exponent) & 0x3ff));
}

static int getEighths(int i) { return i * 37 % 255 - 127; }

typedef double Expected(int m, int n, int columns);
static double outer(int m, int n, int columns) { return (void)columns, (double)x[m] * y[n]; }
static double exponential(int m, int n, int columns) { return (void)columns, x[m] * exp(y[n]); }
static double bias(int m, int n, int columns) {
  return (getEighths(m * columns + n) + getEighths(5 * n)) / 8.0;
}
static double scaled(int m, int n, int columns) { return (double)bytes[m * columns + n] * y[n]; }

static void compare(const char *name, Expected *expected, int rows, int columns) {
  int first = -1;
  for (int i = 0; i < rows * columns; ++i) {
    double value = expected(i / columns, i % columns, columns);
    if (!(fabs(result[i] - value) <= 4e-7 * fabs(value))) {
      first = first < 0 ? i : first;
      ++wrong;
    }
  }
  if (first >= 0)
    printf("%s %dx%d: element (%d, %d) is %g, expected %g\n", name, rows, columns, first / columns,
           first % columns, result[first], expected(first / columns, first % columns, columns));
  // Elements that no function writes are found in the next one.
  memset(result, 0xff, sizeof result);
  ++functions;
}

#define CHECK(M, N)                                                                                \
  do {                                                                                             \
    linalg_ext_buffer_1d_f32 column = linalg_ext_describe_1d_f32(x, M),                            \
                             row = linalg_ext_describe_1d_f32(y, N);                               \
    linalg_ext_buffer_2d_f32 c = linalg_ext_describe_2d_f32(result, M, N);                         \
    linalg_ext_buffer_2d_f16 a = linalg_ext_describe_2d_f16((void *)halves, M, N);                 \
    linalg_ext_buffer_1d_f16 h = linalg_ext_describe_1d_f16((void *)halvesOfRow, N);               \
    linalg_ext_buffer_2d_i8 b = linalg_ext_describe_2d_i8(bytes, M, N);                            \
    _mlir_ciface_outer_##M##x##N(&column, &row, &c);                                               \
    compare("outer", outer, M, N);                                                                 \
    _mlir_ciface_outer_any(&column, &row, &c);                                                     \
    compare("outer of unknown sizes", outer, M, N);                                                \
    _mlir_ciface_exp_##M##x##N(&column, &row, &c);                                                 \
    compare("exp", exponential, M, N);                                                             \
    _mlir_ciface_bias_##M##x##N(&a, &h, &c);                                                       \
    compare("bias", bias, M, N);                                                                   \
    _mlir_ciface_bytes_##M##x##N(&b, &row, &c);                                                    \
    compare("bytes", scaled, M, N);                                                                \
  } while (0)

int main(void) {
  for (int i = 0; i < MAX_M; ++i)
    x[i] = (float)(rand() % 2001 - 1000) / 256;
  for (int i = 0; i < MAX_N; ++i)
    y[i] = (float)(rand() % 2001 - 1000) / 256;
  for (int i = 0; i < MAX_M * MAX_N; ++i) {
    halves[i] = getHalf(getEighths(i));
    bytes[i] = (int8_t)(i * 29);
  }
  for (int i = 0; i < MAX_N; ++i)
    halvesOfRow[i] = getHalf(getEighths(5 * i));
  memset(result, 0xff, sizeof result);
  CHECK(3, 70);
  CHECK(1025, 5);
  CHECK(900, 64);
  CHECK(801, 40);
  CHECK(1030, 97);
  CHECK(777, 200);
  CHECK(2000, 512);
  printf("%d functions, %d wrong elements\n", functions, wrong);
  return wrong != 0;
}
