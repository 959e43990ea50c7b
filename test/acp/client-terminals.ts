/** The terminals of an editor: commands it runs for the agent, with their output up to the limit the agent asked for. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Wire } from './acp-schema.js'

type Terminal = { child: ChildProcess; output: Buffer; limit: number; truncated: boolean; ended: Promise<Wire> }

export function clientTerminals() {
  const terminals = new Map<string, Terminal>()
  const get = ({ terminalId }: Wire): Terminal => {
    const terminal = terminals.get(terminalId)
    if (!terminal) throw new Error(`no terminal ${terminalId}`)
    return terminal
  }
  let count = 0

  return {
    create({ command, args = [], cwd, env = [], outputByteLimit }: Wire) {
      const variables = Object.fromEntries(env.map(({ name, value }: Wire) => [name, value]))
      const child = spawn(command, args, { cwd: cwd ?? undefined, env: { PATH: process.env['PATH'], ...variables } })
      const limit = outputByteLimit ?? 1_000_000
      const ended = once(child, 'close').then(([exitCode, signal]) => ({ exitCode, signal }))
      const terminal: Terminal = { child, output: Buffer.alloc(0), limit, truncated: false, ended }
      const add = (bytes: Buffer) => {
        terminal.output = Buffer.concat([terminal.output, bytes])
        if (terminal.output.length <= limit) return
        terminal.truncated = true
        let from = terminal.output.length - limit
        // Not in the middle of a character.
        while (((terminal.output[from] ?? 0) & 0xc0) === 0x80) from += 1
        terminal.output = terminal.output.subarray(from)
      }
      child.stdout.on('data', add)
      child.stderr.on('data', add)
      count += 1
      terminals.set(`term-${count}`, terminal)
      return { terminalId: `term-${count}` }
    },
    output(request: Wire) {
      const { child, output, truncated } = get(request)
      const isOver = child.exitCode !== null || child.signalCode !== null
      const exitStatus = isOver ? { exitCode: child.exitCode, signal: child.signalCode } : null
      return { output: output.toString('utf8'), truncated, exitStatus }
    },
    exit: (request: Wire) => get(request).ended,
    kill(request: Wire) {
      get(request).child.kill()
      return {}
    },
    release(request: Wire) {
      get(request).child.kill()
      terminals.delete(request.terminalId)
      return {}
    },
  }
}
