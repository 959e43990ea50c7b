/** A real `CallContext` for tests of tools: a fresh temporary folder as working directory, the real file system below. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackgroundTable, createBackgroundTable } from '../background/background-table.js'
import { nodeClock } from '../platform/clock.js'
import { workspaceDisk } from '../platform/files/files.js'
import { createPlatformIdentity } from '../platform/identity.js'
import type { ToolPlatform } from '../platform/platform.js'
import { createProcessRunner } from '../platform/processes/processes.js'
import type { CallContext } from './tool.js'

export type TestContext = {
  context: CallContext
  /** The working directory, links resolved. */
  folder: string
  /** What the tool reported as live output. */
  progress: string[]
  tasks: BackgroundTable
  dispose(): Promise<void>
}

export async function createTestContext(
  overrides: Partial<CallContext> = {},
  processes = createProcessRunner(),
): Promise<TestContext> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'kedge-tool-')))
  const outputs = await mkdtemp(join(tmpdir(), 'kedge-tasks-'))
  const progress: string[] = []
  const tasks = createBackgroundTable({
    identity: createPlatformIdentity(),
    outputFolder: async () => outputs,
    onStarted: () => {},
    onEnded: () => {},
  })
  const context: CallContext = {
    cwd: folder,
    directories: () => [folder],
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' },
    platform: createTestPlatform(processes),
    session: { readFiles: new Map(), destinations: new WeakMap(), todos: [], shellCwd: folder },
    tasks,
    toolUseId: 'toolu_test',
    signal: new AbortController().signal,
    progress: (output) => progress.push(output),
    ...overrides,
  }
  const dispose = async () => {
    await tasks.stopAll()
    await context.platform.processes.close()
    for (const path of [folder, outputs]) await rm(path, { recursive: true, force: true })
  }
  return { context, folder, progress, tasks, dispose }
}

function createTestPlatform(processes: ToolPlatform['processes']): ToolPlatform {
  return {
    files: workspaceDisk,
    processes,
    http: {
      request: () => Promise.reject(new Error('tests of tools have no network')),
      close: () => {},
    },
    clock: nodeClock,
    identity: createPlatformIdentity(),
  }
}
