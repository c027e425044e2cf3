import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codexProgram } from "./codex-program.ts";
import type { ModelServer } from "./model-server.ts";
import { type Home, pathWith, type Setup, tempFolder, writeFiles } from "./support.ts";

/** A provider of the user's own, as Codex knows them; few retries, or the tests would wait for them. */
const config = (url: string): string => `
model = "scripted"
model_provider = "script"
check_for_update_on_startup = false
analytics.enabled = false
features.plugins = false

[model_providers.script]
name = "script"
base_url = "${url}/v1"
env_key = "SCRIPT_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 60000
`;

/**
 * A home of its own, where nobody is logged in at OpenAI. Codex puts no helpers into the folder for temporary files, and without them
 * its sandbox fails, so that folder is beside its own.
 */
export async function codexHome(server: Pick<ModelServer, "url">, setup: Setup = {}): Promise<Home> {
  const folder = await tempFolder();
  const TMPDIR = join(folder, "tmp");
  await mkdir(TMPDIR);
  await writeFiles(folder, { ".codex/config.toml": config(server.url), ...setup.files });
  const env = { PATH: pathWith(codexProgram), HOME: folder, TMPDIR, SCRIPT_KEY: "not-a-key" };
  return { folder, env: { ...env, ...setup.env } };
}
