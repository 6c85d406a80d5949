/* SPDX-License-Identifier: MIT */
/* Experiments of papers, computed again: errors are enclosed where the paper averages over runs.
 *
 *     pby_figure4_asked asked = {.sets = 5, .folder = "figure4"};
 *     char *text;
 *     if (pby_report_figure4(&text, &asked, PBY_REPORT_LINES, err) == PBY_OK)
 *         fputs(text, stdout);
 *     free(text);
 */
#ifndef PROBITY_EXPERIMENTAL_EXPERIMENT_H
#define PROBITY_EXPERIMENTAL_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "probity/report.h"
#include "probity/status.h"

PBY_BEGIN_API

/* Figure 4 of [Flex]: the error of max, max_k and mode by eight mechanisms on six kinds of data. */
typedef struct pby_figure4_asked {
    unsigned panel;   /* 1 to 6; 0: all */
    const char *seed; /* 64 hexadecimal digits that decide the data; NULL: all 0 */
    unsigned sets;    /* data sets of a panel, 1 to 10000; 0: 100 */
    const char
        *folder; /* one that exists gets figure4.csv and a plot figure4-N.svg of each panel; NULL: none */
    void (*progress)(void *what, uint64_t done, uint64_t total); /* NULL: nobody is told */
    void *what;
    bool
        cited; /* every mechanism has the constants of its own paper; otherwise the least noise that its exact
                 * loss allows. The files are then figure4-cited.csv and figure4-cited-N.svg */
} pby_figure4_asked;

/* Prints the fixed parameters, the settings and the errors. */
PBY_CHECKED
pby_status pby_report_figure4(char **text, const pby_figure4_asked *asked, pby_report_form form,
                              pby_error *err) PBY_NONNULL(1, 2);

/* Figure 1 of [Thresh]: the threshold that Theorem 5 asks for at sensitivity 1, for delta = 10^-4 to 10^-19,
 * beside the least of the exact law for the same noise and the least count that any mechanism can show. A
 * folder gets figure1.csv and figure1.svg; NULL: none does. */
PBY_CHECKED
pby_status pby_report_figure1(char **text, const char *folder, pby_report_form form, pby_error *err)
    PBY_NONNULL(1);

/* [Survey] section 7.2: the standard error of a mean of n bits by geometric noise of a curator and by
 * randomised response, for n = 10 to 10^6. A folder gets central.csv and central.svg; NULL: none does. */
PBY_CHECKED
pby_status pby_report_central_local(char **text, const char *folder, pby_report_form form, pby_error *err)
    PBY_NONNULL(1);

PBY_END_API

#endif
