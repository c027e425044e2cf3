import { expect, test } from "vitest";
import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import { checkTypes } from "../../src/spec/integrate/types/check-types.ts";
import { pythonTypes } from "../../src/spec/integrate/types/python.ts";
import type { ModuleTypes } from "../../src/spec/integrate/types/shape.ts";
import { type Import, importsOf } from "../../src/syntax/imports.ts";
import { parseSource } from "../../src/syntax/parse.ts";
import { doneFiles, type Files, projectFiles, python } from "./example-projects.ts";

/** The Python example with all of its tasks well done, changed as a task might have got it wrong. */
async function found(change: { file: string; from: string; to: string } | null): Promise<string[]> {
  const files: Record<string, string> = { ...projectFiles(python), ...doneFiles(python) };
  if (change !== null) {
    const before = files[change.file] ?? "";
    expect(before.split(change.from)).toHaveLength(2);
    files[change.file] = before.replace(change.from, change.to);
  }
  const { contracts } = JSON.parse(files["design.json"] as string);
  const verdicts = checkTypes({
    contracts: [{ path: "parallel/TS-0042/contracts/types.py", types: (await read(contracts.types)).types }],
    modules: await modulesIn(files),
    resolve: moduleResolver(Object.keys(files)),
    unread: [],
  });
  expect(verdicts).toHaveLength(19);
  return verdicts.flatMap(({ about, status, findings }) => [
    ...(status === "ok" || findings.length > 0 ? [] : [`${about} is ${status}`]),
    ...findings.map(
      ({ weight, code, at, message }) =>
        `${weight} ${code} ${about} ${at === null ? "-" : `${at.file}:${at.line}`} ${message}`,
    ),
  ]);
}

async function modulesIn(files: Files) {
  const sources = Object.entries(files).filter(([path]) => path.endsWith(".py"));
  return new Map(await Promise.all(sources.map(async ([path, text]) => [path, await read(text)] as const)));
}

type Read = { readonly types: ModuleTypes; readonly imports: readonly Import[] };
/** Most files are the same in all tests. */
const known = new Map<string, Promise<Read>>();

function read(text: string): Promise<Read> {
  const reading = known.get(text) ?? parse(text);
  known.set(text, reading);
  return reading;
}

async function parse(text: string): Promise<Read> {
  const tree = await parseSource("python", text);
  try {
    return { types: pythonTypes(tree), imports: importsOf(tree) };
  } finally {
    tree.free();
  }
}

test("the example as it should be is as its contract says", async () =>
  expect(await found(null)).toEqual([]));

const models = "app/models.py";
const bodies = "app/reservation_schemas.py";

type Change = { file: string; from: string; to: string };

test.each<[string, Change, ...string[]]>([
  [
    "a missing field",
    { file: bodies, from: "    ttl_minutes: int | None = Field(default=None, ge=1, le=120)\n", to: "" },
    `must field-missing ReservationPatch ${bodies}:25 \`ttl_minutes: int | None\` is missing`,
  ],
  [
    "a field that nobody asked for",
    {
      file: models,
      from: "    available: int\n    reorder",
      to: "    available: int\n    unit: str\n    reorder",
    },
    `must field-extra Shortage ${models}:83 \`unit\` is not in the contract`,
  ],
  [
    "another value",
    { file: models, from: '"expired"', to: '"timed_out"' },
    `must value-missing ReservationStatus ${models}:14 value \`"expired"\` is missing`,
    `must value-extra ReservationStatus ${models}:14 value \`"timed_out"\` is not in the contract`,
  ],
  [
    "a field that must be given",
    { file: models, from: "category: Category | None = None", to: "category: Category | None" },
    `must field-optional Shortage ${models}:84 \`category\` is required in the code, optional in the contract`,
  ],
  [
    "null that is not taken",
    { file: models, from: "confirmed_at: datetime | None = None", to: "confirmed_at: datetime" },
    `must field-optional Reservation ${models}:66 \`confirmed_at\` is \`datetime\` in the code, \`datetime | None\` in the contract; required in the code, optional in the contract`,
  ],
  [
    "a default where the contract has none",
    { file: bodies, from: "quantity: int = Field(gt=0)", to: "quantity: int = Field(default=1, gt=0)" },
    `should field-optional ReservationLineBody ${bodies}:15 \`quantity\` is optional in the code, required in the contract`,
  ],
  [
    "another type",
    { file: "app/schemas.py", from: "by_warehouse: dict[str, int]", to: "by_warehouse: list[int]" },
    "must field-type AvailabilityOut app/schemas.py:48 `by_warehouse` is `list[int]` in the code, `dict[str, int]` in the contract",
  ],
  [
    "another type of the contract, though its fields are the same",
    { file: models, from: "lines: list[ReservationLine]", to: "lines: list[ReservationLineBody]" },
    `must field-type Reservation ${models}:62 \`lines\` is \`list[ReservationLineBody]\` in the code, \`list[ReservationLine]\` in the contract`,
  ],
  [
    "a type that is not there",
    { file: "app/errors.py", from: "class ErrorDetail(BaseModel)", to: "class ErrorPart(BaseModel)" },
    "must type-missing ErrorDetail - not declared in any file",
  ],
  [
    "a type of another kind",
    { file: "app/errors.py", from: "class ErrorCode(str, Enum):", to: "class ErrorCode(BaseModel):" },
    'must type-kind ErrorCode app/errors.py:14 the type is a type without fields in the code, one of `"not_found"`, `"conflict"`, `"not_enough_stock"` … in the contract',
  ],
])("%s is all that is found", async (_, change, ...expected) =>
  expect(await found(change)).toEqual(expected),
);
