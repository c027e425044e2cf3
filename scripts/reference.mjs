// The pages in docs/reference are made from the code: keys from the JSON Schema, findings from their table, commands from
// their own help. `--check` compares instead of writing, and fails when a page is stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled } from "./setup.mjs";
import { root, runNode } from "./tools.mjs";

ensureInstalled();
ensureBuilt();
const isCheck = process.argv.includes("--check");
const pages = {
  "plan.md": planPage(JSON.parse(readFileSync(join(root, "schema/plan.schema.json"), "utf8"))),
  "config.md": configPage(JSON.parse(readFileSync(join(root, "schema/config.schema.json"), "utf8"))),
  "design.md": designPage(JSON.parse(readFileSync(join(root, "schema/design.schema.json"), "utf8"))),
  "findings.md": await findingsPage(),
  "commands.md": commandsPage(),
};
mkdirSync(join(root, "docs/reference"), { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, "docs/reference", name);
  if (!isCheck) writeFileSync(path, text);
  else if (readOrEmpty(path) !== text) {
    console.error(`docs/reference/${name} is stale: npm run reference`);
    process.exitCode = 1;
  }
}

function planPage(schema) {
  const defs = schema.$defs;
  const { defaults, hooks, notify, ports, save, prices, ...top } = schema.properties;
  delete top.$schema;
  // These have a table of their own below.
  const inSections = Object.fromEntries(
    Object.entries({ defaults, hooks, notify, ports, prices, save }).map(([key, value]) => {
      const anchor = key === "defaults" ? "settings-of-a-task" : key;
      const what = value.type === "array" ? "list of maps" : "map";
      return [key, { ...value, shown: `${what}, [see below](#${anchor})` }];
    }),
  );
  const settings = Object.keys(defaults.properties);
  const task = Object.fromEntries(
    Object.entries(defs.task.properties).filter(([key]) => !settings.includes(key)),
  );
  return page(
    "The plan",
    `A plan is YAML (\`plan.yaml\`), JSON, or YAML front matter in a Markdown file (\`plan.md\`, whose text is for people).
Every key is listed here; an unknown one is an error. \`plait schema\` prints the same as JSON Schema, and this line at the
top gives help in editors:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/plait/schema/plan.schema.json
\`\`\`

The smallest plan:

\`\`\`yaml
plait: 1
tasks:
  - id: hello
    prompt: Write a greeting into hello.txt.
\`\`\``,
    section("Top level", keys({ ...top, ...inSections }, schema.required, defs)),
    section(
      "A task",
      keys(task, defs.task.required, defs),
      "Exactly one of `prompt`, `prompt-file` and `command`.",
    ),
    section(
      "Settings of a task",
      keys(defaults.properties, [], defs),
      "Set these in a task, or under `defaults` for every task that does not set them.",
    ),
    section("hooks", keys(hooks.properties, hooks.required, defs)),
    section("notify", keys(notify.properties, notify.required, defs)),
    section("ports", keys(ports.properties, ports.required, defs)),
    section(
      "prices",
      keys(prices.items.properties, prices.items.required, defs),
      "A list of entries with these keys.",
    ),
    section("save", keys(save.properties, save.required, defs)),
    ...Object.entries(defs)
      .filter(([name]) => name !== "task")
      .map(([name, def]) => section(`Type: ${name}`, listOptions(def, defs), def.description)),
  );
}

function configPage(schema) {
  const defs = schema.$defs;
  const { agents, defaults, notify, ports, save, ...top } = schema.properties;
  delete top.$schema;
  const program = defs["agent-program"];
  const inSections = {
    agents: { ...agents, shown: "map of names to [agents](#an-agent)" },
    defaults: { ...defaults, shown: "map, [see below](#defaults)" },
    notify: { ...notify, shown: "map, [see below](#notify)" },
    ports: { ...ports, shown: "map, [see below](#ports)" },
    save: { ...save, shown: "map, [see below](#save)" },
  };
  return page(
    "The configuration",
    `Two files, both optional, with the same keys: the user's, \`$XDG_CONFIG_HOME/plait/config.yaml\` (\`~/.config/plait/config.yaml\`
where that is not set), and the project's, \`plait.config.yaml\`, the nearest one from the current folder up to the root of
the repository. Every key is listed here; an unknown one is an error. [The guide](../guide/config.md) has an example and
explains which setting wins.`,
    section("Top level", keys({ ...inSections, ...top }, schema.required, defs)),
    section("An agent", keys(program.properties, program.required, defs), program.description),
    section("defaults", keys(defaults.properties, defaults.required, defs)),
    section("notify", keys(notify.properties, notify.required, defs)),
    section("ports", keys(ports.properties, ports.required, defs)),
    section("save", keys(save.properties, save.required, defs)),
    ...Object.entries(defs)
      .filter(([name]) => name !== "agent-program")
      .map(([name, def]) => section(`Type: ${name}`, listOptions(def, defs), def.description)),
  );
}

function designPage(schema) {
  const { manifest, contracts, waves, tasks, ...top } = schema.properties;
  delete top.$schema;
  const map = ({ anyOf, ...one }) => anyOf?.find(({ type }) => type !== "null") ?? one;
  const table = (one) => keys(map(one).properties, map(one).required);
  const see = (one, what, anchor) => ({ ...one, shown: `${what}, [see below](#${anchor})` });
  const { scope, ...task } = tasks.items.properties;
  const { dependencies, ...said } = map(manifest).properties;
  const packages = map(dependencies).properties.python;
  const linked = {
    ...top,
    manifest: see(manifest, "map", "manifest"),
    contracts: see(contracts, "map", "contracts"),
    waves: see(waves, "list of maps", "a-wave"),
    tasks: see(tasks, "list of maps", "a-task"),
  };
  const inManifest = {
    ...said,
    dependencies: see(dependencies, "map with `python` and `node`", "packages"),
  };
  return page(
    "The design",
    `A design divides a tech spec into tasks. It is one JSON document, written by an agent or a person; plait checks it and generates the
artifact folder from it. \`plait schema design\` prints it as JSON Schema. Optional keys may also be null. Unknown keys are ignored
with a warning, unless they look like a misspelled key.`,
    section("Top level", keys(linked, schema.required)),
    section("A task", keys({ ...task, scope: see(scope, "map", "scope") }, tasks.items.required)),
    section("scope", table(scope)),
    section("A wave", table(map(waves).items)),
    section("contracts", table(contracts)),
    section("manifest", keys(inManifest)),
    section("packages", table(packages), "Keys of `manifest.dependencies.python` and `.node`."),
  );
}

/** One row per key. */
function keys(properties, required = [], defs) {
  const rows = Object.entries(properties).map(([key, value]) => {
    const name = required.includes(key) ? `**${key}** (required)` : `**${key}**`;
    return `| ${name} | ${cell(formatType(value, defs))} | ${cell(value.description ?? "")} |`;
  });
  return ["| key | type | description |", "|---|---|---|", ...rows].join("\n");
}

/** The ways to write a value of this type. */
function listOptions(def, defs) {
  const options = def.anyOf ?? [def];
  return options
    .map((option) => {
      if (option.type !== "object" || option.properties === undefined) return `- ${formatType(option, defs)}`;
      return `- map:\n\n${keys(option.properties, option.required, defs)}\n`;
    })
    .join("\n");
}

/** A schema in a few words. */
function formatType(schema, defs) {
  if (schema.shown) return schema.shown;
  if (schema.$ref) {
    const name = schema.$ref.replace("#/$defs/", "");
    return name === "task" ? "[task](#a-task)" : `[${name}](#type-${name})`;
  }
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(" or ");
  if (schema.anyOf) {
    const options = schema.anyOf.filter(({ type }) => type !== "null");
    return [...new Set(options.map((option) => formatType(option, defs)))].join(", or ");
  }
  if (Array.isArray(schema.type))
    return formatType({ ...schema, type: schema.type.find((type) => type !== "null") }, defs);
  if (schema.type === "array") return list(schema, defs);
  if (schema.type === "object") return map(schema, defs);
  if (schema.type === "integer" || schema.type === "number") return number(schema);
  return schema.type === "boolean" ? "`true` or `false`" : "string";
}

/** In place: map with `only`: list of gate. */
function map({ properties, additionalProperties }, defs) {
  if (properties === undefined) return `map of names to ${formatType(additionalProperties, defs)}`;
  const entries = Object.entries(properties).map(([key, value]) => `\`${key}\`: ${formatType(value, defs)}`);
  return `map with ${entries.join("; ")}`;
}

function list({ prefixItems, items }, defs) {
  if (prefixItems) return `list of ${prefixItems.map((item) => formatType(item, defs)).join(" and ")}`;
  return items?.type === "string" ? "list of strings" : `list of ${formatType(items ?? {}, defs)}`;
}

function number({ type, minimum, maximum }) {
  const word = type === "integer" ? "integer" : "number";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum === undefined) return word;
  return isBounded ? `${word} from ${minimum} to ${maximum}` : `${word} from ${minimum}`;
}

async function findingsPage() {
  const { allCodes } = await import(pathToFileURL(join(root, "dist/lib/app/codes.js")).href);
  const entries = [...allCodes].sort((a, b) => (a.code < b.code ? -1 : 1));
  const text = entries.map(({ code, severity, title, explanation, example }) => {
    const sample = example === undefined ? "" : `\n\n\`\`\`yaml\n${example}\n\`\`\``;
    return section(`\`${code}\``, `*${severity}.* **${title}.** ${explanation}${sample}`);
  });
  return page("Findings", "Every finding by its code, as `plait explain CODE` prints it.", ...text);
}

function commandsPage() {
  const help = listCommands().map((words) =>
    section(`plait ${words.join(" ")}`, fence(output([...words, "--help"]))),
  );
  const others = otherCommandLines().map((words) =>
    section(`plait ${words.join(" ")}`, fence(output([...words, "--help"]))),
  );
  const topics = ["options", "limits", "exit-codes"].map((topic) =>
    section(`plait help ${topic}`, fence(output(["help", topic]))),
  );
  const intro = "[JSON documents](../guide/json.md) describes the output of `--json`.";
  return page("Commands", intro, fence(output(["--help"])), ...topics, ...help, ...others);
}

/** The older command lines: each by its name, and each of its commands. */
function otherCommandLines() {
  const list = listRows(["compat"], "Commands");
  return [...list.matchAll(/^ {2}([\w-]+) <(.+?)>/gm)].flatMap(([, name, words]) => [
    [name],
    ...(words === "plan-file" ? [] : words.split("|").map((word) => [name, word])),
  ]);
}

/** Every command as a list of words, in the order of `plait --help`. */
function listCommands() {
  const sections = output(["--help"]).split(/^Usage: .*\n/m)[1] ?? "";
  return listNames(sections).flatMap((name) => {
    const inGroup = name === "compat" ? [] : listNames(listRows([name], "Commands"));
    return inGroup.length === 0 ? [[name]] : inGroup.map((word) => [name, word]);
  });
}

function listNames(text) {
  return [...text.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, name]) => name);
}

/** The rows below a heading of a command's help. */
function listRows(words, heading) {
  const help = output([...words, "--help"]);
  return (help.split(new RegExp(`^${heading}\n`, "m"))[1] ?? "").split("\n\n")[0];
}

function output(args) {
  const cli = join(root, "dist/cli/main.js");
  const env = { PATH: process.env.PATH, NO_COLOR: "1", COLUMNS: "80", LC_ALL: "C.UTF-8" }; // the same everywhere
  const result = runNode([cli, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env });
  if (result.status !== 0 || result.stdout === "")
    throw new Error(`plait ${args.join(" ")} failed: ${result.stderr}`);
  return result.stdout.trimEnd();
}

function page(title, ...parts) {
  const origin = "<!-- Made by `npm run reference`. Change the code, not this page. -->";
  return `${[`# ${title}`, origin, ...parts].join("\n\n")}\n`;
}

function section(title, text, intro) {
  return [`## ${title}`, ...(intro ? [intro] : []), text].join("\n\n");
}

function fence(text) {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return ""; // not written yet: as stale as can be
  }
}
