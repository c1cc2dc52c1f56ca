// Who asks: a browser that comes again, and one of its tabs. Loading the page again keeps both.

function number(storage: () => Storage, key: string): string {
  try {
    const known = storage().getItem(key);
    if (known !== null && /^[0-9a-f]{32}$/.test(known)) return known;
  } catch {
    // A browser that keeps nothing: another number each time.
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    storage().setItem(key, made);
  } catch {
    // As above.
  }
  return made;
}

export const visitor = (): string => number(() => localStorage, "tenbin-visitor");
export const tab = (): string => number(() => sessionStorage, "tenbin-tab");
