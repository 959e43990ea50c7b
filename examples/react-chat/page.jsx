/** One session as a chat: what the agent says and does, and its requests with two buttons. */
import { createClient } from 'kedge/client'
import { KedgeProvider, useSession, useSessions } from 'kedge/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

function Row({ item, answer }) {
  switch (item.kind) {
    case 'prompt':
      return <p className="prompt">{String(item.content)}</p>
    case 'text':
      return <p>{item.text}</p>
    case 'tool':
      return (
        <p>
          <code>{item.name}</code> {item.state}
        </p>
      )
    case 'notice':
      return <p role="status">{item.text}</p>
    case 'request':
      return item.closed ? null : <Request request={item.ask} answer={answer} />
    default:
      return null
  }
}

function Request({ request, answer }) {
  return (
    <section aria-label="Permission request">
      <p>{request.why.text}</p>
      <pre>{JSON.stringify(request.tool?.input, null, 2)}</pre>
      <button type="button" onClick={() => answer(request, { kind: 'allow' })}>
        Allow once
      </button>
      <button type="button" onClick={() => answer(request, { kind: 'deny' })}>
        Deny
      </button>
    </section>
  )
}

function Chat({ id }) {
  const { items, status, connection, send, answer, interrupt } = useSession(id)
  const [text, setText] = useState('')
  const submit = async (event) => {
    event.preventDefault()
    await send(text)
    setText('')
  }
  return (
    <main>
      {items.map((item) => (
        <Row key={item.key} item={item} answer={answer} />
      ))}
      <p role="status">{connection === 'live' ? status : 'Connecting…'}</p>
      <form onSubmit={submit}>
        <input aria-label="Prompt" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <button type="submit">Send</button>
        {status === 'running' && (
          <button type="button" onClick={() => interrupt()}>
            Stop
          </button>
        )}
      </form>
    </main>
  )
}

function App() {
  const { sessions, create, isReady } = useSessions()
  const [id, setId] = useState()
  const begin = async () => {
    const cwd = await (await fetch('/cwd')).text()
    setId((await create({ cwd, title: 'Chat' })).id)
  }
  if (id !== undefined) return <Chat id={id} />
  return (
    <nav>
      <button type="button" disabled={!isReady} onClick={begin}>
        New chat
      </button>
      {sessions.map((session) => (
        <button type="button" key={session.id} onClick={() => setId(session.id)}>
          {session.title ?? session.id}
        </button>
      ))}
    </nav>
  )
}

createRoot(document.querySelector('#root')).render(
  <KedgeProvider client={createClient()}>
    <App />
  </KedgeProvider>,
)
