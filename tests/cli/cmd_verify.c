/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/run.h"

#define GOLDEN "tests/vectors/stlap.json"

/* The golden certificate with the first `from` in it changed to `to`. */
static const char *changed(const char *from, const char *to)
{
    static char text[8192], out[8192];
    FILE *file = fopen(GOLDEN, "r");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, from);
    cr_assert_not_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

Test(verify_command, says_what_holds)
{
    const pby_run *r = PBY_RUN(NULL, "verify", GOLDEN);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_str_empty(r->err);
    cr_assert_str_eq(r->out,
                     "the certificate holds: recomputed from the spec\n"
                     "mechanism   stlap:eps=1/2,q=40\n"
                     "neighbours  add-remove\n"
                     "epsilon     1/2\n"
                     "delta       [1.4726618650060221601e-05, 1.4726618650060221602e-05]\n"
                     "checked     every byte of the form and the digest\n"
                     "            delta by the direct sum over outcomes to 40 digits, neighbours in both "
                     "orders\n");
}

Test(verify_command, says_it_in_json)
{
    const pby_run *r = PBY_RUN(NULL, "verify", "--json", GOLDEN);
    cr_assert_eq(r->status, 0);
    cr_assert_str_eq(
        r->out, "{\"holds\": true, \"spec\": \"stlap:eps=1/2,q=40\", \"neighbours\": \"add-remove\", "
                "\"epsilon\": \"1/2\", \"delta\": {\"lo\": \"1.4726618650060221601e-05\", "
                "\"hi\": \"1.4726618650060221602e-05\"}, \"route\": \"the direct sum over outcomes to 40 "
                "digits, neighbours in both orders\"}\n");
}

Test(verify_command, reads_standard_input)
{
    const char *golden = changed("1/2", "1/2");
    cr_assert_eq(PBY_RUN(golden, "verify")->status, 0);
    cr_assert_eq(PBY_RUN(golden, "verify", "-")->status, 0);
}

Test(verify_command, gives_the_reason_and_status_one)
{
    PBY_REFUSED(1, "delta.hi '1.4726618650060221601e-05': not a bound", changed("02e-05", "01e-05"),
                "verify");
    PBY_REFUSED(1, "delta of stlap:eps=1/2,q=39 at epsilon 1/2 (add-remove) is at least 1.8909",
                changed("q=40", "q=39"), "verify");
    PBY_REFUSED(1, "delta.lo", changed("q=40", "q=41"), "verify");
    PBY_REFUSED(1, "version '3': expected 1 or 2", changed("\"version\": 1", "\"version\": 3"), "verify");
    PBY_REFUSED(1, "digest", changed("\"probity\": \"0", "\"probity\": \"9"), "verify");
    PBY_REFUSED(1, "not in canonical form", changed("  \"format\"", " \"format\""), "verify");
    PBY_REFUSED(1, "not a certificate", "", "verify");
}

Test(verify_command, gives_the_reason_in_json_too)
{
    const pby_run *r = PBY_RUN(changed("\"version\": 1", "\"version\": 7"), "verify", "--json");
    cr_assert_eq(r->status, 1);
    cr_assert_str_eq(r->out, "{\"holds\": false, \"reason\": \"version '7': expected 1 or 2\"}\n");
}

Test(verify_command, bad_usage_is_no_verdict)
{
    PBY_REFUSED(2, "file '/nonexistent': expected a file that can be read", NULL, "verify", "/nonexistent");
    PBY_REFUSED(2, "file '/tmp': expected a file, not a folder", NULL, "verify", "/tmp");
    PBY_REFUSED(2, "argument 'b': expected one FILE, not two", NULL, "verify", "a", "b");
}

Test(verify_command, an_endless_file_is_no_certificate)
{
    PBY_REFUSED(1, "longer than 1048576 bytes", NULL, "verify", "/dev/zero");
}
