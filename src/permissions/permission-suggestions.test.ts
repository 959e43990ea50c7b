import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { dirname, isInside } from '../platform/paths.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { createPermissions } from './permission-engine.js'
import { bashCall, createFakePathFiles } from './test-engine.js'

const TIMES = byTier({ quick: 0.25, all: 1, long: 50 })

type Call = [EngineCall, PermissionFacts]

/** What stands on the disk; the rest of a path that ends in `.txt` is a file, all others are folders. */
const FOLDERS = [
  '/etc/ssl',
  '/home/u/notes',
  '/home/other',
  '/root',
  '/srv/data/deep',
  '/tmp/x',
  '/repo/src',
  '/var/log',
]
const FILES = ['/etc/a.txt', '/a.txt', '/home/u/a.txt', '/srv/data/a.txt', '/repo/a.txt', '/repo/src/a.txt']
const LINKS = { '/repo/link': '/etc', '/srv/up': '/', '/srv/home': '/home/u', '/srv/data/sub': '/srv/data/deep' }
const links = createFakePathFiles([...FOLDERS, ...FILES], LINKS)

function engine() {
  const lstat: typeof links.lstat = async (path) => {
    const found = await links.lstat(path)
    return found && path.endsWith('.txt') ? { ...found, kind: 'file' } : found
  }
  return createPermissions({
    files: { ...links, lstat },
    cwd: '/repo',
    home: '/home/u',
    mode: 'default',
    allowBypass: false,
  })
}

/** Where a path leads, told without the code under test: of links there are only those above. */
function leads(path: string): string {
  const [link, target] = Object.entries(LINKS).find(([name]) => isInside(path, name)) ?? ['', '']
  return link === '' ? path : `${target}${path.slice(link.length)}`.replace('//', '/') || '/'
}

const tool = (name: string, path: string): Call => [
  { id: 't', name, input: { [name === 'Read' || name === 'Write' ? 'file_path' : 'path']: path, pattern: 'x' } },
  name === 'Write' ? { kind: 'edit', path } : { kind: 'read', paths: [path] },
]

async function suggested([call, facts]: Call) {
  const decision = await engine().decide(call, facts)
  return decision.behavior === 'ask' ? decision : undefined
}

/** As a person would say it. */
function inShort(updates: PermissionUpdate[] | undefined): string | undefined {
  return updates
    ?.map((update) => {
      if (update.type === 'setMode') return update.mode
      if (update.type === 'addDirectories') return `+${update.directories}`
      return 'rules' in update ? update.rules.map((rule) => `${rule.toolName}(${rule.ruleContent})`).join(' ') : '?'
    })
    .join(' ')
}

test('what is suggested covers the folder that was asked about, and nothing for a root, a home or a moved redirect', async () => {
  const observed: Record<string, string | undefined> = {
    'ls /etc': 'Read(//etc/**)',
    'ls /etc/a.txt': 'Read(//etc/**)',
    'cat /etc/a.txt': 'Read(//etc/**)',
    'ls /': '',
    'find / -name x': '',
    'ls ..': '',
    'ls ~': '',
    'ls /home': '',
    'ls /home/other': '',
    'cat ~/a.txt': '',
    'ls /nothing': '',
    'cd / && touch x': '',
    'cd /': '',
    'cd .. && touch x': '',
    'cd ../srv && touch x': 'Read(//srv/**)',
    'cd ../srv/data/deep && cd .. && ls': undefined,
    'cd ../srv/data && ls': 'Read(//srv/data/**)',
    'cd ../srv/data && make': 'Read(//srv/data/**) Bash(make)',
    'cd / && make': '',
    'cd src && touch x': 'acceptEdits',
    'cd src && echo x > y': undefined,
    'cd ../srv && echo x > y': undefined,
    'cd src && ls > /srv/data/list': undefined,
    'touch /x': '',
    'touch ~/x': '',
    'touch /srv/data/x': '+/srv/data acceptEdits',
    'mkdir -p src/x': 'acceptEdits',
    'rm -r /srv/data/deep': '+/srv/data/deep acceptEdits',
    'cp a.txt /srv/data': '+/srv/data acceptEdits',
    'cp a.txt /': '',
    'touch /srv/up/x': '',
    'touch /srv/home/x': '',
    'cat link/../a.txt': '',
  }
  const found: typeof observed = {}
  for (const command of Object.keys(observed))
    found[command] = inShort((await suggested(bashCall(command)))?.suggestions)
  assert.deepEqual(found, observed)
  const reasons = ['cd src && echo x > y', 'cd src && touch x'].map(
    async (command) => (await suggested(bashCall(command)))?.decisionReason,
  )
  assert.deepEqual(await Promise.all(reasons), [
    'The command changes its directory and redirects its output',
    'The command changes its directory before it writes',
  ])
  const files = [tool('Read', '/etc/a.txt'), tool('Grep', '/etc/a.txt'), tool('Grep', '/'), tool('Write', '/x.txt')]
  assert.deepEqual(
    await Promise.all(
      [...files, tool('Glob', '/srv/none')].map(async (call) => inShort((await suggested(call))?.suggestions)),
    ),
    ['Read(//etc/**)', 'Read(//etc/**)', '', '', 'Read(//srv/none/**)'],
  )
  const fetch = (url: string): Call => [
    { id: 't', name: 'WebFetch', input: { url } },
    { kind: 'fetch', url },
  ]
  assert.equal(inShort((await suggested(fetch('https://*.com/')))?.suggestions), '')
  const skill: Call = [{ id: 't', name: 'Skill', input: { skill: '*' } }, { kind: 'other' }]
  assert.equal(inShort((await suggested(skill))?.suggestions), 'Skill(\\*) Skill(\\*:*)')
})

test('what was suggested for a moved command settles the same question', async () => {
  for (const command of ['cd ../srv/data && ls', 'cd ../srv/data && make', 'cd src && touch x', 'ls /etc']) {
    const permissions = engine()
    const asked = await permissions.decide(...bashCall(command))
    await permissions.apply(asked.behavior === 'ask' ? (asked.suggestions ?? []) : [])
    assert.equal((await permissions.decide(...bashCall(command))).behavior, 'allow', command)
  }
})

/** Every folder there is, and a file in each that exists or not. */
const folders = [
  '/',
  '/home',
  '/srv',
  '/srv/up',
  '/srv/home',
  '/srv/data',
  '/srv/data/sub',
  '/repo/link',
  '/etc',
  '/home/u',
]
const everyFolder = [...new Set([...FOLDERS, ...folders])]
const everyFile = [...FILES, ...everyFolder.flatMap((folder) => [`${folder}/new.txt`.replace('//', '/')])]

const spellings = (path: string) => [
  path,
  `../${path}`.replace('//', '/'),
  ...(isInside(path, '/home/u') ? [`~${path.slice('/home/u'.length)}`] : []),
]

/** Calls with the folders they are about. */
const asked = fc.oneof(
  fc
    .constantFrom(...everyFolder)
    .chain((folder) =>
      fc
        .tuple(
          fc.constantFrom(...spellings(folder)),
          fc.constantFrom('/', ''),
          fc.constantFrom('ls', 'find', 'rm -r', 'cd', 'grep -r x'),
        )
        .map(([path, end, program]) => ({ call: bashCall(`${program} ${path}${end}`), scope: [folder] })),
    ),
  fc
    .constantFrom(...everyFile)
    .chain((file) =>
      fc
        .tuple(
          fc.constantFrom(...spellings(file)),
          fc.constantFrom('cat', 'touch', 'rm', 'echo x >', 'make < ', 'sed -i s/a/b/'),
        )
        .map(([path, program]) => ({ call: bashCall(`${program} ${path}`), scope: [dirname(file)] })),
    ),
  fc
    .tuple(
      fc.constantFrom(...everyFolder),
      fc.constantFrom('touch x', 'ls', 'cat a.txt', 'echo x > y', 'make', 'make && touch x'),
    )
    .chain(([folder, rest]) =>
      fc
        .constantFrom(...spellings(folder))
        .map((path) => ({ call: bashCall(`cd ${path} && ${rest}`), scope: [folder] })),
    ),
  fc
    .tuple(fc.constantFrom(...everyFile), fc.constantFrom('Read', 'Write', 'Grep'))
    .map(([path, name]) => ({ call: tool(name, path), scope: [dirname(path)] })),
  fc
    .tuple(fc.constantFrom(...everyFolder), fc.constantFrom('Grep', 'Glob'))
    .map(([path, name]) => ({ call: tool(name, path), scope: [path] })),
)

const probes: { call: Call; path: string; edits: boolean }[] = [
  ...everyFile.flatMap((path) => [
    { call: tool('Read', path), path, edits: false },
    { call: tool('Write', path), path, edits: true },
    { call: bashCall(`cat ${path}`), path, edits: false },
    { call: bashCall(`touch ${path}`), path, edits: true },
    { call: bashCall(`cd ${dirname(path)} && touch x`), path: dirname(path), edits: true },
  ]),
  ...everyFolder.flatMap((path) => [
    { call: bashCall(`ls ${path}`), path, edits: false },
    { call: tool('Grep', path), path, edits: false },
  ]),
]

test('applying any suggestion allows nothing outside the folder of the asked call, and of edits the working directory', async () => {
  const before = engine()
  let applied = 0
  await fc.assert(
    fc.asyncProperty(asked, async ({ call, scope }) => {
      const suggestions = (await suggested(call))?.suggestions ?? []
      if (suggestions.length === 0) return
      applied += 1
      const after = engine()
      assert.deepEqual(await after.apply(suggestions), [])
      for (const probe of probes) {
        if ((await after.decide(...probe.call)).behavior !== 'allow') continue
        const at = leads(probe.path)
        const isAsked = scope.some((folder) => isInside(at, leads(folder)))
        const isAccepted = probe.edits && isInside(at, '/repo')
        const was = (await before.decide(...probe.call)).behavior
        assert.ok(
          isAsked || isAccepted || was === 'allow',
          `${JSON.stringify(call)} allows ${JSON.stringify(probe.call)}`,
        )
      }
    }),
    { numRuns: 60 * TIMES },
  )
  assert.ok(applied > 10 * TIMES, `only ${applied} had suggestions`)
})

test('a rule for the very words of a command does not follow them into another folder', async () => {
  const permissions = engine()
  const allow = (toolName: string, ruleContent: string) => ({ toolName, ruleContent })
  const rules = [allow('Bash', 'touch x'), allow('Bash', 'make'), allow('Read', '//etc/**')]
  await permissions.apply([{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }])
  const answer = async (command: string) => (await permissions.decide(...bashCall(command))).behavior
  assert.deepEqual(await Promise.all(['touch x', 'cd /etc && touch x', 'cd src && make'].map(answer)), [
    'allow',
    'ask',
    'allow',
  ])
})
