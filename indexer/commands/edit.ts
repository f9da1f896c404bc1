import type { Command } from "commander";
import { createPatch, findNamedPlace } from "../changes/read-changes.ts";
import type { Change } from "../changes/change-queue.ts";
import { createNotes, toShortText } from "../clean/import-tally.ts";
import type { NoteField } from "../clean/place-draft.ts";
import { CommandError } from "../../src/cli/errors.ts";
import type { CommandContext, RunCommand } from "../../src/cli/run-program.ts";
import { readHeader } from "../sources/table/columns.ts";
import { toRowPatch } from "../sources/table/row-draft.ts";
import { buildLeaseOption, buildQuietOption } from "./source-options.ts";
import { runChanges } from "./run-changes.ts";

interface EditCommandOptions {
  readonly source?: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly lease: boolean;
}

const HELP = `
Changes some fields of one place of the live index; all others stay. The id is a data id, or the id
that the place has in its source (with --source where sources have names).

Fields have the names of table columns (docs/data-format.md#tables), in English or Vietnamese, and
their values are read like cells: kinds by words, hours as people write them. An empty value removes
what the place has. A value that cannot be read changes nothing.

A place that is in the next import or sync has its fields from there again: change the file too.

Exit status: 0 changed; 1 failed, or a value cannot be read; 2 wrong usage or configuration; 3 the
place is not in the index.

Examples:
  $ npm run -s index -- edit 0x31752f38f9d2c1e7:0x8c1f5a0b7e2d9436 phone="024 3825 1004"
  $ npm run -s index -- edit shops/1204 --source city-survey type="quán cà phê" "giờ mở cửa=7h-22h, nghỉ thứ 2"
  $ npm run -s index -- edit shops/1204 --source city-survey website=`;

/** Adds the `edit` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("edit")
    .summary("change some fields of a place of the live index")
    .description("Changes fields of one place of the live index.")
    .argument("<id>", "data id of the place, or its id in its source")
    .argument("<field=value...>", "fields to change; an empty value removes one")
    .option("--source <name>", "the source that gave the id")
    .addOption(buildLeaseOption())
    .addOption(buildQuietOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((id: string, fields: readonly string[], options: EditCommandOptions) =>
      start((context) => runEdit(id, fields, options, context)),
    );
}

/** Edits a place and reports on it. Resolves to the exit code. */
function runEdit(
  id: string,
  fields: readonly string[],
  { source, json, quiet, lease }: EditCommandOptions,
  context: CommandContext,
): Promise<number> {
  const today = Temporal.Now.plainDateISO("UTC");
  return runChanges(
    {
      command: "edit",
      lease,
      json,
      quiet,
      async *read({ tally }): AsyncGenerator<Change> {
        tally.read += 1;
        const named = findNamedPlace(id, source);
        const patch = parseFields(fields, today);
        const context = { today, note: createNotes(tally) };
        const position = { file: "the command line", part: "element", number: 1 } as const;
        yield { ...named, bytes: 0, patch: createPatch(patch, position, context, tally) };
      },
      isComplete: ({ rejected, unknown }) => {
        const [reason] = rejected.reasons;
        if (reason) throw new CommandError(`${reason.field}: ${reason.reason}. Nothing was changed.`);
        return unknown.total === 0;
      },
    },
    context,
  );
}

const refuse: NoteField = (field, kind, value) => {
  throw new CommandError(`${field}: ${kind}${value === undefined ? "" : ` (${toShortText(value)})`}.`);
};

/** @throws {CommandError} for a field that is unknown, named twice, or whose value cannot be read. */
function parseFields(fields: readonly string[], today: Temporal.PlainDate): object & Record<string, unknown> {
  const pairs = fields.map((field) => {
    const at = field.indexOf("=");
    if (at < 1) throw new CommandError(`"${field}" is not of the form field=value.`);
    return [field.slice(0, at).trim(), field.slice(at + 1).trim()] as const;
  });
  const header = readHeader(pairs.map(([name]) => name));
  const [unread] = header.unread;
  if (unread) {
    const advice = unread.advice.startsWith("means")
      ? unread.advice
      : "docs/data-format.md#tables lists the fields";
    throw new CommandError(`"${unread.header}" is no field that can be changed: ${advice}.`);
  }
  return toRowPatch(Object.fromEntries(pairs), header, { today, note: refuse });
}
