/** A page with React as a product might have one: sessions, a conversation, and what waits for an answer. */
import { createClient, type ViewItem } from 'kedge/client'
import { KedgeProvider, useRequests, useSession, useSessions } from 'kedge/react'
import { createElement as h, memo, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A memoized component is drawn again only if the item is another object. */
const Row = memo(({ item }: { item: ViewItem }) => {
  if (item.kind === 'text') return h('article', { 'data-live': item.isLive }, item.text)
  if (item.kind === 'tool') return h('article', null, `${item.name} ${item.state}`)
  return item.kind === 'prompt' ? h('article', null, `> ${String(item.content)}`) : null
})

function Conversation({ id }: { id: string }) {
  const { items, status, connection, isReady, send, interrupt, close } = useSession(id)
  const [text, setText] = useState('')
  return h(
    'main',
    { 'aria-busy': !isReady },
    h('p', { role: 'status' }, `${status ?? 'loading'}, ${connection}`),
    items.map((item) => h(Row, { key: item.key, item })),
    h('input', { 'aria-label': 'Prompt', value: text, onChange: (event) => setText(event.currentTarget.value) }),
    h('button', { type: 'button', onClick: () => void send(text) }, 'Send'),
    h('button', { type: 'button', onClick: () => void interrupt() }, 'Stop'),
    h('button', { type: 'button', onClick: () => void close() }, 'Close'),
  )
}

function Inbox() {
  const { requests, answer } = useRequests()
  const buttons = requests.map((request) =>
    h(
      'button',
      { type: 'button', key: request.id, onClick: () => void answer(request, { kind: 'allow' }) },
      `Allow ${request.tool?.name}`,
    ),
  )
  return h('aside', { 'aria-label': 'Inbox' }, buttons)
}

function Sessions() {
  const { sessions, create } = useSessions()
  const [shown, show] = useState<string | undefined>(undefined)
  const begin = async () => show((await create({ cwd: given('cwd'), title: 'New' })).id)
  const choices = sessions.map(({ id, title, status, asks }) =>
    h('li', { key: id }, h('button', { type: 'button', onClick: () => show(id) }, `${title}: ${status}, ${asks}`)),
  )
  return h(
    'div',
    null,
    h('button', { type: 'button', onClick: () => void begin() }, 'New session'),
    h('ul', null, choices),
    h(Inbox),
    // Twice: both show one view.
    shown !== undefined && [1, 2].map((key) => h(Conversation, { key, id: shown })),
  )
}

const given = (name: string) => new URLSearchParams(location.search).get(name) ?? ''
const client = createClient({ token: given('token'), backoff: { firstMs: 20, longestMs: 200 } })
const place = document.querySelector('#root')
if (place) createRoot(place).render(h(StrictMode, null, h(KedgeProvider, { client }, h(Sessions))))
