/** Loaded into each server before its own program (`--import`): tells its parent once a second how much memory it has. */
import type { MemoryReport } from "./memory-report.ts";

const EVERY_MS = 1_000;

function tell(): void {
  const { rss, heapUsed } = process.memoryUsage();
  const report: MemoryReport = { rssBytes: rss, heapBytes: heapUsed };
  process.send?.(report, undefined, {}, () => {});
}

// Neither may keep a server alive that wants to end.
setInterval(tell, EVERY_MS).unref();
process.channel?.unref();

// A soak that was killed leaves no server behind.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
