// Faults: bad lines on stdin, kills, aborts, wrong paths, flags, the end of input at awkward moments.
import { model } from '../stage.mjs'

const flags = [
  ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--model', model],
  ...['--setting-sources', '', '--permission-mode', 'default'],
]
const initialize = { type: 'control_request', request_id: 'init1', request: { subtype: 'initialize' } }
const answerTo = (id) => (line) => line.type === 'control_response' && line.response.request_id === id
const isResult = (line) => line.type === 'result'
const bash = (id, command) => ({ id, name: 'Bash', input: { command } })

export const s16 = cliOnly('a line that is not JSON', async ({ raw, record }) => {
  const cli = raw(flags)
  cli.send(initialize)
  await cli.line(answerTo('init1'))
  cli.send('this is not json')
  record('exit_raw', await cli.exit)
})

export const s16b = cliOnly(
  'unknown subtypes, types and answers; a wrong role',
  async ({ raw, record, sleep, user }) => {
    const cli = raw(flags)
    cli.send(initialize)
    await cli.line(answerTo('init1'))
    cli.send({ type: 'control_request', request_id: 'u1', request: { subtype: 'no_such_subtype', foo: 1 } })
    await cli.line(answerTo('u1'))
    const ignored = [
      { type: 'weird_type', a: 1 },
      '',
      { type: 'keep_alive' },
      { type: 'control_response', response: { subtype: 'success', request_id: 'never-asked', response: {} } },
      { type: 'control_cancel_request', request_id: 'never' },
    ]
    for (const line of ignored) {
      cli.send(line)
      await sleep(200)
    }
    cli.send(user('', { message: { role: 'assistant', content: 'bad role' } }))
    record('exit_raw', await cli.exit)
  },
)

export const s16c = cliOnly('no initialize; a second initialize', async ({ raw, record, script, user }) => {
  script([{ text: 'Without initialize.' }])
  const first = raw(flags)
  first.send(user('No handshake.'))
  await first.line(isResult)
  first.send(initialize)
  await first.line(answerTo('init1'))
  first.end()
  record('exit_raw', await first.exit)
  const second = raw(flags)
  second.send(initialize)
  await second.line(answerTo('init1'))
  second.send({ ...initialize, request_id: 'init2' })
  await second.line(answerTo('init2'))
  second.end()
  record('exit_raw', await second.exit)
})

export const s16d = {
  title: 'the CLI is killed',
  inProcess: false,
  async run({ sdk, options, script, consume, cliPid }) {
    script([{ text: 'A long answer that is never finished', chunk: 4, gapMs: 300 }])
    const query = sdk.query({ prompt: 'Kill me.', options: options({ includePartialMessages: true }) })
    await consume(query, (message) => {
      if (message.type === 'stream_event' && message.event.type === 'content_block_start')
        process.kill(cliPid(), 'SIGKILL')
    })
  },
}

export const s16e = {
  title: 'abort in the middle of an answer',
  async run({ sdk, options, script, consume }) {
    script([{ text: 'A long answer that is aborted', chunk: 4, gapMs: 300 }])
    const abortController = new AbortController()
    const chosen = options({ includePartialMessages: true, abortController })
    await consume(sdk.query({ prompt: 'Abort me.', options: chosen }), (message) => {
      if (message.type === 'stream_event' && message.event.type === 'content_block_start') {
        setTimeout(() => abortController.abort(), 0)
      }
    })
  },
}

export const s16f = sdkOnly('a controller that is aborted already', async ({ sdk, options, consume, call }) => {
  const abortController = new AbortController()
  abortController.abort()
  let query
  await call('query', () => {
    query = sdk.query({ prompt: 'Too late.', options: options({ abortController }) })
  })
  if (query !== undefined) await consume(query)
})

export const s16g = sdkOnly('a missing executable; a missing cwd', async ({ sdk, options, consume, call }) => {
  let query
  await call('query', () => {
    const missing = options({ pathToClaudeCodeExecutable: '/nowhere/cli.js' })
    query = sdk.query({ prompt: 'No executable.', options: missing })
  })
  if (query !== undefined) await consume(query)
  await consume(sdk.query({ prompt: 'No cwd.', options: options({ cwd: '/nowhere/at/all' }) }))
})

export const s16h = cliOnly('flags: unknown, -p in its forms, --version', async ({ raw, record, script }) => {
  script(() => ({ text: 'Printed.' }))
  const runs = [
    ['--x'],
    ['-p', 'Say it.', '--output-format', 'stream-json', '--model', model],
    ['-p'],
    ['--version'],
    ['-p', 'Say it.', '--model', model],
    ['-p', 'Say it.', '--model', model, '--output-format', 'json'],
  ]
  for (const args of runs) {
    const cli = raw(args)
    cli.end()
    record('exit_raw', { args, ...(await cli.exit) })
  }
})

export const s16i = cliOnly(
  'stdin ends with nothing, then in a turn; SIGTERM while idle',
  async ({ raw, record, script, user }) => {
    script([{ text: 'Finished anyway.', delayMs: 500 }])
    const empty = raw(flags)
    empty.end()
    record('exit_raw', await empty.exit)
    const busy = raw(flags)
    busy.send(initialize)
    await busy.line(answerTo('init1'))
    busy.send(user('End now.'))
    busy.end()
    record('exit_raw', await busy.exit)
    const idle = raw(flags)
    idle.send(initialize)
    await idle.line(answerTo('init1'))
    idle.kill('SIGTERM')
    record('exit_raw', await idle.exit)
  },
)

export const s16j = cliOnly('stdin ends with a permission request pending', async ({ raw, record, script, user }) => {
  script([{ tools: [bash('toolu_1', 'touch pending')] }, { text: 'Went on.' }])
  const cli = raw([...flags, '--permission-prompt-tool', 'stdio'])
  cli.send(initialize)
  await cli.line(answerTo('init1'))
  cli.send(user('Ask, then end.'))
  await cli.line((line) => line.type === 'control_request')
  cli.end()
  record('exit_raw', await cli.exit)
})

export const x18 = cliOnly('SIGINT while idle and in a turn', async ({ raw, record, script, user }) => {
  script([{ text: 'Slow answer that is interrupted', chunk: 4, gapMs: 300 }])
  const idle = raw(flags)
  idle.send(initialize)
  await idle.line(answerTo('init1'))
  idle.kill('SIGINT')
  record('exit_raw', await idle.exit)
  const busy = raw([...flags, '--include-partial-messages'])
  busy.send(initialize)
  await busy.line(answerTo('init1'))
  busy.send(user('Interrupt by signal.'))
  await busy.line((line) => line.type === 'stream_event' && line.event.type === 'content_block_start')
  busy.kill('SIGINT')
  record('exit_raw', await busy.exit)
})

function cliOnly(title, run) {
  return { title, run, half: 'cli', inProcess: false }
}

function sdkOnly(title, run) {
  return { title, run, half: 'sdk', inProcess: false }
}
