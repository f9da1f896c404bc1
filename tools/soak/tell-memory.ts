/**
 * Loaded into each server before its program (`--import`). Reports its memory to its parent once a second.
 */
import cluster from "node:cluster";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MemoryReport } from "./memory-watch.ts";

const EVERY_MS = 1_000;

/**
 * Between collections a heap says little, because V8 leaves garbage while there is room. What remains after a
 * collection is what the server keeps. A collection takes some 30 ms, which does not show in p99.
 */
const COLLECT_EVERY = 15;

let told = 0;
let collectGarbage: () => void;

function tell(): void {
  told += 1;
  const isCollected = told % COLLECT_EVERY === 0;
  if (isCollected) collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  const report: MemoryReport = { rssBytes: rss, ...(isCollected && { keptBytes: heapUsed }) };
  process.send?.(report, undefined, {}, () => {});
}

// The processes of a server with WORKERS talk to their server instead, which needs their channel.
if (cluster.isPrimary) {
  setFlagsFromString("--expose-gc");
  collectGarbage = runInNewContext("gc") as () => void;
  // Neither may keep a server alive that wants to end.
  setInterval(tell, EVERY_MS).unref();
  process.channel?.unref();
  // Ends the server with a soak that was killed.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
}
