/** Takes a message apart into the requests in it: by lines, and at "then", ";", "and" where both sides are requests. */
import { endsInFreeText, hasMoreThanPunctuation, parsePracticeIntent, withoutBullet } from './grammar.js'
import type { PracticeIntent, PracticeRequest } from './practice-request.js'
import { type TextWithoutQuotes, takeOutQuotes } from './quoting.js'

/** More than these are not begun; the answer says so. */
export const MAX_REQUESTS = 20

/** Lines with more joints than this are prose. */
const MOST_JOINTS = 12

const JOINT =
  /\s*[,.;]?\s+(?:and\s+)?(?<then>then|afterwards|after that),?\s+|\s*(?<semicolon>;)\s*|(?:[,.]\s+|,?\s+and\s+)/gi

/** Words that begin a request here and a command in a shell. */
const SHELL_WORDS = /^(?:cat|echo|find|grep|ls|make|open|print|read|touch|view|write)\b/i

export function splitRequests(text: string): PracticeRequest[] {
  const quoted = takeOutQuotes(text)
  const lines = quoted.text.split('\n').map(withoutBullet).filter(hasMoreThanPunctuation)
  const asked: PracticeRequest[] = []
  for (const [index, line] of lines.entries()) {
    const requests = splitLine(line, quoted, new Map())
    // "Please do this:" above a list says nothing.
    const isHeading = line.endsWith(':') && requests[0]?.request.kind === 'unknown' && index < lines.length - 1
    if (!isHeading) asked.push(...requests)
    if (asked.length > MAX_REQUESTS) break
  }
  return asked
}

/** `known` remembers the readings of what follows a joint, which is looked at from every joint before it. */
function splitLine(line: string, quoted: TextWithoutQuotes, known: Map<string, PracticeRequest[]>): PracticeRequest[] {
  const before = known.get(line)
  if (before) return before
  const asked = splitAtFirstJoint(line, quoted, known) ?? [ask(line, quoted)]
  known.set(line, asked)
  return asked
}

function splitAtFirstJoint(
  line: string,
  quoted: TextWithoutQuotes,
  known: Map<string, PracticeRequest[]>,
): PracticeRequest[] | undefined {
  const joints = line.length > 2000 ? [] : [...line.matchAll(JOINT)]
  if (joints.length > MOST_JOINTS) return undefined
  for (const joint of joints) {
    const left = ask(line.slice(0, joint.index), quoted)
    const right = line.slice(joint.index + joint[0].length)
    if (!hasMoreThanPunctuation(right) || !mayEndAt(left.request, joint.groups ?? {}, right)) continue
    const rest = splitLine(right, quoted, known)
    if (rest[0]?.request.kind !== 'unknown') return [left, ...rest]
  }
  return undefined
}

function ask(piece: string, quoted: TextWithoutQuotes): PracticeRequest {
  return { words: quoted.typed(piece).trim(), request: parsePracticeIntent(piece, quoted) }
}

function mayEndAt(request: PracticeIntent, joint: Record<string, string | undefined>, right: string): boolean {
  const strong = joint['then'] !== undefined || joint['semicolon'] !== undefined
  switch (request.kind) {
    case 'unknown':
    case 'plan':
      return false
    case 'run':
      return joint['then'] !== undefined || (joint['semicolon'] !== undefined && !SHELL_WORDS.test(right))
    default:
      return strong || !endsInFreeText(request)
  }
}
