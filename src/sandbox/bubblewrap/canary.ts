/**
 * Does the sandbox hold? A command that tries to get out is run in it once per session, and what counts is what came of it
 * outside, not what it says.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { Environment } from '../../platform/environment.js'
import { createPlatformIdentity } from '../../platform/identity.js'
import { join } from '../../platform/paths.js'
import type { ProcessRunResult, RunProcessOptions } from '../../platform/processes/processes.js'
import { statOrNothing } from '../files/file-places.js'
import type { SandboxedCommand, SandboxFailure, SandboxRequest } from '../sandbox-request.js'
import { createBubblewrapFailure, explainBubblewrapError } from './trouble.js'

export type CanaryRunOptions = {
  run(options: RunProcessOptions): Promise<ProcessRunResult>
  env: Environment
  bash: string
  /** An existing folder of ours that commands can't write to. */
  folder: string
  /** Where a command must not be able to write, though the user may. */
  outside: readonly string[]
  timeoutMs: number
  /** As for any other command. */
  wrap(request: SandboxRequest): Promise<SandboxedCommand | SandboxFailure>
  /** The sandbox is our own, so that the canary can look at it closely: what it says must match all of these. */
  closely?: readonly { match: RegExp; otherwise: string }[]
}

/**
 * Bash alone, no other program: each attempt by itself, and none stops the next. What it leaves in the hooks isn't a hook:
 * one would be moved aside afterwards, and so not be found.
 */
const SCRIPT = `
nonce=$1 port=$2 hidden=$3; shift 3
for path; do { printf %s "$nonce" > "$path"; } 2>/dev/null; done
{ printf %s "$nonce" > .git/hooks/canary.sample; } 2>/dev/null
{ exec 8<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null
{ IFS= read -r line < "$hidden"; } 2>/dev/null
printf 'read:%s ' "$line"
while read -r name value; do
  case $name in CapEff:|NoNewPrivs:|Seccomp:) printf '%s%s ' "$name" "$value";; esac
done < /proc/self/status
while read -r _ _ _ _ point options _; do [ "$point" = / ] && root=$options; done < /proc/self/mountinfo
printf 'root:%s ' "$root"
printf %s "$nonce" > wrote
`

export async function testSandboxWithCanary(run: CanaryRunOptions): Promise<{ ok: true } | SandboxFailure> {
  const nonce = createPlatformIdentity().hex(24)
  const folder = await mkdtemp(join(run.folder, 'canary-'))
  const inside = join(folder, 'inside')
  const hidden = join(inside, 'hidden')
  const outside = [...run.outside, folder].map((place) => join(place, `.kedge-canary-${nonce}`))
  const listener = await listen()
  try {
    await mkdir(join(inside, '.git', 'hooks'), { recursive: true })
    await writeFile(hidden, nonce)
    const args = ['--noprofile', '--norc', '-c', SCRIPT, 'canary', nonce, String(listener.port), hidden, ...outside]
    const { bash, env } = run
    const wrapped = await run.wrap({
      command: bash,
      args,
      cwd: inside,
      env,
      directories: [inside],
      hiddenPaths: [hidden],
    })
    if (!wrapped.ok) return createBubblewrapFailure(wrapped.error.replace(/\.$/, ''))
    const { command, args: vector } = wrapped
    const result = await run
      .run({ command, args: vector, env: wrapped.env, cwd: inside, timeoutMs: run.timeoutMs, maxBytes: 65_536 })
      .catch((error: unknown) => String(error))
    await wrapped.finish()
    if (typeof result === 'string')
      return createBubblewrapFailure(`a command could not be started (${result}). Install it anew`)
    if (result.timedOut)
      return createBubblewrapFailure(`a command in it did not end within ${run.timeoutMs} ms. Install it anew`)
    if ((await readFile(join(inside, 'wrote'), 'utf8').catch(() => '')) !== nonce) {
      const how = result.exitCode === 0 ? 'it ended well without running it' : `exit code ${result.exitCode}`
      return createBubblewrapFailure(`it did not run a command (${how}). ${explainBubblewrapError(result.stderr)}`)
    }
    const exists = async (path: string) => (await statOrNothing(path)) !== undefined
    const holes = [
      ...((await Promise.all(outside.map(exists))).includes(true) ? ['write outside its folders'] : []),
      ...((await exists(join(inside, '.git', 'hooks', 'canary.sample'))) ? ['change a protected file'] : []),
      ...(listener.reached() ? ['reach the network'] : []),
      ...(result.stdout.includes(nonce) ? ['read a hidden file'] : []),
      ...(run.closely ?? []).filter(({ match }) => !match.test(result.stdout)).map(({ otherwise }) => otherwise),
    ]
    if (holes.length === 0) return { ok: true }
    return createBubblewrapFailure(
      `it ran a command that could ${[...new Set(holes)].join(' and ')}. Install it anew, look at PATH`,
    )
  } finally {
    listener.close()
    // The home folder may be one this user can't even look into.
    const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => undefined)
    await Promise.all([folder, ...outside].map(remove))
  }
}

/** Somebody to be reached: that a connection fails says little when nobody is there. */
async function listen(): Promise<{ port: number; reached(): boolean; close(): void }> {
  const { createServer } = await import('node:net')
  let isReached = false
  const server = createServer((socket) => {
    isReached = true
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    reached: () => isReached,
    close: () => server.close(),
  }
}
