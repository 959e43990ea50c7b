/** What SendMessage gives back to hosts. */

export interface SendMessageOutput {
  success: boolean
  message: string
  /** Of a broadcast. */
  recipients?: string[]
  /** Of a message or broadcast. */
  routing?: {
    sender: string
    senderColor?: string
    /** `@name`, or `@team` for everybody. */
    target: string
    targetColor?: string
    summary: string
    content: string
  }
  /** Of a request or an answer. */
  request_id?: string
  /** Of a request to shut down. */
  target?: string
}
