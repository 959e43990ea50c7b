// Compaction on request and by itself, and commands that are answered without the model.
import { isSummaryRequest } from './steps.mjs'

const count = (_body, i) => ({ text: `Answer ${i} SUMMARY-TEXT` })

export const s15 = conversation('/compact with instructions', count, [
  'Before compact one.',
  '/compact keep the colors',
  'After compact.',
])

/** The first answer says that the window is nearly full. */
export const s15b = conversation(
  'compaction near the limit',
  (body, i) => {
    if (isSummaryRequest(body)) return { text: 'SUMMARY-TEXT' }
    return { text: `Answer ${i}`, usage: i === 0 ? { input_tokens: 190_000 } : {} }
  },
  ['Before.', 'After.', 'Later.'],
)

export const s15c = conversation('commands that are answered without the model', count, [
  'Hello.',
  '/cost',
  '/context',
  '/nosuchthing with words',
  'Go on.',
])

export const s15d = conversation('/compact with nothing to compact, then without instructions', count, [
  '/compact',
  'Something.',
  '/compact',
  'After.',
])

export const s15e = conversation(
  'a summary that the API refuses',
  (body, i) => (isSummaryRequest(body) ? { error: 400, message: 'fake bad request' } : { text: `Answer ${i}` }),
  ['Before.', '/compact', 'After.'],
  { env: { CLAUDE_CODE_MAX_RETRIES: '1' } },
)

export const s15f = conversation(
  'a prompt that is too long for the API after some turns',
  (body, i) => {
    if (isSummaryRequest(body)) return { text: 'SUMMARY-TEXT' }
    return i === 1
      ? { error: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' }
      : { text: `Answer ${i}` }
  },
  ['Before.', 'Too long.', 'Later.'],
)

export const s15g = conversation(
  'compaction switched off',
  (_body, i) => ({ text: `Answer ${i}`, usage: i === 0 ? { input_tokens: 190_000 } : {} }),
  ['Before.', 'After.'],
  { env: { DISABLE_AUTO_COMPACT: '1' } },
)

export const s15h = conversation(
  'files that were read come again after a compaction',
  (body, i) => {
    if (isSummaryRequest(body)) return { text: 'SUMMARY-TEXT' }
    if (i === 0) return { tools: [{ id: 'toolu_1', name: 'Read', input: { file_path: '/etc/hostname' } }] }
    return { text: `Answer ${i}` }
  },
  ['Read it.', '/compact', 'After.'],
  { allowedTools: ['Read'] },
)

export const s15i = conversation('commands that the original does not know', count, [
  'Hello.',
  '/clear',
  '/help',
  'Go on.',
])

function conversation(title, answers, turns, extra = {}) {
  return {
    title,
    own: ['SUMMARY-TEXT', 'keep the colors'],
    async run({ sdk, options, script, consume, hook, user, queue }) {
      script(answers)
      const hooks = {
        PreCompact: [{ hooks: [hook('PreCompact', async () => ({}))] }],
        SessionStart: [{ hooks: [hook('SessionStart', async () => ({}))] }],
      }
      const prompt = queue()
      const rest = turns.map((text) => user(text))
      prompt.push(rest.shift())
      await consume(sdk.query({ prompt, options: options({ hooks, ...extra }) }), (message) => {
        if (message.type !== 'result') return
        const next = rest.shift()
        if (next === undefined) prompt.end()
        else prompt.push(next)
      })
    },
  }
}
