/** What a program and all its children did, as the kernel saw it: an strace of its starts, calls and writes. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export type Trace = {
  /** The programs that were started, without the first. */
  programs: string[]
  /** Addresses that were called or sent to, outside the process. */
  addresses: string[]
  /** Paths that were opened for writing, made, renamed or removed. */
  writes: string[]
}

/** `?`: not every machine has every one of them. */
const CALLS = [
  ...['execve', '?execveat', 'connect', 'sendto', 'sendmsg', '?open', 'openat', '?openat2', '?creat', 'truncate'],
  ...['?rename', '?renameat', '?renameat2', '?unlink', 'unlinkat', '?rmdir', '?mkdir', 'mkdirat', '?mknod', 'mknodat'],
  ...['?symlink', 'symlinkat', '?link', 'linkat', '?chmod', '?fchmodat', '?chown', '?fchownat', 'utimensat'],
]

const works = (...flags: string[]) =>
  spawnSync('strace', ['-f', ...flags, '-qq', '-e', 'trace=execve', '-o', '/dev/null', 'true']).status === 0

/** The kernel stops the program only for the calls that were asked for; where it can't, for every one, which takes far longer. */
const FILTER = works('--seccomp-bpf') ? ['--seccomp-bpf'] : []

/** Missing, or not allowed here, as in some containers. */
export const canTrace = FILTER.length > 0 || works()

/** What to put before a command line, so that `readTrace` can read `file` afterwards. */
export function traceCommand(file: string): string[] {
  return [
    'strace',
    '-f',
    ...FILTER,
    '-qq',
    '-s',
    '4096',
    '-e',
    'signal=none',
    '-e',
    `trace=${CALLS.join(',')}`,
    '-o',
    file,
  ]
}

export function readTrace(file: string, cwd: string): Trace {
  const trace: Trace = { programs: [], addresses: [], writes: [] }
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name = '', rest = ''] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? []
    const texts = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => unescaped(text))
    if (name.startsWith('exec')) trace.programs.push(resolve(cwd, texts[0] ?? ''))
    else if (/^(?:connect|send)/.test(name)) trace.addresses.push(...addressIn(rest))
    else if (!/^open/.test(name)) trace.writes.push(...texts.map((path) => resolve(cwd, path)))
    else if (/\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/.test(rest)) trace.writes.push(resolve(cwd, texts[0] ?? ''))
  }
  // Each command has a cgroup of its own, where one can be made.
  const writes = trace.writes.filter((path) => !/^\/sys\/fs\/cgroup\/(?:.*\/)?kedge-\d+-\d+-/.test(path))
  return { ...trace, writes, programs: trace.programs.slice(1) }
}

/** Without the sockets a process has with itself. */
function addressIn(call: string): string[] {
  const port = /sin6?_port=htons\((\d+)\)/.exec(call)?.[1]
  const host = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(call)
  const path = /sun_path=@?"([^"]+)"/.exec(call)?.[1]
  if (port !== undefined) return [`${host?.[1] ?? host?.[2]}:${port}`]
  return path === undefined ? [] : [path]
}

function unescaped(text: string): string {
  return text.replace(/\\(\d{1,3}|.)/g, (_, code: string) => {
    const plain: Record<string, string> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' }
    return /^\d/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (plain[code] ?? code)
  })
}
