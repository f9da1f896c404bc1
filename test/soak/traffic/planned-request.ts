import type { Span } from "../faults/fault-log.ts";
import type { Request } from "./ask.ts";

/** Whose key goes with a request. */
type KeyChoice = "good" | "unknown" | "none";

/** A request, and what may be answered to it when nothing is broken. */
export interface PlannedRequest {
  readonly name: string;
  readonly request: Request;
  readonly key: KeyChoice;
  /** Statuses, those of problems with their code: `200`, `422 invalid_parameter`. */
  readonly right: readonly string[];
  /** Whether the engine is asked for it, so that it fails with the engine. */
  readonly needsEngine: boolean;
  /** Says what is wrong about the body of a 200, if anything. */
  readonly check?: (body: unknown, span: Span) => string | undefined;
}
