// The server under test of `npm run conformance`: what the suite wants a server to have, made with the public API. Prints
// its address.
import { createSdkMcpServer, tool } from '../../../dist/index.js'
import { createMcpHttpServer } from '../../../dist/server.js'
import { audio, form, image, inputRequired, prompts, resources, sleep, text } from './served-parts.mjs'

const none = { type: 'object', properties: {} }
const one = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const elicit = (message, properties, required) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, ...(required ? { required } : {}) } },
})
const sample = (prompt, maxTokens) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
})
const mixed = {
  uri: 'test://mixed-content-resource',
  mimeType: 'application/json',
  text: '{"test":"data","value":123}',
}
const embedded = {
  uri: 'test://embedded-resource',
  mimeType: 'text/plain',
  text: 'This is an embedded resource content.',
}

const contents = [
  ['test_simple_text', none, () => [text('This is a simple text response for testing.')]],
  ['test_image_content', none, () => [image]],
  ['test_audio_content', none, () => [audio]],
  ['test_embedded_resource', none, () => [{ type: 'resource', resource: embedded }]],
  [
    'test_multiple_content_types',
    none,
    () => [text('Multiple content types test:'), image, { type: 'resource', resource: mixed }],
  ],
  [
    'test_error_handling',
    none,
    () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  ],
  [
    'test_tool_with_logging',
    none,
    async (_args, context) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.sendNotification({ method: 'notifications/message', params: { level: 'info', data } })
        await sleep(50)
      }
      return [text('logged')]
    },
  ],
  [
    'test_tool_with_progress',
    none,
    async (_args, context) => {
      for (const done of [0, 50, 100]) {
        await context.reportProgress(done, 100)
        await sleep(50)
      }
      return [text('done')]
    },
  ],
  [
    'test_sampling',
    one('prompt'),
    async ({ prompt }, context) => {
      const { content } = await context.sendRequest(sample(prompt, 100))
      return [text(`LLM response: ${content.text}`)]
    },
  ],
  [
    'test_elicitation',
    one('message'),
    async ({ message }, context) => {
      const fields = { username: { type: 'string' }, email: { type: 'string' } }
      const answer = await context.sendRequest(elicit(message, fields, ['username', 'email']))
      return [text(`User response: ${JSON.stringify(answer)}`)]
    },
  ],
  ['test_elicitation_sep1034_defaults', none, (_args, context) => form(context, elicit('Defaults', form.defaults))],
  ['test_elicitation_sep1330_enums', none, (_args, context) => form(context, elicit('Choices', form.enums))],
  [
    'test_logging_tool',
    none,
    async (_args, context) => {
      await context.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'a line' } })
      return [text('logged')]
    },
  ],
  [
    'test_trigger_tool_change',
    none,
    () => {
      if (!server.instance.removeTool('test_comes_and_goes')) server.instance.addTool(comesAndGoes)
      return [text('changed')]
    },
  ],
  [
    'test_trigger_prompt_change',
    none,
    () => {
      server.instance.notify({ method: 'notifications/prompts/list_changed' })
      return [text('changed')]
    },
  ],
].map(([name, schema, contentOf]) =>
  tool(name, `The suite calls ${name}.`, schema, async (args, context) => ({
    content: await contentOf(args, context),
  })),
)

const name = elicit('What is your name?', { name: { type: 'string' } }, ['name'])
const accepted = (context, key) => {
  const { action, content } = context.inputResponses?.[key] ?? {}
  return action === 'accept' && typeof content === 'object' ? content : undefined
}
/** Asks for what is missing, and keeps it on the client's side. */
const rounds = [
  ['test_input_required_result_elicitation', { user_name: name }],
  ['test_input_required_result_sampling', { capital_question: sample('What is the capital of France?', 100) }],
  ['test_input_required_result_list_roots', { client_roots: { method: 'roots/list', params: {} } }],
  [
    'test_input_required_result_request_state',
    { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    'confirming',
  ],
  [
    'test_input_required_result_multiple_inputs',
    {
      user_name: name,
      greeting: sample('Generate a greeting', 50),
      client_roots: { method: 'roots/list', params: {} },
    },
    'several',
  ],
  [
    'test_input_required_result_tampered_state',
    { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }, ['ok']) },
    'sealed',
  ],
  ['test_streaming_elicitation', { user_name: name }],
  ['test_missing_capability', { capital_question: sample('What is the capital of France?', 100) }],
].map(([title, wanted, state]) =>
  tool(title, `The suite calls ${title}.`, none, async (_args, context) => {
    const answers = context.inputResponses ?? {}
    const isWhole = Object.entries(wanted).every(([key, { method }]) =>
      method === 'elicitation/create' ? accepted(context, key) : key in answers,
    )
    if (!isWhole || context.requestState !== state) return inputRequired(wanted, state)
    const said = answers.user_name ? `Hello, ${answers.user_name.content.name}! ` : ''
    return { content: [text(`${said}${state ? 'state-ok ' : ''}${JSON.stringify(answers)}`)] }
  }),
)
const others = [
  tool('test_input_required_result_multi_round', 'Asks twice.', none, async (_args, context) => {
    const { requestState } = context
    const first = requestState === 'one' ? accepted(context, 'step1') : undefined
    if (first) {
      const color = elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color'])
      return inputRequired({ step2: color }, `two ${first.name}`)
    }
    const second = requestState?.startsWith('two ') ? accepted(context, 'step2') : undefined
    if (second) return { content: [text(`${requestState.slice(4)} likes ${second.color}`)] }
    return inputRequired({ step1: elicit('Step 1: What is your name?', { name: { type: 'string' } }, ['name']) }, 'one')
  }),
  tool('test_input_required_result_capabilities', 'Asks for what the client can do.', none, async (_args, context) => {
    const can = context._meta?.[CAPABILITIES] ?? {}
    const wanted = {
      ...(can.elicitation ? { user_name: name } : {}),
      ...(can.sampling ? { capital_question: sample('What is the capital of France?', 100) } : {}),
      ...(can.roots ? { client_roots: { method: 'roots/list', params: {} } } : {}),
    }
    const open = Object.keys(wanted).filter((key) => !(key in (context.inputResponses ?? {})))
    return open.length > 0 ? inputRequired(wanted) : { content: [text('nothing more to ask')] }
  }),
]
const comesAndGoes = tool('test_comes_and_goes', 'Is added and removed.', none, async () => ({
  content: [text('here')],
}))

const server = createSdkMcpServer({
  name: 'conformance',
  version: '1.0.0',
  tools: [...contents, ...rounds, ...others],
  requests: {
    ...resources,
    ...prompts({
      user_context: elicit('What context should the prompt use?', { context: { type: 'string' } }, ['context']),
    }),
    'completion/complete': () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }),
    'logging/setLevel': () => ({}),
  },
})
const served = createMcpHttpServer(server, { anonymous: true, onError: (error) => console.error(error) })
const { url } = await served.listen()
console.log(url)
process.once('SIGTERM', () => served.close().then(() => process.exit(0)))
