import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test.each([
  ["src/place-search", "place-search.html"],
  ["src/controls/react", "react.jsx"],
  ["src/controls/maplibre", "maplibre.html"],
  ["src/controls/leaflet", "leaflet.html"],
])("the page in the README of %s is docs/examples/%s, which the browser tests open", (folder, example) => {
  const [, block] = /^```(?:html|jsx)\n(.*?)^```/ms.exec(readFileSync(`${folder}/README.md`, "utf8")) ?? [];
  expect(block).toBe(readFileSync(`docs/examples/${example}`, "utf8"));
});
