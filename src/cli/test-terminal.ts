/** For tests of commands: a folder and a home of their own, and an ear for what they say. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'

export type CapturedOutput<T> = { value: T; stdout: string; stderr: string }

export function openTestTerminal() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-cli-')))
  const home = join(root, 'home')
  const project = join(root, 'project')
  const before = { cwd: process.cwd(), env: process.env }
  mkdirSync(home)
  mkdirSync(project)
  process.chdir(project)
  process.env = { PATH: before.env.PATH, HOME: home }
  return {
    home,
    project,
    /** A file below the root, with the folders above it: `project/.mcp.json`. */
    write(path: string, content: string | object): string {
      const place = join(root, path)
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content))
      return place
    },
    /** Everything the work writes. With `typed`, somebody sits at the terminal and types that. */
    async hear<T>(work: () => Promise<T>, typed?: string): Promise<CapturedOutput<T>> {
      const heard = { stdout: '', stderr: '' }
      const restore = (['stdout', 'stderr'] as const).map((name) => listen(name, (text) => (heard[name] += text)))
      if (typed !== undefined) restore.push(sitDown(typed))
      try {
        const value = await work()
        return { value, ...heard }
      } finally {
        for (const one of restore) one()
      }
    },
    close() {
      process.chdir(before.cwd)
      process.env = before.env
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export type TestTerminal = ReturnType<typeof openTestTerminal>

/** Only texts: what the test runner itself sends is bytes. */
function listen(name: 'stdout' | 'stderr', hear: (text: string) => void): () => void {
  const stream = process[name]
  const write = stream.write
  const replaced = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (typeof chunk !== 'string') return Reflect.apply(write, stream, [chunk, ...rest])
    hear(chunk)
    for (const one of rest) if (typeof one === 'function') one()
    return true
  }
  Object.assign(stream, { write: replaced })
  return () => void Object.assign(stream, { write })
}

function sitDown(typed: string): () => void {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  const { isTTY } = process.stderr
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  keyboard.end(typed)
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true })
  process.stderr.isTTY = true
  return () => {
    if (stdin) Object.defineProperty(process, 'stdin', stdin)
    process.stderr.isTTY = isTTY
  }
}
