/* SPDX-License-Identifier: MIT */
#include "report/loss/claimed.h"
#include "probity/experimental/losses.h"

#include <stdio.h>
#include <string.h>

#include "number/number_json.h"

static const char *const here_words[] = {
    [PBY_HERE_UNDECIDED] = "undecided", [PBY_HERE_HOLDS] = "holds", [PBY_HERE_FAILS] = "fails"};

void pby_claimed_init(pby_claimed *x)
{
    *x = (pby_claimed){.source = NULL};
    pby_enclosure_init(&x->delta);
}

void pby_claimed_clear(pby_claimed *x)
{
    pby_enclosure_clear(&x->delta);
}

pby_status pby_claimed_ask(pby_claimed *x, const pby_spec *spec, pby_neighbours relation, mpq_srcptr epsilon,
                           const pby_enclosure *delta, unsigned digits, pby_error *err)
{
    const pby_status status = pby_loss_claimed(&x->delta, &x->source, spec, relation, epsilon, digits, err);
    if (status != PBY_OK || x->source == NULL)
        return status;
    x->statement = pby_claim_statement(spec);
    return pby_claim_here(&x->here, spec, relation, epsilon, delta, &x->delta, digits, err);
}

const char *pby_claimed_words(const pby_claimed *x)
{
    static const char *const words[][2] = {
        [PBY_HERE_UNDECIDED] = {"undecided here", "undecided here; refuted in general"},
        [PBY_HERE_HOLDS] = {"holds here", "holds here; refuted in general"},
        [PBY_HERE_FAILS] = {"fails here", "fails here; refuted in general"},
    };
    return words[x->here][x->statement->refuted];
}

static json_t *json_of(const pby_claimed *x, unsigned digits)
{
    json_t *claimed = pby_json_enclosure(&x->delta, digits);
    json_t *more = json_pack("{s:s, s:s, s:s?, s:b}", "source", x->source, "here", here_words[x->here], "row",
                             x->statement->row, "refuted", (int)x->statement->refuted);
    const bool whole = claimed != NULL && more != NULL && json_object_update(claimed, more) == 0;
    json_decref(more);
    if (whole)
        return claimed;
    json_decref(claimed);
    return NULL;
}

void pby_claimed_tell(pby_sheet *s, const pby_claimed *x, const char *name, unsigned digits)
{
    if (x->source == NULL)
        return;
    char note[256];
    snprintf(note, sizeof note, "%s: %s", x->source, pby_claimed_words(x));
    pby_sheet_enclosure(s, name, NULL, &x->delta, digits, note);
    pby_sheet_member(s, "claimed", json_of(x, digits));
}
