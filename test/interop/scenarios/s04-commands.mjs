// Hooks that are commands of a settings file: what they are given, and what their exit codes and outputs do.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands, converse, program, put, say } from './project.mjs'
import { allowAll, oneByOne } from './steps.mjs'

const bash = (command) => ['Bash', { command }]
const touch = (name) => bash(`touch ${name}`)
const failing = (code) => bash(`node -e 'process.exit(${code})'`)
const specific = (hookEventName, output) => say({ hookSpecificOutput: { hookEventName, ...output } })
const settings = (hooks) => ({ '.claude/settings.json': { hooks } })

/** A scenario: these hooks in the settings of the project, these calls, everything allowed. */
function withHooks(title, { files, hooks, calls = [], after = () => ({}), slow = 0, ...rest }) {
  return {
    title,
    ...rest,
    async run({ sdk, options, script, consume, canUseTool, record, sleep, cwd }) {
      put(cwd, { ...settings(hooks), ...files })
      script([...oneByOne(...calls), { text: 'Once more.' }])
      // The original runs a call again when it is answered after it was canceled, so such an answer never comes.
      const decide = canUseTool(async (name, input, { signal }) => {
        await sleep(slow)
        return signal.aborted ? new Promise(() => {}) : allowAll(name, input)
      })
      const chosen = options({ settingSources: ['project'], canUseTool: decide })
      await consume(sdk.query({ prompt: 'Go.', options: chosen }))
      record('note', { files: readdirSync(cwd).sort(), ...after(cwd) })
    },
  }
}

export const s04j = withHooks('commands: SessionStart prints, PreToolUse watches, Stop blocks once', {
  files: { 'stop.sh': '#!/bin/bash\n[ -e stopped ] && exit 0\ntouch stopped\necho not yet >&2\nexit 2\n' },
  hooks: {
    SessionStart: [commands('echo session-hook-out')],
    PreToolUse: [{ matcher: 'Bash', ...commands('cat > pre.json') }],
    Stop: [commands('./stop.sh')],
  },
  own: ['session-hook-out'],
  calls: [touch('j1')],
})

export const s04k = withHooks('commands: text and JSON of SessionStart and UserPromptSubmit', {
  hooks: {
    // Hooks of an event run side by side: the pauses give their answers an order.
    SessionStart: [
      commands('echo start-text; echo start-err >&2'),
      commands(`sleep 0.5; ${specific('SessionStart', { additionalContext: 'start-ctx' })}`),
      commands('sleep 1; echo start-fails; exit 1'),
    ],
    UserPromptSubmit: [
      commands('echo submit-text'),
      commands(`sleep 0.5; ${specific('UserPromptSubmit', { additionalContext: 'submit-ctx' })}`),
      commands('sleep 1; echo submit-fails; exit 1'),
    ],
  },
  own: ['start-text', 'start-ctx', 'start-err', 'start-fails', 'submit-text', 'submit-ctx', 'submit-fails'],
})

export const s04l = withHooks('commands: PreToolUse by exit code', {
  files: {
    'pre.sh': program({
      'touch l1': 'echo out-text; echo not allowed >&2; exit 2',
      'touch l2': 'echo some-out; echo some-err >&2; exit 1',
      'touch l3': '/no/such/command',
      'touch l4': 'echo only-text',
    }),
  },
  hooks: { PreToolUse: [commands('./pre.sh')] },
  calls: [touch('l1'), touch('l2'), touch('l3'), touch('l4'), touch('l5')],
})

export const s04l2 = withHooks('commands: PreToolUse that fails: no JSON, wrong JSON, another event, too slow', {
  files: {
    'pre.sh': program({
      'touch l1': `echo '{"decision": "block"'`,
      'touch l2': specific('PreToolUse', { permissionDecision: 'maybe' }),
      'touch l3': specific('PostToolUse', { additionalContext: 'x' }),
      'touch l4': 'sleep 20',
    }),
  },
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './pre.sh', timeout: 1 }] }] },
  calls: [touch('l1'), touch('l2'), touch('l3'), touch('l4')],
})

const preToolUse = (output) => specific('PreToolUse', output)

export const s04m = withHooks('commands: PreToolUse with JSON', {
  files: {
    'pre.sh': program({
      'touch m1': preToolUse({ permissionDecision: 'deny', permissionDecisionReason: 'json-deny' }),
      'touch m2': preToolUse({ permissionDecision: 'ask', permissionDecisionReason: 'json-ask' }),
      'touch m3': preToolUse({ permissionDecision: 'allow', additionalContext: 'json-ctx' }),
      'touch m4': preToolUse({ permissionDecision: 'allow', updatedInput: { command: 'touch m4-updated' } }),
      'touch m5': preToolUse({ updatedInput: { command: 'touch m5-updated' } }),
      'touch m6': say({ decision: 'approve', reason: 'json-approve' }),
      'touch m7': say({ decision: 'block', reason: 'json-block' }),
      'touch m8': say({ systemMessage: 'json-message', suppressOutput: true }),
      'touch m9': say({ continue: false, stopReason: 'json-stop' }),
    }),
  },
  hooks: { PreToolUse: [commands('./pre.sh')] },
  own: ['json-deny', 'json-ctx', 'json-block'],
  calls: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'].map(touch),
})

export const s04n = withHooks('commands: PostToolUse and PostToolUseFailure', {
  files: {
    'post.sh': program({
      'touch n1': 'echo post-out; echo post-err >&2; exit 2',
      'touch n2': say({ decision: 'block', reason: 'post-block' }),
      'touch n3': specific('PostToolUse', { additionalContext: 'post-ctx' }),
      'touch n4': 'echo post-fails >&2; exit 1',
      'touch n5': 'echo post-text',
      'touch n6': say({ continue: false, stopReason: 'post-stop' }),
      'exit(4)': 'echo failure-err >&2; exit 2',
      'exit(5)': specific('PostToolUseFailure', { additionalContext: 'failure-ctx' }),
    }),
  },
  hooks: { PostToolUse: [commands('./post.sh')], PostToolUseFailure: [commands('./post.sh')] },
  own: ['post-err', 'post-block', 'post-ctx', 'failure-err', 'failure-ctx'],
  calls: [touch('n1'), touch('n2'), touch('n3'), failing(4), failing(5), touch('n4'), touch('n5'), touch('n6')],
})

export const s04o = {
  title: 'commands: UserPromptSubmit refuses by exit code and by JSON, fails, lets through',
  async run(stage) {
    const { options, script, cwd } = stage
    const decide = program({
      'Refuse by code.': 'echo no-prompt >&2; exit 2',
      'Refuse by JSON.': say({ decision: 'block', reason: 'no-prompt' }),
      'End the turn.': say({ continue: false, stopReason: 'no-more' }),
      'Fail.': 'echo out; echo err >&2; exit 1',
    })
    put(cwd, { ...settings({ UserPromptSubmit: [commands('./submit.sh')] }), 'submit.sh': decide })
    script(() => ({ text: 'Answered.' }))
    const prompts = ['Refuse by code.', 'Refuse by JSON.', 'Fail.', 'Let through.', 'End the turn.']
    await converse(stage, { prompts, options: options({ settingSources: ['project'] }) })
  },
}

export const s04p = {
  title: 'commands: Stop blocks by exit code and by JSON, fails, ends',
  async run(stage) {
    const { options, script, cwd } = stage
    const decide = program({
      'First.': 'echo go-on-err >&2; exit 2',
      'Second.': say({ decision: 'block', reason: 'go-on-json' }),
      'Third.': 'echo failing >&2; exit 1',
      'Fourth.': say({ continue: false, stopReason: 'enough' }),
    })
    put(cwd, { ...settings({ Stop: [commands('./stop.sh')] }), 'stop.sh': decide })
    const answers = ['First.', 'Second.', 'Third.', 'Fourth.']
    script(() => ({ text: answers.shift() }))
    await converse(stage, { prompts: ['One.', 'Two.'], options: options({ settingSources: ['project'] }) })
  },
}

export const s04q = withHooks('commands: PermissionRequest', {
  slow: 1500,
  files: {
    'ask.sh': program({
      'touch q1': specific('PermissionRequest', { decision: { behavior: 'deny', message: 'command-says-no' } }),
      'touch q2': specific('PermissionRequest', { decision: { behavior: 'allow' } }),
      'touch q3': specific('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: { command: 'touch q3-updated' } },
      }),
      'touch q4': 'echo perm-err >&2; exit 2',
    }),
  },
  hooks: { PermissionRequest: [commands('./ask.sh')] },
  calls: [touch('q1'), touch('q2'), touch('q3'), touch('q4'), touch('q5')],
})

const matchers = ['Ba', 'Bash', 'B.*', 'bash', '', '*', 'Read|Bash', '^Bash$', 'Bash(touch:*)', 'Edit|Write']

export const s04r = withHooks('commands: which matchers match; the same command runs once', {
  hooks: {
    PreToolUse: [
      ...matchers.map((matcher, index) => ({ matcher, ...commands(`touch matched-${index}`) })),
      { matcher: 'Bash', ...commands('echo x >> count', 'echo x >> count') },
      { matcher: '*', ...commands('echo x >> count') },
      { matcher: 'Bash|Read', hooks: [{ type: 'command', command: 'echo x >> count', timeout: 9 }] },
    ],
  },
  calls: [touch('r1')],
  after: (cwd) => ({ count: readFileSync(join(cwd, 'count'), 'utf8') }),
})

export const s04r2 = withHooks('commands: a matcher that is no regular expression', {
  hooks: { PreToolUse: [{ matcher: '(', ...commands('touch never') }] },
  calls: [touch('r1')],
})

const logged = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'],
  ...['PermissionRequest', 'Setup'],
]

export const s04s = {
  title: 'commands: the input, the folder and the variables of every event; --init',
  async run({ sdk, options, script, consume, canUseTool, record, sleep, cwd }) {
    const log = [
      '#!/bin/bash',
      'echo "$1" >> "$CLAUDE_PROJECT_DIR/log/order"',
      'file="$CLAUDE_PROJECT_DIR/log/$1.$(grep -c "^$1\\$" "$CLAUDE_PROJECT_DIR/log/order")"',
      'cat > "$file.json"',
      'echo "$PWD|$CLAUDE_PROJECT_DIR|$' +
        '{CLAUDE_ENV_FILE:+env file}|$' +
        '{CLAUDE_PLUGIN_ROOT:-no plugin}" > "$file.env"',
    ]
    const hooks = Object.fromEntries(
      logged.map((event) => [event, [commands(`"$CLAUDE_PROJECT_DIR"/hook.sh ${event}`)]]),
    )
    put(cwd, { ...settings(hooks), 'hook.sh': `${log.join('\n')}\n`, 'log/order': '' })
    script(oneByOne(touch('s1'), failing(3)))
    const slowly = canUseTool(async (name, input) => {
      await sleep(1000) // So that the hook that is asked at the same time has ended.
      return allowAll(name, input)
    })
    const chosen = options({ settingSources: ['project'], canUseTool: slowly, extraArgs: { init: null } })
    await consume(sdk.query({ prompt: 'Log.', options: chosen }))
    for (const name of readdirSync(join(cwd, 'log')).sort()) {
      if (name === 'order') continue
      const text = readFileSync(join(cwd, 'log', name), 'utf8')
      record('note', { log: name, content: name.endsWith('.json') ? JSON.parse(text) : text })
    }
  },
}

export const s04t = withHooks('commands: a SessionStart hook sets variables for Bash', {
  hooks: { SessionStart: [commands('echo "export FROM_HOOK=yes" >> "$CLAUDE_ENV_FILE"')] },
  calls: [bash('printenv FROM_HOOK')],
})

export const s04u = {
  title: 'commands: disableAllHooks of the user',
  async run({ sdk, options, script, consume, canUseTool, record, cwd, home }) {
    const hooks = { PreToolUse: [commands('echo no >&2; exit 2')], SessionStart: [commands('touch started')] }
    put(home, { '.claude/settings.json': { disableAllHooks: true } })
    put(cwd, settings(hooks))
    script(oneByOne(touch('u1')))
    const chosen = options({ settingSources: ['user', 'project'], canUseTool: canUseTool(allowAll) })
    await consume(sdk.query({ prompt: 'Go.', options: chosen }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s04v = withHooks('commands: several for one call run side by side, deny wins', {
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', ...commands(preToolUse({ permissionDecision: 'allow' })) },
      { matcher: 'Bash', ...commands(preToolUse({ permissionDecision: 'deny', permissionDecisionReason: 'one-no' })) },
      { matcher: 'Bash', ...commands('while [ ! -e second ]; do sleep 0.05; done; touch first') },
      { matcher: 'Bash', ...commands('touch second') },
    ],
  },
  own: ['one-no'],
  calls: [touch('v1')],
})

export const s04x = withHooks('commands: an async one does not hold up the tool', {
  files: { 'async.sh': `#!/bin/bash\n${say({ async: true })}\nsleep 20\ntouch too-late\n` },
  hooks: { PreToolUse: [commands('./async.sh')] },
  calls: [touch('x1')],
  after: (cwd) => ({ late: existsSync(join(cwd, 'too-late')) }),
})
