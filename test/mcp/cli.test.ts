/** `kedge mcp`: what people type, and the files it leaves. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sampledTest as test } from '../support/tier.js'

const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const program = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))

class Place implements Disposable {
  readonly root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-mcp-cli-'))
  readonly cwd = join(this.root, 'project')
  readonly home = join(this.root, 'home')
  readonly own = join(this.home, '.claude.json')
  readonly shared = join(this.cwd, '.mcp.json')

  constructor() {
    for (const folder of [this.cwd, this.home]) mkdirSync(folder)
  }

  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { PATH: process.env['PATH'], HOME: this.home, XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] }
    return new Promise((resolve) => {
      execFile(process.execPath, [cli, 'mcp', ...args], { cwd: this.cwd, env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      )
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true })
  }
}

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('kedge mcp', () => {
  test('kedge mcp add, list, get and remove: in all three scopes, and nothing else in the files changes', async () => {
    using place = new Place()
    writeFileSync(place.own, '{\n\t"numStartups": 7,\n\t"projects": {"/elsewhere": {"allowedTools": []}}\n}\n', {
      mode: 0o600,
    })
    const added = await place.run('add', 'files', '--', 'npx', '-y', 'some-server', '--flag')
    assert.deepEqual([added.code, added.stderr], [0, ''])
    await place.run('add', '-s', 'user', '--header', 'Authorization: Bearer secret-1', 'far', 'https://far.example/mcp')
    await place.run('add', '--scope=project', '-e', 'TOKEN=secret-2', '--timeout', '5000', 'both', 'node', 'x.js', '-e')
    await place.run('add-json', 'both', '{"command":"node"}')
    assert.deepEqual(json(place.own), {
      numStartups: 7,
      projects: {
        '/elsewhere': { allowedTools: [] },
        [place.cwd]: {
          mcpServers: {
            files: { type: 'stdio', command: 'npx', args: ['-y', 'some-server', '--flag'] },
            both: { command: 'node' },
          },
        },
      },
      mcpServers: {
        far: { type: 'http', url: 'https://far.example/mcp', headers: { Authorization: 'Bearer secret-1' } },
      },
    })
    assert.match(readFileSync(place.own, 'utf8'), /^\{\n\t"numStartups": 7,/)
    assert.equal(statSync(place.own).mode & 0o777, 0o600)
    const both = { type: 'stdio', command: 'node', args: ['x.js', '-e'], env: { TOKEN: 'secret-2' }, timeout: 5000 }
    assert.deepEqual(json(place.shared), { mcpServers: { both } })

    const list = { stdout: (await place.run('get', 'files')).stdout }
    const got = (await place.run('get', 'far')).stdout + (await place.run('get', 'both')).stdout
    assert.match(got, /headers: Authorization \(values not shown\)/)
    assert.match(got, /env: TOKEN \(values not shown\)/)
    assert.doesNotMatch(got + list.stdout, /secret/)

    const unclear = await place.run('remove', 'both')
    assert.deepEqual([unclear.code, unclear.stdout], [1, ''])
    assert.match(
      unclear.stderr,
      /Choose one: kedge mcp remove --scope local both, kedge mcp remove --scope project both/,
    )
    assert.equal((await place.run('remove', '-s', 'project', 'both')).code, 0)
    assert.equal((await place.run('remove', 'both')).code, 0)
    assert.deepEqual(json(place.shared), { mcpServers: {} })
    assert.equal((await place.run('remove', 'both')).code, 1)
  })

  test('kedge mcp list: the lines programs read, with names alone, and nothing of a folder that is not trusted is started', async () => {
    using place = new Place()
    await place.run('add', 'files', '--', 'node', program)
    await place.run('add', '-s', 'user', 'gone', '/nonexistent/server', '--flag')
    await place.run('add', '-s', 'user', 'files', 'other')
    await place.run('add', '-s', 'project', 'ours', '--', 'node', '-e', "require('fs').writeFileSync('started', '')")
    const { code, stdout, stderr } = await place.run('list')
    assert.deepEqual([code, stderr], [0, '\nRun `kedge mcp test gone` to see why, and what to do.\n'])
    assert.equal(
      stdout,
      `Checking MCP server health...

files: node ${program} - ✓ Connected
ours: node -e require('fs').writeFileSync('started', '') - ? Not started: this folder is not trusted
gone: /nonexistent/server --flag - ✗ Failed to connect
`,
    )
    assert.equal(existsSync(join(place.cwd, 'started')), false)
  })

  test('kedge mcp test: connects, says what it found, and leaves nothing running', async () => {
    using place = new Place()
    await place.run('add', 'st', process.execPath, program)
    await place.run('add', 'dead', '/nonexistent/bin')
    const good = await place.run('test', 'st')
    assert.deepEqual([good.code, good.stdout], [0, 'st is connected: stdio-fake 9.9.9\n2 tools:\n  echo\n  boom\n'])
    const bad = await place.run('test', 'dead')
    assert.equal(bad.code, 1)
    assert.match(
      bad.stdout,
      /^dead failed: the program \/nonexistent\/bin doesn't exist\.\nFix: correct `command` in .*\.claude\.json \(local\), or install it\.\n$/,
    )
    assert.equal((await place.run('test', 'nobody')).code, 1)
  })

  test('what makes no sense is refused and changes nothing', async () => {
    using place = new Place()
    for (const args of [
      ['add'],
      ['add', 'name'],
      ['add', 'a/b', 'node'],
      ['add', '__proto__ x', 'node'],
      ['add', '-s', 'nowhere', 'a', 'node'],
      ['add', '-t', 'ftp', 'a', 'node'],
      ['add', '--unknown', 'a', 'node'],
      ['add', '-e', 'novalue', 'a', 'node'],
      ['add', '-e', 'A=b', 'a', 'https://x.example/mcp'],
      ['add', '-H', 'A: b', 'a', 'node'],
      ['add', '-H', 'A: b\nC: d', 'a', 'https://x.example/mcp'],
      ['add', '--timeout', '5', 'a', 'node'],
      ['add', 'a', 'https://user:pass@x.example/mcp'],
      ['add-json', 'a', 'not json'],
      ['add-json', 'a', '{"type":"sdk","name":"a"}'],
      ['add-json', 'a', '{"type":"http"}'],
      ['get'],
      ['get', 'nobody'],
      ['nonsense'],
    ]) {
      const { code, stdout, stderr } = await place.run(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, /^error: ./, args.join(' '))
    }
    assert.throws(() => statSync(place.own), { code: 'ENOENT' })
    assert.throws(() => statSync(place.shared), { code: 'ENOENT' })
  })

  test('a file that is not JSON is left as it is', async () => {
    using place = new Place()
    for (const text of ['{ "mcpServers": ', '[]', '{"mcpServers":[]}', '\u0000']) {
      writeFileSync(place.shared, text)
      const { code, stderr } = await place.run('add', '-s', 'project', 'a', 'node')
      assert.equal(code, 1)
      assert.match(stderr, /^error: ./)
      assert.equal(readFileSync(place.shared, 'utf8'), text)
    }
  })

  test('many at once: every server is there', async () => {
    using place = new Place()
    const names = Array.from({ length: 8 }, (_, index) => `server-${index}`)
    const results = await Promise.all(names.map((name) => place.run('add', '-s', 'user', name, 'node')))
    assert.deepEqual(
      results.map(({ code }) => code),
      names.map(() => 0),
    )
    assert.deepEqual(Object.keys(json(place.own).mcpServers).sort(), names)
  })
})
