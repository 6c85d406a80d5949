/* What a release is charged by: a certificate that holds, or a spec that the caller answers for. */
#ifndef PBY_RELEASE_PERMISSION_H
#define PBY_RELEASE_PERMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "probity/certificate.h"
#include "probity/spec.h"

typedef struct pby_permission {
    pby_certificate *certificate; /* NULL: a spec alone */
    pby_spec *own;
    const pby_spec *spec; /* of either */
} pby_permission;

/* Whether an argument names a certificate: a file that exists, or a name that ends in .json. */
bool pby_permission_is_file(const char *text);

/* How many operands say what to release with: a certificate alone, or SPECs; at least one of them is looked
 * at. */
int pby_permission_count(int operands, char **argv);

/* Reads and verifies the certificate, or parses the specs. */
PBY_CHECKED
pby_status pby_permission_ask(pby_permission *permission, const char *const *texts, size_t count,
                              pby_error *err);
void pby_permission_clear(pby_permission *permission);

#endif
