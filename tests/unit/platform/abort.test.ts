import { expect, test } from 'vitest';
import { LightAbortController, sleep } from '@/lib/platform/runtime/abort';

test('abort notifies every current listener once, and stores the reason', () => {
  const stop = new LightAbortController();
  const notified: string[] = [];
  const gone = (): number => notified.push('gone');
  stop.addEventListener('abort', () => notified.push('first'));
  stop.addEventListener('abort', gone);
  stop.removeEventListener('abort', gone);
  expect(() => stop.throwIfAborted()).not.toThrow();
  stop.abort(new Error('enough'));
  stop.abort(new Error('again'));
  expect(notified).toEqual(['first']);
  expect([stop.aborted, stop.reason]).toEqual([true, new Error('enough')]);
  expect(() => stop.throwIfAborted()).toThrow('enough');
});

test('an abort without a reason is an AbortError, as with an AbortController', () => {
  const stop = new LightAbortController();
  stop.abort();
  expect(stop.reason).toMatchObject({ name: 'AbortError' });
});

test('a pause ends after its time, or immediately with the abort reason', async () => {
  const stop = new LightAbortController();
  await sleep(1, stop);
  const long = sleep(3_600_000, stop);
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
  await expect(sleep(1, stop)).rejects.toThrow('enough');
});
