/** A sign-in to an MCP server: first whether to begin, then the page to visit and a place to paste where it ended. */
import { useSignal } from '@preact/signals'
import { safeAddress, toDisplaySafeLine } from '../safe/clean-text.js'
import { T } from '../texts.js'
import type { CardProps } from './card-props.js'

export function SignInCard(props: CardProps) {
  const { step, problem } = props.ask.signIn ?? {}
  return (
    <>
      {problem !== undefined && (
        <p class="note no" role="alert">
          {T.serverSignIn.failed(toDisplaySafeLine(problem, 500))}
        </p>
      )}
      {step === 'visit' ? <SignInVisit {...props} /> : <SignInOffer {...props} />}
    </>
  )
}

function SignInOffer({ ask, guard }: CardProps) {
  const isOff = !guard.isReady.value || guard.isSending.value
  const start = (method: 'browser' | 'device') => () => guard.answer({ kind: 'sign-in', action: 'start', method })
  return (
    <>
      <p>{T.serverSignIn.offer(toDisplaySafeLine(ask.signIn?.url ?? '', 300))}</p>
      <div class="buttons">
        <button type="button" class="good" data-first aria-disabled={isOff} onClick={start('browser')}>
          {T.serverSignIn.start}
        </button>
        <button type="button" aria-disabled={isOff} onClick={start('device')}>
          {T.serverSignIn.startWithCode}
        </button>
        <Cancel label={T.serverSignIn.notNow} guard={guard} />
      </div>
    </>
  )
}

function SignInVisit({ ask, guard }: CardProps) {
  const { address = '', code, canPaste } = ask.signIn ?? {}
  const pasted = useSignal('')
  const url = safeAddress(address)
  const isOff = !guard.isReady.value || guard.isSending.value || pasted.value.trim() === ''
  const submit = (event: Event) => {
    event.preventDefault()
    if (pasted.value.trim() !== '') guard.answer({ kind: 'sign-in', action: 'finish', callback: pasted.value.trim() })
  }
  return (
    <form onSubmit={submit}>
      <p>{T.serverSignIn.visit}</p>
      {url && (
        <p>
          <strong>{toDisplaySafeLine(url.host)}</strong>{' '}
          <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" data-first>
            {T.serverSignIn.openPage}
          </a>
        </p>
      )}
      {code !== undefined && <p>{T.serverSignIn.code(toDisplaySafeLine(code, 40))}</p>}
      {canPaste && (
        <label>
          <span>{T.serverSignIn.pasteHint}</span>
          <input
            type="url"
            autocomplete="off"
            placeholder={T.serverSignIn.pasteExample}
            value={pasted.value}
            onInput={({ currentTarget }) => {
              pasted.value = currentTarget.value
            }}
          />
        </label>
      )}
      <div class="buttons">
        {canPaste && (
          <button type="submit" class="good" aria-disabled={isOff}>
            {T.serverSignIn.finish}
          </button>
        )}
        <Cancel label={T.serverSignIn.cancel} guard={guard} />
      </div>
    </form>
  )
}

function Cancel({ label, guard }: Pick<CardProps, 'guard'> & { label: string }) {
  const isOff = !guard.isReady.value || guard.isSending.value
  return (
    <button type="button" aria-disabled={isOff} onClick={() => guard.answer({ kind: 'sign-in', action: 'cancel' })}>
      {label}
    </button>
  )
}
