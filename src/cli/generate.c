/* generate.c - man page and shell completion, made from the table of options
** at build time: `generate man`, `generate bash`. */
#include "cli/options.h"

#include <ctype.h>
#include <string.h>

/* A hyphen is a minus and a leading dot is no request. */
static void roff(const char *text) {
  for (; *text; text++)
    if (*text == '-')
      fputs("\\-", stdout);
    else if (*text == '\\')
      fputs("\\e", stdout);
    else
      fputc(*text, stdout);
}

static void man_option(const Option *o) {
  fputs(".TP\n", stdout);
  if (o->letter)
    printf("\\fB\\-%c\\fR, ", o->letter);
  fputs("\\fB\\-\\-", stdout);
  roff(o->name);
  fputs("\\fR", stdout);
  if (o->argument) {
    fputs(" \\fI", stdout);
    roff(o->argument);
    fputs("\\fR", stdout);
  }
  fputs("\n", stdout);
  roff(o->help);
  fputs("\n", stdout);
}

static void man(void) {
  printf(".TH LPMLN 1 \"\" \"lpmln %s\" \"User Commands\"\n.SH NAME\n"
         "lpmln \\- probabilistic answer set programs\n.SH SYNOPSIS\n",
         lpmln_version());
  for (size_t i = 0; i < command_count; i++) {
    printf("\\fBlpmln %s\\fR ", commands[i].name);
    roff(commands[i].usage);
    fputs("\n.br\n", stdout);
  }
  fputs(".SH DESCRIPTION\nRules of an answer set program carry weights; its stable models get "
        "probabilities. \\- reads standard input.\n.SH COMMANDS\n",
        stdout);
  for (size_t i = 0; i < command_count; i++) {
    printf(".TP\n\\fB%s\\fR\n", commands[i].name);
    roff(commands[i].summary);
    fputs(". ", stdout);
    roff(commands[i].details);
    fputs("\n", stdout);
  }
  fputs(".SH OPTIONS\n", stdout);
  for (size_t i = 0; i < option_count; i++)
    man_option(&options[i]);
  fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthere is no answer: no probabilistic stable model, "
        "impossible evidence\n.TP\n2\nwrong usage\n.TP\n3\nwrong input: syntax, grounding, "
        "unreadable file\n.TP\n4\na limit was reached; what was found so far is printed and "
        "marked\n.TP\n5\nour own fault\n.TP\n130\ninterrupted; what was found so far is printed "
        "and marked\n",
        stdout);
}

static void bash(void) {
  fputs("# bash completion of lpmln\n_lpmln() {\n  local word=${COMP_WORDS[COMP_CWORD]}\n"
        "  local before=${COMP_WORDS[COMP_CWORD-1]}\n  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    COMPREPLY=($(compgen -W '",
        stdout);
  for (size_t i = 0; i < command_count; i++)
    printf("%s ", commands[i].name);
  fputs("--help --version' -- \"$word\"))\n    return\n  fi\n  case $before in\n", stdout);
  for (size_t i = 0; i < option_count; i++) {
    const char *list = options[i].argument;
    if (!list || isupper((unsigned char)*list))
      continue;
    printf("  --%s) COMPREPLY=($(compgen -W '", options[i].name);
    for (; *list; list++)
      fputc(*list == '|' ? ' ' : *list, stdout);
    fputs("' -- \"$word\")); return ;;\n", stdout);
  }
  fputs("  esac\n  case ${COMP_WORDS[1]} in\n", stdout);
  for (size_t c = 0; c < command_count; c++) {
    printf("  %s) local options='", commands[c].name);
    for (size_t i = 0; i < option_count; i++)
      if (options[i].commands & commands[c].id)
        printf("--%s ", options[i].name);
    fputs("' ;;\n", stdout);
  }
  fputs("  *) local options= ;;\n  esac\n  if [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n  else\n"
        "    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
        "complete -o filenames -F _lpmln lpmln\n",
        stdout);
}

int main(int argc, char **argv) {
  bool wants_man = argc == 2 && !strcmp(argv[1], "man");
  if (!wants_man && !(argc == 2 && !strcmp(argv[1], "bash")))
    return 2;
  wants_man ? man() : bash();
  return 0;
}
