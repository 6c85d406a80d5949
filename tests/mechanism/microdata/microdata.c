/* SPDX-License-Identifier: MIT */
/* Bars and their total: the joint law of all measurements, enumerated. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probity.h"
#include "probity/compat.h"
#include "tests/spec.h"

enum { BARS = 2, ALL = BARS + 1, REACH = 30 };

/* The noise from its definition. */
struct noise {
    long double p[2 * REACH + 1];
};

static void geometric(struct noise *z, long double rate, int bound)
{
    const long double a = expl(-rate);
    for (int k = -REACH; k <= REACH; k++)
        z->p[k + REACH] = abs(k) > bound    ? 0
                          : abs(k) == bound ? powl(a, bound) / (1 + a)
                                            : (1 - a) / (1 + a) * powl(a, abs(k));
}

static void gaussian(struct noise *z, long double sigma2)
{
    long double sum = 0;
    for (int k = -REACH; k <= REACH; k++)
        sum += z->p[k + REACH] = expl(-(long double)k * k / (2 * sigma2));
    for (int k = 0; k <= 2 * REACH; k++)
        z->p[k] /= sum;
}

static long double at(const struct noise *z, int k)
{
    return abs(k) > REACH ? 0 : z->p[k + REACH];
}

/* The hockey-stick divergence of all measurements, which differ by so much. */
static long double divergence(const struct noise *z, const int move[ALL], long double epsilon)
{
    const long double x = expl(epsilon);
    long double sum = 0;
    for (int i = -REACH; i <= REACH; i++)
        for (int j = -REACH; j <= REACH; j++)
            for (int t = -REACH; t <= REACH; t++) {
                const long double p = at(z, i) * at(z, j) * at(z, t),
                                  q = at(z, i - move[0]) * at(z, j - move[1]) * at(z, t - move[2]);
                sum += fmaxl(0, p - x * q);
            }
    return sum;
}

/* The changes that one record may make to both bars and to the total. */
static const int add_remove[][ALL] = {{1, 0, 1}, {-1, 0, -1}, {0, 1, 1}, {0, -1, -1}};
static const int substitute[][ALL] = {{1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {0, -1, -1}};

static void enclosed(const char *text, const struct noise *z, const char *epsilon)
{
    pby_spec *spec = spec_of(text);
    pby_decimals x;
    pby_error err = PBY_NO_ERROR;
    for (int relation = PBY_ADD_REMOVE; relation <= PBY_SUBSTITUTE; relation++) {
        long double worst = 0;
        for (int i = 0; i < 4; i++)
            worst = fmaxl(worst, divergence(z, relation == PBY_ADD_REMOVE ? add_remove[i] : substitute[i],
                                            strtold(epsilon, NULL)));
        cr_assert_eq(pby_loss_delta_text(&x, spec, (pby_neighbours)relation, epsilon, 9, &err), PBY_OK, "%s",
                     err.text);
        const long double lo = strtold(x.lo, NULL), hi = strtold(x.hi, NULL);
        cr_expect(lo - 1e-8L <= worst && worst <= hi + 1e-8L, "%s at %s: [%s, %s] and %.12Lg", text, epsilon,
                  x.lo, x.hi, worst);
        cr_expect_leq(hi - lo, 1e-6L);
    }
    pby_spec_free(spec);
}

Test(microdata, no_record_moves_more_than_the_pair)
{
    struct noise z;
    geometric(&z, 0.75L, REACH + 1);
    enclosed("microdata:eps=3/2", &z, "0");
    enclosed("microdata:eps=3/2", &z, "0.5");
    enclosed("microdata:eps=3/2", &z, "1.25");
    geometric(&z, 0.5L, 2);
    enclosed("tmicrodata:eps=1,bound=2", &z, "0.25");
    enclosed("tmicrodata:eps=1,bound=2", &z, "1");
    geometric(&z, 1, 1);
    enclosed("tmicrodata:eps=2,bound=1", &z, "0.5");
    gaussian(&z, 4.5L);
    enclosed("gmicrodata:sigma2=9/2", &z, "0.5");
    enclosed("gmicrodata:sigma2=9/2", &z, "1.5");
}

/* The printed mechanism scales the noise of bars and total by 1/eps each; then both together lose twice eps.
 */
Test(microdata, noise_for_bars_alone_is_too_little)
{
    struct noise z;
    geometric(&z, 1, REACH + 1);
    cr_assert_gt(divergence(&z, add_remove[0], 1), 0.1L);
    geometric(&z, 0.5L, REACH + 1);
    cr_assert_lt(divergence(&z, add_remove[0], 1), 1e-6L);
}

/* The total is behind the bars, and all of them have noise of one law. */
Test(microdata, what_is_released)
{
    static const char *const keys[] = {"a", "b"};
    static const int64_t counts[] = {7, 0};
    pby_permission_options from = {.spec = "tmicrodata:eps=2,bound=3"};
    pby_permission *by;
    pby_table *in, *out;
    pby_error err = PBY_NO_ERROR;
    bool found;
    int64_t seen[3];
    cr_assert_eq(pby_permission_open(&by, &from, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_table_of(&in, keys, counts, 2, &err), PBY_OK);
    bool differs = false;
    for (int round = 0; round < 64; round++) {
        cr_assert_eq(pby_release_table(&out, by, in, NULL, &err), PBY_OK, "%s", err.text);
        for (size_t i = 0; i < 3; i++) {
            cr_assert(pby_table_next(out, &found, &err) == PBY_OK && found);
            cr_assert_str_eq(pby_table_key(out, NULL), i == 0 ? "a" : i == 1 ? "b" : "total");
            seen[i] = pby_table_count(out);
        }
        cr_assert(pby_table_next(out, &found, &err) == PBY_OK && !found);
        cr_assert(llabs(seen[0] - 7) <= 3 && llabs(seen[1]) <= 3 && llabs(seen[2] - 7) <= 3);
        differs = differs || seen[0] + seen[1] != seen[2]; /* all alike: a chance below (1/2)^64 */
        pby_table_free(out);
    }
    cr_assert(differs);
    pby_table_free(in);
    pby_permission_close(by);
}

Test(microdata, a_bar_may_not_be_called_total)
{
    static const char *const keys[] = {"a", "total"};
    static const int64_t counts[] = {7, 0};
    pby_permission_options from = {.spec = "microdata:eps=2"};
    pby_release_options truncate = {.truncate = 3};
    pby_permission *by;
    pby_table *in, *out;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_permission_open(&by, &from, &err), PBY_OK);
    cr_assert_eq(pby_table_of(&in, keys, counts, 2, &err), PBY_OK);
    cr_assert_eq(pby_release_table(&out, by, in, NULL, &err), PBY_BAD);
    cr_assert(strstr(err.text, "expected another key than that of the total") != NULL, "%s", err.text);
    pby_table_free(in);
    cr_assert_eq(pby_table_of(&in, keys, counts, 1, &err), PBY_OK);
    cr_assert_eq(pby_release_table(&out, by, in, &truncate, &err), PBY_BAD);
    cr_assert(strstr(err.text, "expected a mechanism without a total, behind a limit") != NULL, "%s",
              err.text);
    pby_table_free(in);
    pby_permission_close(by);
}

/* A group loses what it does by k records in one bar, at least; the bound of the theorem is above. */
Test(microdata, groups)
{
    struct noise z;
    const int move[ALL] = {2, 0, 2};
    pby_spec *spec = spec_of("microdata:eps=3/2");
    pby_decimals x;
    bool wider;
    pby_error err = PBY_NO_ERROR;
    geometric(&z, 0.75L, REACH + 1);
    cr_assert_eq(pby_loss_group_delta_text(&x, &wider, spec, PBY_ADD_REMOVE, 2, "1", 9, &err), PBY_OK, "%s",
                 err.text);
    const long double found = divergence(&z, move, 1);
    cr_assert_leq(fabsl(strtold(x.lo, NULL) - found), 1e-8L);
    cr_assert_geq(strtold(x.hi, NULL), found);
    cr_assert(wider);
    pby_spec_free(spec);
}

/* With Gaussian noise too: records that join one bar move two measurements by as much. */
Test(microdata, groups_with_gaussian_noise)
{
    enum { FAR = 60 };
    pby_spec *spec = spec_of("gmicrodata:sigma2=9");
    pby_decimals x;
    bool wider;
    pby_error err = PBY_NO_ERROR;
    long double norm = 0, found = 0;
    for (int k = -FAR; k <= FAR; k++)
        norm += expl(-(long double)(k * k) / 18);
    for (int a = -FAR; a <= FAR; a++)
        for (int b = -FAR; b <= FAR; b++)
            found += fmaxl(0, expl(-(long double)(a * a + b * b) / 18) -
                                  expl(1 - (long double)((a - 3) * (a - 3) + (b - 3) * (b - 3)) / 18));
    found /= norm * norm;
    cr_assert_eq(pby_loss_group_delta_text(&x, &wider, spec, PBY_ADD_REMOVE, 3, "1", 9, &err), PBY_OK, "%s",
                 err.text);
    cr_assert_leq(fabsl(strtold(x.lo, NULL) - found), 1e-8L, "%s, %Lg", x.lo, found);
    cr_assert_geq(strtold(x.hi, NULL), found);
    pby_spec_free(spec);
}
