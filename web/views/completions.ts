/** What may be meant by what is being written: a slash command at the beginning, or a file after an @. */
import { isCluster } from '../state/all-sessions.js'
import { get } from '../wire/server-api.js'

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
  const found = await get<{ files: string[] }>(
    `/sessions/${session}/files?text=${encodeURIComponent(path)}&limit=${MOST}`,
  ).catch(() => ({ files: [] }))
  return found.files.map((file) => ({ text: `@${file}`, about: '', length: path.length + 1 }))
}

function commandsOf(session: string, names: readonly string[]): Promise<readonly Command[]> {
  const named = () => names.map((name) => ({ name, description: '' }))
  if (isCluster.peek()) return Promise.resolve(named())
  const asked =
    known.get(session) ??
    get<{ commands: Command[] }>(`/sessions/${session}/commands`).then(
      ({ commands }) => commands,
      () => {
        known.delete(session)
        return named()
      },
    )
  known.set(session, asked)
  return asked
}
