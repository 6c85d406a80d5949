#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number/exact.h"

enum { NAME_WIDTH = 12 };

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

void pby_print_line(const char *name, const char *text)
{
    printf("%-*s%s\n", NAME_WIDTH, name, text);
}

void pby_print_ends(const char *name, const char *lo, const char *hi, const char *note)
{
    if (strcmp(lo, hi) == 0)
        printf("%-*s%s", NAME_WIDTH, name, lo);
    else
        printf("%-*s[%s, %s]", NAME_WIDTH, name, lo, hi);
    printf("%s%s\n", note == NULL ? "" : "  ", note == NULL ? "" : note);
}

void pby_print_enclosure(const char *name, const pby_enclosure *x, unsigned digits, const char *note)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, x->lo, digits, true);
    pby_decimal(hi, x->hi, digits, false);
    pby_print_ends(name, lo, hi, note);
}

pby_status pby_print_exact(const char *name, mpq_srcptr q, pby_error *err)
{
    char *text = pby_exact_text(q);
    if (text == NULL)
        return pby_no_memory(err);
    pby_print_line(name, text);
    free(text);
    return PBY_OK;
}

pby_status pby_print_distance(const char *name, const pby_distance *x, pby_error *err)
{
    if (!x->infinite)
        return pby_print_exact(name, x->value, err);
    pby_print_line(name, "inf");
    return PBY_OK;
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
