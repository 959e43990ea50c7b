// Sessions: resume, fork, continue, cutting the history, and the errors of each.
import { dirname, join } from 'node:path'
import { isSummaryRequest } from './steps.mjs'

const unknown = '88888888-1111-4111-8111-888888888888'

export const s10 = {
  title: 'resume, fork, continue, resumeSessionAt',
  // Five starts of the original, on a machine that may be busy.
  limitMs: 180_000,
  async run({ sdk, options, script, consume }) {
    const texts = ['First answer.', 'Resumed answer.', 'Forked answer.', 'Continued answer.', 'At answer.']
    script(texts.map((text) => ({ text })))
    let session
    let assistant
    await consume(sdk.query({ prompt: 'First prompt.', options: options() }), (message) => {
      session = message.session_id
      if (message.type === 'assistant') assistant = message.uuid
    })
    const next = (prompt, extra) => consume(sdk.query({ prompt, options: options(extra) }))
    await next('Resume prompt.', { resume: session })
    await next('Fork prompt.', { resume: session, forkSession: true })
    await next('Continue prompt.', { continue: true })
    await next('At prompt.', { resume: session, resumeSessionAt: assistant })
  },
}

export const s10b = {
  title: 'resume of an unknown id and of something that is no id',
  async run({ sdk, options, script, consume }) {
    script([{ text: 'unreachable' }])
    await consume(sdk.query({ prompt: 'Resume nothing.', options: options({ resume: unknown }) }))
    await consume(sdk.query({ prompt: 'Resume nonsense.', options: options({ resume: 'not-an-id' }) }))
  },
}

export const s10c = {
  title: 'persistSession false leaves nothing to resume; continue without a session starts one',
  async run({ sdk, options, script, consume }) {
    script([{ text: 'Not kept.' }, { text: 'Fresh.' }])
    let session
    await consume(sdk.query({ prompt: 'Do not keep.', options: options({ persistSession: false }) }), (message) => {
      session = message.session_id
    })
    await consume(sdk.query({ prompt: 'Resume it.', options: options({ resume: session }) }))
    await consume(sdk.query({ prompt: 'Continue nothing.', options: options({ continue: true }) }))
  },
}

export const s10d = {
  title: 'a sessionId that is in use; sessionId with fork',
  async run({ sdk, options, script, consume, record }) {
    script([{ text: 'First.' }, { text: 'Forked.' }])
    const sessionId = '66666666-1111-4111-8111-666666666666'
    const forked = '66666666-2222-4222-8222-666666666666'
    const stderr = (text) => record('stderr_callback', text)
    await consume(sdk.query({ prompt: 'Own id.', options: options({ sessionId }) }))
    await consume(sdk.query({ prompt: 'Same id.', options: options({ sessionId, stderr }) }))
    const fork = options({ resume: sessionId, forkSession: true, sessionId: forked })
    await consume(sdk.query({ prompt: 'Fork with id.', options: fork }))
  },
}

export const s10e = {
  title: 'resumeSessionAt a tool call, and at an unknown message',
  async run({ sdk, options, script, consume }) {
    const tools = [{ id: 'toolu_1', name: 'Bash', input: { command: 'echo kept' } }]
    script([{ tools }, { text: 'Done.' }, { text: 'After the cut.' }])
    let session
    let toolUse
    await consume(sdk.query({ prompt: 'Call a tool.', options: options() }), (message) => {
      session = message.session_id
      if (message.type === 'assistant' && message.message.content[0].type === 'tool_use') toolUse = message.uuid
    })
    const at = (resumeSessionAt) => options({ resume: session, resumeSessionAt })
    await consume(sdk.query({ prompt: 'Go on from the call.', options: at(toolUse) }))
    await consume(sdk.query({ prompt: 'Go on from nowhere.', options: at(unknown) }))
  },
}

/** The CLI beside the SDK in use: the original's with the original SDK, so that it and the one under test take turns. */
const original = () => ({ KEDGE_INTEROP_CLI: join(dirname(JSON.parse(process.argv[2]).sdk), 'cli.js') })
const look = { tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'echo seen' } }] }

export const s10f = {
  title: 'a session of ours, resumed by the original, and back',
  half: 'cli',
  inProcess: false,
  run: (stage) => takeTurns(stage, [{}, original(), {}]),
}

export const s10g = {
  title: 'a session of the original, resumed by us, and back',
  half: 'cli',
  inProcess: false,
  run: (stage) => takeTurns(stage, [original(), {}, original()]),
}

export const s10h = {
  title: 'a session that we compacted, resumed by the original',
  half: 'cli',
  inProcess: false,
  own: ['SUMMARY-TEXT'],
  run: (stage) => compactAndGoOn(stage, {}, original()),
}

export const s10i = {
  title: 'a session that the original compacted, resumed by us',
  half: 'cli',
  inProcess: false,
  own: ['SUMMARY-TEXT'],
  run: (stage) => compactAndGoOn(stage, original(), {}),
}

async function takeTurns({ sdk, options, script, consume }, clis) {
  script([{ thinking: 'Hm.', text: 'Looking.', ...look }, ...['One.', 'Two.', 'Three.'].map((text) => ({ text }))])
  let session
  const prompts = ['First prompt.', 'Second prompt.', 'Third prompt.']
  for (const [i, env] of clis.entries()) {
    const resume = session === undefined ? {} : { resume: session }
    await consume(sdk.query({ prompt: prompts[i], options: options({ env, ...resume }) }), (message) => {
      session = message.session_id
    })
  }
}

async function compactAndGoOn({ sdk, options, script, consume }, first, second) {
  script((body, i) => ({ text: isSummaryRequest(body) ? 'SUMMARY-TEXT' : `Answer ${i}.` }))
  let session
  await consume(sdk.query({ prompt: 'Before.', options: options({ env: first }) }), (message) => {
    session = message.session_id
  })
  await consume(sdk.query({ prompt: '/compact', options: options({ env: first, resume: session }) }))
  await consume(sdk.query({ prompt: 'After.', options: options({ env: second, resume: session }) }))
}
