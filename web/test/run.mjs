// Bundles the tests with what they import and gives them to node's test runner.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tenbin-web-"));
try {
  buildSync({
    entryPoints: readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name)),
    bundle: true, platform: "node", format: "esm", outdir: folder, outExtension: { ".js": ".mjs" }, logLevel: "warning",
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
