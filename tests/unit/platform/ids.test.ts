import { expect, test } from 'vitest';
import { isUuid, newId, newUuid, newUuidV7 } from '@/lib/platform/ids';

test('UUIDs are random, version 4 and unique', () => {
  const ids = Array.from({ length: 5_000 }, newUuid);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.every(isUuid)).toBe(true);
});

test('task UUIDs are version 7, unique, and sort by time', () => {
  const at = Date.parse('2026-11-24T10:00:00.123Z');
  const ids = Array.from({ length: 5_000 }, (_, index) => newUuidV7(new Date(at + index)));
  expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)).toBe(at);
});

test('an object id consists of a prefix and twenty unambiguous letters, and is unique', () => {
  const ids = Array.from({ length: 5_000 }, () => newId('ord'));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{20}$/);
});
