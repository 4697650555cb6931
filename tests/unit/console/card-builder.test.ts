import { describe, expect, it } from 'vitest';
import { type CardDraft, firstDraft, textOfCard } from '@/components/console/built-card';
import { draftOfCard } from '@/components/console/draft-of-card';
import { editedCard } from '@/components/console/edited-card';

const skill = { key: 1, name: 'Weigh', description: 'Weighs things', tags: 'scales, kitchen', examples: 'Weigh this' };
const other = { key: 2, name: '', description: '', tags: '', examples: '' };
const draft: CardDraft = { ...firstDraft, name: 'Scales', url: 'https://scales.example/a2a', skills: [skill, other] };

const cardOf = (text: string): Record<string, unknown> => JSON.parse(text);

describe('a card that is made in a form and by hand', () => {
  it('keeps what was written by hand when a field of the form changes', () => {
    const byHand = textOfCard(draft).replace(
      '"version": "1.0.0",',
      '"version": "1.0.0",\n  "iconUrl": "https://scales.example/i.png",',
    );
    const edited = editedCard(byHand, draft, { ...draft, name: 'Better scales', streaming: false });
    expect(cardOf(edited)).toEqual({
      ...cardOf(byHand),
      name: 'Better scales',
      capabilities: { streaming: false, pushNotifications: false },
    });
    expect(edited.replace('Better scales', 'Scales').replace('"streaming": false', '"streaming": true')).toBe(byHand);
  });

  it('keeps an id and members of a skill that were written by hand, whatever else changes in it', () => {
    const card = cardOf(textOfCard(draft)) as { skills: object[] };
    const byHand = JSON.stringify({
      ...card,
      skills: [{ ...card.skills[0], id: 'own', inputModes: ['image/png'] }, card.skills[1]],
    });
    const edited = editedCard(byHand, draft, {
      ...draft,
      skills: [{ ...skill, name: 'Weigh it', tags: 'scales,' }, other],
    });
    expect(cardOf(edited).skills).toEqual([
      {
        id: 'own',
        name: 'Weigh it',
        description: 'Weighs things',
        tags: ['scales'],
        examples: ['Weigh this'],
        inputModes: ['image/png'],
      },
      card.skills[1],
    ]);
  });

  it('says the same as a card made of the form alone, after any row of changes', () => {
    const added = { ...other, key: 3, name: 'Cut' };
    const rows: CardDraft[] = [
      draft,
      { ...draft, auth: 'none' },
      { ...draft, auth: 'none', skills: [other] },
      { ...draft, auth: 'none', skills: [other, added] },
      { ...draft, skills: [added, { ...skill, key: 4 }], url: '' },
      { ...draft, skills: [] },
      { ...draft, skills: [added] },
    ];
    let text = textOfCard(draft);
    for (const [place, row] of rows.entries()) {
      text = editedCard(text, rows[Math.max(0, place - 1)] as CardDraft, row);
      expect(cardOf(text)).toEqual(cardOf(textOfCard(row)));
    }
  });

  it('writes into a card from which members are missing', () => {
    const bare = draftOfCard('{"name": "Bare"}', firstDraft) as CardDraft;
    expect(bare).toEqual({ ...firstDraft, name: 'Bare', version: '', streaming: false, auth: 'none', skills: [] });
    const edited = editedCard('{"name": "Bare"}', bare, {
      ...bare,
      streaming: true,
      url: 'https://b.example',
      skills: [skill],
    });
    expect(cardOf(edited)).toEqual({
      name: 'Bare',
      supportedInterfaces: [{ url: 'https://b.example' }],
      capabilities: { streaming: true },
      skills: [
        {
          id: 'weigh',
          name: 'Weigh',
          description: 'Weighs things',
          tags: ['scales', 'kitchen'],
          examples: ['Weigh this'],
        },
      ],
    });
  });

  it('shows in the form what was written by hand, and leaves half-typed lists as they are typed', () => {
    const typed = { ...draft, name: 'Scales ', skills: [{ ...skill, tags: 'scales, kitchen, ' }] };
    const text = textOfCard(typed);
    expect(draftOfCard(text, typed)).toEqual(typed);
    const byHand = text.replace('"kitchen"', '"bath"').replace('"1.0.0"', '"2.0.0"');
    expect(draftOfCard(byHand, typed)).toEqual({
      ...typed,
      version: '2.0.0',
      skills: [{ ...skill, tags: 'scales, bath' }],
    });
  });

  it('tells a scheme that was written by hand from its own', () => {
    const own = text(draft, {
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'x-key' } } },
    });
    expect(draftOfCard(own, draft)?.auth).toBe('own');
    expect(draftOfCard(text(draft, {}), draft)?.auth).toBe('bearer');
    expect(cardOf(editedCard(own, { ...draft, auth: 'own' }, { ...draft, auth: 'none' }))).not.toHaveProperty(
      'securitySchemes',
    );
  });

  it.each([
    '',
    '{"name": ',
    '[]',
    'null',
    '{"name": 1}',
    '{"skills": [1]}',
    '{"capabilities": null}',
    '{"skills": [{"tags": "a"}]}',
  ])('says that the form cannot show %s', (unreadable) => expect(draftOfCard(unreadable, draft)).toBeNull());
});

function text(of: CardDraft, change: object): string {
  return JSON.stringify({ ...cardOf(textOfCard(of)), ...change });
}
