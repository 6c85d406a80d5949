/* SPDX-License-Identifier: MIT */
#include "probity/spec.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/family.h"

static void canonical(const char *text, const char *expected)
{
    pby_spec *spec = NULL;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_OK, "%s: %s", text, err.text);
    cr_assert_str_eq(pby_spec_text(spec), expected);
    pby_spec_free(spec);
}

static void refuses(const char *text, const char *part)
{
    pby_spec *spec = NULL;
    pby_error err = {0};
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, &err), PBY_BAD, "%s was accepted", text);
    cr_assert_null(spec);
    cr_assert_not_null(strstr(err.text, part), "%s: %s", text, err.text);
    cr_assert_null(strchr(err.text, '\n'));
}

Test(spec, canonical_text)
{
    canonical("stlap:eps=1/2,q=40", "stlap:eps=1/2,q=40");
    canonical("stlap:q=40,eps=0.5", "stlap:eps=1/2,q=40");
    canonical("stlap:eps=5e-1,q=4e1", "stlap:eps=1/2,q=40");
    canonical("geometric:eps=2/20,sensitivity=1", "geometric:eps=1/10");
    canonical("geometric:eps=2,sensitivity=4", "geometric:eps=2,sensitivity=4");
    canonical("100*geometric:eps=1/10", "100*geometric:eps=1/10");
    canonical("1*geometric:eps=1/10", "geometric:eps=1/10");
    canonical("007*geometric:eps=1/10", "7*geometric:eps=1/10");
}

Test(spec, several_uses)
{
    const char *const texts[] = {"2*geometric:eps=1", "stlap:eps=1,q=3"};
    pby_spec *spec = NULL;
    cr_assert_eq(pby_spec_parse(&spec, texts, 2, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(spec), "2*geometric:eps=1 stlap:eps=1,q=3");
    pby_spec_free(spec);
}

/* One text or several: the same uses. */
Test(spec, several_uses_in_one_text)
{
    canonical("2*geometric:eps=1 stlap:eps=1,q=3", "2*geometric:eps=1 stlap:eps=1,q=3");
    const char *const texts[] = {"threshold:eps=1,T=5 geometric:eps=1", "geometric:eps=3"};
    pby_spec *spec = NULL;
    cr_assert_eq(pby_spec_parse(&spec, texts, 2, NULL), PBY_OK);
    cr_assert_str_eq(pby_spec_text(spec), "threshold:eps=1,T=5 geometric:eps=1 geometric:eps=3");
    pby_spec_free(spec);
    refuses("geometric:eps=1 ", "SPEC ''");
    refuses(" geometric:eps=1", "SPEC ''");
    refuses("geometric:eps=1  geometric:eps=1", "SPEC ''");
    refuses("geometric:eps=1 geometrix:eps=1", "SPEC 'geometrix'");
    refuses("geometric: eps=1", "geometric parameter '': expected NAME=VALUE without blanks");
}

/* A refusal of parameters that do not go together shows all of them. */
Test(spec, refusals_of_parameters_together)
{
    refuses("stlap:eps=1,tau=1/3,n=9",
            "SPEC 'stlap:eps=1,tau=1/3,n=9': expected q=Q, or tau=T, n=N and bars=K");
    refuses("stlap:eps=1,tau=1,n=9,bars=2", "stlap:tau '1': expected a rational above 0 and below 1");
    refuses("buckethist:eps=1,q=5,bound=8,width=8,dimension=99",
            "SPEC 'buckethist:eps=1,q=5,bound=8,width=8,dimension=99': expected a dimension of at most");
    refuses("buckethist:eps=1,q=5,bound=8,width=1e-9,dimension=9", "': expected at most ");
    refuses("buckethist:eps=1,q=5,bound=1e30,width=1", "SPEC 'buckethist:eps=1,q=5,bound=1");
}

/* Data of 153 records are of n=152 and of n=153, and no neighbour of them is of both. */
Test(spec, mechanisms_that_read_the_size_are_about_one_data_set)
{
    static const char small[] = "stlap:eps=1,tau=1/9,n=152,bars=3",
                      large[] = "stlap:eps=1/2,tau=1/9,n=153,bars=3";
    char text[128];
    snprintf(text, sizeof text, "%s geometric:eps=1 %s", small, large);
    refuses(text, "of n=152 and of n=153: expected one n");
    snprintf(text, sizeof text, "3*%s %s stlap:eps=2,tau=1/7,n=152,bars=9 stlap:eps=1,q=4", small, small);
    pby_spec *spec = NULL;
    const char *const texts[] = {text, small}, *const apart[] = {text, large};
    cr_assert_eq(pby_spec_parse(&spec, texts, 2, NULL), PBY_OK);
    pby_spec_free(spec);
    cr_assert_eq(pby_spec_parse(&spec, apart, 2, NULL), PBY_BAD);
    cr_assert_null(spec);
}

Test(spec, refusals_name_the_parameter)
{
    refuses("", "expected one of");
    refuses("rdp:order=10,eps=1/10,sample=1/10", "no sample: how a sample changes this promise");
    refuses("zcdp:rho=1/10,sample=1/10", "a promise of pure or approx takes sample=R");
    refuses("stlab:eps=1,q=2", "'stlab': not known; did you mean stlap? expected one of");
    refuses("stlap", "stlap:eps");
    refuses("stlap:", "stlap parameter '': expected NAME=VALUE");
    refuses("stlap:eps=1/2", "SPEC 'stlap:eps=1/2': expected q=Q");
    refuses("stlap:eps=1/2,q=", "stlap:q ''");
    refuses("stlap:eps=1/2,q", "stlap:q ''");
    refuses("stlap:eps=0,q=40", "stlap:eps '0': expected a rational above 0");
    refuses("stlap:eps=-1,q=40", "stlap:eps '-1'");
    refuses("stlap:eps=1/2,q=-40", "stlap:q '-40'");
    refuses("stlap:eps=nan,q=40", "stlap:eps 'nan'");
    refuses("stlap:eps=inf,q=40", "stlap:eps 'inf'");
    refuses("stlap:eps=1,eps=2,q=40", "each parameter once");
    refuses("stlap:epsilon=1,q=40", "parameter 'epsilon': expected one of eps");
    refuses("geometric:eps=1,sensitivity=0", "geometric:sensitivity '0'");
    refuses("geometric:eps=1,sensitivity=3/2", "geometric:sensitivity '3/2'");
    refuses("geometric:eps=1,sensitivity=1e12", "geometric:sensitivity '1e12'");
    refuses("geometric:eps=1,", "parameter ''");
    refuses("geometric:,eps=1", "parameter ''");
    refuses("0*geometric:eps=1", "multiplicity '0'");
    refuses("-1*geometric:eps=1", "multiplicity '-1'");
    refuses("*geometric:eps=1", "multiplicity ''");
    refuses("1e3*geometric:eps=1", "multiplicity '1e3'");
    refuses("99999999999999999999*geometric:eps=1", "multiplicity");
    refuses("geometric:eps=1\n", "geometric:eps '1\\x0a'");
}

Test(spec, a_value_of_absurd_length)
{
    char text[10000] = "stlap:q=1,eps=";
    memset(text + strlen(text), '9', sizeof text - strlen(text) - 1);
    refuses(text, "4096 digits");
}

Test(spec, neighbours)
{
    pby_neighbours relation = PBY_ADD_REMOVE;
    pby_error err;
    cr_assert_eq(pby_neighbours_parse(&relation, "--neighbours", "substitute", NULL), PBY_OK);
    cr_assert_eq(relation, PBY_SUBSTITUTE);
    cr_assert_eq(pby_neighbours_parse(&relation, "--neighbours", "add-remove", NULL), PBY_OK);
    cr_assert_eq(relation, PBY_ADD_REMOVE);
    cr_assert_eq(pby_neighbours_parse(&relation, "--neighbours", "swap", &err), PBY_BAD);
    cr_assert_str_eq(err.text, "--neighbours 'swap': expected one of add-remove, substitute, local");
    cr_assert_str_eq(pby_neighbours_text(PBY_SUBSTITUTE), "substitute");
}

/* A spec made of values is the one that would have been read. */
Test(spec, made_of_values)
{
    static const char *const texts[] = {"stlap:eps=1/3,q=7", "3*range:eps=2,L=4,dimensions=5",
                                        "threshold:eps=1,T=9,moves=both-ways"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pby_spec *read, *made;
        pby_error err;
        cr_assert_eq(pby_spec_parse(&read, &texts[i], 1, &err), PBY_OK, "%s", err.text);
        cr_assert_eq(pby_spec_of(&made, &read->use[0].mechanism, read->use[0].times, &err), PBY_OK, "%s",
                     err.text);
        cr_assert_str_eq(pby_spec_text(made), texts[i]);
        pby_spec_free(made);
        pby_spec_free(read);
    }
}

Test(spec, a_mechanism_step_by_step)
{
    pby_mechanism m;
    pby_spec *spec;
    pby_error err;
    unsigned given;
    fmpq_t q;
    fmpq_init(q);
    pby_mechanism_init(&m, NULL);
    cr_assert_eq(pby_mechanism_read(&m, &given, "range:dimensions=2", &err), PBY_OK, "%s", err.text);
    cr_assert_eq(given, 1u << pby_family_find(m.family, "dimensions"));
    fmpq_set_si(q, 1, 2);
    cr_assert_eq(pby_mechanism_set(&m, 0, q, &err), PBY_OK);
    cr_assert_eq(pby_mechanism_complete(&m, given | 1, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "range:L ''"), "%s", err.text);
    cr_assert_eq(pby_mechanism_set(&m, 1, q, &err), PBY_BAD);
    cr_assert_str_eq(err.text, "range:L '0.5': expected an integer from 1 to 2147483647");
    fmpq_set_si(q, 6, 1);
    cr_assert_eq(pby_mechanism_set(&m, 1, q, &err), PBY_OK);
    cr_assert_eq(pby_mechanism_complete(&m, given | 3, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_spec_of(&spec, &m, 4, &err), PBY_OK);
    cr_assert_str_eq(pby_spec_text(spec), "4*range:eps=1/2,L=6,dimensions=2");
    pby_spec_free(spec);
    pby_mechanism_clear(&m);
    fmpq_clear(q);
}

/* A digest keeps its leading zeros, and is written in lower case. */
Test(spec, a_digest_is_64_digits)
{
    static const char zeros[] =
        "smalldb:eps=1,size=2,queries=00000000000000000000000000000000000000000000000000000000000000Ab";
    static const char *const bad[] = {
        "smalldb:eps=1,size=2,queries=ab",
        "smalldb:eps=1,size=2,queries=0000000000000000000000000000000000000000000000000000000000000000",
        "smalldb:eps=1,size=2,queries=0x000000000000000000000000000000000000000000000000000000000000ab",
        "smalldb:eps=1,size=2",
    };
    const char *const good[] = {zeros};
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, good, 1, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(
        pby_spec_text(spec),
        "smalldb:eps=1,size=2,queries=00000000000000000000000000000000000000000000000000000000000000ab");
    pby_spec_free(spec);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(pby_spec_parse(&spec, &bad[i], 1, &err), PBY_BAD, "%s", bad[i]);
}
