/** Why bubblewrap did not start, from what it said, and what to do about it. */
import type { SandboxFailure } from '../sandbox-request.js'

const NAMESPACES =
  'This system does not let bubblewrap make namespaces. Debian: sysctl kernel.unprivileged_userns_clone=1. ' +
  'Ubuntu 24.04 and later: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap. ' +
  'Also look at sysctl user.max_user_namespaces. In a container: ' +
  '--security-opt seccomp=unconfined --security-opt apparmor=unconfined'

const PROC =
  'The container does not let bubblewrap mount /proc: start it with --security-opt systempaths=unconfined, or set ' +
  'sandbox.enableWeakerNestedSandbox: true, which leaves the processes of the container visible to commands'

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/mount proc|\/newroot\/proc/i, PROC],
  [/namespace|uid map|gid map|setgroups|loopback|RTM_NEWADDR|clone.*not permitted|pivot_root/i, NAMESPACES],
  [/unknown option/i, 'This bubblewrap is too old: install version 0.4 or later'],
  [/seccomp/i, 'This kernel filters no system calls: install one with CONFIG_SECCOMP_FILTER'],
]

export const INSTALL_BUBBLEWRAP_TEXT =
  'Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap)'

/** `what` ends with the beginning of a list of things to do. */
export function createBubblewrapFailure(what: string): SandboxFailure {
  return { ok: false, error: `The sandbox does not work: ${what}, or turn it off (sandbox.enabled: false).` }
}

export function explainBubblewrapError(said: string): string {
  const line = said.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
  const known = KNOWN.find(([pattern]) => pattern.test(said))
  const fix = known?.[1] ?? `Try: bwrap --unshare-all --ro-bind / / true`
  return `${line === '' ? '' : `It said: ${line}. `}${fix}`
}
