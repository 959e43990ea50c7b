/** What has to hold after a hostile repository was opened. */
import type { Step } from 'kedge/testing'
import type { Hostile } from './hostile.js'
import type { Seen } from './open.js'
import type { World } from './place.js'

export const NOTHING = { programs: [], addresses: [], writes: [], canary: 0, leaked: false, control: [] }

/** What the model said; a command that is not known is answered without it. */
export function answerOf(hostile: Hostile, text: string, reads: 'nothing' | 'texts' = 'nothing'): RegExp {
  return hostile.id === 'command' && reads === 'nothing' ? /hi/ : new RegExp(`^${text}$`)
}

/** Its settings can't be read, so nobody knows what they deny: the command does not start, and names the file. */
export function refusesToStart({ id }: Hostile): boolean {
  return /^(?:settings-(?:link|device|deep)|claude-(?:pipes|sockets|folders|huge|link-loop)|odd-bytes)$/.test(id)
}

export const NOT_STARTED = /^Error: \S+settings(?:\.local)?\.json\S*: .*(?:can't be known|must be|can't be used)/m

/** Reading and looking around, which needs no question, and what would need one: nobody is there to say yes. */
export function harmlessCalls(world: World, cwd: string): Step[] {
  const bash = (command: string) => ({ name: 'Bash', input: { command } })
  return [
    {
      tools: [
        { name: 'Read', input: { file_path: `${cwd}/CLAUDE.md` } },
        { name: 'Glob', input: { pattern: '**/*.md' } },
        { name: 'Grep', input: { pattern: 'needle' } },
        bash('ls'),
        bash(`touch ${world.root}/traps/sprung`),
        { name: 'Write', input: { file_path: `${cwd}/made.txt`, content: 'x' } },
        { name: 'Read', input: { file_path: `${world.outside}/secret.txt` } },
      ],
    },
    'Done.',
  ]
}

/** With tools at work there are programs: those of the system, which ask it for the user's name, and none of the repository. */
export function withoutOwnPrograms(seen: Seen): Seen {
  return {
    ...seen,
    programs: seen.programs.filter((program) => /\/kedge-hostile-\w+\//.test(program)),
    addresses: seen.addresses.filter((address) => !/^\/(?:var\/)?run\/nscd\/socket$/.test(address)),
  }
}
