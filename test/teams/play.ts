/** A team on the scripted model: one handler for the lead, one per teammate, each answering by what it reads. */
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import type { Options, SDKMessage } from 'kedge'
import {
  type Lane,
  type ModelHandler,
  type ModelRequest,
  type Step,
  script,
  startModelServer,
  testOptions,
} from 'kedge/testing'
import type { World } from '../e2e/both-ways.js'
import { isolationsOf } from '../support/tier.js'

/** The n-th request of an agent, counted from 0. */
export type Part = (request: ModelRequest, n: number) => Step

/** The parts of a play: `lead`, and teammates by the first word of their prompts. */
export type Parts = { lead: Part } & Record<string, Part>

export function counted(part: Part): ModelHandler {
  let n = 0
  return async (request) => {
    const step = part(request, n++)
    return typeof step === 'function' ? step(request) : step
  }
}

export function playTeam(
  name: string,
  parts: () => Parts,
  overrides: Options,
  body: (world: World & { t: TestContext }) => Promise<void>,
): void {
  for (const isolation of isolationsOf(name)) {
    test(`${name} (${isolation})`, async (t) => {
      const { lead, ...mates } = parts()
      const lanes = Object.entries(mates).map(([opening, part]): [string, Lane] => [
        opening,
        { when: { opening: `\n${opening} ` }, turns: counted(part) },
      ])
      await using server = await startModelServer(script(counted(lead), { lanes: Object.fromEntries(lanes) }))
      await using options = testOptions(server, {
        model: 'claude-sonnet-4-5-20250929',
        isolation,
        agentTeams: true,
        ...overrides,
      })
      await body({ server, options, isolation, t })
    })
  }
}

export const call = (name: string, input: object, id?: string): Step => ({
  tools: [{ name, input, ...(id === undefined ? {} : { id }) }],
})

export const say = (recipient: string, content: string): Step =>
  call('SendMessage', { type: 'message', recipient, content, summary: content.slice(0, 20) })

export const mate = (name: string, more: object = {}) => ({
  name: 'Task',
  input: { description: `Mate ${name}`, prompt: `${name} works`, subagent_type: 'general-purpose', name, ...more },
})

/** The ids of requests to shut down in what an agent reads now. */
export const shutdownIds = ({ prompt }: ModelRequest): string[] => prompt.match(/shutdown-\d+@[\w-]+/g) ?? []

/** Agrees to shut down when asked to; undefined when not. */
export function agree(request: ModelRequest): Step | undefined {
  const [id] = shutdownIds(request)
  return id === undefined
    ? undefined
    : call('SendMessage', { type: 'shutdown_response', request_id: id, approve: true })
}

export const ofType = <T extends SDKMessage['type']>(messages: readonly SDKMessage[], type: T) =>
  messages.filter((message): message is Extract<SDKMessage, { type: T }> => message.type === type)

/** `task_started bob`, `task_notification bob completed`, `result`, …: what a host hears of a team. */
export function heard(messages: readonly SDKMessage[]): string[] {
  const names = new Map<string, string>()
  return messages.flatMap((message) => {
    if (message.type === 'result') return ['result']
    if (message.type !== 'system') return []
    if (message.subtype === 'init') return ['init']
    if (message.subtype === 'task_started') {
      const name = message.description.split(':')[0] ?? ''
      names.set(message.task_id, name)
      return [`${message.subtype} ${name}`]
    }
    if (message.subtype !== 'task_notification') return []
    return [`${message.subtype} ${names.get(message.task_id)} ${message.status}`]
  })
}
