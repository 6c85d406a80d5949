/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/odometer.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/excerpt.h"
#include "certificate/ledger/ledger.h"
#include "number/scoped.h"
#include "probity/experimental/losses.h"
#include "probity/loss.h"

static void set_share(mpq_t share, unsigned long j)
{
    mpq_set_ui(share, 2, 3 * (j + 1) * (j + 2));
    mpq_canonicalize(share);
}

/* Walks from level 0, by fifths, up or down. */
bool pby_odometer_level(mpq_t rho, mpq_t share, mpq_srcptr r)
{
    PBY_MPQ(step, next);
    unsigned long j = 0;
    mpq_set_ui(rho, 1, 8);
    const bool up = mpq_cmp(rho, r) < 0;
    mpq_set_ui(step, up ? 5 : 4, up ? 4 : 5);
    for (; j < PBY_ODOMETER_LEVELS; j++) {
        mpq_mul(next, rho, step);
        if (up ? mpq_cmp(rho, r) >= 0 : mpq_cmp(next, r) < 0)
            break;
        mpq_swap(rho, next);
    }
    set_share(share, j);
    return mpq_cmp(rho, r) >= 0;
}

static pby_status convert(pby_enclosure *epsilon, mpq_srcptr rho, mpq_srcptr delta, unsigned digits,
                          pby_error *err)
{
    pby_spec *spec = NULL;
    char *text = NULL, *number = mpq_get_str(NULL, 10, rho);
    if (asprintf(&text, "zcdp:rho=%s", number) < 0)
        text = NULL;
    free(number);
    pby_status status = text == NULL ? pby_no_memory(err) : PBY_OK;
    if (status == PBY_OK)
        status = pby_spec_parse(&spec, (const char *const *)&text, 1, err);
    if (status == PBY_OK)
        status = pby_loss_convert(epsilon, "zcdp-to-approx", PBY_ASK_EPSILON, spec, PBY_ADD_REMOVE, delta,
                                  digits, err);
    pby_spec_free(spec);
    free(text);
    return status;
}

pby_status pby_odometer_read(pby_enclosure *epsilon, mpq_srcptr sum, mpq_srcptr delta, unsigned digits,
                             pby_error *err)
{
    PBY_MPQ(rho, share);
    mpfr_set_zero(epsilon->lo, 1);
    mpfr_set_zero(epsilon->hi, 1);
    if (mpq_sgn(sum) == 0)
        return PBY_OK;
    if (!pby_odometer_level(rho, share, sum)) {
        mpfr_set_inf(epsilon->lo, 1);
        mpfr_set_inf(epsilon->hi, 1);
        return PBY_OK;
    }
    mpq_mul(share, share, delta);
    return convert(epsilon, rho, share, digits, err);
}

pby_status pby_ledger_odometer(pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits, pby_error *err)
{
    PBY_MPQ(bound, delta, rest);
    if (ledger->filter != PBY_FILTER_ODOMETER)
        return pby_fail(err, PBY_BAD, "ledger: its accounting is %s: expected odometer",
                        PBY_EXCERPT(ledger->mode));
    PBY_TRY(pby_ledger_catch_up(ledger, NULL, err));
    pby_totals_most(bound, delta, &ledger->totals);
    mpq_add(bound, bound, ledger->totals.all.bound);
    mpq_mul(rest, ledger->delta, ledger->split);
    mpq_sub(rest, ledger->delta, rest);
    return pby_odometer_read(epsilon, bound, rest, digits, err);
}
