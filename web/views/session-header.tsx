/** Title, state, cost and context of a session; its mode, model and effort; what can be done with all of it. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { messageOf } from '../../src/protocol/thrown.js'
import { askForConfirmation, askForText } from '../parts/dialogs.js'
import { dollars, tokens } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import {
  isCluster,
  readStatusWithFailure,
  removeSessionFromList,
  replaceSessionInList,
  sessions,
} from '../state/all-sessions.js'
import { appScope } from '../state/app-scope.js'
import { toast } from '../state/notifications.js'
import { go, toSessionLink } from '../state/route.js'
import { downloadExport, serverClient } from '../state/server.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { StatusDot, shownFolder } from './session-list.js'
import { closePanel, isPanelOpen, openPanel } from './session-view-state.js'

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'delegate', 'bypassPermissions']
const EFFORTS = ['low', 'medium', 'high', 'max']

export function SessionHeader({ id, conversation }: { id: string; conversation: SessionSignals }) {
  const { value: facts } = conversation.facts
  const info = sessions.value.get(id)
  const title = toDisplaySafeLine(info?.title ?? facts.title ?? T.untitled, 120)
  const { mode = 'default', model = '', effort = '', costUsd, cwd } = facts
  const { status: current, hasFailed } = facts
  const status = readStatusWithFailure({ status: current, ...(hasFailed && { lastTurn: 'failed' }) })
  const change = (fields: Record<string, unknown>) =>
    serverClient.change(id, fields).then(replaceSessionInList, (error) => toast(messageOf(error), { isError: true }))
  return (
    <header class="session-header">
      <a class="button plain only-phone" href="#/" aria-label={T.allSessions}>
        <Icon name="back" />
      </a>
      <div class="grow names">
        <h1>{title}</h1>
        <p class="facts">
          <StatusDot status={status} /> <span>{T.statuses[status]}</span>
          <span class="folder" title={toDisplaySafeLine(cwd)}>
            {' '}
            · {shownFolder(cwd)}
          </span>
          <span class="cost"> · {dollars(costUsd)}</span>
          <Meter used={facts.contextUsed} most={facts.contextWindow} />
        </p>
      </div>
      <div class="settings">
        <Choice
          label={T.mode}
          value={mode}
          choices={MODES}
          names={T.modes}
          onChoice={(value) => change({ mode: value })}
        />
        <ModelChoice id={id} value={model} onChoice={(value) => change({ model: value })} />
        <Choice
          label={T.effort}
          value={effort}
          choices={effort === '' ? ['', ...EFFORTS] : EFFORTS}
          names={T.efforts}
          onChoice={(value) => change({ effort: value })}
        />
      </div>
      <button
        type="button"
        class="plain"
        aria-label={T.details}
        aria-expanded={isPanelOpen.value}
        title={T.details}
        onClick={() => (isPanelOpen.value ? closePanel(id) : openPanel(id))}
      >
        <Icon name="panel" />
      </button>
      <Menu id={id} title={title} archived={info?.archived ?? false} change={change} />
    </header>
  )
}

function Meter({ used, most }: { used: number; most: number }) {
  if (used === 0 || most === 0) return null
  const percent = Math.min(100, Math.round((100 * used) / most))
  return (
    <span class="meter" title={T.contextUsed(tokens(used), tokens(most))}>
      <span class="unseen">{T.contextUsed(tokens(used), tokens(most))}</span>
      <span class={percent > 80 ? 'bar full' : 'bar'} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden="true">{percent}%</span>
    </span>
  )
}

type ChoiceProps = {
  label: string
  value: string
  choices: readonly string[]
  names: Record<string, string>
  onChoice(value: string): void
}

function Choice({ label, value, choices, names, onChoice }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={({ currentTarget }) => onChoice(currentTarget.value)}
    >
      {[...new Set([...choices, value])].map((one) => (
        <option key={one} value={one} disabled={one === ''}>
          {names[one] ?? toDisplaySafeLine(one)}
        </option>
      ))}
    </select>
  )
}

/** Requests the models only when the user is about to choose, because an agent must be started for it. */
function ModelChoice({ id, value, onChoice }: { id: string; value: string; onChoice(value: string): void }) {
  const known = useSignal<readonly string[]>([])
  const load = () => {
    if (known.value.length > 0 || isCluster.value) return
    serverClient.models(id).then(
      (models) => {
        known.value = models.map((model) => model.value)
      },
      () => {},
    )
  }
  return (
    <span class="choice" onPointerEnter={load} onFocusIn={load}>
      <Choice label={T.model} value={value} choices={known.value} names={{ '': T.model }} onChoice={onChoice} />
    </span>
  )
}

type MenuProps = {
  id: string
  title: string
  archived: boolean
  change(fields: Record<string, unknown>): Promise<void>
}

function Menu({ id, title, archived, change }: MenuProps) {
  const isOpen = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const leave = (event: Event) => {
      if (!(event.target instanceof Node) || !root.current?.contains(event.target)) isOpen.value = false
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])
  const act = (work: () => Promise<unknown> | unknown) => async () => {
    isOpen.value = false
    try {
      await work()
    } catch (error) {
      toast(messageOf(error), { isError: true })
    }
  }
  const rename = async () => {
    const name = await askForText(appScope, { title: T.rename, label: T.newTitle, value: title })
    if (name !== undefined && name.trim() !== '') await change({ title: name.trim() })
  }
  const fork = async () => {
    const copy = await serverClient.fork(id)
    replaceSessionInList(copy)
    go(toSessionLink(copy.id).slice(1))
  }
  const remove = async () => {
    if (!(await askForConfirmation(appScope, T.delete, T.deleteSure(title)))) return
    await serverClient.delete(id)
    removeSessionFromList(id)
    go('/')
  }
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') isOpen.value = false
      }}
    >
      <button
        type="button"
        class="plain"
        aria-label={T.more}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="more" />
      </button>
      {isOpen.value && (
        <ul>
          <li>
            <button type="button" onClick={act(rename)}>
              {T.rename}
            </button>
          </li>
          <li>
            <button type="button" onClick={act(fork)}>
              {T.fork}
            </button>
          </li>
          <li>
            <a href={toSessionLink(id, '/replay')}>{T.replay}</a>
          </li>
          <li>
            <button type="button" onClick={act(() => downloadExport(id))}>
              {T.export}
            </button>
          </li>
          <li>
            <button type="button" onClick={act(() => copyConversation(id))}>
              {T.copyMarkdown}
            </button>
          </li>
          <li>
            <button type="button" onClick={act(() => serverClient.close(id))}>
              {T.close}
            </button>
          </li>
          <li>
            <button type="button" onClick={act(() => change({ archived: !archived }))}>
              {archived ? T.unarchive : T.archive}
            </button>
          </li>
          <li>
            <button type="button" class="bad" onClick={act(remove)}>
              {T.delete}
            </button>
          </li>
        </ul>
      )}
    </div>
  )
}

async function copyConversation(id: string): Promise<void> {
  const { copyConversationAsMarkdown } = await import('./copy-markdown.js')
  await copyConversationAsMarkdown(id)
  toast(T.copied)
}
