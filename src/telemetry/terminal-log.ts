import type { DestinationStream } from "pino";
import { styleText } from "node:util";

/** After so many lines the address and the key have left the screen. */
const LINES_UNTIL_REMINDER = 20;

/** Files of the pages and checks of health, when they succeed: one look at the map would be fifty lines. */
const QUIET_ROUTE = /^\/(?:playground|docs|status|healthz|readyz|favicon)|^\/$/;

const COLOURS = { warn: "yellow", error: "red", fatal: "red" } as const;

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly event: string };

export interface TerminalLog extends DestinationStream {
  /** Shows a text again when it has left the screen, such as the address and the key. */
  readonly remindOf: (text: string) => void;
}

/** A log for a person: takes the logger's JSON lines and writes short ones, in colours unless `NO_COLOR` is set. */
export function createTerminalLog(terminal: Pick<NodeJS.WriteStream, "write" | "isTTY">): TerminalLog {
  let reminder: string | undefined;
  let lines = 0;
  return {
    write(json) {
      const text = toText(JSON.parse(json) as Line);
      if (text === undefined) return;
      terminal.write(`${text}\n`);
      lines += 1;
      if (reminder === undefined || lines % LINES_UNTIL_REMINDER > 0) return;
      terminal.write(`${styleText("bold", reminder)}\n`);
    },
    remindOf(text) {
      reminder = text;
    },
  };
}

/** One line; undefined for what nobody reads along for. */
function toText({ level, time, event, err, ...fields }: Line): string | undefined {
  const isRequest = event === "request";
  if (isRequest && QUIET_ROUTE.test(String(fields["route"])) && Number(fields["status"]) < 400)
    return undefined;
  const colour = (COLOURS as Readonly<Record<string, "yellow" | "red">>)[level];
  const body = isRequest ? toRequestText(fields) : `${event.replaceAll("_", " ")}${toDetails(fields)}`;
  const written = colour === undefined ? body : styleText(colour, `${level}: ${body}`);
  return `${styleText("dim", toClock(time))}  ${written}${toErrorText(err)}`;
}

/** `GET /api/maps/search 200  12.3 ms  20 results` */
function toRequestText(fields: Readonly<Record<string, unknown>>): string {
  const { method, route, status, duration_ms: duration, results, code } = fields;
  const colour = Number(status) >= 500 ? "red" : Number(status) >= 400 ? "yellow" : "green";
  const details = [
    `${String(duration)} ms`,
    ...(typeof results === "number" ? [`${results} results`] : []),
    ...(typeof code === "string" ? [code] : []),
  ];
  return `${String(method)} ${String(route)} ${styleText(colour, String(status))}  ${styleText("dim", details.join("  "))}`;
}

/** ` engine=redis port=6379`, without what only machines read. */
function toDetails(fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).filter(
    ([name, value]) => !name.endsWith("_id") && value !== undefined,
  );
  const text = shown.map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return text.length === 0 ? "" : styleText("dim", ` ${text.join(" ")}`);
}

function toErrorText(err: unknown): string {
  if (err === undefined || err === null) return "";
  const { message, stack } = err as { readonly message?: string; readonly stack?: string };
  return `\n  ${stack ?? message ?? JSON.stringify(err)}`;
}

/** The time of day of this machine. */
const toClock = (time: unknown): string => new Date(String(time)).toLocaleTimeString("en-GB");
