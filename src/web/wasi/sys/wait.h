/* SPDX-License-Identifier: MIT */
/* In place of wasi-libc's header of this name, which does not compile; no module has a child to wait for. */
#ifndef PBY_WEB_SYS_WAIT_H
#define PBY_WEB_SYS_WAIT_H

#include <sys/types.h>

#define WNOHANG        1
#define WIFEXITED(s)   (((s)&0x7f) == 0)
#define WEXITSTATUS(s) (((s) >> 8) & 0xff)
#define WIFSIGNALED(s) (((s)&0x7f) != 0)
#define WTERMSIG(s)    ((s)&0x7f)

pid_t waitpid(pid_t process, int *status, int options);

#endif
