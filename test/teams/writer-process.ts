/** A process that writes to a team's mailbox and takes tasks from its list until none is left. Arguments: folder, name, messages, [kill]. */
import { openWriter } from './stage.js'

const [, , folder = '', name = '', messages = '0', kill] = process.argv
const { mail, tasks } = openWriter(folder)
const list = tasks.as({ name, leads: false })
const claimed: string[] = []

for (let n = 0; n < Number(messages); n += 1) {
  // Killed in the middle of a write that may hold the lock.
  if (kill !== undefined && n === Number(kill)) setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  await mail.post('lead', { from: name, text: `${name}:${n}` })
  process.stdout.write(`sent ${n}\n`)
  const free = (await list.list()).filter(({ status, owner }) => status === 'pending' && owner === undefined)
  const next = free[0]
  if (next && (await list.update(next.id, { status: 'in_progress' })).ok) claimed.push(next.id)
}
process.stdout.write(`${JSON.stringify(claimed)}\n`)
