/* SPDX-License-Identifier: MIT */
#include "deployment/claim_implied.h"

#include <stdlib.h>
#include <string.h>

#include "deployment/deployed_loss.h"
#include "number/scoped.h"
#include "number/text.h"

bool pby_claim_gives(pby_claim_kind premise, pby_claim_kind claim)
{
    static const bool table[][5] = {[PBY_CLAIM_PURE] = {true, true, true, true, true},
                                    [PBY_CLAIM_APPROX] = {false, true, false, false, false},
                                    [PBY_CLAIM_ZCDP] = {false, true, true, true, false},
                                    [PBY_CLAIM_RENYI] = {false, true, false, true, false},
                                    [PBY_CLAIM_GDP] = {false, true, true, true, true}};
    return table[premise][claim];
}

pby_status pby_claim_implied(bool *yes, pby_amount *x, const pby_deployment *d,
                             const pby_deployment_claim *premise, mpq_srcptr number,
                             const pby_deployment_claim *claim, pby_error *err)
{
    mpq_srcptr limit = pby_amount_limit(claim)->value;
    pby_spec *spec = NULL;
    pby_error why = PBY_NO_ERROR;
    int sign = 0;
    *yes = false;
    if (!pby_claim_gives(premise->kind, claim->kind))
        return PBY_OK;
    pby_status status = pby_claim_spec(&spec, premise, number, &why);
    for (int effort = 0; effort < PBY_EFFORTS && sign == 0 && status == PBY_OK && spec != NULL; effort++) {
        status = pby_amount_ask(x, spec, d->has_relation ? d->relation : PBY_ADD_REMOVE, claim,
                                PBY_REACH_FIXED, effort, &why);
        if (status == PBY_OK)
            sign = pby_amount_compare(x, limit, claim->kind);
    }
    *yes = status == PBY_OK && sign < 0;
    pby_spec_free(spec);
    if (pby_claim_stays_open(status, &why))
        return PBY_OK;
    if (status != PBY_OK && err != NULL)
        *err = why;
    return status;
}

/* ---- rounding --------------------------------------------------------------------------------- */

bool pby_last_decimal(mpq_t half, const char *text, unsigned *decimals)
{
    const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    long after = 0;
    if (strchr(text, '/') != NULL)
        return false;
    if (point != NULL)
        after = (long)strspn(point + 1, "0123456789");
    if (power != NULL)
        after -= strtol(power + 1, NULL, 10);
    if (after < 0 || after > 100)
        return false;
    *decimals = (unsigned)after;
    mpq_set_ui(half, 1, 1);
    mpz_ui_pow_ui(mpq_denref(half), 10, (unsigned long)after);
    mpq_div_2exp(half, half, 1);
    return true;
}

pby_status pby_claim_rounding(char **out, const pby_deployment *d, const pby_deployment_claim *premise,
                              const pby_deployment_claim *claim, pby_error *err)
{
    enum { STEPS = 5000 };
    const pby_stated_number *stated = pby_claim_number((pby_deployment_claim *)(uintptr_t)premise);
    unsigned decimals;
    PBY_MPQ(half, low, step, number);
    pby_amount x;
    bool yes = false;
    if (!pby_last_decimal(half, stated->text, &decimals) || mpq_cmp(stated->value, half) <= 0)
        return PBY_OK;
    mpq_sub(low, stated->value, half);
    mpq_set_ui(step, STEPS, 1);
    mpq_div(step, half, step);
    pby_amount_init(&x);
    pby_status status = pby_claim_implied(&yes, &x, d, premise, low, claim, err);
    unsigned long good = 0, bad = STEPS;
    while (status == PBY_OK && yes && bad - good > 1) {
        const unsigned long middle = (good + bad) / 2;
        bool more;
        mpq_set_ui(number, middle, 1);
        mpq_mul(number, number, step);
        mpq_add(number, number, low);
        status = pby_claim_implied(&more, &x, d, premise, number, claim, err);
        *(more ? &good : &bad) = middle;
    }
    if (status == PBY_OK && yes) {
        char from[PBY_DECIMAL_SIZE], to[PBY_DECIMAL_SIZE], *text = NULL;
        mpq_set_ui(number, good, 1);
        mpq_mul(number, number, step);
        mpq_add(number, number, low);
        pby_mpq_text(from, low);
        pby_mpq_text(to, number);
        if (asprintf(&text, "it is implied where %s is from %s to %s, which prints alike", premise->name,
                     from, to) < 0)
            status = pby_no_memory(err);
        else
            *out = text;
    }
    pby_amount_clear(&x);
    return status;
}
