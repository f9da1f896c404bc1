// Sends the requests of the forms under "Try it", to this server only, and keeps the command beside each form the same as the
// form.

// Where the map page keeps the key too: it is gone when the tab is closed.
const KEY = "hereabouts.key";
const keyFields = [...document.querySelectorAll(".key")];
const readKey = () => keyFields[0]?.value.trim() ?? "";

function showKey(key) {
  for (const field of keyFields) field.value = key;
}

function keepKey(key) {
  try {
    sessionStorage.setItem(KEY, key);
  } catch {
    // Without storage the key lasts until the page is closed.
  }
}

function findKey() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

// The key of a demo on this machine, so that the first request works.
async function readDemoKey(path) {
  try {
    const response = await fetch(path);
    return response.ok ? (await response.json()).key : undefined;
  } catch {
    return undefined;
  }
}

// The page is `/docs`; the API is beside it.
const base = new URL(".", location.href);

function toPath(form) {
  const query = new URLSearchParams();
  for (const field of form.elements) {
    const value = field.name ? field.value.trim() : "";
    if (value === "") continue;
    const values = "repeated" in field.dataset ? value.split(",") : [value];
    for (const each of values) query.append(field.name, each.trim());
  }
  return form.dataset.path + (query.size > 0 ? `?${query}` : "");
}

function showCommand(form) {
  const command = form.closest("section").querySelector(".curl");
  command.textContent = `${command.dataset.start}${toPath(form)}"`;
}

// Longer responses are cut off.
const MAX_SHOWN = 200_000;

function toShown(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).slice(0, MAX_SHOWN);
  } catch {
    return text.slice(0, MAX_SHOWN);
  }
}

async function send(form) {
  const outcome = form.querySelector(".outcome");
  const answer = form.querySelector(".answer");
  outcome.textContent = "Sending …";
  const startMs = performance.now();
  try {
    const key = form.querySelector(".key") === null ? "" : readKey();
    const headers = key === "" ? {} : { "x-api-key": key };
    const response = await fetch(new URL(toPath(form).slice(1), base), { headers });
    const text = await response.text();
    const tookMs = Math.round(performance.now() - startMs);
    outcome.textContent = `Status ${response.status}, ${tookMs} ms`;
    answer.querySelector("code").textContent = toShown(text);
    answer.hidden = false;
    offerPlace(text);
  } catch (error) {
    outcome.textContent = `No response: ${error.message}`;
    answer.hidden = true;
  }
}

// The example may not be in the data: the first place of a response is.
function offerPlace(text) {
  const [, found] = /"data_id":\s*"(0x[^"]+)"/.exec(text) ?? [];
  if (found === undefined) return;
  for (const field of document.querySelectorAll('input[name="data_id"]')) {
    if (field.value !== field.defaultValue) continue;
    field.value = found;
    showCommand(field.form);
  }
}

for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener("input", () => showCommand(form));
}

for (const field of keyFields) {
  field.addEventListener("input", () => {
    showKey(field.value);
    keepKey(field.value.trim());
  });
}

async function offerKey() {
  const { demoKey } = document.querySelector("#content").dataset;
  const key = findKey() ?? (demoKey === undefined ? undefined : await readDemoKey(demoKey));
  if (key) showKey(key);
}

void offerKey();
