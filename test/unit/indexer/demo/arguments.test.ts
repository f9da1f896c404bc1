import { describe, expect, test } from "vitest";
import { HELP, parseArguments, UsageError } from "../../../../indexer/demo/arguments.ts";

describe("the command line", () => {
  test.each([
    [["--places", "0"], "--places takes a whole number from 1"],
    [["--places", "-5"], "--places"],
    [["--places", "many"], '"many"'],
    [["--places", "1e3"], '"1e3"'],
    [["--places", "2.5"], '"2.5"'],
    [["--places", "4294967296"], "4294967295"],
    [["--places", ""], '""'],
    [["--places"], "--places"],
    [["--seed", "x"], "--seed takes a whole number from 0"],
    [["--lean=yes"], "--lean"],
    [["--nope"], "--nope"],
    [["5000"], "5000"],
  ])("%j is refused by name", (args, message) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });

  test.each([
    [[], { places: 5000, seed: 1, lean: false }],
    [["--places", "7", "--seed", "0", "--lean"], { places: 7, seed: 0, lean: true }],
    [["--places=10000000", "--seed=4294967295"], { places: 10_000_000, seed: 4_294_967_295, lean: false }],
    [["--help", "--places", "0"], "help"],
    [["-h"], "help"],
  ])("%j is accepted", (args, options) => {
    expect(parseArguments(args)).toEqual(options);
  });

  test("help names every option", () => {
    for (const option of ["--places", "--seed", "--lean", "--help"]) expect(HELP).toContain(option);
  });
});
