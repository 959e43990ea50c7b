// A wrapper library that merges and passes options on.
import { type Options, query, type SettingSource } from '@anthropic-ai/claude-agent-sdk'

type Plain = Omit<Options, 'abortController' | 'canUseTool' | 'hooks' | 'stderr' | 'spawnClaudeCodeProcess'>
type OptionName = keyof Options

const defaults = {
  maxTurns: 10,
  permissionMode: 'default',
  settingSources: ['project', 'local'],
  systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
  tools: { type: 'preset', preset: 'claude_code' },
  thinking: { type: 'enabled', budgetTokens: 2048 },
  effort: 'high',
  betas: ['context-1m-2025-08-07'],
  plugins: [{ type: 'local', path: './plugin' }],
  sandbox: { enabled: true, autoAllowBashIfSandboxed: true, network: { allowLocalBinding: true } },
} satisfies Options

export class AgentBuilder {
  private options: Options = { ...defaults }

  set<Name extends OptionName>(name: Name, value: Options[Name]): this {
    this.options[name] = value
    return this
  }

  get<Name extends OptionName>(name: Name): Options[Name] {
    return this.options[name]
  }

  merge(...parts: Partial<Options>[]): this {
    for (const part of parts) this.options = { ...this.options, ...part, env: { ...this.options.env, ...part.env } }
    return this
  }

  plain(): Plain {
    const { abortController, canUseTool, hooks, stderr, spawnClaudeCodeProcess, ...rest } = this.options
    console.log(
      abortController?.signal.aborted,
      canUseTool?.length,
      hooks?.Stop?.length,
      stderr,
      spawnClaudeCodeProcess,
    )
    return rest
  }

  run(prompt: string): ReturnType<typeof query> {
    const abortController = this.options.abortController ?? new AbortController()
    return query({ prompt, options: { ...this.options, abortController } })
  }
}

export function required<Name extends OptionName>(options: Options, ...names: Name[]): Required<Pick<Options, Name>> {
  for (const name of names) if (options[name] === undefined) throw new Error(`missing ${name}`)
  return options as Required<Pick<Options, Name>>
}

export const sources: SettingSource[] = defaults.settingSources
export const builder = new AgentBuilder()
  .set('model', 'claude-opus-4-6')
  .set('resume', '00000000-0000-4000-8000-000000000000')
  .set('forkSession', true)
  .set('outputFormat', { type: 'json_schema', schema: { type: 'object' } })
  .merge({ cwd: '/tmp', additionalDirectories: ['/srv'] }, { env: { PATH: process.env.PATH } })
