// The order of domains, of their folders, and of the folders of components, as import rules.

/** Lowest layer first: a domain imports only domains of earlier layers, never one of its own layer. */
const LAYERS = [
  ['observability', 'status', 'docs'],
  ['limits', 'embeddings'],
  ['identity'],
  ['catalog'],
  ['tokens'],
  ['discovery', 'hub', 'payments'],
  ['tasks'],
  ['chat', 'compat', 'concierge', 'console', 'reviews', 'probes', 'hosts'],
  ['moderation', 'notifications'],
  ['account'],
];

/**
 * The folders of each domain, lowest first: a folder imports only earlier ones. An entry may also be a file. `errors`,
 * `limits`, `ports`, `rate-limits`, `record` and `schema*` are below all folders, other files of a domain above them.
 */
const FOLDERS = {
  observability: 'audit-events store',
  embeddings: 'embedder built-in provider embedders vector-index store',
  identity:
    'change-announcements store authorization sessions guest-sessions mail proofs guards passkeys inputs sign-in passwords',
  catalog: 'names authorization store cards agents card-updates imports team',
  tokens: `authorization store keys access-tokens credentials agent-tokens delegation oauth/clients oauth/connections
    oauth`,
  discovery: 'ranking terms languages store meaning search-agents ard crawler-documents saved',
  hub: 'store channel worker-session delivery ports runs connections protocol society',
  payments: `sellers store ports charges fees earnings acceptance payouts spending plans task-charges x402
    ap2 merchants orders refunds disputes bank-disputes income tax documents papers statements
    standing worker`,
  tasks: `store authorization active log agent-client push runs chains sources
    recovery turns calls client-task-ids hiring`,
  chat: 'store guests conversations thread sharing',
  reviews: 'store',
  hosts: 'answers client-identity mcp store openai',
  moderation: 'store',
  notifications: 'store vapid message quiet-hours devices settings send-message delivery-worker',
};

/** Lowest layer first: a folder of components imports only folders of earlier layers, never one of its own layer. */
const COMPONENT_LAYERS = [
  ['texts', 'texts'],
  ['ui', 'ui'],
  ['forms', 'forms'],
  ['shell', 'shell'],
  ['offers', 'chat/guests|payments/offers'],
  ['subjects', 'chat/state|market/listing|payments/checkout'],
  [
    'parts',
    'account/access|account/sign-in|chat/parts|console/calls|console/card|console/frame|market/cards|market/saved',
  ],
  ['sections', 'chat/artifacts|chat/chains|console/agents|console/builder'],
  ['conversations', 'chat/composer|chat/list|chat/thread'],
  ['screens', 'docs|moderation|[^/]+/[^/]+'],
];

/** The endpoints of a domain: above every domain, below the table that lists them. */
const ENDPOINTS = '^lib/([^/]+|hosts/(mcp|openai))/endpoints(/|\\.ts$)';

function rule(name, { comment, from = {}, to }) {
  return { name, comment, severity: 'error', from, to };
}

function upwardRule(domain, layer) {
  const siblings = LAYERS[layer].filter((name) => name !== domain);
  const above = [...siblings, ...LAYERS.slice(layer + 1).flat(), 'http', 'endpoints', 'node', 'pages'];
  return rule(`${domain}-imports-only-lower-domains`, {
    comment: `${domain} may not import ${above.join(', ')}; pass what you need from above as a parameter`,
    from: { path: `^lib/${domain}/`, pathNot: ENDPOINTS },
    to: { path: `^lib/(${above.join('|')})/` },
  });
}

/** The rules of one domain's folders, all of the same name. */
function folderRules(domain) {
  const folders = FOLDERS[domain]?.split(/\s+/) ?? [];
  const listed = (names) => (names.length > 0 ? [`^lib/${domain}/(${names.join('|')})(/|\\.ts$)`] : []);
  const shared = ['errors', 'limits', 'ports', 'rate-limits', 'record', 'schema[a-z-]*'];
  const base = `^lib/${domain}/(${shared.filter((name) => !folders.includes(name)).join('|')})\\.ts$`;
  const orderRule = (from, to) =>
    rule(`${domain}-folders-have-an-order`, {
      comment: 'a folder imports only earlier ones (FOLDERS above): move the function, or pass what it needs',
      from: { ...from, pathNot: [ENDPOINTS, ...(from.pathNot ?? [])] },
      to,
    });
  const above = (lower) => ({ path: `^lib/${domain}/`, pathNot: [base, ...listed(lower)] });
  return [
    orderRule({ path: `^lib/${domain}/[^/]+/`, pathNot: listed(folders) }, {}),
    orderRule({ path: base }, above([])),
    ...folders.map((folder, index) =>
      orderRule(
        { path: listed([folder])[0], pathNot: listed(folders.slice(0, index)) },
        above(folders.slice(0, index + 1)),
      ),
    ),
  ];
}

function componentRule([layer, folders], index) {
  const lower = COMPONENT_LAYERS.slice(0, index).map(([, names]) => `${names}|`);
  return rule(`component-${layer}-import-only-lower-folders`, {
    comment: 'folders of one layer share code through a folder of an earlier layer (COMPONENT_LAYERS above)',
    from: { path: `^components/(${folders})/`, pathNot: `^components/(${lower.join('')}-)/` },
    to: { path: '^components/', pathNot: `^components/(${lower.join('')}$1)/|^components/(settings-)?routes\\.ts$` },
  });
}

module.exports = {
  ENDPOINTS,
  LAYERS,
  rule,
  layerRules: [
    ...LAYERS.flatMap((layer, index) => layer.map((domain) => upwardRule(domain, index))),
    ...LAYERS.flat().flatMap(folderRules),
    ...COMPONENT_LAYERS.map(componentRule),
  ],
};
