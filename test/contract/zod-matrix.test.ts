/** A program with tools compiles with either zod, however modules are resolved, and with little work for the checker. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import ts from 'typescript'

const root = process.cwd()
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

/** The project of one zod: the built package as it would be installed, beside that zod. */
function projectWith(zod: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-zod-'))
  after(() => rmSync(folder, { recursive: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'kedge'), { recursive: true })
  mkdirSync(join(modules, '@types'))
  cpSync(join(root, 'dist', 'index.d.ts'), join(modules, 'kedge', 'dist', 'index.d.ts'))
  cpSync(join(root, 'package.json'), join(modules, 'kedge', 'package.json'))
  symlinkSync(join(root, 'node_modules', zod), join(modules, 'zod'))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'))
  for (const { file } of WAYS) writeFileSync(join(folder, file), PROGRAM)
  return folder
}

/** Files that were parsed, by how: most are the same for all programs, and take most of the time. */
const parsed = new Map<string, ts.SourceFile | undefined>()

function compile(folder: string, { resolution, module, file }: (typeof WAYS)[number]) {
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022']
  const { options, fileNames, errors } = ts.parseCommandLine([
    ...[...flags, '--module', module, '--moduleResolution', resolution],
    join(folder, file),
  ])
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getCurrentDirectory = () => folder
  host.getSourceFile = (path, how, ...more) => {
    const format = typeof how === 'object' ? [how.languageVersion, how.impliedNodeFormat] : [how]
    const key = [path, ...format].join(' ')
    if (!parsed.has(key)) parsed.set(key, getSourceFile(path, how, ...more))
    return parsed.get(key)
  }
  const program = ts.createProgram({ rootNames: fileNames, options, host })
  const said = [...errors, ...ts.getPreEmitDiagnostics(program)]
  return {
    errors: said.map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
    instantiations: program.getInstantiationCount(),
  }
}

describe('a program with tools compiles', () => {
  for (const zod of ['zod3', 'zod']) {
    const folder = projectWith(zod)
    for (const way of WAYS.filter((one) => isOften(zod, one))) {
      it(`with ${zod}, ${way.resolution}, ${way.module}`, () => {
        const { errors, instantiations } = compile(folder, way)
        assert.deepEqual(errors, [])
        assert.ok(instantiations > 0 && instantiations < MOST_INSTANTIATIONS, `${instantiations} instantiations`)
      })
    }
  }
})
