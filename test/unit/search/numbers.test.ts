import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as numbers from "../../../src/search/numbers.ts";

const SOURCE = globSync("src/search/**/*.ts")
  .filter((file) => !file.endsWith("/numbers.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

const { numbersSchema: _, ...groups } = numbers;

test.each(Object.entries(groups))("every number of %s is used", (group, values) => {
  const isUsed = (key: string): boolean =>
    new RegExp(String.raw`\b${group}\.${key}\b|\b${key}\b[^;]*\} = ${group};`).test(SOURCE);
  expect(Object.keys(values).filter((key) => !isUsed(key))).toEqual([]);
});
