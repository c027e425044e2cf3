import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { makePlace, type Place } from "./place.ts";
import { main } from "./plait.ts";
import { finish } from "./run-place.ts";

let place: Place;
let run: string;

beforeAll(async () => {
  place = makePlace();
  run = await finish(
    place,
    "plait: 1\nname: small\ntasks: [{ id: one, access: read-only, command: 'true' }]\n",
  );
});

describe("plait ui", () => {
  it("says which run there is where there is none of that name", async () => {
    const { code, stderr } = await askedIn(place, "ui", `${run.slice(0, -1)}_`);
    expect(code).toBe(2);
    expect(stderr).toContain(`did you mean ${run}?`);
  });

  it("does not take a port that another program has", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await askedIn(place, "ui", "--port", String(port));
    other.close();
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`port ${port} is in use`);
    expect(stderr).toContain("leave out --port");
    expect((await askedIn(place, "ui", "--port", "65536")).code).toBe(2);
  });

  it("serves a run that is damaged, as far as it can be read, also where no browser can be opened, and ends without failure when it is left", async () => {
    const journal = join(place.repo, ".git/plait/runs", run, "journal.ndjson");
    const whole = readFileSync(journal);
    appendFileSync(journal, "no fact\nno fact\n");
    const env = { ...place.env, TMPDIR: join(place.repo, "none") };
    const child = spawn(process.execPath, [main, "ui", run, "--open"], { cwd: place.repo, env });
    let said = "";
    child.stderr.on("data", (text: Buffer) => {
      said += text;
    });
    const link = await new Promise<string>((resolve) =>
      child.stdout.once("data", (text) => resolve(String(text))),
    );
    const [origin = "", token = ""] = link.trim().split("/#token=");
    const answer = await fetch(`${origin}/api/runs/${run}/facts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece);
      if (text.includes("event: unreadable")) break;
    }
    expect(text).toContain('"type":"run.ended"');
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(said).toContain("is damaged at line");
    expect(said).toContain("this machine only");
    expect(said).toContain("open the link yourself");
    writeFileSync(journal, whole);
  });
});

describe("--ui", () => {
  it.each([["run", "../plan.yaml"], ["resume"]])(
    "of %s does not go with --detach, and nothing is begun",
    async (...args) => {
      writeFileSync(
        join(dirname(place.repo), "plan.yaml"),
        "plait: 1\nname: x\ntasks: [{ id: a, command: 'true' }]\n",
      );
      const { code, stderr } = await askedIn(place, ...args, "--ui", "--detach");
      expect(code).toBe(2);
      expect(stderr).toContain("--ui and --detach cannot be combined");
      expect(stderr).toContain("start the run, then serve it: plait ");
    },
  );
});
