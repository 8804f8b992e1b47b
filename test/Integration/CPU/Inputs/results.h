// Results of a program that runs in an emulator, where the f64 of a reference takes
// minutes. The same source makes two programs:
//
//   -DWRITE_RESULTS   runs compiled functions, and writes their results to the standard
//                     output. It compares nothing. Built for the emulator.
//   -DREAD_RESULTS    reads these from the standard input instead of running functions,
//                     and compares. Built for this machine.
//
// With neither, one program does both. RESULTS_RUN and RESULTS_COMPARE say what a program
// does. Both programs draw the same random numbers: `tag`, the state of the generator, is
// checked.
#ifndef LINALG_EXT_TEST_INTEGRATION_CPU_INPUTS_RESULTS_H
#define LINALG_EXT_TEST_INTEGRATION_CPU_INPUTS_RESULTS_H

#include <stdio.h>
#include <stdlib.h>

#ifdef READ_RESULTS
enum { RESULTS_RUN = 0, RESULTS_COMPARE = 1 };
#elif defined(WRITE_RESULTS)
enum { RESULTS_RUN = 1, RESULTS_COMPARE = 0 };
#else
enum { RESULTS_RUN = 1, RESULTS_COMPARE = 1 };
#endif

// Passes `data` from the one program to the other.
static inline void pass_results(void *data, size_t bytes, unsigned tag) {
#if defined(WRITE_RESULTS)
  if (fwrite(&tag, sizeof tag, 1, stdout) != 1 || fwrite(data, 1, bytes, stdout) != bytes)
    exit(1);
#elif defined(READ_RESULTS)
  unsigned written;
  if (fread(&written, sizeof written, 1, stdin) != 1 || written != tag ||
      fread(data, 1, bytes, stdin) != bytes) {
    printf("FAIL: expected results of the emulated program with the tag %u\n", tag);
    exit(1);
  }
#else
  (void)data, (void)bytes, (void)tag;
#endif
}

#endif // LINALG_EXT_TEST_INTEGRATION_CPU_INPUTS_RESULTS_H
