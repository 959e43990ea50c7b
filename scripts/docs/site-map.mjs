// The map of the documentation: every page, by what a reader wants to do. A test keeps it complete, and docs/index.md true to it.
export const SITE_MAP = [
  [
    'Get started',
    [
      'index',
      'why-kedge',
      'quickstart',
      'first-agent',
      'approval-page',
      'agent-in-page',
      'test-in-ci',
      'migration',
      'practice-model',
    ],
  ],
  [
    'Guides',
    [
      ...[
        'library',
        'choose-a-model',
        'system-prompts',
        'images',
        'approvals',
        'own-tools',
        'mcp',
        'mcp-policies',
        'mcp-versions',
        'mcp-sign-in',
        'mcp-import',
        'mcp-server',
        'mcp-apps',
        'hooks',
        'file-hooks',
        'agents',
      ],
      ...['teams', 'structured-output', 'background', 'checkpoints', 'cancel', 'cost', 'failover', 'testing'],
      ...['recordings', 'evaluate', 'debugging', 'faq'],
    ],
  ],
  ['Use Kedge', ['terminal', 'web-page', 'acp', 'cli']],
  [
    'Deploy',
    [
      ...[
        'production',
        'server',
        'client',
        'elements',
        'bridges',
        'server-clients',
        'container',
        'observability',
        'many-machines',
      ],
      ...['cluster-operations', 'workspaces', 'backup'],
    ],
  ],
  ['Security', ['permissions', 'settings', 'project', 'sandbox', 'looking-commands', 'SECURITY']],
  ['Concepts', ['sessions', 'durable-sessions', 'transports', 'workspace-option', 'hub']],
  [
    'Reference',
    [
      ...['tools', 'web', 'endpoints', 'models', 'other-apis', 'errors', 'environment', 'eval-reference'],
      ...[
        'compatibility',
        'compatibility-options',
        'compatibility-exports',
        'compatibility-types',
        'compatibility-messages',
      ],
      ...['compatibility-tools', 'compatibility-command', 'compatibility-server', 'compatibility-environment'],
      'acp-differences',
    ],
  ],
  ['Cookbook', ['cookbook', 'cookbook-basics', 'cookbook-web', 'cookbook-automation', 'cookbook-services']],
  [
    'Proof',
    [
      ...['proof', 'performance', 'performance-parts', 'reliability', 'permission-tests', 'sandbox-tests'],
      'mcp-bad-inputs',
      ...[
        'hostile-repositories',
        'interop',
        'interop-differences',
        'eval-figures',
        'cluster-figures',
        'dependencies',
        'provenance',
      ],
    ],
  ],
  ['Project', ['CHANGELOG', 'releases', 'platforms', 'packaging', 'CONTRIBUTING', 'ARCHITECTURE', 'GLOSSARY']],
]

/** Pages that are part of another one now: their old addresses lead there. */
export const REDIRECTS = { deploying: 'production' }

/** Generated pages go after these, in the section of that name. */
export const REFERENCE = 'Reference'
export const EXAMPLES = 'Examples'
