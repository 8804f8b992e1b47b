// What the contestants of bench/cpu/attention that are C or C++ have in common: the data,
// and the answers to the lines they read. Each defines
//
//   name()     what it is, with the version of its library
//   prepare()  what is done once; it may call call()
//   call()     attention, of q, k and v into out
//
//   usage: peer [HEADS LENGTH HEAD_DIM CAUSAL]
//
//   run     times one call and prints the seconds, of CPU time
//   check   prints the largest difference to f64 and the root of their mean square, over
//           about 2000 rows
//   memory  prints the most bytes that the process had beyond the data until now
//   probe   prints the GFLOP/s of independent multiply-adds in registers
//
// Without arguments, prints its name.
#ifndef LINALG_EXT_BENCH_CPU_PEER_H
#define LINALG_EXT_BENCH_CPU_PEER_H

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long heads, length, dim;
static int causal;
static float *q, *k, *v, *out;

static const char *name(void);
static void prepare(void);
static void call(void);

/* Of this process: other work of the machine does not count. With PEER_WALL in the
 * environment it does, for threads wait for each other. */
static double now(void) {
  struct timespec t;
  clock_gettime(getenv("PEER_WALL") ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *allocate(size_t count) {
  void *memory;
  if (posix_memalign(&memory, 64, count * sizeof(float))) {
    perror("posix_memalign");
    exit(1);
  }
  return (float *)memory;
}

static float *random_values(size_t count, float range, unsigned seed) {
  float *values = allocate(count);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = range * ((float)(seed >> 8) / (1 << 23) - 1.0f);
  }
  return values;
}

/* The most memory the process has had, since `forget_peak`. */
static double peak_memory(void) {
  char line[256];
  double bytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "VmHWM:", 6))
      bytes = 1024.0 * atol(line + 6);
  if (file)
    fclose(file);
  return bytes;
}

static double memory_of_data;

static void forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (file) {
    fputs("5\n", file);
    fclose(file);
  }
  memory_of_data = peak_memory();
}

static void multiply_and_add(long count) {
  typedef float vec __attribute__((vector_size(64)));
  vec zero = {0}, x = zero + 0.999f, y = zero + 0.001f;
  vec a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, l = x, m = x;
  for (long n = 0; n < count; ++n) {
    a = a * x + y, b = b * x + y, c = c * x + y, d = d * x + y;
    e = e * x + y, f = f * x + y, g = g * x + y, h = h * x + y;
    i = i * x + y, j = j * x + y, l = l * x + y, m = m * x + y;
    __asm__ volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f));
    __asm__ volatile("" : "+v"(g), "+v"(h), "+v"(i), "+v"(j), "+v"(l), "+v"(m));
  }
}

static double probe(void) {
  const long count = 1000000;
  double start = now();
#pragma omp parallel
  multiply_and_add(count);
  return omp_get_max_threads() * count * 12 * 32 / (now() - start) * 1e-9;
}

/* What `check` calls first. */
static void (*before_check)(void);

static void check(void) {
  if (before_check)
    before_check();
  double error = 0, squares = 0, *p = (double *)malloc(length * sizeof *p);
  long count = 0;
  long step = (heads * length / 2048) | 1;
  for (long row = 0; row < heads * length; row += step) {
    long head = row / length, i = row % length, end = causal ? i + 1 : length;
    double max = -1e30f, sum = 0;
    for (long j = 0; j < end; ++j) {
      double score = 0;
      for (long d = 0; d < dim; ++d)
        score += (double)q[row * dim + d] * k[(head * length + j) * dim + d];
      p[j] = score / sqrt((double)dim);
      max = fmax(max, p[j]);
    }
    for (long j = 0; j < end; ++j)
      sum += p[j] = exp(p[j] - max);
    for (long d = 0; d < dim; ++d, ++count) {
      double expected = 0;
      for (long j = 0; j < end; ++j)
        expected += p[j] * v[(head * length + j) * dim + d];
      double difference = fabs(out[row * dim + d] - expected / sum);
      union {
        float value;
        unsigned bits;
      } result = {out[row * dim + d]};
      /* This file is compiled as if there were no NaN. */
      if ((result.bits & 0x7fffffff) > 0x7f800000)
        difference = HUGE_VAL;
      squares += difference * difference;
      if (difference > error)
        error = difference;
    }
  }
  printf("%.3e %.3e\n", error, sqrt(squares / count));
  free(p);
}

int main(int argc, char **argv) {
  if (argc == 1) {
    puts(name());
    return 0;
  }
  if (argc != 5)
    return 2;
  heads = atol(argv[1]), length = atol(argv[2]), dim = atol(argv[3]);
  causal = atoi(argv[4]);
  size_t count = (size_t)heads * length * dim;
  q = random_values(count, 2, 1), k = random_values(count, 2, 2);
  v = random_values(count, 1, 3), out = random_values(count, 1, 4);
  forget_peak();
  prepare();
  call();
  double memory = peak_memory() - memory_of_data;
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(line, "run\n")) {
      double start = now();
      call();
      printf("%.9f\n", now() - start);
    } else if (!strcmp(line, "check\n")) {
      check();
    } else if (!strcmp(line, "memory\n")) {
      printf("%.0f\n", memory);
    } else if (!strcmp(line, "probe\n")) {
      printf("%.1f\n", probe());
    }
    fflush(stdout);
  }
  return 0;
}

#endif // LINALG_EXT_BENCH_CPU_PEER_H
