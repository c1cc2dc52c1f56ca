// Where the page begins: read what the document carries, then build the page from it.

import { h } from "./dom";
import { unzipped } from "./packing";
import { reportOf } from "./report";
import type { Payload } from "./schema";
import { open } from "./shell";
import { views } from "./views/index";
import { numberFormat, translator, type Words } from "./words";

const SCHEMA = 1;

function carried(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

async function start(): Promise<void> {
  const language = document.documentElement.lang || "en";
  const t = translator(JSON.parse(carried("words")) as Words, language);
  const root = h("div", { id: "page" });
  const failed = (text: string): void => root.replaceChildren(h("p", { class: "failure", role: "alert" }, text));
  document.body.prepend(root);
  if (typeof DecompressionStream === "undefined") return failed(t("shell.oldBrowser"));
  try {
    const payload = (await unzipped(carried("data"))) as Payload;
    if (payload.schema !== SCHEMA) return failed(t("shell.otherSchema", { version: payload.version }));
    open(root, reportOf(payload), views, t, numberFormat(language));
  } catch (error) {
    failed(t("shell.broken", { reason: String(error) }));
    throw error;
  }
}

void start();
