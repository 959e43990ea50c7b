/** The process of the starter, loaded only where one is worth it: few hosts are so large. */
import type { spawn } from 'node:child_process'
import { asSocket } from './process-output.js'
import { createStarterConnection, type StarterConnection } from './starter-connection.js'
import { STARTER_SCRIPT } from './starter-script.js'

/** `onMissing`: it could not be started, nor will another be. `onEnd`: it is gone, or of no use any more. Throws what `spawner` does. */
export function startHelper(
  spawner: typeof spawn,
  perl: string,
  { onMissing, onEnd }: { onMissing(): void; onEnd(line: StarterConnection): void },
): StarterConnection | undefined {
  const child = spawner(perl, ['-e', STARTER_SCRIPT, 'kedge-starter', String(process.pid)], {
    cwd: '/',
    // Neither the mark nor anybody's secrets: those come with each command.
    env: { PATH: '/usr/bin:/bin' },
    // A signal to our group, as a terminal sends it, is not meant for it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  child.once('error', onMissing)
  child.unref()
  const socket = asSocket(child.stdio[3])
  if (!socket) return undefined
  const line = createStarterConnection(socket, () => {
    child.kill('SIGKILL')
    onEnd(line)
  })
  return line
}
