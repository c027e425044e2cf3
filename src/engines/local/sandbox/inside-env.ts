import type { Env, Grant } from "../../../core/plan.ts";
import { isSecretVariable } from "../../../process/mask/secrets.ts";

/** They lead to sockets and folders of the user's session, none of which is there inside. */
const LEADS_OUT =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|XDG_(?:RUNTIME_DIR|STATE_HOME|CACHE_HOME|CONFIG_HOME|DATA_HOME)|XAUTHORITY|DISPLAY|WAYLAND_DISPLAY|DOCKER_HOST|TMUX|STY)$/;

export type InsideEnv = {
  readonly env: Env;
  /** Variables that hold secrets and were not let through. */
  readonly heldBack: readonly string[];
};

/**
 * What a program in the sandbox gets of the user's environment: all but secrets and what leads out. What the plan or the agent's
 * configuration sets is theirs to give: only a variable that is as the user has it is looked at.
 */
export function buildInsideEnv(
  env: Env,
  {
    inherited,
    home,
    grants,
    isNeeded,
  }: {
    readonly inherited: Env;
    readonly home: string;
    readonly grants: readonly Grant[];
    /** Variables with secrets that the agent cannot do without. */
    readonly isNeeded: (name: string) => boolean;
  },
): InsideEnv {
  const granted = new Set(grants.flatMap((grant) => (grant.kind === "variable" ? [grant.name] : [])));
  const heldBack: string[] = [];
  const kept = Object.entries(env).filter(([name, value]) => {
    if (inherited[name] !== value || granted.has(name) || isNeeded(name)) return true;
    if (LEADS_OUT.test(name)) return false;
    if (!isSecretVariable(name, value)) return true;
    heldBack.push(name);
    return false;
  });
  return { env: { ...Object.fromEntries(kept), HOME: home, TMPDIR: "/tmp" }, heldBack };
}
