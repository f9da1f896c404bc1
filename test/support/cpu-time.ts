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
 * The most processor time, in milliseconds, that some work took without giving way to other events such as signals and timers.
 */
export async function measureLongestTurnMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  const endTurn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work();
  isDone = true;
  endTurn();
  return longest;
}
