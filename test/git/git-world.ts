/** A project with real git, a trap that shows when a program ran, and Bash as a session has it: judged first, then run. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPermissions, type PermissionOptions } from '../../src/permissions/permission-engine.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import { createBashTool } from '../../src/tools/bash/bash.js'
import { createTestContext } from '../../src/tools/test-context.js'
import { fixture } from '../support/fixture.js'

export type Rules = Partial<Pick<PermissionOptions, 'allow' | 'deny' | 'mode' | 'trusted'>>

export type GitWorld = {
  readonly project: string
  readonly outside: string
  /** A program that springs the trap. */
  readonly evil: string
  /** The file it leaves. */
  readonly trap: string
  git(...args: string[]): string
  /** The same in a folder of the project. */
  gitIn(folder: string, ...args: string[]): string
  write(path: string, content: string, mode?: number): string
  decide(command: string, rules?: Rules, cwd?: string): Promise<string>
  /** What the question says about it. */
  why(command: string): Promise<string | undefined>
  /** As a session does it; `between` happens after the decision. */
  attempt(command: string, rules?: Rules, between?: () => void): Promise<string>
  /** Without asking anybody: what would have happened. */
  runAnyway(command: string): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function createGitWorld(): Promise<GitWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-git-')))
  const [project, outside, home] = ['project', 'outside', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [project, outside, home]) mkdirSync(folder)
  const trap = join(outside, 'sprung')
  const evil = join(outside, 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\n: > ${trap}\n`, { mode: 0o755 })
  writeFileSync(join(home, '.gitconfig'), USER)
  const env = environment(home)
  const gitIn = (folder: string, ...args: string[]) => runGit(join(project, folder), env, args)
  const engine = (rules: Rules) =>
    createPermissions({
      files: nodeFiles,
      cwd: project,
      home,
      mode: 'default',
      allowBypass: false,
      ...rules,
    })
  const decide = async (command: string, rules: Rules = {}, cwd = project) => {
    const call = { id: 'toolu_1', name: 'Bash', input: { command } }
    return (await engine(rules).decide(call, { kind: 'command', command, cwd })).behavior
  }
  const world: GitWorld = {
    project,
    outside,
    evil,
    trap,
    gitIn,
    decide,
    git: (...args) => gitIn('.', ...args),
    async why(command) {
      const call = { id: 'toolu_1', name: 'Bash', input: { command } }
      const decision = await engine({}).decide(call, { kind: 'command', command, cwd: project })
      return decision.behavior === 'ask' ? decision.decisionReason : undefined
    },
    write(path, content, mode = 0o644) {
      const file = join(project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content, { mode })
      return file
    },
    async attempt(command, rules = {}, between) {
      const behavior = await decide(command, rules)
      between?.()
      if (behavior !== 'allow') return behavior
      const permissions = engine(rules)
      await permissions.prepare()
      const tool = createBashTool({ isReadOnlyCommand: permissions.isReadOnlyCommand })
      const { context, dispose } = await createTestContext({ cwd: project, directories: () => [project], env })
      await tool.execute({ command }, { ...context, session: { ...context.session, shellCwd: project } })
      await dispose()
      return behavior
    },
    runAnyway(command) {
      const quick = { ...env, FILTER_BRANCH_SQUELCH_WARNING: '1' }
      spawnSync('bash', ['-c', command], {
        cwd: project,
        env: quick,
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: 20_000,
      })
    },
    async [Symbol.asyncDispose]() {
      rmSync(root, { recursive: true, force: true })
    },
  }
  copyProject(project)
  return world
}

const USER = '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n'

function environment(home: string) {
  const PATH = process.env['PATH'] ?? ''
  return { PATH, HOME: home, LANG: 'C.UTF-8', GIT_EDITOR: 'true', GIT_CONFIG_NOSYSTEM: '1' }
}

function runGit(cwd: string, env: Record<string, string>, args: readonly string[]): string {
  const done = spawnSync('git', args, { cwd, env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  return done.stdout.trim()
}

/** Two files in a commit, and one of them changed since. */
const copyProject = fixture((folder) => {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const git = (...args: string[]) => runGit(folder, environment(folder), [...who, ...args])
  git('init', '-q', '-b', 'main')
  rmSync(join(folder, '.git/hooks'), { recursive: true, force: true })
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  writeFileSync(join(folder, 'sub/b.txt'), 'two\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(join(folder, 'a.txt'), 'changed\n')
})

/** One way to be harmed, and whether it was. */
export type Mechanism = {
  name: string
  command: string
  plant?(world: GitWorld): void
  rules?: Rules
  /** What must not be there afterwards; the trap if not said. */
  effect?(world: GitWorld): string
  /** Needs a program that is not everywhere, or a server: only the answer is looked at. */
  unproven?: true
}

/** Fails when the command ran what it must not, or when it would not even have done so unasked: then nothing was tried. */
export async function tryMechanism({ command, plant, rules, effect, unproven }: Mechanism): Promise<string> {
  await using world = await createGitWorld()
  plant?.(world)
  const line = command.replaceAll('EVIL', world.evil)
  const path = effect?.(world) ?? world.trap
  if (unproven) return await world.decide(line, rules)
  const before = `${world.project}.before`
  cpSync(world.project, before, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  rmSync(path, { recursive: true, force: true })
  const behavior = await world.attempt(line, rules)
  if (existsSync(path)) return `${behavior}, and it happened`
  rmSync(world.project, { recursive: true })
  cpSync(before, world.project, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  world.runAnyway(line)
  return existsSync(path) ? behavior : `${behavior}, but nothing would have happened`
}
