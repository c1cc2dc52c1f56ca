// Where files are dropped or chosen: source, references, systems.

import { h } from "../dom";
import { shown, visible } from "../text";
import type { FormatNumber, Translate } from "../words";
import { type Entry, type Form, type Role, ROLES, unequal } from "./form";
import { forgetFile, Problem, sendFile, type StoredPart } from "./server";

export interface FilesPanel {
  element: HTMLElement;
  update(): void;
  /** Mark the files that a message of the server is about. */
  blame(names: readonly string[], message: string): void;
}

const UNITS = ["B", "kB", "MB", "GB"];
let keys = Date.now();

export function size(bytes: number, number: FormatNumber): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${number(value, unit > 0 && value < 100 ? 1 : 0)} ${UNITS[unit]}`;
}

/** What a system is called at first: its file, without the ends of a text file. */
function systemName(file: string, taken: readonly string[]): string {
  const plain = file.replace(/\.(gz|xz|bz2)$/i, "").replace(/\.(txt|hyp|out)$/i, "") || file;
  let name = plain;
  for (let n = 2; taken.includes(name); n += 1) name = `${plain} (${n})`;
  return name;
}

export function filesPanel(form: Form, mostBytes: number, t: Translate, number: FormatNumber, changed: () => void): FilesPanel {
  const lists = Object.fromEntries(ROLES.map((role) => [role, h("ul", { class: "files" })])) as Record<Role, HTMLUListElement>;
  const lines = h("p", { class: "problem", role: "alert", hidden: true });
  const told = h("p", { class: "offscreen", role: "status" });

  // The texts of a table go to where they belong; those of a place that is taken are not needed.
  const spread = (role: Role, entry: Entry, parts: readonly StoredPart[]): void => {
    const at = form.files[role].indexOf(entry);
    if (at >= 0) form.files[role].splice(at, 1);
    for (const part of parts) {
      if (at < 0 || (part.role !== role && form.files[part.role].length > 0)) {
        void forgetFile(part.id).catch(() => undefined);
        continue;
      }
      const taken = form.files.systems.map((other) => other.system);
      const system = part.role === "systems" ? systemName(part.system, taken) : "";
      form.files[part.role].push({ key: (keys += 1), name: part.name, bytes: part.bytes, system, stored: part, problem: "" });
    }
  };

  const send = async (role: Role, entry: Entry, file: File): Promise<void> => {
    try {
      const answer = await sendFile(file, role);
      if ("parts" in answer) spread(role, entry, answer.parts);
      else entry.stored = answer;
    } catch (error) {
      entry.problem = error instanceof Problem && !error.lost ? error.message : t("files.lost");
    }
    changed();
  };

  const add = (role: Role, files: Iterable<File>): void => {
    for (const file of files) {
      const taken = form.files.systems.map((entry) => entry.system);
      const entry: Entry = { key: (keys += 1), name: file.name, bytes: file.size, system: role === "systems" ? systemName(file.name, taken) : "", stored: null, problem: "" };
      if (role === "source" && form.files.source.length > 0) {
        form.files.source.splice(0).forEach(forget);
        told.textContent = t("files.one", { name: file.name });
      }
      form.files[role].push(entry);
      // Said here at once: the server would first read it all.
      if (file.size > mostBytes) entry.problem = t("files.tooLarge", { size: size(file.size, number), most: size(mostBytes, number) });
      else void send(role, entry, file);
    }
    changed();
  };

  const forget = (entry: Entry): void => {
    if (entry.stored) void forgetFile(entry.stored.id).catch(() => undefined);
  };

  const remove = (role: Role, entry: Entry): void => {
    const at = form.files[role].indexOf(entry);
    form.files[role].splice(at, 1);
    forget(entry);
    changed();
    const next = lists[role].querySelectorAll<HTMLButtonElement>("button.remove")[Math.min(at, form.files[role].length - 1)];
    (next ?? document.getElementById(`choose-${role}`))?.focus();
  };

  const row = (role: Role, entry: Entry, odd: boolean): HTMLElement => {
    const name = h("input", { type: "text", class: "system", value: entry.system, maxlength: 200, "aria-label": t("files.name"), dir: "auto", spellcheck: "false", autocomplete: "off" });
    name.addEventListener("change", () => {
      entry.system = name.value;
      changed();
    });
    const facts: string[] = [];
    if (entry.stored) {
      facts.push(t("files.lines", { n: entry.stored.lines }));
      if (entry.stored.empty > 0) facts.push(t("files.empty", { n: entry.stored.empty }));
    }
    facts.push(size(entry.bytes, number));
    const state = entry.problem !== "" ? "bad" : entry.stored ? (odd ? "odd" : "good") : "sending";
    return h("li", { class: `file ${state}` },
      h("div", { class: "line" },
        h("span", { class: "mark", "aria-hidden": "true" }, { bad: "✕", odd: "!", good: "✓", sending: "…" }[state]),
        h("bdi", { class: "name", title: visible(entry.name) }, ...shown(entry.name)),
        h("button", { type: "button", class: "plain small remove", "aria-label": t("files.remove", { name: entry.name }), title: t("files.remove", { name: entry.name }), click: () => remove(role, entry) }, "✕")),
      role === "systems" && h("div", { class: "line" }, name),
      h("p", { class: "facts" }, ...facts.map((fact) => h("span", {}, fact)), state === "sending" && h("span", {}, t("files.sending"))),
      entry.problem !== "" && h("p", { class: "problem" }, ...shown(entry.problem)),
      ...(entry.stored?.notes ?? []).map((note) => h("p", { class: "hint" }, ...shown(note))));
  };

  const area = (role: Role): HTMLElement => {
    const input = h("input", { type: "file", class: "offscreen", id: `choose-${role}`, multiple: role !== "source", "aria-describedby": `hint-${role}` });
    input.addEventListener("change", () => {
      add(role, input.files ?? []);
      input.value = "";
    });
    const zone = h("div", { class: "zone", "data-role": role },
      h("h3", {}, t(`files.${role}`)),
      h("p", { class: "hint", id: `hint-${role}` }, t(`files.${role}Hint`)),
      lists[role],
      h("p", { class: "choose" }, input,
        h("label", { for: `choose-${role}`, class: "button" }, t(role === "source" ? "files.chooseOne" : "files.choose"), h("span", { class: "offscreen" }, `: ${t(`files.${role}`)}`)),
        h("span", { class: "quiet" }, t("files.drop"))));
    let depth = 0;
    zone.addEventListener("dragenter", () => zone.classList.toggle("over", (depth += 1) > 0));
    zone.addEventListener("dragleave", () => zone.classList.toggle("over", (depth -= 1) > 0));
    zone.addEventListener("drop", (event: DragEvent) => {
      depth = 0;
      zone.classList.remove("over");
      add(role, event.dataTransfer?.files ?? []);
    });
    return zone;
  };

  const update = (): void => {
    const odd = unequal(form);
    for (const role of ROLES) {
      const focused = document.activeElement instanceof HTMLInputElement && lists[role].contains(document.activeElement);
      if (focused && lists[role].childElementCount === form.files[role].length) continue;
      lists[role].replaceChildren(...form.files[role].map((entry) => row(role, entry, odd?.has(entry) ?? false)));
    }
    lines.hidden = odd === null;
    lines.textContent = odd === null ? "" : t("files.unequal");
  };

  const blame = (names: readonly string[], message: string): void => {
    for (const role of ROLES)
      for (const entry of form.files[role]) if (entry.stored && names.includes(entry.stored.name)) entry.problem = message;
    changed();
  };

  const element = h("section", { class: "panel", "aria-labelledby": "files-title" },
    h("h2", { id: "files-title" }, t("files.title")),
    h("p", { class: "hint" }, t("files.hint", { size: size(mostBytes, number) })),
    h("div", { class: "zones" }, ...ROLES.map(area)),
    lines, told);
  return { element, update, blame };
}
