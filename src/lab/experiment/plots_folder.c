/* SPDX-License-Identifier: MIT */
#include "lab/experiment/plots_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/spool.h"

pby_status pby_plots_folder(bool *made, const char *folder, pby_error *err)
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
    char *text = NULL, *path = malloc(strlen(folder) + strlen(name) + 2);
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pby_status status = out == NULL || path == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        print(out, what);
    if (out != NULL && fclose(out) != 0 && status == PBY_OK)
        status = pby_no_memory(err);
    if (status == PBY_OK) {
        sprintf(path, "%s/%s", folder, name);
        status = pby_spool_text(path, text, "", err);
    }
    free(path);
    free(text);
    return status;
}
