/** Notifications outside the web app: webhooks for programs, and push for browsers. */
import {
  choiceSchema,
  integerSchema,
  listSchema,
  longTextSchema,
  objectSchema,
  optionalSchema,
  responseObject,
  textSchema,
} from '../api/json-schemas.js'
import { defineOperation, type Operation } from '../api/operation.js'
import { HttpProblem } from '../api/problems.js'
import { PUSH_NOTICE_KINDS } from './session-notices.js'

const tag = 'Notices'
const kinds = optionalSchema(
  listSchema(choiceSchema(PUSH_NOTICE_KINDS), { minItems: 1, maxItems: PUSH_NOTICE_KINDS.length, uniqueItems: true }),
)
const webhook = {
  id: textSchema(),
  url: longTextSchema(),
  kinds: optionalSchema(listSchema(textSchema())),
  created: textSchema(),
}
const subscription = {
  id: textSchema(),
  endpoint: longTextSchema(),
  kinds: optionalSchema(listSchema(textSchema())),
  token: textSchema(),
  created: textSchema(),
}
const base64url = (maxLength: number) => textSchema({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+=*$' })

export const NOTIFY_OPERATIONS: Operation[] = [
  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Addresses that are told, and how that goes.',
    answer: responseObject({
      webhooks: listSchema(
        responseObject({
          ...webhook,
          after: integerSchema(),
          failures: integerSchema(),
          lastError: optionalSchema(longTextSchema()),
        }),
      ),
    }),
    run: async (_, { server }) => ({ webhooks: server.webhooks.list() }),
  }),
  defineOperation({
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    tag,
    scope: 'admin',
    summary: 'Tells an address from now on; what comes is signed with the secret, which is told this once.',
    body: objectSchema({ url: textSchema({ minLength: 1, maxLength: 2000 }), kinds }),
    answer: responseObject({ ...webhook, secret: textSchema() }),
    status: 201,
    run: ({ body }, { server }) => server.webhooks.add(body),
  }),
  defineOperation({
    id: 'removeWebhook',
    method: 'delete',
    path: '/v1/webhooks/{webhook}',
    tag,
    scope: 'admin',
    summary: 'Tells it nothing any more.',
    problems: ['webhook_not_found'],
    async run({ params }, { server }) {
      if (!server.webhooks.remove(params.webhook))
        throw new HttpProblem('webhook_not_found', 'There is no such webhook.')
    },
  }),
  defineOperation({
    id: 'getPushKey',
    method: 'get',
    path: '/v1/push/key',
    tag,
    scope: 'read',
    summary: 'The key a browser subscribes with (`applicationServerKey`).',
    answer: responseObject({ publicKey: textSchema() }),
    run: async (_, { server }) => ({ publicKey: server.push.publicKey }),
  }),
  defineOperation({
    id: 'listPush',
    method: 'get',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Your subscriptions; with the scope admin, those of all.',
    answer: responseObject({ subscriptions: listSchema(responseObject(subscription)) }),
    run: async (_, { server, caller }) => ({ subscriptions: server.push.list(caller) }),
  }),
  defineOperation({
    id: 'createPush',
    method: 'post',
    path: '/v1/push',
    tag,
    scope: 'read',
    summary: 'Takes the subscription of a browser, as `pushManager.subscribe()` gives it. It ends with the token.',
    body: objectSchema({
      endpoint: textSchema({ minLength: 1, maxLength: 2000 }),
      expirationTime: optionalSchema({ json: { type: ['number', 'null'] }, isOptional: false }),
      keys: objectSchema({ p256dh: base64url(100), auth: base64url(40) }),
      kinds,
    }),
    answer: responseObject(subscription),
    status: 201,
    run: async ({ body: { endpoint, keys, kinds: wanted } }, { server, caller }) =>
      server.push.add(caller, { endpoint, keys, ...(wanted ? { kinds: wanted } : {}) }),
  }),
  defineOperation({
    id: 'removePush',
    method: 'delete',
    path: '/v1/push/{subscription}',
    tag,
    scope: 'read',
    summary: 'Tells that browser nothing any more.',
    problems: ['subscription_not_found'],
    async run({ params }, { server, caller }) {
      if (!server.push.remove(caller, params.subscription))
        throw new HttpProblem('subscription_not_found', 'There is no such subscription of yours.')
    },
  }),
]
