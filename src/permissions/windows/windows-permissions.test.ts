import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { PathFinderFiles } from '../path-finder.js'
import type { PermissionOptions } from '../permission-engine.js'
import { createPermissionsForSystem } from './windows-permissions.js'

const STAT = { size: 0, mtimeMs: 0, links: 1, mode: 0o755, dev: 1, ino: 1, uid: 0 }

/** A disk that takes every case: paths as Windows writes them, in capitals; links by theirs. */
function disk(existing: readonly string[], links: Readonly<Record<string, string>> = {}): PathFinderFiles {
  const names = new Set(['C:\\', 'D:\\', ...existing, ...Object.keys(links)].map((path) => path.toUpperCase()))
  const target = (path: string) =>
    Object.entries(links).find(([from]) => from.toUpperCase() === path.toUpperCase())?.[1]
  return {
    lstat: async (path) => {
      const there =
        names.has(path.toUpperCase()) || [...names].some((name) => name.startsWith(`${path.toUpperCase()}\\`))
      return there ? { ...STAT, kind: target(path) === undefined ? 'directory' : 'symlink' } : undefined
    },
    readLink: async (path) => target(path) ?? '',
    // As GetFinalPathNameByHandle answers: long names, the case that is on the disk.
    realpath: async (path) => path.replace(/SECRET~1/i, 'secretfolder'),
  }
}

function windows(options: Partial<PermissionOptions> & { mode?: PermissionMode } = {}) {
  return createPermissionsForSystem('win32', {
    files: disk(['C:\\repo\\src', 'C:\\repo\\SECRET~1', 'C:\\Users\\ada'], {
      'C:\\repo\\away': '\\??\\D:\\elsewhere',
      'C:\\repo\\near': '.\\src',
      'C:\\repo\\back': '\\??\\C:\\repo\\src',
    }),
    cwd: 'C:\\repo',
    home: 'C:\\Users\\ada',
    mode: 'default',
    allowBypass: true,
    ...options,
  })
}

const read = (permissions: ReturnType<typeof windows>, path: string) =>
  permissions
    .decide({ id: 't', name: 'Read', input: { file_path: path } }, { kind: 'read', paths: [path] })
    .then(({ behavior }) => behavior)
const edit = (permissions: ReturnType<typeof windows>, path: string) =>
  permissions
    .decide({ id: 't', name: 'Write', input: { file_path: path } }, { kind: 'edit', path })
    .then(({ behavior }) => behavior)
const bash = (permissions: ReturnType<typeof windows>, command: string) =>
  permissions
    .decide({ id: 't', name: 'Bash', input: { command } }, { kind: 'command', command, cwd: 'C:\\repo' })
    .then(({ behavior }) => behavior)

async function all(judge: (path: string) => Promise<string>, paths: readonly string[]) {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await judge(path)])))
}
const every = (paths: readonly string[], answer: string) => Object.fromEntries(paths.map((path) => [path, answer]))

/** One file, in all the ways that Windows opens it. */
const ENV = [
  ...['C:\\repo\\.env', 'c:\\REPO\\.ENV', 'C:/repo/.env', '.env', '.\\src\\..\\.env', '\\repo\\.env', '/repo/.env'],
  ...['\\\\?\\C:\\repo\\.env', '\\\\.\\C:\\repo\\.env', 'C:\\repo\\.env.', 'C:\\repo\\.env ', 'C:\\repo\\.env::$DATA'],
  ...['C:\\repo\\.env:hidden', 'C:\\repo\\.\\.env', 'C:\\repo.\\.env'],
]

test('a deny rule, however it is written, holds for every spelling of the file, in every mode', async () => {
  for (const rule of [
    'Read(./.env)',
    'Read(C:\\repo\\.env)',
    'Read(c:/repo/.env)',
    'Read(//c/repo/.env)',
    'Read(.env)',
  ]) {
    for (const mode of ['default', 'bypassPermissions'] as const) {
      const permissions = windows({ deny: [rule], mode })
      assert.deepEqual(await all((path) => read(permissions, path), ENV), every(ENV, 'deny'), `${rule} ${mode}`)
      assert.equal(await edit(permissions, 'C:\\REPO\\.Env'), 'deny')
      assert.equal(await read(permissions, 'C:\\repo\\src\\a.ts'), 'allow')
    }
  }
  const share = windows({ deny: ['Read(\\\\server\\share\\**)'], mode: 'bypassPermissions' })
  const spelled = ['\\\\server\\share\\a', '//SERVER/Share/a', '\\\\?\\UNC\\server\\share\\a']
  assert.deepEqual(await all((path) => read(share, path), spelled), every(spelled, 'deny'))
  assert.equal(await read(share, '\\\\other\\share\\a'), 'allow')
})

test('short names are the long ones where the disk knows, and asked about where it does not', async () => {
  const permissions = windows({ deny: ['Read(./secretfolder/**)'] })
  assert.equal(await read(permissions, 'C:\\repo\\SECRET~1\\key'), 'deny')
  assert.equal(await read(permissions, 'C:\\repo\\OTHER~1\\key'), 'ask')
})

test('the working directory: what is in it is read, edited where edits are accepted; what is not asks, links included', async () => {
  const permissions = windows({ mode: 'acceptEdits' })
  const inside = [
    'C:\\repo\\src\\a.ts',
    'src/a.ts',
    'c:\\repo\\new.txt',
    'C:\\repo\\near\\a.ts',
    'C:\\repo\\back\\a.ts',
  ]
  const outside = [
    'C:\\Users\\ada\\x',
    'D:\\repo\\a',
    '\\Users\\x',
    'C:\\repository\\x',
    'C:\\repo\\..\\x',
    'C:\\repo\\away\\x',
    '\\\\server\\c\\x',
  ]
  const doubtful = [
    'C:\\repo\\nul',
    'C:\\repo\\a.txt:s',
    'C:\\repo\\PROGRA~1',
    '\\\\localhost\\C$\\repo\\a',
    '\\\\.\\pipe\\x',
    'C:a.txt',
  ]
  for (const judge of [read, edit]) {
    assert.deepEqual(await all((path) => judge(permissions, path), inside), every(inside, 'allow'))
    const asked = [...outside, ...doubtful]
    assert.deepEqual(await all((path) => judge(permissions, path), asked), every(asked, 'ask'))
  }
})

test('allow rules and added folders in either spelling; what is suggested is what Windows calls it', async () => {
  const permissions = windows({ allow: ['Read(D:\\data\\**)', 'Edit(//d/out/**)'], directories: ['D:\\more'] })
  assert.deepEqual(permissions.directories(), ['C:\\repo', 'D:\\more'])
  assert.equal(await read(permissions, 'd:\\DATA\\deep\\x'), 'allow')
  assert.equal(await edit(permissions, 'D:\\out\\x'), 'allow')
  assert.equal(await read(permissions, 'D:\\more\\x'), 'allow')
  const decision = await permissions.decide({ id: 't', name: 'Write', input: {} }, { kind: 'edit', path: 'D:\\new\\x' })
  assert.ok('suggestions' in decision)
  const folders = (decision.suggestions ?? []).flatMap((update) => ('directories' in update ? update.directories : []))
  assert.deepEqual(folders, ['D:\\new'])
  assert.deepEqual(await permissions.apply(decision.suggestions ?? []), [])
  assert.equal(await read(permissions, 'D:\\new\\y'), 'allow')
})

test('commands of Git Bash: reading in the folder runs, every spelling that may be another file asks', async () => {
  const permissions = windows()
  const fine = ['cat src/a.ts', 'ls', 'git status', 'cat /c/repo/src/a.ts', 'grep -r needle src 2> /dev/null']
  assert.deepEqual(await all((command) => bash(permissions, command), fine), every(fine, 'allow'))
  const asked = [
    ...['cat C:/Users/ada/key', "cat 'C:\\Users\\ada\\key'", 'cat "\\\\server\\share\\x"', 'cat //server/share/x'],
    ...['cat /tmp/x', 'cat /etc/passwd', 'cat SECRET~1/key', 'cat .env::\\$DATA', 'cat a.txt:hidden', 'cat nul'],
    ...[
      'cat .env.',
      'cat /c/Users/ada/key',
      'ls d:',
      'cat "C":/Users/ada/key',
      'cat C\\:/Users/ada/key',
      'x=C; cat $x:/key',
    ],
  ]
  assert.deepEqual(await all((command) => bash(permissions, command), asked), every(asked, 'ask'))
  // Where files are denied, doubt asks in every mode; where none are, the mode says what it says.
  const denying = windows({ deny: ['Read(~/key)'], mode: 'bypassPermissions' })
  const open = windows({ mode: 'bypassPermissions' })
  assert.deepEqual(
    [await bash(denying, 'cat C:/Users/ada/key'), await bash(denying, 'cat /c/Users/ada/key')],
    ['ask', 'deny'],
  )
  assert.equal(await bash(open, 'cat C:/Users/ada/key'), 'allow')
})

test('a search may begin elsewhere by its pattern', async () => {
  const glob = (input: Record<string, unknown>) =>
    windows()
      .decide({ id: 't', name: 'Glob', input }, { kind: 'read', paths: ['C:\\repo'] })
      .then(({ behavior }) => behavior)
  assert.equal(await glob({ pattern: 'src\\*.ts' }), 'allow')
  assert.equal(await glob({ pattern: 'D:\\secrets\\*' }), 'ask')
  assert.equal(await glob({ pattern: '*.ts', path: 'C:\\repo\\src' }), 'allow')
})

test('a search leaves out what is denied, by the names the search uses', async () => {
  const denied = await windows({ deny: ['Read(C:\\repo\\src\\*.key)'] }).deniedInside('C:\\repo')
  assert.deepEqual([denied?.('C:\\repo\\src\\a.KEY'), denied?.('C:\\repo\\src\\a.ts')], [true, false])
})

test('elsewhere names differ by case on Linux alone; a workspace that is no Windows is judged as what it is', async () => {
  const files = { lstat: async () => undefined, readLink: async () => '' }
  const made = (os: string) =>
    createPermissionsForSystem(os, {
      files,
      cwd: '/repo',
      home: '/home/ada',
      mode: 'default',
      allowBypass: false,
      deny: ['Read(./.env)'],
    })
  const answers = await Promise.all(['linux', 'darwin', 'win32'].map((os) => read(made(os), '/repo/.ENV')))
  assert.deepEqual(answers, ['allow', 'deny', 'deny'])
})
