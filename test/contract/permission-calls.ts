/** Tool calls for tests of permission semantics, in the corpus' own world, and what becomes of them. */
import { type ExplainPermissionOptions, explainPermission } from '../../src/index.js'

export type Rules = NonNullable<ExplainPermissionOptions['rules']>
export type World = Omit<ExplainPermissionOptions, 'tool' | 'input' | 'rules'> & { rules?: Rules }

/** In the corpus' own world: nothing of it has to exist. */
export const world = { cwd: '/repo', home: '/home/u', platform: 'linux' }

export async function behavior(tool: string, input: Record<string, unknown>, more: World = {}): Promise<string> {
  return (await explainPermission({ ...world, tool, input, ...more })).behavior
}

/** What each call gets, by name, so that one assertion shows all that differ. */
export async function answers(calls: Record<string, [tool: string, input: Record<string, unknown>, world?: World]>) {
  const found: Record<string, string> = {}
  for (const [name, [tool, input, more]] of Object.entries(calls)) found[name] = await behavior(tool, input, more)
  return found
}

export const bash = (command: string, more: World = {}): [string, Record<string, unknown>, World] => [
  'Bash',
  { command },
  more,
]
export const read = (path: string, more: World = {}): [string, Record<string, unknown>, World] => [
  'Read',
  { file_path: path },
  more,
]
export const write = (path: string, more: World = {}): [string, Record<string, unknown>, World] => [
  'Write',
  { file_path: path, content: '' },
  more,
]
export const fetch = (url: string, more: World = {}): [string, Record<string, unknown>, World] => [
  'WebFetch',
  { url, prompt: 'x' },
  more,
]
export const use = (tool: string, more: World = {}): [string, Record<string, unknown>, World] => [tool, {}, more]
export const allow = (...rules: string[]): World => ({ rules: { allow: rules } })
export const deny = (...rules: string[]): World => ({ rules: { deny: rules } })
export const ask = (...rules: string[]): World => ({ rules: { ask: rules } })
