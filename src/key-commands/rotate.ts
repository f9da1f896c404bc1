import type { Command } from "commander";
import { rotateKey } from "../keys/change-key.ts";
import { parseDuration, parseId } from "./arguments.ts";
import { formatTime } from "../cli/format.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { changeOne, COMMON_HELP, runWithStore } from "./command.ts";
import { toReport } from "./show.ts";

interface RotateOptions {
  readonly grace: number;
  readonly json: boolean;
}

const DEFAULT_GRACE = "7d";

const HELP = `
Prints the key with its new secret on standard output, only this once; servers accept it at once. The
previous secret keeps working for a grace period in which the holder switches over; both count towards
the same limits. A key has at most two secrets: while the previous one works, the key can be rotated
again only with --grace 0, which ends all earlier secrets within five seconds.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- rotate 7c1m0q2zt4xa
  $ npm run -s keys -- rotate 7c1m0q2zt4xa --grace 48h
  $ npm run -s keys -- rotate 7c1m0q2zt4xa --grace 0`;

/** Adds the `rotate` command. */
export function addRotateCommand(program: Command, start: RunCommand): void {
  program
    .command("rotate")
    .summary("give a key a new secret and let the previous one expire")
    .description("Gives a key a new secret; the previous one works for a grace period.")
    .argument("<id>", "the part between the two underscores of the key", parseId)
    .option(
      "--grace <time>",
      `how long the previous secret keeps working: 30m, 12h, 7d, 0 (default: ${DEFAULT_GRACE})`,
      parseDuration,
    )
    .option("--json", "print the key and its record as one JSON object", false)
    .addHelpText("after", HELP)
    .action((id: string, { grace = parseDuration(DEFAULT_GRACE), json }: Partial<RotateOptions>) =>
      start((context) => rotate(id, { grace, json: json ?? false }, context)),
    );
}

function rotate(id: string, { grace, json }: RotateOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = new Date();
    const { record, key } = await changeOne(store, id, (before) => rotateKey(before, grace, now));
    const end = record.secrets[1]?.ends_at;
    const before = grace === 0 || end === undefined ? "has ended" : `works until ${formatTime(end)}`;
    context.stderr.write(
      `The key ${id} for "${record.name}" has a new secret; the previous one ${before}.\n` +
        "It is shown only this once; Redis stores a hash of it.\n",
    );
    const report = { key, ...toReport({ record, usedAt: undefined }, now) };
    context.stdout.write(`${json ? JSON.stringify(report) : key}\n`);
  });
}
