// The target language: chosen by the reader, or from the script of a text, which is then said.

import { h } from "../dom";
import type { Translate } from "../words";
import { type Entry, type Form } from "./form";

const OTHER = "*";

export function nameOf(kind: "language" | "script", code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: kind }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The texts in the target language, the most trusted first. */
const targetTexts = (form: Form): Entry[] => [...form.files.references, ...form.files.systems].filter((entry) => entry.stored);

/** Choose the language that the script of a text tells, unless the reader has chosen. */
export function guess(form: Form): void {
  if (form.language !== "" && form.guessedFrom === "") return;
  const telling = targetTexts(form).find((entry) => entry.stored?.language);
  form.language = telling?.stored?.language ?? "";
  form.guessedFrom = telling?.name ?? "";
}

export interface TargetPanel {
  element: HTMLElement;
  update(): void;
}

export function targetPanel(form: Form, languages: readonly string[], t: Translate, reader: string, changed: () => void): TargetPanel {
  const named = languages.map((code) => ({ code, name: nameOf("language", code, reader) }));
  named.sort((a, b) => a.name.localeCompare(b.name, reader));
  const select = h("select", { id: "language" },
    h("option", { value: "" }, t("target.choose")),
    ...named.map(({ code, name }) => h("option", { value: code }, name)),
    h("option", { value: OTHER }, t("target.other")));
  const tag = h("input", { type: "text", id: "language-tag", maxlength: 35, placeholder: "pt-BR", spellcheck: "false", autocomplete: "off" });
  const tagField = h("label", { class: "field" }, h("span", {}, t("target.tag")), tag);
  const note = h("p", { class: "notice", role: "status", hidden: true });

  const choose = (language: string): void => {
    form.language = language;
    form.guessedFrom = "";
    changed();
  };
  select.addEventListener("change", () => {
    tagField.hidden = select.value !== OTHER;
    if (select.value === OTHER) tag.focus();
    choose(select.value === OTHER ? tag.value.trim() : select.value);
  });
  tag.addEventListener("change", () => choose(tag.value.trim()));

  const said = (): string => {
    const texts = targetTexts(form);
    const chosen = nameOf("language", form.language, reader);
    if (form.guessedFrom !== "") return t("target.guessed", { language: chosen, name: form.guessedFrom });
    const other = texts.find((entry) => entry.stored?.language && form.language !== "" && entry.stored.language.split("-")[0] !== form.language.split("-")[0]);
    if (other?.stored?.language) return t("target.differs", { name: other.name, language: nameOf("language", other.stored.language, reader), chosen });
    const script = texts.find((entry) => entry.stored?.script)?.stored?.script;
    return form.language === "" && script ? t("target.open", { script: nameOf("script", script, reader) }) : "";
  };

  const update = (): void => {
    const listed = languages.includes(form.language) || form.language === "";
    if (listed && !(select.value === OTHER && document.activeElement === tag)) select.value = form.language;
    else if (!listed) {
      select.value = OTHER;
      tag.value = form.language;
    }
    tagField.hidden = select.value !== OTHER;
    note.textContent = said();
    note.hidden = note.textContent === "";
  };

  const element = h("section", { class: "panel", "aria-labelledby": "target-title" },
    h("h2", { id: "target-title" }, t("target.title")),
    h("p", { class: "hint" }, t("target.hint")),
    h("div", { class: "toolbar" }, h("label", { class: "field" }, h("span", { class: "offscreen" }, t("target.title")), select), tagField),
    note);
  return { element, update };
}
