import type { Command } from "commander";
import { createKey } from "../keys/change-key.ts";
import { PLACE_SCOPES, SCOPES, type Scope, LIMIT_BOUNDS } from "../keys/key-record.ts";
import { parseAddresses, parseEnd, parseName, parseOrigins } from "./arguments.ts";
import { namesOf, wholeNumber } from "../cli/options.ts";
import { CommandError } from "../cli/errors.ts";
import { formatTime } from "../cli/format.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { COMMON_HELP, runWithStore } from "./command.ts";
import { formatLimits, formatUse, toReport } from "./show.ts";

interface CreateOptions {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires?: Date;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly origins?: string[];
  readonly addresses?: string[];
  readonly json: boolean;
}

const HELP = `
Prints the key on standard output, only this once: Redis stores a hash. Servers accept the key at once.
Limits that are not set here follow those of the server.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- create --name "Acme app"
  $ npm run -s keys -- create --name trial --scopes search,place --expires 90d --per-minute 60
  $ npm run -s keys -- create --name "web page" --origins https://app.example --scopes autocomplete
  $ npm run -s keys -- create --name "status page" --scopes admin
  $ npm run -s keys -- create --name "night job" --addresses 192.0.2.0/24 --per-day 0 > night-job.key`;

/** Adds the `create` command. */
export function addCreateCommand(program: Command, start: RunCommand): void {
  program
    .command("create")
    .summary("create a key and print it, only this once")
    .description("Creates a key.")
    .requiredOption("--name <name>", "who or what the key is for, shown in lists", parseName)
    .option("--scopes <list>", `what the key may be used for: ${SCOPES.join(", ")}`, namesOf(SCOPES), [
      ...PLACE_SCOPES,
    ])
    .option("--expires <when>", "30m, 12h, 90d, a last day (UTC) or a time (default: never)", (text) =>
      parseEnd(text, new Date()),
    )
    .option(
      "--per-minute <number>",
      "requests per minute (default: the server's limit)",
      wholeNumber(...LIMIT_BOUNDS.perMinute),
    )
    .option(
      "--per-day <number>",
      "requests per day, 0 for no limit (default: the server's limit)",
      wholeNumber(...LIMIT_BOUNDS.perDay),
    )
    .option("--origins <list>", "only pages of these origins may use it (default: all)", parseOrigins)
    .option("--addresses <list>", "only from these addresses or networks (default: all)", parseAddresses)
    .option("--json", "print the key and its record as one JSON object", false)
    .addHelpText("after", HELP)
    .action((options: CreateOptions) => start((context) => create(options, context)));
}

function create(options: CreateOptions, context: CommandContext): Promise<number> {
  const { name, scopes, expires, perMinute, perDay, origins, addresses, json } = options;
  return runWithStore(context, json, async (store) => {
    const now = new Date();
    const { record, key } = createKey(
      { name, scopes, expiresAt: expires, limits: { perMinute, perDay }, origins, addresses },
      now,
    );
    await store.change([record.id], (found) => {
      if (found.size > 0) throw new CommandError(`The id ${record.id} is taken. Try again.`);
      return [record];
    });
    const end =
      record.expires_at === undefined ? "never expires" : `expires ${formatTime(record.expires_at)}`;
    context.stderr.write(
      `Created the key ${record.id} for "${name}": ${scopes.join(", ")}; limits: ${formatLimits(record.limits)}; ${formatUse(record)}; ${end}.\n` +
        "It is shown only this once; Redis stores a hash of it.\n",
    );
    const report = { key, ...toReport({ record, usedAt: undefined }, now) };
    context.stdout.write(`${json ? JSON.stringify(report) : key}\n`);
  });
}
