import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { KNOWN_MODEL_IDS } from '../model/model-facts.js'
import { doctorCommand } from './doctor/doctor.js'
import { listModelsCommand } from './models-command.js'
import { openTestTerminal, type TestTerminal } from './test-terminal.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())
const models = (...args: string[]) => terminal.hear(() => listModelsCommand(args))

describe('kedge models without a key', () => {
  it('lists what is built in, and says why', async () => {
    const { value, stdout, stderr } = await models()
    assert.equal(value, 0)
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0])
    assert.deepEqual(ids, [...KNOWN_MODEL_IDS])
    assert.match(stderr, /^\(built-in list: .*\)\n$/)
  })

  it('lists it for programs with the reason inside', async () => {
    const { value, stdout, stderr } = await models('--json')
    assert.deepEqual([value, stderr], [0, ''])
    const { source, problem, models: found } = JSON.parse(stdout)
    assert.equal(source, 'built-in')
    assert.ok(problem.length > 0)
    assert.equal(found.length, KNOWN_MODEL_IDS.length)
  })

  it('finds one by its name, and no other', async () => {
    const [first = ''] = KNOWN_MODEL_IDS
    const known = await models(first)
    assert.equal(known.value, 0)
    assert.ok(known.stdout.startsWith(`${first}\n`))
    const unknown = await models('no-such-model')
    assert.deepEqual([unknown.value, unknown.stdout], [1, ''])
    assert.notEqual(unknown.stderr, '')
  })

  for (const args of [['--all'], ['a', 'b'], ['--json', '-x']]) {
    it(`does not understand ${args.join(' ')}`, async () => {
      const { value, stdout, stderr } = await models(...args)
      assert.deepEqual([value, stdout], [1, ''])
      assert.match(
        stderr,
        /^error: (?:unknown option '--?\w+'|kedge models doesn't take 'b'\.)\n[\s\S]*Run `kedge models --help` for details\.\n$/,
      )
    })
  }
})

describe('kedge models of other services', () => {
  let server: Server
  const asked: string[] = []
  beforeEach(async () => {
    asked.length = 0
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${request.headers['x-team']}`)
      const data = [
        ...[
          { id: 'writer-2', context_length: 200_000 },
          { id: 'tiny', max_model_len: 8192 },
        ],
        ...[{ id: 'local', meta: { n_ctx_train: 4096 } }, { id: 'models/secretive' }, { object: 'nameless' }],
      ]
      response.statusCode = request.headers.authorization === 'Bearer work-key-0123456789' ? 200 : 401
      response.end(JSON.stringify(response.statusCode === 200 ? { object: 'list', data } : { error: {} }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const work = { baseUrl, apiKeyEnv: 'WORK_KEY', headers: { 'x-team': 'platform' } }
    terminal.write('home/.claude/settings.json', { modelProviders: { work } })
    process.env['WORK_KEY'] = 'work-key-0123456789'
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('lists what a service has, as it can be asked for, with what each reads', async () => {
    assert.deepEqual(await models('work'), {
      value: 0,
      stderr: '',
      stdout: [
        ...['work/writer-2   reads 200000 tokens', 'work/tiny       reads 8192 tokens'],
        ...['work/local      reads 4096 tokens', 'work/secretive', ''],
      ].join('\n'),
    })
    assert.deepEqual(asked, ['GET /v1/models Bearer work-key-0123456789 platform'])
    assert.equal((await models('work/tiny')).stdout, 'work/tiny  reads 8192 tokens\n')
    const missing = await models('work/none')
    assert.deepEqual([missing.value, missing.stdout, missing.stderr], [1, '', 'There is no model work/none.\n'])
  })

  it('has them beside all others, and for programs', async () => {
    const { stdout } = await models()
    assert.match(stdout, /^claude-.*\nwork\/writer-2 /ms)
    const { services } = JSON.parse((await models('--json')).stdout)
    assert.deepEqual([services[0].service, services[0].models[1]], ['work', { id: 'work/tiny', contextWindow: 8192 }])
  })

  it('says what is wrong without the key, and asks nobody whose key happens to be set', async () => {
    process.env['WORK_KEY'] = 'wrong-key-0123456789'
    process.env['OPENAI_API_KEY'] = 'sk-for-something-else'
    const { value, stderr } = await models('work')
    assert.equal(value, 1)
    assert.match(stderr, /^\(work: http:\/\/127\.0\.0\.1:\d+ answered with status 401\)\n$/)
    const { services } = JSON.parse((await models('--json')).stdout)
    assert.deepEqual(
      services.map(({ service }: { service: string }) => service),
      ['work'],
    )
  })

  it('doctor looks at each: its key, its address, its models', async () => {
    const found = async () => {
      const { stdout } = await terminal.hear(() => doctorCommand(['--json']))
      const { checks } = JSON.parse(stdout)
      return checks.filter(({ check }: { check: string }) => check === 'service')
    }
    const [one] = await found()
    assert.equal(one.state, 'ok')
    assert.match(one.text, /^work: http:\/\/127\.0\.0\.1:\d+ has 4 models, key of WORK_KEY$/)
    process.env['WORK_KEY'] = 'wrong-key-0123456789'
    const [refused] = await found()
    assert.deepEqual([refused.state, refused.fix], ['fail', 'set WORK_KEY to a valid key of work'])
    assert.ok(!JSON.stringify(refused).includes('wrong-key'))
    process.env['ANTHROPIC_MODEL'] = 'openai/gpt-5'
    const [, unset] = await found()
    assert.deepEqual([unset.state, unset.fix], ['fail', 'set OPENAI_API_KEY'])
  })
})

describe('kedge models with an API', () => {
  let server: Server
  const asked: string[] = []
  beforeEach(async () => {
    asked.length = 0
    const one = (id: string) => ({
      type: 'model',
      id,
      display_name: id.toUpperCase(),
      created_at: '2026-01-01T00:00:00Z',
    })
    server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['x-api-key']}`)
      const url = new URL(request.url ?? '', 'http://x')
      const id = url.pathname.split('/')[3]
      const isKnown = id === undefined || id === 'short'
      response.statusCode = isKnown ? 200 : 404
      const list = { data: [one('short'), one('much-longer')], has_more: false }
      const error = { type: 'error', error: { type: 'not_found_error', message: `model: ${id}` } }
      response.end(JSON.stringify(isKnown ? (id ? one(id) : list) : error))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.env.ANTHROPIC_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    process.env.ANTHROPIC_API_KEY = 'sk-ant-made-up'
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('lists what the API has, in columns', async () => {
    assert.deepEqual(await models(), {
      value: 0,
      stderr: '',
      stdout: 'short        SHORT\nmuch-longer  MUCH-LONGER\n',
    })
    assert.deepEqual(asked, ['/v1/models?beta=true&limit=100 sk-ant-made-up'])
  })

  it('shows one, also for programs', async () => {
    assert.equal((await models('short')).stdout, 'short  SHORT\n')
    const { stdout } = await models('short', '--json')
    assert.deepEqual(JSON.parse(stdout), { id: 'short', displayName: 'SHORT', createdAt: '2026-01-01T00:00:00Z' })
  })

  it('says that there is none of that name', async () => {
    const { value, stdout, stderr } = await models('a/../b')
    assert.deepEqual([value, stdout], [1, ''])
    assert.notEqual(stderr, '')
    assert.deepEqual(asked, ['/v1/models/a%2F..%2Fb?beta=true sk-ant-made-up'])
  })
})
