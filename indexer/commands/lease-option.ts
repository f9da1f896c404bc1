import { Option } from "commander";

/** `--no-lease`, which every command has that writes. */
export const buildLeaseOption = (): Option =>
  new Option("--no-lease", "write without Redis; only when you know that nobody else does");
