/* One process of bench/cpu/decode: answers the lines it reads.
 *
 *   usage: decode BATCH HEADS GROUP KEYS HEAD_DIM
 *
 *   run    times calls of the kernel that linalg-ext-compile made, whose header is
 *          decode.h, and prints the seconds of one
 *   paged  the same for keys and values in pages, with PAGE_SIZE and paged.h
 *   pages  times a sum over the pages, each with all heads, as it lies in memory, and
 *          prints the bytes per second
 *   turns  the same, but 128 keys of one head after the other, and of values, as the kernel
 *          reads small pages
 *   check  prints the largest difference to f64, of the last call
 *   copy   times one copy of half as many bytes as keys and values have, by all
 *          threads, and prints the bytes per second that it reads and writes
 *   read   times one sum over the keys and the values, by all threads, and prints the
 *          bytes per second
 *
 * Times are those of the clock on the wall if several threads work. What takes little is
 * repeated until it has read 32 MiB. The keys of a
 * head are only as far from those of another as they must be, and every thread has
 * touched what it copies first.
 */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode.h"
#ifdef PAGE_SIZE
#include "paged.h"
#endif

#ifdef TYPE_bf16
typedef uint16_t elem;
typedef linalg_ext_buffer_4d_bf16 buffer;
#define describe linalg_ext_describe_4d_bf16
static elem from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
}
static float to_float(elem x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
#elif defined(TYPE_f16)
typedef uint16_t elem;
typedef linalg_ext_buffer_4d_f16 buffer;
#define describe linalg_ext_describe_4d_f16
static elem from_float(float x) {
  _Float16 half = x;
  elem bits;
  memcpy(&bits, &half, 2);
  return bits;
}
static float to_float(elem x) {
  _Float16 half;
  memcpy(&half, &x, 2);
  return half;
}
#else
typedef float elem;
typedef linalg_ext_buffer_4d_f32 buffer;
#define describe linalg_ext_describe_4d_f32
static elem from_float(float x) { return x; }
static float to_float(elem x) { return x; }
#endif

static long batch, heads, group, keys, dim;
static elem *q, *k, *v, *out;
static char *from, *to;
static size_t bytes;

static double now(void) {
  struct timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *allocate(size_t size) {
  void *memory;
  if (posix_memalign(&memory, 64, size)) {
    perror("posix_memalign");
    exit(1);
  }
  return memory;
}

static elem *random_values(size_t count, float range, unsigned seed) {
  elem *values = allocate(count * sizeof(elem));
#pragma omp parallel for schedule(static)
  for (size_t block = 0; block < (count + 4095) / 4096; ++block) {
    unsigned state = seed * 2654435761u + block;
    for (size_t i = block * 4096; i < count && i < block * 4096 + 4096; ++i) {
      state = state * 1664525u + 1013904223u;
      values[i] = from_float(range * ((float)(state >> 8) / (1 << 23) - 1.0f));
    }
  }
  return values;
}

static void call(void) {
  buffer query = describe(q, batch, heads, group, dim);
  buffer key = describe(k, batch, heads, keys, dim);
  buffer value = describe(v, batch, heads, keys, dim);
  buffer result = describe(out, batch, heads, group, dim);
  _mlir_ciface_attention(&query, &key, &value, &result);
}

#ifdef PAGE_SIZE
static elem *k_pool, *v_pool;
static int32_t *k_table, *v_table;

/* Pages of `dense` in random places of the pool, and their table. */
static elem *page(const elem *dense, uint64_t seed, int32_t **table) {
  long entries = keys / PAGE_SIZE, pages = batch * entries;
  elem *pool = allocate(batch * heads * keys * dim * sizeof(elem));
  *table = allocate(pages * sizeof **table);
  for (long i = 0; i < pages; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    long other = (seed >> 33) % (i + 1);
    (*table)[i] = (*table)[other];
    (*table)[other] = i;
  }
  for (long i = 0; i < pages; ++i) {
    long name = (*table)[i], b = i / entries, first = i % entries * PAGE_SIZE;
    for (long row = 0; row < PAGE_SIZE; ++row)
      for (long h = 0; h < heads; ++h)
        memcpy(pool + (HEADS_FIRST ? (name * heads + h) * PAGE_SIZE + row
                                   : (name * PAGE_SIZE + row) * heads + h) * dim,
               dense + ((b * heads + h) * keys + first + row) * dim, dim * sizeof(elem));
  }
  return pool;
}

static void call_paged(void) {
  long entries = keys / PAGE_SIZE, pages = batch * entries;
  buffer query = describe(q, batch, heads, group, dim);
  long outer = HEADS_FIRST ? heads : PAGE_SIZE, inner = HEADS_FIRST ? PAGE_SIZE : heads;
  buffer key = describe(k_pool, pages, outer, inner, dim);
  buffer value = describe(v_pool, pages, outer, inner, dim);
  buffer result = describe(out, batch, heads, group, dim);
  linalg_ext_buffer_2d_i32 kt = linalg_ext_describe_2d_i32(k_table, batch, entries);
  linalg_ext_buffer_2d_i32 vt = linalg_ext_describe_2d_i32(v_table, batch, entries);
  _mlir_ciface_paged(&query, &key, &kt, &value, &vt, &result);
}
#endif

static double check(void) {
  double error = 0, *p = malloc(keys * sizeof *p);
  for (long head = 0; head < batch * heads; ++head)
    for (long row = 0; row < group; ++row) {
      const elem *qs = q + (head * group + row) * dim;
      double max = -1e30, sum = 0;
      for (long j = 0; j < keys; ++j) {
        const elem *ks = k + (head * keys + j) * dim;
        double score = 0;
        for (long d = 0; d < dim; ++d)
          score += (double)to_float(qs[d]) * to_float(ks[d]);
        p[j] = score / sqrt((double)dim);
        max = fmax(max, p[j]);
      }
      for (long j = 0; j < keys; ++j)
        sum += p[j] = exp(p[j] - max);
      for (long d = 0; d < dim; ++d) {
        double expected = 0;
        for (long j = 0; j < keys; ++j)
          expected += p[j] * to_float(v[(head * keys + j) * dim + d]);
        double difference =
            fabs(to_float(out[(head * group + row) * dim + d]) - expected / sum);
        if (!(difference <= error))
          error = isnan(difference) ? INFINITY : difference;
      }
    }
  free(p);
  return error;
}

static double copy(void) {
  double start = now();
#pragma omp parallel
  {
    size_t part = bytes / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    memcpy(to + first, from + first, part);
  }
  return 2.0 * bytes / (now() - start);
}

static double read_all(void) {
  typedef float vec __attribute__((vector_size(64)));
  const size_t count = batch * heads * keys * dim * sizeof(elem) / sizeof(vec);
  float total = 0;
  double start = now();
#pragma omp parallel reduction(+ : total)
  {
    vec a = {0}, b = a, c = a, d = a;
    size_t part = count / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    for (int side = 0; side < 2; ++side) {
      const vec *values = (const vec *)(side ? v : k);
      for (size_t i = first; i + 4 <= first + part; i += 4)
        a += values[i], b += values[i + 1], c += values[i + 2], d += values[i + 3];
    }
    a += b + c + d;
    for (int lane = 0; lane < 16; ++lane)
      total += a[lane];
  }
  double seconds = now() - start;
  *(volatile float *)&total;
  return 2.0 * count * sizeof(vec) / seconds;
}

#ifdef PAGE_SIZE
typedef float line __attribute__((vector_size(64)));

static void add_lines(line *sums, const line *from, const line *ahead, long count) {
  for (long i = 0; i < count; ++i) {
    if (ahead)
      __builtin_prefetch(ahead + i, 0, 2);
    sums[i % 4] += from[i];
  }
}

static double finish_sum(line *sums, double start) {
  volatile float total = 0;
  line all = sums[0] + sums[1] + sums[2] + sums[3];
  for (int lane = 0; lane < 16; ++lane)
    total += all[lane];
  return 2.0 * batch * heads * keys * dim * sizeof(elem) / (now() - start);
}

/* What memory delivers at best in pages of this size: whole pages in the order of the
 * tables, while those are asked for that are 16 KiB later. One thread. */
static double read_pages(void) {
  const long pages = batch * (keys / PAGE_SIZE);
  const long lines = PAGE_SIZE * heads * dim * sizeof(elem) / sizeof(line);
  const long ahead = 16384 / sizeof(line) / lines + 1;
  line sums[4] = {{0}};
  double start = now();
  for (int side = 0; side < 2; ++side) {
    const line *pool = (const line *)(side ? v_pool : k_pool);
    const int32_t *table = side ? v_table : k_table;
    for (long i = 0; i < pages; ++i)
      add_lines(sums, pool + table[i] * lines,
                i + ahead < pages ? pool + table[i + ahead] * lines : NULL, lines);
  }
  return finish_sum(sums, start);
}

/* The row of number `at` in the order of the kernel: of `tile` keys those of the first
 * head, their values, then the next head. */
static const line *find_row(long at, long tile) {
  const long entries = keys / PAGE_SIZE, lines = dim * sizeof(elem) / sizeof(line);
  long key = at % tile, side = at / tile % 2, h = at / tile / 2 % heads;
  key += at / tile / 2 / heads * tile;
  long b = key / keys, entry = b * entries + key % keys / PAGE_SIZE, row = key % PAGE_SIZE;
  long name = (side ? v_table : k_table)[entry];
  return (const line *)(side ? v_pool : k_pool) +
         (HEADS_FIRST ? (name * heads + h) * PAGE_SIZE + row
                      : (name * PAGE_SIZE + row) * heads + h) * lines;
}

/* What memory delivers in the order of the kernel, while rows are asked for that are 32
 * rows later in this order. One thread. */
static double read_turns(void) {
  const long lines = dim * sizeof(elem) / sizeof(line), tile = 128, ahead = 32;
  const long count = 2 * batch * heads * keys;
  /* Divisions are no part of the time. */
  const line **rows = malloc((count + ahead) * sizeof *rows);
  for (long i = 0; i < count + ahead; ++i)
    rows[i] = find_row(i < count ? i : count - 1, tile);
  line sums[4] = {{0}};
  double start = now();
  for (long i = 0; i < count; ++i)
    add_lines(sums, rows[i], rows[i + ahead], lines);
  double rate = finish_sum(sums, start);
  free(rows);
  return rate;
}
#endif

static double time_calls(void (*function)(void)) {
  const double size = 2.0 * batch * heads * keys * dim * sizeof(elem);
  long count = 1 + (long)(33554432 / size);
  double start = now();
  for (long i = 0; i < count; ++i)
    function();
  return (now() - start) / count;
}

/* The median of enough sums. */
static double time_sums(double (*function)(void)) {
  const double size = 2.0 * batch * heads * keys * dim * sizeof(elem);
  double rates[64];
  long count = 1 + (long)(33554432 / size), kept = 0;
  for (long i = 0; i < count && kept < 64; ++i) {
    double rate = function();
    long at = kept++;
    for (; at > 0 && rates[at - 1] > rate; --at)
      rates[at] = rates[at - 1];
    rates[at] = rate;
  }
  return rates[kept / 2];
}

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  batch = atol(argv[1]), heads = atol(argv[2]), group = atol(argv[3]);
  keys = atol(argv[4]), dim = atol(argv[5]);
  size_t rows = (size_t)batch * heads * group, columns = (size_t)batch * heads * keys;
  q = random_values(rows * dim, 2, 1), out = random_values(rows * dim, 1, 2);
  k = random_values(columns * dim, 2, 3), v = random_values(columns * dim, 1, 4);
  bytes = columns * dim * sizeof(elem);
  from = allocate(bytes), to = allocate(bytes);
#pragma omp parallel
  {
    size_t part = bytes / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    memset(from + first, 1, part);
    memset(to + first, 2, part);
  }
#ifdef PAGE_SIZE
  k_pool = page(k, 1, &k_table), v_pool = page(v, 2, &v_table);
  call_paged();
#endif
  call();
  char asked[16];
  while (fgets(asked, sizeof asked, stdin)) {
    if (!strcmp(asked, "run\n")) {
      printf("%.9f\n", time_calls(call));
#ifdef PAGE_SIZE
    } else if (!strcmp(asked, "paged\n")) {
      printf("%.9f\n", time_calls(call_paged));
    } else if (!strcmp(asked, "pages\n")) {
      printf("%.6e\n", time_sums(read_pages));
    } else if (!strcmp(asked, "turns\n")) {
      printf("%.6e\n", time_sums(read_turns));
#endif
    } else if (!strcmp(asked, "check\n")) {
      printf("%.3e\n", check());
    } else if (!strcmp(asked, "copy\n")) {
      printf("%.6e\n", copy());
    } else if (!strcmp(asked, "read\n")) {
      printf("%.6e\n", time_sums(read_all));
    }
    fflush(stdout);
  }
  return 0;
}
