import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";

export interface KeptAsking {
  /** Responses so far. */
  readonly answered: () => number;
  /** Ends the callers. `refused` counts those that could not connect at the end: the server was gone, and they knew. */
  readonly end: () => Promise<{ readonly lost: readonly string[]; readonly refused: number }>;
}

interface KeepAskingOptions {
  readonly connections: number;
  readonly key: string;
  /** Also sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Callers go on when a connection is refused: another server is about to listen there. */
  readonly goOn?: boolean;
  readonly dispatcher?: Dispatcher;
}

/** How long a caller that goes on waits before it tries to connect again. */
const AFTER_REFUSAL_MS = 20;

/**
 * Callers that each send one request after the other on a connection of their own, until it is refused. A request is lost when it was
 * sent and got no response, or a
 * server error other than `overloaded`.
 */
export function keepAsking(
  origin: string,
  paths: readonly string[],
  { connections, key, goOn = false, dispatcher = new Agent({ connections }), ...more }: KeepAskingOptions,
): KeptAsking {
  const lost: string[] = [];
  let [answered, refused, isOver] = [0, 0, false];

  const ask = async (path: string): Promise<"refused" | undefined> => {
    try {
      const headers = { ...more.headers, "x-api-key": key };
      const response = await dispatcher.request({ origin, path, method: "GET", headers });
      const text = await response.body.text();
      answered += 1;
      if (response.statusCode >= 500 && !text.includes('"code":"overloaded"'))
        lost.push(`${path}: ${response.statusCode} ${text.slice(0, 200)}`);
      return undefined;
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      if (code === "ECONNREFUSED") return "refused";
      lost.push(`${path}: ${code} ${message}`);
      return undefined;
    }
  };
  const caller = async (): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      if ((await ask(paths[count % paths.length] ?? "/")) === undefined) continue;
      refused += 1;
      if (!goOn) return;
      await sleep(AFTER_REFUSAL_MS);
    }
  };
  const callers = Array.from({ length: connections }, caller);
  return {
    answered: () => answered,
    async end() {
      isOver = true;
      await Promise.all(callers);
      await dispatcher.destroy();
      return { lost, refused };
    },
  };
}
