// Compares products of few rows with integers of 4 and 8 bits with sums in f64. Elements of the
// row may be rounded to 22 bits of the largest of the 128 that they lie among. With the argument
// `exact` they may not be, weights of f16 are rounded, and what is no number is only where f64
// has it.

#include "digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_M = 33, MAX_N = 520, MAX_K = 1152, MAX_X = MAX_M * MAX_K, BLOCK = 128, HIDDEN_AT = 5 };
// Those from KS8 on are stored row by row.
enum { S8, U8, U4, Z4, Q4, H8, KS8, KU8, W4, O4 };
enum { USUAL, SPREAD, LARGE, TINY, WITH_ZEROS, NO_WEIGHTS, HIDDEN, INFINITE, NOT_A_NUMBER, ROWS };

static float x[MAX_X], s[MAX_N * MAX_K], result[MAX_M * MAX_N];
static uint16_t x16[MAX_X];
static _Float16 s16[MAX_N * MAX_K];
static int wrong, products, is_exact;
static double largest;

static int8_t w[MAX_N * MAX_K] __attribute__((aligned(64)));
// Zero points of groups: bytes, or halves of bytes.
static int8_t zeros[MAX_N * MAX_K] __attribute__((aligned(64)));
static int columns, group_size;

static int is_by_rows(int form) { return form >= KS8; }

// Where the integer of 4 bits for element `i` is in its word.
static int get_place(int i, int form) { return form == O4 ? 7 - i % 8 : i % 8; }

static int get_zero_point(int column, int i, int k, int form) {
  size_t at = (size_t)column * (k / group_size) + i / group_size;
  return form == Z4 ? zeros[at] & 15 : (uint8_t)zeros[at / 2] >> (at % 2 * 4) & 15;
}

static double get_integer(int column, int i, int k, int form) {
  size_t at = is_by_rows(form) ? (size_t)i * columns + column : (size_t)column * k + i;
  if (form == W4 || form == O4)
    return (double)(((uint32_t *)w)[(size_t)(i / 8) * columns + column] >> 4 * get_place(i, form) &
                    15) -
           8;
  if (form == U4 || form == Z4 || form == Q4)
    return (double)((uint8_t)w[at / 2] >> (at % 2 * 4) & 15) -
           (form == U4 ? 8 : get_zero_point(column, i, k, form));
  return form == U8 || form == KU8 ? (double)(uint8_t)w[at] - 128 : w[at];
}

// Makes an integer 0.
static void clear(int column, int i, int k, int form) {
  size_t at = is_by_rows(form) ? (size_t)i * columns + column : (size_t)column * k + i;
  if (form == W4 || form == O4) {
    uint32_t *word = (uint32_t *)w + (size_t)(i / 8) * columns + column;
    int place = 4 * get_place(i, form);
    *word = (*word & ~(15u << place)) | 8u << place;
  } else if (form == U4 || form == Z4 || form == Q4) {
    int zero = form == U4 ? 8 : get_zero_point(column, i, k, form);
    w[at / 2] = (int8_t)((w[at / 2] & (at % 2 ? 15 : 0xf0)) | zero << (at % 2 * 4));
  } else {
    w[at] = form == U8 || form == KU8 ? (int8_t)0x80 : 0;
  }
}

static double get_weight(int column, int i, int k, float scale, int form) {
  double integer = get_integer(column, i, k, form);
  if (form != H8)
    return integer * scale;
  double weight = integer * (_Float16)scale;
  return is_exact ? (_Float16)weight : weight;
}

// Makes x a number of the type of the row, whose bits are in x16.
static void round_f32(void) {}
static void round_bf16(void) {
  for (int i = 0; i < MAX_X; ++i) {
    uint32_t bits;
    memcpy(&bits, &x[i], 4);
    bits &= 0xffff0000u;
    x16[i] = bits >> 16;
    memcpy(&x[i], &bits, 4);
  }
}
static void round_f16(void) {
  for (int i = 0; i < MAX_X; ++i) {
    // Truncates normal numbers, and what is less than 2^-24 of them.
    int exponent;
    float fraction = frexpf(x[i], &exponent);
    if (isinf(x[i]) || isnan(x[i])) {
      x16[i] = isnan(x[i]) ? 0x7e00 : x[i] < 0 ? 0xfc00 : 0x7c00;
      continue;
    }
    if (exponent > 16)
      exponent = 16;
    int magnitude, sign = fraction < 0 ? 0x8000 : 0;
    if (exponent < -13) {
      magnitude = (int)ldexpf(fabsf(fraction), exponent + 24);
      x[i] = ldexpf((float)magnitude, -24);
    } else {
      int whole = (int)ldexpf(fabsf(fraction), 11);
      magnitude = whole ? ((exponent + 14) << 10) + (whole - 1024) : 0;
      x[i] = ldexpf((float)whole, exponent - 11);
    }
    x[i] = sign ? -x[i] : x[i];
    x16[i] = sign | magnitude;
  }
}

static void fill(int k, int kind, int form, int exponents) {
  for (int i = 0; i < MAX_X; ++i) {
    x[i] = (float)(rand() % 2001 - 1000) / 1000 + 1e-4f;
    if (kind == SPREAD)
      x[i] = ldexpf(x[i], rand() % 41 - 20);
    if (kind == LARGE)
      x[i] = ldexpf(x[i], exponents);
    if (kind == LARGE && i % 37 == 0)
      x[i] = ldexpf(0.99999994f, exponents + 1);
    if (kind == TINY)
      x[i] = ldexpf(x[i], -exponents + rand() % 10);
    if (kind == WITH_ZEROS && i / BLOCK % 2 == 0)
      x[i] = i % 2 ? 0.0f : -0.0f;
    if (kind == HIDDEN && i % BLOCK == HIDDEN_AT)
      x[i] = 60000;
  }
  if (kind == INFINITE)
    x[77] = -INFINITY;
  if (kind == NOT_A_NUMBER)
    x[77] = NAN;
  for (int i = 0; i < columns * k; ++i) {
    s[i] = ldexpf((float)(1 + rand() % 1000) / 1000, kind == LARGE && form != H8 ? -30 : 0);
    s16[i] = (_Float16)s[i];
    w[i] = (int8_t)(rand() >> 5);
    zeros[i] = (int8_t)(rand() >> 5 & (form == Z4 ? 15 : 255));
  }
  // The largest elements have weights that are 0.
  if (kind == NO_WEIGHTS || kind == HIDDEN)
    for (int column = 0; column < columns; ++column)
      for (int i = 0; i < k; ++i)
        if (kind == NO_WEIGHTS || i % BLOCK == HIDDEN_AT)
          clear(column, i, k, form);
}

// Whether `sum` is what the f64 `expected` is where that is no finite number.
static int is_same(float sum, double expected) {
  return isnan(expected) ? isnan(sum) : isinf(sum) && (sum > 0) == (expected > 0);
}

static void compare_row(int row, int n, int k, int group, int form, int kind) {
  // Only the first row has what is no number.
  int is_finite = kind < INFINITE || row > 0;
  for (int column = 0; column < n; ++column) {
    double sum = 0, bound = 0, biggest = 0, weights = 0, all = 0;
    for (int i = 0; i < k; ++i) {
      float scale =
          s[is_by_rows(form) ? i / group * columns + column : column * (k / group) + i / group];
      double weight = get_weight(column, i, k, scale, form);
      sum += weight * x[row * k + i];
      all += fabs(weight * x[row * k + i]) +
             (kind == NO_WEIGHTS && !is_exact ? 16 * scale * fabs(x[row * k + i]) : 0);
      biggest = fmax(biggest, fabs(x[row * k + i]));
      weights += fabs(weight);
      if (i % BLOCK == BLOCK - 1 || i == k - 1) {
        bound += is_exact ? 0x1p-142 : weights * (ldexp(biggest, -22) + 0x1p-125);
        biggest = weights = 0;
      }
    }
    bound += 1e-6 * all;
    double error = fabs(result[row * n + column] - sum);
    int isRight = is_finite  ? error <= bound
                  : is_exact ? is_same(result[row * n + column], sum)
                             : !isfinite(result[row * n + column]);
    if (is_finite && bound > 0)
      largest = fmax(largest, error / bound);
    if (!isRight) {
      ++wrong;
      printf("%dx%d in groups of %d, integers %d, row %d: column %d is %g, "
             "expected %g, +- %g\n",
             n, k, group, form, kind, column, result[row * n + column], sum, bound);
    }
  }
}

static void compare(int m, int n, int k, int group, int form, int kind) {
  for (int row = 0; row < m; ++row)
    compare_row(row, n, k, group, form, kind);
  ++products;
}

#define DATA_f32 x
#define DATA_f16 x16
#define DATA_bf16 x16
#define EXPONENTS_f32 110
#define EXPONENTS_bf16 110
#define EXPONENTS_f16 15
#define SCALES_f32(A, B) linalg_ext_describe_2d_f32(s, A, B)
#define SCALES_f16(A, B) linalg_ext_describe_2d_f16((uint16_t *)s16, A, B)
#define BYTES(A, B) linalg_ext_describe_2d_i8(w, A, B)
#define WORDS(A, B) linalg_ext_describe_2d_i32((int32_t *)w, A, B)
#define CHECK_OPERANDS(M, N, K, G, FORM, KIND, ROW, CODES, SCALES, ...)                            \
  for (int kind = 0; kind < ROWS; ++kind) {                                                        \
    columns = N;                                                                                   \
    group_size = G;                                                                                \
    fill(K, kind, KIND, EXPONENTS_##ROW);                                                          \
    round_##ROW();                                                                                 \
    linalg_ext_buffer_2d_##ROW row = linalg_ext_describe_2d_##ROW(DATA_##ROW, M, K);               \
    __typeof__(CODES) codes = CODES;                                                               \
    __typeof__(SCALES) scales = SCALES;                                                            \
    linalg_ext_buffer_2d_f32 sums = linalg_ext_describe_2d_f32(result, M, N);                      \
    for (int i = 0; i < M * N; ++i)                                                                \
      result[i] = 1234;                                                                            \
    _mlir_ciface_p_##N##_##K##_g##G##_##FORM##_##ROW(&row, &codes, &scales, ##__VA_ARGS__, &sums); \
    compare(M, N, K, G, KIND, kind);                                                               \
  }
#define CHECK_SEVERAL(M, N, K, G, FORM, KIND, ROW)                                                 \
  CHECK_OPERANDS(M, N, K, G, FORM, KIND, ROW, BYTES(N, KIND == U4 ? K / 2 : K),                    \
                 SCALES_f32(N, K / G))
#define CHECK(N, K, G, FORM, KIND, ROW) CHECK_SEVERAL(1, N, K, G, FORM, KIND, ROW)
#define CHECK_ZEROS(M, N, K, G, FORM, KIND, ROW)                                                   \
  {                                                                                                \
    linalg_ext_buffer_2d_i8 points =                                                               \
        linalg_ext_describe_2d_i8(zeros, N, KIND == Q4 ? K / G / 2 : K / G);                       \
    CHECK_OPERANDS(M, N, K, G, FORM, KIND, ROW, BYTES(N, K / 2), SCALES_f32(N, K / G), &points)    \
  }
#define CHECK_HALVES(N, K, G, FORM, KIND, ROW)                                                     \
  CHECK_OPERANDS(1, N, K, G, FORM, KIND, ROW, BYTES(N, K), SCALES_f16(N, K / G))
#define CHECK_SEVERAL_ROWS(M, N, K, G, FORM, KIND, ROW)                                            \
  CHECK_OPERANDS(M, N, K, G, FORM, KIND, ROW, BYTES(K, N), SCALES_f32(K / G, N))
#define CHECK_ROWS(N, K, G, FORM, KIND, ROW) CHECK_SEVERAL_ROWS(1, N, K, G, FORM, KIND, ROW)
#define CHECK_WORDS(N, K, G, FORM, KIND, ROW)                                                      \
  CHECK_OPERANDS(1, N, K, G, FORM, KIND, ROW, WORDS(K / 8, N), SCALES_f32(K / G, N))
#define CHECK_ROWS_OF_WORDS(M, N, K, G, FORM, KIND, ROW)                                           \
  CHECK_OPERANDS(M, N, K, G, FORM, KIND, ROW, WORDS(K / 8, N), SCALES_f32(K / G, N))

int main(int argc, char **argv) {
  is_exact = argc > 1 && strcmp(argv[1], "exact") == 0;
  CHECK(130, 512, 128, s8, S8, f32)
  CHECK(129, 512, 64, s8, S8, f16)
  CHECK(133, 384, 384, s8, S8, bf16)
  CHECK(128, 768, 256, u8, U8, f32)
  CHECK(128, 512, 32, s8, S8, f32)
  CHECK(129, 320, 16, u8, U8, bf16)
  CHECK(131, 256, 8, s8, S8, f16)
  CHECK(129, 512, 32, u4, U4, bf16)
  CHECK(130, 1024, 128, u4, U4, f16)
  CHECK(134, 512, 16, u4, U4, f32)
  CHECK(131, 512, 512, u4, U4, f32)
  CHECK_ZEROS(1, 130, 512, 32, z4, Z4, f32)
  CHECK_ZEROS(1, 132, 512, 16, z4, Z4, f16)
  CHECK_ZEROS(1, 129, 640, 32, q4, Q4, f16)
  CHECK_ZEROS(1, 128, 512, 128, q4, Q4, bf16)
  CHECK_HALVES(132, 512, 128, h8, H8, f16)
  CHECK(512, 1024, 32, u4, U4, f16)
  CHECK(516, 1024, 128, u4, U4, bf16)
  CHECK(518, 1024, 64, u4, U4, f32)
  CHECK_ZEROS(1, 512, 1152, 32, z4, Z4, f32)
  CHECK_ZEROS(1, 520, 1088, 32, q4, Q4, f16)
  CHECK(256, 1152, 128, s8, S8, f16)
  CHECK_SEVERAL(2, 260, 1024, 64, s8x2, S8, f32)
  CHECK_SEVERAL(4, 130, 704, 64, s8x4, S8, f16)
  CHECK_SEVERAL(3, 133, 384, 384, u8x3, U8, bf16)
  CHECK_SEVERAL(2, 128, 512, 32, s8x2, S8, f32)
  CHECK_SEVERAL(8, 144, 1152, 32, u4x8, U4, f32)
  CHECK_SEVERAL(5, 130, 1024, 128, u4x5, U4, f16)
  CHECK_SEVERAL(7, 129, 512, 16, u4x7, U4, bf16)
  CHECK_SEVERAL(4, 131, 512, 512, u4x4, U4, f32)
  CHECK_ZEROS(3, 130, 640, 32, q4x3, Q4, f16)
  CHECK_ROWS(128, 512, 128, ks8, KS8, f32)
  CHECK_ROWS(192, 384, 384, ks8, KS8, f16)
  CHECK_ROWS(320, 96, 32, ku8, KU8, bf16)
  CHECK_ROWS(256, 180, 36, ks8, KS8, f32)
  CHECK_ROWS(130, 256, 64, ks8, KS8, f32)
  CHECK_WORDS(128, 512, 128, w4, W4, f32)
  CHECK_WORDS(192, 384, 384, o4, O4, f16)
  CHECK_WORDS(320, 96, 32, w4, W4, bf16)
  CHECK_WORDS(256, 200, 40, o4, O4, f32)
  CHECK_ROWS_OF_WORDS(3, 192, 256, 128, w4x3, W4, f32)
  CHECK_ROWS_OF_WORDS(2, 128, 192, 64, o4x2, O4, f16)
  CHECK_ROWS_OF_WORDS(8, 192, 256, 128, w4x8, W4, bf16)
  CHECK_SEVERAL_ROWS(2, 192, 384, 384, ks8x2, KS8, f16)
  CHECK_SEVERAL_ROWS(3, 320, 96, 32, ku8x3, KU8, bf16)
  CHECK_SEVERAL_ROWS(2, 256, 180, 36, ks8x2, KS8, f32)
  CHECK_SEVERAL(19, 131, 512, 64, u4x19, U4, f16)
  CHECK_SEVERAL(13, 130, 704, 64, s8x13, S8, f32)
  CHECK_ROWS_OF_WORDS(17, 192, 384, 128, w4x17, W4, f32)
  // One row, all sizes of tiles, and more rows than are in tiles.
  CHECK_SEVERAL(1, 130, 512, 32, u4xn, U4, f16)
  CHECK_SEVERAL(14, 130, 512, 32, u4xn, U4, f16)
  CHECK_SEVERAL(33, 130, 512, 32, u4xn, U4, f16)
  CHECK_SEVERAL(5, 133, 512, 128, s8xn, S8, f32)
  CHECK_ZEROS(1, 129, 640, 32, q4xn, Q4, f32)
  CHECK_ZEROS(6, 129, 640, 32, q4xn, Q4, f32)
  CHECK_SEVERAL_ROWS(1, 192, 384, 384, ks8xn, KS8, f16)
  CHECK_SEVERAL_ROWS(11, 192, 384, 384, ks8xn, KS8, f16)
  CHECK_ROWS_OF_WORDS(1, 192, 384, 128, o4xn, O4, f32)
  CHECK_ROWS_OF_WORDS(15, 192, 384, 128, o4xn, O4, f32)
  printf("largest error %.2g of the bound\n", largest);
  printf("%d products, %d wrong elements\n", products, wrong);
  return wrong != 0;
}
