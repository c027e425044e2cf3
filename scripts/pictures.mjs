// `node scripts/pictures.mjs`: the pictures of the page in docs/pictures, made anew from runs that the tests tell. Needs Chromium.
// What is drawn is the built page with facts in it, at a moment that stands still, so the same code makes the same pictures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerImport } from "vite";
import { withPalette } from "./pictures/palette.mjs";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { root } from "./tools.mjs";

const MAX_BYTES = 120_000;

ensureInstalled();
ensureBuilt();
const { story, activity } = await load("test/support/checkout.ts");
const { taxTask } = await load("test/browser/support/tax-task.ts");
const { launchChromium, withChromium } = await load("test/browser/support/chromium.ts");
const { writePageFile } = await load("test/browser/support/page-file.ts");
if (!withChromium.isThere) throw new Error(`there is no Chromium; ${withChromium.install}`);

const RUN = "checkout-k7f2";
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const checkout = story();
const pictures = [
  { name: "graph-dark", told: checkout, at: "graph", viewport: desk, colorScheme: "dark" },
  { name: "timeline-light", told: checkout, at: "timeline", viewport: desk, colorScheme: "light" },
  { name: "task-dark", told: taxTask(), at: "task/tax/transcript", viewport: desk, colorScheme: "dark" },
  { name: "phone-dark", told: checkout, at: "graph", viewport: phone, colorScheme: "dark" },
];

const temporary = mkdtempSync(join(tmpdir(), "plait-pictures-"));
const browser = await launchChromium();
try {
  mkdirSync(join(root, "docs/pictures"), { recursive: true });
  for (const picture of pictures) await take(picture);
} finally {
  await browser.close();
  rmSync(temporary, { recursive: true });
}

async function take({ name, told, at, ...look }) {
  const { facts, now, texts = {}, attempts = {} } = told;
  const named = facts.map((fact) => JSON.parse(JSON.stringify(fact).replaceAll("/run-1/", `/${RUN}/`)));
  const doing = { facts: named, now, texts, attempts, activity: activity.values() };
  const url = writePageFile(join(temporary, `${name}.html`), doing);
  const page = await browser.newPage({ ...look, reducedMotion: "reduce" });
  await page.goto(`${url}#/run/${RUN}/${at}`);
  await page.waitForTimeout(500); // what is as large as its place is drawn once more when that is known
  const png = withPalette(await page.screenshot());
  await page.close();
  if (png.length > MAX_BYTES) throw new Error(`${name} has ${png.length} bytes, and may have ${MAX_BYTES}`);
  writeFileSync(join(root, `docs/pictures/${name}.png`), png);
  console.log(`docs/pictures/${name}.png  ${Math.ceil(png.length / 1000)} kB`);
}

/** A module of the tests, which Node 20 cannot read by itself. */
async function load(path) {
  return (await runnerImport(join(root, path), { configFile: false, logLevel: "error" })).module;
}
