/** Turns of every kind, for the bridges: what each makes of them is checked by the library it is for. */
import {
  answered,
  ask,
  askForm,
  createTestSession,
  done,
  notice,
  prompted,
  result,
  said,
  type TestSession,
  text,
  thinking,
  use,
} from '../../src/client/bridges/test-session.js'

/** Writes the turn of the prompt `p` into the log of a session. */
type WriteTurn = (session: TestSession) => void

export const STRANGE = 'a\u2028\u0000\ud800😀</script>data: [DONE]\n\n: x\r\n'
const IMAGE = { type: 'image', source: { type: 'base64', data: 'aGk=', media_type: 'image/png' } }
const failed = { is_error: true, subtype: 'error_during_execution', errors: ['The model is away.'] } as const

/** By name. Those that wait end at an open request. */
export const TURNS: Record<string, { write: WriteTurn; waits?: true }> = {
  'text alone': { write: ({ log }) => log(...prompted('p'), said('m', [text('Hello.')]), ...done('p')) },
  'thinking, text, and a call': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [thinking('Hm.'), text('I look.'), use('c1', 'Bash', { command: 'ls' })]),
        result('c1', 'a.txt'),
        said('m2', [text('One file.')]),
        ...done('p'),
      ),
  },
  'a model that says nothing': { write: ({ log }) => log(...prompted('p'), ...done('p', { result: 'Printed.' })) },
  'calls at once, one of them failing': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [use('c1', 'Read', { file_path: '/a' }), use('c2', 'Read', { file_path: '/b' })]),
        result('c2', 'not found', true),
        result('c1', 'text'),
        said('m2', [text('Half.')]),
        ...done('p'),
      ),
  },
  'an image as a result': {
    write: ({ log }) =>
      log(...prompted('p'), said('m1', [use('c1', 'Read')]), result('c1', [text('An image:'), IMAGE]), ...done('p')),
  },
  'strange characters, and a call without input': {
    write: ({ log }) =>
      log(
        ...prompted('p', STRANGE),
        said('m1', [text(STRANGE), use('c1', 'TaskList')]),
        result('c1', STRANGE),
        ...done('p'),
      ),
  },
  'an approval': {
    waits: true,
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [text('May I?'), use('c1', 'Bash', { command: 'ls' })]),
        ...ask('a1', 'c1', 'Bash'),
      ),
  },
  'an approval with calls that wait behind it': {
    waits: true,
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said(
          'm1',
          ['c1', 'c2', 'c3'].map((id) => use(id, 'Bash', { command: id })),
        ),
        result('c1', 'x'),
        ...ask('a1', 'c2', 'Bash'),
      ),
  },
  'approvals that were given, denied, and withdrawn': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said(
          'm1',
          ['c1', 'c2', 'c3'].map((id) => use(id, 'Bash', { command: id })),
        ),
        ...ask('a1', 'c1', 'Bash'),
        ...answered('a1', { kind: 'allow' }),
        result('c1', 'x'),
        ...ask('a2', 'c2', 'Bash'),
        ...answered('a2', { kind: 'deny', message: 'No.' }),
        result('c2', 'The user refused.', true),
        ...ask('a3', 'c3', 'Bash'),
        { kind: 'withdrawn', data: { ask: 'a3', reason: 'Stopped.' } },
        ...done('p', {
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
        ...prompted('p'),
        said('m1', [use('c1', 'AskUserQuestion', { questions: [{ question: 'Which?' }] })]),
        ...ask('a1', 'c1', 'AskUserQuestion', { kind: 'question' }),
      ),
  },
  'a plan': {
    waits: true,
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [use('c1', 'ExitPlanMode', { plan: 'Do it.' })]),
        ...ask('a1', 'c1', 'ExitPlanMode', { kind: 'plan' }),
      ),
  },
  'the form of a server': {
    waits: true,
    write: ({ log }) => log(...prompted('p'), ...askForm('a1', { serverName: 'shop', message: 'Your size?' })),
  },
  'a form that was filled in': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        ...askForm('a1', { serverName: 'shop', message: 'Your size?' }),
        ...answered('a1', { kind: 'elicitation', action: 'accept', content: { size: 'M' } }),
        ...done('p'),
      ),
  },
  'a sub-agent': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [use('t1', 'Task', { description: 'Look', subagent_type: 'Explore', prompt: 'Look.' })]),
        said('s1', [thinking('Hm.'), text('Inside.'), use('c1', 'Bash', { command: 'ls' })], 't1'),
        result('c1', 'x', false, 't1'),
        result('t1', 'It said so.'),
        said('m2', [text('Done.')]),
        ...done('p'),
      ),
  },
  'a sub-agent that asks': {
    waits: true,
    write: ({ log }) =>
      log(
        ...prompted('p'),
        said('m1', [use('t1', 'Task', { description: 'Look', prompt: 'Look.' })]),
        said('s1', [text('Inside.'), use('c1', 'Bash', { command: 'ls' })], 't1'),
        ...ask('a1', 'c1', 'Bash', { agent: ['x'], asker: { type: 'Explore', job: 'Look' } }),
      ),
  },
  'notices, and a prompt that joins': {
    write: ({ log }) =>
      log(
        ...prompted('p'),
        notice('Slow.'),
        said('m1', [text('One.')]),
        { kind: 'prompt', data: { change: 'queued', prompt: { id: 'q', content: 'and this', when: 'steer' } } },
        { kind: 'prompt', data: { change: 'started', id: 'q', message: 'mq', joined: true } },
        said('m2', [text('Two.')]),
        ...done('p'),
      ),
  },
  'a turn that fails': {
    write: ({ log }) => log(...prompted('p'), said('m1', [use('c1', 'Bash')]), ...done('p', failed as object)),
  },
  'a turn whose process ends': {
    write: ({ log }) =>
      log(...prompted('p'), said('m1', [text('Half')]), {
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
      log(...prompted('p'))
      begin('m1', { type: 'text', text: '' }, { type: 'text_delta', text: 'Half' })
      begin(
        'm2',
        { type: 'tool_use', id: 'c0', name: 'Bash', input: {} },
        { type: 'input_json_delta', partial_json: '{"com' },
      )
      begin('m3', { type: 'text', text: '' }, { type: 'text_delta', text: 'All' })
      log(said('m3', [text('All of it.')]), ...done('p'))
    },
  },
}

/** A session whose log has the turn. */
export function sessionWith(write: WriteTurn): TestSession {
  const made = createTestSession()
  write(made)
  return made
}
