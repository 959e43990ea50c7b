/** What is loaded once the prompt is there: sessions, the conversation, and the questions before the first prompt. */
import { createHub } from '../hub/create-hub.js'
import type { LocalHub } from '../hub/sessions.js'
import { messageOf } from '../protocol/thrown.js'
import type { EarlyTerminalParts, LoadTerminalPart } from './front/early-terminal.js'
import type { TerminalArguments } from './front/session-arguments.js'
import { nodeMachine } from './machine/node-machine.js'
import { runPlainConversation } from './plain/plain-conversation.js'
import { TerminalSession } from './session/terminal-conversation.js'
import { resolveAttachTarget } from './sessions/attach-target.js'
import { createHubBackend } from './sessions/hub-backend.js'
import { createServerBackend } from './sessions/server-backend.js'
import type { SessionBackend, SessionClient } from './sessions/session-client.js'
import { openFirstSession } from './setup/open-first-session.js'
import { setUpModelAccess } from './setup/set-up-model-access.js'
import { shareSession } from './setup/share-session.js'

type Prepared = { backend: SessionBackend; hub: LocalHub | undefined; wanted: string | undefined }

export async function runTerminalConversation(
  front: EarlyTerminalParts,
  args: TerminalArguments,
  load: LoadTerminalPart,
): Promise<number> {
  const { terminal, region, editor, decoder, styles, submitted } = front
  const machine = nodeMachine({ env: process.env, program: process.argv[1] ?? '' })
  const cwd = process.cwd()
  const { backend, hub, wanted } = await prepared(args)
  const conversation = new TerminalSession({
    terminal,
    region,
    editor,
    decoder,
    styles,
    backend,
    machine,
    cwd,
    settings: args.settings,
    ...(hub ? { serve: (client: SessionClient) => shareSession(hub, client, load) } : {}),
  })
  conversation.listen()
  conversation.takeTyped(submitted)
  if (args.prompt !== '') conversation.takeTyped([{ text: args.prompt, images: [] }])
  void begin(conversation, args, cwd, wanted).catch((error: unknown) => {
    conversation.failure = messageOf(error)
    conversation.leave()
  })
  front.leave = (code) => conversation.leave(code)
  const code = await conversation.left
  const { client, failure, hasSent } = conversation
  terminal.leave()
  if (failure !== undefined) terminal.write(`${styles.red(failure)}\n`)
  else if (client && hasSent && !backend.isRemote)
    terminal.write(`${styles.dim('To come back:')} kedge --resume ${client.id}\n`)
  if (client && !hasSent) await backend.forget(client.id).catch(() => {})
  await backend.end().catch(() => {})
  return failure === undefined ? code : 1
}

async function begin(
  conversation: TerminalSession,
  args: TerminalArguments,
  cwd: string,
  wanted: string | undefined,
): Promise<void> {
  if (!conversation.backend.isRemote) await setUpModelAccess(conversation)
  await openFirstSession(conversation, args, cwd, wanted)
  if (args.isServed && conversation.serve) conversation.screen.notice('notice', await conversation.serve())
}

export async function runPlainTerminal(args: TerminalArguments, load: LoadTerminalPart): Promise<number> {
  const machine = nodeMachine({ env: process.env, program: process.argv[1] ?? '' })
  const { backend, hub, wanted } = await prepared(args)
  const serve = hub && ((client: SessionClient) => shareSession(hub, client, load))
  const code = await runPlainConversation({
    args,
    backend,
    machine,
    wanted,
    cwd: process.cwd(),
    ...(serve ? { serve } : {}),
  })
  await backend.end().catch(() => {})
  return code
}

async function prepared({ attach }: TerminalArguments): Promise<Prepared> {
  if (attach) {
    const { place, session } = resolveAttachTarget(attach, process.env)
    return { backend: createServerBackend(place), hub: undefined, wanted: session }
  }
  const hub = createHub()
  const { tailOf } = nodeMachine({ env: process.env, program: '' })
  return { backend: createHubBackend({ hub, tailOf }), hub, wanted: undefined }
}
