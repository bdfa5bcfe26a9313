/* command.c - see command.h. */
#include "cli/command.h"

#include <assert.h>
#include <string.h>

const Command commands[] = {
    {C_LEARN, "learn", "PROGRAM… -e OBSERVATIONS…",
     "the weights that make the observations most likely",
     "Parameters are weights written @w(NAME). Blocks of observations are separated by '---'.",
     command_learn},
    {C_INFER, "infer", "PROGRAM… [-e EVIDENCE] [-q QUERY]…",
     "probabilities of atoms, given evidence",
     "Without -q, every atom that is neither certain nor impossible is printed. With --data, the "
     "answer is a table: each row is evidence of its own.",
     command_infer},
    {C_MAP, "map", "PROGRAM… [-e EVIDENCE]", "the most probable stable model(s)",
     "All models that tie with the most probable one are printed.", command_map},
    {C_MODELS, "models", "PROGRAM… [-e EVIDENCE] [-n N]",
     "the stable models with their probabilities, most probable first",
     "Without -n, the 10,000 most probable ones are printed.", command_models},
    {C_SAMPLE, "sample", "PROGRAM… [-e EVIDENCE] -n N", "N random stable models",
     "They are independent and distributed exactly as the program says.", command_sample},
    {C_DECIDE, "decide", "PROGRAM… [-e EVIDENCE]", "the decisions of the highest expected utility",
     "Atoms to decide are declared by '#decision a.', what outcomes are worth by '#utility(5) a, "
     "not "
     "b.'",
     command_decide},
    {C_CHECK, "check", "PROGRAM… [-e OBSERVATIONS] [-q QUERY]…",
     "what the program is: size, loops, components, coherence, which engine fits",
     "Also says what is unusual: hard rules that contradict each other, soft rules without "
     "instances, observations that are impossible.",
     command_check},
    {C_TRANSLATE, "translate", "PROGRAM… --to TARGET", "the program in another language",
     "What the target can't express is refused, with the reason.", command_translate},
    {C_COMPILE, "compile", "PROGRAM… [-e EVIDENCE] -o FILE",
     "the compiled program, which every command takes in place of the text",
     "Answers from the file need neither grounding nor compiling, whatever the weights (-w).",
     command_compile},
    {C_INDUCE, "induce", "PROGRAM… --candidates FILE -e OBSERVATIONS…",
     "rules chosen from candidates, with their weights",
     "Candidates are rules without weights, or declarations: #modeh head(type). #modeb body(type). "
     "Those are kept that improve a penalised likelihood.",
     command_induce},
    {C_COMPARE, "compare", "PROGRAM PROGRAM… -e OBSERVATIONS…",
     "programs learned from the same observations, side by side",
     "Each file is a program of its own. A likelihood-ratio test is made where one program is "
     "another with parameters fixed or tied.",
     command_compare},
    {C_WHY, "why", "PROGRAM… [-e EVIDENCE] -q QUERY",
     "why a query is probable: its likeliest proofs, with their shares",
     "A proof is a minimal set of guesses with which the query holds, whatever the others are.",
     command_why},
};
const size_t command_count = sizeof commands / sizeof *commands;

const Command *command_find(const char *name) {
  assert(name);
  for (size_t i = 0; i < command_count; i++)
    if (!strcmp(commands[i].name, name))
      return &commands[i];
  return NULL;
}
