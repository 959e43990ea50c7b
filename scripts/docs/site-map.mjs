// The map of the documentation: every page, by what somebody wants to know. A test keeps it complete.
export const SITE_MAP = [
  ['Start', ['index', 'first-agent', 'migration', 'practice-model']],
  [
    'Guides',
    [
      ...[
        'approvals',
        'own-tools',
        'agents',
        'hooks',
        'structured-output',
        'production',
        'testing',
        'recordings',
        'evaluate',
        'cost',
        'deploying',
      ],
      ...['container', 'debugging', 'observability'],
    ],
  ],
  ['Faces', ['library', 'cli', 'terminal', 'web-page', 'server', 'client', 'server-clients', 'acp', 'acp-differences']],
  ['What it may do', ['permissions', 'looking-commands', 'settings', 'sandbox', 'hostile-repositories']],
  ['What it can do', ['tools', 'web', 'mcp', 'project', 'teams', 'background', 'checkpoints', 'workspace-option']],
  [
    'Sessions',
    ['sessions', 'durable-sessions', 'transports', 'many-machines', 'workspaces', 'backup', 'cluster-figures'],
  ],
  ['Models', ['models', 'endpoints', 'other-apis', 'failover']],
  [
    'Reference',
    [
      ...[
        'errors',
        'environment',
        'eval-reference',
        'eval-figures',
        'compatibility',
        'compatibility-options',
        'compatibility-exports',
      ],
      ...['compatibility-messages', 'compatibility-tools', 'compatibility-command', 'compatibility-server'],
      ...['compatibility-environment', 'interop', 'interop-differences'],
    ],
  ],
  [
    'Can I rely on it?',
    [
      'proof',
      'reliability',
      'permission-tests',
      'performance',
      'performance-parts',
      'platforms',
      'packaging',
      'releases',
      'dependencies',
      'provenance',
    ],
  ],
  ['For contributors', ['hub', 'ARCHITECTURE', 'CONTRIBUTING', 'GLOSSARY', 'SECURITY', 'CHANGELOG']],
]

/** Generated pages go after these, in the section of that name. */
export const REFERENCE = 'Reference'
export const EXAMPLES = 'Examples'
