/** For tests: a real home folder, a project in it and files below, removed in the end. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeFiles } from '../platform/files/files.js'
import { loadProject } from './load-project.js'
import type { Project, ProjectOptions } from './project.js'

export type TestProject = {
  home: string
  /** `home/project`, a repository. */
  root: string
  options: ProjectOptions
  /** Paths starting with `~/` begin at home, others at the project. A text that starts with `-> ` makes a link. */
  write(files: Record<string, string>): Promise<void>
  load(changes?: Partial<ProjectOptions>): Promise<Project>
  /** With the paths of this run as `~` and `<project>`. */
  tidy<T>(value: T): T
  dispose(): Promise<void>
}

export async function createTestProject(): Promise<TestProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'kedge-project-')))
  const home = join(base, 'home')
  const root = join(home, 'project')
  await mkdir(join(root, '.git'), { recursive: true })
  const options: ProjectOptions = {
    cwd: root,
    home,
    configDir: join(home, '.claude'),
    sources: ['user', 'project', 'local'],
    pluginDirs: [],
    managedInstructions: [],
    builtInCommands: ['compact', 'clear'],
    files: nodeFiles,
    isTrusted: () => true,
  }
  return {
    home,
    root,
    options,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(root, name)
        await mkdir(dirname(path), { recursive: true })
        if (text.startsWith('-> ')) await symlink(text.slice(3), path)
        else await writeFile(path, text)
      }
    },
    load: (changes = {}) => loadProject({ ...options, ...changes }),
    tidy: (value) => JSON.parse(JSON.stringify(value).replaceAll(root, '<project>').replaceAll(home, '~')),
    dispose: () => rm(base, { recursive: true, force: true }),
  }
}
