/** The requests that a model gets first, by every interface. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Options, query } from 'kedge'
import { collect, type ModelRequest, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { openRig } from '../acp/rig.js'
import { serve } from '../server/serving.js'
import { openPty } from '../terminal/pty.js'

export const PRESET = { type: 'preset', preset: 'claude_code' } as const
const cli = join(process.cwd(), 'dist', 'kedge.cjs')

export const systemOf = ({ body }: ModelRequest) =>
  typeof body.system === 'string' ? body.system : (body.system ?? []).map(({ text }) => text).join('\n')
export const toolsOf = ({ body }: ModelRequest) => (body.tools ?? []).map(({ name }) => name)

function asked([first]: readonly ModelRequest[]): ModelRequest {
  assert.ok(first)
  return first
}

/** `kedge -p`. */
export async function print(flags: readonly string[] = [], prepare: (options: TestOptions) => void = () => {}) {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server)
  prepare(options)
  const child = spawn(process.execPath, [cli, '-p', 'Hi', ...flags], { ...options, stdio: 'ignore' })
  await once(child, 'close')
  return asked(server.requests)
}

/** `query()`. */
export async function ask(more: Partial<Options>, prepare: (options: TestOptions) => void = () => {}) {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server, more)
  prepare(options)
  await collect(query({ prompt: 'Hi', options }))
  return asked(server.requests)
}

export async function terminal() {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server)
  await using pty = await openPty({ cwd: options.cwd, env: options.env, args: ['--model', 'sonnet', '--trust'] })
  await pty.see('Ask first')
  pty.type('Hi\r')
  await pty.see('Hello.')
  return asked(server.requests)
}

/** A session of `kedge serve`. */
export async function served() {
  await using serving = await serve(['Hello.'])
  const session = await serving.begin()
  await serving.send(session, '1', 'Hi')
  await serving.ended(session, '1')
  return asked(serving.model.requests)
}

/** An editor. */
export async function edited() {
  await using rig = await openRig('raw')
  const session = await rig.begin()
  const { word } = await session.play(['Hello.'], 'Hi')
  return asked(rig.model.requestsOf(word))
}

/** The first request of a sub-agent. */
export async function agent(subagent_type: string) {
  const input = { description: 'Look', prompt: 'SUBAGENT', subagent_type }
  let found: ModelRequest | undefined
  await using server = await startModelServer((request) => {
    if (request.opening.includes('SUBAGENT') && !request.opening.includes('Begin')) {
      found ??= request
      return 'looked'
    }
    return request.toolResults.length > 0 ? 'Done.' : { tools: [{ name: 'Task', input }] }
  })
  await using options = testOptions(server, { systemPrompt: PRESET })
  await collect(query({ prompt: 'Begin', options }))
  assert.ok(found, subagent_type)
  return found
}

/** The request for a summary, and the first one behind it. */
export async function compacted(): Promise<{ summary: ModelRequest; after: ModelRequest }> {
  await using server = await startModelServer(() => 'Hello.')
  await using options = testOptions(server, { systemPrompt: PRESET })
  let resume: string | undefined
  for (const prompt of ['Hi', '/compact', 'Next']) {
    const more = resume === undefined ? {} : { resume }
    const { messages } = await collect(query({ prompt, options: { ...options, ...more } }))
    resume = messages.findLast((message) => message.type === 'result')?.session_id
  }
  const [, summary, after] = server.requests
  assert.ok(summary && after && server.requests.length === 3)
  return { summary, after }
}
