import type { KeyRecord } from "../src/keys/key-record.ts";

/** A key with what is known of it besides its record. */
export interface ListedKey {
  readonly record: KeyRecord;
  /** ISO 8601; undefined for never, or not yet written. */
  readonly usedAt: string | undefined;
}

/** `2026-11-20 09:03 UTC` */
export const formatTime = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;

export type KeyState = "active" | "expired" | "revoked";

export function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: KeyRecord, now: Date): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime() ? "expired" : "active";
}

/** What may be shown of a key: everything but its hashes. */
export function toReport({ record, usedAt }: ListedKey, now: Date): object {
  const { version: _version, secrets, ...rest } = record;
  return {
    ...rest,
    state: stateOf(record, now),
    secrets: secrets.map(({ hash: _hash, ...secret }) => secret),
    last_used_at: usedAt ?? null,
  };
}

/** `600 a minute, 100000 a day`; what is the server's is said so. */
export function formatLimits({ per_minute: minute, per_day: day }: KeyRecord["limits"]): string {
  if (minute === undefined && day === undefined) return "the server's";
  const perMinute = minute === undefined ? "the server's a minute" : `${minute} a minute`;
  const perDay = day === undefined ? "the server's a day" : day === 0 ? "no limit a day" : `${day} a day`;
  return `${perMinute}, ${perDay}`;
}

function formatState(record: KeyRecord, now: Date): string {
  const state = stateOf(record, now);
  const { revoked_at: revokedAt, expires_at: expiresAt } = record;
  if (revokedAt !== undefined) return `revoked ${formatTime(revokedAt)}`;
  if (expiresAt === undefined) return state;
  return `${state === "active" ? "active until" : "expired"} ${formatTime(expiresAt)}`;
}

const HEADINGS = ["ID", "NAME", "STATE", "SCOPES", "LIMITS", "LAST USED"];

/** A table with a line for each key. */
export function formatKeys(keys: readonly ListedKey[], now: Date): string {
  const rows = keys.map(({ record, usedAt }) => [
    record.id,
    record.name,
    formatState(record, now),
    record.scopes.join(","),
    formatLimits(record.limits),
    usedAt === undefined ? "never" : formatTime(usedAt),
  ]);
  const widths = HEADINGS.map((heading, i) =>
    rows.reduce((widest, row) => Math.max(widest, row[i]?.length ?? 0), heading.length),
  );
  const lines = [HEADINGS, ...rows].map((row) =>
    row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "),
  );
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** All of one key, a line each. */
export function formatKey({ record, usedAt }: ListedKey, now: Date): string {
  const lines = [
    ["id", record.id],
    ["name", record.name],
    ["state", formatState(record, now)],
    ["scopes", record.scopes.join(", ")],
    ["limits", formatLimits(record.limits)],
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
