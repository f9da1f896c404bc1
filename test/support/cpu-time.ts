/** The milliseconds of processor time that some work takes: unlike those of the clock, no other program makes them more. */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
