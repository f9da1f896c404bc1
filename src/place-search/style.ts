/**
 * The look of `<place-search>`. Colours follow the `color-scheme` of the page; custom properties and parts change the rest. Text on its
 * ground has a contrast of at least 4.5, borders of controls 3.
 */
export const STYLE = `
:host {
  --_accent: var(--place-search-accent, light-dark(#0b6e63, #5ecbba));
  --_ground: var(--place-search-background, light-dark(#fff, #1e232b));
  --_ink: var(--place-search-color, light-dark(#1b2129, #e9ecf0));
  --_muted: var(--place-search-muted, light-dark(#5b6472, #a4adba));
  --_line: var(--place-search-border, light-dark(#8b8f98, #7d8795));
  --_tint: var(--place-search-hover, light-dark(#f4f2ee, #2a313b));
  --_chosen: var(--place-search-active, light-dark(#e0f0ed, #16332f));
  --_radius: var(--place-search-radius, 12px);
  display: block;
  position: relative;
  min-width: 0;
  color: var(--_ink);
  font-size: 16px;
  line-height: 1.4;
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before { box-sizing: border-box; }
form { position: relative; margin: 0; }
input {
  width: 100%;
  height: 48px;
  margin: 0;
  padding: 0 46px 1px;
  border: 1.5px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_ground);
  color: inherit;
  font: inherit;
  text-overflow: ellipsis;
}
input:focus {
  outline: 3px solid color-mix(in srgb, var(--_accent) 24%, transparent);
  border-color: var(--_accent);
}
input::placeholder { color: var(--_muted); opacity: 1; }
svg { flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
form > svg { position: absolute; inset: 14px auto auto 15px; color: var(--_muted); pointer-events: none; }
:host(:dir(rtl)) form > svg { inset: 14px 15px auto auto; }
button {
  position: absolute;
  inset: 2px 2px auto auto;
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  padding: 0;
  border: 0;
  border-radius: calc(var(--_radius) - 2px);
  background: none;
  color: var(--_muted);
  cursor: pointer;
}
:host(:dir(rtl)) button { inset: 2px auto auto 2px; }
button:hover, li:hover { background: var(--_tint); }
button:focus-visible { outline: 2px solid var(--_accent); }
.popup {
  position: absolute;
  inset: 54px 0 auto;
  z-index: 1000;
  display: flex;
  flex-direction: column;
  max-height: var(--place-search-list-height, min(60vh, 460px));
  overflow: hidden;
  border: 1px solid color-mix(in srgb, var(--_line) 40%, transparent);
  border-radius: var(--_radius);
  background: var(--_ground);
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.12), 0 8px 24px rgb(0 0 0 / 0.2);
}
.popup.busy ul { opacity: 0.6; }
/* Not the popup itself scrolls: over a canvas of WebGL, Chromium takes more of an opaque box that scrolls for opaque than is seen of it. */
ul { flex: 1; min-height: 0; margin: 0; padding: 6px; overflow: auto; list-style: none; }
li { display: flex; gap: 10px; min-height: 44px; padding: 9px 10px; border-radius: 8px; cursor: pointer; }
li[aria-selected="true"] { background: var(--_chosen); box-shadow: inset 3px 0 var(--_accent); }
li svg { margin-top: 2px; color: var(--_muted); }
.option-text { flex: 1; min-width: 0; }
.option-value, .option-subtext { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.option-subtext, .option-way { font-size: 13px; color: var(--_muted); }
.option-way { flex: none; font-variant-numeric: tabular-nums; }
mark { background: none; color: inherit; font-weight: 700; }
.status { margin: 0; padding: 12px 16px; color: var(--_muted); font-size: 14px; }
.whisper { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) {
  li[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
}
`;
