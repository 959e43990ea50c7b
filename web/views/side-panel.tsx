/** Beside the conversation: tasks, changed files, context, team, and what MCP servers and hooks do. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../../src/protocol/thrown.js'
import { shortPath } from '../../src/tools/tool-display.js'
import type { ViewTask } from '../../src/view/view-items.js'
import { dollars, tokens } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { isCluster } from '../state/all-sessions.js'
import { toast } from '../state/notifications.js'
import { serverClient } from '../state/server.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { PatchView } from '../tools/diff-view.js'
import { CommandOutputView } from '../tools/terminal.js'
import { closePanel } from './session-view-state.js'
import { TeamView } from './team-view.js'

type Props = { id: string; conversation: SessionSignals }
const TABS = ['tasks', 'changes', 'context', 'team', 'activity'] as const

export function SidePanel(props: Props) {
  const tab = useSignal<(typeof TABS)[number]>('tasks')
  const View = { tasks: Tasks, changes: Changes, context: Context, team: TeamView, activity: ActivityView }[tab.value]
  return (
    <aside class="panel" aria-label={T.details}>
      <div class="tabs">
        <div role="tablist" aria-label={T.details}>
          {TABS.map((one) => (
            <button
              type="button"
              key={one}
              role="tab"
              id={`tab-${one}`}
              aria-selected={tab.value === one}
              aria-controls="panel-body"
              onClick={() => {
                tab.value = one
              }}
            >
              {T.tabs[one]}
            </button>
          ))}
        </div>
        <button type="button" class="plain" aria-label={T.closeDetails} onClick={() => closePanel(props.id)}>
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-body" id="panel-body" role="tabpanel" aria-labelledby={`tab-${tab.value}`} tabIndex={0}>
        <View {...props} />
      </div>
    </aside>
  )
}

function Tasks({ id, conversation }: Props) {
  const tasks = conversation.tasks.value.toReversed()
  if (tasks.length === 0) return <p class="quiet">{T.noTasks}</p>
  return (
    <ul class="tasks">
      {tasks.map((task) => (
        <li key={task.id}>
          <TaskRow id={id} task={task} />
        </li>
      ))}
    </ul>
  )
}

const TAIL_MS = 2000

function TaskRow({ id, task }: { id: string; task: ViewTask }) {
  const tail = useSignal<string | undefined>(undefined)
  const isOpen = useSignal(false)
  const isRunning = task.status === 'running' || task.status === 'pending'
  useEffect(() => {
    if (!isOpen.value) return
    const load = () =>
      serverClient.taskOutput(id, task.id).then(
        (text) => {
          tail.value = text
        },
        () => {
          tail.value ??= ''
        },
      )
    void load()
    const timer = isRunning ? setInterval(load, TAIL_MS) : undefined
    return () => clearInterval(timer)
  }, [isOpen.value, isRunning])
  const stop = () =>
    serverClient.interrupt(id, { task: task.id }).catch((error) => toast(messageOf(error), { isError: true }))
  return (
    <>
      <div class="task">
        <span
          class={isRunning ? 'dot running' : `dot ${task.status === 'completed' ? 'done' : 'error'}`}
          aria-hidden="true"
        />
        <span class="grow">
          {toDisplaySafeLine(task.description, 200)}
          <span class="facts">
            {T.taskStates[task.status] ?? toDisplaySafeLine(task.status)}
            {task.tokens > 0 && ` · ${T.someTokens(tokens(task.tokens))}`}
            {task.lastTool !== undefined && ` · ${toDisplaySafeLine(task.lastTool)}`}
          </span>
        </span>
        {!isCluster.value && (
          <button
            type="button"
            class="small"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {T.output}
          </button>
        )}
        {isRunning && (
          <button type="button" class="small bad" onClick={() => void stop()}>
            {T.stop}
          </button>
        )}
      </div>
      {task.summary !== undefined && <p class="quiet">{toDisplaySafeText(task.summary)}</p>}
      {isOpen.value && tail.value !== undefined && (
        <CommandOutputView
          command={task.description}
          output={tail.value || T.nothingPrinted}
          isRunning={isRunning}
          isError={false}
        />
      )}
    </>
  )
}

type Change = { seq: number; path: string; isNew: boolean; hunks: Record<string, unknown>[] }

function Changes({ id, conversation }: Props) {
  const changes = useSignal<readonly Change[] | undefined>(undefined)
  const { cwd } = conversation.facts.value
  useEffect(() => {
    serverClient.changes(id).then(
      (found) => {
        changes.value = found
      },
      () => {
        changes.value = []
      },
    )
  }, [id, conversation.rev.value])
  if (!changes.value) return <p class="quiet">{T.loading}</p>
  if (changes.value.length === 0) return <p class="quiet">{T.noChanges}</p>
  return (
    <ul class="changes">
      {changes.value.map((change) => (
        <li key={change.seq}>
          <details>
            <summary>
              <code>{toDisplaySafeLine(shortPath(change.path, cwd))}</code>{' '}
              {change.isNew && <span class="tag">{T.newFile}</span>}
            </summary>
            {change.hunks.length > 0 && <PatchView path={change.path} hunks={change.hunks} />}
          </details>
        </li>
      ))}
    </ul>
  )
}

type Usage = { categories?: { name: string; tokens: number }[]; totalTokens?: number; maxTokens?: number }

function Context({ id, conversation }: Props) {
  const usage = useSignal<Usage | undefined>(undefined)
  const problem = useSignal('')
  const load = () =>
    serverClient.context(id).then(
      (found) => {
        usage.value = found
      },
      (error) => {
        problem.value = messageOf(error)
      },
    )
  useEffect(() => {
    if (!isCluster.value) void load()
  }, [id])
  const { costUsd, cacheHitRate, contextUsed, contextWindow } = conversation.facts.value
  const agents = conversation.tasks.value.filter(({ tokens: used }) => used > 0)
  const known = isCluster.value ? { totalTokens: contextUsed, maxTokens: contextWindow } : {}
  const { categories = [], totalTokens = 0, maxTokens = 0 }: Usage = usage.value ?? known
  return (
    <>
      <p>
        {T.sessionCost(dollars(costUsd))}
        {cacheHitRate !== undefined && ` ${T.fromCache((cacheHitRate * 100).toFixed(1))}`}
      </p>
      {problem.value !== '' && <p class="quiet">{problem.value}</p>}
      {(usage.value || totalTokens > 0) && <p>{T.contextUsed(tokens(totalTokens), tokens(maxTokens))}</p>}
      <table class="usage">
        <tbody>
          {categories.map(({ name, tokens: used }) => (
            <tr key={name}>
              <th scope="row">{toDisplaySafeLine(name)}</th>
              <td>{tokens(used)}</td>
            </tr>
          ))}
          {agents.map((task) => (
            <tr key={task.id}>
              <th scope="row">{T.agent(toDisplaySafeLine(task.description, 60))}</th>
              <td>{tokens(task.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type McpServer = { name: string; status: string; error?: string }

function ActivityView({ id, conversation }: Props) {
  const seen = conversation.activity.value.toReversed()
  return (
    <>
      {!isCluster.value && <McpServers id={id} />}
      <h2>{T.hooks}</h2>
      {seen.length === 0 && <p class="quiet">{T.noActivity}</p>}
      <ul class="tasks">
        {seen.map((one, at) => (
          <li key={at} class={one.isError ? 'bad' : ''}>
            <strong>{toDisplaySafeLine(one.name)}</strong> <span class="quiet">{toDisplaySafeLine(one.text, 300)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function McpServers({ id }: { id: string }) {
  const servers = useSignal<readonly McpServer[]>([])
  const load = () =>
    serverClient.mcpServers(id).then(
      (found) => {
        servers.value = found
      },
      () => {},
    )
  useEffect(() => void load(), [id])
  const again = (name: string) =>
    serverClient.reconnectMcpServer(id, name).then(load, (error) => toast(messageOf(error), { isError: true }))
  return (
    <>
      <h2>{T.mcpServers}</h2>
      {servers.value.length === 0 && <p class="quiet">{T.noServers}</p>}
      <ul class="tasks">
        {servers.value.map(({ name, status, error }) => (
          <li key={name} class="task">
            <span class={`dot ${status === 'connected' ? 'done' : 'error'}`} aria-hidden="true" />
            <span class="grow">
              {toDisplaySafeLine(name)}{' '}
              <span class="facts">
                {toDisplaySafeLine(status)} {error !== undefined && toDisplaySafeLine(error)}
              </span>
            </span>
            {status !== 'connected' && (
              <button type="button" class="small" onClick={() => void again(name)}>
                {T.reconnect}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
