/** For tests of Glob and Grep: small trees with known times, and the two ways to search them. */
import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { TextQuery } from './search-request.js'

/** Environments that lead to one engine or the other. */
export const TEST_SEARCH_ENGINES: Record<string, Record<string, string>> = {
  ...(findRipgrep({}) ? { 'with ripgrep': {} } : {}),
  'without ripgrep': { USE_BUILTIN_RIPGREP: '0', PATH: '/nonexistent' },
}

export const unabortedTestSignal = new AbortController().signal

/** A question that asks for nothing special. */
export const PLAIN_TEST_QUERY: Omit<TextQuery, 'root' | 'base' | 'pattern'> = {
  globs: [],
  ignoreCase: false,
  multiline: false,
  before: 0,
  after: 0,
  mode: 'content',
}

type Files = Record<string, string | Uint8Array>

/** Folders for a test file; all of them go with `dispose`. */
export function createTestTrees() {
  const folders: string[] = []
  return {
    /** Of names that can't both be there, the first one stays. */
    async plant(files: Files): Promise<string> {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'kedge-search-')))
      folders.push(root)
      await writeFiles(root, files, () => {})
      return root
    },
    async dispose(): Promise<void> {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function createTestTreeContext(env: Record<string, string>, files: Files): Promise<TestContext> {
  const test = await createTestContext()
  await writeFiles(test.folder, files, (error) => {
    throw error
  })
  return { ...test, context: { ...test.context, env: { ...test.context.env, ...env } } }
}

/** In order, each a second younger than the one before. */
async function writeFiles(root: string, files: Files, onError: (error: unknown) => void): Promise<void> {
  let time = 1_700_000_000
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    time += 1
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
      await utimes(path, time, time)
    } catch (error) {
      onError(error)
    }
  }
}
