/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/run.h"

#define SPEC "stlap:eps=1/2,q=40"

static char folder[PBY_PATH_SIZE], key[PBY_PATH_SIZE], public_key[PBY_PATH_SIZE], file[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(key, folder, "key");
    pby_folder_path(public_key, folder, "key.pub");
    pby_folder_path(file, folder, "c.json");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(keygen_command, .init = setup, .fini = teardown);

Test(keygen_command, makes_a_pair_that_only_the_owner_can_read)
{
    struct stat st;
    const pby_run *r = PBY_RUN(NULL, "keygen", "-o", key);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_eq(strncmp(r->out, "probity-ed25519-public:", 23), 0);
    cr_assert_eq(r->out_size, 23 + 64 + 1);
    cr_assert(pby_file_is(public_key, r->out));
    cr_assert_eq(stat(key, &st), 0);
    cr_assert_eq(st.st_mode & 0777, 0600);
    cr_assert_eq(st.st_size, 23 + 64 + 1);
}

Test(keygen_command, says_so_in_json)
{
    static char line[PBY_PATH_SIZE];
    const pby_run *r = PBY_RUN(NULL, "keygen", "-o", key, "--json");
    cr_assert_eq(r->status, 0, "%s", r->err);
    json_t *object = json_loads(r->out, 0, NULL);
    cr_assert_eq(json_object_size(object), 3);
    cr_assert_str_eq(json_string_value(json_object_get(object, "secret_file")), key);
    cr_assert_str_eq(json_string_value(json_object_get(object, "public_file")), public_key);
    snprintf(line, sizeof line, "%s\n", json_string_value(json_object_get(object, "public_key")));
    cr_assert(pby_file_is(public_key, line));
    json_decref(object);
}

Test(keygen_command, never_writes_over_a_key)
{
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    PBY_REFUSED(2, "expected a file that is not there", NULL, "keygen", "-o", key);
    unlink(key);
    PBY_REFUSED(2, "expected a file that is not there", NULL, "keygen", "-o", key);
    cr_assert_neq(access(key, F_OK), 0);
    PBY_REFUSED(2, "keygen: expected -o KEY", NULL, "keygen");
    PBY_REFUSED(2, "argument 'x'", NULL, "keygen", "x", "-o", key);
    PBY_REFUSED(2, "'/nonexistent/k'", NULL, "keygen", "-o", "/nonexistent/k");
}

Test(keygen_command, no_certificate_is_written_over_its_key)
{
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    PBY_REFUSED(2, "expected another file than the key", NULL, "certify", SPEC, "--epsilon", "1/2", "--sign",
                key, "-o", key);
    cr_assert_eq(PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "--sign", key, "-o", file)->status, 0,
                 "it signs");
}

Test(keygen_command, signs_what_verify_accepts_for_this_key_alone)
{
    char other[PBY_PATH_SIZE], other_public[PBY_PATH_SIZE];
    pby_folder_path(other, folder, "other");
    pby_folder_path(other_public, folder, "other.pub");
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", other)->status, 0);
    const pby_run *r = PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "--sign", key, "-o", file);
    cr_assert_eq(r->status, 0, "%s", r->err);
    r = PBY_RUN(NULL, "verify", file, "--key", public_key);
    cr_assert_eq(r->status, 0, "%s", r->err);
    cr_assert_not_null(strstr(r->out, "            signature by "), "%s", r->out);
    cr_assert_null(strstr(r->out, "give --key"));
    r = PBY_RUN(NULL, "verify", file);
    cr_assert_eq(r->status, 0);
    cr_assert_not_null(strstr(r->out, "(give --key to require one)"), "%s", r->out);
    PBY_REFUSED(1, "signature by '", NULL, "verify", file, "--key", other_public);
    PBY_REFUSED(1, "signature: there is none", NULL, "verify", "tests/vectors/stlap.json", "--key",
                public_key);
}

/* A wrong key is refused, and a secret one never shown. */
Test(keygen_command, tells_no_key)
{
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    char named[PBY_PATH_SIZE + 64];
    snprintf(named, sizeof named, "--sign '%s': expected a secret key", public_key);
    PBY_REFUSED(2, named, NULL, "certify", SPEC, "--epsilon", "1", "--sign", public_key);
    snprintf(named, sizeof named, "--key '%s': expected a public key", key);
    PBY_REFUSED(2, named, NULL, "verify", "tests/vectors/stlap.json", "--key", key);
    const pby_run *r = PBY_RUN(NULL, "verify", "tests/vectors/stlap.json", "--key", key);
    cr_assert_null(strstr(r->err, "secret:"));
    PBY_REFUSED(2, "'/nonexistent'", NULL, "certify", SPEC, "--epsilon", "1", "--sign", "/nonexistent");
}

Test(keygen_command, a_key_that_others_may_read_signs_nothing)
{
    static const mode_t modes[] = {0604, 0640, 0602, 0666};
    cr_assert_eq(PBY_RUN(NULL, "keygen", "-o", key)->status, 0);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        cr_assert_eq(chmod(key, modes[i]), 0);
        PBY_REFUSED(2, "only its owner may read (chmod 600)", NULL, "certify", SPEC, "--epsilon", "1/2",
                    "--sign", key, "-o", file);
        cr_assert_neq(access(file, F_OK), 0);
    }
    cr_assert_eq(chmod(key, 0400), 0);
    cr_assert_eq(PBY_RUN(NULL, "certify", SPEC, "--epsilon", "1/2", "--sign", key, "-o", file)->status, 0);
}
