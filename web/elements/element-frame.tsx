/** What every element has around its content: short messages, seen and read out. */
import type { ComponentChildren } from 'preact'
import { ToastSection } from '../parts/toast-section.js'
import type { Toasts } from '../state/toast-list.js'

export function ElementFrame({ toasts, children }: { toasts: Toasts; children?: ComponentChildren }) {
  return (
    <>
      {children}
      <ToastSection list={toasts} />
    </>
  )
}
