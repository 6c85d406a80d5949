/* SPDX-License-Identifier: MIT */
#include "certificate/certified_deployment.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/document.h"
#include "deployment/deployment.h"
#include "probity/experimental/certified.h"
#include "probity/key.h"
#include "tests/edits.h"

/* RFC 8032, section 7.1, TEST 1: its secret key. */
#define SECRET "probity-ed25519-secret:9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n"
#define HEAD   "{\"format\": \"probity-deployment\", \"version\": 1, \"name\": \"d\""

static const char *const vectors[] = {"tests/vectors/deployed.json",
                                      "tests/vectors/claims/rho-deployed.json"};

static pby_deployment *deployment(const char *text)
{
    pby_deployment *d;
    pby_error err = PBY_NO_ERROR;
    cr_assert_eq(pby_deployment_read(&d, text, strlen(text), &err), PBY_OK, "%s", err.text);
    return d;
}

/* A certificate of Laplace noise, for a user if a column is named. */
static char *certificate(const char *user)
{
    const char *const spec_text = "laplace:scale=2";
    const pby_certify_words more = {.user = user};
    pby_spec *spec;
    pby_error err = PBY_NO_ERROR;
    char *text;
    cr_assert_eq(pby_spec_parse(&spec, &spec_text, 1, &err), PBY_OK);
    cr_assert_eq(pby_certify_text(&text, spec, PBY_ADD_REMOVE, "1/4", &more, &err), PBY_OK, "%s", err.text);
    pby_spec_free(spec);
    return text;
}

static void refused(const char *user, const char *file, const char *line)
{
    pby_error err = PBY_NO_ERROR;
    pby_deployment *d = deployment(file);
    char *plain = certificate(user), *bound;
    cr_assert_eq(pby_certified_deployment_bind(&bound, plain, d, &err), PBY_BAD, "%s", file);
    cr_assert_null(bound);
    cr_assert_not_null(strstr(err.text, line), "%s", err.text);
    free(plain);
    pby_deployment_free(d);
}

Test(certified_deployment, what_is_at_odds_with_the_certificate_is_refused)
{
    refused(NULL, HEAD ", \"unit\": {\"neighbours\": \"substitute\"}}", "other neighbours");
    refused("visitor", HEAD ", \"unit\": {\"entity\": \"event\"}}", "less than a user");
    refused("visitor", HEAD ", \"unit\": {\"entity\": \"record\"}}", "less than a user");
}

Test(certified_deployment, it_holds_once_it_is_signed_and_for_its_file_alone)
{
    pby_error err = PBY_NO_ERROR;
    pby_deployment *d = deployment(HEAD ", \"unit\": {\"entity\": \"event\"}, \"title\": \"caf\\u00e9\"}"),
                   *other = deployment(HEAD ", \"unit\": {\"entity\": \"event\"}, \"title\": \"cafe\"}");
    char *plain = certificate(NULL), *bound, *text, *twice;
    pby_certificate *c;
    cr_assert_eq(pby_certified_deployment_bind(&bound, plain, d, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_verify(NULL, bound, strlen(bound), &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "nobody signed it"), "%s", err.text);
    cr_assert_eq(pby_certificate_sign(&text, bound, strlen(bound), SECRET, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_verify(&c, text, strlen(text), &err), PBY_OK, "%s", err.text);
    cr_assert_not_null(strstr(pby_certificate_deployment(c), "\"entity\":\"event\""));
    cr_assert_eq(pby_certified_deployment_compare(c, d, &err), PBY_OK, "%s", err.text);
    cr_assert_eq(pby_certified_deployment_compare(c, other, &err), PBY_NO);
    cr_assert_eq(pby_certified_deployment_bind(&twice, text, d, &err), PBY_OK, "%s", err.text);
    cr_assert_str_eq(twice, bound);
    free(twice);
    pby_certificate_free(c);
    cr_assert_eq(pby_verify(&c, plain, strlen(plain), &err), PBY_OK);
    cr_assert_null(pby_certificate_deployment(c));
    cr_assert_eq(pby_certified_deployment_compare(c, d, &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, "about none"), "%s", err.text);
    pby_certificate_free(c);
    pby_deployment_free(d);
    pby_deployment_free(other);
    free(plain);
    free(bound);
    free(text);
}

/* ---- edits, signed by whoever makes them ------------------------------------------------------- */

struct tried {
    size_t accepted, refused;
};

/* The signer states these; that the certificate's neighbours are those of the unit is checked. */
static const char *const stated[] = {"deployment.horizon",
                                     "deployment.model",
                                     "deployment.name",
                                     "deployment.digest",
                                     "deployment.unit.period",
                                     "deployment.unit.entity",
                                     NULL};

/* The other members of a certificate are edited in resealed.c. */
static void try_edit(json_t *edited, const char *path, const char *what, void *with)
{
    static const char *const ours[] = {"deployment", NULL}, *const spared[] = {"deployment",
                                                                               "deployment.unit",
                                                                               "deployment.unit.neighbours"};
    struct tried *t = with;
    pby_error err = PBY_NO_ERROR;
    bool may = pby_edit_within(path, stated);
    if (!pby_edit_within(path, ours))
        return;
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        may = may || (strcmp(path, spared[i]) == 0 && strcmp(what, "left out") == 0);
    cr_assert_eq(pby_document_seal(edited, NULL), PBY_OK);
    cr_assert_eq(pby_document_sign(edited, SECRET, NULL), PBY_OK);
    char *text = pby_certificate_encode(edited);
    const pby_status status = pby_verify(NULL, text, strlen(text), &err);
    free(text);
    *(status == PBY_OK ? &t->accepted : &t->refused) += 1;
    cr_expect(status == PBY_OK ? may : status == PBY_NO, "%s, %s: %s", path, what,
              status == PBY_OK ? "accepted" : err.text);
    cr_expect(status == PBY_OK || (err.text[0] != '\0' && strchr(err.text, '\n') == NULL), "%s, %s: one line",
              path, what);
}

Test(certified_deployment, every_signed_edit_is_refused_or_a_statement)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct tried t = {0, 0};
        json_t *root = json_load_file(vectors[i], 0, NULL);
        cr_assert_not_null(root);
        pby_edits(root, try_edit, &t);
        cr_assert(t.accepted > 10 && t.refused > 20, "%zu %zu", t.accepted, t.refused);
        json_decref(root);
    }
}

static void denied(const char *member, json_t *value, const char *line)
{
    pby_error err = PBY_NO_ERROR;
    json_t *root = json_load_file(vectors[0], 0, NULL);
    cr_assert_eq(json_object_set_new(json_object_get(root, "deployment"), member, value), 0);
    cr_assert_eq(pby_document_seal(root, NULL), PBY_OK);
    cr_assert_eq(pby_document_sign(root, SECRET, NULL), PBY_OK);
    char *text = pby_certificate_encode(root);
    cr_assert_eq(pby_verify(NULL, text, strlen(text), &err), PBY_NO);
    cr_assert_not_null(strstr(err.text, line), "%s", err.text);
    free(text);
    json_decref(root);
}

Test(certified_deployment, a_member_that_is_none_of_a_deployment_is_named)
{
    denied("digest", json_string("sha256:0"), "deployment.digest");
    denied("claims", json_array(), "claims");
    denied("name", json_string("A b"), "name");
    denied("unit", json_pack("{s:s}", "entity", "a\nb"), "unit.entity");
    denied("unit", json_pack("{s:s}", "neighbours", "local"), "other neighbours");
    denied("unit", json_pack("{s:s}", "entity", "event"), "less than a user");
    denied("model", json_pack("{s:s}", "kind", "none"), "model.kind");
    denied("horizon", json_pack("{s:s}", "periods", "0"), "horizon.periods");
}
