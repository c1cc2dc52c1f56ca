// Words and numbers in the reader's language.

import { visible } from "./text";

export interface Words {
  [key: string]: string | Words;
}

export type Translate = (key: string, values?: Record<string, string | number>) => string;

/**
 * Look up texts by dotted keys. `{n}` takes a value, in which no character acts unseen; where a text has forms parted by `|`
 * ("{n} segment|{n} segments"), the first is for one and the last for all other numbers.
 */
export function translator(words: Words, language: string): Translate {
  const plural = new Intl.PluralRules(language);
  const whole = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    let found: string | Words | undefined = words;
    for (const part of key.split(".")) found = typeof found === "object" ? found[part] : undefined;
    if (typeof found !== "string") return key;
    const forms = found.split("|");
    const n = Number(values["n"]);
    const form = (plural.select(n) === "one" ? forms[0] : forms[forms.length - 1]) ?? found;
    return form.replace(/\{(\w+)\}/g, (mark, name: string) => {
      const value = values[name];
      if (value === undefined) return mark;
      return typeof value === "number" ? whole.format(value) : visible(value);
    });
  };
}

export type FormatNumber = (value: number | null | undefined, decimals: number) => string;

/** A number with a true minus sign; an en dash where there is none. */
export function numberFormat(language: string): FormatNumber {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, decimals) => {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    let format = formats.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
      formats.set(decimals, format);
    }
    const text = format.format(value);
    // Neither -0.00 nor a hyphen for a minus.
    return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
  };
}
