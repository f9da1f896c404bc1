import type { Config } from "./config.ts";
import type { IndexState } from "./place-index/place-index.ts";

interface BannerOptions {
  readonly config: Config;
  readonly state: IndexState;
  readonly apiKey: string;
  readonly hasRedis: boolean;
}

/** What a person who just started the server wants to know: where the map is, with which key to call, and three calls that answer. */
export function printBanner(options: BannerOptions): void {
  process.stdout.write(`${buildBanner(options)}\n`);
}

function buildBanner({ config, state, apiKey, hasRedis }: BannerOptions): string {
  const api = `${config.PUBLIC_BASE_URL}/api/maps`;
  const curl = (path: string): string => `  curl -s -H 'x-api-key: ${apiKey}' '${api}/${path}'`;
  const lines = [
    "",
    `Hereabouts serves ${describeIndex(state)} at ${config.PUBLIC_BASE_URL}`,
    ...(config.PLAYGROUND === "on" ? [`  Map:     ${config.PUBLIC_BASE_URL}/`] : []),
    `  API key: ${apiKey}`,
    ...(hasRedis
      ? []
      : ["  No redis-server was found: this process holds the rate limits in its own memory."]),
    "",
    curl("search?q=highlands%20coffee&lat=10.7769&lng=106.7009"),
    curl("autocomplete?q=ben&lat=10.7769&lng=106.7009"),
    `${curl("search?q=nha%20thuoc&type=full&lang=en")} | head -c 2000`,
    "",
    "Your own places: npm run -s index -- import --help        Stop: Ctrl-C",
  ];
  return lines.join("\n");
}

function describeIndex(state: IndexState): string {
  switch (state.state) {
    case "ready":
      return `${state.places} places`;
    case "missing":
      return "no places yet (import some)";
    case "wrong_version":
      return `an index of version ${state.found}, which it cannot read (version ${state.wanted} is needed: import again)`;
    case "unreachable":
      return "nothing yet (the engine does not answer)";
  }
}
