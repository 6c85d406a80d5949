/* SPDX-License-Identifier: MIT */
#include "plan/toml.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

static pby_toml *read(const char *text)
{
    pby_toml *root;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_toml_read(&root, "p", text, strlen(text), &err), PBY_OK, "%s", err.text);
    return root;
}

static const char *text_at(const pby_toml *table, const char *key)
{
    const pby_toml *value = pby_toml_at(table, key);
    cr_assert_not_null(value, "%s", key);
    cr_assert_not_null(value->text, "%s", key);
    return value->text;
}

static void refused(const char *text, const char *said)
{
    pby_toml *root;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_toml_read(&root, "p", text, strlen(text), &err), PBY_BAD, "%s", text);
    cr_assert_null(root);
    cr_assert_str_eq(err.text, said);
}

Test(toml, tables_lists_and_values)
{
    pby_toml *root =
        read("a = 1\n[b.c]\nt = \"x\\u00e9\\\"\" # and more\nq = 'C:\\x'\n[b]\nyes = true\n"
             "[[s]]\nn = 1\n[s.inner]\nv=2\r\n[[s]]\nn = -0.5e+3\nl = [1, [\"x\", 'y'],\n # c\n 3,\n]\n");
    cr_assert_eq(pby_toml_at(root, "a")->kind, PBY_TOML_NUMBER);
    cr_assert_str_eq(text_at(root, "a"), "1");
    const pby_toml *b = pby_toml_at(root, "b"), *c = pby_toml_at(b, "c"), *s = pby_toml_at(root, "s");
    cr_assert_str_eq(text_at(c, "t"), "x\xc3\xa9\"");
    cr_assert_str_eq(text_at(c, "q"), "C:\\x");
    cr_assert(pby_toml_at(b, "yes")->truth);
    cr_assert_eq(s->count, 2);
    cr_assert_str_eq(text_at(pby_toml_at(s->first, "inner"), "v"), "2");
    cr_assert_str_eq(text_at(s->last, "n"), "-0.5e+3");
    const pby_toml *l = pby_toml_at(s->last, "l");
    cr_assert_eq(l->count, 3);
    cr_assert_str_eq(l->first->next->last->text, "y");
    cr_assert_eq(l->line, 13);
    cr_assert_null(pby_toml_at(root, "none"));
    pby_toml_free(root);
}

/* A decimal keeps its digits, so that no double stands between them and the rational. */
Test(toml, a_decimal_keeps_its_digits)
{
    pby_toml *root = read("a = 0.1\nb = 1e-6\nc = +7\nd = 0.10000000000000000000000000000000000001");
    cr_assert_str_eq(text_at(root, "a"), "0.1");
    cr_assert_str_eq(text_at(root, "b"), "1e-6");
    cr_assert_str_eq(text_at(root, "c"), "+7");
    cr_assert_str_eq(text_at(root, "d"), "0.10000000000000000000000000000000000001");
    pby_toml_free(root);
}

Test(toml, a_refusal_names_the_line)
{
    refused("a = 1\n\na = 2\n", "p: line 3 'a = 2': expected no duplicate key");
    refused("[a]\n[b]\n[a]\n", "p: line 3 '[a]': expected no duplicate table");
    refused("[[a]]\n[a]\n", "p: line 2 '[a]': expected no duplicate table");
    refused("a = 1\n[[a]]\n", "p: line 2 '[[a]]': expected no duplicate key");
    refused("a = [1]\n[[a]]\n", "p: line 2 '[[a]]': expected no duplicate key");
    refused("a = 1\n[a.b]\n", "p: line 2 '[a.b]': expected no duplicate key");
    refused("[a\n", "p: line 1 '[a': expected [NAME]");
    refused("[[a]\n", "p: line 1 '[[a]': expected [[NAME]]");
    refused("a 1", "p: line 1 'a 1': expected KEY = VALUE");
    refused("a.b = 1", "p: line 1 'a.b = 1': expected KEY = VALUE");
    refused("a = 1 b = 2", "p: line 1 'b = 2': expected the end of the line, or a comment");
    refused("a = [1 2]", "p: line 1 '2]': expected a comma, or the end of the list");
    refused("= 1", "p: line 1 '= 1': expected a key of letters, digits, '_' and '-', or one in quotes");
    refused("a = \"x\\q\"", "p: line 1 '\\q\"': expected an escape of TOML, such as \\\" or \\u00e9");
    refused("a = \"\\u0000\"", "p: line 1 '\\u0000\"': expected an escape of TOML, such as \\\" or \\u00e9");
    refused("a = \"\\ud800\"", "p: line 1 '\\ud800\"': expected an escape of TOML, such as \\\" or \\u00e9");
    refused("a = \"x\nb = 1",
            "p: line 1 '\"x': expected a text that ends on its line, without control characters");
    refused("a = 1\n\nb = \"\xff\"\n", "p: line 3: expected UTF-8");
}

Test(toml, what_is_no_value)
{
    static const char *const values[] = {"01",      "1.",         ".5",    "1e",    "inf",
                                         "nan",     "0x10",       "1_000", "yes",   "1-2",
                                         "{a = 1}", "1979-05-27", "",      "1.2.3", "07:32:00"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64], said[160];
        snprintf(text, sizeof text, "a = %s\n", values[i]);
        snprintf(said, sizeof said,
                 "p: line 1 '%s': expected a text in quotes, a number, true, false or a list of these",
                 values[i]);
        refused(text, said);
    }
}

/* A deep list, a long header, many keys and a long file end in a refusal, and soon. */
Test(toml, sizes_have_limits)
{
    char text[64 * 1024] = "a = ";
    memset(text + 4, '[', 100);
    text[104] = '\0';
    pby_toml *root;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_toml_read(&root, "p", text, strlen(text), &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "lists at most 8 deep"));
    refused("[a.b.c.d.e.f.g.h.i]", "p: line 1 '[a.b.c.d.e.f.g.h.i]': expected at most 8 names");
    size_t size = 0;
    for (int i = 0; i <= PBY_TOML_KEYS_MAX; i++)
        size += (size_t)sprintf(text + size, "k%d = 1\n", i);
    cr_assert_eq(pby_toml_read(&root, "p", text, size, &err), PBY_BAD);
    cr_assert_not_null(strstr(err.text, "line 1001 "), "%s", err.text);
    char *large = calloc(1, PBY_TOML_SIZE_MAX + 1);
    cr_assert_not_null(large);
    memset(large, '\n', PBY_TOML_SIZE_MAX + 1);
    cr_assert_eq(pby_toml_read(&root, "p", large, PBY_TOML_SIZE_MAX + 1, &err), PBY_BAD);
    cr_assert_eq(pby_toml_read(&root, "p", large, PBY_TOML_SIZE_MAX, &err), PBY_OK);
    pby_toml_free(root);
    free(large);
}

/* The statements that probity prove reads are in this part of TOML too. */
Test(toml, a_statement_of_prove_is_read)
{
    char *text;
    size_t size;
    pby_toml *root;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_file_read(&text, &size, "docs/prove/count/prove.toml", PBY_TOML_SIZE_MAX, &err), PBY_OK);
    cr_assert_eq(pby_toml_read(&root, "prove.toml", text, size, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(text_at(pby_toml_at(root, "mechanism"), "name"), "truncated_count");
    pby_toml_free(root);
    free(text);
}
