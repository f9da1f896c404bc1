import type { Command } from "commander";
import { createKey } from "../change-key.ts";
import { SCOPES, type Scope, LIMIT_BOUNDS } from "../key-record.ts";
import { parseEnd, parseLimit, parseName, parseScopes } from "./arguments.ts";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "./command.ts";
import { formatLimits, formatTime, toReport } from "./show.ts";

interface CreateOptions {
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires?: Date;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly json: boolean;
}

const HELP = `
Prints the key on standard output, this once: only a hash of it is kept. Servers accept it at once.
What is not limited here has the limits of the server, also when those change.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- create --name "Acme app"
  $ npm run -s keys -- create --name trial --scopes search,place --expires 90d --per-minute 60
  $ npm run -s keys -- create --name "night job" --per-day 0 > night-job.key`;

/** Adds the `create` command. */
export function addCreateCommand(program: Command, start: Start): void {
  program
    .command("create")
    .summary("make a key and print it, this once")
    .description("Makes a key.")
    .requiredOption("--name <name>", "who gets it or what for, for your own lists", parseName)
    .option("--scopes <list>", `what it may be used for, of ${SCOPES.join(", ")}`, parseScopes, [...SCOPES])
    .option("--expires <when>", "30m, 12h, 90d, a last day (UTC) or a time (default: never)", (text) =>
      parseEnd(text, new Date()),
    )
    .option("--per-minute <number>", "requests in any minute (default: the server's)", (text) =>
      parseLimit(text, LIMIT_BOUNDS.perMinute),
    )
    .option("--per-day <number>", "requests in a day; 0: no limit (default: the server's)", (text) =>
      parseLimit(text, LIMIT_BOUNDS.perDay),
    )
    .option("--json", "print the key and all about it as one JSON object", false)
    .addHelpText("after", HELP)
    .action((options: CreateOptions) => start((context) => create(options, context)));
}

function create(options: CreateOptions, context: CommandContext): Promise<number> {
  const { name, scopes, expires, perMinute, perDay, json } = options;
  return runWithStore(context, json, async (store) => {
    const now = context.now();
    const { record, key } = createKey(
      { name, scopes, expiresAt: expires, limits: { perMinute, perDay } },
      now,
    );
    await store.change([record.id], (found) => {
      if (found.size > 0) throw new Error(`the id ${record.id} is taken. Try again.`);
      return [record];
    });
    const end =
      record.expires_at === undefined ? "never expires" : `expires ${formatTime(record.expires_at)}`;
    context.stderr.write(
      `Made the key ${record.id} for "${name}": ${scopes.join(", ")}; limits: ${formatLimits(record.limits)}; ${end}.\n` +
        "It is shown this once; only a hash of it is kept.\n",
    );
    const report = { key, ...toReport({ record, usedAt: undefined }, now) };
    context.stdout.write(`${json ? JSON.stringify(report) : key}\n`);
  });
}
