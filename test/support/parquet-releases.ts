import { DuckDBInstance } from "@duckdb/node-api";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes made-up releases of Overture and Foursquare OS Places, in the columns, types and folders of the real
 * ones. `node test/support/parquet-releases.ts FOLDER ROWS` writes both; a million rows take seconds.
 */
export async function writeReleases(folder: string, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    for (const { path, select } of [overtureRelease, foursquareRelease]) {
      for (const part of [0, 1]) {
        const file = join(folder, path, `part-0000${part}.zstd.parquet`);
        mkdirSync(join(folder, path), { recursive: true });
        const from = Math.floor((rows * part) / 2);
        const to = Math.floor((rows * (part + 1)) / 2);
        await connection.run(
          `COPY (${select} FROM range(${from}, ${to}) AS numbers(i) ORDER BY i)
           TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
        );
      }
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A grid over Ho Chi Minh City: some fifty metres from one place to the next. */
const LONGITUDE = "106.6 + (i % 1000) * 0.0005";
const LATITUDE = "10.7 + (i // 1000) * 0.0005";

const BBOX = `{'xmin': (${LONGITUDE})::FLOAT, 'xmax': (${LONGITUDE})::FLOAT, 'ymin': (${LATITUDE})::FLOAT, 'ymax': (${LATITUDE})::FLOAT} AS bbox`;

const RULES = `STRUCT(variant VARCHAR, "language" VARCHAR, perspectives STRUCT("mode" VARCHAR, countries VARCHAR[]), "value" VARCHAR, "between" DOUBLE[], side VARCHAR)[]`;

/** What Overture's schema says of 2025-12 and later. */
const overtureRelease = {
  path: "release/2026-11-18.0/theme=places/type=place",
  select: `SELECT
    md5(i::VARCHAR)[:8] || '-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0') AS id,
    CASE WHEN i % 100 = 3 THEN NULL ELSE ('POINT(' || (${LONGITUDE}) || ' ' || (${LATITUDE}) || ')')::GEOMETRY END AS geometry,
    ${BBOX},
    (i % 7 + 1)::INTEGER AS version,
    [{'property': '', 'dataset': 'meta', 'license': 'CDLA-Permissive-2.0', 'record_id': i::VARCHAR,
      'update_time': '2026-10-0' || (i % 9 + 1) || 'T00:00:00.000Z', 'confidence': 0.9::DOUBLE, 'between': NULL::DOUBLE[]}] AS sources,
    CASE WHEN i % 100 = 2 THEN NULL ELSE {
      'primary': 'Quán ' || i,
      'common': CASE WHEN i % 3 = 0 THEN MAP {'en': 'Place ' || i, 'ko': '장소 ' || i} END,
      'rules': CASE WHEN i % 5 = 0 THEN [{'variant': 'short', 'language': NULL, 'perspectives': NULL, 'value': 'Q' || i, 'between': NULL, 'side': NULL}]::${RULES} END
    } END AS names,
    {'primary': 'coffee_shop', 'alternate': CASE WHEN i % 2 = 0 THEN ['cafe', 'bakery'] ELSE []::VARCHAR[] END} AS categories,
    'coffee_shop' AS basic_category,
    {'primary': 'coffee_shop', 'hierarchy': ['food_and_drink', 'beverage_shop', 'coffee_shop'], 'alternates': NULL::VARCHAR[]} AS taxonomy,
    CASE WHEN i % 100 = 1 THEN 0.2 WHEN i % 100 = 4 THEN 0.0 WHEN i % 10 = 5 THEN NULL ELSE 0.77 END::DOUBLE AS confidence,
    CASE WHEN i % 2 = 0 THEN ['https://quan' || i || '.example/'] END AS websites,
    CASE WHEN i % 4 = 1 THEN ['https://www.facebook.com/' || i] ELSE []::VARCHAR[] END AS socials,
    NULL::VARCHAR[] AS emails,
    ['+84285' || lpad((i % 1000000)::VARCHAR, 6, '0')] AS phones,
    {'wikidata': NULL::VARCHAR, 'names': NULL::STRUCT("primary" VARCHAR, common MAP(VARCHAR, VARCHAR), rules ${RULES})} AS brand,
    [{'freeform': i || ' Đường Mây', 'locality': 'Hồ Chí Minh', 'postcode': '700000', 'region': 'VN-SG', 'country': 'VN'}] AS addresses,
    CASE WHEN i % 100 = 4 THEN 'permanently_closed' ELSE 'open' END AS operating_status`,
};

/** The columns of Foursquare's schema; the folder holds the date of the release. */
const foursquareRelease = {
  path: "release/dt=2026-11-04/places/parquet",
  select: `SELECT
    lpad(to_hex(i), 24, '0') AS fsq_place_id,
    CASE WHEN i % 100 = 2 THEN NULL ELSE 'Tiệm ' || i END AS "name",
    CASE WHEN i % 100 = 3 THEN NULL ELSE ${LATITUDE} END::DOUBLE AS latitude,
    CASE WHEN i % 100 = 3 THEN NULL ELSE ${LONGITUDE} END::DOUBLE AS longitude,
    i || ' Đường Gió' AS address, 'Hồ Chí Minh' AS locality, NULL::VARCHAR AS region, '700000' AS postcode,
    NULL::VARCHAR AS admin_region, NULL::VARCHAR AS post_town, NULL::VARCHAR AS po_box, 'VN' AS country,
    '2019-03-04' AS date_created, '2026-05-06' AS date_refreshed,
    CASE WHEN i % 100 = 4 THEN '2025-01-02' END AS date_closed,
    '028 3' || lpad((i % 1000000)::VARCHAR, 7, '0') AS tel, NULL::VARCHAR AS website, NULL::VARCHAR AS email,
    CASE WHEN i % 6 = 0 THEN 110123456789012345 + i END::BIGINT AS facebook_id,
    NULL::VARCHAR AS instagram, NULL::VARCHAR AS twitter,
    ['4bf58dd8d48988d16a941735'] AS fsq_category_ids,
    ['Dining and Drinking > Bakery'] AS fsq_category_labels,
    'https://placemakers.example/' || i AS placemaker_url,
    CASE WHEN i % 100 = 1 THEN ['duplicate'] ELSE NULL END AS unresolved_flags,
    ST_AsWKB(('POINT(' || (${LONGITUDE}) || ' ' || (${LATITUDE}) || ')')::GEOMETRY) AS geom,
    ${BBOX}`,
};

if (import.meta.main) {
  const [folder = "releases", rows = "1000000"] = process.argv.slice(2);
  await writeReleases(folder, Number(rows));
}
