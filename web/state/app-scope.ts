/** The web app as the place in which its parts are shown. */
import { signal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { closeAsk, me, sessions } from './all-sessions.js'
import { createOutboxSignal } from './outbox.js'
import type { PageScope } from './page-scope.js'
import { toSessionLink } from './route.js'
import { server } from './server.js'
import { store, stored } from './stored.js'
import { toast } from './toasts.js'

export const appScope: PageScope = {
  client: server,
  root: document,
  drafts: { read: stored, write: store },
  me,
  outbox: createOutboxSignal(server),
  unfolded: signal(new Map()),
  sessionOf: (id) => sessions.value.get(id),
  linkToAsk: ({ session, id }) => toSessionLink(session, `?ask=${id}`),
  toast: (text) => toast(text),
  fail: (problem) => toast(messageOf(problem), { isError: true }),
  answer: (ask, answer) => server.answer(ask.session, ask, answer),
  onClosed: ({ id }) => closeAsk(id),
}
