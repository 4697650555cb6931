import { asksForToken, type CardDraft, firstDraft, listed, type SkillDraft } from './built-card';

/**
 * What the form shows of a card's text that somebody changed by hand; null when the text is no JSON, or one of the members
 * that the form shows is of another type. What says the same as the draft `before` stays as it was typed.
 */
export function draftOfCard(text: string, before: CardDraft): CardDraft | null {
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
    name: kept(before.name, card.name),
    description: kept(before.description, card.description),
    version: kept(before.version, card.version),
    url: kept(before.url, first.url),
    streaming,
    auth: authOf(card),
    skills: listIn(card.skills).map((skill, place) =>
      skillDraft(objectIn(skill), before.skills[place] ?? { ...emptySkill, key: next + place }),
    ),
  };
}

const emptySkill = firstDraft.skills[0] as SkillDraft;

function skillDraft(skill: Members, before: SkillDraft): SkillDraft {
  return {
    key: before.key,
    name: kept(before.name, skill.name),
    description: kept(before.description, skill.description),
    tags: keptList(before.tags, skill.tags, ', '),
    examples: keptList(before.examples, skill.examples, '\n'),
  };
}

function kept(typed: string, said: unknown): string {
  const text = textIn(said);
  return typed.trim() === text ? typed : text;
}

function keptList(typed: string, said: unknown, between: ', ' | '\n'): string {
  const items = listIn(said).map((item) => textIn(item));
  return same(listed(typed, between === ', ' ? ',' : '\n'), items) ? typed : items.join(between);
}

function authOf({ securitySchemes, securityRequirements }: Members): CardDraft['auth'] {
  if (securitySchemes === undefined && securityRequirements === undefined) return 'none';
  return same({ securitySchemes, securityRequirements }, asksForToken) ? 'bearer' : 'own';
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
