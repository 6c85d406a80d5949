/* SPDX-License-Identifier: MIT */
#include "report/deployment_result.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "certificate/document.h"
#include "tests/edits.h"

#define VECTOR "tests/vectors/deployment-result.json"

static pby_status verify(char **told, const json_t *root, const char *key, pby_error *err)
{
    char *text = pby_certificate_encode(root);
    cr_assert_not_null(text);
    pby_edit_keep("deployment-result", text);
    const pby_status status =
        pby_deployment_result_verify(told, text, strlen(text), key, PBY_REPORT_LINES, err);
    free(text);
    return status;
}

Test(deployment_result, it_is_told_from_other_documents_and_holds)
{
    static const char
        key[] = "probity-ed25519-public:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\n",
        other[] = "probity-ed25519-public:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c\n";
    pby_error err = PBY_NO_ERROR;
    json_t *root = json_load_file(VECTOR, 0, NULL);
    char *told, *text = pby_certificate_encode(root);
    cr_assert(pby_deployment_result_is(root));
    cr_assert_not(pby_deployment_result_is(NULL));
    cr_assert_eq(verify(&told, root, key, &err), PBY_OK, "%s", err.text);
    cr_assert_not_null(strstr(told, "1 hold, 0 do not, 3 open; 0 not covered"), "%s", told);
    cr_assert_not_null(strstr(told, "gdp open: not implied: mu [0.38157568, 0.381575681]"), "%s", told);
    free(told);
    cr_assert_eq(verify(&told, root, other, &err), PBY_NO);
    cr_assert_null(told);
    free(text);
    json_decref(root);
}

struct tried {
    size_t accepted, refused;
};

/* All that the file says is its author's; what follows from it is judged again. */
static const char *const stated[] = {"computed_with", "deployment", NULL};

static void try_edit(json_t *edited, const char *path, const char *what, void *with)
{
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    char *told;
    if (strcmp(path, "digest") == 0 || strcmp(path, "signature") == 0)
        return;
    json_object_del(edited, "signature");
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    const pby_status status = verify(&told, edited, NULL, &err);
    *(status == PBY_OK ? &t->accepted : &t->refused) += 1;
    cr_expect(status == PBY_OK ? pby_edit_within(path, stated) : status == PBY_NO, "%s, %s: %s", path, what,
              status == PBY_OK ? "accepted" : err.text);
    cr_expect(status == PBY_OK || (told == NULL && err.text[0] != '\0' && strchr(err.text, '\n') == NULL),
              "%s, %s: one line", path, what);
    free(told);
}

Test(deployment_result, every_edit_of_a_judgement_is_refused)
{
    struct tried t = {0, 0};
    json_t *root = json_load_file(VECTOR, 0, NULL);
    cr_assert_not_null(root);
    pby_edits(root, try_edit, &t);
    cr_assert(t.accepted > 10 && t.refused > 60, "%zu %zu", t.accepted, t.refused);
    json_decref(root);
}

Test(deployment_result, a_verdict_that_does_not_follow_is_named)
{
    pby_error err = PBY_NO_ERROR;
    json_t *root = json_load_file(VECTOR, 0, NULL);
    json_t *claim = json_array_get(json_object_get(json_object_get(root, "judgement"), "claims"), 2);
    char *told;
    cr_assert_eq(json_object_set_new(claim, "verdict", json_string("holds")), 0);
    json_object_del(root, "signature");
    cr_assert_eq(pby_document_seal(root, NULL), PBY_OK);
    cr_assert_eq(verify(&told, root, NULL, &err), PBY_NO);
    cr_assert_str_eq(err.text,
                     "judgement.claims[2].verdict: it says \"holds\", but recomputed it is \"open\"");
    json_decref(root);
}
