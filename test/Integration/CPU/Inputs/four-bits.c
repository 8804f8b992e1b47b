// Compares products of a row with integers of 4 bits with sums in f64. The
// error of a sum is at most a few roundings of its largest terms. With the
// argument `exact`, terms are those of integers less zero points, and there are
// rows whose largest elements meet zero points only.

#include "bits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_M = 3, MAX_N = 130, MAX_K = 2048 };

static float x[MAX_M * MAX_K], s[MAX_N * MAX_K], result[MAX_M * MAX_N];
static int8_t w[MAX_N * MAX_K], z[MAX_N * MAX_K];
static int wrong, products, is_exact;
static double largest;

enum { NONE, EIGHT, ZEROS };
enum { USUAL, SPREAD, HIDDEN, ROWS };

static int get(const int8_t *bytes, int i, int high) {
  return (uint8_t)bytes[i / 2] >> (i % 2 == high ? 0 : 4) & 15;
}

// Makes integers of the first ones of all 64 their zero points, and the
// elements for them large.
static void hide(int m, int n, int k, int group, int high, int zero) {
  for (int i = 0; i < k; i += 64) {
    for (int row = 0; row < m; ++row)
      x[row * k + i] = 0x1p20f;
    for (int column = 0; column < n; ++column) {
      int at = column * k + i, shift = high ? 4 : 0,
          offset = zero == ZEROS   ? get(z, column * (k / group) + i / group, high)
                   : zero == EIGHT ? 8
                                   : 0;
      w[at / 2] = (int8_t)((w[at / 2] & (0xf0 >> shift)) | offset << shift);
    }
  }
}

static void compare(int m, int n, int k, int group, int high, int zero) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0, all = 0;
      for (int i = 0; i < k; ++i) {
        int of = column * (k / group) + i / group, integer = get(w, column * k + i, high);
        double element = (double)x[row * k + i] * s[of];
        int offset = zero == ZEROS ? get(z, of, high) : zero == EIGHT ? 8 : 0;
        sum += element * (integer - offset);
        all += fabs(element * (is_exact ? integer - offset : 15));
      }
      double error = fabs(result[row * n + column] - sum) / all;
      largest = fmax(largest, error);
      if (!(error <= (is_exact ? 1e-6 : 3e-7))) {
        ++wrong;
        printf("%dx%dx%d in groups of %d: element (%d, %d) is %g, expected %g\n", m, n, k, group,
               row, column, result[row * n + column], sum);
      }
    }
  ++products;
}

#define CALL(M, N, K, G, HIGH, ZERO, ...)                                                          \
  do {                                                                                             \
    linalg_ext_buffer_2d_f32 rows = linalg_ext_describe_2d_f32(x, M, K),                           \
                             scales = linalg_ext_describe_2d_f32(s, N, K / G),                     \
                             sums = linalg_ext_describe_2d_f32(result, M, N);                      \
    linalg_ext_buffer_2d_i8 bytes = linalg_ext_describe_2d_i8(w, N, K / 2),                        \
                            zeros = linalg_ext_describe_2d_i8(z, N, K / G / 2);                    \
    (void)zeros;                                                                                   \
    for (int i = 0; i < M * N; ++i)                                                                \
      result[i] = NAN;                                                                             \
    _mlir_ciface_p_##M##x##N##x##K##_g##G##_##HIGH##_##ZERO(&rows, &bytes, &scales, __VA_ARGS__);  \
  } while (0)
#define CHECK(M, N, K, G, HIGH, ZERO, KIND, ...)                                                   \
  do {                                                                                             \
    if (kind == HIDDEN)                                                                            \
      hide(M, N, K, G, HIGH, KIND);                                                                \
    CALL(M, N, K, G, HIGH, ZERO, __VA_ARGS__);                                                     \
    compare(M, N, K, G, HIGH, KIND);                                                               \
  } while (0)

int main(int argc, char **argv) {
  is_exact = argc > 1 && strcmp(argv[1], "exact") == 0;
  for (int kind = 0; kind < (is_exact ? ROWS : HIDDEN); ++kind) {
    // Elements of one size, and of sizes 2^-20 to 2^20, next to each other.
    for (int i = 0; i < MAX_M * MAX_K; ++i) {
      x[i] = (float)(rand() % 2001 - 1000) / 1000 + 1e-4f;
      if (kind == SPREAD)
        x[i] = ldexpf(x[i], rand() % 41 - 20);
    }
    for (int i = 0; i < MAX_N * MAX_K; ++i) {
      s[i] = (float)(1 + rand() % 1000) / 3000;
      w[i] = (int8_t)(rand() >> 5);
      z[i] = (int8_t)(rand() >> 5);
    }
    CHECK(1, 65, 1024, 32, 0, zeros, ZEROS, &zeros, &sums);
    CHECK(1, 130, 2048, 32, 1, zeros, ZEROS, &zeros, &sums);
    CHECK(1, 66, 1024, 64, 0, zeros, ZEROS, &zeros, &sums);
    CHECK(1, 65, 1024, 128, 1, eight, EIGHT, &sums);
    CHECK(1, 65, 1024, 128, 0, zeros, ZEROS, &zeros, &sums);
    CHECK(1, 71, 512, 16, 0, eight, EIGHT, &sums);
    CHECK(1, 64, 768, 256, 0, none, NONE, &sums);
    CHECK(1, 64, 1152, 128, 0, eight, EIGHT, &sums);
    CHECK(1, 70, 1088, 32, 0, zeros, ZEROS, &zeros, &sums);
    CHECK(3, 65, 1024, 32, 0, zeros, ZEROS, &zeros, &sums);
  }
  printf("largest error %.2g\n", largest);
  printf("%d products, %d wrong elements\n", products, wrong);
  return wrong != 0;
}
