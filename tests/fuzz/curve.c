/* SPDX-License-Identifier: MIT */
/* A curve is refused on one line, or its points grow, and between them nothing is below the least of both. */
#include "certificate/ledger/ledger_curve.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* At the first order a bound is at most the file's; halfway to the second it is at most the second's. */
static void check_bounds(const pby_known *k)
{
    fmpq_t order, found;
    fmpq_init(order);
    fmpq_init(found);
    must(pby_known_at(found, k, k->at), "the first order has a bound");
    must(fmpq_sgn(found) > 0 && fmpq_cmp(found, k->most) <= 0, "a point of the file bounds itself");
    if (k->count > 1) {
        fmpq_add(order, k->at, k->at + 1);
        fmpq_div_2exp(order, order, 1);
        must(pby_known_at(found, k, order), "an order between two has a bound");
        must(fmpq_sgn(found) > 0 && fmpq_cmp(found, k->most + 1) <= 0, "divergences grow with their order");
    }
    fmpq_add_si(order, k->at + k->count - 1, 1);
    must(!pby_known_at(found, k, order), "beyond the last order there is none");
    fmpq_clear(found);
    fmpq_clear(order);
}

/* The first byte chooses a header, or none. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 300 };
    static const char *const headers[] = {"", "order,renyi\n", "epsilon,delta\n"};
    if (size == 0 || size > LONGEST)
        return 0;
    const char *header = headers[data[0] % 3];
    const size_t length = strlen(header);
    char *text = malloc(length + size);
    pby_known k;
    pby_error err = PBY_NO_ERROR;
    must(text != NULL, "memory");
    memcpy(text, header, length);
    memcpy(text + length, data + 1, size - 1);
    if (pby_known_parse(&k, text, length + size - 1, &err) != PBY_OK)
        must(strstr(err.text, "expected ") != NULL && strchr(err.text, '\n') == NULL, "one line");
    else if (k.renyi)
        check_bounds(&k);
    pby_known_clear(&k);
    free(text);
    return 0;
}
