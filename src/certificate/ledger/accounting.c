/* How the entries of a ledger add up.
 *
 * exact   all mechanisms together are one composition
 * basic   every entry was charged an epsilon and a delta, and these add, as rationals: no rounding but the
 * one of each delta to a decimal above it
 */
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/ledger/ledger.h"
#include "mechanism/family.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { DIGITS = PBY_DIGITS_DEFAULT };

static pby_status overspend(const pby_spec *spec, const char *what, const char *after, mpq_srcptr most,
                            pby_error *err)
{
    char *budget = mpq_get_str(NULL, 10, most);
    const pby_status status =
        pby_fail_by(err, PBY_NO, PBY_REASON_BUDGET,
                    "ledger: %.100s would overspend: %s would be up to %.60s, the budget is %.60s",
                    pby_spec_text(spec), what, after, budget);
    free(budget);
    return status;
}

/* ---- exact ------------------------------------------------------------------------------------- */

/* Specs, each for pby_spec_free. */
struct specs {
    pby_spec **spec;
    size_t count, room;
};

static pby_status append_spec(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    struct specs *all = what;
    if (all->count == all->room) {
        const size_t room = 2 * all->room + 16;
        pby_spec **more = reallocarray(all->spec, room, sizeof *more);
        if (more == NULL)
            return pby_no_memory(err);
        all->spec = more;
        all->room = room;
    }
    const pby_status status = pby_spec_parse(&all->spec[all->count], &entry->spec, 1, err);
    all->count += status == PBY_OK;
    return status;
}

/* The uses of all of them, and of `more` unless that is NULL. */
static pby_status join(pby_spec **out, const struct specs *all, const pby_spec *more, pby_error *err)
{
    size_t count = more == NULL ? 0 : more->count;
    for (size_t i = 0; i < all->count; i++)
        count += all->spec[i]->count;
    pby_use *use = calloc(count, sizeof *use), *next = use;
    if (use == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < all->count; i++)
        next = mempcpy(next, all->spec[i]->use, all->spec[i]->count * sizeof *use);
    if (more != NULL)
        memcpy(next, more->use, more->count * sizeof *use);
    const pby_status status = pby_spec_of_uses(out, use, count, err); /* which copies them */
    free(use);
    return status;
}

/* All that was recorded as one spec, and `more` behind it unless that is NULL; *out is NULL when there is
 * nothing. */
static pby_status gather(pby_spec **out, pby_ledger *ledger, const pby_spec *more, pby_error *err)
{
    struct specs all = {.spec = NULL};
    *out = NULL;
    pby_status status = pby_ledger_each(ledger, append_spec, &all, err);
    if (status == PBY_OK && (all.count > 0 || more != NULL))
        status = join(out, &all, more, err);
    for (size_t i = 0; i < all.count; i++)
        pby_spec_free(all.spec[i]);
    free(all.spec);
    return status;
}

static void set_zero(pby_enclosure *x)
{
    if (x != NULL) {
        mpfr_set_zero(x->lo, 1);
        mpfr_set_zero(x->hi, 1);
    }
}

static pby_status spent_exactly(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger,
                                unsigned digits, pby_error *err)
{
    pby_spec *all;
    pby_status status = gather(&all, ledger, NULL, err);
    if (status != PBY_OK || all == NULL) {
        set_zero(delta);
        set_zero(epsilon);
        return status;
    }
    if (delta != NULL)
        status = pby_loss_delta(delta, all, ledger->relation, ledger->epsilon, digits, err);
    if (status == PBY_OK && epsilon != NULL)
        status = pby_loss_epsilon(epsilon, all, ledger->relation, ledger->delta, digits, err);
    pby_spec_free(all);
    return status;
}

/* What has a loss alone and none beside others is refused even as the first entry: nothing could be charged
 * behind it. */
static pby_status check_composes(const pby_spec *spec, pby_error *err)
{
    for (size_t i = 0; i < spec->count; i++) {
        const pby_mechanism *m = &spec->use[i].mechanism;
        pby_error why = {.text = ""};
        if (m->family->composes != NULL && m->family->composes(m, &why) != PBY_OK)
            return pby_fail(err, PBY_BAD, "ledger: nothing could be charged beside this one: %.400s",
                            why.text);
    }
    return PBY_OK;
}

static pby_status admit_exactly(pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    pby_spec *all;
    pby_enclosure delta;
    pby_status status = check_composes(spec, err);
    if (status == PBY_OK)
        status = gather(&all, ledger, spec, err);
    if (status != PBY_OK)
        return status;
    pby_enclosure_init(&delta);
    status = pby_loss_delta(&delta, all, ledger->relation, ledger->epsilon, DIGITS, err);
    if (status == PBY_OK && mpfr_cmp_q(delta.hi, ledger->delta) > 0) {
        char after[PBY_DECIMAL_SIZE];
        pby_decimal(after, delta.hi, DIGITS, false);
        status = overspend(spec, "delta", after, ledger->delta, err);
    }
    pby_enclosure_clear(&delta);
    pby_spec_free(all);
    return status;
}

/* ---- basic ------------------------------------------------------------------------------------- */

struct sums {
    mpq_t epsilon, delta, term;
};

static void sums_init(struct sums *s)
{
    mpq_inits(s->epsilon, s->delta, s->term, (mpq_ptr)0);
}

static void sums_clear(struct sums *s)
{
    mpq_clears(s->epsilon, s->delta, s->term, (mpq_ptr)0);
}

static pby_status add(struct sums *s, const char *epsilon, const char *delta, pby_error *err)
{
    pby_status status = pby_rational_parse(s->term, "ledger entry's epsilon", epsilon, err);
    if (status == PBY_OK) {
        mpq_add(s->epsilon, s->epsilon, s->term);
        status = pby_rational_parse(s->term, "ledger entry's delta", delta, err);
    }
    if (status == PBY_OK)
        mpq_add(s->delta, s->delta, s->term);
    return status;
}

static pby_status add_entry(const pby_ledger_entry *entry, void *what, pby_error *err)
{
    return add(what, entry->epsilon, entry->delta, err);
}

static void enclose(pby_enclosure *x, mpq_srcptr q)
{
    if (x != NULL) {
        mpfr_set_q(x->lo, q, MPFR_RNDD);
        mpfr_set_q(x->hi, q, MPFR_RNDU);
    }
}

/* Both sums are within the budget, since every entry was admitted. */
static pby_status spent_basically(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger,
                                  pby_error *err)
{
    struct sums s;
    sums_init(&s);
    const pby_status status = pby_ledger_each(ledger, add_entry, &s, err);
    enclose(delta, s.delta);
    enclose(epsilon, s.epsilon);
    sums_clear(&s);
    return status;
}

/* A rational text as often as a record may be in a row, in place. */
static pby_status multiply(char **text, unsigned long rows, pby_error *err)
{
    mpq_t q;
    if (rows == 1)
        return PBY_OK;
    mpq_init(q);
    const pby_status status = pby_rational_parse(q, "ledger charge", *text, err);
    if (status == PBY_OK) {
        mpz_mul_ui(mpq_numref(q), mpq_numref(q), rows);
        mpq_canonicalize(q);
        free(*text);
        *text = mpq_get_str(NULL, 10, q);
    }
    mpq_clear(q);
    return status;
}

/* The certified upper bound of the delta at epsilon, both for every row that a record may be in. */
static pby_status price(pby_charge *charge, const pby_ledger *ledger, const pby_spec *spec,
                        mpq_srcptr epsilon, pby_error *err)
{
    char text[PBY_DECIMAL_SIZE];
    pby_enclosure delta;
    pby_enclosure_init(&delta);
    pby_status status = pby_loss_delta(&delta, spec, ledger->relation, epsilon, DIGITS, err);
    if (status == PBY_OK)
        pby_decimal(text, delta.hi, DIGITS, false);
    pby_enclosure_clear(&delta);
    if (status != PBY_OK)
        return status;
    charge->epsilon = mpq_get_str(NULL, 10, epsilon);
    charge->delta = strdup(text);
    status = charge->delta != NULL ? multiply(&charge->epsilon, ledger->rows, err) : pby_no_memory(err);
    return status == PBY_OK ? multiply(&charge->delta, ledger->rows, err) : status;
}

static pby_status compare(const struct sums *s, const pby_ledger *ledger, const pby_spec *spec,
                          pby_error *err)
{
    const bool epsilon = mpq_cmp(s->epsilon, ledger->epsilon) > 0;
    if (!epsilon && mpq_cmp(s->delta, ledger->delta) <= 0)
        return PBY_OK;
    char after[PBY_DECIMAL_SIZE];
    pby_enclosure sum;
    pby_enclosure_init(&sum);
    enclose(&sum, epsilon ? s->epsilon : s->delta);
    pby_decimal(after, sum.hi, DIGITS, false);
    pby_enclosure_clear(&sum);
    return overspend(spec, epsilon ? "epsilon" : "delta", after, epsilon ? ledger->epsilon : ledger->delta,
                     err);
}

/* Whether there is a data set that all entries and the spec are about (pby_spec_of_uses refuses others). */
static pby_status check_one_data_set(pby_ledger *ledger, const pby_spec *spec, pby_error *err)
{
    pby_spec *all;
    const pby_status status = gather(&all, ledger, spec, err);
    pby_spec_free(all);
    return status;
}

static pby_status admit_basically(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec,
                                  const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    struct sums s;
    if (epsilon == NULL || mpq_sgn(epsilon) < 0)
        return pby_fail(err, PBY_BAD,
                        "ledger: its accounting is basic: expected a certificate, which says at which "
                        "epsilon from 0 on a release is charged");
    sums_init(&s);
    pby_status status = check_one_data_set(ledger, charged, err);
    if (status == PBY_OK)
        status = price(charge, ledger, spec, epsilon, err);
    if (status == PBY_OK)
        status = pby_ledger_each(ledger, add_entry, &s, err);
    if (status == PBY_OK)
        status = add(&s, charge->epsilon, charge->delta, err);
    if (status == PBY_OK)
        status = compare(&s, ledger, charged, err);
    sums_clear(&s);
    return status;
}

/* ---- either ------------------------------------------------------------------------------------ */

pby_status pby_ledger_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits,
                            pby_error *err)
{
    return ledger->accounting == PBY_COMPOSE_BASIC ? spent_basically(delta, epsilon, ledger, err)
                                                   : spent_exactly(delta, epsilon, ledger, digits, err);
}

pby_status pby_ledger_admit(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    return ledger->accounting == PBY_COMPOSE_BASIC
               ? admit_basically(charge, ledger, spec, charged, epsilon, err)
               : admit_exactly(ledger, charged, err);
}
