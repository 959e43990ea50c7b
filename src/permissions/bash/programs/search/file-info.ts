/** Programs that tell about files and folders: sizes, kinds, where links lead. */
import { createReaderForms, HELP_OPTIONS } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const FILE_INFO_PROGRAMS: KnownPrograms = {
  stat: {
    looks: createReaderForms(
      'files',
      `-Lfnqrstx -c= --dereference --file-system --cached= --format= --printf= --terse ${HELP_OPTIONS}`,
    ),
    ignoresInput: true,
  },
  du: {
    looks: createReaderForms(
      'files',
      `-0abcDghHklmPsSx -B= -d= -t= -X< --null --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth=
        --human-readable --inodes --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time?
        --time-style= --exclude= --exclude-from< --one-file-system ${HELP_OPTIONS}`,
      { around: true, follows: { short: 'L', long: ['dereference'] } },
    ),
    ignoresInput: true,
  },
  file: {
    looks: createReaderForms(
      'files',
      `-bchikLnNrsv0 -e= -F= -P= --brief --exclude= --exclude-quiet= --separator= --mime --mime-type --mime-encoding --apple
        --extension --keep-going --dereference --no-dereference --no-buffer --no-pad --print0 --parameter= --raw --special-files
        ${HELP_OPTIONS}`,
      { strict: true },
    ),
    risks: { options: { runs: '-zZ --uncompress', writes: '-C --compile' } },
  },
  tree: {
    looks: {
      ...createReaderForms(
        'files',
        `-adfiNpqsughDFvtcUrCnASXJx -L= -P= -I= -T= --dirsfirst --filesfirst --noreport --prune --du --si --inodes --device
          --sort? --charset= --filelimit= --timefmt= --matchdirs --ignore-case --gitignore --metafirst ${HELP_OPTIONS}`,
        { strict: true, around: true, follows: { short: 'l' } },
      ),
      version: /^--version$/,
    },
    risks: { options: { writes: '-oR --output' } },
  },
  realpath: {
    looks: createReaderForms(
      'files',
      `-eEmLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to< --relative-base<
        --strip --no-symlinks --zero ${HELP_OPTIONS}`,
    ),
    ignoresInput: true,
  },
  readlink: {
    looks: createReaderForms(
      'files',
      `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero ${HELP_OPTIONS}`,
    ),
    ignoresInput: true,
  },
  // How full disks are, whatever is asked about.
  df: {
    looks: createReaderForms(
      'text',
      `-ahHiklmPT -B= -t= -x= --all --block-size= --human-readable --si --inodes --local --portability --print-type --type=
        --exclude-type= --total --output? ${HELP_OPTIONS}`,
    ),
  },
}
