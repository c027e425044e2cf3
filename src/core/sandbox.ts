// What a run says about the walls around its programs: which it had, why it had none, and what to do about that.

import { otherCommand, plait } from "./text/command.ts";
import { fix, type Sentence, sentence } from "./text/sentence.ts";

/** In the journal, of each driver: it may be another machine, or another day. */
export type SandboxUsed =
  | { readonly by: "bubblewrap"; readonly version: string }
  | { readonly by: null; readonly problem: SandboxProblem };

/** Why bubblewrap makes no walls here, and what it said. */
export type SandboxProblem = { readonly kind: SandboxProblemKind; readonly said: string };

export type SandboxProblemKind = (typeof SANDBOX_PROBLEMS)[number];

export const SANDBOX_PROBLEMS = [
  ...(["platform", "missing", "old", "container", "nested", "apparmor", "docker", "proc"] as const),
  ...(["no-kernel", "leaks", "other"] as const),
] as const;

type Words = { readonly cause: string; readonly step: Sentence };

const WORDS: { readonly [Kind in SandboxProblemKind]: Words } = {
  platform: {
    cause: "the sandbox needs Linux",
    step: "run plait on Linux, in a virtual machine or a container",
  },
  missing: {
    cause: "bubblewrap is not installed",
    step: fix("install it", otherCommand("sudo", "apt", ["install", "bubblewrap"])),
  },
  old: {
    cause: "bubblewrap is too old; plait needs 0.8 or newer",
    step: "install bubblewrap 0.8 or newer, or a newer release of your system",
  },
  container: {
    cause: "this container or system does not allow user namespaces",
    step: "in Docker the container is the wall: use --sandbox off there; otherwise set kernel.unprivileged_userns_clone=1 with sysctl",
  },
  nested: {
    cause: "user namespaces are used up, or this is inside another sandbox",
    step: "inside another sandbox use --sandbox off; otherwise raise user.max_user_namespaces with sysctl",
  },
  apparmor: {
    cause: "AppArmor lets only programs with a profile make user namespaces, as Ubuntu does by default",
    step: "install the profile of bubblewrap: sudo apt install apparmor-profiles && sudo install -m 0644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict",
  },
  docker: {
    cause: "the AppArmor profile of Docker forbids mounts",
    step: "in Docker the container is the wall: use --sandbox off there",
  },
  proc: {
    cause: "this container masks /proc, so no new one can be mounted",
    step: "start the container with: --security-opt systempaths=unconfined; or use --sandbox off there",
  },
  "no-kernel": {
    cause: "this kernel has no user namespaces, as in WSL 1",
    step: "use WSL 2, or another kernel",
  },
  leaks: {
    cause: "the sandbox starts, but does not hold what it should",
    step: fix("see what it does not hold", plait("doctor sandbox")),
  },
  other: { cause: "bubblewrap cannot make the sandbox", step: "see the error of bubblewrap above" },
};

export function describeSandboxProblem({ kind }: SandboxProblem): Words {
  return WORDS[kind];
}

/** In one line: at the start, in the status and in reports. */
export function formatSandbox(used: SandboxUsed): Sentence {
  if (used.by !== null) return `sandbox: bubblewrap ${used.version}`;
  return sentence`no sandbox: ${WORDS[used.problem.kind].cause}`;
}

/** Something that the sandbox kept from an attempt, and the grant that lets it through. */
export type Walled = {
  readonly kind: "hidden" | "read-only" | "variable";
  /** A path, or the name of a variable. */
  readonly what: string;
};

/** As it is written in a plan. */
function grantFor({ kind, what }: Walled): string {
  if (kind === "variable") return `$${what}`;
  return kind === "hidden" ? `ro:${what}` : what;
}

/** `~/.aws/config is hidden in the sandbox; to allow it: grant: [ro:~/.aws/config]` */
export function formatWalled(walled: Walled): string {
  const { kind, what } = walled;
  const how = kind === "hidden" ? "hidden" : kind === "variable" ? "held back" : "read-only";
  return `${what} is ${how} in the sandbox; to allow it, add to the plan: grant: [${JSON.stringify(grantFor(walled))}]`;
}
