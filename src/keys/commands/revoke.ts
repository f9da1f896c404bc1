import type { Command } from "commander";
import { revokeKey } from "../change-key.ts";
import { parseId } from "./arguments.ts";
import { changeOne, COMMON_HELP, runWithStore, type CommandContext, type Start } from "./command.ts";
import { toReport } from "./show.ts";

const HELP = `
Ends a key with all its secrets for good; there is no way back but a new key. It holds in all servers
within five seconds: their answer is then 401 revoked_api_key. A key that was found somewhere may be
given as a whole.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- revoke 7c1m0q2zt4xa
  $ npm run -s keys -- revoke 7c1m0q2zt4xa --json`;

/** Adds the `revoke` command. */
export function addRevokeCommand(program: Command, start: Start): void {
  program
    .command("revoke")
    .summary("end a key for good")
    .description("Ends a key for good.")
    .argument("<id>", "the part between the two underlines of the key, or all of it", parseId)
    .option("--json", "print what is known of the key as one JSON object", false)
    .addHelpText("after", HELP)
    .action((id: string, { json }: { json: boolean }) => start((context) => revoke(id, json, context)));
}

function revoke(id: string, json: boolean, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = context.now();
    const { record, isNew } = await changeOne(store, id, (before) => {
      const revoked = revokeKey(before, now);
      return { record: revoked, isNew: revoked !== before };
    });
    const told = isNew ? "is revoked; it holds in all servers within five seconds" : "was revoked already";
    context.stderr.write(`The key ${id} for "${record.name}" ${told}.\n`);
    const usedAt = (await store.readUses([id])).get(id);
    if (json) context.stdout.write(`${JSON.stringify(toReport({ record, usedAt }, now))}\n`);
  });
}
