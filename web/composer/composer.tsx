/** The composer: text, images, and files; sent at once, queued, or to steer the running turn. */
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Aside, useAside } from '../parts/aside.js'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { sendPrompt } from '../state/outbox.js'
import { usePageScope } from '../state/page-scope.js'
import type { Attachment, PromptTiming } from '../state/server-types.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { AttachedFiles, toAttachment, useDroppedFiles } from './attached-files.js'
import { type Completion, completionsFor } from './completions.js'
import { usePromptRecall } from './prompt-recall.js'

export function Composer({ id, conversation }: { id: string; conversation: SessionSignals }) {
  const scope = usePageScope()
  const text = useSignal(scope.drafts.read<string>(`draft:${id}`) ?? '')
  const files = useSignal<readonly Attachment[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const { status } = conversation.facts.value
  const isBusy = status === 'running' || status === 'needs-you'

  useGrowingField(field, text.value)
  const write = (value: string) => {
    text.value = value
    scope.drafts.write(`draft:${id}`, value === '' ? undefined : value)
  }
  const aside = useAside(id)
  const { offers, chosen, offer, take } = useOffers(id, conversation, field, write)
  const send = (when: PromptTiming) => {
    const content = text.value.trim()
    if (content === '' && files.value.length === 0) return
    if (files.value.length > 0 || !aside.run(content))
      sendPrompt(scope.client, id, { content, when, attachments: [...files.value] })
    write('')
    files.value = []
    offers.value = []
  }
  const attach = async (given: Iterable<File>) => {
    for (const file of given) {
      const attachment = await toAttachment(file)
      if (attachment) files.value = [...files.value, attachment]
      else scope.fail(new Error(T.cantAttach(toDisplaySafeLine(file.name))))
    }
  }
  const isDropTarget = useDroppedFiles(attach)
  const recall = usePromptRecall(conversation)
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const { length } = offers.value
    if (length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault()
      chosen.value = (chosen.value + (key === 'ArrowDown' ? 1 : length - 1)) % length
    } else if (length > 0 && (key === 'Tab' || (key === 'Enter' && !event.shiftKey))) {
      event.preventDefault()
      const one = offers.value[chosen.value]
      if (one) take(one)
    } else if (key === 'Escape' && length > 0) {
      event.preventDefault()
      offers.value = []
    } else if (key === 'ArrowUp' || key === 'ArrowDown') {
      const earlier = recall(text.value, key === 'ArrowUp')
      if (earlier === undefined) return
      event.preventDefault()
      write(earlier)
    }
    // On phones the key makes lines, and the button sends. What an input method takes is not ours.
    else if (key === 'Enter' && !event.shiftKey && !event.isComposing && !matchMedia('(pointer: coarse)').matches) {
      event.preventDefault()
      send(event.ctrlKey || event.metaKey ? (isBusy ? 'steer' : 'queue') : 'queue')
    }
  }
  const isEmpty = text.value.trim() === '' && files.value.length === 0
  return (
    <form
      class={isDropTarget ? 'composer drop-target' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault()
        send('queue')
      }}
    >
      <Aside content={aside.content} />
      <Offers offers={offers} chosen={chosen} take={take} />
      <AttachedFiles files={files} />
      <div class="line">
        <label class="button plain clip" title={T.attach}>
          <Icon name="clip" />
          <span class="unseen">{T.attach}</span>
          <input
            type="file"
            class="unseen"
            multiple
            onChange={({ currentTarget }) => {
              void attach(currentTarget.files ?? [])
              currentTarget.value = ''
            }}
          />
        </label>
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          aria-controls={offers.value.length > 0 ? 'offers' : undefined}
          aria-autocomplete="list"
          aria-activedescendant={offers.value.length > 0 ? `offer-${chosen.value}` : undefined}
          aria-label={T.prompt}
          placeholder={isBusy ? T.writeMore : T.writePrompt}
          value={text.value}
          onInput={({ currentTarget }) => {
            write(currentTarget.value)
            void offer()
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...(event.clipboardData?.files ?? [])]
            if (pasted.length === 0) return
            event.preventDefault()
            void attach(pasted)
          }}
        />
        <SendButtons
          isBusy={isBusy}
          isEmpty={isEmpty}
          onStop={() => void scope.client.interrupt(id).catch(scope.fail)}
          onSteer={() => send('steer')}
        />
      </div>
    </form>
  )
}

/** As high as its text, where the browser can't do that itself. */
function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const node = field.current
    if (!node || CSS.supports('field-sizing', 'content')) return
    node.style.height = 'auto'
    node.style.height = `${Math.min(node.scrollHeight, innerHeight * 0.4)}px`
  }, [text])
}

type SendButtonsProps = { isBusy: boolean; isEmpty: boolean; onStop(): void; onSteer(): void }

function SendButtons({ isBusy, isEmpty, onStop, onSteer }: SendButtonsProps) {
  return (
    <>
      {isBusy && (
        <button type="button" class="stop" title={T.stopTurn} onClick={onStop}>
          <Icon name="stop" /> {T.stop}
        </button>
      )}
      {isBusy && (
        <button type="button" disabled={isEmpty} title={T.steerHint} onClick={onSteer}>
          {T.steer}
        </button>
      )}
      <button type="submit" class="good" disabled={isEmpty} title={isBusy ? T.queueHint : T.send}>
        <Icon name="send" /> {isBusy ? T.queue : T.send}
      </button>
    </>
  )
}

type OffersProps = { offers: Signal<readonly Completion[]>; chosen: Signal<number>; take(one: Completion): void }

function Offers({ offers, chosen, take }: OffersProps) {
  if (offers.value.length === 0) return null
  return (
    <ul class="offers" id="offers" role="listbox" aria-label={T.completions}>
      {offers.value.map((one, at) => (
        <li
          key={one.text}
          id={`offer-${at}`}
          role="option"
          aria-selected={at === chosen.value}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault()
            take(one)
          }}
        >
          <span>{toDisplaySafeLine(one.text)}</span> <span class="quiet">{toDisplaySafeLine(one.about, 90)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Says what may be meant, and puts what was chosen into the field. */
function useOffers(
  id: string,
  conversation: SessionSignals,
  field: RefObject<HTMLTextAreaElement | null>,
  write: (text: string) => void,
) {
  const scope = usePageScope()
  const offers = useSignal<readonly Completion[]>([])
  const chosen = useSignal(0)
  const offer = async () => {
    const node = field.current
    if (!node) return
    const before = node.value.slice(0, node.selectionStart)
    const found = await completionsFor(scope, id, before, conversation.facts.peek().commands)
    if (field.current?.value.slice(0, field.current.selectionStart) !== before) return
    offers.value = found
    chosen.value = 0
  }
  const take = ({ text: replacement, length }: Completion) => {
    const node = field.current
    if (!node) return
    const at = node.selectionStart
    const before = `${node.value.slice(0, at - length)}${replacement} `
    write(before + node.value.slice(at))
    offers.value = []
    requestAnimationFrame(() => {
      node.focus()
      node.setSelectionRange(before.length, before.length)
    })
  }
  return { offers, chosen, offer, take }
}
