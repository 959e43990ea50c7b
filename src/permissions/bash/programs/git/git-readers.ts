/** The options of git's looking commands. A value that is not attached counts as an operand, which is the safe side. */
const DIFF = `
  -pusWzDRabwtrcmk0# -U? -B? -M? -C? -l? -S? -G? -I? -X? -O< --patch --no-patch --unified? --raw --patch-with-raw --patch-with-stat
  --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? --check --summary --name-only --name-status --stat? --stat-width?
  --stat-name-width? --stat-graph-width? --stat-count? --compact-summary --no-compact-summary --binary --full-index --color?
  --no-color --ws-error-highlight? --abbrev? --no-abbrev --src-prefix? --dst-prefix? --line-prefix? --no-prefix --default-prefix
  --inter-hunk-context? --output-indicator-new? --output-indicator-old? --output-indicator-context? --break-rewrites?
  --find-renames? --irreversible-delete --find-copies? --find-copies-harder --no-renames --rename-empty --no-rename-empty --follow
  --minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
  --ignore-matching-lines? --indent-heuristic --no-indent-heuristic --patience --histogram --diff-algorithm? --anchored? --word-diff?
  --word-diff-regex? --color-words? --color-moved? --no-color-moved --color-moved-ws? --relative? --no-relative --text --exit-code
  --quiet --no-ext-diff --no-textconv --ignore-submodules? --submodule? --pickaxe-all --pickaxe-regex --rotate-to? --skip-to?
  --find-object? --diff-filter? --function-context --merge-base --cached --staged --base --ours --theirs --cc --combined-all-paths
  --diff-merges? --no-diff-merges --remerge-diff --ita-visible-in-index --ita-invisible-in-index
`
const LOG = `
  ${DIFF} -n? -giEFPq -L? --oneline --graph --no-graph --all --branches? --tags? --remotes? --glob? --exclude? --decorate? --no-decorate
  --decorate-refs? --decorate-refs-exclude? --clear-decorations --source --format? --pretty? --max-count? --skip? --since? --after?
  --until? --before? --since-as-filter? --author? --committer? --grep? --grep-reflog? --all-match --invert-grep --regexp-ignore-case
  --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges --min-parents? --max-parents?
  --no-min-parents --no-max-parents --first-parent --not --date? --relative-date --parents --children --left-right --left-only
  --right-only --cherry --cherry-pick --cherry-mark --walk-reflogs --boundary --simplify-by-decoration --full-history --dense --sparse
  --simplify-merges --show-pulls --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk
  --abbrev-commit --no-abbrev-commit --encoding? --notes? --no-notes --show-notes? --mailmap --no-mailmap --use-mailmap --log-size
  --expand-tabs? --no-expand-tabs --show-linear-break? --count --objects --timestamp --commit-header --no-commit-header --header
  --full-diff --ignore-missing --bisect --reflog
`
const LISTED =
  '--sort? --format? --contains? --no-contains? --merged? --no-merged? --points-at? --column? --no-column --color? --no-color'

const VERBS: Record<string, string> = {
  diff: DIFF,
  'diff-index': DIFF,
  'diff-files': DIFF,
  'range-diff': `${DIFF} --creation-factor? --no-dual-color --left-only --right-only --notes? --no-notes`,
  'diff-tree': LOG,
  log: LOG,
  show: LOG,
  whatchanged: LOG,
  'rev-list': LOG,
  reflog: LOG,
  shortlog: `${LOG} -nsec -w? --numbered --summary --email --group?`,
  status: `-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored?
    --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? --null`,
  blame: `-bclftewspk -L? -M? -C? -S< --root --show-stats --reverse? --first-parent --porcelain --line-porcelain --incremental
    --contents< --encoding? --date? --progress --no-progress --score-debug --show-name --show-number --show-email --abbrev?
    --ignore-rev? --ignore-revs-file< --color-lines --color-by-age --minimal`,
  describe: `--all --tags --contains --abbrev? --candidates? --exact-match --debug --long --match? --exclude? --always --first-parent
    --dirty? --broken?`,
  'ls-files': `-cdmiosukvtzf -x? -X< --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory
    --unmerged --killed --exclude? --exclude-from< --exclude-per-directory? --exclude-standard --error-unmatch --with-tree?
    --full-name --recurse-submodules --abbrev? --debug --eol --deduplicate --format? --resolve-undo`,
  'ls-tree': '-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format?',
  'cat-file': `-tspe --allow-unknown-type --batch? --batch-check? --batch-command? --batch-all-objects --buffer --follow-symlinks
    --unordered`,
  'rev-parse': `-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob?
    --exclude? --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository
    --is-shallow-repository --show-toplevel --show-superproject-working-tree --show-prefix --show-cdup --shared-index-path
    --git-path? --revs-only --no-revs --flags --no-flags --default? --sq --not --since? --until? --show-object-format?
    --path-format? --local-env-vars --disambiguate? --resolve-git-dir<`,
  grep: `-aIiwvhHEGFPnlLzocqWpr0# -A? -B? -C? -e? -m? -f< --cached --untracked --exclude-standard --no-exclude-standard
    --recurse-submodules --text --ignore-case --max-depth? --word-regexp --invert-match --full-name --extended-regexp --basic-regexp
    --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null
    --only-matching --count --color? --no-color --break --heading --show-function --context? --before-context? --after-context?
    --function-context --max-count? --threads? --and --or --not --all-match --quiet`,
  'for-each-ref': `-sp --count? ${LISTED} --ignore-case --omit-empty --exclude?`,
  'show-ref': '-dqs --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet --exists',
  'name-rev': '--tags --refs? --exclude? --all --name-only --always --undefined --no-undefined',
  'merge-base': '-a --all --octopus --independent --is-ancestor --fork-point',
  'count-objects': '-vH --verbose --human-readable',
  'check-ignore': '-qvzn --quiet --verbose --no-index --non-matching',
  'check-attr': '-az --all --cached --source?',
  cherry: '-v --abbrev?',
  version: '--build-options',
  'show-branch': `-rag --remotes --all --current --topo-order --date-order --sparse --more? --list --merge-base --independent --no-name
    --sha1-name --topics --reflog? --color? --no-color`,
  var: '',
  branch: `-avrliq --all --remotes --list --verbose --quiet --show-current --abbrev? --no-abbrev --ignore-case --omit-empty ${LISTED}`,
  tag: `-li -n? --list --ignore-case --omit-empty ${LISTED}`,
  remote: '-v --verbose',
  'remote get-url': '--all --push',
  'worktree list': '-vz --verbose --porcelain',
  'stash list': LOG,
  'stash show': `${DIFF} -u --include-untracked --only-untracked`,
  'reflog show': LOG,
  notes: '',
  'notes list': '',
  'notes show': '',
  submodule: '--cached --recursive',
  'submodule status': '--cached --recursive',
  'bisect log': '',
  'sparse-checkout list': '',
  'check-mailmap': '',
  'check-ref-format': '--allow-onelevel --no-allow-onelevel --refspec-pattern --normalize --branch',
  'patch-id': '--stable --unstable',
  stripspace: '-s --strip-comments',
  fsck: `-v --verbose --unreachable --dangling --no-dangling --root --tags --cache --reflogs --no-reflogs --full --no-full
    --connectivity-only --strict --progress --no-progress --name-objects`,
  'symbolic-ref': '-q --quiet --short --recurse --no-recurse',
}

/**
 * Returns the options with which a git verb only reads. As `readArguments` takes them; undefined for a verb that does
 * more than look, whatever its options.
 */
export function gitReaderOptions(verb: string): string | undefined {
  const name = verb === 'annotate' ? 'blame' : verb
  return Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
}
