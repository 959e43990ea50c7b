/** `kedge permissions explain`: what would happen to a tool call in this folder, with its settings, and why. */
import { parseArgs } from 'node:util'
import { ConfigurationError } from '../errors.js'
import { INVISIBLE } from '../permissions/rule.js'
import { nodePlatform } from '../platform/node-platform.js'
import { resolve } from '../platform/paths.js'
import { isPermissionMode, PERMISSION_MODES, unknownModeText } from '../protocol/permission-modes.js'
import type { PermissionExplanation } from '../protocol/permission-types.js'
import { messageOf } from '../protocol/thrown.js'
import { explainInSession } from '../runtime/permission/explain-call.js'
import { resolveSessionConfiguration } from './session-settings.js'
import { print, printJson, printToStderr } from './terminal-output.js'

const USAGE = `Usage: kedge permissions explain --tool NAME --input JSON [options]

Says what would happen to a tool call here, and which rule, mode or check decides. Nothing is run, hooks neither; nobody is asked.

  kedge permissions explain --tool Bash --input '{"command":"git push && npm test"}'
  kedge permissions explain --tool Bash --input '{"command":"npm test"}' --allow 'Bash(npm test:*)'
  kedge permissions explain --tool Write --input '{"file_path":"src/a.ts","content":""}' --mode acceptEdits
  kedge permissions explain --tool Read --input '{"file_path":"~/.ssh/id_rsa"}' --deny 'Read(~/.ssh/**)' --json

  --tool NAME                 Bash, Read, Edit, Write, WebFetch, mcp__server__tool, …
  --input JSON                what the tool would be given
  --mode MODE                 ${PERMISSION_MODES.join(', ')}
  --allow, --ask, --deny RULE a rule beside those of the settings; repeatable
  --cwd DIR                   the working directory, if not this one
  --add-dir DIR               another folder the tools may work in; repeatable
  --setting-sources SOURCES   settings files that count: user,project,local (all of them if not said; "" for none)
  --trust                     as if you trusted this folder; without, its own settings only narrow
  --json                      for programs: one JSON object

allow: it runs. ask: you are asked, and without anybody to ask it is denied. deny: it never runs.
`

export async function permissionsCommand(args: readonly string[]): Promise<number> {
  const fail = (problem: string, hint = `\n${USAGE}`) => {
    printToStderr(`error: ${problem}\n${hint}`)
    return 1
  }
  const [command, ...rest] = args
  if (command !== 'explain') return fail(command ? `unknown command: permissions ${command}` : 'what about them?')
  const read = readArguments(rest)
  if ('problem' in read) return fail(read.problem)
  const { values } = read
  if (values.help) {
    print(USAGE)
    return 0
  }
  const { tool, input: text } = values
  if (tool === undefined || text === undefined) return fail('--tool and --input are needed')
  const input = readJson(text)
  if (!input) return fail(`--input isn't a JSON object: ${shown(text.slice(0, 200))}`)
  const platform = nodePlatform()
  const settings = await resolveSessionConfiguration(
    resolve(process.cwd(), values.cwd ?? '.'),
    [
      ...(values['setting-sources'] === undefined ? [] : ['--setting-sources', values['setting-sources']]),
      ...(values['add-dir'] ?? []).flatMap((folder) => ['--add-dir', folder]),
      ...(values.trust ? ['--trust'] : []),
    ],
    platform,
  )
  if (typeof settings === 'string') return fail(settings, '')
  const asked = {
    ...settings,
    allow: [...settings.allow, ...(values.allow ?? [])],
    deny: [...settings.deny, ...(values.deny ?? [])],
    // Also one that a session could not be started in: it is asked about, not used.
    mode: isPermissionMode(values.mode) ? values.mode : settings.mode,
  }
  try {
    const explained = await explainInSession({ tool, input, ask: values.ask ?? [] }, asked, platform)
    if (values.json) printJson(explained)
    else print(textOf(tool, explained))
    return 0
  } catch (error) {
    if (error instanceof ConfigurationError) return fail(error.message.replace(/^explainPermission: /, ''), '')
    throw error
  }
}

type Values = ReturnType<typeof parse>

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      tool: { type: 'string' },
      input: { type: 'string' },
      mode: { type: 'string' },
      allow: { type: 'string', multiple: true },
      ask: { type: 'string', multiple: true },
      deny: { type: 'string', multiple: true },
      cwd: { type: 'string' },
      'add-dir': { type: 'string', multiple: true },
      'setting-sources': { type: 'string' },
      trust: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
}

function readArguments(args: readonly string[]): { values: Values } | { problem: string } {
  try {
    const values = parse(args)
    const { mode } = values
    return mode === undefined || isPermissionMode(mode) ? { values } : { problem: unknownModeText(mode) }
  } catch (error) {
    return { problem: messageOf(error).split('. ')[0] ?? '' }
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
  const invisible = new RegExp(`${INVISIBLE.source}|\\n`, 'gu')
  return text.replace(invisible, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
