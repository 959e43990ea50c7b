/** Short messages at the edge of an interface: shown for a while, and read out by screen readers. */
import { type Signal, signal } from '@preact/signals'

export type Toast = { id: number; text: string; href?: string; isError?: boolean }

export type Toasts = {
  toasts: Signal<readonly Toast[]>
  /** What a screen reader says next. */
  announcement: Signal<string>
  toast(text: string, more?: { href?: string; isError?: boolean }): void
  dismiss(id: number): void
}

const TOAST_MS = 8000
/** One that leads somewhere: there has to be time to go there. */
const LINK_MS = 60_000

export function createToasts(): Toasts {
  const toasts = signal<readonly Toast[]>([])
  const announcement = signal('')
  let shown = 0
  const dismiss = (id: number) => {
    toasts.value = toasts.value.filter((one) => one.id !== id)
  }
  return {
    toasts,
    announcement,
    toast(text, more = {}) {
      shown += 1
      const one = { id: shown, text, ...more }
      toasts.value = [...toasts.value.slice(-2), one]
      announcement.value = text
      setTimeout(() => dismiss(one.id), more.href === undefined ? TOAST_MS : LINK_MS)
    },
    dismiss,
  }
}
