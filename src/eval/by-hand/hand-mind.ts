/** You are the model: requests are shown, and answered by what you type, or by files that you write. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../protocol/thrown.js'
import type { ModelRequest } from '../../testing/observed-request.js'
import type { Answer } from '../../testing/turn.js'
import type { Mind } from '../minds/mind.js'
import { parseHandReply } from './hand-reply.js'
import { createRequestDescriber } from './request-describer.js'

const LOOK_MS = 80

/** Shows requests on a stream and reads answers from another. An answer ends with a line that is a single dot. */
export function createInteractiveMind(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Mind {
  const digest = createRequestDescriber()
  let requests = 0
  let before: Promise<unknown> = Promise.resolve()
  let waiting: ((line: string | undefined) => void) | undefined
  const typed: string[] = []
  let isListening = false
  let isOver = false
  /** Not before the first request: until then the input is nobody's. */
  const listen = () => {
    isListening = true
    createInterface({ input, terminal: false })
      .on('line', (line) => (waiting ? waiting(line) : typed.push(line)))
      .on('close', () => {
        isOver = true
        waiting?.(undefined)
      })
  }
  const nextLine = (): Promise<string | undefined> => {
    if (!isListening) listen()
    if (typed.length > 0 || isOver) return Promise.resolve(typed.shift())
    return new Promise((settle) => {
      waiting = (line) => {
        waiting = undefined
        settle(line)
      }
    })
  }
  const readAnswer = async (): Promise<Answer> => {
    for (;;) {
      output.write('Your answer: text, and `> Tool {"input": …}` for each call. End with a line that is a dot.\n')
      const text: string[] = []
      for (let line = await nextLine(); line !== undefined && line !== '.'; line = await nextLine()) text.push(line)
      if (isOver && text.length === 0) throw new Error('Input ended before the answer to a request.')
      try {
        return parseHandReply(text.join('\n'))
      } catch (error) {
        output.write(`${messageOf(error)}\n`)
      }
    }
  }
  return {
    name: 'by-hand',
    isPerson: true,
    async answer({ body }: ModelRequest) {
      // Requests of several sub-agents come at a time, and there is one keyboard.
      const mine = before.then(async () => {
        requests += 1
        output.write(`\n${digest(requests, body)}`)
        return readAnswer()
      })
      before = mine.catch(() => {})
      return mine
    },
  }
}

const fileOf = (folder: string, number: number, kind: string) =>
  join(folder, `${String(number).padStart(4, '0')}.${kind}`)

/** Writes each request into a folder, as JSON and as a digest, and waits for the file with its reply. */
export function createFolderMind(folder: string): Mind {
  mkdirSync(folder, { recursive: true })
  const digest = createRequestDescriber()
  let requests = readdirSync(folder).filter((name) => name.endsWith('.request.json')).length
  return {
    name: 'by-hand',
    isPerson: true,
    async answer({ body, ended }: ModelRequest) {
      requests += 1
      const number = requests
      writeFileSync(fileOf(folder, number, 'request.json'), JSON.stringify(body, null, 1))
      writeFileSync(fileOf(folder, number, 'md'), digest(number, body))
      let isGone = false
      void ended.then(() => {
        isGone = true
      })
      const reply = fileOf(folder, number, 'reply')
      while (!isGone) {
        if (existsSync(reply)) return parseHandReply(readFileSync(reply, 'utf8'))
        await sleep(LOOK_MS)
      }
      // The folder might have been removed with the agent.
      if (existsSync(folder)) writeFileSync(fileOf(folder, number, 'gone'), '')
      return { text: '' }
    },
  }
}

/** Answers a request of a folder. Throws if the reply can't be read. */
export function writeHandReply(folder: string, number: number, text: string): void {
  parseHandReply(text)
  if (!existsSync(fileOf(folder, number, 'request.json')))
    throw new Error(`There is no request ${number} in ${folder}.`)
  const part = fileOf(folder, number, 'reply.part')
  rmSync(part, { force: true })
  writeFileSync(part, text)
  renameSync(part, fileOf(folder, number, 'reply'))
}

/** The digests of requests that wait for an answer, once there are any. */
export async function awaitRequestDescriptions(folder: string, seconds: number): Promise<string[]> {
  const until = performance.now() + seconds * 1000
  for (;;) {
    const names = existsSync(folder) ? readdirSync(folder) : []
    const open = names
      .flatMap((name) => (/^\d+\.md$/.test(name) ? [Number.parseInt(name, 10)] : []))
      .filter((number) => !existsSync(fileOf(folder, number, 'reply')) && !existsSync(fileOf(folder, number, 'gone')))
    if (open.length > 0)
      return open.sort((a, b) => a - b).map((number) => readFileSync(fileOf(folder, number, 'md'), 'utf8'))
    if (performance.now() > until) return []
    await sleep(LOOK_MS)
  }
}
