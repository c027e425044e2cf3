import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inheritable } from "../../engines/local/run-context.ts";
import { type Alignment, alignDependencies } from "../../spec/align/align.ts";
import { type Project, projectFiles, readProject } from "../../spec/align/project.ts";
import type { Answer, ToolAsk, ToolQuestion } from "../../spec/align/tool.ts";
import type { Wish } from "../../spec/align/wish.ts";
import { type Host, temporaryFolder } from "../host.ts";
import { readTexts } from "../read-text.ts";
import { openShortPrograms, type ShortEnd, type ShortPrograms } from "../short-programs.ts";

/** Aligns wishes with the project whose repository has this root, by its own tools. Nothing is written. */
export async function alignInProject(
  wishes: readonly Wish[],
  place: ToolPlace & { readonly python: string | null },
): Promise<Alignment> {
  const project = await lookAtProject(place.root);
  const { ask, close } = openToolAsk(place);
  return alignDependencies(wishes, { ask, project, python: place.python }).finally(close);
}

/** Lock files of large projects have some megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that cannot be read says nothing, as one that is not there. */
async function lookAtProject(root: string): Promise<Project> {
  const names = await readdir(root).catch((): string[] => []); // not there: nothing is in it
  const present = projectFiles.filter((one) => names.includes(one));
  return readProject(names, await readTexts(root, present, MOST_BYTES));
}

const TIMEOUT_MS = 30_000;
/** All versions of a package that is published every night are about 200 KB. */
const OUTPUT_BYTES = 8 * 1024 * 1024;

/** For output that is read by a program, and for questions that nobody is there to answer. */
const QUIET: Host["env"] = {
  FORCE_COLOR: "0",
  NO_UPDATE_NOTIFIER: "1",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  // To tell a version is not worth a download of Python, nor a minute of waiting for a network that is not there.
  UV_PYTHON_DOWNLOADS: "never",
  npm_config_fetch_retries: "0",
};

type ToolPlace = Pick<Host, "env"> & { readonly root: string; readonly signal?: AbortSignal };

type ToolAsking = { readonly ask: ToolAsk; readonly close: () => Promise<void> };

/** Nothing is started before the first question. */
function openToolAsk(place: ToolPlace): ToolAsking {
  const env = { ...inheritable(place.env), ...QUIET };
  let opened: ReturnType<typeof openShortPrograms> | null = null;
  return {
    ask: async (question) => {
      opened ??= openShortPrograms("align", env);
      const started = await opened;
      if (!started.ok) return { kind: "failed", problem: `could not be started: ${started.message}` };
      return ask(question, { ...place, env, programs: started.programs });
    },
    close: async () => {
      const started = await opened;
      if (started?.ok) await started.programs.close();
    },
  };
}

type Here = ToolPlace & { readonly programs: ShortPrograms };

async function ask(question: ToolQuestion, here: Here): Promise<Answer> {
  const { files = {} } = question;
  const folder =
    Object.keys(files).length === 0 ? null : await mkdtemp(join(temporaryFolder(here), "plait-align-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder ?? "", name), text);
    const argv = question.argv.map((word) =>
      typeof word === "string" ? word : join(folder ?? "", word.file),
    );
    const { env, root: cwd, signal } = here;
    const limits = { timeoutMs: TIMEOUT_MS, mostBytes: OUTPUT_BYTES, ...(signal && { signal }) };
    if (signal?.aborted) return { kind: "failed", problem: "was not run" };
    return answerOf(await here.programs.run({ argv, cwd, env, stdin: question.stdin ?? null }, limits), here);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

function answerOf(ended: ShortEnd, { signal }: Here): Answer {
  if (ended.kind === "not-started") {
    const { reason, message } = ended.failure;
    return reason === "not-found"
      ? { kind: "absent" }
      : { kind: "failed", problem: `could not be started: ${message}` };
  }
  const { code, why, stderrTail, signal: ender } = ended.exit;
  if (signal?.aborted) return { kind: "failed", problem: "was stopped" };
  if (why !== null) return { kind: "failed", problem: `did not finish within ${TIMEOUT_MS / 1_000} seconds` };
  if (ended.stdout === null) return { kind: "failed", problem: `printed more than ${OUTPUT_BYTES} bytes` };
  if (code === null) return { kind: "failed", problem: `was killed by ${ender}` };
  return { kind: "ended", code, stdout: ended.stdout.toString("utf8"), stderr: stderrTail };
}
