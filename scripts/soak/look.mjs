// What a run left, seen from outside: git, files and /proc are asked, and plait itself is not. Every finding is a line of text.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { git } from "../bench/place.mjs";

export function lookAt(place, { end, facts, tasks, after }) {
  return [
    ...exitOf(end),
    ...factsOf(facts, tasks),
    ...filesOf(place, after),
    ...gitLeftOf(place),
    ...leftOf(place),
    ...processesOf(place),
  ];
}

function exitOf({ code, signal, stderr }) {
  return code === 0 ? [] : [`exit code ${code ?? signal}: ${stderr.slice(-500).trim()}`];
}

/** No effect failed, no attempt failed, everything merged and landed. */
function factsOf(facts, tasks) {
  const merged = new Set(
    facts.flatMap((fact) => (fact.type === "integration.advanced" ? fact.tasks.map(({ task }) => task) : [])),
  );
  const bad = facts.filter(
    ({ type, failure }) =>
      /^(?:effect\.failed|landing\.refused)$/.test(type) || (type === "attempt.ended" && failure !== null),
  );
  const has = (type) => facts.some((fact) => fact.type === type);
  return [
    ...bad.map((fact) => `fact: ${JSON.stringify(fact).slice(0, 600)}`),
    ...tasks.filter(({ id }) => !merged.has(id)).map(({ id }) => `${id} is not merged`),
    ...(has("run.landed") ? [] : ["the run did not land"]),
    ...(facts.at(-1)?.outcome === "complete" ? [] : [`the last fact is ${facts.at(-1)?.type}`]),
  ];
}

/** The branch, the index and the files are all what they must be. */
function filesOf(place, after) {
  const wrong = [];
  const committed = git(place, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0").filter(Boolean);
  const names = new Set(committed);
  for (const path of after.keys()) if (!names.has(path)) wrong.push(`${path} is not in the tree`);
  for (const path of names) if (!after.has(path)) wrong.push(`${path} should not be in the tree`);
  for (const [path, text] of after) {
    if (names.has(path) && readOrNull(join(place.repo, path)) !== text)
      wrong.push(`${path} has another content`);
  }
  const status = git(place, "status", "--porcelain");
  if (status !== "") wrong.push(`git status: ${status.slice(0, 300)}`);
  return wrong;
}

function gitLeftOf(place) {
  const refs = git(place, "for-each-ref", "--format=%(refname)").split("\n");
  const worktrees = git(place, "worktree", "list", "--porcelain").split("\n\n").filter(Boolean);
  const damage = git(place, "fsck", "--no-dangling", "--no-progress");
  return [
    ...refs.filter((ref) => ref !== "refs/heads/main").map((ref) => `ref left: ${ref}`),
    ...worktrees.slice(1).map((tree) => `worktree left: ${tree.split("\n")[0]}`),
    ...(damage === "" ? [] : [`git fsck: ${damage.slice(0, 300)}`]),
  ];
}

/** Locks, half-written files and sockets anywhere; worktrees in the state folder. */
function leftOf({ folder, repo, env }) {
  const left = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSocket()) left.push(`socket left: ${path}`);
    else if (/\.(?:lock|tmp)$/.test(entry.name)) left.push(`file left: ${path}`);
  }
  const trees = join(env.XDG_STATE_HOME, "plait/worktrees");
  for (const name of readdirOrNone(trees)) left.push(`in the folder of worktrees: ${name}`);
  for (const name of readdirOrNone(join(repo, ".git/worktrees"))) left.push(`in .git/worktrees: ${name}`);
  return left;
}

/** Whoever has the place in its environment, its arguments or as its folder. */
function processesOf({ folder }) {
  if (process.platform !== "linux") return [];
  const left = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    const command = readOrNull(`/proc/${pid}/cmdline`) ?? "";
    const known = [command, readOrNull(`/proc/${pid}/environ`) ?? "", linkOrNone(`/proc/${pid}/cwd`)];
    if (known.some((text) => text.includes(folder)))
      left.push(`process left: ${pid} ${command.replaceAll("\0", " ")}`);
  }
  return left;
}

function readOrNull(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // gone, or somebody else's
  }
}

function linkOrNone(path) {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // gone, or somebody else's
  }
}

function readdirOrNone(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
