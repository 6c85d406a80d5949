/* SPDX-License-Identifier: MIT */
#include "select/approach.h"

#include "loss/compose/parts.h"
#include "mechanism/family.h"
#include "number/scoped.h"
#include "probity/loss.h"
#include "select/refine.h"

/* The first width is the usual one, the second half of it: what some neighbours lose is told sharply from
 * there on, at a thirtieth of what a quarter may cost. The grids behind the ladder are as many as select
 * tries. */
enum { WIDTH_FIRST = 100, ROUNDS = 7, HALF = 1, QUARTER = 2, GRID_ROUNDS = 6, SHOWN_DIGITS = 20 };

/* ---- two enclosures of one number --------------------------------------------------------------- */

pby_status pby_enclosures_contradict(const pby_enclosure *x, const pby_enclosure *y, pby_error *err)
{
    char text[4][PBY_DECIMAL_SIZE];
    pby_decimal(text[0], x->lo, SHOWN_DIGITS, true);
    pby_decimal(text[1], x->hi, SHOWN_DIGITS, false);
    pby_decimal(text[2], y->lo, SHOWN_DIGITS, true);
    pby_decimal(text[3], y->hi, SHOWN_DIGITS, false);
    return pby_fail(err, PBY_FAILED,
                    "the two computations of delta contradict each other: [%.40s, %.40s] and [%.40s, %.40s] "
                    "have no number in common",
                    text[0], text[1], text[2], text[3]);
}

bool pby_enclosures_are_apart(const pby_enclosure *x, const pby_enclosure *y)
{
    return mpfr_less_p(x->hi, y->lo) || mpfr_less_p(y->hi, x->lo);
}

static void take(mpfr_t end, mpfr_srcptr other)
{
    mpfr_set_prec(end, mpfr_get_prec(other));
    mpfr_set(end, other, MPFR_RNDN);
}

pby_status pby_enclosure_meet(pby_enclosure *x, const pby_enclosure *y, pby_error *err)
{
    if (pby_enclosures_are_apart(x, y))
        return pby_enclosures_contradict(x, y, err);
    if (mpfr_greater_p(y->lo, x->lo))
        take(x->lo, y->lo);
    if (mpfr_less_p(y->hi, x->hi))
        take(x->hi, y->hi);
    return PBY_OK;
}

/* ---- what is wanted ----------------------------------------------------------------------------- */

bool pby_approach_inside(const pby_enclosure *delta, const pby_approached *q)
{
    return mpfr_lessequal_p(delta->hi, q->hi) && (q->lo == NULL || mpfr_lessequal_p(q->lo, delta->lo));
}

bool pby_approach_beside(const pby_enclosure *delta, const pby_approached *q)
{
    return mpfr_greater_p(delta->lo, q->hi) || (q->lo != NULL && mpfr_less_p(delta->hi, q->lo));
}

static bool is_told(const pby_enclosure *delta, const void *q)
{
    return pby_approach_inside(delta, q) || pby_approach_beside(delta, q);
}

bool pby_approach_exact(const pby_enclosure *delta, unsigned digits)
{
    enum { FEW = 5 };
    mpfr_t width, most;
    mpfr_inits2(mpfr_get_prec(delta->hi), width, most, (mpfr_ptr)0);
    mpfr_sub(width, delta->hi, delta->lo, MPFR_RNDU);
    mpfr_ui_pow_ui(most, 10, digits > FEW ? digits - FEW : 0, MPFR_RNDU);
    mpfr_div(most, delta->hi, most, MPFR_RNDD);
    const bool exact = mpfr_lessequal_p(width, most);
    mpfr_clears(width, most, (mpfr_ptr)0);
    return exact;
}

/* ---- the ladder --------------------------------------------------------------------------------- */

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written through the options. */
static pby_status ask_delta(pby_enclosure *delta, bool *wider, const pby_approached *q, mpq_srcptr width,
                            pby_error *err)
{
    const pby_loss_options options = {.digits = q->digits, .width = width, .wider = wider};
    return pby_loss(delta, PBY_ASK_DELTA, q->spec, q->relation, q->epsilon, &options, err);
}

/* True if more was refused, for want of memory or of precision: what was known then stays. A contradiction is
 * no refusal. */
static bool is_refused(pby_status status, const pby_error *why)
{
    return status == PBY_BAD || (status == PBY_FAILED && why->reason != PBY_REASON_INTERNAL);
}

/* A narrower answer, if there is one; *none where it was refused. */
static pby_status ask_more(pby_enclosure *delta, bool *wider, bool *none, const pby_approached *q,
                           mpq_srcptr width, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_enclosure next;
    pby_enclosure_init(&next);
    pby_status status = ask_delta(&next, wider, q, width, &why);
    *none = is_refused(status, &why);
    if (status == PBY_OK)
        status = pby_enclosure_meet(delta, &next, err);
    else if (!*none && err != NULL)
        *err = why;
    pby_enclosure_clear(&next);
    return *none ? PBY_OK : status;
}

/* True if the worst neighbours are not known, so that no width brings the two ends together. */
static bool is_between(const pby_spec *spec, pby_neighbours relation)
{
    pby_parts parts;
    bool between = pby_parts_of_spec(&parts, spec, relation, NULL) == PBY_OK &&
                   !pby_parts_are_reached(&parts);
    for (size_t i = 0; i < spec->count; i++)
        between = between || pby_mechanism_loose(&spec->use[i].mechanism);
    pby_parts_clear(&parts);
    return between;
}

/* True if a > b (1 + width). */
static bool is_beyond(mpfr_srcptr a, mpfr_srcptr b, mpq_srcptr width)
{
    PBY_MPFR(mpfr_get_prec(b), most);
    mpfr_mul_q(most, b, width, MPFR_RNDU);
    mpfr_add(most, most, b, MPFR_RNDU);
    return mpfr_greater_p(a, most);
}

/* Each end is then within the width of a number of its own, to which finer grids would bring it: that number
 * lies outside the interval. */
static bool is_hopeless(const pby_enclosure *delta, const pby_approached *q, mpq_srcptr width)
{
    return is_beyond(delta->hi, q->hi, width) || (q->lo != NULL && is_beyond(q->lo, delta->lo, width));
}

/* Rungs of the ladder behind the first; *done where more would be in vain. */
static pby_status climb(pby_enclosure *delta, bool *done, const pby_approached *q, bool between, mpq_t width,
                        pby_error *err)
{
    bool wider = false, none = false;
    pby_status status = PBY_OK;
    for (int i = 0; i < ROUNDS && !*done && !none && status == PBY_OK; i++) {
        mpq_div_2exp(width, width, i == 0 ? HALF : QUARTER);
        status = ask_more(delta, &wider, &none, q, width, err);
        *done = is_told(delta, q) || pby_approach_exact(delta, q->digits) ||
                (between && is_hopeless(delta, q, width));
        none = none || (wider && !between);
    }
    if (status == PBY_OK && !*done && q->finest != NULL && mpq_cmp(q->finest, width) < 0)
        status = ask_more(delta, &wider, &none, q, q->finest, err);
    return status;
}

/* Returns true if the bounds of the dominating pairs alone are told from the upper end. */
static bool is_upper_told(const pby_enclosure *bounds, const void *q)
{
    const pby_approached *asked = q;
    return mpfr_lessequal_p(bounds->hi, asked->hi) || mpfr_greater_p(bounds->lo, asked->hi);
}

/* A closer upper end, of what dominates the uses: a sharp lower one, which the ladder brings too, may cost a
 * hundred times as much. *done where that shows that no grid brings the upper end down far enough. */
static pby_status lower_upper_end(pby_enclosure *delta, bool *done, const pby_approached *q, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_enclosure bounds;
    pby_enclosure_init(&bounds);
    pby_status status = pby_refine_bound(&bounds, q->spec, q->relation, q->epsilon, q->hi, GRID_ROUNDS,
                                         is_upper_told, q, &why);
    const bool none = is_refused(status, &why);
    if (status == PBY_OK) {
        *done = mpfr_greater_p(bounds.lo, q->hi);
        mpfr_set_zero(bounds.lo, 1);
        status = pby_enclosure_meet(delta, &bounds, err);
    } else if (!none && err != NULL) {
        *err = why;
    }
    pby_enclosure_clear(&bounds);
    return none ? PBY_OK : status;
}

/* The grids by which select judges several uses. */
static pby_status refine(pby_enclosure *delta, const pby_approached *q, pby_error *err)
{
    pby_error why = PBY_NO_ERROR;
    pby_enclosure bounds;
    pby_enclosure_init(&bounds);
    mpfr_set_zero(bounds.lo, 1);
    mpfr_set_ui(bounds.hi, 1, MPFR_RNDU);
    pby_status status =
        pby_refine(&bounds, q->spec, q->relation, q->epsilon, q->hi, GRID_ROUNDS, is_told, q, &why);
    if (status == PBY_OK || is_refused(status, &why))
        status = pby_enclosure_meet(delta, &bounds, err);
    else if (err != NULL)
        *err = why;
    pby_enclosure_clear(&bounds);
    return status;
}

pby_status pby_approach(pby_enclosure *delta, const pby_approached *q, pby_error *err)
{
    bool wider = false, done;
    PBY_MPQ(width);
    mpq_set_ui(width, 1, WIDTH_FIRST);
    pby_status status = ask_delta(delta, &wider, q, width, err);
    done = status != PBY_OK || is_told(delta, q) || pby_approach_exact(delta, q->digits);
    const bool between = !done && is_between(q->spec, q->relation);
    if (between && !pby_spec_is_single(q->spec) && mpfr_greater_p(delta->hi, q->hi)) {
        status = lower_upper_end(delta, &done, q, err);
        done = done || is_told(delta, q);
    }
    if (status == PBY_OK && !done)
        status = climb(delta, &done, q, between, width, err);
    if (status == PBY_OK && !done && !is_told(delta, q) && !pby_spec_is_single(q->spec))
        status = refine(delta, q, err);
    return status;
}
