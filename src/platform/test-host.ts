/** For tests: a program that starts each of its arguments as a command and waits to be ended. `shell` first: without a reaper. */
import { spawn } from 'node:child_process'
import { createProcesses } from './processes.js'
import { createWatchdog } from './watchdog.js'

const [, , how, ...commands] = process.argv
const env = { ...process.env }

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
  const processes = createProcesses()
  let told = 0
  let wake = () => {}
  // From the beginning: who is not prepared for a signal is ended by it.
  process.on('SIGUSR2', () => {
    told += 1
    wake()
  })
  if (how === 'step') process.stdout.write('ready\n')
  for (const command of commands) {
    const leftovers = how === 'keep' ? 'keep' : 'end'
    const started = await processes.start({
      command: 'bash',
      args: ['-c', command],
      cwd: process.cwd(),
      env,
      merge: true,
      leftovers,
    })
    if (how === 'keep') await started.ended
    // The next one when we are told.
    if (how === 'step' && told === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  if (how === 'close') await processes.close()
}
process.stdout.write('ready\n')
setInterval(() => {}, 1000)
