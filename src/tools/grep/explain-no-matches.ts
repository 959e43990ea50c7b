/** Explains an empty result: what was searched, and how to widen the search. Loaded when needed. */
import type { GrepInput } from './grep-shapes.js'

/** Returns the remark that follows the result. `place` is the searched path. */
export function explainNoMatches(input: GrepInput, place: string, isFile: boolean): string {
  const { pattern, path, glob, type, '-i': ignoresCase } = input
  const only = [glob ? `only "${glob}"` : '', type ? `only type ${type}` : ''].filter((part) => part !== '')
  const searched = [place, ...only, isFile ? '' : 'without what git ignores'].filter((part) => part !== '').join(', ')
  const fewer = [path ? 'path' : '', glob ? 'glob' : '', type ? 'type' : ''].filter((part) => part !== '')
  const wider = [
    /[a-z]/i.test(pattern) && !ignoresCase ? 'set -i to ignore case' : '',
    fewer.length > 0 ? `leave out ${fewer.join(' or ')}` : '',
  ].filter((part) => part !== '')
  const advice = wider.length === 0 ? '' : ` To find more: ${wider.join(', ')}.`
  return `[Searched ${searched}.${advice}${aboutPattern(pattern)}]`
}

/** Mistakes that come from other regular expression syntaxes. */
function aboutPattern(pattern: string): string {
  return pattern.includes('\\|') ? ' In this syntax \\| is the character |; alternatives are written a|b.' : ''
}
