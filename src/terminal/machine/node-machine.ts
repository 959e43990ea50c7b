/** The machine this process runs on: shell, editor, clipboard, files. */

import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { withFirstAbort } from '../../platform/first-abort.js'
import { homeFolder } from '../../platform/home.js'
import { hasBrowser, openBrowser } from '../../platform/programs/open-browser.js'
import { messageOf } from '../../protocol/thrown.js'
import { folderTrust } from '../../sdk/folder-trust.js'
import { configFolder } from '../../sessions/transcript-paths.js'
import type { PromptImage } from '../editor/pasted-parts.js'
import { readStatusLineCommand } from '../status/status-line-command.js'
import { listFiles } from './folder-files.js'
import type { TerminalMachine } from './machine-port.js'
import { promptHistory } from './prompt-history.js'
import { runInShell } from './run-in-shell.js'

const TAIL = 16_384
const MAX_IMAGE = 10_000_000
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
const STATUS_MS = 5000

/** `program` is the file that starts `kedge`. */
export type NodeMachineOptions = { env: NodeJS.ProcessEnv; program: string }

export function nodeMachine({ env, program }: NodeMachineOptions): TerminalMachine {
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  const { KEDGE_NOTIFY_COMMAND: notifier } = env
  let branch: { cwd: string; name: string | undefined; at: number } | undefined
  return {
    env,
    home,
    configDir,
    newId: randomUUID,
    now: Date.now,
    canBypass: process.getuid?.() !== 0,
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    edit: (text, name) => editText(text, name, env),
    runShell: (command, cwd, onOutput, signal) => runInShell({ command, cwd, env, onOutput, signal }),
    files: listFiles,
    image: (path, cwd) => imageAt(resolve(cwd, path.replace(/^~(?=\/)/, home))),
    clipboardImage: async () => clipboardImage(env),
    branch(cwd) {
      const now = Date.now()
      if (!branch || branch.cwd !== cwd || now - branch.at > 2000) branch = { cwd, name: branchOf(cwd), at: now }
      return branch.name
    },
    history: (cwd) => promptHistory(configDir, cwd),
    tailOf,
    readText(path) {
      try {
        return readFileSync(path, 'utf8')
      } catch {
        return undefined
      }
    },
    writeText(path, text, mode) {
      try {
        mkdirSync(dirname(path), { recursive: true })
        // A file that was there keeps its mode when it is written: it gets the narrower one first.
        if (mode !== undefined && existsSync(path)) chmodSync(path, mode)
        writeFileSync(path, text, mode === undefined ? {} : { mode })
        return undefined
      } catch (error) {
        return `${path} could not be written: ${messageOf(error)}`
      }
    },
    memoryPlaces: (cwd) => [
      { label: 'This folder, for everyone', path: join(cwd, 'CLAUDE.md') },
      { label: 'This folder, for you', path: join(cwd, 'CLAUDE.local.md') },
      { label: 'Everywhere, for you', path: join(configDir, 'CLAUDE.md') },
    ],
    ownCommand: async (args, cwd) =>
      new Promise((done) => {
        const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
        let printed = ''
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text) => (printed += text))
        child.on('error', (error) => done(error.message))
        child.on('close', () => done(printed))
      }),
    notifyCommand:
      notifier === undefined || notifier === ''
        ? undefined
        : (title, text) => {
            spawn(notifier, [title, text], { env, stdio: 'ignore', detached: true })
              .on('error', () => {})
              .unref()
          },
    async openPage(address) {
      if (!URL.canParse(address) || !hasBrowser(env)) return false
      return openBrowser(new URL(address))
    },
    async statusCommand(cwd) {
      const places = [join(configDir, 'settings.json')]
      // What a folder brings runs only if its user trusts it.
      if ((await folderTrust(cwd, { env })).isTrusted)
        places.unshift(join(cwd, '.claude', 'settings.local.json'), join(cwd, '.claude', 'settings.json'))
      for (const path of places) {
        const command = existsSync(path) ? readStatusLineCommand(parsed(path)) : undefined
        if (command !== undefined) return command
      }
      return undefined
    },
    async runStatus(command, cwd, json) {
      const run = { command, cwd, env, onOutput() {}, input: json }
      const { output, code } = await withFirstAbort([], STATUS_MS, (signal) => runInShell({ ...run, signal }))
      return code === 0 ? output : undefined
    },
  }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function editText(text: string, name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const [program = 'vi', ...args] = (env['VISUAL'] || env['EDITOR'] || 'vi').trim().split(/\s+/)
  const folder = mkdtempSync(join(tmpdir(), 'kedge-edit-'))
  const file = join(folder, name)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const code = await new Promise<number | null>((done) => {
      const child = spawn(program, [...args, file], { env, stdio: 'inherit' })
      child.on('error', () => done(null))
      child.on('close', done)
    })
    return code === 0 ? readFileSync(file, 'utf8') : undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function imageAt(path: string): PromptImage | undefined {
  const mediaType = IMAGES[path.split('.').at(-1)?.toLowerCase() ?? '']
  try {
    if (mediaType === undefined || statSync(path).size > MAX_IMAGE) return undefined
    return { mediaType, data: readFileSync(path).toString('base64'), name: basename(path) }
  } catch {
    return undefined
  }
}

/** Programs that give the image in the clipboard on their standard output, where they are installed. */
function clipboardImage(env: NodeJS.ProcessEnv): PromptImage | undefined {
  const ways: [string, string[]][] = [
    ['wl-paste', ['--type', 'image/png']],
    ['xclip', ['-selection', 'clipboard', '-t', 'image/png', '-o']],
    ['pngpaste', ['-']],
  ]
  for (const [program, args] of ways) {
    const { status, stdout } = spawnSync(program, args, {
      env,
      timeout: 3000,
      maxBuffer: MAX_IMAGE,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (status === 0 && stdout.length > 8 && stdout.readUInt32BE(0) === 0x89504e47)
      return { mediaType: 'image/png', data: stdout.toString('base64'), name: 'clipboard' }
  }
  return undefined
}

function branchOf(cwd: string): string | undefined {
  let folder = cwd
  for (;;) {
    const head = headIn(join(folder, '.git'))
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? head.trim().slice(0, 8)
    const up = dirname(folder)
    if (up === folder) return undefined
    folder = up
  }
}

function headIn(git: string): string | undefined {
  try {
    // In a worktree it is a file that says where.
    const place = statSync(git).isDirectory()
      ? git
      : resolve(dirname(git), /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1] ?? '')
    return readFileSync(join(place, 'HEAD'), 'utf8')
  } catch {
    return undefined
  }
}

function tailOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const buffer = Buffer.alloc(Math.min(TAIL, size))
      const count = readSync(file, buffer, 0, buffer.length, size - buffer.length)
      return buffer.subarray(0, count).toString('utf8')
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
