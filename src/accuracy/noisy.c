/* SPDX-License-Identifier: MIT */
/* Noise that may go too far, and thresholds.
 *
 * A bar that a threshold T takes away holds at most T - 1 + r records unless its noise is below -r.
 * docs/theory/accuracy.md derives each alpha from that. */
#include "accuracy/accuracy.h"
#include "accuracy/chance.h"
#include "accuracy/row.h"
#include "number/integer.h"
#include "number/scoped.h"
#include "number/text.h"

/* A mechanism in the terms that its accuracy has. */
struct model {
    pby_noise gate, main; /* of the threshold, and of the counts */
    uint64_t below;       /* T - 1 */
    uint64_t bar_loss;    /* of stlap behind a threshold */
    mpq_t unit;           /* the error of a step */
    int64_t least;        /* the fewest steps that may be asked for: rounding alone may take so many */
    const fmpq *most;     /* the most steps that are published; NULL where there is no such */
    bool shrinks;         /* stlap behind the threshold: true counts go in, and only records go */
};

static void model_init(struct model *m)
{
    *m = (struct model){.most = NULL};
    mpq_init(m->unit);
    mpq_set_ui(m->unit, 1, 1);
}

static void model_clear(struct model *m)
{
    pby_law_free(m->gate.law);
    pby_law_free(m->main.law);
    mpq_clear(m->unit);
}

/* ---- what a mechanism does ----------------------------------------------------------------------- */

static pby_status make_noise(pby_noise *out, const pby_mechanism *m, int sides, pby_error *err)
{
    out->sides = sides;
    return m->family->law(&out->law, m, err);
}

static pby_status make_gate(struct model *out, const pby_mechanism *m, int sides, pby_error *err)
{
    out->below = fmpz_get_ui(fmpq_numref(pby_mechanism_value(m, PBY_ROLE_LEAST))) - 1;
    return make_noise(&out->gate, m, sides, err);
}

static void make_steps(struct model *out, const pby_mechanism *m)
{
    out->most = pby_mechanism_value(m, PBY_ROLE_MOST);
    const fmpq *grid = pby_mechanism_value(m, PBY_ROLE_GRID);
    if (grid != NULL) {
        fmpq_get_mpq(out->unit, grid);
        mpq_div_2exp(out->unit, out->unit, 1); /* the query is rounded to the grid first */
        out->main.halves = true;
        out->least = 1;
    }
}

static pby_status make_behind(struct model *out, const pby_mechanism *m, pby_error *err)
{
    const pby_accuracy_row *row;
    pby_status status = pby_accuracy_row_of(&row, m, err);
    if (status != PBY_OK)
        return status;
    make_steps(out, m);
    out->shrinks = row->kind == PBY_ACCURACY_DROPS;
    status = make_noise(&out->main, m, out->shrinks ? 0 : 2, err);
    if (status == PBY_OK && out->shrinks)
        out->bar_loss = (uint64_t)-out->main.law->lo;
    return status;
}

static pby_status make_model(struct model *out, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    const pby_accuracy_row *row;
    pby_accuracy_kind kind;
    pby_status status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK)
        status = pby_accuracy_row_of(&row, m, err);
    if (status != PBY_OK)
        return status;
    switch (kind) {
    case PBY_ACCURACY_NOISY:
    case PBY_ACCURACY_QUERY:
        make_steps(out, m);
        return make_noise(&out->main, m, 2, err);
    case PBY_ACCURACY_GATED:
        return make_gate(out, m, 2, err);
    case PBY_ACCURACY_BEHIND:
        status = make_gate(out, m, 1, err);
        return status == PBY_OK ? make_behind(out, &spec->use[1].mechanism, err) : status;
    case PBY_ACCURACY_DROPS:
    case PBY_ACCURACY_HIDES:
    case PBY_ACCURACY_CHOICE:
    case PBY_ACCURACY_SHARE:
    case PBY_ACCURACY_MEAN:
    case PBY_ACCURACY_STREAM:
    case PBY_ACCURACY_POINT:
    case PBY_ACCURACY_TOTALS:
        break;
    }
    return pby_family_lacks(m, "noise that may go too far", err);
}

/* ---- the reach that is asked for ----------------------------------------------------------------- */

/* floor(beta/unit), the steps that an error of beta allows. */
static pby_status steps_of(int64_t *reach, const struct model *m, mpq_srcptr beta, pby_error *err)
{
    PBY_MPQ(steps);
    PBY_MPZ(whole);
    mpq_div(steps, beta, m->unit);
    mpz_fdiv_q(whole, mpq_numref(steps), mpq_denref(steps));
    const bool fits = mpz_sizeinbase(whole, 2) < 62 && pby_integer_signed(whole) >= m->least;
    *reach = fits ? pby_integer_signed(whole) : 0;
    return fits ? PBY_OK : pby_refuse_mpq(err, "beta", beta, "at least the rounding, and below 2^61 steps");
}

static pby_status check_asked(const struct model *m, mpq_srcptr beta, mpq_srcptr gamma, pby_error *err)
{
    const bool ends = m->gate.law == NULL && pby_law_bounded_below(m->main.law);
    if (beta != NULL && mpq_sgn(beta) < 0)
        return pby_refuse_mpq(err, "beta", beta, "a rational from 0 on");
    if (gamma != NULL && (mpq_sgn(gamma) < 0 || mpq_cmp_ui(gamma, 1, 1) > 0))
        return pby_refuse_mpq(err, "gamma", gamma, "a rational from 0 to 1");
    if (gamma != NULL && mpq_sgn(gamma) == 0 && !ends)
        return pby_refuse_mpq(err, "gamma", gamma, "one above 0: the noise has no end");
    if (beta == NULL && gamma == NULL && m->most == NULL)
        return pby_fail(err, PBY_BAD, "beta: expected this or gamma, since the noise has no end");
    return PBY_OK;
}

static pby_status find_reach(pby_miss *miss, const struct model *m, mpq_srcptr beta, mpq_srcptr gamma,
                             pby_error *err)
{
    pby_status status = check_asked(m, beta, gamma, err);
    if (status != PBY_OK)
        return status;
    const int64_t most = m->most == NULL ? INT64_MAX : fmpz_get_si(fmpq_numref(m->most));
    if (gamma != NULL)
        status = pby_miss_reach(miss, m->least, gamma, err);
    else if (beta != NULL)
        status = steps_of(&miss->reach, m, beta, err);
    else
        miss->reach = most;
    if (status == PBY_OK && miss->reach > most && gamma != NULL)
        return pby_refuse_mpq(err, "gamma", gamma, "at least the chance that nothing is published");
    miss->reach = FLINT_MIN(miss->reach, most);
    return status;
}

/* ---- accuracies ---------------------------------------------------------------------------------- */

void pby_noisy_accuracy_init(pby_noisy_accuracy *a)
{
    pby_accuracy_init(&a->release);
    pby_accuracy_init(&a->kept);
    pby_accuracy_init(&a->seen);
    pby_enclosure_init(&a->chance);
    pby_enclosure_init(&a->lost);
    a->gated = a->shrinks = a->recounts = false;
    a->reach = a->hidden = 0;
}

void pby_noisy_accuracy_clear(pby_noisy_accuracy *a)
{
    pby_accuracy_clear(&a->release);
    pby_accuracy_clear(&a->kept);
    pby_accuracy_clear(&a->seen);
    pby_enclosure_clear(&a->chance);
    pby_enclosure_clear(&a->lost);
}

/* A bar of at most `small` records may go, whole or but for `kept`; a larger one loses `large`. */
static void drop(pby_accuracy *out, const pby_input_class *inputs, uint64_t small, uint64_t kept,
                 uint64_t large)
{
    const pby_bar_loss loss = {small, kept, large};
    pby_drop_of(out->alpha.value, inputs, &loss);
}

/* Sets out->release, the accuracy of the published histogram. A bar that does not pass is published as 0, and
 * keeps min(x, reach) of its records, which is within reach of that; with stlap behind it no error is needed,
 * and it is dropped whole. */
static void publish(pby_noisy_accuracy *out, const struct model *m, int64_t reach,
                    const pby_input_class *inputs)
{
    pby_accuracy *release = &out->release;
    out->reach = (uint64_t)reach;
    out->hidden = m->gate.law == NULL ? 0 : m->below + out->reach;
    out->shrinks = m->shrinks;
    out->recounts = m->main.sides > 0;
    if (m->shrinks) {
        out->hidden = FLINT_MAX(out->hidden, m->bar_loss);
        drop(release, inputs, out->hidden, 0, m->bar_loss);
        mpq_set_ui(release->beta.value, 0, 1);
    } else {
        drop(release, inputs, out->hidden, FLINT_MIN(out->hidden, out->reach), 0);
        mpq_set_ui(release->beta.value, 0, 1);
        pby_integer_set(mpq_numref(release->beta.value), out->reach);
        mpq_mul(release->beta.value, release->beta.value, m->unit);
    }
    release->alpha.infinite = release->beta.infinite = false;
}

/* A chance that was asked to be at most `asked` is not told as more. */
static pby_status print_chance(pby_enclosure *out, mpq_t gamma, const pby_miss *miss, mpq_srcptr asked,
                               unsigned digits, pby_error *err)
{
    const pby_status status = pby_miss_chance(out, gamma, miss, digits, err);
    if (status == PBY_OK && asked != NULL && mpq_cmp(gamma, asked) > 0)
        mpq_set(gamma, asked);
    return status;
}

/* Sets out->kept, for the bars that pass, and out->seen, for those that are published: a bar that is not is
 * dropped whole. Noise behind the threshold may take one of at most reach records away as well. */
static pby_status keep(pby_noisy_accuracy *out, const struct model *m, const pby_miss *miss,
                       const pby_input_class *inputs, mpq_srcptr asked, unsigned digits, pby_error *err)
{
    const pby_miss lost = {{{m->gate.law, 1, false}}, miss->bars, miss->reach};
    const pby_status status = print_chance(&out->lost, out->kept.gamma, &lost, asked, digits, err);
    drop(&out->kept, inputs, m->below + out->reach, 0, 0);
    drop(&out->seen, inputs, out->hidden, 0, 0);
    mpq_set(out->seen.gamma, out->recounts ? out->release.gamma : out->kept.gamma);
    return status;
}

/* Answers for mechanisms that publish no histogram. */
static pby_status print_other(pby_noisy_accuracy *out, const pby_spec *spec, pby_accuracy_kind kind,
                              const pby_input_class *inputs, mpq_srcptr beta, mpq_srcptr gamma,
                              unsigned digits, pby_error *err)
{
    const pby_mechanism *m = &spec->use[0].mechanism;
    if (beta == NULL && gamma == NULL)
        return pby_fail(err, PBY_BAD, "beta: expected this or gamma");
    if (beta != NULL && mpq_sgn(beta) < 0)
        return pby_refuse_mpq(err, "beta", beta, "a rational from 0 on");
    if (kind == PBY_ACCURACY_STREAM)
        return pby_accuracy_of_stream(out, spec, inputs->support, beta, gamma, digits, err);
    if (kind == PBY_ACCURACY_TOTALS)
        return pby_accuracy_of_totals(out, m, beta, gamma, digits, err);
    return kind == PBY_ACCURACY_CHOICE || kind == PBY_ACCURACY_POINT
               ? pby_accuracy_of_choice(out, m, inputs->support, beta, gamma, digits, err)
               : pby_accuracy_of_share(out, m, inputs->n, beta, gamma, digits, err);
}

pby_status pby_accuracy_noisy(pby_noisy_accuracy *out, const pby_spec *spec, const pby_input_class *inputs,
                              mpq_srcptr beta, mpq_srcptr gamma, unsigned digits, pby_error *err)
{
    struct model m;
    pby_accuracy_kind kind;
    pby_status status = pby_inputs_check(inputs, err);
    if (status == PBY_OK)
        status = pby_accuracy_kind_of(&kind, spec, err);
    if (status == PBY_OK && !pby_accuracy_is_histogram(kind))
        return print_other(out, spec, kind, inputs, beta, gamma, digits, err);
    model_init(&m);
    if (status == PBY_OK && inputs->width != NULL && mpq_sgn(inputs->width) != 0)
        status = pby_refuse_mpq(err, "width", inputs->width, "0: this error is one of counts");
    if (status == PBY_OK)
        status = make_model(&m, spec, err);
    out->gated = m.gate.law != NULL;
    /* a threshold gives noise to occupied bars alone, and n records occupy no more than n */
    pby_miss miss = {
        {m.gate, m.main}, out->gated ? FLINT_MIN(inputs->support, inputs->n) : inputs->support, 0};
    if (status == PBY_OK)
        status = find_reach(&miss, &m, beta, gamma, err);
    if (status == PBY_OK)
        publish(out, &m, miss.reach, inputs);
    if (status == PBY_OK)
        status = print_chance(&out->chance, out->release.gamma, &miss, gamma, digits, err);
    if (status == PBY_OK && out->gated)
        status = keep(out, &m, &miss, inputs, gamma, digits, err);
    model_clear(&m);
    return status;
}
