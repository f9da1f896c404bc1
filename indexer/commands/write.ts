import type { Command } from "commander";
import { EXIT, toErrorText } from "../../src/cli/errors.ts";
import { ConfigError } from "../../src/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import { LocalEnginesError } from "../../src/local-engines/engine-process.ts";
import { DEFAULT_INDEX_PREFIX } from "../../src/partitions/topology.ts";
import { createWriteQueue } from "../../src/redis/write-queue.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { withLiveWriter } from "../changes/apply-changes.ts";
import { applyWrites } from "../changes/apply-writes.ts";
import { readTeamVocabulary } from "../clean/team-vocabulary.ts";
import { withRedis, withWritingSession } from "../session/engines.ts";
import { buildAreasOption } from "./source-options.ts";

interface WriteCommandOptions {
  readonly areas?: readonly string[];
}

const HELP = `
A server with WRITE_API=on puts what callers send to its write API into a queue in Redis, and this
command writes it to the live index, in order, until you stop it. script/server runs it by itself.
Elsewhere keep one running, with the engine's master key, which the servers do not have.
A second one waits for its turn, so there may be one on each machine.

It may be killed at any moment, as may Redis and the engine: a write leaves the queue only when
searches see it, and the next run continues where this one ended. Redis must keep an append-only file.

Exit status: 0 stopped by Ctrl-C or SIGTERM; 1 failed; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- write
  $ npm run -s index -- write --areas districts.geojson`;

/** Adds the `write` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("write")
    .summary("apply what callers send to the write API, until stopped")
    .description("Applies the writes that servers have accepted, in their order, until stopped.")
    .addOption(buildAreasOption())
    .addHelpText("after", HELP)
    .action((options: WriteCommandOptions) => start((context) => runWrite(options, context)));
}

const NO_REDIS =
  "There is no Redis, in which servers leave the writes: install redis-server, or set REDIS_URL.";

/** An index may be imported meanwhile, or an engine may be starting. */
const RETRY_MS = 1_000;

/** Applies writes until the process is stopped, and waits for whatever it needs. Resolves to the exit code. */
function runWrite({ areas }: WriteCommandOptions, context: CommandContext): Promise<number> {
  const { signal } = context.interruption;
  const say = createSay(context.say);
  const findTeamAreas = readTeamVocabulary({ areas })?.findTeamAreas;
  const onApplied = ({ writes, records }: { writes: number; records: number }): void =>
    say(`Applied ${formatCount(writes, "write")} with ${formatCount(records, "record")}.`);
  const onFailure = (reason: string): void => say(`Not applied, trying again: ${reason}`);
  /** An engine or Redis that starts later than the worker, or restarts, must not end it: nobody may be there to start it again. */
  const untilStopped = async (run: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await run();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ConfigError || error instanceof LocalEnginesError) throw error;
        say(`Waiting: ${toErrorText(error)}`);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  return runOrPrint(context, false, async () => {
    await untilStopped(() =>
      withWritingSession(
        { ...context, say },
        { command: "write", lease: true },
        async ({ index, coordination, redisUrl }) => {
          if (redisUrl === undefined) throw new ConfigError(NO_REDIS);
          await withRedis(redisUrl, async (redis) => {
            const queue = createWriteQueue(redis, DEFAULT_INDEX_PREFIX);
            await untilStopped(() =>
              withLiveWriter({ index, coordination }, (writer) =>
                applyWrites({ writer, queue, findTeamAreas, signal, onApplied, onFailure }),
              ),
            );
          });
        },
      ),
    );
    say("Stopped.");
    return EXIT.done;
  });
}

/** Says what is new: a reason that lasts is said once. */
function createSay(write: (text: string) => void): (text: string) => void {
  let last = "";
  return (text) => {
    if (text !== last) write(text);
    last = text;
  };
}
