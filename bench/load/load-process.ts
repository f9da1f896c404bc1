/** A process of its own that makes the load, so that its work is in nobody else's figures. Started by `start-load.ts`. */
import { runClosedLoop } from "./closed-loop.ts";
import type { LoadJob, LoadReply } from "./load-job.ts";
import { openSender } from "./sender.ts";

const reply = (message: LoadReply): void => void process.send?.(message);

/** Asks the warm-up, says that it is ready, waits for the word and runs what is measured. */
async function run({
  target,
  connections,
  warmUp,
  measured,
  seconds,
  warmUpSeconds,
}: LoadJob): Promise<void> {
  const sender = openSender(target, connections);
  await runClosedLoop(sender, { calls: warmUp, connections, seconds: warmUpSeconds });
  const go = new Promise((resolve) => process.once("message", resolve));
  reply({ state: "warm" });
  await go;
  const result = await runClosedLoop(sender, { calls: measured, connections, seconds });
  reply({ state: "done", result });
  await sender.close();
}

function waitForJob(): void {
  process.once("message", (job) => {
    run(job as LoadJob).then(waitForJob, (error: unknown) => {
      reply({ state: "failed", error: String(error) });
      waitForJob();
    });
  });
}

process.once("disconnect", () => process.exit());
waitForJob();
