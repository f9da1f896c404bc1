import { expect, test } from "vitest";
import { buildPlace } from "../../support/build-place.ts";
import { startTestApp } from "../../support/test-app.ts";
import { createTestIndex } from "../../support/test-index.ts";

/** The first letter lies outside of the basic plane: two units of a JavaScript string, and cut in half no letter at all. */
const YOSHINOYA = buildPlace({
  title: "𠮷野家",
  location: { latitude: 35.6895, longitude: 139.6917, timezone: "Asia/Tokyo", country_code: "JP" },
});

test("a place whose name begins with a rare letter can be imported and found", async () => {
  await using testIndex = await createTestIndex([YOSHINOYA]);
  await using app = await startTestApp({ index: testIndex.index });
  for (const q of ["𠮷野家", "𠮷", "𠮷野"]) {
    const target = `/api/maps/search?q=${encodeURIComponent(q)}&lat=35.69&lng=139.69`;
    expect(await app.read(target)).toMatchObject({ local_result: [{ data_id: YOSHINOYA.data_id }] });
  }
});
