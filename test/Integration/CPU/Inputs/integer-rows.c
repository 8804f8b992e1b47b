// Compares products of few rows of integers with sums of their definition, in 32 bits that wrap
// around.

#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_M = 16, MAX_N = 45, MAX_K = 9000 };

static int8_t a[MAX_M * MAX_K], b[MAX_N * MAX_K];
static int32_t c[MAX_M * MAX_N], result[MAX_M * MAX_N];
static int wrong, products;

typedef void Product(linalg_ext_buffer_2d_i8 *, linalg_ext_buffer_2d_i8 *,
                     linalg_ext_buffer_2d_i32 *);

static int get(int8_t byte, int isUnsigned) { return isUnsigned ? (uint8_t)byte : byte; }

static void check(Product *multiply, int rows, int columns, int size, int isLeftUnsigned,
                  int isRightUnsigned) {
  linalg_ext_buffer_2d_i8 left = linalg_ext_describe_2d_i8(a, rows, size),
                          right = linalg_ext_describe_2d_i8(b, columns, size);
  linalg_ext_buffer_2d_i32 sums = linalg_ext_describe_2d_i32(result, rows, columns);
  for (int i = 0; i < rows * columns; ++i)
    result[i] = c[i];
  multiply(&left, &right, &sums);
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      uint32_t sum = (uint32_t)c[m * columns + n];
      for (int k = 0; k < size; ++k)
        sum += (uint32_t)(get(a[m * size + k], isLeftUnsigned) *
                          get(b[n * size + k], isRightUnsigned));
      wrong += (uint32_t)result[m * columns + n] != sum;
    }
  ++products;
}

#define CHECK(M, N, K)                                                                             \
  check(_mlir_ciface_p_##M##x##N##x##K##_ss, M, N, K, 0, 0);                                       \
  check(_mlir_ciface_p_##M##x##N##x##K##_su, M, N, K, 0, 1);                                       \
  check(_mlir_ciface_p_##M##x##N##x##K##_us, M, N, K, 1, 0);                                       \
  check(_mlir_ciface_p_##M##x##N##x##K##_uu, M, N, K, 1, 1)

int main(void) {
  for (int i = 0; i < MAX_M * MAX_K; ++i)
    a[i] = (int8_t)(i % 7 == 0 ? -128 : rand() >> 7);
  for (int i = 0; i < MAX_N * MAX_K; ++i)
    b[i] = (int8_t)(i % 5 == 0 ? -128 : rand() >> 7);
  // Nearly the largest numbers: sums wrap around.
  for (int i = 0; i < MAX_M * MAX_N; ++i)
    c[i] = 0x7fffff00 + i % 256;
  CHECK(1, 45, 83);
  CHECK(4, 45, 256);
  CHECK(7, 45, 200);
  CHECK(9, 33, 64);
  CHECK(16, 45, 1029);
  CHECK(16, 5, 60);
  CHECK(16, 9, 9000);
  printf("%d products, %d wrong elements\n", products, wrong);
  return wrong != 0;
}
