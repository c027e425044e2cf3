// Secrets that are known by their looks: a beginning that says what it is, which stays, then a run of certain bytes, however long.

export type Pattern = {
  readonly begins: string;
  /** 1 for each byte of the run. */
  readonly run: Uint8Array;
  readonly least: number;
  /** Where bytes are no text, what has a common beginning or a loose run is not looked for. */
  readonly isDistinct: boolean;
};

const ALNUM = "A-Za-z0-9";
const WORD = `${ALNUM}_\\-`;
const ADDRESS = `${WORD}/.@:?&=%`;
const BASE64 = `${ALNUM}+/=`;

/** Runs are written as in a regular expression's brackets. Short or common beginnings ask for longer runs. */
export const patterns: readonly Pattern[] = [
  ...of(["sk-ant-", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"], WORD, 16),
  ...of(["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-"], `${WORD}.`, 16),
  ...of(["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"], ALNUM, 16),
  ...of(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], `${ALNUM}_`, 30),
  ...of(["npm_", "hf_", "r8_", "gsk_", "lin_api_", "figd_", "sbp_"], WORD, 30),
  ...of(["pypi-", "AIza", "dckr_pat_", "GOCSPX-", "nvapi-", "pplx-", "sb_secret_"], WORD, 24),
  ...of(["dop_v1_", "doo_v1_", "dor_v1_", "shpat_", "shpss_", "shpca_", "shppa_", "rubygems_"], ALNUM, 30),
  ...of(["hvs.", "hvb.", "sntrys_", "sntryu_", "glsa_", "pscale_tkn_", "PMAK-", "tskey-"], `${WORD}=+/`, 24),
  ...of(["xai-", "ATATT3", "SG."], `${WORD}.=`, 50),
  ...of(["AGE-SECRET-KEY-1"], "A-Z0-9", 40),
  ...of(["ya29."], `${WORD}.`, 20),
  ...of(["AKIA", "ASIA"], "A-Z0-9", 16),
  ...of(
    ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xapp-"],
    `${WORD}.%`,
    16,
  ),
  ...of(["AccountKey=", "SharedAccessKey="], BASE64, 40),
  ...of(
    ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
    ADDRESS,
    24,
  ),
  ...of(["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], ADDRESS, 40),
  ...of([".webhook.office.com/webhookb2/", "outlook.office.com/webhook/"], ADDRESS, 36),
  ...of(["chat.googleapis.com/v1/spaces/", "api.telegram.org/bot"], ADDRESS, 30),
  ...of(["hooks.zapier.com/hooks/catch/"], ADDRESS, 12),
  // Loose from here on.
  ...of(["sk-"], ALNUM, 32, false),
  ...of(["Bearer ", "bearer "], `${WORD}.~+/=`, 20, false),
  ...of(["uthorization: Basic ", "uthorization: basic "], BASE64, 12, false),
  // The second part of a JSON web token is an object too, so it begins like the first; the first holds no secret.
  ...of([".eyJ"], `${WORD}.`, 12, false),
  ...of(privateKeys(), `${BASE64}\\\\ \\t\\r\\n`, 16, false),
];

function of(beginnings: readonly string[], run: string, least: number, isDistinct = true): Pattern[] {
  const table = new Uint8Array(256);
  const member = new RegExp(`^[${run}]$`);
  for (let byte = 0; byte < 256; byte += 1) if (member.test(String.fromCharCode(byte))) table[byte] = 1;
  return beginnings.map((begins) => ({ begins, run: table, least, isDistinct }));
}

function privateKeys(): string[] {
  const kinds = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];
  return [...kinds.map((kind) => `BEGIN ${kind}PRIVATE KEY-----`), "BEGIN PGP PRIVATE KEY BLOCK-----"];
}
