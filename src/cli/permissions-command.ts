/** `kedge permissions explain`: what would happen to a tool call in this folder, with its settings, and why. */
import { ConfigurationError } from '../errors.js'
import { INVISIBLE_CHARACTER_PATTERN } from '../permissions/rule.js'
import { chooseCommand, createUsageError, readCommandLine } from '../platform/command-line/read-command-line.js'
import { nodePlatform } from '../platform/node-platform.js'
import { resolve } from '../platform/paths.js'
import { PERMISSIONS_COMMAND, PERMISSIONS_EXPLAIN_COMMAND } from '../protocol/command-table/permissions-command-rows.js'
import { isPermissionMode, unknownModeText } from '../protocol/permission-modes.js'
import type { PermissionExplanation } from '../protocol/permission-types.js'
import { explainCallInSession } from '../runtime/permission/explain-call.js'
import { resolveSessionConfiguration } from './session-settings.js'
import { print, printCommandText, printJson, printToStderr } from './terminal-output.js'

export async function permissionsCommand(args: readonly string[]): Promise<number> {
  const chosen = chooseCommand(PERMISSIONS_COMMAND, args)
  if ('text' in chosen) return printCommandText(chosen)
  const read = readCommandLine(PERMISSIONS_EXPLAIN_COMMAND, chosen.args)
  if ('text' in read) return printCommandText(read)
  const { values } = read
  const wrong = (problem: string) => printCommandText(createUsageError(PERMISSIONS_EXPLAIN_COMMAND, problem))
  const fail = (problem: string) => {
    printToStderr(`error: ${problem}\n`)
    return 1
  }
  if (values.mode !== undefined && !isPermissionMode(values.mode)) return wrong(unknownModeText(values.mode))
  const { tool, input: text } = values
  if (tool === undefined || text === undefined) return wrong('--tool NAME and --input JSON are needed.')
  const input = readJson(text)
  if (!input) return wrong(`--input isn't a JSON object: ${shown(text.slice(0, 200))}`)
  const platform = nodePlatform()
  const settings = await resolveSessionConfiguration(
    resolve(process.cwd(), values.cwd ?? '.'),
    [
      ...(values['setting-sources'] === undefined ? [] : ['--setting-sources', values['setting-sources']]),
      ...values['add-dir'].flatMap((folder) => ['--add-dir', folder]),
      ...(values.trust ? ['--trust'] : []),
    ],
    platform,
  )
  if (typeof settings === 'string') return fail(settings)
  const asked = {
    ...settings,
    allow: [...settings.allow, ...values.allow],
    deny: [...settings.deny, ...values.deny],
    // Also one that a session could not be started in: it is asked about, not used.
    mode: isPermissionMode(values.mode) ? values.mode : settings.mode,
  }
  try {
    const explained = await explainCallInSession({ tool, input, ask: values.ask }, asked, platform)
    if (values.json) printJson(explained)
    else print(textOf(tool, explained))
    return 0
  } catch (error) {
    if (error instanceof ConfigurationError) return fail(error.message.replace(/^explainPermission: /, ''))
    throw error
  }
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function textOf(tool: string, { behavior, reason, rule, source, parts = [] }: PermissionExplanation): string {
  const lines = [`${behavior}  ${shown(tool)}`, `  ${shown(reason)}`]
  if (rule !== undefined) lines.push(`  rule: ${shown(rule)}${source === undefined ? '' : ` (${source})`}`)
  const width = Math.min(40, Math.max(...parts.map(({ command }) => command.length), 0))
  for (const part of parts)
    lines.push(`  ${shown(part.command).padEnd(width)}  ${part.behavior.padEnd(5)}  ${shown(part.reason)}`)
  return `${lines.join('\n')}\n`
}

/** A terminal must not obey what it is shown. */
function shown(text: string): string {
  const invisible = new RegExp(`${INVISIBLE_CHARACTER_PATTERN.source}|\\n`, 'gu')
  return text.replace(invisible, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
