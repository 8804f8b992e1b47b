/* Compares conversions of floats of 8 bits, and of 4, with tables of their numbers: all codes to f32,
 * and from f32 the middle between two numbers, its neighbours, numbers of random bits, and
 * what is too large, infinite or NaN. */
#include "f8.h.inc"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CODES = 256, COUNT = 16384 };

static float number(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

/* The codes from `first` up to the first that is no number have the numbers from 0 up. */
typedef struct {
  int fraction, bias, end; /* `end`: the first magnitude that is no finite number */
  int has_infinity, has_negative_zero, sign; /* `sign`: its bit, or 0 */
  int saturates;                             /* and has no NaN */
} format;
static const format of_f8E4M3FN = {3, 7, 0x7f, 0, 1, 0x80, 0},
                    of_f8E5M2 = {2, 15, 0x7c, 1, 1, 0x80, 0},
                    of_f8E4M3FNUZ = {3, 8, 0x80, 0, 0, 0x80, 0},
                    of_f8E5M2FNUZ = {2, 16, 0x80, 0, 0, 0x80, 0},
                    of_f8E8M0FNU = {0, 127, 0xff, 0, 0, 0, 0},
                    of_f4E2M1FN = {1, 1, 8, 0, 1, 8, 1};

static double value(const format *f, int magnitude) {
  if (!f->sign)
    return ldexp(1, magnitude - f->bias);
  int field = magnitude >> f->fraction, one = 1 << f->fraction, rest = magnitude % one;
  return ldexp(field ? one + rest : rest, (field ? field : 1) - f->bias - f->fraction);
}

static float extended(const format *f, int code) {
  if (f->saturates) /* the other half of the byte is cut off */
    code &= 2 * f->sign - 1;
  int magnitude = f->sign ? code & (f->sign - 1) : code;
  if (f->sign && code == f->sign && !f->has_negative_zero)
    return NAN;
  double x = magnitude < f->end                            ? value(f, magnitude)
             : f->has_infinity && magnitude == f->end ? INFINITY
                                                           : NAN;
  return (float)(code & f->sign ? -x : x);
}

static int is_nan(const format *f, int code) { return isnan(extended(f, code)); }

/* -1: NaN. */
static int truncated(const format *f, float x) {
  if (isnan(x))
    return -1;
  double magnitude = fabs(x);
  int code = 0;
  while (code < f->end) {
    double low = value(f, code), high = value(f, code + 1), middle = low + (high - low) / 2;
    int ties_up = f->sign ? code % 2 : 1;
    if (magnitude < middle || (magnitude == middle && !ties_up))
      break;
    ++code;
  }
  if (code == f->end && f->saturates)
    --code;
  else if (code == f->end && !f->has_infinity)
    return -1;
  if (!f->sign || (code == 0 && !f->has_negative_zero))
    return code;
  return code | (signbit(x) ? f->sign : 0);
}

static int test(const char *name, const format *f,
                void (*extend)(linalg_ext_buffer_1d_i8 *, linalg_ext_buffer_1d_i32 *),
                void (*truncate)(linalg_ext_buffer_1d_i32 *, linalg_ext_buffer_1d_i8 *)) {
  static int8_t codes[COUNT];
  static int32_t words[COUNT];
  int wrong = 0;
  for (int i = 0; i < CODES; ++i)
    codes[i] = (int8_t)i;
  linalg_ext_buffer_1d_i8 narrow = linalg_ext_describe_1d_i8(codes, CODES);
  linalg_ext_buffer_1d_i32 wide = linalg_ext_describe_1d_i32(words, CODES);
  extend(&narrow, &wide);
  for (int i = 0; i < CODES; ++i) {
    float want = extended(f, i), got = number((uint32_t)words[i]);
    if (isnan(want) ? !isnan(got) : bits_of(want) != bits_of(got))
      ++wrong, printf("%s 0x%02x: %a, expected %a\n", name, i, got, want);
  }

  int count = 0;
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < f->end; ++i) {
    double low = value(f, i), high = value(f, i + 1);
    float middle = (float)(low + (high - low) / 2);
    float numbers[] = {(float)low, middle, nextafterf(middle, 0), nextafterf(middle, INFINITY)};
    for (int k = 0; k < 4; ++k)
      words[count++] = (int32_t)bits_of(numbers[k]), words[count++] = (int32_t)bits_of(-numbers[k]);
  }
  for (uint32_t bits = 0x7f7ffffe; bits < 0x7f800003; ++bits)
    words[count++] = (int32_t)bits, words[count++] = (int32_t)(bits | 0x80000000u);
  while (count < COUNT - 3) { /* a remainder */
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    words[count++] = (int32_t)(state >> 16);
  }
  wide.sizes[0] = narrow.sizes[0] = count;
  truncate(&wide, &narrow);
  for (int i = 0; i < count; ++i) {
    float x = number((uint32_t)words[i]);
    int want = truncated(f, x), got = (uint8_t)codes[i];
    if (want < 0 && f->saturates) /* NaN becomes any number */
      continue;
    if (want < 0 ? !is_nan(f, got) : want != got)
      if (++wrong < 10)
        printf("%a to %s: 0x%02x, expected 0x%02x\n", x, name, got, want);
  }
  printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

int main(void) {
  int wrong = 0;
#define FORMAT(name) \
  wrong += test(#name, &of_##name, _mlir_ciface_extend_##name, _mlir_ciface_truncate_##name);
#include "formats.h.inc"
  return wrong != 0;
}
