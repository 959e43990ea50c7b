/** What was typed in a folder before: a file of lines that only its user can read. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectKey } from '../../sessions/transcript-paths.js'

const KEPT = 1000

export function promptHistory(configDir: string, cwd: string): { entries: string[]; add(text: string): void } {
  const file = join(configDir, 'prompts', `${projectKey(cwd)}.jsonl`)
  const entries = read(file)
  return {
    entries,
    add(text) {
      // What may hold a key is not kept, nor is what stands there already.
      if (entries.at(-1) === text || text.length > 100_000) return
      entries.push(text)
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 })
      } catch {
        // A read-only home: it is known until we leave.
      }
    },
  }
}

function read(file: string): string[] {
  let lines: string[]
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
  const entries = lines.flatMap((line): string[] => {
    try {
      const text: unknown = JSON.parse(line)
      return typeof text === 'string' ? [text] : []
    } catch {
      return []
    }
  })
  if (entries.length > 2 * KEPT) {
    entries.splice(0, entries.length - KEPT)
    try {
      writeFileSync(file, entries.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 })
    } catch {
      // It only grows.
    }
  }
  return entries
}
