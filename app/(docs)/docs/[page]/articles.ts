/// <reference types="mdx" />
import type { ComponentType } from 'react';

/** The written docs pages, each compiled separately. */
export const articles: Record<string, () => Promise<{ default: ComponentType }>> = {
  'getting-started': () => import('@/docs/site/getting-started.mdx'),
  catalogs: () => import('@/docs/site/catalogs.mdx'),
  chat: () => import('@/docs/site/chat.mdx'),
  'call-an-agent': () => import('@/docs/site/call-an-agent.mdx'),
  mcp: () => import('@/docs/site/mcp.mdx'),
  openai: () => import('@/docs/site/openai.mdx'),
  'demo-agents': () => import('@/docs/site/demo-agents.mdx'),
  'run-without-a-server': () => import('@/docs/site/run-without-a-server.mdx'),
  'protect-your-agent': () => import('@/docs/site/protect-your-agent.mdx'),
  hub: () => import('@/docs/site/hub.mdx'),
  tokens: () => import('@/docs/site/tokens.mdx'),
  a2a: () => import('@/docs/site/a2a.mdx'),
  'data-parts': () => import('@/docs/site/data-parts.mdx'),
  payments: () => import('@/docs/site/payments.mdx'),
  webhooks: () => import('@/docs/site/webhooks.mdx'),
  cli: () => import('@/docs/site/cli.mdx'),
  limits: () => import('@/docs/site/limits.mdx'),
  glossary: () => import('@/docs/site/glossary.mdx'),
  ranking: () => import('@/docs/site/ranking.mdx'),
  security: () => import('@/docs/site/security.mdx'),
  'self-hosting': () => import('@/docs/site/self-hosting.mdx'),
};
