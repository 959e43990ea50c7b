/** The settings files of a folder and its user, read as a session reads them: every mistake gets its file, line and key. */
import type { Platform } from '../../platform/platform.js'
import { permissionRulePort } from '../../runtime/settings-files.js'
import { managedSettingsPath, settingsPath } from '../../settings/settings-paths.js'
import { createFindingFactory, type DoctorFinding, type FindingState } from './finding.js'

export type DoctorTarget = { cwd: string; home: string; configDir: string; env: NodeJS.ProcessEnv; trusted: boolean }

const STATES: Record<'note' | 'warning' | 'refuse', FindingState> = { note: 'warn', warning: 'warn', refuse: 'fail' }

export async function checkSettingsFiles(place: DoctorTarget, { files, identity }: Platform): Promise<DoctorFinding[]> {
  const { loadSettings, isSettingsFileOfUser } = await import('../../settings/settings-parts.js')
  const managed = managedSettingsPath(identity.os)
  const { problems } = await loadSettings({
    ...place,
    sources: ['user', 'project', 'local'],
    managed: [managed],
    files,
    rules: permissionRulePort,
    isOwnFile: (path, text) =>
      isSettingsFileOfUser(path, text, { configDir: place.configDir, files, uid: identity.uid }),
  })
  const { ok } = createFindingFactory('settings')
  const sources = ['userSettings', 'projectSettings', 'localSettings'] as const
  const paths = new Set([managed, ...sources.map((source) => settingsPath(source, place))])
  const wrong = problems.map(({ severity, message, file, line, key }): DoctorFinding => {
    const where = { file, ...(line === undefined ? {} : { line }), ...(key === undefined ? {} : { key }) }
    const fix = severity === 'refuse' ? { fix: 'correct it; until then no session starts here' } : {}
    return { check: 'settings', state: STATES[severity], text: message, ...fix, ...where }
  })
  const right = [...paths].filter((path) => files.existsSync(path) && !problems.some(({ file }) => file === path))
  return [...right.map((path) => ok(path)), ...wrong]
}
