import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoopResult } from "./closed-loop.ts";
import type { LoadJob, LoadReply } from "./load-job.ts";

export interface LoadGenerator {
  readonly pid: number;
  /** `onStart` is called after the warm-up, right before what is measured; `onEnd` right after it. */
  run(job: LoadJob, hooks: LoadHooks): Promise<LoopResult>;
  stop(): void;
}

interface LoadHooks {
  readonly onStart: () => void;
  readonly onEnd: () => void;
}

/** Starts the process that makes the load. Jobs run one after the other. */
export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL("./load-process.ts", import.meta.url)), {
    serialization: "advanced",
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The load process has ended.")));
  // Who waits for a reply hears of it; without one it is the end of the bench.
  ended.catch(() => {});
  const nextReply = async (): Promise<LoadReply> => {
    const [reply] = (await Promise.race([once(child, "message"), ended])) as [LoadReply];
    if (reply.state === "failed") throw new Error(`The load could not be made: ${reply.error}`);
    return reply;
  };
  return {
    pid: child.pid ?? 0,
    async run(job, { onStart, onEnd }) {
      child.send(job);
      await nextReply();
      onStart();
      child.send("go");
      const reply = await nextReply();
      onEnd();
      child.send("bye");
      await nextReply();
      if (reply.state !== "done") throw new Error("The load process lost its place.");
      return reply.result;
    },
    stop: () => void child.kill(),
  };
}
