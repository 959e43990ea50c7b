/** Beside the conversation: a question with an answer that is kept nowhere (`/btw`), and what a reload changed (`/reload`). */
import { type Signal, useSignal } from '@preact/signals'
import { type PageScope, usePageScope } from '../state/page-scope.js'
import { T } from '../texts.js'
import { Icon } from './icons.js'
import { MarkdownText } from './markdown-text.js'

type AsideContent = { title: string; answer?: string }

export function useAside(id: string) {
  const scope = usePageScope()
  const content = useSignal<AsideContent | undefined>(undefined)
  /** Whether the text is such a command, which has been run then. */
  const run = (text: string): boolean => {
    const [, question] = /^\/btw\s+(\S[\s\S]*)$/.exec(text) ?? []
    if (question === undefined && text !== '/reload') return false
    const title = question ?? T.reload
    content.value = { title }
    const answered = question === undefined ? reload(scope, id) : ask(scope, id, question)
    answered
      .then((answer) => {
        if (content.value?.title === title) content.value = { title, answer }
      })
      .catch((error) => {
        content.value = undefined
        scope.fail(error)
      })
    return true
  }
  return { content, run }
}

async function ask({ client }: PageScope, id: string, question: string): Promise<string> {
  return (await client.askAside(id, question)).answer
}

async function reload({ client }: PageScope, id: string): Promise<string> {
  const { changes, problems } = await client.reload(id)
  return [...(changes.length === 0 ? [T.nothingChanged] : changes), ...problems].map((line) => `- ${line}`).join('\n')
}

export function Aside({ content }: { content: Signal<AsideContent | undefined> }) {
  if (!content.value) return null
  const { title, answer } = content.value
  return (
    <section class="aside" aria-label={T.aside}>
      <header>
        <strong dir="auto">{title}</strong>
        <button type="button" class="plain" aria-label={T.dismiss} onClick={() => (content.value = undefined)}>
          <Icon name="close" />
        </button>
      </header>
      <div role="status">{answer === undefined ? T.asking : <MarkdownText text={answer} />}</div>
    </section>
  )
}
