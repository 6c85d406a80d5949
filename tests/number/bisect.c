/* SPDX-License-Identifier: MIT */
#include "number/bisect.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/law/make.h"
#include "tests/loss/ask.h"

/* f(x) = root - x, and what f cannot tell: within `blind` of the root, but for the root itself. */
struct line {
    fmpq_t root, blind;
};

static pby_status line_sign(int *sign, const fmpq_t x, const void *what, pby_error *err)
{
    (void)err;
    const struct line *f = what;
    fmpq_t gap;
    fmpq_init(gap);
    fmpq_sub(gap, f->root, x);
    *sign = fmpq_sgn(gap);
    fmpq_abs(gap, gap);
    if (fmpq_cmp(gap, f->blind) < 0)
        *sign = PBY_UNDECIDED;
    fmpq_clear(gap);
    return PBY_OK;
}

static pby_status find(arb_t root, const char *at, const char *blind, unsigned digits, pby_error *err)
{
    struct line f;
    fmpq_init(f.root);
    fmpq_init(f.blind);
    set_text(f.root, at);
    set_text(f.blind, blind);
    const pby_status status = pby_bisect(root, line_sign, &f, NULL, digits, err);
    if (status == PBY_OK)
        cr_assert(arb_contains_fmpq(root, f.root), "%s", at);
    fmpq_clear(f.blind);
    fmpq_clear(f.root);
    return status;
}

Test(bisect, finds_roots_of_every_size_and_sign)
{
    const char *const roots[] = {"1/3",    "-1/3",    "22/7", "-1000000/7",
                                 "1e-300", "-1e-300", "1e15", "12345/98765"};
    arb_t root;
    arb_init(root);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (unsigned digits = 1; digits <= 50; digits += 7) {
            cr_assert_eq(find(root, roots[i], "0", digits, NULL), PBY_OK);
            cr_assert(arb_rel_accuracy_bits(root) >= (slong)(digits * 33 / 10), "%s to %u digits", roots[i],
                      digits);
        }
    arb_clear(root);
}

Test(bisect, a_dyadic_root_is_exact)
{
    const char *const roots[] = {"0", "1", "-1", "3/4", "-4096", "5/1024"};
    arb_t root;
    arb_init(root);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        cr_assert_eq(find(root, roots[i], "0", 20, NULL), PBY_OK);
        cr_assert(arb_is_exact(root), "%s", roots[i]);
    }
    arb_clear(root);
}

/* Where the middle is too near to the root, another point serves. 3/4 is a middle, 4 a power of two. */
Test(bisect, an_undecided_point_is_gone_around)
{
    const char *const roots[] = {"3/4", "-3/4", "4", "1/8", "1"};
    arb_t root;
    arb_init(root);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        cr_assert_eq(find(root, roots[i], "1e-40", 20, NULL), PBY_OK, "%s", roots[i]);
        cr_assert(arb_rel_accuracy_bits(root) >= 66, "%s", roots[i]);
    }
    arb_clear(root);
}

Test(bisect, what_cannot_be_decided_is_no_answer)
{
    arb_t root;
    pby_error err;
    arb_init(root);
    cr_assert_eq(find(root, "1/3", "1e-5", 20, &err), PBY_FAILED);
    cr_assert_not_null(strstr(err.text, "undecided"), "%s", err.text);
    cr_assert_eq(find(root, "0", "1e-5", 20, &err), PBY_FAILED);
    arb_clear(root);
}

static pby_status always_above(int *sign, const fmpq_t x, const void *what, pby_error *err)
{
    (void)x;
    (void)what;
    (void)err;
    *sign = 1;
    return PBY_OK;
}

static pby_status broken(int *sign, const fmpq_t x, const void *what, pby_error *err)
{
    (void)x;
    (void)what;
    *sign = 1;
    return pby_fail(err, PBY_FAILED, "broken");
}

Test(bisect, no_root_is_refused_and_no_sign_a_failure)
{
    arb_t root;
    pby_error err;
    arb_init(root);
    cr_assert_eq(pby_bisect(root, always_above, NULL, NULL, 9, &err), PBY_BAD);
    cr_assert_eq(pby_bisect(root, broken, NULL, NULL, 9, &err), PBY_FAILED);
    cr_assert_str_eq(err.text, "broken");
    arb_clear(root);
}

struct counted {
    struct line line;
    int calls;
};

static pby_status counted_sign(int *sign, const fmpq_t x, const void *what, pby_error *err)
{
    struct counted *f = *(struct counted *const *)what;
    f->calls++;
    return line_sign(sign, x, &f->line, err);
}

static int calls_from(const char *at, const char *guess)
{
    struct counted f = {.calls = 0}, *what = &f;
    fmpq_t x;
    arb_t root;
    fmpq_init(f.line.root);
    fmpq_init(f.line.blind);
    fmpq_init(x);
    arb_init(root);
    set_text(f.line.root, at);
    set_text(x, guess);
    cr_assert_eq(pby_bisect(root, counted_sign, &what, x, 9, NULL), PBY_OK);
    cr_assert(arb_contains_fmpq(root, f.line.root), "%s from %s", at, guess);
    cr_assert(arb_rel_accuracy_bits(root) >= 30, "%s from %s", at, guess);
    arb_clear(root);
    fmpq_clear(x);
    fmpq_clear(f.line.blind);
    fmpq_clear(f.line.root);
    return f.calls;
}

Test(bisect, a_good_guess_takes_two_calls_and_a_bad_one_no_truth)
{
    cr_assert_eq(calls_from("22/7", "3.142857142857142"), 2);
    cr_assert_eq(calls_from("-22/7", "-3.142857142857143"), 2);
    cr_assert_gt(calls_from("22/7", "3.15"), 2);
    cr_assert_gt(calls_from("22/7", "3.1428"), 2);
    cr_assert_gt(calls_from("22/7", "-1e9"), 2);
    cr_assert_gt(calls_from("-1/1000", "1e9"), 2);
}

static pby_status far_root(const char *at)
{
    arb_t root;
    arb_init(root);
    const pby_status status = find(root, at, "0", 9, NULL);
    arb_clear(root);
    return status;
}

Test(bisect, how_far_a_root_is_sought)
{
    cr_assert_eq(far_root("1e30"), PBY_OK);
    cr_assert_eq(far_root("-1e300"), PBY_OK);
    cr_assert_eq(far_root("1e310"), PBY_BAD);
    cr_assert_eq(far_root("-1e310"), PBY_BAD);
    cr_assert_eq(far_root("1e-4000"), PBY_OK);
    cr_assert_eq(far_root("1e-6000"), PBY_BAD);
}

/* Randomised response of e = 1e30: delta(x) = (exp(e) - exp(x)) / (1 + exp(e)), whose inverse at d is
 * e + log(1 - d - d exp(-e)). */
Test(bisect, epsilon_above_any_machine_word)
{
    enum { DIGITS = 50, PREC = 256 };
    fmpq_t d, e;
    arb_t asked, exact, x;
    fmpq_init(d);
    fmpq_init(e);
    arb_init(asked);
    arb_init(exact);
    arb_init(x);
    set_text(d, "1e-9");
    set_text(e, "1e30");
    ask_epsilon(asked, "pure:eps=1e30", d, DIGITS);
    arb_set_fmpq(exact, d, PREC);
    arb_neg(exact, exact);
    arb_log1p(exact, exact, PREC);
    arb_set_fmpq(x, e, PREC);
    arb_add(exact, exact, x, PREC);
    cr_assert(arb_overlaps(asked, exact));
    cr_assert(arb_lt(asked, x));
    arb_clear(x);
    arb_clear(exact);
    arb_clear(asked);
    fmpq_clear(e);
    fmpq_clear(d);
}
