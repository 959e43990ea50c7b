// Sub-agents, background commands, and the tools that look after them.
import { allowAll, oneByOne, taskIds } from './steps.mjs'

const background = (command, more = {}) => ['Bash', { command, run_in_background: true, ...more }]

const task = (id, prompt, more = {}) => ({
  tools: [{ id, name: 'Task', input: { description: 'Sub job', prompt, subagent_type: 'general-purpose', ...more } }],
})

export const s06 = {
  title: 'a sub-agent that is waited for, with a call that asks',
  async run({ sdk, options, script, consume, canUseTool }) {
    const touch = { tools: [{ id: 'toolu_ts1', name: 'Bash', input: { command: 'touch insub' } }] }
    script([task('toolu_t1', 'LANE:sub do it'), { text: 'Main done.' }], { sub: [touch, { text: 'Sub finished.' }] })
    await consume(sdk.query({ prompt: 'Sync task.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const s06b = {
  title: 'an agent of the host, and a type that does not exist',
  async run({ sdk, options, script, consume }) {
    const ghost = { description: 'Ghost', subagent_type: 'no-such-agent' }
    script(
      [
        task('toolu_ca1', 'LANE:rev review this', { description: 'Review', subagent_type: 'reviewer' }),
        task('toolu_ca2', 'LANE:ghost x', ghost),
        { text: 'Agents done.' },
      ],
      { rev: [{ text: 'Reviewed.' }] },
    )
    const about = { description: 'Reviews things', prompt: 'You are our reviewer.', tools: ['Read', 'Grep'] }
    const agents = { reviewer: { ...about, model: 'haiku', maxTurns: 4 } }
    await consume(sdk.query({ prompt: 'Custom agent.', options: options({ agents }) }))
  },
}

export const s06c = {
  title: 'an agent in the background, and the turn that its end starts',
  async run({ sdk, options, script, consume, user, queue, sleep, canUseTool }) {
    const work = { tools: [{ id: 'toolu_bgs', name: 'Bash', input: { command: 'sleep 1; echo bgwork' } }] }
    const launch = task('toolu_bg1', 'LANE:bg do it', { description: 'BG job', run_in_background: true })
    script([launch, { text: 'Launched.' }, { text: 'Saw notification.' }], { bg: [work, { text: 'BG finished.' }] })
    const prompt = queue()
    prompt.push(user('Background task.'))
    const chosen = options({ canUseTool: canUseTool(allowAll), allowedTools: ['Bash'] })
    await consume(sdk.query({ prompt, options: chosen }), async (message) => {
      if (message.type !== 'result') return
      // The CLI of 0.2.25 tells nothing of the agent's end before that of its input.
      if (message.result !== 'Saw notification.') return void sleep(8000).then(prompt.end)
      await sleep(500)
      prompt.end()
    })
  },
}

export const s06f = {
  title: 'an agent in the background of a query with one prompt: the query ends after its notification',
  async run({ sdk, options, script, consume, canUseTool }) {
    const work = { tools: [{ id: 'toolu_bgs', name: 'Bash', input: { command: 'sleep 1; echo bgwork' } }] }
    const launch = task('toolu_bg1', 'LANE:bg do it', { description: 'BG job', run_in_background: true })
    script([launch, { text: 'Launched.' }, { text: 'Saw notification.' }], { bg: [work, { text: 'BG finished.' }] })
    await consume(sdk.query({ prompt: 'Background task.', options: options({ canUseTool: canUseTool(allowAll) }) }))
  },
}

export const x06 = {
  title: 'two agents of one message, with partial messages',
  async run({ sdk, options, script, consume }) {
    const both = ['one', 'two'].map((name) => ({
      id: `toolu_${name}`,
      name: 'Task',
      input: { description: name, prompt: `LANE:${name} go`, subagent_type: 'general-purpose' },
    }))
    script([{ tools: both }, { text: 'Both are back.' }], {
      // Far apart: in newer releases agents work in the background, and every end starts a turn.
      one: [{ text: 'One.', delayMs: 3000 }],
      two: [{ text: 'Two.', delayMs: 7000 }],
    })
    await consume(sdk.query({ prompt: 'Two.', options: options({ includePartialMessages: true }) }))
  },
}

export const s06d = {
  title: 'background commands: output without and with waiting, notifications, one that outlives the input',
  // The recording elsewhere waited a minute for the second command.
  elsewhere: { 'sleep 60': 'sleep 8' },
  limitMs: 90_000,
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
      // As in s06c.
      if (results === 1) return void sleep(25_000).then(prompt.end)
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
  not: ['B 0.2.25'], // has no stopTask(): its CLI never answers
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
