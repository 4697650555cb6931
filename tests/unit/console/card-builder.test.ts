import { describe, expect, it } from 'vitest';
import { applyDraft } from '@/components/console/builder/apply-draft';
import { type CardDraft, cardText, draftFromCard, firstDraft } from '@/components/console/builder/card-draft';

const skill = { key: 1, name: 'Weigh', description: 'Weighs things', tags: 'scales, kitchen', examples: 'Weigh this' };
const other = { key: 2, name: '', description: '', tags: '', examples: '' };
const draft: CardDraft = { ...firstDraft, name: 'Scales', url: 'https://scales.example/a2a', skills: [skill, other] };

const cardOf = (text: string): Record<string, unknown> => JSON.parse(text);

describe('a card edited both in the form and manually', () => {
  it('keeps manual edits if a form field changes', () => {
    const byHand = cardText(draft).replace(
      '"version": "1.0.0",',
      '"version": "1.0.0",\n  "iconUrl": "https://scales.example/i.png",',
    );
    const edited = applyDraft(byHand, draft, { ...draft, name: 'Better scales', streaming: false });
    expect(cardOf(edited)).toEqual({
      ...cardOf(byHand),
      name: 'Better scales',
      capabilities: { streaming: false, pushNotifications: false },
    });
    expect(edited.replace('Better scales', 'Scales').replace('"streaming": false', '"streaming": true')).toBe(byHand);
  });

  it('keeps a skill’s id and manual edits, whatever else changes in the skill', () => {
    const card = cardOf(cardText(draft)) as { skills: object[] };
    const byHand = JSON.stringify({
      ...card,
      skills: [{ ...card.skills[0], id: 'own', inputModes: ['image/png'] }, card.skills[1]],
    });
    const edited = applyDraft(byHand, draft, {
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

  it('equals a card made only with the form, after any sequence of changes', () => {
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
    let text = cardText(draft);
    for (const [place, row] of rows.entries()) {
      text = applyDraft(text, rows[Math.max(0, place - 1)] as CardDraft, row);
      expect(cardOf(text)).toEqual(cardOf(cardText(row)));
    }
  });

  it('accepts form edits if members are missing', () => {
    const bare = draftFromCard('{"name": "Bare"}', firstDraft) as CardDraft;
    expect(bare).toEqual({ ...firstDraft, name: 'Bare', version: '', streaming: false, auth: 'none', skills: [] });
    const edited = applyDraft('{"name": "Bare"}', bare, {
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

  it('shows manual edits in the form, and leaves incomplete lists as typed', () => {
    const typed = { ...draft, name: 'Scales ', skills: [{ ...skill, tags: 'scales, kitchen, ' }] };
    const text = cardText(typed);
    expect(draftFromCard(text, typed)).toEqual(typed);
    const byHand = text.replace('"kitchen"', '"bath"').replace('"1.0.0"', '"2.0.0"');
    expect(draftFromCard(byHand, typed)).toEqual({
      ...typed,
      version: '2.0.0',
      skills: [{ ...skill, tags: 'scales, bath' }],
    });
  });

  it('distinguishes a manually written security scheme from the form’s scheme', () => {
    const own = text(draft, {
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'x-key' } } },
    });
    expect(draftFromCard(own, draft)?.auth).toBe('own');
    expect(draftFromCard(text(draft, {}), draft)?.auth).toBe('bearer');
    expect(cardOf(applyDraft(own, { ...draft, auth: 'own' }, { ...draft, auth: 'none' }))).not.toHaveProperty(
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
  ])('reports that the form cannot show %s', (unreadable) => expect(draftFromCard(unreadable, draft)).toBeNull());
});

function text(of: CardDraft, change: object): string {
  return JSON.stringify({ ...cardOf(cardText(of)), ...change });
}
