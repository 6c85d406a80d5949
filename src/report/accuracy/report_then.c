/* SPDX-License-Identifier: MIT */
#include "report/accuracy/report_then.h"

#include <stdlib.h>
#include <string.h>

#include "probity/experimental/accuracy.h"
#include "probity/rational.h"
#include "report/sheet.h"
#include "transport/distance.h"

/* Reads ALPHA,BETA,GAMMA. */
static pby_status read_accuracy(pby_accuracy *a, const char *name, const char *text, pby_error *err)
{
    char *copy = strdup(text), *rest = NULL;
    if (copy == NULL)
        return pby_no_memory(err);
    const char *part[3];
    for (int i = 0; i < 3; i++)
        part[i] = strtok_r(i == 0 ? copy : NULL, ",", &rest);
    pby_status status = part[2] != NULL && strtok_r(NULL, ",", &rest) == NULL
                            ? pby_distance_parse(&a->alpha, name, part[0], err)
                            : pby_refuse(err, name, text, "ALPHA,BETA,GAMMA, three numbers");
    if (status == PBY_OK)
        status = pby_distance_parse(&a->beta, name, part[1], err);
    if (status == PBY_OK)
        status = pby_rational_parse(a->gamma, name, part[2], err);
    if (status == PBY_OK && (mpq_sgn(a->gamma) < 0 || mpq_cmp_ui(a->gamma, 1, 1) > 0))
        status = pby_refuse(err, name, text, "a gamma from 0 to 1");
    free(copy);
    return status;
}

static pby_status compose(pby_accuracy *out, pby_accuracy *second, pby_distance *sigma, pby_distance *tau,
                          const pby_then_asked *asked, pby_error *err)
{
    PBY_TRY(read_accuracy(out, "then", asked->first, err));
    PBY_TRY(read_accuracy(second, "then", asked->second, err));
    if (asked->sigma == NULL || asked->tau == NULL)
        return pby_fail(err, PBY_BAD, "accuracy --then: expected --sigma and --tau, by which errors go on");
    PBY_TRY(pby_distance_parse(sigma, "sigma", asked->sigma, err));
    PBY_TRY(pby_distance_parse(tau, "tau", asked->tau, err));
    pby_accuracy_compose_average(out, out, second, sigma, tau);
    return PBY_OK;
}

pby_status pby_report_then(char **text, const pby_then_asked *asked, pby_report_form form, pby_error *err)
{
    pby_accuracy out, second;
    pby_distance sigma, tau;
    pby_sheet s;
    pby_accuracy_init(&out);
    pby_accuracy_init(&second);
    pby_distance_init(&sigma);
    pby_distance_init(&tau);
    pby_sheet_begin(&s, form);
    const pby_status status = compose(&out, &second, &sigma, &tau, asked, err);
    if (status == PBY_OK) {
        pby_sheet_distance(&s, "alpha", "alpha", &out.alpha);
        pby_sheet_distance(&s, "beta", "beta", &out.beta);
        pby_sheet_exact(&s, "gamma", "gamma", out.gamma);
    }
    pby_distance_clear(&tau);
    pby_distance_clear(&sigma);
    pby_accuracy_clear(&second);
    pby_accuracy_clear(&out);
    return pby_sheet_end(text, &s, status, err);
}
