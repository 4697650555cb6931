import { NextIntlClientProvider } from 'next-intl';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { FilterForm } from '@/components/forms/filter-form';
import { texts } from '@/lib/texts/en';

const agents = [{ slug: 'pizzeria', name: 'Trattoria' }];

function render(timeZone: string, agent?: string): string {
  const form = createElement(FilterForm, { path: '/console/sales', chosen: { agent }, agents });
  const props = { locale: 'en', messages: texts, timeZone, children: form };
  return renderToStaticMarkup(createElement(NextIntlClientProvider, props));
}

describe('the filter for orders and sales', () => {
  test('lists agents by name, and keeps a selected agent that is not in the list', () => {
    expect(render('UTC')).toContain('<option value="pizzeria">Trattoria</option>');
    expect(render('UTC', 'gone')).toContain('<option value="gone" selected="">gone</option>');
  });

  test('says that its days are in UTC if the reader is in another time zone', () => {
    expect(render('America/New_York')).toContain('midnight UTC');
    for (const zone of ['UTC', 'Etc/GMT']) expect(render(zone)).not.toContain('midnight UTC');
  });
});
