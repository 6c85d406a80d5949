/* SPDX-License-Identifier: MIT */
/* Names of databases may hold passwords, and a refusal repeats what it refuses: errors pass through here. */
#ifndef PBY_BASE_PASSWORD_H
#define PBY_BASE_PASSWORD_H

#include <stdbool.h>

/* True if the text may hold a password: it has the scheme of such a name, however spelt, or the keyword. */
bool pby_password_is_likely(const char *text);

/* Writes "..." in the place of user and password of each name (postgresql://USER:PASSWORD@HOST/...), and of
 * each value of a keyword password=. Of several @ the last ends a password. The text grows no longer. */
void pby_password_hide(char *text);

#endif
