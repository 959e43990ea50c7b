/** Tells when files of a folder appear, change or go. Built on the folder, because a file that is replaced is another file. */
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

export type WatchedChange = 'add' | 'change' | 'unlink'

/** One save is several events; they are told as one. */
const SETTLE_MS = 50

/**
 * Watches the files of a folder. Never keeps the process alive. A folder that can't be watched is not: nobody is told
 * of anything then.
 */
export function watchFolder(
  folder: string,
  wants: (name: string) => boolean,
  onChange: (path: string, change: WatchedChange) => void,
): () => void {
  const known = new Map<string, string>()
  const waiting = new Map<string, NodeJS.Timeout>()
  let watcher: FSWatcher
  try {
    for (const name of readdirSync(folder)) if (wants(name)) known.set(name, signature(join(folder, name)) ?? '')
    watcher = watch(folder, { persistent: false })
  } catch {
    return () => {}
  }
  const look = (name: string) => {
    waiting.delete(name)
    const path = join(folder, name)
    const before = known.get(name)
    const after = signature(path)
    if (after === before) return
    if (after === undefined) known.delete(name)
    else known.set(name, after)
    onChange(path, after === undefined ? 'unlink' : before === undefined ? 'add' : 'change')
  }
  watcher.on('change', (_, name) => {
    if (typeof name !== 'string' || !wants(name)) return
    clearTimeout(waiting.get(name))
    waiting.set(name, setTimeout(() => look(name), SETTLE_MS).unref())
  })
  // The folder is gone: nothing more will happen in it.
  watcher.on('error', () => watcher.close())
  return () => {
    watcher.close()
    for (const timer of waiting.values()) clearTimeout(timer)
  }
}

function signature(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}
