import { expect, test } from 'vitest';
import { readTrace, traceHeaders } from '@/lib/platform/context';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const read = (traceparent: string, tracestate?: string): ReturnType<typeof readTrace> =>
  readTrace(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

test('the trace parser reads version 00 traces, and the known part of later versions', () => {
  expect(read(`00-${traceId}-${spanId}-01`, 'a=1,b=2')).toEqual({ traceId, spanId, flags: '01', state: 'a=1,b=2' });
  expect(read(`cc-${traceId}-${spanId}-00-later`)).toEqual({ traceId, spanId, flags: '00' });
});

test.each([
  '',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}x-${spanId}-01`,
])('the trace parser accepts no trace and no state from "%s"', (traceparent) => {
  expect(read(traceparent, 'a=1')).toBeUndefined();
});

test('the trace parser omits a state that is too long or not ASCII', () => {
  expect(read(`00-${traceId}-${spanId}-01`, 'a'.repeat(513))).toEqual({ traceId, spanId, flags: '01' });
  expect(read(`00-${traceId}-${spanId}-01`, 'a=\u00e4')).toEqual({ traceId, spanId, flags: '01' });
});

test('a child trace has a new span each time, within the same trace', () => {
  const trace = { traceId, spanId, flags: '01', state: 'a=1' };
  const [first, second] = [traceHeaders(trace), traceHeaders(trace)];
  expect(first?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(first?.tracestate).toBe('a=1');
  expect(second?.traceparent).not.toBe(first?.traceparent);
  expect(traceHeaders(undefined)).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) });
});
