/** `workspace`: an editor's unsaved buffers and another runner of commands stand behind the tools of a real session. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type MakeWorkspace, query, type WorkspaceFiles, type WorkspaceProcesses } from 'kedge'
import { callTools } from 'kedge/testing'

/** What an editor holds and has not saved, in front of the real files. */
function unsaved(files: WorkspaceFiles, buffers: Map<string, string>): WorkspaceFiles {
  const bytesOf = (path: string) => {
    const text = buffers.get(path)
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }
  const statOf = (bytes: Uint8Array) => ({
    kind: 'file' as const,
    size: bytes.length,
    mtimeMs: 1,
    mode: 0o644,
    dev: 0,
    ino: 0,
    uid: 0,
    links: 1,
  })
  const look = (real: WorkspaceFiles['stat']) => async (path: string) => {
    const bytes = bytesOf(path)
    return bytes ? statOf(bytes) : real(path)
  }
  return {
    ...files,
    stat: look(files.stat),
    lstat: look(files.lstat),
    realpath: async (path) => (buffers.has(path) ? path : files.realpath(path)),
    isWritable: async (path) => buffers.has(path) || files.isWritable(path),
    async open(path) {
      const bytes = bytesOf(path)
      if (!bytes) return files.open(path)
      const stat = statOf(bytes)
      const read = async (buffer: Uint8Array, position: number) => {
        const piece = bytes.subarray(position, position + buffer.length)
        buffer.set(piece)
        return piece.length
      }
      return { stat, file: { stat, read, close: async () => {} } }
    },
    async snapshot(path, maxBytes) {
      const content = bytesOf(path)
      return content ? { stat: statOf(content), content } : files.snapshot(path, maxBytes)
    },
    async replace(path, content) {
      buffers.set(path, typeof content === 'string' ? content : new TextDecoder().decode(content))
    },
    async create(path, content) {
      buffers.set(path, new TextDecoder().decode(content))
    },
  }
}

/** Only what has to be there: the rest is made from it. */
function counted(processes: WorkspaceProcesses, started: string[]): WorkspaceProcesses {
  return {
    start(options) {
      started.push(options.args.at(-1) ?? '')
      return processes.start(options)
    },
    close: () => processes.close(),
  }
}

test('Read, Edit, Write, Grep and Bash work on the workspace that stands behind them', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-workspace-')))
  try {
    const note = join(folder, 'note.txt')
    const fresh = join(folder, 'fresh.txt')
    writeFileSync(note, 'as it is on disk\n')
    const buffers = new Map([[note, 'as the editor has it\n']])
    const started: string[] = []
    const workspace: MakeWorkspace = ({ files, processes }) => ({
      files: unsaved(files, buffers),
      processes: counted(processes, started),
    })
    const { results } = await callTools(
      [
        { name: 'Read', input: { file_path: note } },
        { name: 'Edit', input: { file_path: note, old_string: 'the editor', new_string: 'an agent' } },
        { name: 'Write', input: { file_path: fresh, content: 'only in the editor\n' } },
        { name: 'Grep', input: { pattern: 'an agent', path: folder, output_mode: 'content' } },
        { name: 'Bash', input: { command: 'cat note.txt' } },
      ],
      { cwd: folder, workspace },
    )
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [false, false, false, false, false],
    )
    assert.match(results[0]?.text ?? '', /as the editor has it/)
    assert.match(results[3]?.text ?? '', /as an agent has it/)
    // A command runs where files are real: it sees what was saved.
    assert.match(results[4]?.text ?? '', /as it is on disk/)
    assert.equal(buffers.get(note), 'as an agent has it\n')
    assert.equal(buffers.get(fresh), 'only in the editor\n')
    assert.equal(readFileSync(note, 'utf8'), 'as it is on disk\n')
    assert.equal(existsSync(fresh), false)
    assert.deepEqual(started.filter((command) => command === 'cat note.txt').length, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a permission is judged by where paths lead in the workspace', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-workspace-')))
  try {
    const link = join(folder, 'link.txt')
    const workspace: MakeWorkspace = (local) => ({
      ...local,
      files: {
        ...local.files,
        lstat: async (path) => {
          const stat = await local.files.lstat(path === link ? folder : path)
          return path === link && stat ? { ...stat, kind: 'symlink' } : stat
        },
        readLink: async (path) => (path === link ? '/etc/passwd' : local.files.readLink(path)),
        realpath: async (path) => (path === link ? '/etc/passwd' : local.files.realpath(path)),
      },
    })
    const { results } = await callTools([{ name: 'Read', input: { file_path: link } }], {
      cwd: folder,
      workspace,
      disallowedTools: ['Read(//etc/**)'],
    })
    assert.equal(results[0]?.isError, true)
    assert.doesNotMatch(results[0]?.text ?? '', /root:/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a workspace needs an agent in this process, and is refused by name with what makes it a child', () => {
  const workspace: MakeWorkspace = (local) => local
  const refused = { code: 'unsupported_option', message: /^workspace needs an agent in this process/ }
  assert.throws(() => query({ prompt: 'x', options: { workspace, isolation: 'process' } }), refused)
  const spawn = () => assert.fail('nothing is started')
  assert.throws(() => query({ prompt: 'x', options: { workspace, spawnClaudeCodeProcess: spawn } }), refused)
  // What the types would not let through either.
  const wrong = { workspace: {} } as unknown as { workspace: MakeWorkspace }
  assert.throws(() => query({ prompt: 'x', options: wrong }), { code: 'invalid_option' })
})
