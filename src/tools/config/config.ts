/** Config: reads and changes those settings of a session that it was given. */
import { cutMiddle } from '../bound-output.js'
import type { InputSchema } from '../input-schema.js'
import { defineTool, type Tool } from '../tool.js'

/** What `Config` takes. */
export interface ConfigInput {
  /** The name of the setting, such as `model`. */
  setting: string
  /** Absent: read it. */
  value?: string | boolean | number
}

export const configInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    setting: { description: 'The name of the setting, such as "model".', type: 'string' },
    value: {
      description: 'The new value. Leave it out to read the setting.',
      anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'number' }],
    },
  },
  required: ['setting'],
  additionalProperties: false,
} satisfies InputSchema<ConfigInput>

/** What Config gives back to hosts. */
export interface ConfigOutput {
  /** Whether it could be read or changed. */
  success: boolean
  /** What was done. */
  operation?: 'get' | 'set'
  /** The setting. */
  setting?: string
  /** What it is, when read. */
  value?: unknown
  /** What it was before the change. */
  previousValue?: unknown
  /** What it is now. */
  newValue?: unknown
  /** Why not, in words. */
  error?: string
}

const configPrompt = `Reads or changes a setting of this session. Without a value it reads; with one it changes the setting, and the user is asked first.

Use it only when the user wants to know or change a setting.`

export type ConfigValue = NonNullable<ConfigInput['value']>

export type ConfigSetting = {
  /** What it is, in a few words for the model. */
  describe: string
  get(): unknown
  /** Absent: it can only be read. What is wrong with a value comes back in words. */
  set?(value: ConfigValue): string | undefined | Promise<string | undefined>
  /** No rule or mode can agree to a change in place of a person. */
  onlyAPerson?: boolean
  /** Absent: `set` decides. */
  allowed?: readonly ConfigValue[]
}

export type ConfigSettings = { readonly [name: string]: ConfigSetting }

export function createConfigTool(settings: ConfigSettings): Tool<ConfigInput> {
  const lines = Object.entries(settings).map(([name, setting]) => `- ${name}: ${setting.describe}${choices(setting)}`)
  return defineTool<ConfigInput>({
    name: 'Config',
    description: [configPrompt, 'The settings:', ...lines].join('\n'),
    inputSchema: configInputSchema,
    isReadOnly: ({ value }) => value === undefined,
    facts({ setting, value }) {
      if (value === undefined) return { kind: 'none' }
      const onlyAPerson = Object.hasOwn(settings, setting) && settings[setting]?.onlyAPerson
      return { kind: onlyAPerson ? 'ask' : 'other' }
    },
    // Nobody should be asked to allow what can't be done.
    async check(input) {
      const found = find(input, settings)
      return 'error' in found ? found.error : undefined
    },
    async execute(input) {
      const found = find(input, settings)
      const about = {
        operation: input.value === undefined ? ('get' as const) : ('set' as const),
        setting: input.setting,
      }
      const fail = (error: string) => {
        const output: ConfigOutput = { success: false, ...about, error }
        return { ok: false as const, error, output }
      }
      if ('error' in found) return fail(found.error)
      const previousValue = found.setting.get()
      if (found.value === undefined) {
        const output: ConfigOutput = { success: true, ...about, value: previousValue }
        return { ok: true, content: `${input.setting} is ${show(previousValue)}.`, output }
      }
      const problem = await found.setting.set?.(found.value)
      if (problem !== undefined) return fail(problem)
      const newValue = found.setting.get()
      const output: ConfigOutput = { success: true, ...about, previousValue, newValue }
      return { ok: true, content: `${input.setting} was ${show(previousValue)} and is now ${show(newValue)}.`, output }
    },
  })
}

type Found = { setting: ConfigSetting; value: ConfigValue | undefined } | { error: string }

function find({ setting: name, value }: ConfigInput, settings: ConfigSettings): Found {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
  if (!setting)
    return { error: `Unknown setting ${show(name)}. The settings are: ${Object.keys(settings).join(', ')}.` }
  if (value === undefined) return { setting, value }
  if (!setting.set) return { error: `The setting ${name} can only be read.` }
  if (!setting.allowed) return { setting, value }
  // "true" and "5" are what models write for true and 5.
  const allowed = setting.allowed.find((option) => option === value) ?? setting.allowed.find((o) => String(o) === value)
  if (allowed !== undefined) return { setting, value: allowed }
  return { error: `${show(value)} is no value for ${name}: it must be one of ${setting.allowed.map(show).join(', ')}.` }
}

function choices({ set, allowed }: ConfigSetting): string {
  if (!set) return ' (can only be read)'
  return allowed ? ` (${allowed.map(show).join(', ')})` : ''
}

function show(value: unknown): string {
  return value === undefined ? 'not set' : cutMiddle(JSON.stringify(value), 500)
}
