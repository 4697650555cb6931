import { readdirSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PasswordForm } from '@/components/account/settings/password-form';
import { withTexts } from '../../support/with-texts';

describe('a form submitted before scripts load', () => {
  it('posts both passwords, so that neither appears in a URL', () => {
    const html = renderToStaticMarkup(
      withTexts(createElement(PasswordForm, { email: 'ada@example.test', hasPassword: true })),
    );
    expect(html).toMatch(/<form [^>]*method="post"/);
  });

  it('is posted to the URL to which useForm sends it', () => {
    const names = readdirSync('components', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tsx'),
    );
    const texts = names.map((name) => [name, readFileSync(`components/${name}`, 'utf8')] as const);
    const senders = texts.filter(([, text]) => text.includes('useForm('));
    expect(senders.length).toBeGreaterThan(20);
    expect(senders.filter(([, text]) => !/<form\s+\{\.\.\.form\}/.test(text)).map(([name]) => name)).toEqual([]);
  });
});
