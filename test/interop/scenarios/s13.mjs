// Permission modes and rules without and with a host that answers.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { model } from '../stage.mjs'
import { put } from './project.mjs'
import { allowAll, oneByOne } from './steps.mjs'

const bash = (id, command) => ({ id, name: 'Bash', input: { command } })
const write = (id, file_path) => ({ id, name: 'Write', input: { file_path, content: 'w' } })

export const s13 = {
  title: 'default mode without a host that answers',
  elsewhere: { 'http://<api>/': '<api>/' },
  async run({ sdk, options, script, consume, cwd, api }) {
    writeFileSync(join(cwd, 'r.txt'), 'readable\n')
    script([
      {
        tools: [
          write('toolu_a1', `${cwd}/w.txt`),
          bash('toolu_a2', 'touch b'),
          { id: 'toolu_a3', name: 'Read', input: { file_path: `${cwd}/r.txt` } },
          bash('toolu_a4', 'ls'),
          { id: 'toolu_a5', name: 'WebFetch', input: { url: `${api.url}/`, prompt: 'x' } },
        ],
      },
      { text: 'Headless done.' },
    ])
    await consume(sdk.query({ prompt: 'Headless default.', options: options() }))
  },
}

export const s13b = {
  title: 'acceptEdits without a host that answers',
  async run({ sdk, options, script, consume, record, cwd, home }) {
    script([
      {
        tools: [
          write('toolu_a1', `${cwd}/w.txt`),
          bash('toolu_a2', 'touch b'),
          bash('toolu_a3', 'node -e 1'),
          write('toolu_a4', `${home}/w.txt`),
        ],
      },
      { text: 'AE done.' },
    ])
    await consume(sdk.query({ prompt: 'Accept edits.', options: options({ permissionMode: 'acceptEdits' }) }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s13c = {
  title: 'dontAsk: what would ask is denied, the host is not asked',
  async run({ sdk, options, script, consume, canUseTool, record, cwd, home }) {
    writeFileSync(join(cwd, 'r.txt'), 'readable\n')
    script(
      oneByOne(
        ['Write', { file_path: `${cwd}/w.txt`, content: 'w' }],
        ['Bash', { command: 'node -e 1' }],
        ['Bash', { command: 'node -e 1; touch b' }],
        ['Bash', { command: 'ls' }],
        ['Read', { file_path: `${cwd}/r.txt` }],
        ['Read', { file_path: `${home}/outside.txt` }],
        ['WebFetch', { url: 'https://example.com/', prompt: 'x' }],
        ['WebSearch', { query: 'anything' }],
        ['AskUserQuestion', { questions: [question] }],
        ['ExitPlanMode', {}],
        ['TodoWrite', { todos: [] }],
        ['Bash', { command: 'touch b' }],
      ),
    )
    const chosen = options({
      canUseTool: canUseTool(allowAll),
      permissionMode: 'dontAsk',
      allowedTools: ['Bash(touch b)'],
    })
    await consume(sdk.query({ prompt: 'Do not ask.', options: chosen }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

const question = {
  question: 'Which color?',
  header: 'Color',
  options: [
    { label: 'Red', description: 'is red' },
    { label: 'Blue', description: 'is blue' },
  ],
  multiSelect: false,
}

export const s13e = {
  title: 'plan mode: nothing is blocked by itself; ExitPlanMode denied, then allowed; afterwards the default mode',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    writeFileSync(join(cwd, 'r.txt'), 'readable\n')
    script(
      oneByOne(
        ['Read', { file_path: `${cwd}/r.txt` }],
        ['Write', { file_path: `${cwd}/early.txt`, content: 'w' }],
        ['Bash', { command: 'touch early' }],
        ['Bash', { command: 'ls' }],
        ['ExitPlanMode', { plan: 'The plan.' }],
        ['ExitPlanMode', { plan: 'The better plan.' }],
        ['Write', { file_path: `${cwd}/late.txt`, content: 'w' }],
        ['ExitPlanMode', {}],
      ),
    )
    let asked = 0
    const decide = canUseTool(async (name, updatedInput) => {
      if (name === 'ExitPlanMode') asked += 1
      if (name === 'ExitPlanMode' && asked === 1) return { behavior: 'deny', message: 'Not yet.' }
      return { behavior: 'allow', updatedInput }
    })
    await consume(
      sdk.query({ prompt: 'Plan first.', options: options({ canUseTool: decide, permissionMode: 'plan' }) }),
    )
  },
}

export const s13g = {
  title: 'EnterPlanMode and ExitPlanMode: back to the mode before; without a host that answers',
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    const plan = { plan: '# Plan\nDo it.', allowedPrompts: [{ tool: 'Bash', prompt: 'run tests' }] }
    script(
      oneByOne(
        ['EnterPlanMode', {}],
        ['Write', { file_path: `${cwd}/in-plan.txt`, content: 'w' }],
        ['ExitPlanMode', plan],
        ['Write', { file_path: `${cwd}/after-plan.txt`, content: 'w' }],
        ['EnterPlanMode', { bogus: 1 }],
        ['ExitPlanMode', { allowedPrompts: [{ tool: 'Read', prompt: 'x' }] }],
      ),
    )
    const chosen = options({ canUseTool: canUseTool(allowAll), permissionMode: 'acceptEdits' })
    await consume(sdk.query({ prompt: 'Enter and leave.', options: chosen }))
    const alone = oneByOne(['EnterPlanMode', {}], ['ExitPlanMode', {}])
    script(() => alone.shift())
    await consume(sdk.query({ prompt: 'Alone.', options: options() }))
  },
}

export const s13i = {
  title: 'plan mode: the plan is written to its file, then shown',
  async run({ sdk, options, script, consume, canUseTool, home }) {
    const planFile = (body) =>
      JSON.stringify(body.messages).match(/\/[^\s"`]*\/plans\/[\w-]+\.md/)?.[0] ?? `${home}/none.md`
    script(
      oneByOne(
        (body) => ['Write', { file_path: planFile(body), content: '# Plan\nDo it.\n' }],
        (body) => ['Read', { file_path: planFile(body) }],
        (body) => ['Edit', { file_path: planFile(body), old_string: 'it', new_string: 'this' }],
        ['ExitPlanMode', {}],
        ['EnterPlanMode', {}],
        ['EnterPlanMode', {}],
        ['ExitPlanMode', {}],
      ),
    )
    const chosen = options({ canUseTool: canUseTool(allowAll), permissionMode: 'plan' })
    await consume(sdk.query({ prompt: 'Plan in a file.', options: chosen }))
  },
}

export const s13h = {
  title: 'deny rules, allow rules, a tool removed as a whole',
  async run({ sdk, options, script, consume, canUseTool, record, cwd }) {
    script(
      oneByOne(
        ['Bash', { command: 'rm x' }],
        ['Bash', { command: 'echo a && rm x' }],
        ['WebFetch', { url: 'https://example.com/', prompt: 'x' }],
        ['Bash', { command: 'mkdir d1' }],
        ['Bash', { command: 'node -e 1' }],
        ['Write', { file_path: `${cwd}/w.txt`, content: 'w' }],
      ),
    )
    const rules = {
      disallowedTools: ['Bash(rm:*)', 'WebFetch'],
      allowedTools: ['Bash(mkdir:*)', 'Bash(node:*)', 'Write'],
    }
    const chosen = options({ canUseTool: canUseTool(allowAll), ...rules })
    await consume(sdk.query({ prompt: 'Rules.', options: chosen }))
    record('note', { files: readdirSync(cwd).sort() })
  },
}

export const s13j = {
  title: 'ask rules: asked in every mode, also what would run by itself; without a host that answers',
  limitMs: 120_000,
  async run({ sdk, options, script, consume, canUseTool, cwd }) {
    const permissions = { ask: ['Bash(ls:*)', 'Read(./a.txt)', 'Write', 'Glob'], allow: ['Bash(ls:*)', 'Bash(node:*)'] }
    put(cwd, { '.claude/settings.json': { permissions }, 'a.txt': 'a\n' })
    const calls = [
      ['Bash', { command: 'ls' }],
      ['Bash', { command: 'node -e 1 && ls' }],
      ['Read', { file_path: `${cwd}/a.txt` }],
      ['Write', { file_path: `${cwd}/w.txt`, content: 'w' }],
      ['Glob', { pattern: 'a.*' }],
      ['Bash', { command: 'node -e 1' }],
    ]
    const settingSources = ['project']
    const bypass = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }
    const asking = { canUseTool: canUseTool(allowAll) }
    const runs = [
      asking,
      { ...asking, permissionMode: 'acceptEdits' },
      { ...asking, ...bypass, env: { IS_SANDBOX: '1' } },
      {},
    ]
    for (const chosen of runs) {
      const steps = oneByOne(...calls)
      script(() => steps.shift() ?? { text: 'No more.' })
      await consume(sdk.query({ prompt: 'Ask rules.', options: options({ settingSources, ...chosen }) }))
    }
  },
}

export const s13k = {
  title: 'delegate as a mode: by option, at run time',
  async run({ sdk, options, script, consume, canUseTool, call, cwd }) {
    const answer = () => {
      const steps = oneByOne(['Bash', { command: 'ls' }], ['Write', { file_path: `${cwd}/w.txt`, content: 'w' }])
      script(() => steps.shift() ?? { text: 'No more.' })
    }
    answer()
    const asking = { canUseTool: canUseTool(allowAll) }
    const chosen = options({ ...asking, permissionMode: 'delegate' })
    await consume(sdk.query({ prompt: 'Delegate.', options: chosen }))
    answer()
    const query = sdk.query({ prompt: 'Delegate later.', options: options(asking) })
    await call('setPermissionMode', () => query.setPermissionMode('delegate'))
    await consume(query)
  },
}

export const s13l = {
  title: 'auto as a mode: by option, at run time',
  async run({ sdk, options, script, consume, call }) {
    script([{ text: 'Not automatic.' }])
    await consume(sdk.query({ prompt: 'Auto.', options: options({ permissionMode: 'auto' }) }))
    const query = sdk.query({ prompt: 'Auto later.', options: options() })
    await call('setPermissionMode', () => query.setPermissionMode('auto'))
    await consume(query)
  },
}

export const s13m = {
  title: 'defaultMode of a settings file, by hand: of the user, of the project, of nobody',
  half: 'cli',
  inProcess: false,
  async run({ raw, script, record, cwd, home }) {
    const places = { user: home, project: cwd }
    for (const [sources, mode] of [
      ['user', 'acceptEdits'],
      ['user', 'nonsense'],
      ['project', 'acceptEdits'],
    ]) {
      put(places[sources], { '.claude/settings.json': { permissions: { defaultMode: mode } } })
      const steps = oneByOne(['Write', { file_path: `${cwd}/${sources}-${mode}.txt`, content: 'w' }])
      script(() => steps.shift() ?? { text: 'No more.' })
      const flags = ['--output-format', 'stream-json', '--verbose', '--model', model, '--setting-sources', sources]
      const cli = raw(['-p', 'Write it.', ...flags])
      cli.end()
      record('exit_raw', await cli.exit)
    }
    record('note', { files: readdirSync(cwd).sort() })
  },
}

// Without them the original runs everything outside of a sandbox, and asks.
const sandboxPrograms = process.platform === 'linux' ? ['bwrap', 'socat'] : []

export const s13n = {
  title: 'sandbox: what runs inside is not asked about, what wants out is',
  needs: sandboxPrograms,
  async run({ sdk, options, script, consume, canUseTool, record, cwd, home }) {
    script(
      oneByOne(
        ['Bash', { command: 'touch inside; echo code $?' }],
        ['Bash', { command: 'node -e 1' }],
        ['Bash', { command: `touch ${home}/outside; echo code $?` }],
        ['Bash', { command: 'touch wanted', dangerouslyDisableSandbox: true }],
        ['Write', { file_path: `${cwd}/w.txt`, content: 'w' }],
      ),
    )
    const chosen = options({ canUseTool: canUseTool(allowAll), sandbox: { enabled: true } })
    await consume(sdk.query({ prompt: 'Inside.', options: chosen }))
    record('note', { inside: readdirSync(cwd).sort(), outside: readdirSync(home).includes('outside') })
  },
}

export const s13o = {
  title: 'sandbox without autoAllowBashIfSandboxed and with an excluded command',
  needs: sandboxPrograms,
  async run({ sdk, options, script, consume, canUseTool, record, cwd, home }) {
    script(
      oneByOne(
        ['Bash', { command: 'touch inside; echo code $?' }],
        ['Bash', { command: `touch ${home}/outside; echo code $?` }],
        ['Bash', { command: `mkdir ${home}/excluded` }],
      ),
    )
    const sandbox = { enabled: true, autoAllowBashIfSandboxed: false, excludedCommands: ['mkdir:*'] }
    await consume(sdk.query({ prompt: 'Inside.', options: options({ canUseTool: canUseTool(allowAll), sandbox }) }))
    const outside = readdirSync(home).filter((name) => ['outside', 'excluded'].includes(name))
    record('note', { inside: readdirSync(cwd).sort(), outside })
  },
}
