// GitHub as far as `gh` asks it for pull requests: a server on loopback that gh reaches through a proxy, with a certificate of its own. So
// neither the host name nor the port has to be known to the machine.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";

export type GithubPull = {
  readonly id: string;
  readonly number: number;
  readonly url: string;
  readonly headRefName: string;
  readonly baseRefName: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  state: "OPEN" | "CLOSED" | "MERGED";
  labels: readonly string[];
  reviewers: readonly string[];
};

export type GithubServer = {
  readonly pulls: GithubPull[];
  /** What gh needs to find it. */
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

const LABELS = ["agents"];
const USERS = ["ada"];

/** `git`: the bare repository that stands for `acme/shop`. */
export async function startGithub(folder: string, git: string): Promise<GithubServer> {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = "subjectAltName=DNS:api.github.com,DNS:github.com";
  const subject = ["-subj", "/CN=api.github.com", "-addext", names, "-days", "2"];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject];
  execFileSync("openssl", args, { stdio: "ignore" });
  const pulls: GithubPull[] = [];
  const api = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      response.setHeader("X-Oauth-Scopes", "repo, read:org");
      response.setHeader("Content-Type", "application/json; charset=utf-8");
      const asked = text === "" ? null : (JSON.parse(text) as Asked);
      response.end(JSON.stringify(asked === null ? {} : answer({ pulls, git }, asked)));
    });
  });
  const port = await listen(api);
  const proxy = createHttpServer();
  proxy.on("connect", (_, socket) => {
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket]) end.on("error", () => [through, socket].map((one) => one.destroy()));
  });
  const proxyPort = await listen(proxy);
  return {
    pulls,
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
      SSL_CERT_FILE: cert,
      GH_TOKEN: "not-a-token",
      GH_CONFIG_DIR: join(folder, "gh"),
    },
    close: async () => {
      api.closeAllConnections();
      await Promise.all([api, proxy].map((server) => new Promise((done) => server.close(done))));
    },
  };
}

const listen = (server: Server): Promise<number> =>
  new Promise((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)));

type Asked = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
type World = Pick<GithubServer, "pulls"> & { readonly git: string };
type Answer = { readonly data?: unknown; readonly errors?: readonly object[] };

const REPOSITORY = {
  ...{ id: "R1", name: "shop", owner: { login: "acme", id: "O1" }, url: "https://github.com/acme/shop" },
  ...{ hasIssuesEnabled: true, isPrivate: false, viewerPermission: "ADMIN", parent: null },
  ...{ defaultBranchRef: { name: "main" }, mergeCommitAllowed: true },
};

function answer(world: World, { query, variables = {} }: Asked): Answer {
  const [, kind = "", name = ""] = /\b(query|mutation)\s+(\w+)/.exec(query) ?? [];
  if (kind === "mutation") return mutate(world, name, variables["input"] as Input);
  const page = { pageInfo: { hasNextPage: false, endCursor: "" } };
  if (name.startsWith("RepositoryLabel"))
    return repository({
      labels: { nodes: LABELS.map((label) => ({ name: label, id: `L ${label}` })), ...page },
    });
  if (name.startsWith("RepositoryAssignable"))
    return repository({
      assignableUsers: { nodes: USERS.map((login) => ({ login, name: login, id: `U ${login}` })), ...page },
    });
  if (name === "RepositoryResolveMetadataIDs") return resolveNames(query);
  if (name === "OrganizationTeamList") return { data: { organization: { teams: { nodes: [], ...page } } } };
  if (name === "UserCurrent") return { data: { viewer: { login: "me" } } };
  if (name === "RepositoryInfo") return repository(REPOSITORY);
  if (name === "RepositoryNetwork") return { data: { viewer: { login: "me" }, repo_000: REPOSITORY } };
  if (name === "PullRequestForBranch") {
    const { headRefName, states } = variables as { headRefName: string; states: string[] | null };
    const nodes = world.pulls.filter(
      (pull) => pull.headRefName === headRefName && (states === null || states.includes(pull.state)),
    );
    const own = { isCrossRepository: false, headRepositoryOwner: { id: "O1", login: "acme" } };
    return repository({
      pullRequests: { nodes: nodes.map((pull) => ({ ...showPull(pull), ...own })).reverse() },
      defaultBranchRef: { name: "main" },
    });
  }
  if (name === "PullRequestProjectItems")
    return repository({ pullRequest: { projectItems: { nodes: [], ...page } } });
  if (name === "PullRequestByNumber") {
    const found = world.pulls.find(({ number }) => number === variables["pr_number"]);
    return repository({ pullRequest: found === undefined ? null : showPull(found) });
  }
  return { errors: [{ message: `unknown operation ${name}: ${query}` }] };
}

function showPull({ labels, reviewers, ...pull }: GithubPull) {
  const nodes = reviewers.map((login) => ({ requestedReviewer: { __typename: "User", login } }));
  return {
    ...pull,
    labels: { nodes: labels.map((name) => ({ id: `L ${name}`, name })), totalCount: labels.length },
    reviewRequests: { nodes, totalCount: nodes.length },
    ...{
      assignees: { nodes: [], totalCount: 0 },
      projectCards: { nodes: [], totalCount: 0 },
      milestone: null,
    },
  };
}

/** Users that do not exist are errors, labels are null. */
function resolveNames(query: string): Answer {
  const users = [...query.matchAll(/(\w+): user\(login:"([^"]+)"/g)].map(([, key = "", login = ""]) => ({
    ...{ key, login, isKnown: USERS.includes(login) },
  }));
  const labels = [...query.matchAll(/(\w+): label\(name:"([^"]+)"/g)].map(([, key = "", name = ""]) => [
    key,
    LABELS.includes(name) ? { id: `L ${name}`, name } : null,
  ]);
  const unknown = users.filter(({ isKnown }) => !isKnown);
  const errors = unknown.map(({ key, login }) => ({
    ...{
      type: "NOT_FOUND",
      path: [key],
      message: `Could not resolve to a User with the login of '${login}'.`,
    },
  }));
  const data = {
    ...Object.fromEntries(
      users.map(({ key, login, isKnown }) => [key, isKnown ? { id: `U ${login}`, login } : null]),
    ),
    repository: Object.fromEntries(labels),
  };
  return errors.length === 0 ? { data } : { data, errors };
}

const repository = (data: object): Answer => ({ data: { repository: data } });

type Input = {
  readonly [field: string]: unknown;
  readonly pullRequestId?: string;
  readonly labelableId?: string;
  readonly labelIds?: readonly string[];
  readonly userIds?: readonly string[];
};

function mutate({ pulls, git }: World, name: string, input: Input): Answer {
  const own = pulls.find(({ id }) => [input.pullRequestId, input.labelableId].includes(id));
  if (own !== undefined) {
    // gh reads nothing of the answers.
    own.labels = [...own.labels, ...(input.labelIds ?? []).map((id) => id.replace("L ", ""))];
    own.reviewers = [...own.reviewers, ...(input.userIds ?? []).map((id) => id.replace("U ", ""))];
    return { data: {} };
  }
  if (name !== "PullRequestCreate") return { errors: [{ message: `unknown operation ${name}` }] };
  const { headRefName, baseRefName, title, body, draft } = input as Record<string, string>;
  const commit = (branch = "") => readCommit(git, branch);
  if (commit(headRefName) === null)
    return { errors: [{ message: `Head ref ${headRefName} is not a branch` }] };
  const number = pulls.length + 1;
  const made: GithubPull = {
    ...{ id: `P${number}`, number, url: `https://github.com/acme/shop/pull/${number}`, state: "OPEN" },
    ...{
      headRefName: headRefName ?? "",
      baseRefName: baseRefName ?? "",
      title: title ?? "",
      body: body ?? "",
    },
    ...{ isDraft: Boolean(draft), labels: [], reviewers: [] },
  };
  pulls.push(made);
  return { data: { createPullRequest: { pullRequest: { id: made.id, url: made.url } } } };
}

function readCommit(git: string, branch: string): string | null {
  const args = ["for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`];
  return execFileSync("git", args, { cwd: git, encoding: "utf8" }).trim() || null;
}
