/** Machines as folders, files as a table of what is in them, and processes that save until they are killed. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createWorkspaces, type WorkspaceOptions } from './create-workspaces.js'
import type { SnapshotIndex, WorkspaceSession, WorkspaceSpec } from './session-workspace.js'

export function createTestFolder() {
  const path = mkdtempSync(join(tmpdir(), 'kedge-workspace-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

export const WORKSPACE_TEST_ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  KEDGE_SECRET_ID: 'AKIDEXAMPLE',
  KEDGE_SECRET_KEY: 'a secret of tests',
}

export function createTestWorkspace(
  folder: string,
  name: string,
  index: SnapshotIndex,
  more: Partial<WorkspaceOptions> = {},
) {
  return createWorkspaces({ name, root: join(folder, name), index, environment: WORKSPACE_TEST_ENVIRONMENT, ...more })
}

export function createTestWorkspaceSession(workspace: WorkspaceSpec, epoch = 1, session = 'S-1'): WorkspaceSession {
  return { tenant: 'acme', session, epoch, workspace }
}

/** A text is a file, with `!` before it one that can be run; after `-> ` where a link leads. Null removes. */
export type TestFiles = Record<string, string | null>

export function writeTestFiles(folder: string, files: TestFiles): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path)
    rmSync(place, { recursive: true, force: true })
    if (content === null) continue
    mkdirSync(dirname(place), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), place)
    else writeFileSync(place, content.replace(/^!/, ''))
    if (content.startsWith('!')) chmodSync(place, 0o755)
  }
}

/** A character of a name is a byte. */
export function readTestFiles(folder: string, below = ''): TestFiles {
  const all: TestFiles = {}
  const at = (path: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])
  for (const name of readdirSync(at(below), 'latin1').sort()) {
    if (name === '.git') continue
    const path = below === '' ? name : `${below}/${name}`
    const stat = lstatSync(at(path))
    if (stat.isDirectory()) Object.assign(all, readTestFiles(folder, path))
    else if (stat.isSymbolicLink()) all[path] = `-> ${readlinkSync(at(path))}`
    else all[path] = `${stat.mode & 0o100 ? '!' : ''}${readFileSync(at(path), 'latin1')}`
  }
  return all
}

/** All files say which version they are of: what is found must be of one. */
export const VERSIONED_TEST_PATHS = Array.from({ length: 12 }, (_, n) => `part-${n % 3}/file-${n}.txt`)

export function testFilesOfVersion(n: number): TestFiles {
  const files = Object.fromEntries(VERSIONED_TEST_PATHS.map((path) => [path, `${n} `.repeat(1000)]))
  // Names that come and go.
  return { ...files, [`only-${n}.txt`]: `${n}`, [`only-${n - 1}.txt`]: null }
}

/** Saves version after version, until it is killed. `pid` is its group: what it started is killed with it, or not. */
export function startEndlessSaving(settings: {
  root: string
  name: string
  place: WorkspaceSession
  from: number
  url?: string
}) {
  const script = join(import.meta.dirname, 'test-save-forever.js')
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    says: async (): Promise<string | undefined> => (await lines.next()).value,
    kill: () => child.kill('SIGKILL'),
    gone: new Promise((done) => child.once('close', done)),
  }
}
