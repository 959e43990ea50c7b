/** Sandboxes that do not work: nothing runs, and the refusal names the way out. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createProcessRunner } from '../../src/platform/processes/processes.js'
import { createSandbox } from '../../src/sandbox/sandbox.js'
import type { SandboxMachineFacts } from '../../src/sandbox/sandbox-request.js'
import { listed } from './listed.js'
import { findProgram, whyNoSandbox } from './stage.js'

type Setup = {
  name: string
  /** A script in the place of bubblewrap; `$REAL` is the real one. Undefined: there is none. */
  bwrap?: string
  mode?: number
  says: RegExp
  machine?: (folder: string) => Partial<SandboxMachineFacts>
  prepare?: (folder: string) => void
  /** Without the real bubblewrap there is nothing to take a part from. */
  needsReal?: boolean
  needsRoot?: boolean
}

const VERSION = 'if [ "$1" = --version ]; then echo "bubblewrap 0.8.0"; exit; fi'
const said = (text: string) => `${VERSION}; echo "${text}" >&2; exit 1`
/** The real one, with its arguments changed by a Bash loop over `$@`. */
const changing = (change: string) => `${VERSION}
args=()
while [ $# -gt 0 ]; do
  ${change}
  args+=("$1"); shift
done
exec "$REAL" "\${args[@]}"`

const SETUPS: Setup[] = [
  { name: 'bubblewrap is missing', says: /bwrap\) is not in PATH\. Install it .*apt-get install bubblewrap/ },
  { name: 'bubblewrap is a folder', prepare: (folder) => mkdirSync(join(folder, 'bin/bwrap')), says: /not in PATH/ },
  { name: 'bubblewrap is not executable', bwrap: 'exit 0', mode: 0o644, says: /bwrap is not executable\. Install it/ },
  {
    name: 'bubblewrap is only where commands can write',
    prepare: (folder) => script(join(folder, 'project/bwrap'), VERSION),
    machine: (folder) => ({ env: { PATH: `${folder}/project:${folder}/bin` } }),
    says: /not in PATH/,
  },
  {
    name: 'its interpreter is missing',
    prepare: (folder) => broken(join(folder, 'bin/bwrap')),
    says: /could not be started.*Install/,
  },
  { name: 'it is something else', bwrap: 'echo hello', says: /does not say that it is bubblewrap\. Install it/ },
  {
    name: 'it is too old',
    bwrap: 'echo "bubblewrap 0.3.3"',
    says: /0\.3\.3 is too old\. Install version 0\.4 or later/,
  },
  { name: 'it hangs when asked for its version', bwrap: 'sleep 60', says: /--version did not end/ },
  { name: 'it hangs', bwrap: `${VERSION}; sleep 60`, says: /did not end within 400 ms\. Install/ },
  { name: 'it fails and says nothing', bwrap: `${VERSION}; exit 1`, says: /did not run a command \(exit code 1\)/ },
  { name: 'it crashes', bwrap: `${VERSION}; kill -SEGV $$`, says: /did not run a command/ },
  {
    name: 'it says all is well and runs nothing',
    bwrap: `${VERSION}; echo fine`,
    says: /ended well without running it/,
  },
  {
    name: 'user namespaces are refused',
    bwrap: said('bwrap: No permissions to create new namespace'),
    says: /No permissions.*kernel\.unprivileged_userns_clone=1/,
  },
  {
    name: 'AppArmor refuses the network namespace',
    bwrap: said('bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted'),
    says: /apparmor_restrict_unprivileged_userns=0/,
  },
  {
    name: 'a container refuses /proc',
    bwrap: said("bwrap: Can't mount proc on /newroot/proc: Operation not permitted"),
    says: /systempaths=unconfined.*enableWeakerNestedSandbox/,
  },
  { name: 'it does not know an option', bwrap: said('bwrap: Unknown option --cap-drop'), says: /too old/ },
  {
    name: 'it starts the command as it is',
    bwrap: `${VERSION}; while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done; shift; exec "$@"`,
    says: /could write outside its folders and change a protected file and reach the network and read a hidden file/,
  },
  {
    name: 'it leaves the network open',
    needsReal: true,
    bwrap: changing('[ "$1" = --unshare-net ] && { shift; continue; }'),
    says: /could reach the network\. /,
  },
  {
    name: 'it leaves everything writable',
    needsReal: true,
    bwrap: changing('[ "$1 $2" = "--ro-bind /" ] && { args+=(--bind); shift; }'),
    says: /could write outside its folders\. /,
  },
  {
    name: 'it protects nothing inside',
    needsReal: true,
    bwrap: changing('case "$1 $3" in "--ro-bind "*/hooks) shift 3; continue;; esac'),
    says: /could change a protected file\. /,
  },
  {
    name: 'it hides nothing',
    needsReal: true,
    bwrap: changing('case "$1 $3" in "--ro-bind "*/hidden) shift 3; continue;; esac'),
    says: /could read a hidden file\. /,
  },
  {
    name: 'it filters no system calls',
    needsReal: true,
    bwrap: changing('[ "$1" = --seccomp ] && { shift 2; continue; }'),
    says: /could make any system call\. /,
  },
  {
    name: 'it leaves root its rights',
    needsReal: true,
    needsRoot: true,
    bwrap: changing('[ "$1" = --cap-drop ] && { shift 2; continue; }'),
    says: /could use rights of the superuser\. /,
  },
  {
    name: 'the folder for temporary files is missing',
    needsReal: true,
    bwrap: 'exec "$REAL" "$@"',
    machine: () => ({ temporary: '/nonexistent/temporary' }),
    says: /temporary files \/nonexistent\/temporary does not exist\. Create it/,
  },
  {
    name: 'the sandbox has no separate folder',
    bwrap: VERSION,
    machine: () => ({ privateParent: '/nonexistent/private' }),
    says: /can't be set up: ENOENT/,
  },
  {
    name: 'the system calls of this processor are unknown',
    bwrap: VERSION,
    machine: () => ({ architecture: 'mips' }),
    says: /none for mips processors/,
  },
  {
    name: 'there is no bash',
    bwrap: VERSION,
    prepare: (folder) => rmSync(join(folder, 'bin/bash')),
    says: /bash is not in PATH/,
  },
  {
    name: 'there is no sandbox for the system',
    bwrap: VERSION,
    machine: () => ({ os: 'win32' }),
    says: /no sandbox for win32/,
  },
  {
    name: 'the package for macOS is not installed',
    bwrap: VERSION,
    machine: () => ({ os: 'darwin' }),
    says: /npm install @anthropic-ai\/sandbox-runtime/,
  },
]

function script(path: string, text: string, mode = 0o755): void {
  writeFileSync(path, `#!/bin/bash\nREAL=${findProgram('bwrap')}\n${text}\n`)
  chmodSync(path, mode)
}

function broken(path: string): void {
  writeFileSync(path, '#!/nonexistent/interpreter\n')
  chmodSync(path, 0o755)
}

const noLinux = process.platform === 'linux' ? undefined : 'not Linux'

describe('a broken sandbox runs nothing', () => {
  const processes = createProcessRunner()
  after(() => processes.close())
  it('all of them are in docs/sandbox-tests.md', () => {
    const rows = SETUPS.map(({ name }, i) => [`B${String(i + 1).padStart(2, '0')}`, name])
    assert.deepEqual(listed(/^B\d\d$/), rows)
  })
  for (const setup of SETUPS) {
    const reason =
      noLinux ??
      (setup.needsReal ? whyNoSandbox : undefined) ??
      (setup.needsRoot && process.getuid?.() !== 0 ? 'not root' : undefined)
    const name = reason === undefined ? setup.name : `${setup.name} (not run: ${reason})`
    it(name, { skip: reason !== undefined }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'kedge-broken-'))
      for (const part of ['bin', 'project', 'temporary', 'private', 'home']) mkdirSync(join(folder, part))
      for (const program of ['bash', 'sh', 'sleep']) {
        const real = findProgram(program)
        if (real) symlinkSync(real, join(folder, 'bin', program))
      }
      if (setup.bwrap !== undefined) script(join(folder, 'bin/bwrap'), setup.bwrap, setup.mode)
      setup.prepare?.(folder)
      const sandbox = createSandbox({
        os: 'linux',
        architecture: process.arch,
        env: { PATH: join(folder, 'bin') },
        home: join(folder, 'home'),
        temporary: join(folder, 'temporary'),
        privateParent: join(folder, 'private'),
        processes,
        // Hanging is what two of them do; the others have their time, also on a slow machine.
        probeTimeoutMs: setup.name.includes('hangs') ? 400 : 60_000,
        ...setup.machine?.(folder),
      })
      const project = join(folder, 'project')
      const request = {
        command: 'bash',
        args: ['-c', 'echo ran > marker'],
        cwd: project,
        env: { PATH: process.env['PATH'] },
        directories: [project],
      }
      try {
        const before = readdirSync(project)
        for (const attempt of [1, 2]) {
          const refusal = await sandbox.wrap(request, { enabled: true, allowUnsandboxedCommands: attempt === 1 })
          assert.ok(!refusal.ok, 'it would have run')
          assert.match(refusal.error, setup.says)
          assert.equal(refusal.mayAsk, attempt === 1)
        }
        assert.deepEqual(readdirSync(project), before)
        assert.deepEqual(readdirSync(join(folder, 'home')), [])
      } finally {
        await sandbox.close()
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
