import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPermissions, decisionOnBash } from '../../../test-engine.js'
import { mayUnpackArchive } from '../../questions/risky-options.js'
import { loadShellParser } from '../../syntax/parse-command.js'

const parse = await loadShellParser()
const words = (command: string) => parse(command).commands[0]?.words ?? []

test('what is taken apart writes names that nobody has seen', () => {
  for (const command of [
    'tar xf a.tar',
    'tar -xzf a.tgz',
    'tar zxvf a.tgz -C out',
    'tar --extract --file=a.tar',
    'tar --extr -f a.tar',
    'tar --get -f a.tar',
    'tar -C out -x -f a.tar',
    'tar -tx -f a.tar',
    'tar -f a.tar',
    '/usr/bin/tar xf a.tar',
    'bsdtar -xf a.zip',
    'unzip a.zip',
    'unzip -o a.zip -d out',
    'patch -p1',
    'patch -i a.diff',
    'rsync -a a/ b',
    'cpio -i',
    'cpio -idmv',
    'cpio -p out',
    '7z x a.7z',
    '7z e a.7z',
    'ar x a.a',
    'jar xf a.jar',
    'jar --extract --file a.jar',
    'pax -r -f a.tar',
  ])
    assert.equal(mayUnpackArchive(words(command)), true, command)
})

test('making an archive, or looking into one, does not', () => {
  for (const command of [
    'tar czf a.tgz src',
    'tar -cf a.tar src',
    'tar --create --file=a.tar src',
    'tar tf a.tar',
    'tar -tzf a.tgz',
    'tar --list -f a.tar',
    'unzip -l a.zip',
    'unzip -p a.zip x',
    'patch --dry-run -p1',
    'rsync -an a/ b',
    'rsync --dry-run -a a/ b',
    'cpio -o',
    'cpio -t',
    '7z l a.7z',
    '7z a a.7z src',
    'ar t a.a',
    'ar rcs a.a x.o',
    'jar tf a.jar',
    'jar cf a.jar out',
    'zip -r a.zip src',
    'gzip a',
    'ls',
  ])
    assert.equal(mayUnpackArchive(words(command)), false, command)
})

test('a rule with a wildcard does not cover it, the very words do', async () => {
  for (const [rule, command] of [
    ['tar:*', 'tar xf a.tar'],
    ['unzip:*', 'unzip a.zip'],
    ['patch:*', 'patch -p1 -i a.diff'],
    ['rsync:*', 'rsync -a src/ out'],
    ['cp:*', 'cp -r src/. .'],
  ] as const) {
    assert.equal(await decisionOnBash(createTestPermissions({ allow: [`Bash(${rule})`] }), command), 'ask', command)
    assert.equal(
      await decisionOnBash(createTestPermissions({ allow: [`Bash(${command})`] }), command),
      'allow',
      command,
    )
  }
})

test('what xargs reads is any word: a rule for the program does not make it a file inside', async () => {
  for (const program of ['rm', 'cat', 'grep -l x', 'touch', 'cp -t out', 'sed -i s/a/b/', 'chmod +x']) {
    const name = program.split(' ')[0]
    const permissions = createTestPermissions({ allow: [`Bash(${name}:*)`] })
    assert.equal(await decisionOnBash(permissions, `cat list | xargs ${program}`), 'ask', program)
    assert.equal(
      await decisionOnBash(createTestPermissions({ mode: 'acceptEdits' }), `cat list | xargs ${program}`),
      'ask',
      program,
    )
  }
  assert.equal(
    await decisionOnBash(createTestPermissions({ allow: ['Bash(./count:*)'] }), 'ls | xargs ./count'),
    'allow',
  )
})

test('makefiles and start-up files that come through a pipe are read by nobody before', async () => {
  for (const command of [
    'make -f -',
    'make -f /dev/stdin',
    'make -f/dev/stdin',
    'make --file=/dev/fd/0',
    'make -f <(echo x)',
    'make -sf /proc/self/fd/0 all',
    'gmake --makefile=-',
  ])
    assert.equal(
      await decisionOnBash(createTestPermissions({ allow: ['Bash(make:*)', 'Bash(gmake:*)'] }), command),
      'ask',
      command,
    )
  assert.equal(
    await decisionOnBash(createTestPermissions({ allow: ['Bash(make:*)'] }), 'make -f build.mk all'),
    'allow',
  )
  for (const command of ['bash --rcfile x -i', 'bash --init-file x', 'bash --rcfile <(echo rm a) -i'])
    assert.equal(
      await decisionOnBash(createTestPermissions({ allow: ['Bash'], deny: ['Bash(rm:*)'] }), command),
      'ask',
      command,
    )
})
