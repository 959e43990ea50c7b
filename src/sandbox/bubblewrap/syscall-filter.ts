/**
 * The system calls a sandboxed command may not make, as a program for the kernel's filter (`bwrap --seccomp`). Namespaces and
 * read-only mounts hold files and network; this closes what goes past them: sockets that are files, sockets of other
 * families, keyrings, nested namespaces, and `io_uring`, which makes calls no filter sees.
 */

/** Little-endian both; elsewhere there is no filter, and so no sandbox. */
type Architecture = 'x64' | 'arm64'

type Calls = {
  /** `AUDIT_ARCH_…` of linux/audit.h. */
  audit: number
  socket: number
  socketpair: number
  ioctl: number
  clone: number
  unshare: number
  /** No command needs them; each has been a way around or out of something. */
  refused: readonly number[]
}

/** The same on every architecture: io_uring_setup, io_uring_enter, io_uring_register. */
const IO_URING = [425, 426, 427]
const CLONE3 = 435

const CALLS: Readonly<Record<Architecture, Calls>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    // add_key, request_key, keyctl, perf_event_open, open_by_handle_at, bpf, userfaultfd
    refused: [248, 249, 250, 298, 304, 321, 323, ...IO_URING],
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    refused: [217, 218, 219, 241, 265, 280, 282, ...IO_URING],
  },
}

/** Calls of the second ABI of x64 have this bit set. */
const X32_BIT = 0x40000000
const CLONE_NEWUSER = 0x10000000
/** Types into a terminal: TIOCSTI, TIOCLINUX. */
const TYPING = [0x5412, 0x541c]
const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 }
/** Pairs of these reach only each other. Datagram pairs can be sent on to any address. */
const CONNECTED_TYPES = [1, 5]
const SOCKET_TYPE_BITS = 0xf

// Offsets in `struct seccomp_data`; of an argument the lower half, which is all the kernel looks at in these calls.
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const load = (offset: number): Instruction => [0x20, 0, 0, offset]
const and = (value: number): Instruction => [0x54, 0, 0, value]
const end = (result: number): Instruction => [0x06, 0, 0, result]
const skipIfEqual = (value: number, skip: number): Instruction => [0x15, skip, 0, value]
const skipUnlessEqual = (value: number, skip: number): Instruction => [0x15, 0, skip, value]
const skipUnlessAtLeast = (value: number, skip: number): Instruction => [0x35, 0, skip, value]
const skipUnlessBits = (bits: number, skip: number): Instruction => [0x45, 0, skip, bits]

const ALLOW = end(0x7fff0000)
const KILL = end(0x80000000)
const NOT_PERMITTED = end(0x00050000 | 1)
const NOT_IMPLEMENTED = end(0x00050000 | 38)

/** Returns a filter for system calls. Undefined for an architecture whose calls we don't know. */
export function syscallFilter(architecture: string, options: { unixSockets: boolean }): Uint8Array | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined
  const calls = CALLS[architecture]
  const families = [AF.inet, AF.inet6, AF.netlink, ...(options.unixSockets ? [AF.unix] : [])]
  return encode([
    load(ARCHITECTURE),
    // A program of another architecture would use other numbers.
    skipIfEqual(calls.audit, 1),
    KILL,
    load(NUMBER),
    ...(architecture === 'x64' ? [skipUnlessAtLeast(X32_BIT, 1), NOT_IMPLEMENTED] : []),
    ...calls.refused.flatMap((number) => when(number, [NOT_PERMITTED])),
    // Its flags are out of a filter's sight; libraries fall back to `clone` when it does not exist.
    ...when(CLONE3, [NOT_IMPLEMENTED]),
    ...when(calls.clone, withoutUserNamespace),
    ...when(calls.unshare, withoutUserNamespace),
    ...when(calls.ioctl, [load(argument(1)), ...oneOf(TYPING, NOT_PERMITTED, ALLOW)]),
    ...when(calls.socket, [load(argument(0)), ...oneOf(families, ALLOW, NOT_PERMITTED)]),
    ...(options.unixSockets ? [] : when(calls.socketpair, connectedPair)),
    ALLOW,
  ])
}

const withoutUserNamespace = [load(argument(0)), skipUnlessBits(CLONE_NEWUSER, 1), NOT_PERMITTED, ALLOW]

const connectedPair = [
  load(argument(0)),
  skipIfEqual(AF.unix, 1),
  NOT_PERMITTED,
  load(argument(1)),
  and(SOCKET_TYPE_BITS),
  ...oneOf(CONNECTED_TYPES, ALLOW, NOT_PERMITTED),
]

/** `body` ends in a result on every way through it. */
function when(number: number, body: readonly Instruction[]): Instruction[] {
  return [skipUnlessEqual(number, body.length), ...body]
}

function oneOf(values: readonly number[], then: Instruction, otherwise: Instruction): Instruction[] {
  return [...values.map((value, i) => skipIfEqual(value, values.length - i)), otherwise, then]
}

/** As `struct sock_filter[]`. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  program.forEach(([code, ifTrue, ifFalse, value], i) => {
    bytes.setUint16(i * 8, code, true)
    bytes.setUint8(i * 8 + 2, ifTrue)
    bytes.setUint8(i * 8 + 3, ifFalse)
    bytes.setUint32(i * 8 + 4, value, true)
  })
  return new Uint8Array(bytes.buffer)
}
