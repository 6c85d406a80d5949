#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "mechanism/family.h"
#include "nearest.h"
#include "probity.h"

static const pby_command *const commands[] = {&pby_command_loss, &pby_command_certify, &pby_command_verify,
                                              &pby_command_release, &pby_command_draw, &pby_command_audit,
                                              &pby_command_accuracy, &pby_command_stat, &pby_command_select,
                                              &pby_command_keygen, &pby_command_ledger, &pby_command_explain,
                                              NULL};

enum { COMMANDS = sizeof commands / sizeof *commands - 1, SPEC_WIDTH = 40 };

static const char usage[] =
    "probity: differential privacy that can be checked\n"
    "\n"
    "usage: probity COMMAND [ARGUMENTS]\n"
    "       probity COMMAND --help\n"
    "       probity --help | --version\n"
    "\n"
    "commands:\n";

static const char usage_specs[] =
    "\n"
    "A SPEC is a mechanism in one line of text with exact parameters, such as stlap:eps=1/2,q=40:\n";

static const char usage_end[] =
    "Numbers are exact rationals: 3, 1/2, 0.1 (one tenth), 5e-30.\n"
    "\n"
    "Exit status: 0 it holds; 1 a negative verdict; 2 bad usage or input, with one line that says\n"
    "which argument, its value and what was expected; 3 the machine failed, nothing was released.\n"
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
    int width = printf("  %s", family->name);
    for (size_t i = 0; i < PBY_PARAMETERS_MAX && family->parameters[i].name != NULL; i++) {
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
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
    fputs(usage_specs, stdout);
    for (size_t i = 0; pby_families[i] != NULL; i++)
        print_family(pby_families[i]);
    fputs(usage_end, stdout);
    return PBY_OK;
}

static pby_status refuse_command(const char *name, pby_error *err)
{
    const char *names[COMMANDS + 3] = {[COMMANDS] = "--help", "--version", NULL};
    char expected[PBY_ERROR_SIZE] = "one of";
    size_t at = strlen(expected);
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        at += (size_t)snprintf(expected + at, sizeof expected - at, "%s %s", i == 0 ? "" : ",", names[i]);
    }
    pby_suggest(expected, sizeof expected, name, names);
    return pby_refuse(err, "command", name, expected);
}

static int asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

static pby_status run(int argc, char **argv, pby_error *err)
{
    if (argc < 2)
        return pby_fail(err, PBY_BAD, "expected a command; see probity --help");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_usage();
    if (strcmp(name, "--version") == 0) {
        printf("probity %s\n", pby_version());
        return PBY_OK;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0) {
            if (!asks_for_help(argc - 2, argv + 2))
                return commands[i]->run(argc - 2, argv + 2, err);
            fputs(commands[i]->help, stdout);
            return PBY_OK;
        }
    return refuse_command(name, err);
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

int main(int argc, char **argv)
{
    pby_error err = {PBY_OK, ""};
    keep_standard_streams();
    pby_status status = run(argc, argv, &err);
    if (status != PBY_OK)
        fprintf(stderr, "probity: %s\n", err.text);
    if (pby_print_end(&err) != PBY_OK && status == PBY_OK) {
        status = PBY_FAILED;
        fprintf(stderr, "probity: %s\n", err.text);
    }
    return (int)status;
}
