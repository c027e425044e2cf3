import { expect, test } from "vitest";
import type { OwnedFinding } from "./finding.ts";
import { joinFindings } from "./join-findings.ts";

const finding = (over: Partial<OwnedFinding>): OwnedFinding => ({
  ...{ area: "types", code: "type-missing", weight: "must", about: "T", at: null, message: "m", values: {} },
  ...{ task: "t1", commit: null, fix: "Fix it" },
  ...over,
});
const short = (...all: readonly Partial<OwnedFinding>[]) =>
  joinFindings(all.map(finding)).map(({ about, message }) => `${about}: ${message}`);

const field = (about: string, line: number, over: Partial<OwnedFinding> = {}): Partial<OwnedFinding> => ({
  ...{ code: "field-type", about, at: { file: "a.py", line }, message: "f", uses: ["list", "Money"] },
  ...over,
});

test("fields of another type follow from the type that is missing, in the same task", () => {
  const money = { about: "Money", message: "not declared in any file" };
  expect(short(money, field("P1", 4), field("P2", 8), field("P3", 9, { task: "t2" }))).toEqual([
    "Money: not declared in any file; other types are used instead in `P1` (a.py:4) and `P2` (a.py:8)",
    "P3: f",
  ]);
  expect(short({ ...money, weight: "should" }, field("P1", 4))).toHaveLength(2); // that may be written out
  expect(short(field("P1", 4))).toEqual(["P1: f"]);
});

test("types follow from the file that they belong in", () => {
  const file = { area: "completeness", code: "scope-file-missing", about: "t1", home: "a.py" } as const;
  const types = ["A", "B"].map((about) => ({ about, home: "a.py" }));
  expect(
    short({ ...file, values: { pattern: "a.py", deleted: null } }, ...types, { about: "C", home: "b.py" }),
  ).toEqual(["t1: `a.py` was not created; it must declare `A` and `B`", "C: m"]);
});

test("missing endpoints of one resource and one task are one finding", () => {
  const at = { file: "api.yaml", line: 1 };
  const missing = (about: string, over: Partial<OwnedFinding> = {}): Partial<OwnedFinding> => ({
    ...{ area: "endpoints", code: "endpoint-missing", about, at, message: "no route has this path" },
    ...{ values: { kind: "none" } },
    ...over,
  });
  expect(
    short(
      missing("GET /carts"),
      missing("POST /carts/{id}"),
      missing("GET /orders"),
      missing("PUT /carts", { task: "t2" }),
      missing("PUT /carts", { message: "another", values: { kind: "similar" } }),
    ),
  ).toEqual([
    "2 endpoints: no route has this path: `GET /carts` and `POST /carts/{id}`",
    "GET /orders: no route has this path",
    "PUT /carts: no route has this path",
    "PUT /carts: another",
  ]);
});

test("findings with the same reason are joined across tasks; mistakes never are", () => {
  const unclear = (about: string, task: string): Partial<OwnedFinding> => ({
    ...{ area: "endpoints", code: "endpoint-unclear", weight: "unclear", about, task },
    ...{ values: { kind: "framework" } },
  });
  const all = Array.from({ length: 14 }, (_, i) => unclear(`GET /${i}`, `t${i}`));
  const [joined] = joinFindings(all.map(finding));
  expect(joined).toMatchObject({ about: "14 endpoints", task: null, commit: null });
  expect(joined?.message).toMatch(/that plait reads: `GET \/0`, .*`GET \/11` and 2 more$/);
  const wrong = { code: "field-missing", about: "A" } as const;
  expect(short(wrong, wrong)).toHaveLength(2);
});

test("a wrong field is one finding, for its type and for all endpoints: the gravest stays", () => {
  const at = { file: "a.py", line: 9 };
  const own = (over: Partial<OwnedFinding>): Partial<OwnedFinding> => ({ at, member: "months", ...over });
  const type = own({ code: "field-optional", about: "PermitIn" });
  const contract = { kind: "named", name: "Permit", isList: false };
  const body = { kind: "body", side: "request", code: { kind: "none" }, contract };
  const endpoint = (about: string, over: Partial<OwnedFinding> = {}) =>
    own({ area: "endpoints", code: "endpoint-request", about, values: body, ...over });
  expect(short(endpoint("POST /a"), type, endpoint("PUT /a"))).toEqual(["PermitIn: m"]);
  expect(short(endpoint("POST /a"), { ...type, weight: "should" })).toEqual(["POST /a: m"]);
  expect(short(endpoint("POST /a"), endpoint("PUT /a"), endpoint("PUT /a"))).toEqual([
    "POST /a: accepts no body; the contract has `Permit` (and in 1 more endpoint)",
  ]);
  const others = [own({ member: "plate" }), own({ at: { ...at, line: 10 } }), { at }, own({ at: null })];
  expect(short(type, ...others)).toHaveLength(5);
});
