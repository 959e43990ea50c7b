/** Files that go with the next prompt: chosen, pasted, or dropped anywhere in the session. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icons.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { usePageScope } from '../state/page-scope.js'
import type { Attachment } from '../state/server-types.js'
import { T } from '../texts.js'
import { Picture } from '../tools/images.js'

const LARGEST = 10_000_000
const TAKEN = /^(image\/(png|jpeg|gif|webp)|application\/(pdf|json)|text\/.*)$/

/** Undefined for a file of a kind or size that can't be sent. */
export async function toAttachment(file: File): Promise<Attachment | undefined> {
  const mediaType = file.type || 'text/plain'
  if (!TAKEN.test(mediaType) || file.size > LARGEST) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return { name: file.name, mediaType, data: btoa(text) }
}

/** Returns whether files are held over the session now. */
export function useDroppedFiles(attach: (files: Iterable<File>) => unknown): boolean {
  const { root } = usePageScope()
  const isOver = useSignal(false)
  const latest = useRef(attach)
  latest.current = attach
  useEffect(() => {
    const over = (event: Event) => {
      if (!filesOf(event)) return
      event.preventDefault()
      isOver.value = true
    }
    const leave = (event: Event) => {
      if (!(event instanceof DragEvent) || event.relatedTarget === null) isOver.value = false
    }
    const drop = (event: Event) => {
      const files = filesOf(event)
      isOver.value = false
      if (!files) return
      event.preventDefault()
      latest.current(files)
    }
    const listeners = { dragover: over, dragleave: leave, drop }
    for (const [kind, listener] of Object.entries(listeners)) root.addEventListener(kind, listener)
    return () => {
      for (const [kind, listener] of Object.entries(listeners)) root.removeEventListener(kind, listener)
    }
  }, [root])
  return isOver.value
}

/** Text that is dragged inside of the page has none. */
function filesOf(event: Event): FileList | undefined {
  if (!(event instanceof DragEvent) || !event.dataTransfer?.types.includes('Files')) return undefined
  return event.dataTransfer.files
}

export function AttachedFiles({ files }: { files: Signal<readonly Attachment[]> }) {
  if (files.value.length === 0) return null
  return (
    <ul class="files" aria-label={T.attachments}>
      {files.value.map((file, at) => (
        <li key={`${at}${file.name}`}>
          {file.mediaType.startsWith('image/') && (
            <Picture kind={file.mediaType} data={file.data} className="thumbnail" alt="" />
          )}
          {toDisplaySafeLine(file.name, 40)}
          <button
            type="button"
            class="plain"
            aria-label={T.removeFile(toDisplaySafeLine(file.name))}
            onClick={() => {
              files.value = files.value.filter((one) => one !== file)
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
