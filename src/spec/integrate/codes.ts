import type { CodeEntry } from "../../core/analyze/code-entry.ts";

/** Findings of `plait integrate`: whether the parts fit. What blocks is an error, the rest a warning or a note. */
export const integrationCodes = [
  {
    code: "task-not-merged",
    severity: "error",
    title: "The work of a task is not part of the result",
    explanation:
      "The tree that was judged does not contain what the task made: it failed, waits for somebody, or was never run. `plait status` tells which.",
  },
  {
    code: "task-without-commits",
    severity: "error",
    title: "No commit of a task is known",
    explanation:
      "Neither the journal of a run nor a trailer of a commit nor a branch names the task, so nothing can be said about what it changed. It was not done yet (`plait run` does it), or it was done by hand: a commit with the line `Plait-Task: <task>` in its message counts for that task. In a shallow clone its commits may only be cut off: `git fetch --unshallow`.",
  },
  {
    code: "task-empty",
    severity: "error",
    title: "A task changed nothing",
    explanation:
      "The task counts as merged, but no file changed. Either the agent had nothing to do, and the task can be removed, or it did not do its work.",
  },
  {
    code: "scope-file-missing",
    severity: "error",
    title: "A file that a task was to create is missing",
    explanation:
      "The path is in the CREATE list of a merged task, and the checked tree has no such file; for a glob, no file matches it. The message says `deleted` if the task created the file and it was deleted later by a commit that does not own it.",
    example: "- CREATE: app/routers/reservations.py",
  },
  {
    code: "stub-left",
    severity: "error",
    title: "A task left a stub",
    explanation:
      "A function that only raises NotImplementedError (or throws or panics as not implemented), or a TODO or FIXME comment, in lines that the task wrote. Such a function blocks in a file that the task created; anything else blocks only if the task file forbids stubs, for example with `No stubs, no TODO` in its checklist. Abstract methods, protocols and classes that others derive from are not stubs.",
    example: "def confirm(self): raise NotImplementedError",
  },
  {
    code: "version-changed",
    severity: "error",
    title: "A package left its pinned version",
    explanation:
      "`dependencies` in manifest.json pins the version (`plait spec align` does), and the lock file or project file has another one. Set it back, or align again and run the tasks that rest on it.",
    example: "zod@3.24.1",
  },
  {
    code: "requirement-unbuilt",
    severity: "error",
    title: "A requirement is not built",
    explanation:
      "A requirement of the product requirements or the tech spec has no task that covers it. The report lists for each requirement its tasks, their merged files and the tests among them. Give it a task, or list it under out_of_scope in the manifest with a reason.",
  },
  {
    code: "requirement-unclear",
    severity: "note",
    title: "Requirements cannot be checked",
    explanation:
      "Tasks say which requirements they cover, but a document that the manifest names cannot be read. Fix the path under metadata in manifest.json, or restore the file.",
  },
  {
    code: "outside-scope",
    severity: "error",
    title: "A task changed a file that it does not own",
    explanation:
      "Everything that a task changes must be among its CREATE and MODIFY (in plans: `owns`). The finding names who owns the file, if anybody does.",
  },
  {
    code: "inside-boundary",
    severity: "error",
    title: "A task changed what it must not touch",
    explanation: "The path matches its BOUNDARY (in plans: `boundary`).",
  },
  {
    code: "contract-changed",
    severity: "error",
    title: "A task changed a contract",
    explanation:
      "Contracts are what tasks agreed on before they began. One that a task bends to what it built binds nobody any more. Change it by hand, and run the tasks that rest on it again.",
  },
  {
    code: "outside-symbol",
    severity: "error",
    title: "A task changed a part of a file that it does not own",
    explanation:
      "The task owns one class, function, method or name of the file (`path::Name`), and changed something else in it. Imports are free; code that only moved, and spaces, are no change.",
    example: "- MODIFY: app/services/stock.py::availability",
  },
  {
    code: "guarded-changed",
    severity: "error",
    title: "A task changed what is guarded, without the plan's consent",
    explanation:
      "CI files, git hooks, lockfiles, settings of agents and the scripts that gates run decide how work is judged, or run by themselves. A claim that names the file is consent, and so is `consent` in a plan. It blocks where the task does not own the file either, or where the plan says `enforce: fail`.",
    example: "- MODIFY: package-lock.json",
  },
  {
    code: "scope-unclear",
    severity: "warning",
    title: "It cannot be told whether a change is inside the scope",
    explanation:
      "A pattern that plait does not take apart, or a file that cannot be read in its language: then only the path was looked at.",
  },
  {
    code: "contract-unreadable",
    severity: "error",
    title: "A contract cannot be read",
    explanation: "`plait validate` on the artefact folder names every place. Nothing was compared with it.",
  },
  {
    code: "contract-absent",
    severity: "note",
    title: "There is no contract of this sort",
    explanation:
      "Types are compared with contracts/types.py or contracts/types.ts, endpoints with contracts/api-schema.yaml. Without the file there is nothing to compare.",
  },
  {
    code: "type-missing",
    severity: "error",
    title: "A type of the contract is not implemented",
    explanation:
      "No file of the project declares a type of this name, tests and artefacts left out; or several do, and each is otherwise than the contract says.",
  },
  {
    code: "type-unclear",
    severity: "warning",
    title: "It cannot be told whether a type is as the contract says",
    explanation:
      "Several declarations have its name and none is as the contract says, or it is made in a way that only a program that runs could see.",
  },
  {
    code: "type-kind",
    severity: "error",
    title: "A type is of another kind than in the contract",
    explanation: "Such as a list of values where the contract has fields.",
  },
  {
    code: "field-missing",
    severity: "error",
    title: "A field of the contract is missing",
    explanation: "The type is implemented without it.",
  },
  {
    code: "field-extra",
    severity: "error",
    title: "A field is not in the contract",
    explanation:
      "The type has it, and the contract does not. Others who build on the contract do not know of it.",
  },
  {
    code: "field-type",
    severity: "error",
    title: "A field has another type than in the contract",
    explanation: "Ways of writing the same type are no difference, such as Optional[str] and str | None.",
  },
  {
    code: "field-optional",
    severity: "error",
    title: "A field may be left out, or be null, otherwise than in the contract",
    explanation: "Who relies on the contract leaves out what must be there, or does not expect null.",
  },
  {
    code: "value-missing",
    severity: "error",
    title: "A value of the contract is missing",
    explanation: "The enum, or the union of literals, does not have it.",
  },
  {
    code: "value-extra",
    severity: "error",
    title: "A value is not in the contract",
    explanation: "The enum, or the union of literals, has it, and the contract does not.",
  },
  {
    code: "endpoint-missing",
    severity: "error",
    title: "An endpoint of the contract is not implemented",
    explanation: "No route of the project has its path.",
  },
  {
    code: "endpoint-method",
    severity: "error",
    title: "An endpoint answers to another method than in the contract",
    explanation: "The path is there, the method is not.",
  },
  {
    code: "endpoint-extra",
    severity: "warning",
    title: "An endpoint is not in the contract",
    explanation:
      "A task of the plan made a route that the contract does not have. Routes that were there before are nobody's concern here.",
  },
  {
    code: "endpoint-request",
    severity: "error",
    title: "The body of a request is of another type than in the contract",
    explanation:
      "Types are compared by their names, and field by field where both sides have them written down: fields, their types, what is required, what may be null. Fields that are `readOnly` in the contract are not expected in requests.",
  },
  {
    code: "endpoint-response",
    severity: "error",
    title: "A response is of another type than in the contract",
    explanation:
      "Types are compared by their names, and field by field where both sides have them written down: fields, their types, what is required, what may be null. Fields that are `writeOnly` in the contract are not expected in responses.",
  },
  {
    code: "endpoint-parameter",
    severity: "error",
    title: "A parameter differs from the contract",
    explanation:
      "Parameters in path, query, headers and cookies are compared by name, whether they are required, type and values. It is a warning where clients that follow the contract are still served. Parameters that a framework does not declare are not compared.",
  },
  {
    code: "endpoint-status",
    severity: "error",
    title: "A status code differs from the contract",
    explanation:
      "Compared where the framework declares it: `status_code` of FastAPI, `@HttpCode` of NestJS, the response schemas of Fastify and Hono, or the document that the project prints. Errors that are thrown without a declaration are not missed.",
  },
  {
    code: "document-unreadable",
    severity: "error",
    title: "The project did not print its API document",
    explanation:
      "`integrate: { openapi: … }` of the configuration names a command whose document decides about endpoints. It failed, or printed no OpenAPI 3 document to standard output, so every endpoint is undecided. Run the command in a fresh clone, or remove the setting to have endpoints judged by the code.",
  },
  {
    code: "document-not-read",
    severity: "note",
    title: "The project's API document was not read",
    explanation:
      "`integrate: { openapi: … }` names a command, and commands were left out by --no-checks or --enforce. Endpoints are judged by what the code declares.",
  },
  {
    code: "endpoint-unclear",
    severity: "warning",
    title: "It cannot be told whether an endpoint is as the contract says",
    explanation:
      "The path is computed, a router is mounted where it cannot be seen, or the framework is none that plait knows. plait knows FastAPI, Django with REST framework, Flask, Express, Fastify, Hono and NestJS.",
  },
  {
    code: "spec-deviates",
    severity: "warning",
    title: "An agent finds that the code does not do what the tech spec says",
    explanation: "A judgement, with the sentences that it rests on. Read them, and decide.",
  },
  {
    code: "spec-unclear",
    severity: "note",
    title: "An agent cannot tell whether the code does what the tech spec says",
    explanation: "A judgement. The report has its reason.",
  },
  {
    code: "check-red",
    severity: "error",
    title: "A check of the project is red",
    explanation: "The report has the command and the end of what it printed.",
  },
  {
    code: "check-not-run",
    severity: "warning",
    title: "A check of the project was not run",
    explanation: "Its program is not there, or it was stopped. What was not run proves nothing.",
  },
  {
    code: "technology-differs",
    severity: "warning",
    title: "The project is not written in the manifest's technology",
    explanation:
      "`technology` in manifest.json names a language that the project has no checks for, while its files have checks in another one. Those ran. Set `technology` to what the project is, or say `--tech`.",
  },
] as const satisfies readonly CodeEntry[];

export type IntegrationCode = (typeof integrationCodes)[number]["code"];
