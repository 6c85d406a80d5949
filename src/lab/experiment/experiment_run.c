/* SPDX-License-Identifier: MIT */
#include "lab/experiment/experiment_run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printed.h"
#include "io/spool.h"

static pby_status make_folder(bool *made, const char *folder, pby_error *err)
{
    struct stat about;
    *made = mkdir(folder, 0777) == 0;
    return *made || (stat(folder, &about) == 0 && S_ISDIR(about.st_mode))
               ? PBY_OK
               : pby_refuse(err, "folder", folder, "a folder that exists, or a new name in one");
}

pby_status pby_plots_write(const char *folder, const char *name, pby_plots_print *print, const void *what,
                           pby_error *err)
{
    char *text, *path;
    pby_printed printed;
    FILE *out = pby_printed_begin(&printed);
    if (out == NULL)
        return pby_no_memory(err);
    print(out, what);
    PBY_TRY(pby_printed_end(&text, &printed, PBY_OK, err));
    pby_status status = asprintf(&path, "%s/%s", folder, name) < 0 ? pby_no_memory(err) : PBY_OK;
    if (status != PBY_OK)
        path = NULL;
    if (status == PBY_OK)
        status = pby_spool_text(path, text, "", err);
    free(path);
    free(text);
    return status;
}

pby_status pby_experiment_run(char **text, const pby_experiment *experiment, void *what, const char *folder,
                              pby_report_form form, pby_error *err)
{
    bool made = false;
    *text = NULL;
    pby_status status = folder != NULL ? make_folder(&made, folder, err) : PBY_OK;
    if (status == PBY_OK)
        status = experiment->compute(what, err);
    if (status == PBY_OK && folder != NULL)
        status = experiment->write(folder, what, err);
    if (status == PBY_OK)
        status = experiment->report(text, what, form, err);
    if (status != PBY_OK && made)
        (void)rmdir(folder); /* which fails where files are in it */
    return status;
}
