/* One process of bench/cpu/norms: answers the lines it reads.
 *
 *   usage: norms ROWS DEPTH COLUMNS
 *
 *   run FORM    times calls of the kernel `fused` or `unfused` that linalg-ext-compile
 *               made, as many as take 5 ms at least, and prints the seconds of one, of
 *               CPU time
 *   check FORM  prints the largest difference to f64 of some rows, over the largest
 *               magnitude there
 *
 * With -DPROGRAM_rms, -DPROGRAM_layer, -DPROGRAM_loss or -DPROGRAM_classifier.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fused.h"
#include "unfused.h"

static long rows, depth, columns;
static float *x, *w, *gamma_, *beta, *out;
static int32_t *target;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *allocate(size_t size) {
  void *memory;
  if (posix_memalign(&memory, 64, size + 64)) {
    perror("posix_memalign");
    exit(1);
  }
  return memory;
}

static float *random_values(size_t count, float least, float most, unsigned seed) {
  float *values = allocate(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = least + (most - least) * ((float)(seed >> 8) / (1 << 24));
  }
  return values;
}

static void call(int fused) {
#if defined(PROGRAM_rms) || defined(PROGRAM_layer)
  linalg_ext_buffer_2d_f32 a = linalg_ext_describe_2d_f32(x, rows, depth);
  linalg_ext_buffer_1d_f32 g = linalg_ext_describe_1d_f32(gamma_, depth);
  linalg_ext_buffer_2d_f32 b = linalg_ext_describe_2d_f32(w, depth, columns);
  linalg_ext_buffer_2d_f32 c = linalg_ext_describe_2d_f32(out, rows, columns);
#ifdef PROGRAM_layer
  linalg_ext_buffer_1d_f32 h = linalg_ext_describe_1d_f32(beta, depth);
  (fused ? _mlir_ciface_fused : _mlir_ciface_unfused)(&a, &g, &h, &b, &c);
#else
  (fused ? _mlir_ciface_fused : _mlir_ciface_unfused)(&a, &g, &b, &c);
#endif
#else
  linalg_ext_buffer_1d_i32 t = linalg_ext_describe_1d_i32(target, rows);
  linalg_ext_buffer_1d_f32 c = linalg_ext_describe_1d_f32(out, rows);
#ifdef PROGRAM_loss
  linalg_ext_buffer_2d_f32 a = linalg_ext_describe_2d_f32(x, rows, columns);
  (fused ? _mlir_ciface_fused : _mlir_ciface_unfused)(&a, &t, &c);
#else
  linalg_ext_buffer_2d_f32 a = linalg_ext_describe_2d_f32(x, rows, depth);
  linalg_ext_buffer_2d_f32 e = linalg_ext_describe_2d_f32(w, columns, depth);
  (fused ? _mlir_ciface_fused : _mlir_ciface_unfused)(&a, &e, &t, &c);
#endif
#endif
}

/* The results of a row, of which there are `count`. */
static void compute(long i, double *results) {
#if defined(PROGRAM_rms) || defined(PROGRAM_layer)
  double mean = 0, squares = 0;
#ifdef PROGRAM_layer
  for (long k = 0; k < depth; ++k)
    mean += x[i * depth + k];
  mean /= depth;
#endif
  for (long k = 0; k < depth; ++k)
    squares += (x[i * depth + k] - mean) * (x[i * depth + k] - mean);
  double scale = 1 / sqrt(squares / depth + 1e-5);
  for (long j = 0; j < columns; ++j)
    results[j] = 0;
  for (long k = 0; k < depth; ++k) {
    double y = (x[i * depth + k] - mean) * scale * gamma_[k];
#ifdef PROGRAM_layer
    y += beta[k];
#endif
    for (long j = 0; j < columns; ++j)
      results[j] += y * w[k * columns + j];
  }
#else
  double *scores = malloc(columns * sizeof *scores), max = -INFINITY, sum = 0;
  for (long j = 0; j < columns; ++j) {
#ifdef PROGRAM_loss
    scores[j] = x[i * columns + j];
#else
    scores[j] = 0;
    for (long k = 0; k < depth; ++k)
      scores[j] += (double)x[i * depth + k] * w[j * depth + k];
#endif
    max = fmax(max, scores[j]);
  }
  for (long j = 0; j < columns; ++j)
    sum += exp(scores[j] - max);
  results[0] = log(sum) + max - scores[target[i]];
  free(scores);
#endif
}

static double check(int fused) {
#if defined(PROGRAM_rms) || defined(PROGRAM_layer)
  long count = columns;
#else
  long count = 1;
#endif
  for (long i = 0; i < rows * count; ++i)
    out[i] = NAN;
  call(fused);
  double error = 0, largest = 0, *results = malloc(count * sizeof *results);
  for (long i = 0; i < rows; i += rows / 17 + 1) {
    compute(i, results);
    for (long j = 0; j < count; ++j) {
      double difference = fabs(out[i * count + j] - results[j]);
      largest = fmax(largest, fabs(results[j]));
      if (!(difference <= error))
        error = isnan(difference) ? INFINITY : difference;
    }
  }
  free(results);
  return error / largest;
}

static double run(int fused) {
  double start = now(), seconds;
  long calls = 0;
  do {
    call(fused);
    ++calls;
    seconds = now() - start;
  } while (seconds < 5e-3);
  return seconds / calls;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  rows = atol(argv[1]), depth = atol(argv[2]), columns = atol(argv[3]);
  long width = depth ? depth : columns;
  x = random_values(rows * width, -2, 3, 1);
  w = random_values(depth * columns, -1, 1, 2);
  gamma_ = random_values(depth, 0.5, 1.5, 3), beta = random_values(depth, -1, 1, 4);
  out = allocate(rows * columns * sizeof(float));
  target = allocate(rows * sizeof *target);
  for (long i = 0; i < rows; ++i)
    target[i] = (i * 7919 + 13) % columns;
  call(0), call(1);
  char line[32];
  while (fgets(line, sizeof line, stdin)) {
    int fused = strstr(line, "unfused") == NULL;
    if (!strncmp(line, "run ", 4))
      printf("%.9f\n", run(fused));
    else if (!strncmp(line, "check ", 6))
      printf("%.3e\n", check(fused));
    fflush(stdout);
  }
  return 0;
}
