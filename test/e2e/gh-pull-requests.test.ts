import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { git, makePlace, type Place, plaitIn } from "../cli/place.ts";
import { describeWith } from "../support/extras.ts";
import { type GithubServer, startGithub } from "./github-server.ts";

const isThere = ["gh", "openssl"].every((name) => spawnSync(name, ["version"]).status === 0);
const withGh = { name: "gh", isThere, install: "apt-get install gh openssl" };

const PLAN = `plait: 1
name: shop
gates: ["test -f src/a.txt"]
defaults: { agent: demo }
tasks:
  - { id: search, title: Add search, prompt: "demo: write src/search.txt x\\ndemo: say Added the search." }
  - { id: tax, title: Add tax, needs: [search], prompt: "demo: write src/tax.txt x\\ndemo: say Prices show the tax." }
`;

const URL = "https://github.com/acme/shop/pull";

describeWith(withGh, "pull requests with the real gh", () => {
  let place: Place;
  let github: GithubServer;

  beforeAll(async () => {
    const made = makePlace();
    const folder = dirname(made.repo);
    git(made, "init", "-q", "--bare", join(folder, "server.git"));
    git(made, "remote", "add", "origin", "https://github.com/acme/shop.git");
    // gh reads the address, and git pushes to the folder.
    git(
      made,
      "config",
      `url.${join(folder, "server.git")}.pushInsteadOf`,
      "https://github.com/acme/shop.git",
    );
    git(made, "push", "-q", "origin", "main");
    writeFileSync(join(folder, "plan.yaml"), PLAN);
    github = await startGithub(folder, join(folder, "server.git"));
    place = { ...made, env: { ...made.env, ...github.env } };
  });
  afterAll(() => github.close());

  const plait = async (...args: string[]) => {
    const ran = await plaitIn(place, ...args, "--allow-root");
    return { ...ran, text: `${ran.stdout}\n${ran.stderr}`.replaceAll(/\s+/g, " ") };
  };

  it("opens a stack of drafts with reviewers and labels", async () => {
    const flags = ["--pr-per-task", "--draft", "--reviewer", "ada", "--label", "agents"];
    const ran = await plait("run", "../plan.yaml", ...flags);
    expect(ran.code, ran.text).toBe(0);
    const [search, tax] = github.pulls;
    const same = { isDraft: true, reviewers: ["ada"], labels: ["agents"] };
    expect(search).toMatchObject({ ...same, title: "Add search", baseRefName: "main" });
    expect(tax).toMatchObject({ ...same, title: "Add tax", baseRefName: search?.headRefName });
    expect(tax?.body).toContain(`Pull request 2 of 2 in a stack. Merge ${URL}/1 (Add search) first.`);
    expect(ran.text).toContain(`${URL}/2`);
  });

  it("opens one without a label that does not exist, names the command, and adds another to it later", async () => {
    const ran = await plait("run", "../plan.yaml", "--pr", "--label", "none", "--reviewer", "ada");
    expect(ran.code, ran.text).toBe(0);
    expect(github.pulls).toHaveLength(3);
    expect(github.pulls[2]).toMatchObject({ labels: [], title: "Add search and tax" });
    expect(ran.text).toContain(`gh pr edit ${URL}/3 --add-reviewer ada --add-label none`);
    const later = await plait("land", "--pr", "--label", "agents");
    expect(later.code, later.text).toBe(0);
    expect(github.pulls).toHaveLength(3);
    expect(github.pulls[2], later.text).toMatchObject({ labels: ["agents"], reviewers: ["ada"] });
  });

  it("leaves a branch alone that others changed, and opens the pull request once it is gone", async () => {
    const ran = await plait("run", "../plan.yaml", "--land", "never", "--json");
    const [, run = ""] = /"run":"(shop-\w+)"/.exec(ran.stdout) ?? [];
    git(place, "push", "-q", "origin", `main~0:refs/heads/plait/${run}`);
    git(place, "update-ref", "-d", `refs/remotes/origin/plait/${run}`);
    const refused = await plait("land", run, "--pr");
    expect(refused.code, refused.text).toBe(1);
    expect(refused.text).toContain(`git push origin --delete plait/${run}`);
    expect(github.pulls).toHaveLength(3);
    git(place, "push", "-q", "origin", "--delete", `plait/${run}`);
    const again = await plait("land", run, "--pr");
    expect(again.code, again.text).toBe(0);
    expect(github.pulls).toHaveLength(4);
  });
});
