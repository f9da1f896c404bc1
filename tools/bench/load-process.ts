/**
 * A separate process that generates the load, so that its work is not in any other figures. Started by
 * `start-load.ts`.
 */
import { type LoadJob, type LoadReply, runClosedLoop } from "./load.ts";
import { openSender } from "./senders.ts";

const reply = (message: LoadReply): void => void process.send?.(message);

const nextWord = (): Promise<unknown> => new Promise((resolve) => process.once("message", resolve));

/**
 * Runs the warm-up, reports that it is ready, waits for the signal to start and runs the measured load. The
 * connections stay open until the next message, because closing them ends a database's processes and loses
 * their processor times.
 */
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
  const go = nextWord();
  reply({ state: "warm" });
  await go;
  const result = await runClosedLoop(sender, { calls: measured, connections, seconds });
  const bye = nextWord();
  reply({ state: "done", result });
  await bye;
  await sender.close();
  reply({ state: "closed" });
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
