import { fromV03Event, type MockFault, mockAgent, mockCaller, record, replay, testAgent } from '@parley/agent/test';
import { describe, expect, it } from 'vitest';

const limits = { firstByteMs: 1_000, answerMs: 1_500, settleMs: 500 };

describe('a mock agent', () => {
  it('plays its turns, and sends other messages back', async () => {
    const agent = mockAgent({
      turns: [
        { when: 'weather', reply: [{ status: 'Looking it up' }, { delayMs: 1 }, 'Sunny', ' in Rome.'] },
        { when: /^say/, reply: ({ text }) => [{ say: text.slice(4) }] },
        { when: 'break', reply: [{ fail: 'No fuel.' }] },
      ],
    });
    const caller = mockCaller(agent);
    expect(await caller.send('weather')).toMatchObject({ text: 'Sunny in Rome.', error: null, findings: [] });
    expect(await caller.send('say hello')).toMatchObject({ text: 'hello', task: null, findings: [] });
    const failed = await caller.send('break');
    expect(failed).toMatchObject({ text: 'No fuel.', task: { status: { state: 'TASK_STATE_FAILED' } }, findings: [] });
    const parts = [{ text: 'a' }, { data: { b: 1 } }, { raw: 'Yw==', mediaType: 'text/plain', filename: 'c' }];
    expect((await caller.send(parts)).task?.artifacts).toEqual([{ artifactId: 'echo', parts }]);
    expect(agent.messages.map((message) => message.parts[0]?.text)).toEqual(['weather', 'say hello', 'break', 'a']);
  });

  it('streams, asks and continues, and can be canceled, in each version and binding', async () => {
    const agent = mockAgent({
      turns: [
        { when: ({ isReply }) => isReply, reply: ({ text, history }) => [`${history.length} ${text}`] },
        { when: 'ask', reply: [{ ask: 'Which city?' }] },
        { when: 'slow', reply: [{ status: 'Working' }, { delayMs: 60_000 }] },
      ],
    });
    for (const position of [0, 1, 2]) {
      const caller = mockCaller(agent, { interface: position });
      const asked = await caller.stream('ask');
      expect(asked).toMatchObject({ text: 'Which city?', findings: [] });
      const answered = await caller.send('Rome', { task: asked.task });
      expect(answered).toMatchObject({
        text: '2 Rome',
        task: { id: asked.task?.id, contextId: asked.task?.contextId },
      });
      const canceled: Promise<unknown>[] = [];
      const slow = await caller.stream('slow', {
        onTask({ id }) {
          if (canceled.length === 0) canceled.push(caller.cancel(id));
        },
      });
      expect(slow).toMatchObject({ task: { status: { state: 'TASK_STATE_CANCELED' } }, findings: [] });
      expect(await canceled[0]).toMatchObject({ error: null, task: { status: { state: 'TASK_STATE_CANCELED' } } });
      expect((await caller.get(slow.task?.id ?? '')).task?.status.state).toBe('TASK_STATE_CANCELED');
      expect((await caller.get('none')).error).not.toBeNull();
      expect((await caller.send('late', { task: answered.task })).error).not.toBeNull();
    }
  });

  it.each<[MockFault, string]>([
    ['silent', 'no end within 1.5 s'],
    ['http-500', 'HTTP 500'],
    ['html', 'HTTP 200 with text/html'],
    ['half-json', 'HTTP 200 with application/json'],
    ['invalid-utf8', '"text":"\uFFFDHello'],
    ['wrong-id', 'id "other"'],
    ['cut', 'no response: The connection was cut.'],
  ])('breaks a response by the fault %s', async (fault, found) => {
    const agent = mockAgent({ turns: [{ reply: ['Hello'], fault }] });
    const { findings, error } = await mockCaller(agent, { limits }).send('x');
    expect(`${findings.map((finding) => finding.found).join()} HTTP ${error && 500}`).toContain(found);
  });

  it('leaves a stream open by the fault "open", and breaks it by "cut"', async () => {
    const caller = (fault: MockFault) => mockCaller(mockAgent({ turns: [{ reply: ['Hello'], fault }] }), { limits });
    expect((await caller('open').stream('x')).findings).toMatchObject([
      { found: expect.stringContaining('stays open') },
    ]);
    expect((await caller('cut').stream('x')).findings).toMatchObject([{ found: expect.stringContaining('was cut') }]);
  });

  it('listens on a port', async () => {
    const listening = await mockAgent({ turns: [{ reply: ['über HTTP'] }] }).listen();
    expect((await mockCaller(listening.url).stream('x')).text).toBe('über HTTP');
    expect((await testAgent(listening.url)).failed).toBe(0);
    await listening.close();
  });
});

describe('a recorded task', () => {
  it('is replayed with its artifacts, states and texts, and with new ids', async () => {
    const original = mockAgent({
      turns: [{ when: 'plan', reply: ['One, ', 'two.', { data: { steps: 2 } }, { ask: 'Go on?' }] }],
    });
    const { task } = await mockCaller(original).send('plan');
    if (!task) throw new Error('expected a task');
    const fixture = JSON.parse(JSON.stringify(record(task)));
    expect(fixture).toMatchObject({ format: 'parley-fixture-1', message: 'plan' });
    const again = await mockCaller(mockAgent({ turns: [replay(fixture, { delayMs: 1 })] })).stream('plan');
    expect(again.task?.artifacts).toEqual(task.artifacts);
    expect(again.task?.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'Go on?' }] },
    });
    expect(again.task?.id).not.toBe(task.id);
    expect(again.findings).toEqual([]);
  });

  it('may be the events of a stream, in any version', async () => {
    const { events } = await mockCaller(mockAgent(), { interface: 2 }).stream('Hello');
    const fixture = record(events, { message: 'x' });
    expect((await mockCaller(mockAgent({ turns: [replay(fixture)] })).send('x')).text).toBe('Hello');
    const old = fromV03Event({ kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } });
    expect(record(old ? [old] : [], { message: 'm' }).events).toHaveLength(1);
  });

  it.each([
    [[], { message: 'x' }, 'at least one event'],
    [{ id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } }, {}, 'pass `message`'],
    [{ status: {} }, { message: 'x' }, 'with id and status'],
  ])('is rejected if it is %j', (recorded, options, reason) => {
    expect(() => record(recorded as never, options)).toThrow(reason);
  });
});

describe('a test', () => {
  it.each([['not a url'], ['ftp://agent.example']])('rejects the target %s', async (target) => {
    await expect(testAgent(target)).rejects.toThrow(TypeError);
  });

  it('runs only what is named, and stops with its signal', async () => {
    const { results } = await testAgent(mockAgent(), { only: ['card', 'errors.invalid-json'], skip: ['card.modes'] });
    expect(results).toHaveLength(6);
    await expect(testAgent(mockAgent(), { only: ['none'] })).rejects.toThrow('"none" is not a check');
    const abort = new AbortController();
    const agent = mockAgent({
      turns: [{ reply: [{ delayMs: 60_000 }] }],
      alter: { call: () => void abort.abort(new Error('enough')) },
    });
    await expect(testAgent(agent, { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('is bounded in time and requests, and skips what remains', async () => {
    const slow = mockAgent({ turns: [{ reply: [{ delayMs: 60_000 }] }] });
    const { results } = await testAgent(slow, { limits: { totalMs: 300 } });
    expect(results.filter(({ reason }) => reason === 'The time of the test is over.').length).toBeGreaterThan(20);
    const agent = mockAgent();
    const few = await testAgent(agent, { limits: { maxRequests: 5 } });
    expect(agent.calls.length).toBeLessThan(5);
    const large = await testAgent(mockAgent(), { limits: { maxTotalBytes: 2_000 } });
    for (const report of [few, large]) {
      expect(report.ok).toBe(true);
      expect(report.results.map(({ reason }) => reason)).toContain(
        'The test has reached its limit of requests or bytes.',
      );
    }
  });
});
