import type { Command } from "commander";
import { SCOPES, type Scope, LIMIT_BOUNDS } from "../key-record.ts";
import { limitKey, type KeyRestrictions } from "../change-key.ts";
import { parseEnd, parseId, parseLimit, parseOr, parseScopes } from "./arguments.ts";
import { changeOne, COMMON_HELP, runWithStore, type CommandContext, type Start } from "./command.ts";
import { formatKey, toReport } from "./show.ts";

interface LimitOptions {
  readonly perMinute?: number | "default";
  readonly perDay?: number | "default";
  readonly expires?: Date | "never";
  readonly scopes?: Scope[];
  readonly json: boolean;
}

const HELP = `
What is not given stays as it is. "default" gives a key the limit of the server again, "never" takes
its end away. A change holds in all servers within five seconds; requests that were made already
count. A key that has expired works again when it gets a later end.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- limit 7c1m0q2zt4xa --per-minute 1200 --per-day 0
  $ npm run -s keys -- limit 7c1m0q2zt4xa --per-minute default --expires 2027-06-30
  $ npm run -s keys -- limit 7c1m0q2zt4xa --scopes search`;

/** Adds the `limit` command. */
export function addLimitCommand(program: Command, start: Start): void {
  program
    .command("limit")
    .summary("change how often, until when and for what a key may be used")
    .description("Changes the limits of a key.")
    .argument("<id>", "the part between the two underlines of the key", parseId)
    .option(
      "--per-minute <number>",
      "requests in any minute, or default",
      parseOr("default", (text) => parseLimit(text, LIMIT_BOUNDS.perMinute)),
    )
    .option(
      "--per-day <number>",
      "requests in a day, 0 for no limit, or default",
      parseOr("default", (text) => parseLimit(text, LIMIT_BOUNDS.perDay)),
    )
    .option(
      "--expires <when>",
      "30m, 12h, 90d, a last day (UTC), a time, or never",
      parseOr("never", (text) => parseEnd(text, new Date())),
    )
    .option("--scopes <list>", `what it may be used for, of ${SCOPES.join(", ")}`, parseScopes)
    .option("--json", "print what is known of the key as one JSON object", false)
    .addHelpText("after", HELP)
    .action(async (id: string, options: LimitOptions, command: Command) => {
      const restrictions = toRestrictions(options);
      if (Object.keys(restrictions).length === 0) command.error("error: say what is to be changed");
      await start((context) => limit(id, restrictions, { json: options.json, context }));
    });
}

/** Words that take something back are null there, and what was not given is not there. */
function toRestrictions({ perMinute, perDay, expires, scopes }: LimitOptions): KeyRestrictions {
  return {
    ...(perMinute !== undefined && { perMinute: perMinute === "default" ? null : perMinute }),
    ...(perDay !== undefined && { perDay: perDay === "default" ? null : perDay }),
    ...(expires !== undefined && { expiresAt: expires === "never" ? null : expires }),
    ...(scopes && { scopes }),
  };
}

function limit(
  id: string,
  change: KeyRestrictions,
  { json, context }: { json: boolean; context: CommandContext },
): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = context.now();
    const { record } = await changeOne(store, id, (before) => ({ record: limitKey(before, change, now) }));
    const key = { record, usedAt: (await store.readUses([id])).get(id) };
    context.stderr.write("Changed; it holds in all servers within five seconds.\n");
    context.stdout.write(`${json ? JSON.stringify(toReport(key, now)) : formatKey(key, now)}\n`);
  });
}
