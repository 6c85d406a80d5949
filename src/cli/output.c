/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/spool.h"

pby_status pby_print_json(json_t *object, pby_error *err)
{
    char *text = pby_json_text(object, JSON_PRESERVE_ORDER);
    if (text == NULL)
        return pby_no_memory(err);
    puts(text);
    free(text);
    return PBY_OK;
}

pby_status pby_print_report(char *text, pby_status status)
{
    if (status == PBY_OK)
        fputs(text, stdout);
    free(text);
    return status;
}

pby_status pby_report_page_ready(const char *path, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_spool *spool = NULL;
    const pby_status status = path == NULL ? PBY_OK : pby_spool_open(&spool, path, &why);
    pby_spool_abort(spool);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--report: %s", why.text);
}

pby_status pby_report_page_write(const char *path, const char *page, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    const pby_status status = path == NULL ? PBY_OK : pby_spool_text(path, page, "\n", &why);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "--report: %s", why.text);
}

pby_status pby_print_ready(pby_error *err)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return PBY_OK;
    return pby_fail(err, PBY_FAILED, "standard output: %s", strerror(EBADF));
}

pby_status pby_print_end(pby_error *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return PBY_OK;
    return pby_fail(err, PBY_FAILED, "standard output: %s", errno == 0 ? "a write failed" : strerror(errno));
}
