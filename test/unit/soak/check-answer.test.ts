import { describe, expect, test } from "vitest";
import { checkAnswer } from "../../../tools/soak/fuzz/run-fuzz.ts";

const CANARY = "zqcanary1";

const ask = (path: string) => ({ method: "GET", path, headers: {}, canary: CANARY });

interface Given {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

const check = ({ status, text = "", headers = {}, path = "/nowhere" }: Given): string | undefined =>
  checkAnswer(ask(path), { kind: "answer", status, headers: new Headers(headers), text });

describe("found is", () => {
  test.each<Given & { what: string }>([
    { what: "a 500", status: 500, text: '{"status":500,"code":"internal_error"}' },
    { what: "a status that nothing can have", status: 302 },
    {
      what: "a body that repeats what was sent",
      status: 404,
      text: `{"status":404,"code":"x","d":"${CANARY}"}`,
    },
    { what: "a header that does", status: 401, headers: { location: `/${CANARY}` } },
    { what: "a page instead of a problem", status: 404, text: "<h1>Not found</h1>" },
    { what: "a problem that says another status", status: 404, text: '{"status":400,"code":"x"}' },
    { what: "a success without the headers of ours", status: 200, text: "{}", path: "/healthz?q=1" },
  ])("$what", (given) => expect(check(given)).toBeTypeOf("string"));
});

describe("nothing is wrong with", () => {
  test.each<Given & { what: string }>([
    { what: "what Node refuses by itself", status: 431 },
    { what: "a problem", status: 404, text: '{"status":404,"code":"unknown_route"}' },
    { what: "a page where there is one", status: 200, text: "<h1>Hello</h1>", path: "/" },
  ])("$what", (given) => expect(check(given)).toBeUndefined());
});
