/** What a command prints: cleaned, its two ends in memory, and all of it in a file once that is more than can be passed on. */
import { createOutputFile, type OutputFile } from '../../platform/files/output-file.js'
import { createSafeTextDecoder } from './clean-output.js'
import { createExcerpt } from './excerpt.js'
import { createOutputImageReader, type OutputImage } from './image-output.js'

export type OutputOptions = {
  /** Characters that can be passed on. */
  limit: number
  /** Where the file goes, asked when there has to be one. */
  place(): Promise<string>
  /** Live, as it can be shown. */
  onText(text: string): void
}

export interface CommandOutput {
  /** A promise means: the file is behind, wait with the rest. */
  take(chunk: Uint8Array): void | Promise<void>
  /** Adds a line of our own. */
  remark(text: string): void
  /** From now on everything is text and goes to the file as it comes. Rejects when there can't be one. */
  openFile(): Promise<void>
  /** Nothing more comes: what is left is written, and the file closed. An image, if wanted, is not part of the text. */
  finish(wanted?: { image: boolean }): Promise<OutputImage | 'too large' | undefined>
  /** At most `limit` characters of it; a note says what is left out, and where it is. */
  text(limit: number): string
  /** Characters so far. */
  readonly length: number
  readonly file: OutputFile | undefined
}

export function createCommandOutput(options: OutputOptions): CommandOutput {
  const filter = createSafeTextDecoder()
  const excerpt = createExcerpt(options.limit)
  const catcher = createOutputImageReader()
  let file: OutputFile | undefined
  let opening: Promise<void> | undefined

  const open = async (before: string) => {
    const created = await createOutputFile(await options.place())
    void created.write(before)
    await created.written()
    file = created
  }
  const add = (text: string): void | Promise<void> => {
    if (text === '') return
    options.onText(text)
    if (opening) {
      excerpt.add(text)
      if (file) return file.write(text)
      // While it is being opened: the order of these calls is the order of the writes.
      return opening.then(
        () => file?.write(text),
        () => undefined,
      )
    }
    if (excerpt.length + text.length <= options.limit) return excerpt.add(text)
    // The last moment at which all of it is in memory.
    opening = open((excerpt.whole() ?? '') + text)
    excerpt.add(text)
    return opening.catch(() => undefined)
  }
  const addAll = (chunks: readonly Uint8Array[]) => chunks.map((chunk) => add(filter.take(chunk))).at(-1)

  return {
    take: (chunk) => addAll(catcher.take(chunk)),
    remark: (text) => void add(`${text}\n`),
    openFile() {
      void addAll(catcher.release())
      opening ??= open(excerpt.whole() ?? '')
      return opening
    },
    async finish(wanted = { image: false }) {
      const image = wanted.image ? catcher.image() : undefined
      if (!image) await addAll(catcher.release())
      await add(filter.rest())
      await opening?.catch(() => undefined)
      await file?.close()
      return image
    },
    text: (limit) => excerpt.text(limit, (leftOut) => `[… ${leftOut} characters left out${whereAll(file)} …]`),
    get length() {
      return excerpt.length
    },
    get file() {
      return file
    },
  }
}

function whereAll(file: OutputFile | undefined): string {
  if (!file) return ''
  if (file.incomplete === 'full') return `; the first ${file.size} bytes of the output are in ${file.path}`
  if (file.incomplete) return `; as much as could be written (${file.incomplete}) is in ${file.path}`
  return `; the whole output, ${file.size} bytes, is in ${file.path}`
}
