/** Turns of every kind, for the bridges: what each makes of them is checked by the library it is for. */
import {
  answeredRequestEntries,
  assistantMessageEntry,
  callResultEntry,
  createTestSession,
  modelTextBlock,
  modelThinkingBlock,
  modelToolUseBlock,
  openFormEntries,
  openRequestEntries,
  queuedAndStartedPromptEntries,
  type TestSession,
  turnEndEntries,
  warningNoticeEntry,
} from '../../src/client/bridges/test-session.js'

/** Writes the turn of the prompt `p` into the log of a session. */
type WriteTurn = (session: TestSession) => void

export const STRANGE = 'a\u2028\u0000\ud800😀</script>data: [DONE]\n\n: x\r\n'
const IMAGE = { type: 'image', source: { type: 'base64', data: 'aGk=', media_type: 'image/png' } }
const failed = { is_error: true, subtype: 'error_during_execution', errors: ['The model is away.'] } as const

/** By name. Those that wait end at an open request. */
export const TURNS: Record<string, { write: WriteTurn; waits?: true }> = {
  'text alone': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m', [modelTextBlock('Hello.')]),
        ...turnEndEntries('p'),
      ),
  },
  'thinking, text, and a call': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [
          modelThinkingBlock('Hm.'),
          modelTextBlock('I look.'),
          modelToolUseBlock('c1', 'Bash', { command: 'ls' }),
        ]),
        callResultEntry('c1', 'a.txt'),
        assistantMessageEntry('m2', [modelTextBlock('One file.')]),
        ...turnEndEntries('p'),
      ),
  },
  'a model that says nothing': {
    write: ({ log }) => log(...queuedAndStartedPromptEntries('p'), ...turnEndEntries('p', { result: 'Printed.' })),
  },
  'calls at once, one of them failing': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [
          modelToolUseBlock('c1', 'Read', { file_path: '/a' }),
          modelToolUseBlock('c2', 'Read', { file_path: '/b' }),
        ]),
        callResultEntry('c2', 'not found', true),
        callResultEntry('c1', 'text'),
        assistantMessageEntry('m2', [modelTextBlock('Half.')]),
        ...turnEndEntries('p'),
      ),
  },
  'an image as a result': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [modelToolUseBlock('c1', 'Read')]),
        callResultEntry('c1', [modelTextBlock('An image:'), IMAGE]),
        ...turnEndEntries('p'),
      ),
  },
  'strange characters, and a call without input': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p', STRANGE),
        assistantMessageEntry('m1', [modelTextBlock(STRANGE), modelToolUseBlock('c1', 'TaskList')]),
        callResultEntry('c1', STRANGE),
        ...turnEndEntries('p'),
      ),
  },
  'an approval': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [modelTextBlock('May I?'), modelToolUseBlock('c1', 'Bash', { command: 'ls' })]),
        ...openRequestEntries('a1', 'c1', 'Bash'),
      ),
  },
  'an approval with calls that wait behind it': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry(
          'm1',
          ['c1', 'c2', 'c3'].map((id) => modelToolUseBlock(id, 'Bash', { command: id })),
        ),
        callResultEntry('c1', 'x'),
        ...openRequestEntries('a1', 'c2', 'Bash'),
      ),
  },
  'approvals that were given, denied, and withdrawn': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry(
          'm1',
          ['c1', 'c2', 'c3'].map((id) => modelToolUseBlock(id, 'Bash', { command: id })),
        ),
        ...openRequestEntries('a1', 'c1', 'Bash'),
        ...answeredRequestEntries('a1', { kind: 'allow' }),
        callResultEntry('c1', 'x'),
        ...openRequestEntries('a2', 'c2', 'Bash'),
        ...answeredRequestEntries('a2', { kind: 'deny', message: 'No.' }),
        callResultEntry('c2', 'The user refused.', true),
        ...openRequestEntries('a3', 'c3', 'Bash'),
        { kind: 'withdrawn', data: { ask: 'a3', reason: 'Stopped.' } },
        ...turnEndEntries('p', {
          is_error: true,
          subtype: 'error_during_execution',
          terminal_reason: 'aborted_tools',
          errors: [],
        } as object),
      ),
  },
  'a question': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [
          modelToolUseBlock('c1', 'AskUserQuestion', { questions: [{ question: 'Which?' }] }),
        ]),
        ...openRequestEntries('a1', 'c1', 'AskUserQuestion', { kind: 'question' }),
      ),
  },
  'a plan': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [modelToolUseBlock('c1', 'ExitPlanMode', { plan: 'Do it.' })]),
        ...openRequestEntries('a1', 'c1', 'ExitPlanMode', { kind: 'plan' }),
      ),
  },
  'the form of a server': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        ...openFormEntries('a1', { serverName: 'shop', message: 'Your size?' }),
      ),
  },
  'a form that was filled in': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        ...openFormEntries('a1', { serverName: 'shop', message: 'Your size?' }),
        ...answeredRequestEntries('a1', { kind: 'elicitation', action: 'accept', content: { size: 'M' } }),
        ...turnEndEntries('p'),
      ),
  },
  'a sub-agent': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [
          modelToolUseBlock('t1', 'Task', { description: 'Look', subagent_type: 'Explore', prompt: 'Look.' }),
        ]),
        assistantMessageEntry(
          's1',
          [modelThinkingBlock('Hm.'), modelTextBlock('Inside.'), modelToolUseBlock('c1', 'Bash', { command: 'ls' })],
          't1',
        ),
        callResultEntry('c1', 'x', false, 't1'),
        callResultEntry('t1', 'It said so.'),
        assistantMessageEntry('m2', [modelTextBlock('Done.')]),
        ...turnEndEntries('p'),
      ),
  },
  'a sub-agent that asks': {
    waits: true,
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [modelToolUseBlock('t1', 'Task', { description: 'Look', prompt: 'Look.' })]),
        assistantMessageEntry(
          's1',
          [modelTextBlock('Inside.'), modelToolUseBlock('c1', 'Bash', { command: 'ls' })],
          't1',
        ),
        ...openRequestEntries('a1', 'c1', 'Bash', { agent: ['x'], asker: { type: 'Explore', job: 'Look' } }),
      ),
  },
  'notices, and a prompt that joins': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        warningNoticeEntry('Slow.'),
        assistantMessageEntry('m1', [modelTextBlock('One.')]),
        { kind: 'prompt', data: { change: 'queued', prompt: { id: 'q', content: 'and this', when: 'steer' } } },
        { kind: 'prompt', data: { change: 'started', id: 'q', message: 'mq', joined: true } },
        assistantMessageEntry('m2', [modelTextBlock('Two.')]),
        ...turnEndEntries('p'),
      ),
  },
  'a turn that fails': {
    write: ({ log }) =>
      log(
        ...queuedAndStartedPromptEntries('p'),
        assistantMessageEntry('m1', [modelToolUseBlock('c1', 'Bash')]),
        ...turnEndEntries('p', failed as object),
      ),
  },
  'a turn whose process ends': {
    write: ({ log }) =>
      log(...queuedAndStartedPromptEntries('p'), assistantMessageEntry('m1', [modelTextBlock('Half')]), {
        kind: 'prompt',
        data: { change: 'interrupted', id: 'p', reason: 'The server was restarted.' },
      }),
  },
  'words that are taken back while they stream': {
    write: ({ log, stream }) => {
      const begin = (id: string, block: object, delta: object) =>
        stream(
          { type: 'message_start', message: { id, usage: {} } },
          { type: 'content_block_start', index: 0, content_block: block },
          { type: 'content_block_delta', index: 0, delta },
        )
      log(...queuedAndStartedPromptEntries('p'))
      begin('m1', { type: 'text', text: '' }, { type: 'text_delta', text: 'Half' })
      begin(
        'm2',
        { type: 'tool_use', id: 'c0', name: 'Bash', input: {} },
        { type: 'input_json_delta', partial_json: '{"com' },
      )
      begin('m3', { type: 'text', text: '' }, { type: 'text_delta', text: 'All' })
      log(assistantMessageEntry('m3', [modelTextBlock('All of it.')]), ...turnEndEntries('p'))
    },
  },
}

/** A session whose log has the turn. */
export function sessionWith(write: WriteTurn): TestSession {
  const made = createTestSession()
  write(made)
  return made
}
