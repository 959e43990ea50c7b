import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { readWorkerArguments, workerLogLine } from './worker-main.js'

const AT = ['--database', 'postgres://ada@db.example/kedge']
const read = (...args: string[]) => readWorkerArguments([...AT, ...args], {})
const textOf = (found: ReturnType<typeof read>) => ('text' in found ? found.text : '')
const problem = (...args: string[]) => textOf(read(...args))

describe('the command line of a worker', () => {
  it('every flag arrives as what it is', () => {
    const all = ['--app', 'a.mjs', '--app', 'b.mjs', '--root', '/home/ada', '--root', '/srv', '--files', 'files']
    const numbers = ['--capacity', '7', '--per-tenant', '3', '--requests-per-minute', '90', '--connections', '4']
    const seconds = ['--warm-seconds', '0', '--ask-timeout', '60', '--silent-seconds', '9', '--drain-seconds', '0']
    const probe = ['--port', '9000', '--host', '0.0.0.0', '--log-format', 'json']
    const rest = ['--machine', 'one', '--model', 'practice', '--trust', ...probe]
    assert.deepEqual(read(...all, ...numbers, ...seconds, ...rest), {
      database: AT[1],
      appFiles: ['a.mjs', 'b.mjs'],
      roots: ['/home/ada', '/srv'],
      files: resolve('files'),
      capacity: 7,
      perTenant: 3,
      requestsPerMinute: 90,
      connections: 4,
      machine: 'one',
      warmMs: 0,
      askTimeoutMs: 60_000,
      silentMs: 9000,
      drainSeconds: 0,
      probe: { host: '0.0.0.0', port: 9000 },
      logFormat: 'json',
      options: { settingSources: ['user', 'project', 'local'], untrusted: false, model: 'practice' },
    })
  })

  it('without any: folders are not trusted, and what is not said is left to the worker', () => {
    assert.deepEqual(readWorkerArguments([], { KEDGE_DATABASE: 'embedded' }), {
      database: 'embedded',
      appFiles: [],
      roots: [],
      capacity: 50,
      perTenant: 20,
      connections: 10,
      drainSeconds: 30,
      logFormat: 'text',
      options: { settingSources: ['user', 'project', 'local'], untrusted: true },
    })
  })

  it('says which number is wrong and what it may be', () => {
    const ranges = [
      ...[['capacity', '1', '10000'] as const, ['per-tenant', '1', '100000'] as const],
      ...[['requests-per-minute', '1', '1000000'] as const, ['warm-seconds', '0', '86400'] as const],
      ...[['ask-timeout', '1', '31536000'] as const, ['drain-seconds', '0', '86400'] as const],
      ...[['silent-seconds', '2', '3600'] as const, ['connections', '2', '1000'] as const],
      ...[['port', '0', '65535'] as const],
    ]
    for (const [name, least, most] of ranges) {
      for (const given of [least, most]) assert.ok(!('text' in read(`--${name}=${given}`)), `${name} ${given}`)
      for (const given of [String(Number(most) + 1), String(Number(least) - 1), '', '1.5', '1e3', 'ten', '0x10', ' 5'])
        assert.ok(
          problem(`--${name}=${given}`).startsWith(`error: --${name} must be between ${least} and ${most}, got `),
          given,
        )
    }
  })

  it('writes its log as text or as one JSON object per line', () => {
    const error = new Error('two\nlines')
    assert.equal(workerLogLine('text', 'T', 'it failed', 'why'), 'T it failed: why\n')
    assert.deepEqual(workerLogLine('json', 'T', 'it failed', error).split('\n'), [
      '{"time":"T","level":"error","message":"it failed","error":"two\\nlines"}',
      '',
    ])
    assert.equal(workerLogLine('json', 'T', 'done'), '{"time":"T","level":"info","message":"done"}\n')
    // The error that ends the program is its message.
    assert.equal(workerLogLine('json', 'T', 'why', 'why'), '{"time":"T","level":"error","message":"why"}\n')
  })

  it('says what is unknown, missing or too much, and shows its help', () => {
    assert.match(problem('--capcity', '5'), /unknown option '--capcity'\n\(Did you mean --capacity\?\)/)
    assert.match(problem('now'), /kedge worker doesn't take 'now'/)
    assert.match(problem('--trust=yes'), /'--trust' takes no value/)
    assert.match(problem('--app'), /'--app <FILE>' argument missing/)
    assert.match(problem('--log-format', 'xml'), /'xml' is invalid. Allowed choices are text, json\./)
    assert.match(problem('--host', '0.0.0.0'), /^error: --host needs --port\.\n/)
    for (const env of [{}, { KEDGE_DATABASE: '' }])
      assert.match(textOf(readWorkerArguments([], env)), /^error: No database given. Use --database postgres:/)
    assert.match(textOf(readWorkerArguments(['--help'], {})), /--silent-seconds SECONDS/)
  })
})
