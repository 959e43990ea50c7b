// Prompts as an async iterable: several user messages, queued, held open, or sent into a running turn.

export const s02 = {
  title: 'two messages, the second a little later than the first result',
  async run({ sdk, options, script, consume, user, sleep }) {
    script([{ text: 'Answer A.' }, { text: 'Answer B.' }])
    let answered = () => {}
    const first = new Promise((resolve) => {
      answered = resolve
    })
    async function* prompt() {
      yield user('First user message.')
      await first
      await sleep(300)
      yield user('Second user message.')
    }
    await consume(sdk.query({ prompt: prompt(), options: options() }), (message) => {
      if (message.type === 'result') answered()
    })
  },
}

export const s02b = {
  title: 'two messages at once, then the end',
  async run({ sdk, options, script, consume, user }) {
    script([{ text: 'Answer A.', delayMs: 800 }, { text: 'Answer B.' }])
    async function* prompt() {
      yield user('First user message.')
      yield user('Second user message.')
    }
    await consume(sdk.query({ prompt: prompt(), options: options() }))
  },
}

export const s02c = {
  title: 'held open: the second message follows the first result',
  async run({ sdk, options, script, consume, user, queue, sleep }) {
    script([{ text: 'Answer A.' }, { text: 'Answer B.' }])
    const prompt = queue()
    prompt.push(user('First user message.'))
    let results = 0
    await consume(sdk.query({ prompt, options: options() }), async (message) => {
      if (message.type !== 'result') return
      results += 1
      if (results === 1) prompt.push(user('Second user message.'))
      else {
        await sleep(500)
        prompt.end()
      }
    })
  },
}

export const s02d = {
  title: 'a message during a tool call is folded into the running turn',
  own: ['Mid-turn message.'],
  async run({ sdk, options, script, consume, user, queue, sleep }) {
    script([{ tools: [bash('toolu_m1', 'sleep 2; echo one')] }, { text: 'After tool.' }])
    const prompt = queue()
    prompt.push(user('First user message.'))
    await consume(sdk.query({ prompt, options: options({ allowedTools: ['Bash'] }) }), async (message) => {
      if (message.type === 'assistant' && message.message.content[0].type === 'tool_use') {
        setTimeout(() => prompt.push(user('Mid-turn message.')), 500)
      }
      if (message.type === 'result') {
        await sleep(1000)
        prompt.end()
      }
    })
  },
}

export const x10 = {
  title: 'user lines with a uuid: the second one with the same uuid is dropped',
  async run({ sdk, options, script, consume, user, queue, sleep }) {
    script([{ text: 'Answer A.' }, { text: 'Answer B.' }])
    const uuid = '77777777-1111-4111-8111-777777777777'
    const prompt = queue()
    prompt.push(user('With a uuid.', { uuid }))
    let results = 0
    const chosen = options({ extraArgs: { 'replay-user-messages': null } })
    await consume(sdk.query({ prompt, options: chosen }), async (message) => {
      if (message.type !== 'result') return
      results += 1
      if (results > 1) return prompt.end()
      prompt.push(user('With a uuid.', { uuid }))
      await sleep(300)
      prompt.push(user('Another.'))
    })
  },
}

export const x14 = {
  title: 'an iterable prompt that throws',
  settleMs: 1000,
  async run({ sdk, options, script, consume, user, sleep }) {
    script([{ text: 'Answer A.' }])
    // Once it was answered: how far an agent gets in a fixed time is chance.
    let answered
    const answer = new Promise((resolve) => {
      answered = resolve
    })
    async function* prompt() {
      yield user('Only message.')
      await answer
      throw new Error('prompt failed')
    }
    const query = sdk.query({ prompt: prompt(), options: options() })
    const ended = consume(query, (message) => {
      if (message.type === 'result') answered()
    })
    await Promise.race([ended, sleep(15_000)])
  },
}

export const x15 = {
  title: 'an iterable that ends at once, with canUseTool',
  async run({ sdk, options, script, consume, user, canUseTool, cwd }) {
    const input = { file_path: `${cwd}/x15.txt`, content: 'x' }
    script([{ tools: [{ id: 'toolu_1', name: 'Write', input }] }, { text: 'Written.' }])
    async function* prompt() {
      yield user('Write it.')
    }
    const allow = canUseTool(async (_name, updatedInput) => ({ behavior: 'allow', updatedInput }))
    await consume(sdk.query({ prompt: prompt(), options: options({ canUseTool: allow }) }))
  },
}

function bash(id, command) {
  return { id, name: 'Bash', input: { command } }
}
