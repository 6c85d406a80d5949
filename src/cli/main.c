/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/status.h"
#include "cli/advice.h"
#include "cli/command.h"
#include "cli/guard.h"
#include "cli/help.h"
#include "cli/option_tables.h"
#include "cli/options.h"
#include "cli/output.h"
#include "mechanism/family.h"
#include "probity.h"

/* The commands by task, in the order in which a person meets them. */
static const struct task {
    const char *name;
    const pby_command *commands[8];
} tasks[] = {
    {"compute", {&pby_command_loss, &pby_command_explain, &pby_command_select, &pby_command_accuracy}},
    {"certify and prove",
     {&pby_command_certify, &pby_command_verify, &pby_command_keygen, &pby_command_prove}},
    {"release",
     {&pby_command_plan, &pby_command_release, &pby_command_ledger, &pby_command_session, &pby_command_draw,
      &pby_command_stat, &pby_command_microdata, &pby_command_smalldb}},
    {"local DP", {&pby_command_report, &pby_command_estimate}},
    {"audit", {&pby_command_audit, &pby_command_deployment}},
    {"research",
     {&pby_command_experiment, &pby_command_condensed, &pby_command_random, &pby_command_geometry}},
};

enum {
    TASKS = sizeof tasks / sizeof *tasks,
    TASK_SIZE = sizeof tasks->commands / sizeof *tasks->commands,
    COMMANDS_MAX = TASKS * TASK_SIZE,
    SPEC_WIDTH = 40,
};

/* The next command in the order of the tasks; NULL behind the last. */
static const pby_command *next_command(size_t *at)
{
    while (*at < COMMANDS_MAX) {
        const pby_command *command = tasks[*at / TASK_SIZE].commands[*at % TASK_SIZE];
        ++*at;
        if (command != NULL)
            return command;
    }
    return NULL;
}

static const char usage[] = "probity: differential privacy that can be checked\n"
                            "\n"
                            "usage: probity COMMAND [ARGUMENTS]\n"
                            "       probity help [COMMAND], or probity [COMMAND] --help\n"
                            "       probity --version\n";

static const char usage_specs[] =
    "\n"
    "A SPEC is a mechanism in one line of text with exact parameters, such as stlap:eps=1/2,q=40:\n";

static const char usage_end[] =
    "Numbers are exact rationals: 3, 1/2, 0.1 (one tenth), 5e-30.\n"
    "\n"
    "Exit status: 0 it holds; 1 a negative verdict; 2 bad usage or input, with one line that says\n"
    "which argument, its value and what was expected; 3 the machine failed, and nothing was released\n"
    "unless that line says so; 4 an audit whose evidence could not have shown a violation.\n"
    "\n"
    "A page that a help names docs/NAME.md is installed as share/doc/probity/NAME.md, beside bin/probity.\n"
    "\n"
    "examples:\n"
    "  probity explain stlap:eps=1/2,q=40\n"
    "  probity loss stlap:eps=1/2,q=40 --epsilon 1/2\n"
    "  probity certify stlap:eps=1/2,q=40 --epsilon 1/2 -o certificate.json\n"
    "  probity verify certificate.json\n"
    "  probity release certificate.json counts.csv -o noisy.csv\n";

/* stlap:eps=,q= or geometric:eps=[,sensitivity=], and what it is. */
static void print_family(const pby_family *family)
{
    const size_t count = pby_family_parameters(family);
    int width = printf("  %s", family->name);
    for (size_t i = 0; i < count; i++) {
        const pby_parameter *parameter = &family->parameters[i];
        const bool required = parameter->fallback == NULL;
        width += printf("%s%c%s=%s", required ? "" : "[", i == 0 ? ':' : ',', parameter->name,
                        required ? "" : "]");
    }
    if (width >= SPEC_WIDTH)
        width = printf("\n") - 1;
    printf("%*s %s\n", SPEC_WIDTH - width, "", family->summary);
}

static pby_status print_usage(void)
{
    fputs(usage, stdout);
    for (size_t i = 0; i < TASKS; i++) {
        printf("\n%s:\n", tasks[i].name);
        for (size_t k = 0; k < TASK_SIZE && tasks[i].commands[k] != NULL; k++)
            printf("  %-10s  %s\n", tasks[i].commands[k]->name, tasks[i].commands[k]->summary);
    }
    fputs(usage_specs, stdout);
    for (size_t i = 0; pby_families[i] != NULL; i++)
        print_family(pby_families[i]);
    fputs(usage_end, stdout);
    return PBY_OK;
}

static pby_status refuse_command(const char *name, pby_error *err)
{
    const char *names[COMMANDS_MAX + 3];
    size_t at = 0, count = 0;
    for (const pby_command *command; (command = next_command(&at)) != NULL;)
        names[count++] = command->name;
    names[count] = "--help";
    names[count + 1] = "--version";
    names[count + 2] = NULL;
    return pby_refuse_name(err, "command", name, names);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_help(argv[i]))
            return true;
    return false;
}

static const pby_command *find(const char *name)
{
    size_t at = 0;
    const pby_command *command;
    while ((command = next_command(&at)) != NULL && strcmp(name, command->name) != 0)
        continue;
    return command;
}

/* The driver of proofs, which the command becomes, has limits of its own. */
static bool is_guarded(const pby_command *command)
{
    return command != &pby_command_prove;
}

static pby_status print_help(const char *name, pby_error *err)
{
    const pby_command *command = find(name);
    if (command == NULL)
        return refuse_command(name, err);
    pby_help_print(command, is_guarded(command));
    return PBY_OK;
}

/* For docs/families.py, and in no list of subcommands. */
static pby_status print_families(pby_error *err)
{
    char *text;
    const pby_status status = pby_report_families(&text, err);
    return pby_print_report(text, status);
}

/* For docs/options.py, and in no list of subcommands. */
static pby_status print_tables(pby_error *err)
{
    size_t at = 0;
    json_t *tables = json_array();
    bool good = tables != NULL;
    for (const pby_command *command; good && (command = next_command(&at)) != NULL;)
        good = json_array_append_new(tables, pby_option_table(command, is_guarded(command))) == 0;
    if (good)
        return pby_print_json(tables, err);
    json_decref(tables);
    return pby_no_memory(err);
}

static pby_status run_command(const pby_command *command, int argc, char **argv, pby_error *err)
{
    if (!is_guarded(command))
        return command->run(argc, argv, err);
    pby_options_common = pby_guard_options;
    pby_status status = pby_guard_begin("probity", command->name, &argc, argv, err);
    if (status == PBY_OK)
        status = command->run(argc, argv, err);
    return pby_guard_end(status, err);
}

static pby_status run_arguments(int argc, char **argv, pby_error *err)
{
    if (argc < 2)
        return pby_fail(err, PBY_BAD, "expected a command; see probity --help");
    const char *name = argv[1];
    const bool help = strcmp(name, "help") == 0;
    if (is_help(name) || (help && argc == 2))
        return print_usage();
    if (help) {
        const pby_status status = pby_operands_at_most(1, argc - 2, argv + 2, "one COMMAND, not two", err);
        return status == PBY_OK ? print_help(argv[2], err) : status;
    }
    if (strcmp(name, "--version") == 0) {
        printf("probity %s\n", pby_version());
        return PBY_OK;
    }
    if (asks_for_help(argc - 2, argv + 2))
        return print_help(name, err);
    if (strcmp(name, "families") == 0 && argc == 2)
        return print_families(err);
    if (strcmp(name, "options") == 0 && argc == 2)
        return print_tables(err);
    const pby_command *command = find(name);
    return command == NULL ? refuse_command(name, err) : run_command(command, argc - 2, argv + 2, err);
}

/* A file opened while a standard stream is closed would take its number, and be read or written in its
 * place. What stands there instead fails when it is used the way the stream is. */
static void keep_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            abort();
}

static void go_on(int number)
{
    (void)number;
}

/* A file that may grow no further is an error of the write, not a signal to die from. Unlike one that is
 * ignored, a signal that is handled is as usual for the programs that are started. */
static void outlive_file_limit(void)
{
    const struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_RESTART};
    if (sigaction(SIGXFSZ, &action, NULL) != 0)
        abort();
}

/* Counts, noise and keys in memory stay out of core dumps, and no other process of the user reads them; a
 * command that this one starts decides for itself. LeakSanitizer has to read them. */
static void hide_memory(void)
{
#ifndef PBY_SANITIZED
    (void)prctl(PR_SET_DUMPABLE, 0);
#endif
}

int main(int argc, char **argv)
{
    pby_error err = PBY_NO_ERROR;
    hide_memory();
    keep_standard_streams();
    outlive_file_limit();
    pby_status status = run_arguments(argc, argv, &err);
    if (status == PBY_BAD || status == PBY_NO)
        pby_advise(&err);
    if (status != PBY_OK)
        fprintf(stderr, "probity: %s\n", err.text);
    if (pby_print_end(&err) != PBY_OK && status == PBY_OK) {
        status = PBY_FAILED;
        fprintf(stderr, "probity: %s\n", err.text);
    }
    return (int)status;
}
