import { describe, expect, it } from "vitest";
import type { TaskId } from "../ids.ts";
import { formatCommand, otherCommand, plait, withFlags } from "./command.ts";
import { capitalize, fix, listing, money, name, plainText, sentence, task, time } from "./sentence.ts";

const tax = "tax" as TaskId;

describe("a command", () => {
  it.each([
    [plait("resume", "shop-k7f2", { "budget-usd": 4 }), "plait resume shop-k7f2 --budget-usd 4"],
    [plait("run", "my plan.yaml", { now: false, land: undefined }), "plait run 'my plan.yaml'"],
    [plait("land", "k7f2", { onto: { placeholder: "branch" } }), "plait land k7f2 --onto <branch>"],
    [plait("spec prompts", [{ placeholder: "folder" }]), "plait spec prompts <folder>"],
    [otherCommand("git", "log", ["--graph", "a..b"]), "git log --graph a..b"],
    [withFlags(plait("retry", ["tax", "promo"]), { now: true }), "plait retry tax promo --now"],
  ])("prints as it is typed: %#", (command, text) => expect(formatCommand(command)).toBe(text));
});

describe("a sentence", () => {
  it("keeps its parts, and joins text that stands side by side", () => {
    const reason = sentence`gate ${name("test")} red`;
    expect(sentence`${task(tax)} failed: ${reason}, ${2} of ${3}`).toEqual([
      { kind: "task", task: tax },
      " failed: gate ",
      { kind: "name", text: "test" },
      " red, 2 of 3",
    ]);
  });

  it("reads as one string, with times as the reader has them", () => {
    const one = sentence`${task(tax)} paused ${time(0, "until")}, ${money(1.5)} spent`;
    expect(plainText(one)).toBe("tax paused until 00:00 UTC, $1.50 spent");
    expect(plainText(one, (_, lead) => `${lead} noon`)).toBe("tax paused until noon, $1.50 spent");
    expect(plainText(fix("resume it", plait("resume", "k7f2")))).toBe("resume it: plait resume k7f2");
  });

  it("lists names, and counts those that are too many", () => {
    expect(plainText(listing(["a", "b", "c"]))).toBe("a, b and c");
    expect(plainText(listing(["a", "b", "c", "d"], 2))).toBe("a, b and 2 more");
    expect(plainText(listing([]))).toBe("");
  });

  it("begins with a capital, but never changes what is typed", () => {
    expect(capitalize(sentence`paused by ${name("you")}`)).toEqual(["Paused by ", name("you")]);
    expect(capitalize(sentence`${task(tax)} failed`)).toEqual([task(tax), " failed"]);
    expect(capitalize("held")).toBe("Held");
  });
});
