import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FakeGh, makeFakeGh } from "../support/fake-gh.ts";
import { git, makePlace, type Place, plaitIn } from "./place.ts";
import { main } from "./plait.ts";

/** `gh` and its login are checked before any agent starts; what a reviewer reads is about the change. */

type Shop = Place & { readonly gh: FakeGh };

function makeShop(plan: string): Shop {
  const place = makePlace();
  const gh = makeFakeGh(dirname(place.repo), place.repo, place.env);
  writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
  return { ...place, gh, env: { ...place.env, PATH: `${gh.bin}:${place.env["PATH"]}` } };
}

const RUN = ["run", "../plan.yaml", "--allow-root", "--agent", "demo"];

const run = (place: Place, ...flags: string[]) => plaitIn(place, ...RUN, ...flags);

const TWO = `plait: 1
name: shop
gates: [{ name: tests, run: "test -f src/a.txt" }]
tasks:
  - { id: search, title: Add search, prompt: "demo: write src/search.txt x\\ndemo: say Added the search of src/search.txt, which fixes #12. Thanks @octocat." }
  - { id: tax, title: Add tax, needs: [search], prompt: "demo: write src/tax.txt x\\ndemo: say Prices show the tax." }
`;

const STACK = `${TWO}  - { id: docs, title: Write the docs, prompt: "demo: write docs.txt x" }
`;

describe.concurrent("a run that ends in a pull request", () => {
  it("checks gh, its login and the remote before it starts anything", async () => {
    const place = makeShop(TWO);
    const before = git(place, "for-each-ref");
    place.gh.logOut();
    const loggedOut = await run(place, "--pr");
    expect(loggedOut).toMatchObject({ code: 3, stdout: "" });
    expect(loggedOut.stderr).toContain("gh is not logged in");
    expect(loggedOut.stderr).toContain("gh auth login");
    place.gh.logIn();
    place.gh.forgetRemotes();
    const unknown = await run(place, "--pr");
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain("gh cannot find this repository on GitHub");
    const without = await run({ ...place, env: { ...place.env, PATH: pathWithoutGh(place) } }, "--pr");
    expect(without.code).toBe(3);
    expect(without.stderr).toContain("gh is not on the PATH; pull requests need it");
    expect(without.stderr).toContain("https://cli.github.com");
    expect(git(place, "for-each-ref")).toBe(before);
    expect((await plaitIn(place, "runs")).stdout).not.toContain("shop-");
  });

  it("has a sentence as its title, the change first, and its address everywhere", async () => {
    const place = makeShop(TWO);
    const ran = await run(place, "--pr");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const [pull] = place.gh.pulls();
    expect(pull).toMatchObject({ title: "Add search and tax", base: "main", draft: false });
    const body = pull?.body ?? "";
    expect(body).toMatch(/^- \*\*Add search\.\*\* Added the search of `src\/search.txt`, which fixes `#12`/);
    expect(body).toContain("- **Add tax.** Prices show the tax.");
    expect(body).not.toMatch(/[^`]@octocat|plait (?:run|land|resume|logs)/);
    expect(body).toMatch(/## Checks\n\n- ✓ `test -f src\/a.txt` \(tests\)/);
    expect(body.indexOf("## Tasks")).toBeGreaterThan(body.indexOf("## Checks"));
    const url = "https://github.com/acme/shop/pull/1";
    expect(ran.stdout).toContain(url);
    expect(ran.stdout).toContain(`gh pr view ${url}`);
    const [status, json, report, reportJson] = await Promise.all([
      plaitIn(place, "status"),
      plaitIn(place, "status", "--json"),
      plaitIn(place, "report"),
      plaitIn(place, "report", "--format", "json"),
    ]);
    expect(status.stdout).toContain(url);
    expect(report.stdout).toContain(url);
    expect(JSON.parse(json.stdout).pullRequests).toMatchObject([{ url, base: "main" }]);
    expect(JSON.parse(reportJson.stdout).pullRequests).toMatchObject([{ url, base: "main" }]);
  });

  it("can be asked for at the landing, as a draft with reviewers and labels", async () => {
    const place = makeShop(TWO);
    expect(await run(place, "--land", "never")).toMatchObject({ code: 0 });
    place.gh.logOut();
    const refused = await plaitIn(place, "land", "--pr");
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain("gh auth login");
    place.gh.logIn();
    const asked = ["--pr", "--draft", "--reviewer", "ada", "--reviewer", "bob", "--label", "shop"];
    const landed = await plaitIn(place, "land", ...asked, "--allow-root");
    expect(landed.code, landed.stdout + landed.stderr).toBe(0);
    expect(place.gh.pulls()).toMatchObject([{ draft: true, reviewers: ["ada", "bob"], labels: ["shop"] }]);
  });

  it("one per task is gated for each tree of the stack, and names a gate that is red for a part of it", async () => {
    const place = makeShop(TWO);
    const move = `cd ${place.repo} && echo x > moved.txt && git add moved.txt && env -u GIT_CONFIG_COUNT git commit -qm moved`;
    const plan = TWO.replace("test -f src/a.txt", "test ! -f moved.txt -o -f src/tax.txt").replace(
      "demo: write src/tax.txt x",
      `demo: write src/tax.txt x\\ndemo: run ${move}`,
    );
    writeFileSync(join(dirname(place.repo), "plan.yaml"), plan);
    const ran = await run(place, "--pr-per-task");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const [search, tax] = place.gh.pulls();
    expect(search?.body).toContain("is red for this pull request alone and green for its whole stack.**");
    expect(search?.body).toContain("- ✗ `");
    expect(tax?.body).toContain("- ✓ `");
    expect(tax?.body).not.toContain("red for this pull request");
  });

  it("one per task is a stack in the order of needs, and a killed run opens only the missing ones (I4)", async () => {
    const place = makeShop(STACK);
    const kill = place.gh.killAt(2);
    const child = spawn(process.execPath, [main, ...RUN, "--pr-per-task"], {
      cwd: place.repo,
      env: place.env,
      stdio: "ignore",
    });
    kill(child.pid ?? 0);
    const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
    expect(signal).toBe("SIGKILL");
    expect(place.gh.pulls()).toHaveLength(2);
    const resumed = await plaitIn(place, "resume", "--allow-root");
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
    const pulls = place.gh.pulls();
    const name = (task: string) => pulls[0]?.head.replace(/-[a-z]+$/, `-${task}`);
    expect(pulls.map(({ head, base, title }) => [head, base, title]).sort()).toEqual([
      [name("docs"), "main", "Write the docs"],
      [name("search"), "main", "Add search"],
      [name("tax"), name("search"), "Add tax"],
    ]);
    const tax = pulls.find(({ title }) => title === "Add tax");
    const search = pulls.find(({ title }) => title === "Add search");
    expect(tax?.body).toContain(`Pull request 2 of 2 in a stack. Merge ${search?.url} (Add search) first.`);
    expect(tax?.body).toContain("Prices show the tax.");
    expect(tax?.body).not.toContain("mermaid");
    // Each is one commit on its base, with its own file alone.
    git(place, "fetch", "-q", "origin");
    for (const { head, base } of pulls)
      expect(git(place, "diff", "--name-only", `origin/${base}`, `origin/${head}`).split("\n")).toHaveLength(
        1,
      );
    expect(git(place, "log", "--format=%s", "main")).toBe("start");
    expect(resumed.stdout).toContain(`tax: ${tax?.url} into ${tax?.base}`);
    expect(JSON.parse((await plaitIn(place, "status", "--json")).stdout).pullRequests).toHaveLength(3);
  });

  it("names commits that are on its branch, and lands here only where that is asked for", async () => {
    const place = makeShop(TWO);
    const ran = await run(place, "--pr");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const [pull] = place.gh.pulls();
    const name = pull?.head.replace("plait/", "") ?? "";
    const proposed = await readCommits(place);
    const onBranch = listCommits(place, `origin/${pull?.head}`);
    for (const commit of Object.values(proposed)) {
      expect(onBranch).toContain(commit);
      expect(pull?.body).toContain(commit.slice(0, 7));
    }
    for (const flags of [[], ["--onto", "main"]]) {
      const refused = await plaitIn(place, "land", ...flags);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain(`${pull?.url} into main is open`);
      expect(refused.stderr.replaceAll(/\s+/g, " ")).toContain(`plait land ${name} --no-pr`);
    }
    git(place, "branch", "release");
    const elsewhere = await plaitIn(place, "land", "--pr", "--onto", "release");
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr.replaceAll(/\s+/g, " ")).toContain(`gh pr edit ${pull?.url} --base release`);
    expect(git(place, "log", "--format=%s", "main")).toBe("start");
    const landed = await plaitIn(place, "land", "--no-pr");
    expect(landed.code, landed.stdout + landed.stderr).toBe(0);
    expect(landed.stdout).toContain("landed");
    expect(git(place, "show", "main:src/tax.txt")).toBe("x");
    const onMain = listCommits(place, "main");
    for (const commit of Object.values(await readCommits(place))) expect(onMain).toContain(commit);
    const status = (await plaitIn(place, "status")).stdout;
    expect(status).toMatch(/✓ landed on main as [0-9a-f]{7}/);
    expect(status).toContain(`gh pr close ${pull?.url}`);
    expect(place.gh.pulls()).toHaveLength(1);
    expect((await plaitIn(place, "undo")).code).toBe(0);
    expect(git(place, "log", "--format=%s", "main")).toBe("start");
  });

  it("one per task names the commits that were pushed", async () => {
    const place = makeShop(STACK);
    const ran = await run(place, "--pr-per-task");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const commits = await readCommits(place);
    for (const { head, body } of place.gh.pulls()) {
      const task = head.split("-").at(-1) ?? "";
      expect([task, commits[task]]).toEqual([task, git(place, "rev-parse", `origin/${head}`)]);
      expect(body).toContain(commits[task]?.slice(0, 7));
    }
  });

  it("is called after the prompt of a task without a title", async () => {
    const prompt = "Write the docs of the orders.\\ndemo: write docs.txt x";
    const place = makeShop(`${TWO}  - { id: docs, prompt: "${prompt}" }\n`);
    const ran = await run(place, "--pr-per-task");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(place.gh.pulls().map(({ title }) => title)).toContain("Write the docs of the orders");
    const together = await plaitIn(place, "land", "--pr");
    expect(together.code, together.stdout + together.stderr).toBe(0);
    const whole = place.gh.pulls().at(-1);
    expect(whole?.title).toBe("Add search, add tax and write the docs of the orders");
    expect(whole?.body).toContain("- **Write the docs of the orders.**");
  });

  it("is updated by a later landing in a clone that does not fetch its branch, and never over commits of others", async () => {
    const place = makeShop(TWO);
    git(place, "config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main");
    expect((await run(place, "--pr")).code).toBe(0);
    const [pull] = place.gh.pulls();
    const there = () => git(place, "ls-remote", "origin", `refs/heads/${pull?.head}`).split("\t")[0] ?? "";
    const first = there();
    const again = await plaitIn(place, "land", "--pr", "--as", "squash");
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(there()).not.toBe(first);
    git(place, "push", "-qf", "origin", `main:${pull?.head}`);
    const refused = await plaitIn(place, "land", "--pr", "--as", "rebase");
    expect(refused.stdout.replaceAll(/\s+/g, " ")).toContain("was changed by another program");
    expect(refused.code).toBe(1);
    expect(there()).toBe(git(place, "rev-parse", "main"));
  });

  it("has no landing to undo: the command that closes it is named", async () => {
    const place = makeShop(TWO);
    expect((await run(place, "--pr")).code).toBe(0);
    const [known = ""] = /shop-\w+/.exec((await plaitIn(place, "status")).stdout) ?? [];
    const [{ url = "" } = {}] = place.gh.pulls();
    const refused = await plaitIn(place, "undo", known);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `error: ${known} has not landed; its work is in a pull request\n  help: close it: gh pr close ${url}\n`,
    );
  });

  it("lists titles that are cut at a word", async () => {
    const title = "Show the tax of each price in the cart, in the list of orders and on all printed invoices";
    const place = makeShop(TWO.replace("title: Add tax", `title: "${title}"`));
    expect((await run(place, "--pr")).code).toBe(0);
    const [{ body = "" } = {}] = place.gh.pulls();
    expect(body).toContain(
      "| `tax` Show the tax of each price in the cart, in the list of orders and on all… |",
    );
  });
});

/** The commit column, by task. */
async function readCommits(place: Place): Promise<Record<string, string>> {
  const { tasks } = JSON.parse((await plaitIn(place, "status", "--json")).stdout);
  return Object.fromEntries(
    tasks.map(({ task, commit }: { task: string; commit: string }) => [task, commit]),
  );
}

const listCommits = (place: Place, branch: string): string[] =>
  git(place, "log", "--format=%H", branch).split("\n");

/** The programs of the system, in a folder where gh is not. */
/** A real gh may be installed: its folder is replaced by links to all else in it. */
function pathWithoutGh({ env, gh, repo }: Shop): string {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder !== gh.bin);
  return folders
    .map((folder, n) => {
      if (!existsSync(join(folder, "gh"))) return folder;
      const without = join(dirname(repo), `without-gh-${n}`);
      mkdirSync(without);
      for (const name of readdirSync(folder).filter((one) => one !== "gh"))
        symlinkSync(join(folder, name), join(without, name));
      return without;
    })
    .join(":");
}
