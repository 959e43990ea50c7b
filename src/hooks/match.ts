/** Decides whether a hook's matcher covers an event. */
import { countRegexBacktrackPaths } from './match-cost.js'

/** With more ways to match than this, an expression may take seconds. */
const MAX_PATHS = 20_000_000
/** A name, or a list of names. */
const NAMES = /^[A-Za-z0-9_|]+$/

export type MatcherSubjects = {
  names: readonly string[]
  /** A matcher lists names and nothing else: names of files have dots in them. */
  literal?: true
}

/**
 * No matcher, `''` and `*` cover everything. Names and `|` lists of names mean just those; everything else is a regular
 * expression that may match anywhere in the name. What can't be decided (a broken expression, one that would take for
 * ever) covers everything: a hook that guards something must rather be asked too often.
 */
export function matcherApplies(matcher: string | undefined, subjects: MatcherSubjects | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || subjects === undefined) return true
  const { names, literal } = subjects
  if (names.includes(matcher)) return true
  if (literal || NAMES.test(matcher)) return matcher.split('|').some((name) => names.includes(name))
  let expression: RegExp
  try {
    expression = new RegExp(matcher)
  } catch {
    return true
  }
  return names.some((subject) => {
    // It may begin at every character.
    const paths = countRegexBacktrackPaths(matcher, subject.length) * (subject.length + 1)
    return paths > MAX_PATHS || expression.test(subject)
  })
}
