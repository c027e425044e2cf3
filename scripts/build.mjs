// The build: tsc emits the library into dist/lib, Vite bundles the command line into dist/cli and the page into dist/ui. All
// go to a folder of this process first, which then takes the place of dist in one rename: whoever starts the program meanwhile finds
// either the old build or the new one, and two builds at once cannot mix their files.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { exitCodeOf, isMain, root, runTool } from "./tools.mjs";

const dist = join(root, "dist");

/** True when dist was built from exactly these sources. */
export function isBuilt() {
  return builtFrom() === sourceHash();
}

/** Builds dist and says whether it did; a failed build leaves the old one in place. */
export function rebuild() {
  removeLeftovers();
  const hash = sourceHash(); // taken first: a file that changes during the build makes the next build due
  const out = join(root, `dist.tmp-${process.pid}`);
  try {
    const built =
      step("tsc", ["-p", "tsconfig.build.json", "--outDir", join(out, "lib")]) &&
      step("vite", ["build", "--logLevel", "warn", "--outDir", join(out, "cli")]) &&
      ["production", "file"].every((mode) =>
        step("vite", [
          ...["build", "--config", "vite.ui.config.ts", "--mode", mode],
          ...["--logLevel", "warn", "--outDir", join(out, "ui")],
        ]),
      );
    if (!built) return false;
    copyGrammars(join(out, "grammars"));
    chmodSync(join(out, "cli/main.js"), 0o755);
    writeFileSync(join(out, ".stamp"), hash);
    takePlace(out, hash);
    return true;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** What src/syntax parses with. Both the library and the command line find it here; the packages have far more. */
function copyGrammars(to) {
  const from = (path) => join(root, "node_modules", path);
  const wanted = [
    from("web-tree-sitter/web-tree-sitter.wasm"),
    ...["python", "typescript", "tsx", "javascript", "go"].map((language) =>
      from(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`),
    ),
  ];
  mkdirSync(to);
  for (const file of wanted) copyFileSync(file, join(to, basename(file)));
  for (const [name, path] of [
    ["LICENSE-web-tree-sitter", "web-tree-sitter/LICENSE"],
    ["LICENSE-grammars", "@vscode/tree-sitter-wasm/LICENSE"],
  ])
    copyFileSync(from(path), join(to, name));
}

function step(tool, args) {
  const passed = exitCodeOf(runTool(tool, args, { stdio: ["ignore", 2, 2] })) === 0;
  if (!passed) console.error(`build: ${tool} failed`);
  return passed;
}

/** A folder cannot be renamed onto a full one, so the old build steps aside; another build may win the gap. */
function takePlace(out, hash) {
  const aside = join(root, `dist.old-${process.pid}`);
  for (let attempt = 0; builtFrom() !== hash; attempt++) {
    moveIfThere(dist, aside);
    try {
      return renameSync(out, dist);
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }
}

function moveIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

/** Folders of builds that were killed. Those of a living build stay. */
function removeLeftovers() {
  for (const name of readdirSync(root)) {
    const pid = /^dist\.(?:tmp|old)-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function builtFrom() {
  const stamp = join(dist, ".stamp");
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

/** One hash over everything the build reads. Names and lengths are in it, so moved text changes it too. */
function sourceHash() {
  const hash = createHash("sha256");
  for (const path of inputs()) {
    const text = readFileSync(join(root, path));
    hash.update(`${path}\0${text.length}\0`).update(text);
  }
  return hash.digest("hex");
}

function inputs() {
  const top = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name));
  const sources = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return [
    ...top,
    ...sources,
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "vite.ui.config.ts",
    "scripts/build.mjs",
  ].sort();
}

if (isMain(import.meta.url) && !rebuild()) process.exitCode = 1;
