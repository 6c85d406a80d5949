#include "cli/positions.h"

#include <gmp.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "cli/keyset.h"
#include "probity/rational.h"
#include "status.h"

struct pby_positions {
    pby_keyset *numbers; /* NULL once a key was none */
    uint64_t again;      /* the line of the first that came twice; 0 for none yet */
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

/* The number in lowest terms, which is its one spelling, as a text for wipe(); NULL where the key is none. */
static pby_status spell(char **out, const uint8_t *key, size_t size, pby_error *err)
{
    *out = NULL;
    char *text = strndup((const char *)key, size);
    if (text == NULL)
        return pby_no_memory(err);
    mpq_t number;
    mpq_init(number);
    if (pby_rational_parse(number, "key", text, NULL) == PBY_OK)
        *out = mpq_get_str(NULL, 16, number);
    mpq_clear(number);
    wipe(text);
    return PBY_OK;
}

pby_status pby_positions_add(pby_positions *p, const uint8_t *key, size_t size, uint64_t line, pby_error *err)
{
    char *number;
    bool again;
    uint64_t which;
    if (p->numbers == NULL)
        return PBY_OK;
    pby_status status = spell(&number, key, size, err);
    if (status != PBY_OK)
        return status;
    if (number == NULL) {
        pby_keyset_free(p->numbers);
        *p = (pby_positions){NULL, 0};
        return PBY_OK;
    }
    status = pby_keyset_add(p->numbers, (const uint8_t *)number, strlen(number), line, &again, &which, err);
    wipe(number);
    if (status == PBY_OK && again && p->again == 0)
        p->again = which;
    return status;
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
