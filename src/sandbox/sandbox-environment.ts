/** The environment of a sandboxed command: without secrets, and without what would act on the programs that set the sandbox up. */
import type { Environment } from '../platform/environment.js'
import { isAbsolute } from '../platform/paths.js'

export type SandboxEnvironments = {
  /** For the programs that set up the sandbox from outside; they pass it on. */
  outer: Record<string, string>
  /** For the command alone. */
  inner: Record<string, string>
}

const SECRET_NAME =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|KEY|SECRETS?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|PAT)(?:_|$)|(?:token|secret|password|apikey)$/i
/** An address with a password in it, a private key, and keys that say what they are. */
const SECRET_VALUE =
  /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,256}:[^\s/@]{1,4096}@|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk-ant-|sk-proj-|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA[0-9A-Z]{12})/i
/** Ways to sockets no command can reach. */
const SOCKETS =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_\w+|XDG_RUNTIME_DIR|WAYLAND_\w+|DISPLAY|XAUTHORITY|DOCKER_HOST|TMUX|STY)$/
/**
 * Obeyed by the dynamic linker, by `sh`, or by whoever makes a temporary file. A library path into a folder the command may
 * write to would let it plant code into bubblewrap itself.
 */
const OBEYED_OUTSIDE = /^(?:LD_|GLIBC_|MALLOC_|BASH|ENV$|SHELLOPTS$|PS4$|IFS$|GCONV_PATH$|LOCPATH$|NLSPATH$|TMPDIR$)/

export type SandboxEnvironmentOptions = {
  temporary: string
  keepSecrets: boolean
  unixSockets: boolean
  /** Can commands write to this folder? Then they could have put programs there. */
  isWritable: (folder: string) => boolean
}

/** Splits the environment for the sandbox and the command inside of it. */
export function splitSandboxEnvironment(env: Environment, options: SandboxEnvironmentOptions): SandboxEnvironments {
  const outer: Record<string, string> = {}
  const inner: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    const isUseful = SOCKETS.test(name) ? options.unixSockets : options.keepSecrets || !isSecret(name, value)
    if (!isUseful) continue
    if (OBEYED_OUTSIDE.test(name)) inner[name] = value
    else outer[name] = value
  }
  inner['TMPDIR'] = options.temporary
  const path = env['PATH']
  if (path !== undefined) {
    const trusted = path.split(':').filter((folder) => isAbsolute(folder) && !options.isWritable(folder))
    outer['PATH'] = trusted.join(':')
    if (outer['PATH'] !== path) inner['PATH'] = path
  }
  return { outer, inner }
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value)
}
