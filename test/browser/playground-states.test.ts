import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { engineUnavailable } from "../../src/errors.ts";
import type { Coordinates } from "../../src/place/geometry/coordinates.ts";
import { fakePlaces } from "../support/fake-places.ts";
import { CAFE } from "../support/sample-places.ts";
import { CENTRE } from "./city.ts";
import { expectSeen, openMap, shareCity } from "./open-map.ts";

const city = await shareCity();

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

describe("errors are shown in words", () => {
  test("without a key from the server, the page asks for one, keeps it in the tab and can forget it", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, {
      isProduction: true,
      expectedComplaints: /40[14]/,
    });
    const { page } = map;
    await page.getByRole("button", { name: "Enter a key" }).click();
    const input = page.getByLabel("API key", { exact: true }).locator("visible=true").last();
    await input.fill("too short");
    await page.getByRole("button", { name: "Use this key" }).click();
    await expectSeen(page.getByText("This is not a valid key"));
    await input.fill("a-key-that-nobody-holds");
    await page.getByRole("button", { name: "Use this key" }).click();
    await expectSeen(page.getByRole("alert").filter({ hasText: "does not accept this API key" }));
    await page.getByRole("button", { name: "Enter a key" }).click();
    await input.fill(map.key);
    await page.getByRole("button", { name: "Use this key" }).click();
    await page.locator(".card").first().waitFor();
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(map.key);
    await page.reload();
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: "API key" }).click();
    await page.getByRole("button", { name: "Remove key" }).click();
    await expectSeen(page.getByRole("button", { name: "Enter a key" }));
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(map.key);
  });

  test("a reached limit counts down, and the search then repeats", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { expectedComplaints: /429/ });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const body = JSON.stringify({ code: "rate_limit_minute", status: 429, detail: "Wait." });
    const headers = { "retry-after": "3" };
    await page.route(/maps\/search/, (route) =>
      route.fulfill({ status: 429, contentType: "application/problem+json", headers, body }),
    );
    await page.getByRole("button", { name: "Open now" }).click();
    await expectSeen(page.getByRole("alert").filter({ hasText: "Too many requests" }));
    expect(await page.getByRole("button", { name: /Try again in [23] s/ }).isDisabled()).toBe(true);
    await page.unroute(/maps\/search/);
    await page.locator(".card").first().waitFor();
  });

  test("a real limit of the service is shown in the same way", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { perMinute: 1, expectedComplaints: /429/ });
    await expectSeen(map.page.getByRole("alert").filter({ hasText: "Too many requests in one minute" }));
  });

  test("an engine that is down", async () => {
    const down = fakePlaces({ error: engineUnavailable("gone") });
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { ...down, expectedComplaints: /500/ });
    await expectSeen(map.page.getByRole("alert").filter({ hasText: "Search is unavailable" }));
    await expectSeen(map.page.getByRole("button", { name: /API request 500/ }));
    await expectSeen(map.page.getByRole("button", { name: "Try again" }));
  });

  test("a browser without a connection", async () => {
    await using map = await openMap(`?${AT_CENTRE}`, { expectedComplaints: /ERR_INTERNET_DISCONNECTED/ });
    const { page } = map;
    await expectSeen(page.getByRole("heading", { name: "What are you looking for?" }));
    await page.context().setOffline(true);
    await page.getByRole("main").getByRole("button", { name: "coffee" }).click();
    await expectSeen(page.getByRole("alert").filter({ hasText: "You are offline" }));
    await expectSeen(page.getByRole("button", { name: /API request no response/ }));
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".card").first().waitFor();
  });
});

describe("languages and themes", () => {
  test("shows Vietnamese to browsers that prefer it, and requests it", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { locale: "vi-VN" });
    const { page } = map;
    await expectSeen(page.getByRole("status").filter({ hasText: "20 kết quả đầu tiên cho “cafe”" }));
    expect(await page.locator("html").getAttribute("lang")).toBe("vi");
    const asked = page.waitForResponse(/maps\/search/);
    await page.getByRole("button", { name: "Đang mở cửa" }).click();
    expect(new URL((await asked).url()).searchParams.get("lang")).toBe("vi");
  });

  test("changing language or theme keeps the results and is remembered", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}&min_rating=4`, { colorScheme: "light" });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const ground = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await page.getByRole("button", { name: "Light or dark" }).click();
    await expect.poll(ground).not.toBe(light);
    await page.getByRole("button", { name: "VI, Tiếng Việt" }).click();
    await expectSeen(page.getByRole("status").filter({ hasText: "địa điểm cho “cafe”" }));
    expect(await page.getByLabel("Đánh giá", { exact: true }).inputValue()).toBe("4");
    expect(await ground()).not.toBe(light);
  });
});

test("a shared address restores words, filters, explanations and the open place", async () => {
  const path = `?q=vong+xoay&${AT_CENTRE}&open_now=true&radius=5000&sort=distance&place=${CAFE.data_id}&explain=true`;
  await using map = await openMap(path);
  const { page } = map;
  await expectSeen(page.getByRole("heading", { level: 2, name: CAFE.title }));
  expect(await page.locator("#query").inputValue()).toBe("vong xoay");
  expect(await page.getByRole("button", { name: "Open now" }).getAttribute("aria-pressed")).toBe("true");
  expect(await page.getByLabel("Distance").inputValue()).toBe("5000");
  expect(await page.getByLabel("Sort by").inputValue()).toBe("distance");
  await page.getByRole("button", { name: "Back to results" }).click();
  await page.locator(".why").first().waitFor();
  expect(await page.locator("#point-text").getAttribute("title")).toBe("10.7721, 106.6980");
});

describe("where there are no places", () => {
  /** Hanoi, a thousand kilometres from the places. */
  const FAR = { latitude: 21.03, longitude: 105.85 };

  test("my location says so, with a way back to them", async () => {
    await using map = await openMap(`?${AT_CENTRE}`, { geolocation: FAR, permissions: ["geolocation"] });
    const { page } = map;
    await expectSeen(page.getByRole("heading", { name: "What are you looking for?" }));
    const notice = page.getByRole("status").filter({ hasText: "No places around here" });
    expect(await notice.count()).toBe(0);
    await page.getByRole("button", { name: "My location" }).click();
    await expectSeen(notice.filter({ hasText: /about 1,1\d\d km away/ }));
    await page.getByRole("button", { name: "Go to the places" }).click();
    await notice.waitFor({ state: "detached" });
    const lat = Number(new URL(page.url()).searchParams.get("lat"));
    expect(Math.abs(lat - CENTRE.latitude)).toBeLessThan(0.05);
  });

  test.each(["cafe", "xqzwvk"])("a search for %s says so too", async (query) => {
    await using map = await openMap(`?q=${query}&lat=${FAR.latitude}&lng=${FAR.longitude}`);
    await expectSeen(map.page.getByRole("status").filter({ hasText: "No places around here" }));
    await expectSeen(map.page.locator(".card, .notice").first());
    await map.page.getByRole("button", { name: "Go to the places" }).click();
    await map.page.locator(".far-away").waitFor({ state: "detached" });
  });
});

describe("credits", () => {
  const credit = "© OpenStreetMap contributors";
  /** The same places, as if one of them came from OpenStreetMap. */
  const withOpenStreetMap = {
    ...city.index,
    readSample: async (size: number) => {
      const sample = await city.index.readSample(size);
      return { ...sample, places: sample.places.with(-1, { ...CAFE, source: "osm" }) };
    },
  };

  test("OpenStreetMap is credited when places come from it, and not otherwise", async () => {
    await using map = await openMap(`?${AT_CENTRE}`, { index: withOpenStreetMap });
    const link = map.page.getByRole("link", { name: credit });
    await expectSeen(link);
    expect(await link.getAttribute("href")).toBe("https://www.openstreetmap.org/copyright");
    await using other = await openMap(`?${AT_CENTRE}`);
    await expectSeen(other.page.getByText("Search 33 places"));
    expect(await other.page.getByText("OpenStreetMap").count()).toBe(0);
  });

  test("whom the operator credits is shown as text, and nobody twice", async () => {
    const attribution = "Places: <b>OpenStreetMap</b> contributors";
    await using map = await openMap(`?${AT_CENTRE}`, { index: withOpenStreetMap, settings: { attribution } });
    await expectSeen(map.page.getByText(attribution));
    await expectSeen(map.page.getByText("Search 33 places"));
    expect(await map.page.getByText(credit).count()).toBe(0);
  });
});

describe("other origins", () => {
  /** A server of pictures on another port. */
  async function startPictures() {
    const asked: string[] = [];
    const pixel = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
      "base64",
    );
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "image/png" }).end(pixel);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { origin, asked, [Symbol.asyncDispose]: async () => void server.close() };
  }

  test("provide tiles if configured, with attribution under the map", async () => {
    await using pictures = await startPictures();
    const tiles = { url: `${pictures.origin}/{z}/{x}/{y}.png`, attribution: "© <b>Makers</b> of tiles" };
    await using map = await openMap(`?${AT_CENTRE}`, { settings: { tiles }, friends: [pictures.origin] });
    await expect.poll(() => pictures.asked.length).toBeGreaterThan(3);
    expect(pictures.asked.every((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true);
    await expectSeen(map.page.getByText("© <b>Makers</b> of tiles"));
    expect(await map.page.locator("#legend").isVisible()).toBe(false);
  });

  test("provide photos only if configured", async () => {
    await using pictures = await startPictures();
    const index = {
      ...city.index,
      pin: (centre: Coordinates) => ({
        ...city.index.pin(centre),
        readSummaries: async (...query: Parameters<typeof city.index.readSummaries>) => {
          const found = await city.index.readSummaries(...query);
          const first_photo = { id: "card", url: `${pictures.origin}/card.png`, width: 4, height: 3 };
          return new Map([...found].map(([id, place]) => [id, { ...place, first_photo }]));
        },
      }),
      getPlace: async () => ({
        ...CAFE,
        photos: CAFE.photos.map((gallery) => ({
          ...gallery,
          media: gallery.media.map((media) => ({ ...media, url: `${pictures.origin}/${media.id}.png` })),
        })),
      }),
    };
    await using drawn = await openMap(`?place=${CAFE.data_id}`, { index });
    await drawn.page.getByRole("heading", { level: 2, name: CAFE.title }).waitFor();
    expect(await drawn.page.locator(".gallery, .card img").count()).toBe(0);
    expect(pictures.asked).toEqual([]);
    await using shown = await openMap(`?place=${CAFE.data_id}`, {
      index,
      settings: { photoOrigins: [pictures.origin] },
      friends: [pictures.origin],
    });
    await expect.poll(() => pictures.asked).toEqual(["/m1.png"]);
    await shown.page.getByRole("img", { name: `${CAFE.title}, Inside` }).waitFor();
    await shown.page.getByRole("button", { name: "Around here" }).click();
    await expectSeen(shown.page.locator(".card img").first());
  });
});
