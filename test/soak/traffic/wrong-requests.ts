/** What callers get wrong, each with one right answer. */

export const BAD_QUERIES: readonly string[] = [
  "/api/maps/search",
  "/api/maps/search?q=",
  "/api/maps/search?q=cafe&q=pho",
  "/api/maps/search?q=cafe&lat=91",
  "/api/maps/search?q=cafe&lat=NaN&lng=1e309",
  "/api/maps/search?q=cafe&limit=0",
  "/api/maps/search?q=cafe&open_now=true&open_at=2026-11-20T20:00Z",
  "/api/maps/search?q=cafe&category=NOTHING",
  "/api/maps/search?q=%ff%fe",
  `/api/maps/search?q=${"x".repeat(257)}`,
  "/api/maps/place",
  "/api/maps/place?data_id=",
  "/api/maps/place?data_id=0x1",
  "/api/maps/place?data_id=0xg:0x1",
  "/api/maps/place?data_id=0x1:0x11111111111111111",
  "/api/maps/place?data_id=../../keys",
  "/api/maps/autocomplete?q=%20%20",
  "/api/maps/autocomplete?q=ca&limit=11",
];

export const UNKNOWN_PATHS: readonly string[] = [
  "/api/maps/nowhere",
  "/api/maps/search/",
  "/API/maps/search?q=cafe",
  "/api/maps/place/0x1:0x2",
  "/.env",
  "/__proto__",
  "/api/maps/search%2f..%2fkeys",
];

export const WRONG_METHODS: readonly string[] = ["POST", "PUT", "PATCH", "DELETE"];

export const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "accept-language": "en;q=9,,;;,*;q=x" },
  { "accept-language": `${"en,".repeat(500)}vi` },
  { "if-none-match": '"nothing"' },
  { "if-none-match": `W/"${"x".repeat(500)}"` },
  { "if-modified-since": "Fri, 31 Feb 2026 25:61:61 GMT" },
  { range: "bytes=0-1" },
  { "x-request-id": "<script>alert(1)</script>" },
  { "x-request-id": "x".repeat(4_000) },
  { "x-forwarded-for": "1.2.3.4, unknown", "x-forwarded-host": "elsewhere.example" },
  { accept: "text/html", "accept-encoding": "gzip, br;q=0" },
  { origin: "https://elsewhere.example", cookie: "a=b; __proto__=c" },
];
