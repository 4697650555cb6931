import type { CoreSkill } from '../core/card';
import { fault, isObjectPlace, listMember, type Need, type Place, textListMember, textMember, warn } from './place';
import { modesMember } from './read-modes';

/** The card's skills. A skill's id and name are as needed as `need` says; the rest is advised. */
export function readSkills(card: Place, need: Need): CoreSkill[] {
  const example = '[{"id": "translate", "name": "Translate text", "description": "…", "tags": ["translation"]}]';
  const seen = new Set<string>();
  const places = listMember(card, 'skills', { need, max: 500, example });
  if (places.length === 0) missSkills(card);
  return places.flatMap((place) => {
    if (!isObjectPlace(place, 'each skill')) return [];
    const skill = readSkill(place, need);
    if (skill.id !== '' && seen.has(skill.id)) {
      fault(place, 'skill.duplicate-id', {
        found: `a second skill with the id "${skill.id}"`,
        expected: 'ids that name one skill each',
        fix: 'Give the skill another id.',
      });
    }
    seen.add(skill.id);
    return skill.name === '' ? [] : [skill];
  });
}

function readSkill(place: Place, need: Need): CoreSkill {
  const id = textMember(place, 'id', { need, max: 120, example: '"translate"' });
  const name = textMember(place, 'name', { need, max: 120, example: '"Translate text"' });
  return {
    id: id || name,
    name: name || id,
    description: textMember(place, 'description', {
      need: 'advised',
      max: 4000,
      example: '"Translates text between languages"',
      lines: true,
    }),
    tags: textListMember(place, 'tags', { need: 'advised', max: 50, maxLength: 80, example: '["translation"]' }),
    examples: textListMember(place, 'examples', {
      need: 'optional',
      max: 50,
      maxLength: 2000,
      example: '["Say hello"]',
    }),
    inputModes: modesMember(place, 'inputModes', 'optional'),
    outputModes: modesMember(place, 'outputModes', 'optional'),
  };
}

function missSkills(card: Place): void {
  const list = card.node.children?.find((property) => property.children?.[0]?.value === 'skills')?.children?.[1];
  if (list?.type !== 'array' || list.children?.length !== 0) return;
  warn({ ...card, node: list, pointer: '/skills' }, 'skill.none', {
    found: 'an empty list',
    expected: 'at least one skill',
    fix: 'Describe what the agent can do: search looks at skills first.',
  });
}
