/**
 * C35: the package does not fit where people deploy. C36: Windows, and everything that is too long for a command line.
 * C35: https://github.com/anthropics/claude-agent-sdk-typescript/issues/329 · https://github.com/ankitvgupta/exo/issues/158
 * https://github.com/arjunrajlaboratory/Memex/issues/28 · https://github.com/arcboxlabs/linkcode/issues/48
 * https://github.com/pingdotgg/t3code/issues/1189 · https://github.com/neovateai/neovate-desktop/issues/96
 * https://github.com/bastani-inc/atomic/issues/241 · https://github.com/craft-ai-agents/craft-agents-oss/issues/441
 * https://github.com/agentclientprotocol/claude-agent-acp/issues/513 · https://github.com/sleep2agi/agent-network/issues/657
 * C36: https://github.com/anthropics/claude-code/issues/21423 · https://github.com/AndyMik90/Aperant/issues/1329
 * https://github.com/anthropics/claude-agent-sdk-python/issues/238 · https://github.com/refactoringhq/tolaria/issues/624
 * https://github.com/nexu-io/open-design/issues/52 · https://github.com/openclaw/openclaw/issues/69158
 * https://github.com/openclaw/openclaw/issues/144792 · https://github.com/anthropics/claude-code/issues/16005
 *
 * T (C35): no native code, no script at installation, a few megabytes (issue 8: at most 10 with what it needs); a real query in a single
 * bundled file; in-process needs no spawn. Other runtimes and bundlers: see the table.
 * T (C36): nothing of any size on the command line or in the environment: a system prompt of 1 MB, 500 tools and 50 agents start; paths
 * with blanks, other alphabets and more than 260 characters; CRLF, and UTF-8 cut anywhere. Windows itself: open.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createSdkMcpServer, query, tool } from 'kedge'
import { collect } from 'kedge/testing'
import { call, play, root, runProgram, toolResults, withModel } from '../support/stage.js'
import { sampledTest as test } from '../support/tier.js'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('C35 what is published: JavaScript only, small, nothing that runs at installation', () => {
  const names: string[] = manifest.files
  const leftOut = names.filter((name) => name.startsWith('!')).map((name) => join(root, name.slice(1)))
  const shipped = names.filter((name) => !name.startsWith('!'))
  const all = shipped.flatMap((name) => {
    const path = join(root, name)
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    )
  })
  const files = all.filter((file) => !leftOut.some((folder) => file.startsWith(folder)))
  assert.deepEqual(
    files.filter((file) => /\.(node|exe|dll|so|dylib|wasm)$/.test(file)),
    [],
  )
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  assert.ok(bytes < 19.8e6, `${bytes} bytes`)
  for (const script of ['preinstall', 'install', 'postinstall']) assert.equal(manifest.scripts[script], undefined)
})

test('C35 one bundled file with the whole agent in it runs a real query, without anything beside it and without a process', async () => {
  await withModel(
    [call('Write', { file_path: 'made.txt', content: 'x' }), 'Done.'],
    { permissionMode: 'acceptEdits' },
    async ({ options }) => {
      const folder = join(options.cwd, '..', 'deployed')
      mkdirSync(folder)
      const entry = `
      import { query } from 'kedge'
      let last
      for await (const message of query({ prompt: 'Go.', options: JSON.parse(process.argv[2]) })) last = message
      console.log(JSON.stringify(last))`
      await build({
        stdin: { contents: entry, resolveDir: root, loader: 'js' },
        outfile: join(folder, 'app.mjs'),
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'silent',
        nodePaths: [join(root, 'node_modules')],
      })
      assert.deepEqual(readdirSync(folder), ['app.mjs'])
      const env = { ...options.env, NODE_PATH: undefined }
      const ended = await runProgram(process.execPath, ['app.mjs', JSON.stringify(options)], { cwd: folder, env })
      assert.equal(ended.code, 0, ended.stderr)
      const result = JSON.parse(ended.stdout)
      assert.deepEqual([result.subtype, result.result], ['success', 'Done.'])
      assert.equal(readFileSync(join(options.cwd, 'made.txt'), 'utf8'), 'x')
    },
  )
})

test('C36 a system prompt of 1 MB, 500 tools and 50 agents start a process of its own', async () => {
  const handler = async () => ({ content: [{ type: 'text' as const, text: 'x' }] })
  const tools = Array.from({ length: 500 }, (_, n) => tool(`tool_number_${n}_of_the_host`, 'Works.', {}, handler))
  const names = tools.map(({ name }) => `mcp__host__${name}`)
  const agents = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`agent-${n}`, { description: 'd'.repeat(2000), prompt: 'p'.repeat(2000) }]),
  )
  const run = await play(['Hello.'], {
    isolation: 'process',
    systemPrompt: 's'.repeat(1_000_000),
    agents,
    mcpServers: { host: createSdkMcpServer({ name: 'host', tools }) },
    allowedTools: [...names, ...names.map((name) => `${name}(${'x'.repeat(200)})`)],
    disallowedTools: names.map((name) => `${name}_too(${'y'.repeat(200)})`),
    settings: { env: { PADDING: 'z'.repeat(200_000) } },
    env: { ENABLE_TOOL_SEARCH: 'false' },
  })
  assert.equal(run.error, undefined)
  assert.equal(run.result?.subtype, 'success')
  assert.equal(run.server.requests[0]?.system.length, 1_000_000)
  assert.ok((run.server.requests[0]?.tools.length ?? 0) >= 500)
})

test('C36 paths with blanks, other alphabets and more than 260 characters; CRLF and cut UTF-8 stay as they are', async () => {
  const text = 'erste Zeile\r\nzweite ✓ 日本\r\n'
  const turns = [
    call('Read', { file_path: 'a b.txt' }),
    call('Edit', { file_path: 'a b.txt', old_string: 'zweite', new_string: 'dritte' }, 'toolu_2'),
    { text: 'Größe: 日本語 🎉', dripBytes: { size: 1 } },
  ]
  for (const isolation of ['in-process', 'process'] as const) {
    await withModel(turns, { isolation, permissionMode: 'acceptEdits' }, async ({ options }) => {
      const cwd = join(options.cwd, 'mit Leerzeichen', 'данные 日本', 'x'.repeat(120), 'y'.repeat(120))
      mkdirSync(cwd, { recursive: true })
      assert.ok(cwd.length > 260)
      writeFileSync(join(cwd, 'a b.txt'), text)
      const run = await collect(query({ prompt: 'Größe?', options: { ...options, cwd } }))
      assert.ok(run.result?.subtype === 'success')
      assert.equal(run.result.result, 'Größe: 日本語 🎉')
      assert.equal(toolResults(run.messages)[1]?.isError, false)
      assert.equal(readFileSync(join(cwd, 'a b.txt'), 'utf8'), text.replace('zweite', 'dritte'))
    })
  }
})
