import { describe, expect, test } from 'vitest';
import { findDataTexts } from '@/lib/protocol/a2a/dialects';
import { isObject, type JsonObject } from '@/lib/protocol/json';

/** The `data` of the first part in this event text. */
function read(data: string): { text: string | undefined; data: JsonObject } {
  const event = `{"result":{"artifact":{"parts":[{"kind":"text","text":"\\"data\\":{}"},{"kind":"data","data":${data}}]}}}`;
  const value = JSON.parse(event) as { result: { artifact: { parts: { data?: JsonObject }[] } } };
  const found = value.result.artifact.parts[1]?.data;
  if (!isObject(found)) throw new Error('the event has no data');
  return { text: findDataTexts(event, value)?.(found), data: found };
}

describe('a data part’s text', () => {
  test('is stored if it differs from the value’s own serialization', () => {
    const spaced = '{"ap2.cart": {"amount": 1.50, "id": "\\u0061"}}';
    expect(read(spaced).text).toBe(spaced);
  });

  test('shows a duplicate member, which the value hides', () => {
    const twice = '{"payment_request":{"total":1,"total":2}}';
    const { text, data } = read(twice);
    expect([text, data]).toEqual([twice, { payment_request: { total: 2 } }]);
  });

  test('is not stored if the value is equivalent or cannot be an offer', () => {
    expect(read('{"ap2.cart":{"amount":1.5}}').text).toBeUndefined();
    expect(findDataTexts('{"data": {"a": 1}}', { data: { a: 1 } })).toBeUndefined();
  });
});
