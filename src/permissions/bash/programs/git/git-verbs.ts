/**
 * The commands of git that do more than look, in the forms that start no program but git's own and the hooks of the
 * repository: their options, and what their other words are. A rule with a wildcard covers these and no others.
 *
 * Left out, so that they ask: whatever names a program (`--exec`, `--upload-pack`, `-S`), opens an editor on a list of
 * commands (`rebase -i`), goes into submodules, or writes where no word says (`checkout-index --prefix`).
 */

/** What the words beside the options are. */
export type OperandRole =
  /** Revisions, names, messages; nothing on the disk. */
  | 'text'
  /** Files that are read, or of which git takes note. */
  | 'reads'
  /** Files that are changed; or revisions, which look like files in the folder. */
  | 'writes'
  /** The first is written, the others are text. */
  | 'written first'
  /** The first is the name of a remote or an address, the others are text. */
  | 'remote'
  /** A name, then addresses. */
  | 'addresses'
  /** An address, and the folder that is made. */
  | 'clone'
  | 'none'

export type GitVerb = {
  /** `contacts`: talks to other repositories. */
  readonly does: 'acts' | 'contacts'
  /** As `readArguments` takes them. */
  readonly options: string
  readonly operands: OperandRole
  /** It writes into the folder it stands in, whatever its words are. */
  readonly here?: boolean
}

const PICK = `-nesx -m= -X= --quit --continue --abort --skip --cleanup= --no-commit --commit --edit --signoff --mainline=
  --rerere-autoupdate --strategy-option=`
const FETCH = `-vqaftpk46 --verbose --quiet --all --append --force --tags --prune --keep --dry-run --progress --depth=
  --shallow-since= --shallow-exclude= --deepen= --unshallow --update-shallow --set-upstream --ipv4 --ipv6
  --show-forced-updates`
const MERGE = `--stat --summary --log? --squash --commit --edit --cleanup= --ff --ff-only --strategy-option= --autostash
  --allow-unrelated-histories --signoff --verify`
const NOTE = '-f -m= -F< -C= --message= --file< --reuse-message= --allow-empty --force'

const TABLE: Record<string, GitVerb> = {
  add: acts(
    'reads',
    `-nvfuNA --dry-run --verbose --force --update --renormalize --intent-to-add --all --ignore-removal --refresh
      --ignore-errors --ignore-missing --sparse --chmod= --pathspec-from-file< --pathspec-file-nul`,
  ),
  commit: acts(
    'reads',
    `-qvseaionz -F< -m= -c= -C= -t< -u? --quiet --verbose --file< --author= --date= --message= --reedit-message= --reuse-message=
      --fixup= --squash= --reset-author --signoff --template< --edit --cleanup= --status --all --include --only --dry-run
      --short --branch --ahead-behind --porcelain --long --null --amend --post-rewrite --untracked-files? --verify --allow-empty
      --allow-empty-message --pathspec-from-file< --pathspec-file-nul`,
  ),
  push: contacts(
    'remote',
    `-vqdnfu46 -o= --verbose --quiet --all --branches --mirror --delete --tags --dry-run --porcelain --force --force-with-lease?
      --force-if-includes --thin --set-upstream --progress --prune --verify --follow-tags --atomic --push-option= --ipv4 --ipv6`,
  ),
  fetch: contacts(
    'remote',
    `${FETCH} -nPu -j= --atomic --jobs= --prune-tags --write-fetch-head --update-head-ok --refetch`,
  ),
  pull: contacts('remote', `${FETCH} ${MERGE} -rn -X= -j? --rebase? --jobs?`),
  'ls-remote': contacts(
    'remote',
    '-qth --quiet --tags --heads --branches --refs --get-url --sort= --exit-code --symref',
  ),
  merge: acts(
    'text',
    `${MERGE} -nevq -X= -m= -F< --rerere-autoupdate --message= --file< --into-name= --verbose --quiet --abort --quit --continue
      --progress --overwrite-ignore`,
  ),
  rebase: acts(
    'text',
    `-qvnfm -C= -X= -r? --onto= --keep-base --verify --quiet --verbose --stat --signoff --committer-date-is-author-date
      --reset-author-date --ignore-date --ignore-whitespace --whitespace= --force-rebase --ff --continue --skip --abort --quit
      --show-current-patch --apply --merge --rerere-autoupdate --empty= --keep-empty --autosquash --update-refs --autostash
      --rebase-merges? --fork-point --strategy-option= --root --reapply-cherry-picks`,
  ),
  'cherry-pick': acts('text', `${PICK} --ff --allow-empty --allow-empty-message --keep-redundant-commits`),
  revert: acts('text', `${PICK} --reference`),
  checkout: acts(
    'writes',
    `-lqmdf23 -b= -B= -t? --guess --overlay --quiet --progress --merge --conflict= --detach --track? --force --orphan=
      --overwrite-ignore --ignore-other-worktrees --ours --theirs --ignore-skip-worktree-bits --pathspec-from-file<
      --pathspec-file-nul`,
  ),
  switch: acts(
    'text',
    `-qmdf -c= -C= -t? --create= --force-create= --guess --discard-changes --quiet --progress --merge --conflict= --detach
      --track? --force --orphan= --overwrite-ignore --ignore-other-worktrees`,
  ),
  restore: acts(
    'writes',
    `-SWqm23 -s= --source= --staged --worktree --ignore-unmerged --overlay --quiet --progress --merge --conflict= --ours
      --theirs --ignore-skip-worktree-bits --pathspec-from-file< --pathspec-file-nul`,
  ),
  reset: acts(
    'text',
    '-qN --quiet --refresh --mixed --soft --hard --merge --keep --intent-to-add --pathspec-from-file< --pathspec-file-nul',
  ),
  rm: acts(
    'writes',
    '-nqfr --dry-run --quiet --cached --force --ignore-unmatch --sparse --pathspec-from-file< --pathspec-file-nul',
  ),
  mv: acts('writes', '-vnfk --verbose --dry-run --force --sparse'),
  // Except for options that stash untracked files, which include the project's settings.
  stash: acts('none', '-kSq -m= --keep-index --staged --quiet --message='),
  'stash push': acts(
    'writes',
    '-kSq -m= --keep-index --staged --quiet --message= --pathspec-from-file< --pathspec-file-nul',
  ),
  'stash save': acts('text', '-kSq --keep-index --staged --quiet'),
  'stash pop': acts('text', '-q --quiet --index'),
  'stash apply': acts('text', '-q --quiet --index'),
  'stash drop': acts('text', '-q --quiet'),
  'stash clear': acts('none', ''),
  'stash branch': acts('text', ''),
  'stash create': acts('text', ''),
  tag: acts('text', '-adfe -m= -F< --annotate --message= --file< --edit --cleanup= --force --create-reflog --delete'),
  branch: acts(
    'text',
    `-vqtrdDmMcCf -u= --verbose --quiet --track? --set-upstream-to= --unset-upstream --remotes --delete --move --copy
      --create-reflog --force`,
  ),
  clone: contacts(
    'clone',
    `-vqn46 -j= -o= -b= --verbose --quiet --progress --reject-shallow --checkout --no-hardlinks --jobs= --origin= --branch=
      --depth= --shallow-since= --shallow-exclude= --single-branch --tags --ipv4 --ipv6 --filter= --sparse`,
  ),
  init: acts('written first', '-q -b= --quiet --initial-branch= --object-format=', true),
  'worktree add': acts(
    'written first',
    '-fdq -b= -B= --force --detach --checkout --lock --reason= --quiet --track --guess-remote',
  ),
  'worktree remove': acts('writes', '-f --force'),
  'worktree move': acts('writes', '-f --force'),
  'worktree lock': acts('reads', '--reason='),
  'worktree unlock': acts('reads', ''),
  'worktree prune': acts('none', '-nv --dry-run --verbose --expire='),
  'remote add': contacts('addresses', '-f -t= -m= --fetch --tags --track= --master= --mirror?'),
  'remote set-url': contacts('addresses', '--push --add --delete'),
  'remote rename': acts('text', '--progress'),
  'remote remove': acts('text', ''),
  'remote rm': acts('text', ''),
  'remote set-head': contacts('text', '-ad --auto --delete'),
  'remote set-branches': acts('text', '--add'),
  'remote show': contacts('remote', '-n'),
  'remote prune': contacts('remote', '-n --dry-run'),
  'remote update': contacts('remote', '-p --prune'),
  'bisect start': acts('text', '--term-new= --term-bad= --term-old= --term-good= --no-checkout --first-parent'),
  ...Object.fromEntries(
    ['good', 'bad', 'new', 'old', 'skip', 'reset', 'next'].map((name) => [`bisect ${name}`, acts('text', '')]),
  ),
  'notes add': acts('text', NOTE),
  'notes append': acts('text', NOTE),
  'notes copy': acts('text', '-f --force'),
  'notes remove': acts('text', '--ignore-missing'),
  'notes prune': acts('none', '-nv --dry-run --verbose'),
  gc: acts('none', '-q --quiet --prune? --cruft --aggressive --auto --force --keep-largest-pack'),
  archive: acts('text', '-vl0# --format= --prefix= --verbose --list --worktree-attributes'),
  'bundle create': acts('written first', '-q --quiet --progress --all --branches? --tags? --remotes? --version='),
  'bundle verify': acts('reads', '-q --quiet'),
  'bundle list-heads': acts('reads', ''),
  'format-patch': acts(
    'text',
    `-nksqp# -v= -U? -M? -N --numbered --no-numbered --signoff --stdout --cover-letter --numbered-files --suffix= --start-number=
      --reroll-count= --rfc --subject-prefix= --keep-subject --binary --zero-commit --stat? --to= --cc= --from?
      --in-reply-to= --attach? --inline? --thread? --signature= --base= --signature-file< --quiet --progress --root`,
    true,
  ),
}

function acts(operands: OperandRole, options: string, here = false): GitVerb {
  return { does: 'acts', operands, options: withNegations(options), ...(here ? { here } : {}) }
}

function contacts(operands: OperandRole, options: string): GitVerb {
  return { does: 'contacts', operands, options: withNegations(options) }
}

/** What takes a harmless option back is harmless too. */
function withNegations(options: string): string {
  return options.replace(/(?<=^|\s)--(?!no-)([a-z-]+)\S*/g, (option, name) => `${option} --no-${name}`)
}

/** A verb, or a verb and the word after it: `stash pop`. */
export function findGitVerb(name: string): GitVerb | undefined {
  return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
}

/** For tests that hold the table against git itself. */
export function listGitVerbs(): readonly (readonly [string, GitVerb])[] {
  return Object.entries(TABLE)
}
