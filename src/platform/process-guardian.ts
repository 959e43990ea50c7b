/**
 * Ends what a session started when the session itself was ended by force and could not: a shell that waits for the end of
 * a pipe which only we hold, then kills whatever carries the session's mark. Where there is no /proc there is no guardian.
 */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

export interface ProcessGuardian {
  /** Everything was seen to: it goes without a look. */
  dismiss(): void
}

/** The mark comes as the first line, so that neither the guardian nor its helpers carry it themselves. */
const SCRIPT = `trap '' INT TERM HUP
read -r mark || exit 0
while read -r line; do [ "$line" = done ] && exit 0; done
tries=0
clean=0
while [ "$tries" -lt 40 ] && [ "$clean" -lt 3 ]; do
  found=$(grep -lsaF -- "$mark" /proc/[0-9]*/environ)
  clean=$((clean + 1))
  for file in $found; do
    clean=0
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" 2>/dev/null
  done
  tries=$((tries + 1))
  sleep 0.1
done`

export function startGuardian(
  spawn: typeof import('node:child_process').spawn,
  mark: string,
  path: string,
): ProcessGuardian | undefined {
  if (process.platform !== 'linux') return undefined
  let child: ChildProcess
  try {
    child = spawn('sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: path },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
  } catch {
    return undefined
  }
  const { stdin } = child
  child.on('error', () => undefined)
  stdin?.on('error', () => undefined)
  child.unref()
  // Node makes a socket of a pipe; it must not keep the program alive.
  if (stdin && 'unref' in stdin) (stdin as unknown as Socket).unref()
  stdin?.write(`${mark}\n`)
  return { dismiss: () => void stdin?.end('done\n') }
}
