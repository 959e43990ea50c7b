/** Shows lines of a text file of any size. */

import type { ToolOutcome } from '../../engine/ports.js'
import { Buffer } from '../../platform/bytes.js'
import { formatSize, MAX_FILE_BYTES, type OpenedFile, rememberReadFile } from '../files/file-access.js'
import { ENCODING_HEAD_BYTES } from '../files/text-encoding.js'
import type { CallContext } from '../tool.js'
import { describeBinaryKind } from './binary-kind.js'
import { estimateTokens, maxBytesOfTokens, readTokenLimit } from './limit-tokens.js'
import type { FileReadInput, FileReadOutput } from './read-shapes.js'
import {
  countTextLines,
  describeCorrectedOffset,
  joinLinesWithoutNumbers,
  lineWindowOf,
  renderLines,
} from './render-text.js'
import { scanText } from './scan-text.js'

/** Nobody waits for that long; files like /proc/kcore claim to have even more. */
const MAX_SCAN_BYTES = 20 * 1024 ** 3

export async function readTextForModel(
  opened: OpenedFile,
  input: FileReadInput,
  context: CallContext,
): Promise<ToolOutcome> {
  const { file, realPath } = opened
  const { size } = file.stat
  const isWhole = input.offset === undefined && input.limit === undefined
  if (size > MAX_SCAN_BYTES)
    return { ok: false, error: `File is too large (${formatSize(size)}). Get at parts of it with Grep or Bash.` }
  if (isWhole && size > MAX_FILE_BYTES)
    return { ok: false, error: `File is too large (${formatSize(size)}) to be read as a whole. ${ADVICE}` }

  const tokens = readTokenLimit(context)
  const wanted = lineWindowOf(input)
  // What is too large to be edited need not be known to its end.
  const toEnd = size <= MAX_FILE_BYTES
  const found = await scanText(file, { ...wanted, maxBytes: maxBytesOfTokens(tokens) }, context.signal, toEnd)
  if (!found) return { ok: false, error: await refuseBinary(opened, input) }
  const { lines, totalLines, endsInNewline, hash } = found
  const range = lines && { lines, startLine: wanted.startLine, totalLines, endsInNewline }
  const shown = range && renderLines(range)
  if (!range || shown === undefined || estimateTokens(shown) > tokens) {
    const count = countTextLines(found)
    const where = `the file has ${formatSize(found.size)} in ${count} line${count === 1 ? '' : 's'}`
    return {
      ok: false,
      error: `The requested lines are more than the ${tokens} tokens that can be read at once (${where}). ${ADVICE}`,
    }
  }
  rememberReadFile({ realPath, stat: file.stat, hash }, range.lines.length < totalLines, context)
  const output: FileReadOutput = {
    type: 'text',
    file: {
      filePath: input.file_path,
      content: joinLinesWithoutNumbers(range.lines),
      numLines: range.lines.length,
      startLine: range.startLine,
      totalLines,
    },
  }
  return { ok: true, content: shown + describeCorrectedOffset(input), output }
}

const ADVICE = 'Read a part of it with offset and limit, or search it with Grep.'

async function refuseBinary({ file, realPath }: OpenedFile, input: FileReadInput): Promise<string> {
  const head = Buffer.alloc(ENCODING_HEAD_BYTES)
  const length = await file.read(head, 0)
  return `Can't show ${input.file_path} as text: it is a ${describeBinaryKind(head.subarray(0, length), realPath)}.`
}
