/** Checks what `explainPermission` was asked: what makes no sense is refused by the name of the field. */

import { ConfigurationError } from '../../errors.js'
import { correctToolNameCase, parseRule } from '../../permissions/rule.js'
import { isAbsolute } from '../../platform/paths.js'
import { isObject } from '../../protocol/json.js'
import { isPermissionMode, unknownModeText } from '../../protocol/permission-modes.js'
import type { ExplainPermissionOptions, PermissionOrigin } from '../../protocol/permission-types.js'

/** With the folders a session always has. */
export type PermissionExplanationRequest = ExplainPermissionOptions & { cwd: string; home: string }

const ORIGINS: readonly PermissionOrigin[] = ['session', 'user', 'project', 'local', 'local-tracked']
const HOOKS = ['allow', 'deny', 'ask', 'crash'] as const

/** Callers in plain JavaScript send anything. Fields it does not know are none of its business. */
export function checkExplainRequest(request: PermissionExplanationRequest): void {
  if (!isObject(request)) throw createInvalidFieldError('options', 'needs an object with a tool and its input')
  const { mode, cwd, home, rules = {}, sandbox } = request
  validateExplainedCall(request)
  if (mode !== undefined && !isPermissionMode(mode)) throw createInvalidFieldError('mode', unknownModeText(mode))
  for (const [name, folder] of Object.entries({ cwd, home }))
    if (typeof folder !== 'string' || !isAbsolute(folder))
      throw createInvalidFieldError(name, 'must be an absolute path')
  if (!isObject(rules)) throw createInvalidFieldError('rules', 'must be an object with lists: allow, ask, deny')
  for (const behavior of ['allow', 'ask', 'deny'] as const) {
    checkList(`rules.${behavior}`, rules[behavior])
    // One that allows and can't be used is left out, as in a session; leaving out another would make it wider.
    const refused = (rules[behavior] ?? []).map((text) => parseRule(text, behavior)).find(({ ok }) => !ok)
    if (behavior !== 'allow' && refused?.ok === false)
      throw createInvalidFieldError(`rules.${behavior}`, refused.reason)
  }
  checkList('additionalDirectories', request.additionalDirectories)
  checkList('servers', request.servers)
  checkOne('platform', request.platform, typeof request.platform === 'string', "must be a name such as 'linux'")
  checkOne('trusted', request.trusted, typeof request.trusted === 'boolean', 'must be true or false')
  checkChoice('source', request.source, ORIGINS)
  checkChoice('modeSource', request.modeSource, ORIGINS)
  checkChoice('hook', request.hook, HOOKS)
  checkOne('toolMeta', request.toolMeta, isObject(request.toolMeta), 'must be an object')
  checkOne('sandbox', sandbox, isObject(sandbox), 'must be an object: enabled, autoAllow, available, excludedCommands')
  checkList('sandbox.excludedCommands', sandbox?.excludedCommands)
  if (!sandbox) return
  if (typeof sandbox.enabled !== 'boolean') throw createInvalidFieldError('sandbox.enabled', 'must be true or false')
  for (const name of ['autoAllow', 'available'] as const)
    checkOne(`sandbox.${name}`, sandbox[name], typeof sandbox[name] === 'boolean', 'must be true or false')
}

export function validateExplainedCall({ tool, input }: Pick<PermissionExplanationRequest, 'tool' | 'input'>): void {
  if (typeof tool !== 'string' || tool.trim() !== tool || tool === '')
    throw createInvalidFieldError('tool', 'must be the name of a tool')
  const meant = correctToolNameCase(tool)
  if (meant !== undefined) throw createInvalidFieldError('tool', `names are case-sensitive; did you mean ${meant}?`)
  if (!isObject(input)) throw createInvalidFieldError('input', "must be an object, the tool's input")
}

function checkOne(name: string, value: unknown, fits: boolean, problem: string): void {
  if (value !== undefined && !fits) throw createInvalidFieldError(name, problem)
}

function checkList(name: string, value: unknown): void {
  const fits = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
  checkOne(name, value, fits, 'must be a list of texts')
}

function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  checkOne(
    name,
    value,
    choices.some((choice) => choice === value),
    `must be one of ${choices.join(', ')}`,
  )
}

export function createInvalidFieldError(field: string, problem: string): ConfigurationError {
  return new ConfigurationError(field, `explainPermission: ${field}: ${problem}`)
}
