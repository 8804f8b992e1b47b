// Compares products of integers with sums of their definition, in 32 bits that wrap around.

#include "products.h"

#include <stdio.h>
#include <stdlib.h>

enum { M = 37, N = 45, K = 83 };

static int8_t a[M * K], b[K * N];
static int32_t c[M * N], result[M * N];
static int wrong, products;

typedef void Product(linalg_ext_buffer_2d_i8 *, linalg_ext_buffer_2d_i8 *,
                     linalg_ext_buffer_2d_i32 *);

static int get(int8_t byte, int isUnsigned) { return isUnsigned ? (uint8_t)byte : byte; }

static void check(Product *multiply, int isLeftUnsigned, int isRightUnsigned, int isTransposed) {
  linalg_ext_buffer_2d_i8 left = linalg_ext_describe_2d_i8(a, M, K);
  linalg_ext_buffer_2d_i8 right = isTransposed ? linalg_ext_describe_2d_i8(b, N, K)
                                               : linalg_ext_describe_2d_i8(b, K, N);
  linalg_ext_buffer_2d_i32 sums = linalg_ext_describe_2d_i32(result, M, N);
  for (int i = 0; i < M * N; ++i)
    result[i] = c[i];
  multiply(&left, &right, &sums);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      uint32_t sum = (uint32_t)c[m * N + n];
      for (int k = 0; k < K; ++k)
        sum += (uint32_t)(get(a[m * K + k], isLeftUnsigned) *
                          get(isTransposed ? b[n * K + k] : b[k * N + n], isRightUnsigned));
      wrong += (uint32_t)result[m * N + n] != sum;
    }
  ++products;
}

int main(void) {
  for (int i = 0; i < M * K; ++i)
    a[i] = (int8_t)(i % 7 == 0 ? -128 : rand() >> 7);
  for (int i = 0; i < K * N; ++i)
    b[i] = (int8_t)(i % 5 == 0 ? -128 : rand() >> 7);
  // Nearly the largest numbers: sums wrap around.
  for (int i = 0; i < M * N; ++i)
    c[i] = 0x7fffff00 + i % 256;
  check(_mlir_ciface_p_ss_kn, 0, 0, 0);
  check(_mlir_ciface_p_us_kn, 1, 0, 0);
  check(_mlir_ciface_p_su_kn, 0, 1, 0);
  check(_mlir_ciface_p_uu_kn, 1, 1, 0);
  check(_mlir_ciface_p_ss_nk, 0, 0, 1);
  check(_mlir_ciface_p_us_nk, 1, 0, 1);
  check(_mlir_ciface_p_su_nk, 0, 1, 1);
  check(_mlir_ciface_p_uu_nk, 1, 1, 1);
  printf("%d products, %d wrong elements\n", products, wrong);
  return wrong != 0;
}
