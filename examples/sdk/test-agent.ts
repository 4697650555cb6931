/**
 * Tests of an agent and of its callers, with a mock agent that needs no network:
 *
 *   AGENT_URL=http://localhost:4000 npx tsx test-agent.ts
 */
import { mockAgent, mockCaller, record, replay, testAgent } from '@parley/agent/test';

const agent = mockAgent({
  turns: [
    { when: 'weather', reply: [{ status: 'Looking it up' }, { delayMs: 10 }, 'Sunny in Rome.'] },
    { when: 'book', reply: [{ ask: 'For which day?' }] },
    { when: 'broken', reply: ['Hello'], fault: 'cut' },
  ],
});

const { text, task } = await mockCaller(agent).send('weather');
console.log(text);

const fixture = task && record(task);
const again = mockAgent({ turns: fixture ? [replay(fixture)] : [] });
console.log((await mockCaller(again).stream('weather')).text);

const { AGENT_URL } = process.env;
const report = await testAgent(AGENT_URL ?? agent, { texts: { question: 'book', answer: 'Monday' } });
for (const { id, findings } of report.results) {
  for (const { found, expected, remedy } of findings)
    console.log(`${id}: found ${found}, expected ${expected}. ${remedy}`);
}
console.log(report.ok ? 'ok' : 'failed');
