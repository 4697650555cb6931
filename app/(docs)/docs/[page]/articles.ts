/// <reference types="mdx" />
import type { ComponentType } from 'react';

type Articles = Record<string, () => Promise<{ default: ComponentType }>>;

const english: Articles = {
  'getting-started': () => import('@/docs/site/getting-started.mdx'),
  catalogs: () => import('@/docs/site/catalogs.mdx'),
  chat: () => import('@/docs/site/chat.mdx'),
  phone: () => import('@/docs/site/phone.mdx'),
  'callers-without-an-account': () => import('@/docs/site/callers-without-an-account.mdx'),
  'call-an-agent': () => import('@/docs/site/call-an-agent.mdx'),
  connect: () => import('@/docs/site/connect.mdx'),
  'use-claude': () => import('@/docs/site/use-claude.mdx'),
  'use-chatgpt': () => import('@/docs/site/use-chatgpt.mdx'),
  'use-claude-code': () => import('@/docs/site/use-claude-code.mdx'),
  'use-cursor': () => import('@/docs/site/use-cursor.mdx'),
  'use-vs-code': () => import('@/docs/site/use-vs-code.mdx'),
  'use-open-webui': () => import('@/docs/site/use-open-webui.mdx'),
  'use-librechat': () => import('@/docs/site/use-librechat.mdx'),
  'use-litellm': () => import('@/docs/site/use-litellm.mdx'),
  'use-continue': () => import('@/docs/site/use-continue.mdx'),
  'use-openai-libraries': () => import('@/docs/site/use-openai-libraries.mdx'),
  mcp: () => import('@/docs/site/mcp.mdx'),
  openai: () => import('@/docs/site/openai.mdx'),
  'demo-agents': () => import('@/docs/site/demo-agents.mdx'),
  'run-without-a-server': () => import('@/docs/site/run-without-a-server.mdx'),
  'serve-an-mcp-server': () => import('@/docs/site/serve-an-mcp-server.mdx'),
  'test-your-agent': () => import('@/docs/site/test-your-agent.mdx'),
  'protect-your-agent': () => import('@/docs/site/protect-your-agent.mdx'),
  hub: () => import('@/docs/site/hub.mdx'),
  tokens: () => import('@/docs/site/tokens.mdx'),
  a2a: () => import('@/docs/site/a2a.mdx'),
  'data-parts': () => import('@/docs/site/data-parts.mdx'),
  'interactive-answers': () => import('@/docs/site/interactive-answers.mdx'),
  conformance: () => import('@/docs/site/conformance.mdx'),
  payments: () => import('@/docs/site/payments.mdx'),
  selling: () => import('@/docs/site/selling.mdx'),
  'price-extension': () => import('@/docs/site/price-extension.mdx'),
  'tax-and-invoices': () => import('@/docs/site/tax-and-invoices.mdx'),
  payouts: () => import('@/docs/site/payouts.mdx'),
  'typed-clients': () => import('@/docs/site/typed-clients.mdx'),
  webhooks: () => import('@/docs/site/webhooks.mdx'),
  cli: () => import('@/docs/site/cli.mdx'),
  limits: () => import('@/docs/site/limits.mdx'),
  glossary: () => import('@/docs/site/glossary.mdx'),
  ranking: () => import('@/docs/site/ranking.mdx'),
  security: () => import('@/docs/site/security.mdx'),
  'self-hosting': () => import('@/docs/site/self-hosting.mdx'),
};

const german: Articles = {
  'getting-started': () => import('@/docs/site/de/getting-started.mdx'),
  chat: () => import('@/docs/site/de/chat.mdx'),
  phone: () => import('@/docs/site/de/phone.mdx'),
  'call-an-agent': () => import('@/docs/site/de/call-an-agent.mdx'),
  'demo-agents': () => import('@/docs/site/de/demo-agents.mdx'),
};

const spanish: Articles = {
  'getting-started': () => import('@/docs/site/es/getting-started.mdx'),
  chat: () => import('@/docs/site/es/chat.mdx'),
  phone: () => import('@/docs/site/es/phone.mdx'),
  'call-an-agent': () => import('@/docs/site/es/call-an-agent.mdx'),
  'demo-agents': () => import('@/docs/site/es/demo-agents.mdx'),
};

/** The written docs pages by language, each compiled separately. */
export const articles: Record<string, Articles> = { en: english, de: german, es: spanish };
