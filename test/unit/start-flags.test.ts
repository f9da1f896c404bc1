import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test.each(["package.json", "script/server", "Dockerfile"])(
  "%s starts the server with the flags that are meant",
  (path) => {
    const command = read(path).replaceAll('", "', " ");
    expect(command).toContain(
      "node --max-old-space-size=512 --max-semi-space-size=4 --disable-warning=ExperimentalWarning src/main.ts",
    );
  },
);

test.each(["package.json", "docker-compose.yml"])(
  "%s starts the indexer with the limits of memory that are meant",
  (path) => {
    const command = read(path).replaceAll('", "', " ");
    expect(command).toContain("node --max-old-space-size=384 --max-semi-space-size=8 indexer/main.ts");
  },
);

test("package.json starts the command for keys with the limit of memory that is meant", () => {
  expect(read("package.json")).toContain("node --max-old-space-size=384 src/keys/commands/main.ts");
});
