#include "release/permission.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

bool pby_permission_is_file(const char *text)
{
    const size_t size = strlen(text);
    return access(text, F_OK) == 0 || (size >= 5 && strcmp(text + size - 5, ".json") == 0);
}

static bool is_spec(const char *text)
{
    return text[strcspn(text, ":/")] == ':' && !pby_permission_is_file(text);
}

int pby_permission_count(int operands, char **argv)
{
    int n = 1;
    while (n < operands && !pby_permission_is_file(argv[0]) && is_spec(argv[n]))
        n++;
    return n;
}

static pby_status read_certificate(pby_permission *permission, const char *path, pby_error *err)
{
    char *text;
    size_t size;
    pby_status status = pby_file_read(&text, &size, path, PBY_CERTIFICATE_SIZE_MAX, err);
    if (status != PBY_OK)
        return status;
    status = pby_verify(&permission->certificate, text, size, err);
    if (status == PBY_OK)
        permission->spec = pby_certificate_spec(permission->certificate);
    free(text);
    return status;
}

pby_status pby_permission_ask(pby_permission *permission, const char *const *texts, size_t count,
                              pby_error *err)
{
    *permission = (pby_permission){NULL, NULL, NULL};
    if (pby_permission_is_file(texts[0]))
        return read_certificate(permission, texts[0], err);
    const pby_status status = pby_spec_parse(&permission->own, texts, count, err);
    permission->spec = permission->own;
    return status;
}

void pby_permission_clear(pby_permission *permission)
{
    pby_spec_free(permission->own);
    pby_certificate_free(permission->certificate);
}
