// Loaded before the tests and before every Node process that they start: the clock of the machine, moved so that the run began
// at the moment that vitest.config.ts chose. It goes on ticking, the same for all processes of a run.
// CommonJS, because the npm that runs a documented command may be one of an old Node.
"use strict";
const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS ?? 0);
const readMachine = Date.now.bind(Date);
const now = () => readMachine() + offsetMs;

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: (target) => new target(now()).toString(),
});

if (globalThis.Temporal) {
  const { Instant, Now } = globalThis.Temporal;
  const zoned = (zone = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  const instant = () => Instant.fromEpochMilliseconds(now());
  Object.assign(Now, {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone) => zoned(zone).toPlainTime(),
  });
}
