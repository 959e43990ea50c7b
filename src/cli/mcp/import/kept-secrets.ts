/** What of a server's configuration is a secret, and must not get into a file that others read. */
import { withoutSecrets } from '../../../platform/secret-shapes.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'

export type WithoutValues = {
  config: JsonObject
  /** Variables that now stand for values. */
  variables: string[]
  /** Why it can't be shared: a secret is where no variable can be told from it. */
  problem?: string
}

/** Puts variables in the place of the values of `env` and `headers`. Ones that are variables already stay. */
export function withVariablesForValues(name: string, config: JsonObject): WithoutValues {
  const variables: string[] = []
  const replaced: JsonObject = { ...config }
  const prefix = name.toUpperCase().replace(/\W+/g, '_')
  for (const key of ['env', 'headers'] as const) {
    const values = config[key]
    if (!isObject(values)) continue
    replaced[key] = Object.fromEntries(
      Object.entries(values).map(([title, value]) => {
        const text = String(value)
        if (/^(?:[A-Za-z]+ )?\$\{\w+(?::-[^}]*)?\}$/.test(text)) return [title, text]
        const variable = key === 'env' ? title : `${prefix}_${title.toUpperCase().replace(/\W+/g, '_')}`
        variables.push(variable)
        return [title, `\${${variable}}`]
      }),
    )
  }
  const rest = JSON.stringify([config['args'], config['url'], config['command']])
  const hasSecret = withoutSecrets(rest, '\u0001').includes('\u0001') || hasCredentials(config['url'])
  const problem = 'its arguments or address hold a secret: add it by hand, with a variable'
  return { config: replaced, variables, ...(hasSecret ? { problem } : {}) }
}

function hasCredentials(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { username, password, searchParams } = new URL(url)
  return (
    username !== '' || password !== '' || [...searchParams.keys()].some((key) => /key|token|secret|auth/i.test(key))
  )
}
