/* A product of few rows with weights of 8 bits, timed in turn with a copy of as many
 * bytes; the seconds of both, a line for each round. Run by `weights`, with
 *   M, N, K       rows, columns and sums of the product
 *   GROUP         elements of a column with one scale; K: one for each column
 *   BY_COLUMNS    weights are [N, K], else [K, N]
 *   IS_FLOAT      of f8E4M3FN, else of int8
 *   PER_BYTE      2: integers of 4 bits, two to a byte along the last dimension */
#include "product.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if IS_FLOAT
#define BUFFER(rank) linalg_ext_buffer_##rank##d_f8e4m3fn
#define DESCRIBE(rank) linalg_ext_describe_##rank##d_f8e4m3fn
#else
#define BUFFER(rank) linalg_ext_buffer_##rank##d_i8
#define DESCRIBE(rank) linalg_ext_describe_##rank##d_i8
#endif

enum { COPIES = 8, GROUPS = K / GROUP };

static double now(void) {
  struct timespec t;
  /* What other work on the machine takes does not count. */
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double decode(uint8_t bits) {
  if (!IS_FLOAT)
    return (int8_t)bits;
  int field = bits >> 3 & 15, fraction = bits & 7;
  double x = ldexp(field ? 8 + fraction : fraction, (field ? field : 1) - 10);
  return bits & 0x80 ? -x : x;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 9;
  size_t size = (size_t)N * K / PER_BYTE;
  uint8_t *weights = aligned_alloc(4096, size * COPIES), *target = aligned_alloc(4096, size);
  float *x = aligned_alloc(64, sizeof(float) * M * K), *y = aligned_alloc(64, sizeof(float) * M * N);
  float *scales = aligned_alloc(64, sizeof(float) * N * GROUPS + 64);
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < size * COPIES; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    weights[i] = (uint8_t)(state >> 24);
    if (IS_FLOAT && (weights[i] & 0x7f) == 0x7f) /* NaN */
      weights[i] = 0;
  }
  for (int i = 0; i < M * K; ++i)
    x[i] = (float)((i * 37 % 101) - 50) / 64;
  for (int i = 0; i < N * GROUPS; ++i)
    scales[i] = (float)(1 + i % 7) / 256;
  memset(target, 0, size);

  for (int round = -2; round < rounds; ++round) {
    uint8_t *w = weights + (size_t)((round + 2) % COPIES) * size;
    double start = now();
#ifdef SPLIT
    linalg_ext_buffer_3d_f32 of_x = linalg_ext_describe_3d_f32(x, M, GROUPS, GROUP);
    BUFFER(3) of_w = BY_COLUMNS ? DESCRIBE(3)((void *)w, N, GROUPS, GROUP / PER_BYTE)
                                : DESCRIBE(3)((void *)w, GROUPS, GROUP, N / PER_BYTE);
    linalg_ext_buffer_2d_f32 of_scales = linalg_ext_describe_2d_f32(scales, N, GROUPS);
#else
    linalg_ext_buffer_2d_f32 of_x = linalg_ext_describe_2d_f32(x, M, K);
    BUFFER(2) of_w =
        DESCRIBE(2)((void *)w, BY_COLUMNS ? N : K, (BY_COLUMNS ? K : N) / PER_BYTE);
    linalg_ext_buffer_1d_f32 of_scales = linalg_ext_describe_1d_f32(scales, N);
#endif
    linalg_ext_buffer_2d_f32 of_y = linalg_ext_describe_2d_f32(y, M, N);
    _mlir_ciface_product(&of_x, &of_w, &of_scales, &of_y);
    double ours = now() - start;
    /* Some of all sums. */
    for (int i = 0; round < 0 && i < 64; ++i) {
      int row = i % M, column = (i * 61 + 5) % N;
      double sum = 0, all = 0;
      for (int k = 0; k < K; ++k) {
        size_t at = BY_COLUMNS ? (size_t)column * K + k : (size_t)k * N + column;
        double code = PER_BYTE == 2 ? (double)(w[at / 2] >> 4 * (at % 2) & 15) - 8 : decode(w[at]);
        double term = code * scales[column * GROUPS + k / GROUP] * x[row * K + k];
        sum += term, all += fabs(term);
      }
      if (!(fabs(sum - y[row * N + column]) <= 1e-5 * all)) {
        fprintf(stderr, "row %d, column %d: %g, expected %g\n", row, column, y[row * N + column], sum);
        return 1;
      }
    }
    start = now();
    memcpy(target, weights + (size_t)((round + 6) % COPIES) * size, size);
    __asm__ volatile("" ::"r"(target) : "memory");
    double copy = now() - start;
    if (round >= 0)
      printf("%.6e %.6e\n", ours, copy);
  }
  return 0;
}
