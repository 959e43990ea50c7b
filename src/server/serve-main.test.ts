import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readServeArguments } from './serve-main.js'

describe('kedge serve', () => {
  it('reads its command line', () => {
    const read = readServeArguments(
      [
        ...['--host', '::1', '--port', '0', '--root', '/a', '--root', '/b', '--model', 'practice'],
        ...['--allow-host', 'desk.example', '--allow-origin', 'https://desk.example', '--allow-remote'],
        ...['--ask-timeout', '60', '--drain-seconds', '5', '--max-body', '2000', '--trust'],
        ...[
          '--webhook',
          'https://a.example',
          '--webhook',
          'https://b.example',
          '--push-contact',
          'mailto:ada@example.com',
        ],
      ],
      {},
    )
    assert.deepEqual(read, {
      host: '::1',
      port: 0,
      roots: ['/a', '/b'],
      allowHosts: ['desk.example'],
      allowOrigins: ['https://desk.example'],
      allowRemote: true,
      askTimeoutMs: 60_000,
      drainSeconds: 5,
      maxBody: 2000,
      pushContact: 'mailto:ada@example.com',
      webhooks: ['https://a.example', 'https://b.example'],
      options: { settingSources: ['user', 'project', 'local'], model: 'practice', untrusted: false },
    })
  })

  it('the token comes from --token, else from KEDGE_SERVER_TOKEN', () => {
    const tokenOf = (args: string[], env: NodeJS.ProcessEnv) => {
      const read = readServeArguments(args, env)
      return 'text' in read ? read.text : read.token
    }
    const env = { KEDGE_SERVER_TOKEN: 'from-the-environment' }
    assert.equal(tokenOf([], env), 'from-the-environment')
    assert.equal(tokenOf(['--token', 'from-the-flag'], env), 'from-the-flag')
    assert.equal(tokenOf([], {}), undefined)
  })

  it("the database comes from --database, else from KEDGE_DATABASE; what is the worker's is refused", () => {
    const placeOf = (args: string[], env: NodeJS.ProcessEnv) => {
      const read = readServeArguments(args, env)
      return 'text' in read ? read.text : read.cluster
    }
    const env = { KEDGE_DATABASE: 'postgres://here/kedge' }
    assert.deepEqual(placeOf([], env), { database: 'postgres://here/kedge', tenant: 'default', app: '' })
    assert.deepEqual(placeOf(['--database', 'embedded', '--tenant', 'acme', '--app', 'support'], env), {
      database: 'embedded',
      tenant: 'acme',
      app: 'support',
    })
    assert.equal(placeOf([], {}), undefined)
    assert.match(
      String(placeOf(['--model', 'practice'], env)),
      /^error: With a database, workers run the sessions. Pass --model, --trust and --ask-timeout to `kedge worker`\.\n/,
    )
    assert.match(
      String(placeOf(['--tenant', 'acme'], {})),
      /^error: --tenant and --app need --database or KEDGE_DATABASE\.\n/,
    )
  })

  it('says what is wrong', () => {
    for (const [args, wrong] of [
      [['--port', '70000'], /--port must be between 0 and 65535, got 70000\./],
      [['--drain-seconds', '-1'], /drain-seconds/],
      [['--ask-timeout', '0'], /--ask-timeout must be between 1 and 31536000, got 0\./],
      [['--max-body', '12'], /--max-body must be between 1000 and 1000000000, got 12\./],
      [['folder'], /kedge serve doesn't take 'folder'/],
      [['--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
      [['--help'], /^Usage: kedge serve \[options\]\n/],
    ] as const) {
      const read = readServeArguments([...args], {})
      assert.match('text' in read ? read.text : '', wrong)
    }
  })
})
