/** `kedge migrate`: what becomes of a project that was written for the original, as the command says and does it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe } from 'node:test'
import { startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { cli, kedge, type Place } from './kedge.js'

/** The clone: no registry need have it, so a project is pointed to its folder. */
const ROOT = realpathSync(join(cli, '../..'))
const NAME = '@anthropic-ai/claude-agent-sdk'
/** Written by the original's command 2.1.50; its own prose was taken out. */
const SESSION = 'd7b1b82a-f8e2-4627-94ab-5d535f82ba44'
type Found = { what: string; state: string; name: string; file?: string; line?: number; link?: string }
type Report = { written: boolean; left: number; findings: Found[]; diff: string }

function put(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
  }
}

async function migrate(place: Place, ...flags: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await kedge(['migrate', '--json', ...flags], place)
  assert.equal(stderr, '')
  return { ...(JSON.parse(stdout) as Report), code } // The shape the command promises, looked at below.
}

const brief = ({ what, state, name, file, line }: Found) =>
  `${state} ${what} ${name}${file === undefined ? '' : ` ${file}${line === undefined ? '' : `:${line}`}`}`

/** Everything that is changed, and beside it what looks like it. */
const PROJECT = {
  'package.json': `{\n  "scripts": {},\n  "dependencies": { "${NAME}": "^0.2.50", "zod": "4" }\n}\n`,
  'tsconfig.json': `{\n  // paths\n  "compilerOptions": { "paths": { "${NAME}": ["./stub.d.ts"] }, "types": ["node", "${NAME}/sdk-tools"] },\n}\n`,
  'src/esm.ts': `\ufeffimport { query, type Options } from '${NAME}'\r\n// see '${NAME}'\r\nexport type { SDKMessage } from "${NAME}"\r\n`,
  'src/cjs.cjs': `const sdk = require('${NAME}')\nmodule.exports = async () => (await import(\`${NAME}/sdk.mjs\`)).query ?? sdk\n`,
  'src/types.js': `/** @type {import('${NAME}').Options} */\nexport const options = {}\n`,
  'test/a.test.ts': `jest.mock('${NAME}', () => ({}))\nvi.mock('${NAME}')\n`,
  'run.mjs': `#!/usr/bin/env node\nimport '${NAME}'\n`,
}

describe('kedge migrate', { concurrency: 2 }, () => {
  test('kedge migrate shows what it would change, --write changes just that, and then nothing is left to do', async () => {
    await using server = await startModelServer([])
    await using place = testOptions(server)
    const outside = join(place.cwd, '../outside')
    put(outside, { 'b.ts': `import '${NAME}'` })
    put(place.cwd, {
      ...PROJECT,
      '.gitignore': 'build\n',
      'build/a.js': `import '${NAME}'`,
      'node_modules/x/index.js': `require('${NAME}')`,
      '.git/hooks/a.js': `require('${NAME}')`,
      'package-lock.json': `{ "packages": { "node_modules/${NAME}": {} } }`,
      'README.md': NAME,
    })
    symlinkSync(outside, join(place.cwd, 'linked'))
    symlinkSync(join(outside, 'b.ts'), join(place.cwd, 'linked.ts'))
    chmodSync(join(place.cwd, 'run.mjs'), 0o750)
    const read = () =>
      Object.fromEntries(Object.keys(PROJECT).map((name) => [name, readFileSync(join(place.cwd, name), 'utf8')]))

    const asked = await migrate(place)
    assert.deepEqual([asked.code, asked.written, asked.left], [1, false, 11])
    assert.deepEqual(read(), PROJECT)
    assert.deepEqual(
      asked.findings
        .filter(({ state }) => state === 'change')
        .map(brief)
        .sort(),
      [
        `change dependency ${NAME} package.json:3`,
        `change import ${NAME} run.mjs:2`,
        `change import ${NAME} src/cjs.cjs:1`,
        `change import ${NAME}/sdk.mjs src/cjs.cjs:2`,
        `change import ${NAME} src/esm.ts:1`,
        `change import ${NAME} src/esm.ts:3`,
        `change import ${NAME} src/types.js:1`,
        `change import ${NAME} test/a.test.ts:1`,
        `change import ${NAME} test/a.test.ts:2`,
        `change import ${NAME} tsconfig.json:3`,
        `change import ${NAME}/sdk-tools tsconfig.json:3`,
      ].sort(),
    )
    const said = await kedge(['migrate'], place)
    assert.match(said.stdout, /^-import '@anthropic-ai\/claude-agent-sdk'\n\+import 'kedge'$/m)

    const written = await migrate(place, '--write')
    const changed = Object.fromEntries(
      Object.entries(PROJECT).map(([name, text]) => {
        const own = text
          .replaceAll(NAME, 'kedge')
          .replace('"^0.2.50"', `"file:${relative(realpathSync(place.cwd), ROOT)}"`)
        return [name, name === 'src/esm.ts' ? own.replace("see 'kedge'", `see '${NAME}'`) : own]
      }),
    )
    assert.deepEqual(read(), changed)
    assert.equal(statSync(join(place.cwd, 'run.mjs')).mode & 0o777, 0o750)
    assert.deepEqual([written.code, written.written, written.left], [0, true, 0])
    for (const [folder, name] of [
      [outside, 'b.ts'],
      [place.cwd, 'build/a.js'],
      [place.cwd, '.git/hooks/a.js'],
    ] as const) {
      assert.ok(readFileSync(join(folder, name), 'utf8').includes(NAME), name)
    }
    const again = await migrate(place)
    assert.deepEqual([again.code, again.left, again.diff], [0, 0, ''])

    // The diff that was shown is that change.
    put(place.cwd, PROJECT)
    execFileSync('git', ['apply', '-'], {
      cwd: place.cwd,
      input: asked.diff,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: join(place.cwd, '..'), GIT_DIR: '/nonexistent' },
    })
    assert.deepEqual(read(), changed)
  })

  test('options, hooks, modes, exports, types and variables: as before, different or not there, each with its row', async () => {
    await using server = await startModelServer([])
    await using place = testOptions(server)
    put(place.cwd, {
      'a.ts': [
        `import { query as ask, prewarm, HOOK_EVENTS, type SpareProcess } from '${NAME}'`,
        `import '${NAME}/browser'`,
        'const stream = ask({ prompt: "x", options: {',
        '  cwd: "/", systemPrompt, toolConfig: {}, modle: 1,',
        '  permissionMode: "auto", hooks: { PreToolUse: [], Nope: [] },',
        '  env: { CLAUDE_CODE_OAUTH_TOKEN: "secret-1", ANTHROPIC_API_KEY: "secret-2" },',
        '} })',
        'await stream.reloadPlugins()',
        `const other = { options: { nobody: 1 } }`,
        `bundle({ external: ['${NAME}'] })`,
      ].join('\n'),
      '.env.example': 'ANTHROPIC_API_KEY=secret-3\nDISABLE_TELEMETRY=1\n',
      'package.json': '{ "scripts": { "ask": "claude -p hello", "other": "echo claude-ish" } }',
      '.claude/settings.json': '{ "model": "sonnet", "modle": "x" }',
      Dockerfile: `RUN npm install ${NAME}\n`,
      'CLAUDE.md': 'Be brief.',
    })
    const { code, findings } = await migrate(place)
    assert.equal(code, 1)
    assert.ok(!JSON.stringify(findings).includes('secret'))
    const of = (state: string) =>
      findings
        .filter((one) => one.state === state)
        .map(brief)
        .sort()
    assert.deepEqual(of('unsupported'), [
      'unsupported export prewarm a.ts:1',
      'unsupported hook Nope a.ts:5',
      `unsupported import ${NAME}/browser a.ts:2`,
      'unsupported mode auto a.ts:5',
      'unsupported option modle a.ts:4',
      'unsupported option toolConfig a.ts:4',
      'unsupported type SpareProcess a.ts:1',
    ])
    assert.deepEqual(of('look'), [
      'look command ask package.json:1',
      `look text ${NAME} Dockerfile:1`,
      `look text ${NAME} a.ts:10`,
    ])
    assert.deepEqual(of('differs'), [
      'differs export HOOK_EVENTS a.ts:1',
      'differs hook PreToolUse a.ts:5',
      'differs option hooks a.ts:5',
      'differs option systemPrompt a.ts:4',
      'differs setting modle .claude/settings.json:1',
      'differs variable CLAUDE_CODE_OAUTH_TOKEN a.ts:6',
    ])
    for (const name of ['query', 'cwd', 'ANTHROPIC_API_KEY', 'DISABLE_TELEMETRY', 'CLAUDE.md']) {
      assert.ok(
        findings.some((one) => one.state === 'same' && one.name === name),
        name,
      )
    }
    const link = (name: string) => findings.find((one) => one.name === name)?.link
    assert.deepEqual(['toolConfig', 'SpareProcess', 'PreToolUse'].map(link), [
      'docs/compatibility-options.md#further-options',
      'docs/compatibility.md#types-that-are-not-here',
      'docs/compatibility-tools.md#hook-events',
    ])
    // What people read names a file that is there, in the project if Kedge is installed there.
    const shown = await kedge(['migrate'], place)
    assert.ok(shown.stdout.includes(`\n      ${ROOT}/docs/compatibility-options.md#further-options\n`))
    put(place.cwd, { 'node_modules/kedge/docs/compatibility-options.md': '' })
    const installed = await kedge(['migrate'], place)
    assert.match(installed.stdout, /\n {6}node_modules\/kedge\/docs\/compatibility-options\.md#further-options\n/)
  })

  test('where the old name stands for Kedge in package.json nothing is to be changed; two dependencies become one', async () => {
    await using server = await startModelServer([])
    await using place = testOptions(server)
    put(place.cwd, {
      'alias/package.json': `{ "dependencies": { "${NAME}": "npm:kedge@^0.1.0" } }`,
      'alias/src/a.ts': `import { query } from '${NAME}'`,
      'both/package.json': `{ "dependencies": { "${NAME}": "0.2.50", "kedge": "^0.1.0" } }`,
    })
    const alias = await migrate(place, join(place.cwd, 'alias'))
    assert.deepEqual([alias.code, alias.diff], [0, ''])
    assert.equal((await migrate(place, 'both', '--write')).code, 0)
    assert.deepEqual(JSON.parse(readFileSync(join(place.cwd, 'both/package.json'), 'utf8')), {
      dependencies: { kedge: '^0.1.0' },
    })
  })

  test('what can not be done is exit code 2, with the reason', async () => {
    await using server = await startModelServer([])
    await using place = testOptions(server)
    for (const [args, reason] of [
      [['--wirte'], /unknown option '--wirte'/],
      [['a', 'b'], /kedge migrate doesn't take 'b'/],
      [['nowhere'], /nowhere/],
    ] as const) {
      const { code, stderr } = await kedge(['migrate', ...args], place)
      assert.equal(code, 2)
      assert.match(stderr, reason)
    }
    assert.match((await kedge(['migrate', '--help'], place)).stdout, /Usage: kedge migrate/)
  })

  test('a session that the original wrote is listed, and goes on here with all that was said', async () => {
    await using server = await startModelServer([{ text: 'Teal, as before.' }])
    await using place = testOptions(server)
    const fixture = new URL('../../../test/first-hour/fixtures/session-of-the-original.jsonl', import.meta.url)
    const key = place.cwd.replace(/[^a-zA-Z0-9]/g, '-')
    const config = place.env['CLAUDE_CONFIG_DIR'] ?? join(place.env['HOME'] ?? '', '.claude')
    put(join(config, 'projects', key), {
      [`${SESSION}.jsonl`]: readFileSync(fixture, 'utf8').replaceAll('/home/ada/project', place.cwd),
    })
    const { code, findings } = await migrate(place)
    assert.deepEqual([code, findings.map(brief)], [0, [`same session ${SESSION}`]])
    const { stdout, code: asked } = await kedge(['-p', 'And now?', '--resume', SESSION], place)
    assert.deepEqual([asked, stdout], [0, 'Teal, as before.\n'])
    const [request] = server.requests
    const sent = JSON.stringify(request?.body)
    const recorded = readFileSync(fixture, 'utf8').trim().split('\n')
    // The prompt, the texts of the model, and the result of its call.
    const said = recorded.flatMap((line) => [...line.matchAll(/"(?:content|text)":"([^"]+)"/g)].map(([, text]) => text))
    assert.ok(said.length >= 3, said.join())
    for (const part of [...said, 'toolu_test_1', 'And now?']) assert.ok(part && sent.includes(part), part)
  })
})
