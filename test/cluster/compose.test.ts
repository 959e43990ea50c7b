/** The compose file: it agrees with the image, and its commands run a cluster on a PostgreSQL with the documented role. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.js'
import { callNode, DIST, openPlace, startProgram, TOKEN } from './programs.js'
import { stepModel } from './step-model.js'
import { programFolder, startSystemPostgres } from './system-postgres.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = join(ROOT, 'examples', 'cluster')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

type Service = {
  image: string
  build?: { context: string; dockerfile: string }
  command?: string[]
  environment?: Record<string, string | null>
  ports?: string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  restart?: string
  stop_grace_period?: string
}
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  read('examples/cluster/compose.yaml'),
  { merge: true },
)
const serviceOf = (name: string): Service => compose.services[name] ?? assert.fail(`no service ${name}`)
const container = read('Containerfile')
const words = (line: RegExp): string[] => JSON.parse(line.exec(container)?.[1] ?? '[]')
/** A command of a service as a process: on this machine, on a free port. */
const commandOf = (name: string, root: string): string[] =>
  (serviceOf(name).command ?? []).map((word, index, all) => {
    if (all[index - 1] === '--port') return '0'
    if (all[index - 1] === '--host') return '127.0.0.1'
    return word === '/work' ? root : word
  })

it('the compose file agrees with the image, with itself, and with the docs', () => {
  const own = ['migrate', 'server', 'worker']
  assert.deepEqual(Object.keys(compose.services), ['database', ...own])
  for (const name of own) {
    const { build, image, stop_grace_period: grace } = serviceOf(name)
    assert.ok(existsSync(join(FOLDER, build?.context ?? '', build?.dockerfile ?? '')))
    assert.deepEqual([image, grace], ['kedge', '35s'])
    assert.match(
      String(serviceOf(name).environment?.['KEDGE_DATABASE']),
      /^postgres:\/\/kedge:.*@database:5432\/kedge$/,
    )
  }
  for (const { depends_on: needs = {}, volumes = [], restart } of Object.values(compose.services)) {
    assert.ok(restart)
    for (const [name, { condition }] of Object.entries(needs)) {
      if (condition === 'service_healthy') assert.ok(serviceOf(name).healthcheck, name)
    }
    for (const [from = ''] of volumes.map((volume) => volume.split(':')))
      assert.ok(from.startsWith('./') ? existsSync(join(FOLDER, from)) : from in compose.volumes, from)
  }
  // The server as the image runs it by default, on the port that the image exposes and checks.
  const [port] = /^EXPOSE (\d+)$/m.exec(container)?.slice(1) ?? []
  const [, ...rest] = words(/^CMD (\[.*\])$/m)
  const { command = [], ports } = serviceOf('server')
  assert.deepEqual(command.slice(1, 1 + rest.length), rest)
  assert.deepEqual([command[command.indexOf('--port') + 1], ports], [port, [`127.0.0.1:${port}:${port}`]])
  assert.ok(container.includes(`http://127.0.0.1:${port}/healthz`))
  const worker = serviceOf('worker')
  const probed = worker.command?.[worker.command.indexOf('--port') + 1]
  assert.ok(worker.healthcheck?.test.at(-1)?.includes(`http://127.0.0.1:${probed}/healthz`))
  const docs = read('docs/many-machines.md')
  assert.ok(docs.includes('docker compose -f examples/cluster/compose.yaml up --build'))
  // What the script of the database says is what the docs say.
  const [, documented = ''] = /## Role and database[\s\S]*?```sql\n([\s\S]*?)```/.exec(docs) ?? []
  const [, script = ''] = /<<'SQL'\n([\s\S]*?)SQL\n/.exec(read('examples/cluster/create-role.sh')) ?? []
  assert.equal(script, documented.replace("'secret'", ":'password'"))
})

it('its commands run a cluster, with the packages that the image has and the role that the docs name', {
  skip: programFolder === undefined,
  timeout: 300_000,
}, async () => {
  const image = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-image-'))
  cpSync(DIST, join(image, 'dist'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(image, 'package.json'))
  const [, script = '', folder] = /^RUN node (scripts\/cluster-packages\.mjs) (\S+)$/m.exec(container) ?? []
  assert.equal(folder, '/out/package')
  execFileSync(process.execPath, [join(ROOT, script), image])
  const postgres = await startSystemPostgres()
  const password = 'of0a1test2'
  const { hostname, port } = new URL(postgres.urlOf('postgres', 'postgres'))
  execFileSync('sh', [join(FOLDER, 'create-role.sh')], {
    env: { PATH: `${programFolder}:/usr/bin:/bin`, PGHOST: hostname, PGPORT: port, KEDGE_DATABASE_PASSWORD: password },
  })
  const database = `postgres://kedge:${password}@${hostname}:${port}/kedge`
  await using opened = await openPlace(database, stepModel)
  const place = { ...opened, dist: join(image, 'dist') }
  const kedge = (args: string[]) =>
    promisify(execFile)(process.execPath, [join(place.dist, 'kedge.cjs'), ...args], {
      env: place.env,
      cwd: place.folder,
    })
  assert.match((await kedge(commandOf('migrate', place.folder))).stdout, /^The tables went from step 0 to \d+\.\n$/)
  const server = await startProgram(place, [...commandOf('server', place.folder), '--token', TOKEN], /listens on (\S+)/)
  const workers = await Promise.all(
    [1, 2].map(() => startProgram(place, commandOf('worker', place.folder), /Health and metrics: (\S+)\/healthz/)),
  )
  try {
    // Its health checks, at the ports that were free.
    const check = ([, program = '', ...args]: string[], from: RegExp, url: string) =>
      promisify(execFile)(
        program === 'node' ? process.execPath : program,
        args.map((word) => word.replace(from, url)),
      )
    const probe = serviceOf('worker').healthcheck?.test ?? []
    for (const worker of workers) await check(probe, /http:\/\/127\.0\.0\.1:9090/, worker.said[1] ?? '')
    const url = server.said[1] ?? ''
    await check(['CMD', ...words(/HEALTHCHECK[^[]*(\[.*\])/)], /http:\/\/127\.0\.0\.1:4141/, url)
    const { id } = (await callNode(url, 'POST', '/v1/sessions', { cwd: place.folder })).json
    assert.equal((await callNode(url, 'POST', `/v1/sessions/${id}/prompts`, { id: 'a', content: 'Hello' })).status, 202)
    const said = await eventually('the answer is there', async () => {
      const { text } = await callNode(url, 'GET', `/v1/sessions/${id}/log?limit=10000`)
      return text.includes('"subtype":"success"') ? text : undefined
    })
    assert.match(said ?? '', /Nothing to do\./)
    assert.match((await kedge(['admin', 'status'])).stdout, /^worker \S+ .*\nworker \S+ .*\nsessions: 1 idle\n/)
    const [role] = postgres.say(
      `select rolsuper or rolbypassrls or rolcreatedb or rolcreaterole from pg_roles where rolname = 'kedge'`,
    )
    assert.equal(role, 'f')
  } finally {
    for (const one of [server, ...workers]) await one.end('SIGTERM')
    await postgres.stop()
    rmSync(image, { recursive: true, force: true })
  }
})
