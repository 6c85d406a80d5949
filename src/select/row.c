#include "select/row.h"

#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "probity/loss.h"
#include "select/judge.h"

enum { DIGITS = 30, INTEGER_LAST = 1 << 17, SCAN_LAST = 1 << 12 };

/* The parameters of the families below; bound, q, T and L are the second ones. */
enum { EPS = 0, SENSITIVITY = 2 };

static int64_t from_one(const pby_mechanism *m)
{
    (void)m;
    return 1;
}

/* From 3 on the two ends of the law lie on either side of its middle. */
static int64_t stlap_from(const pby_mechanism *m)
{
    (void)m;
    return 3;
}

/* Only the shift by one is known to be in order; otherwise every bound is asked. */
static int64_t tgeometric_from(const pby_mechanism *m)
{
    return pby_mechanism_natural(m, SENSITIVITY) == 1 ? 1 : SCAN_LAST + 1;
}

/* As long as the two intervals have no point in common, longer ones suppress less. */
static int64_t range_from(const pby_mechanism *m)
{
    return pby_mechanism_natural(m, SENSITIVITY);
}

/* The least integer that is not below spread (log2(1/delta) + 60)/eps: what a law of rate eps/spread has
 * beyond it is less than 2^-60 of delta. */
static int64_t horizon(const pby_mechanism *m, const pby_target *target, int64_t spread)
{
    const ulong bits = mpz_sizeinbase(mpq_denref(target->delta), 2) + 60;
    fmpz_t far;
    fmpz_init_set_si(far, spread);
    fmpz_mul_ui(far, far, bits);
    fmpz_mul(far, far, fmpq_denref(&m->value[EPS]));
    fmpz_cdiv_q(far, far, fmpq_numref(&m->value[EPS]));
    const int64_t last = fmpz_cmp_si(far, INTEGER_LAST) < 0 ? fmpz_get_si(far) : INTEGER_LAST;
    fmpz_clear(far);
    return last;
}

static int64_t stlap_last(const pby_mechanism *m, const pby_target *target)
{
    return horizon(m, target, 2);
}

static int64_t sensitive_last(const pby_mechanism *m, const pby_target *target)
{
    const int64_t sensitivity = pby_mechanism_natural(m, SENSITIVITY);
    return sensitivity > INTEGER_LAST ? INTEGER_LAST : horizon(m, target, sensitivity);
}

static int64_t tgeometric_last(const pby_mechanism *m, const pby_target *target)
{
    const int64_t last = sensitive_last(m, target);
    return pby_mechanism_natural(m, SENSITIVITY) == 1 || last < SCAN_LAST ? last : SCAN_LAST;
}

/* ---- the recipes ------------------------------------------------------------------------------ */

/* The paper's delta, as often as the mechanism is used: epsilons and deltas add. The claim is one about
 * the mechanism's own epsilon. */
static pby_status claimed(pby_told *verdict, const pby_spec *one, const pby_spec *all, const pby_target *target,
                          pby_error *err)
{
    (void)all;
    const char *source;
    pby_enclosure delta;
    mpq_t share;
    mpq_init(share);
    pby_enclosure_init(&delta);
    mpq_set_ui(share, target->uses, 1);
    mpq_div(share, target->epsilon, share);
    const pby_status status = pby_loss_claimed(&delta, &source, one, target->relation, share, DIGITS, err);
    *verdict = PBY_BEYOND;
    if (status == PBY_OK && source != NULL) {
        mpq_set_ui(share, target->uses, 1);
        mpq_div(share, target->delta, share);
        *verdict = pby_judge_enclosure(&delta, share);
    }
    pby_enclosure_clear(&delta);
    mpq_clear(share);
    return status;
}

/* The deltas that the mechanism is named by add up. */
static pby_status named(pby_told *verdict, const pby_spec *one, const pby_spec *all, const pby_target *target,
                        pby_error *err)
{
    enum { DELTA = 1 };
    (void)all;
    (void)err;
    fmpq_t delta, sum;
    fmpq_init(delta);
    fmpq_init(sum);
    fmpq_set_mpq(delta, target->delta);
    fmpq_mul_ui(sum, &one->use[0].mechanism.value[DELTA], target->uses);
    *verdict = fmpq_cmp(sum, delta) <= 0 ? PBY_WITHIN : PBY_BEYOND;
    fmpq_clear(sum);
    fmpq_clear(delta);
    return PBY_OK;
}

/* bound >= log(4 uses/delta)/eps + 1, at sensitivity 1. */
static pby_status clipped(pby_told *verdict, const pby_spec *one, const pby_spec *all, const pby_target *target,
                          pby_error *err)
{
    enum { BOUND = 1, PRECISION = 128 };
    (void)all;
    (void)err;
    const pby_mechanism *m = &one->use[0].mechanism;
    *verdict = PBY_BEYOND;
    if (pby_mechanism_natural(m, SENSITIVITY) != 1)
        return PBY_OK;
    arb_t need, have;
    fmpq_t x;
    arb_init(need);
    arb_init(have);
    fmpq_init(x);
    fmpq_set_mpq(x, target->delta);
    fmpq_inv(x, x);
    arb_set_fmpq(need, x, PRECISION);
    arb_mul_ui(need, need, 4 * target->uses, PRECISION);
    arb_log(need, need, PRECISION);
    fmpq_sub_si(x, &m->value[BOUND], 1);
    fmpq_mul(x, x, &m->value[EPS]);
    arb_set_fmpq(have, x, PRECISION);
    if (arb_ge(have, need))
        *verdict = PBY_WITHIN;
    fmpq_clear(x);
    arb_clear(have);
    arb_clear(need);
    return PBY_OK;
}

/* Basic or advanced composition, whichever accepts it. */
static pby_status theorems(pby_told *verdict, const pby_spec *one, const pby_spec *all, const pby_target *target,
                           pby_error *err)
{
    static const pby_composition theorem[] = {PBY_COMPOSE_BASIC, PBY_COMPOSE_ADVANCED};
    (void)one;
    pby_status status = PBY_OK;
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    *verdict = PBY_BEYOND;
    for (size_t i = 0; i < 2 && *verdict != PBY_WITHIN && status == PBY_OK; i++) {
        status = pby_loss_composed(&delta, theorem[i], PBY_ASK_DELTA, all, target->relation, target->epsilon, DIGITS,
                                   err);
        if (status == PBY_OK)
            *verdict = pby_judge_enclosure(&delta, target->delta);
    }
    pby_enclosure_clear(&delta);
    return status;
}

/* rho = k D^2/(2 sigma2), and then the classical conversion. */
static pby_status concentrated(pby_told *verdict, const pby_spec *one, const pby_spec *all,
                               const pby_target *target, pby_error *err)
{
    (void)one;
    enum { SIGMA2, MOVES };
    const pby_use *use = &all->use[0];
    pby_spec *promise = NULL;
    pby_enclosure delta;
    fmpq_t rho;
    char text[512];
    fmpq_init(rho);
    pby_enclosure_init(&delta);
    fmpq_mul(rho, &use->mechanism.value[MOVES], &use->mechanism.value[MOVES]);
    fmpq_div(rho, rho, &use->mechanism.value[SIGMA2]);
    fmpq_div_2exp(rho, rho, 1);
    fmpz_mul_ui(fmpq_numref(rho), fmpq_numref(rho), use->times);
    fmpq_canonicalise(rho);
    char *value = fmpq_get_str(NULL, 10, rho);
    snprintf(text, sizeof text, "zcdp:rho=%s", value);
    flint_free(value);
    const char *texts = text;
    pby_status status = pby_spec_parse(&promise, &texts, 1, err);
    if (status == PBY_OK)
        status = pby_loss_convert(&delta, "zcdp-to-approx-classical", PBY_ASK_DELTA, promise, target->relation,
                                  target->epsilon, DIGITS, err);
    if (status == PBY_OK)
        *verdict = pby_judge_enclosure(&delta, target->delta);
    pby_spec_free(promise);
    pby_enclosure_clear(&delta);
    fmpq_clear(rho);
    return status;
}

/* ---- the rows --------------------------------------------------------------------------------- */

static const pby_select_row rows[] = {
    {.family = "stlap", .parameter = "q", .instead = "tau", .rising = true, .natural = true, .shares = true, .both = true,
     .stride = 2, .ordered_from = stlap_from, .last = stlap_last,
     .monotone = "in steps of two, delta falls as q rises, at every epsilon",
     .recipe = claimed, .source = "(exp(eps)-1)/(2(exp(eps q/2)-1)), epsilon and delta shared by the uses",
     .never_zero = "the ends of the law's range betray the neighbour", .binds = "eps, the rate of the noise,"},
    {.family = "buckethist", .parameter = "q", .rising = true, .natural = true, .shares = true, .both = true, .stride = 2,
     .ordered_from = stlap_from, .last = stlap_last,
     .monotone = "in steps of two, delta falls as q rises, at every epsilon",
     .recipe = claimed, .source = "(exp(eps)-1)/(2(exp(eps q/2)-1)), epsilon and delta shared by the uses",
     .never_zero = "the ends of the law's range betray the neighbour", .binds = "eps, the rate of the noise,"},
    {.family = "tgeometric", .parameter = "bound", .rising = true, .natural = true, .shares = true, .stride = 1,
     .ordered_from = tgeometric_from, .last = tgeometric_last,
     .monotone = "delta falls as the bound rises (at sensitivity 1; otherwise every smaller bound was asked)",
     .recipe = clipped, .source = "bound >= log(4 uses/delta)/eps + 1, eps shared by the uses",
     .never_zero = "the ends of the law's range betray the neighbour", .binds = "eps, the rate of the noise,"},
    {.family = "threshold", .parameter = "T", .rising = true, .natural = true, .shares = true, .stride = 1,
     .ordered_from = from_one, .last = sensitive_last,
     .monotone = "a release under a greater T is a part of one under a smaller T",
     .recipe = claimed, .source = "Thresh/Lemma 5, epsilon and delta shared by the uses",
     .never_zero = "a bar that only one neighbour has may pass", .binds = "eps, the rate of the noise,"},
    {.family = "range", .parameter = "L", .rising = true, .natural = true, .shares = true, .stride = 1,
     .ordered_from = range_from, .last = sensitive_last,
     .monotone = "delta falls as L rises, at every epsilon, from half the sensitivity on",
     .recipe = claimed, .source = "Thresh/Lemma 2, or Theorem 2, which is refuted; epsilon and delta shared by the uses",
     .never_zero = "the ends of an interval's reach betray the neighbour", .binds = "eps, the rate of the noise,"},
    {.family = "partition", .parameter = "delta", .rising = false, .unit = true, .shares = true, .both = true,
     .ordered_from = from_one, .monotone = "at the eps of all uses delta is 1-(1-delta)^uses of the parameter",
     .recipe = named, .source = "epsilon and delta shared by the uses", .composes_as = "approx",
     .never_zero = "a bar that only one neighbour has may be shown", .binds = "eps, or the resolution,"},
    {.family = "geometric", .parameter = "eps", .rising = false, .ordered_from = from_one,
     .monotone = "noise of a smaller eps is noise of a greater one plus more noise",
     .recipe = theorems, .source = "basic or advanced composition of the largest loss"},
    {.family = "laplace", .parameter = "scale", .rising = true, .ordered_from = from_one,
     .monotone = "noise of a greater scale is noise of a smaller one plus more noise",
     .recipe = theorems, .source = "basic or advanced composition of the largest loss"},
    {.family = "dgauss", .parameter = "sigma2", .rising = true, .ordered_from = from_one,
     .recipe = concentrated, .source = "rho = uses D^2/(2 sigma2), epsilon = rho + 2 sqrt(rho log(1/delta))",
     .never_zero = "its loss has no largest value"},
};

const pby_select_row *pby_select_row_find(const char *family, size_t length, pby_error *err)
{
    enum { ROWS = sizeof rows / sizeof *rows, SHOWN = 64 };
    const char *names[ROWS + 1] = {NULL};
    char given[SHOWN];
    for (size_t i = 0; i < ROWS; i++) {
        if (strlen(rows[i].family) == length && memcmp(rows[i].family, family, length) == 0)
            return &rows[i];
        names[i] = rows[i].family;
    }
    snprintf(given, sizeof given, "%.*s", (int)(length < SHOWN ? length : SHOWN), family);
    (void)pby_refuse_name(err, "FAMILY", given, names);
    return NULL;
}
