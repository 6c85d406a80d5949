/* SPDX-License-Identifier: MIT */
/* Parts of a dossier, and how its page writes them. All objects are borrowed. */
#ifndef PBY_AUDIT_DOSSIER_DOSSIER_PARTS_H
#define PBY_AUDIT_DOSSIER_DOSSIER_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The member of a list that names this audit; NULL where there is none. */
const json_t *pby_dossier_named(const json_t *list, const char *name);

/* From version 2 on the page says what the author states. A page of version 1 stays what it was. */
bool pby_dossier_marks_stated(const json_t *dossier);

/* The result of an audit of the plan, NULL where it was not run; and its verdict, or "not run". */
const json_t *pby_dossier_result(const json_t *dossier, const json_t *audit);
const char *pby_dossier_verdict(const json_t *dossier, const json_t *audit);

/* A verdict as the class of its heading, and in words. */
const char *pby_dossier_class(const char *word);
const char *pby_dossier_word(const char *word);

/* A member that is an integer; 0 where it is none. */
long long pby_dossier_integer(const json_t *object, const char *member);

/* Writes a member that is a text. All that comes out of a plan, a command or its outputs passes through here.
 */
void pby_dossier_put(FILE *out, const json_t *object, const char *member);

/* Writes the claim of an audit of the plan. */
void pby_dossier_put_claim(FILE *out, const json_t *audit);

/* Writes the section of an audit (dossier_audit_page.c). */
void pby_dossier_put_audit(FILE *out, const json_t *dossier, const json_t *audit);

#endif
