/** Returns the form for a standing approval of an order's merchant. */
export function newStandingPath(orderId: string): string {
  return `${routes.payments}/automatic?order=${encodeURIComponent(orderId)}`;
}

/** Returns a section of the payment settings. */
export function paymentSettings(
  section:
    | 'passkeys'
    | 'passkey-limit'
    | 'recovery'
    | 'alerts'
    | 'limits'
    | 'automatic'
    | 'prices'
    | 'billing'
    | 'results'
    | 'charges'
    | 'paid',
): string {
  return `${routes.payments}#${section}`;
}

/** Returns the page on which a user approves the price of an agent. */
export function payPath(slug: string): string {
  return `/agents/${encodeURIComponent(slug)}/pay`;
}

/** Pages that an app or a device leads to. */
export const authorizationPaths = { authorize: '/oauth/authorize', device: '/device' } as const;

/** Pages of the moderators other than their queue. */
export const moderationPaths = {
  activity: '/admin/activity',
  blockedClients: '/admin/clients',
  disputes: '/admin/disputes',
} as const;

/**
 * Returns the path of a conversation of the user. `branch` is one of its versions. `at` is a task to scroll to, or a
 * version to display instead.
 */
export function conversationPath(
  id: string,
  options: { branch?: string | undefined; at?: string | undefined } = {},
): string {
  const query = new URLSearchParams(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return `/chat/${encodeURIComponent(id)}${query.size > 0 ? `?${query}` : ''}`;
}

/** Returns the path of the page that shows the calls between agents for one task. */
export function chainPath(rootTaskId: string): string {
  return `/chat/chains/${encodeURIComponent(rootTaskId)}`;
}

/** Keeps a guest's conversation in the account that is signed in. */
export function keepPath(conversationId: string): string {
  return `/chat/keep/${encodeURIComponent(conversationId)}`;
}

/** The new conversation to return to after sign-in; the pending message is then sent. */
export function resumePath(agentSlug: string): string {
  return `${newChatPath(agentSlug)}&resume=1`;
}

/** Paths of pages to which other areas link, so that a page can be moved with one change. Every page loads them. */
export const routes = {
  home: '/',
  catalog: '/agents',
  collections: '/collections',
  compare: '/compare',
  ranking: '/ranking',
  chat: '/chat',
  newChat: '/chat/new',
  console: '/console',
  ownAgents: '/console/agents',
  listAgent: '/console/agents/new',
  importAgents: '/console/agents/import',
  buildCard: '/console/agents/build',
  apps: '/console/apps',
  pushes: '/console/pushes',
  payouts: '/console/income/payouts',
  salePapers: '/console/income/papers',
  sales: '/console/sales',
  income: '/console/income',
  orders: '/orders',
  orderPapers: '/orders/papers',
  disputes: '/disputes',
  saleDisputes: '/console/income/disputes',
  settings: '/settings',
  payments: '/settings/payments',
  notifications: '/settings/notifications',
  docs: '/docs',
  connectDocs: '/docs/connect',
  sellingDocs: '/docs/selling',
  status: '/status',
  fees: '/fees',
  signIn: '/sign-in',
  signInByMail: '/sign-in/mail',
  signUp: '/sign-up',
  moderation: '/admin',
  forgot: '/forgot',
  signOut: '/sign-out',
} as const;

/** Returns the page of one agent. */
export function agentPath(slug: string): string {
  return `/agents/${encodeURIComponent(slug)}`;
}

/** Returns the page of one collection. */
export function collectionPath(id: string): string {
  return `/collections/${encodeURIComponent(id)}`;
}

/** Returns the console page of the user's own agent. */
export function ownAgentPath(slug: string): string {
  return `${routes.ownAgents}/${encodeURIComponent(slug)}`;
}

/** Returns the call log of an agent that the user manages. */
export function agentLogPath(slug: string): string {
  return `${ownAgentPath(slug)}/calls`;
}

/** Returns one call of that log. */
export function agentCallPath(slug: string, id: string): string {
  return `${agentLogPath(slug)}/${encodeURIComponent(id)}`;
}

/** Returns the console page that calls the agent. `replay` repeats a failed call. */
export function agentTestPath(slug: string, replay?: string): string {
  return `${ownAgentPath(slug)}/test${replay ? `?${new URLSearchParams({ replay })}` : ''}`;
}

/** Returns the console page of an agent's card. */
export function agentCardPath(slug: string): string {
  return `${ownAgentPath(slug)}/card`;
}

/** Returns the console page of an agent's team. */
export function agentTeamPath(slug: string): string {
  return `${ownAgentPath(slug)}/team`;
}

/** Returns the console page of an agent's settings. */
export function agentSettingsPath(slug: string): string {
  return `${ownAgentPath(slug)}/settings`;
}

/** Returns an invitation into a team, by the token of its link. */
export function invitationPath(token: string): string {
  return `/console/invitations/${encodeURIComponent(token)}`;
}

/** Returns the page that reads a card again from a known URL. */
export function listAgainPath(url: string): string {
  return `${routes.listAgent}?${new URLSearchParams({ url })}`;
}

/** Returns the page of one order, which is also its receipt. */
export function orderPath(id: string): string {
  return `${routes.orders}/${encodeURIComponent(id)}`;
}

/** Returns the page of one dispute. */
export function disputePath(id: string): string {
  return `${routes.disputes}/${encodeURIComponent(id)}`;
}

/** Returns the form that disputes what the user paid, with a selected reason. */
export function newDisputePath(kind: 'order' | 'charge', saleId: string, reason?: 'not_as_agreed'): string {
  return `${routes.disputes}/new?${new URLSearchParams({ kind, sale: saleId, ...(reason && { reason }) })}`;
}

/** Returns a new conversation with an agent, with `text` in the composer. */
export function newChatPath(slug: string, text?: string): string {
  const query = new URLSearchParams({ agent: slug, ...(text ? { text } : {}) });
  return `${routes.newChat}?${query}`;
}

/** Returns the path of sign-in or sign-up that returns to `returnTo`, a path of this site. */
export function signInPath(returnTo: string, to: 'signIn' | 'signUp' = 'signIn'): string {
  return returnTo === routes.home ? routes[to] : `${routes[to]}?${new URLSearchParams({ next: returnTo })}`;
}

/** Returns the page of a publisher. */
export function publisherPath(handle: string): string {
  return `/publishers/${encodeURIComponent(handle)}`;
}

/** Returns the page that reports a target to the moderators: an agent by slug, all others by id. */
export function reportPath(kind: 'agent' | 'review' | 'share' | 'example', id: string): string {
  return `/report?${new URLSearchParams({ kind, id })}`;
}

/** Returns the receipt of a report. */
export function receiptPath(id: string): string {
  return `/reports/${encodeURIComponent(id)}`;
}

/** Returns the page of a moderators' decision, for the user responsible for its subject. */
export function appealPath(caseId: string): string {
  return `/appeals/${encodeURIComponent(caseId)}`;
}

/** Returns a moderation case. */
export function casePath(id: string): string {
  return `${routes.moderation}/cases/${encodeURIComponent(id)}`;
}
