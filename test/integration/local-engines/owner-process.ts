import { acquireEngines } from "../../../src/local-engines/acquire-engines.ts";
import type { Role } from "../../../src/local-engines/data-dir.ts";

// A separate process that owns a data directory until it is killed, or until a line on its input says how to end.
const [dataDir = "", role = "server"] = process.argv.slice(2);

await acquireEngines({ dataDir, role: role as Role, needs: { redis: true }, onEvent: () => {} });
process.stdout.write("ready\n");
process.stdin.once("data", () => process.exit(1));
