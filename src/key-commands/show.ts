import { type KeyRecord, stateOf } from "../keys/key-record.ts";
import type { Command } from "commander";
import { formatTable, formatTime } from "../cli/format.ts";
import type { CommandContext, RunCommand } from "../cli/run-program.ts";
import { COMMON_HELP, runWithStore, unknownKey } from "./command.ts";
import { parseId } from "./arguments.ts";

/** A key, and when it was last used. */
export interface ListedKey {
  readonly record: KeyRecord;
  /** ISO 8601; undefined when the key was never used, or its last use is not written yet. */
  readonly usedAt: string | undefined;
}

/** The fields of a key that may be shown: everything except its hashes. */
export function toReport({ record, usedAt }: ListedKey, now: Date): object {
  const { version: _version, secrets, ...rest } = record;
  return {
    ...rest,
    state: stateOf(record, now.getTime()),
    secrets: secrets.map(({ hash: _hash, ...secret }) => secret),
    last_used_at: usedAt ?? null,
  };
}

/** `600 a minute, 100000 a day`, or a note that the server's limits apply. */
export function formatLimits({ per_minute: minute, per_day: day, weight }: KeyRecord["limits"]): string {
  if (minute === undefined && day === undefined && weight === undefined) return "the server's";
  const perMinute = minute === undefined ? "the server's a minute" : `${minute} a minute`;
  const perDay = day === undefined ? "the server's a day" : day === 0 ? "no limit a day" : `${day} a day`;
  return `${perMinute}, ${perDay}${weight === undefined ? "" : `, weight ${weight}`}`;
}

/** Where a key may be used: `anywhere`, or the origins and addresses. */
export function formatUse({ origins, addresses }: KeyRecord): string {
  const uses = [
    ...(origins ? [`by pages of ${origins.join(", ")}`] : []),
    ...(addresses ? [`from ${addresses.join(", ")}`] : []),
  ];
  return uses.length === 0 ? "may be used anywhere" : `may only be used ${uses.join(" and ")}`;
}

function formatState(record: KeyRecord, now: Date): string {
  const state = stateOf(record, now.getTime());
  const { revoked_at: revokedAt, expires_at: expiresAt } = record;
  if (revokedAt !== undefined) return `revoked ${formatTime(revokedAt)}`;
  if (expiresAt === undefined) return state;
  return `${state === "active" ? "active until" : "expired"} ${formatTime(expiresAt)}`;
}

const HEADINGS = ["ID", "NAME", "STATE", "SCOPES", "LIMITS", "LAST USED"];

/** A table with one line per key. */
function formatKeys(keys: readonly ListedKey[], now: Date): string {
  const rows = keys.map(({ record, usedAt }) => [
    record.id,
    record.name,
    formatState(record, now),
    record.scopes.join(","),
    formatLimits(record.limits),
    usedAt === undefined ? "never" : formatTime(usedAt),
  ]);
  return formatTable(HEADINGS, rows, { leftColumns: HEADINGS.length, hasRule: false });
}

/** A key with one line per field. */
export function formatKey({ record, usedAt }: ListedKey, now: Date): string {
  const lines = [
    ["id", record.id],
    ["name", record.name],
    ["state", formatState(record, now)],
    ["scopes", record.scopes.join(", ")],
    ["limits", formatLimits(record.limits)],
    ["use", formatUse(record)],
    ["created", formatTime(record.created_at)],
    ["changed", `${formatTime(record.changed_at)} (revision ${record.revision})`],
    ["last used", usedAt === undefined ? "never" : formatTime(usedAt)],
    ...record.secrets.map(({ created_at: created, ends_at: end }) => [
      "secret",
      `of ${formatTime(created)}${end === undefined ? "" : `, until ${formatTime(end)}`}`,
    ]),
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(10)}${value}`).join("\n");
}

interface ListOptions {
  readonly active: boolean;
  readonly json: boolean;
}

const LIST_HELP = `
The oldest key comes first. The time of last use is accurate to a minute or two. Keys of API_KEYS are
not listed: they are only in the configuration.
${COMMON_HELP}

Examples:
  $ npm run -s keys -- list
  $ npm run -s keys -- list --json | jq -r '.[] | select(.last_used_at == null) | .id'`;

/** Adds the `list` command. */
export function addListCommand(program: Command, start: RunCommand): void {
  program
    .command("list")
    .summary("list all keys, without their secrets")
    .description("Lists all keys.")
    .option("--active", "only keys that are neither expired nor revoked", false)
    .option("--json", "print the keys as one JSON array", false)
    .addHelpText("after", LIST_HELP)
    .action((options: ListOptions) => start((context) => list(options, context)));
}

function list({ active, json }: ListOptions, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const now = new Date();
    const records = (await store.list()).filter(
      (record) => !active || stateOf(record, now.getTime()) === "active",
    );
    const uses = await store.readUses(records.map(({ id }) => id));
    const keys = records.map((record) => ({ record, usedAt: uses.get(record.id) }));
    if (json) context.stdout.write(`${JSON.stringify(keys.map((key) => toReport(key, now)))}\n`);
    else if (keys.length > 0) context.stdout.write(`${formatKeys(keys, now)}\n`);
    else context.stderr.write('There are no keys. Create one with "keys create".\n');
  });
}

const SHOW_HELP = `${COMMON_HELP}

Examples:
  $ npm run -s keys -- show 7c1m0q2zt4xa
  $ npm run -s keys -- show 7c1m0q2zt4xa --json`;

/** Adds the `show` command. */
export function addShowCommand(program: Command, start: RunCommand): void {
  program
    .command("show")
    .summary("show one key, without its secret")
    .description("Shows a key. Only its holder knows the secret.")
    .argument("<id>", "the part between the two underscores of the key", parseId)
    .option("--json", "print the key as one JSON object", false)
    .addHelpText("after", SHOW_HELP)
    .action((id: string, { json }: { json: boolean }) => start((context) => show(id, json, context)));
}

function show(id: string, json: boolean, context: CommandContext): Promise<number> {
  return runWithStore(context, json, async (store) => {
    const record = await store.read(id);
    if (!record) throw unknownKey(id);
    const usedAt = (await store.readUses([id])).get(id);
    const now = new Date();
    const key = { record, usedAt };
    context.stdout.write(`${json ? JSON.stringify(toReport(key, now)) : formatKey(key, now)}\n`);
  });
}
