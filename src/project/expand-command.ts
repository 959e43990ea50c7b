/** What `/name arguments`, or a call of a skill, becomes. Arguments are put in as text: nothing in them is a command. */

import { withoutInvisible } from '../platform/visible-text.js'
import { parseMarkdown } from './frontmatter.js'
import { findImportReferences } from './import-references.js'
import type { CommandFile, ExpandedCommand, ExpansionPart, ProjectFileAccess, SkillFile } from './project.js'
import { readProjectText } from './reader.js'
import { markUntrustedText } from './untrusted-words.js'

/** `variables` such as CLAUDE_SESSION_ID stand in the body as `${NAME}`. */
export async function expandCommand(
  command: CommandFile | SkillFile,
  args: string,
  files: ProjectFileAccess,
  variables: Readonly<Record<string, string>> = {},
): Promise<ExpandedCommand | { problem: string }> {
  const { path, within, name, pluginRoot } = command
  const found = await readProjectText(path, within, files)
  if (found.kind !== 'text') return { problem: `${path} ${found.kind === 'absent' ? 'is gone' : found.reason}` }
  const parsed = parseMarkdown(withoutInvisible(found.text).text)
  if ('line' in parsed) return { problem: `${path}:${parsed.line}: ${parsed.text}` }
  const { body } = parsed
  const folder = 'folder' in command ? command.folder : undefined
  const known = new Map(Object.entries(variables))
  if (pluginRoot !== undefined) known.set('CLAUDE_PLUGIN_ROOT', pluginRoot)
  if (folder !== undefined) known.set('CLAUDE_SKILL_DIR', folder)
  const base = folder === undefined ? '' : `Base directory for this skill: ${folder}\n\n`
  const all = (parts: ExpansionPart[]) => joined([{ kind: 'text', text: base }, ...parts])
  const marks = marksOf(name, args)
  if (command.untrusted) {
    const parts = expandCommandBody(markUntrustedText(path, body, hasEmbeddedCommands(body)), args, known)
    return { marks, parts: all(parts.map(asText)), mentions: [] }
  }
  const mentions = findImportReferences(body).map(([written = '']) => written)
  return { marks, parts: all(expandCommandBody(body, args, known)), mentions }
}

function asText(part: ExpansionPart): ExpansionPart {
  return part.kind === 'text' ? part : { kind: 'text', text: `!\`${part.command}\`` }
}

/** Are there commands in the text, to be run before the model reads it? */
export function hasEmbeddedCommands(body: string): boolean {
  return body.search(COMMAND) !== -1
}

/** Before the body in the message; hosts and the original's tools look for them. */
function marksOf(name: string, args: string): string {
  const marks = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`
  return args === '' ? marks : `${marks}\n<command-args>${args}</command-args>`
}

const COMMAND = /(?<=^|\s)!`([^`\n]+)`/g
const PLACEHOLDER = /\$ARGUMENTS\[(\d{1,4})\]|\$ARGUMENTS\b|\$(\d{1,4})(?!\w)|\$\{([A-Z][A-Z_]*)\}/g

/** Exported for its tests. */
export function expandCommandBody(body: string, args: string, variables: ReadonlyMap<string, string>): ExpansionPart[] {
  const words = splitArguments(args)
  let isUsed = false
  // One pass: what was put in is not looked at again, so `$1` or a command inside of an argument stays text.
  const put = (text: string) =>
    text.replace(PLACEHOLDER, (all, index?: string, position?: string, variable?: string) => {
      if (variable !== undefined) return variables.get(variable) ?? all
      isUsed = true
      const number = index ?? position
      return number === undefined ? args : (words[Number(number)] ?? '')
    })
  const parts: ExpansionPart[] = []
  let from = 0
  for (const found of body.matchAll(COMMAND)) {
    parts.push({ kind: 'text', text: put(body.slice(from, found.index)) })
    parts.push({ kind: 'command', command: put(found[1] ?? '') })
    from = found.index + found[0].length
  }
  parts.push({ kind: 'text', text: put(body.slice(from)) })
  if (!isUsed && args.trim() !== '') parts.push({ kind: 'text', text: `\n\nARGUMENTS: ${args}` })
  return joined(parts)
}

/** Texts that stand side by side are one; empty ones are none. */
function joined(parts: readonly ExpansionPart[]): ExpansionPart[] {
  const result: ExpansionPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.kind === 'text' && part.text === '') continue
    if (part.kind === 'text' && last?.kind === 'text')
      result[result.length - 1] = { kind: 'text', text: last.text + part.text }
    else result.push(part)
  }
  return result
}

/** As a shell splits words. Where a quote is not closed, as in `don't`, quotes are just characters. */
export function splitArguments(args: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (const character of args) {
    if (quote !== '') {
      if (character === quote) quote = ''
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (quote !== '') return args.split(/\s+/).filter((one) => one !== '')
  return word === undefined ? words : [...words, word]
}

/** The body with one output for each of its commands, in order. */
export function joinExpansionParts(parts: readonly ExpansionPart[], outputs: readonly string[]): string {
  let next = 0
  return parts.map((part) => (part.kind === 'text' ? part.text : (outputs[next++] ?? ''))).join('')
}
