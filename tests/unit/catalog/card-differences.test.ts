import { describe, expect, test } from 'vitest';
import { diffCards, truncateDiff } from '@/lib/catalog/cards/card-version';
import { readCard } from '@/lib/protocol/a2a/cards/read-card';
import type { CoreCard } from '@/lib/protocol/a2a/core/card';
import { cardV03, cardV10 } from '../../fakes/cards';

const base = 'https://agent.example';

function core(card: object): CoreCard {
  const context = { cardUrl: `${base}/card.json`, assumedEndpoint: null, refusalOf: () => null };
  const reading = readCard(Buffer.from(JSON.stringify(card)), context);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.card;
}

describe('the differences in a newer card', () => {
  test('are empty for the same card, and contain only the interfaces for two versions of one card', () => {
    expect(diffCards(core(cardV10(base)), core(cardV10(base)))).toEqual([]);
    const members = diffCards(core(cardV03(base)), core(cardV10(base))).map(({ member }) => member);
    expect(members).toEqual(['interfaces']);
  });

  test('are listed member by member, skill by skill, with both values', () => {
    const skill = { id: 'spy', name: 'Spy', description: 'Looks around', tags: ['eyes'] };
    const newer = core(
      cardV10(base, { description: 'Does more.', capabilities: { streaming: false }, skills: [skill] }),
    );
    const differences = diffCards(core(cardV10(base)), newer);
    expect(differences.slice(0, 2)).toEqual([
      { member: 'description', before: 'Translates documents between languages.', after: 'Does more.' },
      { member: 'capabilities.streaming', before: 'true', after: 'false' },
    ]);
    const [removed, added] = differences.slice(2);
    expect([removed?.member, removed?.after]).toEqual(['skills.translate', null]);
    expect([added?.member, added?.before]).toEqual(['skills.spy', null]);
    expect(added?.after).toContain('"Looks around"');
  });

  test('include additions and removals', () => {
    const provider = { organization: 'Acme', url: 'https://acme.example/' };
    const [came] = diffCards(core(cardV10(base)), core(cardV10(base, { provider })));
    const [went] = diffCards(core(cardV10(base, { provider })), core(cardV10(base)));
    expect(came).toMatchObject({ member: 'provider', before: null });
    expect(went).toMatchObject({ member: 'provider', after: null, before: came?.after });
  });

  test('are truncated to the first change in a long text', () => {
    const [lead, rest] = ['a'.repeat(50_000), 'z'.repeat(50_000)];
    const cut = truncateDiff({ member: 'description', before: `${lead}old${rest}`, after: `${lead}new${rest}` });
    for (const [text, word] of [
      [cut.before, 'old'],
      [cut.after, 'new'],
    ]) {
      expect(text).toMatch(new RegExp(`^…a{200}${word}z+…$`));
      expect(text?.length).toBeLessThan(2_100);
    }
    const short = { member: 'description', before: 'old', after: 'new' };
    expect(truncateDiff(short)).toEqual(short);
  });
});
