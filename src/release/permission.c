#include "release/permission.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "io/file.h"
#include "table/arguments.h"

bool pby_permission_is_file(const char *text)
{
    const size_t size = strlen(text);
    return access(text, F_OK) == 0 || (size >= 5 && strcmp(text + size - 5, ".json") == 0);
}

static bool is_spec(const char *text)
{
    return text[strcspn(text, ":/")] == ':' && !pby_permission_is_file(text);
}

int pby_permission_count(int operands, char **argv)
{
    int n = 1;
    while (n < operands && !pby_permission_is_file(argv[0]) && is_spec(argv[n]))
        n++;
    return n;
}

static pby_status read_certificate(pby_permission *p, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    pby_status status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(&p->certificate, text, size, err);
    free(text);
    return status;
}

/* Of a certificate's file, or of specs where that is NULL. */
static pby_status make(pby_permission **out, const char *certificate, const char *const *specs, size_t count,
                       const char *ledger, const char *argument, pby_error *err)
{
    pby_permission *p = *out = calloc(1, sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    pby_status status = certificate != NULL ? read_certificate(p, certificate, err)
                                            : pby_spec_parse(&p->own, specs, count, err);
    if (status == PBY_OK)
        status = pby_budget_open(&p->budget, ledger,
                                 p->own != NULL ? p->own : pby_certificate_spec(p->certificate),
                                 p->certificate, argument, err);
    if (status != PBY_OK) {
        pby_permission_close(p);
        *out = NULL;
    }
    return status;
}

pby_status pby_permission_ask(pby_permission **out, const char *const *texts, size_t count,
                              const char *ledger, const char *argument, pby_error *err)
{
    return make(out, pby_permission_is_file(texts[0]) ? texts[0] : NULL, texts, count, ledger, argument, err);
}

pby_status pby_permission_open(pby_permission **out, const pby_permission_options *from, pby_error *err)
{
    *out = NULL;
    if ((from->certificate == NULL) == (from->spec == NULL))
        return pby_fail(err, PBY_BAD, "certificate: expected this or spec, and not both");
    return make(out, from->certificate, &from->spec, 1, from->ledger, pby_arguments_library.ledger, err);
}

const pby_spec *pby_permission_spec(const pby_permission *p)
{
    return p->budget.spec;
}

const pby_certificate *pby_permission_certificate(const pby_permission *p)
{
    return p->certificate;
}

pby_ledger *pby_permission_ledger(const pby_permission *p)
{
    return p->budget.ledger;
}

void pby_permission_close(pby_permission *p)
{
    if (p == NULL)
        return;
    pby_budget_close(&p->budget);
    pby_spec_free(p->own);
    pby_certificate_free(p->certificate);
    free(p);
}
