import { expect, test } from "vitest";
import { reportWorst, type BreakerState } from "../../../src/telemetry/telemetry.ts";

test("of several breakers the worst state is reported, whenever it changes", () => {
  const reported: BreakerState[] = [];
  const note = reportWorst((state) => reported.push(state));
  note("one", "open");
  note("other", "open");
  note("one", "half_open");
  note("one", "closed");
  note("other", "half_open");
  note("other", "closed");
  expect(reported).toStrictEqual(["open", "half_open", "closed"]);
});
