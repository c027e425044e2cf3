// What a program in the sandbox may see and change, as plain data. Everything that is not named can be read and not written.

/** All paths are absolute and real (no part is a link), because a mount follows links and a policy must not. */
export type Walls = {
  /** Folders that appear empty. A write there fails, except below `scratch`. */
  readonly hidden: readonly string[];
  /** Folders that appear empty and take writes, which are gone with the program: the home, so that caches have a place. */
  readonly scratch: readonly string[];
  /** Visible again below hidden ones, and read-only. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Files and folders of the right that appear at the path of the left. */
  readonly replaced: readonly Replaced[];
  /** Made anew inside, with this content, as files of the program's own: below scratch folders. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The folder on the disk that is /tmp inside. */
  readonly tmp: string;
};

export type Replaced = { readonly path: string; readonly by: string; readonly isWritable: boolean };

export type Mount = {
  readonly path: string;
  readonly kind: "hidden" | "scratch" | "readable" | "writable";
  /** What is seen there; null for an empty folder. */
  readonly source: string | null;
};

/** In the order in which they are to be made: what lies below another path comes later, so that it is not covered. */
export function listMounts(walls: Walls): Mount[] {
  const mounts: Mount[] = [
    ...walls.hidden.map((path) => ({ path, kind: "hidden", source: null }) as const),
    ...walls.scratch.map((path) => ({ path, kind: "scratch", source: null }) as const),
    { path: "/tmp", kind: "writable", source: walls.tmp },
    ...walls.readable.map((path) => ({ path, kind: "readable", source: path }) as const),
    ...walls.writable.map((path) => ({ path, kind: "writable", source: path }) as const),
    ...walls.replaced.map(
      ({ path, by, isWritable }) =>
        ({ path, kind: isWritable ? "writable" : "readable", source: by }) as const,
    ),
  ];
  // The last of one path counts. A stable sort keeps those of one depth in order.
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...last.values()].sort((a, b) => countParts(a.path) - countParts(b.path));
}

const countParts = (path: string): number => path.split("/").filter(Boolean).length;
