import type { CoreSkill } from '../core/card';
import { quote } from './diagnostics';
import { modesMember } from './read-modes';
import { addWarning, isObjectNode, listMember, type SourceNode, textListMember, textMember } from './source-node';

/** The card's skills, each with an id of its own: one that repeats another's gets a number, with a warning. */
export function readSkills(card: SourceNode): CoreSkill[] {
  const example = '[{"id": "translate", "name": "Translate text", "description": "…", "tags": ["translation"]}]';
  const seen = new Map<string, number>();
  const sources = listMember(card, 'skills', { need: 'advised', max: 500, example });
  if (sources.length === 0) reportNoSkills(card);
  return sources.flatMap((source) => {
    if (!isObjectNode(source, 'each skill')) return [];
    const skill = readSkill(source);
    if (skill.name === '') return [];
    const id = uniqueId(skill.id, seen);
    if (id !== skill.id) {
      addWarning(source, 'skill.duplicate-id', {
        found: `a second skill with the id ${quote(skill.id)}`,
        expected: 'ids that name one skill each',
        fix: `Give the skill another id. Parley reads it as ${quote(id)}.`,
      });
    }
    return [{ ...skill, id }];
  });
}

/** The id itself, or with the first free number; `seen` counts how often each was used. */
function uniqueId(id: string, seen: Map<string, number>): string {
  for (let number = (seen.get(id) ?? 0) + 1; ; number++) {
    const free = number === 1 ? id : `${id}-${number}`;
    seen.set(id, number);
    if (number > 1 && seen.has(free)) continue;
    seen.set(free, Math.max(seen.get(free) ?? 0, 1));
    return free;
  }
}

function readSkill(source: SourceNode): CoreSkill {
  const id = textMember(source, 'id', { need: 'advised', max: 120, example: '"translate"' });
  const name = textMember(source, 'name', { need: 'advised', max: 120, example: '"Translate text"' });
  return {
    id: id || name,
    name: name || id,
    description: textMember(source, 'description', {
      need: 'advised',
      max: 4000,
      example: '"Translates text between languages"',
      lines: true,
    }),
    tags: textListMember(source, 'tags', { need: 'advised', max: 50, maxLength: 80, example: '["translation"]' }),
    examples: textListMember(source, 'examples', {
      need: 'optional',
      max: 50,
      maxLength: 2000,
      example: '["Say hello"]',
    }),
    inputModes: modesMember(source, 'inputModes', 'optional'),
    outputModes: modesMember(source, 'outputModes', 'optional'),
  };
}

function reportNoSkills(card: SourceNode): void {
  const list = card.node.children?.find((property) => property.children?.[0]?.value === 'skills')?.children?.[1];
  if (list?.type !== 'array' || list.children?.length !== 0) return;
  addWarning({ ...card, node: list, pointer: '/skills' }, 'skill.none', {
    found: 'an empty list',
    expected: 'at least one skill',
    fix: 'Describe what the agent can do: search looks at skills first.',
  });
}
