/** Reads a file for the host (`Query.readFile()`), within what the session itself may read without asking. */
import { isAbsolute, resolve } from '../../platform/paths.js'
import type { SDKControlReadFileRequest, SDKControlReadFileResponse } from '../../protocol/control.js'
import type { WorkspaceFiles } from '../../protocol/workspace/workspace-files.js'
import type { Conversation } from '../conversation.js'

const DEFAULT_MAX_BYTES = 1_000_000

export async function readFileForHost(
  conversation: Conversation,
  request: SDKControlReadFileRequest,
): Promise<SDKControlReadFileResponse> {
  const { max_bytes: maxBytes = DEFAULT_MAX_BYTES } = request
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) throw new Error('max_bytes must be a whole number, not negative')
  const { path, real } = await checkHostRead(conversation, request.path)
  const { files } = conversation.shared.platform.workspace
  const stat = await files.stat(path)
  if (stat?.kind !== 'file') throw new Error(`No such file: ${path}`)
  const encoding = request.encoding ?? 'utf-8'
  const bytes = await readStart(real, maxBytes, files)
  const content = encoding === 'base64' ? toBase64(bytes) : new TextDecoder().decode(bytes)
  return {
    path,
    content,
    encoding,
    size: stat.size,
    contents: content,
    absPath: path,
    ...(bytes.length < stat.size ? { truncated: true } : {}),
    ...(encoding === 'utf-8' ? { lossy: !isUtf8(bytes) } : {}),
  }
}

/** Throws where the session itself would have to ask. */
export async function checkHostRead(
  { shared, permissions }: Conversation,
  given: string,
): Promise<{ path: string; real: string }> {
  const path = isAbsolute(given) ? resolve(given) : resolve(shared.settings.cwd, given)
  const { files } = shared.platform.workspace
  // Followed once, before it is judged: what is opened is what was judged, wherever a link leads by then.
  const real = await files.realpath(path).catch(() => path)
  const decision = await permissions.decide(
    { id: 'read_file', name: 'Read', input: { file_path: path } },
    { kind: 'read', paths: real === path ? [path] : [path, real] },
  )
  if (decision.behavior !== 'allow') throw new Error(`Not allowed to read ${path}`)
  return { path, real }
}

async function readStart(path: string, maxBytes: number, files: WorkspaceFiles): Promise<Uint8Array> {
  const { file } = await files.open(path)
  if (!file) throw new Error(`No such file: ${path}`)
  try {
    const bytes = new Uint8Array(Math.min(file.stat.size, maxBytes))
    return bytes.subarray(0, await file.read(bytes, 0))
  } finally {
    await file.close()
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(binary)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The end may be in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
