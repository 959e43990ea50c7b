/** Short messages, seen and read out. */
import type { Toasts } from '../state/toast-list.js'
import { T } from '../texts.js'
import { Icon } from './icons.js'

type Props = { list: Pick<Toasts, 'toasts' | 'announcement' | 'dismiss'> }

/** Live regions are there from the start: one that comes with its text is not read out. */
export function ToastSection({ list: { toasts, announcement, dismiss } }: Props) {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {announcement.value}
      </div>
      {toasts.value.length > 0 && (
        <section class="toasts" aria-label={T.notices}>
          {toasts.value.map(({ id, text, href, isError }) => (
            <div class={isError ? 'toast bad' : 'toast'} key={id}>
              {href === undefined ? (
                <span>{text}</span>
              ) : (
                <a href={href} onClick={() => dismiss(id)}>
                  {text}
                </a>
              )}
              <button type="button" class="plain" aria-label={T.dismiss} onClick={() => dismiss(id)}>
                <Icon name="close" />
              </button>
            </div>
          ))}
        </section>
      )}
    </>
  )
}
