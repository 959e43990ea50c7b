// The SDK half alone, against a CLI that misbehaves (fake-cli.mjs).

export const f01 = odd('basic')
// Killed and out of input at once: the exit code is chance.
export const f02 = { ...odd('malformed'), racyExit: true }
export const f03 = odd('blank')
export const f04 = odd('unknown_types')
export const f05 = odd('ctl_odd')

export const f06 = odd('mcp', ({ sdk, z, record }) => ({ mcpServers: { calc: calculator(sdk, z, record) } }))
export const f06b = odd('mcp_cancel', ({ sdk, z, record }) => ({ mcpServers: { calc: calculator(sdk, z, record) } }))

export const f07 = odd('cancel', ({ canUseTool, record, sleep }) => ({
  canUseTool: canUseTool(async (_name, updatedInput, { signal }) => {
    signal.addEventListener('abort', () => record('note', 'signal aborted'))
    await sleep(800)
    return { behavior: 'allow', updatedInput }
  }),
}))

export const f08 = odd('exit_0')
export const f09 = odd('exit_3')
export const f10 = odd('exit_1_at_once', ({ record }) => ({ stderr: (text) => record('stderr_callback', text) }))
export const f11 = odd('result_exit_2')
export const f12 = odd('error_exit_0')
export const f13 = odd('error_subtype_exit_0')
export const f14 = odd('no_newline')
export const f15 = odd('large')
export const f16 = odd('late')
export const f17 = odd('lingers')

export const f18 = driven(
  'ignores_sigterm',
  'close() with a CLI that ignores SIGTERM',
  async ({ query, consume, record, sleep }) => {
    await consume(query, (message) => {
      if (message.type === 'assistant') setTimeout(() => query.close(), 100)
    })
    record('note', 'the iterator ended')
    await sleep(500)
  },
)

export const f19 = driven('init_silent', 'initialize is never answered', async ({ query, consume, call }) => {
  await Promise.all([call('supportedCommands', () => query.supportedCommands()), consume(query)])
})

export const f20 = driven('init_error', 'initialize is answered with an error', async ({ query, consume, call }) => {
  await Promise.all([call('supportedCommands', () => query.supportedCommands()), consume(query)])
})

export const f21 = driven('no_ctl_answer', 'a control request without answer', async ({ query, consume, call }) => {
  let asked
  await consume(query, (message) => {
    if (message.type === 'assistant') asked = call('setModel', () => query.setModel('x'))
  })
  await asked
})

export const f22 = {
  ...basis('abort() with a CLI that ignores SIGTERM'),
  async run({ sdk, options, consume, record }) {
    const abortController = new AbortController()
    const chosen = options({ env: { FAKE_CLI_MODE: 'ignores_sigterm' }, abortController })
    const started = Date.now()
    await consume(sdk.query({ prompt: 'Fake abort', options: chosen }), (message) => {
      if (message.type === 'assistant') setTimeout(() => abortController.abort(), 100)
    })
    record('note', { waitedForTheChild: Date.now() - started > 5000 })
  },
}

export const f23 = odd('env', () => ({
  env: { FAKE_CLI_MODE: 'env', NODE_OPTIONS: '--no-warnings', DEBUG: '1', CLAUDE_CODE_ENTRYPOINT: 'mine', OWN: 'kept' },
}))

export const f25 = {
  ...basis('a user message pushed after the CLI ended'),
  async run({ sdk, options, consume, user, queue, sleep }) {
    const prompt = queue()
    prompt.push(user('Fake early end'))
    await consume(sdk.query({ prompt, options: options({ env: { FAKE_CLI_MODE: 'ends_early' } }) }))
    prompt.push(user('Too late.'))
    await sleep(500)
  },
}

function basis(title) {
  return { title, half: 'sdk', inProcess: false, fakeCli: true }
}

/** One prompt to the fake CLI in this mode. */
function odd(mode, extra = () => ({})) {
  return {
    ...basis(mode.replaceAll('_', ' ')),
    async run(stage) {
      const { env, ...more } = extra(stage)
      const chosen = stage.options({ env: { FAKE_CLI_MODE: mode, ...env }, ...more })
      await stage.consume(stage.sdk.query({ prompt: `Fake ${mode}`, options: chosen }))
      await stage.sleep(200)
    },
  }
}

function driven(mode, title, drive) {
  return {
    ...basis(title),
    async run(stage) {
      const query = stage.sdk.query({
        prompt: `Fake ${mode}`,
        options: stage.options({ env: { FAKE_CLI_MODE: mode } }),
      })
      await drive({ ...stage, query })
    },
  }
}

function calculator(sdk, z, record) {
  const add = sdk.tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => {
    record('tool_handler', { a, b })
    return { content: [{ type: 'text', text: String(a + b) }] }
  })
  const fail = sdk.tool('fail', 'Fails.', {}, async () => {
    throw new Error('handler failed')
  })
  const slow = sdk.tool('slow', 'Takes a while.', {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    return { content: [{ type: 'text', text: 'late' }] }
  })
  return sdk.createSdkMcpServer({ name: 'calc', tools: [add, fail, slow] })
}
