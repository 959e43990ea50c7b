/** Watches the files that hooks name with `watchPaths`. Bounded: a hook could name files without end. */
import { basename, dirname, isAbsolute } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'

/** Files that hooks of one session can have watched. */
const MAX_WATCHED = 200

type WatchPorts = {
  watch: Platform['files']['watch']
  tell(path: string, event: 'add' | 'change' | 'unlink'): void
  report(text: string): void
}

/** Until `life` aborts. Returns how many files more are watched. */
export function watchHookPaths(
  paths: readonly string[],
  watched: number,
  { watch, tell, report }: WatchPorts,
  life: AbortSignal,
): number {
  const absolute = [...new Set(paths.filter((path) => isAbsolute(path)))]
  if (absolute.length < paths.length) report('A hook named paths to watch that are not absolute. They are not watched.')
  const taken = absolute.slice(0, Math.max(0, MAX_WATCHED - watched))
  if (taken.length < absolute.length) report(`Hooks can have ${MAX_WATCHED} files watched. The others are not watched.`)
  const folders = new Map<string, Set<string>>()
  for (const path of taken) {
    const names = folders.get(dirname(path)) ?? new Set<string>()
    folders.set(dirname(path), names.add(basename(path)))
  }
  if (life.aborted) return 0
  for (const [folder, names] of folders) {
    const stop = watch(folder, (name) => names.has(name), tell)
    life.addEventListener('abort', stop, { once: true })
  }
  return taken.length
}
