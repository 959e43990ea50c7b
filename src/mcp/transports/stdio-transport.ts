/** A server as a child process: one JSON message a line on its stdin and stdout, what it says on stderr kept for people. */

import type { Clock } from '../../platform/clock.js'
import { createBoundedOutput } from '../../platform/processes/bounded-output.js'
import type { ProcessRunner, RunningProcess } from '../../platform/processes/processes.js'
import { printableText } from '../../platform/visible-text.js'
import { MalformedLine } from '../../transport/channel.js'
import { createLineDecoder, encodeLine } from '../../transport/ndjson.js'
import { MAX_MESSAGE_CHARACTERS, type McpTransport, type TransportEvents } from './mcp-transport.js'

export type StdioServer = {
  command: string
  args: readonly string[]
  /** The whole environment of the server. */
  env: Readonly<Record<string, string | undefined>>
  cwd: string
}

export type StdioPorts = {
  processes: Pick<ProcessRunner, 'start'>
  clock: Pick<Clock, 'atMost'>
}

const STDERR_BYTES = 8192
/** Maximum characters of stderr in an error. */
const TAIL_CHARACTERS = 1000
/** A server that reads the end of its input may clean up for so long, before it is told to end. */
const GOODBYE_MS = 250
/** Lines that are no JSON are worth telling of only so often. */
const MAX_NOTES = 5

export function createStdioTransport(server: StdioServer, { processes, clock }: StdioPorts): McpTransport {
  const stderr = createBoundedOutput(0, STDERR_BYTES)
  const decoder = createLineDecoder(MAX_MESSAGE_CHARACTERS)
  const unwanted = new AbortController()
  let running: RunningProcess | undefined
  let notes = 0
  /** Why we ended it ourselves. */
  let fault: string | undefined

  const take = (lines: readonly (object | MalformedLine)[], events: TransportEvents) => {
    for (const line of lines) {
      if (!(line instanceof MalformedLine)) events.message(line)
      else if (line.tooLong) {
        fault = `it sent a message of more than ${MAX_MESSAGE_CHARACTERS / 1024 / 1024} MB`
        events.note(`${fault}, and is ended`)
        running?.end('politely')
      } else if (!line.atEnd && ++notes <= MAX_NOTES) {
        events.note(`printed a line that isn't a JSON message: ${printableText(line.excerpt, 200)}`)
      }
    }
  }

  return {
    async start(events) {
      running = await processes.start({
        command: server.command,
        args: server.args,
        cwd: server.cwd,
        env: server.env,
        interactive: true,
        unless: unwanted.signal,
        onOutput: (chunk) => take(decoder.push(chunk), events),
        onErrorOutput: stderr.push,
      })
      void running.ended.then(({ exitCode, signal }) => {
        take(decoder.end(), events)
        const bySignal = fault === undefined ? `was ended by ${signal ?? 'a signal'}` : `was ended: ${fault}`
        const how = exitCode === null || fault !== undefined ? bySignal : `exited with code ${exitCode}`
        const said = printableText(stderr.text().trim().slice(-TAIL_CHARACTERS))
        events.closed(`The server ${how}.${said === '' ? '' : ` It said: ${said}`}`)
      })
    },
    async send(message) {
      // One that reads no more is about to end, which says better why.
      await running?.input?.write(encodeLine(message))
    },
    async close() {
      unwanted.abort()
      if (!running) return
      running.input?.close()
      if (!(await clock.atMost(GOODBYE_MS, running.ended))) running.end('politely')
      await running.ended
    },
  }
}
