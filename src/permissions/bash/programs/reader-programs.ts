/** Programs that only look, with every option of theirs that keeps it so. An option that is not here makes them ask. */
export type ReaderProgram = {
  /** As `readArguments` takes them. */
  readonly options: string
  /** What its operands are: files, a pattern and then files, an input and an output, or nothing that is a file. */
  readonly operands: 'files' | 'pattern' | 'output' | 'text' | 'none'
  /** One of its options writes or runs, so that a glob which finds a file of that name is not harmless. */
  readonly strict?: boolean
}

const HELP = '--help --version'
const SUM = `-btwz --binary --tag --text --zero --length= -l= ${HELP}`
const GREP = `
  -EFGPiywxzsvVbnHhoqaIrlLcTZU# -e= -m= -A= -B= -C= -d= -D= -f< --extended-regexp --fixed-strings --basic-regexp --perl-regexp
  --regexp= --file< --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count=
  --byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent
  --binary-files= --text --directories= --devices= --recursive --include= --exclude= --exclude-from< --exclude-dir=
  --files-without-match --files-with-matches --count --initial-tab --null --before-context= --after-context= --context=
  --group-separator= --no-group-separator --color? --colour? --binary ${HELP}
`

/** A word that may follow an option on one system and not on another counts as an operand: better to judge too many. */
function reader(operands: ReaderProgram['operands'], options: string, strict = false): ReaderProgram {
  return { options, operands, strict }
}

/** Links below a folder are not followed by any form of these: what follows them is left out (`du -L`, `grep -R`, `diff -r`). */
export const READER_PROGRAMS: Readonly<Record<string, ReaderProgram>> = {
  ls: reader(
    'files',
    `-1aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ -I? -w? -T? --all --almost-all --author --escape --block-size= --ignore-backups --color?
     --directory --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si
     --dereference-command-line --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal
     --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time=
     --time-style= --tabsize= --width= --context --zero ${HELP}`,
  ),
  cat: reader(
    'files',
    `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP}`,
  ),
  head: reader('files', `-qvz# -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated ${HELP}`),
  tail: reader(
    'files',
    `-fFqrvz# -c= -n= -s= --bytes= --lines= --follow? --max-unchanged-stats= --pid= --quiet --silent --retry --sleep-interval=
     --verbose --zero-terminated ${HELP}`,
  ),
  wc: reader('files', `-clLmw --bytes --chars --lines --max-line-length --words --total= ${HELP}`),
  nl: reader(
    'files',
    `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-width= --starting-line-number= ${HELP}`,
  ),
  tac: reader('files', `-br -s= --before --regex --separator= ${HELP}`),
  rev: reader('files', `-hV0 ${HELP}`),
  od: reader(
    'files',
    `-abcdfilosxv -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
     --output-duplicates --width? ${HELP}`,
  ),
  hexdump: reader('files', `-bcCdoxv -e= -n= -s= -L? --canonical --length= --skip= --no-squeezing ${HELP}`),
  fold: reader('files', `-bs# -w= --bytes --spaces --width= ${HELP}`),
  fmt: reader(
    'files',
    `-cstu# -w= -g= --crown-margin --split-only --tagged-paragraph --uniform-spacing --width= --goal= ${HELP}`,
  ),
  expand: reader('files', `-i -t= --initial --tabs= ${HELP}`),
  unexpand: reader('files', `-a -t= --all --first-only --tabs= ${HELP}`),
  column: reader(
    'files',
    `-tdeLJxhV -n= -O= -N= -l= -E= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --json --fillrows --separator=
     --output-separator= --output-width= --table-columns= --table-right= --table-hide= --table-noheadings ${HELP}`,
  ),
  paste: reader('files', `-sz -d= --delimiters= --serial --zero-terminated ${HELP}`),
  join: reader(
    'files',
    `-iz -a= -e= -j= -o= -t= -v= -1= -2= --ignore-case --check-order --nocheck-order --header --zero-terminated ${HELP}`,
  ),
  comm: reader('files', `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP}`),
  cmp: reader('files', `-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent ${HELP}`),
  diff: reader(
    'files',
    `-qscueNnypTtiEZbwBad# -C= -U= -W= -F= -I= -L= -D= -X< --normal --brief --report-identical-files --context? --unified? --ed --rcs
     --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs
     --initial-tab --tabsize= --suppress-blank-empty --no-dereference --new-file --ignore-case --ignore-tab-expansion
     --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text
     --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color? --palette= --from-file< --to-file<
     --exclude-from< ${HELP}`,
  ),
  sort: reader(
    'files',
    `-bdfgiMhnRrVcCmsuz -k= -S= -t= -o> --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
     --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source< --reverse --sort=
     --version-sort --batch-size= --check? --debug --key= --merge --output> --stable --buffer-size= --field-separator= --parallel=
     --unique --zero-terminated ${HELP}`,
    true,
  ),
  uniq: reader(
    'output',
    `-cdDiuz# -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique
     --zero-terminated --check-chars= ${HELP}`,
    true,
  ),
  cut: reader(
    'files',
    `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
     --zero-terminated ${HELP}`,
  ),
  stat: reader('files', `-Lfnqrstx -c= --dereference --file-system --cached= --format= --printf= --terse ${HELP}`),
  du: reader(
    'files',
    `-0abcDghHklmPsSx -B= -d= -t= -X< --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth=
     --human-readable --inodes --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style=
     --exclude= --exclude-from< --one-file-system ${HELP}`,
  ),
  file: reader(
    'files',
    `-bchikLnNrsv0 -e= -F= -P= --brief --exclude= --exclude-quiet= --separator= --mime --mime-type --mime-encoding --apple --extension
     --keep-going --dereference --no-dereference --no-buffer --no-pad --print0 --parameter= --raw --special-files ${HELP}`,
    true,
  ),
  tree: reader(
    'files',
    `-adfiNpqsughDFvtcUrCnASXJx -L= -P= -I= -T= --dirsfirst --filesfirst --noreport --prune --du --si --inodes --device --sort? --charset=
     --filelimit= --timefmt= --matchdirs --ignore-case --gitignore --metafirst ${HELP}`,
    true,
  ),
  realpath: reader(
    'files',
    `-eEmLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to< --relative-base< --strip
     --no-symlinks --zero ${HELP}`,
  ),
  readlink: reader(
    'files',
    `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${HELP}`,
  ),
  base64: reader('files', `-dDi -w= -b= --decode --ignore-garbage --wrap= ${HELP}`),
  base32: reader('files', `-di -w= --decode --ignore-garbage --wrap= ${HELP}`),
  cksum: reader('files', `-z -a= -l= --algorithm= --length= --tag --untagged --zero --debug --raw --base64 ${HELP}`),
  sum: reader('files', `-rs --sysv ${HELP}`),
  ...sameFor('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', reader('files', SUM)),
  ...sameFor('grep egrep fgrep', reader('pattern', GREP)),
  rg: reader(
    'pattern',
    `-bcFhiHIlnNopPqsSuUvVwxa0. -A= -B= -C= -d= -e= -E= -g= -j= -m= -M= -r= -t= -T= -f< --after-context= --before-context= --binary
     --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches
     --crlf --encoding= --engine= --field-context-separator= --field-match-separator= --file< --files --files-with-matches
     --files-without-match --fixed-strings --glob= --glob-case-insensitive --heading --hidden --iglob= --ignore-case --ignore-file<
     --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count=
     --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore
     --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
     --no-ignore-vcs --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system
     --only-matching --passthru --path-separator= --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats
     --text --threads= --trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --vimgrep --with-filename
     --word-regexp ${HELP}`,
    true,
  ),
  date: reader(
    'none',
    `-uR -d= -I? -r< --date= --utc --universal --iso-8601? --rfc-3339= --rfc-email --reference< ${HELP}`,
  ),
  pwd: reader('none', '-LP'),
  whoami: reader('none', HELP),
  nproc: reader('none', `--all --ignore= ${HELP}`),
  arch: reader('none', HELP),
  tty: reader('none', `-s --silent --quiet ${HELP}`),
  logname: reader('none', HELP),
  uptime: reader('none', `-ps --pretty --since ${HELP}`),
  // How full disks are, whatever is asked about.
  df: reader(
    'text',
    `-ahHiklmPT -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --portability --print-type --type= --exclude-type=
     --total --output? ${HELP}`,
  ),
  free: reader(
    'none',
    `-bkmghltwv -s= -c= --bytes --kibi --mebi --gibi --kilo --mega --giga --human --si --lohi --total --wide --count= --seconds= ${HELP}`,
  ),
  lscpu: reader('none', `-abcepxyJ --all --online --offline --extended? --json --parse? ${HELP}`),
  wait: reader('text', '-fn'),
}

function sameFor(names: string, program: ReaderProgram): Record<string, ReaderProgram> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]))
}
