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
