import { type ImportTally, totalRejected } from "../clean/import-tally.ts";
import type { Source } from "../sources/open-sources.ts";
import { formatCount } from "./format.ts";
import type { Input } from "../sources/input.ts";

/** Where progress goes: standard error, whether or not somebody watches it. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface Progress {
  /** A sentence about what happens after the reading. */
  say(text: string): void;
  stop(): void;
}

/** A terminal is repainted often enough to look alive; a log gets a line now and then. */
const TERMINAL_INTERVAL_MS = 250;
const LOG_INTERVAL_MS = 5_000;

const CLEAR_LINE = "\r\u001B[K";

/** Tells every now and then how far the reading has come, until `stop`. */
export function createProgress(
  sources: readonly Source[],
  tally: ImportTally,
  stream: ProgressStream,
): Progress {
  const isTerminal = stream.isTTY === true;
  const startedAt = performance.now();
  const show = (text: string): void => void stream.write(isTerminal ? CLEAR_LINE + text : `${text}\n`);
  const timer = setInterval(
    () => show(formatProgress(sources, tally, performance.now() - startedAt)),
    isTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS,
  );
  const stop = (): void => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
  return {
    say(text) {
      stop();
      stream.write(`${text}\n`);
    },
    stop,
  };
}

/**
 * `12,345 records, 9,876/s, file 3 of 12, 42 %, 1 min 5 s left, 3 rejected`; without share and time when the input's length is
 * unknown, and without the file when there is but one.
 */
export function formatProgress(sources: readonly Source[], tally: ImportTally, elapsedMs: number): string {
  const seconds = elapsedMs / 1000;
  const rate = Math.round(tally.read / Math.max(seconds, 0.001));
  const parts = [`${formatCount(tally.read)} records`, `${formatCount(rate)}/s`];
  if (sources.length > 1) parts.push(`file ${countBegun(sources)} of ${sources.length}`);
  const share = shareRead(sources);
  if (share !== undefined) parts.push(`${Math.floor(share * 100)} %`);
  if (share !== undefined && share > 0) parts.push(`${formatDuration((seconds * (1 - share)) / share)} left`);
  const rejected = totalRejected(tally);
  if (rejected > 0) parts.push(`${formatCount(rejected)} rejected`);
  return parts.join(", ");
}

const countBegun = (sources: readonly Source[]): number =>
  Math.max(1, sources.filter(({ input }) => input.bytesRead() > 0).length);

function shareRead(sources: readonly Source[]): number | undefined {
  const { read, total } = countBytes(sources.map(({ input }) => input));
  return total === undefined || total === 0 ? undefined : Math.min(1, read / total);
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A terminal is repainted often enough to look alive; a log gets a line now and then. */
const TICK_TERMINAL_INTERVAL_MS = 500;
const TICK_LOG_INTERVAL_MS = 10_000;

/** Tells now and then how far it is. The function it returns ends that. */
export function startTicker(stream: ProgressStream, describe: () => string): () => void {
  const isTerminal = stream.isTTY === true;
  const timer = setInterval(
    () => void stream.write(isTerminal ? CLEAR_LINE + describe() : `${describe()}\n`),
    isTerminal ? TICK_TERMINAL_INTERVAL_MS : TICK_LOG_INTERVAL_MS,
  );
  return () => {
    clearInterval(timer);
    if (isTerminal) stream.write(CLEAR_LINE);
  };
}

export type InputBytes = Pick<Input, "totalBytes" | "bytesRead">;

/** How much of the inputs was read; the total is `undefined` when one has no known length. */
export function countBytes(inputs: readonly InputBytes[]): { read: number; total: number | undefined } {
  let read = 0;
  let total: number | undefined = 0;
  for (const input of inputs) {
    read += input.bytesRead();
    if (total !== undefined) total = input.totalBytes === undefined ? undefined : total + input.totalBytes;
  }
  return { read, total };
}
