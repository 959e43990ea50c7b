/** What one of our commits says about a session: its entry, its author, and the state of its branches. Pure. */

export type SnapshotCommitMessage = {
  seq: number
  epoch: number
  /** A branch, or the commit itself. */
  head: string
  branches: { name: string; commit: string }[]
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const BRANCH = /^refs\/heads\/[^\s~^:?*[\\]+$/

export function snapshotMessage({ seq, epoch, head, branches }: SnapshotCommitMessage): string {
  const lines = branches.map(({ name, commit }) => `Kedge-Branch: ${commit} ${name}`)
  const said = ['Files of a session, saved by Kedge', '', `Kedge-Seq: ${seq}`, `Kedge-Epoch: ${epoch}`]
  return `${[...said, `Kedge-Head: ${head}`, ...lines].join('\n')}\n`
}

/** Reads the snapshot from the message of a commit. Undefined if the commit wasn't made by Kedge. */
export function parseSnapshotMessage(message: string): SnapshotCommitMessage | undefined {
  const values = (name: string) =>
    message.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
  const [seq, epoch] = [Number(values('Kedge-Seq')[0]), Number(values('Kedge-Epoch')[0])]
  const head = values('Kedge-Head')[0] ?? ''
  const branches = values('Kedge-Branch').map((line) => {
    const [commit = '', name = ''] = line.split(' ')
    return { commit, name }
  })
  const isWhole = branches.every(({ name, commit }) => BRANCH.test(name) && COMMIT.test(commit))
  if (!Number.isSafeInteger(seq) || !Number.isSafeInteger(epoch) || !isWhole) return undefined
  return BRANCH.test(head) || COMMIT.test(head) ? { seq, epoch, head, branches } : undefined
}
