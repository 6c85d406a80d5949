/* SPDX-License-Identifier: MIT */
#include "law/law_theorem.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "law/laws.h"
#include "probity/spec.h"
#include "tests/cli/outputs.h"
#include "tests/cli/run.h"
#include "tests/law/make.h"

/* The text has every entry of the sampler's table, in order, and no other. */
static void has_table(const char *text, const pby_sampler *s)
{
    const char *at = strstr(text, "Definition table : list Z := [");
    cr_assert_not_null(at);
    at = strchr(at, '[') + 1;
    for (size_t i = 0; i < s->cells; i++) {
        char *end;
        cr_assert_eq(strtoull(at, &end, 10), s->table[i], "entry %zu", i);
        cr_assert_eq(*end, i + 1 < s->cells ? ';' : ']');
        at = end + 1;
    }
    char values[64];
    snprintf(values, sizeof values, "(Z.of_nat i + (%" PRId64 "))%%Z) (seq 0 %zu)", s->first, s->cells - 1);
    cr_assert_not_null(strstr(text, values), "%s", values);
}

static void says(pby_law *law, const char *const *parts)
{
    pby_error err;
    char *text;
    pby_sampler *s = make_sampler(law);
    cr_assert_eq(pby_sampler_theorem(&text, s, "SPEC", &err), PBY_OK, "%s", err.text);
    cr_assert_not_null(strstr(text, "(* SPEC: the cut table"));
    cr_assert_not_null(strstr(
        text, "Theorem table_of_the_law : 0%Z :: map (fun k => floor (cdf k * words)) values = table."));
    cr_assert_not_null(strstr(text, "Theorem certified : drawn_from \"SPEC\" table."));
    has_table(text, s);
    for (; *parts != NULL; parts++)
        cr_assert_not_null(strstr(text, *parts), "%s in %s", *parts, text);
    free(text);
    pby_sampler_free(s);
}

/* Coq proves what a file says; that it says what the sampler draws from is seen here. */
Test(table_theorem, has_the_table_and_the_law)
{
    pby_error err;
    pby_law *law;
    fmpq_t eps, q;
    fmpq_init(eps);
    fmpq_init(q);
    says(make_geometric("3/2"), (const char *[]){"Definition rate : R := 3/2.", "Lemma mass (k : Z)", NULL});
    says(make_tgeometric("1/2", 10),
         (const char *[]){"Definition rate : R := 1/2.", "if (k <? -10)%Z then 0", NULL});
    says(make_stlap("1/3", "25/2"),
         (const char *[]){"Definition eps : R := 1/3.", "Definition q : R := 25/2.",
                          "(2 * k + 1) * 2 + 25 <=? 0", "if (k <? -12)%Z then 0", NULL});
    set_text(q, "9/2");
    cr_assert_eq(pby_law_dgauss(&law, q, &err), PBY_OK);
    says(law, (const char *[]){"Definition sigma2 : R := 9/2.", "Definition many : nat := 31.",
                               "Lemma mass (k : Z)", "Ltac given ::= assert (B := between)", NULL});
    set_text(eps, "1");
    set_text(q, "9");
    cr_assert_eq(pby_law_stlap_up(&law, eps, q, &err), PBY_OK);
    says(law, (const char *[]){"rounded up", "(2 * k) * 1 + 9 <=? 0", "IZR (2 * k) / 2", NULL});
    set_text(q, "3");
    fmpq_zero(eps);
    cr_assert_eq(pby_law_response(&law, q, eps, 2, &err), PBY_OK);
    says(law, (const char *[]){"Definition odds : R := 3 * exp (0).", "(k <=? 1)%Z", NULL});
    /* 3/4 of the words, exactly */
    cr_assert_eq(pby_law_response(&law, q, eps, 2, &err), PBY_OK);
    says(law, (const char *[]){"[0; 13835058055282163712]%Z", NULL});
    fmpq_clear(q);
    fmpq_clear(eps);
}

Test(table_theorem, is_refused_where_there_is_none)
{
    pby_error err;
    char *text;
    fmpq_t sigma2;
    pby_law *law;
    pby_sampler *s = make_sampler(make_stlap("1/2", "201"));
    cr_assert_eq(pby_sampler_theorem(&text, s, "", &err), PBY_BAD);
    cr_assert_null(text);
    cr_assert_not_null(strstr(err.text, "at most 200 cuts for a theorem, not 201"), "%s", err.text);
    pby_sampler_free(s);
    s = make_sampler(make_stlap("1/2", "200"));
    cr_assert_eq(pby_sampler_theorem(&text, s, "", &err), PBY_OK);
    free(text);
    pby_sampler_free(s);
    fmpq_init(sigma2);
    set_text(sigma2, "1/17");
    cr_assert_eq(pby_law_dgauss(&law, sigma2, &err), PBY_OK);
    s = make_sampler(law);
    cr_assert_eq(pby_sampler_theorem(&text, s, "", &err), PBY_BAD);
    cr_assert_null(text);
    cr_assert_not_null(strstr(err.text, "dgauss (sigma2 from 1/16 on)"), "%s", err.text);
    pby_sampler_free(s);
    fmpq_clear(sigma2);
}

/* Every spec of the list that make prove compiles has one. */
Test(table_theorem, the_command_writes_those_of_the_list)
{
    char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE], name[64], spec[128];
    FILE *list = fopen("proofs/tables.txt", "r");
    int rows = 0;
    cr_assert_not_null(list);
    pby_folder_make(folder);
    pby_folder_path(file, folder, "x.v");
    for (; fscanf(list, "%63s %127s", name, spec) == 2; rows++) {
        const pby_run *r = PBY_RUN(NULL, "draw", spec, "--coq", file);
        cr_assert_eq(r->status, 0, "%s", r->err);
        cr_assert_eq(r->out_size, 0);
        cr_assert_not_null(strstr(pby_file_text(file), spec), "%s", spec);
    }
    fclose(list);
    cr_assert_eq(rows, 11);
    const pby_run *r = PBY_RUN(NULL, "draw", "rr:eps=1", "-n", "3", "--coq", file);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(r->out_size, 6);
    pby_folder_remove(folder);
}

Test(table_theorem, the_command_refuses_what_draws_from_no_such_table)
{
    char folder[PBY_PATH_SIZE], file[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(file, folder, "x.v");
    static const char *const specs[] = {"dgauss:sigma2=1/20", "geometric:eps=1/100", "exponential:eps=1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        cr_assert_eq(PBY_RUN(NULL, "draw", specs[i], "--coq", file)->status, 2, "%s", specs[i]);
    const pby_run *r = PBY_RUN(NULL, "draw", "rr:eps=1", "--coq", file, "--timing-safe");
    cr_assert_eq(r->status, 2);
    cr_assert_not_null(strstr(r->err, "other tables"), "%s", r->err);
    cr_assert_eq(pby_folder_entries(folder), 0);
    pby_folder_remove(folder);
}
