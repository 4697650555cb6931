import { randomUUID } from 'node:crypto';
import { type Connection, connect } from '@parley/agent/serve';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCsv } from '@/examples/agents/analyst/csv';
import { profileTable } from '@/examples/agents/analyst/profile';
import { handle } from '@/examples/agents/researcher/main';
import { type FakeConnection, FakeHub, offer } from '../../fakes/fake-hub';
import { waitFor } from '../../support/wait-for';

type JsonObject = Record<string, unknown>;

let hub: FakeHub;
let worker: Connection;
let connection: FakeConnection;
/** The response of the hub to `agent.send`, and the later events of the analyst's task. */
let onSend: (params: JsonObject, taskId: string) => { error: JsonObject } | { events: JsonObject[] };
let found: JsonObject[];
/** The CSV files that were sent to another agent. */
let sentFiles: string[];

beforeEach(async () => {
  hub = await FakeHub.start();
  found = [{ slug: 'analyst', name: 'CSV Analyst', description: '', tags: ['csv', 'data'] }];
  sentFiles = [];
  hub.onRequest = ({ method, params, id }, on) => {
    if (method === 'agent.search') return { result: { items: found, total: found.length } };
    if (method !== 'agent.send') return { result: {} };
    const taskId = randomUUID();
    const { parts } = params.message as { parts: { raw?: string }[] };
    sentFiles.push(...parts.flatMap(({ raw }) => (raw ? [Buffer.from(raw, 'base64').toString()] : [])));
    const outcome = onSend(params, taskId);
    if ('error' in outcome) return { error: { code: -32050, message: 'refused', data: outcome.error } };
    on.respond(id, { result: { task: { id: taskId, contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } } });
    for (const item of outcome.events) on.notify('agent.event', { taskId, item });
    return null;
  };
  worker = await connect({ url: hub.url, agent: 'researcher', token: 'secret', handle, onTurn: () => undefined });
  connection = await hub.connection();
});
afterEach(async () => {
  await worker.drain({ timeoutMs: 0 });
  await hub.stop();
});

/** Sends a message; resolves with the answer's text, artifacts and last status. */
async function ask(text: string, more: JsonObject = {}): Promise<{ text: string; state: string; said: string }> {
  const params = offer(text, more);
  const before = connection.items().length;
  await connection.request('run.offer', params);
  connection.notify('run.start', { runId: params.runId, epoch: 1 });
  const settled = /"TASK_STATE_(COMPLETED|FAILED|INPUT_REQUIRED|CANCELED)"/;
  const items = await waitFor(
    () => {
      const since = connection.items().slice(before);
      return settled.test(JSON.stringify(since)) ? since : null;
    },
    { what: 'the end of the turn' },
  );
  connection.notify('run.ack', { runId: params.runId, n: items.length });
  const texts = items.flatMap((item) => partsOf(item.artifactUpdate)).join('');
  const last = items.at(-1)?.statusUpdate as { status: { state: string; message?: { parts: { text: string }[] } } };
  return {
    text: texts,
    state: last.status.state,
    said: last.status.message?.parts.map((part) => part.text).join('') ?? '',
  };
}

function partsOf(update: unknown): string[] {
  const { artifact } = (update ?? {}) as { artifact?: { parts: { text?: string }[] } };
  return artifact?.parts.flatMap((part) => part.text ?? []) ?? [];
}

const status = (taskId: string, state: string, text?: string): JsonObject => ({
  statusUpdate: {
    taskId,
    contextId: 'c',
    status: { state, ...(text && { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } }) },
  },
});
const artifact = (taskId: string, parts: JsonObject[]): JsonObject => ({
  artifactUpdate: { taskId, contextId: 'c', artifact: { artifactId: randomUUID(), parts } },
});

/** The answer of an analyst that evaluates the received file. */
function analysis(taskId: string, csv: string, remark = 'Nothing stands out.'): { events: JsonObject[] } {
  const steps = profileTable(parseCsv(csv));
  let step = steps.next();
  while (!step.done) step = steps.next();
  const rows = step.value.profile.columns.map(({ name, numbers }) => ({
    column: name,
    mean: numbers?.mean ?? null,
    min: numbers?.min ?? null,
    max: numbers?.max ?? null,
  }));
  return {
    events: [
      artifact(taskId, [{ text: `## Profile\n\n### What stands out\n\n- ${remark}\n` }]),
      artifact(taskId, [{ data: { kind: 'table', columns: [], rows } }]),
      status(taskId, 'TASK_STATE_COMPLETED', 'Done.'),
    ],
  };
}

describe('the researcher', () => {
  it('bases its answer on the analyst’s result', async () => {
    onSend = (_params, taskId) => analysis(taskId, sentFiles.at(-1) ?? '', '`moons` has 1 outlier.');
    const { text, state } = await ask('Which of the planets is the largest?');
    expect(state).toBe('TASK_STATE_COMPLETED');
    expect(text).toContain('**Diameter**: from 4,879 km (Mercury) to 142,984 km (Jupiter), on average');
    expect(text).toContain('What stands out, according to CSV Analyst:\n\n- `moons` has 1 outlier.');
    expect(sentFiles).toEqual([expect.stringContaining('Jupiter,142984')]);
  });

  it('changes its answer if the analyst’s result changes', async () => {
    const rows = [{ column: 'diameter_km', mean: 5, min: 1, max: 9 }];
    onSend = (_params, taskId) => ({
      events: [artifact(taskId, [{ data: { kind: 'table', rows } }]), status(taskId, 'TASK_STATE_COMPLETED')],
    });
    const { text } = await ask('How large are the planets?');
    expect(text).toContain('**Diameter**: from 1 km to 9 km, on average 5 km.');
    onSend = (_params, taskId) => ({
      events: [artifact(taskId, [{ text: 'No idea, sorry.' }]), status(taskId, 'TASK_STATE_COMPLETED')],
    });
    expect((await ask('How large are the planets?')).text).toContain(
      'This is what CSV Analyst says:\n\n> No idea, sorry.',
    );
  });

  it('ranks cities by the averages in the analyst’s chart', async () => {
    const chart = {
      kind: 'chart',
      type: 'bar',
      title: 'Average rain_mm by city',
      x: { label: 'city', values: ['Rome', 'Singapore'] },
      series: [{ name: 'rain_mm', values: [62, 176.7] }],
    };
    onSend = (_params, taskId) => {
      const { events } = analysis(taskId, sentFiles.at(-1) ?? '');
      return { events: [artifact(taskId, [{ data: chart }]), ...events] };
    };
    expect((await ask('Where does it rain most?')).text).toContain('highest first: Singapore 177, Rome 62 (mm).');
  });

  it('sends a table that the caller provided', async () => {
    onSend = (_params, taskId) => analysis(taskId, sentFiles.at(-1) ?? '');
    const { text } = await ask('What about this?\n\nname,score\nAda,1\nBob,2\nCy,6');
    expect(sentFiles[0]).toBe('name,score\nAda,1\nBob,2\nCy,6');
    expect(text).toContain('**score**: from 1 (Ada) to 6 (Cy), on average 3.');
  });

  it('asks for a topic before it hires an agent', async () => {
    const { state, said } = await ask('Hello');
    expect(state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said).toContain('I have figures about the planets');
    expect(connection.calls('agent.send')).toEqual([]);
  });

  it('forwards the hired agent’s question', async () => {
    onSend = (_params, taskId) => ({ events: [status(taskId, 'TASK_STATE_INPUT_REQUIRED', 'Which column?')] });
    expect(await ask('moons')).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      said: 'CSV Analyst, which I hired, asks: Which column?',
    });
  });

  it.each([
    ['agent_offline', 'I could not hire CSV Analyst: it is offline. Without an analysis I have no answer.'],
    ['approval_denied', 'I could not hire CSV Analyst: you did not allow it. Without an analysis I have no answer.'],
    ['forbidden', 'I could not hire CSV Analyst: you do not let me hire agents. Without an analysis I have no answer.'],
    [
      'hiring_refused',
      'I could not hire CSV Analyst: you do not let me hire agents. Without an analysis I have no answer.',
    ],
    ['out_of_ideas', 'I could not hire CSV Analyst: refused. Without an analysis I have no answer.'],
  ])('reports that hiring is not permitted: %s', async (reason, said) => {
    onSend = () => ({ error: { reason, retryable: false } });
    expect(await ask('moons')).toMatchObject({ state: 'TASK_STATE_FAILED', said, text: '' });
  });

  it.each([
    ['TASK_STATE_FAILED', 'The disk is full.', 'CSV Analyst did not finish the analysis: The disk is full.'],
    ['TASK_STATE_REJECTED', undefined, 'CSV Analyst did not finish the analysis: it refused.'],
    ['TASK_STATE_CANCELED', undefined, 'CSV Analyst did not finish the analysis: it was stopped.'],
  ])('reports that the analyst ended in the state %s', async (...[state, text, said]) => {
    onSend = (_params, taskId) => ({ events: [status(taskId, state, text)] });
    expect(await ask('moons')).toMatchObject({ state: 'TASK_STATE_FAILED', said });
  });

  it('reports that no agent is available to hire', async () => {
    found = [];
    expect((await ask('moons')).said).toBe('I found no agent that analyzes figures, and cannot do it without one.');
  });
});
