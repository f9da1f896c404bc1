/** A command that the test does not run as it stands. */
interface NotRun {
  /** The whole command, or how it begins. */
  readonly begins: string;
  readonly file?: string;
  readonly because: string;
  /** What shows instead that it works: files of this repository. */
  readonly shownBy: readonly string[];
}

const CHECKS = ["script/test", ".ci/run"];

export const NOT_RUN: readonly NotRun[] = [
  {
    begins: "",
    file: "docs/production.md",
    because: "there is no container engine where the tests run, and no machine to restore",
    shownBy: [
      "script/containers/main.ts",
      "test/unit/deployment/compose.test.ts",
      "test/unit/deployment/documents.test.ts",
      "test/integration/security/backup.test.ts",
    ],
  },
  {
    begins: "",
    file: "docs/scaling.md",
    because: "its commands need several engines, some on several machines; tests start three",
    shownBy: [
      "test/integration/local-engines/several-engines.test.ts",
      "test/integration/partitions/lost-engine.test.ts",
      "test/integration/partitions/commands.test.ts",
      "test/unit/partitions/topology.test.ts",
    ],
  },
  {
    begins: "",
    file: "program/README.md",
    because: "its commands are those of the package, which has its own test",
    shownBy: ["test/integration/program-package.test.ts"],
  },
  {
    begins: "npm run -s examples",
    because: "it serves until it is ended; a browser opens its pages",
    shownBy: ["test/browser/components.test.ts"],
  },
  {
    begins: "npm install hereabouts-",
    because: "nothing is published yet; a test installs what would be",
    shownBy: ["test/integration/component-packages.test.ts"],
  },
  {
    begins: "npm run -s client:pack",
    because: "bundling takes seconds, and another test runs the same script and looks at its package",
    shownBy: ["test/integration/client-package.test.ts"],
  },
  {
    begins: "npm run -s components:pack",
    because: "bundling takes seconds, and another test runs the same script and looks at its packages",
    shownBy: ["test/integration/component-packages.test.ts"],
  },
  { begins: "script/test", because: "it is what runs this test", shownBy: CHECKS },
  { begins: "script/bootstrap", because: "it installs packages of the system", shownBy: CHECKS },
  { begins: "npm run -s test", because: "tests do not run tests", shownBy: CHECKS },
  { begins: "npm run -s format", because: "it would rewrite the tree that is tested", shownBy: CHECKS },
  { begins: "npm run -s lint", because: "script/test runs it beside the tests", shownBy: CHECKS },
  { begins: "npm run -s types", because: "script/test runs it beside the tests", shownBy: CHECKS },
  {
    begins: "npm run -s unused",
    because: "it looks at the whole tree, which is not in the scratch folder",
    shownBy: ["package.json"],
  },
  {
    begins: "npm run -s eval -- --osm saigon.overpass.json.gz --sentences",
    because: "sentences that people said are not part of the repository",
    shownBy: ["test/unit/eval"],
  },
  {
    begins: "npm run -s bench",
    because: "measuring takes minutes and gigabytes; its options are compared with its help",
    shownBy: ["test/unit/bench", "test/integration/docs/options.test.ts"],
  },
  {
    begins: "apt-get",
    because: "it installs packages of the system",
    shownBy: ["test/unit/bench"],
  },
  {
    begins: "npm run -s soak",
    because: ".ci/run runs it for two minutes; its options are compared with its help",
    shownBy: [".ci/run", "test/unit/soak", "test/integration/docs/options.test.ts"],
  },
  {
    begins: "npm run -s write-kills",
    because: "ten thousand changes take more than a minute; its options are compared with its help",
    shownBy: ["test/integration/process/write-kills.test.ts"],
  },
  {
    begins: "npm run -s index -- write",
    because: "it runs until it is stopped",
    shownBy: ["test/integration/import/apply.test.ts", "test/integration/http/writes.test.ts"],
  },
  {
    begins: "npm run -s stops",
    because: "each stop takes seconds; its options are compared with its help",
    shownBy: ["test/integration/process/shutdown.test.ts", "test/integration/deployment/proxies.test.ts"],
  },
  {
    begins: "npm run -s fairness",
    because: "eleven loads take more than a minute; its options are compared with its help",
    shownBy: ["test/integration/http/overload.test.ts"],
  },
  {
    begins: "TILES_URL=map.pmtiles script/server",
    because: "it would be a second server; a browser shows the map of such a file",
    shownBy: ["test/browser/basemap.test.ts", "test/integration/http/map-tiles.test.ts"],
  },
  {
    begins: "pmtiles extract",
    because: "it downloads from another server, with another program",
    shownBy: ["test/unit/assets/map-tiles.test.ts"],
  },
  {
    begins: "npm run -s eval -- --partitions",
    because: "two imports and thousands of queries take minutes",
    shownBy: ["test/integration/partitions/reading.test.ts"],
  },
  {
    begins: "npm run -s eval -- --exact",
    because: "thousands of lists take minutes",
    shownBy: ["test/integration/http/exact-lists.test.ts"],
  },
  {
    begins: "npm run -s fit",
    because: "all cases take minutes, and its sentences are no part of the project",
    shownBy: ["test/unit/fit/fit-weights.test.ts"],
  },
  {
    begins: "npm run -s fuzz",
    because: "its requests run in a test of their own; its options are compared with its help",
    shownBy: ["test/integration/fuzz/fuzz.test.ts", "test/integration/docs/options.test.ts"],
  },
];

/** What is made smaller, so that a command takes seconds. */
interface Replacement {
  readonly of: RegExp;
  readonly by: string;
  readonly because: string;
}

export const REPLACEMENTS: readonly Replacement[] = [
  { of: /--places 100000\b/, by: "--places 200", because: "making and importing all takes half a minute" },
  {
    of: /eval -- --json\b/,
    by: "eval -- --json --baselines --kinds typo-1,chain --show-misses 10",
    because: "with the options of the commands before it, those need not run",
  },
  {
    of: /npm run -s eval(?: --(?= ))?/,
    by: "npm run -s eval -- --places 100 --cases 1",
    because: "all cases of all kinds take two minutes",
  },
];

/** The command as the test runs it, against the server at `address`. */
export function adapt(command: string, address: string): string {
  const addressed = command.replaceAll("http://127.0.0.1:8080", address);
  return REPLACEMENTS.reduce((text, { of, by }) => text.replace(of, by), addressed);
}

/** The first entry for a command. */
export const findException = (file: string, command: string): NotRun | undefined =>
  NOT_RUN.find((entry) => (entry.file ?? file) === file && command.startsWith(entry.begins));
