import { expect, test } from "vitest";
import { formatStatus, type Status } from "../../../../indexer/commands/status.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

const LIVE = {
  redirects: 12,
  places: 20_000,
  version: "1.1",
  isReadable: true,
  builtAt: "2026-11-17T12:00:00.000Z",
  updatedAt: "2026-11-17T12:10:00.000Z",
  documentBytes: 88_350_720,
};

const STATUS: Status = {
  engine: { value: { version: "1.21.0", databaseBytes: 5e8, queue: { enqueued: 3, processing: 1 } } },
  indexes: { live: { value: LIVE }, next: { value: undefined }, previous: { value: undefined } },
  runs: {
    value: [
      {
        command: "import",
        outcome: "failed",
        error: "It is\n  - smaller",
        started_at: "2026-11-20T11:00:00Z",
        duration_seconds: 12,
        counts: { read: 1_234 },
      },
    ],
  },
};

test("the status shows the engine, each index with its age, and the last runs", () => {
  expect(formatStatus(STATUS, NOW).split("\n")).toEqual([
    "engine     Meilisearch 1.21.0, 500 MB on disk, 1 tasks at work, 3 waiting",
    "live       20,000 places; 12 merged into them; built 2026-11-17 12:00 UTC, 3 days ago; 88.4 MB of documents; version 1.1",
    "next       none: no import is under way",
    "previous   none: no index to roll back to",
    "last runs",
    "  2026-11-20 11:00 UTC (60 minutes ago), import, failed, 12 s, 1,234 read: It is - smaller",
  ]);
});

test("an index that is being built or cannot be read is shown as such", () => {
  const next = { ...LIVE, updatedAt: "2026-11-20T11:59:00.000Z" };
  const indexes = {
    ...STATUS.indexes,
    next: { value: next },
    live: { value: { ...LIVE, isReadable: false } },
  };
  const text = formatStatus({ ...STATUS, indexes }, NOW);
  expect(text).toMatch(/live .* version 1\.1, which this program cannot read/);
  expect(text).toMatch(/next .* last written 1 minute ago \(an import is under way, or was killed\)/);
});

test("a missing part is reported and does not hide the others", () => {
  const gone = { problem: "connect ECONNREFUSED" };
  const text = formatStatus({ ...STATUS, engine: gone, runs: undefined }, NOW);
  expect(text).toContain("engine     not known: connect ECONNREFUSED");
  expect(text).toContain("live       not known");
  expect(text).toContain("runs       not remembered: there is no Redis");
  expect(formatStatus({ ...STATUS, runs: gone }, NOW)).toContain(
    "runs       not known: connect ECONNREFUSED",
  );
});
