// Sessions: resume, fork, continue, cutting the history, and the errors of each.

const unknown = '88888888-1111-4111-8111-888888888888'

export const s10 = {
  title: 'resume, fork, continue, resumeSessionAt',
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
