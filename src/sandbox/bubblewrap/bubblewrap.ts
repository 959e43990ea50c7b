/** The argument vector of bubblewrap: everything read-only, what a plan opens on top, namespaces of its own, no rights. */
import { isInside } from '../../platform/paths.js'
import type { OrderedMount } from './mount-order.js'
import type { SandboxHelperFiles } from './private-files.js'

export type CommandVector = { command: string; args: string[] }

export type BubblewrapOptions = {
  /** Programs by their absolute paths. */
  programs: { bwrap: string; bash: string }
  files: SandboxHelperFiles
  mounts: readonly OrderedMount[]
  /** The session's own folder for temporary files, which also stands in for /tmp. */
  temporary: string
  /** System folders that exist and get an empty one in their place. */
  emptied: readonly string[]
  sockets: { allowed: boolean; shown: readonly string[]; covered: readonly string[] }
  /** False keeps the host's /proc, read-only, where a container does not let us mount one. */
  ownProc: boolean
  /** False when another sandbox around this one sees to the network. */
  ownNetwork: boolean
  cwd: string
  /** Variables of the command alone. */
  inner: Readonly<Record<string, string>>
}

/** Bubblewrap takes the filter as an open file. Other descriptors may lead past every mount, so none is handed on. */
const START = 'exec "$@" 4>&- 5>&- 6>&- 7>&- 8>&- 9<"$0"'
/**
 * Node closes those it was started with, but not all of them when their numbers have gaps; `sh` can't close high numbers, bash
 * can. What does not look like a number is the pattern itself: nothing matched.
 */
const CLOSE_ALL = `for fd in /proc/self/fd/??*; do fd=\${fd##*/}; case $fd in *[!0-9]*) ;; *) eval "exec $fd>&-";; esac; done; ${START}`
const CLOSE_AND_START = `bash=$1; shift; for fd in /proc/self/fd/??*; do [ -h "$fd" ] && exec "$bash" --noprofile --norc -c '${CLOSE_ALL}' "$0" "$@"; done; ${START}`

/**
 * The first process inside. When it ends, the kernel ends all others there before anybody outside hears of it; bubblewrap's own
 * would be told of first and ended later. It waits like any shell, says nothing about how the command ended, and leaves it the
 * usual signals, which a first process does not have.
 */
const FIRST = ['/bin/sh', '-c', 'exec 8>&2 2>/dev/null; (exec "$@" 2>&8 8>&-); exit $?', 'sh']

/** Variables for the command alone that are safe for the first process too: neither makes it load foreign libraries. */
const HARMLESS = ['PATH', 'TMPDIR']

const ISOLATION = [
  '--unshare-user',
  '--unshare-pid',
  '--as-pid-1',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  // Nothing outlives the command, and the command not the agent.
  '--die-with-parent',
  // Without the terminal of the agent nobody can type into it.
  '--new-session',
  // Root keeps all rights over its files otherwise.
  '--cap-drop',
  'ALL',
]

/** NixOS has its programs here. */
const PROGRAMS_IN_RUN = '/run/current-system'

export function toBubblewrapCommand(
  { command, args }: { command: string; args: readonly string[] },
  options: BubblewrapOptions,
): CommandVector {
  const { files, sockets } = options
  const inner = Object.entries(options.inner)
  const forCommand = inner.filter(([name]) => !HARMLESS.includes(name))
  const filter = sockets.allowed ? files.filter.withUnixSockets : files.filter.withoutUnixSockets
  const sandbox = [
    ...ISOLATION,
    ...(options.ownNetwork ? ['--unshare-net'] : []),
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    // Read-only: the kernel lets root change its settings there by who they are, whatever rights they gave up.
    ...(options.ownProc ? ['--proc', '/proc', '--remount-ro', '/proc'] : []),
    ...ownTmp(options),
    ...options.emptied.flatMap((folder) => ['--tmpfs', folder]),
    ...(options.emptied.includes('/run') ? ['--ro-bind-try', PROGRAMS_IN_RUN, PROGRAMS_IN_RUN] : []),
    ...options.mounts.flatMap((mount) => mountArguments(mount, files)),
    ...sockets.covered.flatMap((path) => ['--ro-bind', files.hiddenFile, path]),
    ...sockets.shown.flatMap((path) => ['--ro-bind', path, path]),
    ...inner.filter(([name]) => HARMLESS.includes(name)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', options.cwd, '--seccomp', '9', '--', ...FIRST],
    ...(forCommand.length > 0 ? ['/usr/bin/env', ...forCommand.map(([name, value]) => `${name}=${value}`)] : []),
    ...[command, ...args],
  ]
  return {
    command: '/bin/sh',
    args: ['-c', CLOSE_AND_START, filter, options.programs.bash, options.programs.bwrap, ...sandbox],
  }
}

/**
 * The same for all commands of the session; but a new one for each when something is mounted inside it, because a command that
 * still runs could move the place of that mount away while the next is being set up.
 */
function ownTmp({ mounts, sockets, temporary }: BubblewrapOptions): string[] {
  const mounted = [...mounts.map(({ path }) => path), ...sockets.shown]
  return mounted.some((path) => isInside(path, '/tmp')) ? ['--tmpfs', '/tmp'] : ['--bind', temporary, '/tmp']
}

function mountArguments({ path, as, pins }: OrderedMount, files: SandboxHelperFiles): string[] {
  switch (as) {
    case 'writable':
      return [
        ...['--bind', path, path],
        // A folder that anything is mounted upon can't be renamed, also when another mount of its parent lies on top and
        // everybody sees what is really in it.
        ...pins.flatMap((pin) => ['--ro-bind', files.emptyFolder, pin]),
        ...(pins.length > 0 ? ['--bind', path, path] : []),
      ]
    case 'read-only':
    case 'shown':
      return ['--ro-bind', path, path]
    case 'taken':
      return ['--ro-bind', files.emptyFolder, path]
    case 'hidden-file':
      return ['--ro-bind', files.hiddenFile, path]
    case 'hidden-folder':
      return ['--ro-bind', files.hiddenFolder, path]
  }
}
