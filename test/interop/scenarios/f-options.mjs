// The SDK half alone: how every option appears on the command line, and which combinations are refused at once.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const basis = { half: 'sdk', inProcess: false, fakeCli: true }

const variants = {
  'no tools': { tools: [] },
  'thinking disabled': { thinking: { type: 'disabled' } },
  'no thinking tokens': { maxThinkingTokens: 0 },
  'thinking adaptive': { thinking: { type: 'adaptive' } },
  'thinking without budget': { thinking: { type: 'enabled' } },
  'permission prompt tool': { permissionPromptToolName: 'mcp__x__ask' },
  'debug file': { debugFile: '/tmp/kedge-interop-debug.txt' },
  'resume and continue': { resume: '44444444-1111-4111-8111-444444444444', continue: true },
  'max turns 0': { maxTurns: 0 },
  'settings and sandbox': { extraArgs: { settings: '{"model":"x"}' }, sandbox: { enabled: true } },
  'no setting sources': { settingSources: [] },
  'no model': { model: undefined },
  'extra args': { extraArgs: { flag: null, value: 'v' } },
}

const refused = {
  'both permission prompts': {
    canUseTool: async () => ({ behavior: 'deny', message: 'no' }),
    permissionPromptToolName: 'x',
  },
  'fallback equals model': { model: 'same', fallbackModel: 'same' },
  'plugin type': { plugins: [{ type: 'git', path: '/p' }] },
}

export const f24 = {
  ...basis,
  title: 'options one by one, and refused combinations',
  async run({ sdk, options, consume, call }) {
    for (const [name, extra] of Object.entries(variants)) {
      await consume(sdk.query({ prompt: name, options: options(extra) }))
    }
    for (const [name, extra] of Object.entries(refused)) {
      await call(name, () => {
        sdk.query({ prompt: name, options: options(extra) })
      })
    }
  },
}

export const f26 = {
  ...basis,
  title: 'every option at once: the order of the flags',
  async run({ sdk, options, consume, cwd }) {
    const chosen = options({
      maxThinkingTokens: 1000,
      effort: 'high',
      maxTurns: 3,
      maxBudgetUsd: 2,
      agent: 'lead',
      betas: ['b1', 'b2'],
      outputFormat: { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'number' } } } },
      debug: true,
      debugFile: '/tmp/kedge-interop-debug.txt',
      canUseTool: async () => ({ behavior: 'deny', message: 'no' }),
      continue: true,
      resume: '44444444-1111-4111-8111-444444444444',
      allowedTools: ['A', 'B'],
      disallowedTools: ['C', 'D'],
      tools: ['Bash', 'Read'],
      mcpServers: { one: { command: 'true' }, two: { type: 'http', url: 'http://127.0.0.1:9/x' } },
      settingSources: ['user', 'project', 'local'],
      strictMcpConfig: true,
      permissionMode: 'plan',
      allowDangerouslySkipPermissions: true,
      fallbackModel: 'other-model',
      includePartialMessages: true,
      additionalDirectories: ['/d1', '/d2'],
      plugins: [{ type: 'local', path: cwd }],
      forkSession: true,
      resumeSessionAt: '55555555-1111-4111-8111-555555555555',
      sessionId: '55555555-2222-4222-8222-555555555555',
      persistSession: false,
      extraArgs: { 'x-flag': null, 'x-value': 'v' },
      sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
      enableFileCheckpointing: true,
      promptSuggestions: true,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'more' },
      agents: { lead: { description: 'd', prompt: 'p' } },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [async () => ({}), async () => ({})], timeout: 30 }],
        Stop: [{ hooks: [async () => ({})] }],
      },
    })
    await consume(sdk.query({ prompt: 'All options.', options: chosen }))
  },
}

export const f27 = {
  ...basis,
  title: 'kinds of executable paths: .mjs and .js by node, others by themselves',
  async run({ sdk, options, consume, cwd, shim, record }) {
    const load = `import(${JSON.stringify(pathToFileURL(shim).href)})\n`
    for (const name of ['cli.mjs', 'cli.js', 'cli.cjs', 'cli']) {
      const path = join(cwd, name)
      for (const [runnable, mode] of [
        [true, 0o755],
        [false, 0o644],
      ]) {
        writeFileSync(path, `#!/usr/bin/env node\n${load}`)
        chmodSync(path, mode)
        record('note', { name, runnable })
        await consume(sdk.query({ prompt: `As ${name}`, options: options({ pathToClaudeCodeExecutable: path }) }))
      }
    }
  },
}
