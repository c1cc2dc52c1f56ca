// Where the page of `tenbin serve` begins: a form, the progress of a job, and reports.

import { h } from "../dom";
import { remember, remembered } from "../memory";
import { shown } from "../text";
import { numberFormat, translator, type Words } from "../words";
import { filesPanel } from "./files";
import { emptyForm, type Form, keep, kept, needs } from "./form";
import { tab, visitor } from "./identity";
import { metricsPanel } from "./metrics";
import { progressPanel } from "./progress";
import { recentPanel, reportView } from "./reports";
import { follow, type Job, jobsOf, Problem, startJob } from "./server";
import { guess, targetPanel } from "./target";

interface Settings {
  words: Record<string, Words>;
  languages: string[];
  mostBytes: number;
  mostMinutes: number;
}

const settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}") as Settings;
const root = document.getElementById("page") ?? document.body;
const me = visitor();
const here = tab();
let jobs: Job[] = [];
let form: Form = kept();
/** The job that this tab waits for. */
let current = "";
let following = false;
let hear: (job: Job) => void = () => undefined;
let lost: () => void = () => undefined;

const isBusy = (job: Job): boolean => job.state === "waiting" || job.state === "running";

function listen(): void {
  if (following) return;
  following = true;
  follow(here, (job) => { if (job.id === current) hear(job); }, (broken) => {
    following = false;
    if (broken) lost();
    // A job that was started between the last event and the end of the stream.
    else if (current !== "") listen();
  });
}

function readerLanguage(): string {
  const wanted = [remembered("tenbin-page-language"), ...navigator.languages, "en"];
  for (const one of wanted) {
    const code = one?.split("-")[0] ?? "";
    if (code in settings.words) return code;
  }
  return "en";
}

function setTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Build the whole page in one language; what was filled in stays. */
function build(reader: string): void {
  const t = translator(settings.words[reader] ?? {}, reader);
  const number = numberFormat(reader);
  document.documentElement.lang = reader;
  document.title = `Tenbin – ${t("title")}`;

  const changed = (): void => {
    guess(form);
    keep(form);
    files.update();
    target.update();
    metrics.update();
    compare.disabled = form.files.systems.length < 2;
    compare.checked = form.compare && !compare.disabled;
    missing.hidden = true;
  };

  const files = filesPanel(form, settings.mostBytes, t, number, changed);
  const target = targetPanel(form, settings.languages, t, reader, changed);
  const metrics = metricsPanel(form, t, reader, changed);
  const progress = progressPanel(t);
  const recent = recentPanel(t, reader, () => void refresh());

  const intervals = h("input", { type: "checkbox", id: "intervals", checked: form.intervals, "aria-describedby": "intervals-hint" });
  intervals.addEventListener("change", () => { form.intervals = intervals.checked; changed(); });
  const compare = h("input", { type: "checkbox", id: "compare", "aria-describedby": "compare-hint" });
  compare.addEventListener("change", () => { form.compare = compare.checked; changed(); });
  const title = h("input", { type: "text", id: "report-title", maxlength: 200, value: form.title, placeholder: t("options.nameHint"), dir: "auto" });
  title.addEventListener("change", () => { form.title = title.value; changed(); });
  const options = h("section", { class: "panel", "aria-labelledby": "options-title" },
    h("h2", { id: "options-title" }, t("options.title")),
    h("div", { class: "option" }, intervals, h("div", {}, h("label", { for: "intervals" }, t("options.intervals")), h("p", { class: "hint", id: "intervals-hint" }, t("options.intervalsHint")))),
    h("div", { class: "option" }, compare, h("div", {}, h("label", { for: "compare" }, t("options.compare")), h("p", { class: "hint", id: "compare-hint" }, t("options.compareHint")))),
    h("label", { class: "field wide" }, h("span", {}, t("options.name")), title));

  const missing = h("div", { class: "notice warn", role: "alert", hidden: true });
  const start = h("button", { type: "button", class: "primary", id: "start" }, t("start"));

  hear = (job: Job): void => {
    jobs = [job, ...jobs.filter((other) => other.id !== job.id)];
    progress.show(job);
    start.disabled = isBusy(job);
    if (isBusy(job)) return;
    current = "";
    if (job.state === "failed" && job.files.length === 1) files.blame(job.files, job.message);
    if (job.state === "done") location.hash = `report=${job.id}`;
    void refresh();
  };
  lost = (): void => {
    progress.lost();
    start.disabled = false;
  };

  const refresh = async (): Promise<void> => {
    try {
      jobs = await jobsOf(me);
    } catch {
      return;
    }
    recent.update(jobs);
    route();
  };

  start.addEventListener("click", () => {
    const lacking = needs(form, metrics.choices());
    if (lacking.length > 0) {
      missing.replaceChildren(h("p", {}, t("missing")), h("ul", {}, ...lacking.map((need) => h("li", {}, t(`need.${need.word}`, need.values)))));
      missing.hidden = false;
      return;
    }
    start.disabled = true;
    missing.hidden = true;
    const ids = (role: "references" | "source"): string[] => form.files[role].flatMap((entry) => (entry.stored ? [entry.stored.id] : []));
    startJob({
      visitor: me, tab: here,
      systems: form.files.systems.map((entry) => ({ name: entry.system.trim(), file: entry.stored?.id ?? "" })),
      references: ids("references"), source: ids("source")[0] ?? null,
      language: form.language, metrics: form.metrics,
      intervals: form.intervals, compare: form.compare && form.files.systems.length > 1,
      page_language: reader, title: form.title.trim(),
    }).then((job) => {
      current = job.id;
      hear(job);
      listen();
      progress.element.scrollIntoView({ block: "nearest" });
    }).catch((error: unknown) => {
      start.disabled = false;
      const text = error instanceof Problem && !error.lost ? error.message : t("job.lost");
      missing.replaceChildren(...text.split("\n").map((line) => h("p", {}, ...shown(line))));
      missing.hidden = false;
    });
  });

  const language = h("select", { id: "page-language" }, ...Object.keys(settings.words).map((code) =>
    h("option", { value: code, selected: code === reader, lang: code }, new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code)));
  language.addEventListener("change", () => {
    remember("tenbin-page-language", language.value);
    build(language.value);
    document.getElementById("page-language")?.focus();
  });
  const theme = h("select", { id: "theme" }, ...["system", "light", "dark"].map((one) =>
    h("option", { value: one, selected: one === (remembered("tenbin-theme") ?? "system") }, t(`theme.${one}`))));
  theme.addEventListener("change", () => {
    remember("tenbin-theme", theme.value);
    setTheme(theme.value);
  });

  const body = h("div", { class: "serve" },
    h("header", { class: "top" },
      h("div", { class: "heading" },
        h("h1", {}, "Tenbin ", h("span", { class: "quiet" }, t("title"))),
        h("div", { class: "settings" },
          h("label", { class: "theme" }, h("span", {}, t("language")), language),
          h("label", { class: "theme" }, h("span", {}, t("theme.label")), theme))),
      h("p", { class: "hint" }, t("lead"))),
    h("main", { id: "main" },
      files.element,
      h("div", { class: "columns" }, h("div", {}, target.element, metrics.element), h("div", {}, options,
        h("section", { class: "panel start" }, missing, start), progress.element, recent.element))));
  const view = h("div", {});
  root.replaceChildren(body, view);

  /** Show the report that the address names, or the form. */
  const route = (): void => {
    const id = /^#report=([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? "";
    const job = jobs.find((one) => one.id === id && one.state === "done");
    body.hidden = job !== undefined;
    if (view.dataset["job"] === (job?.id ?? "") && view.lang === reader) return;
    view.dataset["job"] = job?.id ?? "";
    view.lang = reader;
    view.replaceChildren(...(job ? [reportView(job, t)] : []));
  };
  onhashchange = route;

  changed();
  void refresh().then(() => {
    const running = jobs.find((job) => job.tab === here && isBusy(job));
    if (!running) return;
    current = running.id;
    hear(running);
    listen();
  });
}

// A file that misses its place must not take the place of the page.
for (const event of ["dragover", "drop"]) document.addEventListener(event, (one) => one.preventDefault());
addEventListener("storage", (event) => { if (event.key === "tenbin-theme") setTheme(event.newValue ?? "system"); });
setTheme(remembered("tenbin-theme") ?? "system");
form = { ...emptyForm(), ...form };
build(readerLanguage());
