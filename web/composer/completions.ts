/** What may be meant by what is being written: a slash command at the beginning, or a file after an @. */
import { isOnCluster, type PageScope } from '../state/page-scope.js'
import type { Client } from '../state/server-types.js'
import { T } from '../texts.js'

/** `length`: number of characters before the cursor to replace. */
export type Completion = { text: string; about: string; length: number }

const MOST = 8
type Command = { name: string; description: string }
type CompletionScope = Pick<PageScope, 'client' | 'me'>
/** What the page itself runs. */
const OWN: readonly Command[] = [
  { name: 'btw', description: T.askAside },
  { name: 'reload', description: T.reloadAbout },
]
/** By session. */
const known = new WeakMap<Client, Map<string, Promise<readonly Command[]>>>()

export async function completionsFor(
  scope: CompletionScope,
  session: string,
  before: string,
  commands: readonly string[],
): Promise<Completion[]> {
  const [, name] = /^\/([\w:-]*)$/.exec(before) ?? []
  if (name !== undefined) {
    const all = [...(await commandsOf(scope, session, commands)), ...(isOnCluster(scope) ? [] : OWN)]
    const fitting = all.filter((command) => command.name.toLowerCase().includes(name.toLowerCase()))
    return fitting
      .slice(0, MOST)
      .map((one) => ({ text: `/${one.name}`, about: one.description, length: name.length + 1 }))
  }
  const [, path] = /(?:^|\s)@([^\s@]*)$/.exec(before) ?? []
  if (path === undefined || isOnCluster(scope)) return []
  const files = await scope.client.files(session, path, { limit: MOST }).catch(() => [])
  return files.map((file) => ({ text: `@${file}`, about: '', length: path.length + 1 }))
}

function commandsOf(scope: CompletionScope, session: string, names: readonly string[]): Promise<readonly Command[]> {
  const named = () => names.map((name) => ({ name, description: '' }))
  if (isOnCluster(scope)) return Promise.resolve(named())
  const all = known.get(scope.client) ?? new Map<string, Promise<readonly Command[]>>()
  known.set(scope.client, all)
  const asked =
    all.get(session) ??
    scope.client.commands(session).catch(() => {
      all.delete(session)
      return named()
    })
  all.set(session, asked)
  return asked
}
