import type { EvalCase } from "./cases/case.ts";

/** Puts one case to whatever is measured. Resolves to data ids, best first. */
export type Ask = (asked: EvalCase) => Promise<readonly string[]>;

export interface Asked {
  /** One answer for each case, in their order. */
  readonly answers: readonly (readonly string[])[];
  readonly durationMs: number;
}

interface AskAllOptions {
  readonly connections: number;
  readonly signal: AbortSignal;
}

/** Asks all cases, a few at a time. */
export async function askAll(
  cases: readonly EvalCase[],
  ask: Ask,
  { connections, signal }: AskAllOptions,
): Promise<Asked> {
  const answers = Array.from(cases, (): readonly string[] => []);
  const startedAt = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      signal.throwIfAborted();
      const number = next++;
      answers[number] = await ask(cases[number]!);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { answers, durationMs: performance.now() - startedAt };
}
