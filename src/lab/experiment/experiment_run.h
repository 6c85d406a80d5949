/* SPDX-License-Identifier: MIT */
/* The folder that an experiment writes its tables and plots to. */
#ifndef PBY_LAB_EXPERIMENT_PLOTS_FOLDER_H
#define PBY_LAB_EXPERIMENT_PLOTS_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* Makes the folder, unless it is there: before the work, so that none of it is lost to a name. */
PBY_CHECKED
pby_status pby_plots_folder(bool *made, const char *folder, pby_error *err);

/* Writes one file of it, out of what `print` prints of `what`. */
typedef void pby_plots_print(FILE *out, const void *what);
PBY_CHECKED
pby_status pby_plots_write(const char *folder, const char *name, pby_plots_print *print, const void *what,
                           pby_error *err);

#endif
