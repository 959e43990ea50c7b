/** The sandbox as a host meets it: turned on by an option or by settings, with the agent in this process and in a child. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type CanUseTool, type Options, query, type SDKMessage } from 'kedge'
import { collect, type Run, type Step, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { leftovers } from '../../src/platform/test-leftovers.js'
import { findProgram, whyNoSandbox } from '../sandbox/stage.js'
import { ISOLATIONS } from './both-ways.js'

type World = {
  options: TestOptions
  at(...names: string[]): string
  ask(options?: Options): Promise<Run<SDKMessage>>
  /** What the model read of the calls, in their order. */
  results(): string[]
  mark: string
}

/** As `bothWays`, in a place that the sandbox does not have its own of, as it has of /tmp. */
function inSandbox(
  name: string,
  calls: readonly object[][],
  overrides: Options | ((at: World['at']) => Options),
  body: (world: World) => Promise<void>,
  needsSandbox = true,
): void {
  const reason = needsSandbox ? whyNoSandbox : process.platform === 'linux' ? undefined : 'not Linux'
  for (const isolation of ISOLATIONS) {
    const title = `${name} (${isolation})${reason === undefined ? '' : ` (not run: ${reason})`}`
    test(title, { skip: reason !== undefined }, async () => {
      const base = mkdtempSync(process.getuid?.() === 0 ? '/var/kedge-e2e-' : join(homedir(), '.kedge-e2e-'))
      const at = (...names: string[]) => join(base, ...names)
      for (const folder of ['project', 'outside', 'tmp']) mkdirSync(at(folder))
      const answers = calls.map((inputs, turn) => ({
        tools: inputs.map((input, i) => ({ id: `toolu_${turn}_${i}`, name: 'Bash', input })),
      }))
      const steps: Step[] = [...answers, ...Array<Step>(4).fill('Done.')]
      await using server = await startModelServer(steps)
      const { env, ...more } = typeof overrides === 'function' ? overrides(at) : overrides
      const mark = `KEDGE-${base}`
      await using options = testOptions(server, {
        ...{ model: 'claude-sonnet-4-5-20250929', isolation, sandbox: { enabled: true }, cwd: at('project') },
        ...more,
        env: { TMPDIR: at('tmp'), OUT: at('outside'), MARK: mark, ...env },
      })
      try {
        await body({
          ...{ options, at, mark },
          ask: (extra = {}) => collect(query({ prompt: 'Go.', options: { ...options, ...extra } })),
          results: () => server.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [],
        })
        assert.deepEqual(leftovers(mark), [])
        assert.deepEqual(readdirSync(at('tmp')).filter((entry) => entry.startsWith('kedge-')), [])
      } finally {
        rmSync(base, { recursive: true, force: true })
      }
    })
  }
}

const bash = (...commands: string[]) => commands.map((command) => ({ command }))
const yes: CanUseTool = async (_, input) => ({ behavior: 'allow', updatedInput: input })
const never: CanUseTool = async () => assert.fail('nobody was to be asked')
/** Says yes, and for ever; remembers what it was asked. */
function persistent() {
  const asked: [unknown, string | undefined][] = []
  const canUseTool: CanUseTool = async (_, input, { decisionReason }) => {
    asked.push([input, decisionReason])
    const rules = [{ toolName: 'Bash' }]
    return {
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
    }
  }
  return { asked, canUseTool }
}

inSandbox(
  'commands run in it without a question: files, network, credentials, folder, end',
  [
    bash('echo made > made; echo x > "$OUT/planted"'),
    bash('cat ~/.claude/.credentials.json; echo "$ANTHROPIC_API_KEY$SOME_TOKEN"; node -e "net.connect($PORT)"'),
    bash('mkdir sub && cd sub'),
    bash('pwd; exit 3'),
    bash('echo x > "$OUT/planted"; true'),
  ],
  { env: { SOME_TOKEN: 'secret' } },
  async ({ options, at, ask, results }) => {
    let visits = 0
    const server = createServer((socket) => {
      visits += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    const address = server.address()
    options.env['PORT'] = String(typeof address === 'object' ? address?.port : 0)
    writeFileSync(join(options.env['CLAUDE_CONFIG_DIR'] ?? '', '.credentials.json'), 'secret')
    const run = await ask({ canUseTool: never })
    server.close()
    assert.equal(run.error, undefined)
    assert.deepEqual([run.result?.subtype, run.result?.permission_denials], ['success', []])
    const [outside, secrets, cd, end, calm] = allResults(run)
    assert.match(outside ?? '', /^Exit code 1\n.*planted: Read-only file system\n[^]*It ran in a sandbox/)
    assert.match(secrets ?? '', /Permission denied[^]*ECONNREFUSED/)
    assert.doesNotMatch(secrets ?? '', /secret/)
    assert.deepEqual([cd, end], ['', `Exit code 3\n${at('project/sub')}\n\n${at('project/sub')}`])
    assert.match(calm ?? '', /^.*planted: Read-only file system$/)
    assert.deepEqual([visits, readdirSync(at('outside')), readdirSync(at('project'))], [0, [], ['made', 'sub']])
    assert.equal(results().length, 1)
  },
)

const allResults = (run: Run<SDKMessage>): string[] =>
  run.messages.flatMap((message) =>
    message.type === 'user' && Array.isArray(message.message.content)
      ? message.message.content.flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []))
      : [],
  )

inSandbox(
  'settings turn it on as well; what is asked about still runs inside',
  [bash('echo x > "$OUT/planted"')],
  (at) => ({
    sandbox: {},
    settingSources: ['user'],
    env: { CLAUDE_CONFIG_DIR: at('config') },
  }),
  async ({ at, ask }) => {
    mkdirSync(at('config'))
    const sandbox = { enabled: true, autoAllowBashIfSandboxed: false }
    writeFileSync(at('config/settings.json'), JSON.stringify({ sandbox }))
    const { asked, canUseTool } = persistent()
    const run = await ask({ canUseTool })
    assert.equal(asked.length, 1)
    assert.match(allResults(run)[0] ?? '', /Read-only file system/)
    assert.deepEqual(readdirSync(at('outside')), [])
  },
)

inSandbox(
  'in plan mode it approves nothing',
  [bash('touch made')],
  { permissionMode: 'plan' },
  async ({ at, ask }) => {
    const run = await ask()
    assert.equal(run.result?.permission_denials?.length, 1)
    assert.deepEqual(readdirSync(at('project')), [])
  },
)

inSandbox(
  'background, ten at once, and what is left at the end',
  [
    [{ command: 'echo up > up; echo x > "$OUT/planted"; setsid sleep 1000 & sleep 1000', run_in_background: true }],
    Array.from({ length: 10 }, (_, i) => ({ command: `cat number-${i}; cat "$OUT/planted"` })),
    bash('until [ -e up ]; do sleep 0.02; done; ls -a'),
  ],
  {},
  async ({ at, ask, mark }) => {
    for (let i = 0; i < 10; i++) writeFileSync(at('project', `number-${i}`), String(i))
    const controller = new AbortController()
    const canUseTool: CanUseTool = never
    const messages: SDKMessage[] = []
    for await (const message of query({
      prompt: 'Go.',
      options: { ...(await optionsOf(ask)), canUseTool, abortController: controller },
    })) {
      messages.push(message)
      if (message.type === 'result') break
    }
    const run = { messages, result: undefined, results: [], error: undefined }
    const texts = allResults(run)
    assert.match(texts[0] ?? '', /^Command running in background/)
    texts.slice(1, 11).forEach((text, i) => {
      assert.match(text, new RegExp(`${i}cat: .*planted`))
    })
    assert.deepEqual(readdirSync(at('outside')), [])
    while (leftovers(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  },
)

const optionsOf = async (_: World['ask']) => ({})
void yes
void findProgram
void existsSync
void readFileSync
void symlinkSync
