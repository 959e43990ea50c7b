/** `kedge doctor`: checks everything that a session here would need, and prints what is wrong and how to fix it. */
import { servicesInUse } from '../../model/openai/service.js'
import { readCommandLine } from '../../platform/command-line/read-command-line.js'
import { homeFolder } from '../../platform/home.js'
import { nodePlatform } from '../../platform/node-platform.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { VERSION } from '../../platform/version.js'
import { printableText } from '../../platform/visible-text.js'
import { DOCTOR_COMMAND } from '../../protocol/command-table/setup-command-rows.js'
import { findStartWarnings } from '../../runtime/start-warnings.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import { isFolderTrusted, resolveSessionConfiguration } from '../session-settings.js'
import { print, printCommandText, printJson } from '../terminal-output.js'
import { checkInstructionsAndExtensions, checkMcpServerFiles, mcpServerUrls } from './config-files.js'
import { checkModelEndpoint } from './endpoint.js'
import { createFindingFactory, type DoctorFinding } from './finding.js'
import { checkDisk, checkFolders, checkNode, checkRipgrep, checkSandbox, checkShell } from './machine.js'
import { checkPermissionRules } from './rules.js'
import { checkModelServices } from './services-check.js'
import { checkIneffectiveVariables } from './set-variables.js'
import { checkSettingsFiles } from './settings-check.js'

export async function doctorCommand(args: readonly string[]): Promise<number> {
  const read = readCommandLine(DOCTOR_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { values } = read
  const platform = nodePlatform()
  try {
    const checks = await examine(platform, values.offline)
    const failed = checks.some(({ state }) => state === 'fail')
    if (values.json) printJson({ ok: !failed, version: VERSION, checks })
    else print(textOf(checks))
    return failed ? 1 : 0
  } finally {
    platform.http.close()
    await platform.processes.close()
  }
}

async function examine(platform: Platform, offline: boolean): Promise<DoctorFinding[]> {
  const { env } = process
  const cwd = process.cwd()
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const cacheBase = env.XDG_CACHE_HOME || (env.HOME ? join(env.HOME, '.cache') : undefined)
  const trusted = await isFolderTrusted(cwd, home, platform)
  const place = { cwd, home, configDir, env, trusted }
  // `checkSettingsFiles` reports what is wrong with files.
  const settings = await resolveSessionConfiguration(cwd, [], platform, () => {})
  const usable = typeof settings === 'string' ? undefined : settings
  const servers = await mcpServerUrls(place, platform)
  const checks: (DoctorFinding[] | DoctorFinding | Promise<DoctorFinding[] | DoctorFinding>)[] = [
    checkNode(),
    // A user who chose another provider's model needs no Anthropic key.
    usable?.model && servicesInUse({}, {}, [usable.model]).length > 0
      ? []
      : checkModelEndpoint({ ...place, env: { ...env, ...usable?.env }, offline, servers }, platform),
    checkModelServices(
      { env: { ...env, ...usable?.env }, own: usable?.modelProviders, model: usable?.model, offline },
      platform,
    ),
    checkIneffectiveVariables({ ...env, ...usable?.env }),
    checkShell(env),
    checkRipgrep(env, platform),
    checkSandbox(usable?.sandbox, place, platform),
    checkSettingsFiles(place, platform),
    checkMcpServerFiles(place, platform),
    usable ? checkInstructionsAndExtensions(usable, platform) : [],
    usable
      ? checkPermissionRules(usable, platform)
      : createFindingFactory('permissions').fail(`sessions can't start here: ${String(settings)}`),
    warningsOf(usable, platform),
    checkFolders({ configDir, cacheBase, temporary: env.TMPDIR || '/tmp' }),
    checkDisk(configDir),
  ]
  return (await Promise.all(checks)).flat()
}

/** What a session would warn of at its start. */
async function warningsOf(
  settings: Parameters<typeof findStartWarnings>[0] | undefined,
  platform: Platform,
): Promise<DoctorFinding[]> {
  const { warn } = createFindingFactory('start')
  return settings ? (await findStartWarnings(settings, platform)).map((text) => warn(text)) : []
}

function textOf(checks: readonly DoctorFinding[]): string {
  const width = Math.max(...checks.map(({ check }) => check.length))
  const lines = checks.flatMap(({ check, state, text, fix }) => [
    `${state.padEnd(4)}  ${check.padEnd(width)}  ${printableText(text, 1000)}`,
    ...(fix === undefined ? [] : [`${' '.repeat(width + 8)}fix: ${printableText(fix, 1000)}`]),
  ])
  const count = (wanted: string) => checks.filter(({ state }) => state === wanted).length
  return `${lines.join('\n')}\n\n${count('fail')} failed, ${count('warn')} warnings, ${count('ok')} ok\n`
}
