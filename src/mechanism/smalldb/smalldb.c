/* SPDX-License-Identifier: MIT */
/* smalldb:eps=e,size=m,queries=SHA256[,sensitivity=d]: a database of m records that answers a public table of
 * queries much as the data do, chosen among all of that size with weight exp(r score), r = eps/(2 d).
 *
 * It is the exponential mechanism, with its pairs. The scores are worked out by release/databases.h. The
 * digest says which table, so that certificates and ledgers name it. */
#include "mechanism/exponential/pieces.h"
#include "mechanism/spec/story.h"

enum { EPS, SIZE, QUERIES, SENSITIVITY };

enum { SIZE_MOST = 1000000 };

static pby_status smalldb_check(const pby_mechanism *m, pby_error *err)
{
    return pby_mechanism_natural(m, SIZE) <= SIZE_MOST
               ? PBY_OK
               : pby_mechanism_refuse(m, "a size of at most 1000000 records", err);
}

static void smalldb_privacy(pby_privacy *p, const pby_mechanism *m)
{
    fmpq_set(p->units, &m->value[EPS]);
}

static bool smalldb_claim(arb_t delta, const pby_mechanism *m, pby_neighbours relation, const fmpq_t epsilon,
                          slong prec)
{
    (void)relation;
    (void)prec;
    arb_zero(delta);
    return fmpq_cmp(epsilon, &m->value[EPS]) >= 0;
}

static void smalldb_rate(fmpq_t rate, const pby_mechanism *m)
{
    fmpq_div(rate, &m->value[EPS], &m->value[SENSITIVITY]);
    fmpq_div_2exp(rate, rate, 1);
}

static const pby_story smalldb_stories[] = {
    {.what = "One of all databases of a given size is chosen, by how far the worst answer to a public table "
             "of queries is off, with a chance proportional to exp(r score), r = eps/(2 sensitivity). The "
             "digest names the table; the loss is that of the worst table. No program can check that kinds, "
             "queries and size do not come from the data.",
     .neighbours = {"one record more or fewer, of any kind", "one record of another kind"},
     .pair =
         {"two groups of databases, of losses t and t - eps: the t that is the worst at the epsilon asked "
          "for, in a composition another in every use",
          "two groups of databases, of losses t and t - eps, likewise"},
     .accuracy =
         "probity accuracy --support N --beta b, N being the number of databases, encloses the probability "
         "that the chosen score is more than b below the best; within b, the worst average answer is "
         "off by at most b/n more than that of the best database, n being the number of records",
     .pages = {"smalldb.md", "exponential.md"}},
    {.what = NULL},
};

#define DIGEST "55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"

static const char *const smalldb_examples[] = {"smalldb:eps=1,size=5,queries=" DIGEST,
                                               "smalldb:eps=1/2,size=3,queries=" DIGEST ",sensitivity=1/3",
                                               NULL};

static const char *const smalldb_manual[] = {
    "smalldb:eps=E,size=M,queries=SHA256[,sensitivity=D]",
    "A database of M records that answers a public table of queries much as the data do, chosen by the "
    "exponential mechanism. The table is named by its SHA-256. D, 1 unless given, is the most that the "
    "answers of one query differ by.",
    NULL,
};

const pby_family pby_family_smalldb = {
    .name = "smalldb",
    .summary = "a small database that answers queries as the data do",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the loss, a rational above 0", PBY_ROLE_EPSILON},
                   {"size", PBY_NATURAL, NULL, "size=M, the records of the database", PBY_ROLE_RECORDS},
                   {"queries", PBY_DIGEST, NULL, "queries=SHA256, that of the table of queries",
                    PBY_ROLE_TABLE},
                   {"sensitivity", PBY_POSITIVE, "1", "sensitivity=D, the most that a score moves",
                    PBY_ROLE_SENSITIVITY}},
    .check = smalldb_check,
    .list[PBY_ABOVE] = pby_bounded_above,
    .list[PBY_BELOW] = pby_bounded_below,
    .list[PBY_ONCE] = pby_bounded_once,
    .interval = true,
    .privacy = smalldb_privacy,
    .claim = smalldb_claim,
    .statement = {.source = "0 from eps on"},
    .form = PBY_RELEASE_CANDIDATE,
    .takes = PBY_TAKES_SCORES,
    .rate = smalldb_rate,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_CHOICE},
    .select = &pby_bounded_selection,
    .stories = smalldb_stories,
    .manual = smalldb_manual,
    .examples = smalldb_examples,
};
