import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakePathFiles, createTestPermissions, decisionOnBash } from '../test-engine.js'
import { PlantedProgramFinder } from './planted-programs.js'

const files = createFakePathFiles(
  ['/repo/node_modules/.bin/cat', '/usr/bin/cat', '/usr/bin/ls', '/open/ls', '/srv/real/bin/ls'],
  { '/opt/bin': '/srv/real/bin' },
)
const withOpen = {
  ...files,
  lstat: async (path: string) => {
    const stat = await files.lstat(path)
    return stat && path === '/open' ? { ...stat, mode: 0o777 } : stat
  },
}
const planted = (path: string | undefined, name: string, directories = ['/repo']) =>
  new PlantedProgramFinder(withOpen, () => path).mayBePlanted(name, directories)

test('a program of that name in a working directory, or where anybody may write', async () => {
  assert.equal(await planted('/usr/bin:/bin', 'cat'), false)
  assert.equal(await planted('/repo/node_modules/.bin:/usr/bin', 'cat'), true)
  // Wherever it stands in PATH: what comes first for one program may be missing for another.
  assert.equal(await planted('/usr/bin:/repo/node_modules/.bin', 'cat'), true)
  assert.equal(await planted('/repo/node_modules/.bin:/usr/bin', 'ls'), false)
  assert.equal(await planted('/open:/usr/bin', 'ls'), true)
  assert.equal(await planted('/open:/usr/bin', 'cat'), false)
})

test('a script needs more programs than itself', async () => {
  const withNode = createFakePathFiles(['/repo/bin/node', '/usr/bin/npm'])
  assert.equal(
    await new PlantedProgramFinder(withNode, () => '/repo/bin:/usr/bin').mayBePlanted('npm', ['/repo']),
    true,
  )
  assert.equal(await new PlantedProgramFinder(withNode, () => '/usr/bin').mayBePlanted('npm', ['/repo']), false)
})

test('a shim runs what a file of the project names', async () => {
  const shims = new PlantedProgramFinder(
    createFakePathFiles(['/home/u/.asdf/shims/node', '/home/u/shims-not/node']),
    () => path,
  )
  let path = '/home/u/.asdf/shims:/usr/bin'
  assert.equal(await shims.mayBePlanted('node', ['/repo']), true)
  assert.equal(await shims.mayBePlanted('cat', ['/repo']), false)
  path = '/home/u/.asdf/shims/'
  assert.equal(await shims.mayBePlanted('node', ['/repo']), true)
  path = '/home/u/shims-not'
  assert.equal(await shims.mayBePlanted('node', ['/repo']), false)
})

test('a folder behind a link is judged by where it leads', async () => {
  assert.equal(await planted('/opt/bin', 'ls', ['/srv/real']), true)
  assert.equal(await planted('/opt/bin', 'ls', ['/repo']), false)
})

test('the whole disk is no project', async () => {
  assert.equal(await planted('/usr/bin', 'cat', ['/']), false)
  assert.equal(await planted('/usr/bin', 'cat', ['/', '/usr']), true)
})

test('relative parts do not count, because commands run without them; no PATH is none', async () => {
  assert.equal(await planted(':.:node_modules/.bin:/usr/bin', 'cat'), false)
  assert.equal(await planted(undefined, 'cat'), false)
  assert.equal(await planted('', 'cat'), false)
})

test('what it looked at once it knows; what PATH is, it asks each time', async () => {
  let looks = 0
  let path = '/usr/bin'
  const counting = {
    ...files,
    lstat: (at: string) => {
      if (at === '/usr/bin') looks += 1
      return files.lstat(at)
    },
  }
  const searchPath = new PlantedProgramFinder(counting, () => path)
  for (let i = 0; i < 5; i += 1) assert.equal(await searchPath.mayBePlanted('cat', ['/repo']), false)
  const first = looks
  await searchPath.mayBePlanted('ls', ['/repo'])
  assert.equal(looks, first)
  path = '/repo/node_modules/.bin'
  assert.equal(await searchPath.mayBePlanted('cat', ['/repo']), true)
})

test('then it is asked about in every mode; a rule for it is a rule', async () => {
  const given = { present: ['/repo/bin/cat', '/repo/bin/touch', '/repo/a'], searchPath: () => '/repo/bin:/usr/bin' }
  assert.equal(await decisionOnBash(createTestPermissions(given), 'cat a'), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions(given), 'ls a'), 'allow')
  assert.equal(await decisionOnBash(createTestPermissions({ ...given, mode: 'plan' }), 'cat a'), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions({ ...given, mode: 'acceptEdits' }), 'touch a'), 'ask')
  assert.equal(await decisionOnBash(createTestPermissions({ ...given, mode: 'acceptEdits' }), 'rm a'), 'allow')
  assert.equal(await decisionOnBash(createTestPermissions({ ...given, mode: 'dontAsk' }), 'timeout 5 cat a'), 'deny')
  assert.equal(await decisionOnBash(createTestPermissions({ ...given, allow: ['Bash(cat:*)'] }), 'cat a'), 'allow')
})
