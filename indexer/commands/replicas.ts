import type { Command } from "commander";
import { EXIT, toErrorText } from "../../src/cli/errors.ts";
import { formatCount } from "../../src/cli/format.ts";
import { runOrPrint, type CommandContext, type RunCommand } from "../../src/cli/run-program.ts";
import {
  createReplicas,
  watchReplicas,
  type CaughtUp,
  type Replicas,
  type ReplicaState,
} from "../index/catch-up.ts";
import { withWritingSession } from "../session/engines.ts";
import { buildLeaseOption } from "./source-options.ts";

interface ReplicasCommandOptions {
  readonly watch: boolean;
  readonly json: boolean;
  readonly lease: boolean;
}

const HELP = `
For an index on several engines (TOPOLOGY, or script/server --engines). It brings every replica up to
date that missed changes or lost its data: it compares the replica with another one of the same
partition, copies what differs and deletes what is gone. Then it shows the state of all replicas.
Searches and changes continue meanwhile; an engine serves a partition only while it has all changes.

With --watch, the command does this every second until you stop it, and prints only what it has done. A
server with several engines of its own does this itself. For other engines, keep one such command
running, on any machine.

States: current; behind (missed changes); empty (has nothing yet); away (the engine does not respond);
lost (no replica that responds is complete: start the engine that has one, or import again).

Exit status: 0 all replicas are current; 1 some are not, or it failed; 2 wrong usage or configuration.

Examples:
  $ npm run -s index -- replicas
  $ npm run -s index -- replicas --watch`;

/** Adds the `replicas` command. */
export function addCommand(program: Command, start: RunCommand): void {
  program
    .command("replicas")
    .summary("bring replicas up to date that missed changes, and show the state of all")
    .description("Brings replicas up to date and shows their state.")
    .option("--watch", "repeat this every second until stopped", false)
    .addOption(buildLeaseOption())
    .option("--json", "print the report as one JSON object on standard output", false)
    .addHelpText("after", HELP)
    .action((options: ReplicasCommandOptions) => start((context) => runReplicas(options, context)));
}

/** Brings replicas up to date, once or until the process is stopped. Resolves to the exit code. */
function runReplicas(options: ReplicasCommandOptions, context: CommandContext): Promise<number> {
  const { stdout, say, interruption } = context;
  const { signal } = interruption;
  const session = { command: "replicas", lease: options.lease };
  return runOrPrint(context, options.json, () =>
    withWritingSession(context, session, async ({ index, coordination }) => {
      if (index.engines.length === 1) {
        stdout.write(options.json ? `${JSON.stringify(toReport([], []))}\n` : `${ONE_ENGINE}\n`);
        return EXIT.done;
      }
      const onCaughtUp = (done: CaughtUp): void => say(describeDone(done));
      const replicas = createReplicas({ topology: index, coordination, signal, onCaughtUp });
      if (!options.watch) return catchUpOnce(replicas, options, context);
      await watchReplicas(replicas, {
        signal,
        onFailure: (error) => say(`Not brought up to date, trying again: ${toErrorText(error)}`),
      });
      say(STOPPED);
      return EXIT.done;
    }),
  );
}

const STOPPED = "Stopped. A replica that was being brought up to date stays out of use until the next run.";

const ONE_ENGINE = "One engine has the whole index: there are no replicas.";

async function catchUpOnce(
  replicas: Replicas,
  { json }: ReplicasCommandOptions,
  { stdout }: CommandContext,
): Promise<number> {
  const caughtUp = await replicas.catchUp();
  const states = await replicas.readStates();
  stdout.write(json ? `${JSON.stringify(toReport(states, caughtUp))}\n` : `${formatStates(states)}\n`);
  return states.every(({ state }) => state === "current") ? EXIT.done : EXIT.failed;
}

const toReport = (states: readonly ReplicaState[], caughtUp: readonly CaughtUp[]): object => ({
  replicas: states.map(({ generation, replica, state, writes }) => ({
    index: generation,
    partition: replica.partition,
    engine: replica.engine,
    state,
    writes: writes ?? null,
  })),
  caught_up: caughtUp.map(({ generation, partition, engine, copied, deleted, durationMs }) => ({
    index: generation,
    partition,
    engine,
    copied,
    deleted,
    seconds: toSeconds(durationMs),
  })),
});

const toSeconds = (durationMs: number): number => Math.round(durationMs / 10) / 100;

const describeDone = ({ generation, partition, engine, copied, deleted, durationMs }: CaughtUp): string =>
  `Brought up to date: partition ${partition}${generation === "live" ? "" : " of the previous index"} on ${engine}, ` +
  `${formatCount(copied)} places copied, ${formatCount(deleted)} deleted, ${toSeconds(durationMs)} s.`;

const NO_IMPORT = "There is no index yet: import places first.";

/** One line for each partition of the live and the previous index. */
function formatStates(states: readonly ReplicaState[]): string {
  if (states.length === 0) return NO_IMPORT;
  const byPartition = Map.groupBy(
    states,
    ({ generation, replica }) => `${generation.padEnd("previous".length)}  partition ${replica.partition}`,
  );
  return [...byPartition]
    .map(([partition, replicas]) => {
      const described = replicas.map(({ replica, state }) => `${replica.engine} ${state}`);
      return `${partition}: ${described.join(", ")}`;
    })
    .join("\n");
}
