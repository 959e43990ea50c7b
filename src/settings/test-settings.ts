/** For tests of settings: a home and a project in temporary folders, and the rules of the real permission engine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { formatRule, parseRule } from '../permissions/rule.js'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import type { PermissionRulePort } from './check-settings-rule.js'
import { type LoadedSettings, type LoadOptions, loadSettings } from './load-files.js'
import { type ParsedSettings, parseSettings, type SettingsText } from './parse-file.js'
import type { SettingsSource } from './setting-problems.js'
import { settingsPath } from './settings-paths.js'

export const TEST_RULE_PORT: PermissionRulePort = {
  check(text, behavior) {
    const parsed = parseRule(text, behavior)
    return parsed.ok ? { ok: true, text: formatRule(parsed.rule) } : parsed
  },
  format: formatRule,
  toolNames: ['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'Task', 'Skill'],
}

export type TestSettings = Disposable & {
  home: string
  cwd: string
  configDir: string
  managed: string
  path(source: SettingsSource): string
  /** Objects are written as JSON. */
  write(source: SettingsSource, content: unknown): string
  load(options?: Partial<LoadOptions>): Promise<LoadedSettings>
  ports: {
    files: typeof nodeFiles
    clock: typeof nodeClock
    rules: PermissionRulePort
    uid: number | null
    folders: LoadOptions
  }
}

export function createTestSettings(): TestSettings {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-settings-')))
  const home = join(base, 'home')
  const cwd = join(base, 'repo')
  const configDir = join(home, '.claude')
  const managed = join(base, 'etc', 'managed-settings.json')
  for (const folder of [home, cwd]) mkdirSync(folder)
  const options: LoadOptions = {
    home,
    cwd,
    configDir,
    rules: TEST_RULE_PORT,
    sources: ['user', 'project', 'local'],
    managed: [managed],
    files: nodeFiles,
    trusted: true,
  }
  const path = (source: SettingsSource) => {
    if (source === 'managedSettings') return managed
    return source === 'flagSettings' ? join(base, 'flags', 'flag.json') : settingsPath(source, options)
  }
  return {
    home,
    cwd,
    configDir,
    managed,
    path,
    write(source, content) {
      const file = path(source)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      return file
    },
    load: (more) => loadSettings({ ...options, ...more }),
    ports: {
      files: nodeFiles,
      clock: nodeClock,
      rules: TEST_RULE_PORT,
      uid: process.getuid?.() ?? null,
      folders: options,
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** The user's own file, unless told otherwise. Objects are written as JSON. */
export function parseTestSettings(content: unknown, more: Partial<SettingsText> = {}): ParsedSettings {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return parseSettings({ source: 'userSettings', file: 'settings.json', text, rules: TEST_RULE_PORT, ...more })
}

/** Without the places, which are a test of their own. */
export function settingsProblemMessages({ problems }: Pick<ParsedSettings, 'problems'>): string[] {
  return problems.map(({ severity, message }) => `${severity} ${message.replace(/^\S+:\d+:\d+: /, '')}`)
}
