// Hooks that are callbacks of the host: which are called when, with what, and what their answers do.
import { readdirSync } from 'node:fs'
import { allowAll, oneByOne } from './steps.mjs'

const bash = (id, command) => ({ tools: [{ id, name: 'Bash', input: { command } }] })
const touch = (name) => ['Bash', { command: `touch ${name}` }]
/** One matcher with one callback. */
const on = (callback, more = {}) => [{ ...more, hooks: [callback] }]
const specific = (hookEventName, output) => ({ hookSpecificOutput: { hookEventName, ...output } })

const events = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Notification', 'UserPromptSubmit', 'SessionStart'],
  ...['SessionEnd', 'Stop', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PermissionRequest', 'Setup'],
  ...['TeammateIdle', 'TaskCompleted', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove'],
]

export const s04 = {
  title: 'hooks of every event that only watch: a tool, one that fails, a sub-agent',
  async run({ sdk, options, script, consume, canUseTool, hook, cwd }) {
    const job = { description: 'Sub job', prompt: 'LANE:sub do it', subagent_type: 'general-purpose' }
    script([
      bash('toolu_h1', 'touch hook1'),
      { tools: [{ id: 'toolu_h2', name: 'Read', input: { file_path: `${cwd}/nope` } }] },
      { tools: [{ id: 'toolu_h3', name: 'Task', input: job }] },
      bash('toolu_hs1', 'touch insub'),
      { text: 'Sub finished.' },
      { text: 'Hooks done.' },
    ])
    const chosen = options({ canUseTool: canUseTool(allowAll), hooks: watching(events, hook) })
    await consume(sdk.query({ prompt: 'Observe hooks.', options: chosen }))
  },
}

export const s04a = {
  title: 'hooks of every event but those of sub-agents that only watch: two turns',
  async run({ sdk, options, script, consume, canUseTool, hook, user, queue, cwd }) {
    script(oneByOne(touch('a1'), ['Read', { file_path: `${cwd}/nope` }]))
    const watched = events.filter((event) => !['SubagentStart', 'SubagentStop', 'PreCompact'].includes(event))
    const chosen = options({ canUseTool: canUseTool(allowAll), hooks: watching(watched, hook) })
    const prompt = queue()
    prompt.push(user('Observe.'))
    let results = 0
    await consume(sdk.query({ prompt, options: chosen }), (message) => {
      if (message.type !== 'result') return
      results += 1
      if (results === 1) prompt.push(user('Observe again.'))
      else prompt.end()
    })
  },
}

const preToolUse = (output) => specific('PreToolUse', output)
const decisions = [
  preToolUse({ permissionDecision: 'deny', permissionDecisionReason: 'hook-deny-reason' }),
  preToolUse({ permissionDecision: 'ask', permissionDecisionReason: 'hook-ask-reason' }),
  preToolUse({ permissionDecision: 'allow', permissionDecisionReason: 'ok' }),
  preToolUse({ permissionDecision: 'allow', updatedInput: { command: 'touch k4-updated' } }),
  preToolUse({ updatedInput: { command: 'touch k5-updated' } }),
  { ...preToolUse({ additionalContext: 'ctx-from-pretool' }), systemMessage: 'sysmsg-here' },
  { decision: 'block', reason: 'legacy-block-reason' },
  { continue: false, stopReason: 'stop-reason-here' },
]

export const s04b = {
  title: 'PreToolUse: every kind of answer',
  own: ['hook-deny-reason', 'ctx-from-pretool', 'legacy-block-reason'],
  async run({ sdk, options, script, consume, canUseTool, hook, record, cwd }) {
    script([
      ...decisions.map((_, index) => bash(`toolu_k${index + 1}`, `touch k${index + 1}`)),
      { text: 'Not reached.' },
    ])
    const answers = [...decisions]
    const callback = hook('PreToolUse', async () => answers.shift())
    const chosen = options({
      canUseTool: canUseTool(allowAll),
      hooks: { PreToolUse: on(callback, { matcher: 'Bash', timeout: 30 }) },
    })
    await consume(sdk.query({ prompt: 'Pre decisions.', options: chosen }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s04c = {
  title: 'UserPromptSubmit: context for the model, from two callbacks',
  own: ['ctx-one', 'ctx-two'],
  async run({ sdk, options, script, consume, hook }) {
    script([{ text: 'Context seen.' }])
    const adds = (text) =>
      hook('UserPromptSubmit', async () => specific('UserPromptSubmit', { additionalContext: text }))
    const hooks = { UserPromptSubmit: [{ hooks: [adds('ctx-one'), adds('ctx-two')] }] }
    await consume(sdk.query({ prompt: 'Submit.', options: options({ hooks }) }))
  },
}

export const s04d = refused('a UserPromptSubmit hook blocks the prompt', { decision: 'block', reason: 'no-prompt' })

export const s04d2 = refused('a UserPromptSubmit hook ends the turn', { continue: false, stopReason: 'no-more' })

export const s04e = {
  title: 'a Stop hook keeps the turn going once',
  async run({ sdk, options, script, consume, hook }) {
    script([{ text: 'First stop.' }, { text: 'Second stop.' }])
    const answers = [{ decision: 'block', reason: 'keep-going-reason' }, {}]
    const hooks = { Stop: on(hook('Stop', async () => answers.shift())) }
    await consume(sdk.query({ prompt: 'Stop block.', options: options({ hooks }) }))
  },
}

export const s04f = {
  title: 'a Stop hook with continue: false',
  async run({ sdk, options, script, consume, hook }) {
    script([{ text: 'Only stop.' }])
    const hooks = { Stop: on(hook('Stop', async () => ({ continue: false, stopReason: 'enough' }))) }
    await consume(sdk.query({ prompt: 'Stop.', options: options({ hooks }) }))
  },
}

export const s04g = {
  title: 'PostToolUse and PostToolUseFailure: context, block, continue: false',
  own: ['post-ctx', 'post-block', 'failure-ctx'],
  async run({ sdk, options, script, consume, canUseTool, hook }) {
    script(oneByOne(touch('g1'), touch('g2'), ['Bash', { command: 'node -e "process.exit(3)"' }], touch('g4')))
    const answers = [
      specific('PostToolUse', { additionalContext: 'post-ctx' }),
      { decision: 'block', reason: 'post-block' },
      { continue: false, stopReason: 'post-stop' },
    ]
    const failed = async () => specific('PostToolUseFailure', { additionalContext: 'failure-ctx' })
    const hooks = {
      PostToolUse: on(hook('PostToolUse', async () => answers.shift())),
      PostToolUseFailure: on(hook('PostToolUseFailure', failed)),
    }
    await consume(sdk.query({ prompt: 'Post.', options: options({ canUseTool: canUseTool(allowAll), hooks }) }))
  },
}

export const s04h = {
  title: 'PreToolUse callbacks that fail: thrown, too slow, nonsense; and one that is async',
  async run({ sdk, options, script, consume, canUseTool, hook, record, sleep, cwd }) {
    script(oneByOne(touch('h1'), touch('h2'), touch('h3'), touch('h4')))
    const answers = [
      async () => {
        throw new Error('hook exploded')
      },
      async (signal) => {
        await Promise.race([sleep(8000), new Promise((resolve) => signal.addEventListener('abort', resolve))])
        return { decision: 'block', reason: 'too late' }
      },
      async () => preToolUse({ permissionDecision: 'maybe' }),
      async () => ({ async: true }),
    ]
    const callback = hook('PreToolUse', async (_input, _id, { signal }) => answers.shift()(signal))
    const hooks = { PreToolUse: on(callback, { timeout: 1 }) }
    await consume(sdk.query({ prompt: 'Fail.', options: options({ canUseTool: canUseTool(allowAll), hooks }) }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s04i = {
  title: 'PermissionRequest: allowed, allowed with another input, denied, left to the host',
  async run({ sdk, options, script, consume, canUseTool, hook, record, sleep, cwd }) {
    script(oneByOne(touch('i1'), touch('i2'), touch('i3'), touch('i4')))
    const decide = (decision) => specific('PermissionRequest', { decision })
    const answers = [
      decide({ behavior: 'allow' }),
      decide({ behavior: 'allow', updatedInput: { command: 'touch i2-updated' } }),
      decide({ behavior: 'deny', message: 'hook-says-no' }),
      {},
    ]
    const hooks = { PermissionRequest: on(hook('PermissionRequest', async () => answers.shift())) }
    // The original runs a call again when it is answered after it was canceled, so such an answer never comes.
    const slowly = canUseTool(async (name, input, { signal }) => {
      await sleep(1000)
      return signal.aborted ? new Promise(() => {}) : allowAll(name, input)
    })
    await consume(sdk.query({ prompt: 'Ask a hook.', options: options({ canUseTool: slowly, hooks }) }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s04w = {
  title: 'several callbacks for one call: deny wins over ask and allow; who is called for which tool',
  async run({ sdk, options, script, consume, canUseTool, hook, record, cwd }) {
    script(oneByOne(touch('w1'), touch('w2'), ['Read', { file_path: `${cwd}/none` }]))
    const says = (label, decisions) =>
      hook(label, async () => {
        const permissionDecision = decisions.shift()
        if (permissionDecision === undefined) return {}
        return preToolUse({ permissionDecision, permissionDecisionReason: `${label} says ${permissionDecision}` })
      })
    const hooks = {
      PreToolUse: [
        { matcher: 'Bash', hooks: [says('first', ['allow', 'allow']), says('second', ['deny', 'ask'])] },
        { matcher: 'Ba', hooks: [says('part of a name', [])] },
        { matcher: 'Edit|Read', hooks: [says('either', [])] },
        { matcher: '*', hooks: [says('star', [])] },
        { hooks: [says('none', [])] },
      ],
    }
    await consume(sdk.query({ prompt: 'Several.', options: options({ canUseTool: canUseTool(allowAll), hooks }) }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

function watching(events, hook) {
  return Object.fromEntries(events.map((event) => [event, on(hook(event, async () => ({})))]))
}

function refused(title, answer) {
  return {
    title,
    async run({ sdk, options, script, consume, hook, user, queue }) {
      script([{ text: 'Second answered.' }])
      const answers = [answer, {}]
      const hooks = { UserPromptSubmit: on(hook('UserPromptSubmit', async () => answers.shift())) }
      const prompt = queue()
      prompt.push(user('Refuse me.'))
      let results = 0
      await consume(sdk.query({ prompt, options: options({ hooks }) }), (message) => {
        if (message.type !== 'result') return
        results += 1
        if (results === 1) prompt.push(user('Take me.'))
        else prompt.end()
      })
    },
  }
}
