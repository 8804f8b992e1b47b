/* Prints the largest error of each math function, in units in the last place of the
 * result, and WRONG where an infinity, NaN or the sign of a zero is not what the C
 * library says. Arguments are every STRIDEth number of 16 bits, or SAMPLES others: any
 * bits, and numbers from 2^-40 to 2^9; and pairs of special values. References are the C
 * library's functions of f64, and of long double for f64.
 *
 * With FILES the functions are not linked: `math generate DIR` writes the arguments for
 * each type to DIR/TYPE.0, .1 and .2, and `math judge DIR` reads what NAME_TYPE made of
 * them from DIR/NAME_TYPE.out, if it is there. */
#ifndef FILES
#include "math.h.inc"
#endif

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef STRIDE
#define STRIDE 1
#endif

enum { BLOCK = 1024 };

/* Formats. */

typedef struct {
  int bytes, digits, least, most; /* digits of the significand; exponents */
} format;
static const format formats[] = {{2, 11, -14, 15}, {2, 8, -126, 127}, {4, 24, -126, 127}, {8, 53, -1022, 1023}};
enum { f16, bf16, f32, f64 };

/* 2^exponent, from a table of all of them: ldexpl took a quarter of the time. What is
 * expected can be far larger than what a double holds. */
static long double power(int exponent) {
  enum { LEAST = LDBL_MIN_EXP - LDBL_MANT_DIG - 64, MOST = LDBL_MAX_EXP };
  static long double powers[MOST - LEAST + 1];
  if (powers[-LEAST] == 0)
    for (int e = LEAST; e <= MOST; ++e)
      powers[e - LEAST] = ldexpl(1, e);
  return powers[exponent - LEAST];
}

static long double decode(int type, uint64_t bits) {
  if (type == f64) {
    double x;
    memcpy(&x, &bits, 8);
    return x;
  }
  if (type != f16) {
    uint32_t word = type == bf16 ? (uint32_t)bits << 16 : (uint32_t)bits;
    float x;
    memcpy(&x, &word, 4);
    return x;
  }
  int exponent = bits >> 10 & 31;
  long double fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31)
    return copysignl(fraction != 0 ? NAN : INFINITY, sign);
  return sign * (exponent == 0 ? fraction * power(-24) : (1024 + fraction) * power(exponent - 25));
}

#define SEED 88172645463325252u
static uint64_t state = SEED;
static uint64_t random_bits(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* A number from 2^-40 to 2^9 in magnitude, as far as the type has it. */
static uint64_t moderate_bits(int type) {
  const format *f = &formats[type];
  int exponent = (int)(random_bits() % 50) - 40;
  if (exponent < f->least)
    exponent = f->least;
  uint64_t fraction = random_bits() & ((UINT64_C(1) << (f->digits - 1)) - 1);
  uint64_t bits = (uint64_t)(exponent + f->most) << (f->digits - 1) | fraction;
  return bits | (random_bits() & 1) << (8 * f->bytes - 1);
}

/* References. All take three arguments. */

#define REFERENCE(name, d, l)                                                          \
  static double d_##name(double x, double y, double z) {                               \
    (void)x, (void)y, (void)z;                                                         \
    return d;                                                                          \
  }                                                                                    \
  static long double l_##name(long double x, long double y, long double z) {           \
    (void)x, (void)y, (void)z;                                                         \
    return l;                                                                          \
  }
#define UNARY(name) REFERENCE(name, name(x), name##l(x))
REFERENCE(absf, fabs(x), fabsl(x))
UNARY(acos) UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt) UNARY(ceil)
UNARY(cos) UNARY(cosh) UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp2) UNARY(expm1) UNARY(floor)
UNARY(log) UNARY(log10) UNARY(log1p) UNARY(log2) UNARY(round) UNARY(sin) UNARY(sinh) UNARY(sqrt)
UNARY(tan) UNARY(tanh) UNARY(trunc)
REFERENCE(roundeven, rint(x), rintl(x))
REFERENCE(rsqrt, 1 / sqrt(x), 1 / sqrtl(x))
REFERENCE(atan2, atan2(x, y), atan2l(x, y))
REFERENCE(copysign, copysign(x, y), copysignl(x, y))
REFERENCE(powf, pow(x, y), powl(x, y))
REFERENCE(fma, fma(x, y, z), fma((double)x, (double)y, (double)z))
REFERENCE(clampf, fmin(fmax(x, y), z), fminl(fmaxl(x, y), z))
REFERENCE(isfinite, isfinite(x) ? 1 : 0, isfinite(x) ? 1 : 0)
REFERENCE(isinf, isinf(x) ? 1 : 0, isinf(x) ? 1 : 0)
REFERENCE(isnan, isnan(x) ? 1 : 0, isnan(x) ? 1 : 0)
static int least_exponent;
REFERENCE(isnormal, isfinite(x) && fabs(x) >= ldexp(1, least_exponent),
          isfinite(x) && fabsl(x) >= ldexpl(1, least_exponent))
REFERENCE(sincos_sine, sin(x), sinl(x))
REFERENCE(sincos_cosine, cos(x), cosl(x))
REFERENCE(fpowi, pow(x, trunc(y)), powl(x, truncl(y)))
#define POWER(name, n) REFERENCE(fpowi_##name, pow(x, n), powl(x, n))
POWER(m3, -3) POWER(m1, -1) POWER(0, 0) POWER(1, 1) POWER(2, 2) POWER(3, 3) POWER(4, 4) POWER(7, 7)

/* Measuring. */

typedef void function(void *, void *, void *, void *);
#ifdef FILES
/* Of arguments, or the one of results. */
static FILE *files[3];
static bool generates;

static void run(function *f, uint64_t (*args)[3], int count, int type, uint64_t *results) {
  (void)f;
  int bytes = formats[type].bytes;
  for (int i = 0; i < count; ++i) {
    results[i] = 0;
    for (int a = 0; generates && a < 3; ++a)
      fwrite(&args[i][a], bytes, 1, files[a]);
    if (!generates && fread(&results[i], bytes, 1, files[0]) != 1) {
      puts("WRONG: a file of results ends early");
      exit(1);
    }
  }
}
#else
typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} buffer;

static void run(function *f, uint64_t (*args)[3], int count, int type, uint64_t *results) {
  static _Alignas(64) char data[4][BLOCK * 8];
  int bytes = formats[type].bytes;
  for (int i = 0; i < count; ++i)
    for (int a = 0; a < 3; ++a)
      memcpy(data[a] + i * bytes, &args[i][a], bytes);
  memset(data[3], 0, sizeof data[3]);
  buffer buffers[4];
  for (int a = 0; a < 4; ++a)
    buffers[a] = (buffer){data[a], data[a], 0, {count}, {1}};
  f(&buffers[0], &buffers[1], &buffers[2], &buffers[3]);
  for (int i = 0; i < count; ++i) {
    results[i] = 0;
    memcpy(&results[i], data[3] + i * bytes, bytes);
  }
}
#endif

typedef struct {
  const char *name;
  function *f;
  int type;
  double (*d)(double, double, double);
  long double (*l)(long double, long double, long double);
} subject;
/* Functions that are compared in their own way. */
static bool is(const subject *s, double (*d)(double, double, double)) { return s->d == d; }

static double worst;
static long double worst_args[3];
static int wrong;

static void compare(const subject *s, uint64_t bits[3], uint64_t result) {
  const format *f = &formats[s->type];
  long double args[3], got = decode(s->type, result);
  for (int a = 0; a < 3; ++a)
    args[a] = decode(s->type, bits[a]);
  /* What has no meaning: a lower bound above the upper, NaN in either, exponents
   * that no integer is. */
  if (is(s, d_clampf) && !(args[1] <= args[2] && args[0] == args[0]))
    return;
  if (is(s, d_fpowi) && !(fabsl(args[1]) < 1e9L))
    return;
  least_exponent = f->least;
  long double expected =
      s->type == f64 ? s->l(args[0], args[1], args[2]) : (long double)s->d(args[0], args[1], args[2]);
  long double size = fabsl(expected);
  int exponent = size == 0 || !isfinite(size) ? f->least : ilogbl(size);
  if (exponent < f->least)
    exponent = f->least;
  long double ulp = power(exponent - f->digits + 1);
  long double overflow = (2 - power(-f->digits)) * power(f->most);
  double error = 0;
  bool bad = false;
#ifdef FILES
  /* Of GPUs (docs/Math.md): powers of 2 that are subnormal are 0, and erf(-0). */
  if (got == 0 && size < power(f->least) && (is(s, d_exp) || is(s, d_exp2)))
    return;
  if (is(s, d_erf) && args[0] == 0 && got == 0)
    return;
  /* The sign of NaN does not come through the interpreter. */
  if (is(s, d_copysign) && isnan(args[1]))
    return;
#endif
  if (isnan(expected) || isnan(got))
    bad = !(isnan(expected) && isnan(got));
  else if (!isfinite(expected) || !isfinite(got)) {
    /* Within an ulp of the bound either is right. */
    bool near = fabsl(size - overflow) <= 2 * ulp || isfinite(expected) == (size < overflow);
    bad = signbit(expected) != signbit(got) ||
          (isfinite(got) ? !near || size > overflow + 2 * ulp : size < overflow - 2 * ulp);
  } else if (expected == 0)
    bad = got != 0 ||
          (!is(s, d_clampf) && signbit(got) != signbit(expected));
  else
    error = (double)(fabsl(got - expected) / ulp);
  if (bad && wrong++ < 3)
    printf("WRONG %s of type %d (%La = %Lg, %Lg, %Lg): expected %Lg, got %Lg\n", s->name, s->type,
           args[0], args[0], args[1], args[2], expected, got);
  if (error > worst) {
    worst = error;
    memcpy(worst_args, args, sizeof args);
  }
}

static void measure(const subject *s) {
  static uint64_t args[BLOCK][3], results[BLOCK];
  const format *f = &formats[s->type];
  uint64_t one = (uint64_t)f->most << (f->digits - 1), sign = UINT64_C(1) << (8 * f->bytes - 1),
           inf = (uint64_t)(2 * f->most + 1) << (f->digits - 1), half = UINT64_C(1) << (f->digits - 2);
  const uint64_t special[] = {0, one, inf, inf | half, 1, inf - 1, UINT64_C(1) << (f->digits - 1),
                              one + 1, one - 1, one | half, one + (UINT64_C(1) << (f->digits - 1)),
                              (UINT64_C(1) << (f->digits - 1)) - 1};
  enum { SPECIAL = 2 * sizeof special / sizeof *special };
  worst = wrong = 0;
  uint64_t samples = f->bytes == 2 ? (1 << 16) / STRIDE : s->type == f64 ? SAMPLES / 4 : SAMPLES;
  uint64_t total = samples + SPECIAL * SPECIAL;
  for (uint64_t i = 0; i < total;) {
    int count = 0;
    for (; count < BLOCK && i < total; ++count, ++i) {
      uint64_t *x = args[count];
      for (int a = 0; a < 3; ++a)
        x[a] = i % 2 ? moderate_bits(s->type) : random_bits() & (sign | (sign - 1));
      if (i >= samples) {
        uint64_t j[2] = {(i - samples) % SPECIAL, (i - samples) / SPECIAL};
        for (int a = 0; a < 2; ++a)
          x[a] = special[j[a] / 2] | (j[a] % 2 ? sign : 0);
      } else if (f->bytes == 2)
        x[0] = i * STRIDE;
      /* Quiet ones: what a function makes of others is its own affair. */
      for (int a = 0; a < 3; ++a)
        if ((x[a] & (sign - 1)) > inf)
          x[a] |= half;
    }
    run(s->f, args, count, s->type, results);
    for (int j = 0; j < count && s->name; ++j)
      compare(s, args[j], results[j]);
  }
  if (!s->name)
    return;
  static const char *names[] = {"f16", "bf16", "f32", "f64"};
  printf("%s %s %.3f at %La, %La, %La\n", s->name, names[s->type], worst, worst_args[0],
         worst_args[1], worst_args[2]);
}

#ifdef FILES
static FILE *open_file(const char *directory, const char *name, const char *end, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", directory, name, end);
  return fopen(path, mode);
}

/* Those of every type are drawn anew for each function. */
static void measure_file(const char *directory, const char *file, const subject *s) {
  files[0] = open_file(directory, file, ".out", "rb");
  if (!files[0])
    return;
  state = SEED;
  measure(s);
  fclose(files[0]);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  generates = !strcmp(argv[1], "generate");
  static const char *names[] = {"f16", "bf16", "f32", "f64"};
  for (int type = f16; generates && type <= f64; ++type) {
    const char *ends[] = {".0", ".1", ".2"};
    for (int a = 0; a < 3; ++a)
      files[a] = open_file(argv[2], names[type], ends[a], "wb");
    state = SEED;
    measure(&(subject){NULL, NULL, type, NULL, NULL});
    for (int a = 0; a < 3; ++a)
      fclose(files[a]);
  }
  if (generates)
    return 0;
#define FUNCTION(name, type) \
  measure_file(argv[2], #name "_" #type, &(subject){#name, NULL, type, d_##name, l_##name});
#include "functions.h.inc"
  return 0;
}
#else
/* Integers, which are exact. */
static void check_integers(void) {
  enum { N = 1001 };
  static int32_t x[N], n[N], out[N];
  for (int i = 0; i < N; ++i) {
    x[i] = i < 40 ? i - 20 : (int32_t)(random_bits() >> (random_bits() % 64));
    n[i] = i % 9 - 2;
  }
  buffer a = {x, x, 0, {N}, {1}}, b = {n, n, 0, {N}, {1}}, r = {out, out, 0, {N}, {1}};
  const char *names[] = {"absi", "ctlz", "ctpop", "cttz", "ipowi"};
  function *functions[] = {(function *)_mlir_ciface_absi_i32, (function *)_mlir_ciface_ctlz_i32,
                           (function *)_mlir_ciface_ctpop_i32, (function *)_mlir_ciface_cttz_i32,
                           (function *)_mlir_ciface_ipowi_i32};
  for (int k = 0; k < 5; ++k) {
    functions[k](&a, &b, &b, &r);
    for (int i = 0; i < N; ++i) {
      uint32_t u = (uint32_t)x[i], expected = 0, power = 1;
      int high = 0, low = 0, ones = 0;
      while (high < 32 && !(u >> (31 - high) & 1))
        ++high;
      while (low < 32 && !(u >> low & 1))
        ++low;
      for (int bit = 0; bit < 32; ++bit)
        ones += u >> bit & 1;
      for (int j = 0; j < n[i]; ++j)
        power *= u;
      if (n[i] < 0)
        power = x[i] == 1 ? 1 : x[i] == -1 ? (n[i] % 2 ? -1u : 1) : 0;
      switch (k) {
      case 0: expected = x[i] < 0 ? -u : u; break;
      case 1: expected = high; break;
      case 2: expected = ones; break;
      case 3: expected = low; break;
      case 4: expected = power; break;
      }
      /* 0 to a negative power is not defined. */
      if (out[i] != (int32_t)expected && !(k == 4 && x[i] == 0 && n[i] < 0)) {
        printf("WRONG %s(%d, %d): expected %d, got %d\n", names[k], x[i], n[i], (int32_t)expected, out[i]);
        break;
      }
    }
  }
}

/* f64 to bf16: to the nearest, and of two the even one. */
static void check_conversion(void) {
  enum { N = 100003 };
  static uint64_t bits[N];
  static double x[N];
  static uint16_t out[N];
  for (int i = 0; i < N; ++i) {
    /* Numbers of 8 or 9 bits, the latter halfway between two of bf16, and their
     * neighbours, with exponents around those of bf16; and any numbers. */
    uint64_t fraction = random_bits() % 256 << (i % 4 == 0 ? 45 : 44);
    bits[i] = (random_bits() & 1) << 63 | (880 + random_bits() % 290) << 52 |
              (fraction & ((UINT64_C(1) << 52) - 1));
    bits[i] += i % 3 - 1;
    if (i % 5 == 0)
      bits[i] = random_bits();
    memcpy(&x[i], &bits[i], 8);
  }
  buffer a = {x, x, 0, {N}, {1}}, r = {out, out, 0, {N}, {1}};
  _mlir_ciface_double_to_bf16((void *)&a, (void *)&r);
  for (int i = 0; i < N; ++i) {
    double got = (double)decode(bf16, out[i]), want = x[i];
    if (isfinite(want) && want != 0) {
      int exponent = ilogb(want) < -126 ? -126 : ilogb(want);
      want = copysign(ldexp(rint(ldexp(want, 7 - exponent)), exponent - 7), x[i]);
      if (fabs(want) >= ldexp(1, 128))
        want = copysign(INFINITY, want);
    }
    if (isnan(want) ? !isnan(got) : got != want || signbit(got) != signbit(want)) {
      printf("WRONG %a to bf16: expected %a, got %a\n", x[i], want, got);
      break;
    }
  }
}

int main(void) {
#define FUNCTION(name, type)                                                                     \
  if (!SKIPPED(name))                                                                            \
    measure(&(subject){#name, (function *)_mlir_ciface_##name##_##type, type, d_##name, l_##name});
/* Without the instruction it is a product and a sum (docs/Math.md). */
#ifdef FUSED
#define SKIPPED(name) false
#else
#define SKIPPED(name) (!strcmp(#name, "fma"))
#endif
#include "functions.h.inc"
  check_integers();
  check_conversion();
  return 0;
}
#endif
