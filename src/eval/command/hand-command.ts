/** `kedge eval hand`: the side of the person who is the model. */
import { readFileSync } from 'node:fs'
import { awaitRequestDescriptions, createFolderMind, writeHandReply } from '../by-hand/hand-mind.js'
import { startEndpoint } from '../minds/model-endpoint.js'

const DEFAULT_SECONDS = 60

export type HandCommandResult = { code: number; out: string }

/** `served`: called with the text that says where the endpoint is; it serves until the process ends. */
export async function modelByHandCommand(
  words: readonly string[],
  wait: string | undefined,
  input = readStdin,
): Promise<HandCommandResult> {
  const [action, folder = '', number = ''] = words
  const seconds = wait === undefined ? DEFAULT_SECONDS : Number(wait)
  if (!(seconds >= 0)) throw new Error(`--wait must be a number of seconds, got ${wait}.`)
  if (action === 'serve') {
    const { environment } = await startEndpoint(createFolderMind(folder))
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    return { code: 0, out: `${variables.join('\n')}\n` }
  }
  if (action === 'reply' || action === 'step') {
    if (!/^\d+$/.test(number))
      throw new Error(`kedge eval hand ${action} needs the number of a request, got '${number}'.`)
    writeHandReply(folder, Number(number), input())
    if (action === 'reply') return { code: 0, out: '' }
  }
  const open = await awaitRequestDescriptions(folder, seconds)
  return open.length > 0 ? { code: 0, out: open.join('\n') } : { code: 1, out: 'No requests waiting.\n' }
}

const readStdin = (): string => readFileSync(0, 'utf8')
