/** No key of any provider is in anything that is written: messages, timeline, spans, files, what children get, what `doctor` prints. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, testOptions } from 'kedge/testing'
import { kedge } from '../first-hour/kedge.js'
import { PROVIDERS } from '../support/providers/all-providers.js'
import { type Step, startSpoken } from '../support/providers/spoken-server.js'
import { sampledTest as test } from '../support/tier.js'

const PROXY_PASSWORD = 'proxy-password-0123456789'
const HEADER = 'header-value-0123456789'
/** Of the user's own account: what commands do may need them, and they are not for models alone. */
const FOR_COMMANDS = /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/

/** Every file below a folder. */
function files(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  return new Map(paths.map((path) => [path, readFileSync(path, 'latin1')]))
}

/** A tracer that keeps all it is told, as text. */
function keepingTracer() {
  const told: unknown[] = []
  const span = {
    setAttribute: (...args: unknown[]) => told.push(args),
    setAttributes: (...args: unknown[]) => told.push(args),
    setStatus: (...args: unknown[]) => told.push(args),
    addEvent: (...args: unknown[]) => told.push(args),
    recordException: (error: unknown) => told.push(String(error)),
    end() {},
  }
  const startSpan = (...args: unknown[]) => {
    told.push(args.slice(0, 2))
    return span
  }
  return { tracer: { startSpan } as unknown as NonNullable<Options['tracer']>, text: () => JSON.stringify(told) }
}

/** A call that shows what a command sees, a request that has to be repeated, and one that is refused in words with the keys. */
function script(seen: string): Step[] {
  const command = JSON.stringify({ command: `env > ${join(seen, 'bash')}` })
  return [
    { answer: { blocks: [{ tool: 'Bash', id: 'toolu_1', json: [command] }], stopReason: 'tool_use' } },
    { error: 'overloaded', message: 'busy with $SECRETS', headers: { 'retry-after': '0' } },
    { error: 'invalid', message: `you sent $SECRETS ${HEADER}` },
  ]
}

describe('no secret is written', { concurrency: 2, timeout: 400_000 }, () => {
  for (const spoken of PROVIDERS)
    test(`${spoken.name}: messages, timeline, spans, files, children, doctor`, async () => {
      await using options = testOptions({ env: () => ({}) })
      await using others = testOptions({ env: () => ({}) })
      const seen = others.cwd
      await using server = await startSpoken(spoken, script(seen))
      const home = String(options.env['HOME'])
      const env = {
        ...options.env,
        ...server.env(),
        ANTHROPIC_CUSTOM_HEADERS: `X-Team-Token: ${HEADER}`,
        HTTPS_PROXY: `http://ada:${PROXY_PASSWORD}@127.0.0.1:9`,
      }
      const hook = { type: 'command', command: `env > ${join(seen, 'hook')}` }
      mkdirSync(join(home, '.claude'), { recursive: true })
      const services = {
        openai: { headers: { 'X-Team-Token': HEADER } },
        ollama: { headers: { 'X-Team-Token': HEADER } },
      }
      const settings = { hooks: { PreToolUse: [{ hooks: [hook] }] }, modelProviders: services }
      writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings))
      const traced = keepingTracer()
      const printed: string[] = []
      const { messages, error } = await collect(
        query({
          prompt: 'Go.',
          options: {
            ...options,
            env,
            tracer: traced.tracer,
            settingSources: ['user'],
            allowedTools: ['Bash'],
            debug: true,
            stderr: (text: string) => void printed.push(text),
            includePartialMessages: true,
            debugFile: join(options.cwd, 'debug.log'),
            mcpServers: { told: { command: 'sh', args: ['-c', `env > ${join(seen, 'server')}`] } },
          },
        }),
      )
      assert.deepEqual(server.problems, [])
      assert.deepEqual(
        server.received.map(({ headers }) => headers['x-team-token']),
        [HEADER, HEADER, HEADER],
      )
      const doctor = await kedge(['doctor'], { cwd: options.cwd, env })
      const children = files(seen)
      assert.deepEqual([...children.keys()].map((path) => path.slice(seen.length + 1)).sort(), [
        'bash',
        'hook',
        'server',
      ])
      const places = new Map([
        ['messages', JSON.stringify(messages)],
        ['error', `${String(error)} ${JSON.stringify(error)} ${(error as Error | undefined)?.stack}`],
        ['stderr', printed.join('\n')],
        ['spans', traced.text()],
        ['doctor', doctor.stdout + doctor.stderr],
        ...files(join(options.cwd, '..')),
      ])
      assert.match(places.get('messages') ?? '', /you sent/)
      assert.match(places.get(join(options.cwd, 'debug.log')) ?? '', /api #3/)
      assert.match(traced.text(), /gen_ai/)
      places.delete(join(home, '.claude', 'settings.json'))
      const found = [...spoken.secrets, HEADER, PROXY_PASSWORD].flatMap((secret) =>
        [...places].flatMap(([place, text]) => (text.includes(secret) ? [`${secret} in ${place}`] : [])),
      )
      assert.deepEqual(found, [])
      const keys = Object.entries(server.env()).filter(
        ([name, value]) => spoken.secrets.some((secret) => value.includes(secret)) && !FOR_COMMANDS.test(name),
      )
      for (const value of [...keys.map(([, key]) => key), HEADER])
        for (const [path, text] of children) assert.ok(!text.includes(value), `${value} in ${path}`)
    })
})
