/**
 * Takes a host's word that the model has read a file (`Query.seedReadState()`), so that it may be edited: only for files the
 * session may read itself, and only while they are what they were then.
 */
import { hashContent } from '../../platform/files/content-hash.js'
import { readWholeFile } from '../../platform/files/open-file.js'
import type { SDKControlSeedReadStateRequest } from '../../protocol/control.js'
import type { Conversation } from '../conversation.js'
import { checkHostRead } from './read-file-for-host.js'

/** Larger files are not edited. */
const MAX_BYTES = 50 * 1024 * 1024

export async function seedReadState(
  conversation: Conversation,
  { path: given, mtime }: SDKControlSeedReadStateRequest,
): Promise<void> {
  const { real } = await checkHostRead(conversation, given)
  const { file } = await conversation.shared.platform.workspace.files.open(real).catch(() => ({ file: undefined }))
  // As with one that changed: whoever wants to edit it is told to read it.
  if (!file) return
  try {
    const { mtimeMs, size } = file.stat
    if (Math.floor(mtimeMs) !== mtime) return
    const bytes = await readWholeFile(file, MAX_BYTES)
    if (bytes) conversation.tools.readFiles.set(real, { mtimeMs, size, hash: await hashContent(bytes), partial: false })
  } finally {
    await file.close()
  }
}
