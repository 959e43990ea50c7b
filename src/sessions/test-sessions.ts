/** Session files for the tests: lines as an agent writes them, a folder that cleans itself up, and a reader. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { type LoadedSession, loadTranscript, type TranscriptTail } from './load-session.js'
import { openTranscript, type ResumePorts } from './resume.js'
import { transcriptFolderOfProject, transcriptPathInFolder } from './transcript-paths.js'

export const TEST_SESSION_ID = '11111111-1111-4111-8111-111111111111'

export function testLineId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

type Fields = Record<string, unknown>

/** The n-th line; it follows the one before, unless `fields` say otherwise. */
export function testTranscriptLine(n: number, type: string, fields: Fields): Fields {
  return {
    parentUuid: n === 1 ? null : testLineId(n - 1),
    isSidechain: false,
    userType: 'external',
    cwd: '/project',
    sessionId: TEST_SESSION_ID,
    version: '2.1.50',
    gitBranch: 'main',
    type,
    uuid: testLineId(n),
    timestamp: new Date(1_767_225_600_000 + n * 1000).toISOString(),
    ...fields,
  }
}

export function testUserLine(n: number, content: unknown, fields: Fields = {}): Fields {
  return testTranscriptLine(n, 'user', { message: { role: 'user', content }, ...fields })
}

export function testAssistantLine(n: number, content: unknown, fields: Fields = {}): Fields {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const usage = { input_tokens: 3, output_tokens: 1 }
  const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'm', content: blocks, usage }
  return testTranscriptLine(n, 'assistant', { message, ...fields })
}

export function testToolCallLine(n: number, toolId: string, fields: Fields = {}): Fields {
  return testAssistantLine(n, [{ type: 'tool_use', id: toolId, name: 'Bash', input: { command: `echo ${n}` } }], fields)
}

export function testToolResultLine(n: number, toolId: string, fields: Fields = {}): Fields {
  const content = [{ type: 'tool_result', tool_use_id: toolId, content: `done ${n}`, is_error: false }]
  return testUserLine(n, content, { toolUseResult: { stdout: `done ${n}` }, ...fields })
}

export function formatTestTranscript(lines: readonly (Fields | string)[]): string {
  return lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
}

/** A configuration folder with one working directory. */
export function createTestSessionsFolder(cwd = '/project') {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-sessions-'))
  const folder = transcriptFolderOfProject({ configDir: root, cwd })
  mkdirSync(folder, { recursive: true })
  const path = transcriptPathInFolder(folder, TEST_SESSION_ID)
  return {
    root,
    folder,
    path,
    write(content: string | Uint8Array, to = path) {
      writeFileSync(to, content)
      return to
    },
    read: (from = path) => readFileSync(from, 'utf8'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function loadTestTranscript(
  path: string,
  cutAt?: string,
): Promise<(LoadedSession & { tail: TranscriptTail }) | undefined> {
  const file = await openTranscript(nodeFiles, path)
  if (!file) throw new Error(`${path} is missing`)
  try {
    const loaded = await loadTranscript(file, { sessionId: TEST_SESSION_ID, cutAt })
    if (loaded && 'refused' in loaded) throw new Error(loaded.refused)
    return loaded
  } finally {
    await file.close()
  }
}

/** `user: One.`, `assistant: [Bash call_1]`, …: the conversation at a glance. */
export function summarizeTestMessages(session: Pick<LoadedSession, 'messages'> | undefined): string[] {
  return (session?.messages ?? []).map(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    const shown = blocks.map((block) => {
      if (block.type === 'text') return block.text
      if (block.type === 'tool_use') return `[call ${block.id}]`
      if (block.type === 'tool_result') return `[${block.is_error ? 'failed' : 'result'} ${block.tool_use_id}]`
      return `[${block.type}]`
    })
    return `${role}: ${shown.join(' ')}`
  })
}

export function createTestResumePorts(overrides: Partial<ResumePorts> = {}): ResumePorts & { token: () => string } {
  const { uuid } = createPlatformIdentity()
  return { files: nodeFiles, clock: nodeClock, token: uuid, ...overrides }
}
