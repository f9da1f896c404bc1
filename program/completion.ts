import type { Command } from "commander";

export const SHELLS = ["bash", "zsh"] as const;

export type Shell = (typeof SHELLS)[number];

/** What may follow a command, such as `keys create`; the program itself is the empty name. */
interface Completed {
  readonly name: string;
  readonly commands: readonly Described[];
  readonly options: readonly Described[];
  /** The values of options and arguments that take one of a few; for an argument the flags are empty. */
  readonly choices: readonly { readonly flags: readonly string[]; readonly values: readonly string[] }[];
}

interface Described {
  readonly word: string;
  readonly summary: string;
}

/**
 * A script for a shell with every command and option of the program. It holds them all, so that no program has to start at each
 * press of the Tab key; after an upgrade it is printed again.
 */
export function buildCompletion(shell: Shell, program: Command): string {
  const all = collect(program, "");
  return shell === "bash" ? buildBash(program.name(), all) : buildZsh(program.name(), all);
}

function collect(command: Command, name: string): Completed[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const own: Completed = {
    name,
    commands: commands.map((sub) => ({ word: sub.name(), summary: sub.summary() || sub.description() })),
    options: options.flatMap(({ long, short, description }) =>
      [long, short].flatMap((word) =>
        word === undefined || word === null ? [] : [{ word, summary: description }],
      ),
    ),
    choices: [
      ...options.map(({ long, short, argChoices = [] }) => ({
        flags: [long, short].filter((flag) => typeof flag === "string"),
        values: argChoices,
      })),
      ...command.registeredArguments.map(({ argChoices = [] }) => ({ flags: [], values: argChoices })),
    ].filter(({ values }) => values.length > 0),
  };
  return [own, ...commands.flatMap((sub) => collect(sub, `${name} ${sub.name()}`.trim()))];
}

/** Commands, options and choices have no characters that mean something to a shell; summaries may have. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const joinWords = (described: readonly Described[]): string => described.map(({ word }) => word).join(" ");

/** Words without a dash are commands or values; where there are none, the shell completes the names of files. */
function buildBash(program: string, all: readonly Completed[]): string {
  const values = all.flatMap(({ name, choices }) =>
    choices.map(({ flags, values: words }) => {
      const before =
        flags.length === 0 ? [quote(`${name}|`) + "*"] : flags.map((flag) => quote(`${name}|${flag}`));
      return `    ${before.join(" | ")}) words=${quote(words.join(" "))} ;;`;
    }),
  );
  const words = all.map(
    ({ name, commands, options }) =>
      `    ${quote(name)}) commands=${quote(joinWords(commands))} options=${quote(joinWords(options))} ;;`,
  );
  return `# Completes ${program} in bash: source <(${program} completion bash)
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local command= at commands= options= words=
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${command:+$command }\${COMP_WORDS[at]}" in
      ${all.flatMap(({ name }) => (name === "" ? [] : [quote(name)])).join(" | ")}) command="\${command:+$command }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$command" in
${words.join("\n")}
  esac
  if [[ $current == -* ]]; then words=$options; else words=$commands; fi
  case "$command|$previous" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program} ${program}
`;
}

/** `word:summary`, in which a colon of the word would need a backslash; ours have none. */
const toZshItem = ({ word, summary }: Described): string => quote(`${word}:${summary}`);

function buildZsh(program: string, all: readonly Completed[]): string {
  const values = all.flatMap(({ name, choices }) =>
    choices.map(({ flags, values: words }) => {
      const before =
        flags.length === 0 ? [quote(`${name}|`) + "*"] : flags.map((flag) => quote(`${name}|${flag}`));
      return `    (${before.join("|")}) compadd -- ${words.map(quote).join(" ")}; return ;;`;
    }),
  );
  const words = all.map(
    ({ name, commands, options }) =>
      `    (${quote(name)})
      commands=(${commands.map(toZshItem).join(" ")})
      options=(${options.map(toZshItem).join(" ")}) ;;`,
  );
  return `#compdef ${program}
# Completes ${program} in zsh: ${program} completion zsh > ~/.zfunc/_${program}
_${program}() {
  local command= at
  local -a commands options
  for ((at = 2; at < CURRENT; at++)); do
    case "\${command:+$command }\${words[at]}" in
      (${all.flatMap(({ name }) => (name === "" ? [] : [quote(name)])).join("|")}) command="\${command:+$command }\${words[at]}" ;;
    esac
  done
  case "$command|\${words[CURRENT - 1]}" in
${values.join("\n")}
  esac
  case "$command" in
${words.join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe option options
  elif ((\${#commands})); then _describe command commands
  else _files; fi
}
if [[ \${funcstack[1]} == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}
