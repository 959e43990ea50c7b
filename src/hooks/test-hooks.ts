/** For tests of hooks: the hooks of a session in a temporary folder, with real processes and recorders for all they do. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClock } from '../platform/clock.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { createProcessRunner } from '../platform/processes/processes.js'
import type { HookEvent, HookInput } from '../protocol/hooks.js'
import type { HookSessionWish } from './raise.js'
import {
  createSessionHooks,
  type HookEventRaiserPorts,
  type HookObservation,
  type SessionHooks,
} from './session-hooks.js'
import type { SettingsHook } from './settings-hook.js'

export type TestCallback = (input: HookInput, signal: AbortSignal, toolUseId: string) => unknown

export type TestHooks = AsyncDisposable & {
  hooks: SessionHooks
  cwd: string
  reports: string[]
  informed: string[]
  observed: HookObservation[]
  /** What hooks want of the session. */
  wishes: HookSessionWish[]
  woken: string[]
  /** Registers callbacks of the host; they are called hook_0, hook_1, … */
  callbacks(event: HookEvent, callbacks: TestCallback[], matcher?: { matcher?: string; timeout?: number }): void
  command(event: HookEvent, command: string, more?: Partial<Extract<SettingsHook, { type: 'command' }>>): void
}

export const neverAbortedSignal = new AbortController().signal

export function createTestHooks(overrides: Partial<HookEventRaiserPorts> = {}): TestHooks {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-hooks-')))
  const processes = createProcessRunner()
  const identity = createPlatformIdentity()
  const registered: TestCallback[] = []
  const matchers: NonNullable<ReturnType<Parameters<typeof createSessionHooks>[0]>> = {}
  const commands: SettingsHook[] = []
  const reports: string[] = []
  const informed: string[] = []
  const wishes: HookSessionWish[] = []
  const woken: string[] = []
  const observed: HookObservation[] = []
  const hooks = createSessionHooks(() => matchers, {
    async invoke(id, input, toolUseId, signal) {
      const callback = registered[Number(id.slice('hook_'.length))]
      // Like the connection to a host: an abort ends the wait, whatever the callback does.
      const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      return Promise.race([callback?.(input, signal, toolUseId), aborted])
    },
    after: nodeClock.after,
    uuid: identity.uuid,
    base: () => ({ session_id: 's', transcript_path: '/t.jsonl', cwd, permission_mode: 'default' }),
    serverOf: (tool) => (tool.startsWith('mcp__srv__') ? { name: 'srv', source: 'project' } : undefined),
    backgroundTasks: () => [],
    adopt: (wish) => wishes.push(wish),
    wake: (text) => woken.push(text),
    settingsHooks: () => commands,
    runService: async () => ({ printed: '' }),
    ruleCovers: async () => true,
    processes,
    environment: () => ({ PATH: process.env['PATH'], HOME: cwd }),
    projectDir: cwd,
    report: (text) => reports.push(text),
    inform: (text) => informed.push(text),
    observe: (observation) => observed.push(observation),
    ...overrides,
  })
  return {
    hooks,
    cwd,
    reports,
    informed,
    observed,
    wishes,
    woken,
    callbacks(event, callbacks, matcher = {}) {
      const hookCallbackIds = callbacks.map((callback) => `hook_${registered.push(callback) - 1}`)
      matchers[event] = [...(matchers[event] ?? []), { hookCallbackIds, ...matcher }]
    },
    command(event, command, more = {}) {
      commands.push({ event, source: 'settings.json', ...more, type: 'command', command })
    },
    async [Symbol.asyncDispose]() {
      hooks.close()
      await processes.close()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

export const hookBashCall = { id: 'toolu_1', name: 'Bash', input: { command: 'echo hi' } }
