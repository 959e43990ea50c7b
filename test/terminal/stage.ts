/** The conversation in this process, on an emulated screen, with a clock that the test moves. */
import assert from 'node:assert/strict'
import { KeyDecoder } from '../../src/terminal/editor/key-decoder.js'
import { LineEditor } from '../../src/terminal/editor/line-editor.js'
import type { TerminalMachine } from '../../src/terminal/machine/machine-port.js'
import { LiveRegion } from '../../src/terminal/screen/live-region.js'
import { createStyles } from '../../src/terminal/screen/styles.js'
import type { TerminalListener, TerminalPort } from '../../src/terminal/screen/terminal-port.js'
import { TerminalSession } from '../../src/terminal/session/terminal-conversation.js'
import { type Emulator, openEmulator } from './emulator.js'
import { CWD, type ScriptedSession, scriptSession } from './scripted-session.js'

export type Stage = {
  emulator: Emulator
  scripted: ScriptedSession
  conversation: TerminalSession
  region: LiveRegion
  /** Bytes that were written. */
  readonly written: string[]
  /** Modes of the terminal, as they were entered and left. */
  readonly modes: string[]
  /** Types, and lets what follows happen. */
  type(data: string): Promise<void>
  /** Time goes by: what was to happen meanwhile happens. */
  wait(ms: number): Promise<void>
  /** Until all that was said has been shown. */
  settle(): Promise<string[]>
  resize(columns: number, rows: number): Promise<void>
  text(): Promise<string>
  files: Map<string, string>
}

export type StageSetup = {
  columns?: number
  rows?: number
  hasColor?: boolean
  reflows?: boolean
  machine?: Partial<TerminalMachine>
  env?: Record<string, string>
}

export async function openStage(setup: StageSetup = {}): Promise<Stage> {
  const { columns = 80, rows = 30, hasColor = true, reflows = true } = setup
  const emulator = openEmulator(columns, rows, reflows)
  const scripted = scriptSession()
  const written: string[] = []
  const modes: string[] = []
  let listener: TerminalListener | undefined
  const terminal: TerminalPort = {
    get columns() {
      return emulator.columns
    },
    get rows() {
      return emulator.rows
    },
    write(text) {
      written.push(text)
      void emulator.write(text)
    },
    listen: (to) => {
      listener = to
    },
    enter: () => void modes.push('enter'),
    leave: () => void modes.push('leave'),
    suspend: () => void modes.push('suspend'),
  }
  const clock = testClock()
  const files = new Map<string, string>()
  const machine = testMachine(clock, files, setup)
  const styles = createStyles({ hasColor, hasUnicode: true })
  const region = new LiveRegion((text) => terminal.write(text), columns, reflows)
  const conversation = new TerminalSession({
    terminal,
    region,
    styles,
    machine,
    editor: new LineEditor(),
    decoder: new KeyDecoder(),
    cwd: CWD,
    backend: scripted.backend,
    settings: {},
  })
  conversation.listen()
  await conversation.open(scripted.client)
  const stage: Stage = {
    emulator,
    scripted,
    conversation,
    region,
    written,
    modes,
    files,
    async type(data) {
      listener?.onInput(data)
      await stage.settle()
    },
    async wait(ms) {
      await quiet()
      clock.move(ms)
      await stage.settle()
    },
    async settle() {
      await quiet()
      // A frame may be due.
      clock.move(40)
      await quiet()
      await emulator.write('')
      return emulator.screen()
    },
    async resize(width, height) {
      await emulator.write('')
      emulator.resize(width, height)
      listener?.onResize()
      await stage.settle()
    },
    async text() {
      return (await stage.settle()).join('\n')
    },
  }
  await stage.settle()
  return stage
}

/** All that is ready to happen has happened. */
export async function quiet(): Promise<void> {
  for (let n = 0; n < 6; n += 1) await new Promise((resolve) => setImmediate(resolve))
}

export type TestClock = { now(): number; after(ms: number, work: () => void): () => void; move(ms: number): void }

export function testClock(): TestClock {
  let now = 1_000_000
  let waiting: { at: number; work: () => void }[] = []
  return {
    now: () => now,
    after(ms, work) {
      const one = { at: now + ms, work }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    move(ms) {
      const until = now + ms
      for (;;) {
        const next = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        waiting = waiting.filter((other) => other !== next)
        now = Math.max(now, next.at)
        next.work()
      }
      now = until
    },
  }
}

export function testMachine(
  clock: TestClock,
  files: Map<string, string>,
  { machine = {}, env = {} }: StageSetup = {},
): TerminalMachine {
  let ids = 0
  const entries: string[] = ['first prompt of before', 'second prompt of before']
  return {
    now: clock.now,
    after: clock.after,
    canBypass: false,
    home: '/home/ada',
    configDir: '/home/ada/.claude',
    env,
    newId() {
      ids += 1
      return `id-${ids}`
    },
    edit: async (text) => `${text}, edited`,
    async runShell(command, _cwd, onOutput) {
      onOutput(`ran ${command}\n`)
      return { output: `ran ${command}\n`, code: 0, isCut: false }
    },
    files: async () => ['src/index.ts', 'src/a b.ts', 'README.md'],
    image: (path) =>
      path.endsWith('.png') ? { mediaType: 'image/png', data: 'AAAA', name: 'picture.png' } : undefined,
    clipboardImage: async () => ({ mediaType: 'image/png', data: 'AAAA', name: 'clipboard' }),
    branch: () => 'main',
    history: () => ({ entries, add: (text) => void entries.push(text) }),
    tailOf: () => undefined,
    readText: (path) => files.get(path),
    writeText(path, text) {
      files.set(path, text)
      return undefined
    },
    memoryPlaces: (cwd) => [{ label: 'This folder, for everyone', path: `${cwd}/CLAUDE.md` }],
    ownCommand: async (args) => `printed by ${args.join(' ')}`,
    notifyCommand: undefined,
    openPage: async () => false,
    statusCommand: async () => undefined,
    runStatus: async () => undefined,
    ...machine,
  }
}

/** The whole screen, row by row. */
export function assertScreen(screen: readonly string[], expected: readonly string[]): void {
  assert.deepEqual(
    screen.map((row) => row.replaceAll(/─{5,}/g, '─────')),
    expected,
  )
}
