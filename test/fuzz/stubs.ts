/** The programs of the cage: each is a script that tells it was started, and some then go on as the real one. */
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What they do counts: they run others, or their options are what is tested. */
const REAL = `
  [ awk base64 basename bash cat cksum cmp column comm cut date dash df diff dirname du echo egrep env expand expr false fgrep file find
  flock fmt fold free gawk getconf git grep head hexdump hostname id ionice join jq ls make mawk md5sum nice nl nohup nproc od paste printenv printf pwd readlink
  ps realpath rev rg sed seq setsid sh sha1sum sha256sum sort stat stdbuf sum tac tail tar test timeout tr tree true uname uniq
  unexpand unzip patch wc which whoami xargs xxd zcat zgrep
`
/** They run for real only when edits are accepted. */
const EDITING = 'cp mkdir mv rm rmdir touch'
const STUBBED = `
  ag apt at busybox bunx cargo chattr chmod chown chroot chrt cpio crontab curl dd direnv docker doas ed emacs evil ex fd fish go
  gzip install kill killall ksh less ln logger lsof man mkfifo mktemp more mount nc node npm npx nano nvim parallel
  perl ping pkill pnpm pip pip3 python python3 ruby scp script shred sleep split ssh strace sudo su systemctl taskset tee
  time top truncate unlink unshare uv uvx vi vim watch wget xdg-open yarn yq zip zsh
`

const words = (text: string) => text.trim().split(/\s+/)

/** As little of rsync as counts here, for where there is none: `from/` is all that is in it. */
const RSYNC = `for one; do
  shift
  case $one in -*) ;; */) set -- "$@" "$one." ;; *) set -- "$@" "$one" ;; esac
done
exec ${inCage('cp')} -a -- "$@"
`

/** Tells where it was started, as what, and with which arguments. */
export function trapScript(): string {
  return `#!${inCage('dash') ?? inCage('bash')}\nprintf '%s\\0' "$#" "$PWD" "$0" "$@" >> /log/executions\n`
}

export function writeStubs(folder: string): void {
  mkdirSync(folder)
  const log = trapScript()
  const write = (names: string, end: (real: string | undefined) => string) => {
    for (const name of words(names)) writeFileSync(join(folder, name), log + end(inCage(name)), { mode: 0o755 })
  }
  write(REAL, (real) => (real ? `exec ${real} "$@"\n` : ''))
  write(EDITING, (real) => (real ? `[ "$KEDGE_FUZZ_EDITS" ] && exec ${real} "$@"\nexit 0\n` : ''))
  write(STUBBED, () => 'exit 0\n')
  write('rsync', () => RSYNC)
}

/** Where the real program is in the cage. */
function inCage(name: string): string | undefined {
  const found = findProgram(name)
  if (!found) return undefined
  const real = realpathSync(found)
  const folder = { '/usr/bin': '/real/bin', '/bin': '/real/root-bin' }[dirname(real)]
  if (folder === undefined) return undefined
  // A script's own shell is none that the command started.
  const shell = /^#!\s*\S*\/(\w+)/.exec(readFileSync(real, 'latin1').slice(0, 80))?.[1]
  return `${shell ? `/real/bin/${shell} ` : ''}${folder}/${basename(real)}`
}

export function findProgram(name: string): string | undefined {
  return ['/usr/bin', '/bin']
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
