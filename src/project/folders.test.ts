import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { findProjectConfigFolder, findProjectRoot, foldersDownTo, isRepository, realPath } from './folders.js'
import { createTestProject, type TestProject } from './test-project.js'

describe('the folders down to one', () => {
  it('from the outermost in, without the root', () => {
    assert.deepEqual(foldersDownTo('/home/ada/project'), ['/home', '/home/ada', '/home/ada/project'])
    assert.deepEqual(foldersDownTo('/srv'), ['/srv'])
  })

  it('the root itself, when that is it', () => assert.deepEqual(foldersDownTo('/'), ['/']))

  it('at most 64, the innermost ones', () => {
    const deep = foldersDownTo(`/${Array.from({ length: 100 }, (_, n) => `d${n}`).join('/')}`)
    assert.equal(deep.length, 64)
    assert.ok(deep.at(-1)?.endsWith('/d99'))
    assert.ok(deep[0]?.endsWith('/d36'))
  })
})

describe('where the project is', () => {
  let project: TestProject
  beforeEach(async () => {
    project = await createTestProject()
  })
  afterEach(() => project.dispose())
  const rootFrom = (...parts: string[]) => findProjectRoot({ ...project.options, cwd: join(project.root, ...parts) })

  it('the nearest repository, from anywhere in it', async () => {
    await project.write({ 'a/b/x': '', 'inner/.git/HEAD': '', 'inner/c/x': '' })
    assert.equal(await rootFrom(), project.root)
    assert.equal(await rootFrom('a', 'b'), project.root)
    assert.equal(await rootFrom('inner', 'c'), join(project.root, 'inner'))
  })

  it('a worktree has a file that is called like the folder', async () => {
    await project.write({ 'tree/.git': 'gitdir: elsewhere', 'tree/d/x': '' })
    assert.equal(await rootFrom('tree', 'd'), join(project.root, 'tree'))
  })

  it('without a repository the working directory; never home, nor above it', async () => {
    await project.write({ '~/.git/HEAD': '', '~/plain/x/y': '' })
    const cwd = join(project.home, 'plain', 'x')
    assert.equal(await findProjectRoot({ ...project.options, cwd }), cwd)
    assert.equal(await findProjectRoot({ ...project.options, cwd: project.home }), project.home)
    const above = join(project.home, '..')
    assert.equal(await findProjectRoot({ ...project.options, cwd: above }), above)
  })

  it('a folder that may not be searched is none', async () => {
    const lstat = async () => {
      throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    const files = { ...project.options.files, lstat }
    assert.equal(await isRepository(project.root, files), false)
    assert.equal(await isRepository(project.root, project.options.files), true)
  })

  it('its .claude is its own, unless it is the user’s', async () => {
    const { options, root, home } = project
    assert.equal(await findProjectConfigFolder(root, options), undefined)
    await project.write({ '.claude/settings.json': '{}', '~/.claude/settings.json': '{}' })
    assert.equal(await findProjectConfigFolder(root, options), join(root, '.claude'))
    assert.equal(await findProjectConfigFolder(home, options), undefined)
  })

  it('a link to the user’s folder is the user’s', async () => {
    await project.write({ '~/.claude/settings.json': '{}', '.claude': '-> ../.claude' })
    assert.equal(await findProjectConfigFolder(project.root, project.options), undefined)
  })

  it('real paths, and none for what is not there', async () => {
    await project.write({ 'a.md': 'x', link: '-> a.md', nowhere: '-> gone' })
    const { files } = project.options
    assert.equal(await realPath(join(project.root, 'link'), files), join(project.root, 'a.md'))
    assert.equal(await realPath(join(project.root, 'nowhere'), files), undefined)
    assert.equal(await realPath(join(project.root, 'b.md'), files), undefined)
  })
})
