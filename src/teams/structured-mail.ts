/** What members of a team write to each other beside plain words: JSON in the text of a message, in the observed shapes. */
import { escapeOwnTags } from '../protocol/shown/own-tags.js'
import { LEAD_NAME } from './team-names.js'

export type StructuredMail =
  | {
      type: 'idle_notification'
      from: string
      timestamp: string
      idleReason: IdleReason
      summary?: string
      failureReason?: string
    }
  | {
      type: 'task_assignment'
      taskId: string
      subject: string
      description: string
      assignedBy: string
      timestamp: string
    }
  | { type: 'shutdown_request'; requestId: string; from: string; reason?: string; timestamp: string }
  | {
      type: 'shutdown_approved'
      requestId: string
      from: string
      timestamp: string
      paneId: 'in-process'
      backendType: 'in-process'
    }
  | { type: 'shutdown_rejected'; requestId: string; from: string; reason: string; timestamp: string }
  | {
      type: 'plan_approval_request'
      from: string
      timestamp: string
      planFilePath: string
      planContent: string
      requestId: string
    }
  | {
      type: 'plan_approval_response'
      requestId: string
      approved: boolean
      feedback?: string
      timestamp: string
      permissionMode?: string
    }
  /** Ours: what became of a member that is no longer there. */
  | { type: 'teammate_terminated'; from: string; timestamp: string; status: string; reason?: string }

/** `available`: the turn is over; the others say how it ended. Only the first was seen. */
export type IdleReason = 'available' | 'interrupted' | 'failed'

const KINDS: readonly string[] = [
  'idle_notification',
  'task_assignment',
  'shutdown_request',
  'shutdown_approved',
  'shutdown_rejected',
  'plan_approval_request',
  'plan_approval_response',
  'teammate_terminated',
]

/** Returns the kind of a team message. Undefined: plain words, or something in JSON that is none of these. */
export function structuredMailKind(text: string): StructuredMail['type'] | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { type } = JSON.parse(text) as { type?: unknown } // an object, since it begins like one
    // One of the list above, which names those of the type.
    return typeof type === 'string' && KINDS.includes(type) ? (type as StructuredMail['type']) : undefined
  } catch {
    return undefined
  }
}

export type MailForModel = { from: string; text: string; color?: string | undefined; summary?: string | undefined }

/** How a message stands in the conversation of whoever reads it. The words of others cannot end the tag they stand in, nor
 *  pass for the program's. */
export function formatMailForModel({ from, text, color, summary }: MailForModel): string {
  const named = [
    ['teammate_id', from],
    ...(color === undefined || from === LEAD_NAME ? [] : [['color', color]]),
    ...(summary === undefined ? [] : [['summary', summary]]),
  ]
  const attributes = named.map(([name, value]) => ` ${name}="${attribute(value ?? '')}"`).join('')
  return `<teammate-message${attributes}>\n${escapeOwnTags(text)}\n</teammate-message>`
}

function attribute(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ').trim()
  return line.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
