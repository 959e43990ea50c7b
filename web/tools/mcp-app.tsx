/**
 * The user interface that an MCP server has for a tool, in a frame of an opaque origin: it has no access to this page, its
 * cookies, or its storage. What it asks for goes to the server, where rules and users decide, or is asked here.
 */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ToolItem } from '../../src/view/view-items.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { usePageScope } from '../state/page-scope.js'
import { T } from '../texts.js'
import { type AppHost, createAppMessages } from './app-messages.js'

type Wish = { kind: 'link' | 'prompt'; text: string; decide(isWanted: boolean): void }
type OpenApp = { server: string; address: string }

const LOWEST = 60
const HIGHEST = 800

export function McpApp({ item, session }: { item: ToolItem; session: string }) {
  const { client, fail } = usePageScope()
  const app = useSignal<OpenApp | undefined>(undefined)
  useEffect(() => {
    const gone = new AbortController()
    const open = async () => {
      const apps = await client.mcpApps(session, { signal: gone.signal })
      const found = apps.find(({ tool }) => tool === item.name)
      if (!found) return
      const address = await client.openMcpApp(session, found, { signal: gone.signal })
      app.value = { server: found.server, address }
    }
    open().catch((error: unknown) => {
      if (!gone.signal.aborted) fail(error)
    })
    return () => gone.abort()
  }, [client, session, item.name])
  return app.value ? <AppFrame app={app.value} item={item} session={session} /> : null
}

function AppFrame({ app: { server, address }, item, session }: { app: OpenApp; item: ToolItem; session: string }) {
  const { client, fail } = usePageScope()
  const frame = useRef<HTMLIFrameElement>(null)
  const height = useSignal(200)
  const wish = useSignal<Wish | undefined>(undefined)
  useEffect(() => {
    const ask = (kind: Wish['kind'], text: string) =>
      new Promise<boolean>((resolve) => {
        // One at a time: a frame can't cover one question with the next.
        if (wish.value) resolve(false)
        else wish.value = { kind, text, decide: resolve }
      })
    const host: AppHost = {
      input: item.input,
      result: resultOf(item),
      theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
      callTool: async (tool, args) => ({ ...(await client.callMcpApp(session, { server, tool, arguments: args })) }),
      openLink: (url) => ask('link', url),
      async sendPrompt(text) {
        if (!(await ask('prompt', text))) return false
        await client.send(session, text).catch(fail)
        return true
      },
      resize(wanted) {
        height.value = Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(wanted)))
      },
    }
    // An opaque origin has no name, and only this frame's window gets it.
    const take = createAppMessages(host, (message) => frame.current?.contentWindow?.postMessage(message, '*'))
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) take(data)
    }
    addEventListener('message', listen)
    return () => {
      removeEventListener('message', listen)
      wish.value?.decide(false)
    }
  }, [client, session, server, item])
  const decide = (isWanted: boolean) => {
    wish.value?.decide(isWanted)
    wish.value = undefined
  }
  const name = toDisplaySafeLine(server, 100)
  return (
    <figure aria-label={T.appOf(name)}>
      <figcaption class="count">{T.appOf(name)}</figcaption>
      <iframe
        ref={frame}
        class="app-frame"
        title={T.appOf(name)}
        sandbox="allow-scripts allow-forms"
        referrerpolicy="no-referrer"
        height={height.value}
        src={address}
      />
      {wish.value && (
        <div class="app-wish" role="group" aria-label={T.appOf(name)}>
          <p>{wish.value.kind === 'link' ? T.appOpensLink(name) : T.appSendsPrompt(name)}</p>
          <p>{toDisplaySafeText(wish.value.text)}</p>
          {wish.value.kind === 'link' ? (
            <a
              class="button"
              href={wish.value.text}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => decide(true)}
            >
              {T.openLink}
            </a>
          ) : (
            <button type="button" onClick={() => decide(true)}>
              {T.sendPrompt}
            </button>
          )}{' '}
          <button type="button" onClick={() => decide(false)}>
            {T.dismiss}
          </button>
        </div>
      )}
    </figure>
  )
}

function resultOf({ result }: ToolItem): Record<string, unknown> {
  const { content = '', detail } = result ?? {}
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const fields = typeof detail === 'object' && detail !== null && 'structuredContent' in detail ? detail : undefined
  return { content: blocks, ...(fields ? { structuredContent: fields.structuredContent } : {}) }
}
