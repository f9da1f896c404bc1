/** Points as longitude and latitude, as in GeoJSON. */
export type Points = readonly (readonly [lng: number, lat: number])[];

/** An encoded polyline with five decimals. */
export function encodePolyline(points: Points): string {
  let [text, lastLat, lastLng] = ["", 0, 0];
  for (const [lng, lat] of points) {
    const [y, x] = [Math.round(lat * 1e5), Math.round(lng * 1e5)];
    for (const step of [y - lastLat, x - lastLng]) {
      let bits = step < 0 ? -2 * step - 1 : 2 * step;
      for (; bits >= 32; bits = Math.floor(bits / 32)) text += String.fromCharCode((bits % 32) + 95);
      text += String.fromCharCode(bits + 63);
    }
    [lastLat, lastLng] = [y, x];
  }
  return text;
}
