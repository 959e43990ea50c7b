/** A session of 40 records with everything in it, and what each record says, so that a test can tell what was lost. */
import {
  TEST_SESSION_ID,
  testAssistantLine,
  testToolCallLine,
  testToolResultLine,
  testTranscriptLine,
  testUserLine,
} from '../../src/sessions/test-sessions.js'
import { Random } from '../fuzz/random.js'

export type Sample = {
  lines: string[]
  /** By line: a text that is in the conversation when the line was read; absent for lines that say nothing. */
  says: Map<number, string>
}

/** Random, so that a flipped bit never makes one id into another. */
function createIds(random: Random) {
  const hex = (length: number) => Array.from({ length }, () => random.int(16).toString(16)).join('')
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

/** Prompts, answers, calls with results, what waits in the queue, costs, a title. `compacted`: the first half was summed up. */
export function sample(compacted = false): Sample {
  const newId = createIds(new Random(7))
  const lines: string[] = []
  const says = new Map<number, string>()
  let parent: string | null = null
  const add = (record: Record<string, unknown>, said?: string) => {
    if (said !== undefined) says.set(lines.length, said)
    lines.push(JSON.stringify(record))
  }
  const chained = (record: Record<string, unknown>, said?: string) => {
    const uuid = newId()
    add({ ...record, parentUuid: parent, uuid }, said)
    parent = uuid
  }
  const aside = (record: Record<string, unknown>) =>
    add({ ...record, timestamp: '2026-01-01T00:00:00.000Z', sessionId: TEST_SESSION_ID })
  const cost = {
    model: 'm',
    usage: { input_tokens: 1, output_tokens: 2 },
    costUSD: 0.5,
    priced: true,
    durationMs: 3,
    ok: true,
  }
  const turn = (n: number) => {
    aside({ type: 'queue-operation', operation: 'enqueue' })
    chained(testUserLine(n, [{ type: 'text', text: `prompt-${n} "ü\n` }], { permissionMode: 'default' }), `prompt-${n}`)
    chained(testAssistantLine(n, `answer-${n} 漢`), `answer-${n}`)
    chained(testToolCallLine(n, `toolu_${newId().slice(0, 8)}`), `echo ${n}`)
    const tool = String(JSON.parse(lines.at(-1) ?? '').message.content[0].id)
    chained(testToolResultLine(n, tool), `done ${n}`)
    chained(testAssistantLine(n + 1, `final-${n}`), `final-${n}`)
    aside({ type: 'cost-entry', ...cost })
  }
  for (let n = 10; n <= 50; n += 10) turn(n)
  if (compacted) {
    // All that was before is in the summary now.
    says.clear()
    const logicalParentUuid = parent
    parent = null
    chained(
      testTranscriptLine(1, 'system', {
        subtype: 'compact_boundary',
        logicalParentUuid,
        content: 'Conversation compacted',
      }),
    )
    chained(testUserLine(2, 'the-summary', { isCompactSummary: true, isVisibleInTranscriptOnly: true }), 'the-summary')
    for (let n = 60; n <= 70; n += 10) turn(n)
  }
  aside({ type: 'custom-title', customTitle: 'A title' })
  return { lines, says }
}
