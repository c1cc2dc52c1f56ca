// The reader's settings in this browser; a page from disk may be refused any, so nothing depends on it.

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Kept until the page closes only.
  }
}
