/* SPDX-License-Identifier: MIT */
/* The fields of a certificate, each in its one spelling, and the verdicts on them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/certificate.h"
#include "probity/rational.h"

pby_status pby_certificate_deny(pby_error *err, const char *name, const char *value, const char *expected)
{
    return pby_certificate_verdict(pby_refuse(err, name, value, expected), err);
}

pby_status pby_certificate_verdict(pby_status status, pby_error *err)
{
    if (status != PBY_BAD || err == NULL)
        return status == PBY_BAD ? PBY_NO : status;
    const bool memory = err->reason == PBY_REASON_MEMORY;
    err->status = memory ? PBY_FAILED : PBY_NO;
    err->reason = memory ? PBY_REASON_MEMORY : PBY_REASON_CERTIFICATE;
    return err->status;
}

static bool known(const char *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

pby_status pby_certificate_object(const json_t *object, const char *what, const char *const *names,
                                  size_t count, size_t optional, pby_error *err)
{
    if (!json_is_object(object))
        return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s is not a JSON object", what);
    for (size_t i = 0; i < count - optional; i++)
        if (json_object_get(object, names[i]) == NULL)
            return pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "%s has no field '%s'", what, names[i]);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        if (!known(key, names, count))
            return pby_certificate_deny(err, what, key, "no such field");
    }
    return PBY_OK;
}

pby_status pby_certificate_string(const char **out, const json_t *object, const char *name, pby_error *err)
{
    *out = json_string_value(json_object_get(object, name));
    return *out != NULL
               ? PBY_OK
               : pby_fail_by(err, PBY_NO, PBY_REASON_CERTIFICATE, "field '%s' is not a string", name);
}

pby_status pby_certificate_rational(mpq_t out, const json_t *object, const char *name, pby_error *err)
{
    const char *text;
    pby_status status = pby_certificate_string(&text, object, name, err);
    if (status == PBY_OK)
        status = pby_certificate_verdict(pby_rational_parse(out, name, text, err), err);
    if (status != PBY_OK)
        return status;
    char *again = mpq_get_str(NULL, 10, out);
    const bool same = strcmp(text, again) == 0;
    free(again);
    return same ? PBY_OK : pby_certificate_deny(err, name, text, "it in lowest terms");
}
