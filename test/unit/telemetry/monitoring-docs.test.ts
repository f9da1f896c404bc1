import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  createPrometheus,
  registerIndexMetrics,
  registerWriteMetrics,
} from "../../../src/telemetry/prometheus.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");

const page = read("monitoring.md");
const alerts = parse(read("monitoring/alerts.yaml")) as {
  groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("monitoring/grafana-dashboard.json")) as {
  templating: { list: { name: string; type: string }[] };
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.filter(({ type }) => type !== "row");

/** The labels of each metric that the server exports, beside those that Prometheus adds. */
const exported = readExported();

function readExported(): Map<string, Set<string>> {
  const { registry } = createPrometheus({ version: "0" });
  registerIndexMetrics({ registry, version: "0", readState: () => Promise.resolve({ state: "missing" }) });
  registerWriteMetrics({ registry, readWaiting: () => Promise.resolve({ count: 0 }) });
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  const ofPrometheus = ["instance", "job"];
  return new Map(
    metrics.flatMap(({ name, type, labelNames }) => {
      const labels = new Set([...labelNames, ...ofPrometheus]);
      return type === "histogram"
        ? [
            [`${name}_bucket`, new Set([...labels, "le"])],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]];
    }),
  );
}

/** Each metric of an expression with the labels that it is asked for. */
function readSelectors(expression: string): { name: string; labels: string[] }[] {
  const selectors = expression.matchAll(/\b((?:hereabouts|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, name = "", inner = ""]) => ({
    name,
    labels: [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  }));
}

function findWrongSelectors(expression: string): unknown[] {
  return readSelectors(expression).filter(({ name, labels }) => {
    const known = exported.get(name);
    return known === undefined || !labels.every((label) => known.has(label));
  });
}

describe("an expression", () => {
  test.each(rules)("of the alert $alert asks for what there is", ({ expr }) => {
    expect(findWrongSelectors(expr)).toEqual([]);
    expect(expr === 'up{job="hereabouts"} == 0' || readSelectors(expr).length > 0).toBe(true);
  });

  test.each(panels)("of the panel $title asks for what there is", ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.flatMap(({ expr }) => findWrongSelectors(expr))).toEqual([]);
    expect(targets.every(({ expr }) => readSelectors(expr).length > 0)).toBe(true);
  });

  test("that asks for something else would be found", () => {
    expect(
      findWrongSelectors('rate(hereabouts_nothing_total[5m]) + hereabouts_index_places{colour="red"}'),
    ).toEqual([
      { name: "hereabouts_nothing_total", labels: [] },
      { name: "hereabouts_index_places", labels: ["colour"] },
    ]);
  });
});

test("every metric stands in a table of monitoring.md, and nothing else does", () => {
  const documented = [...page.matchAll(/`((?:hereabouts|nodejs|process)_\w+)`/g)].map(
    ([, name = ""]) => name,
  );
  const names = [...exported.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
  expect([...new Set(documented)].toSorted()).toEqual([...new Set(names)].toSorted());
});

test("every alert stands in the table of what to look at first", () => {
  const documented = [...page.matchAll(/`(Hereabouts\w+)`/g)].map(([, name = ""]) => name);
  expect(documented.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test("every alert either wakes somebody up or waits for the morning", () => {
  expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(new Set(["page", "ticket"]));
});

test("the dashboard can be imported anywhere: its data source is a variable", () => {
  expect(dashboard.templating.list).toMatchObject([
    { name: "datasource", type: "datasource" },
    { name: "instance", type: "query" },
  ]);
  expect(
    read("monitoring/grafana-dashboard.json").match(/"uid": "(?!\$\{datasource\}|hereabouts")/g),
  ).toBeNull();
});
