import type { Call, Target } from "./target.ts";
import { openClientSender } from "./client-sender.ts";
import { openHttpSender } from "./http-sender.ts";
import { openSqlSender } from "./sql-sender.ts";

/** Makes calls over a fixed number of connections. */
export interface Sender<C extends Call = Call> {
  /** Resolves when the answer has been read to its end, with whether it holds no place. Rejects when it is an error. */
  send(call: C): Promise<{ readonly isEmpty: boolean }>;
  close(): Promise<void>;
}

/** A sender of the client the target is meant for. Calls must be of the same sort as the target. */
export function openSender(target: Target, connections: number): Sender {
  switch (target.via) {
    case "http":
      return openHttpSender(target, connections) as Sender;
    case "client":
      return openClientSender(target) as Sender;
    case "sql":
      return openSqlSender(target, connections) as Sender;
  }
}
