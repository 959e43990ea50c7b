/** A working directory, real tools guarded by checkpoints, and a session file: all a rewind needs, without a model. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPermissions } from '../../src/permissions/permission-engine.js'
import type { FileSystem } from '../../src/platform/files/files.js'
import type { RewindFilesResult } from '../../src/protocol/control.js'
import type { SDKFilesPersistedEvent } from '../../src/protocol/messages.js'
import {
  createSessionCheckpoints,
  type SessionCheckpointPorts,
  type SessionCheckpoints,
} from '../../src/runtime/tools/session-checkpoints.js'
import { createBashTool } from '../../src/tools/bash/bash.js'
import { editTool } from '../../src/tools/edit/edit.js'
import { notebookEditTool } from '../../src/tools/notebook-edit/notebook-edit.js'
import { readTool } from '../../src/tools/read/read.js'
import { createRegistry } from '../../src/tools/registry.js'
import { createTestContext } from '../../src/tools/test-context.js'
import { writeTool } from '../../src/tools/write/write.js'

export const SESSION = '11111111-2222-4333-8444-555555555555'

export type StageOptions = {
  files?: FileSystem
  persist?: boolean
  sessionId?: string
  directories?: string[]
  /** Of a stage before: the same folders and session file. */
  root?: string
}

export type Stage = Awaited<ReturnType<typeof createStage>>

export async function createStage(options: StageOptions = {}) {
  const root = options.root ?? realpathSync(mkdtempSync(join(tmpdir(), 'kedge-checkpoints-')))
  const cwd = join(root, 'work')
  const configDir = join(root, 'config')
  const sessionFile = join(root, 'session.jsonl')
  const sessionId = options.sessionId ?? SESSION
  mkdirSync(cwd, { recursive: true })
  const directories = [cwd, ...(options.directories ?? [])]
  const test = await createTestContext({ cwd, directories: () => directories })
  test.context.session.shellCwd = cwd
  const files = options.files ?? test.context.platform.files
  const platform = { ...test.context.platform, files, workspace: { ...test.context.platform, files } }
  const told: string[] = []
  const persisted: Pick<SDKFilesPersistedEvent, 'files' | 'failed'>[] = []
  const permissions = createPermissions({
    files: platform.files,
    cwd,
    home: root,
    mode: 'default',
    allowBypass: false,
    directories: options.directories ?? [],
  })
  const tools = [readTool, writeTool, editTool, notebookEditTool, createBashTool({ isReadOnlyCommand: () => false })]
  const registry = createRegistry(tools, test.context)
  // Only what checkpoints look at.
  const ports = {
    settings: { checkpoints: true, persist: options.persist ?? true, cwd, home: root, configDir },
    platform,
    sessionId,
    permissions,
    transcript: {
      path: sessionFile,
      parent: 'aaaaaaaa-0000-4000-8000-000000000000',
      fileHistory: (line: object) => {
        if (options.persist ?? true) appendFileSync(sessionFile, `${JSON.stringify(line)}\n`)
      },
    },
    emitter: {
      inform: async (text: string) => void told.push(text),
      filesPersisted: async ({ files, failed }: SDKFilesPersistedEvent) => void persisted.push({ files, failed }),
    },
  } as unknown as SessionCheckpointPorts
  const checkpoints: SessionCheckpoints = createSessionCheckpoints(ports)

  return {
    root,
    cwd,
    configDir,
    sessionFile,
    checkpoints,
    told,
    persisted,
    at: (...names: string[]) => join(cwd, ...names),
    begin: (id: string) => checkpoints.begin(id as Parameters<SessionCheckpoints['begin']>[0]),
    /** Runs a call as the loop does, permission given. Undefined when it went well, else why not. */
    async call(name: string, input: Record<string, unknown>): Promise<string | undefined> {
      const tool = checkpoints.guard(registry.port.find(name))
      if (!tool) throw new Error(`no tool ${name}`)
      const parsed = tool.parse(input)
      if (!parsed.ok) return parsed.error
      const problem = await tool.check(parsed.input)
      if (problem !== undefined) return problem
      const call = { id: 'toolu_1', name, input: parsed.input }
      const outcome = await tool.execute(call, new AbortController().signal, () => {})
      return outcome.ok ? undefined : outcome.error
    },
    async rewind(id: string, dryRun = false): Promise<RewindFilesResult> {
      // Whoever changed the files: that others' changes are not replaced otherwise has tests of its own.
      const found = await checkpoints.rewind(id, { dryRun, force: true })
      if (!found) throw new Error(`no checkpoint ${id}`)
      const { keptAs, changedByOthers, ...result } = found
      return result
    },
    async dispose() {
      await test.dispose()
      if (!options.root) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Everything below a folder: kind, mode and content by relative path. Links are not followed. */
export function treeOf(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const entry of readdirSync(folder).sort()) {
    const path = join(folder, entry)
    const name = `${prefix}${entry}`
    const stat = lstatSync(path)
    const mode = (stat.mode & 0o7777).toString(8)
    if (stat.isSymbolicLink()) tree[name] = `link ${readlinkSync(path)}`
    else if (stat.isDirectory()) Object.assign(tree, { [name]: `folder ${mode}` }, treeOf(path, `${name}/`))
    else tree[name] = stat.isFile() ? `file ${mode} ${readFileSync(path, 'latin1')}` : 'other'
  }
  return tree
}
