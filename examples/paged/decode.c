/* Decodes some steps with the compiled decode.mlir, from an empty cache, and
 * compares each with attention to dense keys and values in f64.
 *
 * Pages are taken in a scrambled order, differently for keys and values. What
 * no step has written is NaN, so that reading it shows.
 *
 * Prints: steps, largest error.
 *
 * With -DUNUSED_PAGES=n, so many pages lie in front of those that are used. Nothing
 * touches them, so a pool may be larger than the memory of the machine.
 */
#define _DEFAULT_SOURCE
#include "decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef UNUSED_PAGES
#define UNUSED_PAGES 0
#endif

enum { BATCH = 3, STEPS = 50, HEADS = 2, GROUP = 4, DIM = 64, ROWS = 16 };
enum { ENTRIES = (STEPS + ROWS - 1) / ROWS, PAGES = BATCH * ENTRIES + 1 };
enum { TOKEN = HEADS * DIM, QUERY = BATCH * HEADS * GROUP * DIM };

static float *k_pool, *v_pool;
static int32_t k_table[BATCH * ENTRIES], v_table[BATCH * ENTRIES];
/* Of each sequence and step: what a cache without pages has. */
static float keys[BATCH][STEPS][TOKEN], values[BATCH][STEPS][TOKEN];

static void draw(float *to, size_t count) {
  static unsigned seed = 1;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = (float)(seed >> 8) / (1 << 23) - 1.0f;
  }
}

/* Sequence b starts b * 7 steps late. */
static int get_length(int b, int step) {
  int length = step + 1 - 7 * b;
  return length > 0 ? length : 0;
}

static double get_error(const float *q, const float *out, int step) {
  double error = 0;
  for (int row = 0; row < BATCH * HEADS * GROUP; ++row) {
    int b = row / (HEADS * GROUP), h = row / GROUP % HEADS;
    int length = get_length(b, step);
    double p[STEPS], max = -INFINITY, sum = 0;
    for (int s = 0; s < length; ++s) {
      p[s] = 0;
      for (int d = 0; d < DIM; ++d)
        p[s] += (double)q[row * DIM + d] * keys[b][s][h * DIM + d] / 8;
      max = fmax(max, p[s]);
    }
    for (int s = 0; s < length; ++s)
      sum += p[s] = exp(p[s] - max);
    for (int d = 0; d < DIM; ++d) {
      double want = 0;
      for (int s = 0; s < length; ++s)
        want += p[s] / sum * values[b][s][h * DIM + d];
      double difference = fabs(out[row * DIM + d] - want);
      if (!(difference <= error))
        error = isnan(difference) ? INFINITY : difference;
    }
  }
  return error;
}

/* A pool of which the pages that are used are NaN. */
static float *make_pool(void) {
  size_t page = (size_t)ROWS * TOKEN;
  float *pool = mmap(NULL, (UNUSED_PAGES + PAGES) * page * sizeof(float),
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pool == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  for (size_t i = 0; i < PAGES * page; ++i)
    pool[UNUSED_PAGES * page + i] = NAN;
  return pool;
}

int main(void) {
  k_pool = make_pool(), v_pool = make_pool();
  memset(k_table, -1, sizeof k_table);
  memset(v_table, -1, sizeof v_table);
  double error = 0;
  int used = 0;
  for (int step = 0; step < STEPS; ++step) {
    float q[QUERY], k[BATCH * TOKEN], v[BATCH * TOKEN];
    int32_t lengths[BATCH];
    draw(q, QUERY);
    draw(k, BATCH * TOKEN);
    draw(v, BATCH * TOKEN);
    for (int b = 0; b < BATCH; ++b) {
      int length = lengths[b] = get_length(b, step);
      if (length == 0)
        continue;
      if (length % ROWS == 1) { /* A new page. */
        k_table[b * ENTRIES + length / ROWS] =
            UNUSED_PAGES + used * 3 % PAGES;
        v_table[b * ENTRIES + length / ROWS] =
            UNUSED_PAGES + used * 7 % PAGES;
        ++used;
      }
      memcpy(keys[b][length - 1], k + b * TOKEN, sizeof keys[b][0]);
      memcpy(values[b][length - 1], v + b * TOKEN, sizeof values[b][0]);
    }
    linalg_ext_buffer_4d_f32 out,
        query = linalg_ext_describe_4d_f32(q, BATCH, HEADS, GROUP, DIM),
        kp = linalg_ext_describe_4d_f32(k_pool, UNUSED_PAGES + PAGES, ROWS,
                                        HEADS, DIM),
        vp = linalg_ext_describe_4d_f32(v_pool, UNUSED_PAGES + PAGES, ROWS,
                                        HEADS, DIM);
    linalg_ext_buffer_3d_f32 key = linalg_ext_describe_3d_f32(k, BATCH, HEADS,
                                                              DIM),
                             value = linalg_ext_describe_3d_f32(v, BATCH, HEADS,
                                                                DIM);
    linalg_ext_buffer_2d_i32 kt = linalg_ext_describe_2d_i32(k_table, BATCH,
                                                             ENTRIES),
                             vt = linalg_ext_describe_2d_i32(v_table, BATCH,
                                                             ENTRIES);
    linalg_ext_buffer_1d_i32 n = linalg_ext_describe_1d_i32(lengths, BATCH);
    _mlir_ciface_decode(&out, &query, &key, &value, &kp, &kt, &vp, &vt, &n);
    error = fmax(error, get_error(q, out.aligned + out.offset, step));
    free(out.allocated);
  }
  printf("%d steps, largest error %.2e\n", STEPS, error);
  return 0;
}
