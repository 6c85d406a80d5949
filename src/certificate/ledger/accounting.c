/* How a ledger holds its entries against its budget.
 *
 * exact             all mechanisms together are one composition
 * basic, filters    every entry has a charge, and the charges add (adding.c)
 */
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/ledger/ledger.h"
#include "mechanism/family.h"
#include "probity/loss.h"
#include "probity/rational.h"

enum { DIGITS = PBY_DIGITS_DEFAULT };

pby_status pby_ledger_overspend(const pby_spec *spec, const char *what, const char *after, mpq_srcptr most,
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

pby_status pby_ledger_gather(pby_spec **out, pby_ledger *ledger, const pby_spec *more, pby_error *err)
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
    pby_status status = pby_ledger_gather(&all, ledger, NULL, err);
    if (status != PBY_OK || all == NULL) {
        set_zero(delta);
        set_zero(epsilon);
        return status;
    }
    if (delta != NULL)
        status = pby_loss_delta(delta, all, ledger->relation, ledger->bound, digits, err);
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
        status = pby_ledger_gather(&all, ledger, spec, err);
    if (status != PBY_OK)
        return status;
    pby_enclosure_init(&delta);
    status = pby_loss_delta(&delta, all, ledger->relation, ledger->bound, DIGITS, err);
    if (status == PBY_OK && mpfr_cmp_q(delta.hi, ledger->delta) > 0) {
        char after[PBY_DECIMAL_SIZE];
        pby_decimal(after, delta.hi, DIGITS, false);
        status = pby_ledger_overspend(spec, "delta", after, ledger->delta, err);
    }
    pby_enclosure_clear(&delta);
    pby_spec_free(all);
    return status;
}

/* ---- each -------------------------------------------------------------------------------------- */

pby_status pby_ledger_spent(pby_enclosure *delta, pby_enclosure *epsilon, pby_ledger *ledger, unsigned digits,
                            pby_error *err)
{
    if (ledger->filter != PBY_FILTER_NONE)
        return pby_fail(
            err, PBY_BAD,
            "ledger: its accounting is %.100s: it guarantees its budget, and nothing that was spent "
            "until an entry",
            ledger->mode);
    return ledger->accounting == PBY_COMPOSE_BASIC ? pby_ledger_charged(epsilon, delta, ledger, err)
                                                   : spent_exactly(delta, epsilon, ledger, digits, err);
}

pby_status pby_ledger_admit(pby_charge *charge, pby_ledger *ledger, const pby_spec *spec,
                            const pby_spec *charged, mpq_srcptr epsilon, pby_error *err)
{
    return ledger->accounting == PBY_COMPOSE_BASIC
               ? pby_adding_admit(charge, ledger, spec, charged, epsilon, err)
               : admit_exactly(ledger, charged, err);
}
