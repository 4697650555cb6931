import { CHECKS, mockAgent, type Report, testAgent } from '@parley/agent/test';
import { describe, expect, it } from 'vitest';
import { plantedAgent, texts } from '../../fakes/faulty-agents';
import { plantedFaults } from '../../fakes/planted-faults';

/** Long enough for an agent in this process on a busy machine; agents with faults in time are tested on their own. */
const limits = { firstByteMs: 10_000, answerMs: 20_000, settleMs: 2_000 };
/** Limits that an agent with a fault in time reaches soon. */
const shortLimits = { firstByteMs: 1_500, answerMs: 3_000, settleMs: 1_500 };

function failuresOf({ results }: Report): string[] {
  return results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('the harness', () => {
  it('finds nothing in an agent without a fault, and skips no check', async () => {
    const report = await testAgent(await plantedAgent(null), { texts, limits });
    expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(report).toMatchObject({ ok: true, passed: CHECKS.length, failed: 0, agent: { name: 'Planted' } });
  });

  it('finds nothing in a mock agent as it is', async () => {
    const report = await testAgent(mockAgent());
    expect(failuresOf(report)).toEqual([]);
  });

  it.each(plantedFaults)('finds $fault by the check $check alone', async (planted) => {
    const report = await testAgent(await plantedAgent(planted), {
      texts,
      limits: planted.isSlow ? shortLimits : limits,
    });
    expect(failuresOf(report), JSON.stringify(report.results.filter(({ outcome }) => outcome === 'failed'))).toEqual([
      planted.check,
    ]);
    for (const { findings } of report.results) {
      for (const finding of findings) expect(Object.values(finding).every((text) => text.length > 0)).toBe(true);
    }
  });

  it('has a planted fault for every check, and at least 30', () => {
    const found = new Set(plantedFaults.map(({ check }) => check));
    expect(CHECKS.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
    expect(plantedFaults.length).toBeGreaterThanOrEqual(30);
  });
});
