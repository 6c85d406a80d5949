/* SPDX-License-Identifier: MIT */
#include "base/password.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

static void becomes(const char *text, const char *expected)
{
    char shown[256];
    snprintf(shown, sizeof shown, "%s", text);
    pby_password_hide(shown);
    cr_assert_str_eq(shown, expected, "%s", text);
}

Test(password, names_of_databases)
{
    becomes("postgresql://me:secret@host/team?ledger=a", "postgresql:...@host/team?ledger=a");
    becomes("POSTGRES:me:secret@host", "POSTGRES:...@host");
    becomes("postgresql://me:se@cr@et@host/team", "postgresql:...@host/team");
    becomes("postgresql://me:se/cr?et@host/team", "postgresql:...@host/team");
    becomes("a postgres:a@h and postgres:b@g", "a postgres:...@g");
    becomes("postgresql:@h", "postgresql:@h");
    becomes("postgresql:x@h", "postgresql:.@h");
    becomes("postgresql://host/team?ledger=a", "postgresql://host/team?ledger=a");
    becomes("postgres and someone@host", "postgres and someone@host");
}

Test(password, keywords)
{
    becomes("host=h password=secret dbname=d", "host=h password=... dbname=d");
    becomes("host=h PassWord = 'se cret' dbname=d", "host=h PassWord = '...' dbname=d");
    becomes("postgresql:///d?sslpassword=secret&host=h", "postgresql:///d?sslpassword=...&host=h");
    becomes("password=", "password=");
    becomes("the password of a key", "the password of a key");
}

/* The value of a refusal is cut at 60 bytes, which may be within the password. */
Test(password, errors_hide_them)
{
    char value[200];
    pby_error err = PBY_NO_ERROR;
    snprintf(value, sizeof value, "Postgresql://me:%0100d@host", 7);
    cr_assert_eq(pby_refuse(&err, "file", value, "another"), PBY_BAD);
    cr_assert_str_eq(err.text, "file 'Postgresql:...@host': expected another");
    cr_assert_eq(pby_fail(&err, PBY_FAILED, "no %s", "postgres:a:b@h"), PBY_FAILED);
    cr_assert_str_eq(err.text, "no postgres:...@h");
}

/* The quotation mark behind the value of a refusal begins no password. */
Test(password, a_value_that_ends_with_the_keyword_hides_nothing_else)
{
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_refuse(&err, "order", "5*opassword=", "a rational such as '1/3'"), PBY_BAD);
    cr_assert_str_eq(err.text, "order '5*opassword=': expected a rational such as '1/3'");
}
