import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SchemaTree } from '@/components/docs/schema-tree';
import { withTexts } from '../../support/with-texts';
import { readableText } from '../parts/render-markdown';

function textOf(schema: Record<string, unknown>): string {
  return readableText(renderToStaticMarkup(withTexts(createElement(SchemaTree, { schema }))));
}

test('a nullable member is shown with both types, its description and its members', () => {
  const money = {
    type: 'object',
    properties: { minor: { type: 'integer', description: 'Minor units' } },
    required: ['minor'],
  };
  const properties = { code: { type: ['string', 'null'] }, total: { anyOf: [money, { type: 'null' }] } };
  const text = textOf({ type: 'object', properties, required: ['code', 'total'] });
  expect(text).toContain('code string or null');
  expect(text).toContain('total object or null');
  expect(text).toContain('minor integerMinor units');
});

test('a response with variants lists each variant’s members', () => {
  const kind = (name: string): object => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  });
  expect(textOf({ anyOf: [kind('access_token'), kind('token')] })).toBe('access_token stringortoken string');
});
