import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../../src/errors.ts";
import {
  autocompleteParameters,
  placeParameters,
  searchParameters,
  toCentre,
} from "../../../src/http/parameters.ts";
import { REQUEST_DEFAULTS } from "../../../src/place/request-defaults.ts";
import { parseQuery } from "../../../src/http/query-string.ts";

const parseSearch = (values: Record<string, string>) =>
  parseQuery(searchParameters, new URLSearchParams({ q: "x", ...values }).toString());
const parsePlace = (values: Record<string, string>) =>
  parseQuery(placeParameters, new URLSearchParams(values).toString());

/** The code of what is wrong; undefined when nothing is. */
function problemOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors.map(({ code }) => code).join();
  }
}

test("a search with only a text has the defaults of the contract", () => {
  const parameters = parseSearch({ q: "cà phê" });
  expect(toCentre(parameters, REQUEST_DEFAULTS)).toStrictEqual({ latitude: 10.801671, longitude: 106.61744 });
  expect(parameters).toStrictEqual({
    q: "cà phê",
    type: "minimal",
    limit: 20,
    offset: 0,
    format: "json",
  });
});

test("place detail has no default coordinates", () => {
  expect(parsePlace({ data_id: "0x1:0x2" })).toStrictEqual({ data_id: "0x1:0x2", format: "json" });
});

test("autocomplete offers four, and ten at most", () => {
  expect(parseQuery(autocompleteParameters, "q=x").limit).toBe(4);
  expect(parseQuery(autocompleteParameters, "q=x&limit=10").limit).toBe(10);
  expect(problemOf(() => parseQuery(autocompleteParameters, "q=x&limit=11"))).toBe("out_of_range");
});

describe("q", () => {
  test.each([
    ["", "empty"],
    [" \t\r\n\u3000\uFEFF ", "empty"],
    ["a\0b", "malformed"],
    ["a\u001B[31m", "malformed"],
    ["\u007F", "malformed"],
    ["a\u009Fb", "malformed"],
    ["caf\uFFFD", "malformed"],
    ["\uD800", "malformed"],
    ["x".repeat(257), "too_long"],
    ["𝒳".repeat(257), "too_long"],
    ["\u0958".repeat(129), "too_long"],
  ])("%j is refused as %s", (q, code) => {
    expect(problemOf(() => parseSearch({ q }))).toBe(code);
  });

  test.each(["q=%ff", "q=caf%e9", "q=%ed%a0%80", "q=%c3", "q=%f0%9f%98"])("%s is no UTF-8", (querystring) => {
    expect(problemOf(() => parseQuery(searchParameters, querystring))).toBe("malformed");
  });

  test.each([
    ["  phở  ", "phở"],
    ["pho\u031B\u0309", "phở"],
    ["bún\tchả\n", "bún chả"],
    ["a  b", "a b"],
    ["a \u00A0\u3000\t\u0085 b", "a b"],
    ["x" + " ".repeat(5_000) + "x", "x x"],
    ["x".repeat(256), "x".repeat(256)],
    ["𝒳".repeat(256), "𝒳".repeat(256)],
    [" ".repeat(5_000) + "x", "x"],
    ["👨‍👩‍👧 100% <b> \\ ' \" ;", "👨‍👩‍👧 100% <b> \\ ' \" ;"],
    ["%zz", "%zz"],
  ])("%j is read as %j", (q, expected) => {
    expect(parseSearch({ q }).q).toBe(expected);
  });

  test("a plus sign in a query string is a space, as in forms", () => {
    expect(parseQuery(searchParameters, "q=ph%E1%BB%9F+b%C3%B2").q).toBe("phở bò");
  });
});

describe("lat and lng", () => {
  test.each([
    "",
    " ",
    "abc",
    "NaN",
    "Infinity",
    "1e1",
    "0x10",
    "+1",
    " 1",
    "1 ",
    ".5",
    "5.",
    "1.2.3",
    "10,8,1",
  ])("%j is not a coordinate", (text) => {
    expect(problemOf(() => parseSearch({ lat: text }))).toBe("malformed");
    expect(problemOf(() => parseSearch({ lng: text }))).toBe("malformed");
  });

  test.each(["--1", "1,000.5", "10;8", "١٠", "10\n", "1_0", "null", "[10]", "10.8,106.6", "9".repeat(5_000)])(
    "%j is no coordinate either",
    (text) => {
      expect(problemOf(() => parseSearch({ lat: text }))).toBe("malformed");
    },
  );

  test.each([
    ["lat", "90.0000001"],
    ["lat", "-91"],
    ["lat", "181"],
    ["lng", "180,01"],
    ["lng", "-180.5"],
    ["lng", "999"],
  ])("%s=%s is out of range", (name, text) => {
    expect(problemOf(() => parseSearch({ [name]: text }))).toBe("out_of_range");
  });

  test("the poles, the date line, the equator and Greenwich are valid", () => {
    expect(parseSearch({ lat: "-90", lng: "180" })).toMatchObject({ lat: -90, lng: 180 });
    expect(parseSearch({ lat: "0", lng: "-0.0" })).toMatchObject({ lat: 0, lng: -0 });
  });

  test("one alone is valid: the other has its default", () => {
    const centreOf = (values: Record<string, string>) => toCentre(parseSearch(values), REQUEST_DEFAULTS);
    expect(centreOf({ lat: "21.03" })).toStrictEqual({ latitude: 21.03, longitude: 106.61744 });
    expect(centreOf({ lng: "105.85" })).toStrictEqual({ latitude: 10.801671, longitude: 105.85 });
    expect(parsePlace({ data_id: "0x1:0x2", lat: "1" })).toMatchObject({ data_id: "0x1:0x2", lat: 1 });
  });

  test("without any, the middle of the rectangle is the centre", () => {
    const centreOf = (values: Record<string, string>) => toCentre(parseSearch(values), REQUEST_DEFAULTS);
    expect(centreOf({ bbox: "105,20,106,22" })).toStrictEqual({ latitude: 21, longitude: 105.5 });
    expect(centreOf({ bbox: "170,-20,-176,-10" })).toStrictEqual({ latitude: -15, longitude: 177 });
    expect(centreOf({ bbox: "105,20,106,22", lat: "10" })).toStrictEqual({
      latitude: 10,
      longitude: 106.61744,
    });
  });

  test("a decimal comma equals a decimal point", () => {
    fc.assert(
      fc.property(fc.integer({ min: -90_000_000, max: 90_000_000 }), (microdegrees) => {
        const text = (microdegrees / 1e6).toFixed(6);
        const withPoint = parseSearch({ lat: text }).lat;
        expect(withPoint).toBe(Number(text));
        expect(parseSearch({ lat: text.replace(".", ",") }).lat).toBe(withPoint);
      }),
    );
  });
});

test.each(["Minimal", "FULL", "", "minimal,full", "toString", "__proto__"])(
  "type=%j is no level of detail",
  (type) => {
    expect(problemOf(() => parseSearch({ type }))).toBe("unknown_value");
  },
);

test.each(["", "1.0", "1e1", "-0", "+5", " 5", "٣", "0x5", "five"])(
  "limit=%j is no whole number",
  (limit) => {
    expect(problemOf(() => parseSearch({ limit }))).toBe("malformed");
  },
);

test.each([{ limit: "0" }, { limit: "51" }, { limit: "9".repeat(500) }, { offset: "201" }])(
  "%j is out of range",
  (values) => {
    expect(problemOf(() => parseSearch(values as Record<string, string>))).toBe("out_of_range");
  },
);

test("limit is 1 to 50 and offset at most 200", () => {
  expect(parseSearch({ limit: "50", offset: "200" })).toMatchObject({ limit: 50, offset: 200 });
  expect(parseSearch({ limit: "1", offset: "0" })).toMatchObject({ limit: 1, offset: 0 });
});

test.each(["", "e", "en_", "en-", "-en", "english please", "../../etc", "x".repeat(5_000)])(
  "lang=%j is no language tag",
  (lang) => {
    expect(problemOf(() => parseSearch({ lang }))).toBe("malformed");
  },
);

test.each(["vi", "en", "EN", "en-GB", "zh-Hant-TW", "fr"])("lang=%s is a language tag", (lang) => {
  expect(parseSearch({ lang }).lang).toBe(lang);
});

test.each(["", "all", "distance,", ",", "Distance", "distance, periods", "distance;periods", "toString"])(
  "include=%j asks for something unknown",
  (include) => {
    expect(problemOf(() => parseSearch({ include }))).toBe("unknown_value");
  },
);

test("include takes a comma list, in any order", () => {
  expect(parseSearch({ include: "match,distance,explain,periods,distance" }).include).toStrictEqual(
    new Set(["match", "distance", "explain", "periods"]),
  );
});

describe("data_id", () => {
  test.each([
    "",
    "0x1",
    "0x1:",
    "1:2",
    "0x1:0x2:0x3",
    "0xg:0x1",
    "0x1:0x2 ",
    "../stats",
    "0x1/0x2",
    "0x1:0x2/../x",
  ])("%j is malformed", (data_id) => {
    expect(problemOf(() => parsePlace({ data_id }))).toBe("malformed");
  });

  test("upper case and leading zeros mean the same id", () => {
    expect(parsePlace({ data_id: "0x00AB:0X0C" }).data_id).toBe("0xab:0xc");
  });

  test("it is required", () => {
    expect(problemOf(() => parsePlace({}))).toBe("missing");
  });
});
