import { createTranslator } from 'next-intl';
import { describe, expect, test } from 'vitest';
import { pseudo } from '../../../scripts/messages/pseudo.mjs';

describe('the pseudo-language', () => {
  test('accents a text, wraps it in brackets and makes it about 40 % longer', () => {
    const text = 'Find agents, talk to them, come to terms';
    const changed = pseudo(text);
    expect(changed).toMatch(/^⟦Fííññd ááğééññtś, .*⟧$/);
    expect(changed.length / text.length).toBeGreaterThan(1.3);
    expect(changed.length / text.length).toBeLessThan(1.6);
  });

  test('leaves arguments, plurals and tags unchanged', () => {
    const message = pseudo('{name} has <b>{count, plural, one {# call} other {# calls}}</b>');
    const t = createTranslator({ locale: 'en', messages: { message } });
    const drawn = t.markup('message', { name: 'Ada', count: 1_200, b: (chunks: string) => `[${chunks}]` });
    expect(drawn).toBe('⟦Ada hááś [1,200 çáállś]⟧');
  });

  test('rejects invalid ICU messages', () => {
    expect(() => pseudo('{name')).toThrow();
  });
});
