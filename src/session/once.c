/* SPDX-License-Identifier: MIT */
/* Users who report once and keep no memo, many at a time. */
#include <sodium.h>
#include <stdlib.h>

#include "base/status.h"
#include "certificate/ledger/spent.h"
#include "mechanism/rappor/respond.h"
#include "probity/experimental/entropy.h"
#include "probity/experimental/memo.h"
#include "session/session_values.h"

enum { USERS = 1 << 10 }; /* that are drawn for at a time */

struct crowd {
    pby_rappor r;
    pby_responder responder;
    pby_entropy *source;
    bool even; /* the time of a draw tells nothing */
    uint64_t *bits, cohort[USERS];
    char *text;
};

/* The bits of up to USERS values. */
static pby_status encode(struct crowd *c, size_t *n, pby_memo_values *values, pby_error *err)
{
    pby_status status = PBY_OK;
    const char *value;
    size_t length;
    for (*n = 0; *n < USERS && status == PBY_OK && pby_memo_values_next(&value, &length, values); (*n)++) {
        status = pby_rappor_cohort(&c->cohort[*n], &c->r, c->source, err);
        if (status == PBY_OK)
            status = pby_rappor_encode(c->bits + *n * c->responder.words, &c->r, c->cohort[*n], value, length,
                                       err);
    }
    return status;
}

static pby_status report(struct crowd *c, pby_memo_values *values, pby_memo_told *told, void *what,
                         pby_error *err)
{
    pby_status status = PBY_OK;
    size_t n = USERS;
    while (n == USERS && status == PBY_OK) {
        status = encode(c, &n, values, err);
        if (status == PBY_OK)
            status = pby_responder_permanent(&c->responder, c->source, c->even, c->bits, c->bits, n, err);
        if (status == PBY_OK)
            status = pby_responder_report(&c->responder, c->source, c->even, c->bits, c->bits, n, err);
        for (size_t i = 0; i < n && status == PBY_OK; i++) {
            pby_rappor_text(c->text, &c->r, c->cohort[i], c->bits + i * c->responder.words);
            status = told(what, c->text, err);
        }
    }
    return status;
}

static pby_status crowd_init(struct crowd *c, const uint8_t *seed, pby_error *err)
{
    c->even = seed == NULL;
    pby_status status = seed == NULL ? pby_entropy_system(&c->source, err)
                                     : pby_entropy_seeded(&c->source, seed, err);
    if (status == PBY_OK)
        status = pby_responder_init(&c->responder, &c->r, err);
    if (status != PBY_OK)
        return status;
    c->bits = calloc(USERS * c->responder.words, sizeof *c->bits);
    c->text = malloc(pby_rappor_text_size(&c->r));
    return c->bits == NULL || c->text == NULL ? pby_no_memory(err) : PBY_OK;
}

static void crowd_free(struct crowd *c)
{
    if (c->bits != NULL)
        sodium_memzero(c->bits, USERS * c->responder.words * sizeof *c->bits);
    free(c->bits);
    free(c->text);
    pby_responder_clear(&c->responder);
    pby_entropy_free(c->source);
    free(c);
}

static pby_status check_spec(pby_rappor *r, const pby_spec *spec, pby_error *err)
{
    const pby_mechanism *m;
    const pby_status status = pby_spec_rappor(&m, spec, err);
    if (status != PBY_OK)
        return status;
    pby_rappor_of(r, m);
    return r->reports == 1 && r->values == 1
               ? PBY_OK
               : pby_refuse(err, "SPEC", pby_spec_text(spec),
                            "reports=1 and values=1 of users who report once: more reports need a memo");
}

pby_status pby_memo_report_once(const pby_spec *spec, const char *path, pby_ledger *ledger,
                                const uint8_t *seed, pby_memo_told *told, void *what, pby_error *err)
{
    pby_memo_values values = {.text = NULL};
    struct crowd *c = calloc(1, sizeof *c);
    if (c == NULL)
        return pby_no_memory(err);
    pby_status status = check_spec(&c->r, spec, err);
    if (status == PBY_OK)
        status = pby_memo_values_read(&values, path, err);
    if (status == PBY_OK)
        status = pby_memo_values_check(&values, &c->r, err);
    if (status == PBY_OK)
        status = crowd_init(c, seed, err);
    const uint64_t before = pby_ledger_spends(ledger);
    if (status == PBY_OK && ledger != NULL)
        status = pby_ledger_spend(ledger, spec, NULL, err);
    if (status == PBY_OK)
        status = pby_ledger_note(ledger, before, report(c, &values, told, what, err), err);
    pby_memo_values_clear(&values);
    crowd_free(c);
    return status;
}
