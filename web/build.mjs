// Builds the page's script and style into the Python package. The same sources give the same bytes.
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = here("../src/ramify/viewer/");
const shared = { bundle: true, minify: true, legalComments: "none", logLevel: "warning" };

await build({
  ...shared,
  entryPoints: [here("src/main.ts")],
  outfile: `${target}explorer.js`,
  format: "iife",
  target: ["chrome100", "firefox113", "safari16.4"],
});
await build({ ...shared, entryPoints: [here("src/style/explorer.css")], outfile: `${target}explorer.css` });
await copyFile(here("src/page.html"), `${target}page.html`);
