/* Decodes once with the compiled pointers.mlir, and compares with attention to dense
 * keys and values in f64.
 *
 * Each page is an allocation of its own. Some entries in front of a length are null or
 * no multiple of 16: these keys and values are zeros. Entries behind a length are
 * addresses that must not be read.
 *
 * Prints: steps (sequences), largest error.
 */
#include "pointers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 5, HEADS = 2, GROUP = 4, DIM = 64, ROWS = 16, ENTRIES = 4 };
enum { KEYS = ENTRIES * ROWS, TOKEN = HEADS * DIM };

/* Of each sequence and key: what a cache without pages has. */
static float keys[BATCH][KEYS][TOKEN], values[BATCH][KEYS][TOKEN];
static int64_t k_pages[BATCH * ENTRIES], v_pages[BATCH * ENTRIES];
static int32_t lengths[BATCH] = {64, 17, 0, 16, 41};

static float draw(void) {
  static unsigned seed = 1;
  seed = seed * 1664525u + 1013904223u;
  return (float)(seed >> 8) / (1 << 23) - 1.0f;
}

static void make_pages(float (*dense)[KEYS][TOKEN], int64_t *pages, int number) {
  for (int b = 0; b < BATCH; ++b)
    for (int p = 0; p < ENTRIES; ++p) {
      int64_t *page = &pages[b * ENTRIES + p];
      if (p * ROWS >= lengths[b]) {
        *page = (b + p) % 2 ? 1 << 20 : -16;
        continue;
      }
      if ((b * ENTRIES + p + number) % 5 == 4) {
        *page = p % 2 ? 0 : 24;
        continue;
      }
      float *rows = aligned_alloc(16, ROWS * TOKEN * sizeof(float));
      *page = (int64_t)(intptr_t)rows;
      for (int i = 0; i < ROWS * TOKEN; ++i) {
        int s = p * ROWS + i / TOKEN;
        rows[i] = s < lengths[b] ? dense[b][s][i % TOKEN] = draw() : NAN;
      }
    }
}

int main(void) {
  static float q[BATCH * HEADS * GROUP * DIM];
  for (size_t i = 0; i < sizeof q / sizeof *q; ++i)
    q[i] = draw();
  make_pages(keys, k_pages, 0);
  make_pages(values, v_pages, 2);
  linalg_ext_buffer_4d_f32 out, query = linalg_ext_describe_4d_f32(q, BATCH, HEADS, GROUP, DIM);
  /* User space: the lower 2^47 bytes. */
  linalg_ext_buffer_1d_f32 memory =
      linalg_ext_describe_1d_f32((float *)(intptr_t)16, ((int64_t)1 << 45) - 4);
  linalg_ext_buffer_2d_i64 kt = linalg_ext_describe_2d_i64(k_pages, BATCH, ENTRIES),
                           vt = linalg_ext_describe_2d_i64(v_pages, BATCH, ENTRIES);
  linalg_ext_buffer_1d_i32 n = linalg_ext_describe_1d_i32(lengths, BATCH);
  _mlir_ciface_pointers(&out, &query, &memory, &kt, &vt, &n);

  double error = 0;
  const float *got = out.aligned + out.offset;
  for (int row = 0; row < BATCH * HEADS * GROUP; ++row) {
    int b = row / (HEADS * GROUP), h = row / GROUP % HEADS;
    double p[KEYS], max = -INFINITY, sum = 0;
    for (int s = 0; s < lengths[b]; ++s) {
      p[s] = 0;
      for (int d = 0; d < DIM; ++d)
        p[s] += (double)q[row * DIM + d] * keys[b][s][h * DIM + d] / 8;
      max = fmax(max, p[s]);
    }
    for (int s = 0; s < lengths[b]; ++s)
      sum += p[s] = exp(p[s] - max);
    for (int d = 0; d < DIM; ++d) {
      double want = 0;
      for (int s = 0; s < lengths[b]; ++s)
        want += p[s] / sum * values[b][s][h * DIM + d];
      double difference = fabs(got[row * DIM + d] - want);
      if (!(difference <= error))
        error = isnan(difference) ? INFINITY : difference;
    }
  }
  free(out.allocated);
  printf("%d steps, largest error %.2e\n", BATCH, error);
  return 0;
}
