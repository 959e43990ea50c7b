/** The 200 most common command lines that only look, put to the engine in a repository as people have them: how many ask? */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { explainPermission } from '../../src/index.js'

/** A project on a real disk, with its git repository, what it has installed, and nothing odd. */
const PROJECT: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "version": "1.2.3", "scripts": { "test": "node --test" }, "dependencies": {} }\n',
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n',
  'README.md': '# Shop\n\nSells things, v1.2.3.\n',
  Makefile: 'build:\n\ttsc\n\ntest: build\n\tnode --test\n',
  '.gitignore': '# made by programs\nnode_modules\nlogs\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'src/index.ts': "import { foo } from './lib/util.js'\n\nexport default foo()\n",
  'src/app.ts': 'export function main(): void {}\n',
  'src/lib/util.ts': 'export function foo(): number {\n  return 1 // TODO\n}\n',
  'test/app.test.ts': "import '../src/app.js'\n",
  'config/app.yaml': 'name: shop\nport: 8080\n',
  'data/users.json': '[{ "id": 1, "name": "ada", "active": true }]\n',
  'data/sales.csv': 'day,item,price\nmonday,apple,3\n',
  'logs/app.log': 'INFO started\nERROR lost\n',
  'node_modules/typescript/bin/tsc': '#!/usr/bin/env node\n',
  'node_modules/typescript/package.json': '{ "name": "typescript", "version": "6.0.0" }\n',
}

export function makeProject(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-common-')))
  for (const [path, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, 'node_modules/.bin'))
  symlinkSync('../typescript/bin/tsc', join(root, 'node_modules/.bin/tsc'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'A shop')
  return root
}

export type CommonCommands = { total: number; asking: string[] }

/** `list`: a file of the fixtures, one command line a line. */
export async function judgeCommonCommands(fixture = 'common-commands.txt'): Promise<CommonCommands> {
  const list = readFileSync(new URL(`./fixtures/${fixture}`, import.meta.url), 'utf8')
  const commands = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const cwd = makeProject()
  try {
    const asking: string[] = []
    for (const command of commands) {
      const { behavior } = await explainPermission({ tool: 'Bash', input: { command }, cwd, home: '/home/ada' })
      if (behavior !== 'allow') asking.push(command)
    }
    return { total: commands.length, asking }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
