import type { Command } from "commander";
import { SCOPES, type Scope, LIMIT_BOUNDS } from "../keys/key-record.ts";
import { limitKey, type KeyRestrictions } from "../keys/change-key.ts";
import { parseAddresses, parseEnd, parseId, parseOr, parseOrigins } from "./arguments.ts";
import { namesOf, wholeNumber } from "../cli/options.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { changeOne, COMMON_HELP, runWithStore } from "./command.ts";
import { formatKey, toReport } from "./show.ts";

interface LimitOptions {
  readonly perMinute?: number | "default";
  readonly perDay?: number | "default";
  readonly weight?: number | "default";
  readonly expires?: Date | "never";
  readonly scopes?: Scope[];
  readonly origins?: string[] | "any";
  readonly addresses?: string[] | "any";
  readonly json: boolean;
}

const HELP = `
What you do not set stays as it is. "default" gives the key the limit of the server, "never" removes
the expiry, and "any" removes a restriction to origins or addresses. A change takes effect in all
servers within five seconds, and earlier requests count for the new limits. An expired key works again
if it gets a later expiry.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- limit 7c1m0q2zt4xa --per-minute 1200 --per-day 0
  $ npm run -s keys -- limit 7c1m0q2zt4xa --per-minute default --expires 2027-06-30
  $ npm run -s keys -- limit 7c1m0q2zt4xa --weight 4
  $ npm run -s keys -- limit 7c1m0q2zt4xa --scopes search`;

/** Adds the `limit` command. */
export function addLimitCommand(program: Command, start: RunCommand): void {
  program
    .command("limit")
    .summary("change the limits, expiry and scopes of a key, and where it may be used")
    .description("Changes the limits, expiry and scopes of a key, and where it may be used.")
    .argument("<id>", "the part between the two underscores of the key", parseId)
    .option(
      "--per-minute <number>",
      "requests per minute, or default",
      parseOr("default", wholeNumber(...LIMIT_BOUNDS.perMinute)),
    )
    .option(
      "--per-day <number>",
      "requests per day, 0 for no limit, or default",
      parseOr("default", wholeNumber(...LIMIT_BOUNDS.perDay)),
    )
    .option(
      "--weight <number>",
      "its share of the server compared with other keys, 1 by default, or default",
      parseOr("default", wholeNumber(...LIMIT_BOUNDS.weight)),
    )
    .option(
      "--expires <when>",
      "30m, 12h, 90d, a last day (UTC), a time, or never",
      parseOr("never", (text) => parseEnd(text, new Date())),
    )
    .option("--scopes <list>", `what the key may be used for: ${SCOPES.join(", ")}`, namesOf(SCOPES))
    .option(
      "--origins <list>",
      "only pages of these origins may use it, or any",
      parseOr("any", parseOrigins),
    )
    .option(
      "--addresses <list>",
      "only from these addresses or networks, or any",
      parseOr("any", parseAddresses),
    )
    .option("--json", "print the key's record as one JSON object", false)
    .addHelpText("after", HELP)
    .action(async (id: string, options: LimitOptions, command: Command) => {
      const restrictions = toRestrictions(options);
      if (Object.keys(restrictions).length === 0) command.error("error: give at least one option to change");
      await start((context) => limit(id, restrictions, { json: options.json, context }));
    });
}

/** Turns "default", "never" and "any" into null, and leaves out options that were not given. */
function toRestrictions(options: LimitOptions): KeyRestrictions {
  const { perMinute, perDay, weight, expires, scopes, origins, addresses } = options;
  return {
    ...(perMinute !== undefined && { perMinute: perMinute === "default" ? null : perMinute }),
    ...(perDay !== undefined && { perDay: perDay === "default" ? null : perDay }),
    ...(weight !== undefined && { weight: weight === "default" ? null : weight }),
    ...(expires !== undefined && { expiresAt: expires === "never" ? null : expires }),
    ...(scopes && { scopes }),
    ...(origins && { origins: origins === "any" ? null : origins }),
    ...(addresses && { addresses: addresses === "any" ? null : addresses }),
  };
}

function limit(
  id: string,
  change: KeyRestrictions,
  { json, context }: { json: boolean; context: CommandContext },
): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = new Date();
    const { record } = await changeOne(store, id, (before) => ({ record: limitKey(before, change, now) }));
    const key = { record, usedAt: (await store.readUses([id])).get(id) };
    context.stderr.write("Changed; it takes effect in all servers within five seconds.\n");
    context.stdout.write(`${json ? JSON.stringify(toReport(key, now)) : formatKey(key, now)}\n`);
  });
}
