// An agent behind a web page: POST /ask streams messages as server-sent events. A call that needs approval is an event too, and waits
// for POST /decide. A browser that leaves ends the query. `fetch` plays the browser, a script the model.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { query } from 'kedge'
import { startModelServer, testOptions } from 'kedge/testing'

const run = (command) => ({ tools: [{ name: 'Bash', input: { command } }] })
const model = await startModelServer([run('mkdir safe'), run('mkdir danger'), 'One of the two.'])
const options = testOptions(model)
const waiting = new Map()

const web = createServer(async (request, response) => {
  const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''))
  if (request.url === '/decide') {
    waiting.get(body.id)?.(body.allow)
    return response.end()
  }
  const send = (event, data) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const canUseTool = async (tool, input, { toolUseID: id, signal }) => {
    send('permission', { id, tool, input })
    const allow = await new Promise((decide) => {
      waiting.set(id, decide)
      signal.addEventListener('abort', () => decide(false))
    })
    return allow ? { behavior: 'allow' } : { behavior: 'deny', message: 'The user said no.' }
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const asked = query({ prompt: body.prompt, options: { ...options, canUseTool } })
  response.on('close', () => asked.close())
  for await (const message of asked) send(message.type, message)
  response.end()
})
await new Promise((ready) => web.listen(0, '127.0.0.1', ready))

const url = `http://127.0.0.1:${web.address().port}`
const post = (path, data) => fetch(url + path, { method: 'POST', body: JSON.stringify(data) })
let text = ''
let answer
for await (const chunk of (await post('/ask', { prompt: 'Make folders.' })).body.pipeThrough(new TextDecoderStream())) {
  const events = (text + chunk).split('\n\n')
  text = events.pop()
  for (const [, name, data] of events.map((event) => /^event: (\w+)\ndata: (.*)$/s.exec(event))) {
    const { id, input, result } = JSON.parse(data)
    if (name === 'permission') await post('/decide', { id, allow: !input.command.includes('danger') })
    if (name === 'result') answer = result
  }
}
console.log(answer, [existsSync(join(options.cwd, 'safe')), existsSync(join(options.cwd, 'danger'))])
assert.equal(answer, 'One of the two.')
assert.deepEqual([existsSync(join(options.cwd, 'safe')), existsSync(join(options.cwd, 'danger'))], [true, false])
web.close()
await options[Symbol.asyncDispose]()
await model.close()
