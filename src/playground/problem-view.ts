import { HereaboutsError } from "../client/client.ts";
import { button, h } from "./dom.ts";
import { icon } from "./drawing.ts";
import { texts } from "./texts.ts";

interface ProblemActions {
  readonly onRetry: () => void;
  readonly onKey: () => void;
}

/** An error as a sentence, with an action: enter a key, wait, or try again. */
export function renderProblem(error: unknown, { onRetry, onKey }: ProblemActions): HTMLElement {
  const { code, status, requestId, retryAfterSeconds } = toFacts(error);
  const action =
    code.endsWith("_api_key") || ["missing_scope", "origin_not_allowed", "address_not_allowed"].includes(code)
      ? button({ class: "primary" }, onKey, icon("key", 18), texts.enterKey)
      : retryButton(code === "rate_limit_day" ? undefined : retryAfterSeconds, onRetry);
  return h(
    "div",
    { class: "notice", role: "alert", "data-code": code },
    h("span", { class: "notice-icon bad" }, icon("alert", 26)),
    h("h2", {}, texts.errorTitle),
    h("p", {}, texts.problems[code]),
    action,
    status !== undefined && status > 0 && h("p", { class: "small muted" }, texts.status(status, code)),
    requestId !== undefined && h("p", { class: "small" }, texts.reference(requestId)),
  );
}

/** A place that cannot be shown whatever one tries: it is gone, or its address names none. Undefined for other errors. */
export function renderLostPlace(error: unknown, onSearch: () => void): HTMLElement | undefined {
  const { code } = toFacts(error);
  if (code !== "unknown_place" && code !== "invalid_parameter") return undefined;
  return h(
    "div",
    { class: "notice", role: "alert", "data-code": code },
    h("span", { class: "notice-icon" }, icon("nothing", 26)),
    h("h2", {}, texts.lostTitle),
    h("p", {}, code === "unknown_place" ? texts.problems.unknown_place : texts.lostAddress),
    button({ class: "primary" }, onSearch, icon("search", 18), texts.searchInstead),
  );
}

type Code = keyof typeof texts.problems;

function toFacts(error: unknown): {
  code: Code;
  status?: number;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
} {
  if (!(error instanceof HereaboutsError)) return { code: "internal_error" };
  const { status, requestId, retryAfterSeconds } = error;
  if (error.code === "network_error" && !navigator.onLine) return { code: "offline" };
  const code = hasText(error.code) ? error.code : "internal_error";
  return { code, status, requestId, retryAfterSeconds };
}

/** The page writes nothing, and has no texts for what may go wrong then. */
const hasText = (code: string): code is Code => code in texts.problems;

/** Counts down the server's `Retry-After`, then retries. */
function retryButton(seconds: number | undefined, onRetry: () => void): HTMLButtonElement {
  const element = button({ class: "primary" }, onRetry, texts.tryAgain);
  if (seconds === undefined || seconds > 600) return element;
  let left = Math.max(1, seconds);
  element.disabled = true;
  element.textContent = texts.tryAgainIn(left);
  const timer = setInterval(() => {
    left -= 1;
    if (!element.isConnected) clearInterval(timer);
    else if (left > 0) element.textContent = texts.tryAgainIn(left);
    else {
      clearInterval(timer);
      onRetry();
    }
  }, 1000);
  return element;
}
