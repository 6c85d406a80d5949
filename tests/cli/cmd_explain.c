/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/spec/story.h"
#include "tests/cli/run.h"
#include "tests/mechanism/examples.h"

static char *contents(const char *folder, const char *name)
{
    char path[PBY_PATH_SIZE];
    static char text[1 << 16];
    pby_folder_path(path, folder, name);
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in, "%s is named and is not there", path);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* Every story is of some use: the last one is about all mechanisms of its family, each other about some
 * example. */
Test(explain, every_story_is_told)
{
    for (size_t i = 0; pby_families[i] != NULL; i++) {
        const pby_story *s = pby_families[i]->stories;
        cr_assert(s != NULL && s->what != NULL, "nothing is told of %s", pby_families[i]->name);
        for (; s[1].what != NULL; s++) {
            cr_assert_neq(s->with, PBY_ROLE_NONE, "%s: a story behind one of every mechanism",
                          pby_families[i]->name);
            cr_assert_lt(pby_family_with(pby_families[i], s->with), PBY_PARAMETERS_MAX);
        }
        cr_assert_eq(s->with, PBY_ROLE_NONE, "%s: of some mechanisms nothing is told", pby_families[i]->name);
    }
}

static void check_story(const pby_family *family, const pby_story *s)
{
    cr_assert(s->what && s->pages[0]);
    for (unsigned relation = PBY_ADD_REMOVE; relation <= PBY_LOCAL; relation++) {
        const bool about = (family->relations & 1u << relation) != 0;
        cr_assert_eq(s->neighbours[relation] != NULL, about, "%s: neighbours %u", family->name, relation);
        cr_assert_eq(s->pair[relation] != NULL, about, "%s: pair %u", family->name, relation);
    }
    for (size_t i = 0; i < PBY_STORY_PAGES && s->pages[i] != NULL; i++)
        cr_assert_str_not_empty(contents("docs/theory", s->pages[i]));
    for (size_t i = 0; i < PBY_STORY_KERNEL && s->kernel[i].name != NULL; i++) {
        char call[64];
        snprintf(call, sizeof call, "%s(", s->kernel[i].name);
        const char *header = contents("src/kernel", s->kernel[i].header);
        const char *prototype = strstr(header, call);
        cr_assert_not_null(prototype, "%s is not in %s", call, s->kernel[i].header);
        const char *contract = strstr(header, "ensures");
        cr_assert(contract != NULL && contract < prototype, "%s has no contract", call);
    }
    const bool drawn = s->accuracy == NULL || strcmp(s->accuracy, "none: nothing is drawn") != 0;
    if (family->release != NULL && drawn)
        cr_assert_not_null(s->kernel[0].name, "%s releases by nothing that is proved", family->name);
}

Test(explain, every_story_is_whole_and_names_what_is_there)
{
    for (size_t i = 0; pby_families[i] != NULL; i++)
        for (const pby_story *s = pby_families[i]->stories;
             s->what != NULL && !pby_family_is_step(pby_families[i]); s++)
            check_story(pby_families[i], s);
}

static json_t *explain(const char *spec)
{
    const pby_run *r = PBY_RUN(NULL, "explain", spec, "--json");
    cr_assert_eq(r->status, 0, "%s: %s", spec, r->err);
    json_t *object = json_loads(r->out, 0, NULL);
    cr_assert_not_null(object, "%s", spec);
    return object;
}

Test(explain, tells_of_every_family_what_loss_tells)
{
    PBY_EACH_EXAMPLE(spec)
    {
        json_t *object = explain(spec);
        json_t *loss = json_object_get(object, "loss");
        cr_assert_str_eq(json_string_value(json_object_get(object, "spec")), spec);
        if (pby_family_is_step(*family_)) { /* a last step has none */
            cr_assert_null(loss);
            json_decref(object);
            continue;
        }
        const pby_run *r = PBY_RUN(NULL, "loss", spec, "--delta", "1e-6", "--json");
        json_t *other = json_loads(r->out, 0, NULL);
        json_t *epsilon = json_object_get(loss, "epsilon");
        json_object_del(epsilon, "at");
        cr_assert(json_equal(epsilon, json_object_get(other, "epsilon")), "%s", spec);
        cr_assert_eq(json_object_get(loss, "rho") == NULL,
                     strncmp(spec, "exponential:eps=1,sample=", 25) == 0 || strstr(spec, "batch=") != NULL,
                     "%s", spec);
        json_decref(other);
        json_decref(object);
    }
}

Test(explain, a_spec_is_told_at_its_own_epsilon)
{
    json_t *object = explain("stlap:eps=1/2,q=40");
    json_t *delta = json_object_get(json_object_get(object, "loss"), "delta");
    cr_assert_str_eq(json_string_value(json_object_get(delta, "at")), "0.5");
    cr_assert_str_eq(json_string_value(json_object_get(delta, "lo")), "1.47266186e-05");
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(object, "accuracy"), "bar_loss")), 40);
    json_decref(object);
    object = explain("10*geometric:eps=1/2");
    cr_assert_null(json_object_get(json_object_get(object, "loss"), "delta"),
                   "of ten uses there is no such epsilon");
    json_decref(object);
}

Test(explain, for_people)
{
    const pby_run *r = PBY_RUN(NULL, "explain", "stlap:eps=1/2,q=40", "--neighbours", "substitute");
    cr_assert_eq(r->status, 0);
    cr_assert_not_null(strstr(r->out, "neighbours  substitute: one record changed"));
    cr_assert_not_null(strstr(r->out, "worst pair  the product of"));
    cr_assert_not_null(strstr(r->out, "docs/theory/stlap.md"));
    cr_assert_not_null(strstr(r->out, "pby_shrink, contract in src/kernel/histogram.h"));
    for (const char *line = r->out; *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_assert_leq(strcspn(line, "\n"), 106);
    r = PBY_RUN(NULL, "explain", "100*dgauss:sigma2=100");
    cr_assert_not_null(strstr(r->out, "docs/theory/composition.md"));
    cr_assert_not_null(strstr(r->out, "rho         0.5 "));
}

Test(explain, refusals_suggest_what_was_meant)
{
    PBY_REFUSED(2, "SPEC 'stalp': not known; did you mean stlap? expected one of geometric", NULL, "explain",
                "stalp:eps=1,q=4");
    PBY_REFUSED(2, "did you mean stlap?", NULL, "explain", "stalp:eps=1,q=4");
    PBY_REFUSED(2, "did you mean eps?", NULL, "explain", "stlap:epsilon=1,q=4");
    PBY_REFUSED(2, "did you mean sensitivity?", NULL, "explain", "geometric:eps=1,sensitvity=2");
    PBY_REFUSED(2, "did you mean --neighbours?", NULL, "explain", "pure:eps=1", "--neighbors=substitute");
    PBY_REFUSED(2, "did you mean explain?", NULL, "explian");
    PBY_REFUSED(2, "explain: expected a SPEC", NULL, "explain");
    PBY_REFUSED(2, "one SPEC, not two", NULL, "explain", "pure:eps=1", "pure:eps=2");
}

Test(explain, two_sizes_and_bounds_that_stay_apart)
{
    json_t *object = explain("stlap:eps=1,tau=1/2,n=1,bars=2");
    cr_assert_eq(json_integer_value(json_object_get(json_object_get(object, "accuracy"), "bar_loss")), 1,
                 "data of two records lose one");
    cr_assert_null(json_object_get(json_object_get(object, "loss"), "wider"));
    json_decref(object);
    object = explain("stlap:eps=1,tau=1/2,n=100,bars=4");
    cr_assert_not_null(json_object_get(json_object_get(object, "loss"), "wider"));
    json_decref(object);
    const pby_run *r = PBY_RUN(NULL, "explain", "stlap:eps=1,tau=1/2,n=100,bars=4");
    cr_assert_not_null(strstr(r->out, "\n  wider     neither finer grids"));
    r = PBY_RUN(NULL, "explain", "range:eps=1,L=20");
    cr_assert_null(strstr(r->out, "appear"), "the keys of a range are public");
}

/* ---- reports that check themselves ------------------------------------------------------------------ */

/* Runs a copy of the command in FOLDER/bin, with these pieces of a page beside it, or without any. */
static int run_copy(const char *folder, const char *pieces, const char *rest)
{
    static char line[4096];
    const char *command = getenv("PROBITY") == NULL ? "build/probity" : getenv("PROBITY");
    snprintf(
        line, sizeof line,
        "mkdir -p %s/bin %s/share/probity/web && cp %s %s/bin/probity && cd %s && { [ -z '%s' ] || printf "
        "'%s' > share/probity/web/recheck.html; } && bin/probity %s 2>err >out",
        folder, folder, command, folder, folder, pieces, pieces, rest);
    const int ended = system(line);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

static bool shell(const char *folder, const char *test)
{
    static char line[4096];
    snprintf(line, sizeof line, "cd %s && %s", folder, test);
    return system(line) == 0;
}

#define CHECKED_SPEC "stlap:eps=1/2,q=40"

/* Its policy allows the report's own style by digest, or the page would be shown without one. */
Test(explain, a_report_that_checks_itself_is_the_report_with_three_pieces)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    cr_assert_eq(
        run_copy(folder, "<meta STYLE-OF-REPORT>\\n<!--report-->\\n<b>top</b>\\n<!--report--><b>end</b>\\n",
                 "explain " CHECKED_SPEC
                 " --report c.html --self-checking && bin/probity explain " CHECKED_SPEC " --report r.html"),
        0);
    cr_assert(shell(folder, "diff r.html c.html | grep -c '^>' | grep -q '^[3-7]$' && ! diff r.html c.html | "
                            "grep -q '^<'"),
              "nothing of the report is missing");
    cr_assert(shell(folder,
                    "d=$(python3 -c \"import base64, hashlib, re, sys; print(base64.b64encode(hashlib."
                    "sha256(re.search('<style>(.*?)</style>', open('r.html').read(), 16).group(1)."
                    "encode()).digest()).decode())\") && grep -qF \"<meta 'sha256-$d'>\" c.html"),
              "the style's digest, as browsers take it");
    cr_assert(shell(folder, "grep -q 'data-ask=\"loss " CHECKED_SPEC
                            " --neighbours add-remove --digits 9 --epsilon 0.5\" data-value=\"delta\">"
                            "\\[1.47266186e-05, 1.47266187e-05\\]<' c.html"));
    cr_assert(shell(folder, "tail -n 3 c.html | grep -q '<b>end</b>' && rm -r *"));
    pby_folder_remove(folder);
}

Test(explain, a_report_that_checks_itself_is_refused_without_its_page)
{
    char folder[PBY_PATH_SIZE];
    pby_folder_make(folder);
    cr_assert_eq(run_copy(folder, "", "explain " CHECKED_SPEC " --self-checking"), 2);
    cr_assert(shell(folder, "grep -q -- '--self-checking: expected --report FILE' err"));
    cr_assert_eq(run_copy(folder, "", "explain " CHECKED_SPEC " --report c.html --self-checking"), 3);
    cr_assert(shell(folder, "grep -q 'web/recheck.html); make web makes it' err && test ! -e c.html"));
    cr_assert_eq(
        run_copy(folder, "<p><!--report-->", "explain " CHECKED_SPEC " --report c.html --self-checking"), 3);
    cr_assert(shell(folder, "grep -q 'of another version' err && test ! -e c.html && rm -r *"));
    pby_folder_remove(folder);
}

/* Every question of a report, asked again of the command, has the answer that stands there. */
Test(explain, the_questions_of_a_report_have_its_answers)
{
    static const char script[] =
        "import html, json, os, re, subprocess, sys\n"
        "page, n = open('r.html').read(), 0\n"
        "asked = r'<(?:span|table) data-ask=\"([^\"]*)\" data-value=\"(\\w+)\">(.*?)</(?:span|table)>'\n"
        "for ask, name, text in re.findall(asked, page, re.S):\n"
        "    words = [os.environ['COMMAND'], *html.unescape(ask).split(' '), '--json']\n"
        "    out = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout\n"
        "    found, n = json.loads(out)[name], n + 1\n"
        "    if name == 'profile':\n"
        "        rows = re.findall('<td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', text)\n"
        "        assert len(rows) > 9\n"
        "        assert set(rows) <= {(p['epsilon'], *p['delta'].values()) for p in found}, (rows, found)\n"
        "    else:\n"
        "        assert text == (found['lo'] if found['lo'] == found['hi'] else '[%s, %s]' % (found['lo'], "
        "found['hi'])), (ask, text, found)\n"
        "assert n == int(sys.argv[1]), n\n";
    static const struct {
        const char *spec, *questions;
    } cases[] = {{CHECKED_SPEC, "6"},
                 {"geometric:eps=1/3", "4"},
                 {"4*dgauss:sigma2=100", "3"},
                 {"gauss:sigma2=4,sample=1/50", "3"}};
    char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], line[512];
    pby_folder_make(folder);
    pby_folder_path(path, folder, "check.py");
    FILE *out = fopen(path, "w");
    fputs(script, out);
    fclose(out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(run_copy(folder, "", ""), 2, "a command without arguments");
        snprintf(line, sizeof line,
                 "bin/probity explain '%s' --report r.html >out && COMMAND=bin/probity python3 check.py %s",
                 cases[i].spec, cases[i].questions);
        cr_assert(shell(folder, line), "%s", cases[i].spec);
    }
    cr_assert(shell(folder, "rm -r *"));
    pby_folder_remove(folder);
}
