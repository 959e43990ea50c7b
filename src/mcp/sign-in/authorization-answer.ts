/** What a browser brings back from an authorization server: a code, or why there is none. */
import { cleanServerLine } from '../clean-text.js'

export type AuthorizationAnswer = { code: string; iss?: string }

/** `stray`: it belongs to no sign-in, or to another one, and changes nothing about this one. */
export type AnswerProblem = { kind: 'stray' | 'refused'; problem: string }

const MAX_CODE = 8192

/** Reads the parameters of a redirect that belongs to the sign-in with this `state`. */
export function readAuthorizationAnswer(query: URLSearchParams, state: string): AuthorizationAnswer | AnswerProblem {
  // Twice the same name means that somebody added to it.
  for (const name of ['state', 'code', 'iss', 'error']) {
    if (query.getAll(name).length > 1) return { kind: 'stray', problem: `The address has ${name} twice.` }
  }
  if (query.get('state') !== state) {
    return { kind: 'stray', problem: 'The address belongs to another sign-in: it was not begun here.' }
  }
  const error = query.get('error')
  if (error !== null) {
    const description = query.get('error_description')
    const detail = description === null ? '' : `: ${cleanServerLine(description, 300)}`
    return { kind: 'refused', problem: `The authorization server refused: ${cleanServerLine(error, 100)}${detail}` }
  }
  const code = query.get('code')
  if (!code || code.length > MAX_CODE) return { kind: 'stray', problem: 'The address has no code.' }
  const iss = query.get('iss')
  return { code, ...(iss === null ? {} : { iss }) }
}

/** Reads what a person pasted: the whole address the browser ended at, or only the code in it. */
export function readPastedAnswer(pasted: string, state: string): AuthorizationAnswer | AnswerProblem {
  const text = pasted.trim()
  const at = text.indexOf('?')
  if (at >= 0 || /[&=]/.test(text)) return readAuthorizationAnswer(new URLSearchParams(text.slice(at + 1)), state)
  if (text === '' || text.length > MAX_CODE || /\s/.test(text))
    return { kind: 'stray', problem: 'That is neither an address nor a code.' }
  return { code: text }
}
