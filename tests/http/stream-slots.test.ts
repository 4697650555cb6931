import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallerActor, Ctx } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { newId } from '@/lib/platform/ids';
import { acquireStreamSlot } from '@/lib/tasks';
import { fileDatabase } from '../support/database';

const principal = newId('usr');
const caller: CallerActor = {
  kind: 'caller',
  principal,
  credentialId: newId('ses'),
  agentId: newId('agt'),
  clientId: 'parley-chat',
  scopes: ['agent:call'],
};

beforeAll(async () => {
  await fileDatabase();
});

afterAll(() => closePool());

function contextOf(signal: AbortSignal): Ctx {
  return { actor: caller, requestId: 'req_test', signal, now: new Date() };
}

test('LIM-5 a caller that disconnects while a stream slot is acquired releases it', async () => {
  for (let time = 0; time < 25; time++) await acquireStreamSlot(contextOf(AbortSignal.abort()), caller);
  const slot = await acquireStreamSlot(contextOf(new AbortController().signal), caller);
  expect(slot.signal.aborted).toBe(false);
  slot.release();
});
