/* SPDX-License-Identifier: MIT */
#include "table/key/positions.h"

#include <gmp.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "number/scoped.h"
#include "table/key/keyset.h"

struct pby_positions {
    pby_keyset *numbers; /* NULL once a key was none */
    uint64_t again;      /* the line of the first that came twice; 0 for none yet */
    pby_key_kinds kinds;
};

pby_status pby_positions_new(pby_positions **out, pby_error *err)
{
    pby_positions *p = *out = calloc(1, sizeof *p);
    if (p == NULL)
        return pby_no_memory(err);
    const pby_status status = pby_keyset_new(&p->numbers, err);
    if (status != PBY_OK) {
        free(p);
        *out = NULL;
    }
    return status;
}

void pby_positions_free(pby_positions *p)
{
    if (p != NULL)
        pby_keyset_free(p->numbers);
    free(p);
}

static void wipe(char *text)
{
    sodium_memzero(text, strlen(text));
    free(text);
}

/* Sets *kind to the kind of the key. For a number *out is its lowest terms, which are its one spelling, and
 * the caller frees it with wipe(); otherwise NULL. */
static pby_status spell(pby_key_kind *kind, char **out, const uint8_t *key, size_t size, pby_error *err)
{
    *out = NULL;
    char *text = strndup((const char *)key, size);
    if (text == NULL)
        return pby_no_memory(err);
    PBY_MPQ(number);
    *kind = pby_key_kind_of(number, text);
    if (*kind == PBY_KEY_NUMBER)
        *out = mpq_get_str(NULL, 16, number);
    wipe(text);
    return PBY_OK;
}

pby_status pby_positions_add(pby_positions *p, const uint8_t *key, size_t size, uint64_t line, pby_error *err)
{
    char *number;
    pby_key_kind kind = PBY_KEY_NAME;
    bool again = false;
    uint64_t which;
    if (p->kinds.count[PBY_KEY_NAME] > 0)
        return PBY_OK;
    pby_status status = spell(&kind, &number, key, size, err);
    if (status != PBY_OK)
        return status;
    pby_key_kinds_add(&p->kinds, kind, line);
    if (number == NULL) {
        pby_keyset_free(p->numbers);
        p->numbers = NULL;
        p->again = 0;
        return PBY_OK;
    }
    if (p->numbers != NULL)
        status =
            pby_keyset_add(p->numbers, (const uint8_t *)number, strlen(number), line, &again, &which, err);
    wipe(number);
    if (status == PBY_OK && again && p->again == 0)
        p->again = which;
    return status;
}

const pby_key_kinds *pby_positions_kinds(const pby_positions *p)
{
    return &p->kinds;
}

pby_status pby_positions_again(pby_positions *p, uint64_t *line, pby_error *err)
{
    bool again = false;
    uint64_t which;
    pby_status status = PBY_OK;
    if (p->numbers != NULL && p->again == 0)
        status = pby_keyset_flush(p->numbers, &again, &which, err);
    *line = again ? which : p->again;
    return status;
}
