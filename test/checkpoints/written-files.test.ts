/** Which files a command line is known to change. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { findFilesCommandWrites } from '../../src/permissions/written-files.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import { createStage, type Stage } from './stage.js'

let stage: Stage

before(async () => {
  stage = await createStage()
  mkdirSync(stage.at('src/deep'), { recursive: true })
  mkdirSync(join(stage.root, 'outside'))
  for (const name of ['a.txt', 'b.txt', 'src/c.ts', 'src/deep/d.ts']) writeFileSync(stage.at(name), name)
  symlinkSync('a.txt', stage.at('link'))
  symlinkSync(join(stage.root, 'outside'), stage.at('away'))
  symlinkSync('loop', stage.at('loop'))
  mkdirSync(stage.at('many'))
  for (let i = 0; i < 2_100; i++) writeFileSync(stage.at(`many/${i}`), '')
})
after(() => stage.dispose())

/** As short texts: `x` for a path, `x/**` for all it holds, `x → y` for what is below x and will be below y. */
async function written(command: string): Promise<string[]> {
  const found = await findFilesCommandWrites(command, stage.cwd, {
    files: nodeFiles,
    home: stage.root,
    directories: [stage.cwd],
  })
  const name = (path: string) => relative(stage.cwd, path) || '.'
  const texts = found.map((one) =>
    'path' in one ? name(one.path) + (one.deep ? '/**' : '') : `${name(one.from)} → ${name(one.to)}`,
  )
  return [...new Set(texts)].sort()
}

const KNOWN: [command: string, ...files: string[]][] = [
  ['rm a.txt', 'a.txt/**'],
  ['rm -rf src missing', 'missing/**', 'src/**'],
  ['rm *.txt src/*', 'a.txt/**', 'b.txt/**', 'src/c.ts/**', 'src/deep/**'],
  ['echo x > new.txt 2>&1', 'new.txt'],
  ['echo x >> src/c.ts; echo y &> "b c.txt"', 'b c.txt', 'src/c.ts'],
  ['{ echo x; } > all.txt; (echo y) > sub.txt', 'all.txt', 'sub.txt'],
  ['cat <<EOF > doc.md\nrm b.txt\nEOF', 'doc.md'],
  ['echo x | tee -a a.txt b.txt', 'a.txt', 'b.txt'],
  ['touch n1 n2 && mkdir -p d1/d2 && rmdir d3', 'd1/d2', 'd3', 'n1', 'n2'],
  ['truncate -s 0 a.txt; dd if=a.txt of=o.bin; ln -s a.txt l2', 'a.txt', 'l2', 'l2/a.txt', 'o.bin'],
  ['chmod 755 a.txt', 'a.txt'],
  ['chmod -x a.txt; mkdir -m 700 d', 'a.txt', 'd'],
  ['chmod -R u+x src', 'src/**'],
  ['mv a.txt c.txt', 'a.txt → c.txt', 'a.txt/**', 'c.txt'],
  ['mv a.txt src', 'a.txt → src/a.txt', 'a.txt/**', 'src/a.txt'],
  ['mv -T src other', 'other', 'src → other', 'src/**'],
  ['mkdir d && mv a.txt d', 'a.txt → d', 'a.txt → d/a.txt', 'a.txt/**', 'd', 'd/a.txt'],
  ['cp -r src copy', 'copy', 'src → copy'],
  ['cp -t src a.txt', 'a.txt → src/a.txt', 'src/a.txt'],
  ["sed -i 's/a/b/' a.txt", 'a.txt'],
  ["sed -i.bak -e 's/a/b/' a.txt", 'a.txt', 'a.txt.bak'],
  ["perl -pi -e 's/a/b/' a.txt src/c.ts", 'a.txt', 'src/c.ts'],
  ['cd src && rm c.ts', 'src/c.ts/**'],
  ['cd src; rm c.ts', 'c.ts/**', 'src/c.ts/**'],
  ["sudo env X=1 bash -c 'rm a.txt'", 'a.txt/**'],
  ['timeout 5 rm a.txt', 'a.txt/**'],
  ['git rm -r src && git checkout HEAD -- a.txt', 'a.txt/**', 'src/**'],
  ['git mv a.txt z.txt', 'a.txt → z.txt', 'a.txt/**', 'z.txt'],
  ['cp a.txt loop', 'a.txt → loop', 'loop'],
  // The link itself, and what it leads to.
  ['rm link', 'a.txt/**', 'link/**'],
  ['echo x > link', 'a.txt', 'link'],
]

for (const [command, ...files] of KNOWN) {
  test(`changes: ${JSON.stringify(command)}`, async () => {
    assert.deepEqual(await written(command), files)
  })
}

for (const command of [
  'cat a.txt',
  'ls > /dev/null 2>&1',
  'rm "$FILE"',
  'rm $(cat list)',
  'npm install',
  'node build.js a.txt',
  "sed 's/a/b/' a.txt",
  'rm ../outside/x /etc/passwd ~/y',
  'rm away/x; echo x > away/y',
  'rm "unterminated',
  'git commit -m rm',
  'git frobnicate a.txt',
  '$REMOVE a.txt',
  'rm $FOLDER/*.txt',
  'cd "$FOLDER"; rm *.txt',
  // Links that lead to themselves, and more files than anyone looks at.
  'rm loop/x loop/*',
  'rm many/*',
]) {
  test(`changes nothing that is known: ${command}`, async () => {
    assert.deepEqual(await written(command), [])
  })
}
