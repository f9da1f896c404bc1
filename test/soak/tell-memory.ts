/** Loaded into each server before its own program (`--import`): tells its parent once a second how much memory it has. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MemoryReport } from "./memory-watch.ts";

const EVERY_MS = 1_000;

/**
 * Between collections a heap says little: V8 lets garbage lie as long as there is room. What is left after one is what the server keeps. It
 * takes some 30 ms, which no p99 shows.
 */
const COLLECT_EVERY = 15;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let told = 0;

function tell(): void {
  told += 1;
  const isCollected = told % COLLECT_EVERY === 0;
  if (isCollected) collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  const report: MemoryReport = { rssBytes: rss, ...(isCollected && { keptBytes: heapUsed }) };
  process.send?.(report, undefined, {}, () => {});
}

// Neither may keep a server alive that wants to end.
setInterval(tell, EVERY_MS).unref();
process.channel?.unref();

// A soak that was killed leaves no server behind.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
