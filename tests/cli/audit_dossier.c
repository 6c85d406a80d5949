/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "certificate/certificate.h"
#include "certificate/document.h"
#include "tests/cli/browse.h"
#include "tests/cli/outputs.h"

/* Outputs that differ on two inputs, or do not. */
#define SAME  "seq {n} | awk -v x={input} '{ print int($1 / (x == 4 ? 1 : 2)) % 2 }'"
#define TELLS "seq {n} | awk -v x={input} '{ print x }'"

struct place {
    char folder[PBY_PATH_SIZE], plan[PBY_PATH_SIZE], dossier[PBY_PATH_SIZE], page[PBY_PATH_SIZE],
        one[PBY_PATH_SIZE];
};

static void begin(struct place *p)
{
    pby_folder_make(p->folder);
    pby_folder_path(p->plan, p->folder, "plan.json");
    pby_folder_path(p->dossier, p->folder, "dossier.json");
    pby_folder_path(p->page, p->folder, "dossier.html");
    pby_folder_path(p->one, p->folder, "results/one.json");
}

/* Runs a command of the shell, in which $D is the folder. */
static void shell(const char *command, const char *folder)
{
    cr_assert_eq(setenv("D", folder, 1), 0);
    cr_assert_eq(system(command), 0, "%s", command);
}

static void end(const struct place *p)
{
    shell("rm -rf $D", p->folder);
}

/* A plan with the audits `one` and `two`. */
static void plan(const struct place *p, const char *one, const char *two)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"a <b>&amp; title\", \"scope\": \"of "
        "<i>all</i>\", \"not_looked_at\": [\"<script>alert(1)</script>\"], \"audits\": [{\"name\": \"one\", "
        "\"mechanism\": \"<u>m\", \"claim\": {\"epsilon\": \"1\", \"source\": \"'\\\"><img src=x>\"}, "
        "\"command\": \"%s\", \"inputs\": [\"<3\", \"4\"], \"outputs\": 1500, \"keep\": true}, {\"name\": "
        "\"two\", \"claim\": {\"epsilon\": \"4/3\"}, \"command\": \"%s\", \"inputs\": [\"3\", \"4\"], "
        "\"outputs\": 1500}]}",
        one, two);
    pby_write_file(p->plan, text);
}

static char *held(const char *path)
{
    char *text = strdup(pby_file_text(path));
    cr_assert_not_null(text);
    return text;
}

Test(audit_dossier, claims_are_judged_and_told)
{
    struct place p;
    begin(&p);
    plan(&p, TELLS, "exit 3; {input}");
    const pby_run *r = PBY_RUN(NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_str_eq(r->err, "probity: violation: 1 of 2 claims refuted\n");
    cr_assert_not_null(strstr(r->out, "one: violation, epsilon > "), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "two: not run: command: expected it to succeed on 3"), "%s", r->out);
    r = PBY_RUN(NULL, "audit", "--dossier", p.folder, "--json");
    cr_assert_str_eq(pby_run_member(r, "signed"), "no");
    plan(&p, SAME, SAME);
    cr_assert_eq(unlink(p.one), 0);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--dossier", p.folder)->status, 0);
    end(&p);
}

Test(audit_dossier, nothing_of_a_plan_or_of_outputs_is_markup)
{
    struct place p;
    begin(&p);
    plan(&p, "echo '<script>{n}' {input}; seq 1499 | sed 's/.*/<script>a/'", SAME);
    PBY_RUN(NULL, "audit", "--dossier", p.folder);
    const char *page = pby_file_text(p.page);
    static const char *const harmless[] = {"a &lt;b&gt;&amp;amp; title",
                                           "of &lt;i&gt;all&lt;/i&gt;",
                                           "&lt;script&gt;alert(1)&lt;/script&gt;",
                                           "&lt;u&gt;m",
                                           "'&quot;&gt;&lt;img src=x&gt;",
                                           "<code>&lt;3</code>"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        cr_expect_not_null(strstr(page, harmless[i]), "%s", harmless[i]);
    static const char *const markup[] = {"<script", "<img", "<b>", "<i>", "<u>", "http"};
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        cr_expect_null(strstr(page, markup[i]), "%s", markup[i]);
    end(&p);
}

/* A command that hangs is ended by a limit of its own, and the run with it: it can be started again. */
Test(audit_dossier, a_silent_command_is_ended)
{
    struct place p;
    char text[2048];
    static const char form[] =
        "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", "
        "\"audits\": [{\"name\": \"one\", \"claim\": {\"epsilon\": \"1\"}, %s, \"inputs\": [\"3\", "
        "\"4\"], \"outputs\": 500}]}";
    begin(&p);
    snprintf(text, sizeof text, form, "\"command\": \"sleep 600; {input}\", \"command_seconds\": 1");
    pby_write_file(p.plan, text);
    PBY_REFUSED(3, "one: command: nothing came from it for 1 s on 3, and it was ended", NULL, "audit",
                "--dossier", p.folder);
    end(&p);
    begin(&p);
    snprintf(text, sizeof text, form, "\"command\": \"" SAME "\", \"command_seconds\": 60");
    pby_write_file(p.plan, text);
    cr_assert_neq(PBY_RUN(NULL, "audit", "--dossier", p.folder)->status, 3);
    cr_assert_not_null(strstr(pby_file_text(p.page), " --command-seconds 60"));
    end(&p);
    begin(&p);
    snprintf(text, sizeof text, form, "\"command\": \"{input}\", \"command_seconds\": 0");
    pby_write_file(p.plan, text);
    PBY_REFUSED(2, "audits[0].command_seconds: expected an integer from 1 to 1000000", NULL, "audit",
                "--dossier", p.folder);
    snprintf(text, sizeof text, form, "\"release\": \"geometric:eps=1\", \"command_seconds\": 5");
    pby_write_file(p.plan, text);
    PBY_REFUSED(2, "audits[0].command_seconds: expected it together with command", NULL, "audit", "--dossier",
                p.folder);
    end(&p);
}

/* The second audit waits for a file; the run is killed while it does. */
Test(audit_dossier, a_killed_run_goes_on_where_it_was)
{
    struct place p;
    char waits[4 * PBY_PATH_SIZE], go[PBY_PATH_SIZE];
    begin(&p);
    pby_folder_path(go, p.folder, "go");
    snprintf(waits, sizeof waits, "while [ -d '%s' ] && [ ! -e '%s' ]; do sleep 0.05; done; %s", p.folder, go,
             SAME);
    plan(&p, SAME, waits);
    shell("${PROBITY:-build/probity} audit --dossier $D & p=$!; while [ ! -e $D/results/one.json ]; do sleep "
          "0.05; done; while ! grep -q 'two began' $D/journal.txt; do sleep 0.05; done; kill -9 $p; wait "
          "$p; true",
          p.folder);
    cr_assert_neq(access(p.dossier, F_OK), 0);
    char *first = held(p.one);
    pby_write_file(go, "");
    const pby_run *r = PBY_RUN(NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert(pby_file_is(p.one, first), "what had its result is not run again");
    cr_assert_not_null(strstr(pby_file_text(p.page), "two was begun 2 times"));
    cr_assert_null(strstr(pby_file_text(p.page), "one was begun"));
    free(first);
    end(&p);
}

Test(audit_dossier, two_runs_at_once_are_refused)
{
    struct place p;
    begin(&p);
    plan(&p, SAME, SAME);
    char waits[2 * PBY_PATH_SIZE];
    snprintf(waits, sizeof waits, "%s/waits", p.folder);
    shell("touch $D/journal.txt; (flock -x 9; touch $D/waits; while [ -e $D/waits ]; do sleep 0.05; done) "
          "9< $D/journal.txt & exit 0",
          p.folder);
    while (access(waits, F_OK) != 0)
        usleep(10000);
    PBY_REFUSED(2, "another run is at work", NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(unlink(waits), 0);
    end(&p);
}

/* Nothing is run, and nothing written, over results that are not those of the plan. */
Test(audit_dossier, damaged_results_are_refused)
{
    struct place p;
    char other[PBY_PATH_SIZE];
    begin(&p);
    plan(&p, SAME, SAME);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--dossier", p.folder)->status, 0);
    char *page = held(p.page), *one = held(p.one);
    char *digit = strstr(one, "\"epsilon_lower\": \"0\"");
    cr_assert_not_null(digit);
    char *changed = strdup(one);
    cr_assert_not_null(changed);
    changed[digit - one + 18] = '9';
    pby_write_file(p.one, changed);
    PBY_REFUSED(2, "results/one.json: digest", NULL, "audit", "--dossier", p.folder);
    pby_write_file(p.one, "{}");
    PBY_REFUSED(2, "results/one.json: ", NULL, "audit", "--dossier", p.folder);
    one[strlen(one) / 2] = '\0';
    pby_write_file(p.one, one);
    PBY_REFUSED(2, "results/one.json: not JSON", NULL, "audit", "--dossier", p.folder);
    shell("cp $D/results/two.json $D/results/one.json", p.folder);
    PBY_REFUSED(2, "not the result of this plan", NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(unlink(p.one), 0);
    pby_folder_path(other, p.folder, "results/three.json");
    pby_write_file(other, "{}");
    PBY_REFUSED(2, "results of audits that the plan has", NULL, "audit", "--dossier", p.folder);
    cr_assert(pby_file_is(p.page, page));
    free(changed);
    free(one);
    free(page);
    end(&p);
}

Test(audit_dossier, what_cannot_be_run_is_refused)
{
    struct place p;
    begin(&p);
    PBY_REFUSED(2, "plan.json", NULL, "audit", "--dossier", p.folder);
    pby_write_file(p.plan, "{\"format\": ");
    PBY_REFUSED(2, "plan.json: expected JSON", NULL, "audit", "--dossier", p.folder);
    plan(&p, "no input", SAME);
    PBY_REFUSED(2, "plan.json: audits[0].command 'no input'", NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(pby_folder_entries(p.folder), 1, "nothing is written");
    plan(&p, SAME, SAME);
    PBY_REFUSED(2, "--epsilon '1': expected it in the plan", NULL, "audit", "--dossier", p.folder,
                "--epsilon", "1");
    PBY_REFUSED(2, "--sign", NULL, "audit", "--dossier", p.folder, "--sign", p.plan);
    PBY_REFUSED(2, "--sign", NULL, "audit", "a", "b", "--epsilon", "1", "--sign", p.plan);
    end(&p);
}

Test(audit_dossier, a_signed_dossier_is_verified)
{
    struct place p;
    char key[PBY_PATH_SIZE], public_key[PBY_PATH_SIZE];
    begin(&p);
    plan(&p, TELLS, SAME);
    pby_folder_path(key, p.folder, "key");
    pby_folder_path(public_key, p.folder, "key.pub");
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--dossier", p.folder, "--sign", key)->status, 1);
    const pby_run *r = PBY_RUN(NULL, "verify", p.dossier, "--key", public_key);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "2: 1 refuted, 1 consistent"), "%s", r->out);
    cr_assert_not_null(strstr(r->out, "the page beside it"), "%s", r->out);
    PBY_REFUSED(1, "signature by", NULL, "verify", p.dossier, "--key", "tests/vectors/dossier.pub");
    shell("sed -i 's/1 of 2 claims refuted/No claim refuted/' $D/dossier.html", p.folder);
    PBY_REFUSED(1, "the page beside it is not the one", NULL, "verify", p.dossier);
    shell("sed -i 's/\"violation\"/\"consistent\"/' $D/dossier.json", p.folder);
    PBY_REFUSED(1, "digest", NULL, "verify", p.dossier);
    end(&p);
}

/* One that was written by an earlier run, of a plan with a search. */
Test(audit_dossier, a_dossier_from_elsewhere_is_verified)
{
    const pby_run *r =
        PBY_RUN(NULL, "verify", "tests/vectors/dossier.json", "--key", "tests/vectors/dossier.pub", "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_eq(pby_run_member(r, "title"), "Geometric noise, twice");
    PBY_REFUSED(2, "--prove", NULL, "verify", "tests/vectors/dossier.json", "--prove", ".");
}

/* ---- forgeries -------------------------------------------------------------------------------- */

typedef void forge(json_t *verdict);

static void set(json_t *object, const char *name, json_t *value)
{
    cr_assert_eq(json_object_set_new(object, name, value), 0);
}

static void forge_consistent(json_t *verdict)
{
    set(verdict, "verdict", json_string("consistent"));
    set(verdict, "epsilon_lower", json_string("0"));
    set(verdict, "delta_lower", json_string("0"));
}

static void forge_enough(json_t *verdict)
{
    set(verdict, "verdict", json_string("consistent"));
    json_object_del(verdict, "reason");
    json_object_del(verdict, "enough");
}

static void forge_outputs(json_t *verdict)
{
    set(verdict, "outputs", json_pack("{s:i, s:i}", "left", 1000000000, "right", 1000000000));
    set(verdict, "samples", json_integer(2000000000));
}

static void forge_visible(json_t *verdict)
{
    set(verdict, "smallest_visible", json_string("2.01"));
}

static void forge_no_events(json_t *verdict)
{
    forge_consistent(verdict);
    set(verdict, "events", json_array());
    set(verdict, "event", json_null());
    set(verdict, "profile", json_array());
    set(verdict, "profile_counts",
        json_pack("{s:{s:i, s:i}, s:[], s:[]}", "judges", "left", 0, "right", 0, "left", "right"));
}

/* Edits a result of a dossier and computes all digests again, as a forger would. */
static void reseal(const char *to, const char *from, const char *audit, forge *by)
{
    json_t *dossier = json_load_file(from, 0, NULL), *results = json_object_get(dossier, "results");
    cr_assert_not_null(dossier);
    for (size_t i = 0; i < json_array_size(results); i++) {
        json_t *result = json_array_get(results, i);
        if (strcmp(pby_json_string(result, "audit"), audit) == 0) {
            by(json_object_get(result, "verdict"));
            cr_assert_eq(pby_document_seal(result, NULL), PBY_OK);
        }
    }
    json_object_del(dossier, "signature");
    cr_assert_eq(pby_document_seal(dossier, NULL), PBY_OK);
    char *text = pby_certificate_encode(dossier);
    cr_assert_not_null(text);
    pby_write_file(to, text);
    free(text);
    json_decref(dossier);
}

static void refused_by_both(const struct place *p, const char *audit, const char *member)
{
    char line[256];
    const char *command = getenv("PROBITY");
    snprintf(line, sizeof line, "dossier: %s: %s", audit, member);
    PBY_REFUSED(1, line, NULL, "verify", p->dossier);
    snprintf(line, sizeof line, "%s-verify $D/dossier.json > /dev/null 2>&1; [ $? = 1 ]",
             command != NULL ? command : "build/probity");
    shell(line, p->folder);
}

/* The five that were once accepted, in both versions of the format. */
Test(audit_dossier, forgeries_are_refused_by_their_member)
{
    static const struct {
        const char *from, *audit;
        forge *by;
        const char *member;
    } forged[] = {{"-2", "refuted", forge_consistent, "verdict.delta_lower"},
                  {"", "false", forge_consistent, "verdict.delta_lower"},
                  {"-2", "few", forge_enough, "verdict.verdict"},
                  {"-2", "consistent", forge_outputs, "verdict.outputs"},
                  {"", "true", forge_outputs, "verdict.outputs"},
                  {"-2", "consistent", forge_visible, "verdict.smallest_visible"},
                  {"", "true", forge_visible, "verdict.smallest_visible"},
                  {"-2", "refuted", forge_no_events, "verdict.verdict"}};
    struct place p;
    begin(&p);
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        char from[PBY_PATH_SIZE];
        snprintf(from, sizeof from, "tests/vectors/dossier%s.json", forged[i].from);
        reseal(p.dossier, from, forged[i].audit, forged[i].by);
        refused_by_both(&p, forged[i].audit, forged[i].member);
    }
    end(&p);
}

/* A header is no output, and the line behind it chooses. */
Test(audit_dossier, outputs_behind_a_header_are_recounted)
{
    struct place p;
    begin(&p);
    plan(&p, "echo run,answer; seq {n} | awk -v x={input} -v OFS=, '{ print x $1, $1 % 3 }'", SAME);
    PBY_RUN(NULL, "audit", "--dossier", p.folder);
    const pby_run *r = PBY_RUN(NULL, "verify", p.dossier);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_null(strstr(r->out, "2 not run"), "%s", r->out);
    end(&p);
}

/* In the file and on the page. */
Test(audit_dossier, what_is_stated_is_marked)
{
    struct place p;
    begin(&p);
    plan(&p, SAME, SAME);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--dossier", p.folder)->status, 0);
    cr_assert_not_null(strstr(pby_file_text(p.dossier), "\"verdict.events[].judged\""));
    const char *page = pby_file_text(p.page);
    cr_assert_not_null(strstr(page, "<code>verdict.events[].judged</code>"));
    cr_assert_not_null(strstr(page, "<th>Evidence (stated)</th>"));
    cr_assert_not_null(strstr(page, "<th>Verdict</th>"));
    const pby_run *r = PBY_RUN(NULL, "verify", p.dossier);
    cr_assert_not_null(strstr(r->out, "\nstated "), "%s", r->out);
    end(&p);
}

/* A folder whose results an earlier version wrote: they are kept, and the page says what they lack. */
Test(audit_dossier, results_of_version_1_go_on)
{
    struct place p;
    char result[PBY_PATH_SIZE];
    begin(&p);
    json_t *old = json_load_file("tests/vectors/dossier.json", 0, NULL);
    cr_assert_not_null(old);
    char *text = json_dumps(json_object_get(old, "plan"), 0);
    pby_write_file(p.plan, text);
    free(text);
    shell("mkdir $D/results", p.folder);
    for (size_t i = 0; i < json_array_size(json_object_get(old, "results")); i++) {
        const json_t *one = json_array_get(json_object_get(old, "results"), i);
        char name[64];
        snprintf(name, sizeof name, "results/%s.json", pby_json_string(one, "audit"));
        pby_folder_path(result, p.folder, name);
        text = pby_certificate_encode(one);
        pby_write_file(result, text);
        free(text);
    }
    json_decref(old);
    PBY_RUN(NULL, "audit", "--dossier", p.folder);
    const pby_run *r = PBY_RUN(NULL, "verify", p.dossier);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "of version 1 the profiles, too"), "%s", r->out);
    cr_assert_not_null(strstr(pby_file_text(p.page), "version 1 lacks its counts"));
    end(&p);
}

Test(audit_dossier, the_page_can_be_read_on_a_phone)
{
    struct place p;
    begin(&p);
    plan(&p, TELLS, SAME);
    cr_assert_eq(PBY_RUN(NULL, "audit", "--dossier", p.folder)->status, 1);
    cr_assert_eq(pby_readable_on_a_phone(p.folder, PBY_ARGUMENTS("dossier.html")), 1);
    cr_assert_not_null(strstr(pby_file_text(p.page), "reveal"));
    end(&p);
}

Test(audit_dossier, a_page_holds_the_dossier)
{
    struct place p;
    begin(&p);
    plan(&p, SAME, SAME);
    cr_assert_eq(setenv("P", getenv("PROBITY") == NULL ? "build/probity" : getenv("PROBITY"), 1), 0);
    shell("mkdir -p $D/bin $D/share/probity/web && cp $P $D/bin/probity", p.folder);
    shell("$D/bin/probity audit --dossier $D --page $D/c.html >/dev/null 2>$D/err; test $? = 3", p.folder);
    shell("grep -q 'make web' $D/err && test ! -e $D/dossier.json", p.folder);
    shell("printf '<!--stated-->\n<!--document-->' > $D/share/probity/web/verify.html", p.folder);
    shell("$D/bin/probity audit --dossier $D --page $D/c.html >/dev/null 2>&1; test $? -lt 2", p.folder);
    shell("sed 's/.*id=\"document\"[^>]*>//; s/<.script>.*//' $D/c.html | tail -n 1 | base64 -d > $D/held",
          p.folder);
    shell("cmp $D/held $D/dossier.json", p.folder);
    shell("$D/bin/probity audit --dossier $D --page - >/dev/null 2>$D/err; test $? = 2", p.folder);
    shell("grep -q -- --page $D/err", p.folder);
    end(&p);
}

/* Forged ones are in tests/audit/dossier/recount.c. */
Test(audit_dossier, claims_of_rho_and_mu)
{
    struct place p;
    begin(&p);
    pby_write_file(p.plan,
                   "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", "
                   "\"audits\": [{\"name\": \"one\", \"claim\": {\"rho\": \"1/20\"}, \"command\": "
                   "\"" TELLS "\", \"inputs\": [\"3\", \"4\"], \"outputs\": 1500}, {\"name\": \"two\", "
                   "\"claim\": {\"mu\": \"1/2\", \"source\": \"x\"}, \"command\": \"" SAME
                   "\", \"inputs\": [\"3\", \"4\"], \"outputs\": 20000}]}");
    const pby_run *r = PBY_RUN(NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "one: violation"), "%s", r->out);
    cr_assert_null(strstr(r->out, "two: violation"), "%s", r->out);
    cr_assert_not_null(strstr(pby_file_text(p.page), "--rho 1/20"));
    cr_assert_eq(PBY_RUN(NULL, "verify", p.dossier)->status, 0);
    end(&p);
}

/* A folder with two files of outputs, a deployment d.json, and a plan about both. */
static void files_and_deployment(const struct place *p)
{
    char path[PBY_PATH_SIZE], text[4096];
    shell("cd $D && { echo run,v; seq 1500 | awk '{ print $1 \",\" int($1 / 2) % 2 }'; } > l.csv", p->folder);
    shell("cd $D && { echo run,v; seq 1400 | awk '{ print $1 \",\" int($1 / 3) % 2 }'; } > r.csv", p->folder);
    pby_folder_path(path, p->folder, "d.json");
    pby_write_file(path,
                   "{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"d\", \"unit\": "
                   "{\"entity\": \"user\", \"neighbours\": \"local\"}, \"mechanisms\": [{\"name\": \"m\", "
                   "\"spec\": \"rr:eps=1\"}], \"claims\": [{\"name\": \"c\", \"kind\": \"pure\", "
                   "\"epsilon\": \"1\"}]}");
    snprintf(text, sizeof text,
             "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", "
             "\"deployment\": \"%s\", \"audits\": [{\"name\": \"one\", \"claim\": {\"deployment\": "
             "\"c\"}, \"files\": [\"%s/l.csv\", \"%s/r.csv\"], \"columns\": \"v\"}]}",
             path, p->folder, p->folder);
    pby_write_file(p->plan, text);
}

/* The audit is judged and recounted, and an edit of the number of outputs is seen. The deployment's file may
 * be gone by then: the dossier has it. */
Test(audit_dossier, files_of_outputs_about_a_deployment)
{
    struct place p;
    begin(&p);
    files_and_deployment(&p);
    const pby_run *r = PBY_RUN(NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "one: consistent"), "%s", r->out);
    cr_expect_not_null(strstr(pby_file_text(p.page), "1500 on the first input, 1400 on the second"));
    shell("rm $D/d.json", p.folder);
    r = PBY_RUN(NULL, "verify", p.dossier);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_expect_not_null(strstr(r->out, "deployment  d: 0 of 1 claims not kept"), "%s", r->out);
    json_t *dossier = json_load_file(p.dossier, 0, NULL);
    json_t *verdict = json_object_get(json_array_get(json_object_get(dossier, "results"), 0), "verdict");
    json_object_set_new(json_object_get(verdict, "outputs"), "left", json_integer(1600));
    cr_assert_eq(pby_document_seal(json_array_get(json_object_get(dossier, "results"), 0), NULL), PBY_OK);
    cr_assert_eq(pby_document_seal(dossier, NULL), PBY_OK);
    char *text = pby_certificate_encode(dossier);
    pby_write_file(p.dossier, text);
    r = PBY_RUN(NULL, "verify", p.dossier);
    cr_expect_eq(r->status, 1, "%s", r->out);
    free(text);
    json_decref(dossier);
    end(&p);
}

/* Canaries are recounted from the dossier alone: the files of scores may be gone. */
Test(audit_dossier, canaries_are_judged_and_recounted)
{
    struct place p;
    char text[2048];
    begin(&p);
    shell("cd $D && seq 1 2 2000 > in.txt && seq -1000 2 999 > out.txt", p.folder);
    snprintf(text, sizeof text,
             "{\"format\": \"probity-plan\", \"version\": 1, \"title\": \"t\", \"scope\": \"s\", \"error\": "
             "\"1/100\", \"audits\": [{\"name\": \"one\", \"claim\": {\"epsilon\": \"1/2\"}, \"canaries\": "
             "{\"scores\": [\"%s/in.txt\", \"%s/out.txt\"]}}, {\"name\": \"two\", \"claim\": {\"epsilon\": "
             "\"1\"}, \"canaries\": {\"guesses\": {\"correct\": 55, \"made\": 100, \"canaries\": 150}}}]}",
             p.folder, p.folder);
    pby_write_file(p.plan, text);
    const pby_run *r = PBY_RUN(NULL, "audit", "--dossier", p.folder);
    cr_assert_eq(r->status, 1, "%s", r->err);
    cr_expect_not_null(strstr(r->out, "one: violation, epsilon > "), "%s", r->out);
    cr_expect_not_null(strstr(r->out, "two: consistent, epsilon > 0\n"), "%s", r->out);
    const char *page = pby_file_text(p.page);
    cr_expect_not_null(strstr(page, "2000 of one run, 1000 of them included"));
    cr_expect_not_null(strstr(page, "probity audit --epsilon 1 --error 0.005 --guesses 55 100 150"), "%s",
                       page);
    shell("rm $D/in.txt", p.folder);
    r = PBY_RUN(NULL, "verify", p.dossier);
    cr_expect_eq(r->status, 0, "%s", r->err);
    end(&p);
}
