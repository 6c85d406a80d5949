/* SPDX-License-Identifier: MIT */
/* An older copy of a ledger that was put back is a valid ledger; it lacks the digests that came later. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/certificate/ledger/books.h"
#include "tests/cli/run.h"

#define SPEC  "geometric:eps=1/8"
#define INPUT "a,1\nb,2\n"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], copy[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "ledger");
    pby_folder_path(copy, folder, "copy");
    pby_make_ledger(path, PBY_COMPOSE_EXACT, "4", "0");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(ledger_after, .init = setup, .fini = teardown);

/* Into the file that is there. */
static void put(const char *from, const char *to)
{
    static char bytes[1 << 18];
    const int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const ssize_t size = read(in, bytes, sizeof bytes);
    cr_assert(size > 0 && write(out, bytes, (size_t)size) == size);
    close(in);
    close(out);
}

static void note(char digest[PBY_LEDGER_DIGEST_SIZE])
{
    pby_ledger *ledger;
    cr_assert_eq(pby_ledger_open(&ledger, path, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_digest(digest, ledger, NULL), PBY_OK);
    pby_ledger_close(ledger);
}

static pby_status take(const char *digest, pby_error *err)
{
    pby_ledger *ledger;
    cr_assert_eq(pby_ledger_open(&ledger, path, err), PBY_OK, "%s", err->text);
    const pby_status status = pby_ledger_after(ledger, digest, err);
    pby_ledger_close(ledger);
    return status;
}

Test(ledger_after, every_digest_of_the_chain_is_known_and_no_other)
{
    char digest[4][PBY_LEDGER_DIGEST_SIZE];
    pby_error err;
    note(digest[0]);
    for (int i = 1; i < 4; i++) {
        cr_assert_eq(pby_spend(path, SPEC, &err), PBY_OK, "%s", err.text);
        note(digest[i]);
        if (i == 1)
            put(path, copy);
    }
    for (int i = 0; i < 4; i++)
        cr_assert_eq(take(digest[i], &err), PBY_OK, "%d: %s", i, err.text);
    put(copy, path);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(take(digest[i], &err), i < 2 ? PBY_OK : PBY_BAD, "%d", i);
    cr_assert_not_null(strstr(err.text, "after '"), "%s", err.text);
    cr_assert_not_null(strstr(err.text, "it may be an older copy"), "%s", err.text);
    for (int i = 0; i < 3; i++) /* as many entries again, and others */
        cr_assert_eq(pby_spend(path, "geometric:eps=1/9", NULL), PBY_OK);
    cr_assert_eq(take(digest[3], &err), PBY_BAD);
    cr_assert_eq(take(digest[1], &err), PBY_OK);
    cr_assert_eq(take("abc", &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "64 hexadecimal digits"), "%s", err.text);
}

/* A copy that is put back while the ledger is open is found when something is to be recorded. */
Test(ledger_after, a_charge_asks_again)
{
    char digest[PBY_LEDGER_DIGEST_SIZE], other[PBY_LEDGER_DIGEST_SIZE];
    const char *text = SPEC;
    pby_ledger *ledger;
    pby_spec *spec;
    pby_error err;
    cr_assert_eq(pby_spec_parse(&spec, &text, 1, NULL), PBY_OK);
    cr_assert_eq(pby_spend(path, SPEC, NULL), PBY_OK);
    put(path, copy);
    cr_assert_eq(pby_spend(path, SPEC, NULL), PBY_OK);
    note(digest);
    cr_assert_eq(pby_ledger_open(&ledger, path, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_after(ledger, digest, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_OK, "%s", err.text);
    put(copy, path);
    cr_assert_eq(pby_ledger_spend(ledger, spec, NULL, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "it may be an older copy"), "%s", err.text);
    pby_ledger_close(ledger);
    note(other);
    cr_assert_eq(pby_ledger_open(&ledger, copy, NULL), PBY_OK);
    cr_assert_eq(pby_ledger_digest(digest, ledger, NULL), PBY_OK);
    cr_assert_str_eq(digest, other, "nothing was recorded");
    pby_ledger_close(ledger);
    pby_spec_free(spec);
}

Test(ledger_after, commands_refuse_an_older_copy)
{
    char digest[PBY_LEDGER_DIGEST_SIZE];
    put(path, copy);
    const pby_run *r = PBY_RUN(INPUT, "release", SPEC, "--ledger", path, "--json", "--quiet");
    cr_assert_eq(r->status, 0, "%s", r->err);
    json_t *object = json_loads(r->out, 0, NULL);
    snprintf(digest, sizeof digest, "%s", json_string_value(json_object_get(object, "ledger_digest")));
    json_decref(object);
    r = PBY_RUN(NULL, "ledger", "show", path, "--after", digest);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, digest), "%s", r->out);
    cr_assert_eq(PBY_RUN(NULL, "ledger", "spend", path, SPEC, "--after", digest)->status, 0);
    cr_assert_eq(PBY_RUN(INPUT, "release", SPEC, "--ledger", path, "--after", digest)->status, 0);
    put(copy, path);
    PBY_REFUSED(2, "--after '", NULL, "ledger", "show", path, "--after", digest);
    PBY_REFUSED(2, "--after '", NULL, "ledger", "export", path, "--after", digest);
    PBY_REFUSED(2, "--after '", NULL, "ledger", "spend", path, SPEC, "--after", digest);
    PBY_REFUSED(2, "--after '", INPUT, "release", SPEC, "--ledger", path, "--after", digest);
    r = PBY_RUN(NULL, "ledger", "show", path, "--json");
    cr_assert_not_null(strstr(r->out, "\"entries\": []"), "nothing was recorded: %s", r->out);
    PBY_REFUSED(2, "expected --ledger beside it", INPUT, "release", SPEC, "--after", digest);
    PBY_REFUSED(2, "ledger show, export or spend", NULL, "ledger", "init", copy, "--epsilon", "1", "--delta",
                "0", "--after", digest);
}
