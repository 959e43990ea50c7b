/** For tests: a program that starts each of its arguments as a command and waits to be ended. `shell` first: without a reaper. */
import { spawn } from 'node:child_process'
import { createProcessRunner } from './processes.js'
import { createWatchdog } from './watchdog.js'

const [, , how, ...commands] = process.argv
const env = { ...process.env }
// Before anybody can know that we run: unheard, the signal would end us.
const told = new Promise((resolve) => process.once('SIGUSR2', resolve))

if (how === 'shell') {
  const mark = `shell-${process.pid}-${Date.now()}`
  const whom = { kind: 'family' as const, pipePrefix: 'none' }
  const watchdog = createWatchdog({ mark, whom, graceSeconds: 1, runtime: '/nonexistent/node' })
  watchdog.begin(spawn, env['PATH'])
  for (const command of commands) {
    const options = { detached: true, stdio: 'ignore' as const, env: { ...env, KEDGE_TASK: mark } }
    watchdog.guard(spawn('bash', ['-c', command], options).pid ?? 0)
  }
} else {
  const processes = createProcessRunner()
  if (how === 'step') process.stdout.write('ready\n')
  for (const command of commands) {
    const leftovers = how === 'keep' ? 'keep' : 'end'
    const started = await processes.start({
      command: 'bash',
      args: ['-c', command],
      scriptAt: 1,
      cwd: process.cwd(),
      env,
      merge: true,
      leftovers,
    })
    if (how === 'keep') await started.ended
    // The next one when we are told.
    if (how === 'step') await told
  }
  if (how === 'close') await processes.close()
}
process.stdout.write('ready\n')
setInterval(() => {}, 1000)
