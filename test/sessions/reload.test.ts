/** What a running session reads again, over the library: files change, and it says what changed without spoiling the cache. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Options, type Query, query, type SDKMessage } from 'kedge'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { bothWays } from '../e2e/both-ways.js'

const ALL: Options = { settingSources: ['user', 'project', 'local'] }
const skill = (name: string, about: string) => `---\nname: ${name}\ndescription: ${about}\n---\nDo ${name}.\n`

function write(options: TestOptions, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(options.cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** A session that stays open; `turn` gives a prompt and waits for its result. */
function open(options: Options) {
  const running = query({ prompt: null, options })
  const messages: SDKMessage[] = []
  return {
    running,
    messages,
    async turn(prompt: string) {
      await running.send(prompt)
      for (;;) {
        const { value, done } = await running.next()
        if (done) return assert.fail('the query ended')
        messages.push(value)
        if (value.type === 'result') return value
      }
    },
  }
}

/** What a request to the model begins with, and the texts of its last message. */
function look(body: unknown) {
  const { system, tools, messages } = body as {
    system: unknown
    tools: unknown
    messages: { content: string | { text?: string }[] }[]
  } // our own request
  const last = messages.at(-1)?.content ?? []
  const texts = typeof last === 'string' ? [last] : last.map(({ text = '' }) => text)
  return { prefix: JSON.stringify([system, tools]), texts }
}

bothWays(
  'reload(): a new skill is a command at once, and the model is told before the next prompt; the start of the request stays',
  () => ['One.', 'Two.'],
  ALL,
  async ({ options, server }) => {
    write(options, { '.claude/skills/first/SKILL.md': skill('first', 'The first.') })
    const { running, turn } = open({ ...options, ...ALL })
    await turn('Hi.')
    write(options, { '.claude/skills/deploy/SKILL.md': skill('deploy', 'Puts it live.') })
    const { changes, problems } = await running.reload()
    assert.deepEqual([changes, problems], [['Commands and skills: new: deploy.'], []])
    await turn('Go on.')
    assert.deepEqual((await running.supportedCommands()).filter(({ name }) => name === 'deploy').length, 1)
    const [before, after] = server.requests.map(({ body }) => look(body))
    assert.equal(after?.prefix, before?.prefix)
    assert.ok(
      after?.texts.some((text) => text.includes('- deploy: Puts it live.')),
      after?.texts.join('\n'),
    )
    rmSync(join(options.cwd, '.claude/skills/deploy'), { recursive: true })
    assert.deepEqual(
      (await running.reloadSkills()).skills.some(({ name }) => name === 'deploy'),
      false,
    )
    assert.deepEqual((await running.reload()).changes, [])
    running.close()
  },
)

/** One session in this process. */
async function inSession(
  answers: Parameters<typeof startModelServer>[0],
  use: (
    session: ReturnType<typeof open>,
    options: TestOptions,
    requests: () => readonly { body: unknown }[],
  ) => Promise<void>,
  before: Record<string, string> = {},
): Promise<void> {
  await using server = await startModelServer(answers)
  await using options = testOptions(server)
  write(options, before)
  const session = open({ ...options, ...ALL, systemPrompt: { type: 'preset', preset: 'claude_code' } })
  await session.turn('Hi.')
  try {
    await use(session, options, () => server.requests)
  } finally {
    session.running.close()
  }
}

const bash = (command: string) => ({ tools: [{ id: 'toolu_b', name: 'Bash', input: { command } }] })

test('reload(): rules of settings files hold from then on, what denies first; a file that can not be used changes nothing', async () => {
  await inSession(['One.', bash('touch kept'), 'Two.', bash('touch kept'), 'Three.'], async (session, options) => {
    const settings = (permissions: object) => ({ '.claude/settings.json': JSON.stringify({ permissions }) })
    write(options, settings({ deny: ['Bash(touch:*)'] }))
    assert.deepEqual((await session.running.reload(['settings'])).changes, ['Permission rules have changed.'])
    assert.equal((await session.turn('Go.')).permission_denials.length, 1)
    write(options, settings({ deny: ['Bash('] }))
    const broken = await session.running.reload(['settings'])
    assert.deepEqual(broken.changes, [])
    assert.match(broken.problems.join(), /Bash\(/)
    assert.equal((await session.turn('Go.')).permission_denials.length, 1)
  })
})

test('reload(): hooks of settings files run from then on, and no more when they are gone', async () => {
  await inSession(['One.', 'Two.', 'Three.'], async (session, options) => {
    const log = join(options.cwd, 'log')
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: `echo ran >> ${log}` }] }] }
    write(options, { '.claude/settings.json': JSON.stringify({ hooks }) })
    assert.deepEqual((await session.running.reload(['settings'])).changes, ['Hooks have changed.'])
    await session.turn('Go.')
    rmSync(join(options.cwd, '.claude/settings.json'))
    assert.deepEqual((await session.running.reload(['settings'])).changes, ['Hooks have changed.'])
    await session.turn('Go.')
    assert.equal(readFileSync(log, 'utf8'), 'ran\n')
  })
})

test('reloadPlugins(): another plugin comes with its commands; one whose server would change the tools is held back', async () => {
  await inSession(['One.'], async ({ running }, options) => {
    const manifest = (more: object = {}) => JSON.stringify({ name: 'extra', version: '1.2.0', ...more })
    write(options, { 'extra/.claude-plugin/plugin.json': manifest(), 'extra/commands/ship.md': 'Ship it.' })
    const path = join(options.cwd, 'extra')
    await assert.rejects(
      running.reloadPlugins({ addPlugins: [{ type: 'local', path: 'extra' }] }),
      /not an absolute path/,
    )
    const added = await running.reloadPlugins({ addPlugins: [{ type: 'local', path }] })
    assert.deepEqual(
      added.plugins.map(({ name }) => name),
      ['extra'],
    )
    assert.ok(added.commands.some(({ name }) => name === 'extra:ship'))
    write(options, { 'extra/.claude-plugin/plugin.json': manifest({ mcpServers: { db: { command: 'no-such-db' } } }) })
    const held = await running.reloadPlugins({ holdOnCacheImpact: true })
    assert.deepEqual([held.held, held.cache_impact?.mcp_servers_added], [true, ['plugin:extra:db']])
    assert.deepEqual(held.mcpServers, [])
    const applied = await running.reloadPlugins()
    assert.deepEqual(
      applied.mcpServers.map(({ name }) => name),
      ['plugin:extra:db'],
    )
  })
})

test('reloadOutputStyles() lists a new style; updateSettings() writes the choice and uses it at once', async () => {
  await inSession(['One.', 'Two.'], async ({ running, turn }, options, requests) => {
    write(options, {
      '.claude/output-styles/terse.md': '---\nname: Terse\ndescription: Few words.\n---\nUse few words.\n',
    })
    assert.ok((await running.reloadOutputStyles()).available_output_styles.includes('Terse'))
    await assert.rejects(running.updateSettings('localSettings', { outputStyle: 'Nothing' }), /no output style/)
    await assert.rejects(running.updateSettings('localSettings', { model: 'x' }), /only outputStyle/)
    await assert.rejects(running.updateSettings('userSettings', { effortLevel: 'max' }), /effortLevel must be one of/)
    await running.updateSettings('localSettings', { outputStyle: 'Terse' })
    const file = JSON.parse(readFileSync(join(options.cwd, '.claude/settings.local.json'), 'utf8'))
    assert.equal(file.outputStyle, 'Terse')
    await turn('Go.')
    assert.match(JSON.stringify(requests().at(-1)?.body), /Use few words\./) // our own request
  })
})

test('a changed agent file, and one that goes; changed instructions are told as they are now', async () => {
  const agent = (about: string) => `---\nname: helper\ndescription: ${about}\n---\nHelp.\n`
  await inSession(
    ['One.', 'Two.'],
    async ({ running, turn }, options, requests) => {
      write(options, {
        '.claude/agents/second.md': agent('Helps.').replace('helper', 'second'),
        'CLAUDE.md': 'Use tabs.',
      })
      rmSync(join(options.cwd, '.claude/agents/helper.md'))
      const { changes } = await running.reload()
      assert.deepEqual(changes, [
        'Sub-agents: new: second; gone: helper.',
        `Instructions: changed: ${join(options.cwd, 'CLAUDE.md')}.`,
      ])
      await turn('Go.')
      const { texts } = look(requests().at(-1)?.body)
      assert.ok(
        texts.some((text) => text.includes('second (Helps.)')),
        texts.join('\n'),
      )
      assert.ok(texts.some((text) => text.includes('sub-agents are gone: helper')))
      assert.ok(texts.some((text) => text.includes('Use tabs.')))
    },
    { '.claude/agents/helper.md': agent('Helps a lot.'), 'CLAUDE.md': 'Use spaces.' },
  )
})

test('reinitialize() says what the session is like now', async () => {
  await inSession(['One.'], async ({ running }: { running: Query }, options) => {
    write(options, { '.claude/commands/now.md': 'Now.' })
    await running.reloadSkills()
    const used = await running.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true })
    assert.ok(used.session.total_cost_usd > 0)
    assert.ok((await running.reinitialize()).commands.some(({ name }) => name === 'now'))
  })
})

bothWays(
  'reloadOnChange: a file that changes is read again without being asked, and one line says what changed',
  () => ['One.', 'Two.'],
  ALL,
  async ({ options, server }) => {
    write(options, { '.claude/skills/first/SKILL.md': skill('first', 'The first.') })
    const { running, turn } = open({ ...options, ...ALL, reloadOnChange: true, includeNotices: true })
    await turn('Hi.')
    write(options, { '.claude/commands/ship.md': '---\ndescription: Ships it.\n---\nShip.' })
    for (;;) {
      const { value, done } = await running.next()
      if (done) return assert.fail('the query ended')
      if (value.type !== 'system' || value.subtype !== 'informational' || value.code !== 'configuration_reloaded')
        continue
      assert.equal(value.content, 'Read again: Commands and skills: new: ship.')
      break
    }
    await turn('Go on.')
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /- ship: Ships it\./)
    running.close()
  },
)
