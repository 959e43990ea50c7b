/** May this run? What would happen, why it is asked, and every answer there is. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { suggestionCoverage } from '../../src/protocol/shown/vocabulary.js'
import { shortPath } from '../../src/tools/tool-display.js'
import { LongText } from '../parts/long-text.js'
import { MarkdownText } from '../parts/markdown-text.js'
import { exactDisplayLine, safeAddress, toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { usePageScope } from '../state/page-scope.js'
import type { Ask, AskPreview } from '../state/server-types.js'
import { T } from '../texts.js'
import { DiffView } from '../tools/diff-view.js'
import { StructuredDataView } from '../tools/structured.js'
import { useCardKeys } from './answering.js'
import { canEditToolInput, listOfferedRuleSuggestions } from './caller-permissions.js'
import type { CardProps } from './card-props.js'
import { ToolInputEditForm } from './tool-input-edit-form.js'

export function PermissionCard({ ask, guard, isActive }: CardProps) {
  const me = usePageScope().me.value
  const view = useSignal<'ask' | 'edit' | 'deny'>('ask')
  const message = useSignal('')
  const chosen = useSignal(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const suggestion = listOfferedRuleSuggestions(ask, me)[chosen.value]
  const allow = () => guard.answer({ kind: 'allow' })
  const always = () => suggestion && guard.answer({ kind: 'allow', updates: [suggestion.update] })
  const deny = () => {
    const words = message.value.trim()
    guard.answer({ kind: 'deny', ...(words === '' ? {} : { message: words }) })
  }
  const edit = () => {
    if (guard.isReady.peek() && canEditToolInput(me)) view.value = 'edit'
  }
  useCardKeys(isActive && view.value === 'ask', { y: allow, a: () => void always(), n: deny, e: edit })
  useEffect(() => {
    if (view.value === 'deny') field.current?.focus()
  }, [view.value])
  const back = () => {
    view.value = 'ask'
    requestAnimationFrame(() => first.current?.focus())
  }
  const isOff = !guard.isReady.value || guard.isSending.value
  if (view.value === 'edit')
    return (
      <ToolInputEditForm
        input={ask.tool?.input ?? {}}
        onCancel={back}
        onDone={(input) => guard.answer({ kind: 'allow', input })}
      />
    )
  return (
    <>
      <Preview ask={ask} />
      <Why ask={ask} />
      <Rules ask={ask} chosen={chosen} />
      {view.value === 'deny' ? (
        <form
          class="deny-form"
          onSubmit={(event) => {
            event.preventDefault()
            deny()
          }}
        >
          <label>
            {T.denyWhy}
            <textarea
              ref={field}
              rows={2}
              value={message.value}
              onInput={({ currentTarget }) => {
                message.value = currentTarget.value
              }}
            />
          </label>
          <div class="buttons">
            <button type="submit" class="bad" aria-disabled={isOff}>
              {T.denySend}
            </button>
            <button type="button" onClick={back}>
              {T.cancel}
            </button>
          </div>
        </form>
      ) : (
        <div class="buttons" aria-busy={guard.isSending.value}>
          <button
            type="button"
            class="good"
            data-first
            ref={first}
            aria-disabled={isOff}
            aria-keyshortcuts="y"
            onClick={allow}
          >
            {T.allowOnce} <kbd>y</kbd>
          </button>
          {suggestion && (
            <button
              type="button"
              aria-disabled={isOff}
              aria-keyshortcuts="a"
              title={T.alwaysTitle(exactDisplayLine(suggestion.rule), T.scopes[suggestion.scope])}
              onClick={always}
            >
              {T.alwaysAllow} <kbd>a</kbd>
            </button>
          )}
          {canEditToolInput(me) && (
            <button type="button" aria-disabled={isOff} aria-keyshortcuts="e" onClick={edit}>
              {T.editFirst} <kbd>e</kbd>
            </button>
          )}
          <span class="grow" />
          <button type="button" class="bad" aria-disabled={isOff} aria-keyshortcuts="n" onClick={deny}>
            {T.deny} <kbd>n</kbd>
          </button>
          <button
            type="button"
            aria-disabled={isOff}
            onClick={() => {
              if (guard.isReady.peek()) view.value = 'deny'
            }}
          >
            {T.denyWith}
          </button>
        </div>
      )}
    </>
  )
}

/** The exact rules that would be added, with how far they go. */
function Rules({ ask, chosen }: { ask: Ask; chosen: Signal<number> }) {
  const offered = listOfferedRuleSuggestions(ask, usePageScope().me.value)
  if (offered.length === 0) return null
  return (
    <fieldset class="rules">
      <legend>{T.alwaysWouldAdd}</legend>
      {offered.map(({ rule, scope, update }, at) => (
        <label key={at}>
          {offered.length > 1 && (
            <input
              type="radio"
              name={`rule-${ask.id}`}
              checked={at === chosen.value}
              onChange={() => {
                chosen.value = at
              }}
            />
          )}
          <code>{exactDisplayLine(rule, 500)}</code> <span class="quiet">{T.scopes[scope]}</span>
          <Coverage of={suggestionCoverage(update)} />
        </label>
      ))}
    </fieldset>
  )
}

/** What the name of a rule doesn't say. */
function Coverage({ of }: { of: string | undefined }) {
  return of === undefined ? null : <span class="quiet covers">{T.allows(of)}</span>
}

/** Fields of the input that a preview shows already; all others are shown beside it. */
const SHOWN: Record<string, readonly string[]> = {
  diff: ['file_path', 'old_string', 'new_string', 'content', 'edits', 'notebook_path', 'new_source'],
  command: ['command'],
  address: ['url'],
  document: ['plan'],
  none: [],
}

function Preview({ ask }: { ask: Ask }) {
  const session = usePageScope().sessionOf(ask.session)
  const { preview, tool } = ask
  const covered = preview ? (SHOWN[preview.type] ?? []) : []
  const rest = Object.fromEntries(Object.entries(tool?.input ?? {}).filter(([name]) => !covered.includes(name)))
  return (
    <>
      {preview && <Shown preview={preview} cwd={session?.cwd ?? ''} />}
      {Object.keys(rest).length > 0 && <StructuredDataView value={rest} />}
    </>
  )
}

function Shown({ preview, cwd }: { preview: AskPreview; cwd: string }) {
  switch (preview.type) {
    case 'diff':
      return (
        <div class="preview">
          <p class="path">
            <code title={exactDisplayLine(preview.path, 1000)}>
              {exactDisplayLine(shortPath(preview.path, cwd), 500)}
            </code>
            <span class="count">
              +{preview.added} −{preview.removed}
            </span>
            {preview.oldText === null && <span class="tag">{T.newFile}</span>}
            {preview.cut && <span class="tag warn">{T.cut}</span>}
          </p>
          <DiffView path={preview.path} before={preview.oldText ?? ''} after={preview.newText} />
        </div>
      )
    case 'command':
      return (
        <div class="preview command">
          <pre tabIndex={0} role="group" aria-label={T.command}>
            <LongText text={preview.command} />
          </pre>
          {preview.parts.length > 1 && (
            <ol class="parts" aria-label={T.parts}>
              {preview.parts.map((part, at) => (
                <li key={at} class={part.behavior}>
                  <code>
                    <LongText text={part.command} />
                  </code>{' '}
                  <span class="tag">{T.behaviors[part.behavior]}</span>{' '}
                  <span class="quiet">{toDisplaySafeLine(part.reason)}</span>
                </li>
              ))}
            </ol>
          )}
        </div>
      )
    case 'address': {
      const url = safeAddress(preview.url)
      return (
        <p class="preview address">
          <strong>{exactDisplayLine(preview.host)}</strong>{' '}
          {url ? (
            <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
              {exactDisplayLine(url.href, 1000)}
            </a>
          ) : (
            <code>{exactDisplayLine(preview.url, 1000)}</code>
          )}
        </p>
      )
    }
    case 'document':
      return <MarkdownText text={preview.text} />
    case 'none':
      return <p class="quiet">{T.noPreview(toDisplaySafeLine(preview.reason))}</p>
  }
}

function Why({ ask: { why } }: { ask: Ask }) {
  return (
    <p class="why">
      <span class="tag">{T.whyAsked}</span> {toDisplaySafeText(why.text)}
      {why.rule !== undefined && (
        <>
          {' '}
          <code>{exactDisplayLine(why.rule)}</code>
        </>
      )}
      {why.source !== undefined && <span class="quiet"> ({toDisplaySafeLine(why.source)})</span>}
    </p>
  )
}
