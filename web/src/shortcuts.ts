// Single keys, which readers can turn off: speech input types letters by the dozen.

import { remembered, remember } from "./memory";

const SETTING = "tenbin-keys";

export function keysAreOn(): boolean {
  return remembered(SETTING) !== "off";
}

export function turnKeys(on: boolean): void {
  remember(SETTING, on ? "on" : "off");
}

/** Whether a key is meant for the page, not for a field, a button of a browser or a dialog. */
function meant(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  // Escape is no letter: it closes whatever the setting.
  if (event.key.length === 1 && !keysAreOn()) return false;
  const target = event.target as Element | null;
  return !target?.closest("input, select, textarea, [contenteditable], dialog");
}

/** Act on single keys until the returned function is called. */
export function onKeys(keys: Record<string, () => void>): () => void {
  const listener = (event: KeyboardEvent): void => {
    const act = keys[event.key];
    if (!act || !meant(event)) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
