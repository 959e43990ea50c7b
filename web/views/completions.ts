/** What may be meant by what is being written: a slash command at the beginning, or a file after an @. */
import { isCluster } from '../state/all-sessions.js'
import { server } from '../state/server.js'

/** `length`: number of characters before the cursor to replace. */
export type Completion = { text: string; about: string; length: number }

const MOST = 8
const known = new Map<string, Promise<readonly Command[]>>()
type Command = { name: string; description: string }

export async function completionsFor(
  session: string,
  before: string,
  commands: readonly string[],
): Promise<Completion[]> {
  const [, name] = /^\/([\w:-]*)$/.exec(before) ?? []
  if (name !== undefined) {
    const all = await commandsOf(session, commands)
    const fitting = all.filter((command) => command.name.toLowerCase().includes(name.toLowerCase()))
    return fitting
      .slice(0, MOST)
      .map((one) => ({ text: `/${one.name}`, about: one.description, length: name.length + 1 }))
  }
  const [, path] = /(?:^|\s)@([^\s@]*)$/.exec(before) ?? []
  if (path === undefined || isCluster.peek()) return []
  const files = await server.files(session, path, { limit: MOST }).catch(() => [])
  return files.map((file) => ({ text: `@${file}`, about: '', length: path.length + 1 }))
}

function commandsOf(session: string, names: readonly string[]): Promise<readonly Command[]> {
  const named = () => names.map((name) => ({ name, description: '' }))
  if (isCluster.peek()) return Promise.resolve(named())
  const asked =
    known.get(session) ??
    server.commands(session).catch(() => {
      known.delete(session)
      return named()
    })
  known.set(session, asked)
  return asked
}
