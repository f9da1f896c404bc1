import type { Command } from "commander";
import { revokeKey } from "../keys/change-key.ts";
import { parseId } from "./arguments.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { changeOne, COMMON_HELP, runWithStore } from "./command.ts";
import { toReport } from "./show.ts";

const HELP = `
Revokes a key and all its secrets permanently; this cannot be undone. Within five seconds all servers return
401 revoked_api_key for it. A leaked key may be given in full.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- revoke 7c1m0q2zt4xa
  $ npm run -s keys -- revoke 7c1m0q2zt4xa --json`;

/** Adds the `revoke` command. */
export function addRevokeCommand(program: Command, start: RunCommand): void {
  program
    .command("revoke")
    .summary("revoke a key permanently")
    .description("Revokes a key permanently.")
    .argument("<id>", "the part between the two underscores of the key, or the whole key", parseId)
    .option("--json", "print the key's record as one JSON object", false)
    .addHelpText("after", HELP)
    .action((id: string, { json }: { json: boolean }) => start((context) => revoke(id, json, context)));
}

function revoke(id: string, json: boolean, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = new Date();
    const { record, isNew } = await changeOne(store, id, (before) => {
      const revoked = revokeKey(before, now);
      return { record: revoked, isNew: revoked !== before };
    });
    const told = isNew
      ? "is revoked; this takes effect in all servers within five seconds"
      : "was already revoked";
    context.stderr.write(`The key ${id} for "${record.name}" ${told}.\n`);
    const usedAt = (await store.readUses([id])).get(id);
    if (json) context.stdout.write(`${JSON.stringify(toReport({ record, usedAt }, now))}\n`);
  });
}
