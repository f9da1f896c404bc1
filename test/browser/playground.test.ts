import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { CAFE } from "../support/sample-places.ts";
import { CENTRE } from "./city.ts";
import { expectSeen, openMap, type OpenMap } from "./open-map.ts";

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

const paramsOf = (page: OpenMap["page"]): URLSearchParams => new URL(page.url()).searchParams;

/** The title of the mark at the centre of the search, and whether it is blue. */
const readMark = (page: OpenMap["page"]): Promise<{ title: string; isBlue: boolean }> =>
  page.evaluate(`(() => {
    const mark = document.querySelector(".caller");
    const { backgroundColor } = getComputedStyle(mark.firstElementChild);
    return { title: mark.title, isBlue: backgroundColor === "rgb(37, 99, 235)" };
  })()`);

const CENTRE_MARK = { title: "Centre of the search. Drag to move it.", isBlue: false };

const searchBox = (page: OpenMap["page"]) => page.getByRole("combobox", { name: "Search for places" });

describe("typing", () => {
  test("suggests places; arrows select and Enter opens one", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    const box = searchBox(page);
    await box.pressSequentially("ca phe trung ba");
    const option = page.getByRole("option", { name: CAFE.title });
    await option.waitFor();
    expect(await box.getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => page.locator("#whisper").textContent()).toMatch(/suggestion/);
    await box.press("ArrowDown");
    expect(await option.getAttribute("aria-selected")).toBe("true");
    expect(await box.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
    await box.press("Enter");
    const heading = page.getByRole("heading", { level: 2, name: CAFE.title });
    await heading.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(CAFE.title);
    expect(paramsOf(page).get("place")).toBe(CAFE.data_id);
  });

  test("arrows go through the list and back to the input, and Escape closes it", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    const box = searchBox(page);
    await box.pressSequentially("vong xoay");
    await page.locator("#suggestions [role=option]").first().waitFor();
    const count = await page.locator("#suggestions [role=option]").count();
    await box.press("ArrowUp");
    expect(await box.getAttribute("aria-activedescendant")).toBe(`suggestion-${count - 1}`);
    await box.press("ArrowDown");
    expect(await box.getAttribute("aria-activedescendant")).toBeNull();
    await box.press("Escape");
    expect(await page.getByRole("listbox", { name: "Suggestions" }).count()).toBe(0);
    expect(await box.inputValue()).toBe("vong xoay");
    await box.press("Escape");
    expect(await box.inputValue()).toBe("");
  });

  test("suggests kinds, which a click searches for", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    await searchBox(page).pressSequentially("coff");
    const kind = page.getByRole("option", { name: /Coffee shop Kind of place/ });
    await kind.click();
    await expectSeen(page.getByRole("status").filter({ hasText: "Top 20 for “Coffee shop”" }));
    expect(paramsOf(page).get("q")).toBe("Coffee shop");
  });

  test("begins anywhere on the page with /", async () => {
    await using map = await openMap(`?q=vong+xoay&${AT_CENTRE}`);
    const { page } = map;
    await page.locator(".card").first().waitFor();
    await page.locator("#found").focus();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
    expect(await searchBox(page).inputValue()).toBe("vong xoay");
  });

  test("suggestions say how far away the places are", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    await searchBox(page).fill("vong xoay 7");
    await expectSeen(page.getByRole("option", { name: /Cà phê Vòng Xoay 7 .*420 m/ }));
    await searchBox(page).fill("coff");
    const kind = page.getByRole("option", { name: /Coffee shop Kind of place/ });
    await expectSeen(kind);
    expect(await kind.locator(".option-way").count()).toBe(0);
  });

  test("a late response keeps the suggestion that was chosen meanwhile", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    const isHeld = Promise.withResolvers<void>();
    await page.route(/autocomplete.*q=ca(?:\+|%20)phe(?:\+|%20)trung(?:&|$)/, async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    const box = searchBox(page);
    await box.fill("ca phe tru");
    const option = page.locator("#suggestions").getByRole("option", { name: CAFE.title });
    await option.waitFor();
    const asked = page.waitForRequest(/trung(?:&|$)/);
    await box.fill("ca phe trung");
    await asked;
    while ((await option.getAttribute("aria-selected")) !== "true") await box.press("ArrowDown");
    const answered = page.waitForResponse(/trung(?:&|$)/);
    isHeld.resolve();
    await answered;
    await page.locator(".option-value mark", { hasText: /trứng/i }).first().waitFor();
    expect(await option.getAttribute("aria-selected")).toBe("true");
  });

  test("never replaces a newer response by an older one", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    const isHeld = Promise.withResolvers<void>();
    await page.route(/autocomplete.*q=vong(?:&|$)/, async (route) => {
      await isHeld.promise;
      await route.continue().catch(() => undefined);
    });
    const box = searchBox(page);
    const held = page.waitForRequest(/q=vong(?:&|$)/);
    await box.fill("vong");
    await held;
    await box.fill("ca phe trung");
    await expectSeen(page.getByRole("option", { name: CAFE.title }));
    isHeld.resolve();
    await page.waitForTimeout(300);
    const shown = await page.locator("#suggestions [role=option]").allTextContents();
    expect(shown[0]).toContain(CAFE.title);
  });
});

describe("a search", () => {
  test("shows the same places in the list and on the map, and moves the map to them", async () => {
    await using map = await openMap("?lat=10.9&lng=106.9");
    const { page } = map;
    await searchBox(page).fill("cafe");
    await searchBox(page).press("Enter");
    await expectSeen(page.getByRole("status").filter({ hasText: "Top 20 for “cafe”" }));
    const cards = await page.locator(".card h2").allTextContents();
    expect(cards).toHaveLength(20);
    await expect
      .poll(async () => (await readPins(page)).reduce((sum, { places }) => sum + places, 0))
      .toBe(20);
    for (const { number, title } of await readPins(page)) expect(title).toBe(cards[number - 1]);
    await expect.poll(() => countInView(page)).toBeGreaterThan(5);
    expect(paramsOf(page).get("q")).toBe("cafe");
  });

  test("dragging the map offers to search there", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const searchHere = page.getByRole("button", { name: "Search this area" });
    // A map that is still moving to its results is dragged in vain.
    await vi.waitUntil(
      async () => {
        await page.mouse.move(1000, 300);
        await page.mouse.down();
        await page.mouse.move(600, 600, { steps: 8 });
        await page.mouse.up();
        return searchHere.isVisible();
      },
      { timeout: 30_000, interval: 500 },
    );
    const answered = page.waitForResponse(/maps\/search/);
    await searchHere.click();
    const asked = new URL((await answered).url()).searchParams;
    expect(Number(asked.get("lat"))).toBeGreaterThan(CENTRE.latitude);
    expect(paramsOf(page).get("lat")).toBe(asked.get("lat"));
    expect(await page.locator("#point-text").getAttribute("title")).toContain(
      Number(asked.get("lat")).toFixed(4),
    );
  });

  test("goes on with more results, and moves the focus to the first of them", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    const { page } = map;
    await page.getByRole("button", { name: "More results" }).click();
    await expect.poll(() => page.locator(".card").count()).toBeGreaterThan(20);
    const next = page.locator(".card-open").nth(20);
    await expect
      .poll(() => page.evaluate("document.activeElement.textContent"))
      .toBe(await next.textContent());
  });

  test("needs no words: places around here, and a kind with one press", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    await page.getByRole("button", { name: "Around here" }).click();
    await expectSeen(page.getByRole("status").filter({ hasText: "20 places around here" }));
    await expect.poll(() => page.title()).toBe("Around here · Hereabouts");
    await page
      .getByRole("group", { name: "Kinds of places" })
      .getByRole("button", { name: "Coffee shop" })
      .click();
    await expectSeen(page.getByRole("status").filter({ hasText: "for “Coffee shop”" }));
  });

  test("starts from the point of a right click", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    await map.page.locator(".card").first().waitFor();
    await map.page.locator("#map").click({ button: "right", position: { x: 60, y: 400 } });
    await expect.poll(() => Number(paramsOf(map.page).get("lng"))).toBeLessThan(CENTRE.longitude);
    await expectSeen(map.page.locator(".card").first());
  });

  test("starts from the device's location on request", async () => {
    const here = { latitude: 10.75, longitude: 106.65 };
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, {
      geolocation: here,
      permissions: ["geolocation"],
    });
    await map.page.locator(".card").first().waitFor();
    expect(await readMark(map.page)).toEqual(CENTRE_MARK);
    await map.page.getByRole("button", { name: "My location" }).click();
    await expect.poll(() => paramsOf(map.page).get("lat")).toBe("10.75");
    await expect
      .poll(() => readMark(map.page))
      .toEqual({
        title: "You are here. Drag to search elsewhere.",
        isBlue: true,
      });
    await map.page.locator("#map").click({ button: "right", position: { x: 60, y: 400 } });
    await expect.poll(() => readMark(map.page)).toEqual(CENTRE_MARK);
  });

  test("names the ward around which it searches, and its coordinates where no ward is known", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    await expectSeen(map.page.getByText("Around Phường Bến Thành"));
    await map.page.goto(`${map.url}/?lat=0.5&lng=0.5`);
    await expectSeen(map.page.getByText("Around 0.5000, 0.5000"));
  });

  test.each([
    ["puts the keyboard of a touch screen away", true, "found"],
    ["keeps the focus in the field with a keyboard", false, "search"],
  ])("%s after Enter", async (_, hasTouch, focused) => {
    await using map = await openMap(`?${AT_CENTRE}`, { hasTouch, isMobile: hasTouch });
    const { page } = map;
    await searchBox(page).fill("cafe");
    await searchBox(page).press("Enter");
    await page.locator(".card").first().waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe(focused);
    // A kind among the suggestions is a search too.
    await searchBox(page).fill("coff");
    const kind = page.getByRole("option", { name: /Coffee shop Kind of place/ });
    await (hasTouch ? kind.tap() : kind.click());
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe(focused);
  });

  test("says how the query was understood", async () => {
    await using map = await openMap(`?q=cafe+gia+re+gan+day&${AT_CENTRE}`);
    await map.page.locator(".card").first().waitFor();
    await expectSeen(map.page.getByText("Understood as: Coffee shop · cheap."));
  });

  test("applies and removes filters", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, {
      at: Temporal.Instant.from("2026-11-18T10:00+07:00"),
    });
    const { page } = map;
    const count = (): Promise<number> => page.locator(".card").count();
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: "Open now" }).click();
    await expectSeen(page.getByRole("status").filter({ hasText: "16 places" }));
    await expect.poll(count).toBe(16);
    expect(await page.locator(".state.open").count()).toBe(16);
    await page.getByLabel("Rating", { exact: true }).selectOption("4");
    await expect.poll(count).toBeLessThan(15);
    await page.getByLabel("Price").selectOption("100000");
    await expect.poll(count).toBeLessThan(6);
    expect(Object.fromEntries(paramsOf(page))).toMatchObject({
      open_now: "true",
      min_rating: "4",
      max_price: "100000",
    });
    await page.getByRole("button", { name: "Reset filters" }).click();
    await expect.poll(count).toBe(20);
  });

  test("is sorted as chosen, and explains the ranking on request", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    const { page } = map;
    await page.getByLabel("Sort by").selectOption("rating");
    await expect.poll(() => page.locator(".rating b").first().textContent()).toBe("5.0");
    await page.getByRole("button", { name: "Why this order" }).click();
    await page.locator(".why").first().waitFor();
    const [words, nearness, prominence, score] = (
      await page.locator(".card").first().locator(".why dd").allTextContents()
    ).map(Number);
    expect((words ?? 0) + (nearness ?? 0) + (prominence ?? 0)).toBeCloseTo(score ?? -1, 2);
  });

  test("without results says so and suggests what to do", async () => {
    await using map = await openMap(`?q=xqzwvk&open_now=true&${AT_CENTRE}`);
    await expectSeen(map.page.getByRole("heading", { name: "Nothing found" }));
    await expectSeen(map.page.getByText("Try removing some filters."));
  });
});

test("what is near is said to be near you, and the map fits the nearest five", async () => {
  await using map = await openMap(`?q=${encodeURIComponent("cafe gần đây")}&${AT_CENTRE}`);
  await expectSeen(map.page.getByText(/places? near you/));
});

describe("the map without tiles", () => {
  test("names the wards and the best known places in view, which open with a click", async () => {
    await using map = await openMap(`?${AT_CENTRE}`);
    const { page } = map;
    await expectSeen(page.locator(".area-name span").filter({ hasText: "Bến Thành" }));
    await page.getByRole("button", { name: "Zoom in" }).click();
    const name = page.locator(".place-name:not(.bare) span").filter({ hasText: CAFE.title });
    await expectSeen(name);
    await name.click();
    await expectSeen(page.getByRole("heading", { level: 2, name: CAFE.title }));
    // The request panel shows what people asked for.
    await page.getByRole("button", { name: /API request/ }).click();
    expect(await page.locator("#request-body").textContent()).not.toContain("bbox");
  });

  test("joins pins that cover each other until one zooms in", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`, { reducedMotion: "reduce" });
    const { page } = map;
    await page.locator(".pin").first().waitFor();
    const cluster = page.getByRole("button", { name: /more\. Zoom in to see them\.$/ });
    for (let zooms = 0; zooms < 4 && (await cluster.count()) === 0; zooms++)
      await page.getByRole("button", { name: "Zoom out" }).click();
    const before = (await readPins(page)).length;
    await cluster.first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await readPins(page)).length).toBeGreaterThan(before);
  });

  test("restricts a search to a rectangle that one draws", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    const { page } = map;
    await page.locator(".card").first().waitFor();
    const start = page.getByRole("button", { name: "Search in a rectangle" });
    await start.click();
    await page.keyboard.press("Escape");
    expect(await start.getAttribute("aria-pressed")).toBe("false");
    await start.click();
    await expectSeen(page.getByText("Drag over the map"));
    await page.mouse.move(900, 380);
    await page.mouse.down();
    await page.mouse.move(1000, 520, { steps: 3 });
    const asked = page.waitForRequest(/maps\/search.*bbox=/);
    await page.mouse.up();
    const box = new URL((await asked).url()).searchParams.get("bbox")?.split(",").map(Number) ?? [];
    await expect.poll(() => paramsOf(page).get("bbox")).toBe(box.join(","));
    const chip = page.getByRole("button", { name: "In the rectangle" });
    await expectSeen(chip);
    await expect.poll(() => page.locator(".card").count()).toBeLessThan(20);
    await chip.click();
    await expect.poll(() => page.locator(".card").count()).toBe(20);
    await expect.poll(() => paramsOf(page).has("bbox")).toBe(false);
  });

  test("takes the whole view for those who cannot draw", async () => {
    await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
    const { page } = map;
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: "Search in a rectangle" }).press("Enter");
    await page.getByRole("button", { name: "Use this view" }).press("Enter");
    await expectSeen(page.getByRole("button", { name: "In the rectangle" }));
  });
});

test("compares a list with the same query in another order and around another centre", async () => {
  await using map = await openMap(`?q=cafe&${AT_CENTRE}`);
  const { page } = map;
  await page.getByRole("button", { name: "Compare" }).click();
  const columns = page.locator(".compared-list");
  await expect.poll(() => columns.count()).toBe(2);
  await expect.poll(() => columns.last().getByRole("button").count()).toBe(20);
  const asked = page.waitForRequest(/maps\/search.*sort=rating/);
  await page.getByLabel("Sort by").last().selectOption("rating");
  await asked;
  await expectSeen(page.getByText(/^(?:▲ up \d+|only here)$/).first());
  // Its weights are applied to the first fifty, which the page requests.
  const many = page.waitForRequest(/maps\/search.*limit=50/);
  await page.getByLabel("Sort by").last().selectOption("Relevant, nearness × 0");
  await many;
  await expect.poll(() => paramsOf(page).get("compare")).toBe("anywhere");
  await expectSeen(page.getByText(/^(?:▲ up \d+|only here)$/).first());
  await expect.poll(() => columns.last().getByRole("button").count()).toBe(20);
  await page.getByLabel("Sort by").last().selectOption("rating");
  await page.getByLabel("Centre of the other list").selectOption("map");
  await expect.poll(() => paramsOf(page).get("compare")).toMatch(/^rating,10\.\d+,106\.\d+$/);
  await page.getByRole("button", { name: "Compare" }).click();
  await expectSeen(page.locator(".card").first());
  expect(paramsOf(page).has("compare")).toBe(false);
});

describe("the request", () => {
  test("has its places as GeoJSON", async () => {
    await using map = await openMap(`?q=vong+xoay+7&${AT_CENTRE}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: /API request/ }).click();
    await page.getByRole("button", { name: "Copy as GeoJSON" }).click();
    await expectSeen(page.getByText("Copied"));
    const copied: unknown = JSON.parse(String(await page.evaluate("navigator.clipboard.readText()")));
    expect(copied).toMatchObject({
      type: "FeatureCollection",
      features: [{ properties: { title: "Cà phê Vòng Xoay 7" } }],
    });
  });

  test("is shown without the key, and works when copied", async () => {
    await using map = await openMap(`?q=vong+xoay+7&${AT_CENTRE}&explain=true`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = map;
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: /API request/ }).click();
    const shown = (await page.locator("#request-body").textContent()) ?? "";
    expect(shown).toContain("GET /api/maps/search");
    expect(shown).toContain("include=distance,match,periods,explain");
    expect(shown).not.toContain(map.key);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await expectSeen(page.getByText("Copied"));
    const command = String(await page.evaluate("navigator.clipboard.readText()"));
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ local_result: [{ title: "Cà phê Vòng Xoay 7" }] });
  });
});

/** The pins of results: the best place of each, its number, and how many places the pin stands for. */
async function readPins(page: OpenMap["page"]) {
  // In one step, because pins are drawn anew with every zoom.
  const labels = (await page.evaluate(
    `[...document.querySelectorAll(".pin")].map((pin) => pin.getAttribute("aria-label"))`,
  )) as string[];
  return labels.map((label) => {
    const [, number, title, others = 0] =
      /^(\d+) (.*?)(?: and (\d+) more\. Zoom in to see them\.)?$/.exec(label) ?? [];
    return { number: Number(number), title, places: 1 + Number(others) };
  });
}

/** How many pins stand where they are seen. */
async function countInView(page: OpenMap["page"]): Promise<number> {
  return (await page.evaluate(`(() => {
    const frame = document.querySelector("#map").getBoundingClientRect();
    const isInside = ({ left, right, top, bottom }) =>
      left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    return [...document.querySelectorAll(".pin")].filter((pin) => isInside(pin.getBoundingClientRect())).length;
  })()`)) as number;
}
