/* SPDX-License-Identifier: MIT */
/* The spec of a group. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "probity/experimental/losses.h"
#include "probity/loss.h"
#include "probity/rational.h"
#include "tests/spec.h"

static void expect_group(const char *text, unsigned long size, const char *expected)
{
    pby_spec *spec = spec_of(text), *grown;
    pby_error err;
    cr_assert_eq(pby_spec_group(&grown, spec, size, &err), PBY_OK, "%s: %s", text, err.text);
    cr_assert_str_eq(pby_spec_text(grown), expected);
    pby_spec_free(grown);
    pby_spec_free(spec);
}

Test(group, sensitivities_grow_and_the_noise_stays)
{
    expect_group("geometric:eps=1", 3, "geometric:eps=3,sensitivity=3");
    expect_group("5*geometric:eps=1/2,sensitivity=4", 2, "5*geometric:eps=1,sensitivity=8");
    expect_group("dgauss:sigma2=9", 7, "dgauss:sigma2=9,sensitivity=7");
    expect_group("gauss:sigma2=9,sensitivity=1/2", 6, "gauss:sigma2=9,sensitivity=3");
    expect_group("laplace:scale=2", 4, "laplace:scale=2,sensitivity=4");
    expect_group("laplace:scale=2,grid=1/4", 4, "laplace:scale=2,grid=1/4,sensitivity=4");
    expect_group("rr:eps=1", 2, "rr:eps=1");
    expect_group("geometric:eps=1", 1, "geometric:eps=1");
}

#define CURVE "55ce852260678bc892d0997920f0dc75dcba920fe5038f28f72987f403e3434f"

Test(group, guarantees)
{
    expect_group("pure:eps=1/10", 5, "pure:eps=1/2");
    expect_group("zcdp:rho=1/10", 5, "zcdp:rho=5/2");
    expect_group("zcdp:rho=1/10,xi=1", 3, "zcdp:rho=9/10,xi=11/2");
    expect_group("rdp:order=3,eps=1/10", 2, "rdp:order=9/5,eps=1/4");
    expect_group("rdp:order=3,eps=1/10", 1, "rdp:order=3,eps=1/10");
    expect_group("rdp:order=3,eps=1/10,curve=" CURVE, 2, "rdp:order=9/5,eps=1/4");
    expect_group("rdp:order=3,eps=1/10,curve=" CURVE, 1, "rdp:order=3,eps=1/10,curve=" CURVE);
}

/* 1 - 1/order is multiplied by itself with every step. */
Test(group, rdp_orders)
{
    pby_spec *one = spec_of("rdp:order=16,eps=1"), *six;
    cr_assert_eq(pby_spec_group(&six, one, 6, NULL), PBY_OK);
    mpq_t u, v, order;
    mpq_inits(u, v, order, NULL);
    const char *text = strstr(pby_spec_text(six), "order=") + 6;
    char number[64];
    snprintf(number, sizeof number, "%.*s", (int)strcspn(text, ","), text);
    cr_assert_eq(pby_rational_parse(order, "", number, NULL), PBY_OK);
    mpq_inv(u, order); /* 1 - 1/order = (15/16)^6 */
    mpq_set_ui(v, 1, 1);
    mpq_sub(u, v, u);
    mpq_set_ui(v, 11390625, 16777216);
    cr_assert(mpq_equal(u, v), "%s", number);
    mpq_clears(u, v, order, NULL);
    pby_spec_free(six);
    pby_spec_free(one);
}
