/** The web app as the place in which its parts are shown. */
import { signal } from '@preact/signals'
import { messageOf } from '../../src/protocol/thrown.js'
import { me, removeAskFromList, sessions } from './all-sessions.js'
import { toast } from './notifications.js'
import { createOutboxSignal } from './outbox.js'
import type { PageScope } from './page-scope.js'
import { toSessionLink } from './route.js'
import { serverClient } from './server.js'
import { store, stored } from './stored.js'

export const appScope: PageScope = {
  client: serverClient,
  root: document,
  drafts: { read: stored, write: store },
  me,
  outbox: createOutboxSignal(serverClient),
  unfolded: signal(new Map()),
  sessionOf: (id) => sessions.value.get(id),
  linkToAsk: ({ session, id }) => toSessionLink(session, `?ask=${id}`),
  toast: (text) => toast(text),
  fail: (problem) => toast(messageOf(problem), { isError: true }),
  answer: (ask, answer) => serverClient.answer(ask.session, ask, answer),
  onClosed: ({ id }) => removeAskFromList(id),
}
