import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import type { SentFile } from '@/lib/tasks/schema-chains';
import * as agent03 from '../fakes/a2a03';
import { createPerson, type Person, send } from '../support/fixtures';
import { query } from '../support/sql';
import {
  allow,
  approvalOf,
  type ChainsFixture,
  chainOf,
  createChainsFixture,
  decide,
  type Hired,
  hire as hireOnce,
  type OwnedAgent,
  type RootTask,
  startRoot,
} from './chains-fixture';

let fixture: ChainsFixture;
let boss: OwnedAgent;
let worker: OwnedAgent;
let helper: OwnedAgent;
let ada: Person;
let root: RootTask;
let url: string;

beforeAll(async () => {
  fixture = await createChainsFixture();
  ({ url } = fixture);
  boss = await fixture.createAgent('Boss');
  worker = await fixture.createAgent('Worker');
  helper = await fixture.createAgent('Helper');
});
afterAll(() => fixture?.close());

beforeEach(async () => {
  ada = await createPerson(url, 'Ada');
  root = await startRoot(url, ada, boss);
  for (const { agent } of [worker, helper]) {
    agent.received.length = 0;
    agent.answer(({ received, json }) => {
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(newUuid(), 'completed') });
    });
  }
});

const text = (content: string): object => ({ kind: 'text', text: content });
const file = (name: string, bytes = 'aGVsbG8='): object => ({
  kind: 'file',
  file: { name, mimeType: 'application/pdf', bytes },
});

/** A send of the boss with this message, to the worker unless `to` says otherwise. */
function hire(message: object, to = worker): Promise<Hired> {
  return hireOnce(url, [boss, to], { root, text: '', more: message });
}

async function allowNext(): Promise<void> {
  const approval = await approvalOf(url, ada, root);
  expect((await decide(url, ada, { root, id: approval.id, body: allow(approval) })).status).toBe(200);
}

describe('the approval of a hire', () => {
  test('shows the whole message: every text, file, link, data and metadata, with name, type and size', async () => {
    const long = 'All of it. '.repeat(8_000);
    const files = Array.from({ length: 20 }, (_, index) => file(`invoice\u202efdp.${index}.exe`));
    const link = { kind: 'file', file: { uri: 'https://files.example/tax', name: 'tax.csv', mimeType: 'text/csv' } };
    const data = { kind: 'data', data: { iban: 'DE02 1203 0000 0000 2020 51' } };
    const asking = hire({ parts: [text(long), ...files, link, data], metadata: { secret: 'x\u200by' } });
    const { parts, contentHash } = await approvalOf(url, ada, root);
    expect(parts[0]).toEqual({ kind: 'text', text: long, name: null, mediaType: null, bytes: long.length });
    expect(parts.slice(1, 21)).toEqual(
      files.map((_, index) => ({
        kind: 'file',
        text: '',
        name: `invoice\u202efdp.${index}.exe`,
        mediaType: 'application/pdf',
        bytes: 5,
      })),
    );
    expect(parts.slice(21)).toMatchObject([
      { kind: 'link', text: 'https://files.example/tax', name: 'tax.csv', mediaType: 'text/csv', bytes: null },
      { kind: 'data', bytes: 38 },
      { kind: 'metadata' },
    ]);
    expect(parts[22]?.text).toContain('DE02 1203 0000 0000 2020 51');
    expect(parts[23]?.text).toContain('x\u200by');
    expect(contentHash).toMatch(/^[\da-f]{64}$/);
    await allowNext();
    expect((await asking).body.error).toBeUndefined();
    await expect.poll(() => worker.agent.messages[0]?.params.message?.parts).toHaveLength(23);
    root.finish();
  });

  test('offers each file, with exactly the bytes that are sent, only to the user', async () => {
    const files = [randomBytes(3_000), Buffer.from('name,price\nMargherita,8.50\n')];
    const long = 'Compare these offers line by line. '.repeat(200);
    const asking = hire({
      parts: [text(long), ...files.map((bytes, index) => file(`offer-${index}.pdf`, bytes.toString('base64')))],
    });
    const { id, parts } = await approvalOf(url, ada, root);
    expect(parts.map((part) => Object.keys(part))).toEqual(
      parts.map(() => ['kind', 'text', 'name', 'mediaType', 'bytes']),
    );
    const shown = parts.map(({ bytes }) => bytes);
    expect(shown).toEqual([long.length, ...files.map(({ length }) => length)]);
    const open = (part: number | string, person = ada, approval = id) =>
      send(`${url}/api/chat/chains/${root.id}/approvals/${approval}/files/${part}`, { cookie: person.cookie });
    const opened = (await Promise.all([1, 2].map(async (part) => (await open(part)).json()))) as SentFile[];
    const bytesOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64');
    expect(opened.map(({ bytes }) => bytesOf(bytes))).toEqual(files);
    expect(opened[1]).toMatchObject({ name: 'offer-1.pdf', mediaType: 'application/pdf' });
    const other = await createPerson(url, 'Eve');
    const refused = [open(0), open(3), open('-1'), open('x'), open(1, other), open(1, ada, 'apr_none')];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 404));
    await allowNext();
    expect((await asking).body.error).toBeUndefined();
    await expect.poll(() => worker.agent.messages.length).toBe(1);
    const received = worker.agent.messages[0]?.params.message?.parts as { text?: string; file?: { bytes: string } }[];
    expect(received[0]?.text).toBe(long);
    expect(received.slice(1).map((part) => bytesOf(part.file?.bytes))).toEqual(files);
    root.finish();
  });

  test('is not requested for content that is too long to review: the hire is rejected, and nothing is sent', async () => {
    for (const parts of [[text('x'.repeat(100_001))], Array(101).fill(text('x'))]) {
      const { body } = await hire({ parts });
      expect(body.error?.message).toContain('sees all of it');
    }
    expect((await chainOf(url, ada, root)).approvals).toEqual([]);
    expect(worker.agent.messages).toEqual([]);
    root.finish();
  });

  test.each([
    ['another text', { parts: [text('Sell one cow!'), file('herd.pdf')] }],
    ['another file', { parts: [text('Sell one cow.'), file('herd.pdf', 'aGVsbG8h')] }],
    ['another file name', { parts: [text('Sell one cow.'), file('farm.pdf')] }],
    ['one more file', { parts: [text('Sell one cow.'), file('herd.pdf'), file('farm.pdf')] }],
    ['other metadata', { parts: [text('Sell one cow.'), file('herd.pdf')], metadata: { all: true } }],
    ['another conversation', { parts: [text('Sell one cow.'), file('herd.pdf')], contextId: newUuid() }],
  ])('does not apply to %s', async (_, differing) => {
    const asking = hire({ parts: [text('Sell one cow.'), file('herd.pdf')] });
    await allowNext();
    expect((await asking).body.error).toBeUndefined();
    const other = hire(differing);
    const { id } = await approvalOf(url, ada, root);
    await expect.poll(() => worker.agent.messages.length).toBe(1);
    await decide(url, ada, { root, id, body: { decision: 'deny' } });
    expect((await other).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    expect(worker.agent.messages).toHaveLength(1);
    root.finish();
  });

  test('does not apply to another agent, or to the same reply to a later question', async () => {
    worker.agent.answer(({ received, json }) => {
      const id = received.params.message?.taskId ?? newUuid();
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(id, 'input-required') });
    });
    const asking = hire({ parts: [text('Yes')] });
    await allowNext();
    const taskId = (await asking).body.result?.id;
    await expect.poll(async () => (await chainOf(url, ada, root)).tasks[0]?.state).toBe('input-required');
    const replying = hire({ parts: [text('Yes')], taskId });
    await allowNext();
    expect((await replying).body.error).toBeUndefined();
    await expect.poll(async () => (await chainOf(url, ada, root)).tasks[0]?.state).toBe('input-required');
    for (const more of [{ taskId }, {}]) {
      const later = hire({ parts: [text('Yes')], ...more }, taskId === more.taskId ? worker : helper);
      const { id } = await approvalOf(url, ada, root);
      await decide(url, ada, { root, id, body: { decision: 'deny' } });
      expect((await later).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    }
    expect([worker.agent.messages.length, helper.agent.messages.length]).toEqual([2, 0]);
    root.finish();
  });

  test('covers only the content that was shown', async () => {
    const asking = hire({ parts: [text('Buy hay.')] });
    const { id, contentHash } = await approvalOf(url, ada, root);
    for (const [body, status] of [
      [{ decision: 'allow' }, 400],
      [{ decision: 'allow', contentHash: contentHash.replace(/^./, 'g') }, 409],
      [{ decision: 'allow', contentHash: '', always: true }, 409],
    ] as const) {
      expect((await decide(url, ada, { root, id, body })).status).toBe(status);
    }
    expect((await chainOf(url, ada, root)).approvals).toHaveLength(1);
    await decide(url, ada, { root, id, body: { decision: 'deny' } });
    expect((await asking).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    root.finish();
  });

  test('does not apply if the stored content differs from the sent content', async () => {
    const asking = hire({ parts: [text('Buy oats.')] });
    const approval = await approvalOf(url, ada, root);
    await query('test-approval-hash', `UPDATE chain_approval SET request_hash = 'other' WHERE id = $1`, [approval.id]);
    expect((await decide(url, ada, { root, id: approval.id, body: allow(approval) })).status).toBe(409);
    await decide(url, ada, { root, id: approval.id, body: { decision: 'allow', contentHash: 'other' } });
    const { id } = await approvalOf(url, ada, root);
    expect(worker.agent.messages).toEqual([]);
    await decide(url, ada, { root, id, body: { decision: 'deny' } });
    expect((await asking).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    root.finish();
  });
});
