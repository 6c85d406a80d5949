/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

#include "probity/key.h"
#include "tests/cli/run.h"

static char folder[PBY_PATH_SIZE], path[PBY_PATH_SIZE], public_path[PBY_PATH_SIZE];

static void setup(void)
{
    pby_folder_make(folder);
    pby_folder_path(path, folder, "key");
    pby_folder_path(public_path, folder, "key.pub");
}

static void teardown(void)
{
    pby_folder_remove(folder);
}

TestSuite(key_pair, .init = setup, .fini = teardown);

Test(key_pair, both_files_are_written_and_the_secret_one_is_the_owners)
{
    char public_key[PBY_KEY_SIZE];
    struct stat st;
    cr_assert_eq(pby_key_write_pair(path, public_key, NULL), PBY_OK);
    cr_expect(pby_key_is_public(public_key));
    cr_expect(pby_file_is(public_path, public_key));
    cr_assert_eq(stat(path, &st), 0);
    cr_expect_eq(st.st_mode & 0777, 0600);
    cr_expect_eq(st.st_size, PBY_KEY_SIZE - 1);
}

/* Where one of the names is taken, nothing is written and nothing is lost. */
Test(key_pair, a_pair_is_whole_or_not_there)
{
    char public_key[PBY_KEY_SIZE];
    pby_error err;
    pby_write_file(public_path, "mine");
    cr_assert_eq(pby_key_write_pair(path, public_key, &err), PBY_BAD);
    cr_expect(strncmp(err.text, "path '", 6) == 0, "%s", err.text);
    cr_expect_eq(pby_folder_entries(folder), 1);
    cr_expect(pby_file_is(public_path, "mine"));
    pby_folder_path(path, folder, "no/key");
    cr_expect_eq(pby_key_write_pair(path, public_key, &err), PBY_BAD);
}
