/* SPDX-License-Identifier: MIT */
#include "deployment/deployment_file.h"

#include <stdlib.h>

#include "base/excerpt.h"
#include "io/file.h"

pby_status pby_deployment_file(pby_deployment **out, const char *path, pby_error *err)
{
    char *text = NULL;
    size_t size = 0;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_file_read(&text, &size, path, PBY_DEPLOYMENT_SIZE_MAX, &why);
    *out = NULL;
    if (status == PBY_OK)
        status = pby_deployment_read(out, text, size, &why);
    free(text);
    return status == PBY_OK
               ? PBY_OK
               : pby_fail_by(err, status, why.reason, "%s: %s", PBY_EXCERPT(pby_path_text(path)), why.text);
}
