/** Environment variables in settings: which names there can be, and which of them a repository may never set. */

import { knownServiceOfModel } from '../protocol/option-table/known-services.js'

/** What is wrong with a name, for an environment of any file. */
export function variableNameProblem(name: string): string | undefined {
  if (name.length > 256) return 'is too long for the name of a variable'
  return /^[\x21-\x3c\x3e-\x7e]+$/.test(name) ? undefined : 'is not the name of an environment variable'
}

/**
 * Why a repository may not set this variable; undefined when it may. Once a folder is trusted its commands run anyway,
 * so this is about what works from afar and unseen: where the model's requests and the user's keys go, whom connections
 * believe, and which code loads into programs the user already allowed.
 */
export function whyVariableIsWithheld(name: string, value?: unknown): string | undefined {
  // Windows knows no case in names, and some programs read both spellings.
  const upper = name.toUpperCase()
  const service = MODELS.test(upper) && typeof value === 'string' ? knownServiceOfModel(value) : undefined
  if (service) return `it sends what is said to ${service}`
  if (HARMLESS.has(upper)) return undefined
  for (const [why, { names, prefixes = [], suffixes = [] }] of WITHHELD) {
    const found =
      names.has(upper) ||
      prefixes.some((prefix) => upper.startsWith(prefix)) ||
      suffixes.some((suffix) => upper.endsWith(suffix))
    if (found) return why
  }
  return undefined
}

const MODELS = /^(?:ANTHROPIC_.*MODEL|CLAUDE_CODE_SUBAGENT_MODEL)$/

/** The vendor of a model reads all that is said: which one is the user's to choose. */
export function explainRepositoryModelRefusal(model: string): string | undefined {
  const service = knownServiceOfModel(model)
  return service && `a repository can not send what is said to ${service}. Put it into your user settings`
}

type Names = { names: ReadonlySet<string>; prefixes?: readonly string[]; suffixes?: readonly string[] }

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** What the families below would cover, though it does no harm. */
const HARMLESS: ReadonlySet<string> = new Set(
  words(`
    ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL
    ANTHROPIC_DEFAULT_HAIKU_MODEL CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_MAX_OUTPUT_TOKENS CLAUDE_CODE_EFFORT_LEVEL
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR CLAUDE_AUTOCOMPACT_PCT_OVERRIDE
    NODE_ENV NODE_NO_WARNINGS
    PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE
    GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS
    CARGO_TERM_COLOR DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO
  `),
)

const WITHHELD: readonly (readonly [string, Names])[] = [
  [
    'it decides where requests go, or how the agent itself runs',
    {
      names: new Set(
        words(`
          IS_SANDBOX USE_BUILTIN_RIPGREP KUBECONFIG HOSTALIASES RES_OPTIONS LOCALDOMAIN CLOUD_ML_REGION CONTAINER_HOST
          BUILDKIT_HOST VAULT_ADDR OLLAMA_HOST
        `),
      ),
      prefixes: words('ANTHROPIC_ CLAUDE KEDGE_ OTEL_ AWS_ GOOGLE_ GCLOUD_ CLOUDSDK_ VERTEX_ AZURE_ DOCKER_ DBUS_'),
      suffixes: words('_BASE_URL _BASE_URI _API_BASE _ENDPOINT _ENDPOINT_URL _INDEX_URL _REGISTRY _MIRROR'),
    },
  ],
  [
    'it is a key or a password',
    {
      names: new Set(words('NETRC KRB5_CONFIG KRB5CCNAME GNUPGHOME PGPASSFILE PGSERVICEFILE')),
      suffixes: words('_API_KEY _APIKEY _ACCESS_KEY _ACCESS_KEY_ID _TOKEN _SECRET _SECRET_KEY _PASSWORD _CREDENTIALS'),
    },
  ],
  ['it leads connections through a proxy', { names: new Set(words('GOPROXY GONOPROXY')), suffixes: words('_PROXY') }],
  [
    'it changes whom encrypted connections believe',
    {
      names: new Set(
        words(`
          SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE NODE_TLS_REJECT_UNAUTHORIZED PYTHONHTTPSVERIFY GOSUMDB GONOSUMDB
          GONOSUMCHECK GOINSECURE GOPRIVATE
        `),
      ),
      prefixes: words('OPENSSL_ CURL_ GNUTLS_'),
      suffixes: words('_CA_BUNDLE _CA_FILE _CA_CERT _CA_CERTS _CA_PATH _CERT_FILE _CERT_PATH _SSL_VERIFY _TLS_VERIFY'),
    },
  ],
  [
    'it makes programs load or run other code',
    {
      names: new Set(
        words(`
          PATH PATHEXT HOME USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA SHELL COMSPEC SYSTEMROOT WINDIR PSMODULEPATH
          TMPDIR TEMP TMP ENV POSIXLY_CORRECT BASH_ENV BASHOPTS SHELLOPTS BASH_LOADABLES_PATH BASH_XTRACEFD BASH_COMPAT PROMPT_COMMAND
          PS0 PS1 PS2 PS3 PS4 IFS CDPATH FPATH GLOBIGNORE EXECIGNORE HISTFILE INPUTRC ZDOTDIR
          VISUAL FCEDIT BROWSER LESS LESSOPEN LESSCLOSE LESSKEY LESSKEYIN LESSKEY_SYSTEM MANOPT MANROFFOPT
          GCONV_PATH LOCPATH NLSPATH GETCONF_DIR LIBPATH SHLIB_PATH LIBRARY_PATH CPATH TERMINFO TERMINFO_DIRS TERMCAP
          CLASSPATH JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
          CC CXX CPP LD AR AS MAKE MAKEFLAGS MFLAGS MAKEFILES GNUMAKEFLAGS CFLAGS CXXFLAGS LDFLAGS
          RUSTC RUSTDOC RUSTFLAGS RUSTDOCFLAGS TAR_OPTIONS WGETRC GZIP BZIP BZIP2 XZ_OPT XZ_DEFAULTS
          GREP_OPTIONS RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND SQLITERC PSQLRC
          GOPATH GOROOT GOBIN GOFLAGS GOENV GOCACHE GOMODCACHE GOTOOLCHAIN GOEXPERIMENT GOVCS TCLLIBPATH
          AWKPATH AWKLIBPATH SVN_SSH CVS_RSH RSYNC_RSH RSYNC_CONNECT_PROG HGRCPATH PKG_CONFIG PKG_CONFIG_PATH ACLOCAL_PATH
          GTK_MODULES GTK_PATH GIO_MODULE_DIR GIO_EXTRA_MODULES QT_PLUGIN_PATH GHC_PACKAGE_PATH TEXINPUTS TEXMFCNF
          PHPRC PHP_INI_SCAN_DIR VIRTUAL_ENV EMACSLOADPATH VIMINIT EXINIT MYVIMRC VIM VIMRUNTIME
          DEBUGINFOD_URLS SSH_AUTH_SOCK DISPLAY XAUTHORITY
        `),
      ),
      prefixes: words(`
        LD_ DYLD_ BASH_FUNC_ MALLOC_ GLIBC_ NODE_ NPM_ YARN_ PNPM_ COREPACK_ BUN_ DENO_ PYTHON PIP_ PIPX_ PDM_ POETRY_ UV_
        CONDA_ PERL RUBY GEM_ BUNDLE_ BUNDLER_ LUA_ R_ GIT_ GH_ SSH_ SUDO_ XDG_ DOTNET_ COREHOST_ COMPLUS_
        CORECLR_ COR_ MSBUILD NUGET_ MAVEN_ MVN_ GRADLE_ CARGO_ RUSTC_ RUSTUP_ HOMEBREW_ NIX_ GUIX_ KOTLIN_ SBT_ JULIA_
        ERL_ ELIXIR_ ASDF_ MISE_ DIRENV_ NVM_ VOLTA_ PYENV_ RBENV_ CMAKE_ CCACHE_ ANSIBLE_ ELECTRON_ TF_ HELM_
      `),
      suffixes: words('PAGER EDITOR ASKPASS _OPTS _OPTIONS _HOME _WRAPPER _PRELOAD _LIBRARY_PATH _EXECUTABLE_PATH'),
    },
  ],
]
