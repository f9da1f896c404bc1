export type EngineName = "meilisearch" | "redis";

/** What the caller may want to log. No member ever holds a key or a password. */
export type EngineEvent =
  | {
      readonly name: "engine_started";
      readonly engine: EngineName;
      readonly pid: number;
      readonly port: number;
    }
  | { readonly name: "engine_died"; readonly engine: EngineName; readonly reason: string }
  | { readonly name: "engine_restarted"; readonly engine: EngineName; readonly pid: number }
  | { readonly name: "engine_restart_failed"; readonly engine: EngineName; readonly reason: string }
  | { readonly name: "orphan_ended"; readonly engine: EngineName; readonly pid: number }
  | { readonly name: "redis_unavailable"; readonly reason: string }
  | { readonly name: "runtime_file_failed"; readonly reason: string };

export type OnEngineEvent = (event: EngineEvent) => void;
