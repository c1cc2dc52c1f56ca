// Copying to the clipboard and saving files, from a page on disk too.

import { h } from "./dom";

export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { class: "offscreen", readonly: true });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** A button that copies a text and says so. */
export function copyButton(label: string, done: string, text: () => string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", () => {
    void copied(text()).then((success) => {
      if (!success) return;
      button.textContent = done;
      setTimeout(() => (button.textContent = label), 1500);
    });
  });
  return button;
}

export function save(name: string, type: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
