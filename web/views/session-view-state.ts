/** Whether the panel beside the conversation is open: for as long as the page is. */
import { signal } from '@preact/signals'

export const isPanelOpen = signal(false)
