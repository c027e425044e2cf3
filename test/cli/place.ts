import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { main, type Run } from "./plait.ts";

/** Small real repositories that the program is tried in. Nothing of its sources is loaded here: that takes a second a file. */
export type Place = {
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A repository with one commit, a home of its own, and nothing of the user's. Gone after the tests of the file. */
export function makePlace(files: Readonly<Record<string, string>> = { "src/a.txt": "a\n" }): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "plait-runs-"));
  folders.push(root);
  const [repo, home] = [join(root, "repo"), join(root, "home")];
  for (const folder of [repo, home]) mkdirSync(folder);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = User\n\temail = user@example.com\n");
  const { PATH = "/usr/bin:/bin" } = process.env;
  const place = { repo, env: { PATH, HOME: home, TMPDIR: root, GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC" } };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true });
    writeFileSync(join(repo, name), text);
  }
  git(place, "init", "-q", "-b", "main", ".");
  git(place, "add", "-A");
  git(place, "commit", "-q", "-m", "start");
  return place;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function git({ repo, env }: Place, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: repo,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** The program beside a run that this process drives: nothing here may wait in a way that stops the driver. */
export async function plaitIn({ repo, env }: Place, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: repo,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const seen = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => (seen[name] += text));
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...seen };
}
