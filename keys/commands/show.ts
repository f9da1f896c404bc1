import type { Command } from "commander";
import { parseId } from "../arguments.ts";
import { unknownKey } from "../change-one.ts";
import { COMMON_HELP, runWithStore, type CommandContext, type Start } from "../command.ts";
import { formatKey, toReport } from "../format-key.ts";

const HELP = `${COMMON_HELP}

Examples:
  $ npm run -s keys -- show 7c1m0q2zt4xa
  $ npm run -s keys -- show 7c1m0q2zt4xa --json`;

/** Adds the `show` command. */
export function addShowCommand(program: Command, start: Start): void {
  program
    .command("show")
    .summary("tell all about one key, but its secret")
    .description("Tells all about a key. Its secret is known to nobody but who holds it.")
    .argument("<id>", "the part between the two underlines of the key", parseId)
    .option("--json", "print it as one JSON object", false)
    .addHelpText("after", HELP)
    .action((id: string, { json }: { json: boolean }) => start((context) => show(id, json, context)));
}

function show(id: string, json: boolean, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const record = await store.read(id);
    if (!record) throw unknownKey(id);
    const usedAt = (await store.readUses([id])).get(id);
    const now = context.now();
    const key = { record, usedAt };
    context.stdout.write(`${json ? JSON.stringify(toReport(key, now)) : formatKey(key, now)}\n`);
  });
}
