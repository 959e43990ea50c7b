/** A regular expression as a list of small steps, each with the places to continue from. */
import type { CharSet } from './char-set.js'
import { createUnsupportedSyntaxError } from './regex-character-class.js'
import type { RegexAssertion, RegexNode } from './regex-syntax.js'

/** `next` and `other` are indexes of steps; `next` is tried first. */
export type RegexStep =
  | { kind: 'set'; set: CharSet; next: number }
  | { kind: 'look'; look: RegexAssertion; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'end' }

export type RegexProgram = { steps: readonly RegexStep[]; start: number }

/** Repetitions are written out; ripgrep has a limit too. */
const MAX_STEPS = 20_000

export function compileRegex(tree: RegexNode): RegexProgram {
  const steps: RegexStep[] = [{ kind: 'end' }]
  const add = (step: RegexStep): number => {
    if (steps.length >= MAX_STEPS) throw createUnsupportedSyntaxError('a pattern with so many repetitions')
    return steps.push(step) - 1
  }

  /** Built from the end: what comes after `node` is already there. */
  function compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'set':
        return add({ kind: 'set', set: node.set, next })
      case 'look':
        return add({ kind: 'look', look: node.look, next })
      case 'sequence':
        return node.parts.reduceRight((after, part) => compile(part, after), next)
      case 'choice':
        return node.options
          .map((option) => compile(option, next))
          .reduceRight((other, option) => add({ kind: 'fork', next: option, other }))
      case 'repeat':
        return repeat(node, next)
    }
  }

  function repeat({ node, min, max, greedy }: RegexNode & { kind: 'repeat' }, next: number): number {
    const fork = (into: number, past: number): RegexStep =>
      greedy ? { kind: 'fork', next: into, other: past } : { kind: 'fork', next: past, other: into }
    /** Leads back into itself, so that an empty turn comes to where it was and continues past. */
    const oneOrMore = (): number => {
      const loop = add({ kind: 'end' })
      const body = compile(node, loop)
      steps[loop] = fork(body, next)
      return body
    }
    let copies = min
    let start = next
    if (max !== Number.POSITIVE_INFINITY)
      for (let i = min; i < max; i += 1) start = add(fork(compile(node, start), next))
    else {
      const body = oneOrMore()
      start = min === 0 ? add(fork(body, next)) : body
      copies = min - 1
    }
    for (let i = 0; i < copies; i += 1) {
      const before = compile(node, start)
      // Nothing, however often, is nothing.
      if (before === start) break
      start = before
    }
    return start
  }

  const start = compile(tree, 0)
  return { steps, start }
}

/** Is there a character in the pattern for which `test` is true? */
export function someCharacterSetInPattern(
  node: RegexNode,
  test: (set: RegexNode & { kind: 'set' }) => boolean,
): boolean {
  switch (node.kind) {
    case 'set':
      return test(node)
    case 'look':
      return false
    case 'sequence':
      return node.parts.some((part) => someCharacterSetInPattern(part, test))
    case 'choice':
      return node.options.some((option) => someCharacterSetInPattern(option, test))
    case 'repeat':
      return someCharacterSetInPattern(node.node, test)
  }
}

/** The longest text that every match has in it. */
export function longestRequiredText(node: RegexNode): string {
  if (node.kind === 'set') return node.literal ?? ''
  if (node.kind !== 'sequence') return ''
  const runs = ['']
  for (const part of node.parts) {
    if (part.kind === 'set' && part.literal !== undefined) runs.push((runs.pop() ?? '') + part.literal)
    else runs.push(longestRequiredText(part), '')
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}
