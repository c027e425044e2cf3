import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { askedIn } from "../cli/asked.ts";
import { git, makePlace, type Place } from "../cli/place.ts";
import { type Files, filesIn } from "./example-projects.ts";

/**
 * Two services that were built from their specs, in test/fixtures/services: what was there before, `contracts`, and `done`, all that the
 * tasks wrote. They are good as they are; a test plants gaps in them.
 */
export type Service = {
  readonly folder: string;
  readonly spec: string;
  readonly slug: string;
  readonly manifest: object;
  readonly types: string;
  /** What installing the packages of the manifest makes of the project's file. */
  readonly packages: Edit;
  readonly tasks: readonly ServiceTask[];
};

export type ServiceTask = {
  readonly id: string;
  readonly wave: number;
  readonly deps?: readonly string[];
  readonly covers: readonly string[];
  readonly operations?: readonly string[];
  readonly create?: readonly string[];
  readonly modify?: readonly string[];
  readonly boundary: readonly string[];
  readonly checklist?: string;
};

export type Planted = {
  /** In files of the artifact folder. */
  readonly folder?: readonly Edit[];
  /** In files that tasks write: a string that stands there and what it becomes. */
  readonly edits?: readonly Edit[];
  /** Files that tasks do not write. */
  readonly left?: readonly string[];
  /** What a task changes besides. */
  readonly strays?: Readonly<Record<string, readonly Edit[]>>;
  /** What a person changes afterwards; null: deletes. */
  readonly afterwards?: readonly (readonly [file: string, text: string | null])[];
};

export type Edit = readonly [file: string, from: string, to: string];

const root = dirname(dirname(fileURLToPath(import.meta.url)));

type Design = ReturnType<typeof buildDesign>;

/** What `decompose` says of a design with gaps, each as its severity and code. */
export async function findDesignGaps(service: Service, plant: (design: Design) => void): Promise<string[]> {
  const { place } = startService(service, plant);
  const { stdout } = await askedIn(place, ...decompose(service), "--json");
  const { findings } = JSON.parse(stdout) as { findings: { severity: string; code: string }[] };
  return listCodes(findings);
}

/** Whether a package manager is installed here is not asked. */
export function listCodes(findings: readonly { severity: string; code: string }[]): string[] {
  return findings
    .map(({ severity, code }) => `${severity} ${code}`)
    .filter((one) => one !== "warning program-missing")
    .toSorted();
}

/** The repository with the artifact folder and a commit for each task. */
export async function buildService(service: Service, planted: Planted = {}): Promise<Place> {
  const { place, done } = startService(service, () => undefined);
  const made = await askedIn(place, ...decompose(service), "-y");
  if (made.code !== 0) throw new Error(made.stderr);
  const [folder = ""] = readdirSync(join(place.repo, "parallel"));
  for (const [file, from, to] of planted.folder ?? []) edit(place, [`parallel/${folder}/${file}`, from, to]);
  commit(place, "plan");
  edit(place, service.packages);
  commit(place, namedMessage(service, "dependencies"));
  doTasks(place, service, { ...planted, done });
  for (const [file, text] of planted.afterwards ?? []) write(place, file, text);
  if (planted.afterwards !== undefined) commit(place, "by hand");
  return place;
}

/** As it is before the work, with the design beside. */
function startService(service: Service, plant: (design: Design) => void): { place: Place; done: Files } {
  const all = filesIn(join(root, "fixtures/services", service.folder));
  const below = (name: string): Files =>
    Object.fromEntries(
      Object.entries(all).flatMap(([path, text]) =>
        path.startsWith(`${name}/`) ? [[path.slice(name.length + 1), text]] : [],
      ),
    );
  const before = Object.entries(all).filter(([path]) => !/^(?:done|contracts)\//.test(path));
  const place = makePlace(Object.fromEntries(before));
  const design = buildDesign(service, below("contracts"));
  plant(design);
  writeFileSync(join(place.repo, "design.json"), JSON.stringify(design, null, 2));
  return { place, done: below("done") };
}

const decompose = ({ spec }: Service) => ["spec", "decompose", spec, "--from-file", "design.json"] as const;

const namedMessage = ({ slug }: Service, task: string) =>
  `${task}: done\n\nPlait-Run: ${slug}-k7f2\nPlait-Task: ${task}`;

function doTasks(
  place: Place,
  service: Service,
  { done, edits = [], left = [], strays = {} }: Planted & { done: Files },
): void {
  const written = { ...done };
  for (const edit of edits) written[edit[0]] = applyEdit(written[edit[0]], edit);
  for (const { id, create = [], modify = [] } of service.tasks) {
    const files = [...create, ...modify.map((path) => path.replace(/::.*/, ""))];
    for (const file of files) if (!left.includes(file)) write(place, file, written[file] ?? "");
    for (const edit of strays[id] ?? []) {
      written[edit[0]] = applyEdit(written[edit[0]] ?? "", edit);
      write(place, edit[0], written[edit[0]] ?? "");
    }
    commit(place, namedMessage(service, id));
  }
}

function applyEdit(text: string | undefined, [file, from, to]: Edit): string {
  if (text === undefined || !text.includes(from)) throw new Error(`${file} does not contain ${from}`);
  return text.replace(from, to);
}

function edit(place: Place, change: Edit): void {
  const [file] = change;
  write(place, file, applyEdit(readFileSync(join(place.repo, file), "utf8"), change));
}

function write({ repo }: Place, name: string, text: string | null): void {
  const path = join(repo, name);
  if (text === null) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function commit(place: Place, message: string): void {
  git(place, "add", "-A");
  git(place, "commit", "-q", "--allow-empty", "-m", message);
}

function buildDesign({ manifest, types, tasks }: Service, contracts: Files) {
  const waves = [...new Set(tasks.map(({ wave }) => wave))];
  return {
    manifest,
    context_summary: "# A small service\n\nEverything is in memory.",
    architecture_summary: "The model comes first, then what serves it, then what puts it together.",
    contracts: { types: contracts[types] ?? "", api_schema: contracts["api-schema.yaml"] ?? "" },
    waves: waves.map((number): { number: number; validation: string | null } => ({
      number,
      validation: "test -s README.md",
    })),
    tasks: tasks.map(({ id, wave, deps = [], covers, operations = [], ...task }) => ({
      ...{ id, title: `Part ${id}`, component: id, wave, deps, agent: "general-purpose" },
      ...{ covers: [...covers], operations: [...operations] },
      scope: { create: task.create ?? [], modify: task.modify ?? [], boundary: task.boundary },
      objective: "Its files say what the contracts say.",
      requirements: ["Follow the contracts"],
      checklist: [task.checklist ?? "The tests pass"],
      hours: 2,
    })),
  };
}

export const permits: Service = {
  folder: "permits-python",
  spec: "tech-specs/approved/TS-0101-parking-permits.md",
  slug: "parking-permits",
  manifest: {
    technology: "python",
    python_version: "3.11",
    dependencies: { python: { add: ["pydantic==2.12.4"] } },
  },
  types: "types.py",
  packages: ["pyproject.toml", '"fastapi==0.121.2"', '"fastapi==0.121.2", "pydantic==2.12.4"'],
  tasks: [
    {
      ...{ id: "task-001", wave: 1, covers: ["R4"], boundary: ["permits/app.py"] },
      create: ["permits/domain.py", "tests/test_domain.py"],
    },
    {
      ...{ id: "task-002", wave: 2, deps: ["task-001"], covers: ["R5"], boundary: ["permits/app.py"] },
      create: ["permits/fees.py", "tests/test_fees.py"],
    },
    {
      ...{ id: "task-003", wave: 2, deps: ["task-001"], covers: ["R1"], boundary: ["permits/app.py"] },
      operations: ["GET /zones", "GET /zones/{code}"],
      create: ["permits/payloads.py", "permits/zones_api.py", "tests/test_zones.py"],
    },
    {
      ...{ id: "task-004", wave: 2, deps: ["task-001"], covers: ["R2", "R3"], boundary: ["permits/app.py"] },
      operations: ["GET /permits", "POST /permits", "PUT /permits/{number}/revocation"],
      create: ["permits/permits_api.py"],
      checklist: "No stubs, no TODO",
    },
    {
      ...{ id: "task-005", wave: 3, deps: ["task-003", "task-004"], covers: ["R6"] },
      operations: ["GET /checks/{zone}/{plate}"],
      create: ["permits/checks_api.py"],
      modify: ["permits/app.py::build"],
      boundary: ["permits/domain.py", "permits/fees.py"],
    },
    {
      ...{ id: "task-006", wave: 1, covers: ["R6"] },
      modify: ["README.md"],
      boundary: ["permits/**"],
    },
  ],
};

export const parcels: Service = {
  folder: "parcels-typescript",
  spec: "tech-specs/approved/TS-0202-parcel-tracking.md",
  slug: "parcel-tracking",
  manifest: { technology: "typescript", dependencies: { node: { add: ["fastify@5.6.2"] } } },
  types: "types.ts",
  packages: [
    "package.json",
    '"devDependencies"',
    '"dependencies": { "fastify": "5.6.2" },\n  "devDependencies"',
  ],
  tasks: [
    {
      ...{ id: "task-001", wave: 1, covers: ["FR-1", "FR-3"], boundary: ["src/server.ts"] },
      create: ["src/model/parcel.ts", "src/model/parcels.ts", "test/parcels.test.ts"],
    },
    {
      ...{ id: "task-002", wave: 1, covers: ["NFR-1"], boundary: ["src/server.ts", "src/model/**"] },
      create: ["src/http/schemas.ts"],
      checklist: "No stubs, no TODO",
    },
    {
      ...{ id: "task-003", wave: 2, deps: ["task-001", "task-002"], covers: ["FR-2", "FR-5"] },
      operations: ["POST /parcels", "GET /parcels/{id}", "DELETE /parcels/{id}", "POST /parcels/{id}/scans"],
      create: ["src/http/parcels.ts"],
      boundary: ["src/server.ts", "src/model/**", "src/http/schemas.ts"],
    },
    {
      ...{ id: "task-004", wave: 2, deps: ["task-001", "task-002"], covers: ["FR-4"] },
      operations: ["GET /depots/{depot}/waiting"],
      create: ["src/http/depots.ts", "test/depots.test.ts"],
      boundary: ["src/server.ts", "src/model/**", "src/http/schemas.ts"],
    },
    {
      ...{ id: "task-005", wave: 3, deps: ["task-003", "task-004"], covers: ["FR-3"] },
      modify: ["src/server.ts::createServer"],
      boundary: ["src/model/**", "src/http/**"],
    },
    {
      ...{ id: "task-006", wave: 3, deps: ["task-003"], covers: ["FR-4"] },
      modify: ["README.md"],
      boundary: ["src/**"],
    },
  ],
};
