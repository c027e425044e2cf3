// The filter of system calls in the sandbox: what mount and user namespaces do not hold. Made here as the bytes of a classic BPF
// program, so no library is needed.
//
//   keyrings         the user's session keyring belongs to no namespace
//   AF_VSOCK & co.   are not held by a network namespace
//   mounts           a hiding mount could be taken away
//   TIOCSTI          types into the terminal that plait was started from

type Machine = {
  readonly arch: number;
  readonly calls: readonly number[];
  readonly ioctl: number;
  readonly socket: number;
};

/** add_key, request_key, keyctl, bpf, userfaultfd, perf_event_open, io_uring_setup, open_by_handle_at, mount, umount2, pivot_root, */
/** setns, open_tree, move_mount, fsopen, kexec_load, init_module, finit_module, delete_module. */
const MACHINES: { readonly [arch: string]: Machine } = {
  x64: {
    arch: 0xc000003e,
    calls: [
      ...[248, 249, 250, 321, 323, 298, 425, 304, 165, 166, 155],
      ...[308, 428, 429, 430, 246, 175, 313, 176],
    ],
    ioctl: 16,
    socket: 41,
  },
  arm64: {
    arch: 0xc00000b7,
    calls: [
      ...[217, 218, 219, 280, 282, 241, 425, 265, 40, 39, 41],
      ...[268, 428, 429, 430, 104, 105, 273, 106],
    ],
    ioctl: 29,
    socket: 198,
  },
};

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const fail = (errno: number): number => 0x00050000 | errno;
const EPERM = 1;
const EAFNOSUPPORT = 97;

const AT_CALL = 0;
const AT_ARCH = 4;
/** The lower half of an argument. */
const atArgument = (i: number): number => 16 + 8 * i;

/** Unix, IPv4, IPv6, netlink. */
const FAMILIES = [1, 2, 10, 16];
/** TIOCSTI, TIOCLINUX. */
const TYPING = [0x5412, 0x541c];

type Instruction = readonly [code: number, yes: number, no: number, k: number];

/** Null where this machine's numbers are not known. */
export function buildSeccompFilter(arch: string = process.arch): Buffer | null {
  const machine = MACHINES[arch];
  return machine === undefined ? null : encode(listInstructions(machine));
}

function listInstructions({ arch, calls, ioctl, socket }: Machine): Instruction[] {
  const refuse = (errno: number): Instruction => [RETURN, 0, 0, fail(errno)];
  const allow: Instruction = [RETURN, 0, 0, ALLOW];
  const refused = calls.flatMap((call): Instruction[] => [[JUMP_EQUAL, 0, 1, call], refuse(EPERM)]);
  const typing: Instruction[] = [
    [LOAD, 0, 0, atArgument(1)],
    ...TYPING.flatMap((request): Instruction[] => [[JUMP_EQUAL, 0, 1, request], refuse(EPERM)]),
    allow,
  ];
  const families: Instruction[] = [
    [LOAD, 0, 0, atArgument(0)],
    ...FAMILIES.flatMap((family): Instruction[] => [[JUMP_EQUAL, 0, 1, family], allow]),
    refuse(EAFNOSUPPORT),
  ];
  return [
    [LOAD, 0, 0, AT_ARCH],
    [JUMP_EQUAL, 1, 0, arch],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, AT_CALL],
    // The x32 calls are numbered from here on; nothing else is.
    [JUMP_AT_LEAST, 0, 1, 0x40000000],
    refuse(EPERM),
    ...refused,
    [JUMP_EQUAL, 0, typing.length, ioctl],
    ...typing,
    [JUMP_EQUAL, 0, families.length, socket],
    ...families,
    allow,
  ];
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * instructions.length);
  instructions.forEach(([code, yes, no, k], i) => {
    bytes.writeUInt16LE(code, 8 * i);
    bytes.writeUInt8(yes, 8 * i + 2);
    bytes.writeUInt8(no, 8 * i + 3);
    bytes.writeUInt32LE(k >>> 0, 8 * i + 4);
  });
  return bytes;
}
