// Compares products of few rows with weights that are stored by columns with sums in f64. No
// element is rounded: both factors are exact in all types.

#include "columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_M = 40, MAX_N = 1032, MAX_K = 2048 };

static double x[MAX_M * MAX_K], w[MAX_N * MAX_K];
static float result[MAX_M * MAX_N];
static int wrong, products;

// Numbers of 7 bits and a sign, from -127 / 64 to 127 / 64.
static double draw(void) { return (double)(rand() % 255 - 127) / 64; }

static uint16_t get_half(double number) {
  int exponent;
  int whole = (int)ldexp(fabs(frexp(number, &exponent)), 11);
  return (number < 0 ? 0x8000 : 0) | (whole ? ((exponent + 14) << 10) + (whole - 1024) : 0);
}

static uint16_t get_brain(double number) {
  float rounded = (float)number;
  uint32_t bits;
  memcpy(&bits, &rounded, 4);
  return bits >> 16;
}

static float *copy_f32(const double *from, int count) {
  float *to = aligned_alloc(64, ((size_t)count * 4 + 63) / 64 * 64);
  for (int i = 0; i < count; ++i)
    to[i] = (float)from[i];
  return to;
}

static uint16_t *copy_f16(const double *from, int count) {
  uint16_t *to = aligned_alloc(64, ((size_t)count * 2 + 63) / 64 * 64);
  for (int i = 0; i < count; ++i)
    to[i] = get_half(from[i]);
  return to;
}

static uint16_t *copy_bf16(const double *from, int count) {
  uint16_t *to = aligned_alloc(64, ((size_t)count * 2 + 63) / 64 * 64);
  for (int i = 0; i < count; ++i)
    to[i] = get_brain(from[i]);
  return to;
}

static float get_start(int i) { return (float)(i % 17) - 8; }

static void compare(int m, int n, int k) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = get_start(row * n + column), all = fabs(sum);
      for (int i = 0; i < k; ++i) {
        double term = x[row * k + i] * w[(size_t)column * k + i];
        sum += term;
        all += fabs(term);
      }
      float found = result[row * n + column];
      if (!(fabs(found - sum) <= 1e-6 * all)) {
        ++wrong;
        printf("%dx%dx%d: row %d, column %d is %g, expected %g\n", m, n, k, row, column, found,
               sum);
      }
    }
  ++products;
}

#define CHECK_ROWS(M, ROWS, N, K, NAME, ROW, WEIGHT)                                               \
  {                                                                                                \
    for (int i = 0; i < M * K; ++i)                                                                \
      x[i] = draw();                                                                               \
    for (int i = 0; i < N * K; ++i)                                                                \
      w[i] = draw();                                                                               \
    for (int i = 0; i < M * N; ++i)                                                                \
      result[i] = get_start(i);                                                                    \
    void *rows = copy_##ROW(x, M * K), *columns = copy_##WEIGHT(w, N * K);                         \
    linalg_ext_buffer_2d_##ROW row = linalg_ext_describe_2d_##ROW(rows, M, K);                     \
    linalg_ext_buffer_2d_##WEIGHT weight = linalg_ext_describe_2d_##WEIGHT(columns, N, K);         \
    linalg_ext_buffer_2d_f32 sums = linalg_ext_describe_2d_f32(result, M, N);                      \
    _mlir_ciface_p_##ROWS##_##N##_##K##_##NAME(&row, &weight, &sums);                              \
    compare(M, N, K);                                                                              \
    free(rows);                                                                                    \
    free(columns);                                                                                 \
  }
#define CHECK_TYPES(M, N, K, NAME, ROW, WEIGHT) CHECK_ROWS(M, M, N, K, NAME, ROW, WEIGHT)
#define CHECK(M, N, K, TYPE) CHECK_TYPES(M, N, K, TYPE, TYPE, TYPE)
// A function for any number of rows.
#define CHECK_ANY(M, N, K, TYPE) CHECK_ROWS(M, any, N, K, TYPE, TYPE, TYPE)

int main(void) {
  CHECK(1, 512, 256, f32)
  CHECK(1, 514, 257, f32)
  CHECK(1, 272, 1000, f16)
  CHECK(1, 258, 2048, f16)
  CHECK(1, 512, 512, bf16)
  CHECK(1, 1024, 520, bf16)
  CHECK_TYPES(1, 260, 1030, mixed, f32, f16)
  CHECK(2, 512, 256, f32)
  CHECK(3, 516, 272, f32)
  CHECK(4, 272, 1000, f16)
  CHECK(5, 512, 512, f16)
  CHECK(8, 512, 1056, bf16)
  CHECK(7, 1032, 512, bf16)
  CHECK_TYPES(8, 256, 520, mixed, f32, f16)
  CHECK(9, 256, 520, f16)
  CHECK(19, 258, 1032, f16)
  CHECK(32, 512, 528, bf16)
  CHECK(13, 130, 514, bf16)
  CHECK_ANY(1, 260, 520, f16)
  CHECK_ANY(7, 260, 520, f16)
  CHECK_ANY(29, 260, 520, f16)
  CHECK_ANY(33, 260, 520, f16)
  CHECK_ANY(2, 512, 1040, bf16)
  CHECK_ANY(8, 512, 1040, bf16)
  CHECK_ANY(40, 512, 1040, bf16)
  printf("%d products, %d wrong elements\n", products, wrong);
  return wrong != 0;
}
