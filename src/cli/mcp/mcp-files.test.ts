import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openTestTerminal, type TestTerminal } from '../test-terminal.js'
import { changeMcpServers, MCP_SCOPES, mcpConfigFile, readMcpServers } from './mcp-files.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

const put =
  (name: string, value: unknown = { command: 'x' }) =>
  (servers: Record<string, unknown>) => {
    servers[name] = value
    return true
  }

describe('where servers are kept', () => {
  it('depends on their scope', () => {
    const own = join(terminal.home, '.claude.json')
    assert.deepEqual(mcpConfigFile('project'), { path: join(terminal.project, '.mcp.json'), keys: ['mcpServers'] })
    assert.deepEqual(mcpConfigFile('user'), { path: own, keys: ['mcpServers'] })
    assert.deepEqual(mcpConfigFile('local'), { path: own, keys: ['projects', terminal.project, 'mcpServers'] })
  })

  it('moves with the configuration folder', () => {
    process.env.CLAUDE_CONFIG_DIR = '/home/ada/other'
    assert.equal(mcpConfigFile('user').path, '/home/ada/other/.claude.json')
  })
})

describe('servers', () => {
  it('are none where there is no file, or an empty one', async () => {
    for (const scope of MCP_SCOPES) assert.deepEqual(await readMcpServers(scope), {})
    terminal.write('project/.mcp.json', ' \n')
    assert.deepEqual(await readMcpServers('project'), {})
    assert.deepEqual(readdirSync(terminal.project), ['.mcp.json'])
  })

  it('of one scope are not those of another', async () => {
    for (const scope of MCP_SCOPES) await changeMcpServers(scope, put(scope))
    for (const scope of MCP_SCOPES) assert.deepEqual(await readMcpServers(scope), { [scope]: { command: 'x' } })
  })

  it('of a project of the same name as something built in are its own', async () => {
    terminal.write('home/.claude.json', { projects: { constructor: {} } })
    assert.deepEqual(await readMcpServers('local'), {})
  })

  const unreadable: [string, string, RegExp][] = [
    ['no JSON', '{', /JSON/],
    ['a list', '[]', /holds no JSON object/],
    ['servers that are a list', '{"mcpServers":[]}', /mcpServers isn't a JSON object/],
  ]
  for (const [name, content, problem] of unreadable) {
    it(`in a file with ${name} are an error, and the file stays as it is`, async () => {
      const path = terminal.write('project/.mcp.json', content)
      await assert.rejects(readMcpServers('project'), problem)
      await assert.rejects(changeMcpServers('project', put('a')), problem)
      assert.equal(readFileSync(path, 'utf8'), content)
    })
  }

  it('in a file that is a folder, or no text, are an error', async () => {
    mkdirSync(join(terminal.project, '.mcp.json'))
    await assert.rejects(readMcpServers('project'), /isn't a regular file/)
    const bytes = terminal.write('home/.claude.json', '')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(bytes, Buffer.from([0x7b, 0xff, 0x7d]))
    await assert.rejects(readMcpServers('user'))
  })
})

describe('a change', () => {
  it('leaves all else in the file as it is, in its order and with its indentation', async () => {
    const text = '{\n\t"numStartups": 7,\n\t"mcpServers": {\n\t\t"old": {}\n\t},\n\t"other": null\n}\n'
    const path = terminal.write('home/.claude.json', text)
    chmodSync(path, 0o640)
    assert.equal(await changeMcpServers('user', put('new', {})), path)
    assert.equal(
      readFileSync(path, 'utf8'),
      '{\n\t"numStartups": 7,\n\t"mcpServers": {\n\t\t"old": {},\n\t\t"new": {}\n\t},\n\t"other": null\n}\n',
    )
    assert.equal(statSync(path).mode & 0o777, 0o640)
    assert.deepEqual(readdirSync(terminal.home), ['.claude.json'], 'no lock and no half file stays')
  })

  it('makes a file of the user for the user alone, and one of the project for all', async () => {
    process.env.CLAUDE_CONFIG_DIR = join(terminal.home, 'deep', 'config')
    const own = await changeMcpServers('user', put('a'))
    assert.equal(statSync(own).mode & 0o777, 0o600)
    const shared = await changeMcpServers('project', put('a'))
    assert.notEqual(statSync(shared).mode & 0o044, 0)
    assert.equal(
      readFileSync(shared, 'utf8'),
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
    )
  })

  it('that changes nothing writes nothing', async () => {
    await changeMcpServers('project', () => false)
    assert.equal(existsSync(join(terminal.project, '.mcp.json')), false)
  })

  it('goes through a link to the file it names', async () => {
    const real = terminal.write('home/dotfiles/mcp.json', '{}')
    symlinkSync(real, join(terminal.project, '.mcp.json'))
    await changeMcpServers('project', put('a'))
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(real, 'utf8')).mcpServers), ['a'])
    assert.deepEqual(await readMcpServers('project'), { a: { command: 'x' } })
  })

  it('that comes between another is not lost', async () => {
    const path = terminal.write('home/.claude.json', '{"mcpServers":{}}')
    let tries = 0
    await changeMcpServers('user', (servers) => {
      tries += 1
      // Another program, which knows nothing of locks.
      if (tries === 1) terminal.write('home/.claude.json', '{"mcpServers":{"theirs":{}},"more":true}')
      servers['ours'] = {}
      return true
    })
    assert.equal(tries, 2)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { mcpServers: { theirs: {}, ours: {} }, more: true })
  })

  it('gives up on a file that never stands still', async () => {
    let tries = 0
    terminal.write('home/.claude.json', '{}')
    const changing = changeMcpServers('user', () => {
      tries += 1
      terminal.write('home/.claude.json', `{"n":${'1'.repeat(tries)}}`)
      return true
    })
    await assert.rejects(changing, { code: 'ESTALE' })
    assert.equal(tries, 5)
  })

  it('by many at once keeps what each put in', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `s${i}`)
    await Promise.all(names.map((name) => changeMcpServers('local', put(name))))
    assert.deepEqual(Object.keys(await readMcpServers('local')).sort(), names)
  })

  it('in a folder called __proto__ is one like any other', async () => {
    const folder = join(terminal.project, '__proto__')
    mkdirSync(folder)
    process.chdir(folder)
    await changeMcpServers('local', put('a'))
    assert.deepEqual(await readMcpServers('local'), { a: { command: 'x' } })
  })
})
