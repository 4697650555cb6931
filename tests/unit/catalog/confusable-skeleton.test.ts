import { expect, test } from 'vitest';
import { skeletonOf } from '@/lib/catalog/names/lookalikes';

test.each([
  ['Acme Travel', 'Аcme Τravel'],
  ['Acme Travel', 'ACME  travel!'],
  ['Acme Travel', 'Acrne Travel'],
  ['Acme Travel', 'Acme Travel Official'],
  ['Acme Travel', 'The Acme-Travel Bot'],
  ['Acme Travel', 'Ácmé Trável'],
  ['Pizzeria', 'P1zzer1a'],
  ['paypal-agent', 'pаypaI'],
])('%s and %s are confusable', (one, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(one));
});

test.each([
  ['Acme Travel', 'Acme Trading'],
  ['Pizzeria', 'Trattoria'],
  ['agent', 'bot'],
])('%s and %s are not confusable', (one, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(one));
});
