import type { SkillsMapping } from "../formats/cpo/skills.ts";

/** An agent that a task may be given to, as `plugin:agent`, or by its name alone where the repository itself defines it. */
export type KnownAgent = {
  readonly name: string;
  readonly skills: readonly string[];
  /** What it is for, in a few words; empty where nobody says. */
  readonly does: string;
};

export type ProjectAgents = {
  readonly mapping: SkillsMapping;
  readonly own: readonly Omit<KnownAgent, "skills">[];
};

/**
 * Those that an architect may give tasks to: of the repository, of the project's mapping, and of the program, as far as they are
 * there. Where the program does not tell which it has, those of the project are believed, and Claude has one without any plugin.
 */
export function agentsKnownTo(
  project: ProjectAgents,
  installed: readonly string[] | null,
): readonly KnownAgent[] {
  const { own, mapped } = agentsOf(project);
  if (installed === null) return unique([...own, ...mapped, ANYTHING]);
  const others = installed
    .filter((name) => !HELPERS.has(name))
    .map((name) => BUILT_IN.get(name) ?? { name, skills: [], does: "" });
  return unique([...own, ...mapped.filter(({ name }) => installed.includes(name)), ...others]);
}

/** Those that a design from a file may name: who wrote it knows what is installed, and a run looks. */
export function agentsOfFiles(project: ProjectAgents): readonly KnownAgent[] {
  const { own, mapped } = agentsOf(project);
  return unique([...own, ...mapped, ...BUILT_IN.values()]);
}

function agentsOf({ mapping, own }: ProjectAgents) {
  return {
    own: own.map((agent) => ({ ...agent, skills: mapping.get(agent.name) ?? [] })),
    mapped: Array.from(mapping, ([name, skills]) => ({ name, skills, does: BUILT_IN.get(name)?.does ?? "" })),
  };
}

/** The first of a name counts. */
function unique(agents: readonly KnownAgent[]): readonly KnownAgent[] {
  return agents.filter(({ name }, i) => agents.findIndex((other) => other.name === name) === i);
}

/** Claude brings these along for its own purposes: none of them writes code for a task. */
const HELPERS = new Set([
  "Explore",
  "Plan",
  "claude",
  "claude-code-guide",
  "output-style-setup",
  "statusline-setup",
]);

type Rows = {
  readonly [plugin: string]: { readonly [agent: string]: readonly [does: string, skills: string] };
};

const PYTHON = "python-style python-code-review";
const TYPESCRIPT = "frontend-experts:typescript-style frontend-experts:typescript-code-review";

/** A skill without a plugin is one of the agent's own. */
const ROWS: Rows = {
  "python-experts": {
    "django-expert": [
      "web applications with Django",
      `${PYTHON} django-dev django-api documentation-research`,
    ],
    "fastapi-expert": ["asynchronous APIs with FastAPI", `${PYTHON} documentation-research`],
    "fastmcp-expert": ["MCP servers in Python with FastMCP", `${PYTHON} documentation-research`],
    "celery-expert": ["queues and background work with Celery", `${PYTHON} documentation-research`],
    "python-testing-expert": ["tests with pytest", PYTHON],
  },
  "frontend-experts": {
    "react-typescript-expert": ["React in TypeScript", `${TYPESCRIPT} typescript-experts:zod`],
    "playwright-testing-expert": ["tests in a browser with Playwright", TYPESCRIPT],
  },
  "typescript-experts": {
    "fastmcp-ts-expert": ["MCP servers in TypeScript with FastMCP", `${TYPESCRIPT} fastmcp zod`],
  },
  "devops-data": {
    "devops-expert": ["infrastructure and deployment", "ansible aws-cloud gcp-cloud direnv portman"],
    "data-engineering-expert": ["data pipelines", "python-experts:python-style dbt sqlmesh"],
    "cto-architect": ["architecture and integration", "rfc-specification technical-specification"],
  },
  "security-compliance": {
    "mcp-security-expert": ["security of MCP servers and clients", "mcp-security oauth"],
    "dpo-expert": ["data protection", "privacy-compliance"],
  },
  "rag-cag": {
    "rag-cag-expert": ["retrieval and cached context for models", "chunking-strategies rag-cag-security"],
  },
  "product-design": {
    "qa-tester": [
      "manual tests in a browser",
      "qa-testing-methodology qa-test-management qa-screenshot-management qa-element-extraction",
    ],
    "web-debugger": ["debugging web pages", "console-debugging network-inspection"],
    "ui-product-expert": ["user interfaces and components", "design-system"],
    "ux-expert": ["user experience", ""],
    "marketing-expert": ["marketing copy", ""],
    "prd-orchestrator": ["product requirements", "prd-management"],
    "product-architect": ["product requirements", "product-strategy prd-management"],
    "task-executor": ["any task, documentation first", "task-orchestration"],
  },
  "git-workflow": {
    "commit-expert": ["commits and their messages", "git-commits"],
    "rebase-expert": ["rebasing and conflicts", "git-commits"],
    "code-review-expert": ["review of changes", "git-commits"],
  },
};

const OF_PLUGINS: readonly KnownAgent[] = Object.entries(ROWS).flatMap(([plugin, agents]) =>
  Object.entries(agents).map(([name, [does, skills]]) => ({
    name: `${plugin}:${name}`,
    skills: skills
      .split(" ")
      .filter((skill) => skill !== "")
      .map((skill) => (skill.includes(":") ? skill : `${plugin}:${skill}`)),
    does,
  })),
);

/** Claude has it without any plugin. */
const ANYTHING: KnownAgent = { name: "general-purpose", skills: [], does: "anything no other agent covers" };

const BUILT_IN: ReadonlyMap<string, KnownAgent> = new Map(
  [...OF_PLUGINS, ANYTHING].map((agent) => [agent.name, agent]),
);
