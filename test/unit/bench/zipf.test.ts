import { expect, test } from "vitest";
import { createRandom } from "../../bench/queries/random.ts";
import { createZipf } from "../../bench/queries/zipf.ts";

const DRAWS = 100_000;

function countRanks(size: number, exponent: number): number[] {
  const draw = createZipf(size, exponent);
  const random = createRandom(1);
  const counts = Array.from({ length: size }, () => 0);
  for (let index = 0; index < DRAWS; index += 1) counts[draw(random)]! += 1;
  return counts;
}

test("the second rank comes half as often as the first, the tenth a tenth as often", () => {
  const counts = countRanks(100, 1);
  expect(counts[1]! / counts[0]!).toBeCloseTo(1 / 2, 1);
  expect(counts[9]! / counts[0]!).toBeCloseTo(1 / 10, 1);
});

test("with the exponent 0 all ranks are alike", () => {
  for (const count of countRanks(10, 0)) expect(count / DRAWS).toBeCloseTo(0.1, 1);
});

test("the smallest and the largest chance give the first and the last rank", () => {
  const draw = createZipf(7, 1);
  const always = (fraction: number) => draw({ ...createRandom(1), fraction: () => fraction });
  expect(always(0)).toBe(0);
  expect(always(1 - 2 ** -32)).toBe(6);
});
