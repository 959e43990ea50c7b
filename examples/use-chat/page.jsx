/** A chat as the AI SDK's documentation has it: nothing in this file knows of Kedge. */
import { useChat } from '@ai-sdk/react'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Part({ part, answer }) {
  switch (part.type) {
    case 'text':
      return <p>{part.text}</p>
    case 'reasoning':
      return <details>{part.text}</details>
    case 'dynamic-tool':
      return (
        <section aria-label={part.toolName}>
          <code>{part.toolName}</code> {part.state}
          {part.state === 'approval-requested' && (
            <>
              <pre>{JSON.stringify(part.input, null, 2)}</pre>
              <button type="button" onClick={() => answer({ id: part.approval.id, approved: true })}>
                Approve
              </button>
              <button type="button" onClick={() => answer({ id: part.approval.id, approved: false })}>
                Deny
              </button>
            </>
          )}
        </section>
      )
    default:
      return null
  }
}

function Chat({ id, initial }) {
  const [text, setText] = useState('')
  const { messages, sendMessage, addToolApprovalResponse, status, stop, error } = useChat({
    id,
    messages: initial,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const submit = (event) => {
    event.preventDefault()
    sendMessage({ text })
    setText('')
  }
  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} aria-label={message.role}>
          {message.parts.map((part, place) => (
            <Part key={part.toolCallId ?? place} part={part} answer={addToolApprovalResponse} />
          ))}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <p role="status">{status}</p>
      <form onSubmit={submit}>
        <input aria-label="Prompt" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <button type="submit">Send</button>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </form>
    </main>
  )
}

function App() {
  const [initial, setInitial] = useState()
  const id = location.hash.slice(1)
  useEffect(() => {
    fetch(`/api/chat/${id}`)
      .then((response) => response.json())
      .then(setInitial)
  }, [id])
  return initial && <Chat id={id} initial={initial} />
}

if (location.hash === '') location.hash = crypto.randomUUID()
createRoot(document.querySelector('#root')).render(<App />)
