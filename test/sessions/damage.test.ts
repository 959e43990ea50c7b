/**
 * A session file cut at every byte, flipped at every byte, with lines removed, doubled and swapped; each time it is resumed and
 * goes on. Nothing that was whole may be lost, everything that was mended is told, and the API must take what comes out.
 * By default a part of it, chosen by a seed (`KEDGE_SEED`); `npm run test:long` does all.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeFiles } from '../../src/platform/files/files.js'
import type { TranscriptLine } from '../../src/protocol/transcript.js'
import type { LoadedSession } from '../../src/sessions/load-session.js'
import { openSessionForWriting } from '../../src/sessions/resume.js'
import {
  createTestResumePorts,
  createTestSessionsFolder,
  TEST_SESSION_ID,
  testAssistantLine,
} from '../../src/sessions/test-sessions.js'
import { createTranscriptLog } from '../../src/sessions/transcript-log.js'
import { checkMessagesRequest } from '../../src/testing/api-rules.js'
import { Random } from '../fuzz/random.js'
import { byTier } from '../support/tier.js'
import { type Sample, sample } from './sample.js'

const LONG = Boolean(process.env.KEDGE_LONG)
const SEED = Number(process.env.KEDGE_SEED ?? 1)
const PART = byTier({ quick: 6, all: 120 })

const samples: [string, Sample][] = [
  ['a session', sample()],
  ['a compacted session', sample(true)],
]
const encode = (text: string) => new TextEncoder().encode(text)

/** All places, or a part of them. */
function chosen(count: number): number[] {
  const all = Array.from({ length: count }, (_, i) => i)
  if (LONG || count <= PART) return all
  const random = new Random(SEED)
  return Array.from({ length: PART }, () => random.int(count))
}

type Damage = { name: string; bytes: Uint8Array; expected: readonly string[]; mustTell: boolean | undefined }

/** Resumes, looks, adds an answer, resumes again. Returns what is wrong. */
async function check(
  { name, bytes, expected, mustTell }: Damage,
  at: ReturnType<typeof createTestSessionsFolder>,
): Promise<string[]> {
  at.write(bytes)
  const wrong: string[] = []
  const first = await resume(at.path)
  const said = JSON.stringify(first.session.messages)
  const lost = expected.filter((text) => !said.includes(text))
  if (lost.length > 0) wrong.push(`${name}: lost ${lost.join(', ')}`)
  const isTold = first.session.repairs.length > 0
  if (mustTell !== undefined && isTold !== mustTell)
    wrong.push(`${name}: ${isTold ? `told ${first.session.repairs.join('; ')}` : 'mended without a word'}`)
  const refused = checkMessagesRequest({ model: 'm', max_tokens: 1, messages: withPrompt(first.session) })
  if (refused) wrong.push(`${name}: the API would refuse it: ${refused.message}`)

  const log = createTranscriptLog({
    ...first.log,
    labels: {},
    sessionId: TEST_SESSION_ID,
    sync: false,
    persist: true,
    isNew: false,
  })
  const added = testAssistantLine(999, 'added-after', {
    uuid: 'aaaaaaaa-0000-4000-8000-aaaaaaaaaaaa',
    parentUuid: first.session.leaf,
  })
  // Built like the lines of an agent.
  log.append(added as unknown as TranscriptLine)
  log.close()
  if (!readFileSync(at.path, 'utf8').split('\n').includes(JSON.stringify(added)))
    wrong.push(`${name}: the new line does not stand alone`)
  const second = await resume(at.path)
  second.lock.release()
  const now = JSON.stringify(second.session.messages)
  const missing = [...expected, 'added-after'].filter((one) => !now.includes(one))
  if (missing.length > 0) wrong.push(`${name}: lost after going on: ${missing.join(', ')}`)
  return wrong
}

async function resume(path: string) {
  const ports = createTestResumePorts()
  const resumed = await openSessionForWriting({ path, sessionId: TEST_SESSION_ID }, ports)
  assert.equal(resumed.is, 'loaded')
  assert.ok(resumed.is === 'loaded' && typeof resumed.lock === 'object')
  return { session: resumed.session, lock: resumed.lock, log: { files: nodeFiles, path, lock: resumed.lock } }
}

function withPrompt({ messages }: LoadedSession): unknown[] {
  const prompt = { type: 'text', text: 'next' }
  const last = messages.at(-1)
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [prompt] }]
  return [
    ...messages.slice(0, -1),
    { role: 'user', content: [...(Array.isArray(last.content) ? last.content : []), prompt] },
  ]
}

async function checkAll(cases: Iterable<Damage>): Promise<void> {
  using at = createTestSessionsFolder()
  const wrong: string[] = []
  let count = 0
  for (const damage of cases) {
    wrong.push(...(await check(damage, at)))
    count += 1
  }
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} of ${count}`)
  assert.ok(count > 0)
}

for (const [name, { lines, says }] of samples) {
  const whole = encode(lines.map((line) => `${line}\n`).join(''))
  /** Where each line begins; the last is the end. */
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + encode(line).length + 1)
  const saidBy = (isThere: (line: number) => boolean) =>
    [...says].flatMap(([line, text]) => (isThere(line) ? text : []))

  test(`S02: ${name} cut at any byte keeps every whole record, and goes on`, async () => {
    function* cuts(): Generator<Damage> {
      const edges = starts
        .flatMap((start) => [start - 1, start, start + 1])
        .filter((at) => at >= 0 && at <= whole.length)
      for (const cut of [...chosen(whole.length), ...edges]) {
        // A record is whole without its newline.
        const isThere = (line: number) => (starts[line + 1] ?? 0) - 1 <= cut
        const line = starts.findLastIndex((start) => start <= cut)
        const rest = cut - (starts[line] ?? 0)
        const isTorn = rest > 0 && !isThere(line)
        const expected = saidBy(isThere)
        // Cut in the middle of a call, its answer is missing: that is told as well.
        yield { name: `cut at ${cut}`, bytes: whole.slice(0, cut), expected, mustTell: isTorn ? true : undefined }
      }
    }
    await checkAll(cuts())
  })

  test(`${name} with any byte flipped loses at most the record it is in`, async () => {
    function* flips(): Generator<Damage> {
      const random = new Random(SEED)
      for (const place of chosen(whole.length)) {
        const line = starts.findLastIndex((start) => start <= place)
        const bit = random.int(8)
        const bytes = whole.slice()
        bytes[place] = (whole[place] ?? 0) ^ (1 << bit)
        const isNewline = whole[place] === 10
        const expected = saidBy((other) => other !== line || isNewline)
        const isBroken = isNewline || !isJson(bytes.slice(starts[line], starts[line + 1]))
        yield { name: `bit ${bit} of byte ${place}`, bytes, expected, mustTell: isBroken ? true : undefined }
      }
    }
    await checkAll(flips())
  })

  test(`${name} with a line removed, doubled or swapped loses nothing else`, async () => {
    function* changes(): Generator<Damage> {
      for (const [i, line] of lines.entries()) {
        const others = saidBy((other) => other !== i)
        const all = saidBy(() => true)
        const next = lines[i + 1] ?? line
        const make = (changed: string[]) => encode(changed.map((one) => `${one}\n`).join(''))
        yield { name: `without line ${i}`, bytes: make(lines.toSpliced(i, 1)), expected: others, mustTell: undefined }
        yield { name: `line ${i} twice`, bytes: make(lines.toSpliced(i, 0, line)), expected: all, mustTell: undefined }
        yield {
          name: `line ${i} behind the next`,
          bytes: make(lines.toSpliced(i, 2, next, line)),
          expected: all,
          mustTell: undefined,
        }
        const half = line.slice(0, Math.floor(line.length / 2))
        yield {
          name: `S03: half of line ${i} before itself`,
          bytes: make(lines.toSpliced(i, 1, half + line)),
          expected: all,
          mustTell: true,
        }
      }
    }
    await checkAll(changes())
  })
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}
