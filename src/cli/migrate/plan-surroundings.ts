/** What a project has besides code: settings, what its folder brings, and sessions that the original wrote. */
import { homeFolder } from '../../platform/home.js'
import { join, relative } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { readSessionInfoFromFile, sessionFiles } from '../../sessions/session-file-lists.js'
import { configFolder, transcriptFolderOfProject } from '../../sessions/transcript-paths.js'
import { checkSettingsFiles } from '../doctor/settings-check.js'
import type { MigrationFinding } from './migration.js'

const BROUGHT = ['CLAUDE.md', 'CLAUDE.local.md', '.mcp.json', '.claude/agents', '.claude/commands', '.claude/skills']

export async function reviewSettingsForMigration(
  folder: string,
  env: NodeJS.ProcessEnv,
  platform: Platform,
): Promise<MigrationFinding[]> {
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const place = { cwd: folder, home, configDir, env, trusted: true }
  const settings = (await checkSettingsFiles(place, platform)).map(
    ({ state, text, file, line, key }): MigrationFinding => {
      const shown = file === undefined ? undefined : (inFolder(folder, file) ?? file)
      const name = key ?? inFolder(folder, text) ?? text
      const link = 'docs/settings.md'
      if (state === 'ok') return { what: 'setting', state: 'same', name, note: 'is read as it is', link }
      const where = { ...(shown !== undefined && { file: shown }), ...(line !== undefined && { line }) }
      return { what: 'setting', state: state === 'fail' ? 'unsupported' : 'differs', name, note: text, link, ...where }
    },
  )
  const brought = BROUGHT.filter((name) => platform.files.existsSync(join(folder, name))).map(
    (name): MigrationFinding => ({
      what: 'file',
      state: 'same',
      name,
      note: 'is read as it is',
      link: 'docs/project.md',
    }),
  )
  return [...settings, ...brought, ...(await planSessions({ configDir, cwd: folder }, platform))]
}

async function planSessions(
  place: { configDir: string; cwd: string },
  { files }: Platform,
): Promise<MigrationFinding[]> {
  const found = await sessionFiles(files, [transcriptFolderOfProject(place)])
  const infos = await Promise.all(
    found.map(async (session) => ({ session, info: await readSessionInfoFromFile(files, session) })),
  )
  return infos.map(({ session: { sessionId }, info }): MigrationFinding => {
    const link = 'docs/sessions.md'
    const state = info ? 'same' : 'look'
    const note = info ? `kedge --resume ${sessionId} continues it` : 'has no readable prompt'
    return { what: 'session', state, name: sessionId, note, link }
  })
}

function inFolder(folder: string, path: string): string | undefined {
  const rest = relative(folder, path)
  return path.startsWith(folder) && rest !== '' && !rest.startsWith('..') ? rest : undefined
}
