import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../bench/queries/random.ts";
import type { Build, Gazetteers } from "./data/gazetteers.ts";
import type { System } from "./system/system.ts";
import { openLine } from "./traffic/ask.ts";
import type { Caller } from "./traffic/callers.ts";
import { makeQuestions, readIds, toPath, type KnownQuestion, type Question } from "./traffic/corpus.ts";

export interface PrepareOptions {
  readonly system: System;
  readonly gazetteers: Gazetteers;
  /** Two, since one may not ask that much in a minute. */
  readonly askers: readonly Caller[];
  readonly seed: number;
  readonly onProgress: (what: string) => void;
}

/** More than any cache keeps, so that most of the repeated ones ask the engine again. */
const QUESTIONS = 400;

/** How long a server may size its rings by the counts of the index before, and a little. */
const COUNTED_AFTER_MS = 11_500;

/** A server that has just started counts at once. */
const COUNTED_MS = 1_000;

/** Imports both builds, and learns from each what it answers to the same questions. In the end build `a` is searched. */
export async function prepareIndex(options: PrepareOptions): Promise<KnownQuestion[]> {
  const { system, gazetteers, seed, onProgress } = options;
  const random = createRandom(seed);
  const questions = makeQuestions(gazetteers.known, random, QUESTIONS);
  const learn = async (build: Build): Promise<string[][]> => {
    // The first answers make a server count the places.
    await askAll(questions.slice(0, 20), options, random);
    await sleep(COUNTED_MS);
    onProgress(`answers of build ${build}`);
    return askAll(questions, options, random);
  };
  const load = (build: Build): Promise<void> => {
    onProgress(`import of build ${build}`);
    return system.index("import", gazetteers.files[build], "--format", "native");
  };
  await load("b");
  await system.startServers();
  const b = await learn("b");
  await load("a");
  await sleep(COUNTED_AFTER_MS);
  const a = await learn("a");
  return questions.map((question, index) => ({
    ...question,
    expected: { a: a[index] ?? [], b: b[index] ?? [] },
  }));
}

async function askAll(
  questions: readonly Question[],
  options: PrepareOptions,
  random: Random,
): Promise<string[][]> {
  const answers: string[][] = [];
  for (const { origin } of options.system.servers.toReversed()) {
    const line = openLine(origin, 4);
    answers.length = 0;
    try {
      for (const question of questions)
        answers.push(await askOne(question, { ...options, ask: line.ask, random }));
    } finally {
      await line.close();
    }
  }
  return answers;
}

interface AskOptions extends PrepareOptions {
  readonly ask: ReturnType<typeof openLine>["ask"];
  readonly random: Random;
}

/** Nobody else asks yet: a server that does not answer now is not fit to be tested. */
async function askOne(question: Question, { ask, askers, random }: AskOptions): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const path = toPath(question, random, true);
    const headers = { "x-api-key": random.pick(askers).key };
    const reply = await ask({ method: "GET", path, headers });
    if (reply.kind === "answer" && reply.status === 200)
      return readIds(question.operation, JSON.parse(reply.text));
    if (attempt === 5) throw new Error(`No answer in calm: ${path} ${JSON.stringify(reply).slice(0, 500)}`);
    await sleep(500);
  }
}
