/* generate.c - man page and shell completion, made from the tables of commands and
** options at build time: `generate man`, `bash`, `zsh`, `fish`. */
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
  if (option_takes_argument(o) || o->optional) {
    text_puts(to, o->optional ? "\\fI" : " \\fI");
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

/* ---- zsh ----------------------------------------------------------------------------- */

/* Inside of single quotes, where brackets and colons separate. */
static void zsh_text(Text *to, const char *text) {
  for (; *text; text++)
    if (*text == '\'')
      text_puts(to, "'\\''");
    else if (strchr("[]:\\", *text))
      text_printf(to, "\\%c", *text);
    else
      text_add(to, text, 1);
}

static void put_names(Text *to, const Option *o) {
  const char *name;
  for (size_t k = 0; (name = option_name_at(o, k)); k++)
    text_printf(to, "%s%s", k ? " " : "", name);
}

/* '*'{-q,--query}'[help]:QUERY:action' */
static void zsh_option(Text *to, const Option *o) {
  const char *equals = option_takes_argument(o) ? "=" : "";
  if (o->letter)
    text_printf(to, "      '*'{-%c,--%s}'[", o->letter, o->name);
  else
    text_printf(to, "      '*--%s%s[", o->name, equals);
  zsh_text(to, o->help);
  text_puts(to, "]");
  if (option_takes_argument(o)) {
    text_puts(to, ":");
    zsh_text(to, o->argument ? o->argument : o->name);
    text_puts(to, option_name_at(o, 0) ? ":(" : ":_files");
    put_names(to, o);
    text_puts(to, option_name_at(o, 0) ? ")" : "");
  }
  text_puts(to, "' \\\n");
}

static void zsh(Text *to) {
  text_puts(to, "#compdef lpmln\n# zsh completion of lpmln\n_lpmln() {\n  local -a commands\n"
                "  commands=(\n");
  for (size_t c = 0; c < command_count; c++) {
    text_printf(to, "    '%s:", commands[c].name);
    zsh_text(to, commands[c].summary);
    text_puts(to, "'\n");
  }
  text_puts(to, "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n"
                "  fi\n  local command=${words[2]}\n  shift words\n  (( CURRENT-- ))\n"
                "  case $command in\n");
  for (size_t c = 0; c < command_count; c++) {
    text_printf(to, "  %s)\n    _arguments -s \\\n", commands[c].name);
    for (size_t i = 0; i < option_count; i++)
      if (options[i].commands & commands[c].bit)
        zsh_option(to, &options[i]);
    text_puts(to, "      '*:file:_files' ;;\n");
  }
  text_puts(to, "  esac\n}\n_lpmln \"$@\"\n");
}

/* ---- fish ---------------------------------------------------------------------------- */

static void fish_text(Text *to, const char *text) {
  text_puts(to, "'");
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\')
      text_puts(to, "\\");
    text_add(to, text, 1);
  }
  text_puts(to, "'");
}

static void fish_option(Text *to, const Option *o) {
  text_puts(to, "complete -c lpmln -n '__fish_seen_subcommand_from");
  for (size_t c = 0; c < command_count; c++)
    if (o->commands & commands[c].bit)
      text_printf(to, " %s", commands[c].name);
  text_printf(to, "' -l %s", o->name);
  if (o->letter)
    text_printf(to, " -s %c", o->letter);
  if (option_name_at(o, 0)) {
    text_puts(to, " -x -a '");
    put_names(to, o);
    text_puts(to, "'");
  } else if (option_takes_argument(o)) {
    text_puts(to, " -r");
  }
  text_puts(to, " -d ");
  fish_text(to, o->help);
  text_puts(to, "\n");
}

static void fish(Text *to) {
  text_puts(to, "# fish completion of lpmln\n");
  for (size_t c = 0; c < command_count; c++) {
    text_printf(to, "complete -c lpmln -n __fish_use_subcommand -f -a %s -d ", commands[c].name);
    fish_text(to, commands[c].summary);
    text_puts(to, "\n");
  }
  for (size_t i = 0; i < option_count; i++)
    fish_option(to, &options[i]);
}

static int generate(void (*write)(Text *)) {
  Text text = {0};
  write(&text);
  bool good = fputs(text.at, stdout) >= 0 && fflush(stdout) == 0;
  vec_free(&text);
  return good ? 0 : LPMLN_LIMIT;
}

static int guarded(void (*write)(Text *)) {
  assert(options_valid());
  MemoryGuard guard;
  int code = memory_guard(&guard) ? LPMLN_LIMIT : generate(write);
  memory_unguard(&guard);
  return code;
}

static const struct {
  const char *name;
  void (*write)(Text *);
} files[] = {{"man", man}, {"bash", bash}, {"zsh", zsh}, {"fish", fish}};

int main(int argc, char **argv) {
  size_t i = 0, n = argc == 2 ? sizeof files / sizeof *files : 0;
  while (i < n && strcmp(argv[1], files[i].name) != 0)
    i++;
  return i < n ? guarded(files[i].write) : LPMLN_USAGE;
}
