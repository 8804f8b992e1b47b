/* Decodes some tokens of some sequences with the compiled block.mlir, from an empty
 * cache, and compares each step with a block in f64 that has all keys and values of
 * a sequence one behind the other.
 *
 * Pages are taken in a scrambled order, differently for keys and values. What no
 * step has written is NaN, so that reading it shows.
 *
 * Prints: steps, largest error.
 */
#include "block.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 3, STEPS = 40, ROWS = 16, WIDTH = 128, HIDDEN = 256 };
enum { HEADS = 4, KEY_HEADS = 2, GROUP = HEADS / KEY_HEADS, DIM = 32 };
enum { KEYS = KEY_HEADS * DIM, ENTRIES = (STEPS + ROWS - 1) / ROWS };
enum { PAGES = BATCH * ENTRIES + 1 };

static float norm1[WIDTH], norm2[WIDTH];
static float w_q[WIDTH * WIDTH], w_k[WIDTH * KEYS], w_v[WIDTH * KEYS];
static float w_o[WIDTH * WIDTH], w_gate[WIDTH * HIDDEN], w_up[WIDTH * HIDDEN];
static float w_down[HIDDEN * WIDTH], cosines[STEPS * DIM], sines[STEPS * DIM];
static float k_pool[PAGES * ROWS * KEYS], v_pool[PAGES * ROWS * KEYS];
static int32_t k_table[BATCH * ENTRIES], v_table[BATCH * ENTRIES];
/* Of each sequence and position: what a cache without pages has. */
static double keys[BATCH][STEPS][KEYS], values[BATCH][STEPS][KEYS];

static void draw(float *to, int count, float scale) {
  static unsigned seed = 1;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = ((float)(seed >> 8) / (1 << 23) - 1.0f) * scale;
  }
}

/* Sequence b starts b * 7 steps late. */
static int get_length(int b, int step) {
  int length = step + 1 - 7 * b;
  return length > 0 ? length : 0;
}

static void normalize(const double *x, const float *weight, double *y) {
  double sum = 0;
  for (int i = 0; i < WIDTH; ++i)
    sum += x[i] * x[i];
  for (int i = 0; i < WIDTH; ++i)
    y[i] = x[i] / sqrt(sum / WIDTH + 1e-6) * weight[i];
}

static void multiply(const double *x, const float *w, int rows, int columns,
                     double *y) {
  for (int j = 0; j < columns; ++j) {
    y[j] = 0;
    for (int i = 0; i < rows; ++i)
      y[j] += x[i] * w[i * columns + j];
  }
}

static void rotate(double *head, int position) {
  double old[DIM];
  memcpy(old, head, sizeof old);
  for (int d = 0; d < DIM; ++d) {
    double partner = d < DIM / 2 ? -old[d + DIM / 2] : old[d - DIM / 2];
    head[d] = old[d] * cosines[position * DIM + d] +
              partner * sines[position * DIM + d];
  }
}

/* One token of sequence b, which has `length` with it. */
static void decode(int b, int length, const float *token, double *y) {
  double x[WIDTH], normed[WIDTH], q[WIDTH], attended[WIDTH], projected[WIDTH];
  int position = length > 0 ? length - 1 : 0;
  for (int i = 0; i < WIDTH; ++i)
    x[i] = token[i];
  normalize(x, norm1, normed);
  multiply(normed, w_q, WIDTH, WIDTH, q);
  for (int h = 0; h < HEADS; ++h)
    rotate(q + h * DIM, position);
  if (length > 0) {
    multiply(normed, w_k, WIDTH, KEYS, keys[b][position]);
    multiply(normed, w_v, WIDTH, KEYS, values[b][position]);
    for (int h = 0; h < KEY_HEADS; ++h)
      rotate(keys[b][position] + h * DIM, position);
  }
  for (int h = 0; h < HEADS; ++h) {
    double p[STEPS], max = -INFINITY, sum = 0;
    int from = h / GROUP * DIM;
    for (int s = 0; s < length; ++s) {
      p[s] = 0;
      for (int d = 0; d < DIM; ++d)
        p[s] += q[h * DIM + d] * keys[b][s][from + d] / sqrt(DIM);
      max = fmax(max, p[s]);
    }
    for (int s = 0; s < length; ++s)
      sum += p[s] = exp(p[s] - max);
    for (int d = 0; d < DIM; ++d) {
      attended[h * DIM + d] = 0;
      for (int s = 0; s < length; ++s)
        attended[h * DIM + d] += p[s] / sum * values[b][s][from + d];
    }
  }
  multiply(attended, w_o, WIDTH, WIDTH, projected);
  for (int i = 0; i < WIDTH; ++i)
    x[i] += projected[i];
  double gate[HIDDEN], up[HIDDEN], down[WIDTH];
  normalize(x, norm2, normed);
  multiply(normed, w_gate, WIDTH, HIDDEN, gate);
  multiply(normed, w_up, WIDTH, HIDDEN, up);
  for (int i = 0; i < HIDDEN; ++i)
    up[i] *= gate[i] / (1 + exp(-gate[i]));
  multiply(up, w_down, HIDDEN, WIDTH, down);
  for (int i = 0; i < WIDTH; ++i)
    y[i] = x[i] + down[i];
}

#define MATRIX(data, rows, columns)                                            \
  linalg_ext_describe_2d_f32(data, rows, columns)

int main(void) {
  draw(norm1, WIDTH, 1), draw(norm2, WIDTH, 1);
  draw(w_q, WIDTH * WIDTH, 0.3f), draw(w_k, WIDTH * KEYS, 0.3f);
  draw(w_v, WIDTH * KEYS, 0.3f), draw(w_o, WIDTH * WIDTH, 0.1f);
  draw(w_gate, WIDTH * HIDDEN, 0.2f), draw(w_up, WIDTH * HIDDEN, 0.2f);
  draw(w_down, HIDDEN * WIDTH, 0.1f);
  for (int s = 0; s < STEPS; ++s)
    for (int d = 0; d < DIM; ++d) {
      double angle = s * pow(10000, -2.0 * (d % (DIM / 2)) / DIM);
      cosines[s * DIM + d] = (float)cos(angle);
      sines[s * DIM + d] = (float)sin(angle);
    }
  for (int i = 0; i < PAGES * ROWS * KEYS; ++i)
    k_pool[i] = v_pool[i] = NAN;
  memset(k_table, -1, sizeof k_table);
  memset(v_table, -1, sizeof v_table);
  double error = 0;
  int used = 0;
  for (int step = 0; step < STEPS; ++step) {
    float x[BATCH * WIDTH];
    int32_t positions[BATCH], lengths[BATCH];
    draw(x, BATCH * WIDTH, 1);
    for (int b = 0; b < BATCH; ++b) {
      lengths[b] = get_length(b, step);
      positions[b] = lengths[b] - 1;
      if (lengths[b] % ROWS == 1) { /* A new page. */
        k_table[b * ENTRIES + lengths[b] / ROWS] = used * 3 % PAGES;
        v_table[b * ENTRIES + lengths[b] / ROWS] = used * 7 % PAGES;
        ++used;
      }
    }
    linalg_ext_buffer_1d_f32 n1 = linalg_ext_describe_1d_f32(norm1, WIDTH),
                             n2 = linalg_ext_describe_1d_f32(norm2, WIDTH);
    linalg_ext_buffer_1d_i32 at = linalg_ext_describe_1d_i32(positions, BATCH),
                             n = linalg_ext_describe_1d_i32(lengths, BATCH);
    linalg_ext_buffer_2d_f32 out, xs = MATRIX(x, BATCH, WIDTH),
                                  q = MATRIX(w_q, WIDTH, WIDTH),
                                  k = MATRIX(w_k, WIDTH, KEYS),
                                  v = MATRIX(w_v, WIDTH, KEYS),
                                  o = MATRIX(w_o, WIDTH, WIDTH),
                                  gate = MATRIX(w_gate, WIDTH, HIDDEN),
                                  up = MATRIX(w_up, WIDTH, HIDDEN),
                                  down = MATRIX(w_down, HIDDEN, WIDTH),
                                  cosine = MATRIX(cosines, STEPS, DIM),
                                  sine = MATRIX(sines, STEPS, DIM);
    linalg_ext_buffer_2d_i32 kt = linalg_ext_describe_2d_i32(k_table, BATCH,
                                                             ENTRIES),
                             vt = linalg_ext_describe_2d_i32(v_table, BATCH,
                                                             ENTRIES);
    linalg_ext_buffer_4d_f32 kp = linalg_ext_describe_4d_f32(
                                 k_pool, PAGES, ROWS, KEY_HEADS, DIM),
                             vp = linalg_ext_describe_4d_f32(
                                 v_pool, PAGES, ROWS, KEY_HEADS, DIM);
    _mlir_ciface_block(&out, &xs, &n1, &q, &k, &v, &o, &n2, &gate, &up, &down,
                       &cosine, &sine, &kp, &kt, &vp, &vt, &at, &n);
    for (int b = 0; b < BATCH; ++b) {
      double want[WIDTH];
      decode(b, lengths[b], x + b * WIDTH, want);
      for (int i = 0; i < WIDTH; ++i) {
        double difference =
            fabs(out.aligned[out.offset + b * WIDTH + i] - want[i]);
        if (!(difference <= error))
          error = isnan(difference) ? INFINITY : difference;
      }
    }
    free(out.allocated);
  }
  printf("%d steps, largest error %.2e\n", STEPS, error);
  return 0;
}
