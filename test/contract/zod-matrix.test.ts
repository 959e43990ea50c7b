/** A program with tools compiles with either zod, however modules are resolved, and with little work for the checker. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = process.cwd()
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
/** Zod 3 alone needs some 22,000; what compares two declarations of it needs millions. */
const MOST_INSTANTIATIONS = 60_000

const PROGRAM = `import { createSdkMcpServer, tool } from 'kedge'
import { z } from 'zod'

const shape = { a: z.number(), b: z.number().optional(), c: z.array(z.object({ d: z.string().min(1) })) }
const add = tool('add', 'Adds', shape, async ({ a, b, c }) => {
  const sum: number = a + (b ?? 0)
  const first: string | undefined = c[0]?.d
  // @ts-expect-error it is a number
  const wrong: string = a
  return { content: [{ type: 'text', text: \`\${sum} \${first} \${wrong}\` }] }
})
export const server = createSdkMcpServer({ name: 'calc', tools: [add] })
`

const WAYS = [
  { resolution: 'node10', module: 'commonjs', file: 'program.ts' },
  { resolution: 'node10', module: 'esnext', file: 'program.ts' },
  { resolution: 'node16', module: 'node16', file: 'program.mts' },
  { resolution: 'nodenext', module: 'nodenext', file: 'program.cts' },
  { resolution: 'bundler', module: 'esnext', file: 'program.ts' },
]

/** One of each zod and each resolution; `npm run test:long` compiles them all. */
const isOften = (zod: string, way: (typeof WAYS)[number]) =>
  process.env['KEDGE_LONG'] !== undefined || WAYS.indexOf(way) % 2 === (zod === 'zod3' ? 0 : 1)

function compile(zod: string, { resolution, module, file }: (typeof WAYS)[number]): Promise<string> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-zod-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'kedge'), { recursive: true })
  mkdirSync(join(modules, '@types'))
  cpSync(join(root, 'dist', 'index.d.ts'), join(modules, 'kedge', 'dist', 'index.d.ts'))
  cpSync(join(root, 'package.json'), join(modules, 'kedge', 'package.json'))
  symlinkSync(join(root, 'node_modules', zod), join(modules, 'zod'))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'))
  writeFileSync(join(folder, file), PROGRAM)
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--extendedDiagnostics']
  const args = [compiler, ...flags, '--module', module, '--moduleResolution', resolution, file]
  return new Promise((resolve) => {
    // What never ends is ended: there is no count then.
    execFile(process.execPath, args, { cwd: folder, timeout: 240_000 }, (_, stdout) => {
      rmSync(folder, { recursive: true })
      resolve(stdout)
    })
  })
}

describe('a program with tools compiles', { concurrency: 2 }, () => {
  for (const zod of ['zod3', 'zod']) {
    for (const way of WAYS.filter((one) => isOften(zod, one))) {
      it(`with ${zod}, ${way.resolution}, ${way.module}`, async () => {
        const said = await compile(zod, way)
        assert.doesNotMatch(said, /error TS/)
        const count = Number(/^Instantiations:\s+(\d+)/m.exec(said)?.[1] ?? Number.NaN)
        assert.ok(count < MOST_INSTANTIATIONS, `${count} instantiations`)
      })
    }
  }
})
