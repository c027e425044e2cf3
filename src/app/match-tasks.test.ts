import { describe, expect, it } from "vitest";
import type { TaskId } from "../core/ids.ts";
import { matchTask, matchTasks } from "./match-tasks.ts";

const ids = ["api", "api-docs", "payments", "payouts", "port-a", "port-b"] as TaskId[];
const each = [{ id: "port", from: "files", tasks: ["port-a", "port-b"], known: true }];
const names = { ids, place: "shop-k7f2", list: "list them: plait status shop-k7f2" };

function find(typed: string) {
  const matched = matchTask(typed, names);
  return matched.ok ? matched.task : matched.refusal;
}

describe("a task that is typed", () => {
  it("is the one with that id, also where other ids begin so", () => {
    expect(find("api")).toBe("api");
  });

  it("is found by a beginning that only one id has", () => {
    expect(find("paym")).toBe("payments");
    expect(find("api-")).toBe("api-docs");
  });

  it("is refused with the candidates where several ids begin so", () => {
    expect(find("pay")).toMatchObject({
      message: 'task "pay" in shop-k7f2 is ambiguous: payments, payouts',
      hint: "type more of the id",
    });
  });

  it("is refused with the nearest id where none begins so", () => {
    expect(find("paymnets")).toMatchObject({
      message: 'unknown task "paymnets" in shop-k7f2',
      hint: "did you mean payments?",
    });
    expect(find("")).toMatchObject({ hint: "list them: plait status shop-k7f2" });
  });

  it("lists at most ten candidates", () => {
    const many = Array.from({ length: 12 }, (_, i) => `task-${i}` as TaskId);
    const matched = matchTask("t", { ...names, ids: many });
    expect(matched.ok || matched.refusal.message).toMatch(/: task-0, .*, task-9 and 2 more$/);
  });
});

it("a task of the file that stands for many is all of them, also by its beginning", () => {
  const listed = (...typed: string[]) => matchTasks(typed, { ...names, each });
  expect(listed("port")).toEqual({ ok: true, tasks: ["port-a", "port-b"] });
  expect(listed("po", "api")).toEqual({ ok: true, tasks: ["port-a", "port-b", "api"] });
  expect(listed("port-a", "port")).toEqual({ ok: true, tasks: ["port-a", "port-b"] });
  expect(listed("p")).toMatchObject({
    refusal: { message: 'task "p" in shop-k7f2 is ambiguous: port, payments, payouts' },
  });
});
