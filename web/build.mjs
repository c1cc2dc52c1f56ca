// Builds the page: one script and one style sheet, the same bytes on every machine.
//
//   node build.mjs           writes src/tenbin/reports/page/bundled and src/tenbin/serve/bundled
//   node build.mjs --check   fails where what is there is not what the sources give
//   node build.mjs --out DIR writes there instead

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at > 0 ? process.argv[at + 1] : null;
const report = out ?? join(here, "../src/tenbin/reports/page/bundled");
const serve = out ?? join(here, "../src/tenbin/serve/bundled");

const common = {
  bundle: true,
  minify: true,
  write: false,
  charset: "utf8",
  legalComments: "none",
  target: ["chrome111", "firefox115", "safari16.4"],
  absWorkingDir: here,
  logLevel: "warning",
};

const entries = {
  "report.js": [report, { ...common, entryPoints: ["src/main.ts"], format: "iife" }],
  "report.css": [report, { ...common, entryPoints: ["src/style/report.css"] }],
  "serve.js": [serve, { ...common, entryPoints: ["src/serve/main.ts"], format: "iife" }],
  "serve.css": [serve, { ...common, entryPoints: ["src/style/serve.css"] }],
};

/** Licenses of the packages that were bundled: their texts must go where their code goes. */
async function notices(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const packages = inputs.filter(([, part]) => part.bytesInOutput > 0).map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const texts = [...new Set(packages.filter(Boolean))].sort().map(async (name) => {
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `/*! ${name}\n${text.replaceAll("*/", "* /").trim()}\n*/\n`;
  });
  return (await Promise.all(texts)).join("");
}

let total = 0;
for (const [name, [folder, options]] of Object.entries(entries)) {
  const { outputFiles, metafile } = await build({ ...options, metafile: true });
  const bytes = Buffer.concat([Buffer.from(await notices(metafile)), outputFiles[0].contents]);
  total += bytes.length;
  const path = join(folder, name);
  if (process.argv.includes("--check")) {
    const there = await readFile(path).catch(() => null);
    if (!there?.equals(bytes)) {
      console.error(`${path} is not what web/src gives: run 'npm ci && npm run build' in web/`);
      process.exitCode = 1;
    }
  } else {
    await mkdir(folder, { recursive: true });
    await writeFile(path, bytes);
  }
}
console.log(`${(total / 1000).toFixed(1)} kB`);
