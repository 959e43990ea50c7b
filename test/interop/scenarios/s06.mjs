// Background commands and the tools that look after them.
import { allowAll, oneByOne, taskIds } from './steps.mjs'

const background = (command, more = {}) => ['Bash', { command, run_in_background: true, ...more }]

export const s06d = {
  title: 'background commands: output without and with waiting, notifications, one that outlives the input',
  // The recording elsewhere waited a minute for the second command.
  elsewhere: { 'sleep 60': 'sleep 8' },
  async run({ sdk, options, script, consume, canUseTool, user, queue, sleep }) {
    const output = (id, input) => (body) => ({
      tools: [{ id, name: 'TaskOutput', input: { task_id: taskIds(body)[0], ...input } }],
    })
    const command = 'echo start; sleep 2; echo finish'
    const first = { command, run_in_background: true, description: 'bg echo' }
    script([
      { tools: [{ id: 'toolu_bb1', name: 'Bash', input: first }] },
      output('toolu_bb2', { block: false, timeout: 1000 }),
      output('toolu_bb3', { block: true, timeout: 10000 }),
      { tools: [{ id: 'toolu_bb4', name: 'Bash', input: { command: 'sleep 8', run_in_background: true } }] },
      { text: 'Going to stop it.' },
      { text: 'LATER 5' },
      { text: 'LATER 6' },
    ])
    const prompt = queue()
    prompt.push(user('Bash background.'))
    const chosen = options({ canUseTool: canUseTool(allowAll), allowedTools: ['Bash'] })
    let results = 0
    await consume(sdk.query({ prompt, options: chosen }), async (message) => {
      if (message.type !== 'result') return
      results += 1
      if (results !== 2) return
      await sleep(1000)
      prompt.end()
    })
  },
}

export const s06e = {
  title: 'TaskStop: a running command, the same again, unknown ids',
  async run({ sdk, options, script, consume, canUseTool }) {
    script(
      oneByOne(
        background('echo begun; sleep 30', { description: 'long one' }),
        (body) => ['TaskStop', { task_id: taskIds(body)[0] }],
        (body) => ['TaskStop', { task_id: taskIds(body)[0] }],
        (body) => ['TaskOutput', { task_id: taskIds(body)[0], block: false, timeout: 1000 }],
        ['TaskStop', { task_id: 'nope' }],
        ['TaskStop', { shell_id: 'nope' }],
        ['TaskStop', {}],
        ['TaskOutput', { task_id: 'nope', block: false, timeout: 1000 }],
        background('echo short'),
        ['Bash', { command: 'sleep 1.5' }],
        (body) => ['TaskStop', { task_id: taskIds(body)[1] }],
      ),
    )
    const chosen = options({ canUseTool: canUseTool(allowAll), allowedTools: ['Bash'] })
    await consume(sdk.query({ prompt: 'Stop it.', options: chosen }))
  },
}

export const s06g = {
  title: 'stopTask(): a running command, the same again, an unknown id',
  async run({ sdk, options, script, consume, call, canUseTool, user, queue, sleep }) {
    script([{ tools: [{ id: 'toolu_1', name: 'Bash', input: background('sleep 30')[1] }] }, { text: 'Started.' }])
    const prompt = queue()
    prompt.push(user('Start it.'))
    const chosen = options({ canUseTool: canUseTool(allowAll), allowedTools: ['Bash'] })
    const query = sdk.query({ prompt, options: chosen })
    let id = ''
    await consume(query, async (message) => {
      if (message.type === 'user') id = message.tool_use_result.backgroundTaskId
      if (message.type !== 'result') return
      await call('1 running', () => query.stopTask(id))
      await sleep(500)
      await call('2 again', () => query.stopTask(id))
      await call('3 unknown', () => query.stopTask('nope'))
      prompt.end()
    })
  },
}
