/** Lets a fork bomb off in a session of its own and prints, as JSON, how the session took it. Not to be run as root. */
import { randomUUID } from 'node:crypto'
import { findLeftoverProcesses } from '../../../src/platform/processes/test-leftovers.js'
import { createBashTool } from '../../../src/tools/bash/bash.js'
import { createTestContext } from '../../../src/tools/test-context.js'

const ROOM = 100
const mark = `bomb-${randomUUID()}`
const test = await createTestContext()
const tool = createBashTool({ isReadOnlyCommand: () => false })
const env = { ...test.context.env, BOMB_MARK: mark, KEDGE_MAX_PROCESSES: String(ROOM) }

async function bash(command: string, signal: AbortSignal = new AbortController().signal): Promise<string> {
  const outcome = await tool.execute({ command }, { ...test.context, env, signal })
  return String(outcome.ok ? outcome.content : outcome.error)
}

const before = Number(await bash('ulimit -S -u')) - ROOM
let most = 0
const watch = setInterval(() => {
  most = Math.max(most, findLeftoverProcesses(mark).length)
}, 50)
await bash('bomb() { bomb & bomb & wait; }; bomb', AbortSignal.timeout(1_500))
clearInterval(watch)
while (findLeftoverProcesses(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
const classic = await bash(':(){ :|:& };:', AbortSignal.timeout(10_000))
const alive = await bash('echo alive')
await test.dispose()
process.stdout.write(
  JSON.stringify({
    uid: process.getuid?.(),
    before,
    room: ROOM,
    most,
    classic,
    alive,
    left: findLeftoverProcesses(mark).length,
  }),
)
