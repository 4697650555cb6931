import { CARD_MAX } from '../../limits';
import type { CoreSkill } from '../core/card';
import { cleanLine } from './clean-text';
import { quote } from './diagnostics';
import {
  addWarning,
  describeNode,
  elementsOrOne,
  isObjectNode,
  listMember,
  type Need,
  type SourceNode,
  textListMember,
  textMember,
} from './source-node';

/** Reads the card's skills and makes their ids unique: a duplicate id is numbered, with a warning. */
export function readSkills(card: SourceNode): CoreSkill[] {
  const example = '[{"id": "translate", "name": "Translate text", "description": "…", "tags": ["translation"]}]';
  const seen = new Map<string, number>();
  const sources = listMember(card, 'skills', { need: 'advised', max: CARD_MAX.skills, example });
  if (sources.length === 0) reportNoSkills(card);
  return sources.flatMap((source) => {
    if (!isObjectNode(source, 'each skill')) return [];
    const skill = readSkill(source);
    if (skill.name === '') return [];
    const id = uniqueId(skill.id, seen);
    if (id !== skill.id) {
      addWarning(source, 'skill.duplicate-id', {
        found: `a second skill with the ID ${quote(skill.id)}`,
        expected: 'a unique ID for each skill',
        fix: `Give the skill another ID. Parley reads it as ${quote(id)}.`,
      });
    }
    return [{ ...skill, id }];
  });
}

/** Returns the id, or the id with the first free number. `seen` counts the uses of each id. */
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
  const id = textMember(source, 'id', { need: 'advised', max: CARD_MAX.skillName, example: '"translate"' });
  const name = textMember(source, 'name', { need: 'advised', max: CARD_MAX.skillName, example: '"Translate text"' });
  return {
    id: id || name,
    name: name || id,
    description: textMember(source, 'description', {
      need: 'advised',
      max: CARD_MAX.skillDescription,
      example: '"Translates text between languages"',
      lines: true,
    }),
    tags: textListMember(source, 'tags', {
      need: 'advised',
      max: CARD_MAX.tags,
      maxLength: CARD_MAX.tag,
      example: '["translation"]',
    }),
    examples: textListMember(source, 'examples', {
      need: 'optional',
      max: CARD_MAX.examples,
      maxLength: CARD_MAX.example,
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
    found: 'an empty array',
    expected: 'at least one skill',
    fix: 'Describe what the agent can do. Search compares skills first.',
  });
}

const mediaType = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+*-]{1,64}(?:\s*;.{0,80})?$|^\*\/\*$/;

/** Short names of media types in older cards. */
const shortNames: Record<string, string> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  data: 'application/json',
  file: 'application/octet-stream',
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
};

/**
 * Returns a list of media types in lower case. Short names such as `text` are expanded and other names, such as
 * `task-status`, are kept, both with a warning.
 */
export function modesMember(parent: SourceNode, name: string, need: Need): string[] {
  const modes = new Set<string>();
  for (const element of elementsOrOne(parent, name, { need, max: CARD_MAX.modes, example: '["text/plain"]' })) {
    const written = element.node.type === 'string' ? String(element.node.value).trim() : '';
    const known = Object.hasOwn(shortNames, written.toLowerCase()) ? shortNames[written.toLowerCase()] : undefined;
    if (known) {
      const details = {
        found: describeNode(element.node),
        expected: 'a media type',
        fix: `Write "${known}". Parley reads it as "${known}".`,
      };
      addWarning(element, 'mode.media-type', details);
      modes.add(known);
    } else if (mediaType.test(written)) {
      modes.add(written.toLowerCase());
    } else {
      addWarning(element, 'mode.media-type', {
        found: describeNode(element.node),
        expected: 'a media type such as text/plain or application/json',
        fix: 'Write a media type (RFC 6838). Callers may not recognize this value.',
      });
      const name = cleanLine(written).toLowerCase();
      if (name !== '') modes.add(name);
    }
  }
  return [...modes];
}
