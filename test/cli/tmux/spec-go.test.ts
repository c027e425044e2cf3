import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Place, sh } from "../../git/support.ts";
import { describeWith } from "../../support/extras.ts";
import { main } from "../plait.ts";
import { scriptedShop } from "../scripted-shop.ts";
import { openTerminal, withTmux } from "./tmux.ts";

/** An editor that does what the file `edit` says: a sed script. */
function editorIn({ root }: Place): string {
  const path = join(root, "editor");
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --wait ] || exit 9\nsed -i -f ${root}/edit "$2"\n`);
  chmodSync(path, 0o755);
  return `'${path}' --wait`;
}

describeWith(withTmux, "plait spec go at a terminal", () => {
  it("takes a sentence and an editor at both questions, and runs what was agreed on", async () => {
    const place = scriptedShop(() => ({
      design: "demo: on attempt 1: answer design.json\ndemo: on attempt 2: answer second.txt",
    }));
    const { root, repo } = place;
    const read = (name: string) => readFileSync(join(repo, name), "utf8");
    // The second version of both: each question finds its own in it.
    const second = [
      read("spec.json").replace("Text.", "Short."),
      read("design.json").replaceAll("part2", "other2"),
    ];
    writeFileSync(join(repo, "second.txt"), second.join("\n"));
    sh(place, "git add -A; git commit -q -m versions");
    const edit = (script: string) => writeFileSync(join(root, "edit"), script);
    const env = { ...place.env, VISUAL: editorIn(place) };
    const argv = ["node", main, "spec", "go", "docs/prd.md", "--agent", "demo", "--allow-nested"];
    const terminal = await openTerminal({ columns: 100, rows: 200, cwd: repo, env, argv });
    const answer = (text: string) => terminal.press(text, "Enter");

    await terminal.seen("Approve tech-specs/draft/TS-0001-shop.md?");
    await answer("shorter");
    await terminal.seen("y, n, e, or feedback for the agent:");
    await answer("make it shorter");
    await terminal.seen(/Short\.[\s\S]*Approve/);
    expect(read("tech-specs/draft/TS-0001-shop.md")).toContain("## Summary\n\nShort.");
    edit("s/Short\\./Edited./");
    await answer("e");
    await terminal.seen(/Edited\.[\s\S]*Approve/);
    await answer("y");

    const question = "Write parallel/TS-0001-shop, commit it and tech-specs/approved/TS-0001-shop.md";
    await terminal.seen(question);
    await answer("rename part 2");
    await terminal.seen(/other2\.py[\s\S]*Write parallel/);
    edit('s/"task-002"/"task-001"/');
    await answer("e");
    await terminal.seen(/duplicate[\s\S]*Write parallel/);
    await answer("y");
    await terminal.seen("the design has 1 error");
    edit('0,/"id": "task-001"/! s/"id": "task-001"/"id": "task-002"/; s/other2/third2/');
    await answer("e");
    await terminal.seen(/third2\.py[\s\S]*Write parallel/);
    await answer("y");

    await terminal.seen("TS-0001: landed and integrated");
    expect(sh(place, "git ls-files src tech-specs").trim().split("\n")).toEqual([
      ...["src/app.py", "src/part1.py", "src/third2.py", "tech-specs/reference/TS-0001-shop.md"],
    ]);
    expect(existsSync(join(repo, "parallel/TS-0001-shop.design.json"))).toBe(false);
  });
});
