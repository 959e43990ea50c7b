/** What is loaded once the prompt is there: sessions, the conversation, and the questions before the first prompt. */
import { createHub } from '../hub/create-hub.js'
import type { HubFace } from '../hub/hub-face.js'
import { messageOf } from '../protocol/thrown.js'
import { attachPlace } from './desk/attach-place.js'
import { sessionsOfHub } from './desk/hub-sessions.js'
import { remoteSessions } from './desk/server-sessions.js'
import type { SessionBackend, SessionClient } from './desk/session-client.js'
import type { Front, Load } from './front/front.js'
import type { FaceArguments } from './front/session-arguments.js'
import { nodeMachine } from './machine/node-machine.js'
import { runPlainConversation } from './plain/plain-conversation.js'
import { TerminalSession } from './session/terminal-conversation.js'
import { firstKey } from './setup/first-key.js'
import { openFirst } from './setup/open-first.js'
import { shareSession } from './setup/share-session.js'

type Prepared = { house: SessionBackend; hub: HubFace | undefined; wanted: string | undefined }

export async function converse(front: Front, args: FaceArguments, load: Load): Promise<number> {
  const { terminal, region, editor, decoder, styles, submitted } = front
  const machine = nodeMachine({ env: process.env, program: process.argv[1] ?? '' })
  const cwd = process.cwd()
  const { house, hub, wanted } = await prepared(args)
  const conversation = new TerminalSession({
    terminal,
    region,
    editor,
    decoder,
    styles,
    house,
    machine,
    cwd,
    settings: args.settings,
    ...(hub ? { serve: (desk: SessionClient) => shareSession(hub, desk, load) } : {}),
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
  const { desk, failure, hasSent } = conversation
  terminal.leave()
  if (failure !== undefined) terminal.write(`${styles.red(failure)}\n`)
  else if (desk && hasSent && !house.isRemote)
    terminal.write(`${styles.dim('To come back:')} kedge --resume ${desk.id}\n`)
  if (desk && !hasSent) await house.forget(desk.id).catch(() => {})
  await house.end().catch(() => {})
  return failure === undefined ? code : 1
}

async function begin(
  conversation: TerminalSession,
  args: FaceArguments,
  cwd: string,
  wanted: string | undefined,
): Promise<void> {
  if (!conversation.house.isRemote) await firstKey(conversation)
  await openFirst(conversation, args, cwd, wanted)
  if (args.isServed && conversation.serve) conversation.screen.notice('notice', await conversation.serve())
}

export async function talkPlainly(args: FaceArguments, load: Load): Promise<number> {
  const machine = nodeMachine({ env: process.env, program: process.argv[1] ?? '' })
  const { house, hub, wanted } = await prepared(args)
  const serve = hub && ((desk: SessionClient) => shareSession(hub, desk, load))
  const code = await runPlainConversation({
    args,
    house,
    machine,
    wanted,
    cwd: process.cwd(),
    ...(serve ? { serve } : {}),
  })
  await house.end().catch(() => {})
  return code
}

async function prepared({ attach }: FaceArguments): Promise<Prepared> {
  if (attach) {
    const { place, session } = attachPlace(attach, process.env)
    return { house: remoteSessions(place), hub: undefined, wanted: session }
  }
  const hub = createHub()
  const { tailOf } = nodeMachine({ env: process.env, program: '' })
  return { house: sessionsOfHub({ hub, tailOf }), hub, wanted: undefined }
}
