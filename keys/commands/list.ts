import type { Command } from "commander";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "../command.ts";
import { formatKeys, stateOf, toReport } from "../format-key.ts";

interface ListOptions {
  readonly active: boolean;
  readonly json: boolean;
}

const HELP = `
The oldest comes first. When a key was last used is known to a minute or two. Keys of API_KEYS are
not among them: those are known to the configuration only.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- list
  $ npm run -s keys -- list --json | jq -r '.[] | select(.last_used_at == null) | .id'`;

/** Adds the `list` command. */
export function addListCommand(program: Command, start: Start): void {
  program
    .command("list")
    .summary("list the keys, without their secrets")
    .description("Lists all keys.")
    .option("--active", "without those that are expired or revoked", false)
    .option("--json", "print them as one JSON array", false)
    .addHelpText("after", HELP)
    .action((options: ListOptions) => start((context) => list(options, context)));
}

function list({ active, json }: ListOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = context.now();
    const records = (await store.list()).filter((record) => !active || stateOf(record, now) === "active");
    const uses = await store.readUses(records.map(({ id }) => id));
    const keys = records.map((record) => ({ record, usedAt: uses.get(record.id) }));
    if (json) context.stdout.write(`${JSON.stringify(keys.map((key) => toReport(key, now)))}\n`);
    else if (keys.length > 0) context.stdout.write(`${formatKeys(keys, now)}\n`);
    else context.stderr.write('There are no keys. "create" makes one.\n');
  });
}
