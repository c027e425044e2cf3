import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  doneFiles,
  type ExampleProject,
  keptFolder,
  projectFiles,
  python,
  typescript,
} from "../spec/example-projects.ts";
import { askedIn } from "./asked.ts";
import { git, makePlace, type Place } from "./place.ts";

/** Files of the finished project in the order in which tasks bring them in; a function is the part of one that the task owns. */
type Work = Readonly<Record<string, Readonly<Record<string, ((done: string) => string) | null>>>>;

/** A text in a file of the finished project, and what stands there instead. */
type Break = readonly [file: string, from: string, to: string];

/**
 * The project before, then one commit for each task with its trailers; gives what is found, a line each. `stray` is a change that the
 * last task makes in a file of others.
 */
async function integrated(
  project: ExampleProject,
  { work, breaks = [], stray }: { work: Work; breaks?: readonly Break[]; stray?: Break },
): Promise<string[]> {
  const place = makePlace({ ...projectFiles(project), ...keptFolder(project) });
  const done = { ...doneFiles(project) };
  for (const [file, from, to] of breaks) done[file] = replaced(done[file] ?? "", from, to);
  const last = Object.keys(work).at(-1);
  for (const [task, files] of Object.entries(work)) {
    for (const [file, part] of Object.entries(files)) {
      write(place, file, part === null ? (done[file] ?? "") : part(done[file] ?? ""));
    }
    if (task === last && stray !== undefined)
      write(place, stray[0], replaced(done[stray[0]] ?? "", stray[1], stray[2]));
    git(place, "add", "-A");
    const run = `${project.folder.replace(/^.*TS-\d+-/, "")}-k7f2`;
    git(place, "commit", "-q", "-m", task, "-m", `Plait-Run: ${run}\nPlait-Task: ${task}`);
  }
  const { stdout } = await askedIn(place, "spec", "integrate", "--no-checks", "--json");
  const { findings, tasks } = JSON.parse(stdout) as {
    findings: {
      weight: string;
      code: string;
      about: string;
      at: { file: string; line: number } | null;
      task: string;
      commit: string | null;
    }[];
    tasks: { status: string }[];
  };
  expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(["merged"]));
  const subjects = new Map(
    git(place, "log", "--format=%H %s")
      .split("\n")
      .map((line) => [line.slice(0, 40), line.slice(41)]),
  );
  return findings.map(({ weight, code, about, at, task, commit }) => {
    expect(subjects.get(commit ?? "")).toBe(task); // one commit a task, called after it
    return `${weight} ${code} ${about} ${at === null ? "" : `${at.file}:${at.line ?? ""}`} ${task}`;
  });
}

function write({ repo }: Place, name: string, text: string): void {
  mkdirSync(dirname(join(repo, name)), { recursive: true });
  writeFileSync(join(repo, name), text);
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return text.replace(from, to);
}

const all = (...files: string[]) => Object.fromEntries(files.map((file) => [file, null]));
const until = (mark: string) => (done: string) => `${done.slice(0, done.indexOf(mark)).trimEnd()}\n`;

describe("the Python example", () => {
  const work: Work = {
    "task-001": all("app/models.py"),
    "task-002": all("app/services/expiry.py", "tests/test_expiry.py"),
    "task-003": all("app/errors.py", "app/main.py", "tests/test_products.py"),
    "task-004": {
      ...all("app/services/reservations.py", "app/store.py", "tests/test_reservation_service.py"),
      "app/services/stock.py": until("def availability"),
    },
    "task-005": all("app/reservation_schemas.py", "app/schemas.py"),
    "task-006": all("app/routers/reports.py", "tests/test_reports_api.py", "app/services/stock.py"),
    "task-007": all("app/routers/reservations.py", "tests/test_reservations_api.py"),
    "task-008": all("app/routers/products.py", "tests/test_availability_api.py"),
  };

  it("fits, well done: nothing is found", async () => {
    expect(await integrated(python, { work })).toEqual([]);
  });

  it("has seven breaks, and each is named, and nothing else", async () => {
    const breaks: Break[] = [
      ["app/schemas.py", "    price_cents: int = Field(ge=0)\n", "    price_cents: int = Field(ge=1)\n"],
      ["app/models.py", '    EXPIRED = "expired"\n', ""],
      ["app/models.py", "    by_warehouse: dict[str, int]\n", ""],
      ["app/reservation_schemas.py", "Field(default=15, ge=1, le=120)", "Field(ge=1, le=120)"],
      ["app/routers/reservations.py", '@router.patch("/{reservation_id}"', '@router.put("/{reservation_id}"'],
      [
        "app/routers/reservations.py",
        '"/{reservation_id}/confirm", response_model=ReservationOut',
        '"/{reservation_id}/confirm", response_model=ReservationPatch',
      ],
    ];
    const stray: Break = ["app/main.py", "app = FastAPI(", "# late\n    app = FastAPI("];
    expect(await integrated(python, { work, breaks, stray })).toEqual([
      "must outside-symbol task-005 app/schemas.py:20 task-005",
      "must inside-boundary task-008 app/main.py:11 task-008",
      "must endpoint-method PATCH /reservations/{reservation_id} app/routers/reservations.py:43 task-007",
      "must endpoint-response POST /reservations/{reservation_id}/confirm app/routers/reservations.py:61 task-007",
      "must value-missing ReservationStatus app/models.py:14 task-001",
      "must field-missing Availability app/models.py:70 task-001",
      "must field-optional ReservationIn app/reservation_schemas.py:21 task-005",
    ]);
  });
});

describe("the TypeScript example", () => {
  const noCapacity = (done: string) =>
    until("export interface CapacityReport")(done).replace("  capacity?: number;\n", "");
  const work: Work = {
    "task-001": {
      ...all("src/domain/transfers.ts", "test/transfer-rules.test.ts"),
      "src/domain/types.ts": noCapacity,
    },
    "task-002": all("src/domain/types.ts", "src/services/stock.ts", "test/capacity.test.ts"),
    "task-003": all("src/app.ts", "src/http/problem.ts", "test/problem.test.ts"),
    "task-004": all("src/domain/store.ts", "src/services/transfers.ts", "test/transfer-service.test.ts"),
    "task-005": all("src/http/transfer-bodies.ts", "test/transfer-bodies.test.ts"),
    "task-006": all("src/routes/transfers.ts", "test/transfers-api.test.ts"),
    "task-007": all("src/routes/warehouses.ts", "test/warehouse-api.test.ts"),
  };

  it("fits, well done: nothing is found", async () => {
    expect(await integrated(typescript, { work })).toEqual([]);
  });

  it("has seven breaks, and each is named, and nothing else", async () => {
    const breaks: Break[] = [
      ["src/routes/warehouses.ts", "there is no such warehouse", "no such warehouse"],
      ["src/domain/transfers.ts", '  Return = "return",\n', ""],
      ["src/domain/transfers.ts", "  trackingNumber?: string;\n", ""],
      ["src/domain/types.ts", "  inTransit?: number;", "  inTransit: number;"],
      ["src/routes/transfers.ts", 'routes.patch("/:id"', 'routes.put("/:id"'],
      ["src/routes/transfers.ts", "c.json<TransferPage>(", "c.json<Transfer>("],
    ];
    const stray: Break = [
      "src/app.ts",
      "const app = new Hono();",
      "const app = new Hono({ strict: false });",
    ];
    expect(await integrated(typescript, { work, breaks, stray })).toEqual([
      "must inside-boundary task-007 src/app.ts:9 task-007",
      "must outside-symbol task-007 src/routes/warehouses.ts:40 task-007",
      "must endpoint-response GET /api/transfers src/routes/transfers.ts:17 task-006",
      "must endpoint-method PATCH /api/transfers/{id} src/routes/transfers.ts:38 task-006",
      "must field-optional StockLevel src/domain/types.ts:33 task-001",
      "must value-missing TransferReason src/domain/transfers.ts:3 task-001",
      "must field-missing Carrier src/domain/transfers.ts:16 task-001",
    ]);
  });
});
