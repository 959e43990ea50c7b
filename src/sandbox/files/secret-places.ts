/** Places that hold keys and logins, which no command in the sandbox sees unless the user works there. */
import { join } from '../../platform/paths.js'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** In the home folder: nothing but keys and logins, and of no use without a network. */
const IN_HOME = words(`
  .ssh .gnupg .netrc _netrc .authinfo .authinfo.gpg .git-credentials .config/git/credentials .pgpass .my.cnf .mylogin.cnf
  .config/gh .config/hub .config/glab-cli .config/op .vault-token .config/age .config/sops
  .npmrc .pypirc .config/pip/pip.conf .pip/pip.conf .cargo/credentials .cargo/credentials.toml
  .gem/credentials .local/share/gem/credentials .composer/auth.json .config/composer/auth.json .m2/settings.xml
  .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .config/pypoetry/auth.toml
  .hex/hex.config .pub-cache/credentials.json .config/dart/pub-credentials.json .sbt/.credentials .ivy2/.credentials
  .docker/config.json .config/containers/auth.json .kube .config/helm/registry
  .aws .azure .config/gcloud .boto .oci .config/oci .terraform.d/credentials.tfrc.json .config/doctl .fly
  .vercel .local/share/com.vercel.cli .config/netlify .netlify .config/heroku .railway .wrangler .config/.wrangler
  .config/rclone .s3cfg .config/linode-cli .pulumi/credentials.json .supabase .databrickscfg .snowsql
  .kaggle .huggingface .cache/huggingface/token .cache/huggingface/stored_tokens .config/wandb
  .claude/kedge-mcp-sign-ins.json .codex/auth.json .gemini/oauth_creds.json .config/github-copilot .local/share/opencode/auth.json   .config/goose .cursor/cli-config.json .config/amp .qwen/oauth_creds.json
  .local/share/keyrings .local/share/kwalletd .password-store .config/Bitwarden .config/keepassxc .electrum .bitcoin
  .mozilla .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
  .config/opera .thunderbird snap/firefox snap/chromium .var/app/org.mozilla.firefox .config/Signal .config/Slack
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
  Library/Keychains Library/Cookies Library/Safari Library/Mail
  .erlang.cookie .config/erlang/.erlang.cookie .Xauthority .ICEauthority .vnc .config/tigervnc .config/remmina .rhosts
  .shosts .pg_service.conf .odbc.ini .cassandra .influxdbv2 .config/mongocli .config/atlascli .mongorc.js .redisclirc
  .subversion/auth .bazaar/authentication.conf .config/breezy/authentication.conf .cvspass .config/tea .jira.d
  .config/jira .python-gitlab.cfg .config/lab .circleci .travis .config/configstore .sentryclirc .config/snyk .env
  .fetchmailrc .msmtprc .config/msmtp .mailrc .offlineimaprc .mbsyncrc .esmtprc .mutt .muttrc .config/neomutt .irssi
  .weechat .config/weechat .smbcredentials .davfs2/secrets .passwd-s3fs .config/filezilla .filezilla .putty
  .config/putty .age .config/step .step .sigstore .minisign .config/1Password .op .config/rbw .cache/rbw
  .config/gopass .local/share/gopass .config/lpass .local/share/lpass .lpass .google_authenticator .yubico
  .config/Yubico .config/Authy .config/otpclient .dockercfg .minikube .rancher .config/argocd .argocd .terraformrc
  .config/packer .vault_pass .vault_pass.txt .vault-password .ansible_vault_pass .chef .nomad-token .consul-token
  .snowflake .config/snowflake .dbt/profiles.yml .bigqueryrc .config/scw .config/hcloud .config/vultr-cli .civo.json
  .bluemix .aliyun .tccli .config/exoscale .config/openstack .openstack .ovh.conf .cf .config/planetscale
  .config/turso .config/neonctl .config/firebase .expo .config/stripe .config/shopify .twilio-cli .config/ngrok
  .ngrok2 .cloudflared .config/.cloudflared .local/share/tailscale .datadog .newrelic .config/render .config/railway
  .config/flyctl .render .config/supabase .yarnrc.yml .bunfig.toml .config/pnpm/auth.ini .config/npm/npmrc
  .lein/credentials.clj.gpg .luarocks/upload_config.lua .conan/.conan.db .conan2/credentials.json .jfrog .config/jfrog
  .platformio/appstate.json .pause .cabal/credentials .android/adbkey .appstoreconnect .private_keys
  .fastlane/spaceship .local/share/jupyter/runtime .anthropic .openai .config/openai
  .config/io.datasette.llm/keys.json .aider.conf.yml .ollama/id_ed25519 .config/fabric .modal.toml
  .lightning/credentials.json .clearml.conf .mlflow/credentials .comet.config .replicate .config/dvc .config/replicate
  .config/crush .local/share/crush .config/Cursor/User/globalStorage .copilot .config/gemini .ethereum/keystore
  .config/solana .foundry/keystores .monero .litecoin .dogecoin .zcash .brownie/accounts .near-credentials .aptos .sui
  .electron-cash .config/Ledger .config/Exodus .librewolf .waterfox .config/google-chrome-beta
  .config/google-chrome-unstable .local/share/qutebrowser .w3m/cookie .local/share/epiphany .lynx_cookies
  .elinks/cookies .var/app/org.chromium.Chromium .var/app/com.google.Chrome .var/app/com.brave.Browser
  .var/app/com.microsoft.Edge .config/discord .config/Element .local/share/TelegramDesktop .local/share/signal-cli
  .config/evolution .local/share/evolution .kde/share/apps/kwallet .sh_history .ksh_history .history .histfile
  .local/share/fish/fish_history .config/nushell/history.txt .irb_history .pry_history .rediscli_history
  .sqlite_history .dbshell .mongodb .local/share/powershell/PSReadLine .ipython/profile_default/history.sqlite
  .ipython/profile_default/security .local/share/atuin .lesshst .viminfo .local/state/nvim/shada
`)

/** The same, with a space in the name. */
const SPACED_IN_HOME = [
  '.config/Bitwarden CLI',
  ...['Google/Chrome', 'Firefox', 'Chromium', 'BraveSoftware', 'Microsoft Edge', 'Bitwarden', 'Slack'].map(
    (name) => `Library/Application Support/${name}`,
  ),
]

/** Secrets of the system. The superuser can read them, and keeps the rights to do so. */
const IN_SYSTEM = words(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/krb5.keytab
  /etc/wireguard /etc/NetworkManager/system-connections /etc/ppp/chap-secrets /var/lib/sss/secrets /root/.ssh
  /var/lib/rabbitmq/.erlang.cookie /var/lib/couchdb/.erlang.cookie /var/lib/ejabberd/.erlang.cookie /opt/couchdb/.erlang.cookie
  /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /etc/ssh/ssh_host_dsa_key
  /etc/mysql/debian.cnf /etc/postfix/sasl_passwd /etc/postfix/sasl_passwd.db /etc/exim4/passwd.client /etc/letsencrypt
  /etc/kubernetes /var/lib/kubelet /var/lib/rancher /etc/rancher /etc/docker/key.json /etc/openvpn /etc/ipsec.secrets
  /etc/ipsec.d/private /etc/swanctl/private /etc/pki/tls/private /etc/security/opasswd /etc/boto.cfg /etc/credstore
  /etc/credstore.encrypted /etc/netplan /etc/wpa_supplicant /var/lib/samba/private /var/lib/tailscale /var/lib/NetworkManager
  /etc/munge /etc/bind/rndc.key /etc/dovecot/private /etc/vault.d /etc/cloudflared /var/lib/iwd /etc/pam_ldap.secret
`)

/** Each once: the superuser's home is one of those of the machine. */
export function listSecretPaths(home: string): string[] {
  return [...new Set([...[...IN_HOME, ...SPACED_IN_HOME].map((name) => join(home, name)), ...IN_SYSTEM])]
}
