import { setTimeout as sleep } from "node:timers/promises";

/** Both engines end within a second on SIGTERM when they are well; Redis may have a log to flush. */
const GRACE_MS = 5_000;

/** A killed process is gone at once unless the kernel holds it in a disk wait; there is no point in waiting longer. */
const KILLED_MS = 2_000;

const POLL_MS = 20;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or is not ours: what counts is whether it still runs.
  }
}

async function hasEndedWithin(timeoutMs: number, isRunning: () => boolean): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isRunning()) {
    if (performance.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Asks a process to end, also one that was stopped (SIGSTOP), and kills it when it does not. Returns whether it is gone. */
export async function endProcess(pid: number, isRunning: () => boolean): Promise<boolean> {
  send(pid, "SIGTERM");
  // A stopped process acts on the first signal only when it goes on.
  send(pid, "SIGCONT");
  if (await hasEndedWithin(GRACE_MS, isRunning)) return true;
  send(pid, "SIGKILL");
  return hasEndedWithin(KILLED_MS, isRunning);
}
