/** For tests of Glob and Grep: a context over a small tree with known times, and the two ways to search it. */
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findRipgrep } from '../../platform/ripgrep.js'
import { createTestContext, type TestContext } from '../test-context.js'

/** Environments that lead to one engine or the other. */
export const engines: Record<string, Record<string, string>> = {
  ...(findRipgrep({}) ? { 'with ripgrep': {} } : {}),
  'without ripgrep': { USE_BUILTIN_RIPGREP: '0', PATH: '/nonexistent' },
}

/** The files are written in order, each a second younger than the one before. */
export async function createTreeContext(
  env: Record<string, string>,
  files: Record<string, string>,
): Promise<TestContext> {
  const test = await createTestContext()
  let time = 1_700_000_000
  for (const [name, content] of Object.entries(files)) {
    const path = join(test.folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    await utimes(path, time, time)
    time += 1
  }
  return { ...test, context: { ...test.context, env: { ...test.context.env, ...env } } }
}
