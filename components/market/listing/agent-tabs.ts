import { agentPath } from '../../routes';

export const agentTabs = ['overview', 'skills', 'reviews', 'code', 'details'] as const;
export type AgentTab = (typeof agentTabs)[number];

/** The tab of each section. Sections outside of the tabs have none. */
const tabOfSection: Record<string, AgentTab> = {
  overview: 'overview',
  example: 'overview',
  reliability: 'overview',
  skills: 'skills',
  reviews: 'reviews',
  apps: 'code',
  call: 'code',
  sees: 'details',
  ranking: 'details',
  card: 'details',
};

/** Returns the tab that contains a section; null if the section is on every tab, or unknown. */
export function findTabOf(section: string): AgentTab | null {
  return Object.hasOwn(tabOfSection, section) ? (tabOfSection[section] ?? null) : null;
}

/** Returns a tab of an agent's page, with an optional section on it. */
export function agentTabPath(slug: string, tab: AgentTab, section?: string): string {
  const query = tab === 'overview' ? '' : `?tab=${tab}`;
  return `${agentPath(slug)}${query}${section ? `#${section}` : ''}`;
}

/** Returns the tab that a query requests. Links to a page of reviews need not specify it. */
export function readAgentTab({ tab, sort, reviews }: Record<string, string | string[] | undefined>): AgentTab {
  return agentTabs.find((known) => known === tab) ?? (tab === undefined && (sort || reviews) ? 'reviews' : 'overview');
}
