import { afterEach, expect, test, vi } from "vitest";
import type { PlaceSummary } from "../../../src/client/answers.ts";

vi.stubGlobal("document", { documentElement: { lang: "en" } });
// As a variable, or the compiler would read the page's code without the types of a browser.
const file = "../../../src/playground/format.ts";
const { describeOpenState } = (await import(file)) as {
  describeOpenState: (place: PlaceSummary) => { readonly text: string } | undefined;
};

afterEach(() => void vi.useRealTimers());

test.each([
  ["2026-11-25T01:44:00+07:00", "Closed · Opens 6:00 AM"],
  ["2026-11-24T22:30:00+07:00", "Closed · Opens Wed 6:00 AM"],
])("at %s a place that opens on Wednesday at six is described so: %s", (now, text) => {
  vi.setSystemTime(new Date(now));
  const place = {
    open_state: { is_open_now: false, text: "" },
    opening_periods: [],
    next_change_at: "2026-11-25T06:00:00+07:00",
  } as unknown as PlaceSummary;
  expect(describeOpenState(place)?.text).toBe(text);
});
