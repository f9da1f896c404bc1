/** A process of its own that makes the load, so that its work is in nobody else's figures. Started by `start-load.ts`. */
import { type LoadJob, type LoadReply, runClosedLoop } from "./load.ts";
import { openSender } from "./senders.ts";

const reply = (message: LoadReply): void => void process.send?.(message);

const nextWord = (): Promise<unknown> => new Promise((resolve) => process.once("message", resolve));

/**
 * Asks the warm-up, says that it is ready, waits for the word and runs what is measured. The connections stay open until the
 * next word: a database's processes, and the time they took, would go with them.
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
