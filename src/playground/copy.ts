import { texts } from "./texts.ts";

/** Puts a text on the clipboard and says so on the button for a moment. */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(text);
    label.textContent = texts.copied;
  } catch {
    label.textContent = texts.copyFailed;
  }
  setTimeout(() => (label.textContent = before), 1600);
}
