/** Docker and Podman. */
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { mayBeOption, type OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const CONTAINER_PROGRAMS: KnownPrograms = {
  docker: {
    looks: { form: listedContainers, version: /^(?:--version|-v)$/ },
    risks: { danger: otherDaemonDanger },
    runs: { verbs: ['exec', 'run'], nothing: true },
  },
  'docker-compose': { runs: { verbs: ['exec', 'run'] } },
  podman: {
    risks: { options: { runs: '--url --connection' } },
    runs: { verbs: ['exec', 'run'], nothing: true },
  },
}

function listedContainers(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const args = words.slice(2).map((word) => word.value)
  const lists = /^(?:ps|images)$/.test(wordValueAt(words, 1))
  return lists && args.every((value) => /^-[aqlns]+$|^--(?:all|quiet|latest|no-trunc|size)$/.test(value))
    ? []
    : undefined
}

/** Another daemon, only before the verb. */
function otherDaemonDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const verb = words.findIndex((word, i) => i > 0 && !word.value.startsWith('-'))
  const globals = words.slice(1, verb < 0 ? undefined : verb + 1)
  return globals.some((word) => /^-[Hc]|^--(?:h|co)/.test(word.value)) || globals.some(mayBeOption) ? 'runs' : undefined
}
