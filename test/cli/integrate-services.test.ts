import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildService,
  commit,
  findDesignGaps,
  listCodes,
  type Planted,
  parcels,
  permits,
  type Service,
} from "../spec/services.ts";
import { askedIn } from "./asked.ts";
import { git, type Place } from "./place.ts";

type Finding = {
  weight: string;
  code: string;
  about: string;
  at: { file: string } | null;
  task: string | null;
};

/** Each as weight, code, what it is about, where, and whose it is. */
async function judged(place: Place): Promise<{ code: number | null; found: string[] }> {
  const { code, stdout } = await askedIn(place, "spec", "integrate", "--no-checks", "--json");
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  const found = findings.map((one) =>
    [one.weight, one.code, one.about, one.at?.file ?? "nowhere", one.task ?? "nobody"].join(" | "),
  );
  return { code, found: found.toSorted() };
}

/** Without any journal, as a colleague has it. */
function cloneOf(place: Place): Place {
  const repo = join(mkdtempSync(`${place.repo}-clone-`), "repo");
  git(place, "clone", "-q", place.repo, repo);
  return { ...place, repo };
}

/** All tasks as one commit, as a server merges a pull request: the messages one below the other. */
function squash(place: Place): void {
  const plan = git(place, "log", "--format=%H", "--grep=^plan$", "-1");
  const messages = git(place, "log", "--reverse", "--format=* %B", `${plan}..HEAD`);
  git(place, "reset", "-q", "--soft", plan);
  commit(place, `The whole service (#12)\n\n${messages}\n\n---------\n\nCo-authored-by: A <a@example.com>`);
}

/** In one commit it cannot be seen who left its scope, nor that a file is not for this task but for that one. */
function asOneCommit(findings: readonly string[], { tasks }: Service): string[] {
  const inOrder = tasks.toSorted((a, b) => a.wave - b.wave);
  const anyone = inOrder.map(({ id }) => id).join(" or ");
  return findings
    .filter((one) => !one.includes("inside-boundary"))
    .map((one) => one.replace(/(outside-\w+) \| [\w-]+ \| (\S+) \| [\w-]+/, `$1 | ${anyone} | $2 | nobody`))
    .toSorted();
}

async function validated(place: Place): Promise<string[]> {
  const { stdout } = await askedIn(place, "validate", "--json");
  const { findings } = JSON.parse(stdout) as { findings: { severity: string; code: string }[] };
  return listCodes(findings);
}

type Case = {
  readonly service: Service;
  /** Gaps of the design, and the same gaps made in the folder. */
  readonly design: Parameters<typeof findDesignGaps>[1];
  readonly folder: Planted["folder"];
  readonly planFindings: readonly string[];
  /** Gaps of the code. What a person does afterwards is not in the squash. */
  readonly code: Planted;
  readonly codeFindings: readonly string[];
};

const UNVALIDATED = ',\n      "validation": "test -s README.md"';

const cases: readonly Case[] = [
  {
    service: permits,
    design: ({ tasks, waves, contracts }) => {
      tasks[0]?.covers.splice(0); // R4
      tasks[3]?.operations.splice(0, 1); // GET /permits
      Object.assign(waves[0] ?? {}, { validation: null });
      contracts.api_schema = contracts.api_schema.replace(
        "monthly_cents: { type: integer }",
        "monthly_cents: { type: string }",
      );
    },
    folder: [
      ["tasks/task-001-task-001.md", "covers: [R4]", "covers: []"],
      ["manifest.json", '"covers": [\n            "R4"\n          ]', '"covers": []'],
      ["tasks/task-004-task-004.md", '"GET /permits", ', ""],
      ["manifest.json", UNVALIDATED, ""],
      ["contracts/api-schema.yaml", "monthly_cents: { type: integer }", "monthly_cents: { type: string }"],
    ],
    planFindings: [
      "error operation-unowned",
      "error requirement-uncovered",
      "warning contracts-differ",
      "warning wave-unvalidated",
    ],
    code: {
      edits: [
        ["permits/domain.py", '    EXPIRED = "expired"\n', ""],
        ["permits/domain.py", "    monthly_cents: int\n", "    monthly_cents: float\n"],
        [
          "permits/fees.py",
          "    full = zone.monthly_cents * months\n    return full // 2 if pensioner else full\n",
          "    raise NotImplementedError\n",
        ],
        ["permits/payloads.py", "    closed: bool\n", "    closed: bool\n    deleted: bool\n"],
        ["permits/payloads.py", "    months: int = Field(ge=1, le=24)\n", "    months: int = 1\n"],
        ["permits/payloads.py", "    fee_cents: int\n", ""],
        ["permits/zones_api.py", '@zones.get("/{code}")\n', ""],
        ["permits/permits_api.py", "    cursor: str | None = None,\n", ""],
        ["permits/permits_api.py", ", status_code=status.HTTP_201_CREATED", ""],
        [
          "permits/permits_api.py",
          '@router.put("/permits/{number}/revocation"',
          '@router.post("/permits/{number}/revocation"',
        ],
        [
          "permits/permits_api.py",
          "    return PermitPage(items=found[:limit])\n",
          "    # TODO: the next page\n    return PermitPage(items=found[:limit])\n",
        ],
        ["permits/checks_api.py", "x_warden: Annotated[str, Header()]", "x_warden: Annotated[int, Header()]"],
        ["README.md", "\nZones, permits and checks are below `/v2`.\n", ""],
      ],
      left: ["tests/test_zones.py"],
      strays: {
        "task-003": [["scratch.py", "", "print(1)\n"]],
        "task-005": [
          ["permits/domain.py", "shelf = Shelf()", "shelf = Shelf()\nshelf.zones.clear()"],
          ["permits/app.py", 'VERSION = "2.0"', 'VERSION = "2.1"'],
        ],
      },
      afterwards: [
        [
          "pyproject.toml",
          '[project]\nname = "permits"\nversion = "0.4.0"\nrequires-python = ">=3.11"\ndependencies = ["fastapi==0.121.2", "pydantic==2.11.0"]\n',
        ],
        ["tests/test_domain.py", null],
      ],
    },
    codeFindings: [
      "must | endpoint-method | PUT /permits/{number}/revocation | permits/permits_api.py | task-004",
      "must | endpoint-missing | GET /zones/{code} | parallel/TS-0101-parking-permits/contracts/api-schema.yaml | task-003",
      "must | endpoint-parameter | GET /checks/{zone}/{plate} | permits/checks_api.py | task-005",
      "must | endpoint-parameter | GET /permits | permits/permits_api.py | task-004",
      "must | endpoint-request | POST /permits | permits/payloads.py | task-003",
      "must | endpoint-status | POST /permits | permits/permits_api.py | task-004",
      "must | field-extra | ZoneOut | permits/payloads.py | task-003",
      "must | field-missing | PermitOut | permits/payloads.py | task-003",
      "must | field-type | Zone | permits/domain.py | task-001",
      "must | inside-boundary | task-005 | permits/domain.py | task-005",
      "must | outside-scope | task-003 | scratch.py | task-003",
      "must | outside-symbol | task-005 | permits/app.py | task-005",
      "must | scope-file-missing | task-001 | parallel/TS-0101-parking-permits/tasks/task-001-task-001.md | task-001",
      "must | scope-file-missing | task-003 | parallel/TS-0101-parking-permits/tasks/task-003-task-003.md | task-003",
      "must | stub-left | task-002 | permits/fees.py | task-002",
      "must | stub-left | task-004 | permits/permits_api.py | task-004",
      "must | task-empty | task-006 | parallel/TS-0101-parking-permits/tasks/task-006-task-006.md | task-006",
      "must | value-missing | PermitState | permits/domain.py | task-001",
      "must | version-changed | pydantic | pyproject.toml | dependencies",
    ],
  },
  {
    service: parcels,
    design: ({ tasks, waves, contracts }) => {
      tasks[1]?.covers.splice(0); // NFR-1
      tasks[2]?.operations.splice(2, 1); // DELETE /parcels/{id}
      Object.assign(waves[0] ?? {}, { validation: null });
      contracts.types = contracts.types.replace("weightGrams: number", "weightGrams: string");
    },
    folder: [
      ["tasks/task-002-task-002.md", "covers: [NFR-1]", "covers: []"],
      ["manifest.json", '"covers": [\n            "NFR-1"\n          ]', '"covers": []'],
      ["tasks/task-003-task-003.md", '"DELETE /parcels/{id}", ', ""],
      ["manifest.json", UNVALIDATED, ""],
      ["contracts/types.ts", "weightGrams: number", "weightGrams: string"],
    ],
    planFindings: [
      "error operation-unowned",
      "error requirement-uncovered",
      "warning contracts-differ",
      "warning wave-unvalidated",
    ],
    code: {
      edits: [
        ["src/model/parcel.ts", '  Refused = "refused",\n', ""],
        ["src/model/parcel.ts", "  note?: string;\n", ""],
        ["src/model/parcel.ts", "  canceledAt?: string;\n", "  canceledAt?: string;\n  archived: boolean;\n"],
        [
          "src/model/parcels.ts",
          "    const parcel = this.all.get(id);\n    if (parcel === undefined || parcel.scans.length > 0) return false;\n    parcel.canceledAt = at;\n    return true;\n",
          '    throw new Error("not implemented");\n',
        ],
        ["src/http/schemas.ts", 'required: ["code", "message"]', 'required: ["code"]'],
        ["src/http/schemas.ts", "export const idParams", "// TODO: formats\nexport const idParams"],
        ["src/http/parcels.ts", "response: { 202: parcelSchema }", "response: { 200: parcelSchema }"],
        ["src/http/parcels.ts", "reply.code(202).send(parcels.record", "reply.send(parcels.record"],
        ["src/http/parcels.ts", "server.delete<", "server.put<"],
        ["src/http/depots.ts", '    limit: { type: "integer", minimum: 1 },\n', ""],
        ["src/http/depots.ts", 'enum: ["express", "standard", "bulky"]', 'enum: ["express", "standard"]'],
        ["README.md", "\nEverything is below `/courier`.\n", ""],
      ],
      left: ["test/depots.test.ts"],
      strays: {
        "task-004": [["notes.txt", "", "later\n"]],
        "task-005": [
          ["src/http/schemas.ts", "// TODO: formats\n", "// TODO: formats\nexport const stray = 1;\n"],
          ["src/server.ts", "BODY_LIMIT = 65_536", "BODY_LIMIT = 1_024"],
        ],
      },
      afterwards: [
        ["package.json", '{ "name": "parcels", "type": "module", "dependencies": { "fastify": "5.2.0" } }\n'],
        ["test/parcels.test.ts", null],
      ],
    },
    codeFindings: [
      "must | endpoint-method | DELETE /parcels/{id} | src/http/parcels.ts | task-003",
      "must | endpoint-parameter | GET /depots/{depot}/waiting | src/http/depots.ts | task-004",
      "must | endpoint-parameter | GET /depots/{depot}/waiting | src/http/depots.ts | task-004",
      "must | endpoint-status | POST /parcels/{id}/scans | src/http/parcels.ts | task-003",
      "must | field-extra | Parcel | src/model/parcel.ts | task-001",
      "must | field-missing | Scan | src/model/parcel.ts | task-001",
      "must | inside-boundary | task-005 | src/http/schemas.ts | task-005",
      "must | outside-scope | task-004 | notes.txt | task-004",
      "must | outside-symbol | task-005 | src/server.ts | task-005",
      "must | scope-file-missing | task-001 | parallel/TS-0202-parcel-tracking/tasks/task-001-task-001.md | task-001",
      "must | scope-file-missing | task-004 | parallel/TS-0202-parcel-tracking/tasks/task-004-task-004.md | task-004",
      "must | stub-left | task-001 | src/model/parcels.ts | task-001",
      "must | stub-left | task-002 | src/http/schemas.ts | task-002",
      "must | task-empty | task-006 | parallel/TS-0202-parcel-tracking/tasks/task-006-task-006.md | task-006",
      "must | value-missing | ScanKind | src/model/parcel.ts | task-001",
      "must | version-changed | fastify | package.json | dependencies",
      "should | endpoint-response | POST /parcels | src/http/schemas.ts | task-002",
    ],
  },
];

describe.each(cases)("$service.folder", ({ service, design, folder, planFindings, code, codeFindings }) => {
  it("has no finding as it is, as commits, as one commit, and in a clone", async () => {
    const place = await buildService(service);
    expect(await validated(place)).toEqual([]);
    const clean = { code: 0, found: [] };
    expect(await judged(place)).toEqual(clean);
    git(place, "checkout", "-q", ".");
    squash(place);
    expect([await judged(place), await judged(cloneOf(place))]).toEqual([clean, clean]);
  });

  it("has gaps in its plan: decompose names each, and so does validate where somebody made them later", async () => {
    expect(await findDesignGaps(service, design)).toEqual(planFindings);
    const place = await buildService(service, { ...(folder && { folder }) });
    expect(await validated(place)).toEqual([...planFindings, "warning coverage-stale"].toSorted());
  });

  it("has gaps in its code: each is named with its task, here, in a clone and after a squash", async () => {
    const place = await buildService(service, code);
    const here = await judged(place);
    expect(here).toEqual({ code: 1, found: codeFindings });
    expect(await judged(cloneOf(place))).toEqual(here);
    git(place, "checkout", "-q", ".");
    const byHand = git(place, "rev-parse", "HEAD");
    git(place, "reset", "-q", "--hard", "HEAD~1");
    squash(place);
    git(place, "cherry-pick", byHand);
    expect(await judged(place)).toEqual({ code: 1, found: asOneCommit(codeFindings, service) });
  });
});
