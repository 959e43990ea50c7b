/** Stands between a client that starts its agent itself and that agent, and writes down what both say: `LOG COMMAND ARGS…`. */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import type { From } from './tap.js'

const [, , log = '', command = '', ...args] = process.argv
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const note = (from: From) => (bytes: Buffer) =>
  appendFileSync(log, `${JSON.stringify({ from, text: bytes.toString('latin1') })}\n`)
process.stdin.on('data', note('client')).pipe(agent.stdin)
agent.stdout.on('data', note('agent')).pipe(process.stdout)
agent.on('close', (code) => process.exit(code ?? 1))
// The client ends us; the agent sees the end of its input and goes by itself.
process.on('SIGTERM', () => agent.stdin.end())
