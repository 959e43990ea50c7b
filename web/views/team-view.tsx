/** A team, as the session's own calls show it: its members, their messages, and the task list. */

import type { ToolItem, ViewItem } from '../../src/view/view-items.js'
import { toDisplaySafeLine, toDisplaySafeText, toStringOrEmpty } from '../safe/clean-text.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { Todos } from '../tools/tool-bodies.js'

type Mail = { key: string; from: string; to: string; text: string }
type Team = { name: string; members: Map<string, string>; mail: Mail[]; todos: Map<string, Record<string, unknown>> }

export function TeamView({ conversation }: { id: string; conversation: SessionSignals }) {
  conversation.rev.value
  const team = teamOf(conversation.items)
  if (team.name === '' && team.members.size === 0 && team.todos.size === 0) return <p class="quiet">{T.noTeam}</p>
  return (
    <div class="team">
      <h2>{T.team(toDisplaySafeLine(team.name))}</h2>
      <ul class="members">
        {[...team.members].map(([name, about]) => {
          const task = conversation.tasks.value.find(
            (one) => one.description.includes(about) || one.description.includes(name),
          )
          return (
            <li key={name}>
              <span class={`dot ${task?.status === 'running' ? 'running' : 'done'}`} aria-hidden="true" />{' '}
              <strong>{toDisplaySafeLine(name)}</strong> <span class="quiet">{toDisplaySafeLine(about)}</span>
            </li>
          )
        })}
      </ul>
      <h2>{T.mailbox}</h2>
      {team.mail.length === 0 && <p class="quiet">{T.noMail}</p>}
      <ol class="mail">
        {team.mail.map((one) => (
          <li key={one.key}>
            <strong>
              {toDisplaySafeLine(one.from)} → {toDisplaySafeLine(one.to)}
            </strong>
            <p>{toDisplaySafeText(one.text)}</p>
          </li>
        ))}
      </ol>
      <h2>{T.teamTasks}</h2>
      <Todos todos={[...team.todos.values()]} />
    </div>
  )
}

function teamOf(items: readonly ViewItem[]): Team {
  const team: Team = { name: '', members: new Map(), mail: [], todos: new Map() }
  const calls: { item: ToolItem; who: string }[] = []
  const visit = (list: readonly ViewItem[], who: string) => {
    for (const item of list) {
      if (item.kind !== 'tool') continue
      calls.push({ item, who })
      visit(item.children, toStringOrEmpty(item.input['name']) || toStringOrEmpty(item.input['subagent_type']))
    }
  }
  visit(items, T.lead)
  // Members work beside each other: what one changes may have been made later than its own start.
  calls.sort((a, b) => a.item.seq - b.item.seq)
  for (const { item, who } of calls) note(team, item, who)
  return team
}

function note(team: Team, { name, input, result, key }: ToolItem, who: string): void {
  if (name === 'TeamCreate') team.name = toStringOrEmpty(input['team_name'])
  else if ((name === 'Task' || name === 'Agent') && toStringOrEmpty(input['name']) !== '')
    team.members.set(toStringOrEmpty(input['name']), toStringOrEmpty(input['description']))
  else if (name === 'SendMessage')
    team.mail.push({
      key,
      from: who,
      to: toStringOrEmpty(input['recipient']) || toStringOrEmpty(input['to']) || T.everybody,
      text: toStringOrEmpty(input['content']) || toStringOrEmpty(input['message']),
    })
  else if (name === 'TaskCreate') {
    const detail = result?.detail
    const task = typeof detail === 'object' && detail !== null && 'task' in detail ? detail.task : undefined
    const id = typeof task === 'object' && task !== null && 'id' in task ? String(task.id) : key
    team.todos.set(id, { content: toStringOrEmpty(input['subject']), status: 'pending' })
  } else if (name === 'TaskUpdate') {
    const id = toStringOrEmpty(input['taskId'])
    const before = team.todos.get(id)
    if (before) team.todos.set(id, { ...before, ...(input['status'] ? { status: input['status'] } : {}) })
  }
}
