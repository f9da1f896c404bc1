import { expect, test } from "vitest";
import { createPairCounter } from "../../../../indexer/index/count-pairs.ts";
import { buildPlace } from "../../../support/build-place.ts";

/** Which words stand side by side in many names and addresses. */

/** Built once: some tests meet tens of thousands. */
const ANY = buildPlace();

const place = (title: string, full = ""): typeof ANY => ({
  ...ANY,
  title,
  location: { ...ANY.location, address: { ...ANY.location.address, full } },
});

const countOf = (times: number, one: ReturnType<typeof place>, mostSampled?: number) => {
  const counter = createPairCounter(mostSampled);
  for (let met = 0; met < times; met += 1) counter.meet(one);
  return counter.pairs();
};

test("Words side by side are counted in names and in addresses, also with one between them, without their order", () => {
  const { inNames, inAddresses } = countOf(200, place("Trường Lý Thường Kiệt", "Chợ Bà Chiểu"));
  expect(inNames).toStrictEqual({
    "ly truong": 200,
    "thuong truong": 200,
    "ly thuong": 200,
    "kiet ly": 200,
    "kiet thuong": 200,
  });
  expect(inAddresses).toStrictEqual({ "ba cho": 200, "chieu cho": 200, "ba chieu": 200 });
});

test("A place counts once, and in its name where the address has the pair too", () => {
  expect(countOf(200, place("Bến Thành Bến Thành", "Bến Thành"))).toStrictEqual({
    inNames: { "ben thanh": 200, "ben ben": 200, "thanh thanh": 200 },
    inAddresses: {},
  });
});

test("Pairs that few places have are left out", () => {
  expect(countOf(199, place("Công ty"))).toStrictEqual({ inNames: {}, inAddresses: {} });
});

test("Of many places a sample is counted, and the counts are still those of all", () => {
  const counter = createPairCounter(1_000);
  for (let met = 0; met < 40_000; met += 1) counter.meet(place(met % 4 === 0 ? "Công ty" : `Quán ${met}`));
  const { inNames } = counter.pairs();
  expect(Object.keys(inNames)).toStrictEqual(["cong ty"]);
  expect(Math.abs(inNames["cong ty"]! / 10_000 - 1)).toBeLessThan(0.1);
});

test("Places whose every word is another take bounded memory, and what many have is still counted", () => {
  const counter = createPairCounter();
  for (let met = 0; met < 60_000; met += 1)
    counter.meet(place("Công ty", Array.from({ length: 10 }, (_, at) => `w${met}x${at}`).join(" ")));
  const { inNames, inAddresses } = counter.pairs();
  expect(Math.abs(inNames["cong ty"]! / 60_000 - 1)).toBeLessThan(0.1);
  expect(inAddresses).toStrictEqual({});
});
