/**
 * Reads files again when they change while the session runs. Watches only the few folders that configuration is in, each by itself
 * and never a tree, so a large repository costs nothing. A folder that comes later is watched from the next reload on.
 */
import { join } from '../../platform/paths.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Conversation } from '../conversation.js'
import { RELOAD_PARTS, reloadSession } from './reload-session.js'

const KINDS = ['skills', 'commands', 'agents', 'output-styles', 'hooks', '.claude-plugin']
const ROOT_FILES = ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', '.claude', ...KINDS]
/** More than anybody has; beyond them changes are read with /reload. */
const MAX_FOLDERS = 200
/** An editor or git writes several files at once. */
const SETTLE_MS = 300

/** Until `signal` aborts. */
export function watchConfiguration(main: Conversation, signal: AbortSignal): void {
  const { settings, platform, project } = main.shared
  const watched = new Map<string, () => void>()
  let cancelTimer: (() => void) | undefined
  let working = Promise.resolve()

  const reload = async () => {
    if (signal.aborted) return
    const { changes, problems } = await reloadSession(main, RELOAD_PARTS)
    if (changes.length > 0)
      void main.emitter.inform(`Read again: ${changes.join(' ')}`, 'notice', { code: 'configuration_reloaded' })
    for (const problem of problems) void main.emitter.inform(problem, 'warning', { code: 'configuration_not_reloaded' })
    await watchAll()
  }
  const changed = () => {
    cancelTimer?.()
    cancelTimer = platform.clock.after(SETTLE_MS, () => {
      working = working.then(reload).catch((error: unknown) => {
        void main.emitter.inform(messageOf(error), 'warning', { code: 'configuration_not_reloaded' })
      })
    })
  }
  const watch = (folder: string, names?: readonly string[]) => {
    if (watched.has(folder) || watched.size >= MAX_FOLDERS || signal.aborted) return
    if (!platform.files.existsSync(folder)) return
    watched.set(
      folder,
      platform.files.watch(folder, (name) => names?.includes(name) ?? true, changed),
    )
  }
  /** A root has folders of each kind; of skills, each is a folder of its own. */
  const watchRoot = async (root: string, files: readonly string[]) => {
    watch(root, files)
    for (const kind of KINDS) {
      const folder = join(root, kind)
      watch(folder)
      if (kind !== 'skills') continue
      const entries = await platform.files.entries(folder, MAX_FOLDERS).catch(() => [])
      for (const { name, kind: what } of entries) if (what === 'directory') watch(join(folder, name))
    }
  }
  const watchAll = async () => {
    const settingsFiles = ['settings.json', 'settings.local.json', ...ROOT_FILES]
    if (settings.sources.includes('user')) await watchRoot(settings.configDir, settingsFiles)
    if (settings.sources.includes('project') || settings.sources.includes('local')) {
      watch(settings.cwd, ROOT_FILES)
      await watchRoot(join(settings.cwd, '.claude'), settingsFiles)
    }
    for (const folder of [...settings.pluginFolders, ...project.added.pluginFolders]) await watchRoot(folder, KINDS)
  }
  signal.addEventListener(
    'abort',
    () => {
      cancelTimer?.()
      for (const stop of watched.values()) stop()
    },
    { once: true },
  )
  void watchAll().catch(() => {})
}
