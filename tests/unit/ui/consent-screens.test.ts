import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ReceiverList } from '@/components/account/access/receiver-list';
import { AuthorizationRequest } from '@/components/account/authorize/authorization-request';
import { DeviceRequest } from '@/components/account/authorize/device-request';
import { ChainPanel } from '@/components/chat/chains/chain-panel';
import { ChainActionsContext } from '@/components/chat/state/chains';
import { ImportEntryList } from '@/components/console/import/import-entry-list';
import { ReviewForm } from '@/components/payments/checkout/review-form';
import { StandingForm } from '@/components/payments/standing/standing-form';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import { ACCESS_SCOPES, CONNECTION_SCOPES } from '@/lib/platform/scopes';
import type { SentPart } from '@/lib/tasks/schema-chains';
import type { AuthorizationView } from '@/lib/tokens/schema-connections';
import { withTexts } from '../../support/with-texts';
import { approval, chainOf, sentText } from '../chat/chain-views';
import { readableText } from '../parts/render-markdown';
import { offerView, orderView, paidOrder } from '../payments/order-views';

/** A text with a right-to-left override and an invisible part. */
const hostile = 'gpj.\u202etxt\u200b.exe';
const revealed = ['U+202E', 'U+200B'];
const ignore = (): void => undefined;
const router = {
  ...{ back: ignore, forward: ignore, refresh: ignore, push: ignore, replace: ignore, prefetch: ignore },
  bfcacheId: '',
};

function htmlOf(element: ReactElement): string {
  return renderToStaticMarkup(createElement(AppRouterContext, { value: router }, withTexts(element)));
}

const hire = (parts: SentPart[]): ReactElement =>
  createElement(
    ChainActionsContext,
    { value: { update: ignore, reload: ignore, stop: () => Promise.resolve(true) } },
    createElement(ChainPanel, { chain: chainOf([], { state: 'waiting', approvals: [approval({ parts })] }) }),
  );
const longText = `${'Not shown in a summary. '.repeat(4_000)}The end.`;
const files = Array.from({ length: 20 }, (_, index): SentPart => {
  return { kind: 'file', text: '', name: `${index}-${hostile}`, mediaType: 'image/png', bytes: 1_000 * (index + 1) };
});

const line = { quantity: 1, pending: false, refundDays: null, kind: 'item' } as const;
const lines = Array.from({ length: 30 }, (_, index) => ({ ...line, label: `Item ${index}`, minor: 100 + index }));
const order = orderView('verified', {
  offer: offerView({
    lines: [...lines, { ...line, label: hostile, kind: 'fee', minor: 55 }],
    total: { currency: 'EUR', minor: 3_490 },
    merchantName: `Trattoria ${hostile}`,
    address: ['12 Via Roma', hostile],
  }),
});
const review: ReviewView = {
  order,
  payee: { name: `Trattoria ${hostile}`, issuer: 'https://trattoria.example/keys' },
  fee: { currency: 'EUR', minor: 35 },
  approval: {
    ...{ v: 1, order_id: 'ord_1', user_id: 'usr_1', agent_id: 'agt_1', context_id: 'c', cart_hash: 'h', nonce: 'n' },
    ...{ amount: 3_490, currency: 'EUR', payee: 'Trattoria', expires_at: '2126-11-20T12:15:00Z' },
  },
  approvalId: 'apv_1',
  methods: [{ method: 'wallet', test: true, balance: { currency: 'EUR', minor: 10_000 }, enough: true }],
  passkey: null,
  passkeyRequired: false,
  signInAgain: false,
  spending: { limits: [], exceeded: null },
};
const payment = { step: { kind: 'loading' }, review: ignore, approve: ignore, decline: ignore } as const;

const authorization: AuthorizationView = {
  clientName: `Helper ${hostile}`,
  clientId: 'https://helper.example/client.json',
  clientHost: 'helper.example',
  returnsTo: 'helper.example',
  redirectOrigin: 'https://helper.example',
  verified: 'document',
  isLoopbackOnly: false,
  scopes: [...CONNECTION_SCOPES],
  resource: 'https://parley.example/agents/planner/mcp',
  resourceName: 'Planner',
  offline: true,
  days: 90,
};
const at = '2026-11-20T12:00:00.000Z';

/** Each screen with everything that its button permits. */
const screens: { name: string; element: ReactElement; shows: string[] }[] = [
  {
    name: 'the approval of a hire with a long message, 20 files, data and metadata',
    element: hire([
      sentText(`${longText} ${hostile}`),
      ...files,
      { kind: 'link', text: 'https://files.example/a?b=c', name: null, mediaType: 'text/csv', bytes: null },
      { kind: 'data', text: '{"iban":"DE02"}', name: 'account.json', mediaType: 'application/json', bytes: 15 },
      { kind: 'metadata', text: '{"message":{"secret":1}}', name: null, mediaType: null, bytes: 24 },
    ]),
    shows: [
      ...['Planner', 'Air Desk', 'only this message is sent', longText, '24 parts', ...revealed],
      ...files.flatMap(({ bytes }, index) => [`${index}-gpj.`, `${(bytes ?? 0) / 1_000} kB`]),
      ...['image/png', 'https://files.example/a?b=c', 'text/csv', 'account.json', 'application/json', '15 bytes'],
      ...['{"iban":"DE02"}', '{"message":{"secret":1}}', 'Metadata'],
    ],
  },
  {
    name: 'the payment dialog with 31 lines',
    element: createElement(ReviewForm, {
      step: { kind: 'review', review, busy: null, problem: null },
      payment,
      returnTo: '/',
    }),
    shows: [
      ...lines.flatMap(({ label, minor }) => [label, `€${(minor / 100).toFixed(2)}`]),
      ...['€0.55', '€34.90', 'EUR', 'Parley fee of €0.35', 'Trattoria', 'Pizzeria agent', 'trattoria.example'],
      ...['12 Via Roma', 'Pay €34.90', ...revealed],
    ],
  },
  {
    name: 'the consent to an app with every scope',
    element: createElement(AuthorizationRequest, {
      view: authorization,
      parameters: [],
      account: { name: 'Ada', email: 'ada@example.com', returnTo: '/' },
    }),
    shows: [
      ...['Helper gpj.', ...revealed, 'helper.example', 'Planner', 'https://parley.example/agents/planner/mcp'],
      ...['Find agents', 'Call agents as you', 'Read your tasks', '90 days', 'ada@example.com'],
    ],
  },
  {
    name: 'the consent to an app without offline access',
    element: createElement(AuthorizationRequest, {
      view: { ...authorization, scopes: ['agents:call'], offline: false },
      parameters: [],
      account: { name: 'Ada', email: 'ada@example.com', returnTo: '/' },
    }),
    shows: ['Call agents as you', 'one hour'],
  },
  {
    name: 'the sign-in of a device with every scope',
    element: createElement(DeviceRequest, {
      userCode: 'ABCD-EFGH',
      request: {
        clientId: 'parley-cli',
        scopes: [...ACCESS_SCOPES],
        address: '192.0.2.7',
        userAgent: `parley ${hostile}`,
        createdAt: at,
        expiresAt: at,
      },
      onDecided: ignore,
    }),
    shows: [
      ...['Read your agents', 'Manage your agents', 'Run your agents', 'Call agents as you', 'Pay for you'],
      ...['192.0.2.7', ...revealed, '90 days'],
    ],
  },
  {
    name: 'the terms of a standing approval',
    element: createElement(StandingForm, {
      order: { ...paidOrder(), offer: order.offer ?? offerView() },
      until: '2027-03-31',
    }),
    shows: ['Trattoria', 'Pizzeria agent', 'wallet', ...revealed, ...lines.map(({ label }) => label)],
  },
  {
    name: 'the choice of the agents to import',
    element: createElement(ImportEntryList, {
      entries: [
        { number: 1, identifier: null, name: 'Old', url: 'https://agents.example/card', source: null, problem: null },
      ],
      verdicts: new Map([
        [
          'https://agents.example/card',
          {
            url: 'https://agents.example/card',
            verdict: 'confirm' as const,
            agent: { name: `Planner ${hostile}`, description: `${longText} ${hostile}`, slug: null, skills: 3 },
            otherOrigin: { found: 'https://calls.example', expected: 'https://agents.example' },
            looksLike: null,
            warnings: 1,
            problem: null,
          },
        ],
      ]),
      outcomes: new Map(),
      chosen: new Set<string>(),
      isBusy: false,
      onChoose: ignore,
    }),
    shows: ['Planner gpj.', longText, ...revealed, '3 skills', 'https://agents.example/card', 'https://calls.example'],
  },
  {
    name: 'the webhooks of tasks',
    element: createElement(ReceiverList, {
      receivers: [
        {
          id: '1',
          host: 'hooks.example:8443',
          taskId: '3c9a3f0e-6a53-4c4e-9b2e-0d5d9c5b7a11',
          agent: { slug: 'planner', name: 'Planner' },
          credential: { kind: 'connected-app', name: 'Helper' },
          createdAt: at,
          isOver: false,
          lastStatus: null,
          failing: null,
        },
      ],
    }),
    shows: ['hooks.example:8443', 'Planner', 'Helper', '3c9a3f0e-6a53-4c4e-9b2e-0d5d9c5b7a11', 'every update'],
  },
];

describe('a consent screen', () => {
  test.each(screens)('shows everything that it permits: $name', ({ element, shows }) => {
    const html = htmlOf(element);
    const text = readableText(html);
    for (const part of shows) expect(text).toContain(part);
    // The text must not be cut off by a style or reordered by a name.
    expect(html).not.toMatch(/line-clamp|[\u202a-\u202e\u2066-\u2069\u200b]/);
  });
});
