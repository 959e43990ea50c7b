/** Attempts to write, change and read files that are out of bounds. */
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProtectedProgramPaths } from '../../src/sandbox/files/own-programs.js'
import { CALL, changed, contains, type Escape, exists, perl, planted, toldSecret, VARIES } from './escape.js'
import { SECRET } from './stage.js'

const control = 'works'
const START_FILES = ['.bashrc', '.ssh/authorized_keys']
const modeOf = (path: string) => statSync(path).mode & 0o777

export const WRITE_ESCAPES: Escape[] = [
  { name: 'absolute path', script: 'echo x > "$OUT/planted"', escaped: planted, control },
  { name: 'dot-dot', script: 'echo x > ../outside/planted', escaped: planted, control },
  { name: 'symbolic link to a file', script: 'ln -s "$OUT/file" l; echo x > l', escaped: changed, control },
  { name: 'symbolic link to a folder', script: 'ln -s "$OUT" l; echo x > l/planted', escaped: planted, control },
  { name: 'hard link', script: 'ln "$OUT/file" h && echo x > h', escaped: changed, control },
  { name: 'rename over a file', script: 'echo x > own; mv -f own "$OUT/file"', escaped: changed, control },
  { name: 'move a file away', script: 'mv "$OUT/file" stolen', escaped: changed, control },
  {
    name: 'put a folder in the place of another',
    script: 'mkdir own; mv "$OUT" away && mv own "$OUT"',
    escaped: (stage) => !existsSync(stage.at('outside/file')),
    control,
  },
  {
    name: 'overwrite without truncating',
    script: 'printf x | dd of="$OUT/file" conv=notrunc status=none',
    escaped: changed,
    control,
  },
  { name: 'truncate', script: 'truncate -s 0 "$OUT/file"', escaped: changed, control },
  { name: 'unlink', script: 'rm -f "$OUT/file"', escaped: changed, control },
  {
    name: 'change the mode',
    script: 'chmod 0600 "$OUT/file"',
    escaped: (stage) => modeOf(stage.at('outside/file')) === 0o600,
    control,
  },
  {
    name: 'change the times',
    script: 'touch -d @86400 "$OUT/file"',
    escaped: (stage) => statSync(stage.at('outside/file')).mtimeMs === 86_400_000,
    control,
  },
  { name: '/proc/self/root', script: 'echo x > "/proc/self/root$OUT/planted"', escaped: planted, control },
  {
    name: '/proc/1/root',
    script: 'echo x > "/proc/1/root$OUT/planted"',
    escaped: planted,
    control: VARIES,
  },
  {
    name: 'the root folder of an outside process',
    script: 'echo x > "/proc/$VICTIM/root$OUT/planted"',
    escaped: planted,
    control,
  },
  { name: '/proc/self/cwd', script: 'echo x > /proc/self/cwd/../outside/planted', escaped: planted, control },
  {
    name: 'reopen a read descriptor for writing',
    script: 'exec 7< "$OUT/file"; echo x > /proc/self/fd/7',
    escaped: changed,
    control,
  },
  {
    name: 'a descriptor that was left open',
    descriptor: (stage) => stage.at('outside'),
    script: 'echo x > /proc/self/fd/23/planted',
    escaped: planted,
    control,
  },
  {
    name: 'a shared memory map',
    needs: ['perl'],
    script: perl(`
      open(F, "+<", "$ENV{OUT}/file") or open(F, "<", "$ENV{OUT}/file") or die;
      my $at = syscall(${CALL.mmap}, 0, 4096, 3, 1, fileno(F), 0); exit if $at < 0;
      pipe(R, W); syswrite(W, "MAPPED"); syscall(${CALL.read}, fileno(R), $at, 6);`),
    escaped: changed,
    control,
  },
]

export const PROTECTED_ESCAPES: Escape[] = [
  {
    name: 'plant a git hook',
    script: 'echo x > .git/hooks/pre-commit',
    escaped: exists('project/.git/hooks/pre-commit'),
    control,
  },
  {
    name: 'a git option that runs a program',
    needs: ['git'],
    script: 'git -c "safe.directory=*" config core.fsmonitor ./evil',
    escaped: contains('project/.git/config', 'evil'),
    control,
  },
  {
    name: 'the git configuration by a hard link',
    script: 'ln .git/config own; echo "fsmonitor = evil" >> own',
    escaped: contains('project/.git/config', 'evil'),
    control,
  },
  {
    name: 'another .git in its place',
    script: 'mv .git away; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
    escaped: exists('project/.git/hooks/pre-commit'),
    control,
  },
  {
    name: 'a .git where none is',
    prepare: (stage) => rmSync(stage.at('project/.git'), { recursive: true }),
    script: 'mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; [ -f .git/hooks/pre-commit ] && echo ESCAPED',
    control,
  },
  {
    name: 'a hook in another folder that git uses for them',
    prepare: (stage) => writeFileSync(stage.at('project/.git/config'), '[core]\n\thooksPath = "tools/hooks"\n'),
    script: 'mkdir -p tools/hooks; echo x > tools/hooks/pre-commit; [ -f tools/hooks/pre-commit ] && echo ESCAPED',
    control,
  },
  {
    name: 'a file that the configuration of git includes',
    prepare: (stage) =>
      writeFileSync(stage.at('project/.git/config'), '[core]\n\tx = y\n[include] path = ../team.conf\n'),
    script: 'echo "[core] fsmonitor = x" > team.conf; [ -f team.conf ] && echo ESCAPED',
    control,
  },
  {
    name: 'a hook of a repository inside the project',
    prepare: (stage) => {
      mkdirSync(stage.at('project/vendor/lib/.git'), { recursive: true })
      writeFileSync(stage.at('project/vendor/lib/.git/config'), '[core]\n')
    },
    script: `cd vendor/lib; mkdir .git/hooks; echo x > .git/hooks/pre-commit; echo "fsmonitor = x" >> .git/config
      cd ..; mv lib away; mkdir -p lib/.git/hooks; echo x > lib/.git/hooks/pre-commit`,
    escaped: (stage) =>
      contains('project/vendor/lib/.git/config', 'fsmonitor')(stage) ||
      exists('project/vendor/lib/.git/hooks/pre-commit')(stage),
    control,
  },
  {
    name: 'another place for the repository of a submodule',
    prepare: (stage) => {
      mkdirSync(stage.at('project/module'))
      writeFileSync(stage.at('project/module/.git'), 'gitdir: ../.git/modules/module\n')
    },
    script: 'echo "gitdir: ../evil" > own; cat own > module/.git || mv -f own module/.git',
    escaped: contains('project/module/.git', 'evil'),
    control,
  },
  {
    name: 'settings of the agent in a folder inside',
    prepare: (stage) => {
      mkdirSync(stage.at('project/packages/a/.claude'), { recursive: true })
    },
    script: 'echo hooks > packages/a/.claude/settings.json',
    escaped: exists('project/packages/a/.claude/settings.json'),
    control,
  },
  {
    name: 'another common folder for git',
    script: 'mkdir evil; echo ../evil > .git/commondir',
    escaped: exists('project/.git/commondir'),
    control,
  },
  {
    name: 'a bare repository around the project',
    script:
      'rm -f .git/HEAD; mkdir objects refs; echo "ref: refs/heads/x" > HEAD; echo "[core] fsmonitor = x" > config',
    escaped: exists('project/HEAD'),
    control,
  },
  {
    name: 'MCP servers where none are',
    script: 'echo "{}" > .mcp.json; [ -f .mcp.json ] && echo ESCAPED',
    control,
  },
  {
    name: 'MCP servers by a link',
    script:
      'echo "{}" > own; ln own .mcp.json || mv -fT own .mcp.json || ln -sfT own .mcp.json; [ -f .mcp.json ] && echo ESCAPED',
    control,
  },
  {
    name: 'tasks of an editor where none are',
    script: 'mkdir -p .vscode; echo "{}" > .vscode/tasks.json; [ -f .vscode/tasks.json ] && echo ESCAPED',
    control,
  },
  {
    name: 'remove what takes the place',
    script:
      'rmdir .vscode; rm -rf .vscode; mv .vscode away; mkdir .vscode; echo "{}" > .vscode/tasks.json; [ -f .vscode/tasks.json ] && echo ESCAPED',
    control,
  },
  {
    name: 'settings of the agent',
    script: 'echo hooks > .claude/settings.json',
    escaped: contains('project/.claude/settings.json', 'hooks'),
    control,
  },
  {
    name: 'another settings folder in its place',
    script: 'mkdir own; echo hooks > own/settings.json; mv .claude away; mv own .claude',
    escaped: contains('project/.claude/settings.json', 'hooks'),
    control,
  },
  {
    name: 'a folder in the place of a protected link',
    prepare(stage) {
      renameSync(stage.at('project/.claude'), stage.at('project/shared'))
      symlinkSync('shared', stage.at('project/.claude'))
    },
    script: 'echo hooks > shared/settings.json; rm .claude; mkdir .claude; echo hooks > .claude/settings.json',
    escaped: contains('project/.claude/settings.json', 'hooks'),
    control,
  },
  {
    name: 'a virtual environment',
    script: 'echo x > .venv/bin/python; mv .venv away; mkdir -p .venv/bin; echo x > .venv/bin/python',
    escaped: contains('project/.venv/bin/python', 'x'),
    control,
  },
  {
    name: 'start files of a shell',
    request: (stage) => ({ cwd: stage.home, directories: [stage.home] }),
    script: 'cd ~; echo x > .bashrc; mkdir -p .ssh; echo x > .ssh/authorized_keys',
    escaped: (stage) => START_FILES.some((name) => existsSync(join(stage.home, name))),
    cleanUp: (stage) => {
      for (const name of START_FILES) rmSync(join(stage.home, name), { force: true })
    },
    control,
  },
  {
    name: 'a library for the programs that set the sandbox up',
    request: (stage) => ({ env: { LD_LIBRARY_PATH: stage.at('project/lib') } }),
    script:
      'unset LD_LIBRARY_PATH; mkdir lib; for l in libc.so.6 libcap.so.2 libselinux.so.1; do echo x > lib/$l; done',
    next: 'true',
    escaped: (_, outcome) => /^(?:\S*\/)?(?:sh|bwrap): error/m.test(outcome.stderr),
    control: { untried: 'there is nothing to set up' },
  },
  {
    name: 'code that this program loads later',
    prepare: (stage) => {
      mkdirSync(stage.at('project/node_modules/kedge/dist'), { recursive: true })
      writeFileSync(stage.at('project/node_modules/kedge/package.json'), '{"name":"kedge"}')
    },
    request: (stage) => ({
      protectedPaths: findProtectedProgramPaths(stage.at('project/node_modules/kedge/dist/agent.cjs')),
    }),
    script: `cd node_modules; mkdir -p sharp kedge/node_modules/sharp; echo x > kedge/dist/chunk.js
      for f in sharp/index.js kedge/node_modules/sharp/index.js; do echo x > $f; [ -f $f ] && echo ESCAPED; done`,
    control,
  },
  {
    name: 'lead a working directory elsewhere',
    prepare: (stage) => symlinkSync('conf', stage.at('project/extra')),
    request: (stage) => ({ directories: [stage.project, stage.at('project/extra')] }),
    script: 'rm extra; ln -s "$OUT" extra',
    next: 'echo x > extra/planted',
    refused: /led to .* and leads to .* now/,
    escaped: planted,
    control,
  },
  {
    name: 'a file the user protects',
    settings: { filesystem: { denyWrite: ['conf/locked'] } },
    script: 'echo x > conf/locked; mv conf away; mkdir conf; echo x > conf/locked; [ -f conf/locked ] && echo ESCAPED',
    control,
  },
  {
    name: 'a new repository inside that runs a program',
    needs: ['git'],
    script: 'git init -q sub/deep/new; git -C sub/deep/new config core.fsmonitor ./evil',
    escaped: contains('project/sub/deep/new/.git/config', 'evil'),
    control,
  },
  {
    name: 'a new repository inside with a hook',
    script: 'mkdir -p new/.git/hooks; echo x > new/.git/hooks/post-checkout',
    escaped: exists('project/new/.git/hooks/post-checkout'),
    control,
  },
  {
    name: 'a bare repository inside, which git takes for one by its parts',
    script: 'mkdir -p b/objects b/refs; echo "ref: refs/heads/x" > b/HEAD; echo "[core] fsmonitor = x" > b/config',
    escaped: exists('project/b/config'),
    control,
  },
  {
    name: 'a file that leads git to a repository elsewhere',
    script: 'mkdir -p s h; echo "gitdir: ../h" > s/.git; echo "[core] fsmonitor = x" > h/config',
    escaped: exists('project/h/config'),
    control,
  },
  {
    name: 'commands in a rebase that the user continues',
    script: 'mkdir -p .git/rebase-merge; echo "exec ./evil" > .git/rebase-merge/git-rebase-todo',
    escaped: exists('project/.git/rebase-merge/git-rebase-todo'),
    control,
  },
  {
    name: 'hooks of Mercurial',
    script: 'mkdir -p .hg sub/.hg; printf "[hooks]\\npre-status = evil\\n" | tee .hg/hgrc > sub/.hg/hgrc',
    escaped: (stage) => exists('project/.hg/hgrc')(stage) || exists('project/sub/.hg/hgrc')(stage),
    control,
  },
  {
    name: 'a line that every Python of an environment runs',
    script:
      'd=.venv/lib/python3.12/site-packages; mkdir -p $d; echo "import os" > $d/evil.pth; echo x > sitecustomize.py',
    escaped: (stage) =>
      exists('project/.venv/lib/python3.12/site-packages/evil.pth')(stage) || exists('project/sitecustomize.py')(stage),
    control,
  },
  {
    name: 'servers and hooks of other agents',
    script:
      'mkdir -p .codex .gemini .cursor; for f in .codex/config.toml .gemini/settings.json .cursor/hooks.json; do echo x > $f; done',
    escaped: (stage) =>
      ['.codex/config.toml', '.gemini/settings.json', '.cursor/hooks.json'].some((name) =>
        exists(`project/${name}`)(stage),
      ),
    control,
  },
  {
    name: 'start files of editors and debuggers',
    script: 'for f in .exrc .nvim.lua .dir-locals.el .gdbinit .pnpmfile.cjs; do echo x > $f; done',
    escaped: (stage) =>
      ['.exrc', '.nvim.lua', '.dir-locals.el', '.gdbinit', '.pnpmfile.cjs'].some((name) =>
        exists(`project/${name}`)(stage),
      ),
    control,
  },
]

export const READ_ESCAPES: Escape[] = [
  { name: 'a denied file', script: 'cat "$DENIED"', escaped: toldSecret, control },
  { name: 'through a symbolic link', script: 'ln -s "$DENIED" l; cat l', escaped: toldSecret, control },
  {
    name: 'through a hard link made before',
    prepare: (stage) => linkSync(stage.at('project/conf/.env'), stage.at('project/other')),
    script: 'cat other',
    refused: /has 2 names \(hard links\)/,
    escaped: toldSecret,
    control,
  },
  { name: 'through /proc/self/root', script: 'cat "/proc/self/root$DENIED"', escaped: toldSecret, control },
  {
    name: 'an open file of another process',
    script: 'cat "/proc/$VICTIM/fd/9" /proc/[0-9]*/fd/9',
    escaped: toldSecret,
    control,
  },
  {
    name: 'under another name',
    script: 'mv conf/.env conf/other; cat conf/other; mv conf away; cat away/.env',
    next: 'cat away/.env conf/.env',
    escaped: toldSecret,
    control,
  },
  {
    name: 'by a handle instead of a name',
    needs: ['perl'],
    script: perl(`
      my $handle = pack("Ii", 128, 0) . ("\\0" x 128); my $mount = pack("i", 0);
      syscall(${CALL.nameToHandle}, -100, "$ENV{PROJECT}/.git/HEAD", $handle, $mount, 0) == 0 or die;
      open(D, "<", $ENV{PROJECT}) or die;
      print "ESCAPED\\n" if syscall(${CALL.openByHandle}, fileno(D), $handle, 0) >= 0;`),
    control: VARIES,
  },
  { name: 'the environment of other processes', script: 'cat /proc/[0-9]*/environ', escaped: toldSecret, control },
  {
    name: 'passwords of the machine',
    request: () => ({ hiddenPaths: ['/etc/shadow', '/etc/gshadow'] }),
    script: 'cat /etc/shadow /etc/gshadow 2> /dev/null | grep -q : && echo ESCAPED',
    escaped: (_, outcome) => outcome.stdout.includes('ESCAPED'),
    control: 'works for root',
  },
  {
    name: 'tokens in its own environment',
    request: () => ({ env: { SERVICE_TOKEN: SECRET, DATABASE: `postgres://user:${SECRET}@host/` } }),
    script: 'env; cat /proc/self/environ /proc/1/environ',
    escaped: toldSecret,
    control,
  },
  {
    name: 'the memory of other processes',
    needs: ['perl'],
    script: perl(`
      open(M, "<", "/proc/$ENV{VICTIM}/maps") or die; open(R, "<", "/proc/$ENV{VICTIM}/mem") or die;
      while (<M>) {
        /^(\\w+)-(\\w+) rw.*stack/ or next;
        sysseek(R, hex($1), 0); sysread(R, my $text, hex($2) - hex($1)); print $1 if $text =~ /(${SECRET})/;
      }`),
    escaped: toldSecret,
    control,
  },
]
