/**
 * Variables that a plan or a repository does not decide. `never`: they take over the programs of a machine. `if-allowed`: they send
 * requests, logins or downloads somewhere else, which may be right, but only the user can say so.
 */
export type EnvRefusal = { readonly kind: "never" | "if-allowed"; readonly reason: string };

type Rule = EnvRefusal & { readonly names: RegExp };

const forbidding = (reason: string, names: RegExp): Rule => ({ kind: "never", reason, names });
const ifAllowed = (reason: string, names: RegExp): Rule => ({ kind: "if-allowed", reason, names });

const LOADED = "can load code into other programs";
const SHELL = "changes how shells read every command";
const REQUESTS = "can send an agent's requests and your key to another server";
const LOGIN = "can change which settings and login an agent uses";
const TRUST = "can make programs trust other servers";
const DOWNLOADS = "can change where packages come from";

/** Names that vendors of models and their programs begin their variables with. */
const VENDORS =
  "AIDER|AMP|ANTHROPIC|AWS|AZURE|BEDROCK|CEREBRAS|CLAUDE|CODEX|COHERE|COPILOT|CURSOR|DASHSCOPE|DEEPSEEK|FIREWORKS|GEMINI|GOOGLE|GOOSE|GROQ|KIMI|LITELLM|MISTRAL|MOONSHOT|OLLAMA|OPENAI|OPENCODE|OPENROUTER|QWEN|TOGETHER|VERTEX|XAI|ZAI";

/** The first rule that fits decides. */
const rules: readonly Rule[] = [
  forbidding("decides which programs run", /^(?:PATH|SHELL)$/),
  forbidding(
    SHELL,
    /^(?:CDPATH|IFS|ENV|BASH_ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|BASH_FUNC_.*)$/,
  ),
  forbidding(LOADED, /^(?:LD_|DYLD_)/),
  forbidding(LOADED, /^(?:NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|GCONV_PATH)$/),
  forbidding(LOADED, /^(?:PERL5LIB|PERL5OPT|PERL5DB|RUBYOPT|RUBYLIB)$/),
  forbidding(LOADED, /^(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)$/),
  forbidding(LOADED, /^npm_config_(?:node_options|script_shell|git|shell|viewer|editor)$/i),
  forbidding("prevents nested runs", /^CAST_SUBPROCESS$/),
  forbidding("changes what git does", /^GIT_/),
  forbidding("belongs to plait", /^PLAIT_/),

  ifAllowed("can send requests through another server", /_proxy$/i),
  ifAllowed(
    REQUESTS,
    new RegExp(`^(?:${VENDORS})_(?:.*_)?(?:URL|URLS|BASE|HOST|ENDPOINT|RESOURCE)(?:_.*)?$`),
  ),
  ifAllowed(REQUESTS, /^ANTHROPIC_(?:CUSTOM_HEADERS|UNIX_SOCKET)$/),
  ifAllowed(REQUESTS, /^CLAUDE_CODE_(?:USE|SKIP)_(?:BEDROCK|VERTEX|FOUNDRY|MANTLE)/),
  ifAllowed(REQUESTS, /^(?:CODE_ASSIST_ENDPOINT|GH_HOST|HF_ENDPOINT|OTEL_EXPORTER_.*)$/),
  ifAllowed(LOGIN, /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_CONFIG_HOME|XDG_DATA_HOME)$/),
  ifAllowed(LOGIN, /^(?:CLAUDE_CONFIG_DIR|CLAUDE_SECURESTORAGE_CONFIG_DIR|GH_CONFIG_DIR)$/),
  ifAllowed(LOGIN, /^(?:CODEX_HOME|GEMINI_CLI_.*|COPILOT_HOME|CURSOR_CONFIG_DIR|OPENCODE_CONFIG.*)$/),
  ifAllowed(
    LOGIN,
    /^(?:AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE|CLOUDSDK_CONFIG|NETRC|CURL_HOME|WGETRC)$/,
  ),
  ifAllowed(TRUST, /^(?:NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA)$/),
  ifAllowed(
    TRUST,
    /^(?:SSL_CERT_FILE|SSL_CERT_DIR|SSLKEYLOGFILE|OPENSSL_CONF|OPENSSL_MODULES|PYTHONHTTPSVERIFY)$/,
  ),
  ifAllowed(TRUST, /(?:^|_)CA_(?:BUNDLE|CERTIFICATE|CERTS|FILE)$/),
  ifAllowed(TRUST, /^(?:CLAUDE_CODE_CLIENT_.*|PIP_CERT|CARGO_HTTP_CAINFO|DENO_CERT|DENO_TLS_CA_STORE)$/),
  ifAllowed(TRUST, /^npm_config_(?:ca|cafile|cert|strict_ssl)$/i),
  ifAllowed(DOWNLOADS, /^(?:npm|pnpm|yarn|bun|corepack)_(?:.*_)?registry(?:_.*)?$/i),
  ifAllowed(DOWNLOADS, /^(?:npm_config_(?:userconfig|globalconfig)|YARN_RC_FILENAME)$/i),
  ifAllowed(DOWNLOADS, /^(?:PIP|UV|PDM|PIPENV|POETRY)_(?:.*_)?(?:INDEX|INDEXES|URL|LINKS|MIRROR)(?:_.*)?$/),
  ifAllowed(DOWNLOADS, /^(?:POETRY_REPOSITORIES_.*|(?:PIP|UV)_(?:CONFIG_FILE|(?:TRUSTED|INSECURE)_HOST))$/),
  ifAllowed(DOWNLOADS, /^(?:CARGO_(?:REGISTR|SOURCE_).*|CARGO_HOME|RUSTUP_(?:DIST_SERVER|UPDATE_ROOT))$/),
  ifAllowed(DOWNLOADS, /^GO(?:PROXY|SUMDB|NOSUMDB|NOSUMCHECK|INSECURE|PRIVATE|NOPROXY|ENV|FLAGS)$/),
  ifAllowed(DOWNLOADS, /^(?:BUNDLE_MIRROR.*|BUNDLE_(?:USER_)?CONFIG|RUBYGEMS_HOST|GEMRC|COMPOSER_HOME)$/),
  ifAllowed(DOWNLOADS, /^(?:NVM_NODEJS_ORG_MIRROR|ELECTRON_MIRROR|PLAYWRIGHT_DOWNLOAD_HOST)$/),
  ifAllowed("can connect to another machine", /^(?:DOCKER_HOST|DOCKER_CONTEXT|DOCKER_CONFIG)$/),
];

/** Why a plan may not set a variable; null where it may. */
export function findEnvRefusal(name: string): EnvRefusal | null {
  return rules.find(({ names }) => names.test(name)) ?? null;
}
