import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Reliability } from '@/components/market/agent-page/quality/reliability';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { texts } from '@/lib/texts/en';

const unmeasured: AgentRanking = {
  isOwn: false,
  health: 'healthy',
  rung: 'listed',
  checked: { at: '2026-11-29T12:00:00.000Z', by: 'reach' },
  failingSince: null,
  intervals: { reachSeconds: 900, runSeconds: 0 },
  uptime: null,
  latency: null,
  history: [],
  use: { users: 0, calls: 0, success: null, days: 30 },
  rating: null,
  score: null,
};

function render(measured: Partial<AgentRanking>): string {
  const children = createElement(Reliability, { standing: { ...unmeasured, ...measured } });
  const props = { locale: 'en', messages: texts, timeZone: 'UTC', children };
  return renderToStaticMarkup(createElement(NextIntlClientProvider, props));
}

function daysOf(count: number): AgentRanking['history'] {
  return Array.from({ length: count }, (_, at) => ({ day: `2026-11-${10 + at}`, checks: 96, good: 96, p50Ms: 120 }));
}

describe('an agent’s reliability', () => {
  test('shows only figures that have a value', () => {
    const shown = render({ uptime: { share: 1, checks: 1, days: 30 } });
    expect(shown).toContain('1 check in the last 30 days');
    for (const text of ['Median latency', 'Users', 'Task success', '–']) expect(shown).not.toContain(text);
    expect(render({})).not.toContain('<dl');
  });

  test('shows a chart after seven days with checks, with one bar for each and none for earlier days', () => {
    expect(render({ history: daysOf(6) })).not.toContain('<svg');
    expect(render({ history: daysOf(7) }).match(/<title>/g)).toHaveLength(7);
    expect(render({ history: daysOf(7) }).match(/<rect/g)).toHaveLength(14);
  });
});
