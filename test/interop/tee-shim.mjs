// Stands between an SDK and an agent CLI: starts the CLI named in KEDGE_INTEROP_CLI, passes every byte, signal and the
// exit code through unchanged, and writes what crossed as {t, ch, data} lines into the folder KEDGE_INTEROP_LOG.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const { KEDGE_INTEROP_CLI: cli, KEDGE_INTEROP_LOG: folder, ...env } = process.env
if (cli === undefined || folder === undefined) throw new Error('KEDGE_INTEROP_CLI and KEDGE_INTEROP_LOG must be set')
const started = Date.now()
const file = join(folder, `${started}-${process.pid}.jsonl`)
const argv = process.argv.slice(2)

const isScript = /\.[cm]?js$/.test(cli)
const command = isScript ? [process.execPath, ...process.execArgv, cli] : [cli]
const child = spawn(command[0], [...command.slice(1), ...argv], { env, stdio: ['pipe', 'pipe', 'pipe'] })
note('spawn', { argv, execArgv: process.execArgv, env, cwd: process.cwd(), pid: child.pid, shim: process.pid })

pass(process.stdin, child.stdin, 'stdin')
process.stdin.on('end', () => {
  note('stdin_end', null)
  child.stdin.end()
})
pass(child.stdout, process.stdout, 'stdout')
child.stdout.on('end', () => note('stdout_end', null))
child.stderr.on('data', (chunk) => {
  note('stderr', chunk.toString())
  process.stderr.write(chunk)
})
for (const broken of [child.stdin, process.stdout, process.stderr]) broken.on('error', () => {})

const relayed = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']
for (const signal of relayed) {
  process.on(signal, () => {
    note('signal', signal)
    child.kill(signal)
  })
}
child.on('exit', (code, signal) => {
  note('exit', { code, signal })
  // A process the CLI left behind may hold its stdout open; the SDK must still see the CLI's own end.
  setTimeout(leave, 1000).unref()
  child.on('close', leave)

  function leave() {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
})

/** Forwards chunks as they come and notes them line by line. */
function pass(from, to, channel) {
  let rest = Buffer.alloc(0)
  from.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      noteLine(channel, rest.subarray(0, end).toString())
      rest = rest.subarray(end + 1)
    }
    to.write(chunk)
  })
  from.on('end', () => {
    if (rest.length > 0) noteLine(channel, rest.toString())
  })
}

function noteLine(channel, line) {
  let data = line
  try {
    data = JSON.parse(line)
  } catch {
    // Not JSON: kept as the text it is.
  }
  note(channel, data)
}

/** Synchronous, so that nothing is lost when this process is killed. */
function note(ch, data) {
  appendFileSync(file, `${JSON.stringify({ t: Date.now() - started, ch, data })}\n`)
}
