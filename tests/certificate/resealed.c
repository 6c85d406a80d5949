/* SPDX-License-Identifier: MIT */
/* Every member of a certificate is edited, and its digest computed again, as a forger would. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "tests/edits.h"

struct tried {
    const char *name;
    size_t accepted;
};

/* The versions of what computed it are the author's statement, and nobody can recompute them. */
static const char *const stated[] = {"computed_with", NULL};

/* Edits that say something else which is true, and is computed again: geometric noise of epsilon 1 is private
 * at 2 and at 11 as well, a certificate need not speak of accuracy, and one that says less digits encloses
 * delta too. */
static bool is_true(const char *name, const char *path, const char *what)
{
    static const char *const other[][3] = {{"geometric", "epsilon", "another first byte"},
                                           {"geometric", "epsilon", "a byte more"},
                                           {"accuracy-noise", "accuracy", "left out"},
                                           {"stlap-inputs", "delta.hi", "cut short"},
                                           {"stlap-inputs", "delta.lo", "cut short"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(name, other[i][0]) == 0 && strcmp(path, other[i][1]) == 0 &&
            strcmp(what, other[i][2]) == 0)
            return true;
    return false;
}

static void try_certificate(json_t *edited, const char *path, const char *what, void *with)
{
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    json_object_del(edited, "signature");
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    cr_assert_not_null(text);
    pby_edit_keep(t->name, text);
    const pby_status status = pby_verify(NULL, text, strlen(text), &err);
    free(text);
    if (status == PBY_OK) {
        t->accepted++;
        cr_expect(strcmp(path, "digest") == 0 || pby_edit_within(path, stated) ||
                      is_true(t->name, path, what),
                  "%s: %s, %s: accepted", t->name, path, what);
        return;
    }
    cr_expect_eq(status, PBY_NO, "%s: %s, %s: %s", t->name, path, what, err.text);
    cr_expect(err.text[0] != '\0' && strchr(err.text, '\n') == NULL, "%s, %s: one line", path, what);
}

Test(resealed, every_edit_of_a_certificate_is_refused_or_a_statement)
{
    static const char *const names[] = {"geometric",    "stlap",     "accuracy-noise",
                                        "stlap-inputs", "threshold", "rr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        struct tried t = {.name = names[i]};
        snprintf(path, sizeof path, "tests/vectors/%s.json", names[i]);
        json_t *certificate = json_load_file(path, 0, NULL);
        cr_assert_not_null(certificate);
        cr_assert(pby_edits(certificate, try_certificate, &t) > 50 && t.accepted > 0, "%s", names[i]);
        json_decref(certificate);
    }
}
