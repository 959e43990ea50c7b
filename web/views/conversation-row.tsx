/** One item of a conversation. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fixForInterface } from '../../src/protocol/shown/fix-words.js'
import type { NoticeItem, PromptItem, RequestItem, TextItem, TurnItem, ViewItem } from '../../src/view/view-items.js'
import { useExpanded } from '../parts/expanded.js'
import { clockTime, dollars, duration, tokens } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { lazyComponent } from '../parts/lazy.js'
import { MarkdownText } from '../parts/markdown-text.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { askLabel } from '../state/ask-title.js'
import { usePageScope } from '../state/page-scope.js'
import type { SessionSignals } from '../state/session-signals.js'
import { revisionSignalOfItem } from '../state/session-signals.js'
import { T } from '../texts.js'
import { ToolCard } from '../tools/tool-card.js'
import { answerText } from './answer-text.js'

const Images = lazyComponent(() => import('../tools/images.js').then((part) => part.Images))

type Props = { item: ViewItem; session: string; conversation: SessionSignals; isReplay: boolean; isMarked?: boolean }

export function ConversationRow({ item, session, conversation, isReplay, isMarked = false }: Props) {
  revisionSignalOfItem(item).value
  const inner = () => {
    switch (item.kind) {
      case 'prompt':
        return <PromptRow item={item} session={session} isReplay={isReplay} />
      case 'text':
        return <TextRow item={item} />
      case 'thinking':
        return <Thinking item={item} />
      case 'tool':
        return (
          <ToolCard
            item={item}
            session={session}
            conversation={conversation}
            isReplay={isReplay}
            ItemRow={ConversationRow}
          />
        )
      case 'request':
        return <AskRow item={item} isReplay={isReplay} />
      case 'notice':
        return <Notice item={item} />
      case 'turn':
        return <TurnEnd item={item} />
    }
  }
  return <div class={isMarked ? 'item marked' : 'item'}>{inner()}</div>
}

function PromptRow({ item, session, isReplay }: { item: PromptItem; session: string; isReplay: boolean }) {
  const scope = usePageScope()
  const { content, message, at, by } = item
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  const rewind = async () => {
    if (message === undefined) return
    const { rewindSession } = await import('./rewind-dialog.js')
    await rewindSession(scope, session, message)
  }
  return (
    <article class="prompt" aria-label={T.promptOf(toDisplaySafeLine(by?.name ?? ''))}>
      <div class="words" dir="auto">
        {toDisplaySafeText(text)}
      </div>
      <Images content={blocks} />
      <footer>
        <time dateTime={at}>{clockTime(at)}</time>
        <CopyButton text={text} />
        {message !== undefined && !isReplay && (
          <button type="button" class="plain" title={T.rewind} aria-label={T.rewind} onClick={() => void rewind()}>
            <Icon name="undo" />
          </button>
        )}
      </footer>
    </article>
  )
}

function TextRow({ item }: { item: TextItem }) {
  return (
    <article class="says" aria-label={T.agentSays} aria-busy={item.isLive}>
      <MarkdownText text={item.text} live={item.isLive} />
      {!item.isLive && (
        <footer>
          <CopyButton text={item.text} />
        </footer>
      )}
    </article>
  )
}

export function CopyButton({ text }: { text: string }) {
  const scope = usePageScope()
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => scope.toast(T.copied),
      () => scope.fail(new Error(T.cantCopy)),
    )
  return (
    <button type="button" class="plain" title={T.copyMarkdown} aria-label={T.copyMarkdown} onClick={() => void copy()}>
      <Icon name="copy" />
    </button>
  )
}

function Thinking({ item }: { item: TextItem }) {
  const [isOpen, turn] = useExpanded(item.key, false)
  if (item.text === '' && !item.isLive) return null
  return (
    <section class="thinking">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={turn}>
        <Icon name="chevron" /> {item.isLive ? T.thinking : T.thought}
      </button>
      {isOpen && <MarkdownText text={item.text} live={item.isLive} />}
    </section>
  )
}

function AskRow({ item, isReplay }: { item: RequestItem; isReplay: boolean }) {
  const { ask, closed } = item
  const name = ask.tool ? askLabel(ask) : toDisplaySafeLine(ask.elicitation?.serverName ?? ask.signIn?.server ?? '')
  // Its card is at the end of the conversation.
  if (!closed && !isReplay) return null
  if (!closed) return <p class="note waits">{T.waitsForAnswer(name, T.askKinds[ask.kind])}</p>
  if ('withdrawn' in closed)
    return (
      <p class="note">
        {T.withdrawn(name, T.askKinds[ask.kind])} <span class="quiet">{toDisplaySafeLine(closed.withdrawn)}</span>
      </p>
    )
  const isYes = !['deny', 'revise'].includes(closed.answer.kind)
  return (
    <p class={isYes ? 'note yes' : 'note no'}>
      {answerText(ask, closed.answer)} <span class="quiet">{T.by(toDisplaySafeLine(closed.by.name))}</span>
    </p>
  )
}

function Notice({ item }: { item: NoticeItem }) {
  const { level, about, text, detail, until, fix, raw } = item
  // The header and the panel beside the conversation show the state of the session and of its servers.
  if (about === 'session' || about === 'servers') return null
  return (
    <div class={`notice ${level}`} role={level === 'error' ? 'alert' : undefined}>
      <span>{toDisplaySafeText(text)}</span>
      {until !== undefined && <Countdown until={until} />}
      {detail && <span class="detail">{toDisplaySafeLine(detail, 500)}</span>}
      {fix && <span class="detail">{toDisplaySafeText(fixForInterface(fix, 'app'))}</span>}
      {raw && (
        <details>
          <summary>{T.rawAnswer}</summary>
          <pre class="plain-text" tabIndex={0}>
            {toDisplaySafeText(raw)}
          </pre>
        </details>
      )}
    </div>
  )
}

function Countdown({ until }: { until: number }) {
  const left = useSignal(secondsTo(until))
  useEffect(() => {
    if (left.peek() === 0) return
    const timer = setInterval(() => {
      left.value = secondsTo(until)
      if (left.value === 0) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [until])
  return left.value > 0 ? <span class="countdown">{T.againIn(left.value)}</span> : null
}

function secondsTo(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

function TurnEnd({ item }: { item: TurnItem }) {
  const { result, outcome, problem, answer, costUsd, waitedMs } = item
  const { usage } = result
  const used = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens
  const structured = 'structured_output' in result ? result.structured_output : undefined
  return (
    <div class="turn">
      {outcome === 'stopped' ? <p class="notice warning">{T.stopped}</p> : null}
      {problem !== undefined && (
        <p class="notice error">
          {toDisplaySafeText(problem)}{' '}
          {result.error_fix && (
            <span class="detail">{toDisplaySafeText(fixForInterface(result.error_fix, 'app'))}</span>
          )}
        </p>
      )}
      {answer !== undefined && <MarkdownText text={answer} live={false} />}
      {structured !== undefined && <Structured value={structured} />}
      <p class="turn-facts">
        {duration(Math.max(0, result.duration_ms - waitedMs))} ·{' '}
        {T.tokensInOut(tokens(used), tokens(usage.output_tokens))} · {dollars(costUsd)}
      </p>
    </div>
  )
}

const Structured = lazyComponent(() => import('../tools/structured.js').then((part) => part.StructuredDataView))
