/* SPDX-License-Identifier: MIT */
/* Chooses the point of a curve that a ledger uses, which depends on the budget and the curve alone.
 *
 *   accounting      a curve of divergences                         a curve of deltas
 *   renyi           the least bound at its order                   )
 *   exact           the order that takes the least share of        ) the point whose greater share of the two
 *                   what the budget allows there                   ) limits is least
 *   basic           none: refused                                  )
 *   filter, zcdp    none: refused, as nothing is known of          )
 *                   orders beyond the last                         )
 *
 * Every point is a promise that holds of the mechanism, so that whichever is taken, the charge is right
 * (docs/theory/filters.md); the choice only decides how much of the budget it takes.
 */
#include "certificate/ledger/ledger_curve.h"
#include "base/excerpt.h"
#include "probity/experimental/ledgers.h"

#include <stdlib.h>
#include <string.h>

#include "certificate/ledger/ledger.h"
#include "io/file.h"
#include "loss/convert/convert.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/enclosure.h"
#include "probity/rational.h"

enum { PREC = 128, DIGITS = 15 };

/* ---- the divergence of an order ----------------------------------------------------------------- */

/* g = (a - 1) D_a, which is convex in a, and 0 at a = 1 */
static void moment(fmpq_t g, const pby_known *k, size_t i)
{
    fmpq_sub_si(g, k->at + i, 1);
    fmpq_mul(g, g, k->most + i);
}

/* out = the slope from point (a, g) to point i */
static void slope_to(fmpq_t out, const fmpq_t a, const fmpq_t g, const pby_known *k, size_t i)
{
    PBY_FMPQ(run);
    moment(out, k, i);
    fmpq_sub(out, out, g);
    fmpq_sub(run, k->at + i, a);
    fmpq_div(out, out, run);
}

/* Walks the lower convex hull of (1, 0) and the points (a, g), edge by edge, to the edge above the order. */
bool pby_known_at(fmpq_t out, const pby_known *k, const fmpq_t order)
{
    if (fmpq_cmp(order, k->at + k->count - 1) > 0)
        return false;
    PBY_FMPQ(a, g, least, slope);
    fmpq_one(a);
    for (size_t next = 0; fmpq_cmp(a, order) < 0;) {
        size_t end = next;
        slope_to(least, a, g, k, next);
        for (size_t i = next + 1; i < k->count; i++) {
            slope_to(slope, a, g, k, i);
            if (fmpq_cmp(slope, least) <= 0) {
                fmpq_swap(slope, least);
                end = i;
            }
        }
        if (fmpq_cmp(k->at + end, order) >= 0) {
            fmpq_sub(slope, order, a);
            fmpq_addmul(g, least, slope);
            fmpq_set(a, order);
        } else {
            fmpq_set(a, k->at + end);
            moment(g, k, end);
            next = end + 1;
        }
    }
    fmpq_sub_si(a, order, 1);
    fmpq_div(out, g, a);
    return true;
}

/* A decimal not below x, unless x is a number of the file itself: those have a text that can be read. */
static void round_up(fmpq_t x, const pby_known *k)
{
    for (size_t i = 0; i < k->count; i++)
        if (fmpq_equal(x, k->most + i))
            return;
    char text[PBY_DECIMAL_SIZE];
    PBY_MPQ(q);
    PBY_MPFR(PREC, up);
    fmpq_get_mpq(q, x);
    mpfr_set_q(up, q, MPFR_RNDU);
    pby_decimal(text, up, DIGITS, false);
    if (pby_rational_parse(q, "divergence", text, NULL) == PBY_OK)
        fmpq_set_mpq(x, q);
}

/* ---- shares of the budget ----------------------------------------------------------------------- */

/* The limits of a ledger's charges; a share that is not positive is that of a point which does not fit. */
struct limits {
    const pby_ledger *ledger;
    arb_t bound, delta;
    bool some_delta;
    fmpq_t order;
};

/* The rho that the budget of PBY_FILTER_APPROX is about worth: E = r + 2 sqrt(r log(1/D')). */
static void worth_rho(arb_t out, const pby_ledger *l)
{
    PBY_ARB(log);
    PBY_MPQ(rest);
    PBY_FMPQ(q);
    mpq_mul(rest, l->delta, l->split);
    mpq_sub(rest, l->delta, rest);
    fmpq_set_mpq(q, rest);
    arb_set_fmpq(log, q, PREC);
    arb_log(log, log, PREC);
    arb_neg(log, log);
    fmpq_set_mpq(q, l->bound);
    arb_set_fmpq(out, q, PREC);
    arb_add(out, out, log, PREC);
    arb_sqrt(out, out, PREC);
    arb_sqrt(log, log, PREC);
    arb_sub(out, out, log, PREC);
    arb_sqr(out, out, PREC);
}

static void limits_init(struct limits *x, const pby_ledger *l)
{
    PBY_FMPQ(q);
    PBY_MPQ(part);
    x->ledger = l;
    arb_init(x->bound);
    arb_init(x->delta);
    fmpq_init(x->order);
    fmpq_set_mpq(x->order, l->order);
    fmpq_set_mpq(q, l->bound);
    arb_set_fmpq(x->bound, q, PREC);
    mpq_set(part, l->delta);
    if (l->filter == PBY_FILTER_APPROX) {
        worth_rho(x->bound, l);
        mpq_mul(part, part, l->split);
    }
    x->some_delta = mpq_sgn(part) > 0;
    fmpq_set_mpq(q, part);
    arb_set_fmpq(x->delta, q, PREC);
}

static void limits_clear(struct limits *x)
{
    fmpq_clear(x->order);
    arb_clear(x->delta);
    arb_clear(x->bound);
}

/* Sets out to the charge of (epsilon, .)-privacy beside delta. */
static void charge_of(arb_t out, const fmpq_t epsilon, const struct limits *x)
{
    PBY_ARB(e);
    arb_set_fmpq(e, epsilon, PREC);
    if (x->ledger->filter == PBY_FILTER_NONE)
        arb_set(out, e);
    else if (x->ledger->filter == PBY_FILTER_RENYI)
        pby_convert_pure_renyi(out, e, x->order, PBY_SHARP, PREC);
    else
        pby_convert_pure_rho(out, e, PBY_SHARP, PREC);
}

/* The greater share of the two limits; false where the point does not fit at all. */
static bool delta_share(arb_t out, const pby_known *k, size_t i, const struct limits *x)
{
    if (fmpq_is_zero(k->at + i) || (!fmpq_is_zero(k->most + i) && !x->some_delta))
        return false;
    charge_of(out, k->at + i, x);
    arb_div(out, out, x->bound, PREC);
    if (x->some_delta) {
        PBY_ARB(other);
        arb_set_fmpq(other, k->most + i, PREC);
        arb_div(other, other, x->delta, PREC);
        arb_max(out, out, other, PREC);
    }
    return true;
}

/* D over E - (log(1/delta) + (a-1) log(1-1/a) - log a)/(a-1), what the budget allows at the order a. */
static bool renyi_share(arb_t out, const pby_known *k, size_t i, const struct limits *x)
{
    if (!x->some_delta)
        return false;
    PBY_ARB(a, less, term);
    arb_set_fmpq(a, k->at + i, PREC);
    arb_sub_ui(less, a, 1, PREC);
    arb_div(term, less, a, PREC);
    arb_log(term, term, PREC);
    arb_mul(out, less, term, PREC);
    arb_log(term, x->delta, PREC);
    arb_sub(out, out, term, PREC);
    arb_log(term, a, PREC);
    arb_sub(out, out, term, PREC);
    arb_div(out, out, less, PREC);
    arb_sub(out, x->bound, out, PREC);
    const bool fits = arb_is_positive(out);
    arb_set_fmpq(term, k->most + i, PREC);
    arb_div(out, term, out, PREC);
    return fits;
}

/* The place of the least share; k->count where no point fits. */
static size_t least_share(const pby_known *k, const pby_ledger *ledger)
{
    struct limits x;
    size_t found = k->count;
    limits_init(&x, ledger);
    PBY_ARB(share, best);
    for (size_t i = 0; i < k->count; i++) {
        const bool fits = k->renyi ? renyi_share(share, k, i, &x) : delta_share(share, k, i, &x);
        if (fits && (found == k->count || arf_cmp(arb_midref(share), arb_midref(best)) < 0)) {
            arb_swap(best, share);
            found = i;
        }
    }
    limits_clear(&x);
    return found;
}

/* ---- the spec ----------------------------------------------------------------------------------- */

static pby_status make(pby_spec **out, const pby_known *k, const fmpq_t at, const fmpq_t most, pby_error *err)
{
    pby_mechanism m;
    pby_mechanism_init(&m, k->renyi ? &pby_family_rdp : &pby_family_approx);
    const size_t asked = pby_family_with(m.family, k->renyi ? PBY_ROLE_ORDER : PBY_ROLE_EPSILON);
    const size_t promised = pby_family_with(m.family, k->renyi ? PBY_ROLE_EPSILON : PBY_ROLE_DELTA);
    const size_t curve = pby_family_with(m.family, PBY_ROLE_CURVE);
    fmpq_set(&m.value[asked], at);
    fmpq_set(&m.value[promised], most);
    fmpq_one(&m.value[curve]);
    fmpz_set_str(fmpq_numref(&m.value[curve]), k->digest.sha256, 16);
    pby_status status = pby_mechanism_complete(&m, 1u << asked | 1u << promised | 1u << curve, err);
    if (status == PBY_OK)
        status = pby_spec_of(out, &m, 1, err);
    pby_mechanism_clear(&m);
    return status;
}

static pby_status at_the_order(pby_spec **out, const pby_known *k, const pby_ledger *ledger, pby_error *err)
{
    PBY_FMPQ(order, most);
    fmpq_set_mpq(order, ledger->order);
    pby_status status = PBY_OK;
    if (pby_known_at(most, k, order)) {
        round_up(most, k);
        status = make(out, k, order, most, err);
    } else {
        status = pby_fail(err, PBY_BAD,
                          "expected an order of at least that of the ledger, whose accounting is %s",
                          PBY_EXCERPT(ledger->mode));
    }
    return status;
}

pby_status pby_known_spec(pby_spec **out, const pby_known *k, const pby_ledger *ledger, pby_error *err)
{
    *out = NULL;
    if (k->renyi && ledger->filter == PBY_FILTER_RENYI)
        return at_the_order(out, k, ledger, err);
    if (k->renyi && ledger->accounting != PBY_COMPOSE_EXACT)
        return pby_fail(err, PBY_BAD,
                        "expected epsilon,delta: divergences up to some order are charged by exact and renyi "
                        "accounting, and the ledger's is %s",
                        PBY_EXCERPT(ledger->mode));
    const size_t i = least_share(k, ledger);
    if (i == k->count)
        return pby_fail(err, PBY_BAD,
                        k->renyi ? "expected an order at which the ledger's epsilon and delta allow any "
                                   "divergence; no order of the curve is"
                                 : "expected an epsilon above 0 whose delta the ledger can be charged; its "
                                   "budget has none for deltas");
    return make(out, k, k->at + i, k->most + i, err);
}

/* ---- the ledger --------------------------------------------------------------------------------- */

pby_status pby_ledger_curve(pby_spec **out, const pby_ledger *ledger, const char *path, pby_error *err)
{
    *out = NULL;
    pby_known known;
    char *text;
    size_t size;
    pby_status status = pby_file_read(&text, &size, path, PBY_KNOWN_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    pby_error why = PBY_NO_ERROR;
    status = pby_known_parse(&known, text, size, &why);
    if (status == PBY_OK)
        status = pby_known_spec(out, &known, ledger, &why);
    pby_known_clear(&known);
    free(text);
    return status == PBY_OK ? PBY_OK : pby_fail(err, status, "curve '%.200s': %.600s", path, why.text);
}

pby_status pby_ledger_spend_curve(pby_ledger *ledger, const char *path, pby_error *err)
{
    pby_spec *spec;
    pby_status status = pby_ledger_curve(&spec, ledger, path, err);
    if (status != PBY_OK)
        return status;
    PBY_MPQ(epsilon);
    const pby_mechanism *m = &spec->use[0].mechanism;
    fmpq_get_mpq(epsilon, pby_mechanism_value(m, PBY_ROLE_EPSILON));
    status = pby_ledger_spend(ledger, spec, m->family == &pby_family_approx ? epsilon : NULL, err);
    pby_spec_free(spec);
    return status;
}
