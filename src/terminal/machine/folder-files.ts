/** Files below a folder that people would name: those git knows of, or all but the usual heaps. */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

const MOST = 20_000
const HEAPS = new Set(['node_modules', '.git', 'dist', 'build', 'target', '.venv', '__pycache__', '.cache'])

export async function listFiles(cwd: string): Promise<string[]> {
  return (await ofGit(cwd)) ?? ofFolder(cwd)
}

function ofGit(cwd: string): Promise<string[] | undefined> {
  return new Promise((done) => {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
    const child = spawn('git', args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      if (printed.length < 4_000_000) printed += text
    })
    child.on('error', () => done(undefined))
    child.on('close', (code) =>
      done(code === 0 ? [...new Set(printed.split('\0'))].filter((path) => path !== '').slice(0, MOST) : undefined),
    )
  })
}

async function ofFolder(cwd: string): Promise<string[]> {
  const found: string[] = []
  const folders = [cwd]
  for (let folder = folders.shift(); folder !== undefined && found.length < MOST; folder = folders.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!HEAPS.has(entry.name) && folders.length < MOST) folders.push(path)
      } else found.push(relative(cwd, path))
    }
  }
  return found.slice(0, MOST)
}
