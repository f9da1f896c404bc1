import { describe, expect, test } from "vitest";
import { fakePlaces } from "../support/fake-places.ts";
import { CAFE } from "../support/sample-places.ts";
import { CENTRE } from "./city.ts";
import { expectSeen, openMap, type OpenMap } from "./open-map.ts";

const AT_CENTRE = `lat=${CENTRE.latitude}&lng=${CENTRE.longitude}`;

const paramsOf = (page: OpenMap["page"]): URLSearchParams => new URL(page.url()).searchParams;

const searchBox = (page: OpenMap["page"]) => page.getByRole("combobox", { name: "Search for places" });

describe("a place", () => {
  test("opens from its card or its pin, and Back returns to the card", async () => {
    await using map = await openMap(`?q=vong+xoay&${AT_CENTRE}`);
    const { page } = map;
    const card = page.locator(".card-open").nth(2);
    const title = (await card.textContent()) ?? "";
    await card.click();
    await expectSeen(page.getByRole("heading", { level: 2, name: title }));
    await page.locator(`.pin[aria-pressed=true][aria-label="3 ${title}"]`).waitFor();
    await page.getByRole("button", { name: "Back to results" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(title);
    const pin = page.locator(".pin:not(.cluster)").last();
    await pin.focus();
    await pin.press("Enter");
    await expectSeen(page.getByRole("heading", { level: 2, name: /Vòng Xoay/ }));
    await page.goBack();
    await card.waitFor();
  });

  test("gives the page its title, and closes with Escape", async () => {
    await using map = await openMap(`?q=vong+xoay&${AT_CENTRE}`);
    const { page } = map;
    const card = page.locator(".card-open").first();
    const title = (await card.textContent()) ?? "";
    await card.click();
    await expect.poll(() => page.title()).toBe(`${title} · Hereabouts`);
    expect(await page.getByRole("link", { name: "Directions" }).getAttribute("href")).toMatch(
      /destination=10\.\d+,106\.\d+$/,
    );
    await page.keyboard.press("Escape");
    await expectSeen(card);
    await expect.poll(() => page.title()).toBe("vong xoay · Hereabouts");
  });

  test("shows hours with today marked, popular times, reviews and links", async () => {
    await using map = await openMap(`?place=${CAFE.data_id}&${AT_CENTRE}`);
    const { page } = map;
    await expectSeen(page.getByRole("heading", { level: 2, name: CAFE.title }));
    expect(await page.locator(".hours [aria-current=date]").count()).toBe(1);
    expect(await page.locator(".hours tr").count()).toBe(7);
    await page.getByRole("button", { name: "Mon", exact: true }).click();
    await expectSeen(page.getByRole("img", { name: /Monday: busiest at 8:00 AM/ }));
    await expectSeen(page.getByText("Ngon!"));
    expect(await page.getByRole("link", { name: CAFE.contacts.phone }).getAttribute("href")).toBe(
      "tel:+842838290000",
    );
  });

  test.each([
    ["that no longer exists", "0x9:0x999999", "no longer in the dataset"],
    ["that the address does not name", "nonsense", "does not lead to a place"],
  ])("%s offers a search, since trying again cannot help", async (_, dataId, text) => {
    await using map = await openMap(`?place=${dataId}&${AT_CENTRE}`, { expectedComplaints: /404|422/ });
    const { page } = map;
    const alert = page.getByRole("alert").filter({ hasText: text });
    await expectSeen(alert);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await page.getByText("Something went wrong").count()).toBe(0);
    await alert.getByRole("button", { name: "Search for a place" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search");
    await expectSeen(page.getByRole("heading", { name: "What are you looking for?" }));
    expect(paramsOf(page).has("place")).toBe(false);
  });

  test("with a name from right to left has it in that direction everywhere", async () => {
    const place = { ...CAFE, title: "مقهى 24 ساعة" };
    // The fake index has no overview of its places.
    await using map = await openMap(`?q=x&${AT_CENTRE}`, {
      ...fakePlaces({ places: [place] }),
      expectedComplaints: /500/,
    });
    const { page } = map;
    const directionOf = (selector: string): Promise<unknown> =>
      page.evaluate(`(() => {
        const find = (root) => root.querySelector("${selector}");
        const box = document.querySelector("place-search").shadowRoot;
        return getComputedStyle(find(document) ?? find(box)).direction;
      })()`);
    await page.locator(".card").first().waitFor();
    await page.locator(".pin-label").first().waitFor({ state: "attached" });
    expect(await directionOf(".card h2")).toBe("rtl");
    expect(await directionOf(".pin-label")).toBe("rtl");
    await searchBox(page).fill("مقهى");
    await page.locator("#suggestions [role=option]").first().waitFor();
    expect(await directionOf("#query")).toBe("rtl");
    expect(await directionOf(".option-value")).toBe("rtl");
    await searchBox(page).press("Escape");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".compared-open").first().waitFor();
    expect(await directionOf(".compared-open")).toBe("rtl");
    await page.locator(".compared-open").first().click();
    await page.locator("#detail-title").waitFor();
    expect(await directionOf("#detail-title")).toBe("rtl");
  });
});
