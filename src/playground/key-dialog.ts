import type { Api } from "./api.ts";
import { button, byId, h, replace } from "./dom.ts";
import { texts } from "./texts.ts";

/** Keys have 16 or more visible ASCII characters; nothing else can be sent in a header. */
const POSSIBLE_KEY = /^[\x21-\x7e]{16,256}$/;

/** Opens the dialog to enter or remove the key. `onChange` is called after either. */
export function openKeyDialog(api: Api, onChange: () => void): void {
  const dialog = byId<HTMLDialogElement>("key-dialog");
  const input = h("input", {
    id: "key-input",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "key-hint key-wrong",
  });
  const wrong = h("p", { id: "key-wrong", class: "wrong", role: "alert" });
  const end = (): void => {
    dialog.close();
    onChange();
  };
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "key-title" }, texts.keyTitle),
    h("p", { id: "key-hint", class: "muted" }, texts.keyHint),
    api.key() !== undefined && h("p", { class: "badge-line" }, api.isDemo() ? texts.keyDemo : texts.keyOwn),
    h("label", { for: "key-input" }, texts.keyLabel),
    input,
    wrong,
    h(
      "div",
      { class: "dialog-actions" },
      button({ class: "quiet" }, () => dialog.close(), texts.close),
      api.key() !== undefined &&
        !api.isDemo() &&
        button(
          { class: "quiet", id: "key-forget" },
          () => {
            api.forget();
            end();
          },
          texts.keyForget,
        ),
      h("button", { type: "submit", class: "primary" }, texts.keySave),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (!POSSIBLE_KEY.test(key)) return void (wrong.textContent = texts.keyBad);
    api.useKey(key);
    end();
  });
  replace(dialog, form);
  dialog.showModal();
}
