import type { Command } from "commander";
import { rotateKey } from "../change-key.ts";
import { parseDuration, parseId } from "./arguments.ts";
import { changeOne, COMMON_HELP, runWithStore, type CommandContext, type Start } from "./command.ts";
import { formatTime, toReport } from "./show.ts";

interface RotateOptions {
  readonly grace: number;
  readonly json: boolean;
}

const DAY_MS = 86_400_000;
const DEFAULT_GRACE_DAYS = 7;

const HELP = `
Prints the key with its new secret on standard output, this once; servers accept it at once. The
secret before it goes on for the time of grace, in which the holder changes over; both count for the
same limits. Two secrets are the most a key can have: while the older lives it cannot be rotated
again, but with --grace 0, which ends all older ones within five seconds.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- rotate 7c1m0q2zt4xa
  $ npm run -s keys -- rotate 7c1m0q2zt4xa --grace 48h
  $ npm run -s keys -- rotate 7c1m0q2zt4xa --grace 0`;

/** Adds the `rotate` command. */
export function addRotateCommand(program: Command, start: Start): void {
  program
    .command("rotate")
    .summary("give a key a second secret, and the first an end")
    .description("Gives a key a new secret; the one before goes on for a while.")
    .argument("<id>", "the part between the two underlines of the key", parseId)
    .option(
      "--grace <time>",
      `how long the secret before goes on: 30m, 12h, 7d, 0 (default: ${DEFAULT_GRACE_DAYS}d)`,
      parseDuration,
    )
    .option("--json", "print the key and all about it as one JSON object", false)
    .addHelpText("after", HELP)
    .action((id: string, { grace = DEFAULT_GRACE_DAYS * DAY_MS, json }: Partial<RotateOptions>) =>
      start((context) => rotate(id, { grace, json: json ?? false }, context)),
    );
}

function rotate(id: string, { grace, json }: RotateOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = context.now();
    const { record, key } = await changeOne(store, id, (before) => rotateKey(before, grace, now));
    const end = record.secrets[1]?.ends_at;
    const before = grace === 0 || end === undefined ? "has ended" : `works until ${formatTime(end)}`;
    context.stderr.write(
      `The key ${id} for "${record.name}" has a new secret; the one before ${before}.\n` +
        "It is shown this once; only a hash of it is kept.\n",
    );
    const report = { key, ...toReport({ record, usedAt: undefined }, now) };
    context.stdout.write(`${json ? JSON.stringify(report) : key}\n`);
  });
}
