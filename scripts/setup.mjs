// Set-up, which the other scripts do first: the packages of package-lock.json are installed and dist is built from
// the sources as they are now. It says nothing when there is nothing to do. So `npm test` is the only command a fresh
// clone needs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isBuilt, rebuild } from "./build.mjs";
import { isMain, root } from "./tools.mjs";

const UNUSABLE_ENVIRONMENT = 3;

export function ensureInstalled() {
  refuseOldNode();
  if (isInstalled()) return;
  const args = ["ci", scriptsFlag(), "--include=dev", "--no-audit", "--no-fund"];
  console.error(`setup: installing packages (npm ${args.join(" ")})`);
  if (npm(args, { stdio: ["ignore", 2, 2] }).status !== 0) fail("npm could not install the packages.");
}

export function ensureBuilt() {
  if (isBuilt()) return;
  console.error("setup: building dist");
  if (!rebuild()) process.exit(1);
}

function refuseOldNode() {
  const { engines } = readJson("package.json");
  const [needMajor, needMinor] = engines.node.match(/\d+/g).map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  fail(`This needs Node ${engines.node}; the one running is ${process.versions.node}.`);
}

/** npm leaves a copy of the lock file in node_modules as its last act, so a broken install does not look complete. */
function isInstalled() {
  let installed;
  try {
    installed = readJson("node_modules/.package-lock.json").packages;
  } catch {
    return false; // missing or cut short: install
  }
  return Object.entries(readJson("package-lock.json").packages).every(
    ([path, wanted]) => path === "" || wanted.optional || installed[path]?.version === wanted.version,
  );
}

/** No package here has an install script. A newer npm can refuse one that appears; an older one can only skip it. */
function scriptsFlag() {
  const help = npm(["ci", "--help"], { encoding: "utf8" }).stdout ?? "";
  return help.includes("--strict-allow-scripts") ? "--strict-allow-scripts" : "--ignore-scripts";
}

function npm(args, options) {
  return spawnSync("npm", args, { cwd: root, shell: process.platform === "win32", ...options });
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function fail(message) {
  console.error(`setup: ${message}`);
  process.exit(UNUSABLE_ENVIRONMENT);
}

if (isMain(import.meta.url)) {
  ensureInstalled();
  ensureBuilt();
}
