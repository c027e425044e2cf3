// A copy of a commit has no packages in it until somebody says how they come there. A check that is red for the lack of one that the
// project itself asks for says nothing about the commit. One that nobody asks for was forgotten, and is red.

export type AskedPackages = {
  /** Those that are in no node_modules of the copy. */
  readonly node: ReadonlySet<string>;
  /** In small letters, with dashes. What is installed nobody knows but Python. */
  readonly python: ReadonlySet<string>;
};

/** The first that the program did not find; null where it lacks none. */
export function uninstalledPackage(output: string, { node, python }: AskedPackages): string | null {
  for (const [, name = ""] of output.matchAll(NODE)) {
    const [wanted = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
    const found = [wanted, `@types/${wanted}`].find((one) => node.has(one));
    if (found !== undefined) return found;
  }
  for (const [, name = ""] of output.matchAll(PYTHON)) {
    const [module = ""] = name.split(".");
    const known = Object.hasOwn(DISTRIBUTIONS, module) ? DISTRIBUTIONS[module]?.split(" ") : null;
    const wanted = [...(known ?? []), module.toLowerCase().replaceAll("_", "-")];
    const found = wanted.find((one) => python.has(one));
    if (found !== undefined) return found;
  }
  return null;
}

const NODE =
  /(?:Cannot find (?:package|module)|Cannot find type definition file for|Failed to resolve import|Could not resolve) ["']([^"'./][^"']*)["']/g;
const PYTHON = /(?:No module named|library stub for module named) ["']([\w.]+)["']/g;

/** Where the module has another name than what is installed. */
const DISTRIBUTIONS: { readonly [module: string]: string } = {
  ...{ PIL: "pillow", attr: "attrs", bs4: "beautifulsoup4", cv2: "opencv-python opencv-python-headless" },
  ...{ dateutil: "python-dateutil", dotenv: "python-dotenv", jose: "python-jose", jwt: "pyjwt" },
  ...{ multipart: "python-multipart", psycopg2: "psycopg2-binary", rest_framework: "djangorestframework" },
  ...{ sklearn: "scikit-learn", yaml: "pyyaml" },
};
