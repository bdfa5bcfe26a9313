/* generate.c - man page and shell completion, made from the tables of commands and
** options at build time: `generate man`, `generate bash`. */
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "lpmln/lpmln.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A hyphen is a minus and a leading dot is no request. */
static void roff(Text *to, const char *text) {
  assert(*text != '.' && *text != '\'');
  for (; *text; text++)
    if (*text == '-')
      text_puts(to, "\\-");
    else if (*text == '\\')
      text_puts(to, "\\e");
    else
      text_add(to, text, 1);
}

/* What may be said, as roff. */
static void roff_of(Text *to, void (*write)(Text *, const Option *), const Option *o) {
  Text plain = {0};
  write(&plain, o);
  roff(to, plain.at);
  vec_free(&plain);
}

static void man_names(Text *to, const Option *o) {
  size_t count;
  const lpmln_choice *names = o->names(&count);
  text_puts(to, ".RS\n");
  for (size_t i = 0; i < count; i++) {
    text_puts(to, ".TP\n\\fI");
    roff(to, names[i].name);
    text_puts(to, "\\fR\n");
    roff(to, names[i].summary);
    text_puts(to, "\n");
  }
  text_puts(to, ".RE\n");
}

static void man_option(Text *to, const Option *o) {
  text_puts(to, ".TP\n");
  if (o->letter)
    text_printf(to, "\\fB\\-%c\\fR, ", o->letter);
  text_puts(to, "\\fB\\-\\-");
  roff(to, o->name);
  text_puts(to, "\\fR");
  if (option_takes_argument(o)) {
    text_puts(to, " \\fI");
    roff_of(to, option_argument, o);
    text_puts(to, "\\fR");
  }
  text_puts(to, "\n");
  roff_of(to, option_help, o);
  text_puts(to, "\n");
  if (o->names)
    man_names(to, o);
}

static void man_commands(Text *to) {
  text_puts(to, ".SH SYNOPSIS\n");
  for (size_t i = 0; i < command_count; i++) {
    text_printf(to, "\\fBlpmln %s\\fR ", commands[i].name);
    roff(to, commands[i].usage);
    text_puts(to, "\n.br\n");
  }
  text_puts(to, ".SH DESCRIPTION\nRules of an answer set program carry weights; its stable models "
                "get probabilities. \\- reads standard input.\n.SH COMMANDS\n");
  for (size_t i = 0; i < command_count; i++) {
    text_printf(to, ".TP\n\\fB%s\\fR\n", commands[i].name);
    roff(to, commands[i].summary);
    text_puts(to, ". ");
    roff(to, commands[i].details);
    text_puts(to, "\n");
  }
}

static void man(Text *to) {
  text_printf(to,
              ".TH LPMLN 1 \"\" \"lpmln %s\" \"User Commands\"\n.SH NAME\n"
              "lpmln \\- probabilistic answer set programs\n",
              lpmln_version());
  man_commands(to);
  text_puts(to, ".SH OPTIONS\n");
  for (size_t i = 0; i < option_count; i++)
    man_option(to, &options[i]);
  text_puts(to,
            ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthere is no answer: no probabilistic stable "
            "model, impossible evidence\n.TP\n2\nwrong usage\n.TP\n3\nwrong input: syntax, "
            "grounding, unreadable file\n.TP\n4\na limit was reached; what was found so far is "
            "printed and marked\n.TP\n5\nour own fault\n.TP\n130\ninterrupted; what was found so "
            "far is printed and marked\n");
}

/* A case for each option whose arguments are known, then one for each command. */
static void bash_cases(Text *to) {
  const char *name;
  for (size_t i = 0; i < option_count; i++) {
    if (!option_name_at(&options[i], 0))
      continue;
    text_printf(to, "  --%s) COMPREPLY=($(compgen -W '", options[i].name);
    for (size_t k = 0; (name = option_name_at(&options[i], k)); k++)
      text_printf(to, "%s%s", k ? " " : "", name);
    text_puts(to, "' -- \"$word\")); return ;;\n");
  }
  text_puts(to, "  esac\n  case ${COMP_WORDS[1]} in\n");
  for (size_t c = 0; c < command_count; c++) {
    text_printf(to, "  %s) local options='", commands[c].name);
    for (size_t i = 0; i < option_count; i++)
      if (options[i].commands & commands[c].bit)
        text_printf(to, "--%s ", options[i].name);
    text_puts(to, "' ;;\n");
  }
}

static void bash(Text *to) {
  text_puts(to, "# bash completion of lpmln\n_lpmln() {\n  local word=${COMP_WORDS[COMP_CWORD]}\n"
                "  local before=${COMP_WORDS[COMP_CWORD-1]}\n  if [ \"$COMP_CWORD\" = 1 ]; then\n"
                "    COMPREPLY=($(compgen -W '");
  for (size_t i = 0; i < command_count; i++)
    text_printf(to, "%s ", commands[i].name);
  text_puts(to, "--help --version' -- \"$word\"))\n    return\n  fi\n  case $before in\n");
  bash_cases(to);
  text_puts(to, "  *) local options= ;;\n  esac\n  if [[ $word == -* ]]; then\n"
                "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n  else\n"
                "    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
                "complete -o filenames -F _lpmln lpmln\n");
}

static int generate(void (*write)(Text *)) {
  Text text = {0};
  write(&text);
  bool good = fputs(text.at, stdout) >= 0 && fflush(stdout) == 0;
  vec_free(&text);
  return good ? 0 : LPMLN_LIMIT;
}

int main(int argc, char **argv) {
  bool wants_man = argc == 2 && !strcmp(argv[1], "man");
  if (!wants_man && !(argc == 2 && !strcmp(argv[1], "bash")))
    return LPMLN_USAGE;
  assert(options_valid());
  MemoryGuard guard;
  int code = memory_guard(&guard) ? LPMLN_LIMIT : generate(wants_man ? man : bash);
  memory_unguard(&guard);
  return code;
}
