/* SPDX-License-Identifier: MIT */
/* Records the noise of a C program for the grey-box audit (docs/greybox.md, *C*).
 *
 *     double y = PBY_ADD("laplace", 10, total, laplace_noise(10));
 *     PBY_OUTPUT("$.total", y);
 *
 * Compiled without PROBITY_RECORD these cost nothing: PBY_ADD is total + noise. With it and libprobity
 * a run of the program is appended to the file PROBITY_TRACE of the environment when the program ends,
 * as the run of the number PROBITY_RUN (0); without PROBITY_TRACE nothing is recorded. Where
 * PROBITY_REPLAY names a trace, sums and choices get the values of its run of that number. The file
 * PROBITY_INPUT, if named, is digested as the input. One thread records.
 */
#ifndef PROBITY_RECORD_H
#define PROBITY_RECORD_H

#include <stddef.h>

#include "probity/status.h"

PBY_BEGIN_API

/* centre + noise, or the sum that is replayed. The law is laplace, gauss, geometric or dgauss, with its
 * parameter as the trace has it: scale, sigma, rate, sigma2. */
PBY_CHECKED
double pby_record_add(const char *law, double scale, double centre, double noise, const char *site)
    PBY_NONNULL(1, 5);

/* The index that was drawn with the chances p of k values, or the one that is replayed. */
PBY_CHECKED
size_t pby_record_choice(const double *p, size_t k, size_t drawn, const char *site) PBY_NONNULL(1, 4);

/* A coordinate of the output. */
void pby_record_output(const char *path, double value) PBY_NONNULL(1);

/* Appends the run to the trace; the next event begins another. Called at the end of the program too. A
 * failure is told on standard error, and writes nothing. */
void pby_record_end(void);

PBY_END_API

#define PBY_RECORD_TEXT_(x) #x
#define PBY_RECORD_LINE_(x) PBY_RECORD_TEXT_(x)
#define PBY_RECORD_SITE_    __FILE__ ":" PBY_RECORD_LINE_(__LINE__) ":1"

#ifdef PROBITY_RECORD
#define PBY_ADD(law, scale, centre, noise) pby_record_add(law, scale, centre, noise, PBY_RECORD_SITE_)
#define PBY_CHOICE(p, k, drawn)            pby_record_choice(p, k, drawn, PBY_RECORD_SITE_)
#define PBY_OUTPUT(path, y)                pby_record_output(path, y)
#else
#define PBY_ADD(law, scale, centre, noise) ((centre) + (noise))
#define PBY_CHOICE(p, k, drawn)            ((size_t)(drawn))
#define PBY_OUTPUT(path, y)                ((void)(y))
#endif

#endif
