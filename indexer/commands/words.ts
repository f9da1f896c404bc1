import { Option, type Command } from "commander";
import { CommandError, EXIT } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { fold, joinWords } from "../../src/place/text/fold.ts";
import { loadVocabulary, parseVocabulary } from "../../src/search/vocabulary/read-vocabulary.ts";
import type { VocabularyRow } from "../../src/search/vocabulary/vocabulary.ts";
import { type LiveIndex, openLiveIndex } from "../index/live-index.ts";
import { describeNearest } from "../sources/table/kind-cell.ts";
import { buildLeaseOption } from "./source-options.ts";
import { withWritingSession } from "../session/engines.ts";

interface WordsCommandOptions {
  readonly language: string;
  readonly json: boolean;
  readonly lease: boolean;
}

/** What is asked of the words of the live index. */
type WordsRequest =
  | { readonly action: "list" }
  | {
      readonly action: "add" | "remove";
      readonly role: string;
      readonly meaning: string;
      readonly words: readonly string[];
    };

const HELP = `
Adds words to those that searches of the live index understand, without an import. The roles and
meanings are those of a vocabulary file (docs/areas-and-words.md#words-of-your-own); a role without a meaning
takes "". All servers understand the words within five seconds. The next import keeps them, and a rollback
goes back to those that the previous index had.

Exit status: 0 done; 1 failed; 2 wrong usage or configuration; 3 there was nothing to remove.

Examples:
  $ npm run -s index -- words add kind COFFEE "cà phê vợt" "cà phê kho"
  $ npm run -s index -- words add wish cheap "giá hạt dẻ"
  $ npm run -s index -- words list
  $ npm run -s index -- words remove kind COFFEE "cà phê kho"`;

/** Adds the `words` command. */
export function addCommand(program: Command, start: RunCommand): void {
  const words = program
    .command("words")
    .summary("change the words that searches understand, without an import")
    .description("Adds, lists and removes words of the live index.")
    .addHelpText("after", HELP);
  for (const action of ["add", "remove"] as const) {
    addOptions(words.command(action))
      .description(`${action === "add" ? "Adds" : "Removes"} words with one meaning.`)
      .argument("<role>", "what the words do: kind, product, wish, feature, filler …")
      .argument("<meaning>", 'what they mean: COFFEE, cheap …; "" for none')
      .argument("<words...>", "the words, with their marks")
      .action((role: string, meaning: string, texts: string[], options: WordsCommandOptions) =>
        start((context) => runWords({ action, role, meaning, words: texts }, options, context)),
      );
  }
  addOptions(words.command("list"))
    .description("Lists the words that were added, as rows of a vocabulary file.")
    .action((options: WordsCommandOptions) =>
      start((context) => runWords({ action: "list" }, options, context)),
    );
}

const addOptions = (command: Command): Command =>
  command
    .addOption(new Option("--language <tag>", "language of the words").default("vi"))
    .addOption(buildLeaseOption())
    .option("--json", "print the words as one JSON object on standard output", false);

/** Does what is asked. Resolves to the exit code. */
function runWords(
  request: WordsRequest,
  options: WordsCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { signal } = context.interruption;
  const session = { command: "words", lease: options.lease };
  return runOrPrint(context, options.json, () =>
    withWritingSession(context, session, async ({ index, coordination }) => {
      const live = openLiveIndex(index);
      try {
        if ((await live.readState()) !== "writable")
          throw new CommandError("There is no live index of this version: import places first.");
        if (request.action === "list") return list(await readRows(live), options, context);
        return await coordination.holdWrite(() => change(live, request, options, context), signal);
      } finally {
        await live.close();
      }
    }),
  );
}

const SOURCE = "the words of the index";

const readRows = async (live: LiveIndex): Promise<VocabularyRow[]> =>
  parseVocabulary(await live.readWords(), SOURCE, () => {});

async function change(
  live: LiveIndex,
  { action, role, meaning, words }: Exclude<WordsRequest, { readonly action: "list" }>,
  options: WordsCommandOptions,
  context: CommandContext,
): Promise<number> {
  const [row] = parseRow([role, meaning, options.language], words);
  const before = await readRows(live);
  const isSame = (other: VocabularyRow): boolean => other.role === row.role && other.meaning === row.meaning;
  const others = before.filter((other) => !isSame(other));
  const known = before.filter(isSame).flatMap((other) => other.words);
  const named = new Set(row.words.map(keyOf));
  const kept = known.filter((word) => !named.has(keyOf(word)));
  if (action === "remove" && kept.length === known.length) {
    context.stderr.write(`No such words were added for ${role} ${meaning}. \`words list\` shows them.\n`);
    return EXIT.incomplete;
  }
  const texts = action === "add" ? [...kept, ...row.words] : kept;
  const rows = texts.length > 0 ? [...others, { ...row, words: texts }] : others;
  await live.writeWords(rows.map(toLine).join("\n"));
  context.stderr.write(
    `${action === "add" ? "Added" : "Removed"}: ${row.words.join("; ")}. Servers follow within five seconds.\n`,
  );
  return list(rows, options, context);
}

/** Marks and case tell words apart, spaces do not. */
const keyOf = (text: string): string =>
  `${joinWords(fold(text))} ${text.normalize("NFC").toLowerCase().replaceAll(/\s/g, "")}`;

/** @throws {CommandError} for a role, a meaning or words that a vocabulary file could not have. */
function parseRow(first: readonly string[], words: readonly string[]): [VocabularyRow] {
  const texts = words.map((text) => text.normalize("NFC").trim());
  if (
    texts.some((text) => text === "" || /[;\p{Cc}]/u.test(text)) ||
    first.some((cell) => /[,\p{Cc}]/u.test(cell))
  )
    throw new CommandError("Words are texts without semicolons, and none is empty.");
  const [row] = parseVocabulary(`${first.join(",")},${texts.join("; ")}`, "words", (error) => {
    const nearest = OF_KINDS.has(first[0] ?? "") ? describeNearest(first[1] ?? "") : "";
    throw new CommandError(error.message.replace(/^words:1: /, "") + (nearest && `; ${nearest}`));
  });
  if (row === undefined) throw new CommandError("There is nothing to add.");
  if (row.role === "area" && !loadVocabulary().areas.has(row.meaning))
    throw new CommandError(`meaning "${row.meaning}" is the id of no area.`);
  return [row];
}

/** The roles whose meaning is a kind. */
const OF_KINDS = new Set(["kind", "product", "head"]);

const toLine = ({ role, meaning, language, words }: VocabularyRow): string =>
  `${role},${meaning},${language},${words.join("; ")}`;

function list(
  rows: readonly VocabularyRow[],
  { json }: WordsCommandOptions,
  { stdout, stderr }: CommandContext,
): number {
  if (json) stdout.write(`${JSON.stringify({ words: rows })}\n`);
  else if (rows.length === 0) stderr.write("No words were added.\n");
  else stdout.write(`role,meaning,language,words\n${rows.map(toLine).join("\n")}\n`);
  if (!json && rows.length > 0) stderr.write(`${formatCount(rows.length, "row")}.\n`);
  return EXIT.done;
}
