import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A `gh` for tests, as strict as the real one: unknown flags, missing branches and a second pull request of one branch are refused
 * as GitHub refuses them. Its server is a bare repository, its memory a file.
 */
export type FakeGh = {
  /** To be put in front of the PATH. */
  readonly bin: string;
  readonly server: string;
  pulls(): FakePull[];
  /** Every command line, in the order of the calls. */
  calls(): string[];
  logOut(): void;
  logIn(): void;
  /** The remotes are on a host that gh does not know. */
  forgetRemotes(): void;
  /** Kills the process with the id in this file when the nth pull request has been opened. */
  killAt(n: number): (pid: number) => void;
};

export type FakePull = {
  readonly number: number;
  readonly url: string;
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  readonly reviewers: readonly string[];
  readonly labels: readonly string[];
  readonly state: "OPEN" | "CLOSED" | "MERGED";
};

/** A server named `origin` that has `main`, and a gh that knows it. */
export function makeFakeGh(folder: string, repo: string, env: NodeJS.ProcessEnv): FakeGh {
  const [bin, server, home] = ["bin", "server.git", "gh"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [bin, home]) mkdirSync(path, { recursive: true });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, env });
  git("init", "-q", "--bare", server);
  git("remote", "add", "origin", server);
  git("push", "-q", "-u", "origin", "main");
  const program = join(bin, "gh");
  writeFileSync(program, `#!${process.execPath}\n${SCRIPT}`.replace("HOME_OF_GH", JSON.stringify(home)));
  chmodSync(program, 0o755);
  const read = (name: string) =>
    existsSync(join(home, name)) ? readFileSync(join(home, name), "utf8") : null;
  const mark = (name: string, text = "") => writeFileSync(join(home, name), text);
  return {
    bin,
    server,
    pulls: () => JSON.parse(read("pulls.json") ?? "[]"),
    calls: () => (read("calls.txt") ?? "").split("\n").filter((line) => line !== ""),
    logOut: () => mark("logged-out"),
    logIn: () => rmSync(join(home, "logged-out"), { force: true }),
    forgetRemotes: () => mark("unknown-remote"),
    killAt: (n) => {
      mark("kill-at", String(n));
      return (pid) => mark("kill-pid", String(pid));
    },
  };
}

const SCRIPT = String.raw`
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require("node:fs");
const { execFileSync } = require("node:child_process");
const { join } = require("node:path");
const home = HOME_OF_GH;
const args = process.argv.slice(2);
appendFileSync(join(home, "calls.txt"), args.join(" ").replaceAll("\n", " ") + "\n");
const has = (name) => existsSync(join(home, name));
const fail = (text, code = 1) => { process.stderr.write(text + "\n"); process.exit(code); };
const FLAGS = {
  "auth status": { "--hostname": 1 },
  "repo view": { "--json": 1, "--jq": 1 },
  "pr view": { "--json": 1, "--jq": 1, "--repo": 1 },
  "pr create": {
    "--head": 1, "--base": 1, "--title": 1, "--body-file": 1, "--draft": 0, "--reviewer": 1, "--label": 1, "--repo": 1,
  },
};
const name = args.slice(0, 2).join(" ");
const known = FLAGS[name] ?? fail("unknown command " + JSON.stringify(name) + " for \"gh\"");
const flags = {};
const words = [];
for (let i = 2; i < args.length; i += 1) {
  const word = args[i];
  if (!word.startsWith("-")) { words.push(word); continue; }
  if (known[word] === undefined) fail("unknown flag: " + word);
  if (known[word] === 1 && args[i + 1] === undefined) fail("flag needs an argument: " + word);
  (flags[word] ??= []).push(known[word] === 1 ? args[(i += 1)] : "true");
}
const one = (flag) => flags[flag]?.[0];
const file = join(home, "pulls.json");
const pulls = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
if (has("logged-out")) fail("You are not logged into any GitHub hosts. To log in, run: gh auth login", name === "auth status" ? 1 : 4);
if (name === "auth status") { process.stdout.write("github.com\n  Logged in to github.com account user\n"); process.exit(0); }
if (has("unknown-remote"))
  fail("none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use gh auth login");
const git = (...of) => execFileSync("git", of, { encoding: "utf8" }).trim();
if (name === "repo view") {
  process.stdout.write(JSON.stringify({ url: "https://github.com/acme/shop" }) + "\n");
  process.exit(0);
}
if (name === "pr view") {
  if (words.length !== 1) fail("accepts at most 1 arg(s), received " + words.length);
  const own = pulls.filter(({ head, url }) => head === words[0] || url === words[0]);
  const found = own.find(({ state }) => state === "OPEN") ?? own.at(-1);
  if (found === undefined) fail("no pull requests found for branch " + JSON.stringify(words[0]));
  const fields = (one("--json") ?? "url").split(",");
  process.stdout.write(JSON.stringify(Object.fromEntries(fields.map((key) => [key, found[key] ?? fail("Unknown JSON field: " + key)]))) + "\n");
  process.exit(0);
}
if (words.length > 0) fail("unknown argument " + JSON.stringify(words[0]));
const [head, base, title, body] = ["--head", "--base", "--title", "--body-file"].map(
  (flag) => one(flag) ?? fail("must provide " + flag + " when not running interactively"),
);
for (const branch of [head, base]) {
  if (git("ls-remote", "origin", "refs/heads/" + branch) === "") fail("pull request create failed: GraphQL: " + branch + " is not a branch (createPullRequest)");
}
if (title.trim() === "" || [...title].length > 256) fail("pull request create failed: GraphQL: Title is invalid (createPullRequest)");
const twice = pulls.find((pull) => pull.head === head && pull.base === base && pull.state === "OPEN");
if (twice !== undefined) fail("a pull request for branch " + JSON.stringify(head) + " into branch " + JSON.stringify(base) + " already exists:\n" + twice.url);
if (git("ls-remote", "origin", "refs/heads/" + head).split("\t")[0] === git("ls-remote", "origin", "refs/heads/" + base).split("\t")[0])
  fail("pull request create failed: GraphQL: No commits between " + base + " and " + head + " (createPullRequest)");
const number = pulls.length + 1;
const url = "https://github.com/acme/shop/pull/" + number;
const listed = (flag) => (flags[flag] ?? []).flatMap((text) => text.split(","));
pulls.push({
  number, url, head, base, title, body: readFileSync(body, "utf8"), draft: flags["--draft"] !== undefined,
  reviewers: listed("--reviewer"), labels: listed("--label"), state: "OPEN",
});
writeFileSync(file, JSON.stringify(pulls));
if (has("kill-at") && Number(readFileSync(join(home, "kill-at"), "utf8")) === number) {
  process.kill(Number(readFileSync(join(home, "kill-pid"), "utf8")), "SIGKILL");
}
process.stderr.write("\nCreating pull request for " + head + " into " + base + " in acme/shop\n\n");
process.stdout.write(url + "\n");
`;
