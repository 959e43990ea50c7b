/**
 * C27: runs are not hermetic: settings, memory and servers of the machine leak in.
 * https://github.com/anthropics/claude-code/issues/17200
 *
 * T: a hermetic run reads only what its options name, by proof of the system calls; it is said what was loaded and from where; two tenants
 * of one process see nothing of each other. In Kedge's library that is the default: `settingSources` is empty unless you name some.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, type TestOptions } from 'kedge/testing'
import { canTrace } from '../project/trace.js'
import { bash, command, play, runProgram, toolResults, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

/** Everything a machine and a repository could bring. */
function litter(options: TestOptions): void {
  const home = options.env['HOME'] ?? ''
  const claude = options.env['CLAUDE_CONFIG_DIR'] ?? ''
  const hook = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] } }
  const server = { mcpServers: { leak: { command: 'touch', args: ['served'] } } }
  for (const folder of [claude, join(options.cwd, '.claude')]) {
    for (const part of ['agents', 'commands', 'skills/leak']) mkdirSync(join(folder, part), { recursive: true })
    const settings = { ...hook, model: 'LEAKED-model', permissions: { allow: ['Bash'] }, env: { LEAKED: 'LEAKED' } }
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
    writeFileSync(join(folder, 'CLAUDE.md'), 'LEAKED instructions')
    writeFileSync(join(folder, 'agents', 'leak.md'), '---\nname: LEAKED\ndescription: x\n---\nLEAKED')
    writeFileSync(join(folder, 'commands', 'LEAKED.md'), 'LEAKED')
    writeFileSync(join(folder, 'skills', 'leak', 'SKILL.md'), '---\nname: LEAKED\ndescription: x\n---\nLEAKED')
  }
  for (const place of [home, claude]) writeFileSync(join(place, '.claude.json'), JSON.stringify(server))
  writeFileSync(join(options.cwd, '.mcp.json'), JSON.stringify(server))
  writeFileSync(join(options.cwd, 'CLAUDE.md'), 'LEAKED instructions')
  writeFileSync(join(options.cwd, 'AGENTS.md'), 'LEAKED instructions')
}

for (const isolation of isolationsOf('C27 nothing of the machine or')) {
  test(`C27 nothing of the machine or the folder gets in by itself (${isolation})`, async () => {
    await withModel(
      [bash('ls; echo "<$LEAKED>"'), 'Done.'],
      { isolation, allowedTools: ['Bash(ls:*)', 'Bash(echo:*)'] },
      async ({ options, server }) => {
        litter(options)
        const run = await collect(query({ prompt: 'Go.', options }))
        assert.equal(run.result?.subtype, 'success')
        const [init] = run.messages
        assert.ok(init?.type === 'system' && init.subtype === 'init')
        assert.deepEqual([init.mcp_servers, init.skills, init.plugins], [[], [], []])
        assert.doesNotMatch(JSON.stringify(init), /LEAKED/)
        assert.doesNotMatch(JSON.stringify(server.requests[0]?.body), /LEAKED/)
        assert.match(toolResults(run.messages)[0]?.text ?? '', /<>/)
        assert.doesNotMatch(toolResults(run.messages)[0]?.text ?? '', /hooked|served/)
      },
    )
  })
}

test('C27 by the system calls: no file of the home folder or the repository is opened but what the run is about', {
  skip: !canTrace,
}, async () => {
  await withModel(['Hello.'], {}, async ({ options }) => {
    litter(options)
    const log = join(options.cwd, '..', 'tmp', 'trace')
    const strace = ['-f', '-qq', '-s', '4096', '-e', 'trace=?open,openat,?openat2', '-o', log, process.execPath]
    const flags = [
      command,
      '--output-format',
      'stream-json',
      '--verbose',
      '--input-format',
      'stream-json',
      '--setting-sources',
      '',
    ]
    const message = { type: 'user', message: { role: 'user', content: 'Go.' } }
    const input = `${JSON.stringify(message)}\n`
    const ended = await runProgram('strace', [...strace, ...flags, '--no-session-persistence'], { ...options, input })
    assert.equal(ended.code, 0, ended.stderr)
    const root = join(options.cwd, '..')
    const opened = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('ENOENT'))
      .flatMap((line) => /"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? [])
      .filter((path) => path.startsWith(root))
      .map((path) => path.slice(root.length + 1))
      // Compiled code of our own program.
      .filter((path) => !path.startsWith(join('home', '.cache')))
    assert.deepEqual(
      [...new Set(opened)].filter((path) => !/^(project|home|home\/\.claude)?$/.test(path)),
      [],
    )
  })
})

test('C27 two tenants in one process: neither sees the settings, variables, files or words of the other', async () => {
  const run = (name: string) =>
    play([bash('echo "<$TENANT>"; pwd; cat *.txt 2>/dev/null; :'), 'Done.'], {
      systemPrompt: `Secret of ${name}.`,
      env: { TENANT: name },
      settings: { env: { OF_SETTINGS: name }, permissions: { allow: ['Bash'] } },
    })
  const [a, b] = await Promise.all([run('tenant-one'), run('tenant-two')])
  for (const [mine, other, name] of [
    [a, b, 'tenant-one'],
    [b, a, 'tenant-two'],
  ] as const) {
    const seen = JSON.stringify([mine.messages, mine.server.requests.map(({ body }) => body)])
    assert.match(seen, new RegExp(`Secret of ${name}`))
    const [init] = other.messages
    assert.ok(init?.type === 'system' && init.subtype === 'init')
    assert.equal(seen.includes(init.cwd), false)
    assert.equal(seen.includes(name === 'tenant-one' ? 'tenant-two' : 'tenant-one'), false)
  }
})
