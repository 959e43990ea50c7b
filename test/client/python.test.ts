/** The Python client against a real server: `clients/python`, run by the Python of the system. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Serving, serve, write } from '../server/serving.js'

const CLIENT = fileURLToPath(new URL('../../../clients/python', import.meta.url))
const isThere = spawnSync('python3', ['-c', 'from typing import NotRequired']).status === 0
const skip = isThere ? false : 'there is no Python 3.11 here'

/** Runs a program and returns what it printed. */
async function run(args: readonly string[], cwd?: string): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn('python3', args, { env, ...(cwd === undefined ? {} : { cwd }) })
  let [printed, problems] = ['', '']
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    problems += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, problems)
  return printed.split('\n').filter((line) => line !== '')
}

/** Runs a program that has `given`, and returns the values that it printed, one per line. */
async function python(source: string, values: Record<string, unknown> = {}): Promise<unknown[]> {
  const program = `import json, sys\ngiven = json.loads(sys.argv[1])\n${source}`
  return (await run(['-c', program, JSON.stringify(values)])).map((line) => JSON.parse(line))
}

const placeOf = ({ url, server, options }: Serving) => ({ url, token: server.token, cwd: options.cwd })
const START = `
from kedge_client import *
server = Kedge(given["url"], given["token"], retries=0)
def show(value): print(json.dumps(value), flush=True)
`

test('a prompt is streamed, its request answered, and its answer returned', { skip }, async () => {
  await using serving = await serve([write('hello.txt'), 'It is written.'])
  const shown = await python(
    `${START}
session = server.start(given["cwd"], title="From Python")
def decide(request):
    show([request["kind"], request["tool"]["name"], [each["id"] for each in server.open_requests()] == [request["id"]]])
    return {"kind": "allow"}
show(session.run("Write hello.txt", decide))
show([item["seq"] for item in server.read_log(session.id)["entries"]])
show(server.get_session(session.id)["title"])`,
    placeOf(serving),
  )
  const [request, answer, numbers, title] = shown
  assert.deepEqual(request, ['permission', 'Write', true])
  assert.equal(answer, 'It is written.')
  assert.ok(Array.isArray(numbers) && numbers.length > 5)
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
  assert.equal(title, 'From Python')
  assert.equal(readFileSync(join(serving.options.cwd, 'hello.txt'), 'utf8'), 'new\n')
})

test('a request that somebody else answered, a denial, and a turn that fails are told apart', { skip }, async () => {
  await using serving = await serve([write('a.txt'), 'Then not.', { status: 400 }])
  const shown = await python(
    `${START}
session = server.start(given["cwd"])
def decide(request):
    show(server.answer(request, {"kind": "deny", "message": "no"}))
    show(server.answer(request, {"kind": "allow"}))
show(session.run("Write a.txt", decide))
try:
    session.run("Again")
except TurnFailedError as error:
    show([error.code, error.result["subtype"]])`,
    placeOf(serving),
  )
  assert.deepEqual(shown.slice(0, 3), [true, false, 'Then not.'])
  assert.equal((shown[3] as string[])[0], 'turn_failed')
  assert.ok(!existsSync(join(serving.options.cwd, 'a.txt')))
})

test('a stream that is cut again and again has no gap', { skip }, async () => {
  let cuts = 0
  let target = 0
  const relay = createTcpServer((caller) => {
    const called = connect(target, '127.0.0.1')
    const end = () => {
      caller.destroy()
      called.destroy()
    }
    let isStream = false
    caller.on('data', (chunk) => {
      isStream ||= chunk.includes('/events')
      called.write(chunk)
    })
    called.on('data', (chunk) => {
      // Half of it, then the connection is lost: five times.
      if (isStream && chunk.includes('data:') && cuts < 5) {
        cuts += 1
        caller.end(chunk.subarray(0, chunk.length / 2))
        return void called.destroy()
      }
      caller.write(chunk)
    })
    for (const socket of [caller, called]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  try {
    const steps = [...Array(6)].map((_, n) => `Answer ${n}.`)
    await using serving = await serve(steps, { allowHosts: [host] })
    target = Number(new URL(serving.url).port)
    const session = await serving.begin()
    const reading = python(
      `${START}
seen = []
for item in server.session(given["session"]).follow(deltas=False):
    seen.append(item["seq"])
    if item["kind"] == "prompt" and item["data"]["change"] == "done" and item["data"]["id"] == "p5":
        break
show(seen)`,
      { ...placeOf(serving), url: `http://${host}`, session },
    )
    for (let n = 0; n < 6; n++) await serving.send(session, `p${n}`)
    const [seen] = (await reading) as [number[]]
    assert.deepEqual(
      seen,
      seen.map((_, n) => n + 1),
    )
    assert.equal(cuts, 5)
  } finally {
    relay.close()
  }
})

test('errors are typed and say what to do; no token follows a redirect', { skip }, async () => {
  await using serving = await serve([])
  const tokens: unknown[] = []
  const other = createServer((request, response) => {
    if (request.url?.startsWith('/elsewhere')) tokens.push(request.headers.authorization)
    if (request.url?.startsWith('/page/')) response.end('<html>')
    else response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const stranger = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const closed = createTcpServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const nobody = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
  await new Promise((resolve) => closed.close(resolve))
  try {
    const shown = await python(
      `${START}
missing = "5e1f0000-0000-4000-8000-000000000000"
def tried(work):
    try:
        work()
    except KedgeError as error:
        show([type(error).__name__, error.code, error.status, error.fix != "" and error.fix in str(error)])
tried(lambda: Kedge(given["url"], "not-the-token-of-it").list_sessions())
tried(lambda: server.get_session(missing))
tried(lambda: next(server.session(missing).follow()))
tried(lambda: server.create_session(cwd="relative"))
tried(lambda: Kedge(given["nobody"], "a", retries=1).list_sessions())
tried(lambda: Kedge(given["stranger"], "a").list_sessions())
tried(lambda: Kedge(given["stranger"] + "/page", "a").list_sessions())
for bad in ["127.0.0.1:1", "http://token@host", "ftp://host"]:
    try:
        Kedge(bad)
    except ValueError as error:
        show(str(error) != "")
try:
    server.get_session("..")
except ValueError as error:
    show(str(error))`,
      { ...placeOf(serving), stranger, nobody },
    )
    assert.deepEqual(shown, [
      ['UnauthorizedError', 'unauthorized', 401, true],
      ['NotFoundError', 'session_not_found', 404, true],
      ['NotFoundError', 'session_not_found', 404, true],
      ['InvalidRequestError', 'invalid_folder', 400, true],
      ['ServerUnreachableError', 'server_unreachable', 0, true],
      ['IncompatibleServerError', 'server_incompatible', 307, true],
      ['IncompatibleServerError', 'server_incompatible', 200, true],
      true,
      true,
      true,
      "'..' can't be a session",
    ])
    assert.deepEqual(tokens, [])
  } finally {
    other.close()
  }
})

test('the program of the README runs as it is, in the folder of the server', { skip }, async () => {
  await using serving = await serve([write('hello.txt'), 'It is written.'])
  const page = readFileSync(join(CLIENT, 'README.md'), 'utf8')
  const program = /```python\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? ''
  const line = /^KEDGE_SERVER_TOKEN=(\S+) npx kedge serve --model practice$/m.exec(page)
  assert.ok(line?.[1] && program.includes(`"http://127.0.0.1:4141", token="${line[1]}"`))
  const own = program.replace('http://127.0.0.1:4141', serving.url).replace(line[1], serving.server.token)
  const [asked = '', answer] = await run(['-c', own], serving.options.cwd)
  assert.match(asked, /^asks for Write \{.*hello\.txt/)
  assert.equal(answer, 'It is written.')
  assert.equal(readFileSync(join(serving.options.cwd, 'hello.txt'), 'utf8'), 'new\n')
})
