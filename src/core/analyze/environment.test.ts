import { expect, test } from "vitest";
import { analyzeSample, draftOf, LAYERS } from "../../../test/support/drafts.ts";

test.each([
  "PATH",
  "DYLD_INSERT_LIBRARIES",
  "NODE_OPTIONS",
  "PYTHONPATH",
  "GIT_DIR",
  "IFS",
  "BASH_ENV",
  "ENV",
  "CAST_SUBPROCESS",
])("a plan may not set %s", (name) => {
  const { diagnostics } = analyzeSample(draftOf([{ id: "a", env: { [name]: "x" } }]));
  expect(diagnostics.map(({ code }) => code)).toEqual(["env-refused"]);
});

const REDIRECTING = [
  ...[
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_VERTEX_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
  ],
  ...["OPENAI_BASE_URL", "OPENAI_API_BASE", "GOOGLE_GEMINI_BASE_URL", "AZURE_OPENAI_ENDPOINT", "OLLAMA_HOST"],
  ...[
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "CLAUDE_CODE_USE_BEDROCK",
    "CODEX_REFRESH_TOKEN_URL_OVERRIDE",
  ],
  ...["HTTP_PROXY", "https_proxy", "ALL_PROXY", "NO_PROXY", "npm_config_https_proxy", "GOPROXY"],
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME", "HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG_CONTENT"],
  ...[
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
  ],
  ...[
    "CURL_CA_BUNDLE",
    "AWS_CA_BUNDLE",
    "NPM_CONFIG_STRICT_SSL",
    "npm_config_registry",
    "NPM_CONFIG_REGISTRY",
  ],
  ...[
    "YARN_NPM_REGISTRY_SERVER",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_INDEX",
  ],
  ...[
    "CARGO_REGISTRIES_CORP_INDEX",
    "CARGO_SOURCE_CRATES_IO_REPLACE_WITH",
    "GOSUMDB",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
  ],
];

test.each(REDIRECTING)("a plan may set %s only where the user allows it", (name) => {
  const draft = draftOf([{ id: "a", env: { [name]: "x" } }]);
  expect(analyzeSample(draft).diagnostics.map(({ code }) => code)).toEqual(["env-redirects"]);
  const allowed = analyzeSample(draft, { layers: { ...LAYERS, allowedEnv: [name] } });
  expect(allowed.diagnostics).toEqual([]);
  expect(allowed.plan?.tasks[0]?.env).toEqual({ [name]: "x" });
});

test("what is never allowed stays refused", () => {
  const draft = draftOf([{ id: "a", env: { NODE_OPTIONS: "x" } }]);
  const { diagnostics } = analyzeSample(draft, { layers: { ...LAYERS, allowedEnv: ["NODE_OPTIONS"] } });
  expect(diagnostics.map(({ code }) => code)).toEqual(["env-refused"]);
});

test.each([
  "BASE_URL",
  "APP_BASE_URL",
  "VITE_API_URL",
  "DATABASE_URL",
  "AWS_REGION",
  "ANTHROPIC_MODEL",
  "npm_config_cache",
  "LANG",
  "LDFLAGS",
  "GITHUB_TOKEN",
  "MY_PATH",
  "_x",
])("a plan may set %s", (name) => {
  expect(analyzeSample(draftOf([{ id: "a", env: { [name]: "x" } }])).diagnostics).toEqual([]);
});
