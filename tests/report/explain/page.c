/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/digest.h"
#include "report/explain/citation.h"
#include "tests/cli/browse.h"
#include "tests/cli/outputs.h"
#include "tests/mechanism/examples.h"

/* The page of a spec, which is written into the folder. */
static const char *page_of(const char *folder, const char *name, const char *spec)
{
    char path[PBY_PATH_SIZE];
    pby_folder_path(path, folder, name);
    const pby_run *r = PBY_RUN(NULL, "explain", spec, "--report", path);
    cr_assert_eq(r->status, 0, "%s: %s", spec, r->err);
    return pby_file_text(path);
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++)
        count++;
    return count;
}

/* Each has the numbers of --json, and asks for nothing from outside. */
static void check_page(const char *folder, const char *name, const char *spec)
{
    const pby_run *r = PBY_RUN(NULL, "explain", spec, "--json");
    json_t *object = json_loads(r->out, 0, NULL);
    const char *hi =
        json_string_value(json_object_get(json_object_get(json_object_get(object, "loss"), "epsilon"), "hi"));
    const char *page = page_of(folder, name, spec);
    static const char *const sections[] = {
        "<h2>The noise</h2>",           "<h2>The worst pair of neighbours</h2>", "<h2>Privacy loss</h2>",
        "<h2>The published claim</h2>", "<h2>What a release is worth</h2>",      "<h2>How to cite it</h2>"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        cr_assert_eq(occurrences(page, sections[i]), 1, "%s: %s", spec, sections[i]);
    cr_assert_not_null(strstr(page, hi), "%s: %s", spec, hi);
    cr_assert_not_null(strstr(page, "aria-label=\"delta against epsilon"), "%s", spec);
    cr_assert(strstr(page, "http") == NULL && strstr(page, "src=") == NULL && strstr(page, "nan") == NULL,
              "%s", spec);
    cr_assert_str_eq(page + strlen(page) - 8, "</html>\n");
    json_decref(object);
}

/* Every example of every family, as text and on a phone. */
Test(explain_report, of_every_family_is_whole_and_readable_at_420_pixels)
{
    enum { MOST = 256 };
    static char name[MOST][32];
    const char *names[MOST + 1] = {NULL};
    char folder[PBY_PATH_SIZE];
    size_t count = 0;
    pby_folder_make(folder);
    PBY_EACH_EXAMPLE(spec)
    {
        cr_assert_lt(count, MOST);
        if (pby_family_is_step(*family_))
            continue;
        snprintf(name[count], sizeof name[count], "%zu.html", count);
        names[count] = name[count];
        check_page(folder, name[count], spec);
        count++;
    }
    cr_assert_gt(count, 16);
    cr_assert_eq(pby_readable_on_a_phone(folder, names), count);
    pby_folder_remove(folder);
}

Test(explain_report, opens_in_a_browser)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    page_of(folder, "report.html", "stlap:eps=1/2,q=40");
    pby_folder_path(path, folder, "report.html");
    const char *dom = pby_browse(folder, path, 1200);
    cr_assert_not_null(strstr(dom, "the claim holds here"), "%.200s", dom);
    cr_assert_not_null(strstr(dom, "<polyline class=\"seen\""));
    cr_assert_not_null(strstr(dom, "<circle class=\"claimed\""));
    cr_assert_not_null(strstr(dom, "<rect class=\"law\""));
    cr_assert_not_null(strstr(dom, "<rect class=\"right\""));
    pby_folder_remove(folder);
}

/* By hand: odds of 3 are chances 3/4 and 1/4, and a loss of log 3 = 1.0986. */
Test(explain_report, the_pair_of_randomised_response)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    const char *page = page_of(folder, "report.html", "rr:odds=3");
    cr_assert_not_null(strstr(page, "<td class=\"number\">1.1</td><td class=\"number\">0.75</td><td "
                                    "class=\"number\">0.25</td>"));
    cr_assert_not_null(strstr(page, "<td class=\"number\">-1.1</td><td class=\"number\">0.25</td><td "
                                    "class=\"number\">0.75</td>"));
    pby_folder_remove(folder);
}

/* The worst pair shows what delta tends to: the chance of an infinite loss. */
Test(explain_report, the_infinite_loss_is_the_limit_of_delta)
{
    char folder[PBY_PATH_SIZE], row[128];
    pby_folder_make(folder);
    const pby_run *r =
        PBY_RUN(NULL, "loss", "stlap:eps=1/2,q=40", "--epsilon", "30", "--digits", "6", "--json");
    json_t *object = json_loads(r->out, 0, NULL);
    const char *lo = json_string_value(json_object_get(json_object_get(object, "delta"), "lo"));
    snprintf(row, sizeof row, "<td class=\"number\">inf</td><td class=\"number\">%.6s", lo);
    const char *page = page_of(folder, "report.html", "stlap:eps=1/2,q=40");
    cr_assert_not_null(strstr(page, row), "%s", row);
    json_decref(object);
    pby_folder_remove(folder);
}

/* Claims of either verdict, and none. */
Test(explain_report, the_claim_beside_the_exact_value)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    const char *page = page_of(folder, "a.html", "stlap:eps=1/2,q=40");
    cr_assert_not_null(strstr(page, "holds here"));
    cr_assert_not_null(strstr(page, "[Flex] A. Bansal"));
    page = page_of(folder, "b.html", "stlap:eps=1/2,tau=1/75,n=3000,bars=3");
    cr_assert_not_null(strstr(page, "The exact delta is larger than the claimed one"));
    cr_assert_not_null(strstr(page, "the claim fails here"));
    page = page_of(folder, "c.html", "range:eps=1,L=10,sensitivity=2,dimensions=2");
    cr_assert_not_null(strstr(page, "the claim holds here"));
    page = page_of(folder, "d.html", "dgauss:sigma2=16");
    cr_assert_not_null(strstr(page, "No published formula"));
    pby_folder_remove(folder);
}

Test(explain_report, several_uses_and_laws_too_wide_for_bars)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    const char *page = page_of(folder, "a.html", "10*stlap:eps=1/2,q=40");
    cr_assert_not_null(strstr(page, "this factor occurs 10 times"));
    cr_assert_not_null(strstr(page, "docs/theory/composition.md"));
    page = page_of(folder, "b.html", "dgauss:sigma2=1000000");
    cr_assert_not_null(strstr(page, "<polyline class=\"law-line\""));
    cr_assert_null(strstr(page, "<rect class=\"law\""));
    pby_folder_remove(folder);
}

/* The digest is that of the command that the page names. */
Test(explain_report, the_digest_can_be_checked)
{
    char folder[PBY_PATH_SIZE];
    pby_digest digest;
    pby_folder_make(folder);
    const pby_run *r =
        PBY_RUN(NULL, "explain", "dgauss:sigma2=16", "--neighbours", "add-remove", "--digits", "9", "--json");
    pby_digest_bytes(&digest, r->out, r->out_size);
    const char *page = page_of(folder, "report.html", "dgauss:sigma2=16");
    cr_assert_not_null(strstr(page, digest.sha256));
    cr_assert_not_null(
        strstr(page, "probity explain 'dgauss:sigma2=16' --neighbours add-remove --digits 9 --json"));
    pby_folder_remove(folder);
}

/* A file that is there stays as it was when there is nothing to write. */
Test(explain_report, is_whole_or_not_at_all)
{
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "report.html");
    pby_write_file(path, "before");
    PBY_REFUSED(2, "--report: output '/nowhere/x.html': expected a file that can be written", NULL, "explain",
                "pure:eps=1", "--report", "/nowhere/x.html");
    PBY_REFUSED(2, "sensitivity", NULL, "explain", "threshold:eps=1,T=2000,sensitivity=200", "--report",
                path);
    PBY_REFUSED(2, "--report: output '': expected a file", NULL, "explain", "pure:eps=1", "--report=");
    cr_assert(pby_file_is(path, "before"));
    cr_assert_eq(pby_folder_entries(folder), 1);
    pby_folder_remove(folder);
}

/* The bibliography without its emphasis. */
Test(explain_report, cites_what_the_bibliography_says)
{
    static char text[1 << 14];
    char row[64];
    FILE *in = fopen("docs/bibliography.md", "r");
    cr_assert_not_null(in);
    size_t n = 0;
    for (int c; (c = fgetc(in)) != EOF && n < sizeof text - 1;)
        if (c != '*')
            text[n++] = (char)c;
    fclose(in);
    for (const pby_citation *c = pby_citations; c->key != NULL; c++) {
        snprintf(row, sizeof row, "| [%s] |", c->key);
        const char *at = strstr(text, row);
        cr_assert_not_null(at, "%s", row);
        cr_assert_not_null(strstr(at, c->text), "%s", c->text);
    }
    cr_assert_str_eq(pby_citation_in("x, Thresh/Lemma 5")->key, "Thresh");
    cr_assert_null(pby_citation_in("0 from eps on"));
    cr_assert_null(pby_citation_in(NULL));
}
