/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/chain.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const budget[] = {"add-remove", "exact", "1", "1/1000000", "1"};

/* As docs/ledger.md describes the digests, computed by another program: a ledger of today can be read
 * tomorrow. */
Test(ledger_chain, is_as_the_page_says)
{
    const pby_ledger_entry first = {1, "2026-11-15T12:00:00Z", "stlap:eps=1/2,q=60", "", "", "", ""},
                           second = {2, "2026-11-15T12:00:01Z", "geometric:eps=1/4", "1/4", "0", "", ""};
    pby_chain chain;
    pby_chain_begin(&chain, budget, 5);
    cr_assert_eq(chain.entries, 0);
    cr_assert_str_eq(chain.digest, "96ea2b03a1aa0b6f56ef8496009c2767c87b2e0f6283150437d09f6ba9cc8158");
    pby_chain_add(&chain, &first);
    cr_assert_str_eq(chain.digest, "a8289b9f4daf8daf6865fea43ea6c0cd67c76bba22e484995f8108c752f04e37");
    pby_chain_add(&chain, &second);
    cr_assert_eq(chain.entries, 2);
    cr_assert_str_eq(chain.digest, "7d9525829eec56207454c9d135e6364591157291230c0fb08a3e6638f295d02f");
}

/* A byte moved from the end of one text to the next changes the digest. */
Test(ledger_chain, knows_where_a_text_ends)
{
    const pby_ledger_entry entries[] = {{1, "ab", "c", "", "", "", ""}, {1, "a", "bc", "", "", "", ""},
                                        {1, "ab", "", "c", "", "", ""}, {1, "ab", "c", "", "0", "", ""},
                                        {2, "ab", "c", "", "", "", ""}, {1, "ab", "c", "0", "", "", ""}};
    enum { COUNT = sizeof entries / sizeof *entries };
    pby_chain chain[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        pby_chain_begin(&chain[i], budget, 5);
        pby_chain_add(&chain[i], &entries[i]);
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(strcmp(chain[i].digest, chain[j].digest), 0, "%zu and %zu", i, j);
    }
}
