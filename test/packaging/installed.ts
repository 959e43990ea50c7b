/** The package as its users get it: packed, and installed by npm into an empty folder. */
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ModelServer, startModelServer } from 'kedge/testing'

export const run = promisify(execFile)

// This file runs from .build/test/packaging.
export const root = fileURLToPath(new URL('../../../', import.meta.url))
const fixtures = join(root, 'test/packaging/fixtures')

export type Installed = { folder: string; tarball: string; package: string; [Symbol.dispose](): void }

/** Without the optional parts, so that nothing is fetched. */
export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-installed-'))
  // For other users too.
  chmodSync(folder, 0o755)
  const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error'], { cwd })
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root)
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? packed.stdout)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', tarball], folder)
  cpSync(fixtures, folder, { recursive: true })
  return {
    folder,
    tarball,
    package: join(folder, 'node_modules/kedge'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** From the registry, beside the package. */
export async function fetchPackages({ folder }: Installed, ...packages: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--omit=dev', '--ignore-scripts', ...quiet, ...packages], { cwd: folder })
}

export function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** A turn that needs the shell, the disk and the search: parts that are loaded when they are first needed. */
export function modelFor(cwd: string): Promise<ModelServer> {
  const file_path = join(cwd, 'notes.txt')
  return startModelServer([
    { tools: [{ name: 'Write', input: { file_path, content: 'needle\n' } }] },
    {
      tools: [
        { name: 'Bash', input: { command: 'printf from; echo -bash >&2' } },
        { name: 'Edit', input: { file_path, old_string: 'needle', new_string: 'thread' } },
      ],
      expect: { toolResult: 'notes.txt' },
    },
    {
      tools: [{ name: 'Grep', input: { pattern: 'thread', path: cwd, output_mode: 'content' } }],
      expect: { toolResult: 'from-bash' },
    },
    { text: 'Done.', expect: { toolResult: 'thread' } },
  ])
}

export type Seen = {
  results: { subtype: string; result?: string }[]
  errors: unknown[]
  thrown?: { code: string; message: string }
}

/** Everything worked. */
export const WELL: Pick<Seen, 'results' | 'errors' | 'thrown'> = {
  results: [{ subtype: 'success', result: 'Done.' }],
  errors: [],
}

/** An empty folder to work in and an empty home. */
export function place(parent: string, name: string): { cwd: string; env: Record<string, string> } {
  const [cwd, home] = [join(parent, name, 'work'), join(parent, name, 'home')]
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true })
  return { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: tmpdir() } }
}
