import * as fc from "fast-check";
import { decode } from "pluscodes";
import { expect, test } from "vitest";
import { toPlusCode } from "../../../src/answers/place-response.ts";

test.each([
  ["the north pole", 90, 180, "C2X2X2X2+X2"],
  ["the south pole", -90, -180, "22222222+22"],
  ["the antimeridian, which is the 180th degree west", 0, 180, "62G22222+22"],
  ["the null island", 0, 0, "6FG22222+22"],
  ["a market", 10.7712, 106.7048, "7P28QPC3+FW"],
  ["the edge of a cell", 11.95375, -40.602856, "783XX93W+GV"],
])("%s", (_, latitude, longitude, code) => {
  expect(toPlusCode({ latitude, longitude })).toBe(code);
});

test("the cell of a code holds its point, everywhere", () => {
  const point = fc.record({
    latitude: fc.double({ min: -90, max: 89.9998, noNaN: true }),
    longitude: fc.double({ min: -180, max: 179.9998, noNaN: true }),
  });
  fc.assert(
    fc.property(point, ({ latitude, longitude }) => {
      const code = toPlusCode({ latitude, longitude });
      expect(code).toMatch(
        /^[23456789C][23456789CFGHJMPQRV][23456789CFGHJMPQRVWX]{6}\+[23456789CFGHJMPQRVWX]{2}$/,
      );
      const cell = decode(code);
      expect(Math.abs((cell?.latitude ?? Number.NaN) - latitude)).toBeLessThan(0.000_064);
      expect(Math.abs((cell?.longitude ?? Number.NaN) - longitude)).toBeLessThan(0.000_064);
    }),
  );
});
