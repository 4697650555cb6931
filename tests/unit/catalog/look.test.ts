import { expect, test } from 'vitest';
import { lookOf } from '@/lib/catalog/look';

test.each([
  ['Acme Travel', 'Аcme Τravel'],
  ['Acme Travel', 'ACME  travel!'],
  ['Acme Travel', 'Acrne Travel'],
  ['Acme Travel', 'Acme Travel Official'],
  ['Acme Travel', 'The Acme-Travel Bot'],
  ['Acme Travel', 'Ácmé Trável'],
  ['Pizzeria', 'P1zzer1a'],
  ['paypal-agent', 'pаypaI'],
])('%s and %s look alike', (one, other) => {
  expect(lookOf(other)).toBe(lookOf(one));
});

test.each([
  ['Acme Travel', 'Acme Trading'],
  ['Pizzeria', 'Trattoria'],
  ['agent', 'bot'],
])('%s and %s do not', (one, other) => {
  expect(lookOf(other)).not.toBe(lookOf(one));
});
