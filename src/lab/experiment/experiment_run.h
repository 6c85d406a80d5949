/* SPDX-License-Identifier: MIT */
/* An experiment: it is computed, writes its tables and plots to a folder, and is reported. */
#ifndef PBY_LAB_EXPERIMENT_EXPERIMENT_RUN_H
#define PBY_LAB_EXPERIMENT_EXPERIMENT_RUN_H

#include <stdio.h>

#include "base/status.h"
#include "probity/report.h"

typedef struct pby_experiment {
    pby_status (*compute)(void *what, pby_error *err);
    pby_status (*write)(const char *folder, const void *what, pby_error *err);
    pby_status (*report)(char **text, const void *what, pby_report_form form, pby_error *err);
} pby_experiment;

/* Runs it. A folder, if not NULL, is made before the work unless it is there, so that no work is lost to a
 * name; and removed where the experiment failed before it wrote a file. */
PBY_CHECKED
pby_status pby_experiment_run(char **text, const pby_experiment *experiment, void *what, const char *folder,
                              pby_report_form form, pby_error *err);

/* Writes one file of it, out of what `print` prints of `what`. */
typedef void pby_plots_print(FILE *out, const void *what);
PBY_CHECKED
pby_status pby_plots_write(const char *folder, const char *name, pby_plots_print *print, const void *what,
                           pby_error *err);

#endif
