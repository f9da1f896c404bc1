import { Option } from "commander";

/** For somebody who wants the records of several sources as they are. */
export const buildMergeOption = (): Option =>
  new Option("--no-merge", "leave places that several sources have as they are, each on its own");
