/** Checks the tree of a settings file against the known keys: what is right comes back as settings, what is not is reported. */

import { printableText } from '../platform/visible-text.js'
import { checkSettingsRule, type PermissionRulePort } from './check-settings-rule.js'
import type { JsonMember, JsonNode, JsonObjectNode } from './json-tree.js'
import { type KnownSettings, settingsShape } from './keys/known-keys.js'
import { EFFECTLESS_KEYS, UNENFORCED_KEYS } from './keys/other-keys.js'
import type { ListShape, MapShape, ObjectShape, Shape, TextShape, VariantShape } from './keys/shape.js'
import { mergeValues, ownPropertyValue } from './merge-layers.js'
import { childKeyPath, type ProblemSeverity, type ReportProblem } from './setting-problems.js'
import { type SettingsFileTrust, whySettingIsWithheld } from './withheld-settings.js'

export type SettingsCheckContext = {
  /** The text the tree was read from. */
  text: string
  rules: PermissionRulePort
  report: ReportProblem
  /** The file stands in the folder; undefined when it is outside. */
  repository: SettingsFileTrust | undefined
  /** A key that is not known may be one that others obey: an administrator should hear of it. */
  managed: boolean
}

type Place = { key: string; strict: boolean }

/** More items than a list can sensibly have. */
const MAX_ITEMS = 5000
const MAX_TEXT = 10_000

export function checkSettings(root: JsonObjectNode, context: SettingsCheckContext): KnownSettings {
  const value = checkObject(root, settingsShape, { key: '', strict: false }, context) ?? {}
  // Every value in it was checked against the shape that the type is made from.
  return value as KnownSettings
}

function check(node: JsonNode, shape: Shape, parent: Place, context: SettingsCheckContext): unknown {
  const place = shape.strict ? { ...parent, strict: true } : parent
  switch (shape.kind) {
    case 'object':
      return node.kind === 'object'
        ? checkObject(node, shape, place, context)
        : wrong(node, 'an object', shape.firm ? { ...place, strict: true } : place, context)
    case 'variant':
      return node.kind === 'object'
        ? checkVariant(node, shape, place, context)
        : wrong(node, 'an object', place, context)
    case 'json':
      return node.kind === 'object'
        ? JSON.parse(context.text.slice(node.start, node.end))
        : wrong(node, 'an object', place, context)
    case 'map':
      return node.kind === 'object' ? checkMap(node, shape, place, context) : wrong(node, 'an object', place, context)
    case 'list':
      return node.kind === 'array'
        ? checkList(node.items, shape, place, context)
        : wrong(node, 'a list', place, context)
    case 'text':
      return checkText(node, shape, place, context)
    case 'switch': {
      const value = scalar(node)
      return typeof value === 'boolean' ? value : wrong(node, 'true or false', place, context)
    }
    case 'choice': {
      const value = scalar(node)
      const choices = shape.values.map((choice) => JSON.stringify(choice)).join(', ')
      const isKnown = shape.unsupported?.some((choice) => choice === value)
      const hint = isKnown ? ` (${value} is not supported by Kedge)` : ''
      const expected = shape.values.length === 1 ? choices : `one of ${choices}${hint}`
      return shape.values.find((choice) => choice === value) ?? wrong(node, expected, place, context)
    }
    case 'number': {
      const value = scalar(node)
      const fits =
        typeof value === 'number' &&
        value >= shape.min &&
        value <= shape.max &&
        (!shape.whole || Number.isInteger(value))
      const expected = `a ${shape.whole ? 'whole ' : ''}number from ${shape.min} to ${shape.max}`
      return fits ? value : wrong(node, expected, place, context)
    }
  }
}

function checkObject(
  node: JsonObjectNode,
  shape: ObjectShape,
  place: Place,
  context: SettingsCheckContext,
): object | undefined {
  const values = new Map<string, unknown>()
  let flawed = false
  for (const member of node.members) {
    const { key, value: child, start } = member
    const at = { ...place, key: childKeyPath(place.key, key) }
    const known = ownPropertyValue(shape.keys, key)
    if (!known) {
      reportUnknown(member, shape, at, context)
      continue
    }
    const why = whySettingIsWithheld(known, child, context.repository)
    if (why !== undefined) {
      // Before the folder is trusted one line for all of it is said elsewhere.
      const level = context.repository?.trusted ? 'warning' : 'note'
      context.report(level, { offset: start, key: at.key, withheld: true, text: `is not used: ${why}.` })
      continue
    }
    if (known.managedOnly && !context.managed) {
      context.report('warning', {
        offset: start,
        key: at.key,
        text: 'is not used: only managed settings can set this.',
      })
      continue
    }
    if (values.has(key)) reportTwice(start, at, context)
    const value = check(child, known, at, context)
    if (value === undefined) flawed = true
    else values.set(key, mergeValues(known, value, values.get(key)))
  }
  const missing = (shape.needs ?? []).filter((key) => !node.members.some((member) => member.key === key))
  for (const key of missing) {
    context.report(severity(place), { offset: node.start, key: place.key, text: `has no "${key}".${unused(place)}` })
  }
  if (missing.length > 0 || (shape.whole && flawed)) return undefined
  return Object.fromEntries(values)
}

/** The key that names the kind is not a key of the kind's own shape. */
function checkVariant(
  node: JsonObjectNode,
  shape: VariantShape,
  place: Place,
  context: SettingsCheckContext,
): object | undefined {
  const named = node.members.findLast(({ key }) => key === shape.by)
  if (named === undefined) {
    const text = `has no "${shape.by}".${unused(place)}`
    context.report(severity(place), { offset: node.start, key: place.key, text })
    return undefined
  }
  const kind = scalar(named.value)
  const at = { ...place, key: childKeyPath(place.key, shape.by) }
  const choices = Object.keys(shape.of).map((choice) => JSON.stringify(choice))
  if (typeof kind !== 'string' || kind.trim() === '') {
    return wrong(named.value, `one of ${choices.join(', ')}`, at, context)
  }
  const chosen = ownPropertyValue(shape.of, kind)
  if (chosen) {
    const members = node.members.filter(({ key }) => key !== shape.by)
    const value = checkObject({ ...node, members }, chosen, place, context)
    return value && { [shape.by]: kind, ...value }
  }
  if (!shape.keepsUnknown) return wrong(named.value, `one of ${choices.join(', ')}`, at, context)
  const text = `is a type that this version of Kedge doesn't know. It knows ${choices.join(', ')}.`
  context.report('warning', { offset: named.start, key: at.key, text })
  return { [shape.by]: 'unknown', kind: printableText(kind, 100) }
}

function checkMap(node: JsonObjectNode, shape: MapShape, place: Place, context: SettingsCheckContext): object {
  const values = new Map<string, unknown>()
  for (const { key, value: child, start } of node.members) {
    const at = { ...place, key: childKeyPath(place.key, key) }
    const problem = shape.problem?.(key)
    const why = context.repository
      ? shape.withheld?.(key, child.kind === 'scalar' ? child.value : undefined)
      : undefined
    if (problem !== undefined) context.report(severity(at), { offset: start, key: at.key, text: `${problem}.` })
    else if (why !== undefined) {
      const where = 'Put it into your user settings or the environment'
      const text = `is not used: no file in a project can set it, because ${why}. ${where}.`
      context.report('warning', { offset: start, key: at.key, withheld: true, text })
    } else {
      if (values.has(key)) reportTwice(start, at, context)
      const value = shape.asText ? asText(child, context.text) : undefined
      const checked = value ?? check(child, shape.of, at, context)
      if (checked !== undefined) values.set(key, mergeValues(shape.of, checked, values.get(key)))
    }
  }
  return Object.fromEntries(values)
}

/** As it is written: `1.0` stays `1.0`. */
function asText(node: JsonNode, text: string): string | undefined {
  const value = scalar(node)
  return typeof value === 'number' || typeof value === 'boolean' ? text.slice(node.start, node.end) : undefined
}

function checkList(
  items: readonly JsonNode[],
  shape: ListShape,
  place: Place,
  context: SettingsCheckContext,
): unknown[] {
  const beyond = items[MAX_ITEMS]
  if (beyond) {
    const text = `has more than ${MAX_ITEMS} items.${place.strict ? '' : ' Those after that are not used.'}`
    context.report(severity(place), { offset: beyond.start, key: place.key, text })
  }
  return items.slice(0, MAX_ITEMS).flatMap((item, index) => {
    const value = check(item, shape.of, { ...place, key: childKeyPath(place.key, index) }, context)
    return value === undefined ? [] : [value]
  })
}

function checkText(node: JsonNode, shape: TextShape, place: Place, context: SettingsCheckContext): string | undefined {
  const { max = MAX_TEXT, rule, problem } = shape
  const value = scalar(node)
  if (typeof value !== 'string') return wrong(node, 'text', place, context)
  const reject = (text: string) => {
    context.report(severity(place), { offset: node.start, key: place.key, text: `${text}.${unused(place)}` })
    return undefined
  }
  if (value.trim() === '' && !shape.mayBeEmpty) return reject('is empty')
  if (value.length > max) return reject(`is longer than ${max} characters`)
  if (value.includes('\0')) return reject('holds a NUL character')
  const flaw = problem?.(value)
  if (flaw !== undefined) return reject(flaw)
  if (!rule) return value
  const judged = checkSettingsRule(value, rule, context.rules)
  if (judged.problem) {
    const { severity: level, text } = judged.problem
    context.report(level, { offset: node.start, key: place.key, text })
  }
  return judged.rule
}

/** Values are not repeated: what stands in the wrong place may be a secret. */
function wrong(node: JsonNode, expected: string, place: Place, context: SettingsCheckContext): undefined {
  const got = describe(node)
  // Text where a certain text must stand.
  const text = `must be ${expected}${got === 'text' && expected.includes('"') ? '' : `, not ${got}`}.${unused(place)}`
  context.report(severity(place), { offset: node.start, key: place.key, text })
  return undefined
}

/** Said by hosts of newer releases; that nothing runs without the sandbox unseen holds anyway. */
const HARMLESS = ['failIfUnavailable']
/** Programs that make credentials or headers. */
const HELPERS = /Helper$|^(?:aws|gcp|azure)[A-Z]/

function reportUnknown(
  { key, value: child, start: offset }: JsonMember,
  shape: ObjectShape,
  place: Place,
  context: SettingsCheckContext,
): void {
  const [meant, known] = Object.entries(shape.keys).find(([name]) => name.toLowerCase() === key.toLowerCase()) ?? []
  if (known && whySettingIsWithheld(known, child, context.repository) === undefined) {
    const text = `is not known; did you mean "${meant}"?`
    context.report(known.strict || place.strict ? 'refuse' : 'warning', { offset, key: place.key, text })
    return
  }
  const isUsers = !context.repository || context.repository.own
  // An unknown sandbox key might be an isolation of a newer release, and would be missing. A repository can't keep a
  // session from starting.
  if (/^sandbox\b/.test(place.key) && isUsers && !HARMLESS.includes(key)) {
    context.report('refuse', { offset, key: place.key, text: 'is not known, so what it asks for would be missing.' })
    return
  }
  // Other releases use these keys. The user should see that they do nothing here.
  if (context.repository?.trusted && place.key === key && HELPERS.test(key)) {
    context.report('warning', { offset, key, withheld: true, text: 'is not used: no file in a project names helpers.' })
    return
  }
  if (shape === settingsShape && UNENFORCED_KEYS.includes(key)) {
    context.report('warning', { offset, key, text: 'limits Claude Code. Kedge does not enforce it.' })
    return
  }
  if (shape === settingsShape && EFFECTLESS_KEYS.includes(key)) {
    const text = 'is a setting of Claude Code that has no effect in Kedge.'
    context.report(context.managed ? 'warning' : 'note', { offset, key, text })
    return
  }
  // Beside rules it may be a misspelt key that was to narrow something.
  const level = context.managed || place.strict || shape === settingsShape.keys.permissions ? 'warning' : 'note'
  context.report(level, { offset, key: place.key, text: 'is not known. It is ignored.' })
}

function reportTwice(offset: number, place: Place, context: SettingsCheckContext): void {
  const text = 'is there more than once. Lists are joined; of other values the last one holds.'
  context.report('warning', { offset, key: place.key, text })
}

function severity({ strict }: Place): ProblemSeverity {
  return strict ? 'refuse' : 'warning'
}

/** Where the start is refused, nothing is used or not. */
function unused({ strict }: Place): string {
  return strict ? '' : ' It is not used.'
}

function scalar(node: JsonNode): unknown {
  return node.kind === 'scalar' ? node.value : undefined
}

function describe(node: JsonNode): string {
  if (node.kind !== 'scalar') return node.kind === 'array' ? 'a list' : 'an object'
  if (node.value === null) return 'null'
  if (typeof node.value === 'boolean') return `${node.value}`
  return typeof node.value === 'number' ? 'a number' : 'text'
}
