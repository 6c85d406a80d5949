/* SPDX-License-Identifier: MIT */
#include "io/digest.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* printf 'abc' | sha256sum */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

Test(digest, of_bytes_and_of_a_file)
{
    pby_digest d;
    pby_digest_bytes(&d, "abc", 3);
    cr_assert_eq(d.bytes, 3);
    cr_assert_str_eq(d.sha256, ABC);
    FILE *file = tmpfile();
    cr_assert_eq(write(fileno(file), "xabc", 4), 4);
    cr_assert_eq(lseek(fileno(file), 1, SEEK_SET), 1);
    memset(&d, 0, sizeof d);
    cr_assert(pby_digest_file(&d, fileno(file)));
    cr_assert_eq(d.bytes, 3);
    cr_assert_str_eq(d.sha256, ABC, "from where it stands");
    fclose(file);
    cr_assert_not(pby_digest_file(&d, -1));
}
