/**
 * The processor time of some work, in milliseconds. Unlike wall-clock time, it does not grow with the load of
 * other programs.
 */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The processor time, in milliseconds, that some work took, and the most of it without giving way to other events such as signals and
 * timers.
 */
export async function measureTurns(
  work: () => Promise<void>,
): Promise<{ readonly longestMs: number; readonly totalMs: number }> {
  let [longestMs, totalMs] = [0, 0];
  let isDone = false;
  let before = process.threadCpuUsage();
  const endTurn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    const turnMs = (user + system) / 1_000;
    longestMs = Math.max(longestMs, turnMs);
    totalMs += turnMs;
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work();
  isDone = true;
  endTurn();
  return { longestMs, totalMs };
}
