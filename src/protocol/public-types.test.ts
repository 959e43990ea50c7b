import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

// This file runs from .build/src/protocol.
const protocol = fileURLToPath(new URL('../../../src/protocol/', import.meta.url))

test('no exported type of a public module is left out', async () => {
  const text = await readFile(`${protocol}public-types.ts`, 'utf8')
  const blocks = [...text.matchAll(/export type \{([^}]*)\} from '\.\/((?:later\/)?[\w-]+)\.js'/g)]
  assert.equal(blocks.length, 16)
  for (const [, list = '', name = ''] of blocks) {
    const module = await readFile(`${protocol}${name}.ts`, 'utf8')
    const declared = [...module.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, type]) => type)
    assert.deepEqual(list.match(/\w+/g)?.sort(), declared.sort(), name)
  }
})

test('the protocol compiles where there is no Node, only what browsers have', async (t) => {
  assert.deepEqual(await compileForBrowsers(t, [join(protocol, '*.ts')]), [])
})

test('what only Node has would be noticed there', async (t) => {
  const text = "import type { Readable } from 'node:stream'\nexport type A = Readable | Buffer | NodeJS.Signals\n"
  const problems = (await compileForBrowsers(t, ['*.ts'], text)).join('\n')
  for (const name of ['node:stream', 'Buffer', 'NodeJS']) assert.match(problems, new RegExp(`error .*'${name}'`))
})

/** The compiler's complaints. `text` is a file of its own in the project. */
async function compileForBrowsers(t: TestContext, include: string[], text = ''): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kedge-browser-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  }
  await writeFile(join(folder, 'own.ts'), text)
  const exclude = [join(protocol, '*.test.ts')]
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude }))
  const compiler = join(protocol, '../../node_modules/typescript-native/bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', folder], (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '')
      resolve(error && lines.length === 0 ? [error.message] : lines)
    })
  })
}
