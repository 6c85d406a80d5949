/* SPDX-License-Identifier: MIT */
#include "release/permission.h"

#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/status.h"
#include "certificate/certificate.h"
#include "io/file.h"
#include "table/map/arguments.h"

static bool is_spec(const char *text)
{
    return text[strcspn(text, ":/")] == ':' && !pby_file_is_meant(text);
}

int pby_permission_count(int operands, char **argv)
{
    int n = 1;
    while (n < operands && !pby_file_is_meant(argv[0]) && is_spec(argv[n]))
        n++;
    return n;
}

static pby_status read_certificate(pby_certificate **out, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    pby_error why = PBY_NO_ERROR;
    pby_status status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(out, text, size, &why);
    free(text);
    if (status != PBY_OK)
        return pby_fail_by(err, status, why.reason, "certificate '%s': %.800s", PBY_EXCERPT(path), why.text);
    if (status == PBY_OK && pby_certificate_question(*out) != PBY_ASK_DELTA) {
        pby_certificate_free(*out);
        *out = NULL;
        return pby_refuse(err, "certificate", path, "one of epsilon and delta, of version 1, for a release");
    }
    return status;
}

/* Opens the budget of a spec. The permission takes the certificate and the spec that is its own, either of
 * which may be NULL; on failure both are freed. */
static pby_status open_budget(pby_permission **out, pby_certificate *certificate, pby_spec *own,
                              const pby_spec *spec, const char *ledger, const char *argument, pby_error *err)
{
    pby_permission *p = *out = calloc(1, sizeof *p);
    if (p == NULL) {
        pby_certificate_free(certificate);
        pby_spec_free(own);
        return pby_no_memory(err);
    }
    p->certificate = certificate;
    p->own = own;
    const pby_status status = pby_budget_open(&p->budget, ledger, spec, certificate, argument, err);
    if (status != PBY_OK) {
        pby_permission_close(p);
        *out = NULL;
    }
    return status;
}

pby_status pby_permission_of(pby_permission **out, pby_spec *spec, const char *ledger, const char *argument,
                             pby_error *err)
{
    return open_budget(out, NULL, spec, spec, ledger, argument, err);
}

static pby_status by_certificate(pby_permission **out, const char *path, const char *ledger,
                                 const char *argument, pby_error *err)
{
    pby_certificate *certificate = NULL;
    PBY_TRY(read_certificate(&certificate, path, err));
    if (certificate->plan[0] != '\0') {
        pby_certificate_free(certificate);
        return pby_refuse(err, "certificate", path,
                          "one of a mechanism: this one is of a plan, for probity plan release");
    }
    return open_budget(out, certificate, NULL, pby_certificate_spec(certificate), ledger, argument, err);
}

static pby_status by_specs(pby_permission **out, const char *const *texts, size_t count, const char *ledger,
                           const char *argument, pby_error *err)
{
    pby_spec *spec;
    PBY_TRY(pby_spec_parse(&spec, texts, count, err));
    return open_budget(out, NULL, spec, spec, ledger, argument, err);
}

pby_status pby_permission_ask(pby_permission **out, const char *const *texts, size_t count,
                              const char *ledger, const char *argument, pby_error *err)
{
    *out = NULL;
    return pby_file_is_meant(texts[0]) ? by_certificate(out, texts[0], ledger, argument, err)
                                       : by_specs(out, texts, count, ledger, argument, err);
}

pby_status pby_permission_open(pby_permission **out, const pby_permission_options *from, pby_error *err)
{
    const char *argument = pby_argument_name(&pby_arguments_library, PBY_ARG_LEDGER);
    *out = NULL;
    if ((from->certificate == NULL) == (from->spec == NULL))
        return pby_fail(err, PBY_BAD, "certificate: expected this or spec, and not both");
    return from->certificate != NULL ? by_certificate(out, from->certificate, from->ledger, argument, err)
                                     : by_specs(out, &from->spec, 1, from->ledger, argument, err);
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
