import { defineConfig } from "oxlint";

/** What the indexer shares with the server: how an index is stored and read, and nothing of how it serves. */
const BELOW_INDEXER = [
  "src/cli",
  "src/config.ts",
  "src/local-engines",
  "src/redis",
  "src/search",
  "src/partitions",
  "src/meilisearch",
  "src/telemetry",
  "src/errors.ts",
  "src/same-place",
  "src/place",
  "src/place/text",
];

/**
 * The rooms of the house, lowest first, and the rooms that each may import from. A room is a folder of `src`, a file beside them, or a
 * folder beside `src`. Whatever is not listed is refused, and no list names a room below its own line.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/place/text": [],
  "src/place": ["src/place/text"],
  "src/same-place": ["src/place", "src/place/text"],
  "src/errors.ts": [],
  "src/telemetry": ["src/errors.ts", "src/place/text"],
  "src/breaker.ts": ["src/telemetry"],
  "src/meilisearch": [
    "src/breaker.ts",
    "src/telemetry",
    "src/errors.ts",
    "src/same-place",
    "src/place",
    "src/place/text",
  ],
  "src/partitions": ["src/meilisearch", "src/telemetry", "src/errors.ts", "src/place", "src/place/text"],
  "src/search": [
    "src/meilisearch",
    "src/telemetry",
    "src/errors.ts",
    "src/same-place",
    "src/place",
    "src/place/text",
  ],
  "src/keys": ["src/telemetry"],
  "src/redis": ["src/breaker.ts", "src/keys", "src/telemetry"],
  "src/limits": ["src/redis", "src/telemetry"],
  "src/local-engines": ["src/partitions", "src/errors.ts"],
  "src/config.ts": ["src/redis", "src/keys", "src/partitions", "src/telemetry", "src/errors.ts", "src/place"],
  "src/cli": ["src/config.ts", "src/errors.ts"],
  "src/key-commands": [
    "src/cli",
    "src/local-engines",
    "src/redis",
    "src/keys",
    "src/telemetry",
    "src/errors.ts",
  ],
  "src/answers": ["src/limits", "src/keys", "src/errors.ts", "src/same-place", "src/place"],
  "src/assets": ["src/search", "src/errors.ts", "src/place"],
  "src/http": [
    "src/assets",
    "src/answers",
    "src/config.ts",
    "src/limits",
    "src/redis",
    "src/keys",
    "src/search",
    "src/meilisearch",
    "src/telemetry",
    "src/errors.ts",
    "src/same-place",
    "src/place",
    "src/place/text",
  ],
  "src/openapi": ["src/http", "src/answers", "src/errors.ts", "src/place"],
  "src/docs": ["src/openapi", "src/assets", "src/config.ts"],
  "src/mcp": ["src/openapi", "src/http", "src/cli", "src/config.ts"],
  "src/server": [
    "src/mcp",
    "src/docs",
    "src/http",
    "src/assets",
    "src/config.ts",
    "src/local-engines",
    "src/redis",
    "src/keys",
    "src/search",
    "src/partitions",
    "src/meilisearch",
    "src/telemetry",
    "src/errors.ts",
  ],
  "src/main.ts": ["src/server", "src/http", "src/cli", "src/errors.ts"],
  // These run in a browser, and get types alone from the rooms above.
  "src/client": [],
  "src/place-search": ["src/client"],
  "src/controls": ["src/place-search"],
  "src/playground": ["src/client", "src/place-search"],
  "indexer/demo": ["src/cli", "src/place", "src/place/text"],
  indexer: BELOW_INDEXER,
  "indexer/commands": ["indexer", ...BELOW_INDEXER],
  "indexer/main.ts": ["indexer", "indexer/commands", "src/cli", "src/redis", "src/errors.ts"],
  // Tools judge from outside: they run the programs, or ask over HTTP.
  "tools/bench": ["src/cli", "src/local-engines", "src/place"],
  "tools/soak": ["tools/bench", "src/cli", "src/local-engines", "src/place"],
  program: ["indexer/main.ts", "indexer/demo", "src/main.ts", "src/key-commands", "src/mcp", "src/cli"],
};

/** Browsers get the page, the search box and the client; from elsewhere they may import types. */
const IN_BROWSERS = ["src/client", "src/place-search", "src/controls", "src/playground"];

/** The most special first, since a file belongs to the first that fits. */
const FOLDERS = Object.keys(ROOMS)
  .filter((room) => !room.endsWith(".ts"))
  .toSorted((one, other) => other.length - one.length);

const FILES = Object.keys(ROOMS).filter((room) => room.endsWith(".ts"));

const toSelector = (room: string) =>
  room.endsWith(".ts") ? { file: { categories: room } } : { element: { type: room } };

/** Libraries that one room stands in front of; the others reach them through it. */
const HTTP_LIBRARIES = ["koa", "@koa/router", "koa-ratelimit"];
const ENGINE_LIBRARIES = ["meilisearch", "undici"];
const REDIS_LIBRARIES = ["ioredis"];
const FRONTED = [...HTTP_LIBRARIES, ...ENGINE_LIBRARIES, ...REDIS_LIBRARIES];

/** Refuses these libraries, but for some. */
const noLibraries = (
  allowed: readonly string[],
  alsoRefused: string[] = [],
): ["error", { paths: string[]; patterns: string[] }] => [
  "error",
  { paths: FRONTED.filter((name) => !allowed.includes(name)), patterns: alsoRefused },
];

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "node", "vitest"],
  jsPlugins: ["eslint-plugin-regexp", "eslint-plugin-boundaries"],
  categories: { correctness: "error" },
  settings: {
    "import/resolver": { node: { extensions: [".ts"] } },
    "boundaries/elements": FOLDERS.map((room) => ({ type: room, pattern: room })),
    "boundaries/files": FILES.map((room) => ({ category: room, pattern: room })),
  },
  rules: {
    "boundaries/dependencies": [
      "error",
      {
        default: "disallow",
        policies: [
          ...Object.entries(ROOMS).map(([room, below]) => ({
            from: toSelector(room),
            allow: [room, ...below].map((one) => ({ to: toSelector(one) })),
          })),
          { from: { element: { type: IN_BROWSERS } }, allow: { dependency: { kind: "type" } } },
        ],
      },
    ],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "max-depth": ["error", 4],
    "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
    "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
    "max-params": ["error", 4],
    "no-console": "error",
    "no-restricted-imports": noLibraries([]),
    "node/no-process-env": "error",
    "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
    "regexp/no-super-linear-move": ["error", { report: "potential", ignorePartial: false }],
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "vitest/require-mock-type-parameters": "off",
  },
  overrides: [
    {
      files: ["src/http/**", "src/docs/**"],
      rules: { "no-restricted-imports": noLibraries(HTTP_LIBRARIES) },
    },
    {
      files: ["src/meilisearch/**", "src/partitions/**", "indexer/**"],
      rules: { "no-restricted-imports": noLibraries(ENGINE_LIBRARIES) },
    },
    {
      files: ["src/redis/**", "src/limits/**"],
      rules: { "no-restricted-imports": noLibraries(REDIS_LIBRARIES) },
    },
    // The domain is pure: it gets what it needs.
    { files: ["src/place/**"], rules: { "no-restricted-imports": noLibraries([], ["node:*"]) } },
    {
      files: IN_BROWSERS.map((room) => `${room}/**`),
      rules: {
        "no-restricted-imports": "off",
        "typescript/no-restricted-imports": [
          "error",
          { patterns: [{ group: ["node:*", "valibot", "pino", ...FRONTED], allowTypeImports: true }] },
        ],
      },
    },
    {
      files: [
        "src/main.ts",
        "src/server/**",
        "src/cli/{run-program,fetch-packages}.ts",
        "indexer/{,demo/}main.ts",
      ],
      rules: { "node/no-process-env": "off", "no-console": "off" },
    },
    {
      files: ["indexer/**"],
      rules: { "no-console": "off" },
    },
    {
      files: ["script/**", "program/main.ts", "test/**", "tools/**", "*.config.ts"],
      rules: { "node/no-process-env": "off", "no-console": "off", "no-restricted-imports": "off" },
    },
    {
      files: ["*.config.ts", "test/support/shared-environment.ts"],
      rules: { "import/no-default-export": "off" },
    },
    {
      files: ["src/docs/assets/**", "test/support/clock.cjs"],
      rules: {
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        "typescript/no-misused-promises": "off",
      },
    },
    {
      files: ["test/**", "tools/**"],
      rules: {
        "max-lines-per-function": "off",
        "max-lines": ["error", 500],
        "regexp/no-super-linear-backtracking": "off",
        "regexp/no-super-linear-move": "off",
        "vitest/expect-expect": [
          "error",
          { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] },
        ],
        "vitest/no-focused-tests": "error",
        "vitest/no-disabled-tests": "error",
        "vitest/no-conditional-expect": "error",
      },
    },
  ],
});
