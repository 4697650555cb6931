import { describe, expect, test } from 'vitest';
import { hasCode } from '@/lib/platform/errors';
import { parseJson, parseUnambiguousJson } from '@/lib/platform/json';

function refused(text: string): boolean {
  try {
    parseJson(text);
  } catch (error) {
    return hasCode(error, 'parse_error');
  }
  return false;
}

describe('LIM-5 parseJson', () => {
  test('accepts valid JSON', () => {
    for (const text of ['null', ' {"a":[1,2,{"b":"\\u0000"}]} ', '"\\"[[["', '[1e2,-0.5]', '{"a":"}}}}"}', '"\\\\"']) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }
  });

  test('rejects invalid JSON', () => {
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'NaN', '01', '"\n"', '{"a" 1}', '\u00a01'])
      expect(refused(text)).toBe(true);
  });

  test('allows 64 levels, rejects 65, and rejects 100,000 without crashing', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(64))).toBeDefined();
    expect(refused(nested(65))).toBe(true);
    expect(refused(nested(100_000))).toBe(true);
    expect(refused(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`)).toBe(true);
    expect(refused(`${'{"a":['.repeat(33)}1${']}'.repeat(33)}`)).toBe(true);
    expect(parseJson(JSON.stringify(Array.from({ length: 100 }, () => [{}])))).toBeDefined();
  });

  test('counts members, but not commas in strings', () => {
    expect(parseJson(JSON.stringify({ text: ','.repeat(20_000) }))).toBeDefined();
    expect(refused(JSON.stringify(Array.from({ length: 20_000 }, () => 0)))).toBe(true);
  });

  test('rejects numbers that JavaScript reads as infinite', () => {
    for (const text of ['1e999', '[-1e400]', '{"exp":1e+309}', `${'9'.repeat(400)}`, `{"a":[${'9'.repeat(250)}e99]}`])
      expect(refused(text)).toBe(true);
    expect(parseJson('"1e999"')).toBe('1e999');
  });
});

describe('LIM-5 parseUnambiguousJson', () => {
  test.each([
    ['a', '{"a":1,"a":1}'],
    ['a', '{"a":1,"b":2,"\\u0061":3}'],
    ['client_id', '{"x":[{"client_id":"a","y":{},"client_id":"b"}]}'],
    ['', '{"":0,"":1}'],
    ['a":1,"', '{"a\\":1,\\"":1,"a\\":1,\\"":2}'],
    ['constructor', '{"constructor":1,"constructor":2}'],
  ])('rejects a duplicate member %j in one object', (name, text) => {
    expect(() => parseUnambiguousJson(text)).toThrow(`the member "${name}" twice`);
  });

  test('accepts one name in several objects, and colons in strings', () => {
    for (const text of ['{"a":{"a":[{"a":1},{"a":"x:y"}]},"b:":":"}', '[]', '"a:a"', '{"A":1,"a":2}', '{"a":"\\":"}']) {
      expect(parseUnambiguousJson(text)).toEqual(JSON.parse(text));
    }
  });
});

test('LIM-6 the JSON parser rejects __proto__ members in every spelling and leaves Object unchanged', () => {
  for (const text of [
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__" : 1}}',
    '{"\\u005f_proto__":1}',
    '[{"_\\u005Fproto\\u005f_":1}]',
    '{"__pr\\u006fto__":1}',
    '{"a":[{"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}]}',
  ]) {
    expect(refused(text)).toBe(true);
  }
  expect(parseJson('{"text":"__proto__"}')).toEqual({ text: '__proto__' });
  expect(({} as Record<string, unknown>).admin).toBeUndefined();
});
