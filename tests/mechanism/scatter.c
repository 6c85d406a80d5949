/* SPDX-License-Identifier: MIT */
/* Records that move at random in front of a mechanism: its outputs on every histogram of up to three records,
 * enumerated, and against the pairs of the spec. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/law/make.h"
#include "tests/mechanism/outcomes.h"

#define DIGEST "scatter:table=55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f "

enum { KEYS = 3, MOST = 3, SPAN = 14, OUTCOMES = SPAN * SPAN };

/* The chance that a record of a key moves to the first of two bars. */
static const char *const first_bar[KEYS] = {"1/3", "9/10", "1"};

/* Noisy counts from -SPAN/2 + 1 on; the first and the last outcome are open. */
static void geometric_bar(arb_ptr out, const fmpq_t rate, slong count)
{
    for (slong i = 0; i < SPAN; i++) {
        const slong noise = i - SPAN / 2 + 1 - count;
        if (i == 0)
            outcomes_geometric_from(out + i, rate, -noise);
        else if (i == SPAN - 1)
            outcomes_geometric_from(out + i, rate, noise);
        else
            outcomes_geometric(out + i, rate, noise);
    }
}

/* law += weight times the two bars, of which `first` of n records are in the first */
static void add_product(arb_ptr law, arb_ptr const *bar, int first, int n, const fmpq_t weight)
{
    arb_t w, part;
    arb_init(w);
    arb_init(part);
    arb_set_fmpq(w, weight, OUTCOMES_PREC);
    for (int i = 0; i < SPAN; i++)
        for (int j = 0; j < SPAN; j++) {
            arb_mul(part, bar[first] + i, bar[n - first] + j, OUTCOMES_PREC);
            arb_addmul(law + SPAN * i + j, part, w, OUTCOMES_PREC);
        }
    arb_clear(part);
    arb_clear(w);
}

/* Every way in which the records may move, one by one. */
static void law_of(arb_ptr law, arb_ptr const *bar, const int x[KEYS])
{
    int key[MOST], n = 0;
    for (int k = 0; k < KEYS; k++)
        for (int i = 0; i < x[k]; i++)
            key[n++] = k;
    _arb_vec_zero(law, OUTCOMES);
    for (int way = 0; way < 1 << n; way++) {
        int first = 0;
        fmpq_t weight, chance;
        fmpq_init(weight);
        fmpq_init(chance);
        fmpq_one(weight);
        for (int r = 0; r < n; r++) {
            set_text(chance, first_bar[key[r]]);
            if ((way >> r & 1) == 0) {
                fmpq_sub_si(chance, chance, 1);
                fmpq_neg(chance, chance);
            }
            first += way >> r & 1;
            fmpq_mul(weight, weight, chance);
        }
        add_product(law, bar, first, n, weight);
        fmpq_clear(chance);
        fmpq_clear(weight);
    }
}

static void divergence(arb_t out, arb_srcptr p, arb_srcptr q, const fmpq_t epsilon)
{
    arb_t e, part, zero;
    arb_init(e);
    arb_init(part);
    arb_init(zero);
    arb_zero(out);
    arb_set_fmpq(e, epsilon, OUTCOMES_PREC);
    arb_exp(e, e, OUTCOMES_PREC);
    for (int i = 0; i < OUTCOMES; i++) {
        arb_set(part, p + i);
        arb_submul(part, e, q + i, OUTCOMES_PREC);
        arb_max(part, part, zero, OUTCOMES_PREC);
        arb_add(out, out, part, OUTCOMES_PREC);
    }
    arb_clear(zero);
    arb_clear(part);
    arb_clear(e);
}

/* The laws of all histograms of at most MOST records, by their counts in base MOST + 1. */
enum { HISTOGRAMS = (MOST + 1) * (MOST + 1) * (MOST + 1) };

static int counts_of(int x[KEYS], int code)
{
    int n = 0;
    for (int k = 0; k < KEYS; k++, code /= MOST + 1)
        n += x[k] = code % (MOST + 1);
    return n;
}

static void worst(arb_t out, arb_ptr const *laws, pby_neighbours relation, const fmpq_t epsilon)
{
    int x[KEYS], y[KEYS];
    arb_t found;
    arb_init(found);
    arb_zero(out);
    for (int a = 0; a < HISTOGRAMS; a++)
        for (int b = 0; b < HISTOGRAMS; b++) {
            int apart = 0;
            const int n = counts_of(x, a), m = counts_of(y, b);
            for (int k = 0; k < KEYS; k++)
                apart += x[k] > y[k] ? x[k] - y[k] : y[k] - x[k];
            if (n > MOST || m > MOST || (relation == PBY_ADD_REMOVE ? apart != 1 : apart != 2 || n != m))
                continue;
            divergence(found, laws[a], laws[b], epsilon);
            arb_max(out, out, found, OUTCOMES_PREC);
        }
    arb_clear(found);
}

/* Relation by relation the loss of what stands behind is enough; and with one key that always moves to one
 * bar it is reached. */
Test(scatter, no_neighbours_are_worse_than_the_pairs_of_what_stands_behind)
{
    static const char *const specs[] = {DIGEST "geometric:eps=1", DIGEST "geometric:eps=2,sensitivity=2"};
    arb_ptr bar[MOST + 1], laws[HISTOGRAMS];
    arb_t bound, found;
    fmpq_t epsilon, rate;
    arb_init(bound);
    arb_init(found);
    fmpq_init(epsilon);
    fmpq_init(rate);
    fmpq_one(rate);
    for (int c = 0; c <= MOST; c++) {
        bar[c] = _arb_vec_init(SPAN);
        geometric_bar(bar[c], rate, c);
    }
    for (int code = 0; code < HISTOGRAMS; code++) {
        int x[KEYS];
        laws[code] = _arb_vec_init(OUTCOMES);
        if (counts_of(x, code) <= MOST)
            law_of(laws[code], bar, x);
    }
    for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++)
        for (int num = 0; num <= 4; num++) {
            fmpq_set_si(epsilon, num, 2);
            outcomes_bound(bound, specs[relation], (pby_neighbours)relation, epsilon);
            worst(found, laws, (pby_neighbours)relation, epsilon);
            outcomes_check(bound, found, relation == PBY_ADD_REMOVE, specs[relation]);
        }
    for (int code = 0; code < HISTOGRAMS; code++)
        _arb_vec_clear(laws[code], OUTCOMES);
    for (int c = 0; c <= MOST; c++)
        _arb_vec_clear(bar[c], SPAN);
    fmpq_clear(rate);
    fmpq_clear(epsilon);
    arb_clear(found);
    arb_clear(bound);
}
