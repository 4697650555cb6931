/** Sections of the settings. Separate from `routes`, because only some pages link to them and every page loads those. */
export const settingsRoutes = {
  profile: '/settings/account#profile',
  password: '/settings/security#password',
  sessions: '/settings/security#sessions',
  accessTokens: '/settings/connections#tokens',
  connectedApps: '/settings/connections#apps',
  connectedAgents: '/settings/connections#agents',
  pushReceivers: '/settings/connections#webhooks',
  savedSearches: '/settings/notifications#searches',
  activity: '/settings/security#activity',
  ownData: '/settings/data',
  publisher: '/settings/account#publisher',
} as const;

/** Adds a query to a path of this site, before its fragment. */
export function withQuery(path: string, query: Record<string, string>): string {
  const [page = '', fragment] = path.split('#');
  const search = new URLSearchParams(query);
  return `${page}${search.size > 0 ? `?${search}` : ''}${fragment === undefined ? '' : `#${fragment}`}`;
}
