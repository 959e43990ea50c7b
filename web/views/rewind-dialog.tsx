/** Going back to a message: first what would be undone, then, if that is wanted, doing it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NOTICE_TEXTS } from '../../src/protocol/shown/vocabulary.js'
import { messageOf } from '../../src/protocol/thrown.js'
import { openDialogForAnswer } from '../parts/dialogs.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { isCluster } from '../state/all-sessions.js'
import { server } from '../state/server.js'
import type { RewindChanges } from '../state/server-types.js'
import { toast } from '../state/toasts.js'
import { T } from '../texts.js'

const WHAT = ['both', 'conversation', 'files'] as const
type What = (typeof WHAT)[number]

export async function rewindSession(session: string, message: string): Promise<void> {
  const what = await openDialogForAnswer<What | undefined>(T.rewind, undefined, (done) => (
    <Choice session={session} message={message} done={done} />
  ))
  if (what === undefined) return
  await server.rewind(session, { message, what }).then(
    () => toast(NOTICE_TEXTS.rewound),
    (error) => toast(messageOf(error), { isError: true }),
  )
}

function Choice({ session, message, done }: { session: string; message: string; done(what: What | undefined): void }) {
  // Checkpoints of files stay on one machine.
  const kinds: readonly What[] = isCluster.value ? ['conversation'] : WHAT
  const what = useSignal<What>(kinds[0] ?? 'both')
  const undone = useSignal<RewindChanges | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    let isOver = false
    undone.value = undefined
    problem.value = ''
    server.rewind(session, { message, what: what.value, dryRun: true }).then(
      (found) => {
        if (!isOver) undone.value = found
      },
      (error) => {
        if (!isOver) problem.value = messageOf(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [what.value])
  return (
    <form
      class="rewind"
      onSubmit={(event) => {
        event.preventDefault()
        done(what.value)
      }}
    >
      <fieldset>
        <legend>{T.rewindWhat}</legend>
        {kinds.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="what"
              checked={what.value === one}
              onChange={() => {
                what.value = one
              }}
            />{' '}
            {T.rewindKinds[one]}
          </label>
        ))}
      </fieldset>
      <div class="preview" aria-live="polite">
        {problem.value !== '' && <p class="bad">{problem.value}</p>}
        {undone.value && (
          <>
            <p>
              {T.wouldUndo(
                undone.value.messages,
                undone.value.files.length,
                undone.value.insertions,
                undone.value.deletions,
              )}
            </p>
            <ul>
              {undone.value.files.map((file) => (
                <li key={file}>
                  <code>{toDisplaySafeLine(file, 300)}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        {!undone.value && problem.value === '' && <p class="quiet">{T.loading}</p>}
      </div>
      <div class="buttons">
        <button type="submit" class="bad" disabled={!undone.value}>
          {T.rewind}
        </button>
        <button type="button" onClick={() => done(undefined)}>
          {T.cancel}
        </button>
      </div>
    </form>
  )
}
