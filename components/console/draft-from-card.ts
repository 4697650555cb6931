import { type CardDraft, firstDraft, parleyTokenSecurity, type SkillDraft, splitList } from './card-from-draft';

/**
 * The form state of a hand-edited card; null if the text is not JSON, or a member of the form has another type. Values
 * equivalent to the draft `before` stay as they were typed.
 */
export function draftFromCard(text: string, before: CardDraft): CardDraft | null {
  try {
    return draftOf(objectIn(JSON.parse(text)), before);
  } catch {
    return null;
  }
}

type Members = Record<string, unknown>;

function draftOf(card: Members, before: CardDraft): CardDraft {
  const [first = {}] = listIn(card.supportedInterfaces).map((each) => objectIn(each));
  const next = Math.max(0, ...before.skills.map(({ key }) => key)) + 1;
  const streaming = objectIn(card.capabilities).streaming ?? false;
  if (typeof streaming !== 'boolean') throw new NotForTheForm();
  return {
    name: keepIfEqual(before.name, card.name),
    description: keepIfEqual(before.description, card.description),
    version: keepIfEqual(before.version, card.version),
    url: keepIfEqual(before.url, first.url),
    streaming,
    auth: authOf(card),
    skills: listIn(card.skills).map((skill, index) =>
      skillDraft(objectIn(skill), before.skills[index] ?? { ...emptySkill, key: next + index }),
    ),
  };
}

const emptySkill = firstDraft.skills[0] as SkillDraft;

function skillDraft(skill: Members, before: SkillDraft): SkillDraft {
  return {
    key: before.key,
    name: keepIfEqual(before.name, skill.name),
    description: keepIfEqual(before.description, skill.description),
    tags: keepListIfEqual(before.tags, skill.tags, ', '),
    examples: keepListIfEqual(before.examples, skill.examples, '\n'),
  };
}

function keepIfEqual(typed: string, parsed: unknown): string {
  const text = textIn(parsed);
  return typed.trim() === text ? typed : text;
}

function keepListIfEqual(typed: string, parsed: unknown, between: ', ' | '\n'): string {
  const items = listIn(parsed).map((item) => textIn(item));
  return same(splitList(typed, between === ', ' ? ',' : '\n'), items) ? typed : items.join(between);
}

function authOf({ securitySchemes, securityRequirements }: Members): CardDraft['auth'] {
  if (securitySchemes === undefined && securityRequirements === undefined) return 'none';
  return same({ securitySchemes, securityRequirements }, parleyTokenSecurity) ? 'bearer' : 'own';
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

class NotForTheForm extends Error {}

function objectIn(value: unknown = {}): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotForTheForm();
  return value as Members;
}

function listIn(value: unknown = []): unknown[] {
  if (!Array.isArray(value)) throw new NotForTheForm();
  return value;
}

function textIn(value: unknown = ''): string {
  if (typeof value !== 'string') throw new NotForTheForm();
  return value;
}
